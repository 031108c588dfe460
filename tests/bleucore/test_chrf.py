"""chrF and chrF++: by hand, sacreBLEU for every setting, the properties of counts and scores."""

import string
import sys
from dataclasses import FrozenInstanceError, asdict, replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.chrf import CHRF

from bleucore.errors import InputError
from bleucore.metrics.chrf import (
    BLOCK_CHARACTERS,
    PUNCTUATION,
    TABLE_SIZE,
    WHITE_SPACE,
    ChrfOptions,
    counts_of_texts,
    draw_scores,
    scores,
)

HYPOTHESES = ["the cat, (sat) on the mat.", "", "A  b\t", "…ääh! 👍🏽", "abab", "ΟΔΟΣ İ", "x.", "..", "a b"]
REFERENCES = [
    ["The cat sat on a mat (really).", "a", "a b ", "äh! 👍", "bab aba", "οδος i̇", "", ".", "b a"],
    ["the cat, (sat) on a mat.", None, "", None, "abab.", "ΟΔΟΣ", "x .", None, "ab"],
    [None, "", "A  b\t", "ääh!", None, None, " x", "...", "a\u3000b"],
]
ALL_OPTIONS = [
    ChrfOptions(*values)
    for values in product((1, 6), (0, 1, 3), (0, 1, 2), (False, True), (False, True), (False, True))
]

lines = st.text(st.sampled_from("abA. "), max_size=9) | st.text(st.sampled_from("a(é.\u3000\x1c\u200b👍İ'"), max_size=6)
any_text = st.text(st.characters(exclude_categories=()) | st.sampled_from("\ud800\U0010ffff\u2028"), max_size=8)
chrf_options = st.builds(
    ChrfOptions,
    st.integers(1, 8),
    st.integers(0, 4),
    st.integers(0, 3),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)


@st.composite
def corpora(draw):
    """Hypothesis columns and reference columns, one of which has no gaps."""
    n_segments = draw(st.integers(1, 4))
    columns = st.lists(lines, min_size=n_segments, max_size=n_segments)
    optional = st.lists(st.none() | lines, min_size=n_segments, max_size=n_segments)
    hypotheses = draw(st.lists(columns, min_size=1, max_size=3))
    return hypotheses, draw(st.permutations([draw(columns), *draw(st.lists(optional, max_size=3))]))


def oracle(options):
    """sacreBLEU's metric of the same options."""
    return CHRF(**asdict(options))


def assert_like_sacrebleu(hypotheses, references, options):
    """Counts, corpus score and segment scores are sacreBLEU's, to the last bit."""
    metric = oracle(options)
    for column, counts in zip(hypotheses, counts_of_texts(hypotheses, references, options), strict=True):
        assert counts.dtype == np.int64
        assert counts.tolist() == metric._extract_corpus_statistics(column, references)
        assert scores(counts.sum(axis=0), options) == metric.corpus_score(column, references).score
        segment_references = list(zip(*references, strict=True))
        expected = [
            metric.sentence_score(text, several).score for text, several in zip(column, segment_references, strict=True)
        ]
        assert scores(counts, options).tolist() == expected


def counts_of(hypothesis, *references, **options):
    """The counts of one segment, a row for each order."""
    (counts,) = counts_of_texts([[hypothesis]], [[reference] for reference in references], ChrfOptions(**options))
    return counts.reshape(-1, 3).tolist()


class TestByHand:
    def test_counts_are_of_hypothesis_reference_and_matches_for_each_order(self):
        assert counts_of("abc", "abde", char_order=3) == [[3, 4, 2], [2, 3, 1], [1, 2, 0]]

    def test_the_score_is_f_of_the_mean_precision_and_the_mean_recall(self):
        options = ChrfOptions(char_order=2, beta=2)
        (counts,) = counts_of_texts([["abc"]], [["abde"]], options)
        precision, recall = (2 / 3 + 1 / 2) / 2, (2 / 4 + 1 / 3) / 2
        expected = 100 * 5 * precision * recall / (4 * precision + recall)
        assert scores(counts, options) == pytest.approx([expected], rel=1e-15)

    def test_a_match_counts_at_most_as_often_as_it_stands_in_the_reference(self):
        assert counts_of("aaaa", "aab", char_order=2) == [[4, 3, 2], [3, 2, 1]]

    def test_white_space_is_left_out_so_that_ngrams_reach_over_it(self):
        assert counts_of(" a\u3000b\t", "ab", char_order=2) == [[2, 2, 2], [1, 1, 1]]

    def test_white_space_counts_as_characters_if_wanted(self):
        assert counts_of(" a b", "a b ", char_order=2, whitespace=True) == [[4, 4, 4], [3, 3, 2]]

    def test_words_follow_characters_with_one_punctuation_mark_split_off(self):
        assert counts_of("(hi) no.", "(hi) no", char_order=1, word_order=2)[1:] == [[4, 3, 3], [3, 2, 2]]
        assert counts_of("(hi)", "( hi )", char_order=1, word_order=1)[1:] == [[2, 3, 1]]
        assert counts_of("(hi a", "( hi a.b", char_order=1, word_order=1)[1:] == [[3, 3, 2]]

    def test_a_word_that_is_one_punctuation_mark_stays_whole(self):
        assert counts_of(". ..", ". . .", char_order=1, word_order=1)[1:] == [[3, 3, 3]]

    def test_characters_are_code_points(self):
        assert counts_of("👍🏽", "👍", char_order=1) == [[2, 1, 1]]

    def test_hypothesis_ngrams_do_not_count_at_an_order_that_the_reference_lacks(self):
        assert counts_of("abc", "ab", char_order=3) == [[3, 2, 2], [2, 1, 1], [0, 0, 0]]

    def test_lower_case_is_that_of_python(self):
        assert counts_of("ΟΔΟΣ", "οδος", char_order=4, lowercase=True)[3] == [1, 1, 1]

    @pytest.mark.parametrize(("hypothesis", "reference"), [("", "ab"), ("ab", ""), ("", ""), (" ", "\n"), ("ab", "cd")])
    def test_nothing_in_common_scores_zero(self, hypothesis, reference):
        options = ChrfOptions(word_order=2)
        (counts,) = counts_of_texts([[hypothesis]], [[reference]], options)
        assert scores(counts, options).tolist() == [0.0]

    def test_epsilon_smoothing_averages_over_orders_that_nothing_reaches(self):
        options = ChrfOptions(char_order=6, eps_smoothing=True)
        (counts,) = counts_of_texts([["abc"]], [["abc"]], options)
        assert scores(counts, options) == pytest.approx([50.0])


class TestSeveralReferences:
    def test_the_reference_of_the_highest_score_counts(self):
        assert counts_of("abc", "xbc", "abc", "abcd", char_order=1) == [[3, 3, 3]]

    @pytest.mark.parametrize(("references", "n_reference"), [(("xy", "xyz"), 2), (("xyz", "xy"), 3)])
    def test_the_first_of_equally_good_references_counts(self, references, n_reference):
        assert counts_of("ab", *references, char_order=1) == [[2, n_reference, 0]]

    def test_references_do_not_count_together(self):
        assert counts_of("abcd", "ab", "cd", char_order=1) == [[4, 2, 2]]

    def test_an_absent_reference_is_none_and_an_empty_one_is_a_reference(self):
        assert counts_of("ab", None, "", "xy", char_order=1) == [[0, 0, 0]]
        assert counts_of("ab", None, "xy", "", char_order=1) == [[2, 2, 0]]

    def test_a_segment_without_any_reference_counts_nothing(self):
        assert counts_of("ab", None, None, char_order=1) == [[0, 0, 0]]

    @given(corpora(), chrf_options, st.data())
    def test_a_reference_that_is_not_better_changes_nothing(self, corpus, options, data):
        hypotheses, references = corpus
        n_segments = len(references[0])
        before = counts_of_texts(hypotheses, references, options)
        repeated = data.draw(st.sampled_from(references))
        for further in (repeated, [None] * n_segments):
            assert np.array_equal(before, counts_of_texts(hypotheses, [*references, further], options))

    @given(corpora(), chrf_options)
    def test_a_reference_without_a_match_changes_nothing_after_one_that_is_present(self, corpus, options):
        hypotheses, references = corpus
        options = replace(options, eps_smoothing=False)
        further = ["0123"] * len(references[0])
        before = counts_of_texts(hypotheses, references, options)
        assert np.array_equal(before, counts_of_texts(hypotheses, [*references, further], options))

    @given(corpora(), chrf_options, st.data())
    def test_a_further_reference_never_lowers_a_segment_score(self, corpus, options, data):
        hypotheses, references = corpus
        n_segments = len(references[0])
        further = data.draw(st.lists(st.none() | lines, min_size=n_segments, max_size=n_segments))
        before = np.stack(counts_of_texts(hypotheses, references, options))
        after = np.stack(counts_of_texts(hypotheses, [*references, further], options))
        assert (scores(after, options) >= scores(before, options)).all()


class TestOracle:
    @pytest.mark.parametrize("n_references", [1, 3])
    @pytest.mark.thorough
    def test_counts_and_scores_are_sacrebleus_for_every_combination_of_options(self, n_references):
        for options in ALL_OPTIONS:
            assert_like_sacrebleu([HYPOTHESES, REFERENCES[0]], REFERENCES[:n_references], options)

    @given(corpora(), chrf_options)
    def test_counts_and_scores_are_sacrebleus_for_random_texts(self, corpus, options):
        assert_like_sacrebleu(*corpus, options)

    @given(st.lists(any_text, min_size=4, max_size=4), st.booleans(), st.booleans())
    def test_counts_and_scores_are_sacrebleus_for_any_code_points(self, texts, lowercase, whitespace):
        options = ChrfOptions(2, 2, lowercase=lowercase, whitespace=whitespace)
        first, second = texts[:2], texts[2:]
        assert_like_sacrebleu([first], [second, [first[1], None]], options)

    @pytest.mark.thorough
    def test_a_text_of_several_blocks(self):
        hypotheses, references = made_texts(n_segments=400, length=150, alphabet=40)
        assert sum(map(len, references)) + sum(map(len, hypotheses)) > 1.5 * BLOCK_CHARACTERS
        optional = [text if index % 3 else None for index, text in enumerate(hypotheses[::-1])]
        options = ChrfOptions(word_order=2, whitespace=True)
        assert_like_sacrebleu([hypotheses, hypotheses[::-1]], [references, optional], options)

    @pytest.mark.thorough
    def test_a_segment_longer_than_a_block(self):
        hypotheses, references = made_texts(n_segments=3, length=10, alphabet=5)
        (hypotheses[1],), (references[1],) = made_texts(n_segments=1, length=100_000, alphabet=60)
        assert_like_sacrebleu([hypotheses, references, hypotheses[::-1]], [references], ChrfOptions(3, 1))

    def test_a_segment_of_more_different_characters_than_the_table_has_room_for(self):
        hypotheses, references = made_texts(n_segments=2, length=6_000, alphabet=3_000)
        assert len(references[0]) * len(set(references[0])) > TABLE_SIZE
        assert_like_sacrebleu([hypotheses, ["", "a"]], [references, hypotheses[::-1]], ChrfOptions(4, 2))

    def test_white_space_and_punctuation_are_those_of_python(self):
        assert set(WHITE_SPACE) == {
            character for character in map(chr, range(sys.maxunicode + 1)) if character.isspace()
        }
        assert string.punctuation == PUNCTUATION
        assert set(PUNCTUATION) == CHRF._PUNCTS


def made_texts(n_segments, length, alphabet):
    """Hypotheses and references over so many characters, a fifth of them different."""
    rng = np.random.default_rng(length)
    codes = 0x4E00 + rng.integers(0, alphabet, (n_segments, length))
    codes[rng.random(codes.shape) < 0.1] = ord(" ")
    other = np.where(rng.random(codes.shape) < 0.2, 0x4E00 + rng.integers(0, alphabet, codes.shape), codes)
    return ["".join(map(chr, row)) for row in other.tolist()], ["".join(map(chr, row)) for row in codes.tolist()]


class TestCounts:
    @given(corpora(), chrf_options)
    def test_systems_and_segments_do_not_influence_each_other(self, corpus, options):
        hypotheses, references = corpus
        for column, counts in zip(hypotheses, counts_of_texts(hypotheses, references, options), strict=True):
            for row, text in enumerate(column):
                (alone,) = counts_of_texts([[text]], [[reference[row]] for reference in references], options)
                assert np.array_equal(alone[0], counts[row])

    @given(corpora(), chrf_options)
    def test_matches_are_at_most_the_ngrams_of_either_text(self, corpus, options):
        counts = np.stack(counts_of_texts(*corpus, options)).reshape(-1, options.n_orders, 3)
        assert (counts >= 0).all()
        assert (counts[..., 2] <= counts[..., :2].min(axis=-1)).all()

    def test_beta_and_smoothing_change_no_count_of_a_single_reference(self):
        texts = [HYPOTHESES], REFERENCES[:1]
        plain = counts_of_texts(*texts, ChrfOptions())
        assert np.array_equal(plain, counts_of_texts(*texts, ChrfOptions(beta=1, eps_smoothing=True)))

    def test_no_system_and_no_segment_give_no_counts(self):
        assert counts_of_texts([], [["a"]], ChrfOptions()) == []
        (counts,) = counts_of_texts([[]], [[]], ChrfOptions(2, 1))
        assert counts.shape == (0, 9)
        assert scores(counts.sum(axis=0), ChrfOptions(2, 1)) == 0.0

    @pytest.mark.parametrize(("hypotheses", "references"), [([["a"]], [["a", "b"]]), ([["a", "b"], ["a"]], [["a"]])])
    def test_columns_of_different_lengths_are_refused(self, hypotheses, references):
        with pytest.raises(ValueError, match="inhomogeneous"):
            counts_of_texts(hypotheses, references, ChrfOptions())


class TestScores:
    @given(st.lists(lines.filter(str.strip), min_size=1, max_size=4), chrf_options)
    def test_a_text_that_is_its_own_reference_scores_100(self, texts, options):
        options = replace(options, eps_smoothing=False)
        (counts,) = counts_of_texts([texts], [texts], options)
        assert scores(counts, options).tolist() == [100.0] * len(texts)
        assert scores(counts.sum(axis=0), options) == 100.0

    @given(corpora(), chrf_options)
    def test_scores_are_from_0_to_100_and_raise_no_floating_point_error(self, corpus, options):
        counts = np.stack(counts_of_texts(*corpus, options))
        with np.errstate(all="raise"):
            values = scores(counts, options)
        assert (values >= 0).all()
        assert (values <= 100 * (1 + 1e-12)).all()

    @pytest.mark.parametrize("smoothed", [False, True])
    def test_leading_axes_and_real_weights_are_taken(self, smoothed):
        options = ChrfOptions(4, 2, eps_smoothing=smoothed)
        counts = np.stack(counts_of_texts([HYPOTHESES, HYPOTHESES[::-1]], REFERENCES, options))
        whole = scores(counts, options)
        assert whole.shape == counts.shape[:2]
        assert whole.dtype == np.float64
        for system, segment in np.ndindex(*whole.shape):
            assert scores(counts[system, segment], options) == whole[system, segment]
        assert scores(0.5 * counts, options) == pytest.approx(whole)

    @pytest.mark.parametrize("options", [ChrfOptions(), ChrfOptions(word_order=2, beta=0)])
    def test_counts_of_nothing_score_zero(self, options):
        assert scores(np.zeros(3 * options.n_orders, np.int64), options) == 0.0

    def test_counts_are_not_changed(self):
        (counts,) = counts_of_texts([HYPOTHESES], REFERENCES[:1], ChrfOptions())
        kept = counts.copy()
        counts.flags.writeable = False
        scores(counts, ChrfOptions(eps_smoothing=True))
        assert np.array_equal(counts, kept)

    def test_a_higher_beta_rewards_recall(self):
        short, long = (counts_of_texts([[text]], [["abcdef"]], ChrfOptions())[0] for text in ("abc", "abcdefghi"))
        differences = [
            float((scores(long, options) - scores(short, options))[0])
            for options in (ChrfOptions(beta=0), ChrfOptions(beta=1), ChrfOptions(beta=3))
        ]
        assert differences[0] < 0 < differences[1] < differences[2]


class TestOptions:
    def test_the_default_name_and_signature_are_those_everybody_cites(self):
        assert ChrfOptions().name == "chrF2"
        assert ChrfOptions(word_order=2).name == "chrF2++"
        assert ChrfOptions().signature(1) == "nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.6.0"

    @pytest.mark.parametrize(
        ("n_references", "references"),
        [(1, [["a"] * 2]), (2, [["a"] * 2, ["b"] * 2]), ("var", [["a"] * 2, ["b", None]])],
    )
    def test_names_and_signatures_are_sacrebleus_for_every_combination(self, n_references, references):
        for options in ALL_OPTIONS:
            metric = oracle(options)
            assert options.name == metric.corpus_score(["a", "b"], references).name
            assert options.signature(n_references) == metric.get_signature().format()

    @pytest.mark.parametrize(
        ("option", "least", "most"), [("char_order", 1, 32), ("word_order", 0, 32), ("beta", 0, 100)]
    )
    def test_numbers_out_of_range_are_refused_in_words(self, option, least, most):
        for accepted in (least, most):
            assert getattr(ChrfOptions(**{option: accepted}), option) == accepted
        for value in (least - 1, most + 1, 2.0, True, "2", None):
            with pytest.raises(InputError) as caught:
                ChrfOptions(**{option: value})
            assert str(caught.value) == (
                f"Option {option}: this value is not accepted (found {value!r}, expected a whole number from {least} "
                f"to {most}). Choose one of the accepted values."
            )

    @pytest.mark.parametrize("option", ["lowercase", "whitespace", "eps_smoothing"])
    def test_what_is_neither_true_nor_false_is_refused(self, option):
        for value in (1, 0, "no", None, 1.0):
            with pytest.raises(InputError) as caught:
                ChrfOptions(**{option: value})
            assert str(caught.value) == (
                f"Option {option}: this value is not accepted (found {value!r}, expected True or False). "
                "Choose one of the accepted values."
            )

    def test_numbers_of_numpy_make_the_same_options(self):
        plain = ChrfOptions(4, 2, 3, lowercase=True)
        options = ChrfOptions(np.int8(4), np.uint64(2), np.int64(3), lowercase=np.True_, whitespace=np.False_)
        assert len({(each, each.signature(1), each.name, repr(each)) for each in (plain, options)}) == 1

    def test_options_are_values(self):
        assert ChrfOptions(beta=3) == replace(ChrfOptions(), beta=3)
        with pytest.raises(FrozenInstanceError):
            ChrfOptions().beta = 3

    @pytest.mark.parametrize("options", [ChrfOptions(), ChrfOptions(2, 1, 3), ChrfOptions(eps_smoothing=True)], ids=str)
    @pytest.mark.parametrize("fewest", [0, 1], ids=["some-orders-empty", "all-orders-there"])
    def test_of_draws_are_these_to_the_last_bit_however_they_lie_in_memory(self, options, fewest):
        """Orders that one of the texts lacks, and sums without a match, among 400 draws."""
        rng = np.random.default_rng(5)
        n_hypothesis, n_reference = rng.integers(fewest, 40, (2, options.n_orders, 2, 200))
        matched = rng.integers(0, np.minimum(n_hypothesis, n_reference) + 1)
        matched[..., :3] = 0
        by_kind = np.stack([n_hypothesis, n_reference, matched], axis=1).reshape(-1, 2, 200)
        counts = np.moveaxis(by_kind, 0, -1)
        expected = scores(np.ascontiguousarray(counts), options).tolist()
        assert draw_scores(counts, options).tolist() == expected
        for kind in (np.float32, np.float64):
            assert draw_scores(counts.astype(kind), options).tolist() == expected
        assert [[float(draw_scores(row, options)) for row in rows] for rows in counts] == expected
        assert draw_scores(counts[:0], options).shape == (0, 200)
