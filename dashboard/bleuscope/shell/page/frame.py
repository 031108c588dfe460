"""What surrounds every page: the open test set, the sidebar, and the evaluation under the chosen options."""

from dataclasses import replace

import streamlit as st
from markupsafe import Markup

from bleucore import InputError
from bleucore.checks import gravest_first
from bleucore.experiments.design import NAMES_ALONE
from bleuscope.content.comparison import link_notes, screen_reader, share_words
from bleuscope.content.comparison.comparison_context import (
    BESIDE_BLEU,
    ComparisonContext,
    metrics_beside_bleu,
    study_of,
    usual_sides,
)
from bleuscope.content.comparison.inputs import Inputs, Loaded, Settings
from bleuscope.content.comparison.link_notes import LinkTarget
from bleuscope.content.style.markup import sides_html
from bleuscope.registry import Page, load, run_naming
from bleuscope.runtime import params
from bleuscope.shell.controls import widgets
from bleuscope.shell.disk.files import NAMED_FILES, SAMPLE, from_environment, load_sample
from bleuscope.shell.page import (
    file_overrides,
    named_views,
    new_session,
    page_row,
    renaming,
    text_status,
    tour,
)
from bleuscope.shell.page.score_files import with_scores
from bleuscope.shell.page.scoring import is_large, scored
from bleuscope.shell.page.share_panel import share_panel
from bleuscope.shell.page.significance_settings import significance_options
from bleuscope.shell.page.tokenizer_proposal import propose, tokenizer_alarm
from bleuscope.shell.page.where_from import way_back
from bleuscope.shell.state import (
    cached,
    kept_attachments,
    kept_comparisons,
    links,
    session,
    text_checks,
    workspace_in_use,
)
from bleuscope.shell.state.blind_state import hides_names
from bleuscope.shell.state.page_end import end_page
from bleuscope.shell.state.page_list import READING
from bleuscope.streamlit_port import DeltaGenerator
from bleuscope.workspace.errors import WorkspaceError

VIEW = "_view"
TARGET = "_link_target"
PAGE_OF_BLEU, PAGE_OF_TEXTS = "ngrams", "segments"
HEADS = {"overview": "head-of-answer"}
"""What style sheets call the head of a page, where it has a style of its own."""


def skip_link(page: Page | None) -> None:
    """The first stop of the keyboard: the way past all controls, where a page has texts."""
    if page is not None and page.name == PAGE_OF_TEXTS:
        widgets.html(Markup('<button type="button" class="bs-skip">Skip to the texts</button>'))


def view_on_screen() -> ComparisonContext | None:
    """The comparison on screen; ``None`` where nothing is open."""
    found: ComparisonContext | None = session.get(VIEW)
    return found


def missed_note() -> None:
    """Say what the address chose that is not here, until it is seen to; behind everything else."""
    missed = session.missed()
    if missed:
        st.warning(widgets.plain(link_notes.missed_words(missed)), icon=":material/link_off:")
        st.button("Go on with what is shown", on_click=session.ask, args=({},), key="_go_on_without")


def draw(page: Page) -> None:
    """What surrounds a page: its title, the sidebar, the systems to compare, and behind them the scores.

    Drawn by the script of all pages and not by the page: Streamlit ties a widget to the script that draws it, and
    these have to outlive a change of page.
    """
    links.read()
    if not page.is_of_comparison:
        load(page.frame)(page)
        return
    page_row.draw_sections(page)
    head = st.container(horizontal=True, vertical_alignment="center", key=HEADS.get(page.name, "head"))
    title_place = _title_place(page, head)
    pair_place = head.container(horizontal=True, vertical_alignment="center", key="pair")
    as_read = open_test_set()
    _link_problem_note(as_read)
    new_session.note(as_read)
    if as_read is None:
        _command_line_note()
        st.set_page_config(page_title=f"{page.title} · bleuscope")
        session.drop(VIEW)
        return
    loaded = renaming.named(as_read, is_linked=_link_problem(_link_target(), as_read) is None)
    loaded = file_overrides.with_what_was_said(loaded)
    st.set_page_config(page_title=f"{page.title} · {loaded.title} · bleuscope")
    links.take_settings()
    tour.draw(page, loaded.inputs)
    text_status.draw(page, loaded.test_set, head)
    with st.sidebar:
        widgets.test_set_card(loaded)
        way_back()
        _open_tools(as_read, page)
        baseline = widgets.baseline_choice(loaded.test_set)
        options = widgets.scoring_options(propose(loaded.test_set))
        metrics = metrics_beside_bleu(widgets.further_metrics())
        significance = significance_options(
            has_documents=loaded.test_set.documents is not None, has_items=loaded.test_set.items is not None
        )
    if not page.shows_findings:
        tokenizer_alarm(loaded.test_set, options.tokenizer)
    if page.shows_findings and is_large(loaded.test_set) and not cached.is_evaluated(loaded.test_set, options, metrics):
        metrics = tuple(one for one in metrics if one != BESIDE_BLEU)  # it comes once BLEU is on screen
    evaluation = with_scores(scored(loaded.test_set, options, metrics), loaded.test_set, as_read.test_set)
    sides = usual_sides(evaluation, baseline, loaded.opens_on)
    metric = evaluation.bleu
    if page.is_of_two and max(len(evaluation.names), len(evaluation.metrics)) > 1:
        with pair_place:
            sides = widgets.pair_choice(evaluation.names, sides, page.part_drawn_first)
            metric = metric if page.name == PAGE_OF_BLEU else widgets.metric_choice(evaluation)
    naming = run_naming()
    by_hand = NAMES_ALONE if naming is None else load(naming.on_pages)(loaded.test_set)
    settings = Settings(significance=significance, baseline=baseline, pair=sides, metric=metric.name, by_hand=by_hand)
    study = study_of(loaded, evaluation, settings)
    session.put(VIEW, study)
    if page.is_of_two and len(sides) > 1 and not (page.part_drawn_first == READING and hides_names(study)):
        with head:
            widgets.html(sides_html(study.looks, sides, "bs-sides-phone"))
    if page.name != PAGE_OF_TEXTS:
        widgets.say(screen_reader.page_words(_titled(page, study, title_place), study, is_of_two=page.is_of_two))


def _title_place(page: Page, head: DeltaGenerator) -> DeltaGenerator:
    """Where the title stands, which may change once something is open."""
    place = head.empty() if page.title_of else head
    place.title(page.title, anchor=False)
    return place


def _titled(page: Page, study: ComparisonContext, place: DeltaGenerator) -> str:
    """What a page is called, written in its place where that depends on what is open."""
    if not page.title_of:
        return page.title
    title = str(load(page.title_of)(study))
    place.title(title, anchor=False)
    return title


def _open_tools(loaded: Loaded, page: Page) -> None:
    """The link to what is shown, and the way to the names; nothing for a reader by link."""
    with st.container(horizontal=True, key="open-tools"):
        if workspace_in_use.is_by_link():
            return
        _link_popover(loaded, page)
        if st.button("Rename", type="tertiary", icon=":material/edit:", key="rename"):
            session.put(renaming.IS_OPEN, True)  # noqa: FBT003  # a note in the session
            links.go_to("test_set")


def link_fails() -> bool:
    """Whether this session began with a link to texts that nobody can read, or that are not there."""
    return session.loaded() is None and _link_problem(_link_target(), None) is not None


def open_view() -> ComparisonContext:
    """What a page shows; without a test set the page ends with what to do."""
    view: ComparisonContext | None = session.get(VIEW)
    if view is None and link_fails():
        end_page()
    if view is None:
        st.markdown("**Nothing to show yet.** Open a test set first, or look at the sample comparison.")
        with st.container(horizontal=True, key="nothing-open"):
            if st.button("Open a test set", type="primary"):
                links.go_to("test_set")
            if st.button("Open the sample comparison"):
                show(load_sample())
                st.rerun()
        end_page()
    found = text_checks.found_in(view.test_set)
    if found is not None:
        found = gravest_first([*cached.scoring_findings(view.test_set, view.options.tokenizer), *found])
    return replace(view, findings=found)


def open_test_set() -> Loaded | None:
    """The test set on screen; at the start of a session the one that the address or the command line names."""
    target = _link_target()
    _hide_if_refused()
    if session.loaded() is None and target.fault is None:
        named = _named_by_address() or _named_by_command_line()
        if named is not None and target.origin in (None, named.origin):
            session.show(named)
    loaded = session.loaded()
    if workspace_in_use.is_by_link() and (loaded is None or _link_problem(target, loaded) is not None):
        widgets.html(share_words.GONE)
        end_page()
    if _link_problem(target, loaded) is not None:
        if target.fault is None:
            links.write_test_set(target.origin, target.digest)  # as it was: a reload finds what is opened by then
    elif loaded is not None:
        links.write_test_set(loaded.origin, link_notes.short_digest(loaded.test_set.digest))
    else:
        links.write_test_set(None, None)
    if loaded is not None:
        kept_comparisons.keep(loaded)
    return loaded


def _hide_if_refused() -> None:
    """Take texts of a project off the screen where whoever reads them may not any more."""
    loaded = session.loaded()
    if loaded is None or loaded.project is None:
        return
    try:
        workspace_in_use.project(loaded.project, "read texts")
    except InputError as error:
        session.hide()
        st.error(widgets.plain(str(error)), icon=":material/lock:")


def show(loaded: Loaded) -> None:
    """Put a test set on screen and name it in the address; never in a session that a link let in."""
    if workspace_in_use.is_by_link():
        return
    current = session.loaded()
    if current is not None and current.test_set.digest != loaded.test_set.digest:
        links.write(params.SCORES, None)
        links.write(params.JUDGEMENTS, None)
        links.write_said_of_files((), moves_spans=False)
        links.write_given_words()
        links.write_all(params.NAMES, ())
    session.show(loaded)
    if loaded.origin not in (SAMPLE, NAMED_FILES):
        cached.keep_upload(loaded)
    session.ask({})
    session.put(TARGET, LinkTarget())
    links.write_test_set(loaded.origin, link_notes.short_digest(loaded.test_set.digest))


def _link_target() -> LinkTarget:
    """What the link was made for that this session began with, until something else is opened."""
    target: LinkTarget | None = session.get(TARGET)
    if target is None:
        fault = links.fault(*params.opening("texts"))
        scores = links.given(params.SCORES)
        lacks_scores = scores is not None and not (cached.SCORES.find(scores) or kept_attachments.has("scores", scores))
        marks = links.given(params.JUDGEMENTS)
        lacks_scores |= marks is not None and not (
            cached.JUDGEMENTS.find(marks) or kept_attachments.has("judgements", marks)
        )
        target = LinkTarget(links.given(params.DATA), links.given(params.DIGEST), lacks_scores, fault)
        session.put(TARGET, target)
    return target


def _link_problem(target: LinkTarget, loaded: Loaded | None) -> str | None:
    """Why what is open is not what the link was made for, and what to do; ``None`` if it is."""
    if target.fault is not None:
        return target.fault
    if target.origin is not None and (loaded is None or loaded.origin != target.origin):
        return link_notes.UPLOAD_GONE if links.is_upload(target.origin) else link_notes.FILES_GONE
    if loaded is None or target.digest in (None, link_notes.short_digest(loaded.test_set.digest)):
        return None
    return link_notes.changed_data(loaded.title, loaded.test_set.digest, str(target.digest))


def _link_problem_note(loaded: Loaded | None) -> None:
    """Say where a link is opened on other data than it was made for, until it is seen to."""
    target = _link_target()
    problem = _link_problem(target, loaded)
    if problem is not None:
        st.warning(widgets.plain(problem), icon=":material/link_off:")
    if target.lacks_scores:
        st.warning(widgets.plain(link_notes.SCORES_GONE), icon=":material/link_off:")
    if loaded is None and problem is not None:
        st.button("Start anew", on_click=_start_anew, key="_start_anew")
    elif problem is not None or target.lacks_scores:
        st.button("Go on with what is shown", on_click=session.put, args=(TARGET, LinkTarget()), key="_go_on")


def _start_anew() -> None:
    """Forget the link, and open what the server was started on; a callback."""
    links.drop_all()
    session.ask({})
    session.put(TARGET, LinkTarget())


def _link_popover(loaded: Loaded, page: Page) -> None:
    """The address to copy, written when it is asked for: what a click on this page changed is in it then."""
    popover = st.popover("Link to this view", type="tertiary", icon=":material/link:", key="link", on_change="rerun")
    if not popover.open:
        return
    with popover:
        address = links.address(loaded.origin, link_notes.short_digest(loaded.test_set.digest))
        st.code(address, language=None, wrap_lines=True)
        st.caption(link_notes.EXPLANATION)
        if loaded.origin != SAMPLE:
            keeps = workspace_in_use.workspace() is not None and kept_comparisons.fault(loaded) is None
            of_upload = link_notes.FOR_UPLOAD if keeps else link_notes.FOR_HELD_UPLOAD
            of_texts = of_upload if loaded.project is None else link_notes.FOR_PROJECT
            st.caption(link_notes.FOR_FILES if loaded.origin == NAMED_FILES else of_texts)
        kept_as = links.address(kept_comparisons.origin_of(loaded), link_notes.short_digest(loaded.test_set.digest))
        named_views.keep_field(page.name, kept_as.partition("?")[2])
        share_panel(page, address, loaded.project)


def _named_by_address() -> Loaded | None:
    origin = links.given(params.DATA)
    if origin == SAMPLE:
        return cached.opened(Inputs(is_sample=True))
    if origin is None or not links.is_upload(origin):
        return None
    try:
        return kept_comparisons.open_again(origin)
    except WorkspaceError as error:
        st.error(widgets.plain(str(error)), icon=":material/error:")
        return None


def _named_by_command_line() -> Loaded | None:
    try:
        return cached.opened(from_environment())
    except InputError:  # a file that was there at the start has gone or changed: ``_command_line_note``
        return None


def _command_line_note() -> None:
    """What is wrong with what the command line names, once on a page: it is looked for wherever a page asks for it."""
    try:
        cached.opened(from_environment())
    except InputError as error:
        st.error(widgets.plain(str(error)))
