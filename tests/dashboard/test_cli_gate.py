"""The command ``check``: its exit code says whether a system is worse than its baseline."""

import json
import os
import subprocess
from dataclasses import replace

import pytest
from defusedxml.ElementTree import fromstring

from bleucore.significance import PairComparison
from bleuscope.cli.gate_command import is_worse
from bleuscope.content.sheets.builders import sheet_of
from bleuscope.content.sheets.junit import junit_text
from bleuscope.content.sheets.sheet import Field
from tests.warm_python import warm_python

GOOD = [f"the cat number {number} sat on the old mat" for number in range(60)]
BAD = [f"a cat number {number} sits at an old rug" for number in range(60)]
REFERENCE = [*GOOD[:-1], "the cat number 59 lay on the old mat"]
SAME_SCORE = [*GOOD[:30], *BAD[30:]]
OTHER_HALF = [*BAD[:30], *GOOD[30:]]
FEW = ["--trials", "199", "--resamples", "100"]


@pytest.fixture(autouse=True)
def texts(tmp_path):
    """Systems that are better, equal and worse."""
    systems = {"good": GOOD, "bad": BAD, "first": SAME_SCORE, "second": OTHER_HALF}
    for name, lines in (systems | {"ref": REFERENCE}).items():
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n")


@pytest.fixture
def check(bleuscope):
    def run(*arguments):
        return bleuscope("gate", "-r", "ref.txt", *FEW, *arguments)

    return run


class TestExitCode:
    @pytest.mark.parametrize(
        ("baseline", "new", "code"),
        [("bad", "good", 0), ("good", "good", 0), ("good", "bad", 1), ("first", "second", 0), ("second", "first", 0)],
    )
    def test_is_1_only_for_a_system_that_is_worse(self, check, baseline, new, code):
        found, out, err = check("--baseline", f"{baseline}.txt", f"{new}.txt")
        said = "bleuscope: good.txt: the same texts as good.txt, another output.\n" if baseline == new else ""
        assert (found, err) == (code, said)
        assert ("Not worse than" in out) is (code == 0)

    def test_counts_texts_of_a_reference_and_says_that_they_are(self, check, tmp_path):
        (tmp_path / "copy.txt").write_text("\n".join(REFERENCE) + "\n")
        code, out, err = check("--baseline", "copy.txt", "bad.txt")
        assert (code, "bad is worse than copy" in out) == (1, True)
        assert err == "bleuscope: copy.txt: the same texts as ref.txt, a reference, so that its score is perfect.\n"

    def test_is_1_if_one_of_several_is_worse(self, check):
        code, out, _ = check("--baseline", "good.txt", "first.txt", "good.txt", "-f", "json")
        assert code == 1
        assert [row["worse"] for row in json.loads(out)["check"]] == [True, False]

    def test_is_0_where_the_p_values_of_the_test_do_not_count(self, check, tmp_path):
        (tmp_path / "docs.txt").write_text("".join(f"d{number // 10}\n" for number in range(60)))
        asked = ("--baseline", "good.txt", "bad.txt", "--documents", "docs.txt")
        assert check(*asked, "--unit", "segment")[0] == 0
        assert check(*asked)[0] == 1

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
        (tmp_path / "two.tsv").write_text("sys1\tsys2\n" + "\n".join(f"{line} now\t{line} then" for line in GOOD))
        code, out, err = check(*arguments)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert text in err

    def test_is_that_of_the_verdict_also_if_nobody_reads_it(self, tmp_path):
        reading, writing = os.pipe()
        os.close(reading)
        arguments = ["gate", "--baseline", "good.txt", "bad.txt", "-r", "ref.txt", *FEW]
        with os.fdopen(writing, "wb") as closed:
            done = subprocess.run(
                [warm_python(), "-m", "bleuscope", *arguments],
                cwd=tmp_path,
                stdout=closed,
                stderr=subprocess.PIPE,
                check=False,
                timeout=300,
            )
        assert (done.returncode, done.stderr) == (1, b"")


def test_systems_of_the_sample_are_named(bleuscope):
    assert bleuscope("gate", "--sample", *FEW, "--baseline", "human")[0] == 1
    assert bleuscope("gate", "--sample", *FEW, "--baseline", "literal")[0] == 0


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


JUNIT = {
    "testsuites": ({"name", "tests", "failures", "errors"}, ["testsuite"]),
    "testsuite": ({"name", "tests", "failures", "errors", "skipped"}, ["properties", "testcase", "system-out"]),
    "properties": (set(), ["property"]),
    "property": ({"name", "value"}, []),
    "testcase": ({"name", "classname"}, ["failure", "system-out"]),
    "failure": ({"type", "message"}, []),
    "system-out": (set(), []),
}
"""Of junit-10.xsd, what is written here: the attributes of each element, and its children in their order."""


def read_junit(text):
    """The suite of a report that has only what the schema has, in its order."""
    root = fromstring(text)
    for element in root.iter():
        attributes, children = JUNIT[element.tag]
        assert element.attrib.keys() == attributes
        places = [children.index(child.tag) for child in element]
        assert places == sorted(places)
    assert root.tag == "testsuites"
    (suite,) = root
    cases, failures = suite.findall("testcase"), suite.findall("testcase/failure")
    for one in (root, suite):
        assert (one.get("tests"), one.get("failures")) == (str(len(cases)), str(len(failures)))
    return suite


class TestReports:
    @pytest.fixture
    def reports(self, check):
        return check("--baseline", "good.txt", "first.txt", "good.txt", "--junit", "check.xml", "--summary", "job.md")

    def test_in_junit_have_a_case_for_each_system_and_fail_those_that_are_worse(self, reports, tmp_path):
        suite = read_junit((tmp_path / "check.xml").read_text())
        failed, passed = suite.findall("testcase")
        group = "BLEU against good"
        assert (failed.attrib, passed.attrib) == (
            {"name": "first", "classname": group},
            {"name": "good (2)", "classname": group},
        )
        assert failed.find("failure").get("message") == "first is worse than good in BLEU"
        assert passed.find("failure") is None
        assert reports[0] == 1
        assert "Δ −" in failed.find("failure").text
        properties = {one.get("name"): one.get("value") for one in suite.iter("property")}
        assert (properties["verdict"], properties["n_segments"]) == ("worse", "60")

    def test_in_markdown_are_added_to_what_a_job_has_said(self, reports, check, tmp_path):
        first = (tmp_path / "job.md").read_text()
        assert first.startswith("### BLEU\\: first is worse than")
        check("--baseline", "bad.txt", "good.txt", "--summary", "job.md")
        both = (tmp_path / "job.md").read_text()
        assert both.startswith(first)
        assert both.removeprefix(first).startswith("### BLEU\\: not worse than bad\n\n| system | BLEU | BLEU bad |")

    def test_say_where_metrics_disagree(self, bleuscope, tmp_path):
        asked = ["--junit", "check.xml", "--summary", "job.md"]
        *_, err = bleuscope("gate", "--sample", *FEW, "--baseline", "online", *asked)
        dispute = err.splitlines()[0].removeprefix("bleuscope: ")
        (case,) = (
            one
            for one in read_junit((tmp_path / "check.xml").read_text()).iter("testcase")
            if one.get("name") == "assistant"
        )
        assert " ".join(case.find("system-out").text.split()).endswith(f"no, metrics disagree yes {dispute}")
        assert (
            "\n> Only chrF2 finds a significant difference between online and assistant"
            in (tmp_path / "job.md").read_text()
        )

    @pytest.mark.parametrize(("n_worse", "text"), [(2, "first, second are worse"), (4, "4 systems are worse")])
    def test_name_few_systems_in_their_heading(self, check, tmp_path, n_worse, text):
        for name in ("third", "fourth"):
            (tmp_path / f"{name}.txt").write_text("\n".join(BAD) + "\n")
        worse = [f"{name}.txt" for name in ("first", "second", "third", "fourth")][:n_worse]
        check("--baseline", "good.txt", *worse, "--summary", "job.md")
        assert (tmp_path / "job.md").read_text().startswith(f"### BLEU\\: {text} than good\n")

    @pytest.mark.parametrize("option", ["--junit", "--summary"])
    @pytest.mark.parametrize(
        ("path", "text"), [("bad.txt", "it is one of the files to read"), ("no/where", "the folder no does not exist")]
    )
    def test_are_refused_before_anything_is_computed(self, check, option, path, text):
        code, out, err = check("--baseline", "good.txt", "bad.txt", option, path)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert text in err

    def test_are_written_also_if_nobody_reads_the_table(self, tmp_path, monkeypatch, check):
        def closed(*_):
            raise BrokenPipeError

        monkeypatch.setattr("bleuscope.cli.gate_command.give_tables", closed)
        monkeypatch.setattr("bleuscope.cli.gate_command.forget_output", lambda: None)
        assert check("--baseline", "good.txt", "bad.txt", "--junit", "check.xml")[0] == 1
        assert read_junit((tmp_path / "check.xml").read_text()).find("testcase/failure") is not None


def test_junit_holds_any_name():
    name = "a<b>&\"'\x00\x1b[2J\x7f\x85\ufffe\uffff\u202e]]>\n日本🙂\U0001fffe"
    sheet = sheet_of("check", [name], [(Field("system", "system", "text"), [name])], {name: name})
    text = junit_text(sheet, suite=name, group=name, failures={0: name}, notes={0: name})
    shown = "a<b>&\"'␀␛[2JU+007FU+0085U+FFFEU+FFFFRLO]]> 日本🙂\U0001fffe"
    suite = read_junit(text)
    assert suite.get("name") == shown
    assert suite.find("testcase").get("name") == shown
    assert suite.find("testcase/failure").get("message") == shown
    assert suite.find("system-out").text == shown
    assert suite.find("properties/property").attrib == {"name": shown, "value": shown}
