"""The projects of a workspace as cards, each with the way to its leaderboards."""

from dataclasses import replace
from functools import partial

import streamlit as st

from bleucore import InputError
from bleuscope.content.style.sentences import note
from bleuscope.features.projects import cards as project_cards
from bleuscope.features.projects import commands as project_commands
from bleuscope.features.projects import frame as project_frame
from bleuscope.features.projects import kept_versions, params, scoring_ahead, shared_parts
from bleuscope.features.projects import words as history_words
from bleuscope.features.projects.cards import CardRow, ProjectCard
from bleuscope.features.projects.panel_switch import remove_button
from bleuscope.features.projects.panel_team import team_panel
from bleuscope.runtime import params as shared_params
from bleuscope.shell.controls import row_links, widgets
from bleuscope.shell.controls.exports import export_menu
from bleuscope.shell.state import links, session, workspace_in_use
from bleuscope.workspace import Workspace
from bleuscope.workspace.projects import Project

LOOK_EVERY_SECONDS = 1.5
MOST_ROWS, COLUMN_WIDTH, BEST_WIDTH, NAME_WIDTH = 8, 130, 300, 150


def projects_panel() -> None:
    """Every project; a test set leads to its leaderboard."""
    workspace = workspace_in_use.workspace()
    cards: list[ProjectCard] = []
    if workspace is not None:
        try:
            options_of = partial(scoring_ahead.options_of, workspace)
            projects = [workspace_in_use.project(one.slug, "read scores") for one in workspace_in_use.projects()]
            cards = [kept_versions.card_of(workspace, project, options_of, kept_versions.DRAWN) for project in projects]
            cards = [_having_scored(workspace, *both) for both in zip(projects, cards, strict=True)]
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
            team_panel(card.slug)
            remove_button(card.slug)
    with st.expander("Push a version", icon=":material/terminal:"):
        widgets.copyable(history_words.push_command())
        st.caption(history_words.PUSH_HELP)
    shared_parts.command_note(project_commands.projects_command())
    if any(row.is_being_scored for card in cards for row in card.test_sets):
        _look_again()


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
        session.drop(shared_params.PROJECT, params.TEST_SET)
        links.go_to("leaderboard", {shared_params.PROJECT: card.slug, params.TEST_SET: card.test_sets[row].name})


def _having_scored(workspace: Workspace, project: Project, card: ProjectCard) -> ProjectCard:
    """A card whose missing scores are being made from now on."""
    rows = [replace(row, is_being_scored=_is_asked(workspace, project, row)) for row in card.test_sets]
    return replace(card, test_sets=tuple(rows))


def _is_asked(workspace: Workspace, project: Project, row: CardRow) -> bool:
    """Whether missing scores of a test set are asked for; those that could not be made are not again."""
    if not row.n_unscored:
        return False
    of = workspace.projects.test_set(project, row.name)
    latest = kept_versions.latest_of(workspace.projects.versions(project, of))
    if any(scoring_ahead.is_hopeless(of, one) for runs in latest for one in runs):
        return False
    scoring_ahead.ask(workspace, project, of)
    return True


@st.fragment(run_every=LOOK_EVERY_SECONDS)
def _look_again() -> None:
    """Draw the page anew once what was being scored is."""
    if not scoring_ahead.is_at_work():
        st.rerun()
