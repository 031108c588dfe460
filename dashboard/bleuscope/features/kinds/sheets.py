"""Kinds of errors as sheets: what each cost, and the segments that lost most to one."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from bleucore.analysis.kinds import KindLosses, kind_gains, unexplained_gain
from bleucore.analysis.token_kinds import KINDS
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.sheets.builders import FilledField, context, facts_of, pair_columns, sheet_of
from bleuscope.content.sheets.sheet import Field, Sheet
from bleuscope.features.kinds.words import MEANINGS, METHOD, PLURALS

MOST_SEGMENTS = 20
GAIN = Field("gain", "Δ", "difference", explanation="What B gains over A: points lost by A minus points lost by B.")


def kinds_sheet(study: ComparisonContext, losses: Sequence[KindLosses]) -> Sheet:
    """Every kind, and the total: tokens, points lost, the gain of B, and the segment that shows it best."""
    sides = tuple(one.system for one in losses)
    points = {one.system: np.array([*one.losses, one.jump, one.perfect - one.score]) for one in losses}
    tokens = {one.system: np.array([*one.counts, 0, one.counts.sum()]) for one in losses}
    columns: list[FilledField] = [
        (Field("kind", "kind", "text"), [*KINDS, "no kind", "total"]),
        *(
            (replace(field, off_pages=True), values)
            for field, values in pair_columns(sides, "tokens", "tokens", "count", tokens)
        ),
        *pair_columns(sides, "lost", "lost", "score", points),
    ]
    if len(losses) > 1:
        gains = kind_gains(*losses)
        columns.append((GAIN, [*gains, unexplained_gain(*losses), losses[1].score - losses[0].score]))
    examples = [_example(losses, kind) for kind in range(len(KINDS))]
    columns.append(
        (
            Field("segment", "segment", "text", explanation="The segment where this kind costs or gains most."),
            [*examples, "", ""],
        )
    )
    columns.append(
        (Field("meaning", "what it is", "text", off_pages=True), [*(MEANINGS[kind] for kind in KINDS), "", ""])
    )
    has_rest = any(abs(one.jump) > 0 for one in losses)
    rows = [place for place in range(len(KINDS) + 2) if place != len(KINDS) or has_rest]
    kept = [(field, np.asarray(values, object if field.kind == "text" else None)[rows]) for field, values in columns]
    return sheet_of(
        "kinds",
        ("What BLEU was lost to, by kind of error.", METHOD, *context(sides, study.evaluation)),
        kept,
        facts_of(sides, study.evaluation),
        title="BLEU points lost, by kind",
        emphasised=(len(rows) - 1,),
    )


def segments_sheet(study: ComparisonContext, losses: Sequence[KindLosses], kind: int) -> Sheet:
    """The segments where a kind makes the largest difference, or costs a single system most."""
    sides = tuple(one.system for one in losses)
    values = segment_values(losses, kind)
    rows = np.argsort(-np.abs(values), kind="stable")[:MOST_SEGMENTS]
    rows = rows[values[rows] != 0]
    lost = {one.system: one.segments[rows, kind] for one in losses}
    columns: list[FilledField] = [
        (Field("segment", "segment", "count"), rows + 1),
        *pair_columns(sides, "lost", "lost", "ratio", lost),
    ]
    if len(losses) > 1:
        columns.append((Field("gain", "Δ", "part", explanation=GAIN.explanation), values[rows]))
    texts = [study.test_set.system(sides[-1]).hypotheses[row] for row in rows]
    heading = "output" if len(sides) == 1 else "output B"
    columns.append((Field("output", heading, "text", is_prose=True, language=study.test_set.languages[1]), texts))
    return sheet_of(
        "kind-segments",
        (f"The segments where {PLURALS[KINDS[kind]]} matter most.", *context(sides, study.evaluation)),
        columns,
        facts_of(sides, study.evaluation),
        title=f"Segments: {KINDS[kind]}",
    )


def segment_values(losses: Sequence[KindLosses], kind: int) -> np.ndarray:
    """(S,): what B gains over A by a kind in each segment, or what a single system loses."""
    if len(losses) == 1:
        return losses[0].segments[:, kind]
    return np.asarray(losses[0].segments[:, kind] - losses[1].segments[:, kind])


def _example(losses: Sequence[KindLosses], kind: int) -> str:
    """The number of the segment that shows a kind best: where it has the sign of the whole, and is largest."""
    values = segment_values(losses, kind)
    towards = -values if values.sum() < 0 else values
    place = int(towards.argmax()) if len(towards) else 0
    return f"#{place + 1}" if len(towards) and towards[place] > 0 else ""
