"""The report: what it is to hold, made when asked for, and kept until it is fetched."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Literal

import streamlit as st

from bleucore import InputError
from bleucore.counts import Progress
from bleuscope.annotations import Notes, SegmentNote
from bleuscope.content import commands
from bleuscope.content.comparison.comparison_context import ComparisonContext, TestedStudy, compared_metrics, tested
from bleuscope.content.report import (
    SECTIONS,
    Evidence,
    ReportOptions,
    html_report,
    make_report,
    markdown_report,
)
from bleuscope.content.report.choices import (
    LEADING,
    MAX_CHOSEN,
    OF_FEATURES,
    SECTION_NAMES,
    TAGGED,
    SectionName,
    usual_sections,
)
from bleuscope.content.report.evidence import WhyNot
from bleuscope.content.report.words import contents_words, holds_anything
from bleuscope.content.segments.error_marks import MarkedErrors
from bleuscope.content.segments.marked_tokens import MarkedTokens
from bleuscope.content.slides.deck import can_make_slides, slides
from bleuscope.content.style import numbers
from bleuscope.registry import ReportSection, load
from bleuscope.runtime import params
from bleuscope.runtime.memo_cache import BackgroundTask
from bleuscope.shell.controls import choices, widgets
from bleuscope.shell.page.error_spans import marked_errors
from bleuscope.shell.page.reproduction import command_note
from bleuscope.shell.segments import note_versions
from bleuscope.shell.segments.segment_notes import notes_of
from bleuscope.shell.state import cached, links, open_annotations, session

Form = Literal["HTML", "Markdown"]
FORMS: tuple[Form, ...] = ("HTML", "Markdown")
FILES: dict[Form, tuple[str, str]] = {"HTML": ("report.html", "text/html"), "Markdown": ("report.md", "text/markdown")}
REMARKS, REMARKS_DRAWN = "report_remarks", "_remarks_drawn"
MAX_REMARKS = 5_000
"""Characters."""
ENDS_OF_PARTS = (0.0, 0.2, 0.3, 0.6, 1.0)
"""Of tests, checks, evidence and writing, as the progress of a report shows them."""
MAKING, MAKING_SLIDES = "Making the report …", "Making the slides …"
SLIDES_FILE, SLIDES_ICON = "slides.pptx", ":material/slideshow:"
SLIDES_TYPE = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
ENDS_OF_SLIDES = (0.0, 0.5, 1.0)
"""Of tests and checks, as the progress of slides shows them."""
LESS_PLAIN: tuple[SectionName, ...] = ("kinds", "validity", "errors", "checks")
"""Sections whose names do not say what they contain."""
MEGABYTE = 1_000_000
MAKE_ICON = ":material/description:"


@dataclass(frozen=True)
class _Asked:
    """A report as it is asked for.

    Attributes:
        form: Of the file.
        options: What it holds.
        notes: Tags and notes.
        chosen: What was chosen for sections of features, by the names of these.
        marked: The errors that people marked, where it holds these.
    """

    form: Form
    options: ReportOptions
    notes: Notes
    chosen: Mapping[SectionName, Hashable]
    marked: MarkedErrors | None

    @property
    def is_html(self) -> bool:
        """Whether it is a page of its own."""
        return self.form == "HTML"

    def command(self, view: ComparisonContext) -> str:
        """What to type for it."""
        return commands.report_command(
            view,
            self.options,
            is_html=self.is_html,
            has_notes=bool(self.notes),
            of_people=[word for name, one in self.chosen.items() for word in load(OF_FEATURES[name].printed)(one)],
            marked=None if self.marked is None else self.marked.judgements.file,
        )

    def remarks(self) -> tuple[str, ...]:
        """What to do before the command."""
        return (commands.NOTES_FIRST,) if self.notes else ()


def report_panel(view: ComparisonContext) -> None:
    """Ask, say what it comes to, make it, hand it over."""
    widgets.heading("Content")
    asked = _asked(view)
    widgets.html(contents_words(view.evaluation, view.sides, asked.options, is_html=asked.is_html))
    st.caption("To send a link instead, choose *Link to this view* in the sidebar.")
    if not holds_anything(asked.options, is_html=asked.is_html):
        return
    widgets.heading("The file")
    work = _work(view, asked)
    slot = st.empty()
    if widgets.is_asked_for(MAKING, work) or slot.button("Make the report", icon=MAKE_ICON, key="make_report"):
        slot.empty()
        made = widgets.made_by(MAKING, work, is_asked_for=True)
        if made is not None:
            _download(asked.form, made)
    _slides(view, asked)
    command_note(view, asked.command, *asked.remarks(), of_two=True)


def _asked(view: ComparisonContext) -> _Asked:
    notes = notes_of(view)
    form, options = _inputs(view, notes)
    held = [one for one in OF_FEATURES.values() if one.choose and options.holds(one.name)]
    chosen = {one.name: load(one.choose)(view) for one in held}
    known = {name: one for name, one in chosen.items() if one is not None}
    return _Asked(form, options, notes, known, marked_errors(view) if options.holds("errors") else None)


def _offered(view: ComparisonContext) -> tuple[SectionName, ...]:
    """The sections that have something to say."""
    says: dict[SectionName, bool] = {name: load(one.is_offered)(view) for name, one in OF_FEATURES.items()}
    says["errors"] = marked_errors(view) is not None
    return tuple(name for name in SECTION_NAMES if says.get(name, True))


def _inputs(view: ComparisonContext, notes: Notes) -> tuple[Form, ReportOptions]:
    """What the report is to hold. All but the remarks is in the address."""
    left, right = st.columns([3, 2], gap="large")
    with left:
        title, date = _title_inputs(view)
        remarks = _remarks_input(view)
    with right:
        form = choices.segmented(
            params.REPORT_FORM,
            "Format",
            FORMS,
            help=("HTML: one file with charts, also offline. Markdown: the same for an issue or a wiki."),
        )
        chosen = _chosen_segments(view, notes)
        is_full = form == "HTML" and st.toggle(
            f"List all {numbers.counted(view.test_set.n_segments, 'segment')}",
            help=("A list to search. 50,000 segments take a minute or two."),
            **params.REPORT_FULL.bound(),
        )
    offered = _offered(view)
    session.keep_several(params.REPORT_SECTIONS, offered)
    sections = st.pills(
        "Sections",
        offered,
        selection_mode="multi",
        default=usual_sections(view),
        help="; ".join(f"{name}: {SECTIONS[name]}" for name in offered if name in LESS_PLAIN) + ".",
        **params.REPORT_SECTIONS.bound(),
    )
    n_segments, picked = chosen
    return form, ReportOptions(
        title=title or None,
        remarks=remarks,
        sections=tuple(name for name in SECTION_NAMES if name in sections),
        n_segments=n_segments,
        chosen=picked,
        is_full=is_full,
        date=date or None,
    )


def _remarks_input(view: ComparisonContext) -> str:
    """Remarks, which are too long for an address and are kept as notes are."""
    said, digest = open_annotations.work_on(view.test_set).remarks, view.test_set.texts_digest
    drawn_for, drawn = session.get(REMARKS_DRAWN, (None, None))
    not_saved = open_annotations.conflict(view.test_set, None)
    if drawn_for == digest and said != drawn and session.get(REMARKS, drawn) == drawn and not_saved is None:
        session.put(REMARKS, said)  # another window of this browser said it
    remarks = st.text_area(
        "Remarks",
        said if not_saved is None else not_saved.note,
        key=REMARKS,
        placeholder="Remarks for readers, in plain text",
        max_chars=MAX_REMARKS,
        height=110,
        persist_state="session",
    )
    remarks = remarks or ""
    if remarks != said and (not_saved is None or remarks != not_saved.note):
        base = drawn if drawn_for == digest else note_versions.base_of_unknown(view.test_set, None, remarks)
        _save_remarks(view, base if not_saved is None else not_saved.note, remarks)
    session.put(REMARKS_DRAWN, (digest, remarks))
    _remarks_versions(view, remarks)
    return open_annotations.work_on(view.test_set).remarks


def _save_remarks(view: ComparisonContext, base: str | None, remarks: str) -> None:
    if base is not None:
        open_annotations.save(view.test_set, None, SegmentNote(note=base), SegmentNote(note=remarks))
        return
    session.put(REMARKS_DRAWN, (view.test_set.texts_digest, remarks))
    st.rerun()  # an earlier version that an old page shows makes room for the current one


def _remarks_versions(view: ComparisonContext, remarks: str) -> None:
    def show(said: SegmentNote) -> None:
        session.put(REMARKS, said.note)

    both = f"{remarks}\n\n{open_annotations.work_on(view.test_set).remarks}"
    joined = SegmentNote(note=both) if len(both) <= MAX_REMARKS else None
    note_versions.conflict_panel(view.test_set, None, SegmentNote(note=remarks), joined, show)
    note_versions.earlier_versions(view.test_set, None, show)


def _title_inputs(view: ComparisonContext) -> tuple[str, str]:
    """The title and the date, empty where nothing is typed."""
    left, right = st.columns([3, 1])
    with left:
        title = st.text_input(
            "Title", placeholder=view.title, max_chars=params.REPORT_TITLE.most, **params.REPORT_TITLE.bound()
        )
    with right:
        date = st.text_input(
            "Date",
            placeholder="none",
            max_chars=params.REPORT_DATE.most,
            help="Without a date, the same results give the same file.",
            **params.REPORT_DATE.bound(),
        )
    return (title or "").strip(), (date or "").strip()


def _chosen_segments(view: ComparisonContext, notes: Notes) -> tuple[int, tuple[int, ...] | None]:
    """How many segments each way to write out, or which ones."""
    which = LEADING
    if notes:
        which = choices.segmented(params.REPORT_WHICH, "Segments in full", (LEADING, TAGGED))
    if which == TAGGED:
        return 0, tuple(sorted(notes))[:MAX_CHOSEN]
    number = st.number_input(
        "Segments in full, per system" if view.compares else "Segments in full",
        0,
        100,
        ReportOptions.n_segments,
        help=("The most influential for A and for B, with tags and notes."),
        **params.REPORT_SEGMENTS.bound(),
    )
    return int(number), None


def _key(view: ComparisonContext, asked: _Asked) -> Hashable:
    """All that a report is made of."""
    return (
        *_key_of_study(view),
        (asked.form, asked.options, tuple(sorted(asked.notes.items()))),
        (tuple(asked.chosen.items()), asked.marked),
    )


def _key_of_study(view: ComparisonContext) -> tuple[Hashable, ...]:
    return (
        view.test_set.digest,
        view.title,
        view.loaded.inputs,
        tuple(metric.options for metric in view.evaluation.metrics.values()),
        view.significance,
        (view.baseline, *view.sides, view.metric.name, view.by_hand),
    )


def _work(view: ComparisonContext, asked: _Asked) -> BackgroundTask[bytes]:
    """The report as a file. It cannot be made where what it is to hold cannot."""

    def make(report: Progress | None) -> bytes:
        move = report or (lambda _: None)
        tests, checks, evidence, rest = (partial(_move_part, move, *ends) for ends in pairwise(ENDS_OF_PARTS))
        made = make_report(
            _tested(view, tests),
            asked.options,
            findings=cached.findings(view.test_set, view.options.tokenizer).part_of_other(checks),
            tags=asked.notes,
            evidence=_evidence(view, asked, evidence),
            command=_command(view, asked),
            progress=rest,
        )
        return (html_report(made) if asked.is_html else markdown_report(made)).encode()

    return cached.report(_key(view, asked), make)


def _slides(view: ComparisonContext, asked: _Asked) -> None:
    """Six slides, where python-pptx is there."""
    if not can_make_slides():
        return
    title, date = asked.options.title, asked.options.date

    def make(report: Progress | None) -> bytes:
        move = report or (lambda _: None)
        tests, checks = (partial(_move_part, move, *ends) for ends in pairwise(ENDS_OF_SLIDES))
        findings = cached.findings(view.test_set, view.options.tokenizer).part_of_other(checks)
        study = replace(_tested(view, tests), findings=tuple(findings))
        return slides(study, findings, title=title, date=date)

    work = cached.report((SLIDES_FILE, *_key_of_study(view), title, date), make)
    slot = st.empty()
    if widgets.is_asked_for(MAKING_SLIDES, work) or slot.button("Make six slides", icon=SLIDES_ICON, key="make_slides"):
        slot.empty()
        made = widgets.made_by(MAKING_SLIDES, work, is_asked_for=True)
        if made is not None:
            st.download_button(
                f"Save {SLIDES_FILE} ({max(1, len(made) // 1000)} kB)",
                lambda: made,
                SLIDES_FILE,
                SLIDES_TYPE,
                icon=":material/download:",
                on_click="ignore",
                key="save_slides",
            )


def _move_part(move: Progress, start: float, end: float, share: float) -> None:
    move(start + (end - start) * share)


def _tested(view: ComparisonContext, report: Progress) -> TestedStudy:
    """What the report is about, with all tests; made here, because a page is not there to wait with."""
    metrics = compared_metrics(view.evaluation)
    found = {}
    for place, one in enumerate(metrics):
        work = cached.comparison(view.test_set, one, view.significance)
        part = partial(_move_part, report, place / len(metrics), (place + 1) / len(metrics))
        found[one.name] = work.part_of_other(part).with_baseline(view.baseline)
    first, *others = metrics
    return tested(view, found[first.name], {one.name: found[one.name] for one in others})


def _evidence(view: ComparisonContext, asked: _Asked, report: Progress) -> Evidence:
    """What features and people say of the scores, shared with their pages."""
    held = [one for one in OF_FEATURES.values() if asked.options.holds(one.name)]
    parts = (partial(_move_part, report, place / len(held), (place + 1) / len(held)) for place in range(len(held)))
    return Evidence(
        found={one.name: _found(view, asked, one, part) for one, part in zip(held, parts, strict=True)},
        marked=None if asked.marked is None else _marked(view, asked.marked),
    )


def _found(view: ComparisonContext, asked: _Asked, section: ReportSection, report: Progress) -> object:
    """What a feature finds, or why it finds nothing; ``None`` where nothing was chosen."""
    if not section.choose:
        return load(section.work)(view).part_of_other(report)
    chosen = asked.chosen.get(section.name)
    try:
        return None if chosen is None else load(section.work)(view, chosen).part_of_other(report)
    except InputError as error:
        return WhyNot(str(error))


def _marked(view: ComparisonContext, marked: MarkedErrors) -> MarkedTokens:
    judged = [name for name in view.evaluation.ranked() if name in marked.judgements.systems]
    counted = {name: cached.credited_and_marked(view.test_set, view.options, marked, name) for name in judged}
    return MarkedTokens(marked.judgements, counted)


def _command(view: ComparisonContext, asked: _Asked) -> str | None:
    """What to type, beneath what it does not say as comments; none where no command says it."""
    if not view.compares and len(view.evaluation.names) > 1:
        return None
    unsaid = (*asked.remarks(), *commands.remarks(view, is_upload=links.is_upload(view.loaded.origin)))
    return "\n".join([*(f"# {sentence}" for sentence in unsaid), asked.command(view)])


def _download(form: Form, made: bytes) -> None:
    name, media_type = FILES[form]
    size = f"{len(made) / MEGABYTE:.1f} MB" if len(made) >= MEGABYTE / 10 else f"{max(1, len(made) // 1000)} kB"
    st.download_button(
        f"Save {name} ({size})",
        lambda: made,
        name,
        media_type,
        icon=":material/download:",
        on_click="ignore",
        key="save_report",
    )
