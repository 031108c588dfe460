"""Exports of Appraise (direct assessment, ESA, MQM): one judgement a row, without a header and without texts."""

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import replace

from bleucore.formats import decoding
from bleucore.formats.columns import refuse_excess
from bleucore.formats.json_values import json_value
from bleucore.judgements import fields
from bleucore.judgements.fields import Place
from bleucore.judgements.marked_spans import spans_of
from bleucore.judgements.records import Judgements, Protocol, Row, Scale, nothing_judged
from bleucore.written_numbers import counted

_WITH_SPANS, _WITHOUT_SPANS = 12, 11
_KINDS = ("TGT", "BAD", "REF", "SRC", "CHK", "TGT-1", "TGT-2")
_CONTROL = re.compile(r"#(?:bad|dup)[a-z]*[0-9]*$|tutorial", re.IGNORECASE)
_START = re.compile(r"[^,\n]+,[^,\n]+,[0-9]+,(?:TGT|BAD|REF|SRC|CHK)[^,\n]*,[A-Za-z_]+,[A-Za-z_]+,")
_PERCENT = Scale("0 to 100", 0.0, 100.0)


def sniff(text: str, name: str) -> bool:  # noqa: ARG001  # as for every family
    """Whether the first row has the columns of such an export."""
    return _START.match(text) is not None


def read(file: str, text: str) -> tuple[Judgements, ...]:
    """The judgements of each language pair, without tutorials, controls and whole documents.

    Where an item was sent twice, the later one holds. The value of an error annotation (MQM) follows from its spans.

    Raises:
        InputError: A row has another number of cells, or a cell is not what it should be.
    """
    found: dict[str, dict[tuple[str, str, str, int], Row]] = {}
    sent_at: dict[tuple[str, str, str, int], float] = {}
    n_control = n_again = 0
    has_spans = False
    for place, cells in _rows(file, text):
        if cells[3] != "TGT" or _CONTROL.search(cells[7]) or cells[8].strip().lower() == "true":
            n_control += 1
            continue
        row, has_spans = _row(place, cells), has_spans or len(cells) == _WITH_SPANS
        key = (row.rater, row.system, row.document or "", row.number or 0)
        time = fields.number(place, "time", cells[-1])
        n_again += key in sent_at
        if time >= sent_at.get(key, time):
            sent_at[key] = time
            found.setdefault(f"{cells[4]}-{cells[5]}", {})[key] = row
    notices = _notices(file, n_control, n_again)
    if not found:
        raise nothing_judged(file, f"{counted(n_control, 'row')} of tutorials and controls")
    return tuple(
        _judgements(file, pair, tuple(rows.values()), notices, has_spans=has_spans) for pair, rows in found.items()
    )


def _judgements(
    file: str, languages: str, rows: tuple[Row, ...], notices: tuple[str, ...], *, has_spans: bool
) -> Judgements:
    is_mqm = any(span.category for row in rows for span in row.spans) and not any(row.value for row in rows)
    protocol: Protocol = "MQM" if is_mqm else "ESA" if has_spans else "DA"
    if is_mqm:
        rows = tuple(row._replace(value=None) for row in rows)
    scale = Scale("penalties, negative", high=0.0) if is_mqm else _PERCENT
    return Judgements(protocol, file, protocol, rows, scale, languages=languages, notices=notices)


def _row(place: Place, cells: list[str]) -> Row:
    place = replace(place, system=cells[1])
    document = re.split("#", cells[7])[0]
    has_spans = len(cells) == _WITH_SPANS
    spans = (
        spans_of(place, json_value(place.file, cells[9] or "[]", place.line), end_is_inside=False) if has_spans else ()
    )
    return Row(
        place.line,
        fields.text(place, "system", cells[1]),
        fields.whole(place, "number of the item", cells[2]),
        fields.text(place, "name of the judge", cells[0]),
        fields.number(place, "score", cells[6]),
        spans,
        document=fields.text(place, "name of the document", document),
    )


def _rows(file: str, text: str) -> Iterator[tuple[Place, list[str]]]:
    refuse_excess(file, text.count(",") + text.count("\n"))
    decoding.refuse_mac_line_ends(file, text)
    records = csv.reader(io.StringIO(text, newline="\n"), strict=True)
    line = 1
    try:
        for cells in records:
            place = Place(file, line)
            if len(cells) not in (_WITHOUT_SPANS, _WITH_SPANS) or cells[3] not in _KINDS:
                raise place.refusal(
                    "the row is none of an export of Appraise",
                    found=f"{len(cells):,} cells",
                    expected="judge, system, item, kind, two languages, score, document, perhaps spans, start, end",
                    remedy="Load the export as Appraise wrote it.",
                )
            yield place, cells
            line = records.line_num + 1
    except csv.Error as error:
        raise Place(file, line).refusal(
            "the table does not follow the rules of CSV",
            found=str(error),
            expected="rows of an export of Appraise",
            remedy="Load the export as Appraise wrote it.",
        ) from error


def _notices(file: str, n_control: int, n_again: int) -> tuple[str, ...]:
    notices = list[str]()
    if n_control:
        notices.append(f"{file}: left out: {counted(n_control, 'row')} of tutorials, controls and whole documents.")
    if n_again:
        notices.append(f"{file}: sent twice by the same judge: {counted(n_again, 'item')}; the later judgement holds.")
    return tuple(notices)
