"""The block analysis of all systems, and what it says in words."""

import re

import numpy as np
import pytest

from bleucore.significance import PairedTTest, blocks_of_number, blocks_of_size, paired_t_test
from dashboard.content import numbers
from dashboard.content.blocks import analyse, layout_note, missing_tests_note, pair_test, pair_verdict


@pytest.fixture(scope="module")
def analysis(sample):
    return analyse(sample.evaluation, blocks_of_number(216, 20), "literal")


def test_summaries_keep_the_test_sets_order_and_rows_rise_with_the_corpus_score(sample, analysis):
    assert tuple(summary.name for summary in analysis.summaries) == sample.evaluation.names
    names = [row.summary.name for row in analysis.rows]
    corpus_scores = [sample.evaluation.systems[name].score.score for name in names]
    assert corpus_scores == sorted(corpus_scores)
    assert names == list(sample.evaluation.ranked()[::-1])


def test_each_system_is_tested_against_its_left_neighbour_and_the_baseline(analysis):
    names = [row.summary.name for row in analysis.rows]
    for place, row in enumerate(analysis.rows):
        left, base = row.against_left, row.against_baseline
        assert (left is None) == (place == 0)
        assert (base is None) == (row.summary.name == "literal")
        if left is not None:
            assert (left.name, left.other) == (names[place], names[place - 1])
        if base is not None:
            assert (base.name, base.other) == (names[place], "literal")
            other = next(summary for summary in analysis.summaries if summary.name == "literal")
            assert base.p_value == paired_t_test(row.summary, other).p_value


def test_a_pair_is_the_second_system_minus_the_first(analysis):
    test = pair_test(analysis, ("fluent", "neural"))
    assert (test.name, test.other) == ("neural", "fluent")
    scores = {summary.name: summary.scores for summary in analysis.summaries}
    assert np.array_equal(test.differences, scores["neural"] - scores["fluent"])


def test_a_block_score_is_the_corpus_score_of_its_segments(sample, analysis):
    groups = np.minimum(np.arange(216) // 10, 20)
    for summary in analysis.summaries:
        expected = sample.evaluation.group_scores(summary.name, groups, 21)[:20]
        assert summary.scores == pytest.approx(expected)


@pytest.mark.parametrize(
    ("layout", "sentence"),
    [
        (blocks_of_number(6, 3), "3 blocks of 2 segments each."),
        (blocks_of_number(1, 1), "1 block of 1 segment each."),
        (blocks_of_number(7, 3), "3 blocks of 2 segments each. 1 segment at the end is left out."),
        (blocks_of_size(8, 3), "2 blocks of 3 segments each. 2 segments at the end are left out."),
        (blocks_of_number(8, 3, remainder="spread"), "3 blocks of 2 to 3 segments each."),
        (
            blocks_of_number(5_001, 2, remainder="spread"),
            "2 blocks of 2\u2009500 to 2\u2009501 segments each.",
        ),
    ],
)
def test_the_layout_is_said_in_words(read_html, layout, sentence):
    assert read_html(layout_note(layout)).text == sentence


class TestMissingTests:
    def note(self, read_html, scored, n_blocks):
        layout = blocks_of_number(scored.evaluation.n_segments, n_blocks)
        return read_html(missing_tests_note(analyse(scored.evaluation, layout, scored.evaluation.names[0]))).text

    def test_nothing_is_said_where_nothing_is_missing(self, analysis):
        assert missing_tests_note(analysis) == ""

    def test_each_reason_is_given_once_with_the_systems_concerned(self, twins, sample, read_html):
        text = self.note(read_html, twins, 3)
        assert text.count("same score in every block") == 1
        assert "first" in text
        assert "second" in text
        assert self.note(read_html, sample, 1).count("One block has no variance") == 1

    def test_one_system_has_nothing_to_be_compared_with(self, one_system, read_html):
        assert self.note(read_html, one_system, 2) == ""

    def test_names_stay_text(self, hostile, read_html):
        text = self.note(read_html, hostile, 1)
        assert all(name in text for name in hostile.evaluation.names)


def t_test(**changes):
    values = {
        "name": "new",
        "other": "old",
        "differences": np.array([1.0, 2.0, -0.5, 0.0]),
        "mean_difference": 0.625,
        "statistic": 1.1,
        "degrees_of_freedom": 3,
        "p_value": 0.3518,
        "interval": (-1.2, 2.4),
        "reason": None,
    }
    return PairedTTest(**(values | changes))


class TestVerdict:
    def test_says_who_is_ahead_in_how_many_blocks_by_how_much_and_how_sure(self, read_html):
        text = read_html(pair_verdict(t_test())).text
        for part in ("new is ahead of old in 2 of 4 blocks", "behind in 1", "+0.62 BLEU", "−1.20 to 2.40", "p = .352"):
            assert part in text
        assert "Chance alone could well" in text

    @pytest.mark.parametrize(
        ("p_value", "phrase", "judgement"),
        [
            (0.0, "p < .001", "unlikely to be chance"),
            (0.0499, "p = .050", "unlikely to be chance"),
            (0.05, "p = .050", "Chance alone could well"),
            (1.0, "p > .999", "Chance alone could well"),
        ],
    )
    def test_judges_by_p(self, read_html, p_value, phrase, judgement):
        text = read_html(pair_verdict(t_test(p_value=p_value))).text
        assert phrase in text
        assert judgement in text

    @pytest.mark.parametrize("n_blocks", [1, 3])
    def test_gives_the_reason_where_there_is_no_t(self, twins, read_html, n_blocks):
        made = analyse(twins.evaluation, blocks_of_number(3, n_blocks), "first")
        test = pair_test(made, ("first", "second"))
        text = read_html(pair_verdict(test)).text
        assert test.reason in text
        assert not re.search(r"\b(?:nan|inf|None)\b", text)

    def test_of_a_system_with_itself_there_is_none(self, analysis):
        assert pair_verdict(pair_test(analysis, ("human", "human"))) == ""

    def test_names_stay_text(self, read_html, hostile_texts):
        for name in hostile_texts:
            assert name in read_html(pair_verdict(t_test(name=name))).text
            assert name in read_html(pair_verdict(t_test(other=name))).text

    def test_its_numbers_are_those_of_the_test(self, analysis, read_html):
        test = pair_test(analysis, ("human", "neural"))
        text = read_html(pair_verdict(test)).text
        assert numbers.interval(*test.interval) in text
        assert numbers.statistic(test.statistic) in text
