"""Where A and B are two versions of one system: which they are, and the way to their history."""

from typing import TYPE_CHECKING

import streamlit as st

from bleucore.errors import InputError
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.features.projects import kept as kept_of_versions
from bleuscope.features.projects import kept_versions, params
from bleuscope.runtime import params as shared_params
from bleuscope.shell.state import links, session, workspace_in_use

if TYPE_CHECKING:
    from bleuscope.features.projects.kept_versions import OpenVersions

OPEN = "_open_versions"


def look_up(view: ComparisonContext) -> None:
    """Find out, once for a drawing of the page, whether A and B are versions of a system that is kept."""
    session.drop(OPEN)
    workspace = workspace_in_use.workspace()
    if workspace is None or not view.compares:
        return
    try:
        digests = {name: kept_of_versions.outputs_digest(view.test_set, name) for name in view.sides}
        found = kept_versions.open_versions(
            workspace,
            workspace_in_use.projects(),
            view.test_set,
            digests,
            lambda of: kept_of_versions.kept_references(of.digest, lambda: workspace.projects.references(of)),
        )
    except InputError:  # the workspace cannot be read, which pages over time tell of
        return
    if found is not None:
        session.put(OPEN, found)


def marked() -> tuple[str, str] | None:
    """What the older and the newer version are called here, if A and B are versions of one system."""
    found: OpenVersions | None = session.get(OPEN)
    return None if found is None else found.names


def button(segment: int) -> None:
    """A button that follows the open segment over all versions of the system."""
    found: OpenVersions | None = session.get(OPEN)
    if found is None:
        return
    if st.button(
        "Over the versions",
        icon=":material/timeline:",
        type="tertiary",
        help="How this segment went over all versions of the system.",
        key="_over_versions",
    ):
        _open_strip(found.project, found.test_set, found.system, found.labels, segment)


def _open_strip(project: str, test_set: str, system: str, labels: tuple[str, str], segment: int) -> None:
    """Follow a segment (counted from 0) over the versions of a system, from one of two labels to the other."""
    of_strip = (shared_params.PROJECT, params.TEST_SET, params.SYSTEM, params.OLDER, params.NEWER, params.STRIP)
    session.drop(*of_strip)
    links.go_to("history", dict(zip(of_strip, (project, test_set, system, *labels, str(segment + 1)), strict=True)))
