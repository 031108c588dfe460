"""The history of a system on a test set: its scores over time, what differs from what, and two versions compared."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from bleucore.checks import Finding
from bleucore.counts import Progress
from bleucore.history import VersionChanges, VersionHistory, changes_between, version_history
from bleuscope.content.findings import finding_words
from bleuscope.content.style.terms import OF_METHODS, explaining
from bleuscope.features.projects import figures as history_figures
from bleuscope.features.projects import frame as project_frame
from bleuscope.features.projects import kept as kept_of_versions
from bleuscope.features.projects import kept_versions, params, shared_parts
from bleuscope.features.projects import sheets as history_sheets
from bleuscope.features.projects import words as history_words
from bleuscope.features.projects.frame import ProjectView
from bleuscope.features.projects.panel_strips import strips_panel
from bleuscope.features.projects.scored_versions import ScoredVersion, ScoredVersions, SystemHistory
from bleuscope.runtime.memo_cache import BackgroundTask
from bleuscope.shell.controls import charts, choices, widgets
from bleuscope.shell.controls.exports import export_menu
from bleuscope.shell.state import links, session, workspace_in_use

CHOSEN = "_chosen_versions"
ONLY_CHANGED = "the texts differ"
TWO = 2


def history_panel(view: ProjectView) -> None:
    """The versions of a system, drawn; a click chooses one of the two that are compared beneath."""
    scored = shared_parts.scored_versions(view)
    if scored is None:
        return
    if not scored.versions:
        shared_parts.nothing_pushed(view)
        return
    history, along = _choices(scored)
    is_slow = shared_parts.are_slow(scored, len(history.versions)) and not _is_tested(view, history)
    history = history if is_slow else replace(history, found=_tests(view, history))
    checks = _checks(view, history)
    are_late = not shared_parts.are_instant(view, checks, len(history.held))
    history = history if are_late else replace(history, findings=checks.value())
    _verdict(history, is_slow=is_slow)
    progress = st.container()
    pair = _pair(history.versions)
    figure = history_figures.history_figure(history, along, pair or ())
    sheet = history_sheets.history_sheet(history)
    points = charts.brushable(figure, "history", sheet.title, sheet, lambda row: (row,))
    if pair is not None:
        st.caption(history_words.BRUSH_CAPTION)
    export_menu(lambda: history_sheets.history_sheet(replace(history, found=_tests(view, history))), "history")
    if history.found is not None and pair is not None:
        widgets.html(explaining(history_words.method_note(history.found), "segments", *OF_METHODS))
    if pair is not None:
        _two_versions(view, history, pair)
        if pair[0] != pair[1]:
            strips_panel(view, history, pair)
    shared_parts.signature(scored)
    shared_parts.system_command(view, scored, history.system)
    if points and pair is not None:
        chosen = sorted({int(point[0]) for point in points if int(point[0]) < len(history.versions)})
        _choose(history.versions, pair, chosen or pair)
    if is_slow or are_late:
        with progress:
            is_tested = not is_slow or _tests(view, history) is not None
            is_checked = are_late and widgets.made_by(finding_words.CHECKING, checks) is not None
        if (is_slow and is_tested) or is_checked:
            st.rerun()


def _choices(scored: ScoredVersions) -> tuple[SystemHistory, history_figures.Along]:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        system = project_frame.choice("System", params.SYSTEM, scored.systems)
        history = SystemHistory(scored, system, scored.by_system[system])
        axes = history_figures.axes_of(history)
        along = choices.segmented(params.ALONG, "Along", axes)
    return history, along


def _verdict(history: SystemHistory, *, is_slow: bool) -> None:
    with st.container(key="verdict-to-come" if is_slow else None):
        widgets.html(explaining(history_words.history_verdict(history), "BLEU"))
        if history.found is not None:
            widgets.html(history_words.optimism_note(history.found, history.scored.metric))
            widgets.html(history_words.alarms_note(history.found))


def _tests(view: ProjectView, history: SystemHistory) -> VersionHistory | None:
    """What tests say of the versions; long ones show progress."""
    is_slow = shared_parts.are_slow(history.scored, len(history.versions))
    return shared_parts.waited_for("Testing the versions …", _tests_work(view, history), is_slow=is_slow)


def _checks(view: ProjectView, history: SystemHistory) -> BackgroundTask[tuple[Finding, ...] | None]:
    """The checks of the texts that the verdict is about."""
    return shared_parts.checks_of(view, history.held, _names(history.held))


def _tests_work(view: ProjectView, history: SystemHistory) -> BackgroundTask[VersionHistory]:
    versions = dict(zip(_names(history.versions), history.versions, strict=True))

    def make(report: Progress | None) -> VersionHistory:
        given = kept_versions.compared_versions(view.workspace, view.project, view.scored_set, versions)
        return version_history(given.runs, view.significance, runs=given.of_versions, progress=report)

    return kept_of_versions.version_history(_key(view, history), make)


def _is_tested(view: ProjectView, history: SystemHistory) -> bool:
    return _tests_work(view, history).is_done


def _key(view: ProjectView, history: SystemHistory) -> tuple[object, ...]:
    return shared_parts.key_of(view, history.versions, _names(history.versions))


def _names(versions: Sequence[ScoredVersion]) -> list[str]:
    return [one.label for one in versions]


def _pair(versions: Sequence[ScoredVersion]) -> tuple[int, int] | None:
    """The places of the two versions that are compared: the last two unless chosen."""
    if len(versions) < TWO:
        return None
    chosen: dict[str, str] | None = session.get(CHOSEN)
    if chosen is not None:  # by a click, before the widgets are drawn
        session.drop(CHOSEN)
        for key, label in chosen.items():
            session.put(key, label)
    labels = _names(versions)
    asked = [session.get(key) or links.given(key) for key in (params.OLDER, params.NEWER)]
    places = [labels.index(one) if one in labels else None for one in asked]
    older = len(labels) - 2 if places[0] is None else places[0]
    newer = len(labels) - 1 if places[1] is None else places[1]
    return older, newer


def _choose(versions: Sequence[ScoredVersion], pair: tuple[int, int], places: Sequence[int]) -> None:
    """Take the ends of a range of versions, or one in place of that of the two which was chosen before the other."""
    first, second = places[0], places[-1]
    if first == second:
        first, second = sorted((pair[1], first)) if first != pair[1] else sorted(pair)
    session.put(CHOSEN, {params.OLDER: versions[first].label, params.NEWER: versions[second].label})
    st.rerun()


def _two_versions(view: ProjectView, history: SystemHistory, pair: tuple[int, int]) -> None:
    """What changed from one version to another."""
    st.header("Two versions", anchor=False)
    versions, labels = history.versions, _names(history.versions)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        for words, key, place in (("From", params.OLDER, len(labels) - 2), ("to", params.NEWER, len(labels) - 1)):
            # None unless chosen: or the address would not name the last one, and mean another after the next push
            choices.selected_if_any(key, words, labels, labels[place])
        both = [versions[place] for place in pair]
        if pair[0] == pair[1]:
            st.info("Choose two different versions.")
            return
        reads = compares = False
        if not workspace_in_use.is_by_link():
            reads = st.button("Read what changed", type="primary", key="read-changes")
            compares = st.button("Compare them", key="compare-versions")
    changes = _changes(view, both) if shared_parts.may_read_texts(view) else None
    if changes is not None:
        widgets.html(
            explaining(
                history_words.changes_verdict(changes, both[0], both[1], history.scored.metric), "segments", *OF_METHODS
            )
        )
    widgets.html(history_words.first_runs_note(both))
    if reads:
        shared_parts.open_comparison(view, both, (0, 1), "segments", where=ONLY_CHANGED)
    if compares:
        shared_parts.open_comparison(view, both, (0, 1), "compare")


def _changes(view: ProjectView, both: Sequence[ScoredVersion]) -> VersionChanges | None:
    """What changed; ``None``, and why in a box, where outputs are gone."""
    of, workspace = view.scored_set, view.workspace

    def make(_: Progress | None) -> VersionChanges:
        older, newer = kept_versions.kept_versions(workspace, view.project, of.test_set, both)
        counts = workspace.results.counts(of, (older, newer))
        return changes_between(
            counts[older.digest],
            counts[newer.digest],
            of.options,
            (workspace.projects.outputs(older), workspace.projects.outputs(newer)),
            names=(older.label, newer.label),
        )

    key = shared_parts.key_of(view, both, _names(both))
    return shared_parts.waited_for(
        "Comparing the versions …",
        kept_of_versions.version_changes(key, make),
        is_slow=len(both) * view.test_set.n_segments > shared_parts.MANY_OUTPUTS,
    )
