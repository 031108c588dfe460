"""What ``comet-score --to_json`` writes: for each file of outputs its segments, with errors of explaining models."""

from bleucore.formats.json_values import Number, json_values, looks_like_json
from bleucore.judgements import fields
from bleucore.judgements.fields import Place
from bleucore.judgements.records import Judgements, Row, Scale, Span

_TEXTS = frozenset({"src", "mt", "ref", "errors"})
_LOOKED_AT = 1 << 16


def sniff(text: str, name: str) -> bool:  # noqa: ARG001  # as for every family
    """Whether it is one object of lists whose items have a translation and a score."""
    head = text[:_LOOKED_AT]
    return looks_like_json(text) and '"mt"' in head and '"prediction"' not in head and not head.lstrip().startswith("[")


def read(file: str, text: str) -> tuple[Judgements, ...]:
    """One for each score; it is called COMET whatever the model was.

    Raises:
        InputError: It is no such object, or a segment lacks its translation or its score.
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
    scale = Scale("about 0 to 1")
    return tuple(Judgements(title, file, "scores", tuple(found), scale, 0) for title, found in rows.items())


def _span(place: Place, value: object) -> Span:
    error = fields.mapping(place, "error", value)
    start, end = (
        fields.whole(place, f"{title} of an error", fields.field(place, error, title)) for title in ("start", "end")
    )
    severity = fields.text(place, "severity", fields.field(place, error, "severity"))
    text = error.get("text")
    said = None if text is None else fields.text(place, "text of an error", text, may_be_empty=True)
    return Span(start, max(start, end), severity.strip().lower(), text=said)
