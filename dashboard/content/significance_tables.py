"""Every pair of systems as a matrix, coloured by size and direction."""

from collections.abc import Mapping

from markupsafe import Markup

from dashboard.content import numbers
from dashboard.content.identity import Identity
from dashboard.content.markup import Column, system_label, system_mark, table
from dashboard.content.sheets.sheet import Sheet
from dashboard.content.sheets.values import NOTHING, STAR, Cell, read_column

MOST_IN_MATRIX = 24
"""Systems: a wider matrix fits no page and no screen."""
MOST_COLOUR = 0.5
"""Of a cell, which leaves text readable on it in both themes."""


def pairs_matrix(sheet: Sheet, looks: Mapping[str, Identity]) -> Markup:
    """A sheet of pairs: score of the row minus score of the column over its corrected p; best first."""
    first, second = (sheet.frame[key].tolist() for key in ("system", "other"))
    differences = sheet.frame["difference"].tolist()
    p_values = read_column(sheet, next(one for one in sheet.fields if one.key == "corrected_p_value"))
    largest = max(map(abs, differences), default=0.0) or 1.0
    cells = {}
    for row, column, difference, p_value in zip(first, second, differences, p_values, strict=True):
        cells[row, column] = _pair_cell(difference, p_value, largest)
        cells[column, row] = _pair_cell(-difference, p_value, largest)
    ranked = list(dict.fromkeys((*first, *second)))
    columns = [Column("", is_text=True), *(Column(system_mark(looks[name])) for name in ranked)]
    rows = [[system_label(looks[row]), *(cells.get((row, column), Markup("")) for column in ranked)] for row in ranked]
    return table(columns, rows, caption=sheet.title, style="bs-pairs")


def _pair_cell(difference: float, p_value: Cell, largest: float) -> Markup:
    side = "bs-ahead" if difference > 0 else "bs-behind"
    return Markup('<div class="{}" style="--strength:{:.0%}"><b>{}</b><small>{}</small></div>').format(
        side, MOST_COLOUR * abs(difference) / largest, numbers.difference(difference), _p_line(p_value)
    )


def _p_line(p_value: Cell) -> Markup:
    if p_value.text == NOTHING:
        return Markup("no test")
    star = Markup("&#8202;{}").format(STAR) if p_value.is_marked else ""
    return Markup("p {}{}").format(p_value.text, star)
