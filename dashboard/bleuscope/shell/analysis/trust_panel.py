"""The list of the page Trust: every question, its answer in one line, and the way to what it depends on."""

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING

import streamlit as st

from bleucore import InputError
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.significance import significance_words, trust_words
from bleuscope.content.significance.study_verdict import verdict_of_pair
from bleuscope.content.significance.verdict_words import verdict_sentence
from bleuscope.content.style.sentences import Sentence
from bleuscope.registry import Question, load, own_features
from bleuscope.runtime import params
from bleuscope.shell.analysis.answer_rows import answer_row
from bleuscope.shell.analysis.two_systems import ask_for_two
from bleuscope.shell.controls import widgets
from bleuscope.shell.page.significance_settings import ALL_PAIRS, BLOCKS, POWER, TWO_SYSTEMS
from bleuscope.shell.page.study_tests import StudyTests
from bleuscope.shell.state import links, text_checks

if TYPE_CHECKING:
    from bleuscope.runtime.memo_cache import BackgroundTask

TWO = 2
PANELS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        TWO_SYSTEMS: ("Is the difference between A and B significant?", "Open to test it."),
        ALL_PAIRS: ("Which systems differ significantly?", "Open to test every pair."),
        POWER: ("What can this test set show?", "Open to see the smallest difference that a test would find."),
        BLOCKS: ("Do all parts of the test set agree?", "Open to score it block by block (Papineni et al. 2002)."),
    }
)


def questions() -> tuple[Question, ...]:
    """Those of features, in their order; the page has its own before them."""
    return tuple(question for feature in own_features() for question in feature.questions)


def trust_panel(view: ComparisonContext) -> None:
    """All questions; what takes long is found out where someone opens its question."""
    tests = StudyTests(view)
    place = st.container()
    answers = _own_answers(view, tests)
    if not view.compares:
        ask_for_two(view, "Choose two different systems to test a difference.")
    for panel, (words, about) in PANELS.items():
        if panel in _idle(view):
            continue
        answer_row(words, trust_words.line(answers.get(panel), about), f"panel-{panel}", partial(_open_panel, panel))
    for question in questions():
        go = partial(links.go_to, question.page)
        answer = trust_words.line(_answer(view, question), question.about)
        answer_row(question.words, answer, question.page, go)
    tests.go_on(place)


def _idle(view: ComparisonContext) -> set[str]:
    """Panels whose questions do not arise: of one system, or where A and B are the only pair."""
    if len(view.evaluation.names) == 1:
        return {TWO_SYSTEMS, ALL_PAIRS, POWER}
    if not view.compares:
        return {TWO_SYSTEMS}
    return {ALL_PAIRS} if len(view.evaluation.names) == TWO else set()


def _own_answers(view: ComparisonContext, tests: StudyTests) -> dict[str, Sentence]:
    tested = tests.early()
    if tested is None or len(view.evaluation.names) == 1:
        return {}
    found: dict[str, Sentence] = {}
    comparison = tests.shown(view.metric)
    if view.compares:
        found[TWO_SYSTEMS] = verdict_sentence(verdict_of_pair(tested, view.findings))
        found[POWER] = significance_words.detectable_sentence(
            comparison, comparison.pair(*view.pair), unit=view.metric.name
        )
    if tests.have_all_pairs([view.metric]):
        found[ALL_PAIRS] = significance_words.clusters_sentence(comparison)
    return found


def _answer(view: ComparisonContext, question: Question) -> Sentence | None:
    """What is known already, or of few texts is found out now; ``None`` where nothing can be or is known."""
    known: Sentence | None = load(question.known)(view) if question.known else None
    if known is not None:
        return known
    work: BackgroundTask[object] | None = load(question.work)(view)
    if work is None or not (work.is_done or text_checks.are_instant(view.test_set)):
        return None
    try:
        found = widgets.waited_for(f"{question.words} …", work)
    except InputError:
        return None
    answer: Sentence | None = load(question.answer)(found)
    return answer


def _open_panel(panel: str) -> None:
    links.go_to("significance", {params.PANEL: panel})
