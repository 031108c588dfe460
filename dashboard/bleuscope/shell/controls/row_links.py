"""Tables whose rows lead somewhere: by a click on the name of a row, or by keyboard."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from bleuscope.content.sheets.clicked import clicked_rows, is_written
from bleuscope.content.sheets.sheet import Field, Sheet
from bleuscope.content.sheets.values import page_fields
from bleuscope.shell.controls.widgets import plain
from bleuscope.shell.state import session

ROW_HEIGHT = 32
HEADING_HEIGHT = 37
NAME_WIDTH = 220


def chosen_row(
    sheet: Sheet, key: str, *, width_of: Callable[[str], int], most_rows: int, alt: str, name_width: int = NAME_WIDTH
) -> int | None:
    """Show a sheet; the place of the row that was chosen (from 0), at the run after the choice.

    The names in the first column are buttons, which only a mouse or a finger can press. A row can also be selected,
    which a keyboard does with Shift + Space.

    Args:
        sheet: At least one row; the first column names it.
        key: Of this table.
        width_of: The widths of the others, by the keys of their fields.
        most_rows: Of more rows than this, the others are scrolled to.
        alt: What the table holds.
        name_width: Of the first column, in pixels.
    """
    name, *others = page_fields(sheet)
    head, n_rows = name.page_heading, len(sheet.frame)
    rounds, click_key = f"_chosen_{key}", f"_click_{key}"
    names = st.column_config.ButtonColumn(head, type="tertiary", alignment="left", width=name_width, key=click_key)
    event = st.dataframe(
        clicked_rows(sheet),
        key=f"_rows_{key}_{session.get(rounds, 0)}",
        hide_index=True,
        on_select="rerun",
        selection_mode="single-row",
        row_height=ROW_HEIGHT,
        height="content" if n_rows <= most_rows else HEADING_HEIGHT + most_rows * ROW_HEIGHT,
        column_config={head: names, **{one.page_heading: _column(one, width_of(one.key)) for one in others}},
        alt=alt,
    )
    click = session.get(click_key)
    chosen = [click["row"]] if click is not None else event["selection"]["rows"]
    if not chosen:
        return None
    session.put(rounds, session.get(rounds, 0) + 1)  # a new table: coming back does not choose again
    return int(chosen[0])


def _column(one: Field, width: int) -> Any:  # noqa: ANN401  # Streamlit's own
    help_text = None if one.explanation is None else plain(one.explanation)
    if not is_written(one):
        return st.column_config.NumberColumn(one.page_heading, width=width, help=help_text)
    alignment: Any = {"yes or no": None, "text": "left"}.get(one.kind, "right")
    return st.column_config.TextColumn(one.page_heading, width=width, help=help_text, alignment=alignment)
