"""What surrounds every page: the open test set, the sidebar, and the evaluation under the chosen options."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from math import comb

import streamlit as st
from markupsafe import Markup

from bleucore import BleuOptions, Evaluation, InputError, TestSet
from bleucore.checks import gravest_first
from bleucore.evaluation import MetricEvaluation
from bleucore.metrics import MetricOptions
from bleucore.significance import Comparison
from bleuscope.content.comparison import link_notes, screen_reader, share_words
from bleuscope.content.comparison.comparison_context import (
    BESIDE_BLEU,
    ComparisonContext,
    TestedStudy,
    compared_metrics,
    metrics_beside_bleu,
    study_of,
    tested,
    usual_sides,
)
from bleuscope.content.comparison.differences import Selection
from bleuscope.content.comparison.inputs import Inputs, Loaded, Settings
from bleuscope.content.comparison.link_notes import LinkTarget
from bleuscope.content.significance import significance_words
from bleuscope.content.style import numbers
from bleuscope.registry import Page, load
from bleuscope.runtime import params
from bleuscope.shell.controls import widgets
from bleuscope.shell.disk.files import NAMED_FILES, SAMPLE, from_environment, load_sample
from bleuscope.shell.page import (
    file_overrides,
    named_views,
    new_session,
    renaming,
    text_status,
    tour,
)
from bleuscope.shell.page.score_files import with_scores
from bleuscope.shell.page.share_panel import share_panel
from bleuscope.shell.page.significance_settings import significance_options
from bleuscope.shell.page.tokenizer_proposal import propose, tokenizer_alarm
from bleuscope.shell.state import (
    cached,
    kept_attachments,
    kept_comparisons,
    links,
    session,
    text_checks,
    workspace_in_use,
)
from bleuscope.shell.state.page_end import end_page
from bleuscope.workspace.errors import WorkspaceError

VIEW = "_view"
TARGET = "_link_target"
MANY_SYSTEMS, MANY_OUTPUTS = 12, 50_000
"""With more systems, or outputs of all systems together, tests take long enough to be waited for."""
MOST_UNASKED_PAIRS = 2_000
"""Those of up to 63 systems; more are compared where someone asks for them."""
ALL_PAIRS_ASKED = "_all_pairs_of_systems"
PAGE_OF_BLEU, PAGE_OF_TEXTS = "ngrams", "segments"


def skip_link(page: Page | None) -> None:
    """The first stop of the keyboard: the way past all controls, where a page has texts."""
    if page is not None and page.name == PAGE_OF_TEXTS:
        widgets.html(Markup('<button type="button" class="bs-skip">Skip to the texts</button>'))


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
    head = st.container(horizontal=True, vertical_alignment="bottom", key="head")
    head.title(page.title, anchor=False)
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
        is_by_link = workspace_in_use.is_by_link()
        with st.container(horizontal=True, key="open-tools"):
            if not is_by_link:
                _link_popover(as_read, page)
            if not is_by_link and st.button("Rename", type="tertiary", icon=":material/edit:", key="rename"):
                session.put(renaming.IS_OPEN, True)  # noqa: FBT003  # a note in the session
                links.go_to("test_set")
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
    evaluation = with_scores(_evaluation(loaded.test_set, options, metrics), loaded.test_set, as_read.test_set)
    sides = usual_sides(evaluation, baseline, loaded.opens_on)
    metric = evaluation.bleu
    if page.is_of_two and max(len(evaluation.names), len(evaluation.metrics)) > 1:
        with st.container(horizontal=True, vertical_alignment="bottom", key="pair"):
            sides = widgets.pair_choice(evaluation.names, sides, page.part_drawn_first)
            metric = metric if page.name == PAGE_OF_BLEU else widgets.metric_choice(evaluation)
    settings = Settings(significance=significance, baseline=baseline, pair=sides, metric=metric.name)
    study = study_of(loaded, evaluation, settings)
    session.put(VIEW, study)
    if page.name != PAGE_OF_TEXTS:
        widgets.say(screen_reader.page_words(page.title, study, is_of_two=page.is_of_two))


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


def comparison(
    view: ComparisonContext, metric: MetricEvaluation | None = None, selection: Selection | None = None
) -> Comparison:
    """The tests between all systems, in BLEU and of all segments unless said otherwise; long ones show progress."""
    chosen = metric or view.evaluation.bleu
    work = cached.comparison(view.test_set, chosen, view.significance, selection)
    found = widgets.waited_for(f"Testing the differences in {widgets.plain(chosen.name)} …", work)
    return found.with_baseline(view.baseline)


def comparison_with(
    view: ComparisonContext, metric: MetricEvaluation, system: str, selection: Selection | None = None
) -> Comparison:
    """One system with all others: tested if it is the chosen baseline, else with intervals alone.

    Without a baseline, p is corrected among all pairs: which system is the best is known from the same scores.
    """
    work = cached.comparison_with(
        view.test_set, metric, view.significance, system, selection, is_tested=system == view.baseline
    )
    return widgets.waited_for(f"Comparing with {widgets.plain(system)} in {widgets.plain(metric.name)} …", work)


def tests_take_long(view: ComparisonContext) -> bool:
    """Whether the tests between all systems are waited for where nobody made them yet."""
    return is_large(view.test_set)


def compares_all_pairs(view: ComparisonContext, metrics: Sequence[MetricEvaluation] | None = None) -> bool:
    """Whether a page compares all pairs of systems; if not, those that it shows.

    Of very many pairs they are compared when someone asks for it, and shown wherever they are known.

    Args:
        view: What a page shows.
        metrics: In which of them; in all unless given.
    """
    n_pairs = comb(len(view.evaluation.names), 2)
    if n_pairs <= MOST_UNASKED_PAIRS or session.get(ALL_PAIRS_ASKED) == view.test_set.digest:
        return True
    asked = compared_metrics(view.evaluation) if metrics is None else metrics
    return all(cached.comparison(view.test_set, one, view.significance).is_done for one in asked)


def all_pairs_offer(view: ComparisonContext, metrics: Sequence[MetricEvaluation] | None = None) -> None:
    """Where not all pairs are compared: what their tests would add, and the button that begins them."""
    if compares_all_pairs(view, metrics):
        return
    with st.container(horizontal=True, vertical_alignment="center", key="all-pairs-offer"):
        label = f"Test all {numbers.count(comb(len(view.evaluation.names), 2))} pairs"
        st.button(label, on_click=session.put, args=(ALL_PAIRS_ASKED, view.test_set.digest), key="test-all-pairs")
        st.caption(widgets.plain(significance_words.all_pairs_offer(view.baseline)))


def comparison_shown(
    view: ComparisonContext, metric: MetricEvaluation, selection: Selection | None = None
) -> Comparison:
    """The comparison in a metric that holds what a page shows: with the baseline or the best, or between A and B."""
    if compares_all_pairs(view, [metric]):
        return comparison(view, metric, selection)
    return comparison_with(view, metric, _compared_with_all(view), selection)


def comparison_with_all(
    view: ComparisonContext, metric: MetricEvaluation, selection: Selection | None = None
) -> Comparison:
    """The comparison in a metric that holds every system against the baseline or the best."""
    if compares_all_pairs(view, [metric]):
        return comparison(view, metric, selection)
    return comparison_with(view, metric, view.measured_against, selection)


def early_tests(view: ComparisonContext) -> TestedStudy | None:
    """``tested_study``, or ``None`` while the tests would keep a page waiting that has more to show.

    Of very many pairs those that the page shows, as long as nobody asked for all.
    """
    if lacks_tests(view) and tests_take_long(view):
        return None if _lacks_pairs_shown(view) else _study_with(view)
    return tested_study(view) if compares_all_pairs(view) else _study_with(view)


def begins_tests(view: ComparisonContext) -> bool:
    """Whether a page goes on to ``finish_tests`` by itself: not while many texts are checked, which then takes longer.

    The page is drawn anew when the checks end.
    """
    return lacks_tests(view) and not waits_for_checks(view)


def waits_for_checks(view: ComparisonContext) -> bool:
    """Whether a page leaves work that takes long until the texts are checked."""
    return tests_take_long(view) and text_checks.follow(view.test_set).status == "checking"


def lacks_tests(view: ComparisonContext) -> bool:
    """Whether ``finish_tests`` has something to do."""
    if not compares_all_pairs(view):
        return _lacks_pairs_shown(view)
    return BESIDE_BLEU.name not in view.evaluation.metrics or not all(
        cached.comparison(view.test_set, metric, view.significance).is_done
        for metric in compared_metrics(view.evaluation)
    )


def tested_study(view: ComparisonContext) -> TestedStudy:
    """What a page shows, with the tests between all systems: what reports, tables and commands are made of."""
    others = compared_metrics(view.evaluation)[1:]
    return tested(view, comparison(view), {metric.name: comparison(view, metric) for metric in others})


def finish_tests(view: ComparisonContext) -> None:
    """Make what ``early_tests`` did not wait for: chrF first, and at the next run the tests."""
    if BESIDE_BLEU.name not in view.evaluation.metrics:
        _evaluation(view.test_set, view.options, (BESIDE_BLEU,), label="Scoring in chrF …")
    elif compares_all_pairs(view):
        tested_study(view)
    else:
        _study_with(view)


def _compared_with_all(view: ComparisonContext) -> str:
    """The system whose pairs hold what a page shows."""
    return view.measured_against if view.measured_against in view.sides else view.sides[0]


def _lacks_pairs_shown(view: ComparisonContext) -> bool:
    """Whether the pairs that a page shows are not compared yet."""
    system = _compared_with_all(view)
    return BESIDE_BLEU.name not in view.evaluation.metrics or not all(
        cached.comparison_with(view.test_set, one, view.significance, system, is_tested=system == view.baseline).is_done
        for one in compared_metrics(view.evaluation)
    )


def _study_with(view: ComparisonContext) -> TestedStudy:
    """What a page shows, with the pairs of one system."""
    system = _compared_with_all(view)
    first, *others = compared_metrics(view.evaluation)
    compared = comparison_with(view, first, system)
    return tested(view, compared, {metric.name: comparison_with(view, metric, system) for metric in others})


def is_large(test_set: TestSet) -> bool:
    """Whether scores and tests are waited for, with their progress in sight."""
    n_systems = len(test_set.systems)
    return n_systems > MANY_SYSTEMS or n_systems * test_set.n_segments > MANY_OUTPUTS


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


def _evaluation(
    test_set: TestSet, options: BleuOptions, metrics: tuple[MetricOptions, ...], *, label: str = "Scoring …"
) -> Evaluation:
    if cached.is_evaluated(test_set, options, metrics):
        return cached.evaluation(test_set, options, metrics)
    asked = (test_set, options, metrics)
    report, finish = widgets.progress_reporter(
        label, (test_set.digest, options, metrics), partial(cached.stop_scoring, *asked)
    )
    try:
        return cached.evaluation(test_set, options, metrics, progress=report)
    except InputError as error:  # a metric needs what is not installed: the others are shown
        st.error(widgets.plain(str(error)))
        return cached.evaluation(test_set, options)
    finally:
        finish()
