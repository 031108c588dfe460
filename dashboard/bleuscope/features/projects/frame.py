"""What surrounds the pages over time: which project and test set, how it is scored, and the way between them."""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st
from markupsafe import Markup

from bleucore import BleuOptions, InputError
from bleucore.significance import SignificanceOptions
from bleuscope.content.comparison import share_words
from bleuscope.content.style import markup
from bleuscope.features.projects import params
from bleuscope.features.projects import words as history_words
from bleuscope.features.projects.panel_switch import sample_button
from bleuscope.registry import Page
from bleuscope.runtime import params as shared_params
from bleuscope.runtime.param import Param
from bleuscope.shell.controls import widgets
from bleuscope.shell.page import new_session, page_row
from bleuscope.shell.page.share_panel import share_panel
from bleuscope.shell.page.significance_settings import significance_options
from bleuscope.shell.page.tokenizer_proposal import propose_for
from bleuscope.shell.state import cached, links, session, workspace_in_use
from bleuscope.shell.state.page_end import end_page
from bleuscope.workspace import Workspace
from bleuscope.workspace.projects import KeptTestSet, Project
from bleuscope.workspace.results import ScoredSet

PROJECTS = "projects"
"""The page of all projects: what there is."""
VIEW, EMPTY, PROBLEM = "_project_view", "_project_without_test_sets", "_project_problem"
SLUG = "_project_slug"


@dataclass(frozen=True)
class ProjectView:
    """What a page over time is about.

    Attributes:
        workspace: Where it is kept.
        project: The project that is chosen.
        scored_set: The test set that is chosen, under the settings that are.
        bleu: The settings of BLEU, which cut texts into tokens whatever the metric.
        significance: How intervals and tests are made.
    """

    workspace: Workspace
    project: Project
    scored_set: ScoredSet
    bleu: BleuOptions
    significance: SignificanceOptions

    @property
    def test_set(self) -> KeptTestSet:
        """The test set."""
        return self.scored_set.test_set


def draw(page: Page) -> None:
    """The title, the way to the other pages over time, and what is chosen in the sidebar."""
    page_row.draw_sections(page)
    with st.container(key="head"):
        st.title(page.title, anchor=False)
    new_session.note(None)
    st.set_page_config(page_title=f"{page.title} · bleuscope")
    session.drop(VIEW, EMPTY, PROBLEM, SLUG)
    try:
        _choose(page)
    except InputError as error:  # the workspace cannot be read
        session.put(PROBLEM, str(error))


def _choose(page: Page) -> None:
    """What the page is about, as the address and the sidebar say."""
    workspace = workspace_in_use.workspace()
    visible = workspace_in_use.projects()
    if workspace is None or not visible:
        return
    projects = sorted(visible, key=lambda one: not workspace.projects.test_sets(one))
    chosen = workspace_in_use.project(_chosen_project(projects).slug, "read scores")
    test_sets = workspace.projects.test_sets(chosen)
    names = [one.name for one in test_sets]
    named = _chosen_name(params.TEST_SET, tuple(names))
    is_by_link = workspace_in_use.is_by_link()
    if is_by_link and links.given(params.TEST_SET) != named:
        widgets.html(share_words.GONE)
        end_page()
    session.put(SLUG, chosen.slug)
    if page.name == PROJECTS:
        return
    with st.sidebar:
        if not is_by_link:
            choice("Project", shared_params.PROJECT, [one.slug for one in projects])
        if named is None:
            session.put(EMPTY, chosen.slug)
            return
        if not is_by_link:
            choice("Test set", params.TEST_SET, names)
        of = next(one for one in test_sets if one.name == named)
        _card(chosen, of)
        if not is_by_link:
            _link_popover(page, chosen)
        bleu, scoring = widgets.metric_of_all(params.SCORED_BY, lambda: _options(workspace, of))
        scored_set = workspace.results.scored_set(of, scoring)
        known = scored_set.known_units
        significance = significance_options(
            has_documents=known.documents is not None, has_items=known.items is not None
        )
    st.set_page_config(page_title=f"{page.title} · {chosen.title}: {named} · bleuscope")
    session.put(VIEW, ProjectView(workspace, chosen, scored_set, bleu, significance))


def open_project() -> ProjectView:
    """What a page shows; without a project, or without a test set in it, the page ends with what to do."""
    view: ProjectView | None = session.get(VIEW)
    if view is None:
        nothing_yet()
        end_page()
    return view


def chosen_slug() -> str | None:
    """The project that is chosen; ``None`` where there is none."""
    found: str | None = session.get(SLUG)
    return found


def nothing_yet() -> None:
    """What to do where there is no project, or nothing in it."""
    if workspace_in_use.workspace() is None:
        st.info(history_words.NO_WORKSPACE)
        return
    problem: str | None = session.get(PROBLEM)
    if problem is not None:
        st.error(widgets.plain(problem))
        return
    empty: str | None = session.get(EMPTY)
    st.markdown(f"**{history_words.NO_PROJECT if empty is None else history_words.NO_TEST_SET}**")
    if empty is None:
        sample_button()
        st.caption(history_words.OR_PUSH)
    widgets.copyable(history_words.push_command() if empty is None else history_words.push_command(empty))
    st.caption(history_words.PUSH_HELP)


def choice(words: str, key: Param, names: Sequence[str]) -> str:
    """One of some names, the first unless chosen; the address names it whichever it is, so that a link stays true."""
    session.keep_valid(key, tuple(names))
    if session.get(key) is None:
        chosen = _chosen_name(key, tuple(names))
        if not session.has(key):  # else the address is the widget's, which somebody emptied
            links.write(key, chosen or names[0])
        session.put(key, chosen)
    found = st.selectbox(words, names, index=None, on_change=_refill, args=(key, session.get(key)), **key.bound())
    return str(found or names[0])


def _refill(key: Param, before: str | None) -> None:
    """Give a box back what it held before somebody emptied it; a callback."""
    if session.get(key) is None:
        session.put(key, before)


def _chosen_project(projects: Sequence[Project]) -> Project:
    slug = _chosen_name(shared_params.PROJECT, tuple(one.slug for one in projects))
    return next(one for one in projects if one.slug == slug)


def _chosen_name(key: Param, names: tuple[str, ...]) -> str | None:
    """What the address or the widget names, if it is there; else the first."""
    asked = session.get(key) or links.given(key)
    return asked if asked in names else next(iter(names), None)


def _link_popover(page: Page, project: Project) -> None:
    """The address to copy, and links for who has no account."""
    popover = st.popover("Link to this view", type="tertiary", icon=":material/link:", key="link", on_change="rerun")
    if not popover.open:
        return
    with popover:
        address = links.address_without_texts()
        st.code(address, language=None, wrap_lines=True)
        st.caption(history_words.LINK)
        share_panel(page, address, project.slug)


def _card(project: Project, of: KeptTestSet) -> None:
    languages = " → ".join(filter(None, of.languages))
    facts = [markup.fact(of.n_segments, "segment"), *([(languages, "languages")] if languages else [])]
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
