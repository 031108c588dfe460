"""Words by kind: counts by hand and one by one, F1 and its test."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleucore import BleuOptions, InputError
from bleucore.analysis.given_words import GivenWords, LabelFile
from bleucore.analysis.word_accuracy import (
    FORM,
    FREQUENCY,
    LABEL,
    LENGTH,
    LIST,
    compare_words,
    f1_score,
    word_buckets,
)
from bleucore.significance import SignificanceOptions, TestSetUnits

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


@given(data=st.data(), kind=st.sampled_from([FREQUENCY, FORM, LENGTH]))
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


class TestLabels:
    references = ("we book a book", "books")
    labels = LabelFile("ref.pos", ("PRON VERB DET NOUN", "NOUN"))
    outputs = (("a book", "books books"), ("we book the book", ""))

    def sums(self, make_test_set, *outputs):
        test_set = make_test_set(self.outputs, [self.references])
        files = tuple(LabelFile(str(place), lines) for place, lines in enumerate(outputs))
        given = GivenWords((self.labels,), files)
        return sums_of(word_buckets(test_set, ("0", "1"), LABEL, BleuOptions("none"), given))

    def test_of_outputs_without_any_are_those_of_the_same_word_in_the_reference_in_order(self, make_test_set):
        assert self.sums(make_test_set) == {
            "NOUN": [[1, 2, 2], [1, 1, 2]],  # the second "books" of A as the first one; the second "book" of B
            "PRON": [[0, 0, 1], [1, 1, 1]],
            "VERB": [[1, 1, 1], [1, 1, 1]],  # the first "book"
            "DET": [[1, 1, 1], [0, 0, 1]],  # "the" is in no reference
        }

    def test_of_outputs_tell_words_apart(self, make_test_set):
        assert self.sums(make_test_set, ("DET NOUN", "NOUN X"), ("PRON VERB DET NOUN", "")) == {
            "NOUN": [[2, 2, 2], [1, 1, 2]],
            "PRON": [[0, 0, 1], [1, 1, 1]],
            "VERB": [[0, 0, 1], [1, 1, 1]],
            "DET": [[1, 1, 1], [0, 1, 1]],
            "X": [[0, 1, 0], [0, 0, 0]],
        }

    def test_of_a_word_beyond_the_reference_are_the_most_frequent_of_it(self, make_test_set):
        test_set = make_test_set([["book book", ""], ["", "book"]], [["book book book", ""]])
        given = GivenWords((LabelFile("pos", ("V N N", "")),))
        found = sums_of(word_buckets(test_set, ("0", "1"), LABEL, BleuOptions("none"), given))
        assert found == {"N": [[1, 1, 2], [0, 1, 2]], "V": [[1, 1, 1], [0, 0, 1]]}

    def test_are_those_of_the_reference_that_is_matched_best(self, make_test_set):
        test_set = make_test_set([["a b"], ["a"]], [["a x"], ["a b"]])
        given = GivenWords((LabelFile("1", ("P Q",)), LabelFile("2", ("R S",))))
        found = sums_of(word_buckets(test_set, ("0", "1"), LABEL, BleuOptions("none"), given))
        assert found == {"P": [[0, 0, 0], [1, 1, 1]], "Q": [[0, 0, 0], [0, 0, 1]], "R": [[1, 1, 1], [0, 0, 0]]} | {
            "S": [[1, 1, 1], [0, 0, 0]]
        }

    @pytest.mark.parametrize(
        ("references", "outputs", "message"),
        [
            ([], [], "Labels of tokens: every reference needs labels of its tokens (found 0, expected 1)."),
            (
                [["N N", "N"]],
                [["N"]],
                "Labels of tokens: both outputs need labels of their tokens, or neither (found 1",
            ),
            ([["N N"]], [], "r0: labels are not of these segments (found 1, expected 2 lines)."),
            (
                [["N N", "N N"]],
                [],
                "r0, line 2: there is not one label for each token (found 2, expected 1: 世界). Label the "
                "tokens as the scoring cuts them, or give texts that are cut already and the tokenizer 'none'.",
            ),
            (
                [["N N", "N"]],
                [["N", ""], ["N N N", "N"]],
                "o1, line 1: there is not one label for each token (found 3, expected 2: b c)",
            ),
        ],
    )
    def test_that_do_not_fit_are_refused(self, make_test_set, references, outputs, message):
        test_set = make_test_set([["a", ""], ["b c", "d"]], [["a b", "世界"]])
        given = GivenWords(
            tuple(LabelFile(f"r{place}", tuple(lines)) for place, lines in enumerate(references)),
            tuple(LabelFile(f"o{place}", tuple(lines)) for place, lines in enumerate(outputs)),
        )
        with pytest.raises(InputError) as refused:
            word_buckets(test_set, ("0", "1"), LABEL, BleuOptions("none"), given)
        assert message in str(refused.value)

    def test_of_too_many_kinds_are_refused(self, make_test_set):
        text = " ".join(f"w{number}" for number in range(101))
        test_set = make_test_set([[text]] * 2, [[text]])
        with pytest.raises(InputError, match="too many different labels"):
            word_buckets(test_set, ("0", "1"), LABEL, BleuOptions("none"), GivenWords((LabelFile("x", (text,)),)))


@given(data=st.data())
def test_labels_that_hang_on_the_word_give_the_counts_of_that_kind(make_test_set, corpora, data):
    hypotheses, references = data.draw(corpora)
    test_set = make_test_set([hypotheses[0], hypotheses[-1]], references)
    by_length = sums_of(word_buckets(test_set, ("0", "1"), LENGTH, BleuOptions("none")))
    names = {1: "1", 2: "2", 3: "3–4", 4: "3–4"}

    def labelled(column):
        lines = [" ".join(names.get(len(word), "more") for word in (text or "").split()) for text in column]
        return LabelFile("labels", tuple(lines))

    given = GivenWords(tuple(map(labelled, references)), (labelled(hypotheses[0]), labelled(hypotheses[-1])))
    by_label = sums_of(word_buckets(test_set, ("0", "1"), LABEL, BleuOptions("none"), given))
    assert {name: by_label.get(name) for name in ("1", "2", "3–4")} == {
        name: by_length.get(name) for name in ("1", "2", "3–4")
    }


class TestList:
    def found(self, make_test_set, outputs, reference, listed, tokenizer="none", *, lowercase=False):
        test_set = make_test_set([[text] for text in outputs], [[reference]])
        options = BleuOptions(tokenizer, lowercase=lowercase)
        return word_buckets(test_set, ("0", "1"), LIST, options, GivenWords(listed=listed))

    def test_has_words_and_phrases_and_all_else_is_other_words(self, make_test_set):
        outputs = ("machine cat", "machine translation")
        listed = ("machine translation", "cat", "", "cat", "unseen")
        buckets = self.found(make_test_set, outputs, "a machine translation cat", listed)
        assert sums_of(buckets) == {
            "words of the list": [[1, 1, 2], [1, 1, 2]],
            "other words": [[0, 1, 1], [0, 0, 1]],
        }
        assert (buckets[0].won, buckets[0].lost) == ((("machine translation", 0, 1),), (("cat", 1, 0),))

    def test_is_cut_and_lowered_as_the_texts_are(self, make_test_set):
        buckets = self.found(make_test_set, ("世界战争", "和平"), "世界和平", ("世界",), "zh")
        assert sums_of(buckets)["words of the list"] == [[1, 1, 1], [0, 0, 1]]
        buckets = self.found(make_test_set, ("nato", "x"), "NATO", ("Nato",), lowercase=True)
        assert sums_of(buckets)["words of the list"] == [[1, 1, 1], [0, 0, 1]]

    def test_of_phrases_within_others_counts_each(self, make_test_set):
        (bucket,) = self.found(make_test_set, ("new york city", ""), "new york city", ("new york city", "york"))
        assert [one.tolist() for one in bucket.sums] == [[2, 2, 2], [0, 0, 2]]

    def test_that_is_empty_is_refused(self, make_test_set):
        with pytest.raises(InputError, match="List of words: the list has no word"):
            self.found(make_test_set, ("a", "b"), "a", ("", " "))


def test_a_system_that_gets_rare_words_wrong_is_significantly_worse_on_them(make_test_set):
    references = [f"the {'rare' if n % 2 else 'odd'}{n} one and the other" for n in range(60)]
    worse = [text.replace("rare", "x") for text in references]
    test_set = make_test_set([worse, references], [references])
    buckets = word_buckets(test_set, ("0", "1"), FREQUENCY, BleuOptions())
    tested = compare_words(buckets, ("0", "1"), TestSetUnits(60), FEW)
    assert [buckets[index].name for index in tested.tests if tested.is_significant(index)] == ["once"]
    assert tested.tests[0].difference == pytest.approx(f1_score(buckets[0].sums[1]) - f1_score(buckets[0].sums[0]))
    assert buckets[0].won[0] == ("rare1", 0, 1)
    assert (tested.tests[0].name, tested.tests[0].other, tested.n_tests) == ("1", "0", len(buckets))


def test_words_of_a_test_set_with_few_documents_have_no_test(make_test_set):
    references = [f"the {'rare' if n % 2 else 'odd'}{n} one and the other" for n in range(60)]
    test_set = make_test_set([[text.replace("rare", "x") for text in references], references], [references])
    buckets = word_buckets(test_set, ("0", "1"), FREQUENCY, BleuOptions())
    units = TestSetUnits(60, [str(place // 12) for place in range(60)])
    tested = compare_words(buckets, ("0", "1"), units, FEW)
    assert (tested.n_tests, tested.tests[0].p_value, tested.tests[0].interval) == (0, None, None)
    assert tested.tests[0].remark == "A test needs at least 6 documents, and there are 5."
