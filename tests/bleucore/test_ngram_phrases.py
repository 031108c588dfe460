"""Phrases that make a difference: by hand, and against n-grams counted one by one."""

from collections import Counter
from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleucore import BleuOptions, System, TestSet
from bleucore.analysis.differing_ngrams import differing_ngrams, wholes
from bleucore.analysis.ngram_phrases import Phrases, telling_phrases
from bleucore.analysis.ngram_types import pair_tokens

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
        (phrase,) = found.won
        assert (phrase.tokens, phrase.matches, phrase.part) == (("did", "not"), (0, 3), 3 * (2.0 + 2.0 + 3.0))
        assert [segments.tolist() for segments in phrase.segments] == [[], [0, 1, 2]]
        assert (found.lost, found.folded, found.n_won, found.n_lost, found.n_folded) == ((), (), 1, 0, 0)

    def test_what_is_assured_is_the_part_less_a_match_and_what_random_signs_come_to(self):
        tokens = tokens_of(self.first, self.references, self.references)
        assert telling_phrases(tokens, ONES).won[0].assured == pytest.approx(3 * (3 - 1 - sqrt(3)))
        assert telling_phrases(tokens, ONES, ["d"] * 4).won[0].assured == pytest.approx(3 * (3 - 1 - sqrt(3)))

    def test_a_phrase_that_a_single_document_repeats_is_not_given(self):
        tokens = tokens_of(self.first, self.references, self.references)
        found = telling_phrases(tokens, ONES, ["d", "d", "d", "e"])
        assert (found.won, found.n_won) == ((), 1)

    def test_parts_are_merged_into_a_phrase_longer_than_what_bleu_counts(self):
        references = ["p no later than noon", "q no later than two", "no later than r"]
        found = telling_phrases(tokens_of(["p noon", "q two", "r"], references, references), ONES)
        assert [(phrase.tokens, phrase.part) for phrase in found.won] == [(("no", "later", "than"), 3 * 5.0)]

    def test_parts_are_merged_into_a_phrase_that_has_three_quarters_of_their_segments(self):
        references = ["red cats", "red cats", "red cats", "red"]
        tokens = tokens_of([""] * 4, references, references)
        (phrase,) = telling_phrases(tokens, np.array([1.0, 5.0])).won
        assert (phrase.tokens, phrase.matches, phrase.part) == (("red", "cats"), (0, 3), 4 * 1.0 + 3 * 1.0 + 3 * 5.0)
        assert phrase.assured == pytest.approx(22 - 7 - sqrt(3 * 7**2 + 1))

    def test_a_phrase_tells_nothing_new_if_half_of_its_segments_are_those_of_a_better_one_with_its_token(self):
        references = ["red cats", "red cats", "red cats", "red", "red"]
        found = telling_phrases(tokens_of([""] * 5, references, references), np.array([1.0, 20.0]))
        assert ([phrase.tokens for phrase in found.won], found.n_won) == ([("red", "cats")], 2)

    def test_it_tells_something_new_if_more_than_half_are_others(self):
        references = ["red cats"] * 3 + ["red"] * 4
        found = telling_phrases(tokens_of([""] * 7, references, references), np.array([1.0, 20.0]))
        assert [phrase.tokens for phrase in found.won] == [("red", "cats"), ("red",)]

    def test_matches_that_both_have_are_counted_and_segments_are_of_either_side(self):
        first, second = ["a"] * 2 + [""] * 5 + ["a"], ["a"] * 2 + ["a"] * 5 + [""]
        (phrase,) = telling_phrases(tokens_of(first, second, ["a"] * 8), ONES).won
        assert (phrase.matches, phrase.part) == ((3, 7), 4.0)
        assert [segments.tolist() for segments in phrase.segments] == [[7], [2, 3, 4, 5, 6]]

    def test_a_phrase_that_a_matches_more_has_a_negative_part(self):
        found = telling_phrases(tokens_of(self.references, self.first, self.references), ONES)
        assert [(phrase.matches, phrase.part) for phrase in found.lost] == [((3, 0), -9.0)]

    def test_matches_are_clipped_by_the_reference_that_has_most(self):
        found = telling_phrases(tokens_of([""] * 4, ["a a a"] * 4, ["a"] * 4, ["a b a"] * 4), ONES)
        assert found.won[0].matches == (0, 8)

    @pytest.mark.parametrize("n_segments", [1, 0])
    def test_no_match_and_no_segment_have_no_phrase(self, n_segments):
        test_set = TestSet([System("A", ["x"]), System("B", ["y"])], [["z"]])
        tokens = pair_tokens(test_set, ("A", "B"), BleuOptions("none", max_order=2), rows=np.arange(n_segments))
        assert telling_phrases(tokens, ONES) == Phrases((), (), (), 0, 0, 0, ())

    def test_as_many_are_given_as_are_asked_for(self):
        references = [f"{word} {word}{segment}" for word in "abc" for segment in range(3)]
        found = telling_phrases(tokens_of([""] * 9, references, references), ONES, n_leading=2)
        assert ([phrase.tokens for phrase in found.won], found.n_won) == ([("a",), ("b",)], 3)


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
    assert [phrase.tokens[0] for phrase in found.won] == words
    assert [tuple(token.lower() for token in phrase.tokens) for phrase in found.folded] == [
        tuple(frequent[:2]),
        (frequent[2],),
    ]


def test_at_most_a_twentieth_of_the_different_tokens_are_frequent():
    references = ["a b c"] * 6
    found = telling_phrases(tokens_of([""] * 6, references, references), ONES)
    assert found.frequent == ()
    assert [phrase.tokens for phrase in found.won] == [("a", "b", "c")]


@given(data=st.data())
def test_ngrams_are_those_counted_one_by_one_that_are_matched_in_several_segments(make_test_set, corpora, data):
    hypotheses, references = data.draw(corpora)
    test_set = make_test_set([hypotheses[0], hypotheses[-1]], references)
    tokens = pair_tokens(test_set, ("0", "1"), BleuOptions())
    found = differing_ngrams(tokens.hypotheses, tokens.references)
    expected = naive_matches(tokens)
    here = range(len(found.starts))
    assert {tuple(found.tokens(ngram).tolist()): tuple(found.matches[ngram].tolist()) for ngram in here} == {
        ngram: tuple(np.sum(list(of_segments.values()), axis=0).tolist()) for ngram, of_segments in expected.items()
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
    found = differing_ngrams(tokens.hypotheses, tokens.references)
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
    assert {phrase.tokens: (phrase.part, phrase.matches) for phrase in one.won} == {
        phrase.tokens: (-phrase.part, phrase.matches[::-1]) for phrase in other.lost
    }
    assert (one.n_won, one.n_lost, one.n_folded) == (other.n_lost, other.n_won, other.n_folded)


def naive_matches(tokens):
    """The matches of A and of B in each segment that has any, of each n-gram that is matched in several segments."""
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
        first, second = (own & allowed for own in counts[-2:])
        for ngram in first | second:
            found.setdefault(ngram, {})[segment] = (first[ngram], second[ngram])
    return {ngram: of_segments for ngram, of_segments in found.items() if len(of_segments) > 1}
