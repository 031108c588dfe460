"""Outputs in other lines than the references: cut where they fit best, and nothing lost."""

from itertools import combinations_with_replacement, groupby
from pathlib import Path

import numpy as np
import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st

from bleucore import InputError, evaluate
from bleucore.corpus import CUT_LABEL
from bleucore.formats import assemble, guess_roles, read
from bleucore.segmentation import cuts
from bleucore.segmentation.cuts import cut
from bleucore.segmentation.doubts import doubtful_cuts
from bleucore.segmentation.resegmenting import DOUBTFUL, cut_otherwise, realigned, resegmented
from bleucore.segmentation.words import AT_LINE_END, AT_SENTENCE_END, ELSEWHERE, words_of

SAMPLE = Path(__file__).parents[2] / "sample_data"


def lines_of(name):
    return (SAMPLE / f"{name}.txt").read_text(encoding="utf-8").split("\n")[:-1]


def edits(first, second):
    """The Levenshtein distance, the plain way."""
    row = list(range(len(second) + 1))
    for number, one in enumerate(first, start=1):
        before, row[0] = row[0], number
        for place, other in enumerate(second, start=1):
            before, row[place] = row[place], min(row[place] + 1, row[place - 1] + 1, before + (one != other))
    return row[-1]


def least_edits(words, suits, segments):
    """The fewest edits of all ways to cut, tried one by one."""
    places = [place for place in range(len(words) + 1) if suits[place] >= 0]
    return min(
        sum(
            min(edits(words[start:end], reference) for reference in references)
            for start, end, references in zip((0, *inner), (*inner, len(words)), segments, strict=True)
        )
        for inner in combinations_with_replacement(places, len(segments) - 1)
    )


def cost_of(words, segments, ends):
    starts = [0, *ends[:-1]]
    return sum(
        min(edits(words[start:end], reference) for reference in references)
        for start, end, references in zip(starts, ends, segments, strict=True)
    )


class TestCuts:
    def test_two_segments_by_hand(self):
        words, one, two = np.array([1, 2, 3, 4, 5]), np.array([1, 2]), np.array([3, 9, 5])
        found = cut(words, np.zeros(6, np.int64), [[one], [two]])
        assert (found.ends, found.n_edits) == ((2, 5), 1)

    def test_of_equal_places_the_one_that_suits_best_is_taken(self):
        words, one, two = np.array([1, 7, 8, 2]), np.array([1]), np.array([2])
        for suits, end in (([0, 2, 2, 1, 0], 3), ([0, 2, 1, 2, 0], 2), ([0, 1, 2, 2, 0], 1)):
            assert cut(words, np.array(suits), [[one], [two]]).ends == (end, 4)

    def test_there_is_no_cut_where_there_can_be_none(self):
        words, one, two = np.array([1, 2, 3]), np.array([1]), np.array([2, 3])
        assert cut(words, np.array([0, -1, 0, 0]), [[one], [two]]).ends != (1, 3)

    def test_a_text_without_words_and_references_without_words(self):
        nothing = np.zeros(0, np.int64)
        assert cut(nothing, np.zeros(1, np.int64), [[np.array([1])], [nothing]]).ends == (0, 0)
        assert cut(np.array([1, 2]), np.zeros(3, np.int64), [[nothing], [nothing]]).n_edits == 2

    def test_a_text_that_is_too_long_is_refused(self, monkeypatch):
        monkeypatch.setattr(cuts, "MOST_CELLS", 10)
        with pytest.raises(InputError, match="too long to be cut anew"):
            cut(np.arange(9), np.zeros(10, np.int64), [[np.arange(9)]])

    @given(data=st.data())
    def test_no_other_cuts_have_fewer_edits(self, data):
        words = np.array(data.draw(st.lists(st.integers(0, 4), max_size=8)), np.int64)
        of_reference = st.lists(st.integers(0, 4), max_size=4).map(lambda one: np.array(one, np.int64))
        segments = data.draw(st.lists(st.lists(of_reference, min_size=1, max_size=2), min_size=1, max_size=3))
        suits = np.array([data.draw(st.integers(-1, 2)) for _ in words] + [0], np.int64)
        if len(words):
            suits[0] = 0
        found = cut(words, suits, segments)
        assert found.n_edits == least_edits(words, suits, segments) == cost_of(words, segments, found.ends)
        assert all(suits[end] >= 0 for end in found.ends)
        assert list(found.ends) == sorted(found.ends)
        assert found.ends[-1] == len(words)

    @given(seed=st.integers(0, 1000))
    def test_a_narrow_look_finds_what_the_whole_finds(self, seed):
        draw = np.random.default_rng(seed)
        segments = [[draw.integers(0, 30, draw.integers(1, 9))] for _ in range(12)]
        words = np.concatenate([one for (one,) in segments])
        words = np.where(draw.random(len(words)) < 0.4, draw.integers(0, 30, len(words)), words)[
            draw.random(len(words)) < 0.8
        ]
        suits = np.zeros(len(words) + 1, np.int64)
        whole = cut(words, suits, segments)
        before = cuts._FIRST_BAND
        cuts._FIRST_BAND = 3
        try:
            assert cut(words, suits, segments) == whole
        finally:
            cuts._FIRST_BAND = before


class TestDoubts:
    def test_a_cut_is_doubtful_where_it_could_stand_elsewhere_as_well(self):
        segments = [[np.array([1])], [np.array([2])]]
        words, flat = np.array([1, 7, 2]), np.zeros(4, np.int64)
        assert doubtful_cuts(words, flat, segments, (1, 3)).tolist() == [True]
        assert doubtful_cuts(words, np.array([0, 0, 2, 0]), segments, (1, 3)).tolist() == [False]

    def test_one_segment_has_no_cut(self):
        assert len(doubtful_cuts(np.array([1]), np.zeros(2, np.int64), [[np.array([1])]], (1,))) == 0


class TestWords:
    def test_are_compared_in_small_letters_without_punctuation_and_cut_at_spaces(self):
        found = words_of(["He said: “Go.” Now", "Then"], by_character=False)
        assert found.keys == ("he", "said", ":", "“", "go", ".", "”", "now", "then")
        by_word = dict(zip(found.keys, found.suits, strict=False))
        assert (by_word["now"], by_word["then"], by_word["said"], by_word[":"]) == (
            AT_SENTENCE_END,
            AT_LINE_END,
            ELSEWHERE,
            None,
        )

    def test_of_scripts_without_spaces_are_characters_and_lines_are_joined_by_nothing(self):
        found = words_of(["你好。", "再见 GPT", "4 个"], by_character=True)
        assert found.text == "你好。再见 GPT 4 个"
        assert found.keys == ("你", "好", "。", "再", "见", "gpt", "4", "个")


class TestResegmented:
    def test_a_whole_talk_is_cut_at_its_sentences(self):
        found = resegmented(["Good evening. We begin. Thank you."], [["Good evening.", "Let us begin.", "Thanks."]])
        assert found.segments == ("Good evening.", "We begin.", "Thank you.")

    def test_a_line_for_each_document_is_cut_by_itself(self):
        references = [["a b", "c d", "a b", "c d"]]
        found = resegmented(["a b", "a b c d"], references, ["x", "x", "y", "y"])
        assert found.segments == ("a b", "", "a b", "c d")

    def test_an_empty_output_has_empty_segments(self):
        assert resegmented(["", " "], [["a", "b", "c"]]).segments == ("", "", "")

    def test_chinese_is_cut_between_characters(self):
        found = resegmented(["我们开始。谢谢大家"], [["我们开始吧。", "谢谢大家。"]])
        assert found.segments == ("我们开始。", "谢谢大家")

    @given(
        lines=st.lists(st.text("ab c.\u3000\u4f60", max_size=12), max_size=6),
        references=st.lists(st.text("ab c.", max_size=8), min_size=1, max_size=5),
    )
    def test_no_character_is_lost_or_added(self, lines, references):
        found = resegmented(lines, [references])
        assert len(found.segments) == len(references)
        assert "".join("".join(found.segments).split()) == "".join("".join(lines).split())
        assert all(0 <= place < len(references) for place in found.doubtful)

    @pytest.mark.parametrize("name", ["online", "neural-10k", "literal"])
    @pytest.mark.parametrize("knows_documents", [True, False])
    def test_documents_of_the_sample_score_as_their_segments_do(self, name, knows_documents):
        hypotheses, reference, documents = lines_of(name), lines_of("reference-A"), lines_of("documents")
        pairs = zip(hypotheses, documents, strict=True)
        joined = [" ".join(line for line, _ in one) for _, one in groupby(pairs, lambda one: one[1])]
        found = resegmented(joined, [reference], documents if knows_documents else None)
        scores = [sacrebleu.corpus_bleu(list(texts), [reference]).score for texts in (hypotheses, found.segments)]
        assert abs(scores[0] - scores[1]) <= 0.3
        owner, before = (
            [place for place, text in enumerate(texts) for _ in text.split()] for texts in (found.segments, hypotheses)
        )
        assert np.mean(np.array(owner) != np.array(before)) <= 0.03


class TestColumns:
    def columns(self):
        files = {
            "talk.txt": b"Good evening. We begin. Thank you.\n",
            "lines.txt": b"Good evening.\nWe start.\nThanks.\n",
            "ref.txt": b"Good evening.\nLet us begin.\nThanks.\n",
        }
        return guess_roles([column for name, data in files.items() for column in read(name, data)])

    def test_outputs_of_other_lines_are_cut_and_the_signature_says_so(self):
        columns = self.columns()
        assert cut_otherwise(columns) == (0,)
        test_set = assemble(realigned(columns))
        assert test_set.is_resegmented
        assert test_set.system("lines").hypotheses == ("Good evening.", "We start.", "Thanks.")
        assert set(test_set.labels[CUT_LABEL]) <= {"clear", DOUBTFUL}
        found = evaluate(test_set)
        assert found.signature.endswith("|seg:mwer|version:2.6.0")
        assert "seg:mwer" in found.bleu.segment_signature

    def test_nothing_changes_where_all_have_the_lines_of_the_references(self):
        columns = self.columns()[1:]
        assert realigned(columns) == columns
        assert "seg:" not in evaluate(assemble(columns)).signature
