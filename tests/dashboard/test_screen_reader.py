"""What a page says aloud of an action: short, true to what is shown, and nothing of what is hidden."""

import numpy as np
import pytest

from bleucore.evaluation import evaluate_metric
from bleucore.metrics.segment_scores import SegmentScores, SystemScores
from bleuscope.content.comparison.differences import segment_differences
from bleuscope.content.comparison.screen_reader import page_words, segment_words
from bleuscope.content.style import numbers


def test_a_page_of_two_says_their_difference_and_another_its_name(sample, one_system):
    study = sample.study(("literal", "fluent"))
    first, second = (study.metric.systems[name].score for name in study.pair)
    difference = numbers.difference(second - first)
    assert page_words("Compare", study, is_of_two=True) == f"Compare: fluent minus literal, {difference} BLEU."
    assert page_words("Scores", study, is_of_two=False) == "Scores."
    alone = one_system.study(("only",))
    assert page_words("Compare", alone, is_of_two=True) == "Compare."


@pytest.mark.parametrize(("n_found", "end"), [(216, "."), (48, ", 48 found.")])
def test_a_segment_is_said_with_its_difference_and_how_many_are_found(sample, n_found, end):
    study = sample.study(("literal", "fluent"))
    delta = numbers.difference(segment_differences(sample.evaluation, study.pair, study.metric)[6])
    assert segment_words(study, 6, n_found) == f"Segment 7 of 216, Δ {delta}{end}"
    assert segment_words(study, 6, n_found, is_blind=True) == f"Segment 7 of 216{end}"


def test_a_segment_is_said_without_a_difference_where_there_is_none(score_texts, sample):
    scored = score_texts({"a": ["x", "y"], "b": ["x", "z"]}, [["x", "y"]])
    columns = {name: SystemScores(np.array([1]), np.array([0.5]), np.arange(1)) for name in ("a", "b")}
    judged = evaluate_metric(scored.test_set, SegmentScores("judged", "judged.tsv", columns))
    assert segment_words(scored.study(metric=judged), 0, 2) == "Segment 1 of 2, Δ 0.0000."
    assert segment_words(scored.study(metric=judged), 1, 2) == "Segment 2 of 2."
    assert segment_words(sample.study(("literal",)), 0, 216) == "Segment 1 of 216."
