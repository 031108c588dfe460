"""Whatever a command says of how it drew, it gives the same numbers when that is asked for again."""

import json
from pathlib import Path

import pytest

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


def options_of(signature):
    """The options that a test's signature names."""
    fields = dict(field.split(":", 1) for field in signature.split("|"))
    return [word for name, value in fields.items() for word in (OF_SIGNATURE[name], value)]


@pytest.mark.parametrize(
    "words",
    [
        ("compare", *FEW),
        ("compare", "--pair", "online", "fluent", "--test", "paired-bootstrap", *FEW),
        ("compare", "--test", "block-wilcoxon", "--blocks", "12", "--shuffle-blocks", "3", *FEW),
        ("compare", "--test", "sacrebleu-bs", "--unit", "document", *FEW),
        ("segments", "--as-corpus", "--top", "3", "--correction", "holm", "--level", "0.2", *FEW),
        ("slices", "--by", "length", *FEW),
        ("sensitivity", *FEW),
        ("references", *DRAWS, *FEW),
    ],
    ids=" ".join,
)
def test_the_signature_of_the_tests_gives_the_same_numbers_again(bleuscope, words):
    test_words = {*OF_SIGNATURE.values()}
    asked = [word for place, word in enumerate(words) if not {word, words[max(0, place - 1)]} & test_words]
    first = json.loads(bleuscope(*words, "--sample", "--format", "json")[1])
    told = facts(first)["test_signature"]
    again = json.loads(bleuscope(*asked, *options_of(told), "--sample", "--format", "json")[1])
    assert again == first


@pytest.mark.parametrize("seed", [0, 12345])
def test_what_is_drawn_of_references_and_to_be_judged_says_its_seed(bleuscope, seed):
    of_references = ("references", "--sample", *DRAWS, *FEW, "--seed", str(seed), "--format", "json")
    assert json.loads(bleuscope(*of_references)[1])["draws"]["seed"] == seed
    sampled = ("sample", "--sample", "--by", "document", "--budget", "40", "--seed", str(seed), "--format", "json")
    assert facts(json.loads(bleuscope(*sampled)[1]))["seed"] == seed


def test_a_check_against_a_baseline_gives_the_same_numbers_again(bleuscope):
    files = [
        str(SAMPLE / "fluent.txt"),
        "-r",
        str(SAMPLE / "reference-A.txt"),
        "--baseline",
        str(SAMPLE / "online.txt"),
    ]
    first = json.loads(bleuscope("check", *files, *FEW, "--format", "json")[1])
    told = options_of(facts(first)["test_signature"])
    assert json.loads(bleuscope("check", *files, *told, "--format", "json")[1]) == first


def test_the_agreement_with_judgements_gives_the_same_numbers_again(bleuscope):
    asked = ("agreement", "--sample", "--judgements", str(SAMPLE / "judgements-invented.jsonl"), "--format", "json")
    first = json.loads(bleuscope(*asked, "--trials", "99", "--seed", "7")[1])
    told = facts(first)
    again = bleuscope(
        *asked, "--trials", str(told["trials"]), "--seed", str(told["seed"]), "--average", told["average"]
    )
    assert json.loads(again[1]) == first
