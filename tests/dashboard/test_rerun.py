"""Whatever a command says of how it drew, it gives the same numbers when that is asked for again."""

import json
from pathlib import Path

import pytest

from bleuscope.cli.command import COMMANDS

SAMPLE = Path(__file__).parents[2] / "sample_data"
FEW = ("--trials", "99", "--resamples", "120", "--seed", "7")
DRAWS = ("--draws", "20")
OF_SIGNATURE = {
    "test": "--test",
    "ar": "--trials",
    "bs": "--resamples",
    "seed": "--seed",
    "unit": "--unit",
    "level": "--level",
    "correction": "--correction",
    "blocks": "--blocks",
    "size": "--block-size",
    "rest": "--remainder",
    "shuffled": "--shuffle-blocks",
}
"""The option of each field of a test's signature."""


def facts(document):
    """What holds for all of its numbers."""
    return document | document.get("facts", {}) | document.get("combined_test", {})


def known(*commands):
    """Those that are there: features bring some."""
    return [words for words in commands if words[0] in COMMANDS]


def options_of(signature):
    """The options that a test's signature names."""
    fields = dict(field.split(":", 1) for field in signature.split("|"))
    return [word for name, value in fields.items() for word in (OF_SIGNATURE[name], value)]


@pytest.mark.parametrize(
    "words",
    known(
        ("compare", *FEW),
        ("compare", "--pair", "online", "fluent", "--test", "paired-bootstrap", *FEW),
        ("compare", "--test", "block-wilcoxon", "--blocks", "12", "--shuffle-blocks", "3", *FEW),
        ("compare", "--test", "sacrebleu-bs", "--unit", "document", *FEW),
        ("segments", "--as-corpus", "--top", "3", "--correction", "holm", "--level", "0.2", *FEW),
        ("slices", "--by", "length", *FEW),
        ("sensitivity", *FEW),
        ("runs", *FEW),
        ("references", *DRAWS, *FEW),
    ),
    ids=" ".join,
)
def test_the_signature_of_the_tests_gives_the_same_numbers_again(bleuscope, words):
    test_words = {*OF_SIGNATURE.values()}
    asked = [word for place, word in enumerate(words) if not {word, words[max(0, place - 1)]} & test_words]
    first = json.loads(bleuscope(*words, "--sample", "--format", "json")[1])
    told = facts(first)["test_signature"]
    again = json.loads(bleuscope(*asked, *options_of(told), "--sample", "--format", "json")[1])
    assert again == first


def test_a_check_against_a_baseline_gives_the_same_numbers_again(bleuscope):
    files = [
        str(SAMPLE / "fluent.txt"),
        "-r",
        str(SAMPLE / "reference-A.txt"),
        "--baseline",
        str(SAMPLE / "online.txt"),
    ]
    first = json.loads(bleuscope("gate", *files, *FEW, "--format", "json")[1])
    told = options_of(facts(first)["test_signature"])
    assert json.loads(bleuscope("gate", *files, *told, "--format", "json")[1]) == first
