"""The verdict in words: every state of every question, chips and facts."""

import re
from dataclasses import replace

import pytest
from markupsafe import escape

from bleucore.significance import PairComparison, Verdict, Wins
from bleuscope.content.significance.verdict_words import (
    CHIP_TERMS,
    NO_TRAINING_NOISE,
    OF_RUNS,
    chips,
    verdict_facts,
    verdict_sentence,
    verdict_text,
)

HOSTILE = "<b>evil</b>"
EFFECT = "+1.34 BLEU (95 % CI 0.62 to 2.05, p < .001)"


def of(question="best", state="leads", systems=("new",), names=("new", "old"), **changes):
    """A verdict on a difference of 1.34."""
    compared = PairComparison(*names, 1.34, (0.62, 2.05), 0.0001, 0.0002, 0.9, 120, None, n_comparisons=2)
    values = {"metric": "BLEU", "unit": "document", "n_units": 12, "n_items": None, "n_systems": 3, **changes}
    return Verdict(question, state, systems=systems, compared=values.pop("compared", compared), **values)


def said(found):
    return str(verdict_sentence(found)).replace("\u00a0", " ")


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (of(), f"new leads: {EFFECT} over old."),
        (of("pair", n_systems=2), f"new beats old: {EFFECT}."),
        (of("baseline", baseline="old", n_better=1, n_systems=2), f"new beats the baseline old: {EFFECT}."),
        (
            of("baseline", baseline="old", n_better=1, n_systems=4),
            f"new beats the baseline old: {EFFECT}. No other system does.",
        ),
        (
            of("baseline", baseline="old", n_better=2, n_systems=4),
            f"new beats the baseline old: {EFFECT}. 2 of 3 systems beat it.",
        ),
        (
            of("baseline", baseline="old", n_better=3, n_systems=4),
            f"new beats the baseline old: {EFFECT}. All 3 systems beat it.",
        ),
        (of("baseline", baseline="new", n_worse=1, n_systems=2), f"The baseline new beats old: {EFFECT}."),
        (
            of("baseline", baseline="new", n_worse=2),
            f"The baseline new beats every other system: {EFFECT} over old.",
        ),
        (
            of("baseline", baseline="new", n_worse=1),
            f"The baseline new beats old, the best of the others: {EFFECT}.",
        ),
        (
            of("best", "no-winner", ("new", "old")),
            f"No clear winner: new and old are tied at the top. new over old: {EFFECT}.",
        ),
        (
            of("best", "no-winner", tuple(f"s{place}" for place in range(40)), n_systems=40),
            f"No clear winner: 40 systems are tied at the top. new over old: {EFFECT}.",
        ),
        (of("pair", "no-winner", n_systems=2), f"No significant difference between new and old: {EFFECT}."),
        (
            of("baseline", "no-winner", baseline="old"),
            f"No system significantly beats the baseline old. new over old: {EFFECT}.",
        ),
        (
            of("baseline", "no-winner", baseline="old", n_better=1),
            f"1 of 2 systems beats the baseline old, but the best does not. new over old: {EFFECT}.",
        ),
        (
            of("baseline", "no-winner", baseline="old", n_systems=2),
            f"No significant difference between new and old: {EFFECT}.",
        ),
        (of("best", "untested", reason="Too few."), f"new has the best score: {EFFECT} over old. Too few."),
        (of("pair", "untested", reason="Too few."), f"new scores higher than old: {EFFECT}. Too few."),
        (of("pair", "equal"), "new and old have the same score."),
        (of("baseline", "equal", baseline="old"), "new and old have the same score."),
        (
            of("best", "equal", ("new", "old")),
            "No clear winner: new and old are tied at the top. new and old have the same score.",
        ),
        (of("best", "check-texts", reason="new: line 3 is empty."), "Check the texts first. new: line 3 is empty."),
    ],
)
def test_says_what_a_comparison_comes_to(found, words):
    assert said(found) == words
    sentences = re.split(r"(?<=[.]) (?=[A-Zn])", re.sub(r"\([^)]*\)", "", words))
    assert len(sentences) <= 3
    assert all(len(one.split()) <= 20 for one in sentences)


def pair_of(difference, interval, p_value, remark=None):
    return PairComparison("new", "old", difference, interval, p_value, p_value, None, None, remark)


def test_the_effect_of_an_error_metric_is_below_zero():
    found = of("pair", metric="TER", compared=pair_of(-3.2, (-5.0, -1.4), 0.012), n_systems=2)
    assert said(found) == "new beats old: −3.20 TER (95 % CI −5.00 to −1.40, p = .012)."
    untested = replace(found, state="untested", compared=pair_of(-3.2, None, None), reason="Too few.")
    assert said(untested) == "new scores lower than old: −3.20 TER. Too few."


def test_small_scores_have_more_decimals():
    found = of("pair", metric="comet", compared=pair_of(0.0123, (0.0011, 0.0235), 0.03), n_systems=2, decimals=4)
    assert said(found) == "new beats old: +0.0123 comet (95 % CI 0.0011 to 0.0235, p = .030)."


def test_of_the_same_score_nothing_untested_is_called_higher():
    found = of("pair", "untested", compared=pair_of(0.0, None, None), reason="Too few.")
    assert said(found) == "new and old have the same score. Too few."


class TestChips:
    def test_name_units_family_other_metrics_and_warnings(self):
        found = of(agreement=(("chrF2", "disagrees"), ("TER", "agrees")), n_warnings=5)
        assert chips(found) == (
            *("12 documents", NO_TRAINING_NOISE, "corrected for 2", "chrF2 disagrees", "TER agrees", "5 warnings"),
        )

    def test_are_few_where_nothing_qualifies_the_verdict(self):
        assert chips(of(compared=pair_of(1.0, None, 0.01), n_warnings=0)) == ("12 documents", NO_TRAINING_NOISE)

    @pytest.mark.parametrize("state", ["untested", "equal", "check-texts"])
    def test_say_nothing_of_training_where_nothing_is_claimed(self, state):
        assert NO_TRAINING_NOISE not in chips(of(state=state, reason="Too few."))

    def test_say_that_runs_are_compared_and_not_recipes(self):
        found = chips(of(is_of_runs=True))
        assert OF_RUNS in found
        assert NO_TRAINING_NOISE not in found

    def test_explain_what_they_say_in_few_words(self, read_html):
        explained = next(one for one in read_html(verdict_text(of())).elements if one.tag == "abbr")
        assert (explained.text, explained.attributes["title"]) == (NO_TRAINING_NOISE, CHIP_TERMS[NO_TRAINING_NOISE])
        assert all(len(one.split()) <= 20 for term in CHIP_TERMS.values() for one in term.split(". "))

    def test_count_the_items_of_rows_that_repeat(self):
        assert chips(of(n_items=30))[0] == "12 documents of 30 items"
        assert chips(of(n_items=30, unit="item", n_units=30))[0] == "30 items"

    def test_are_a_list_on_pages_and_a_line_in_markdown(self, read_html):
        made = verdict_text(of(n_warnings=1))
        assert (
            read_html(made).of_class("bs-chips")[0].text == f"12 documents{NO_TRAINING_NOISE}corrected for 21 warning"
        )
        assert made.markdown().split("\n\n")[1] == f"12 documents · {NO_TRAINING_NOISE} · corrected for 2 · 1 warning"


def test_names_reasons_and_metrics_stay_text():
    for state in ("leads", "no-winner", "untested", "equal", "check-texts"):
        for question in ("best", "baseline", "pair"):
            names = (HOSTILE, HOSTILE)
            found = of(question, state, names, names, metric=HOSTILE, baseline=HOSTILE, reason=HOSTILE)
            found = replace(found, agreement=((HOSTILE, "agrees"),))
            assert HOSTILE not in escape(verdict_text(found))
            assert HOSTILE not in escape(verdict_sentence(found))
            assert "evil" in escape(verdict_sentence(found))


def test_pages_say_that_there_is_an_error_and_leave_what_it_is_to_the_alarm():
    found = of(state="check-texts", reason="System 'new': 30 lines are empty.")
    assert str(verdict_sentence(found)) == "Check the texts first. System 'new': 30 lines are empty."
    assert "30 lines" not in str(verdict_text(found))
    assert verdict_text(found).markdown().startswith("Check the texts first: an error")


def test_facts_are_the_numbers_unrounded_and_leave_out_what_is_unknown():
    facts = verdict_facts(of(wins=Wins(7, 4, 1), systems=("new", "third")))
    assert facts["verdict_state"] == "leads"
    assert facts["verdict_systems"] == "new; third"
    assert (facts["verdict_effect"], facts["verdict_interval_low"], facts["verdict_interval_high"]) == (
        1.34,
        0.62,
        2.05,
    )
    assert (facts["verdict_p"], facts["verdict_n_comparisons"]) == (0.0002, 2)
    assert (facts["verdict_n_wins"], facts["verdict_n_losses"], facts["verdict_n_ties"]) == (7, 4, 1)
    bare = verdict_facts(of(compared=pair_of(1.0, None, None)))
    assert not {"verdict_p", "verdict_interval_low", "verdict_n_wins", "verdict_reason"} & set(bare)
