"""``bleuscope sensitivity``: what settings do, in every form."""

import json

import pytest


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


class TestSensitivity:
    def test_json_has_every_setting(self, bleuscope):
        axes = ["--axis", "tokenizer=13a,char", "--axis", "case", "--axis", "references=A,mean"]
        code, out, err = bleuscope("sensitivity", "near-a.txt", "near-b.txt", *REFERENCES, *FEW, *axes, "-f", "json")
        found = json.loads(out)
        assert (code, err) == (0, "")
        base, *_ = found["settings"]
        assert base == found["base"]
        keys = ("tokenize", "lowercase", "references", "smooth_method", "flips", "significant_flips", "pairs")
        assert [base[key] for key in keys] == ["13a", False, ["reference A", "reference B"], "exp", 0, 0, 1]
        assert len(found["settings"]) == 2 * 2 * 3
        assert sum("mean_of_single_references" in one for one in found["settings"]) == 4

    def test_another_metric_is_named(self, bleuscope):
        asked = ["near-a.txt", "near-b.txt", *REFERENCES, *FEW, "--metric", "chrF2", "-f", "json"]
        found = json.loads(bleuscope("sensitivity", *asked)[1])
        assert (found["metric"], found["base"]["case"], len(found["settings"])) == ("chrF2", "mixed", 6)
        assert "tokenize" not in found["base"]
        assert found["base"]["signature"].startswith("nrefs:2|case:mixed|eff:yes|nc:6")

    def test_exit_code_is_1_if_a_pair_is_turned_round(self, bleuscope):
        arguments = ["near-a.txt", "loud.txt", "-r", "A.txt", *FEW, "--fail-if-flips", "loud:near-a"]
        assert bleuscope("sensitivity", *arguments, "--axis", "tokenizer")[0] == 0
        code, out, err = bleuscope("sensitivity", *arguments, "--axis", "case", "-f", "tsv")
        assert code == 1
        assert out.splitlines()[1].startswith("mixed\t0\t0\t1")
        assert err == ("bleuscope: Reversed: near-a over loud in 1 of 2 settings; the other is with case lower.\n")

    @pytest.mark.parametrize("table", ["settings", "pairs", "axes", "ranks", "flips"])
    def test_every_table_is_written(self, bleuscope, table):
        arguments = ["near-a.txt", "loud.txt", *REFERENCES, *FEW, "--axis", "case", "--table", table]
        assert all(bleuscope("sensitivity", *arguments, "-f", form)[0] == 0 for form in ("tsv", "latex", "table"))

    def test_segments_can_be_left_out(self, bleuscope, tmp_path):
        (tmp_path / "docs.txt").write_text("\n".join(f"d{row // 4}" for row in range(12)) + "\n")
        arguments = [
            "near-a.txt",
            *REFERENCES,
            *FEW,
            "--documents",
            "docs.txt",
            "--axis",
            "filter=short,clean,documents",
        ]
        found = json.loads(bleuscope("sensitivity", *arguments, "-f", "json")[1])
        named = [one["filter"] for one in found["settings"]]
        assert named == [
            "all segments", "at most 40 words", "without findings", "without d0", "without d1", "without d2"
        ]  # fmt: skip

    @pytest.mark.parametrize(("name", "asked"), [("origin", "short,label origin"), ("a, b", r"short,label a\, b")])
    def test_values_of_a_label_are_scored_alone(self, bleuscope, tmp_path, name, asked):
        (tmp_path / f"{name}.txt").write_text("\n".join(["de", "中文", "de"] * 4) + "\n", encoding="utf-8")
        asked = ["--labels", f"{name}.txt", "--axis", f"filter={asked}"]
        found = json.loads(
            bleuscope("sensitivity", "near-a.txt", "near-b.txt", *REFERENCES, *FEW, *asked, "-f", "json")[1]
        )
        values = ["all segments", "at most 40 words", f"{name} de", f"{name} 中文"]
        assert [one["filter"] for one in found["settings"]] == values
        rows = [row for row, value in enumerate(["de", "中文", "de"] * 4) if value == "de"]
        for file, lines in (("a", NEAR_A), ("ra", A), ("rb", B)):
            (tmp_path / f"{file}.txt").write_text("\n".join(lines[row] for row in rows) + "\n", encoding="utf-8")
        alone = json.loads(bleuscope("score", "a.txt", "-r", "ra.txt", "-r", "rb.txt", "-f", "json")[1])
        assert alone["systems"][0]["bleu"] == pytest.approx(found["settings"][2]["scores"]["near-a"])

    @pytest.mark.parametrize(
        ("arguments", "text"),
        [
            (["--axis", "filter=label moon"], "Axis filter: there is no filter of this name (found 'label moon'"),
            (["--axis", "colour"], "Option --axis: there is no axis of this name (found 'colour'"),
            (["--axis", "tokenizer=14a"], "no value of the axis tokenizer of this name (found '14a'"),
            (["--axis", "filter=long"], "Axis filter: there is no filter of this name (found 'long'"),
            (["--axis", "filter=documents"], "Axis filter: the test set has no documents"),
            (["--fail-if-flips", "near-a"], "these are not two systems (found 'near-a', expected A:B)"),
            (["--fail-if-flips", "near-a:x"], "Option --fail-if-flips"),
            (["--fail-if-flips", "near-a:near-a"], "these are not two systems"),
        ],
    )
    def test_what_cannot_be_asked_is_refused(self, bleuscope, arguments, text):
        code, out, err = bleuscope("sensitivity", "near-a.txt", *REFERENCES, *arguments)
        assert (code, out) == (2, "")
        assert text in err
