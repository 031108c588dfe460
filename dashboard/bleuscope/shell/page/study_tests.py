"""``StudyTests``: which pairs of the open systems are tested, and when."""

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from math import comb

import streamlit as st

from bleucore.evaluation import MetricEvaluation
from bleucore.significance import Comparison
from bleuscope.content.comparison.comparison_context import (
    BESIDE_BLEU,
    ComparisonContext,
    TestedStudy,
    compared_metrics,
    tested,
)
from bleuscope.content.comparison.differences import Selection
from bleuscope.content.significance import significance_words
from bleuscope.content.style import numbers
from bleuscope.runtime.memo_cache import BackgroundTask
from bleuscope.shell.controls import widgets
from bleuscope.shell.page.scoring import is_large, scored
from bleuscope.shell.state import cached, session, text_checks

MOST_UNASKED_PAIRS = 2_000
"""Those of up to 63 systems; more are compared where someone asks for them."""
ALL_PAIRS_ASKED = "_all_pairs_of_systems"


@dataclass(frozen=True)
class StudyTests:
    """The tests of what a page shows.

    Of few systems all pairs are compared. Of very many, those that a page shows, until someone asks for all. Where they
    take long a page is drawn without them, makes them at its end, and is drawn again.

    Attributes:
        view: What the page shows.
    """

    view: ComparisonContext

    @property
    def take_long(self) -> bool:
        """Whether they are waited for where nobody made them yet."""
        return is_large(self.view.test_set)

    @property
    def wait_for_checks(self) -> bool:
        """Whether a page leaves work that takes long until the texts are checked."""
        return self.take_long and text_checks.follow(self.view.test_set).status == "checking"

    def have_all_pairs(self, metrics: Sequence[MetricEvaluation] | None = None) -> bool:
        """Whether all pairs of systems are compared, in these metrics or in all; if not, those that a page shows.

        Of very many they are compared when someone asks for it, and shown wherever they are known.
        """
        view = self.view
        n_pairs = comb(len(view.evaluation.names), 2)
        if n_pairs <= MOST_UNASKED_PAIRS or session.get(ALL_PAIRS_ASKED) == view.test_set.digest:
            return True
        return all(self._of_all_pairs(one).is_done for one in metrics or compared_metrics(view.evaluation))

    def offer_all_pairs(self, metrics: Sequence[MetricEvaluation] | None = None) -> None:
        """Where not all pairs are compared: what their tests would add, and the button that begins them."""
        view = self.view
        if self.have_all_pairs(metrics):
            return
        with st.container(horizontal=True, vertical_alignment="center", key="all-pairs-offer"):
            label = f"Test all {numbers.count(comb(len(view.evaluation.names), 2))} pairs"
            st.button(label, on_click=session.put, args=(ALL_PAIRS_ASKED, view.test_set.digest), key="test-all-pairs")
            st.caption(widgets.plain(significance_words.all_pairs_offer(view.baseline)))

    def shown(self, metric: MetricEvaluation, selection: Selection | None = None) -> Comparison:
        """The comparison that holds what a page shows: with the baseline or the best, or between A and B."""
        return self._holding(self._system_shown, metric, selection)

    def with_every_system(self, metric: MetricEvaluation, selection: Selection | None = None) -> Comparison:
        """The comparison that holds every system against the baseline or the best."""
        return self._holding(self.view.measured_against, metric, selection)

    def early(self) -> TestedStudy | None:
        """What a page shows with its tests, or ``None`` while these would keep a page waiting that has more to show."""
        if self.take_long and self._are_missing and self._lack_pairs_shown:
            return None
        with_all = self.have_all_pairs() and not (self.take_long and self._are_missing)
        return self.all_made() if with_all else self._of_pairs_shown()

    def all_made(self) -> TestedStudy:
        """What a page shows, with the tests between all systems: what reports, tables and commands are made of."""
        first, *others = compared_metrics(self.view.evaluation)
        return tested(self.view, self._all_pairs(first), {one.name: self._all_pairs(one) for one in others})

    def go_on(self, place: AbstractContextManager[object] | None = None) -> None:
        """At the end of a page: make what it did not wait for, and draw it again.

        Not while many texts are checked, which would take longer then: the page is drawn anew when the checks end.

        Args:
            place: Where to show the progress.
        """
        if not self._are_missing or self.wait_for_checks:
            return
        with place or nullcontext():
            self._make()
        st.rerun()

    def _make(self) -> None:
        """Make what ``early`` did not wait for: chrF first, and at the next run the tests."""
        if self._lack_scores:
            scored(self.view.test_set, self.view.options, (BESIDE_BLEU,), label="Scoring in chrF …")
        elif self.have_all_pairs():
            self.all_made()
        else:
            self._of_pairs_shown()

    @property
    def _lack_scores(self) -> bool:
        return BESIDE_BLEU.name not in self.view.evaluation.metrics

    @property
    def _are_missing(self) -> bool:
        """Whether there is anything to make."""
        if not self.have_all_pairs():
            return self._lack_pairs_shown
        metrics = compared_metrics(self.view.evaluation)
        return self._lack_scores or not all(self._of_all_pairs(one).is_done for one in metrics)

    @property
    def _lack_pairs_shown(self) -> bool:
        """Whether the pairs that a page shows are not compared yet."""
        metrics = compared_metrics(self.view.evaluation)
        return self._lack_scores or not all(self._with(self._system_shown, one).is_done for one in metrics)

    @property
    def _system_shown(self) -> str:
        """The system whose pairs hold what a page shows."""
        view = self.view
        return view.measured_against if view.measured_against in view.sides else view.sides[0]

    def _of_pairs_shown(self) -> TestedStudy:
        """What a page shows, with the pairs of one system."""
        first, *others = compared_metrics(self.view.evaluation)
        compared = self._pairs_with(self._system_shown, first)
        return tested(self.view, compared, {one.name: self._pairs_with(self._system_shown, one) for one in others})

    def _holding(self, system: str, metric: MetricEvaluation, selection: Selection | None) -> Comparison:
        """All pairs, or those with one system."""
        if self.have_all_pairs([metric]):
            return self._all_pairs(metric, selection)
        return self._pairs_with(system, metric, selection)

    def _all_pairs(self, metric: MetricEvaluation, selection: Selection | None = None) -> Comparison:
        label = f"Testing the differences in {widgets.plain(metric.name)} …"
        is_asked_for = session.get(ALL_PAIRS_ASKED) == self.view.test_set.digest
        work = self._of_all_pairs(metric, selection)
        return widgets.waited_for(label, work, is_asked_for=is_asked_for).with_baseline(self.view.baseline)

    def _pairs_with(self, system: str, metric: MetricEvaluation, selection: Selection | None = None) -> Comparison:
        label = f"Comparing with {widgets.plain(system)} in {widgets.plain(metric.name)} …"
        return widgets.waited_for(label, self._with(system, metric, selection))

    def _of_all_pairs(self, metric: MetricEvaluation, selection: Selection | None = None) -> BackgroundTask[Comparison]:
        return cached.comparison(self.view.test_set, metric, self.view.significance, selection)

    def _with(
        self, system: str, metric: MetricEvaluation, selection: Selection | None = None
    ) -> BackgroundTask[Comparison]:
        """One system with all others: tested if it is the chosen baseline, else with intervals alone.

        Without a baseline, p is corrected among all pairs: which system is the best is known from the same scores.
        """
        view = self.view
        return cached.comparison_with(
            view.test_set, metric, view.significance, system, selection, is_tested=system == view.baseline
        )
