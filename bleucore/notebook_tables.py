"""Results as plain HTML tables, which notebooks show in place of an object's representation."""

from collections.abc import Sequence
from html import escape

from bleucore.written_numbers import p_value

CELL = "text-align:right;white-space:nowrap"
NAME = "text-align:left;white-space:nowrap"
NOT_KNOWN = "–"


def html_table(heads: Sequence[str], rows: Sequence[Sequence[str]], *, n_names: int, caption: str) -> str:
    """A table of texts, every one of them escaped, that needs nothing from anywhere else.

    Args:
        heads: N headings.
        rows: N cells each.
        n_names: How many of the first columns hold names; the others hold numbers.
        caption: What stands beneath.
    """
    styles = [NAME if index < n_names else CELL for index in range(len(heads))]
    head = "".join(f'<th style="{style}">{escape(text)}</th>' for style, text in zip(styles, heads, strict=True))
    body = "".join(
        "<tr>"
        + "".join(
            f'<td style="{style}"><bdi>{escape(text)}</bdi></td>' for style, text in zip(styles, cells, strict=True)
        )
        + "</tr>"
        for cells in rows
    )
    return (
        f'<table><caption style="caption-side:bottom;text-align:left">{escape(caption)}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    )


def decimals(value: float | None, places: int = 2, *, signed: bool = False) -> str:
    """A number as a cell; a dash where there is none."""
    if value is None or value != value:  # noqa: PLR0124  # NaN
        return NOT_KNOWN
    written = f"{value:+.{places}f}" if signed else f"{value:.{places}f}"
    return written.replace("-", "−")


def p_cell(value: float | None) -> str:
    """A p-value as a cell; a dash where there is none."""
    return NOT_KNOWN if value is None else p_value(value)
