"""How many runs got a segment right, or beat the mean of another recipe's runs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleucore import BleuOptions, System, TestSet, evaluate
from bleucore.experiments.segment_runs import (
    are_short_answers,
    right_answers,
    runs_above_mean,
    runs_right,
)


def right_in(outputs, references, **options):
    test_set = TestSet([System(name, texts) for name, texts in outputs.items()], references)
    chosen = BleuOptions(**options)
    counts = {name: one.counts for name, one in evaluate(test_set, chosen).bleu.systems.items()}
    return {name: one.tolist() for name, one in right_answers(test_set, counts, chosen).items()}


class TestRight:
    REFERENCES = ([["Paris", "a cat", "7", "the red house"], ["paris", None, "seven", "a red house"]],)

    def test_by_hand_any_reference_is_right_and_case_counts(self):
        outputs = {"m": ["paris", "A cat", "seven", "a red house ."], "n": ["Lyon", "a  cat", "", "house red a"]}
        assert right_in(outputs, *self.REFERENCES) == {
            "m": [True, False, True, False],
            "n": [False, True, False, False],
        }

    def test_the_case_of_the_scoring_decides(self):
        assert right_in({"m": ["PARIS", "A cat", "8", ""]}, *self.REFERENCES, lowercase=True)["m"] == [
            *(True, True, False, False)
        ]

    def test_the_tokenizer_of_the_scoring_decides(self):
        outputs, references = {"m": ["yes."]}, [["yes ."]]
        assert right_in(outputs, references, tokenizer="13a")["m"] == [True]
        assert right_in(outputs, references, tokenizer="none")["m"] == [False]

    def test_the_same_words_in_another_order_are_wrong(self):
        assert right_in({"m": ["b a b", "a b a b"]}, [["a b b", "b a b a"]], max_order=1)["m"] == [False, False]

    def test_an_empty_answer_is_right_where_the_reference_is_empty(self):
        assert right_in({"m": ["", ""]}, [["", "x"]])["m"] == [True, False]

    @given(st.lists(st.tuples(st.text("ab .", max_size=6), st.text("ab .", max_size=6)), min_size=1, max_size=8))
    def test_equal_texts_are_always_right_and_counted_once_a_run(self, pairs):
        hypotheses, references = map(list, zip(*pairs, strict=True))
        right = right_in({"m": hypotheses, "n": references}, [references])
        assert all(right["n"])
        assert all(right["m"][row] for row, (one, other) in enumerate(pairs) if one == other)
        counts = runs_right({name: np.array(one) for name, one in right.items()}, ["m", "n"])
        assert set(counts.tolist()) <= {1, 2}


@pytest.mark.parametrize(
    ("shares", "are_short"), [((0.5, 0.6), True), ((0.0, 0.02, 0.9), False), ((0.1, 0.1, 0.0), True), ((), False)]
)
def test_the_middle_system_decides_whether_answers_are_short(shares, are_short):
    right = {str(place): np.arange(100) < 100 * share for place, share in enumerate(shares)}
    assert are_short_answers(right) == are_short


class TestAboveMean:
    A, B = [[1.0, 5.0], [3.0, 5.0], [4.0, 5.0]], [[2.0, 5.0], [3.0, 5.0]]

    def test_by_hand_runs_above_the_mean_of_the_others_are_counted(self):
        assert runs_above_mean([*map(np.array, self.A)], [*map(np.array, self.B)]).tolist() == [2, 0]

    def test_lower_can_be_better(self):
        found = runs_above_mean([*map(np.array, self.A)], [*map(np.array, self.B)], higher_is_better=False)
        assert found.tolist() == [1, 0]

    def test_equal_scores_are_never_above_their_mean(self):
        same = [np.array([0.1, 33.3])] * 3
        assert runs_above_mean(same, same).tolist() == [0, 0]

    def test_where_a_score_is_missing_nothing_is_counted(self):
        found = runs_above_mean([np.array([1.0, np.nan, 3.0])], [np.array([0.0, 0.0, np.nan])])
        assert found[0] == 1
        assert np.isnan(found[1:]).all()
