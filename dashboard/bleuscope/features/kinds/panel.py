"""What A and B lost to each kind of error, and the segments of one kind."""

from functools import partial

import numpy as np
import streamlit as st

from bleucore.analysis.kinds import KindStudy
from bleucore.analysis.slices import slice_kinds
from bleucore.analysis.token_kinds import KINDS
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.slices.slice_tables import address_of, slice_name
from bleuscope.features.kinds import commands as own_commands
from bleuscope.features.kinds import kept, params, sheets, words
from bleuscope.features.kinds.panel_reasons import ladder, marked_of
from bleuscope.shell.controls import choices, row_links, widgets
from bleuscope.shell.controls.exports import export_menu, shown_table
from bleuscope.shell.page.reproduction import command_note
from bleuscope.shell.state import cached, links

LONGEST_LIST = 10
WIDTHS = {"output": 560}
NUMBER_WIDTH = 90
SLICE_WIDTH, NAME_WIDTH, SHARE_WIDTH = 220, 150, 72


def kinds_panel(view: ComparisonContext) -> None:
    """The ladder of A and B, and the segments of the kind that is chosen."""
    kinds = widgets.made_by("Sorting errors …", kept.work(view))
    kind, by = None, None
    if kinds is not None:
        widgets.html(words.verdict_of(kinds))
        marked = marked_of(view, kinds)
        sheet = sheets.kinds_sheet(view, kinds, marked)
        left, right = st.columns([3, 2] if marked is None else [1, 1], gap="large")
        with left:
            ladder(view, kinds)
        with right:
            shown_table(sheet, view.looks, style="bs-narrow")
            widgets.html(words.undivided(kinds))
        kind, by = _segments(view, kinds), _slices(view, kinds)
    command_note(view, partial(own_commands.kinds_command, kind=kind, by=by), with_metrics=False, of_two=True)


def _largest(kinds: KindStudy) -> int:
    """The kind that matters most, as a place in ``KINDS``."""
    values = kinds.total_gains if kinds.compares else kinds.losses[0].losses
    return int(np.abs(values).argmax()) if len(values) else 0


def _segments(view: ComparisonContext, kinds: KindStudy) -> str | None:
    """The segments where the chosen kind matters most; a click opens one."""
    widgets.heading("Segments of one kind")
    kind = st.pills(
        "Kind",
        KINDS,
        default=KINDS[_largest(kinds)],
        label_visibility="collapsed",
        required=True,
        **params.KIND.bound(),
    )
    st.caption(words.MEANINGS[kind])
    sheet = sheets.segments_sheet(view, kinds, KINDS.index(kind))
    if not len(sheet.frame):
        st.info("No segment has errors of this kind.")
        return kind
    row = row_links.chosen_row(
        sheet,
        "kind-segments",
        width_of=lambda key: WIDTHS.get(key, NUMBER_WIDTH),
        most_rows=LONGEST_LIST,
        alt=sheet.title,
    )
    export_menu(lambda: sheet, sheet.name)
    if row is not None:
        links.open_segment(int(sheet.frame["segment"].iloc[row]) - 1)
    return kind


def _slices(view: ComparisonContext, kinds: KindStudy) -> str:
    """What each kind comes to by document or in other slices; a click lists the segments of one."""
    widgets.heading("Kinds in slices")
    by = choices.selected(params.SLICES, "Slice by", slice_kinds(view.test_set), width=SLICE_WIDTH)
    slicing = cached.slicing(view.test_set, view.options, by)
    sheet = sheets.slices_sheet(view, kinds, slicing)
    row = row_links.chosen_row(
        sheet,
        f"kind-slices-{by}",
        width_of=lambda _: SHARE_WIDTH,
        most_rows=LONGEST_LIST,
        alt=sheet.title,
        name_width=NAME_WIDTH,
    )
    export_menu(lambda: sheet, sheet.name)
    if row is not None:
        named = {slice_name(name): place for place, name in enumerate(slicing.names)}
        links.open_slice(address_of(slicing, named[sheet.frame["slice"].iloc[row]]))
    return by
