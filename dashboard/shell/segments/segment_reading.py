"""What to show of the open segment: which systems, which layers of marks, and the keys for all that."""

from collections.abc import Mapping
from functools import cache

import streamlit as st
from markupsafe import Markup

from dashboard.content.comparison.study import Study
from dashboard.content.segments.highlights import DEFAULT_LAYERS, LAYERS, Layer, SegmentView
from dashboard.content.sheets.html import html_table
from dashboard.content.sheets.making import sheet_of
from dashboard.content.sheets.sheet import Field
from dashboard.shell.controls import widgets
from dashboard.shell.segments.blind_mode import LABELS, PREFERENCE_KEYS
from dashboard.shell.state import session

NEXT_KEY, PREVIOUS_KEY, SWAP_KEY = "j", "k", "x"
LAYER_KEYS: Mapping[Layer, str] = dict(zip(LAYERS, "123456", strict=True))
KEYS = {
    NEXT_KEY: "next segment",
    PREVIOUS_KEY: "previous segment",
    SWAP_KEY: "swap A and B",
    **{key: f"layer: {layer}" for layer, key in LAYER_KEYS.items()},
}
"""What each key does, outside of fields to type in."""
BLIND_KEYS = {key: LABELS[preference].lower() for preference, key in PREFERENCE_KEYS.items()}
LAYER_MEANINGS: Mapping[Layer, str] = {
    "matches": "words that stand in a reference, darker in longer matches",
    "clipped": "repeats that do not count",
    "missed": "words of the references that the system does not have",
    "differences": "where A and B differ",
    "invisible": "no-break spaces, zero-width characters, doubled blanks and the like",
    "tab stops": "Tab goes from mark to mark in the texts, and each says what it means",
}


def reading_inputs(view: Study, segment: int, sides: tuple[str, str] | None = None) -> SegmentView:
    """What to show of a segment.

    Args:
        view: What the page shows.
        segment: Counted from 0.
        sides: The systems at the left and right of a blind comparison; names, scores and further systems stay out
            of it.
    """
    with st.container(horizontal=True, vertical_alignment="center"):
        layers = _layer_input()
        more_slot = st.container(width="content")
        with st.container(width="content"):
            _key_help(is_blind=sides is not None)
    _key_buttons(is_blind=sides is not None)
    if sides is not None:
        return SegmentView(segment, sides, layers=layers, is_blind=True)
    others = [name for name in view.evaluation.ranked() if name not in view.sides]
    with more_slot, st.popover("Show", icon=":material/visibility:", key="shown"):
        whose = st.segmented_control(
            "In the references, mark what is matched and missed by",
            ("B", "A", "nobody"),
            default="B",
            required=True,
            key="mark",
            bind="query-params",
            persist_state="session",
        )
        all_slot = st.container()
        chosen = st.multiselect(
            "Further systems shown",
            view.evaluation.names,
            key="with",
            placeholder="none" if others else "there are no others",
            disabled=not others,
            bind="query-params",
            persist_state="session",
        )
        with all_slot:
            shows_all = bool(others) and st.toggle(
                f"Show all {len(view.evaluation.names)} systems",
                key="all",
                bind="query-params",
                persist_state="session",
            )
    shown = tuple(name for name in others if shows_all or name in chosen)
    marked = dict(zip("AB", view.both, strict=True)).get(str(whose))
    return SegmentView(segment, view.sides, shown, marked, layers)


def _layer_input() -> frozenset[Layer]:
    chosen = st.pills(
        "Layers",
        LAYERS,
        selection_mode="multi",
        default=DEFAULT_LAYERS,
        key="layers",
        help="; ".join(f"{layer}: {meaning}" for layer, meaning in LAYER_MEANINGS.items()) + ".",
        label_visibility="collapsed",
        wrap=True,
        bind="query-params",
        persist_state="session",
    )
    return frozenset(chosen)


def _key_help(*, is_blind: bool) -> None:
    """The list of keys."""
    with st.popover("Keys", icon=":material/keyboard:", key="key_help"):
        widgets.html(_table_of_keys(is_blind=is_blind))
        st.caption(
            "With the layer of tab stops, Tab goes from mark to mark in a text and shows which references hold it."
        )


@cache
def _table_of_keys(*, is_blind: bool) -> Markup:
    keys = {key: does for key, does in KEYS.items() if key != SWAP_KEY} | BLIND_KEYS if is_blind else KEYS
    columns = [
        (Field("key", "key", "text"), [key.upper() for key in keys]),
        (Field("does", "does", "text"), list(keys.values())),
    ]
    return html_table(sheet_of("keys", (), columns, {}, title="Keys"), style="bs-narrow")


def _key_buttons(*, is_blind: bool) -> None:
    """The buttons that only keys press; for the mouse there are others."""
    with st.container(key="keys"):
        for layer, key in LAYER_KEYS.items():
            st.button(f"Layer {layer}", shortcut=key, on_click=_switch, args=(layer,), key=f"_switch_{layer}")
        if not is_blind:
            st.button("Swap A and B by key", shortcut=SWAP_KEY, on_click=_swap, key="_swap_by_key")


def _switch(layer: Layer) -> None:
    shown = session.get("layers", list(DEFAULT_LAYERS))
    session.put("layers", [one for one in LAYERS if (one in shown) != (one == layer)])


def _swap() -> None:
    first, second = session.get("a"), session.get("b")
    if first is not None and second is not None:
        session.put("a", second)
        session.put("b", first)
