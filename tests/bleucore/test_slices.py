"""Slices: how segments are divided, by hand; scores, intervals and corrected tests against the engine's own parts."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from bleucore import BleuOptions, InputError, System, TestSet, evaluate
from bleucore.analysis.slices import (
    DOCUMENT,
    RARITY,
    REFERENCE_LENGTH,
    SOURCE_LENGTH,
    Slicing,
    compare_slices,
    slice_kinds,
    slice_scores,
    slice_segments,
)
from bleucore.metrics.bleu import scores
from bleucore.significance import ComparedSystems, SignificanceOptions, compare, holm

WORDS = BleuOptions("none", max_order=2)
QUICK = SignificanceOptions(trials=99, resamples=100)
BY_SEGMENT = replace(QUICK, unit="segment")


def divided(kind, *references, options=WORDS, **columns):
    test_set = TestSet([System("A", ["x"] * len(references[0]))], references, **columns)
    slicing = slice_segments(test_set, kind, options)
    return {name: slicing.segments(index).tolist() for index, name in enumerate(slicing.names)}


def words(*numbers):
    return [" ".join(f"w{place}" for place in range(number)) for number in numbers]


class TestKinds:
    def test_are_those_that_the_test_set_has_columns_for(self):
        plain = TestSet([System("A", ["x"])], [["x"]])
        assert slice_kinds(plain) == (REFERENCE_LENGTH, RARITY)
        full = TestSet([System("A", ["x"])], [["x"]], source=["x"], documents=["d"], labels={"domain": ["news"]})
        assert slice_kinds(full) == (DOCUMENT, REFERENCE_LENGTH, SOURCE_LENGTH, RARITY, "label domain")

    def test_another_kind_is_refused_with_those_that_there_are(self):
        with pytest.raises(InputError) as refused:
            divided("document", ["x"])
        assert str(refused.value) == (
            "Slices: the test set cannot be sliced so (found 'document', expected one of reference length, rarity of "
            "words)."
        )


class TestValues:
    def test_documents_and_labels_are_slices_in_the_order_of_their_first_segment(self):
        columns = {"documents": ["b", "a", "b"], "labels": {"domain": ["x", "", "x"]}}
        assert divided(DOCUMENT, ["r"] * 3, **columns) == {"b": [0, 2], "a": [1]}
        assert divided("label domain", ["r"] * 3, **columns) == {"x": [0, 2], "": [1]}


class TestLengths:
    def test_buckets_have_one_round_width_and_the_last_is_open(self):
        # 19 of 20 segments have at most 57 tokens; a sixth of that is 9.5, so that buckets are 10 wide
        assert divided(REFERENCE_LENGTH, words(1, 10, 11, 57, 60)) == {
            "1–10": [0, 1],
            "11–20": [2],
            "51 or more": [3, 4],
        }

    def test_short_texts_have_a_bucket_for_each_length(self):
        assert divided(REFERENCE_LENGTH, words(1, 2, 2, 3, 3)) == {"1": [0], "2": [1, 2], "3 or more": [3, 4]}

    def test_an_empty_reference_is_in_the_first_bucket_which_says_so(self):
        assert next(iter(divided(REFERENCE_LENGTH, ["", *words(10, 20, 30, 40, 50)]))) == "0–10"

    def test_of_several_references_it_is_the_mean_of_those_that_are_there(self):
        first, second = words(2, 4, 6), [*words(4, 8), None]
        assert divided(REFERENCE_LENGTH, first, second) == {"3": [0], "6 or more": [1, 2]}

    def test_tokens_are_those_of_the_tokenizer(self):
        references = ["a,b", "a b c"]
        assert list(divided(REFERENCE_LENGTH, references, options=BleuOptions("none"))) == ["1", "3 or more"]
        assert list(divided(REFERENCE_LENGTH, references, options=BleuOptions("13a"))) == ["3 or more"]

    def test_a_source_is_measured_in_words_or_without_blanks_in_characters(self):
        test_set = TestSet([System("A", ["x"] * 2)], [["x"] * 2], source=["one two three", "four"])
        assert slice_segments(test_set, SOURCE_LENGTH, WORDS).rule.startswith(
            "length of the source in words, in steps of"
        )
        chinese = replace(test_set, source=["我们昨天下午一起去了城里的市场买东西", "他今天没有来"])
        assert slice_segments(chinese, SOURCE_LENGTH, WORDS).rule.startswith(
            "length of the source in characters, in steps of"
        )


class TestRarity:
    def test_a_token_is_rare_if_the_references_of_one_segment_alone_have_it(self):
        # shares of rare tokens: 0 of 2, 1 of 2 (b), 2 of 2 (c c), 1 of 4 (d)
        references = ["a a", "a b", "c c", "a d a a"]
        assert divided(RARITY, references) == {
            "below 19 %": [0],
            "19 % to below 38 %": [3],
            "38 % to below 62 %": [1],
            "62 % or more": [2],
        }

    def test_what_both_references_of_a_segment_have_is_rare_all_the_same(self):
        # a, b, a: 2 of 3 are rare; b, b: none
        assert divided(RARITY, ["a b", "b"], ["a", "b"]) == {"below 17 %": [1], "50 % or more": [0]}

    def test_case_counts_unless_it_is_ignored(self):
        ignored = BleuOptions("none", max_order=2, lowercase=True)
        assert list(divided(RARITY, ["A", "a"])) == ["100 % or more"]
        assert list(divided(RARITY, ["A", "a"], options=ignored)) == ["0 % or more"]

    def test_equal_shares_make_one_slice(self):
        assert divided(RARITY, ["a", "b", "c"]) == {"100 % or more": [0, 1, 2]}


@pytest.fixture(scope="module")
def made():
    """Two systems of 60 segments in six documents: B is better in the first, A in the second, equal elsewhere."""
    draw = np.random.default_rng(1)
    references = [" ".join(f"w{word}" for word in draw.integers(0, 50, 12)) for _ in range(60)]

    def spoilt(text, share):
        return " ".join("x" if draw.random() < share else word for word in text.split())

    first = [spoilt(text, 0.7 if row < 10 else 0.1 if row < 20 else 0.4) for row, text in enumerate(references)]
    second = [spoilt(text, 0.1 if row < 10 else 0.7 if row < 20 else 0.4) for row, text in enumerate(references)]
    test_set = TestSet(
        [System("A", first), System("B", second)], [references], documents=[f"d{row // 10}" for row in range(60)]
    )
    return test_set, evaluate(test_set, WORDS)


@pytest.fixture(scope="module")
def halves(made):
    """The same systems, every document of five segments."""
    test_set = replace(made[0], documents=[f"d{row // 5}" for row in range(60)])
    return test_set, made[1]


def compared(made):
    test_set, evaluation = made
    return ComparedSystems(
        [(name, result.counts) for name, result in evaluation.systems.items()],
        evaluation.metrics["BLEU"].score_of,
        documents=test_set.documents,
    )


class TestScores:
    def test_are_those_of_the_slices_as_corpora_of_their_own(self, made):
        test_set, evaluation = made
        slicing = slice_segments(test_set, DOCUMENT, WORDS)
        counts = evaluation.systems["A"].counts
        found = slice_scores(counts, slicing, evaluation.metrics["BLEU"].score_of)
        for index, name in enumerate(slicing.names):
            rows = [row for row, document in enumerate(test_set.documents) if document == name]
            assert found[index] == pytest.approx(scores(counts[rows].sum(axis=0), WORDS))


BY_SEGMENT = replace(QUICK, unit="segment")


def by_document_label(made):
    """The documents as slices of segments that are independent of each other."""
    return replace(compared(made), documents=None), slice_segments(made[0], DOCUMENT, WORDS)


class TestComparison:
    def test_of_a_slice_is_that_of_its_segments_with_the_units_of_the_whole(self, halves):
        slicing, options = slice_segments(halves[0], RARITY, WORDS), replace(QUICK, correction="none")
        found = compare_slices(compared(halves), slicing, options)
        for index in range(slicing.n_slices):
            chosen = compared(halves).selected(slicing.segments(index))
            alone = compare(chosen, options).pair("B", "A")
            test = found.tests[index]
            assert (test.difference, test.interval, test.p_value) == (
                alone.difference,
                alone.interval,
                alone.p_value,
            )

    def test_of_a_slice_by_segment_is_that_of_its_segments_alone(self, made):
        slicing, options = slice_segments(made[0], DOCUMENT, WORDS), replace(BY_SEGMENT, correction="none")
        found = compare_slices(compared(made), slicing, options)
        for index in range(slicing.n_slices):
            rows = slicing.segments(index)
            systems = [(name, counts[rows]) for name, counts in compared(made).systems]
            alone = compare(replace(compared(made), systems=systems, documents=None), options).pair("B", "A")
            test = found.tests[index]
            assert (test.difference, test.interval, test.p_value) == (alone.difference, alone.interval, alone.p_value)
        assert found.tests[0].difference > 0 > found.tests[1].difference

    def test_p_values_are_corrected_as_one_family(self, made):
        slicing = slice_segments(made[0], DOCUMENT, WORDS)
        found = compare_slices(compared(made), slicing, BY_SEGMENT)
        raw = [found.tests[index].p_value for index in range(6)]
        assert [found.tests[index].corrected_p_value for index in range(6)] == pytest.approx(holm(raw).tolist())
        assert (found.n_tests, found.tests[0].n_comparisons) == (6, 6)

    def test_intervals_belong_to_the_corrected_p_values(self, made):
        options = replace(BY_SEGMENT, trials=999)
        found = compare_slices(*by_document_label(made), options)
        alone = compare_slices(*by_document_label(made), replace(options, correction="none"))
        for index, test in found.tests.items():
            if test.interval is not None:
                low, high = test.interval
                assert (low >= 0 or high <= 0) == (test.corrected_p_value < 0.05)
                assert test.smallest_detectable > alone.tests[index].smallest_detectable
        assert found.tests[0].interval[0] >= 0

    def test_intervals_belong_to_the_family_as_the_p_values_do(self, made):
        """Six tests: their intervals have a share of .05 / 6, and are on the same side of 0 as p is of .05."""
        slicing = slice_segments(made[0], DOCUMENT, WORDS)
        found = compare_slices(compared(made), slicing, replace(BY_SEGMENT, trials=999))
        for test in found.tests.values():
            assert test.n_comparisons == 6
            half = stats.t.ppf(1 - 0.05 / 12, 9) * test.standard_error
            low, high = test.interval
            if test.corrected_p_value < 0.05:
                assert low >= 0 or high <= 0
            else:
                assert low <= min(0, test.difference - half + 1e-9)
                assert high >= max(0, test.difference + half - 1e-9)

    @pytest.mark.parametrize("correction", ["holm", "benjamini-hochberg", "none"])
    def test_slices_that_are_not_chosen_count_for_the_correction(self, made, correction):
        slicing, options = slice_segments(made[0], DOCUMENT, WORDS), replace(BY_SEGMENT, correction=correction)
        everything = compare_slices(compared(made), slicing, options)
        some = compare_slices(compared(made), slicing, options, chosen=[1, 0])
        assert list(some.tests) == [1, 0]
        assert some.n_tests == 6
        for index in (0, 1):
            assert some.tests[index].p_value == everything.tests[index].p_value
            assert some.tests[index].corrected_p_value >= everything.tests[index].corrected_p_value

    def test_slices_of_few_units_have_no_test_and_count_for_no_correction(self, made):
        """Each document is a slice, and one more slice has the other documents."""
        test_set = replace(made[0], documents=[f"d{place // 3}" for place in range(60)])
        groups = np.minimum(np.arange(60) // 15, 2)
        slicing = Slicing("halves", ("five", "five more", "ten"), groups, is_ordered=False, rule="")
        systems = compared((test_set, made[1]))
        found = compare_slices(systems, slicing, replace(QUICK, unit="document"))
        some = compare_slices(systems, slicing, replace(QUICK, unit="document"), chosen=[2])
        for index in (0, 1):
            test = found.tests[index]
            assert (test.p_value, test.corrected_p_value, test.interval) == (None, None, None)
            assert test.remark == "A test needs at least 6 documents, and there are 5."
            assert not found.is_significant(index)
        assert (found.n_tests, some.n_tests) == (1, 1)
        assert found.tests[2].corrected_p_value == some.tests[2].corrected_p_value == found.tests[2].p_value

    def test_a_slice_of_one_segment_has_no_interval_and_is_never_significant(self):
        test_set = TestSet([System("A", ["a b", "x y"]), System("B", ["a c", "x y"])], [["a c", "x y"]])
        evaluation = evaluate(test_set, WORDS)
        slicing = slice_segments(replace(test_set, documents=["one", "two"]), DOCUMENT, WORDS)
        found = compare_slices(compared((test_set, evaluation)), slicing, QUICK)
        assert [found.tests[index].interval for index in (0, 1)] == [None, None]
        assert not any(found.is_significant(index) for index in (0, 1))

    @pytest.mark.parametrize("unit", ["auto", "document"])
    def test_documents_as_slices_have_no_test_being_one_unit_each(self, made, unit):
        slicing = slice_segments(made[0], DOCUMENT, WORDS)
        found = compare_slices(compared(made), slicing, replace(QUICK, unit=unit))
        assert found.options.unit == "document"
        assert [test.p_value for test in found.tests.values()] == [None] * slicing.n_slices
        assert not any(found.is_significant(index) for index in found.tests)
        assert found.tests[0].remark == "A test needs at least 6 documents, and there is 1."

    def test_all_slices_have_the_unit_of_the_whole_test_set(self, made):
        test_set = replace(made[0], documents=[f"d{place % 60}" for place in range(made[0].n_segments)])
        slicing = slice_segments(test_set, RARITY, WORDS)
        found, chosen = (
            compare_slices(compared((test_set, made[1])), slicing, replace(QUICK, unit=unit))
            for unit in ("auto", "document")
        )
        assert found.options.unit == "document"
        assert found.tests == chosen.tests

    def test_slices_by_segment_have_no_star_where_documents_are_known(self, made):
        slicing = slice_segments(made[0], RARITY, WORDS)
        found = compare_slices(compared(made), slicing, replace(BY_SEGMENT, trials=999))
        assert not any(found.is_significant(index) for index in found.tests)

    def test_a_difference_is_significant_below_the_level(self, made):
        labelled = replace(made[0], documents=None, labels={"part": made[0].documents})
        slicing = slice_segments(labelled, "label part", WORDS)
        found = compare_slices(compared((labelled, made[1])), slicing, replace(BY_SEGMENT, trials=999))
        assert [index for index in found.tests if found.is_significant(index)] == [0, 1]

    def test_says_how_far_it_is(self, made):
        done = []
        compare_slices(
            compared(made), slice_segments(made[0], DOCUMENT, WORDS), QUICK, chosen=[2, 3], progress=done.append
        )
        assert done == [0.5, 1.0]


@given(st.lists(st.tuples(st.text("ab ", max_size=12), st.sampled_from("xyz")), min_size=1, max_size=25))
def test_every_segment_is_in_one_slice_and_no_slice_is_empty(rows):
    texts, documents = [text for text, _ in rows], [document for _, document in rows]
    test_set = TestSet([System("A", texts)], [texts], source=texts, documents=documents, labels={"letter": documents})
    for kind in slice_kinds(test_set):
        slicing = slice_segments(test_set, kind, WORDS)
        members = np.concatenate([slicing.segments(index) for index in range(slicing.n_slices)])
        assert sorted(members.tolist()) == list(range(len(rows)))
        assert slicing.sizes.min() > 0
        assert slicing.sizes.tolist() == [len(slicing.segments(index)) for index in range(slicing.n_slices)]
        assert len(set(slicing.names)) == slicing.n_slices
