"""Tables of MQM errors as Google publishes and Marot writes them: one error a row, marked with <v> and </v>."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from bleucore.formats import decoding
from bleucore.formats.columns import refuse_excess
from bleucore.judgements import fields
from bleucore.judgements.fields import Place
from bleucore.judgements.records import UNPLACED, Judgements, Row, Scale, Side, Span
from bleucore.values import shown
from bleucore.written_numbers import counted

_NEEDED = ("system", "rater", "source", "target", "category", "severity")
_OTHER_TITLES = {"globalsegid": "seg_id", "docsegid": "doc_id"}
_NO_ERROR = re.compile(r"no[-_ ]?error", re.IGNORECASE)
_CONTROL = re.compile(r"hotw", re.IGNORECASE)
_NUMBER = re.compile(r"[0-9]{1,9}")
_TAGS = re.compile(r"</?v>")


@dataclass
class _Judged:
    """What one rater said of one translation."""

    line: int
    number: int | None
    target: str
    source: str
    spans: list[Span] = field(default_factory=list)


def sniff(text: str, name: str) -> bool:  # noqa: ARG001  # as for every family
    """Whether one of the first lines names the columns of such a table."""
    return any(set(_NEEDED) <= set(_titles(line)) for line in text[: 1 << 16].split("\n")[:3])


def read(file: str, text: str) -> tuple[Judgements, ...]:
    """The judgements, whose values follow from their errors.

    Raises:
        InputError: A row has another number of cells than the header; or a mark is not closed.
    """
    lines = decoding.lines_of(file, text)
    refuse_excess(file, text.count("\t"))
    header = next((index for index, line in enumerate(lines[:3]) if set(_NEEDED) <= set(_titles(line))), 0)
    titles = _titles(lines[header])
    fields.refuse_repeated(Place(file, header + 1), titles)
    fields.refuse_lacking(Place(file, header + 1), titles, _NEEDED)
    judged: dict[tuple[str, str, str], _Judged] = {}
    n_left_out = header
    for number, line in enumerate(lines[header + 1 :], start=header + 2):
        cells = line.split("\t")
        if len(cells) != len(titles):
            if "canary" in line.lower():
                n_left_out += 1
                continue
            raise Place(file, number).refusal(
                "the row differs in width from the header",
                found=f"{len(cells):,} cells",
                expected=f"{len(titles):,} cells",
                remedy="Load the table as it was written by its program.",
            )
        n_left_out += _add(judged, Place(file, number), dict(zip(titles, cells, strict=True)))
    rows = tuple(
        Row(one.line, system, one.number, rater, None, tuple(one.spans), one.target, one.source)
        for (system, rater, _), one in judged.items()
    )
    notices = (f"{file}: left out: {counted(n_left_out, 'line')} without a judgement.",) if n_left_out else ()
    return (Judgements("MQM", file, "MQM", rows, Scale("penalties, negative", high=0.0), 1, notices=notices),)


def _titles(line: str) -> list[str]:
    titles = [cell.strip().lower() for cell in line.rstrip("\r").split("\t") if not cell.startswith("#")]
    return [_OTHER_TITLES.get(title, title) for title in titles]


def _add(judged: dict[tuple[str, str, str], _Judged], place: Place, cells: Mapping[str, str]) -> bool:
    """Add the row's error to what its rater said of its translation; whether it was left out as a control."""
    if _CONTROL.match(cells["severity"]) or "canary" in cells["system"].lower():
        return True
    system = fields.text(place, "system", cells["system"]).strip()
    place = Place(place.file, place.line, system)
    target, marked = _marked(place, "target", cells["target"])
    source, marked_source = _marked(place, "source", cells["source"])
    segment = "\t".join(cells.get(title, "") for title in ("doc", "doc_id", "seg_id"))
    number = cells.get("seg_id", "").strip()
    one = judged.setdefault(
        (system, cells["rater"].strip(), segment),
        _Judged(place.line, int(number) if _NUMBER.fullmatch(number) else None, target, source),
    )
    if one.target.rstrip() != target.rstrip():  # programs add a blank where a mark reaches the end
        raise place.refusal(
            "the same segment has two translations by the same system",
            found=shown(target),
            expected=f"{shown(one.target)} as in line {one.line:,}",
            remedy="Load the table as it was written by its program.",
        )
    severity, category = cells["severity"].strip(), cells["category"].strip()
    if not (_NO_ERROR.match(severity) or _NO_ERROR.match(category)):
        start, end = marked or marked_source or (UNPLACED, UNPLACED)
        side: Side = "source" if marked is None and marked_source is not None else "target"
        own = source if side == "source" else one.target
        start, end = min(start, len(own)), min(end, len(own))
        text = None if start == UNPLACED else own[start:end]
        said = cells.get("comment", "").strip()
        one.spans.append(Span(start, end, severity.lower(), category, side, None, text, said))
    return False


def _marked(place: Place, title: str, cell: str) -> tuple[str, tuple[int, int] | None]:
    """The text without its tags, and the characters between them; ``None`` where there are no tags."""
    tags = [(found.start(), found[0]) for found in _TAGS.finditer(cell)]
    if not tags:
        return cell, None
    if [tag for _, tag in tags] != ["<v>", "</v>"]:
        raise place.refusal(
            f"the mark in the {title} is not one of a beginning and an end",
            found=" ".join(tag for _, tag in tags[:6]),
            expected="<v> before the error and </v> behind it",
            remedy="Load the table as it was written by its program.",
        )
    (start, _), (end, _) = tags
    return _TAGS.sub("", cell), (start, end - len("<v>"))
