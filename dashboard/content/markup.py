"""HTML fragments. Whatever comes from a user enters through ``Markup.format`` and is escaped there."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from dashboard.content.identity import Identity
from dashboard.content.terms import term


@dataclass(frozen=True)
class Column:
    """A table column: its heading, what explains it, and whether it holds text rather than numbers."""

    heading: str
    explanation: str | None = None
    is_text: bool = False

    @classmethod
    def of_term(cls, heading: str, name: str | None = None, *, is_text: bool = False) -> "Column":
        """A column explained by a known term."""
        return cls(heading, term(name or heading), is_text)


def table(
    columns: Sequence[Column],
    rows: Iterable[Sequence[str | Markup]],
    *,
    caption: str,
    emphasised: Sequence[int] = (),
    style: str = "",
) -> Markup:
    """A table that explains its headings on hover and focus. Strings are escaped, ``Markup`` is not.

    Args:
        columns: The headings.
        rows: Cells as they are to be read.
        caption: Says what the table holds, for screen readers.
        emphasised: Indices of rows that stand out.
        style: A further CSS class of ours.
    """
    head = Markup("").join(_heading(column) for column in columns)
    body = Markup("").join(
        Markup("<tr{}>{}</tr>").format(
            Markup(' class="bs-emphasis"') if index in emphasised else "",
            Markup("").join(_cell(column, cell) for column, cell in zip(columns, row, strict=True)),
        )
        for index, row in enumerate(rows)
    )
    return Markup(
        '<div class="bs-scroll" tabindex="0" role="region" aria-label="{}"><table class="bs-table {}">'
        "<caption>{}</caption><thead><tr>{}</tr></thead>"
        "<tbody>{}</tbody></table></div>"
    ).format(caption, style, caption, head, body)


def system_label(identity: Identity, role: str = "") -> Markup:
    """A system's swatch, number and name; ``role`` says which of two it is."""
    label = Markup(
        '<span class="bs-system"><span class="bs-swatch" style="border-color:{colour}">{number}</span>'
        '<bdi title="{name}">{name}</bdi></span>'
    ).format(colour=identity.colour, number=identity.number, name=identity.name)
    return Markup('<span class="bs-role">{}</span> {}').format(role, label) if role else label


def headline(label: Markup, value: str, detail: str) -> Markup:
    """A large number with its label above and its parts beneath."""
    return Markup(
        '<div class="bs-headline"><div class="bs-label">{}</div><div class="bs-value">{}</div>'
        '<div class="bs-detail">{}</div></div>'
    ).format(label, value, detail)


def facts(pairs: Iterable[tuple[str, str]]) -> Markup:
    """Short facts in a row: value and name."""
    return Markup('<div class="bs-facts">{}</div>').format(
        Markup("").join(Markup("<div><b>{}</b> <span>{}</span></div>").format(value, name) for value, name in pairs)
    )


def _heading(column: Column) -> Markup:
    kind = Markup(' class="bs-text"') if column.is_text else ""
    if column.explanation is None:
        return Markup('<th scope="col"{}>{}</th>').format(kind, column.heading)
    return Markup('<th scope="col"{}><abbr tabindex="0" title="{}">{}</abbr></th>').format(
        kind, column.explanation, column.heading
    )


def _cell(column: Column, cell: str | Markup) -> Markup:
    return Markup("<td{}>{}</td>").format(Markup(' class="bs-text"') if column.is_text else "", cell)
