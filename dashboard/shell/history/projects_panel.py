"""The projects of a workspace as cards, each with the way to its leaderboards."""

from functools import partial

import streamlit as st

from bleucore import BleuOptions, InputError
from bleucore.significance import SignificanceOptions
from dashboard.content import commands
from dashboard.content.history import history_words, project_cards
from dashboard.content.history.project_cards import ProjectCard
from dashboard.content.style.sentences import note
from dashboard.shell.controls import row_links, widgets
from dashboard.shell.controls.exports import export_menu
from dashboard.shell.history import shared_parts
from dashboard.shell.page import project_frame
from dashboard.shell.state import cached, kept_versions, links, session, workspace_in_use
from workspace import Workspace
from workspace.projects import KeptTestSet

DRAWN = SignificanceOptions()
"""How the intervals of kept scores were drawn: as usual."""
MOST_ROWS, COLUMN_WIDTH, BEST_WIDTH, NAME_WIDTH = 8, 130, 300, 150


def projects_panel() -> None:
    """Every project; a test set leads to its leaderboard."""
    workspace = workspace_in_use.workspace()
    cards: list[ProjectCard] = []
    if workspace is not None:
        try:
            options_of = partial(_options, workspace)
            projects = workspace_in_use.projects()
            cards = [kept_versions.card_of(workspace, project, options_of, DRAWN) for project in projects]
            cards.sort(key=_last_push, reverse=True)
        except InputError as error:  # a blob is gone, or the database
            st.error(widgets.plain(str(error)))
            return
    if not cards:
        project_frame.nothing_yet()
        return
    for card in cards:
        with st.container(border=True, key=f"project-{card.slug}"):
            _card(card)
    with st.expander("Push a version", icon=":material/terminal:"):
        widgets.copyable(history_words.push_command())
        st.caption(history_words.PUSH_HELP)
    shared_parts.command_note(commands.projects_command())


def _last_push(card: ProjectCard) -> str:
    return "" if card.last_push is None else card.last_push.isoformat()


def _card(card: ProjectCard) -> None:
    st.header(widgets.plain(card.title), anchor=False)
    widgets.html(history_words.card_words(card))
    if not card.test_sets:
        widgets.html(note("{}", history_words.NO_TEST_SET))
        widgets.copyable(history_words.push_command(card.slug))
        return
    sheet = project_cards.test_sets_sheet(card)
    row = row_links.chosen_row(
        sheet,
        f"project-{card.slug}",
        width_of=lambda key: BEST_WIDTH if key == "best" else COLUMN_WIDTH,
        most_rows=MOST_ROWS,
        alt=sheet.title,
    )
    export_menu(lambda: sheet, f"project-{card.slug}")
    if row is not None:
        session.drop(project_frame.PROJECT, project_frame.TEST_SET)
        links.go_to("leaderboard", project=card.slug, on=card.test_sets[row].name)


def _options(workspace: Workspace, of: KeptTestSet) -> BleuOptions:
    proposal = cached.proposal_for(of.digest, lambda: workspace.projects.references(of).columns)
    return kept_versions.proposed_options(proposal)
