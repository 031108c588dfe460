"""Sheets whose rows are clicked: numbers as they are, so that they sort, written as everywhere."""

from typing import TYPE_CHECKING, Any

from bleucore.optional_packages import pd
from bleuscope.content.sheets.sheet import Field, Sheet
from bleuscope.content.sheets.values import NOTHING, page_fields, page_texts, writer
from bleuscope.content.style.row_labels import from_the_left, row_label

if TYPE_CHECKING:
    from pandas.io.formats.style import Styler

HAIR_SPACE = "\u200a"


def clicked_rows(sheet: Sheet) -> "Styler":
    """The columns that pages show; the first is the name of the row."""
    columns: dict[str, object] = {}
    written: dict[Any, Any] = {}
    for place, one in enumerate(page_fields(sheet)):
        if not place or is_written(one):
            texts = page_texts(sheet, one, mark=HAIR_SPACE)
            columns[one.page_heading] = (
                [from_the_left(text) for text in texts] if place else list(map(row_label, texts))
            )
        else:
            columns[one.page_heading] = sheet.frame[one.key].to_numpy()
            written[one.page_heading] = writer(sheet, one)
    return pd.DataFrame(columns).style.format(written, na_rep=NOTHING)


def is_written(one: Field) -> bool:
    """Whether a column holds its values as they are read: what says more than a number."""
    return one.kind in ("text", "yes or no", "interval", "p")
