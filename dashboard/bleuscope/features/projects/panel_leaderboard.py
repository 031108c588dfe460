"""The leaderboard of a test set: one version of each system, or chosen ones, with tests between them."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

import streamlit as st

from bleucore.checks import Finding
from bleucore.counts import Progress
from bleucore.experiments.recipes import compare_recipes
from bleucore.significance import Comparison
from bleuscope.content.findings import finding_words
from bleuscope.content.scores.score_figures import scores_figure
from bleuscope.content.sheets.html import html_table
from bleuscope.content.style.identity import identities
from bleuscope.content.style.terms import OF_METHODS, OF_RESULTS, explaining
from bleuscope.content.style.unique_names import unique_name
from bleuscope.features.projects import kept as kept_of_versions
from bleuscope.features.projects import kept_versions, params, shared_parts
from bleuscope.features.projects import sheets as history_sheets
from bleuscope.features.projects import words as history_words
from bleuscope.features.projects.frame import ProjectView
from bleuscope.features.projects.scored_versions import (
    WHICH,
    BoardRow,
    Leaderboard,
    ScoredVersion,
    ScoredVersions,
    board_rows,
    full_name,
)
from bleuscope.runtime import params as shared_params
from bleuscope.runtime.memo_cache import BackgroundTask
from bleuscope.shell.controls import charts, choices, widgets
from bleuscope.shell.controls.exports import export_menu, shown_table
from bleuscope.shell.state import links, session, workspace_in_use

MOST_COMPARED = 40
"""Outputs of the comparison that is opened from here; every run of a version is one."""


def leaderboard_panel(view: ProjectView) -> None:
    """Who leads, and how surely; a row leads to the history of its system."""
    scored = shared_parts.scored_versions(view)
    if scored is None:
        return
    if not scored.versions:
        shared_parts.nothing_pushed(view)
    else:
        _board(view, scored)
    if scored.left_out and not workspace_in_use.is_by_link():  # which is about this test set alone
        st.divider()
        st.header("Not compared", anchor=False)
        shown_table(history_sheets.left_out_sheet(scored), style="bs-narrow")
    if scored.versions:
        shared_parts.signature(scored)
        pinned = bool(session.get(params.PINNED))
        shared_parts.board_command(
            view,
            scored,
            session.get(params.WHICH, WHICH[0]),
            None if pinned else session.get(shared_params.AGAINST),
            history_words.PINNED_APART if pinned else "",
        )


def _board(view: ProjectView, scored: ScoredVersions) -> None:
    board = _chosen(scored)
    is_slow = shared_parts.are_slow(scored, len(board.rows)) and not _is_tested(view, board)
    board = board if is_slow else replace(board, comparison=_tests(view, board))
    checks = _checks(view, board)
    are_late = not shared_parts.are_instant(view, checks, len(board.rows))
    board = board if are_late else replace(board, findings=checks.value())
    said = history_words.leaderboard_verdict(board)
    with st.container(key="verdict-to-come" if is_slow else None):
        widgets.html(explaining(said, *OF_RESULTS, *OF_METHODS))
        progress = st.container()
    if session.get(params.WHICH) == "best" and len(scored.versions) > len(scored.systems):
        widgets.html(history_words.chosen_best_note(scored))
    widgets.heading("Systems")
    sheet = history_sheets.leaderboard_sheet(board)
    looks = identities([one.name for one in board.in_order], board.baseline)
    widgets.html(html_table(sheet, looks, style="bs-board"))
    export_menu(lambda: history_sheets.leaderboard_sheet(replace(board, comparison=_tests(view, board))), "leaderboard")
    leads_on = not workspace_in_use.is_by_link()
    if leads_on:
        _way_to_texts(view, board)
    figure = scores_figure(sheet, looks)
    point = charts.clickable(figure, "leaderboard", sheet.title, sheet, lambda place: (None, None, place))
    if leads_on:
        st.caption(history_words.BOARD_CAPTION)
    if leads_on and point is not None:
        session.drop(params.SYSTEM)
        links.go_to("history", {params.SYSTEM: board.rows[int(point[2])].version.system})
    if is_slow or are_late:
        with progress:
            is_tested = not is_slow or _tests(view, board) is not None
            is_checked = are_late and widgets.made_by(finding_words.CHECKING, checks) is not None
        if (is_slow and is_tested) or is_checked:
            st.rerun()


def _chosen(scored: ScoredVersions) -> Leaderboard:
    """What is asked for above the table."""
    labels, taken = {}, set[str]()
    for one in scored.versions:
        labels[unique_name(full_name(one), taken)] = one
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        which = choices.segmented(params.WHICH, "Versions", WHICH)
        session.keep_several(params.PINNED, tuple(labels))
        pinned = st.multiselect(
            "These versions instead",
            list(labels),
            placeholder="none",
            help="Replaces the usual version of its system. You can choose several versions per system.",
            **params.PINNED.bound(),
        )
        rows = board_rows(scored, which, [labels[name] for name in pinned])
        names = [row.name for row in rows]
        baseline = choices.selected_if_any(shared_params.AGAINST, "Baseline", sorted(names), "the best")
    return Leaderboard(scored, rows, baseline)


def _tests(view: ProjectView, board: Leaderboard) -> Comparison | None:
    """The tests between all rows; long ones show progress."""
    is_slow = shared_parts.are_slow(board.scored, len(board.rows))
    found = shared_parts.waited_for("Testing the differences …", _tests_work(view, board), is_slow=is_slow)
    return None if found is None else found.with_baseline(board.baseline)


def _checks(view: ProjectView, board: Leaderboard) -> BackgroundTask[tuple[Finding, ...] | None]:
    """The checks of the texts of all rows."""
    in_order = board.in_order
    return shared_parts.checks_of(view, [row.version for row in in_order], [row.name for row in in_order])


def _tests_work(view: ProjectView, board: Leaderboard) -> BackgroundTask[Comparison]:
    versions = {row.name: row.version for row in board.in_order}
    compared = kept_versions.compared_versions

    def make(report: Progress | None) -> Comparison:
        given = compared(view.workspace, view.project, view.scored_set, versions)
        return compare_recipes(given.runs, given.of_versions, view.significance, progress=report)

    return kept_of_versions.compared_versions(_key(view, board), make)


def _is_tested(view: ProjectView, board: Leaderboard) -> bool:
    return _tests_work(view, board).is_done


def _key(view: ProjectView, board: Leaderboard) -> tuple[object, ...]:
    in_order = board.in_order
    return shared_parts.key_of(view, [row.version for row in in_order], [row.name for row in in_order])


def open_versions(view: ProjectView, page: str) -> None:
    """Open the rows of the usual leaderboard as a comparison, on one of its pages."""
    scored = shared_parts.scored_versions(view)
    if scored is None:
        return
    if not scored.versions:
        shared_parts.nothing_pushed(view)
        return
    rows = _first(Leaderboard(scored, board_rows(scored, WHICH[0], []), None))
    _open(view, rows, page, None)


def _first(board: Leaderboard) -> Sequence[BoardRow]:
    """The best rows, as many as a comparison has room for."""
    outputs = list(accumulate(row.version.n_runs for row in board.rows))
    return board.rows[: max(2, bisect_right(outputs, MOST_COMPARED))]


def _open(view: ProjectView, rows: Sequence[BoardRow], page: str, baseline: ScoredVersion | None) -> None:
    """Open rows as a comparison: the best is B, and the one after it A."""
    versions = [row.version for row in sorted(rows, key=lambda row: row.name)]
    places = [versions.index(row.version) for row in rows[:2]]
    shared_parts.open_comparison(view, versions, (places[-1], places[0]), page, baseline=baseline)


def _way_to_texts(view: ProjectView, board: Leaderboard) -> None:
    """A button that opens the rows as a comparison of systems."""
    rows = _first(board)
    if len(rows) == 1:
        return
    words = f"Open {'these' if len(rows) == len(board.rows) else 'the first'} {len(rows)} as a comparison"
    if st.button(words, type="primary", key="open-comparison"):
        baseline = next((row.version for row in rows if row.name == board.baseline), None)
        _open(view, rows, "overview", baseline)
