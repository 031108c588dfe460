"""The titles of a table: whether it has any, in one row or two, and what stands above them."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, islice

from bleucore.errors import InputError
from bleucore.formats import usual_names
from bleucore.formats.languages import language_of_script, language_tag
from bleucore.formats.name_parts import LANGUAGES as _SPOKEN
from bleucore.formats.name_parts import language_of
from bleucore.formats.table_rows import Row
from bleucore.values import shown

_MOST_ABOVE, _LEAST_ROWS = 10, 3
_LONGEST_TITLE, _TIMES_LONGER = 40, 2.0
_TEXTS = frozenset({"text", "texts", "translation", "sentence", "segment"})
_KINDS = frozenset({"text", "string", "str", "object", "varchar", "int", "integer", "float", "number", "bool", ""})
"""What a row beneath the titles calls what the columns hold."""


_SHOWN_TO_PEOPLE = re.compile(r"(?:input|inputs|data|fields)\.(?=[^\W\d])", re.IGNORECASE)
"""What forms for raters write before the titles of what they show."""


def titles_in(cells: list[str]) -> list[str]:
    """The titles in a row; one that is missing above the first column is that of an index."""
    titles = [cell.strip() for cell in cells]
    if len(titles) > 1 and not titles[0] and "index" not in titles:
        titles[0] = "index"  # as data frames are written
    inside = [_SHOWN_TO_PEOPLE.sub("", title) for title in titles]
    return inside if len({*inside}) == len({*titles}) else titles


_LEAST_LENGTH = 20
"""Characters of a cell on average, from which on texts are no names of languages."""


def joined_titles(above: Sequence[Row], first: Row, following: Sequence[Row]) -> tuple[list[str], int] | None:
    """The titles where two rows together name the columns, as merged cells do, and how many rows more they take.

    Args:
        above: What stands above the row that was found to hold titles.
        first: That row.
        following: Those beneath it.
    """
    cells = [cell.strip() for cell in first.cells]
    named = [cell for cell in cells if cell]
    if "" in cells[1:] and following:
        below = [cell.strip() for cell in following[0].cells]
        is_title = all(len(cell) <= _LONGEST_TITLE and not is_number(cell) for cell in below)
        fills = all(upper or lower for upper, lower in zip(cells, below, strict=True))
        is_open = any(upper and not lower for upper, lower in zip(cells, below, strict=True))
        again = len(set(filter(None, below))) < len([*filter(None, below)])
        if is_title and fills and (is_open or again):
            return _one_above_the_other(cells, below), 1
    if len(set(named)) < len(named) and above and len(above[-1].cells) == len(cells):
        return _one_above_the_other([cell.strip() for cell in above[-1].cells], cells), 0
    return None


def _one_above_the_other(upper: Sequence[str], lower: Sequence[str]) -> list[str]:
    """Titles of two rows; the upper one holds for all columns up to the next that it names."""
    spread, last = list[str](), ""
    for over, under in zip(upper, lower, strict=True):
        last = over or (last if under else "")
        spread.append(last)
    texts = [over for over, under in zip(spread, lower, strict=True) if _is_text(under)]
    return [
        under if not over else over if not under or (_is_text(under) and texts.count(over) == 1) else f"{over} {under}"
        for over, under in zip(spread, lower, strict=True)
    ]


def _is_text(title: str) -> bool:
    """Whether a title says no more than that there is a text."""
    return title.casefold() in _TEXTS or usual_names.role_of(title) == "hypothesis"


def own_titles(file: str, titles: list[str]) -> list[str]:
    """The titles, each there once.

    Raises:
        InputError: One is missing or there twice.
    """
    title, times = Counter(titles).most_common(1)[0]
    if "" in titles or times > 1:
        number = titles.index("") + 1 if "" in titles else titles.index(title) + 1
        raise InputError(
            "a column has no title" if "" in titles else "two columns have the same title",
            where=file,
            line=1,
            found=f"an empty cell in column {number:,}" if "" in titles else shown(title),
            expected="a title of its own for each column",
            remedy="Correct the header, or say that the first row is no header.",
        )
    return titles


def is_header(first: Row, following: list[Row]) -> bool:
    """Whether the first row holds titles: usual ones, one above numbers, or short ones of which one says a role."""
    cells = [cell.strip() for cell in first.cells]
    if usual_names.is_header(cells):
        return True
    is_short = all(cell and len(cell) <= _LONGEST_TITLE for cell in cells) and len(set(cells)) == len(cells)
    if not is_short or len(following) < _LEAST_ROWS or len(cells) < 2:  # noqa: PLR2004  # a text alone has no title
        return False
    columns = list(zip(*(row.cells for row in following if len(row.cells) == len(cells)), strict=True))
    if any(title in column for title, column in zip(cells, columns, strict=False)):
        return False
    for title, column in zip(cells, columns, strict=False):
        if not is_number(title) and all(map(is_number, column)):
            return True
    length = sum(len(cell) for column in columns for cell in column) / max(1, len(columns) * len(following))
    is_longer = length > _TIMES_LONGER * sum(map(len, cells)) / len(cells)
    return is_longer and any(map(usual_names.says_role, cells))


def says_kinds(row: Row, following: Sequence[Row]) -> bool:
    """Whether a row says no more than what the columns hold, or in which languages.

    Args:
        row: The first beneath the titles.
        following: Those beneath it, which are sentences where languages are named.
    """
    cells = [cell.strip() for cell in row.cells]
    if all(_bare(cell) in _KINDS for cell in cells) and any(cells):
        return True
    texts = [cell for one in following for cell in one.cells]
    are_sentences = sum(map(len, texts)) > _LEAST_LENGTH * max(1, len(texts))
    if len(cells) < 2 or not are_sentences or not all(map(_names_language, cells)):  # noqa: PLR2004  # two languages
        return False
    codes = [cell for cell in cells if len(cell) <= _LONGEST_CODE]
    return len(codes) < len(cells) or _are_codes(codes, list(zip(*(one.cells for one in following), strict=False)))


def _bare(cell: str) -> str:
    """A cell in small letters, without the brackets around it."""
    text = cell.casefold()
    return text[1:-1] if text[:1] + text[-1:] in ("()", "[]", "<>") else text


def _are_codes(cells: Sequence[str], columns: Sequence[Sequence[str]]) -> bool:
    """Whether cells of two or three letters are codes of languages and no segment such as “No” or “UK”."""
    if not all(cell.islower() or cell.isupper() for cell in cells):
        return False
    if {cell.casefold() for cell in cells} <= _SAID:
        scripts = {language_of_script(column) for column in columns} - {None}
        return any(language_tag(cell) in scripts for cell in cells)
    return len(set(cells)) > 1 or cells[0].islower()


_LONGEST_CODE = 3
_SAID_WORDS = """am ar as da el et eu ga ha he hi id is it ja ka la mi mr ms my ne no om or pa ps se si so st su ta te
to uk vi est fin her por"""
_SAID = frozenset(_SAID_WORDS.split())
"""Codes of languages that are words or abbreviations too, which make a segment alone."""


def _names_language(cell: str) -> bool:
    return language_of(cell) is not None or language_tag(cell) in _SPOKEN


def without_rows_above(rows: Iterator[Row]) -> tuple[list[Row], Iterator[Row]]:
    """The rows with little in them that stand above the titles of a table, and the rows from these on."""
    first = list(islice(rows, _MOST_ABOVE))
    headers = [place for place, row in enumerate(first) if usual_names.is_header(row.cells)]
    whole = [place for place in headers if all(cell.strip() for cell in first[place].cells)]
    place = next(iter(whole or headers), 0)
    is_empty = all(2 * sum(map(bool, row.cells)) <= max(2, len(row.cells)) for row in first[:place])
    wide = place < len(first) and len(first[place].cells) > 1
    above = place if is_empty and wide else 0
    return first[:above], chain(first[above:], rows)


def is_number(cell: str) -> bool:
    """Whether a cell holds a number."""
    return cell.strip().lstrip("-").replace(".", "", 1).isdecimal()
