"""Projects in the switch of workspaces, and the button that makes the sample project."""

import streamlit as st

from bleucore import InputError
from bleuscope.features.projects import params, sample
from bleuscope.runtime import params as shared_params
from bleuscope.shell.controls import widgets
from bleuscope.shell.state import links, session, workspace_in_use

MOST_SHOWN = 6


def entries() -> None:
    """The newest projects, and the way to all."""
    try:
        projects = workspace_in_use.projects()
    except InputError:  # the page of projects says what is wrong
        projects = ()
    for project in sorted(projects, key=lambda one: one.created_at, reverse=True)[:MOST_SHOWN]:
        if widgets.switch_entry(project.title, f"project-{project.slug}"):
            open_leaderboard(project.slug)
    if widgets.switch_entry("All projects", "projects"):
        links.go_to("projects")


def open_leaderboard(slug: str) -> None:
    """Open a project on its first test set."""
    session.drop(shared_params.PROJECT, params.TEST_SET)
    links.go_to("leaderboard", {shared_params.PROJECT: slug})


def sample_button() -> None:
    """What makes the sample project, or opens it; nothing where nothing is kept."""
    found = workspace_in_use.somebody() if workspace_in_use.workspace() is not None else None
    if found is None or workspace_in_use.is_by_link():
        return
    if not st.button("Open the sample project", icon=":material/history:", key="sample-project"):
        return
    try:
        with st.spinner("Pushing the versions …"):
            slug = sample.make(*found)
    except InputError as error:
        st.error(widgets.plain(str(error)), icon=":material/error:")
        return
    open_leaderboard(slug)


def remove_button(slug: str) -> None:
    """What takes the sample project away again, asked for twice; nothing for other projects."""
    found = workspace_in_use.somebody()
    if found is None or not sample.is_sample(found[0], slug) or not workspace_in_use.may(slug, "delete project"):
        return
    with st.popover("Remove the sample project", type="tertiary", icon=":material/delete:", key=f"remove-{slug}"):
        st.markdown("This deletes the project with all its versions.")
        if st.button("Delete it", key=f"really-remove-{slug}"):
            try:
                found[0].projects.remove(workspace_in_use.project(slug, "delete project"), found[1])
            except InputError as error:
                st.error(widgets.plain(str(error)), icon=":material/error:")
                return
            session.drop(shared_params.PROJECT, params.TEST_SET)
            links.write(shared_params.PROJECT, None)
            st.rerun()
