"""N-grams that a system has too often, against those that it misses: by hand, and as ``ngram_types`` counts them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bleucore import BleuOptions, InputError, System, TestSet
from bleucore.analysis.ngram_balance import balance_ratios, unmatched_counts
from bleucore.analysis.ngram_types import log_likelihood_ratios, ngram_types, pair_tokens

OPTIONS = BleuOptions("none", max_order=3)


def tokens_of(first, second, *references):
    return pair_tokens(TestSet([System("A", first), System("B", second)], references), ("A", "B"), OPTIONS)


class TestUnmatchedCounts:
    tokens = tokens_of(["the cat the cat", "a dog"], ["the cat", "the the dog"], ["the cat sat", "the dog"])

    def counts(self, name, *ngrams):
        too_often, missed = unmatched_counts([tuple(ngram.split()) for ngram in ngrams], self.tokens, name)
        return dict(zip(ngrams, zip(too_often.tolist(), missed.tolist(), strict=True), strict=True))

    def test_are_summed_over_segments_both_ways(self):
        assert self.counts("A", "the", "cat", "a", "sat", "dog") == {
            "the": (1, 1),
            "cat": (1, 0),
            "a": (1, 0),
            "sat": (0, 1),
            "dog": (0, 0),
        }
        assert self.counts("B", "sat", "the") == {"sat": (0, 1), "the": (1, 0)}

    def test_of_longer_ngrams_never_run_over_the_end_of_a_segment(self):
        assert self.counts("A", "cat a", "the cat", "a dog", "cat sat", "the dog") == {
            "cat a": (0, 0),
            "the cat": (1, 0),
            "a dog": (1, 0),
            "cat sat": (0, 1),
            "the dog": (0, 1),
        }

    def test_of_several_references_the_most_is_allowed_and_the_one_covered_best_is_missed(self):
        tokens = tokens_of(["a b c"], ["x"], ["a b d d"], ["x c c y z"])
        too_often, missed = unmatched_counts([("c",), ("d",), ("y",)], tokens, "A")
        assert too_often.tolist() == [0, 0, 0]
        assert missed.tolist() == [0, 2, 0]

    def test_a_token_that_no_text_has_is_nowhere(self):
        assert self.counts("A", "unheard") == {"unheard": (0, 0)}

    def test_of_no_ngram_are_empty(self):
        assert [counts.tolist() for counts in unmatched_counts([], self.tokens, "A")] == [[], []]

    @pytest.mark.parametrize("ngrams", [[("a",), ("a", "b")], [("a",), ("a",)]], ids=["orders", "repeated"])
    def test_ngrams_of_several_orders_or_repeated_are_refused(self, ngrams):
        with pytest.raises(InputError, match="of several orders, or repeat"):
            unmatched_counts(ngrams, self.tokens, "A")


texts = st.lists(st.sampled_from("abc"), max_size=7).map(" ".join)


@settings(max_examples=60)
@given(st.lists(st.tuples(texts, texts, texts, st.none() | texts), min_size=1, max_size=6))
def test_are_those_of_the_leading_types(rows):
    first, second, reference, other = zip(*rows, strict=True)
    tokens = tokens_of(first, second, reference, other)
    for types in ngram_types(tokens, np.ones(3), n_leading=1_000):
        for place, name in enumerate("AB"):
            for kind, unmatched in enumerate((types.over_generated, types.missed)):
                ngrams = [each.tokens for each in unmatched.leading]
                counts = unmatched_counts(ngrams, tokens, name)[kind]
                assert counts.tolist() == [each.counts[place] for each in unmatched.leading]


def test_ratios_are_above_zero_where_these_are_the_larger_share():
    these, others = np.array([9, 1, 5]), np.array([0, 12, 5])
    ratios = balance_ratios(these, others, sizes=(100, 100))
    assert ratios[0] > 0 > ratios[1]
    assert ratios[2] == 0
    assert ratios.tolist() == log_likelihood_ratios(others, these, sizes=(100, 100)).tolist()
