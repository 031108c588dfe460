"""Tables of segments' scores with blanks between their columns: direct assessment of WMT, averages of MQM."""

from dataclasses import replace

from bleucore.formats import decoding
from bleucore.judgements import fields
from bleucore.judgements.fields import Place
from bleucore.judgements.mtme_scores import NOT_JUDGED, PENALTIES
from bleucore.judgements.records import Judgements, Protocol, Row, Scale

_DA, _MQM = ("sys", "sid", "raw.scr", "z.scr"), ("system", "mqm_avg_score", "seg_id")
_SCORES: dict[tuple[str, ...], tuple[tuple[str, str, Protocol, Scale], ...]] = {
    _DA: (
        ("z.scr", "DA z", "DA", Scale("standard deviations of each judge")),
        ("raw.scr", "DA raw", "DA", Scale("0 to 100", 0.0, 100.0)),
    ),
    _MQM: (("mqm_avg_score", "MQM", "MQM", PENALTIES),),
}
_NAMES = {"sys": "system", "system": "system", "sid": "segment", "seg_id": "segment"}


def sniff(text: str, name: str) -> bool:  # noqa: ARG001  # as for every family
    """Whether the first line names the columns of such a table."""
    return _kind(text.partition("\n")[0]) is not None


def read(file: str, text: str) -> tuple[Judgements, ...]:
    """One for each column of scores, the standardised one first; segments count from 1, as WMT counts them.

    Raises:
        InputError: A line has another number of columns than the first, or holds no number where one should be.
    """
    lines = decoding.lines_of(file, text)
    kind = _kind(lines[0]) or _DA
    fields.refuse_lacking(Place(file, 1), [title.lower() for title in lines[0].split()], kind)
    rows: dict[str, list[Row]] = {title: [] for title, *_ in _SCORES[kind]}
    for line, by_title in fields.titled(file, lines):
        system, segment = (by_title[next(t for t in kind if _NAMES.get(t) == what)] for what in ("system", "segment"))
        place = replace(line, system=system)
        for title, of_title in rows.items():
            if by_title[title] != NOT_JUDGED:
                value = fields.number(place, "score", by_title[title])
                of_title.append(Row(place.line, system, fields.whole(place, "segment", segment, 1), value=value))
    return tuple(
        Judgements(name, file, protocol, tuple(rows[title]), scale, 1) for title, name, protocol, scale in _SCORES[kind]
    )


def _kind(line: str) -> tuple[str, ...] | None:
    titles = {title.lower() for title in line.split()}
    return next((kind for kind in _SCORES if set(kind) <= titles), None)
