"""Kinds of errors: by hand, sums that add up under all options, and errors that were planted."""

import random
import re
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleucore import BleuOptions, System, TestSet, evaluate
from bleucore.analysis.attribution import attribute
from bleucore.analysis.kinds import kinds_of_segment, study_kinds
from bleucore.analysis.token_kinds import KINDS, NO_KIND, are_forms, facts_of
from bleucore.options import ALL_SMOOTHING_METHODS, NEIGHBOUR_SMOOTHINGS, REFERENCE_LENGTHS

WORDS = ("the", "The", "bank", "banks", "river", "12", "13", ",", "“", "Anna", "opened", "openly", "銀行", "行", "")
TEXTS = st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join)
OPTIONS = st.builds(
    BleuOptions,
    max_order=st.integers(1, 5),
    lowercase=st.booleans(),
    tokenizer=st.sampled_from(("13a", "intl", "zh", "char", "none")),
    smoothing=st.sampled_from(sorted({*ALL_SMOOTHING_METHODS} - {*NEIGHBOUR_SMOOTHINGS})),
    reference_length=st.sampled_from(sorted(REFERENCE_LENGTHS)),
)


USUAL = BleuOptions()


def one(output: str, *references: str | None, source: str | None = None) -> TestSet:
    return TestSet(
        [System("A", [output])], [[text] for text in references], source=None if source is None else [source]
    )


def named(test_set: TestSet, options: BleuOptions = USUAL) -> list[str]:
    found = kinds_of_segment(test_set, "A", 0, options, capitals=True)
    return ["" if kind == NO_KIND else KINDS[kind] for kind in found.tokens]


class TestTokens:
    @pytest.mark.parametrize(
        ("output", "reference", "kinds"),
        [
            ("we saw The bank", "we saw the bank", ["", "", "case", ""]),
            ("it ended ; now", "it ended , now", ["", "", "punctuation", ""]),
            ("it cost 15 euros", "it cost 50 euros", ["", "", "number", ""]),
            ("the the bank", "the bank", ["repeat", "", ""]),
            ("we met Anna there", "we met Maria there", ["", "", "name", ""]),
            ("they opened it", "they opens it", ["", "other form", ""]),
            ("a large bank", "a small bank", ["", "other word", ""]),
            ("a c b d", "a b c d", ["", "word order", "word order", ""]),
        ],
    )
    def test_each_kind(self, output, reference, kinds):
        found = named(one(output, reference))
        assert [kind if kind != "word order" or kinds[place] else "" for place, kind in enumerate(found)] == kinds

    def test_what_is_left_out_is_missing_and_no_word_order(self):
        found = kinds_of_segment(one("we saw a bank", "we saw a large old bank"), "A", 0, BleuOptions())
        assert [KINDS[kind] for kind in found.joints if kind != NO_KIND] == ["missing"]
        assert found.missing == [3, 4]

    @pytest.mark.thorough
    def test_a_long_text_is_sorted_out_in_linear_time_without_pairs(self):
        reference, output = ["x y"] * 4_000, ["x"] * 4_000
        found = kinds_of_segment(one(" ".join(output), " ".join(reference)), "A", 0, BleuOptions())
        assert {kind for kind in found.tokens if kind != NO_KIND} == set()
        assert {KINDS[kind] for kind in found.joints} == {"missing"}
        assert len(found.missing) == 4_000

    def test_a_comma_left_out_is_punctuation(self):
        found = kinds_of_segment(one("well we saw it", "well , we saw it"), "A", 0, BleuOptions())
        assert [KINDS[kind] for kind in found.joints if kind != NO_KIND] == ["punctuation"]

    def test_a_word_of_the_source_is_a_name(self):
        assert (
            named(one("das ist download hier", "das ist herunterladen hier", source="the download here"))[2] == "name"
        )

    def test_case_costs_nothing_where_it_does_not_count(self):
        assert named(one("The BANK", "the bank"), BleuOptions(lowercase=True)) == ["", ""]

    def test_every_token_has_one_kind_or_matches(self):
        test_set = one("the the 12 Anna opened ; it", "the bank , 13 Maria opens it")
        found = kinds_of_segment(test_set, "A", 0, BleuOptions())
        assert len(found.tokens) == 7
        assert len(found.joints) == 6

    @pytest.mark.parametrize(
        ("first", "second", "are_alike"),
        [
            ("opened", "opens", True),
            ("open", "close", False),
            ("cat", "catalogue", False),
            ("car", "cart", True),
            ("銀行", "銀座", True),
        ],
    )
    def test_forms(self, first, second, are_alike):
        assert are_forms(first, second) == are_forms(second, first) == are_alike

    def test_facts(self):
        assert facts_of("“").is_punctuation
        assert facts_of("½").has_digit
        assert not facts_of("的").is_spaced


class TestSums:
    @given(
        texts=st.lists(st.tuples(TEXTS, TEXTS, TEXTS, st.none() | TEXTS), min_size=1, max_size=5),
        options=OPTIONS,
        has_source=st.booleans(),
    )
    def test_losses_and_gains_add_up(self, texts, options, has_source):
        first, second, reference, other = (list(column) for column in zip(*texts, strict=True))
        test_set = TestSet(
            [System("A", first), System("B", second)], [reference, other], source=first if has_source else None
        )
        found = study_kinds(test_set, ("A", "B"), options)
        for losses in found.losses:
            assert losses.losses.sum() + losses.jump == pytest.approx(losses.perfect - losses.score, abs=1e-9)
            assert losses.groups(np.zeros(len(texts), np.int64), 1)[0] == pytest.approx(losses.losses, abs=1e-9)
        difference = found.losses[1].score - found.losses[0].score
        assert found.total_gains.sum() + found.jump == pytest.approx(difference, abs=1e-9)

    def test_gains_of_a_segment_are_its_contribution_and_length_is_the_brevity_penalty(self):
        outputs = {
            "A": ["the old bank is closed today", "we met Anna"],
            "B": ["the old bank was shut", "we met Maria there"],
        }
        test_set = TestSet(
            [System(name, texts) for name, texts in outputs.items()],
            [["the old bank was closed", "we met Maria here now"]],
        )
        found = study_kinds(test_set, ("A", "B"), USUAL)
        evaluation = evaluate(test_set, USUAL)
        whole = attribute(*(evaluation.systems[name].counts for name in "AB"), USUAL)
        assert found.gains.sum(axis=1) == pytest.approx(whole.segments, abs=1e-9)
        assert found.total_gains[KINDS.index("length")] == pytest.approx(whole.brevity_penalty, abs=1e-9)

    def test_a_reference_loses_nothing(self):
        (losses,) = study_kinds(one("the bank of 12 Annas", "the bank of 12 Annas"), ["A"], USUAL).losses
        assert losses.losses.tolist() == [0.0] * len(KINDS)
        assert losses.counts.sum() == 0


SENTENCES = (
    "yesterday the minister Anna visited the harbour of Hamburg , and 12 ships were waiting there",
    "after a long meeting the council accepted 340 new houses near the old station , said Peter",
    "many people believe that the river Elbe carries less water every summer since 1990",
    "our engineers repaired the broken bridge within 48 hours ; nobody was injured there",
)


def swapped(words: list[str], place: int) -> None:
    words[place], words[place + 1] = words[place + 1], words[place]


PLANTED: dict[str, tuple[str, Callable[[str], str]]] = {
    "case": (r"[a-z]{3,}", str.capitalize),
    "punctuation": (r"[,;]", lambda _: ":"),
    "number": (r"\d+", lambda text: str(int(text) + 1)),
    "name": (r"Anna|Hamburg|Peter|Elbe", lambda _: "Klara"),
    "other form": (r"[a-z]{7,}", lambda text: text[:-1] + "ly"),
}


class TestPlanted:
    @pytest.mark.parametrize("kind", PLANTED)
    def test_planted_errors_are_found_and_cost_what_they_cost(self, kind):
        pattern, change = PLANTED[kind]
        rng, changed, outputs = random.Random(7), 0, []
        references = [text for text in SENTENCES for _ in range(10)]
        for text in references:
            words = text.split()
            for place, word in enumerate(words):
                if place and re.fullmatch(pattern, word) and change(word) != word and rng.random() < 0.5:
                    words[place], changed = change(word), changed + 1
            outputs.append(" ".join(words))
        self.check(kind, outputs, references, changed)

    def test_words_in_another_order(self):
        references, outputs = [text for text in SENTENCES for _ in range(10)], []
        rng = random.Random(7)
        for text in references:
            words = text.split()
            swapped(words, rng.randrange(len(words) - 1))
            outputs.append(" ".join(words))
        self.check("word order", outputs, references, len(outputs))

    def check(self, kind: str, outputs: list[str], references: list[str], n_planted: int) -> None:
        (losses,) = study_kinds(TestSet([System("A", outputs)], [references]), ["A"], USUAL).losses
        place = KINDS.index(kind)
        assert losses.counts[place] >= 0.9 * n_planted > 0
        assert losses.losses[place] == pytest.approx(100 - losses.score, rel=0.1)


def test_what_both_systems_have_wrong_explains_nothing_of_their_difference():
    texts = {"A": "the old cat sat on a xx mat near us all", "B": "the old cat sat on A xx mat near us all"}
    systems = [System(name, [text]) for name, text in texts.items()]
    test_set = TestSet(systems, [["the old cat sat on a red mat near us all"]])
    found = study_kinds(test_set, ("A", "B"), USUAL)
    lost = found.losses[1].score - found.losses[0].score
    assert found.total_gains[KINDS.index("case")] == pytest.approx(lost, abs=1e-9)
    np.testing.assert_allclose(np.delete(found.total_gains, KINDS.index("case")), 0, atol=1e-9)
