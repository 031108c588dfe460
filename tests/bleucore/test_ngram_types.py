"""N-grams won, lost, generated too often and missed: by hand, counted naively, and their sums."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2_contingency

from bleucore import BleuOptions, InputError, System, TestSet, evaluate
from bleucore.analysis import type_counts
from bleucore.analysis.attribution import attribute
from bleucore.analysis.ngram_types import (
    MatchedNgram,
    UnmatchedNgram,
    log_likelihood_ratios,
    ngram_types,
    pair_tokens,
    segments_with,
)
from bleucore.metrics.presets import PRESETS
from bleucore.tokens.tokenizers import tokenize

BIGRAMS = BleuOptions("none", max_order=2)
ONES = np.ones(2)


def tokens_of(first, second, *references, options=BIGRAMS, rows=None):
    test_set = TestSet([System("A", first), System("B", second)], references)
    return pair_tokens(test_set, ("A", "B"), options, rows=rows)


def words(types):
    return {" ".join(each.tokens): each for each in types}


class TestByHand:
    tokens = tokens_of(
        ["the cat the cat", "a dog"],
        ["the cat sat", "the dog"],
        ["the cat sat down", "the dog"],
    )

    def test_matches_are_won_and_lost_by_type(self):
        unigrams, bigrams = ngram_types(self.tokens, np.array([2.0, 3.0]))
        assert (unigrams.order, unigrams.won, unigrams.lost, unigrams.part) == (1, 2, 0, 4)
        assert {name: (each.won, each.lost, each.part) for name, each in words(unigrams.leading_won).items()} == {
            "sat": (1, 0, 2.0),
            "the": (1, 0, 2.0),
        }
        assert {name: each.net for name, each in words(bigrams.leading_won).items()} == {"cat sat": 1, "the dog": 1}
        assert (bigrams.n_won, bigrams.n_lost, bigrams.leading_lost) == (2, 0, ())

    def test_what_is_won_in_one_segment_and_lost_in_another_counts_on_both_sides(self):
        found = ngram_types(tokens_of(["a", "x", "x"], ["x", "a", "a"], ["a", "a", "a"]), ONES)[0]
        assert (found.won, found.lost, found.n_won, found.n_lost) == (2, 1, 1, 0)
        assert found.leading_won == (MatchedNgram(("a",), 2, 1, 1.0, 0.0),)

    def test_ngrams_are_generated_too_often_because_no_reference_has_them_or_not_so_often(self):
        unigrams, bigrams = ngram_types(self.tokens, ONES)
        over = unigrams.over_generated
        assert (over.counts, over.clipped, over.n_types) == ((3, 0), (2, 0), 3)
        assert words(over.leading) == {
            "the": UnmatchedNgram(("the",), (1, 0), (1, 0), 0.0),
            "cat": UnmatchedNgram(("cat",), (1, 0), (1, 0), 0.0),
            "a": UnmatchedNgram(("a",), (1, 0), (0, 0), 0.0),
        }
        assert {name: each.counts for name, each in words(bigrams.over_generated.leading).items()} == {
            "the cat": (1, 0),
            "cat the": (1, 0),
            "a dog": (1, 0),
        }

    def test_ngrams_of_the_reference_are_missed(self):
        unigrams, bigrams = ngram_types(self.tokens, ONES)
        assert {name: each.counts for name, each in words(unigrams.missed.leading).items()} == {
            "the": (1, 0),
            "sat": (1, 0),
            "down": (1, 1),
        }
        assert bigrams.missed.counts == (3, 1)
        assert bigrams.missed.clipped == (0, 0)
        assert bigrams.missed.leading[0].tokens == ("sat", "down")

    def test_of_several_references_the_one_covered_best_is_missed(self):
        tokens = tokens_of(["a b c"], ["p q x"], ["a b d e"], ["p q r"])
        missed = words(ngram_types(tokens, ONES)[0].missed.leading)
        assert {name: each.counts for name, each in missed.items()} == {"d": (1, 0), "e": (1, 0), "r": (0, 1)}

    def test_of_equally_covered_references_the_first_is_missed_but_an_empty_or_absent_one_never(self):
        tokens = tokens_of(["x", "x", "x"], ["x", "x", "x"], ["a", "", None], ["b", "c", "d"])
        missed = words(ngram_types(tokens, ONES)[0].missed.leading)
        assert {name: each.counts for name, each in missed.items()} == {"a": (1, 1), "c": (1, 1), "d": (1, 1)}

    def test_an_ngram_does_not_pass_the_end_of_a_segment(self):
        found = ngram_types(tokens_of(["a", "b"], ["", ""], ["a", "b"]), ONES)[1]
        assert (found.won, found.lost, found.over_generated.counts, found.missed.counts) == (0, 0, (0, 0), (0, 0))

    def test_so_many_types_lead_on_each_side_by_part_and_by_log_likelihood(self):
        first = ["a"] * 4 + ["b"] * 3 + ["c"] * 2 + ["d"] * 9 + ["x"] * 6
        second = ["x"] * 9 + ["d"] * 9 + ["d"] * 6
        references = first[:9] + ["d"] * 15
        found = ngram_types(tokens_of(first, second, references), ONES, n_leading=2)[0]
        assert [each.tokens for each in found.leading_lost] == [("a",), ("b",)]
        assert [each.tokens for each in found.leading_won] == [("d",)]
        assert (found.n_lost, found.n_won, found.lost, found.won) == (3, 1, 9, 6)
        assert len(found.over_generated.leading) == 1

    def test_an_empty_text_that_counts_as_a_token_matches_another(self):
        options = replace(PRESETS["ibleu"].options, max_order=1)
        found = ngram_types(tokens_of(["", "a"], ["a", ""], ["", "b"], options=options), np.ones(1))[0]
        assert found.leading_lost == (MatchedNgram(("",), 0, 1, -1.0, 0.0),)
        assert words(found.over_generated.leading)[""].counts == (0, 1)

    def test_no_segment_has_no_ngram(self):
        tokens = tokens_of(["a"], ["b"], ["a"], rows=np.zeros(0, np.int64))
        assert [(found.won, found.missed.counts) for found in ngram_types(tokens, ONES)] == [(0, (0, 0)), (0, (0, 0))]


class TestSegments:
    tokens = tokens_of(
        ["a b a b", "", "b a", "c"], ["b", "a b", "x", "c"], ["a b", "a", "a b a", "d"], ["x", None, "", "c"]
    )

    def test_with_an_ngram_say_how_often_each_text_has_it(self):
        found = segments_with(("a", "b"), self.tokens)
        assert found.segments.tolist() == [0, 1, 2]
        assert (found.first.tolist(), found.second.tolist(), found.reference.tolist()) == (
            [2, 0, 0],
            [0, 1, 0],
            [1, 0, 1],
        )

    def test_of_a_token_are_found_in_any_reference(self):
        found = segments_with(("c",), self.tokens)
        assert [found.segments.tolist(), found.reference.tolist()] == [[3], [1]]

    def test_of_an_unknown_word_are_none(self):
        assert segments_with(("a", "z"), self.tokens).segments.tolist() == []

    def test_count_overlapping_ngrams(self):
        assert segments_with(("a", "a"), tokens_of(["a a a"], ["a"], ["a"])).first.tolist() == [2]

    def test_are_counted_among_the_rows_that_were_taken(self):
        tokens = tokens_of(["a", "b", "a"], ["b", "b", "b"], ["c", "c", "c"], rows=np.array([1, 2]))
        assert segments_with(("a",), tokens).segments.tolist() == [1]

    def test_of_no_token_are_refused(self):
        with pytest.raises(InputError) as caught:
            segments_with((), self.tokens)
        assert str(caught.value) == "the n-gram is empty. Give at least one token."


def test_an_unknown_system_is_refused():
    with pytest.raises(InputError, match="there is no system of this name"):
        pair_tokens(TestSet([System("A", ["a"])], [["a"]]), ("A", "B"), BIGRAMS)


class TestLogLikelihood:
    @pytest.mark.parametrize(
        "table", [(12, 3, 100, 100), (3, 12, 90, 100), (0, 5, 40, 60), (1, 0, 7, 9), (10, 10, 10, 20)]
    )
    def test_is_that_of_scipy_with_the_sign_of_the_difference_of_the_shares(self, table):
        first, second, n_first, n_second = table
        found = log_likelihood_ratios(np.array([first]), np.array([second]), sizes=(n_first, n_second))
        expected = chi2_contingency(
            [[first, n_first - first], [second, n_second - second]], correction=True, lambda_="log-likelihood"
        )
        assert abs(found[0]) == pytest.approx(expected.statistic, abs=1e-12)
        if expected.statistic > 1e-12:
            assert np.sign(found[0]) == np.sign(second / n_second - first / n_first)

    def test_is_0_where_a_collection_is_empty(self):
        assert log_likelihood_ratios(np.array([0, 0]), np.array([3, 4]), sizes=(0, 7)).tolist() == [0, 0]

    def test_is_0_for_the_only_type(self):
        assert log_likelihood_ratios(np.array([5]), np.array([3]), sizes=(5, 3)).tolist() == [0]


def naive_counts(test_set, options):
    """For each order: (won, lost, over A, over B, clipped A, clipped B, missed A, missed B) of each n-gram."""
    found = [{} for _ in range(options.max_order)]
    for segment in range(test_set.n_segments):
        texts = [column[segment] for column in test_set.references if column[segment] is not None]
        texts += [system.hypotheses[segment] for system in test_set.systems]
        tokenized = tokenize(texts, options.tokenizer, lowercase=options.lowercase)
        counted = [
            [
                Counter(zip(*(tokenized.tokens(index)[place:] for place in range(order)), strict=False))
                for order in orders
            ]
            for orders in [range(1, options.max_order + 1)]
            for index in range(len(texts))
        ]
        references, hypotheses = counted[:-2], counted[-2:]
        best = [max(references, key=lambda reference, own=own: covered(own, reference)) for own in hypotheses]
        for order, of_types in enumerate(found):
            for ngram in {ngram for orders in counted for ngram in orders[order]}:
                allowed = max(reference[order][ngram] for reference in references)
                own = [hypothesis[order][ngram] for hypothesis in hypotheses]
                matched = [min(count, allowed) for count in own]
                over = [count - match for count, match in zip(own, matched, strict=True)]
                missed = [max(0, chosen[order][ngram] - count) for chosen, count in zip(best, own, strict=True)]
                change = matched[1] - matched[0]
                row = [max(change, 0), max(-change, 0), *over, *(count * (allowed > 0) for count in over), *missed]
                of_types[ngram] = np.array(row) + of_types.get(ngram, 0)
    return found


def covered(own, reference):
    n_ngrams = sum(counts.total() for counts in reference)
    matched = sum((counts & other).total() for counts, other in zip(own, reference, strict=True))
    return matched / n_ngrams if n_ngrams else -0.5


@given(data=st.data(), batch_tokens=st.sampled_from([1, 5, 10_000]))
@settings(max_examples=60)
def test_types_are_those_counted_one_by_one_in_each_segment_whatever_the_batches(
    make_test_set, corpora, data, batch_tokens
):
    hypotheses, references = data.draw(corpora)
    test_set = make_test_set([hypotheses[0], hypotheses[-1]], references)
    options = BleuOptions(lowercase=data.draw(st.booleans()))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type_counts, "BATCH_TOKENS", batch_tokens)
        found = ngram_types(pair_tokens(test_set, ("0", "1"), options), np.array([1.0, 2, 3, 4]))
    for order, expected in zip(found, naive_counts(test_set, options), strict=True):
        rows = np.array(list(expected.values())).reshape(-1, 8)
        assert [order.won, order.lost, *order.over_generated.counts, *order.over_generated.clipped] == list(
            rows[:, :6].sum(axis=0)
        )
        assert order.missed.counts == tuple(rows[:, 6:].sum(axis=0))
        changed = {ngram: (row[0], row[1]) for ngram, row in expected.items() if row[0] != row[1]}
        assert {each.tokens: (each.won, each.lost) for each in order.leading_won + order.leading_lost} == changed
        assert (order.n_won, order.n_lost) == (len(order.leading_won), len(order.leading_lost))
        over = {ngram: (*row[2:4], *row[4:6]) for ngram, row in expected.items() if row[2:4].any()}
        assert {each.tokens: (*each.counts, *each.clipped) for each in order.over_generated.leading} == over
        missed = {ngram: tuple(row[6:]) for ngram, row in expected.items() if row[6:].any()}
        assert {each.tokens: each.counts for each in order.missed.leading} == missed
        assert (order.over_generated.n_types, order.missed.n_types) == (len(over), len(missed))


@given(data=st.data(), preset=st.sampled_from(sorted(PRESETS)))
@settings(max_examples=40)
def test_parts_of_the_types_add_up_to_the_part_of_the_matches_of_their_order(make_test_set, corpora, data, preset):
    hypotheses, references = data.draw(corpora)
    test_set = make_test_set([hypotheses[0], hypotheses[-1]], references)
    options = PRESETS[preset].options
    systems = evaluate(test_set, options).systems
    found = attribute(systems["0"].counts, systems["1"].counts, options)
    of_orders = ngram_types(pair_tokens(test_set, ("0", "1"), options), found.match_values)
    for order, part in zip(of_orders, found.match_parts, strict=True):
        types = order.leading_won + order.leading_lost
        assert sum(each.part for each in types) == pytest.approx(part, abs=1e-9)
        assert order.part == pytest.approx(part, abs=1e-9)
        parts = [abs(each.part) for each in order.leading_won]
        assert all(before >= after for before, after in pairwise(parts))
