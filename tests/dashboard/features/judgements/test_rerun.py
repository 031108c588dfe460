"""What is drawn for judgements says how, and gives the same numbers when that is asked for again."""

import json
from pathlib import Path

import pytest

SAMPLE = Path(__file__).parents[4] / "sample_data"


@pytest.mark.parametrize("seed", [0, 12345])
def test_what_is_drawn_to_be_judged_says_its_seed(bleuscope, seed):
    sampled = ("draw", "--sample", "--by", "document", "--budget", "40", "--seed", str(seed), "--format", "json")
    assert json.loads(bleuscope(*sampled)[1])["facts"]["seed"] == seed


def test_the_agreement_with_judgements_gives_the_same_numbers_again(bleuscope):
    asked = ("agreement", "--sample", "--judgements", str(SAMPLE / "judgements-invented.jsonl"), "--format", "json")
    first = json.loads(bleuscope(*asked, "--trials", "99", "--seed", "7")[1])
    told = first["facts"]
    again = bleuscope(
        *asked, "--trials", str(told["trials"]), "--seed", str(told["seed"]), "--average", told["average"]
    )
    assert json.loads(again[1]) == first
