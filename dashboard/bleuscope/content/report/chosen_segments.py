"""The section of segments that are written out with their marks."""

from collections.abc import Sequence

import numpy as np

from bleucore.counts import Ints
from bleuscope.annotations import Notes, SegmentNote
from bleuscope.content.comparison.comparison_context import TestedStudy
from bleuscope.content.comparison.differences import segment_differences
from bleuscope.content.report.choices import ReportOptions
from bleuscope.content.report.parts import Block, Heading, SegmentCard, Words
from bleuscope.content.segments import highlights
from bleuscope.content.segments.highlights import SegmentView
from bleuscope.content.style import numbers
from bleuscope.content.style.identity import letters_of
from bleuscope.content.style.scale import ScoreScale


def segment_blocks(study: TestedStudy, options: ReportOptions, notes: Notes) -> list[Block]:
    """The segments asked for, or those that do most for B and for A; of a single system the worst and the best."""
    groups = _groups(study, options)
    if not any(len(segments) for _, segments in groups):
        return []
    n_orders = study.evaluation.options.max_order
    blocks: list[Block] = [Words(highlights.legend_html(n_orders, compares=study.compares, marks_references=True))]
    for title, segments in groups:
        if len(segments):
            blocks.append(Heading(title))
        blocks += [_card(study, int(segment), notes.get(int(segment), SegmentNote())) for segment in segments]
    return blocks


def _groups(study: TestedStudy, options: ReportOptions) -> list[tuple[str, Sequence[int] | Ints]]:
    most = options.n_segments
    if options.chosen is not None:
        return [("Chosen segments", options.chosen)]
    if not study.compares:
        scores = study.evaluation.systems[study.sides[0]].segment_scores
        lowest, highest = (np.argsort(values, kind="stable")[:most] for values in (scores, -scores))
        rest = highest[~np.isin(highest, lowest)]
        return [("The lowest segment scores", lowest), ("The highest segment scores", rest)]
    what = "do most" if study.parts is not None else "differ most in their own scores"
    return [
        (f"Segments that {what} for {name} ({letter})", segments)
        for name, letter, segments in zip(reversed(study.pair), "BA", study.leading_segments(most), strict=True)
    ]


def _card(study: TestedStudy, segment: int, said: SegmentNote) -> SegmentCard:
    test_set, sides = study.test_set, study.sides
    view = SegmentView(segment, sides, reference_matches=sides[-1])
    title = f"Segment {numbers.count(segment + 1)}"
    if test_set.documents is not None:
        title += f", {test_set.documents[segment]}"
    facts = []
    if study.compares:
        scale = ScoreScale.of(study.metric)
        unit = "" if scale.unit == study.evaluation.bleu.name else f" {scale.unit}"
        if study.parts is not None:
            facts.append((numbers.part(float(study.parts[segment])), f"contribution to Δ{unit}"))
        delta = np.nan_to_num(segment_differences(study.evaluation, study.pair, study.metric)[segment])
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
