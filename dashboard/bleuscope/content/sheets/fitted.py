"""A sheet in the width of a terminal: the columns that matter most, and names that are cut."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bleuscope.content.sheets.screens import BOLD, FAINT, GREEN, Screen
from bleuscope.content.sheets.sheet import Field, Sheet
from bleuscope.content.sheets.terminal import GAP, RULE
from bleuscope.content.sheets.values import NOTHING, STAR, Cell, is_text, read_columns, read_fields
from bleuscope.content.style.cut_names import LEAST_NAME, cut_names
from bleuscope.content.style.invisible import in_one_line
from bleuscope.content.style.widths import n_columns


@dataclass(frozen=True)
class Fitted:
    """A table as it fits.

    Attributes:
        lines: Of the table: headings, a rule, a line for each row.
        is_whole: Whether it has every column and every name as it is.
    """

    lines: tuple[str, ...]
    is_whole: bool


@dataclass(frozen=True)
class _Column:
    key: str
    heading: str
    texts: tuple[str, ...]
    cells: tuple[Cell, ...]
    to_the_left: bool

    @property
    def width(self) -> int:
        return max(map(n_columns, (self.heading, *self.texts)))


def fitted(sheet: Sheet, screen: Screen, first: Sequence[str]) -> Fitted:
    """The table, whose first column names the rows, in the width of a screen.

    Args:
        sheet: The table.
        screen: Where it goes.
        first: The keys of the columns that are kept first, in this order; then the others as they stand.
    """
    fields = read_fields(sheet)
    names, *others = (
        _column(one, cells)
        for one, cells in zip(fields, read_columns(sheet), strict=True)
        if one is fields[0] or any(cell.text != NOTHING for cell in cells)
    )
    order = sorted(range(len(others)), key=lambda place: _rank(others[place].key, first))
    least = min(names.width, LEAST_NAME)
    kept = _that_fit([others[place].width + len(GAP) for place in order], screen.width - least)
    chosen = [others[place] for place in sorted(order[:kept])]
    room = max(least, screen.width - sum(column.width + len(GAP) for column in chosen))
    short = replace(names, texts=tuple(cut_names(names.texts, room)))
    is_whole = kept == len(others) and short.texts == names.texts
    return Fitted(tuple(_lines([short, *chosen], screen)), is_whole)


def _rank(key: str, first: Sequence[str]) -> int:
    return first.index(key) if key in first else len(first)


def _that_fit(widths: Sequence[int], room: int) -> int:
    """How many columns fit, of those in this order."""
    for number, width in enumerate(widths):
        room -= width
        if room < 0:
            return number
    return len(widths)


def _column(one: Field, cells: Sequence[Cell]) -> _Column:
    """The texts of a column; where a number has a star, the others have a blank in its place."""
    mark = " " if any(cell.is_marked for cell in cells) and not is_text(one) else ""
    texts = (in_one_line(cell.text) + (STAR if cell.is_marked else mark) for cell in cells)
    return _Column(one.key, in_one_line(one.heading) + mark, tuple(texts), tuple(cells), is_text(one))


def _lines(columns: Sequence[_Column], screen: Screen) -> list[str]:
    heading = GAP.join(_padded(column, column.heading) for column in columns)
    rule = RULE * sum((len(GAP) * (len(columns) - 1), *(column.width for column in columns)))
    rows = (
        GAP.join(screen.painted(_padded(column, column.texts[row]), *_styles(column.cells[row])) for column in columns)
        for row in range(len(columns[0].texts))
    )
    return [screen.painted(heading.rstrip(), BOLD), screen.painted(rule, FAINT), *(row.rstrip() for row in rows)]


def _styles(cell: Cell) -> list[str]:
    return [style for style, holds in ((BOLD, cell.is_best), (GREEN, cell.is_marked)) if holds]


def _padded(column: _Column, text: str) -> str:
    blanks = " " * (column.width - n_columns(text))
    return text + blanks if column.to_the_left else blanks + text
