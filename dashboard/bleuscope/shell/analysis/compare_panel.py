"""What else Compare says of two systems: phrases, documents and slices, each in one line with the way to its page."""

from functools import partial

import streamlit as st

from bleucore.analysis.attribution import Attribution
from bleucore.analysis.slices import DOCUMENT, slice_kinds
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.overview import overview_words
from bleuscope.content.significance import trust_words
from bleuscope.content.slices import slice_tables, slice_words
from bleuscope.content.style.sentences import Sentence, joined, sentence
from bleuscope.registry import load, own_features
from bleuscope.runtime import params
from bleuscope.shell.analysis.answer_rows import answer_row
from bleuscope.shell.analysis.two_systems import way_to_two
from bleuscope.shell.page.study_tests import StudyTests
from bleuscope.shell.state import cached, links

PHRASES = ("Which words and phrases?", "Open to see the n-grams that one system gets right more often.")
DOCUMENTS = "Which documents?"
KINDS = "Which kinds of segments?"
MANY_SEGMENTS = 5_000
"""What is found in more is found where somebody opens its page."""
ABOUT_SLICES = "Open to compare the two systems in parts of the test set."


def answers_panel(view: ComparisonContext, attribution: Attribution) -> None:
    """The rows. What takes long is found out where somebody opens its page."""
    for one in (feature.reasons for feature in own_features() if feature.reasons is not None):
        work = load(one.work)(view)
        found = load(one.answer)(work.value()) if work.is_done or not _takes_long(view) else None
        answer_row(one.question, trust_words.line(found, one.about), one.page, partial(links.go_to, one.page))
    question, about = PHRASES
    answer_row(question, trust_words.line(_phrases(view), about), "ngrams", partial(links.go_to, "ngrams"))
    kinds = slice_kinds(view.test_set)
    others = [kind for kind in kinds if kind != DOCUMENT]
    if DOCUMENT in kinds:
        _slices_row(view, attribution, DOCUMENTS, DOCUMENT)
    if others:
        _slices_row(view, attribution, KINDS, others[0])


def whole_reasons(view: ComparisonContext) -> None:
    """All that features know of why one system is ahead, where that is found already or found soon."""
    for one in (feature.reasons for feature in own_features() if feature.reasons is not None and feature.reasons.whole):
        work = load(one.work)(view)
        if work.is_done or not _takes_long(view):
            load(one.whole)(view, work.value())


def of_one_system(view: ComparisonContext) -> None:
    """Where A and B are one system: the ways to what it has of its references, and to a second system."""
    st.markdown("**Choose two different systems to see where they differ.**")
    with st.container(key="nothing-open", horizontal=True):
        if st.button("Read it against the references", type="primary", key="read-one"):
            links.go_to("segments")
        if st.button("What it misses", key="missed-of-one"):
            links.go_to("ngrams", {params.NGRAM_VIEW: "missed"})
        way_to_two(view)


def _slices_row(view: ComparisonContext, attribution: Attribution, question: str, kind: str) -> None:
    slicing = cached.slicing(view.test_set, view.evaluation.options, kind)
    summary = slice_tables.summarise(view.evaluation, slicing, view.sides, attribution, view.metric)
    answer = slice_words.wins_sentence(summary)
    go = partial(links.go_to, "slices", {params.SLICE_BY: kind})
    answer_row(question, trust_words.line(answer, ABOUT_SLICES), f"slices-{kind}", go)


def _takes_long(view: ComparisonContext) -> bool:
    return StudyTests(view).take_long or view.test_set.n_segments > MANY_SEGMENTS


def _phrases(view: ComparisonContext) -> Sentence | None:
    work = cached.phrases(view.test_set, view.evaluation, view.pair)
    if _takes_long(view) and not work.is_done:
        return None
    found = work.value()
    leading = overview_words.leading_phrases(view, found)
    if not leading:
        return sentence("{}", overview_words.phrases_lead(leading))
    return sentence("{}.", joined("; ", [overview_words.phrase_words(phrase, side, view) for phrase, side in leading]))
