"""Tables whose rows lead somewhere: by a click on the name of a row, or by keyboard."""

from collections.abc import Mapping
from typing import Any

import streamlit as st
from pandas.io.formats.style import Styler

from dashboard.shell import session

ROW_HEIGHT = 32
HEADING_HEIGHT = 37
NAME_WIDTH = 220


def chosen_row(
    table: Styler, key: str, *, columns: Mapping[str, Any], most_rows: int, alt: str, name_width: int = NAME_WIDTH
) -> int | None:
    """Show a table; the place of the row that was chosen (from 0), at the run after the choice.

    The names in the first column are buttons, which only a mouse or a finger can press. A row can also be selected,
    which a keyboard does with Shift + Space.

    Args:
        table: At least one row; the first column names it.
        key: Of this table.
        columns: How the others are shown, by their heads.
        most_rows: Of more rows than this, the others are scrolled to.
        alt: What the table holds.
        name_width: Of the first column, in pixels.
    """
    head = str(table.data.columns[0])  # type: ignore[attr-defined]  # not in the stubs
    n_rows = len(table.data)  # type: ignore[attr-defined]
    rounds, click_key = f"_chosen_{key}", f"_click_{key}"
    names = st.column_config.ButtonColumn(head, type="tertiary", alignment="left", width=name_width, key=click_key)
    event = st.dataframe(
        table,
        key=f"_rows_{key}_{session.get(rounds, 0)}",
        hide_index=True,
        on_select="rerun",
        selection_mode="single-row",
        row_height=ROW_HEIGHT,
        height="content" if n_rows <= most_rows else HEADING_HEIGHT + most_rows * ROW_HEIGHT,
        column_config={head: names, **columns},
        alt=alt,
    )
    click = session.get(click_key)
    chosen = [click["row"]] if click is not None else event["selection"]["rows"]
    if not chosen:
        return None
    session.put(rounds, session.get(rounds, 0) + 1)  # a new table: coming back does not choose again
    return int(chosen[0])
