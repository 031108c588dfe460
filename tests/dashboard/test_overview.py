"""The first screen: what it says, what it draws, and where it leads."""

from dataclasses import replace

import numpy as np
import pytest
from markupsafe import escape

from bleucore import System, TestSet
from bleucore.analysis.ngram_phrases import Phrase, Phrases
from bleucore.checks import Finding
from bleucore.significance import SignificanceOptions
from bleuscope.content.comparison.comparison_context import make_study, study_of
from bleuscope.content.comparison.inputs import Settings
from bleuscope.content.overview import overview_words as words
from bleuscope.content.overview.forest import forest_html
from bleuscope.content.scores.score_sheets import systems_sheet
from bleuscope.content.scores.verdicts import differences_note

QUICK = SignificanceOptions(trials=199, resamples=100)
GOOD, FAIR, BAD = "the cat sat on the mat", "the cat sat on a mat", "a dog ran off"


def study(systems, n=30, **settings):
    """Systems with one text each, on n different items: each has a source of its own."""
    test_set = TestSet(
        [System(name, [text] * n) for name, text in systems.items()],
        [[GOOD] * n],
        source=[f"source {place}" for place in range(n)],
    )
    return make_study(test_set, Settings(significance=QUICK, **settings))


@pytest.fixture(scope="module")
def three():
    return study({"bad": BAD, "good": GOOD, "fair": FAIR})


def phrase(word, assured):
    return Phrase((word,), (1, 4), 0.5, assured, (np.empty(0, np.int64), np.arange(3)))


def phrases(won=(), lost=()):
    return Phrases((tuple(lost), tuple(won)), ((), ()), (len(lost), len(won)), (0, 0), ())


class TestAnswer:
    def test_compares_the_best_with_the_second_best_and_not_with_the_first_file(self, three, read_html):
        text = read_html(escape(words.answer(three))).text
        assert text.startswith("good leads: +46.27 BLEU (p\u00a0=\u00a0.005) over fair.")

    def test_compares_the_best_with_a_baseline_that_was_chosen(self, three, read_html):
        chosen = make_study(three.test_set, Settings(significance=QUICK, baseline="bad"))
        assert read_html(escape(words.answer(chosen))).text.startswith("good beats the baseline bad: ")

    def test_before_the_tests_says_that_they_are_made(self, three, read_html):
        untested = study_of(three.loaded, three.evaluation, Settings(significance=QUICK))
        text = read_html(escape(words.answer(untested))).text
        assert text == "good scores highest, 100.00 BLEU; fair follows with 53.73. The significance tests are running."

    def test_of_one_system_is_its_score(self, read_html):
        assert "because no text is longer than 1 word" in str(words.answer(study({"x": "a"})))
        text = read_html(escape(words.answer(study({"only": FAIR})))).text
        assert text.startswith("only scores 53.73 BLEU. Add a second system"), (
            "lines that are all alike vary by nothing"
        )

    def test_other_metrics_have_their_chip(self, sample, read_html):
        said = words.answer(make_study(sample.test_set, Settings(significance=replace(QUICK, trials=999))))
        (chips,) = read_html(escape(said)).of_class("bs-chips")
        assert "chrF2 narrows the tie" in chips.text

    @pytest.mark.parametrize(("system", "start"), [("bad", "Check the texts of bad"), ("fair", "Check the texts")])
    def test_an_error_in_a_system_that_is_not_named_leaves_the_answer_about_the_others(
        self, three, read_html, system, start
    ):
        index, none = three.evaluation.names.index(system), np.empty(0, np.int64)
        found = [Finding("shifted-lines", "error", "system", index, f"System '{system}'", "Shifted.", "Shift.", none)]
        text = read_html(escape(words.answer(three, found))).text
        assert text.startswith(start)
        assert ("good leads: +46.27 BLEU" in text) == (system == "bad")

    def test_names_are_escaped(self):
        said = words.answer(study({"<b>x</b>": GOOD, "y": BAD}))
        assert "<b>x" not in escape(said)


class TestReasons:
    def test_are_those_of_a_lead_only_where_it_is_significant(self, three):
        assert str(words.why_heading(three)) == "Why good scores higher than fair"
        level = study({"one": FAIR, "two": FAIR})
        assert str(words.why_heading(level)) == "Where two and one differ"

    def test_name_the_ingredients_largest_first(self, three):
        said = str(words.ingredients_words(three, three.attribution))
        assert said.startswith("+46.27 BLEU for good: 4-grams +")
        parts = [float(part.rsplit("+", 1)[1]) for part in said.split(": ")[1].rstrip(".").split(", ")]
        assert parts == sorted(parts, reverse=True)
        assert sum(parts) == pytest.approx(46.27, abs=0.02)

    def test_are_told_from_the_leaders_side_whoever_is_given_first(self):
        given_first = study({"good": GOOD, "fair": FAIR})
        assert given_first.pair == ("good", "fair")
        said = str(words.ingredients_words(given_first, given_first.attribution))
        assert said.startswith("+46.27 BLEU for good: 4-grams +")

    def test_count_segments_from_the_leaders_side(self, three):
        assert str(words.balance_words(three)) == "good wins 30, loses 0 and ties 0 segments."

    def test_a_single_tie_is_one_segment(self, score_texts):
        scored = score_texts({"one": ["a b c d x", "a b"], "two": ["a b c d e", "a b"]}, [["a b c d e", "a b"]])
        assert str(words.balance_words(scored.study())) == "two wins 1, loses 0 and ties 1 segment."
        said = differences_note(scored.evaluation.bleu, scored.pair_looks())
        assert str(said.markdown()).startswith("two wins 1, loses 0 and ties 1 segment.")

    def test_name_the_documents_where_the_leader_gains_most(self, three):
        documents = [f"d{place // 15}" for place in range(30)]
        said = str(words.documents_words(three.attribution, documents))
        assert said == "Largest contributions by document: d0 (+23.14), d1 (+23.14)."
        assert not words.documents_words(three.attribution, None)

    def test_phrases_are_the_leaders_where_it_is_ahead_and_of_both_where_chance_could_be(self, three):
        won, lost = [phrase("won", 0.2)], [phrase("lost", 0.9)]
        assert three.pair == ("fair", "good")
        assert [(one.tokens, side) for one, side in words.leading_phrases(three, phrases(won, lost))] == [
            (("won",), "B")
        ]
        level = study({"one": FAIR, "two": FAIR})
        assert [side for _, side in words.leading_phrases(level, phrases(won, lost))] == ["A", "B"]

    @pytest.mark.parametrize(
        ("tokens", "read"),
        [
            (("no", "later", "than"), "no later than"),
            (("海", "湾", "合", "作", "委", "员", "会"), "海湾合作委员会"),
            (("，", "iPhone", "14", "は", "新"), "， iPhone 14 は新"),
        ],
    )
    def test_phrases_have_no_blank_where_their_language_has_none(self, three, tokens, read):
        long = replace(phrase("mat", 1.0), tokens=tokens)
        assert str(words.phrase_words(long, "B", three)).startswith(f"“{read}”: ")

    def test_phrases_say_how_often_each_has_them_right(self, three):
        said = str(words.phrase_words(phrase("mat", 1.0), "B", three))
        assert said == "“mat”: good 4, fair 1"
        assert str(words.phrase_words(phrase("mat", 1.0), "A", three)) == "“mat”: fair 1, good 4"
        assert words.phrases_lead([]) == "No phrase stands out for either system."


class TestSegments:
    def test_are_the_shortest_of_those_that_do_most_in_the_order_of_their_parts(self, score_texts):
        references = [f"{word} " * 12 for word in "abcdefghijkl"]
        hypotheses = [reference if place % 2 else "x" for place, reference in enumerate(references)]
        test_set = score_texts({"worse": ["x"] * 12, "better": hypotheses}, [references]).test_set
        made = make_study(test_set, Settings(significance=QUICK))
        for_b, _ = made.leading_segments(10)
        chosen = words.telling_segments(made, made.parts)
        assert len(chosen) == 3
        assert set(chosen) <= set(for_b.tolist())

    def test_of_an_undecided_pair_are_of_both(self, sample):
        made = make_study(sample.test_set, Settings(significance=QUICK))
        assert not words.is_sure(made)
        gains = made.parts[words.telling_segments(made, made.parts)] * np.sign(made.attribution.difference)
        assert (np.sign(gains) == [1, 1, -1]).all()

    def test_of_one_system_match_worst_among_the_longer_half(self, score_texts):
        references = ["a", "b c d e f g", "h i j k l m", "n"]
        one = score_texts({"only": ["x", "b c d e f g", "x x x x x x", "x"]}, [references])
        made = make_study(one.test_set, Settings(significance=QUICK))
        assert words.telling_segments(made, made.parts) == [2, 1]


class TestForest:
    def test_has_a_row_for_each_system_best_first_with_its_difference_in_words(self, three, read_html):
        page = read_html(forest_html(systems_sheet(three), three.looks))
        assert [row[0] for row in page.rows()[1:-1]] == ["good", "fair", "bad"]
        labels = [element.attributes["title"] for element in page.of_class("bs-drawn")]
        assert labels[:2] == ["no difference from itself, cluster 1", "−46.27, cluster 2"]

    def test_all_differences_share_one_scale_that_holds_0(self, sample, read_html):
        made = make_study(sample.test_set, Settings(significance=QUICK))
        html = str(forest_html(systems_sheet(made), made.looks))
        assert "95 % interval −" in html
        places = [float(part.split("%")[0]) for part in html.split("left:")[1:]]
        assert 0 < min(places) < max(places) < 100

    def test_before_the_tests_has_points_alone(self, three):
        untested = study_of(three.loaded, three.evaluation, Settings(significance=QUICK))
        html = str(forest_html(systems_sheet(untested), untested.looks))
        assert html.count("bs-point") == 3
        assert "bs-line" not in html

    def test_of_equal_systems_and_hostile_names_is_drawn(self, read_html):
        made = study({"<script>": FAIR, "b": FAIR})
        html = forest_html(systems_sheet(made), made.looks)
        assert "<script>" not in html
        assert len(read_html(html).rows()) == 4


def test_how_it_was_scored_and_tested_is_one_line(three, read_html):
    text = read_html(escape(words.how_words(three))).text
    assert text.startswith("BLEU against 1 reference, signature nrefs:1|case:mixed|")
    assert "p corrected for 2 comparisons with the best (step-down max-T)" in text
