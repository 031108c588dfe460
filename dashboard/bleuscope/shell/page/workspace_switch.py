"""The switch of workspaces, at the left of the doors: what is open, what was opened before, projects and campaigns."""

import streamlit as st

from bleuscope.content.comparison.inputs import Loaded
from bleuscope.registry import load, own_features
from bleuscope.shell.controls import widgets
from bleuscope.shell.controls.widgets import switch_entry
from bleuscope.shell.disk.files import SAMPLE, load_sample
from bleuscope.shell.page.frame import show
from bleuscope.shell.state import kept_comparisons, links, session
from bleuscope.workspace.errors import WorkspaceError

SAMPLE_TITLE = "Sample comparison"
MOST_SHOWN = 6
COMPARISONS = "Comparisons"


def workspace_switch() -> None:
    """The button, and the list behind it. It is called the same on every page: the sidebar says what is open."""
    panel = st.popover("Workspaces", type="tertiary", key="switch", on_change="rerun")
    if not panel.open:
        return
    with panel:
        _comparisons()
        for feature in own_features():
            if feature.switch is not None:
                st.caption(feature.switch.name)
                load(feature.switch.entries)()


def _comparisons() -> None:
    st.caption(COMPARISONS)
    loaded = session.loaded()
    if loaded is not None and switch_entry(loaded.title, "open"):
        links.go_to("overview")
    try:
        recent = kept_comparisons.recent()
    except WorkspaceError:  # the page Data says what is wrong
        recent = ()
    is_open = None if loaded is None else kept_comparisons.origin_of(loaded)
    for one in [each for each in recent if each.origin != is_open][:MOST_SHOWN]:
        if switch_entry(one.name, one.origin):
            open_again(one.origin)
    if is_open != SAMPLE and switch_entry(SAMPLE_TITLE, SAMPLE):
        _open(load_sample())
    if switch_entry("Open other files", "files"):
        links.go_to("test_set")


def open_again(origin: str) -> None:
    """Open a comparison that this person opened before; say why where it cannot be."""
    try:
        loaded = kept_comparisons.open_again(origin)
    except WorkspaceError as error:
        st.error(widgets.plain(str(error)), icon=":material/error:")
        return
    if loaded is not None:
        _open(loaded)


def _open(loaded: Loaded) -> None:
    show(loaded)
    links.go_to("overview")
