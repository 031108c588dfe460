"""TER: by hand, against sacreBLEU on real and random texts, and over several processes that leave nothing behind."""

import os
import subprocess
import sys
import threading
from multiprocessing import active_children
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu import __version__
from sacrebleu.metrics.lib_ter import translation_edit_rate
from sacrebleu.metrics.ter import TER
from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer

from bleucore import InputError
from bleucore.installing import how_to_add
from bleucore.metrics.ter import (
    CHUNK_PAIRS,
    MAX_WORDS,
    SMALL_CHARACTERS,
    SMALL_PAIRS,
    TerOptions,
    counts_of_texts,
    scores,
)
from bleucore.metrics.ter_edits import edits

DATA = Path(__file__).parents[2].parent / "shared" / "data" / "wmt22-zh-en"
OPTIONS = [
    TerOptions(normalized=normalized, no_punct=no_punct, asian_support=asian, case_sensitive=case)
    for normalized in (False, True)
    for no_punct in (False, True)
    for asian in (False, True)
    for case in (False, True)
]
TRICKY = [
    "",
    " ",
    "The cat, it sat.",
    "sat the cat it",
    "it sat the cat on on on the mat",
    "Tom's &amp; 3.5-fold \u3001\u4e2d\u6587\uff0c\u30ab\u30bf",
    "\u4e2d \u6587 \u3001 tom 's & 3.5 - fold",
    "In his 40's, I was Tom's.",
    "a b c d e f g h",
    "e f g h a b c d",
    "( \u201ca\u201d )!?\u2028b\u00a0c",
]


def lines(name):
    """The lines of a real file, where it lies beside the project."""
    path = DATA / name
    return path.read_text(encoding="utf-8").split("\n")[:-1] if path.exists() else []


REAL_REFERENCES = [lines("reference.A.txt"), lines("reference.B.txt")]
REAL_SYSTEMS = [lines("systems/Online-A.txt"), lines("systems/Lan-Bridge.txt")]
if not REAL_SYSTEMS[0]:
    REAL_REFERENCES = [TRICKY, TRICKY[::-1]]
    REAL_SYSTEMS = [TRICKY[3:] + TRICKY[:3], TRICKY[1::2] + TRICKY[::2]]


def sacrebleu_ter(options):
    return TER(options.normalized, options.no_punct, options.asian_support, options.case_sensitive)


def counts_of(hypothesis, *references, options=None):
    return counts_of_texts([[hypothesis]], [[text] for text in references], options or TerOptions())[0][0].tolist()


def many(n_segments):
    """Segments with different counts, in an order that shows."""
    words = [f"w{index % 7} x{index % 5} y z{index % 3}" for index in range(n_segments)]
    return words, [f"z{index % 4} x{index % 5} w{index % 7} y" for index in range(n_segments)]


class TestByHand:
    def test_a_word_replaced_one_left_out_and_one_too_many_are_an_edit_each(self):
        assert counts_of("a x c", "a b c") == [1, 3]
        assert counts_of("a c", "a b c") == [1, 3]
        assert counts_of("a b b2 c", "a b c") == [1, 3]

    def test_a_phrase_moved_is_one_edit(self):
        assert counts_of("c d e a b", "a b c d e") == [1, 5]

    def test_the_edits_are_the_fewest_and_the_length_the_mean_of_the_references(self):
        assert counts_of("a b c", "x y z v", "a b", "a b d") == [1, 3]
        assert counts_of("a b c", "a b", "a b c d e") == [1, 3.5]

    def test_a_reference_that_is_absent_does_not_count_and_an_empty_one_does(self):
        assert counts_of("a b", "a b c d", None) == [2, 4]
        assert counts_of("a b", "a b c d", "") == [2, 2]

    def test_capitals_make_no_difference_unless_asked_for(self):
        assert counts_of("THE Cat", "the cat") == [0, 2]
        assert counts_of("THE Cat", "the cat", options=TerOptions(case_sensitive=True)) == [2, 2]

    @pytest.mark.parametrize(
        ("counts", "score"),
        [([2, 8], 25), ([0, 8], 0), ([9, 3], 300), ([0, 0], 0), ([3, 0], 100), ([1, 1.5], 100 / 1.5)],
    )
    def test_the_score_is_edits_by_length_and_100_or_0_without_a_length(self, counts, score):
        assert scores(np.array(counts, float), TerOptions()) == pytest.approx(score, rel=1e-15)

    def test_counts_with_any_leading_axes_are_scored(self):
        assert scores(np.array([[[1.0, 2.0], [0, 0]]]), TerOptions()).tolist() == [[50, 0]]
        assert scores(np.array([[1, 2]]), TerOptions()).tolist() == [50]

    def test_references_are_normalized_twice_which_cuts_the_s_of_a_possessive_once_more(self):
        text, options = "In his 40's, I was out.", TerOptions(normalized=True)
        assert counts_of(text, text, options=options) == [2, 9]  # 40's against 40 's
        assert counts_of(text, "In his 40 's, I was out.", options=options) == [2, 9]
        assert counts_of("In his 40 's, I was out.", text, options=options) == [0, 9]
        assert counts_of(text, text) == [0, 6]

    def test_the_name_is_sacrebleus(self):
        assert TerOptions().name == TER().corpus_score(["a"], [["a"]]).name


class TestAgainstSacrebleu:
    @pytest.mark.parametrize("options", OPTIONS, ids=str)
    def test_every_option_counts_and_scores_tricky_texts_alike(self, options):
        references = [TRICKY[1:] + TRICKY[:1], [None if index % 3 else text for index, text in enumerate(TRICKY)]]
        hypotheses = [TRICKY, TRICKY[::-1]]
        metric = sacrebleu_ter(options)
        for column, counts in zip(hypotheses, counts_of_texts(hypotheses, references, options), strict=True):
            corpus = metric.corpus_score(column, references)
            assert scores(counts.sum(axis=0), options) == pytest.approx(corpus.score, abs=1e-9)
            assert counts.sum(axis=0) == pytest.approx([corpus.num_edits, corpus.ref_length], abs=1e-9)
            for index, text in enumerate(column):
                present = [reference[index] for reference in references if reference[index] is not None]
                sentence = metric.sentence_score(text, present)
                assert counts[index].tolist() == [sentence.num_edits, sentence.ref_length]
                assert scores(counts[index], options) == pytest.approx(sentence.score, abs=1e-9)

    @pytest.mark.thorough
    def test_real_texts_score_alike_with_one_and_with_two_references(self):
        systems = [column[:40] for column in REAL_SYSTEMS]
        for n_references in (1, 2):
            references = [column[:40] for column in REAL_REFERENCES[:n_references]]
            for column, counts in zip(systems, counts_of_texts(systems, references, TerOptions()), strict=True):
                expected = TER().corpus_score(column, references).score
                assert scores(counts.sum(axis=0), TerOptions()) == pytest.approx(expected, abs=1e-9)

    @pytest.mark.parametrize("options", OPTIONS, ids=str)
    def test_the_signature_is_the_same_string(self, options):
        for references in ([["a"]], [["a", "b"], ["a", None]], [["a"], ["b"], ["c"]]):
            metric = sacrebleu_ter(options)
            metric.corpus_score(["a"] * len(references[0]), references)
            number = "var" if None in references[-1] else len(references)
            assert options.signature(number) == str(metric.get_signature()), references

    def test_the_signature_of_the_defaults_reads_so(self):
        expected = f"nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:{__version__}"
        assert TerOptions().signature(1) == expected


TEXTS = st.lists(st.sampled_from(["a", "b", "A", "c.", "d"]), max_size=9).map(" ".join)
PIECES = [
    "a",
    "B",
    "1",
    "'s",
    "'",
    ".",
    ",",
    "-",
    " ",
    "\u3000",
    "&amp;",
    "&quot;",
    "lt;",
    "\u4e2d",
    "\u30ab",
    "\u3042",
]
PIECES += ["\uff0c", "\u3001", "(", "!", "\u0130", "\u03a3"]
ODD_TEXTS = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)


@given(
    st.lists(st.tuples(TEXTS, TEXTS, st.none() | TEXTS), min_size=1, max_size=4)
    | st.lists(st.tuples(ODD_TEXTS, ODD_TEXTS, st.none() | ODD_TEXTS), min_size=1, max_size=4),
    st.sampled_from(OPTIONS),
)
def test_random_texts_count_as_in_sacrebleu_under_any_options(rows, options):
    hypotheses, *references = (list(column) for column in zip(*rows, strict=True))
    for column in (hypotheses, references[0]):  # what equals its reference differs where references are treated apart
        counts = counts_of_texts([column], references, options)[0]
        assert counts.tolist() == sacrebleu_ter(options)._extract_corpus_statistics(column, references)


@given(TEXTS)
def test_a_text_equal_to_its_reference_has_no_edits(text):
    assert counts_of(text, text)[0] == 0


PHRASE = st.tuples(st.text("abc", max_size=4), st.integers(1, 6)).map(lambda drawn: drawn[0] * drawn[1])


@given(st.lists(PHRASE, max_size=3), st.randoms(use_true_random=False), st.text("abcd", max_size=5))
def test_phrases_in_another_order_take_the_edits_of_sacrebleu(phrases, draw, added):
    """Up to 77 words that repeat: shifts that are equally good, two blocks, the limit of shifts."""
    shuffled = draw.sample(phrases, len(phrases))
    pairs = [(list("".join(phrases)), list("".join([*shuffled, added])))]
    assert edits(pairs).tolist() == [translation_edit_rate(*pair)[0] for pair in pairs]


@pytest.mark.parametrize(
    ("words", "other", "expected"),
    [
        pytest.param([*"ab"] * 40, [*"ba"] * 25, (30, 30), id="lengths"),
        pytest.param([f"x{n}" for n in range(70)], [f"x{n * 3 % 70}" for n in range(70)], (66, 67), id="beam"),
        pytest.param([f"x{n}" for n in range(30)] * 2, [f"x{n}" for n in range(59, -1, -1)], (59, 59), id="reversed"),
        pytest.param(["a"], ["b"] * 130 + ["a"], (130, 130), id="wide beam"),
        pytest.param([*"abcd"] * 16, [*"dcba"] * 16, (34, 34), id="whole block"),
    ],
)
def test_edge_cases_take_the_edits_that_sacrebleu_takes_seconds_for(words, other, expected):
    assert edits([(words, other), (other, words)]).tolist() == list(expected)


class TestOptions:
    @pytest.mark.parametrize("option", ["normalized", "no_punct", "asian_support", "case_sensitive"])
    def test_what_is_neither_true_nor_false_is_refused(self, option):
        for value in (1, "no", None, float("nan")):
            with pytest.raises(InputError) as caught:
                TerOptions(**{option: value})
            assert str(caught.value) == (
                f"Option {option}: this value is not accepted (found {value!r}, expected True or False). "
                "Choose one of the accepted values."
            )

    def test_truth_values_of_numpy_make_the_same_options(self):
        both = (TerOptions(True, False, True, False), TerOptions(np.True_, np.False_, np.bool_(1), np.bool_(0)))
        assert len({(options, options.signature(1), repr(options)) for options in both}) == 1


class TestLongTexts:
    LONGEST = "ab " * MAX_WORDS

    @pytest.mark.parametrize("processes", [1, 2])
    def test_are_refused_by_their_words_before_any_work(self, processes):
        hypotheses = [["a"] * 1_500, ["a"] * 1_411 + [self.LONGEST + "c"] + ["a"] * 88]
        with pytest.raises(InputError) as caught:
            counts_of_texts(hypotheses, [["a"] * 1_500], TerOptions(), progress=pytest.fail, processes=processes)
        assert str(caught.value) == (
            "TER, system 2, line 1,412: the text is too long for TER (found 2,001 words, expected at most 2,000). "
            "Split the segment, or leave TER out."
        )

    def test_are_refused_as_references_too(self):
        with pytest.raises(InputError, match=r"^TER, reference 2, line 1: .* \(found 2,001 words, expected"):
            counts_of_texts([["a"]], [["b"], [self.LONGEST + "c"]], TerOptions())

    def test_are_those_of_many_words_not_of_many_characters(self):
        word = "x" * 10_000
        assert counts_of_texts([[word, "a"]], [[word, " " * 10_000]], TerOptions())[0].tolist() == [[0, 1], [1, 0]]

    def test_are_measured_in_the_words_that_are_compared(self):
        dots = "." * (MAX_WORDS + 1)
        assert counts_of(dots, dots) == [0, 1]
        with pytest.raises(InputError, match="found 2,001 words"):
            counts_of(dots, dots, options=TerOptions(normalized=True))
        spaced = ". " * (MAX_WORDS + 1)
        assert counts_of(spaced, "a", options=TerOptions(no_punct=True)) == [1, 1]

    def test_are_measured_in_references_as_these_are_treated(self):
        text, options = "x's " * (MAX_WORDS // 2 - 1) + "y's.", TerOptions(normalized=True)
        assert counts_of(text, "a", options=options) == [MAX_WORDS, 1]
        with pytest.raises(InputError, match=r"^TER, reference 1, line 1: .* \(found 2,001 words, expected"):
            counts_of("a", text, options=options)

    @pytest.mark.thorough
    def test_of_the_most_words_that_are_taken_are_counted(self):
        assert counts_of(self.LONGEST, self.LONGEST.upper() + " ") == [0, MAX_WORDS]
        assert counts_of(self.LONGEST, "ab cd") == [MAX_WORDS - 1, 2]

    def test_are_not_kept_in_sacrebleus_memory_of_texts(self):
        TercomTokenizer.__call__.cache_clear()
        counts_of("a b", "c")
        assert TercomTokenizer.__call__.cache_info().currsize == 0


@pytest.mark.thorough
class TestOtherProcesses:
    def test_they_count_the_same_in_the_same_order(self):
        hypotheses, reference = many(CHUNK_PAIRS // 2 + 5)
        columns = [hypotheses, hypotheses[::-1]]
        here = counts_of_texts(columns, [reference, hypotheses], TerOptions(), processes=1)
        there = counts_of_texts(columns, [reference, hypotheses], TerOptions(), processes=2)
        assert np.array_equal(here, there)
        assert not active_children()

    @pytest.mark.parametrize("processes", [1, 2])
    def test_progress_rises_chunk_by_chunk_to_the_whole_in_this_thread(self, processes):
        hypotheses, reference = many(4 * CHUNK_PAIRS)
        seen = []
        counts_of_texts(
            [hypotheses],
            [reference],
            TerOptions(),
            progress=lambda share: seen.append((share, threading.get_ident())),
            processes=processes,
        )
        risen = [one for one in dict.fromkeys(seen) if one[0]]  # while others work it says again how far they are
        assert risen == [(share, threading.get_ident()) for share in (0.25, 0.5, 0.75, 1.0)]

    def test_can_be_cancelled_before_the_first_chunk_is_done(self):
        words = [" ".join(f"w{n * k % 97}" for n in range(900)) for k in (5, 7)]
        seen = []

        def cancel(share):
            seen.append(share)
            raise InterruptedError

        with pytest.raises(InterruptedError):
            counts_of_texts([words[:1] * 500], [words[1:] * 500], TerOptions(), progress=cancel, processes=2)
        assert seen == [0.0]
        assert not active_children()

    def test_more_columns_than_a_chunk_has_pairs_are_counted_segment_by_segment(self):
        seen = []
        n = CHUNK_PAIRS + 1
        counts = counts_of_texts([["a", "b"]] * n, [["a", "a"]], TerOptions(), progress=seen.append)
        assert (seen, np.array(counts).sum(axis=0).tolist()) == ([0.5, 1.0], [[0, n], [n, n]])

    @pytest.mark.parametrize(("n_segments", "expected"), [(SMALL_PAIRS, 0), (SMALL_PAIRS + 1, 2)])
    def test_only_work_that_is_not_small_starts_them_unasked(self, n_segments, expected, monkeypatch):
        monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1}, raising=False)
        hypotheses, reference = many(n_segments)
        seen = []
        counts_of_texts([hypotheses], [reference], TerOptions(), progress=lambda _: seen.append(len(active_children())))
        assert max(seen) == expected

    def test_long_texts_start_them_sooner(self, monkeypatch):
        monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1}, raising=False)
        n_texts = 2 * CHUNK_PAIRS
        long = ["word" + "s" * (SMALL_CHARACTERS // n_texts)] * n_texts
        seen = []
        counts_of_texts([long], [long], TerOptions(), progress=lambda _: seen.append(len(active_children())))
        assert max(seen) == 2


class TestWithoutSacrebleu:
    EXPECTED = (
        "TER: the package sacrebleu cannot be imported (found No module named 'sacrebleu', expected sacrebleu 2.6). "
        "Install it with: " + how_to_add("sacrebleu")
    )

    @pytest.fixture(autouse=True)
    def _without_sacrebleu(self, monkeypatch):
        for name in [name for name in sys.modules if name.partition(".")[0] == "sacrebleu"]:
            monkeypatch.delitem(sys.modules, name)
        monkeypatch.setattr(sys, "meta_path", [_Absent(), *sys.meta_path])

    def test_counting_says_what_to_install(self):
        with pytest.raises(InputError) as caught:
            counts_of_texts([["a"]], [["a"]], TerOptions())
        assert str(caught.value) == self.EXPECTED
        assert isinstance(caught.value.__cause__, ImportError)

    def test_the_signature_says_so_too(self):
        with pytest.raises(InputError) as caught:
            TerOptions().signature(1)
        assert str(caught.value) == self.EXPECTED

    def test_counts_that_are_there_are_scored(self):
        assert scores(np.array([1.0, 4.0]), TerOptions()) == 25


class _Absent:
    """Refuses sacreBLEU as an environment without it does."""

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "sacrebleu":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def test_the_module_can_be_imported_without_sacrebleu():
    code = "import sys, bleucore.metrics.ter; sys.exit('sacrebleu' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
