"""Every pair of systems as a matrix, coloured by size and direction."""

from collections.abc import Mapping
from dataclasses import dataclass

from markupsafe import Markup

from bleuscope.content.sheets.sheet import Sheet
from bleuscope.content.sheets.values import NOTHING, STAR, Cell, read_column
from bleuscope.content.style import numbers
from bleuscope.content.style.identity import SystemStyle
from bleuscope.content.style.markup import HtmlColumn, keyed_label, system_key, table

MOST_IN_MATRIX, MOST_TO_SCROLL = 24, 50
"""Systems: a wider matrix fits no paper, and one of more squares is not read even where it scrolls."""
MOST_WIDE = 10
"""Systems whose cells have room around their numbers; those of more are narrow."""
MOST_COLOUR = 0.5
"""Of a cell, which leaves text readable on it in both themes."""


@dataclass(frozen=True)
class Matrix:
    """Every pair of systems, either way.

    Attributes:
        systems: Best first.
        cells: The difference and the corrected p of the pairs, by row and column.
    """

    systems: tuple[str, ...]
    cells: Mapping[tuple[str, str], tuple[float, Cell]]

    @classmethod
    def of(cls, sheet: Sheet) -> "Matrix":
        """The matrix of a sheet of pairs."""
        first, second, differences = (sheet.frame[key].tolist() for key in ("system", "other", "difference"))
        p_values = read_column(sheet, next(one for one in sheet.fields if one.key == "corrected_p_value"))
        cells = {}
        for row, column, difference, p_value in zip(first, second, differences, p_values, strict=True):
            cells[row, column], cells[column, row] = (difference, p_value), (-difference, p_value)
        return cls(tuple(dict.fromkeys((*first, *second))), cells)


def pairs_matrix(sheet: Sheet, looks: Mapping[str, SystemStyle]) -> Markup:
    """A sheet of pairs: score of the row minus score of the column over its corrected p."""
    matrix = Matrix.of(sheet)
    largest = max((abs(difference) for difference, _ in matrix.cells.values()), default=0.0) or 1.0
    columns = [HtmlColumn("system", is_text=True), *(HtmlColumn(system_key(looks[name])) for name in matrix.systems)]
    rows = [
        [
            keyed_label(looks[row]),
            *(
                _pair_cell(*matrix.cells[row, column], largest, is_ahead=place < other) if row != column else Markup("")
                for other, column in enumerate(matrix.systems)
            ),
        ]
        for place, row in enumerate(matrix.systems)
    ]
    style = "bs-pairs" if len(matrix.systems) <= MOST_WIDE else "bs-pairs bs-many"
    return table(columns, rows, caption=sheet.title, style=style)


def p_line(p_value: Cell) -> str:
    """A corrected p-value beneath its difference, without its mark."""
    return "no test" if p_value.text == NOTHING else f"p {p_value.text}"


def _pair_cell(difference: float, p_value: Cell, largest: float, *, is_ahead: bool) -> Markup:
    side = "bs-ahead" if is_ahead and difference else "bs-behind"
    star = Markup("&#8202;{}").format(STAR) if p_value.is_marked else ""
    return Markup('<div class="{}" style="--strength:{:.0%}"><b>{}</b><small>{}{}</small></div>').format(
        side, MOST_COLOUR * abs(difference) / largest, numbers.difference(difference), p_line(p_value), star
    )
