"""Kinds of errors as sheets: what each cost, and the segments that lost most to one."""

from dataclasses import replace

import numpy as np

from bleucore.analysis.kinds import KindStudy
from bleucore.analysis.marked_kinds import MARKED_IN_WMT23, MATCHED, MarkedKinds
from bleucore.analysis.slices import Slicing
from bleucore.analysis.token_kinds import KINDS
from bleucore.counts import Floats
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.sheets.builders import FilledField, context, facts_of, pair_columns, sheet_of
from bleuscope.content.sheets.sheet import Field, Sheet
from bleuscope.content.slices.slice_tables import slice_name
from bleuscope.features.kinds.words import MEANINGS, METHOD, PLURALS

MOST_SEGMENTS = 20
LOST = "Along the system's own line to a perfect output; Δ is divided along the line from A to B."
GAIN = Field("gain", "Δ", "difference", explanation="What this kind contributes to B's BLEU minus A's.")


def kinds_sheet(study: ComparisonContext, kinds: KindStudy, marked: MarkedKinds | None = None) -> Sheet:
    """Every kind, and the total: tokens, points lost, the gain of B, and the segment that shows it best.

    Args:
        study: The comparison.
        kinds: What its systems lost.
        marked: What people marked of each kind; ``None`` leaves these columns out.
    """
    losses = kinds.losses
    sides = tuple(one.system for one in losses)
    points = {one.system: np.array([*one.losses, one.jump, one.perfect - one.score]) for one in losses}
    tokens = {one.system: np.array([*one.counts, 0, one.counts.sum()]) for one in losses}
    lost = [
        (replace(field, explanation=LOST, off_pages=kinds.compares), values)
        for field, values in pair_columns(sides, "lost", "lost", "score", points)
    ]
    columns: list[FilledField] = [
        (Field("kind", "kind", "text"), [*KINDS, "no kind", "total"]),
        *pair_columns(sides, "tokens", "tokens", "count", tokens),
        *lost,
    ]
    if kinds.compares:
        columns.append((GAIN, [*kinds.total_gains, kinds.jump, losses[1].score - losses[0].score]))
    if marked is not None:
        columns += marked_columns(marked)
    examples = [_example(kinds, kind) for kind in range(len(KINDS))]
    columns.append(
        (
            Field("segment", "segment", "text", explanation="The segment where this kind costs or gains most."),
            [*examples, "", ""],
        )
    )
    columns.append(
        (Field("meaning", "what it is", "text", off_pages=True), [*(MEANINGS[kind] for kind in KINDS), "", ""])
    )
    has_rest = kinds.jump != 0 or any(one.jump != 0 for one in losses)
    rows = [place for place in range(len(KINDS) + 2) if place != len(KINDS) or has_rest]
    kept = [(field, np.asarray(values, object if field.kind == "text" else None)[rows]) for field, values in columns]
    return sheet_of(
        "kinds",
        ("What BLEU was lost to, by kind of error.", METHOD, *context(sides, study.evaluation)),
        kept,
        facts_of(sides, study.evaluation),
        title="Difference in BLEU, by kind" if kinds.compares else "BLEU points lost, by kind",
        emphasised=tuple(range(len(KINDS), len(rows))),
    )


def marked_columns(marked: MarkedKinds) -> list[FilledField]:
    """What raters marked of each kind here, and in WMT23; nothing in the rows of no kind and of the total."""
    here, cited = 100 * marked.shares[:MATCHED], [100 * MARKED_IN_WMT23.get(kind, np.nan) for kind in KINDS]
    rest = [np.nan, np.nan]
    outputs = f"{marked.n_outputs:,} annotated outputs"
    return [
        (
            Field("marked", "marked, %", "precision", explanation=f"Tokens that raters marked in {outputs}."),
            np.array([*here, *rest]),
        ),
        (
            Field("marked_wmt23", "WMT23, %", "precision", explanation="The same in WMT23 en-de, by MQM raters."),
            np.array([*cited, *rest]),
        ),
    ]


def segments_sheet(study: ComparisonContext, kinds: KindStudy, kind: int) -> Sheet:
    """The segments where a kind makes the largest difference, or costs a single system most."""
    sides = tuple(one.system for one in kinds.losses)
    values = segment_values(kinds, kind)
    rows = np.argsort(-np.abs(values), kind="stable")[:MOST_SEGMENTS]
    rows = rows[values[rows] != 0]
    tokens = {one.system: one.tokens[rows, kind] for one in kinds.losses}
    columns: list[FilledField] = [
        (Field("segment", "segment", "count"), rows + 1),
        *pair_columns(sides, "tokens", "tokens", "count", tokens),
    ]
    key, heading = ("gain", "Δ") if kinds.compares else ("lost", "lost")
    explanation = GAIN.explanation if kinds.compares else LOST
    columns.append((Field(key, heading, "part", explanation=explanation), values[rows]))
    texts = [study.test_set.system(sides[-1]).hypotheses[row] for row in rows]
    heading = "output B" if kinds.compares else "output"
    columns.append((Field("output", heading, "text", is_prose=True, language=study.test_set.languages[1]), texts))
    return sheet_of(
        "kind-segments",
        (f"The segments where {PLURALS[KINDS[kind]]} matter most.", *context(sides, study.evaluation)),
        columns,
        facts_of(sides, study.evaluation),
        title=f"Segments: {KINDS[kind]}",
    )


def slices_sheet(study: ComparisonContext, kinds: KindStudy, slicing: Slicing) -> Sheet:
    """What each kind gains or costs in each slice; documents and labels with the largest totals come first."""
    sides = tuple(one.system for one in kinds.losses)
    points = kinds.groups(slicing.groups, slicing.n_slices)
    totals = points.sum(axis=1)
    rows = np.arange(slicing.n_slices) if slicing.is_ordered else np.argsort(-np.abs(totals), kind="stable")
    explanation = GAIN.explanation if kinds.compares else LOST
    columns: list[FilledField] = [
        (Field("slice", slicing.kind, "text"), [slice_name(slicing.names[row]) for row in rows.tolist()]),
        (Field("segments", "segments", "count"), slicing.sizes[rows]),
        (Field("total", "total", "part"), totals[rows]),
        *(
            (Field(name.replace(" ", "_"), name, "part", explanation=explanation), points[rows, place])
            for place, name in enumerate(KINDS)
        ),
    ]
    return sheet_of(
        "kind-slices",
        (f"What kinds of errors come to by {slicing.kind}.", METHOD, *context(sides, study.evaluation)),
        columns,
        facts_of(sides, study.evaluation),
        title=f"Kinds of errors by {slicing.kind}",
    )


def segment_values(kinds: KindStudy, kind: int) -> Floats:
    """(S,): what B gains over A by a kind in each segment, or what a single system loses."""
    values: Floats = (kinds.gains if kinds.compares else kinds.losses[0].segments)[:, kind]
    return values


def _example(kinds: KindStudy, kind: int) -> str:
    """The number of the segment that shows a kind best: where it has the sign of the whole, and is largest."""
    values = segment_values(kinds, kind)
    towards = -values if values.sum() < 0 else values
    place = int(towards.argmax()) if len(towards) else 0
    return f"#{place + 1}" if len(towards) and towards[place] > 0 else ""
