"""Phrases that make a difference: by hand, and against n-grams counted one by one."""

from collections import Counter
from math import sqrt
from operator import and_, sub
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleucore import BleuOptions, System, TestSet
from bleucore.analysis.differing_ngrams import Counted, differing_ngrams, wholes
from bleucore.analysis.ngram_phrases import Phrases, telling_phrases
from bleucore.analysis.ngram_types import pair_tokens
from bleucore.analysis.type_counts import best_covered

ONES = np.ones(2)


def tokens_of(first, second, *references, tokenizer="none"):
    test_set = TestSet([System("A", first), System("B", second)], references)
    return pair_tokens(test_set, ("A", "B"), BleuOptions(tokenizer, max_order=2))


def named(phrases):
    return {" ".join(phrase.tokens): phrase for phrase in phrases}


class TestByHand:
    references = ("we did not go home", "he did not see it", "they did not eat", "she slept")
    first = ("we went home", "he missed it", "they were hungry", "she slept")

    def test_parts_are_merged_into_the_phrase_that_differs_in_the_same_segments(self):
        found = telling_phrases(tokens_of(self.first, self.references, self.references), np.array([2.0, 3.0]))
        (phrase,) = found.leading[1]
        assert (phrase.tokens, phrase.counts, phrase.part) == (("did", "not"), (0, 3), 3 * (2.0 + 2.0 + 3.0))
        assert [segments.tolist() for segments in phrase.segments] == [[], [0, 1, 2]]
        assert (found.leading[0], found.folded, found.n_phrases, found.n_folded) == ((), ((), ()), (0, 1), (0, 0))

    def test_what_is_assured_is_the_part_less_a_match_and_what_random_signs_come_to(self):
        tokens = tokens_of(self.first, self.references, self.references)
        assert telling_phrases(tokens, ONES).leading[1][0].assured == pytest.approx(3 * (3 - 1 - sqrt(3)))
        assert telling_phrases(tokens, ONES, ["d"] * 4).leading[1][0].assured == pytest.approx(3 * (3 - 1 - sqrt(3)))

    def test_a_phrase_that_a_single_document_repeats_is_not_given(self):
        tokens = tokens_of(self.first, self.references, self.references)
        found = telling_phrases(tokens, ONES, ["d", "d", "d", "e"])
        assert (found.leading[1], found.n_phrases[1]) == ((), 1)

    def test_parts_are_merged_into_a_phrase_longer_than_what_bleu_counts(self):
        references = ["p no later than noon", "q no later than two", "no later than r"]
        found = telling_phrases(tokens_of(["p noon", "q two", "r"], references, references), ONES)
        assert [(phrase.tokens, phrase.part) for phrase in found.leading[1]] == [(("no", "later", "than"), 3 * 5.0)]

    def test_parts_are_merged_into_a_phrase_that_has_three_quarters_of_their_segments(self):
        references = ["red cats", "red cats", "red cats", "red"]
        tokens = tokens_of([""] * 4, references, references)
        (phrase,) = telling_phrases(tokens, np.array([1.0, 5.0])).leading[1]
        assert (phrase.tokens, phrase.counts, phrase.part) == (("red", "cats"), (0, 3), 4 * 1.0 + 3 * 1.0 + 3 * 5.0)
        assert phrase.assured == pytest.approx(22 - 7 - sqrt(3 * 7**2 + 1))

    def test_a_phrase_tells_nothing_new_if_half_of_its_segments_are_those_of_a_better_one_with_its_token(self):
        references = ["red cats", "red cats", "red cats", "red", "red"]
        found = telling_phrases(tokens_of([""] * 5, references, references), np.array([1.0, 20.0]))
        assert ([phrase.tokens for phrase in found.leading[1]], found.n_phrases[1]) == ([("red", "cats")], 2)

    def test_it_tells_something_new_if_more_than_half_are_others(self):
        references = ["red cats"] * 3 + ["red"] * 4
        found = telling_phrases(tokens_of([""] * 7, references, references), np.array([1.0, 20.0]))
        assert [phrase.tokens for phrase in found.leading[1]] == [("red", "cats"), ("red",)]

    def test_matches_that_both_have_are_counted_and_segments_are_of_either_side(self):
        first, second = ["a"] * 2 + [""] * 5 + ["a"], ["a"] * 2 + ["a"] * 5 + [""]
        (phrase,) = telling_phrases(tokens_of(first, second, ["a"] * 8), ONES).leading[1]
        assert (phrase.counts, phrase.part) == ((3, 7), 4.0)
        assert [segments.tolist() for segments in phrase.segments] == [[7], [2, 3, 4, 5, 6]]

    def test_a_phrase_that_a_matches_more_has_a_negative_part(self):
        found = telling_phrases(tokens_of(self.references, self.first, self.references), ONES)
        assert [(phrase.counts, phrase.part) for phrase in found.leading[0]] == [((3, 0), -9.0)]

    def test_matches_are_clipped_by_the_reference_that_has_most(self):
        found = telling_phrases(tokens_of([""] * 4, ["a a a"] * 4, ["a"] * 4, ["a b a"] * 4), ONES)
        assert found.leading[1][0].counts == (0, 8)

    @pytest.mark.parametrize("n_segments", [1, 0])
    def test_no_match_and_no_segment_have_no_phrase(self, n_segments):
        test_set = TestSet([System("A", ["x"]), System("B", ["y"])], [["z"]])
        tokens = pair_tokens(test_set, ("A", "B"), BleuOptions("none", max_order=2), rows=np.arange(n_segments))
        assert telling_phrases(tokens, ONES) == Phrases(((), ()), ((), ()), (0, 0), (0, 0), ())

    def test_as_many_are_given_as_are_asked_for(self):
        references = [f"{word} {word}{segment}" for word in "abc" for segment in range(3)]
        found = telling_phrases(tokens_of([""] * 9, references, references), ONES, n_leading=2)
        assert ([phrase.tokens for phrase in found.leading[1]], found.n_phrases[1]) == ([("a",), ("b",)], 3)


class TestOtherCounts:
    def test_what_b_has_too_often_lowers_its_score(self):
        first, second = ["cats sleep"] * 3, ["cats do sleep"] * 3
        found = telling_phrases(tokens_of(first, second, first), np.array([-1.0, -2.0]), counted="too often")
        (phrase,) = found.leading[1]
        assert (phrase.tokens, phrase.counts, phrase.part) == (("cats", "do", "sleep"), (0, 3), -3 * (1.0 + 2.0 + 2.0))
        assert (found.leading[0], phrase.leader, phrase.segments[1].tolist()) == ((), 1, [0, 1, 2])

    def test_an_order_of_known_words_is_too_often_too(self):
        found = telling_phrases(tokens_of(["a b"] * 3, ["b a"] * 3, ["a b"] * 3), -ONES, counted="too often")
        assert [phrase.tokens for phrase in found.leading[1]] == [("b", "a")]

    def test_what_is_counted_in_a_single_segment_is_in_no_phrase(self):
        second = ["red cats", "red", "red"]
        found = telling_phrases(tokens_of([""] * 3, second, ["", "red", "red"]), -ONES, counted="too often")
        assert (found.leading, found.n_phrases) == (((), ()), (0, 0))

    def test_what_a_misses_is_of_the_reference_that_it_covers_best(self):
        references = ["a cat ran"] * 3, ["one dog"] * 3
        found = telling_phrases(tokens_of(["a cat"] * 3, ["a cat ran"] * 3, *references), -ONES, counted="missed")
        assert [(phrase.tokens, phrase.counts, phrase.part) for phrase in found.leading[0]] == [
            (("a", "cat", "ran"), (3, 0), 3 * 2.0)
        ]

    def test_one_system_alone_is_held_against_the_references(self):
        hypotheses, references = ["cats do sleep"] * 3 + ["w x"] * 3, ["cats sleep"] * 3 + ["w y"] * 3
        found = telling_phrases(tokens_of(hypotheses, hypotheses, references), ONES, counted="against the references")
        assert [phrase.tokens for phrase in found.leading[1]] == [("cats", "do", "sleep"), ("w", "x")]
        assert [(phrase.tokens, phrase.counts) for phrase in found.leading[0]] == [
            (("w", "y"), (3, 0)),
            (("cats", "sleep"), (3, 0)),
        ]

    def test_what_merely_stands_elsewhere_is_no_phrase(self):
        hypotheses, references = ["cats", "", "cats", ""] * 2, ["", "cats", "", "cats"] * 2
        found = telling_phrases(tokens_of(hypotheses, hypotheses, references), ONES, counted="against the references")
        assert found.n_phrases == (0, 0)


@pytest.mark.parametrize(
    ("tokenizer", "template", "words", "filler", "frequent"),
    [
        ("13a", "{} of The {} .", ["cats", "dogs"], [f"w{n}" for n in range(60)], ["of", "the", "."]),
        ("zh", "{}的是{}。", ["猫", "狗"], [chr(0x5000 + n) for n in range(60)], ["的", "是", "。"]),
        ("13a", "{} في من {} .", ["قط", "كلب"], [f"ب{n}" for n in range(60)], ["في", "من", "."]),
    ],
)
def test_frequent_tokens_and_punctuation_are_folded_in_any_script(tokenizer, template, words, filler, frequent):
    references = [template.format(word, segment) for segment, word in enumerate(words * 3)] + [" ".join(filler)]
    found = telling_phrases(tokens_of([""] * 7, references, references, tokenizer=tokenizer), ONES)
    assert list(found.frequent) == frequent
    assert [phrase.tokens[0] for phrase in found.leading[1]] == words
    assert [tuple(token.lower() for token in phrase.tokens) for phrase in found.folded[1]] == [
        tuple(frequent[:2]),
        (frequent[2],),
    ]


def test_at_most_a_twentieth_of_the_different_tokens_are_frequent():
    references = ["a b c"] * 6
    found = telling_phrases(tokens_of([""] * 6, references, references), ONES)
    assert found.frequent == ()
    assert [phrase.tokens for phrase in found.leading[1]] == [("a", "b", "c")]


@pytest.mark.parametrize("counted", get_args(Counted))
@given(data=st.data())
def test_ngrams_are_those_counted_one_by_one_in_several_segments(make_test_set, corpora, data, counted):
    hypotheses, references = data.draw(corpora)
    test_set = make_test_set([hypotheses[0], hypotheses[-1]], references)
    tokens = pair_tokens(test_set, ("0", "1"), BleuOptions())
    found = differing_ngrams(tokens, counted)
    expected = naive_counts(tokens, counted)
    is_counted = (found.counts > 0).any(axis=1) & (np.diff(found.bounds) > 0)
    here = np.flatnonzero(is_counted).tolist()
    assert {tuple(found.tokens(ngram).tolist()): tuple(found.counts[ngram].tolist()) for ngram in here} == {
        ngram: tuple(np.sum(list(of_segments.values()), axis=0).tolist())
        for ngram, of_segments in expected.items()
        if any(first != second for first, second in of_segments.values())
    }
    for ngram in here:
        of_segments = expected[tuple(found.tokens(ngram).tolist())]
        nets = {segment: second - first for segment, (first, second) in sorted(of_segments.items()) if first != second}
        segments, values = found.differences(ngram)
        assert (segments.tolist(), values.tolist()) == (list(nets), list(nets.values()))


@given(data=st.data())
def test_an_ngram_is_within_its_whole_which_is_its_own_and_differs_where_it_does(make_test_set, corpora, data):
    hypotheses, references = data.draw(corpora)
    test_set = make_test_set([hypotheses[0], hypotheses[-1]], references)
    tokens = pair_tokens(test_set, ("0", "1"), BleuOptions())
    found = differing_ngrams(tokens)
    merged = wholes(found)
    for ngram, whole in enumerate(merged.tolist()):
        part, of_whole = (" ".join(map(str, found.tokens(one).tolist())) for one in (ngram, whole))
        assert f" {part} " in f" {of_whole} "
        assert merged[whole] == whole
        if ngram != whole:
            assert set(found.differences(ngram)[0].tolist()) & set(found.differences(whole)[0].tolist())


@given(data=st.data())
def test_turning_the_systems_round_turns_the_lists(make_test_set, corpora, data):
    hypotheses, references = data.draw(corpora)
    test_set = make_test_set([hypotheses[0], hypotheses[-1]], references)
    documents = data.draw(st.none() | st.just([str(segment // 2) for segment in range(test_set.n_segments)]))
    one, other = (
        telling_phrases(pair_tokens(test_set, pair, BleuOptions(max_order=2)), ONES, documents)
        for pair in (("0", "1"), ("1", "0"))
    )
    assert {phrase.tokens: (phrase.part, phrase.counts) for phrase in one.leading[1]} == {
        phrase.tokens: (-phrase.part, phrase.counts[::-1]) for phrase in other.leading[0]
    }
    assert (one.n_phrases, one.n_folded) == (other.n_phrases[::-1], other.n_folded[::-1])


def naive_counts(tokens, counted):
    """The counts of both sides in each segment that has any, of each n-gram that is counted in several segments."""
    best = [best_covered(one, tokens.references, tokens.present, tokens.max_order) for one in tokens.hypotheses]
    found = {}
    for segment in range(tokens.present.shape[1]):
        texts = [
            column.ids[column.offsets[segment] : column.offsets[segment + 1]].tolist()
            for column in (*tokens.references, *tokens.hypotheses)
        ]
        counts = [
            Counter(tuple(text[start:end]) for start in range(len(text)) for end in range(start + 1, len(text) + 1))
            for text in texts
        ]
        allowed = counts[0]
        for reference in counts[1:-2]:
            allowed = allowed | reference
        matched, too_often = ([one(own, allowed) for own in counts[-2:]] for one in (and_, sub))
        missed = [counts[of[segment]] - own for of, own in zip(best, counts[-2:], strict=True)]
        sides = {"matched": matched, "too often": too_often, "missed": missed}
        first, second = sides.get(counted, (missed[1], too_often[1]))
        for ngram in first | second:
            found.setdefault(ngram, {})[segment] = (first[ngram], second[ngram])
    return {ngram: of_segments for ngram, of_segments in found.items() if len(of_segments) > 1}
