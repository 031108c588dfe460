"""Annotations of the open texts: progress, agreement, disagreements with decisions, scores, exports."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from bleucore import InputError
from bleucore.annotation.events import Commented, EventBody, Finished, ItemState, Marked, Removed, Scored
from bleucore.annotation.held import Said, adjudicator_of, is_adjudicator, refuse_without_weight, what_holds
from bleucore.annotation.marks import Mark
from bleucore.annotation.results import Disagreement
from bleucore.judgements.averaging import MqmWeights, written_weights
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.comparison.inputs import FileBeside
from bleuscope.content.sheets.forms import FORMS as FILES
from bleuscope.content.style.sentences import note
from bleuscope.features.annotation import commands, kept, marked_texts, params, sheets, words
from bleuscope.features.annotation.exporting import LABELS, download, forms_of, table_file
from bleuscope.features.annotation.outcome import Outcome
from bleuscope.features.annotation.store import AnnotationStore
from bleuscope.shell.controls import choices, widgets
from bleuscope.shell.controls.exports import shown_table
from bleuscope.shell.page.reproduction import command_note
from bleuscope.shell.page.score_files import show_file
from bleuscope.shell.state import links, session, workspace_in_use
from bleuscope.shell.state.page_end import end_page
from bleuscope.shell.state.page_list import PAGES
from bleuscope.workspace.people import Person

SAID = "_annotation_decided"
MOST_SIDE_BY_SIDE = 200
MEDIA = {"tsv": FILES["tsv"].media_type, "xlsx": FILES["xlsx"].media_type, "zip": "application/zip"}


def results_panel(view: ComparisonContext) -> None:
    """The results of one task of the open texts; without one, how to plan it."""
    somebody = None if workspace_in_use.is_by_link() else workspace_in_use.somebody()
    store = None if somebody is None else AnnotationStore(somebody[0])
    digest = view.loaded.as_read.test_set.texts_digest
    tasks = () if store is None or somebody is None else store.tasks(somebody[1], digest)
    if store is None or somebody is None or not tasks:
        st.info(words.NO_TASK)
        st.caption(words.HOW_TO_PLAN)
        widgets.copyable(commands.plan_command(view))
        end_page()
    names = {one.id: f"{one.title} ({one.created_at:%Y-%m-%d}, {one.id})" for one in tasks}
    chosen = choices.selected(params.TASK, "Task", names, format_func=names.__getitem__)
    found = kept.outcome_of(store, chosen, _weights(store, chosen))
    row = next(one for one in tasks if one.id == chosen)
    _say_what_was_done()
    shown_table(sheets.progress_sheet(found))
    if not found.seconds and any(found.n_finished.values()):
        st.caption(words.TIME_HIDDEN)
    st.header("Agreement", anchor=False)
    widgets.html(note("{}", words.agreement_words(found.agreement, words.unit_of(found))))
    if found.agreement.n_shared:
        shown_table(sheets.agreement_sheet(found))
        shown_table(sheets.pairs_sheet(found))
        _disagreements(store, found, somebody[1] if store.may_decide(somebody[1], row) else None)
    _scores(view, found)
    _kinds(found)
    _exports(view, found)
    command_note(view, lambda _: commands.results_command(found), with_metrics=False)


def _weights(store: AnnotationStore, task_id: str) -> MqmWeights | None:
    """Own weights of errors, asked for where scores follow from marks."""
    if store.task(task_id).scheme.has_slider:
        return None
    written = st.text_input("What errors cost", help="As in major=10, minor=1.", **params.ANNOTATION_WEIGHTS.bound())
    try:
        weights = written_weights(written) if written.strip() else None
        if weights is not None:
            refuse_without_weight(what_holds(store.task(task_id), store.states(task_id)), weights)
    except InputError as error:
        st.error(widgets.plain(str(error)))
        return None
    return weights


def _scores(view: ComparisonContext, found: Outcome) -> None:
    st.header("Scores of systems", anchor=False)
    try:
        sheet = sheets.systems_sheet(found)
    except InputError as error:  # an error without a weight
        st.error(widgets.plain(str(error)))
        return
    widgets.html(note("{}", words.scores_words(found)))
    if len(sheet.frame):
        shown_table(sheet, view.looks)


def _kinds(found: Outcome) -> None:
    """What was marked of each kind of error; nothing before an output is finished."""
    if found.kinds is None:
        return
    st.header("Marked, by kind of error", anchor=False)
    widgets.html(note("{}", words.kinds_words(found)))
    shown_table(sheets.kinds_sheet(found))


def _disagreements(store: AnnotationStore, found: Outcome, who: Person | None) -> None:
    """The outputs of which annotators say different things, one of them side by side; with buttons to decide."""
    st.header("Disagreements", anchor=False)
    widgets.html(note("{}", words.disagreement_words(found)))
    if not found.disagreements:
        return
    by_item = {one.said[0].item.id: one for one in found.disagreements[:MOST_SIDE_BY_SIDE]}
    labels = {item: _label(one) for item, one in by_item.items()}
    chosen = choices.selected(params.ADJUDICATED, "Output", labels, format_func=labels.__getitem__)
    one = by_item[chosen]
    item = one.said[0].item
    if item.source:
        widgets.html(marked_texts.plain_text("Source", item.source, found.task.languages[0]))
    columns = st.columns(len(one.said), gap="medium")
    for column, said in zip(columns, one.said, strict=True):
        with column:
            widgets.html(marked_texts.marked_text(found.task, said))
            if who is None:
                continue
            st.button(
                f"Decide as {widgets.plain(said.annotator)}",
                key=f"decide-{item.id}-{said.annotator}",
                on_click=_decide,
                args=(store, found, who, one, said.annotator, partial(_as_said, said)),
            )
    if who is not None:
        st.button(
            "Keep the marks of all",
            key=f"decide-{item.id}-all",
            on_click=_decide,
            args=(store, found, who, one, "all", partial(_all_marks, one)),
        )
        st.caption(words.DECIDE)
    shown_table(sheets.disagreements_sheet(found))


def _label(one: Disagreement) -> str:
    text = one.said[0].item.text
    shown = text if len(text) <= 60 else f"{text[:60]}…"  # noqa: PLR2004  # characters of a list
    return shown if one.decision is None else f"✓ {shown}"


def _decide(
    store: AnnotationStore,
    found: Outcome,
    who: Person,
    one: Disagreement,
    whose: str,
    bodies: Callable[[ItemState], list[EventBody]],
) -> None:
    """Store what somebody decided: events of theirs, which nobody overwrites; a callback."""
    item, called = one.said[0].item.id, one.decision and one.decision.annotator
    annotator = called if called and is_adjudicator(called, who.id) else adjudicator_of(who.id, who.name)
    try:
        before = store.state(found.task.id, item, annotator)
        said = [*bodies(before), Commented(f"as {whose}"), Finished(0.0)]
        store.append_decision(found.task.id, item, annotator, said, before.revision)
    except InputError as error:
        session.put(SAID, (str(error), True))
        return
    session.put(SAID, (f"{who.name} decided: as {whose}.", False))


def _as_said(said: Said, before: ItemState) -> list[EventBody]:
    marks = said.state.marks.values()
    return [*_instead(before, list(marks)), Scored(said.state.score)]


def _all_marks(one: Disagreement, before: ItemState) -> list[EventBody]:
    marks = dict.fromkeys(mark for said in one.said for mark in said.state.marks.values())
    scores = [said.state.score for said in one.said if said.state.score is not None]
    mean = sum(scores) / len(scores) if scores else None
    return [*_instead(before, list(marks)), Scored(mean)]


def _instead(before: ItemState, marks: list[Mark]) -> list[EventBody]:
    """These marks instead of those of an earlier decision."""
    first = before.revision
    return [
        *(Removed(name) for name in before.marks),
        *(Marked(f"d{first}-{place}", mark) for place, mark in enumerate(marks)),
    ]


def _say_what_was_done() -> None:
    """Show once what came of the last decision."""
    said: tuple[str, bool] | None = session.get(SAID)
    session.drop(SAID)
    if said is not None:
        (st.error if said[1] else st.success)(widgets.plain(said[0]))


def _exports(view: ComparisonContext, found: Outcome) -> None:
    """Every form that holds the annotations, and the way into Human judgements."""
    st.header("Export", anchor=False)
    with st.container(horizontal=True, gap="small", key="annotation-files"):
        for form in forms_of(found):
            try:
                name, make = download(found, form)
            except InputError as error:
                st.caption(widgets.plain(f"{LABELS[form]}: {error}"))
                continue
            st.download_button(
                LABELS[form],
                make,
                name,
                MEDIA.get(name.rpartition(".")[2], "text/plain"),
                icon=":material/download:",
                on_click="ignore",
                key=f"annotation-file-{form}",
            )
    if any(found.n_finished.values()) and st.button(words.FEED, help=words.FEED_HELP, key="annotation-feed"):
        _feed(view, found)


def _feed(view: ComparisonContext, found: Outcome) -> None:
    """Have Human judgements, and all that reads judgements, read the annotations as a file."""
    try:
        show_file(view.loaded, FileBeside(*table_file(found)))
    except InputError as error:
        st.error(widgets.plain(str(error)))
        return
    if words.JUDGEMENTS_PAGE in PAGES:
        links.go_to(words.JUDGEMENTS_PAGE)
    st.success(words.FED)
