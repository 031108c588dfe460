"""HTML fragments. Whatever comes from a user enters through ``Markup.format`` and is escaped there."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from bleuscope.content.style import numbers
from bleuscope.content.style.cut_names import CUT
from bleuscope.content.style.identity import SystemStyle, letters_of
from bleuscope.content.style.widths import FROM_THE_RIGHT, last_columns, n_columns

CELLS = {False: Markup("<td>"), True: Markup('<td class="bs-text">')}
NAMES = {False: Markup('<th scope="row">'), True: Markup('<th scope="row" class="bs-text">')}
"""How a cell begins, and one that names its row: of numbers, of text."""
LONGEST_WHOLE = 20
"""Columns of a name from which its end is kept, whatever is cut."""
END_OF_CELL, END_OF_NAME = Markup("</td>"), Markup("</th>")


@dataclass(frozen=True)
class HtmlColumn:
    """A table column: its heading, what explains it, whether it holds text rather than numbers, and names the rows."""

    heading: str
    explanation: str | None = None
    is_text: bool = False
    names_rows: bool = False


def together(pieces: Iterable[Markup]) -> Markup:
    """Fragments one after the other, as ``Markup("").join`` does, which looks at each of them once more."""
    return Markup("".join(pieces))  # noqa: S704  all of them are escaped: they are ``Markup``


def table(  # noqa: PLR0913  # what a table holds
    columns: Sequence[HtmlColumn],
    rows: Iterable[Sequence[str | Markup]],
    *,
    caption: str,
    emphasised: Sequence[int] = (),
    parted: Sequence[int] = (),
    style: str = "",
    foot: Sequence[str | Markup] = (),
) -> Markup:
    """A table that explains its headings on hover and focus; each row is named by one of its cells, or its first.

    Strings are escaped, ``Markup`` is not.

    Args:
        columns: The headings.
        rows: Cells as they are to be read.
        caption: Says what the table holds, for screen readers.
        emphasised: Indices of rows that stand out.
        parted: Indices of rows with a line above.
        style: A further CSS class of ours.
        foot: Cells beneath all rows, as of an axis, if there are any.
    """
    named_by = next((place for place, column in enumerate(columns) if column.names_rows), 0)
    head = together(_heading(column) for column in columns)
    body = together(
        Markup("<tr{}>{}</tr>").format(
            _row_class(is_emphasised=index in emphasised, is_parted=index in parted),
            together(
                _cell(column, cell, is_name=place == named_by)
                for place, (column, cell) in enumerate(zip(columns, row, strict=True))
            ),
        )
        for index, row in enumerate(rows)
    )
    return Markup(
        '<div class="bs-scroll" tabindex="0" role="region" aria-label="{}"><table class="bs-table {}">'
        "<caption>{}</caption><thead><tr>{}</tr></thead>"
        "<tbody>{}</tbody>{}</table></div>"
    ).format(caption, style, caption, head, body, _foot(foot))


def _foot(cells: Sequence[str | Markup]) -> Markup:
    if not cells:
        return Markup("")
    row = together(Markup("<td>{}</td>").format(cell) for cell in cells)
    return Markup("<tfoot><tr>{}</tr></tfoot>").format(row)


def language_attribute(language: str | None) -> Markup:
    """What says in which language a text is read aloud; nothing where it is not known."""
    return Markup("") if language is None else Markup(' lang="{}"').format(language)


def system_label(identity: SystemStyle, role: str = "") -> Markup:
    """A system's marker, drawn by the style sheet, and its name, whole on hover; ``role`` says which of two it is."""
    label = Markup(
        '<span class="bs-system"><span class="bs-swatch" data-mark="{glyph}" style="color:{colour}"></span>'
        '<bdi title="{tooltip}">{name}</bdi></span>'
    ).format(
        colour=identity.colour,
        glyph=identity.glyph,
        name=_in_parts(_where_narrow(identity)),
        tooltip=identity.tooltip,
    )
    return Markup('<span class="bs-role">{}</span> {}').format(role, label) if role else label


def _where_narrow(identity: SystemStyle) -> str:
    """The name in a cell: without its beginning where others share that, else whole."""
    return identity.short if identity.short.startswith(CUT) else identity.name


def _in_parts(name: str) -> str | Markup:
    """A long name in two parts, the first of which is cut where there is no room: many names begin alike.

    One from right to left is one part, because its letters join.
    """
    if n_columns(name) <= LONGEST_WHOLE or FROM_THE_RIGHT.search(name):
        return name
    end = last_columns(name, LONGEST_WHOLE // 2)
    return Markup('<span class="bs-start">{}</span><span class="bs-end">{}</span>').format(name.removesuffix(end), end)


def system_head(identity: SystemStyle) -> Markup:
    """A system at the head of a narrow column: its short name, the whole one on hover and focus."""
    return Markup('<abbr class="bs-head" tabindex="0" title="{0}" aria-label="{0}"><bdi>{1}</bdi></abbr>').format(
        identity.name, identity.short or identity.name
    )


def sides_html(looks: Mapping[str, SystemStyle], pair: Sequence[str], style: str = "") -> Markup:
    """Which system is A and which is B, next to texts that say no more than the letters.

    Args:
        looks: Of the systems, by name.
        pair: A and B.
        style: A class of the style sheet.
    """
    labels = [
        Markup("<span>{}</span>").format(system_label(looks[name], letter)) for name, letter in letters_of(pair).items()
    ]
    return Markup('<p class="bs-sides {}">{}</p>').format(style, together(labels))


def fact(number: int, noun: str) -> tuple[str, str]:
    """How many there are of something, for ``facts``: ``("1", "test set")``, ``("2", "test sets")``."""
    return numbers.count(number), noun if number == 1 else f"{noun}s"


def facts(pairs: Iterable[tuple[str, str]]) -> Markup:
    """Short facts in a row: value and name."""
    return Markup('<div class="bs-facts">{}</div>').format(
        Markup("").join(Markup("<div><b>{}</b> <span>{}</span></div>").format(value, name) for value, name in pairs)
    )


def _row_class(*, is_emphasised: bool, is_parted: bool) -> Markup:
    classes = [name for name, is_so in (("bs-emphasis", is_emphasised), ("bs-part", is_parted)) if is_so]
    return Markup(' class="{}"').format(" ".join(classes)) if classes else Markup("")


def _heading(column: HtmlColumn) -> Markup:
    kind = Markup(' class="bs-text"') if column.is_text else ""
    if column.explanation is None:
        return Markup('<th scope="col"{}>{}</th>').format(kind, column.heading)
    return Markup('<th scope="col"{}><abbr tabindex="0" title="{}">{}</abbr></th>').format(
        kind, column.explanation, column.heading
    )


def _cell(column: HtmlColumn, cell: str | Markup, *, is_name: bool) -> Markup:
    """A cell; adding escapes as ``format`` does, in a third of the time."""
    if is_name:
        return NAMES[column.is_text] + cell + END_OF_NAME
    return CELLS[column.is_text] + cell + END_OF_CELL


def snippet(text: str, length: int = 120) -> str:
    """The beginning of a text on one line."""
    line = " ".join(text[: 4 * length].split())
    return line if len(line) <= length else line[: length - 1].rstrip() + "…"
