"""What ``comet-score`` writes: as JSON segments with their errors for each file of outputs, else a line a segment."""

import re
from collections import Counter

from bleucore.formats import decoding
from bleucore.formats.json_values import Number, json_values, looks_like_json
from bleucore.judgements import fields
from bleucore.judgements.fields import Place
from bleucore.judgements.records import Judgements, Row, Scale, Span
from bleucore.values import shown

_TEXTS = frozenset({"src", "mt", "ref", "errors"})
_LOOKED_AT = 1 << 16
_SEGMENT = re.compile(r"(?P<path>[^\t]+)\tSegment (?P<number>[0-9]{1,9})\tscore: (?P<score>\S+)")
_SYSTEM = re.compile(r"[^\t]+\tscore: \S+")
_SCALE = Scale("about 0 to 1")


def sniff(text: str, name: str) -> bool:  # noqa: ARG001  # as for every family
    """Whether it is one object of lists whose items have a translation and a score."""
    head = text[:_LOOKED_AT]
    return looks_like_json(text) and '"mt"' in head and '"prediction"' not in head and not head.lstrip().startswith("[")


def read(file: str, text: str) -> tuple[Judgements, ...]:
    """One for each score; it is called COMET whatever the model was, unless the file has a model's name.

    Raises:
        InputError: It is no such object, a segment lacks its translation or score, or an error ends before it starts.
    """
    document = fields.mapping(Place(file, 1), "file", json_values(file, text).items[0])
    rows: dict[str, list[Row]] = {}
    for system, listed in document.items():
        segments = fields.items(Place(file, 1, system), "list of segments", listed)
        for index, item in enumerate(segments):
            place = Place(file, index + 1, system, is_item=True)
            segment = fields.mapping(place, "segment", item)
            target = fields.text(place, "translation", fields.field(place, segment, "mt"), may_be_empty=True)
            source = segment.get("src")
            errors = fields.items(place, "list of errors", segment.get("errors", []))
            titles = [title for title, value in segment.items() if title not in _TEXTS and isinstance(value, Number)]
            for title in titles or ["COMET"]:
                row = Row(
                    place.line,
                    fields.text(place, "name of the file of outputs", system),
                    index,
                    value=fields.number(place, "score", fields.field(place, segment, title)),
                    spans=tuple(_span(place, error) for error in errors),
                    target=target,
                    source=None if source is None else fields.text(place, "source", source, may_be_empty=True),
                )
                rows.setdefault(title, []).append(row)
    return tuple(
        Judgements(fields.model_of(file, title), file, "scores", tuple(found), _SCALE, 0)
        for title, found in rows.items()
    )


def sniff_lines(text: str, name: str) -> bool:  # noqa: ARG001  # as for every family
    """Whether the first line is that of the first segment as it is printed."""
    return _SEGMENT.match(text.partition("\n")[0]) is not None


def read_lines(file: str, text: str) -> tuple[Judgements, ...]:
    """The scores of segments as they are printed, to four decimals, segments counted from 0.

    Raises:
        InputError: A line is neither of a segment nor of a whole system.
    """
    rows, sizes = list[Row](), Counter[str]()
    for number, line in enumerate(decoding.lines_of(file, text), start=1):
        found = _SEGMENT.fullmatch(line.rstrip())
        if found is not None:
            system = fields.text(Place(file, number), "name of the file of outputs", found["path"])
            value = fields.number(Place(file, number, system), "score", found["score"])
            rows.append(Row(number, system, int(found["number"]), value=value))
            sizes[system] += 1
        elif not _SYSTEM.fullmatch(line.rstrip()):
            raise Place(file, number).refusal(
                "the line is none that comet-score prints",
                found=shown(line),
                expected="the file of outputs, a tab, the segment, a tab and its score",
                remedy="Keep what comet-score printed, without other messages; or use --to_json.",
            )
    name = fields.model_of(file, "COMET")
    return (Judgements(name, file, "scores", tuple(rows), _SCALE, 0, dict(sizes)),)


def _span(place: Place, value: object) -> Span:
    error = fields.mapping(place, "error", value)
    start, end = (
        fields.whole(place, f"{title} of an error", fields.field(place, error, title)) for title in ("start", "end")
    )
    if end < start:
        raise place.refusal(
            "an error ends before it starts",
            found=f"{start:,} to {end:,}",
            expected="characters from 0, the end one behind the last",
            remedy="Load the file as comet-score wrote it.",
        )
    severity = fields.text(place, "severity", fields.field(place, error, "severity"))
    text = error.get("text")
    said = None if text is None else fields.text(place, "text of an error", text, may_be_empty=True)
    return Span(start, end, severity.strip().lower(), text=said)
