"""Segments over the versions of a system: which went how between two of them, and the texts of one."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import streamlit as st

from bleucore.counts import Progress
from bleucore.history import COURSES, SegmentStrips, segment_strips
from bleuscope.features.projects import figures_strips as strip_figures
from bleuscope.features.projects import kept as kept_of_versions
from bleuscope.features.projects import kept_versions, params, shared_parts
from bleuscope.features.projects import words_strips as strip_words
from bleuscope.features.projects.figures_strips import MOST_ROWS, ShownStrips, shown_places
from bleuscope.features.projects.frame import ProjectView
from bleuscope.features.projects.scored_versions import ScoredVersion, SystemHistory
from bleuscope.features.projects.words_strips import StripTexts
from bleuscope.shell.controls import charts, choices, widgets
from bleuscope.shell.controls.exports import export_menu
from bleuscope.shell.state import session
from bleuscope.workspace.projects import KeptVersion
from bleuscope.workspace.results import Counts

NUMBER_WIDTH = 170


def strips_panel(view: ProjectView, history: SystemHistory, pair: tuple[int, int]) -> None:
    """The segments that changed most between two versions, over all versions around them; one opens its texts.

    Args:
        view: What the page is about.
        history: The system with all its versions.
        pair: The places of the two versions.
    """
    st.header("Segment by segment", anchor=False)
    course = choices.segmented(params.COURSE, "Segments that", COURSES)
    older, newer = sorted(pair)
    places = shown_places(len(history.versions), history.scored.n_segments, older, newer)
    of_shown = replace(history, versions=history.versions[places.start : places.stop], found=None)
    strips = _strips(view, of_shown)
    if strips is None:
        return
    older, newer = older - places.start, newer - places.start
    rows = strips.most(course, older, newer, MOST_ROWS).tolist()
    begins = tuple(next(iter(_references(view, row)), "") for row in rows)
    shown = ShownStrips(of_shown, strips, older, newer, course, tuple(rows), begins)
    if rows:
        figure, sheet = strip_figures.strips_figure(shown), strip_figures.strips_sheet(shown)
        point = charts.clickable(figure, "strips", sheet.title, sheet, lambda row: (rows[row],))
        export_menu(lambda: sheet, "strips")
        st.caption(strip_words.CAPTION)
        widgets.html(strip_words.strips_note(shown, len(history.versions)))
        if point is not None:
            session.put(params.STRIP, int(point[0]) + 1)
    else:
        st.caption(strip_words.NONE_OF.format(course))
    _one_segment(view, shown)


def _one_segment(view: ProjectView, shown: ShownStrips) -> None:
    """The texts of the segment that is open, one version beneath the other."""
    n_segments = shown.history.scored.n_segments
    session.keep_number(params.STRIP, n_segments)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        number = st.number_input(
            "Segment over the versions",
            1,
            n_segments,
            None,
            placeholder="open #",
            width=NUMBER_WIDTH,
            **params.STRIP.bound(),
        )
        reads = number is not None and st.button("Read it in Segments", key="read-strip")
    if number is None:
        return
    segment = int(number) - 1
    outputs = _outputs(view, shown.versions, segment)
    if outputs is None:
        return
    texts = StripTexts(outputs, _references(view, segment), view.bleu, view.test_set.languages[1])
    widgets.heading(f"Segment {number} over the versions")
    widgets.html(strip_words.strip_html(shown, segment, texts))
    export_menu(lambda: strip_figures.strip_sheet(shown, segment, outputs), "strip")
    if reads:
        both = [shown.versions[shown.older], shown.versions[shown.newer]]
        shared_parts.open_comparison(view, both, (0, 1), "segments", segment=segment)


def _strips(view: ProjectView, history: SystemHistory) -> SegmentStrips | None:
    """The scores of all segments on the versions that are shown; ``None``, and why in a box, where counts are gone."""

    def make(report: Progress | None) -> SegmentStrips:
        rows = kept_versions.kept_versions(view.workspace, view.project, view.test_set, history.versions)
        return segment_strips(_counts(view, rows, report), view.scored_set.options)

    key = shared_parts.key_of(view, history.versions, [one.label for one in history.versions])
    return shared_parts.waited_for(
        "Following the segments …",
        kept_of_versions.segment_strips(key, make),
        is_slow=shared_parts.are_slow(history.scored, len(history.versions)),
    )


def _counts(view: ProjectView, versions: Sequence[KeptVersion], report: Progress | None) -> Iterator[Counts]:
    """The counts of one version after the other: those of all at once would take ten times as much as their scores."""
    for place, one in enumerate(versions, start=1):
        yield view.workspace.results.counts(view.scored_set, [one])[one.digest]
        if report is not None:
            report(place / len(versions))


def _outputs(view: ProjectView, versions: tuple[ScoredVersion, ...], segment: int) -> tuple[str, ...] | None:
    """What the versions made of a segment."""

    def make(report: Progress | None) -> tuple[str, ...]:
        rows = kept_versions.kept_versions(view.workspace, view.project, view.test_set, versions)
        found: dict[str, str] = {}
        for place, one in enumerate(rows, start=1):
            if one.digest not in found:
                found[one.digest] = view.workspace.projects.outputs(one)[segment]
            if report is not None:
                report(place / len(rows))
        return tuple(found[one.digest] for one in rows)

    key = (view.test_set.digest, tuple(one.digest for one in versions), segment)
    return shared_parts.waited_for(
        "Reading the versions …",
        kept_of_versions.strip_outputs(key, make),
        is_slow=len(versions) * view.test_set.n_segments > shared_parts.MANY_OUTPUTS,
    )


def _references(view: ProjectView, segment: int) -> tuple[str, ...]:
    """The references of a segment that there are."""
    kept = kept_of_versions.kept_references(
        view.test_set.digest, lambda: view.workspace.projects.references(view.test_set)
    )
    return tuple(text for column in kept.columns if (text := column[segment]) is not None)
