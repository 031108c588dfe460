"""The section of segments that are written out with their marks."""

from collections.abc import Sequence

import numpy as np

from bleucore.analysis.attribution import Attribution
from bleucore.counts import Floats
from dashboard.content.comparison.differences import segment_differences
from dashboard.content.comparison.study import TestedStudy
from dashboard.content.report.choices import ReportOptions
from dashboard.content.report.parts import Block, Heading, SegmentCard, Words
from dashboard.content.segments import highlights
from dashboard.content.segments.highlights import SegmentView
from dashboard.content.segments.segment_notes import Notes, SegmentNote
from dashboard.content.style import numbers
from dashboard.content.style.identity import letters_of
from dashboard.content.style.scale import Scale


def segment_blocks(
    study: TestedStudy, attribution: Attribution | None, options: ReportOptions, notes: Notes
) -> list[Block]:
    """The segments asked for, or those that do most for B and for A; of a single system the worst and the best."""
    groups = _groups(study, attribution, options)
    if not any(len(segments) for _, segments in groups):
        return []
    compares = attribution is not None
    blocks: list[Block] = [
        Words(highlights.legend_html(study.evaluation.options.max_order, compares=compares, marks_references=True))
    ]
    for title, segments in groups:
        if len(segments):
            blocks.append(Heading(title))
        blocks += [_card(study, attribution, segment, notes.get(segment, SegmentNote())) for segment in segments]
    return blocks


def _groups(
    study: TestedStudy, attribution: Attribution | None, options: ReportOptions
) -> list[tuple[str, Sequence[int]]]:
    if options.chosen is not None:
        return [("Chosen segments", options.chosen)]
    if attribution is None:
        scores = study.evaluation.systems[study.sides[0]].segment_scores
        lowest = _leading(-scores, options.n_segments, least=None)
        highest = [one for one in _leading(scores, options.n_segments, least=None) if one not in lowest]
        return [("The lowest segment scores", lowest), ("The highest segment scores", highest)]
    first, second = study.pair
    if attribution.reason is None:
        values, what = attribution.segments, "do most"
    else:
        values, what = _differences(study, attribution), "differ most in their own scores"
    gains = attribution.gain(values)
    return [
        (f"Segments that {what} for {second} (B)", _leading(gains, options.n_segments)),
        (f"Segments that {what} for {first} (A)", _leading(-gains, options.n_segments)),
    ]


def _differences(study: TestedStudy, attribution: Attribution) -> Floats:
    """Of the segments' own scores in the metric of the attribution, 0 where one has none."""
    metric = study.evaluation.metrics[attribution.metric_name]
    return np.nan_to_num(segment_differences(study.evaluation, study.pair, metric))


def _leading(values: np.ndarray, number: int, *, least: float | None = 0.0) -> list[int]:
    """The segments of the largest values, those above the least; equal ones in the test set's order."""
    order = np.argsort(-values, kind="stable")[:number]
    return [int(segment) for segment in order if least is None or values[segment] > least]


def _card(study: TestedStudy, attribution: Attribution | None, segment: int, said: SegmentNote) -> SegmentCard:
    test_set, sides = study.test_set, study.sides
    view = SegmentView(segment, sides, reference_matches=sides[-1])
    title = f"Segment {numbers.count(segment + 1)}"
    if test_set.documents is not None:
        title += f", {test_set.documents[segment]}"
    facts = []
    if attribution is not None:
        scale = Scale.of(study.evaluation.metrics[attribution.metric_name])
        unit = "" if scale.unit == study.evaluation.bleu.name else f" {scale.unit}"
        if attribution.reason is None:
            facts.append((numbers.part(float(attribution.segments[segment])), f"part in Δ{unit}"))
        delta = _differences(study, attribution)[segment]
        facts.append((scale.difference(float(delta)), f"Δ{unit} of the segment's own scores"))
    html = highlights.segment_html(test_set, study.evaluation, view, study.looks)
    return SegmentCard(title, tuple(facts), said.tag, said.note, html, tuple(_texts(study, view)))


def _texts(study: TestedStudy, view: SegmentView) -> list[tuple[str, str, str | None]]:
    test_set, segment = study.test_set, view.segment
    texts: list[tuple[str, str, str | None]] = []
    if test_set.source is not None:
        texts.append(("source", "", test_set.source[segment]))
    for name, column in zip(test_set.reference_names or (), test_set.references, strict=True):
        texts.append((name, "", column[segment]))
    roles = letters_of(view.sides)
    for name in view.systems:
        score = numbers.score(float(study.evaluation.systems[name].segment_scores[segment]))
        label = f"{roles[name]}: {name}" if roles else name
        texts.append((label, score, test_set.system(name).hypotheses[segment]))
    return texts
