"""What surrounds the pages over time: which project and test set, how it is scored, and the way between them."""

from dataclasses import dataclass

import streamlit as st
from markupsafe import Markup

from bleucore import BleuOptions
from bleucore.significance import SignificanceOptions
from dashboard.content.history import history_words
from dashboard.content.style import markup, numbers
from dashboard.shell.controls import widgets
from dashboard.shell.page import new_session
from dashboard.shell.page.tokenizer_proposal import propose_for
from dashboard.shell.state import cached, session, workspace_in_use
from dashboard.shell.state.page_list import OVER_TIME, PAGES, Page
from workspace import Workspace
from workspace.projects import KeptTestSet, Project
from workspace.results import ScoredSet

VIEW = "_project_view"
PROJECT, TEST_SET = "project", "on"
DRAWN = SignificanceOptions()
"""How intervals and tests over time are drawn: as usual, so that results that are kept stay the same for all."""


@dataclass(frozen=True)
class ProjectView:
    """What a page over time is about.

    Attributes:
        workspace: Where it is kept.
        project: The project that is chosen.
        scored_set: The test set that is chosen, under the settings that are.
    """

    workspace: Workspace
    project: Project
    scored_set: ScoredSet

    @property
    def test_set(self) -> KeptTestSet:
        """The test set."""
        return self.scored_set.test_set


def draw(page: Page) -> None:
    """The title, the way to the other pages over time, and what is chosen in the sidebar."""
    st.title(page.title, anchor=False)
    new_session.note(None)
    st.set_page_config(page_title=f"{page.title} · bleuscope")
    session.drop(VIEW)
    workspace = workspace_in_use.workspace()
    projects = () if workspace is None else workspace.projects.all()
    if workspace is None or not projects:
        return
    chosen = _chosen_project(projects)
    test_sets = workspace.projects.test_sets(chosen)
    named = _chosen_name(TEST_SET, tuple(one.name for one in test_sets))
    _links(page, chosen, named)
    if page.name == OVER_TIME or named is None:
        return
    st.set_page_config(page_title=f"{page.title} · {chosen.title}: {named} · bleuscope")
    with st.sidebar:
        slug = _choice("Project", PROJECT, [one.slug for one in projects])
        name = _choice("Test set", TEST_SET, [one.name for one in test_sets])
        project = next(one for one in projects if one.slug == slug)
        of = next(one for one in test_sets if one.name == name)
        _card(project, of)
        options = _options(workspace, of)
    session.put(VIEW, ProjectView(workspace, project, workspace.results.scored_set(of, options)))


def open_project() -> ProjectView:
    """What a page shows; without a project, or without a test set in it, the page ends with what to do."""
    view: ProjectView | None = session.get(VIEW)
    if view is None:
        nothing_yet()
        st.stop()
    return view


def nothing_yet() -> None:
    """What to do where there is no project, or nothing in it."""
    if workspace_in_use.workspace() is None:
        st.info(history_words.NO_WORKSPACE)
        return
    st.markdown(f"**{history_words.NO_PROJECT}**")
    widgets.copyable(history_words.PUSH)
    st.caption(history_words.PUSH_HELP)


def _chosen_project(projects: tuple[Project, ...]) -> Project:
    slug = _chosen_name(PROJECT, tuple(one.slug for one in projects))
    return next(one for one in projects if one.slug == slug)


def _chosen_name(key: str, names: tuple[str, ...]) -> str | None:
    """What the address or the widget names, if it is there; else the first."""
    asked = session.get(key) or st.query_params.get(key)
    return asked if asked in names else next(iter(names), None)


def _choice(words: str, key: str, names: list[str]) -> str:
    session.keep_valid(key, tuple(names))
    chosen = st.selectbox(words, names, key=key, bind="query-params", persist_state="session")
    return str(chosen)


def _links(page: Page, project: Project, test_set: str | None) -> None:
    """The way between the pages over time, for the project that is chosen."""
    asked = {PROJECT: project.slug, **({} if test_set is None else {TEST_SET: test_set})}
    with st.container(horizontal=True, gap="small", key="pages-over-time"):
        for other in PAGES.values():
            if other.name == OVER_TIME or other.is_over_time:
                words = "All projects" if other.name == OVER_TIME else other.title
                shown = f"**{words}**" if other.name == page.name else words
                st.page_link(other.script, label=shown, query_params=asked)


def _card(project: Project, of: KeptTestSet) -> None:
    languages = " → ".join(filter(None, of.languages))
    facts = [("segments", numbers.count(of.n_segments)), *([("languages", languages)] if languages else [])]
    widgets.html(
        Markup('<div class="bs-open"><p class="bs-title"><bdi>{}</bdi></p>{}</div>').format(
            project.title, markup.facts(facts)
        )
    )


def _options(workspace: Workspace, of: KeptTestSet) -> BleuOptions:
    """How versions are scored: as the pages of a comparison do, with the tokenizer that the references need."""
    columns = workspace.projects.references
    proposal = cached.proposal_for(of.digest, lambda: columns(of).columns)
    return widgets.scoring_options(propose_for(proposal, of.digest))
