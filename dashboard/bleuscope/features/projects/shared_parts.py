"""What leaderboard and history share: scored versions, tests that are waited for, a comparison that is opened."""

import logging
from collections.abc import Sequence
from typing import TypeVar

import streamlit as st

from bleucore import BleuOptions, InputError
from bleucore.checks import Finding
from bleucore.counts import Progress
from bleuscope.features.projects import commands as project_commands
from bleuscope.features.projects import kept as kept_of_versions
from bleuscope.features.projects import kept_versions
from bleuscope.features.projects import params as project_params
from bleuscope.features.projects import words as history_words
from bleuscope.features.projects.frame import ProjectView
from bleuscope.features.projects.scored_versions import ScoredVersion, ScoredVersions, Which, names_of
from bleuscope.runtime import params
from bleuscope.runtime.memo_cache import BackgroundTask
from bleuscope.shell.controls import widgets
from bleuscope.shell.page import frame
from bleuscope.shell.page.reproduction import LABEL
from bleuscope.shell.page.where_from import WhereFrom, note_where_from
from bleuscope.shell.state import links, session, text_checks, workspace_in_use
from bleuscope.workspace.results import how_drawn

Made = TypeVar("Made")

MANY_OUTPUTS = 100_000
"""Beyond so many segments of all versions together, tests are waited for with the scores in sight."""


def scored_versions(view: ProjectView) -> ScoredVersions | None:
    """All versions on the test set with their scores; what is not scored yet is, with its progress in sight."""
    workspace, project, of, drawn = view.workspace, view.project, view.scored_set, view.significance
    if kept_versions.is_scored(workspace, project, of, drawn):
        return kept_versions.scored_versions(workspace, project, of, drawn)
    return widgets.made(  # by the page: each version that is scored is kept
        "Scoring the versions …",
        (of.test_set.digest, of.signature, how_drawn(of, drawn)),
        lambda report: kept_versions.scored_versions(workspace, project, of, drawn, progress=report),
    )


def nothing_pushed(view: ProjectView) -> None:
    """What to do where a test set has no version yet."""
    st.markdown(f"**{history_words.NO_VERSION}**")
    widgets.copyable(history_words.push_command(view.project.slug, view.test_set.name))


def signature(scored: ScoredVersions) -> None:
    """What to cite with the scores."""
    widgets.heading("Signature")
    for one in dict.fromkeys([scored.signature, *map(scored.signature_of, scored.versions)]):
        widgets.copyable(one)


def are_slow(scored: ScoredVersions, n_versions: int) -> bool:
    """Whether tests of so many versions are waited for."""
    return n_versions * scored.n_segments > MANY_OUTPUTS


def waited_for(label: str, work: BackgroundTask[Made], *, is_slow: bool) -> Made | None:
    """What is made at once, or with its progress in sight; ``None``, and why in a box, where it cannot be made.

    Args:
        label: What is being done.
        work: Makes it.
        is_slow: Whether it takes long.
    """
    if is_slow:
        return widgets.made_by(label, work)
    try:
        return work.value()
    except InputError as error:
        st.error(widgets.plain(str(error)))
        return None


def key_of(view: ProjectView, versions: Sequence[ScoredVersion], names: Sequence[str]) -> tuple[object, ...]:
    """What tests of versions rest on."""
    of = view.scored_set
    digests = tuple(one.digests for one in versions)
    return (of.test_set.digest, of.signature, digests, tuple(names), view.significance)


def checks_of(
    view: ProjectView, versions: Sequence[ScoredVersion], names: Sequence[str]
) -> BackgroundTask[tuple[Finding, ...] | None]:
    """The checks of the texts of versions, by the names that a verdict gives them."""
    of = view.scored_set

    def make(report: Progress | None) -> tuple[Finding, ...] | None:
        try:
            return kept_versions.version_findings(view.workspace, view.project, of, versions, names, progress=report)
        except Exception:  # the page says what it knows without them
            logging.getLogger(__name__).exception("the checks of the texts failed")
            return None

    key = (of.test_set.digest, of.signature, tuple(one.digests for one in versions), tuple(names))
    return kept_of_versions.version_findings(key, make)


def are_instant(view: ProjectView, checks: BackgroundTask[Made], n_versions: int) -> bool:
    """Whether a page waits for the checks of so many versions before it shows its verdict."""
    return checks.is_done or n_versions * view.test_set.n_segments <= text_checks.INSTANT_TEXTS


def may_read_texts(view: ProjectView) -> bool:
    """Whether whoever is there may read what the versions say; else the page says why not."""
    try:
        workspace_in_use.project(view.project.slug, "read texts")
    except InputError as error:
        st.error(widgets.plain(str(error)))
        return False
    return True


def open_comparison(  # noqa: PLR0913  # what is looked at there
    view: ProjectView,
    versions: Sequence[ScoredVersion],
    pair: tuple[int, int],
    page: str,
    *,
    where: str | None = None,
    segment: int | None = None,
    baseline: ScoredVersion | None = None,
) -> None:
    """Open versions as a comparison of systems, on one of its pages.

    Args:
        view: Where they are kept.
        versions: What is opened, in the order of its systems.
        pair: The places of systems A and B: of versions with several runs, the first run of each.
        page: The page.
        where: The question that its segments are narrowed down by.
        segment: The segment that is opened there, from 0.
        baseline: The one of the versions that the others were compared with; ``None`` for all with each other.
    """
    if not may_read_texts(view):
        return
    found = widgets.made(
        "Opening the texts …",
        ("open", *(digest for one in versions for digest in one.digests)),
        lambda _: kept_versions.loaded_versions(view.workspace, view.project, view.test_set, versions),
    )
    if found is None:
        return
    frame.show(found)
    of_board = {params.PROJECT: view.project.slug, project_params.TEST_SET: view.test_set.name}
    note_where_from(WhereFrom(found.test_set.digest, view.project.title, "leaderboard", of_board))
    names = [one.names_of_runs(name)[0] for name, one in zip(names_of(versions), versions, strict=True)]
    links.choose_pair((names[pair[0]], names[pair[1]]))
    session.put(params.BASELINE, None if baseline is None else names[list(versions).index(baseline)])
    if where is not None:
        links.open_where(where)
    if segment is not None:
        links.open_segment(segment)
    links.go_to(page)


def command_note(command: str, remark: str = "") -> None:
    """The command that gives the numbers of the page, and what it does not say."""
    with st.expander(LABEL, icon=":material/terminal:"):
        widgets.copyable(command)
        if remark:
            st.caption(remark)


def board_command(view: ProjectView, scored: ScoredVersions, which: Which, baseline: str | None, remark: str) -> None:
    """The command of a leaderboard."""
    usual = kept_versions.usual_options(view.test_set, BleuOptions())
    options, tests = view.scored_set.options, view.significance
    command_note(
        project_commands.history_command(scored, options, usual, tests, which=which, baseline=baseline),
        remark,
    )


def system_command(view: ProjectView, scored: ScoredVersions, system: str) -> None:
    """The command of a system's history."""
    usual = kept_versions.usual_options(view.test_set, BleuOptions())
    command_note(
        project_commands.history_command(scored, view.scored_set.options, usual, view.significance, system=system)
    )
