"""What blocks and their tests say in words."""

import re
from dataclasses import replace

import numpy as np
import pytest

from bleucore import BleuOptions, evaluate
from bleucore.significance import PairComparison, Verdict, blocks_of_documents, blocks_of_number, blocks_of_size
from bleuscope.content.blocks import block_words
from bleuscope.content.blocks.block_analysis import NEIGHBOURS, analyse, study_layouts, study_sizes
from bleuscope.content.blocks.block_words import (
    decision_note,
    layout_words,
    layouts_caption,
    layouts_verdict,
    missing_tests_note,
    pair_remarks,
    pair_test,
    sizes_verdict,
    unmatched_note,
    unscored_note,
    verdict_note,
)
from bleuscope.content.style import numbers


def analysed(scored, n_blocks):
    layout = blocks_of_number(scored.evaluation.n_segments, n_blocks)
    return analyse(scored.evaluation.metrics["BLEU"], layout, scored.evaluation.names[0])


@pytest.fixture(scope="module")
def analysis(sample):
    return analysed(sample, 20)


@pytest.mark.parametrize(
    ("layout", "sentence"),
    [
        (blocks_of_number(6, 3), "3 blocks of 2 segments each."),
        (blocks_of_number(1, 1), "1 block of 1 segment each."),
        (blocks_of_number(7, 3), "3 blocks of 2 segments each. 1 segment at the end is left out."),
        (blocks_of_size(8, 3), "2 blocks of 3 segments each. 2 segments at the end are left out."),
        (blocks_of_number(8, 3, remainder="spread"), "3 blocks of 2 to 3 segments each."),
        (blocks_of_number(5_001, 2, remainder="spread"), "2 blocks of 2\u202f500 to 2\u202f501 segments each."),
        (
            blocks_of_number(7, 3, shuffle_seed=5),
            "3 blocks of 2 segments each. Each has segments sampled at random with seed 5. "
            "1 segment chosen at random is left out.",
        ),
        (blocks_of_documents(["a", "b", "a"]), "Every document is a block: 2 documents of 1 to 2 segments."),
        (blocks_of_documents(["a"]), "Every document is a block: 1 document of 1 segment."),
    ],
)
def test_the_layout_is_said_in_words(layout, sentence):
    assert layout_words(layout) == sentence


class TestVerdict:
    def of(self, analysis, level=0.05, **changes):
        """The verdict on a t-test of four blocks, B minus A."""
        tests = analysis.tests(("fluent", "neural-40k"))
        values = {
            "name": "new",
            "other": "old",
            "differences": np.array([1.0, 2.0, -0.5, 0.0]),
            "mean_difference": 0.625,
            "statistic": 1.1,
            "p_value": 0.3518,
            "interval": (-1.2, 2.4),
        }
        return pair_test(analysis, (replace(tests[0], **(values | changes)), *tests[1:]), level)

    def test_says_who_is_ahead_in_how_many_blocks_by_how_much_and_how_sure(self, analysis, read_html):
        assert read_html(self.of(analysis)).text.replace("\u00a0", " ") == (
            "Paired t-test over blocks, new against old: +0.62 BLEU per block on average "
            "(95 % CI −1.20 to 2.40, p = .352). It wins 2, loses 1 and ties 1 block."
        )

    def test_names_the_leading_system_first_with_its_interval(self, analysis, read_html):
        turned = {
            "differences": np.array([-1.0, -2.0, -0.5, 0.0]),
            "mean_difference": -0.875,
            "statistic": -3.1,
            "interval": (-1.6, -0.2),
        }
        assert read_html(self.of(analysis, p_value=0.04, **turned)).text.replace("\u00a0", " ") == (
            "Paired t-test over blocks, old against new: +0.88 BLEU per block on average "
            "(95 % CI 0.20 to 1.60, p = .040). It wins 3, loses 0 and ties 1 block."
        )

    @pytest.mark.parametrize(("p_value", "phrase"), [(1e-300, "p < .001"), (0.05, "p = .050"), (1.0, "p > .999")])
    def test_writes_p_and_names_no_winner(self, analysis, read_html, p_value, phrase):
        text = read_html(self.of(analysis, p_value=p_value)).text.replace("\u00a0", " ")
        assert phrase in text
        assert not re.search(r"beats|better|significant", text)

    def test_gives_no_star_to_shuffled_segments_that_depend_on_each_other(self, analysis, read_html):
        tests = [replace(test, p_value=0.001) for test in analysis.tests(("fluent", "neural-40k"))]
        text = read_html(pair_test(analysis, tests, 0.05, has_stars=False)).text
        assert text.endswith(block_words.NOT_INDEPENDENT)
        assert "The difference is" not in text

    def test_of_too_few_documents_says_so_and_gives_no_p(self, sample, read_html):
        layout = blocks_of_documents([f"d{place // 50}" for place in range(216)])
        found = analyse(sample.evaluation.bleu, layout, "human", can_test=False)
        text = read_html(pair_test(found, found.tests(("fluent", "neural-40k")), 0.05)).text
        assert text.endswith("A test needs at least 6 documents, and there are 5.")
        assert "p\u00a0" not in text
        against = [one for row in found.rows for one in (row.against_left, row.against_baseline) if one is not None]
        every = [test for three in against for test in three]
        assert {(test.p_value, test.statistic, test.interval) for test in every} == {(None, None, None)}

    def test_turns_with_a_metric_of_which_less_is_better(self, sample, sample_errors, read_html):
        found = analyse(sample_errors, blocks_of_documents(sample.test_set.documents), "literal")
        tests = found.tests(("literal", "neural-40k"))
        text = read_html(pair_test(found, tests, 0.05)).text
        low, high = tests[0].interval
        assert tests[0].mean_difference < 0  # neural-40k less literal
        assert text.startswith("Paired t-test over documents, neural-40k against literal: ")
        assert f"{numbers.difference(tests[0].mean_difference)} errors per document on average" in text
        assert f"95 % CI {numbers.interval(low, high)}" in text
        assert f"It wins {tests[0].n_negative}, loses {tests[0].n_positive} and ties 0 documents." in text

    def test_of_identical_systems_is_the_reason(self, twins, read_html):
        found = analysed(twins, 3)
        assert read_html(pair_test(found, found.tests(("first", "second")), 0.05)).text == (
            "Both systems have the same score in every block: there is no difference to test."
        )

    def test_of_one_block_says_who_is_ahead_and_why_there_is_no_t(self, analysis, sample, read_html):
        found = analysed(sample, 1)
        text = read_html(pair_test(found, found.tests(("fluent", "neural-40k")), 0.05)).text
        assert text == (
            "neural-40k against fluent: it wins 1, loses 0 and ties 0 blocks. One block has no variance: a t-test "
            "takes at least two."
        )

    @pytest.mark.parametrize(
        ("p_value", "state", "winner", "said"),
        [
            (0.001, "leads", "new", None),
            (0.2, "no-winner", "new", None),
            (0.2, "untested", "new", None),
            (0.2, "check-texts", "new", None),
            (
                0.2,
                "leads",
                "new",
                "new is significantly better. Over these blocks, the difference is not significant",
            ),
            (0.001, "leads", "old", "old is significantly better. Over these blocks, new is significantly better"),
            (
                0.001,
                "no-winner",
                "new",
                "the difference is not significant. Over these blocks, new is significantly",
            ),
            (0.001, "untested", "old", "the difference cannot be tested. Over these blocks, new is significantly"),
            (0.001, "equal", "new", "the scores are the same. Over these blocks, new is significantly better"),
            (0.001, "check-texts", "new", "the texts need a check first. Over these blocks, new is significantly"),
        ],
    )
    def test_where_the_verdict_differs_two_sentences_say_in_what_and_which_counts(
        self, analysis, read_html, p_value, state, winner, said
    ):
        tests = analysis.tests(("fluent", "neural-40k"))
        test = replace(tests[0], name="new", other="old", p_value=p_value, mean_difference=1.0)
        other = "old" if winner == "new" else "new"
        compared = PairComparison(winner, other, 1.0, None, None, None, None, None, None)
        found = Verdict("pair", state, "BLEU", (winner,), compared, "document", 12, None, 2)
        text = read_html(verdict_note(analysis, (test, *tests[1:]), found, 0.05)).text
        assert text.startswith(f"The verdict counts: {said}") if said else not text
        assert text.count(".") == (2 if said else 0)

    def test_of_a_system_with_itself_there_is_none(self, analysis):
        assert not pair_test(analysis, analysis.tests(("human", "human")), 0.05)

    def test_says_that_the_t_test_decides_where_there_is_one(self, analysis, sample, read_html):
        text = read_html(decision_note(analysis.tests(("fluent", "neural-40k")))).text
        assert text.startswith("If tests disagree, the paired t-test counts: it was chosen in advance.")
        assert not decision_note(analysed(sample, 1).tests(("fluent", "neural-40k")))

    def test_names_stay_text(self, analysis, read_html, hostile_texts):
        for name in hostile_texts:
            assert name in read_html(self.of(analysis, name=name)).text
            assert name in read_html(self.of(analysis, other=name)).text


class TestNotes:
    def test_remarks_are_given_once_with_their_tests(self, sample, read_html):
        found = analysed(sample, 3)
        assert read_html(pair_remarks(found.tests(("fluent", "neural-40k")))).text == (
            "Wilcoxon signed-rank test and sign test: With 3 blocks that differ, p cannot fall below 0.25."
        )

    def test_nothing_is_remarked_where_there_is_nothing(self, analysis):
        assert not pair_remarks(analysis.tests(("fluent", "neural-40k")))

    @pytest.mark.parametrize("neighbour", NEIGHBOURS)
    def test_missing_tests_have_their_reason_once_with_the_systems_concerned(
        self, analysis, sample, twins, one_system, read_html, neighbour
    ):
        assert not missing_tests_note(analysis, neighbour)
        assert not missing_tests_note(analysed(one_system, 2), neighbour)
        text = read_html(missing_tests_note(analysed(twins, 3), neighbour)).text
        assert text.count("same score in every block") == 1
        assert "first" in text
        assert "second" in text
        assert read_html(missing_tests_note(analysed(sample, 1), neighbour)).text.count("One block has no") == 1

    def test_names_stay_text(self, hostile, read_html):
        text = read_html(missing_tests_note(analysed(hostile, 1), "baseline")).text
        assert text.count("; ") >= 3
        assert hostile.evaluation.names[0] in text
        assert "and 2 more" in text

    def test_blocks_without_a_match_are_counted_by_system(self, score_texts, read_html):
        systems = {"none": ["x", "x", "a b c d"], "two": ["a b", "a b c d", "a b c d"], "all": ["a b c d"] * 3}
        scored = score_texts(systems, [["a b c d"] * 3])
        text = read_html(unmatched_note(analysed(scored, 3))).text
        assert text.startswith("Of 3 blocks, some n-gram order has no match in 2 of none, 1 of two. There BLEU depends")
        assert "smoothing (exp)" in text
        plain = evaluate(scored.test_set, BleuOptions(smoothing="none")).metrics["BLEU"]
        text = read_html(unmatched_note(analyse(plain, blocks_of_size(3, 1), "all"))).text
        assert "without smoothing is 0" in text

    def test_blocks_with_matches_are_not_mentioned(self, sample, sample_errors):
        assert not unmatched_note(analysed(sample, 2))
        assert not unmatched_note(analyse(sample_errors, blocks_of_number(216, 2), "literal"))

    def test_blocks_without_a_score_say_what_to_do(self, analysis, read_html):
        found = replace(analysis, n_unscored=3)
        assert read_html(unscored_note(found)).text == (
            "In 3 of 20 blocks, a system has no BLEU score because the file does not cover these segments. Choose "
            "larger blocks or another metric."
        )


class TestStudies:
    pair = ("fluent", "neural-40k")

    def layouts(self, sample, analysis):
        study = study_layouts(sample.evaluation.metrics["BLEU"], self.pair, analysis.layout, seed=1)
        return replace(study, statistics=np.array([1.0, 2.0, 3.0, 4.0]), n_layouts=5)

    @pytest.mark.parametrize(
        ("observed", "place"),
        [(0.5, "lower than all of them"), (2.5, "higher than 2 of them"), (9.0, "higher than all of them")],
    )
    def test_of_layouts_count_those_beyond_and_place_the_observed_t(self, sample, analysis, read_html, observed, place):
        test = replace(analysis.tests(self.pair)[0], statistic=observed)
        text = read_html(layouts_verdict(self.layouts(sample, analysis), test, 0.05)).text
        assert text == (
            "In 2 of 4 random layouts, t is beyond ±2.09, where p is .05. The median t is 2.50, and 80 % of "
            f"layouts lie between 1.30 and 3.70. The blocks above have t\u00a0=\u00a0{observed:.2f}, {place}. "
            "1 more layout has no t."
        )

    def test_of_layouts_that_all_have_the_same_t_say_only_that(self, sample, read_html):
        metric, layout = sample.evaluation.metrics["BLEU"], blocks_of_size(216, 1)
        found = analyse(metric, layout, "literal")
        study = study_layouts(metric, self.pair, layout, seed=1)
        test = found.tests(self.pair)[0]
        text = read_html(layouts_verdict(study, test, 0.05)).text
        assert text == f"Every random layout has the same t, {numbers.statistic(test.statistic)}."

    def test_of_layouts_go_without_an_observed_t(self, sample, analysis, read_html):
        test = replace(analysis.tests(self.pair)[0], statistic=None)
        text = read_html(layouts_verdict(self.layouts(sample, analysis), test, 0.05)).text
        assert "The blocks above" not in text

    def test_of_sizes_count_those_that_are_significant(self, sample, read_html):
        study = study_sizes(sample.evaluation.metrics["BLEU"], self.pair, None)
        text = read_html(sizes_verdict(study, 0.05)).text
        n_beyond = int((study.p_values < 0.05).sum())
        assert text == f"p is below .05 at {n_beyond} of {len(study.sizes)} block sizes from 1 to 40 segments."

    def test_without_t_give_the_reason(self, twins, read_html):
        metric, pair = twins.evaluation.metrics["BLEU"], ("first", "second")
        found = analysed(twins, 3)
        layouts = study_layouts(metric, pair, found.layout, seed=1)
        text = read_html(layouts_verdict(layouts, found.tests(pair)[0], 0.05)).text
        assert text.startswith("t over random layouts: Both systems have the same score")
        text = read_html(sizes_verdict(study_sizes(metric, pair, None), 0.05)).text
        assert text == "t over block sizes: 5 blocks take at least 5 segments."

    def test_are_explained_by_the_kind_of_blocks(self):
        assert "neighbouring segments" in layouts_caption(blocks_of_number(4, 2))
        assert "one more such layout" in layouts_caption(blocks_of_number(4, 2, shuffle_seed=1))
        assert "segments of a document" in layouts_caption(blocks_of_documents("aabb"))


def test_the_introduction_of_the_panels_names_their_source():
    assert "https://aclanthology.org/P02-1040/" in block_words.INTRODUCTION
