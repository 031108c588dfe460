"""Clipped matches, totals and closest reference lengths: by hand, by brute force, by their properties."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bleucore import InputError
from bleucore.tokens.matching import (
    AVERAGE_LENGTH_UNIT,
    MAX_AVERAGED_REFERENCES,
    SegmentTokens,
    average_reference_length,
    clipped_matches,
    closest_reference_length,
    columns,
    shortest_reference_length,
    totals,
)
from bleucore.tokens.tokenizers import tokenize


def column(*segments):
    """Segments of token ids as one column."""
    offsets = np.cumsum([0, *map(len, segments)])
    return SegmentTokens(np.array([token for segment in segments for token in segment], np.int64), offsets)


def word_columns(*texts):
    """Columns of one segment each over one vocabulary."""
    tokenized = tokenize(texts, "13a", lowercase=True)
    return [
        column(tokenized.ids[start:end]) for start, end in zip(tokenized.offsets, tokenized.offsets[1:], strict=False)
    ]


def counted_matches(hypothesis, references, max_order):
    """Papineni's definition with counters."""
    matches = []
    for order in range(1, max_order + 1):
        counts = [ngram_counts(tokens, order) for tokens in (hypothesis, *references)]
        allowed = Counter()
        for count in counts[1:]:
            allowed |= count
        matches.append((counts[0] & allowed).total())
    return matches


def ngram_counts(tokens, order):
    return Counter(tuple(tokens[start : start + order]) for start in range(len(tokens) - order + 1))


class TestByHand:
    def test_papinenis_seven_times_the_matches_twice(self):
        hypothesis, *references = word_columns(
            "the the the the the the the", "The cat is on the mat", "There is a cat on the mat"
        )
        (matches,) = clipped_matches([hypothesis], references, 2)
        assert matches.tolist() == [[2, 0]]
        assert totals(hypothesis.lengths, 2).tolist() == [[7, 6]]

    def test_clipping_takes_the_reference_that_has_most_and_not_the_sum(self):
        (matches,) = clipped_matches([column([1, 1, 1, 1])], [column([1, 1]), column([1, 1, 1])], 3)
        assert matches.tolist() == [[3, 2, 1]]

    def test_ngrams_of_different_references_count_together(self):
        (matches,) = clipped_matches([column([1, 2, 3])], [column([1, 2]), column([2, 3])], 3)
        assert matches.tolist() == [[3, 2, 0]]

    def test_no_ngram_passes_the_end_of_a_segment_or_column(self):
        (matches, other) = clipped_matches(
            [column([1], [2], [1, 2]), column([2], [1], [])], [column([1, 2], [1, 2], [2, 1])], 2
        )
        assert matches.tolist() == [[1, 0], [1, 0], [2, 0]]
        assert other.tolist() == [[1, 0], [1, 0], [0, 0]]

    def test_the_same_tokens_in_another_segment_match_nothing(self):
        (matches,) = clipped_matches([column([1], [2])], [column([2], [1])], 1)
        assert matches.tolist() == [[0], [0]]

    def test_orders_beyond_the_length_of_every_text_have_no_match(self):
        (matches,) = clipped_matches([column([4])], [column([4])], 5)
        assert matches.tolist() == [[1, 0, 0, 0, 0]]

    @pytest.mark.parametrize("reference", [[], [7]])
    def test_an_empty_hypothesis_matches_nothing(self, reference):
        (matches,) = clipped_matches([column([])], [column(reference)], 2)
        assert matches.tolist() == [[0, 0]]

    def test_an_empty_reference_is_matched_by_nothing(self):
        (matches,) = clipped_matches([column([7, 7])], [column([])], 2)
        assert matches.tolist() == [[0, 0]]

    @pytest.mark.parametrize(
        ("length", "expected"), [(0, [0, 0, 0]), (1, [1, 0, 0]), (2, [2, 1, 0]), (3, [3, 2, 1]), (9, [9, 8, 7])]
    )
    def test_a_text_has_one_ngram_less_of_each_longer_order(self, length, expected):
        assert totals(np.array([length]), 3).tolist() == [expected]

    def test_a_column_knows_the_length_of_each_segment(self):
        assert column([5, 6], [], [7]).lengths.tolist() == [2, 0, 1]

    def test_no_segments_have_no_matches(self):
        (matches,) = clipped_matches([column()], [column()], 2)
        assert matches.shape == (0, 2)


class TestClosestReferenceLength:
    @pytest.mark.parametrize(
        ("hypothesis", "references", "closest"),
        [
            (5, [4, 6], 4),
            (5, [6, 4], 4),
            (5, [6, 6], 6),
            (6, [7, 3], 7),
            (1, [5, 0], 0),
            (0, [0], 0),
            (9, [2], 2),
            (5, [None, 9], 9),
            (5, [9, None], 9),
            (0, [None, 3, 1], 1),
        ],
    )
    def test_it_is_the_nearest_and_of_two_equally_near_ones_the_shorter(self, hypothesis, references, closest):
        present = np.array([[length is not None] for length in references])
        lengths = np.array([[length or 0] for length in references])
        assert closest_reference_length(np.array([hypothesis]), lengths, present).tolist() == [closest]

    @given(st.integers(0, 9), st.lists(st.none() | st.integers(0, 9), min_size=1, max_size=4))
    def test_it_is_the_minimum_of_distance_then_length(self, hypothesis, references):
        references = [*references, 3]
        present = np.array([[length is not None] for length in references])
        lengths = np.array([[length or 0] for length in references])
        expected = min((abs(length - hypothesis), length) for length in references if length is not None)[1]
        assert closest_reference_length(np.array([hypothesis]), lengths, present).tolist() == [expected]

    @pytest.mark.parametrize(
        ("hypothesis", "references", "closest"),
        [(5, [4, 6], 4), (5, [6, 4], 6), (5, [9, 6, 4, 6], 6), (5, [None, 6, 4], 6), (3, [None, 9], 9), (3, [0, 3], 3)],
    )
    def test_of_two_equally_near_ones_it_is_the_first_if_so_asked(self, hypothesis, references, closest):
        found = closest_reference_length(np.array([hypothesis]), *lengths_and_presence(references), tie="first")
        assert found.tolist() == [closest]


def lengths_and_presence(references):
    """The lengths of one segment's references, (R, 1), and which there are."""
    return np.array([[length or 0] for length in references]), np.array([[length is not None] for length in references])


class TestOtherReferenceLengths:
    @pytest.mark.parametrize(
        ("references", "shortest"), [([4, 6], 4), ([6, 4, 5], 4), ([None, 9], 9), ([3, None, 0], 0), ([2], 2)]
    )
    def test_the_shortest_is_of_those_there_are(self, references, shortest):
        assert shortest_reference_length(*lengths_and_presence(references)).tolist() == [shortest]

    @pytest.mark.parametrize(
        ("references", "numerator", "denominator"),
        [([4, 6], 5, 1), ([6, 5], 11, 2), ([None, 9], 9, 1), ([3, 4, 0], 7, 3)],
    )
    def test_the_average_is_exact_in_parts_of_a_token(self, references, numerator, denominator):
        (found,) = average_reference_length(*lengths_and_presence(references)).tolist()
        assert found * denominator == numerator * AVERAGE_LENGTH_UNIT

    @given(st.lists(st.integers(0, 99), min_size=1, max_size=MAX_AVERAGED_REFERENCES))
    def test_averages_of_any_accepted_number_of_references_are_whole_parts(self, lengths):
        (found,) = average_reference_length(*lengths_and_presence(lengths)).tolist()
        assert found * len(lengths) == sum(lengths) * AVERAGE_LENGTH_UNIT

    def test_the_average_of_more_references_is_refused(self):
        with pytest.raises(InputError) as caught:
            average_reference_length(*lengths_and_presence([1] * 23))
        assert str(caught.value) == (
            "Option reference_length: the average reference length is of too many references (found 23, expected at "
            "most 22). Choose the closest or the shortest length, or leave references out."
        )


class TestColumns:
    def test_are_cut_from_texts_laid_end_to_end(self):
        first, second = columns(np.array([5, 6, 7, 8]), np.array([0, 2, 2, 3, 4]), 2)
        assert (first.ids.tolist(), first.offsets.tolist()) == ([5, 6], [0, 2, 2])
        assert (second.ids.tolist(), second.offsets.tolist()) == ([7, 8], [0, 1, 2])

    def test_get_a_token_in_the_empty_segments_that_are_there(self):
        filled = column([], [1, 2], [], []).with_empty_token(9, np.array([True, True, False, True]))
        assert (filled.ids.tolist(), filled.offsets.tolist()) == ([9, 1, 2, 9], [0, 1, 3, 3, 4])

    def test_without_empty_segments_stay_as_they_are(self):
        filled = column([3], [1, 2]).with_empty_token(9, np.array([True, True]))
        assert (filled.ids.tolist(), filled.offsets.tolist()) == ([3, 1, 2], [0, 1, 3])


@st.composite
def token_columns(draw):
    n_segments = draw(st.integers(1, 4))
    segments = st.lists(st.lists(st.integers(0, 3), max_size=8), min_size=n_segments, max_size=n_segments)
    return draw(st.lists(segments, min_size=1, max_size=3)), draw(st.lists(segments, min_size=1, max_size=3))


def matches_of(hypotheses, references, max_order):
    columns = clipped_matches([column(*c) for c in hypotheses], [column(*c) for c in references], max_order)
    return [matches.tolist() for matches in columns]


@given(token_columns(), st.integers(1, 9))
@settings(max_examples=100)
def test_matches_are_papinenis_for_every_segment_and_order(columns, max_order):
    hypotheses, references = columns
    expected = [
        [
            counted_matches(tokens, by_segment, max_order)
            for tokens, *by_segment in zip(hypothesis, *references, strict=True)
        ]
        for hypothesis in hypotheses
    ]
    assert matches_of(hypotheses, references, max_order) == expected


@given(token_columns())
@settings(max_examples=100)
def test_a_reference_more_never_lowers_a_match(columns):
    hypotheses, references = columns
    fewer = np.array(matches_of(hypotheses, references[:1], 4))
    assert (np.array(matches_of(hypotheses, references, 4)) >= fewer).all()


@given(token_columns())
@settings(max_examples=100)
def test_no_order_has_more_matches_than_ngrams_or_than_the_order_below(columns):
    hypotheses, references = columns
    for hypothesis, matches in zip(hypotheses, matches_of(hypotheses, references, 5), strict=True):
        found = np.array(matches)
        assert (found <= totals(column(*hypothesis).lengths, 5)).all()
        assert (np.diff(found, axis=1) <= 0).all()


@pytest.mark.parametrize(
    ("n_segments", "n_tokens", "vocabulary_size"),
    [
        pytest.param(800, 25, 40, id="several runs"),
        pytest.param(1, 3_000, 500, id="longer n-grams of one segment that fill more than the table"),
        pytest.param(2_100, 1, 10_000, id="words of many segments that fill more than the table"),
    ],
)
def test_every_ngram_of_long_random_columns_is_told_from_every_other(n_segments, n_tokens, vocabulary_size):
    rng = np.random.default_rng(5)
    references = [rng.integers(0, vocabulary_size, (n_segments, n_tokens)) for _ in range(2)]
    is_copied = rng.random((n_segments, n_tokens)) < 0.7
    hypothesis = np.where(is_copied, references[0], rng.integers(0, vocabulary_size, (n_segments, n_tokens)))
    segments = [column.tolist() for column in (hypothesis, *references)]
    expected = [counted_matches(tokens, others, 4) for tokens, *others in zip(*segments, strict=True)]
    assert matches_of(segments[:1], segments[1:], 4) == [expected]
    assert np.array(expected).sum(axis=0)[0] > n_segments * n_tokens / 2


def test_long_and_short_segments_together_are_counted_as_alone():
    rng = np.random.default_rng(6)
    hypotheses, references = (
        [rng.integers(0, 30, n_tokens).tolist() for n_tokens in (0, 2_500, 3, 1, 9_000, 40)] for _ in range(2)
    )
    alone = [matches_of([[h]], [[r]], 4)[0][0] for h, r in zip(hypotheses, references, strict=True)]
    assert matches_of([hypotheses], [references], 4) == [alone]
    assert alone[4] == counted_matches(hypotheses[4], [references[4]], 4)
