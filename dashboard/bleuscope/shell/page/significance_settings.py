"""How differences are tested: asked in the sidebar, held in the address, the same on every page."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from bleucore.declarations import declarations
from bleucore.significance import BLOCK_TESTS, SignificanceOptions
from bleuscope.content.style.wordings import SIGNIFICANCE
from bleuscope.shell.controls.setting_inputs import setting_input

TWO_SYSTEMS, ALL_PAIRS, POWER, BLOCKS = "Two systems", "All pairs", "Power", "Blocks"


def significance_options(*, has_documents: bool) -> SignificanceOptions:
    """The settings of tests and intervals, of a test set whose documents are known or not."""
    chosen: dict[str, Any] = {}
    with st.expander("Tests of differences", expanded=False):
        for name, wording in SIGNIFICANCE.items():
            if not wording.stands_apart and _has_effect(name, chosen, has_documents=has_documents):
                chosen[name] = setting_input(wording, declarations(SignificanceOptions)[name])
    return SignificanceOptions(**chosen)


def _has_effect(name: str, chosen: Mapping[str, object], *, has_documents: bool) -> bool:
    """Whether a setting can change anything beside those that are chosen already."""
    if name == "unit":
        return has_documents
    if name == "trials":
        return chosen["test"] == "approximate-randomisation"
    if name == "n_blocks":
        return chosen["test"] in BLOCK_TESTS and chosen.get("unit") != "document"
    return True


def panel() -> str:
    """Which panel of the Significance page is open."""
    return st.segmented_control(
        "Show",
        (TWO_SYSTEMS, ALL_PAIRS, POWER, BLOCKS),
        default=TWO_SYSTEMS,
        required=True,
        key="panel",
        label_visibility="collapsed",
        bind="query-params",
        persist_state="session",
    )
