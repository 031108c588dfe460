"""``bleuscope references``: what the choice of references does, in every form."""

import json

import pytest

from tests.dashboard.sheet_properties import WRONG_NUMBER


def thrice(*lines):
    """Lines written three times, of which no two are equal: rows that repeat are one item."""
    return [f"{line} {time}" for time in range(3) for line in lines]


A = thrice("the cat sat on the mat", "she did not go home", "мой дом стоит на горе", "it is so")
B = thrice("a cat was on the mat", "home she never went", "на горе стоит мой дом", "that is so")
NEAR_A = thrice("the cat sat on a mat", "she did not go out", "мой дом стоит у горы", "it is so")
NEAR_B = thrice("a cat was on a mat", "home she never ran", "на горе стоит наш дом", "that is so")
FEW = ["--trials", "199", "--resamples", "100"]
REFERENCES = ["-r", "A.txt", "-r", "B.txt"]


@pytest.fixture(autouse=True)
def texts(tmp_path):
    """Two systems, each near one of two references."""
    for name, lines in (("A", A), ("B", B), ("near-a", NEAR_A), ("near-b", NEAR_B), ("loud", [a.upper() for a in A])):
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


class TestReferences:
    def test_json_has_every_choice_of_references(self, bleuscope):
        arguments = ["near-a.txt", "near-b.txt", *REFERENCES, *FEW, "--draws", "20", "--base", "A", "-f", "json"]
        code, out, err = bleuscope("references", *arguments)
        found = json.loads(out)
        assert (code, err) == (0, "")
        assert found["references"] == ["reference A", "reference B"]
        assert [one["references"] for one in found["subsets"]] == [
            ["reference A"],
            ["reference B"],
            ["reference A", "reference B"],
        ]
        of_a, of_b, _ = found["subsets"]
        assert (of_a["flips"], of_b["flips"], of_b["significant_flips"], of_b["pairs"]) == (0, 1, 1, 1)
        assert of_a["scores"]["near-a"] > of_a["scores"]["near-b"]
        draws = found["draws"]
        assert (draws["unit"], draws["n"], draws["seed"]) == ("segment", 20, 12345)
        assert 0 <= draws["full_order_share"] <= 1
        assert draws["flips_mean"] == pytest.approx(1 - draws["full_order_share"], abs=0.2)

    @pytest.mark.parametrize(
        "table",
        ["subsets", "scores", "ranks", "flips", "growth", "draws", "draw-flips", "matches", "people", "nearness"],
    )
    def test_every_table_is_written_in_every_text_form(self, bleuscope, table):
        for form in ("tsv", "csv", "latex", "markdown", "table", "json"):
            arguments = ["near-a.txt", "near-b.txt", *REFERENCES, *FEW, "--draws", "5", "--table", table, "-f", form]
            code, out, _ = bleuscope("references", *arguments)
            assert code == 0
            assert out

    def test_another_metric_is_named(self, bleuscope):
        asked = ["near-a.txt", "near-b.txt", *REFERENCES, *FEW, "-m", "ter", "--metric", "TER", "-f", "json"]
        found = json.loads(bleuscope("references", *asked)[1])
        assert found["metric"] == "TER"
        assert found["signature"].startswith("nrefs:2|case:lc|tok:tercom")
        of_a, of_b, _ = found["subsets"]
        assert of_a["scores"]["near-a"] < of_a["scores"]["near-b"]
        assert of_b["scores"]["near-a"] > of_b["scores"]["near-b"]
        low, high = of_a["intervals"]["near-a"]
        assert low <= of_a["scores"]["near-a"] <= high
        code, _, err = bleuscope("references", *asked[:-4], "--metric", "COMET")
        assert code == 2
        assert "there is no metric of this name (found 'COMET', expected BLEU, chrF2" in err

    def test_one_reference_says_what_another_would_tell(self, bleuscope):
        code, out, _ = bleuscope("references", "near-a.txt", "-r", "A.txt", *FEW, "-f", "json")
        found = json.loads(out)
        assert code == 0
        assert found["subsets"][0]["pairs"] == 0
        assert "There is only one reference. A second one would show" in found["warnings"][0]

    def test_what_is_no_reference_is_refused(self, bleuscope):
        code, _, err = bleuscope("references", "near-a.txt", *REFERENCES, "--base", "C")
        assert code == 2
        assert "there is no reference of this name (found 'C', expected reference A, reference B)" in err


@pytest.mark.parametrize("seed", [0, 12345])
def test_what_is_drawn_says_its_seed(bleuscope, seed):
    asked = ("references", "--sample", "--draws", "20", *FEW, "--seed", str(seed), "--format", "json")
    assert json.loads(bleuscope(*asked)[1])["draws"]["seed"] == seed


def test_one_of_anything_is_singular(bleuscope):
    out = bleuscope("references", "--sample", "--trials", "9", "--resamples", "1", "--draws", "1")[1]
    assert "1 resample." in out
    assert not WRONG_NUMBER.search(out)
