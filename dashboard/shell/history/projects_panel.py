"""The projects of a workspace as cards, each with the way to its leaderboards."""

import streamlit as st

from bleucore import BleuOptions, InputError
from dashboard.content.history import history_words, project_cards
from dashboard.content.history.project_cards import CardRow, ProjectCard
from dashboard.content.style.sentences import note
from dashboard.shell.controls import row_links, widgets
from dashboard.shell.controls.exports import export_menu
from dashboard.shell.page import project_frame
from dashboard.shell.page.project_frame import DRAWN
from dashboard.shell.state import cached, links, session, workspace_in_use
from workspace import Workspace
from workspace.projects import KeptTestSet, Project, Version

MOST_ROWS, COLUMN_WIDTH, BEST_WIDTH, NAME_WIDTH = 8, 130, 300, 150


def projects_panel() -> None:
    """Every project; a test set leads to its leaderboard."""
    workspace = workspace_in_use.workspace()
    cards: list[ProjectCard] = []
    if workspace is not None:
        try:
            cards = [card_of(workspace, project) for project in workspace_in_use.projects()]
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


def card_of(workspace: Workspace, project: Project) -> ProjectCard:
    """What the card of a project says; scores are those that are kept."""
    test_sets = workspace.projects.test_sets(project)
    versions = workspace.projects.versions(project)
    return ProjectCard(
        project.slug,
        project.title,
        tuple(dict.fromkeys(one.system for one in versions)),
        tuple(_test_set(workspace, of, [one for one in versions if one.test_set == of.name]) for of in test_sets),
        workspace.work.n_notes_beside([of.digest for of in test_sets]),
    )


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


def _test_set(workspace: Workspace, of: KeptTestSet, versions: list[Version]) -> CardRow:
    proposal = cached.proposal_for(of.digest, lambda: workspace.projects.references(of).columns)
    options = BleuOptions() if proposal is None else BleuOptions(proposal.tokenizer)
    kept = workspace.results.find(workspace.results.scored_set(of, options), DRAWN)
    latest = {one.system: one for one in versions}.values()
    scores = {one.system: kept[one.digest].score for one in latest if one.digest in kept}
    best = max(scores, key=lambda name: scores[name], default=None)
    return CardRow(
        of.name,
        of.n_segments,
        len(versions),
        max((one.pushed_at for one in versions), default=None),
        best,
        None if best is None else scores[best],
        "BLEU",
    )
