"""The button that saves what files come to as a manifest, which opens the same again when it is dropped with them."""

import streamlit as st

from bleucore import InputError
from bleuscope.content.comparison.plan import Plan
from bleuscope.content.comparison.plan_manifest import manifest_of

FILE = "campaign.yaml"


def save_manifest_button(plan: Plan) -> None:
    """The button; none where a manifest cannot say it."""
    try:
        written = manifest_of(plan)
    except InputError:
        return
    st.download_button(
        "Save as manifest",
        written,
        FILE,
        "application/yaml",
        key="save-manifest",
        help="A text file that says what each file is. Change it, and drop it with the same files to open them so.",
        on_click="ignore",
    )
