"""What surrounds every page: the open test set, the sidebar, and the evaluation under the chosen options."""

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from bleucore import BleuOptions, Evaluation, InputError, TestSet
from bleucore.evaluation import MetricEvaluation, MetricOptions
from bleucore.significance import Comparison, SignificanceOptions
from dashboard.content.comparison import Selection
from dashboard.content.identity import Identity, identities
from dashboard.shell import cached, links, session, widgets
from dashboard.shell.files import NAMED_FILES, SAMPLE, Loaded, Opening, load_sample
from dashboard.shell.score_files import with_scores
from dashboard.shell.significance_settings import significance_options

VIEW = "_view"
PAGES_OF_TWO = ("compare", "segments", "ngrams", "slices", "significance")


@dataclass(frozen=True)
class View:
    """What a page shows.

    Attributes:
        loaded: The test set and its title.
        evaluation: Its scores under the options of the sidebar.
        baseline: The system that the others are measured against.
        pair: The systems A and B, on pages that compare two; twice the same where there is only one.
        looks: How each system is drawn.
        significance: How differences are tested.
    """

    loaded: Loaded
    evaluation: Evaluation
    baseline: str
    pair: tuple[str, str]
    looks: Mapping[str, Identity]
    significance: SignificanceOptions

    @property
    def test_set(self) -> TestSet:
        """The open test set."""
        return self.loaded.test_set


def draw(page: StreamlitPage) -> None:
    """What surrounds a page: its title, the sidebar, the systems to compare, and behind them the scores.

    Drawn by the script of all pages and not by the page: Streamlit ties a widget to the script that draws it, and
    these have to outlive a change of page.
    """
    st.title(page.title)
    loaded = open_test_set()
    if loaded is None:
        session.drop(VIEW)
        return
    with st.sidebar:
        widgets.test_set_card(loaded)
        baseline = widgets.baseline_choice(loaded.test_set)
        options = widgets.scoring_options()
        metrics = widgets.further_metrics()
        significance = significance_options(loaded.test_set)
    evaluation = with_scores(_evaluation(loaded.test_set, options, metrics), loaded.test_set)
    pair = (baseline, baseline)
    if page.url_path in PAGES_OF_TWO and len(evaluation.names) > 1:
        pair = widgets.pair_choice(loaded.test_set, evaluation, baseline)
    looks = identities(evaluation.names, baseline)
    session.put(VIEW, View(loaded, evaluation, baseline, pair, looks, significance))


def open_view() -> View:
    """What a page shows; without a test set the page ends with what to do."""
    view: View | None = session.get(VIEW)
    if view is None:
        st.markdown("**Nothing to show yet.** Open a test set first, or look at the sample comparison.")
        with st.container(horizontal=True):
            if st.button("Open a test set", type="primary"):
                links.go_to("test_set")
            if st.button("Open the sample comparison"):
                show(load_sample())
                st.rerun()
        st.stop()
    return view


def comparison(view: View, metric: MetricEvaluation | None = None, selection: Selection | None = None) -> Comparison:
    """The tests between all systems, in BLEU and of all segments unless said otherwise; long ones show progress."""
    asked = (view.test_set, metric or view.evaluation.metrics["BLEU"], view.significance, selection)
    if cached.is_compared(*asked):
        return cached.comparison(*asked)
    report, finish = widgets.progress_reporter("Testing the differences …")
    try:
        return cached.comparison(*asked, progress=report)
    finally:
        finish()


def open_test_set() -> Loaded | None:
    """The test set on screen; at the start of a session the one that the address or the command line names."""
    if session.loaded() is None:
        named = _named_by_address() or _named_by_command_line()
        if named is not None:
            session.show(named)
    loaded = session.loaded()
    links.write_origin(None if loaded is None else loaded.origin)
    return loaded


def show(loaded: Loaded) -> None:
    """Put a test set on screen and name it in the address."""
    current = session.loaded()
    if current is not None and current.test_set.digest != loaded.test_set.digest:
        links.write_score_files(None)
    session.show(loaded)
    if loaded.origin not in (SAMPLE, NAMED_FILES):
        cached.keep_upload(loaded)
    links.write_origin(loaded.origin)


def _named_by_address() -> Loaded | None:
    origin = links.origin()
    if origin == SAMPLE:
        return cached.opened(Opening(sample=True))
    return cached.find_upload(origin) if origin else None


def _named_by_command_line() -> Loaded | None:
    try:
        return cached.opened(Opening.from_environment())
    except InputError as error:  # a file that was there at the start has gone or changed
        st.error(widgets.plain(str(error)))
        return None


def _evaluation(test_set: TestSet, options: BleuOptions, metrics: tuple[MetricOptions, ...]) -> Evaluation:
    if cached.is_evaluated(test_set, options, metrics):
        return cached.evaluation(test_set, options, metrics)
    report, finish = widgets.progress_reporter("Scoring …")
    try:
        return cached.evaluation(test_set, options, metrics, progress=report)
    except InputError as error:  # a metric needs what is not installed: the others are shown
        st.error(widgets.plain(str(error)))
        return cached.evaluation(test_set, options)
    finally:
        finish()
