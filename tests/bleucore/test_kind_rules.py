"""The rules on all tokens at once find what they find one token after the other."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleucore import BleuOptions, System, TestSet
from bleucore.analysis import kind_rules
from bleucore.analysis.kinds import capitals_tell, kinds_of_segment, kinds_of_segments, study_kinds
from bleucore.analysis.matches import credited_starts
from bleucore.analysis.token_kinds import LONGEST_PAIRED
from bleucore.tokens.matching import columns, credited_ngrams
from bleucore.tokens.tokenizers import tokenize
from tests.bleucore.kinds_one_by_one import segment_kinds

WORDS = (
    *("the", "The", "THE", "bank", "banks", "banking", "river", "12", "13", ",", ".", "“", "Anna", "Maria", "opened"),
    *("opens", "openly", "銀行", "銀", "行", "座", "ß", "ss", "½", "a", "b"),
)
TEXT = st.lists(st.sampled_from(WORDS), max_size=14)
TEXTS = st.lists(st.tuples(TEXT, TEXT, TEXT), min_size=1, max_size=4)


def one_by_one(output, references, best, source, *, capitals, max_order):
    credited = credited_starts(output, references, max_order)
    return segment_kinds(output, references[best], credited, source=frozenset(source), capitals=capitals)


@given(texts=TEXTS, capitals=st.booleans(), max_order=st.integers(1, 4), second=st.booleans())
def test_all_tokens_at_once_get_the_kinds_that_they_get_one_by_one(texts, capitals, max_order, second):
    outputs, references, others = (list(column) for column in zip(*texts, strict=True))
    joined = [" ".join(words) for column in (outputs, references, others) for words in column]
    options = BleuOptions(tokenizer="none", max_order=max_order)
    test_set = TestSet(
        [System("A", joined[: len(texts)])],
        [joined[len(texts) : 2 * len(texts)], joined[2 * len(texts) :]]
        if second
        else [joined[len(texts) :][: len(texts)]],
        source=joined[2 * len(texts) :],
    )
    for segment, (output, reference, other) in enumerate(texts):
        found = kinds_of_segment(test_set, "A", segment, options, capitals=capitals)
        of_segment = [reference, other] if second else [reference]
        expected = [
            one_by_one(output, of_segment, best, other, capitals=capitals, max_order=max_order)
            for best in range(len(of_segment))
        ]
        assert found in expected


@given(texts=TEXTS, max_order=st.integers(1, 5))
def test_credited_ngrams_are_those_that_are_shown(texts, max_order):
    flat = [" ".join(words) for column in zip(*texts, strict=True) for words in column]
    tokenized = tokenize(flat, "none")
    output, *references = columns(tokenized.ids, tokenized.offsets, 3)
    found = credited_ngrams(output, references, max_order)
    for segment, (words, *others) in enumerate(texts):
        own = found[:, output.offsets[segment] : output.offsets[segment + 1]]
        shown = credited_starts(words, others, max_order)
        assert [set(np.flatnonzero(of_order).tolist()) for of_order in own] == shown


@pytest.mark.parametrize("at_once", [1, 40, 1_000_000])
def test_how_many_segments_are_looked_at_together_changes_nothing(monkeypatch, at_once):
    monkeypatch.setattr(kind_rules, "MOST_AT_ONCE", at_once)
    outputs = ["We met Anna in May", "", "it cost 15 euros , they say", "the bank of Opens opened", "x"]
    references = ["We met Maria in March", "nothing", "it costs 50 euros : say they", "the Bank opens", "x"]
    test_set = TestSet([System("A", outputs)], [references], source=references[::-1])
    found = study_kinds(test_set, ["A"], BleuOptions()).losses[0]
    monkeypatch.undo()
    assert np.array_equal(found.segments, study_kinds(test_set, ["A"], BleuOptions()).losses[0].segments)


def test_texts_too_long_to_be_paired_have_the_same_kinds_one_by_one():
    rng = np.random.default_rng(5)
    n_words = LONGEST_PAIRED + 40
    output, reference = ([WORDS[place] for place in rng.integers(len(WORDS), size=n_words)] for _ in range(2))
    output[::7] = [f"other{place}" for place in range(len(output[::7]))]
    test_set = TestSet([System("A", [" ".join(output)])], [[" ".join(reference)]])
    found = kinds_of_segment(test_set, "A", 0, BleuOptions(tokenizer="none"), capitals=True)
    assert found == one_by_one(output, [reference], 0, (), capitals=True, max_order=4)


def test_a_study_knows_the_kind_of_each_token():
    outputs, references = (
        ["We met Anna in May", "", "it cost 15 euros"],
        ["We met Maria in May", "x", "it cost 50 euros"],
    )
    test_set = TestSet([System("A", outputs)], [references])
    (found,) = study_kinds(test_set, ["A"], BleuOptions()).losses
    capitals = capitals_tell(test_set, BleuOptions())
    (alone,) = kinds_of_segments(test_set, ["A"], range(3), BleuOptions(), capitals=capitals)
    assert [found.kinds_of(segment) for segment in range(3)] == alone
