"""The command ``check``: its exit code says whether a system is worse than its baseline."""

import json
import os
import subprocess
import sys
from dataclasses import replace

import pytest

from bleucore.significance import PairComparison
from bleuscope.cli.check_command import is_worse

GOOD = [f"the cat number {number} sat on the old mat" for number in range(60)]
BAD = [f"a cat number {number} sits at an old rug" for number in range(60)]
SAME_SCORE = [*GOOD[:30], *BAD[30:]]
OTHER_HALF = [*BAD[:30], *GOOD[30:]]
FEW = ["--trials", "199", "--resamples", "100"]


@pytest.fixture(autouse=True)
def texts(tmp_path):
    """Systems that are better, equal and worse."""
    for name, lines in (("good", GOOD), ("bad", BAD), ("first", SAME_SCORE), ("second", OTHER_HALF), ("ref", GOOD)):
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n")


@pytest.fixture
def check(bleuscope):
    def run(*arguments):
        return bleuscope("check", "-r", "ref.txt", *FEW, *arguments)

    return run


class TestExitCode:
    @pytest.mark.parametrize(
        ("baseline", "new", "code"),
        [("bad", "good", 0), ("good", "good", 0), ("good", "bad", 1), ("first", "second", 0), ("second", "first", 0)],
    )
    def test_is_1_only_for_a_system_that_is_worse(self, check, baseline, new, code):
        found, out, err = check("--baseline", f"{baseline}.txt", f"{new}.txt")
        assert (found, err) == (code, "")
        assert ("Not worse than" in out) is (code == 0)

    def test_is_1_if_one_of_several_is_worse(self, check):
        code, out, _ = check("--baseline", "good.txt", "first.txt", "good.txt", "-f", "json")
        assert code == 1
        assert [row["worse"] for row in json.loads(out)["check"]] == [True, False]

    def test_is_0_for_a_loss_within_the_margin(self, check):
        difference = json.loads(check("--baseline", "good.txt", "bad.txt", "-f", "json")[1])["check"][0]["difference"]
        assert check("--baseline", "good.txt", "bad.txt", "--margin", str(-difference + 0.01))[0] == 0
        assert check("--baseline", "good.txt", "bad.txt", "--margin", str(-difference - 0.01))[0] == 1

    def test_is_0_where_chance_could_have_done_it(self, check):
        smallest = 1 / 200
        assert check("--baseline", "good.txt", "bad.txt", "--level", str(smallest * 1.01))[0] == 1
        assert check("--baseline", "good.txt", "bad.txt", "--level", str(smallest))[0] == 0

    @pytest.mark.parametrize(
        ("arguments", "text"),
        [
            (["good.txt"], "Missing option '--baseline'"),
            (["--baseline", "good.txt"], "Missing argument 'SYSTEM...'"),
            (["--baseline", "nowhere.txt", "good.txt"], "nowhere.txt: the file cannot be read"),
            (["--baseline", "good.txt", "bad.txt", "--margin", "-1"], "Option --margin: this is no margin (found -1"),
            (
                ["--baseline", "good.txt", "bad.txt", "-o", "good.txt"],
                "it is one of the files to read (found good.txt)",
            ),
            (["--baseline", "good.txt", "bad.txt", "--margin", "nan"], "this is no margin (found nan"),
            (["--baseline", "good.txt", "bad.txt", "--level", "1"], "Option level: this value is not accepted"),
            (["--baseline", "good.txt", "two.tsv"], "the number of systems is not that of the files (found 3 systems"),
        ],
    )
    def test_is_2_for_what_has_to_be_mended(self, check, tmp_path, arguments, text):
        (tmp_path / "two.tsv").write_text("sys1\tsys2\n" + "\n".join("a\tb" for _ in GOOD))
        code, out, err = check(*arguments)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert text in err

    def test_is_that_of_the_verdict_also_if_nobody_reads_it(self, tmp_path):
        reading, writing = os.pipe()
        os.close(reading)
        arguments = ["check", "--baseline", "good.txt", "bad.txt", "-r", "ref.txt", *FEW]
        with os.fdopen(writing, "wb") as closed:
            done = subprocess.run(
                [sys.executable, "-m", "bleuscope", *arguments],
                cwd=tmp_path,
                stdout=closed,
                stderr=subprocess.PIPE,
                check=False,
                timeout=60,
            )
        assert (done.returncode, done.stderr) == (1, b"")


def test_systems_of_the_sample_are_named(bleuscope):
    assert bleuscope("check", "--sample", *FEW, "--baseline", "human")[0] == 1
    assert bleuscope("check", "--sample", *FEW, "--baseline", "literal")[0] == 0


@pytest.mark.parametrize(
    ("difference", "p_value", "expected"),
    [(-1.0, 0.049, True), (-1.0, 0.05, False), (-0.5, 0.01, False), (1.0, 0.001, False), (-9.0, None, False)],
)
def test_worse_is_below_the_level_and_beyond_the_margin(sample, sample_errors, difference, p_value, expected):
    compared = PairComparison("new", "old", difference, None, p_value, p_value, None, None, None)
    assert is_worse(compared, sample.evaluation.bleu, level=0.05, margin=0.5) is expected
    fewer_errors = replace(compared, difference=-difference)
    assert is_worse(fewer_errors, sample_errors, level=0.05, margin=0.5) is expected


class TestMetric:
    @pytest.mark.parametrize(("baseline", "new", "code"), [("good", "bad", 1), ("bad", "good", 0)])
    @pytest.mark.parametrize(("metric", "key"), [("TER", "ter"), ("chrF2", "chrf2")])
    def test_decides_in_its_own_direction(self, check, metric, key, baseline, new, code):
        texts = ["--baseline", f"{baseline}.txt", f"{new}.txt"]
        found, out, _ = check(*texts, "-m", "ter,chrf", "--metric", metric, "-f", "json")
        (row,) = json.loads(out)["check"]
        assert (found, row["worse"]) == (code, bool(code))
        assert row[key] - row[f"baseline_{key}"] == pytest.approx(row["difference"])
        assert json.loads(out)["facts"]["metric"] == metric

    def test_of_a_file_decides_too(self, check, tmp_path):
        rows = [
            f"{system}\t{segment}\t{score}" for system, score in (("good", 9), ("bad", 1)) for segment in range(1, 61)
        ]
        (tmp_path / "errors.tsv").write_text("\n".join(["system\tsegment\terrors", *rows]) + "\n")
        asked = ["--baseline", "bad.txt", "good.txt", "--scores", "errors.tsv", "--metric", "errors"]
        assert check(*asked)[0] == 0
        code, out, _ = check(*asked, "--lower-is-better", "errors")
        assert (code, "good is worse than bad" in out) == (1, True)

    def test_has_to_be_computed(self, check):
        code, _, err = check("--baseline", "good.txt", "bad.txt", "--metric", "TER")
        assert code == 2
        assert (
            "The metric to compare in: there is no metric of this name (found 'TER', expected BLEU, chrF2). Ask" in err
        )
