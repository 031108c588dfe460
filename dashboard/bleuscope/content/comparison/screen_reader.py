"""What an action led to, in one sentence: for whoever hears a page, where others see that it has changed."""

import numpy as np

from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.comparison.differences import segment_differences
from bleuscope.content.style import numbers
from bleuscope.content.style.scale import ScoreScale


def page_words(title: str, study: ComparisonContext, *, is_of_two: bool) -> str:
    """What a page shows: "Compare: fluent minus literal, +2.51 BLEU."; one that compares none says its name alone."""
    metric, scale = study.metric, ScoreScale.of(study.metric)
    if is_of_two and study.compares:
        first, second = (metric.systems[name].score for name in study.pair)
        return f"{title}: {study.pair[1]} minus {study.pair[0]}, {scale.difference(second - first)} {scale.unit}."
    return f"{title}."


def segment_words(study: ComparisonContext, segment: int, n_found: int, *, is_blind: bool = False) -> str:
    """Which segment is open: "Segment 7 of 216, Δ −12.10, 48 found.".

    Args:
        study: What the page shows.
        segment: Counted from 0.
        n_found: The segments that the filters leave.
        is_blind: Whether scores are hidden.
    """
    n_segments = study.test_set.n_segments
    said = [f"Segment {numbers.count(segment + 1)} of {numbers.count(n_segments)}"]
    if study.compares and not is_blind:
        delta = float(segment_differences(study.evaluation, study.pair, study.metric)[segment])
        said += [] if np.isnan(delta) else [f"Δ {ScoreScale.of(study.metric).difference(delta)}"]
    said += [f"{numbers.count(n_found)} found"] if n_found < n_segments else []
    return ", ".join(said) + "."
