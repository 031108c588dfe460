"""Columns full of words that no other text has are named; what is only said otherwise is not."""

import random

import pytest

from bleucore.checks import CHECKS, check
from bleucore.checks.compared_texts import Columns
from bleucore.corpus import System, TestSet

N = 200
LETTERS = {
    "Latin": "abcdefghijklmnopqrstuvwxyz",
    "Greek": "αβγδεζηθικλμνξοπρστυφχψω",
    "Cyrillic": "абвгдежзиклмнопрстуфхцчшыэюя",
    "Hebrew": "אבגדהוזחטיכלמנסעפצקרשת",
    "Han": "".join(chr(code) for code in range(0x4E00, 0x9FA0, 19)),
}


def texts_of(alphabet, n_columns, *, n_segments=N, said_otherwise=0.2, seed=1):
    """Columns that say the same, a share of the words of each replaced by others of one vocabulary."""
    rng = random.Random(seed)
    words = ["".join(rng.choices(alphabet, k=rng.randint(3, 8))) for _ in range(300)]
    meant = [rng.choices(words, k=rng.randint(6, 18)) for _ in range(n_segments)]
    return [
        [" ".join(rng.choice(words) if rng.random() < said_otherwise else word for word in text) for text in meant]
        for _ in range(n_columns)
    ]


def misspelt(texts, alphabet, share=0.1, seed=2):
    rng = random.Random(seed)
    return [
        "".join(rng.choice(alphabet) if one != " " and rng.random() < share else one for one in text) for text in texts
    ]


def named(systems, references):
    test_set = TestSet([System(f"s{index}", texts) for index, texts in enumerate(systems)], references)
    return [
        (one.severity, one.kind, one.index)
        for observation in CHECKS["unknown-words"].observe(Columns.of(test_set))
        for one in [observation.named("unknown-words")]
    ]


@pytest.mark.parametrize("n_systems", [2, 6])
@pytest.mark.parametrize("script", LETTERS)
def test_a_reference_with_one_letter_in_ten_wrong_is_named(script, n_systems):
    reference, *systems = texts_of(LETTERS[script], 1 + n_systems)
    assert named(systems, [misspelt(reference, LETTERS[script])]) == [("warning", "reference", 0)]


@pytest.mark.parametrize("script", LETTERS)
def test_a_system_and_a_second_reference_are_named_as_well(script):
    first, second, *systems = texts_of(LETTERS[script], 5)
    assert named(systems, [first, misspelt(second, LETTERS[script])]) == [("warning", "reference", 1)]
    systems[1] = misspelt(systems[1], LETTERS[script])
    assert named(systems, [first, second]) == [("error", "system", 1)]


@pytest.mark.parametrize("n_segments", [20, 50, 400])
@pytest.mark.parametrize("said_otherwise", [0.0, 0.3, 0.7])
@pytest.mark.parametrize("n_systems", [1, 3])
def test_texts_that_only_say_it_otherwise_are_not(n_systems, said_otherwise, n_segments):
    reference, *systems = texts_of(
        LETTERS["Latin"], 1 + n_systems, n_segments=n_segments, said_otherwise=said_otherwise
    )
    assert named(systems, [reference]) == []


def test_versions_of_one_system_leave_the_words_of_the_reference_unknown_which_is_no_fault():
    rng = random.Random(5)
    words = ["".join(rng.choices(LETTERS["Latin"], k=6)) for _ in range(20_000)]
    reference, output = ([" ".join(rng.choices(words, k=12)) for _ in range(N)] for _ in range(2))
    assert named([output, [*output[:-1], "x"], output], [reference]) == []


def test_one_word_that_every_line_has_is_no_misspelling():
    reference, *systems = texts_of(LETTERS["Latin"], 4)
    assert named(systems, [[f"{text} qqqqq" for text in reference]]) == []


def test_a_misspelt_reference_is_the_only_finding_and_no_system_is_blamed():
    reference, *systems = texts_of(LETTERS["Latin"], 5)
    test_set = TestSet(
        [System(str(index), texts) for index, texts in enumerate(systems)], [misspelt(reference, LETTERS["Latin"])]
    )
    grave = [(one.check, one.kind) for one in check(test_set) if one.severity != "note"]
    assert grave == [("unknown-words", "reference")]


def test_texts_without_words_raise_nothing():
    assert named([[""] * N, ["..."] * N], [["", *["a"] * (N - 1)]]) == []
