"""Comparing two systems without their names: preferences are collected, and the key is shown at the end."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import streamlit as st
from markupsafe import Markup

from bleucore.counts import Ints
from bleuscope.annotations import Annotations, Preference, Preferences
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.segments import blind_trial
from bleuscope.content.sheets import writers
from bleuscope.content.sheets.forms import FORMS
from bleuscope.content.sheets.html import html_table
from bleuscope.content.style import numbers
from bleuscope.runtime import params
from bleuscope.shell.controls import widgets
from bleuscope.shell.state import open_annotations, session, workspace_in_use
from bleuscope.shell.state.blind_state import BlindState, state_of

PREFERENCE_KEYS: Mapping[Preference, str] = {"left": "f", "tie": "g", "right": "h"}
LABELS: Mapping[Preference, str] = {"left": "Left is better", "tie": "Tie", "right": "Right is better"}
NAMES_HIDDEN = Markup("<style>{} {{ display: none; }}</style>").format(
    ", ".join(f".st-key-{key}" for key in (params.A, params.B, "swap", params.BASELINE))
)
"""What the frame shows of names is taken out of sight, and of a screen reader's reach."""


def blind_input(view: ComparisonContext) -> BlindState | None:
    """Whether to compare blindly, and the state of that comparison; a link lets nobody do so."""
    if workspace_in_use.is_by_link():
        return None
    is_blind = st.toggle(
        "Blind comparison",
        help=("Hides names and scores, and swaps sides at random. Ends with counts, a sign test and the names."),
        disabled=not view.compares,
        **params.BLIND.bound(),
    )
    state = state_of(view) if is_blind else None
    if state is not None and not state.is_over:
        widgets.html(NAMES_HIDDEN)
    return state


def preference_inputs(state: BlindState, segment: int, rows: Ints, *, has_keys: bool) -> None:
    """Which text is better, by button or by key; then the next segment is opened."""
    said = state.preferences.get(segment)
    for column, preference in zip(st.columns(3), blind_trial.PREFERENCES, strict=True):
        with column:
            st.button(
                LABELS[preference],
                key=f"_prefer_{preference}",
                type="primary" if said == preference else "secondary",
                shortcut=PREFERENCE_KEYS[preference] if has_keys else None,
                on_click=_prefer,
                args=(state, segment, preference, rows),
                width="stretch",
            )
    n_judged = len(state.preferences)
    progress, end = st.columns([8, 4], vertical_alignment="center")
    with progress:
        n_left = int(np.isin(rows, list(state.preferences), invert=True).sum())
        st.progress(
            1 - n_left / len(rows),
            f"{numbers.counted(n_judged, 'segment')} judged, {numbers.count(n_left)} of those found to go",
        )
    with end:
        st.button(
            "End and show the key",
            on_click=_end,
            args=(state,),
            disabled=not n_judged,
            key="_end",
            width="stretch",
        )


def result_panel(state: BlindState) -> None:
    """Counts, test and key of a comparison that is over."""
    sheet = blind_trial.blind_sheet(state.trial, state.preferences)
    widgets.html(blind_trial.blind_verdict(state.trial, state.preferences))
    st.caption(blind_trial.METHOD)
    with st.container(horizontal=True):
        st.download_button(
            "Save preferences",
            writers.write(sheet, "quoted-tsv"),  # there before the click, as notes are
            "blind-comparison.tsv",
            FORMS["quoted-tsv"].media_type,
            icon=":material/download:",
            on_click=open_annotations.saved,
            args=(state.test_set, "preferences"),
            key="save_preferences",
        )
        st.button("Start again with new random sides", on_click=_start_again, args=(state,), key="_start_again")
    with st.expander("Key: which system was left or right"):
        widgets.html(html_table(sheet, style="bs-narrow"))


def _prefer(state: BlindState, segment: int, preference: Preference, rows: Ints) -> None:
    def with_preference(work: Annotations) -> Annotations:
        return replace(
            work, trials={**work.trials, state.trial: {**work.trials.get(state.trial, {}), segment: preference}}
        )

    open_annotations.change(state.test_set, with_preference, to_save="preferences")
    following = _following(rows, segment, open_annotations.work_on(state.test_set).trials[state.trial])
    if following is not None:
        session.put(params.SEGMENT, following + 1)


def _following(rows: Ints, segment: int, judged: Preferences) -> int | None:
    """The next segment found that was not judged, from the one after this on; after the last comes the first."""
    order = [int(row) for row in rows]
    start = order.index(segment) + 1 if segment in order else 0
    return next((row for row in order[start:] + order[:start] if row not in judged), None)


def _end(state: BlindState) -> None:
    open_annotations.change(state.test_set, lambda work: replace(work, ended=work.ended | {state.trial}))


def _start_again(state: BlindState) -> None:
    open_annotations.change(state.test_set, lambda work: replace(work, blind_seed=work.blind_seed + 1))
