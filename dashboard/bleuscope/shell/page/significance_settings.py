"""How differences are tested: asked in the sidebar, held in the address, the same on every page."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from bleucore.declarations import declarations
from bleucore.significance import BLOCK_TESTS, SignificanceOptions, UnitChoice
from bleuscope.content.style.wordings import SIGNIFICANCE
from bleuscope.runtime import params
from bleuscope.runtime.param import Param
from bleuscope.shell.controls import choices
from bleuscope.shell.controls.setting_inputs import setting_input
from bleuscope.shell.state import session

UNITS_BY_SIZE: tuple[UnitChoice, ...] = ("auto", "document", "block", "item", "segment")
TWO_SYSTEMS, ALL_PAIRS, POWER, BLOCKS = "Two systems", "All pairs", "Power", "Blocks"


def significance_options(
    *, has_documents: bool, has_items: bool = False, seed_key: Param | None = None
) -> SignificanceOptions:
    """The settings of tests and intervals.

    Args:
        has_documents: Whether the document of each segment is known.
        has_items: Whether rows repeat.
        seed_key: What the seed is called in the address, where it is not that of the comparison.
    """
    chosen: dict[str, Any] = {}
    with st.expander("Significance tests", expanded=False):
        for name, wording in SIGNIFICANCE.items():
            if wording.stands_apart or not _has_effect(name, chosen):
                continue
            of_widget: dict[str, Any] = {}
            if name == "unit":
                of_widget["options"] = units_offered(has_documents=has_documents, has_items=has_items)
                session.keep_valid(params.UNIT, of_widget["options"])
            if name == "seed" and seed_key is not None:
                of_widget["key"] = seed_key
            chosen[name] = setting_input(wording, declarations(SignificanceOptions)[name], **of_widget)
    return SignificanceOptions(**chosen)


def units_offered(*, has_documents: bool, has_items: bool) -> tuple[UnitChoice, ...]:
    """The units that a test set can have."""
    lacking = {"document": not has_documents, "item": not has_items}
    return tuple(unit for unit in UNITS_BY_SIZE if not lacking.get(unit, False))


def _has_effect(name: str, chosen: Mapping[str, object]) -> bool:
    """Whether a setting can change anything beside those that are chosen already."""
    if name == "trials":
        return chosen["test"] == "approximate-randomisation"
    if name == "n_blocks":
        return chosen["test"] in BLOCK_TESTS and chosen["unit"] != "document"
    if name == "block_size":
        return chosen["test"] not in BLOCK_TESTS and chosen["unit"] == "block"
    return True


def panel() -> str:
    """Which panel of the Significance page is open."""
    return choices.segmented(
        params.PANEL, "Show", (TWO_SYSTEMS, ALL_PAIRS, POWER, BLOCKS), label_visibility="collapsed"
    )
