"""The plain table of a sample, filled in by people: a score of each output, and how its segment was drawn."""

from collections.abc import Iterator

from bleucore.formats.formula_cells import as_typed
from bleucore.formats.tables import quoted_rows
from bleucore.judgements import fields
from bleucore.judgements.fields import Place
from bleucore.judgements.records import Draw, Judgements, Row, Scale

TITLES = ("segment", "system", "translation", "score", "weight", "stratum", "unit")
"""The columns that such a table has among others; ``rater`` and ``source`` are read too."""


def sniff(text: str, name: str) -> bool:  # noqa: ARG001  # as for every family
    """Whether the first line names the columns of such a table."""
    return fields.names_columns(text, TITLES)


def read(file: str, text: str) -> tuple[Judgements, ...]:
    """The scores; what has none was not judged.

    Raises:
        InputError: A cell holds something else than it should, or the rows differ in width.
    """
    head, *rows = quoted_rows(file, text)
    titles = [cell.strip() for cell in head.cells]
    fields.refuse_repeated(Place(file, head.line), titles)
    fields.refuse_lacking(Place(file, head.line), titles, TITLES)
    records = [(Place(file, row.line), dict(zip(titles, row.cells, strict=True))) for row in rows]
    found = tuple(_rows(records))
    return (Judgements("score", file, "DA", found, Scale(), 1),) if found else ()


def _rows(records: list[tuple[Place, dict[str, str]]]) -> Iterator[Row]:
    for place, cells in records:
        if not cells["score"].strip():
            continue
        system = fields.text(place, "system", as_typed(cells["system"]))
        at = Place(place.file, place.line, system)
        source = cells.get("source")
        yield Row(
            place.line,
            system,
            fields.whole(at, "segment", cells["segment"], 1),
            as_typed(cells.get("rater", "")).strip(),
            fields.number(at, "score", cells["score"]),
            target=as_typed(cells["translation"]),
            source=None if source is None else as_typed(source),
            draw=drawn(at, cells["weight"], cells["stratum"], as_typed(cells["unit"])),
        )


def drawn(place: Place, weight: object, stratum: object, unit: object) -> Draw:
    """How a segment was drawn.

    Raises:
        InputError: The weight is no number from 1, or the stratum no whole number from 1, or the unit no text.
    """
    found = fields.number(place, "weight", weight)
    if found < 1:
        raise place.refusal(
            "the weight is lower than 1",
            found=f"{found:g}",
            expected="how many segments it stands for, at least itself",
            remedy="Leave the column as it was written with the sample.",
        )
    return Draw(found, fields.whole(place, "stratum", stratum, 1), fields.text(place, "unit", unit))
