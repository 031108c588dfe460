"""What MetricX's ``predict.py`` writes: its input in JSON Lines, with a prediction of errors in each."""

from bleucore.formats.json_values import json_values, looks_like_json
from bleucore.judgements import fields
from bleucore.judgements.fields import Place
from bleucore.judgements.records import Judgements, Row, Scale

_NAMES = ("system_id", "segment_id")
_SCALE = Scale("errors, 0 to 25", 0.0, 25.0, higher_is_better=False)


def sniff(text: str, name: str) -> bool:  # noqa: ARG001  # as for every family
    """Whether the first line has the fields of such a file."""
    first = text.lstrip().partition("\n")[0]
    return looks_like_json(first) and '"prediction"' in first


def read(file: str, text: str) -> tuple[Judgements, ...]:
    """The predictions, of one system that the file does not name unless there is a ``system_id``; lower is better.

    Raises:
        InputError: A line has no prediction, or some lines name their system or segment and others do not.
    """
    values = json_values(file, text)
    rows, named = list[Row](), set[str]()
    for index, item in enumerate(values.items):
        place = Place(file, values.places[index].line or index + 1)
        record = fields.mapping(place, "line", item)
        names = {title for title in _NAMES if record.get(title) is not None}
        _refuse_mixture(place, names, named if rows else names)
        named = names
        system, source, target = (
            None if record.get(title) is None else fields.text(place, title, record[title], may_be_empty=True)
            for title in ("system_id", "source", "hypothesis")
        )
        number = record.get("segment_id")
        value = fields.number(place, "prediction", fields.field(place, record, "prediction"))
        segment = index if number is None else fields.whole(place, "segment_id", number)
        rows.append(Row(place.line, system or "", segment, value=value, target=target, source=source))
    sizes = {"": len(rows)} if not any(row.system or row.target for row in rows) else None
    return (Judgements(fields.model_of(file, "MetricX"), file, "scores", tuple(rows), _SCALE, 0, sizes),)


def _refuse_mixture(place: Place, names: set[str], before: set[str]) -> None:
    """Refuse a line that names another of ``_NAMES`` than the line before: what it is of would be a guess."""
    for title in _NAMES:
        if (title in names) != (title in before):
            raise place.refusal(
                f"some lines have a {title} and others do not",
                found=f"{'a' if title in names else 'no'} {title} here",
                expected=f"a {title} in every line, or in none",
                remedy="Load the file as it was written by its program.",
            )
