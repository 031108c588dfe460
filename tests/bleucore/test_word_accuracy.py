"""Words by kind: counts by hand and one by one, F1 and its test."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleucore import BleuOptions, InputError
from bleucore.analysis.word_accuracy import (
    FORM,
    FREQUENCY,
    LENGTH,
    WORD_KINDS,
    compare_words,
    f1_score,
    word_buckets,
)
from bleucore.significance import SignificanceOptions

FEW = SignificanceOptions(trials=99, resamples=50)


def sums_of(buckets):
    return {bucket.name: [one.tolist() for one in bucket.sums] for bucket in buckets}


class TestByHand:
    def test_words_match_as_often_as_output_and_reference_have_them(self, make_test_set):
        test_set = make_test_set(
            [["the the cat", "a dog"], ["the cat", "the the dog dog"]], [["the cat sat", "the dog"]]
        )
        buckets = word_buckets(test_set, ("0", "1"), FREQUENCY, BleuOptions())
        assert sums_of(buckets) == {"once": [[2, 2, 3], [2, 3, 3]], "2 times": [[1, 2, 2], [2, 3, 2]]}
        assert buckets[1].won == (("the", 1, 2),)
        assert [one.most_different for one in buckets] == [None, "the"]
        assert buckets[1].lost == buckets[0].won == buckets[0].lost == ()

    def test_of_several_references_the_one_with_the_most_matches_counts(self, make_test_set):
        test_set = make_test_set([["a b c"], ["x y"]], [["a b d e"], ["x y"]])
        buckets = word_buckets(test_set, ("0", "1"), LENGTH, BleuOptions())
        assert sums_of(buckets) == {"1": [[2, 3, 4], [2, 2, 2]]}

    def test_a_missing_reference_is_no_empty_one(self, make_test_set):
        test_set = make_test_set([["q"], ["q"]], [["a b"], [None]])
        assert sums_of(word_buckets(test_set, ("0", "1"), LENGTH, BleuOptions())) == {"1": [[0, 1, 2], [0, 1, 2]]}

    @pytest.mark.parametrize(
        ("word", "form"),
        [
            ("4,5", "numbers"),
            ("€4", "numbers"),
            ("四", "words without case"),
            ("…", "punctuation and signs"),
            ("NATO", "words in capitals"),
            ("I", "words with a capital"),
            ("Berlin", "words with a capital"),
            ("iPhone", "words with a capital"),
            ("мир", "words in lower case"),
            ("3rd", "words in lower case"),
            ("世界", "words without case"),
            ("سلام", "words without case"),
        ],
    )
    def test_forms(self, make_test_set, word, form):
        test_set = make_test_set([[word], [word]], [[word]])
        assert [one.name for one in word_buckets(test_set, ("0", "1"), FORM, BleuOptions("none"))] == [form]

    def test_lengths_and_frequencies_come_in_steps(self, make_test_set):
        words = ["x" * length for length in (1, 2, 3, 4, 5, 11, 12, 40)]
        test_set = make_test_set([[" ".join(words)]] * 2, [[" ".join(words)]])
        names = [one.name for one in word_buckets(test_set, ("0", "1"), LENGTH, BleuOptions())]
        assert names == ["1", "2", "3–4", "5–7", "8–11", "12 or more"]
        often = [" ".join("v" * 1000 + "w" * 999 + "x" * 3 + "y" * 2 + "z")]
        names = [
            one.name for one in word_buckets(make_test_set([often] * 2, [often]), ("0", "1"), FREQUENCY, BleuOptions())
        ]
        assert names == ["once", "2 times", "3–4 times", "100–999 times", "1000 or more times"]

    def test_no_other_kind(self, make_test_set):
        with pytest.raises(InputError, match="words have no such kind"):
            word_buckets(make_test_set([["a"]], [["a"]]), ("0", "0"), "colour", BleuOptions())

    def test_f1_is_the_harmonic_mean_of_precision_and_recall(self):
        assert f1_score(np.array([[1, 2, 4], [0, 0, 0], [3, 3, 3]])).tolist() == pytest.approx([200 / 6, 0, 100])


@given(data=st.data(), kind=st.sampled_from(sorted(WORD_KINDS)))
def test_counts_are_those_of_one_by_one(make_test_set, corpora, data, kind):
    hypotheses, references = data.draw(corpora)
    test_set = make_test_set([hypotheses[0], hypotheses[-1]], references)
    buckets = word_buckets(test_set, ("0", "1"), kind, BleuOptions("none"))
    known = {word for column in references for text in column if text for word in text.split()}
    for place, column in enumerate((hypotheses[0], hypotheses[-1])):
        for segment, text in enumerate(column):
            own = Counter(text.split())
            present = [Counter(one[segment].split()) for one in references if one[segment] is not None]
            best = max(present, key=lambda other: (own & other).total())
            counts = sum(bucket.counts[place][segment] for bucket in buckets) if buckets else np.zeros(3)
            counted = sum(n for word, n in own.items() if kind != FREQUENCY or word in known)
            assert np.asarray(counts).tolist() == [(own & best).total(), counted, best.total()]


def test_a_system_that_gets_rare_words_wrong_is_told_apart_by_them(make_test_set):
    references = [f"the {'rare' if n % 2 else 'odd'}{n} one and the other" for n in range(60)]
    worse = [text.replace("rare", "x") for text in references]
    test_set = make_test_set([worse, references], [references])
    buckets = word_buckets(test_set, ("0", "1"), FREQUENCY, BleuOptions())
    tested = compare_words(buckets, ("0", "1"), None, FEW)
    assert [buckets[index].name for index in tested.tests if tested.is_significant(index)] == ["once"]
    assert tested.tests[0].difference == pytest.approx(f1_score(buckets[0].sums[1]) - f1_score(buckets[0].sums[0]))
    assert buckets[0].won[0] == ("rare1", 0, 1)
    assert (tested.tests[0].name, tested.tests[0].other, tested.n_tests) == ("1", "0", len(buckets))
