"""The table of annotations: one mark a row, with the places of its characters, in a workbook, CSV or TSV."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from bleucore.formats.formula_cells import as_typed
from bleucore.formats.tables import quoted_rows
from bleucore.judgements import fields
from bleucore.judgements.drawn_table import drawn
from bleucore.judgements.fields import Place
from bleucore.judgements.records import UNPLACED, Draw, Judgements, Row, Scale, Span
from bleucore.values import shown

TITLES = (
    "segment",
    "document",
    "system",
    "source",
    "translation",
    "annotator",
    "score",
    "start",
    "end",
    "side",
    "severity",
    "category",
    "penalty",
    "comment",
    "remark",
    "weight",
    "stratum",
    "unit",
)
"""The columns, in this order."""
MISSING = "missing"
_NEEDED = ("segment", "system", "translation", "annotator", "score", "start", "end", "side", "severity")
_SIDES = ("target", "source", MISSING)


@dataclass
class _Judged:
    """What one annotator said of one output."""

    line: int
    score: float | None
    target: str
    source: str
    document: str
    draw: Draw | None
    spans: list[Span] = field(default_factory=list)


def sniff(text: str, name: str) -> bool:  # noqa: ARG001  # as for every family
    """Whether the first line names the columns of such a table."""
    return fields.names_columns(text, _NEEDED)


def read(file: str, text: str) -> tuple[Judgements, ...]:
    """The judgements: scores from 0 to 100 where there is any, else their values follow from their marks.

    Raises:
        InputError: A cell holds something else than it should, or the rows differ in width.
    """
    head, *rows = quoted_rows(file, text)
    titles = [cell.strip() for cell in head.cells]
    fields.refuse_repeated(Place(file, head.line), titles)
    fields.refuse_lacking(Place(file, head.line), titles, _NEEDED)
    judged: dict[tuple[str, int, str], _Judged] = {}
    for row in rows:
        cells = {title: as_typed(cell) for title, cell in zip(titles, row.cells, strict=True)}
        _add(judged, Place(file, row.line), cells)
    if not judged:
        return ()
    has_scores = any(one.score is not None for one in judged.values())
    found = tuple(
        Row(
            one.line,
            system,
            segment,
            annotator,
            one.score,
            tuple(one.spans),
            one.target,
            one.source or None,
            one.document or None,
            one.draw,
        )
        for (system, segment, annotator), one in judged.items()
        if not has_scores or one.score is not None
    )
    if has_scores:
        return (Judgements("ESA", file, "ESA", found, Scale("0 to 100", 0.0, 100.0), 1),)
    return (Judgements("MQM", file, "MQM", found, Scale("penalties, negative", high=0.0), 1),)


def _add(judged: dict[tuple[str, int, str], _Judged], place: Place, cells: Mapping[str, str]) -> None:
    system = fields.text(place, "system", cells["system"])
    at = Place(place.file, place.line, system)
    segment = fields.whole(at, "segment", cells["segment"], 1)
    score = fields.number(at, "score", cells["score"]) if cells["score"].strip() else None
    weight = cells.get("weight", "").strip()
    new = _Judged(
        place.line,
        score,
        cells["translation"],
        cells.get("source", ""),
        cells.get("document", ""),
        drawn(at, weight, cells["stratum"], cells["unit"]) if weight else None,
    )
    one = judged.setdefault((system, segment, cells["annotator"].strip()), new)
    for title, found, before in (("score", score, one.score), ("translation", new.target, one.target)):
        if found != before:
            raise at.refusal(
                f"an annotator has two values of {title} for one output",
                found=shown(found),
                expected=f"{shown(before)} as in line {one.line:,}",
                remedy="Leave the columns as they were written.",
            )
    if cells["start"].strip():
        one.spans.append(_span(at, cells))


def _span(place: Place, cells: Mapping[str, str]) -> Span:
    side = cells["side"].strip()
    if side not in _SIDES:
        raise place.refusal(
            "the side is unknown",
            found=shown(side),
            expected=", ".join(_SIDES),
            remedy="Leave the column as it was written.",
        )
    start, end = UNPLACED, UNPLACED
    if cells["start"].strip() != MISSING:
        start, end = (fields.whole(place, title, cells[title]) for title in ("start", "end"))
    if end < start:
        raise place.refusal(
            "a mark ends before it starts",
            found=f"{start:,} to {end:,}",
            expected="characters from 0, the end one behind the last",
            remedy="Leave the columns as they were written.",
        )
    penalty = cells.get("penalty", "").strip()
    return Span(
        start,
        end,
        cells["severity"].strip().lower(),
        cells.get("category", "").strip(),
        "source" if side == "source" else "target",
        abs(fields.number(place, "penalty", penalty)) if penalty else None,
        comment=cells.get("comment", ""),
    )
