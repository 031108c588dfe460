"""What to show of segments: which lines, systems and layers of marks, and the keys for all that."""

import re
import time
from collections.abc import Mapping
from functools import cache

import streamlit as st
from markupsafe import Markup

from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.ngrams.ngram_tables import of_address
from bleuscope.content.segments import reading_keys
from bleuscope.content.segments.highlights import DEFAULT_LAYERS, LAYERS, Layer, SegmentView
from bleuscope.content.segments.reading_keys import (
    BY_BUTTON,
    DRAWER_KEY,
    FIND_KEY,
    HELP_KEY,
    IMPORTANT_KEY,
    KEYS,
    LAYER_KEYS,
    NEXT_KEY,
    NOTE_KEY,
    PREVIOUS_KEY,
    SWAP_KEY,
    TAG_KEY,
)
from bleuscope.content.segments.reading_list import DEFAULT_LINES, LINES, ListView
from bleuscope.content.segments.segment_queries import SegmentQuery
from bleuscope.content.sheets.builders import sheet_of
from bleuscope.content.sheets.html import html_table
from bleuscope.content.sheets.sheet import Field
from bleuscope.runtime import params
from bleuscope.shell.controls import choices, widgets
from bleuscope.shell.page.error_spans import marked_errors
from bleuscope.shell.segments import beside_segments, kind_of_list, segment_panels
from bleuscope.shell.segments.blind_mode import LABELS, PREFERENCE_KEYS, blind_input
from bleuscope.shell.state import links, session
from bleuscope.shell.state.blind_state import BlindState
from bleuscope.shell.state.page_list import READING

SENT_WITHIN = 0.03
"""Seconds. What a run has drawn and not sent is dropped when the next one begins; Streamlit sends every 10 ms."""
SWAPS_ASKED = "_swap_by_key"
A_NUMBER = re.compile(r"(\d{1,9})\.\d+")
"""What the browser writes into that field: which system is to be A, and a number that makes it a new value."""
BLIND_KEYS = {key: LABELS[preference].lower() for preference, key in PREFERENCE_KEYS.items()}
LAYER_MEANINGS: Mapping[Layer, str] = {
    "matches": "darker in longer ones",
    "clipped": "repeats that do not count",
    "missed": "reference words that the system lacks",
    "differences": "of A and B",
    "invisible": "no-break spaces and similar",
    "tab stops": "Tab moves between marks and shows their references",
    "errors": "as raters or a metric marked them",
}


def reading_inputs(view: ComparisonContext) -> BlindState | None:
    """Ask what to show of segments, and list the keys; the state of a blind comparison, if there is one."""
    st.caption("What to show")
    blind = blind_input(view)
    is_blind = blind is not None and not blind.is_over
    _layer_input()
    if not is_blind:
        _line_input(view)
        _system_inputs(view)
    if _key_help(is_blind=is_blind):
        _key_buttons(view, is_blind=is_blind)
    return blind


def key_line(*, is_blind: bool, can_swap: bool = True) -> None:
    """The keys in a line that stays in sight, unless they are switched off."""
    if has_keys():
        widgets.html(
            reading_keys.key_line(
                BLIND_KEYS if is_blind else {}, (*_left_out(is_blind=is_blind), *(() if can_swap else (SWAP_KEY,)))
            )
        )


def _left_out(*, is_blind: bool) -> tuple[str, ...]:
    """The keys that do nothing here."""
    return BY_BUTTON if is_blind else segment_panels.idle_keys()


def list_view(view: ComparisonContext, query: SegmentQuery) -> ListView:
    """What to show of each segment of the list; the n-gram looked for gets a box."""
    lines = session.get(params.LINES, list(DEFAULT_LINES))
    layers = _layers()
    errors = marked_errors(view) if "errors" in layers else None
    of_kind = kind_of_list.found(view, query.kind)
    ngram = of_address(query.ngram)
    return ListView(frozenset(lines), _others(view), layers, ngram, errors, of_kind, beside_segments.marked())


def segment_view(view: ComparisonContext, segment: int, sides: tuple[str, str] | None = None) -> SegmentView:
    """What to show of an open segment.

    Args:
        view: What the page shows.
        segment: Counted from 0.
        sides: The systems at the left and right of a blind comparison; names, scores and further systems stay out
            of it.
    """
    if sides is not None:
        return SegmentView(segment, sides, layers=_layers(), is_blind=True)
    marked = dict(zip("AB", view.both, strict=True)).get(session.get(params.MARK, "B"))
    return SegmentView(segment, view.sides, _others(view), marked, _layers(), errors=marked_errors(view))


def is_swapped(view: ComparisonContext) -> bool:
    """Whether A and B were swapped since the page was drawn."""
    return links.next_pair() == view.sides[::-1]


def send_what_is_swapped() -> None:
    """Let the browser have what is drawn so far, where A and B were swapped: it reads few rows sooner than all."""
    if links.next_pair() is not None:
        time.sleep(SENT_WITHIN)


def draw_the_rest() -> None:
    """Draw the whole page once what is read has been sent to the browser."""
    time.sleep(SENT_WITHIN)
    st.rerun()


def has_keys() -> bool:
    """Whether single keys do something; a person can switch them off."""
    return bool(session.get(params.KEYS, True))


def _layers() -> frozenset[Layer]:
    return frozenset(session.get(params.LAYERS, list(DEFAULT_LAYERS)))


def _others(view: ComparisonContext) -> tuple[str, ...]:
    """The further systems shown, best first."""
    chosen, shows_all = session.get(params.WITH, []), bool(session.get(params.ALL))
    others = [name for name in view.evaluation.ranked() if name not in view.sides]
    return tuple(name for name in others if shows_all or name in chosen)


def _layer_input() -> None:
    st.pills(
        "Marks",
        LAYERS,
        selection_mode="multi",
        default=DEFAULT_LAYERS,
        help="; ".join(f"{layer}: {meaning}" for layer, meaning in LAYER_MEANINGS.items()) + ".",
        wrap=True,
        on_change=_read_again,
        **params.LAYERS.bound(),
    )


def _line_input(view: ComparisonContext) -> None:
    st.pills(
        "In the list, next to A and B" if view.compares else "In the list, next to the output",
        LINES,
        selection_mode="multi",
        default=DEFAULT_LINES,
        wrap=True,
        on_change=_read_again,
        **params.LINES.bound(),
    )


def _system_inputs(view: ComparisonContext) -> None:
    """Whose matches are marked, and which further systems are shown."""
    others = [name for name in view.evaluation.names if name not in view.sides]
    choices.segmented(
        params.MARK,
        "Mark matches and misses in the references for",
        ("B", "A", "nobody"),
        on_change=_read_again,
    )
    if others:
        st.toggle(f"Show all {len(view.evaluation.names)} systems", on_change=_read_again, **params.ALL.bound())
    st.multiselect(
        "More systems",
        view.evaluation.names,
        placeholder="none" if others else "there are no others",
        disabled=not others,
        on_change=_read_again,
        **params.WITH.bound(),
    )


def _read_again() -> None:
    """Draw the list and the open segment alone; a callback."""
    st.rerun(READING)


def _key_help(*, is_blind: bool) -> bool:
    """The list of keys; whether they do something."""
    with st.container(key="key_help"):
        is_on = st.toggle("Single keys", value=True, **params.KEYS.bound())
        widgets.html(_table_of_keys(_left_out(is_blind=is_blind), is_blind=is_blind))
    return is_on


@cache
def _table_of_keys(without: tuple[str, ...], *, is_blind: bool) -> Markup:
    keys = {key: does for key, does in KEYS.items() if key not in without} | (BLIND_KEYS if is_blind else {})
    columns = [
        (Field("key", "key", "text"), [key.upper() for key in keys]),
        (Field("does", "does", "text"), list(keys.values())),
    ]
    return html_table(sheet_of("keys", (), columns, {}, title="Keys"), style="bs-narrow")


def _key_buttons(view: ComparisonContext, *, is_blind: bool) -> None:
    """The buttons that only keys press; for the mouse there are others. The rest is the browser's (``segments.js``)."""
    with st.container(key="keys-pressed"):
        widgets.html(
            Markup(
                '<span class="bs-keys" data-next="{}" data-previous="{}" data-help="{}" data-swap="{}" data-tag="{}"'
                ' data-note="{}" data-important="{}" data-drawer="{}" data-find="{}" data-panels="{}" data-pair="{} {}"'
                "></span>"
            ).format(
                *(NEXT_KEY, PREVIOUS_KEY, HELP_KEY, SWAP_KEY, TAG_KEY, NOTE_KEY, IMPORTANT_KEY, DRAWER_KEY, FIND_KEY),
                "" if is_blind else " ".join(panel.key for panel in segment_panels.working()),
                *_places(view),
            )
        )
        for layer, key in LAYER_KEYS.items():
            st.button(f"Layer {layer}", shortcut=key, on_click=_switch, args=(layer,), key=f"_switch_{layer}")
        if not is_blind and view.compares:
            # With a press the browser sends the A and B that it had then, which an earlier one may have changed since:
            # so it says which of the two is to be A, and not that they are to be swapped.
            first, second = view.pair
            pairs = dict(zip(_places(view), ((first, second), (second, first)), strict=True))
            st.text_input("Swap A and B by key", key=SWAPS_ASKED, max_chars=40, on_change=_swap_by_key, args=(pairs,))


def _places(view: ComparisonContext) -> tuple[int, int]:
    """Where A and B stand among the systems."""
    first, second = (view.evaluation.names.index(name) for name in view.both)
    return first, second


def _swap_by_key(pairs: Mapping[int, tuple[str, str]]) -> None:
    asked = A_NUMBER.fullmatch(session.get(SWAPS_ASKED) or "")
    pair = pairs.get(int(asked[1])) if asked else None
    if pair is not None:
        widgets.swap_to(pair, READING)


def _switch(layer: Layer) -> None:
    """Show a layer or not; a callback. All is drawn anew: the pills in the drawer would send their old value else."""
    shown = session.get(params.LAYERS, list(DEFAULT_LAYERS))
    session.put(params.LAYERS, [one for one in LAYERS if (one in shown) != (one == layer)])
