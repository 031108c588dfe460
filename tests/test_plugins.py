"""Packages that add metrics and checks by entry points: used everywhere, and named once where they are broken."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "tests" / "plugins" / "bleuscope_wer"
LINES = [f"the cat {number} sat on the mat" for number in range(30)]
COMMAND = "from bleuscope.cli import main; main()"


def installed(folder, name, groups):
    """A folder with what an installer writes of a package with these entry points: group, name, object."""
    about = folder / f"{name}-0.1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.1.0\n", encoding="utf-8")
    lines = [line for group, points in groups.items() for line in (f"[{group}]", *(f"{k} = {v}" for k, v in points))]
    (about / "entry_points.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


@pytest.fixture
def example(tmp_path):
    """Where the example is installed, beside its modules."""
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    groups = {group: list(points.items()) for group, points in project["entry-points"].items()}
    return [installed(tmp_path / "site", "bleuscope_wer", groups), EXAMPLE]


@pytest.fixture
def texts(tmp_path):
    """Two outputs and a reference: in the second output a word of every line is another, and one bracket stays open."""
    worse = [line.replace("sat", "is") for line in LINES]
    worse[3] += " (of all"
    for name, lines in (("ref", LINES), ("a", [f"{line} ." for line in LINES]), ("b", worse)):
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return [str(tmp_path / "a.txt"), str(tmp_path / "b.txt"), "-r", str(tmp_path / "ref.txt")]


def run(program, words, folders):
    path = os.pathsep.join(map(str, [*folders, ROOT / "dashboard", ROOT]))
    return subprocess.run(
        [sys.executable, "-c", program, *words],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": path},
        timeout=120,
    )


class TestTheExample:
    def test_its_metric_is_scored_tested_and_written_like_any_other(self, example, texts):
        done = run(COMMAND, ["score", *texts, "-m", "wer", "--format", "json"], example)
        assert done.returncode == 0, done.stderr
        assert "WER" in done.stdout
        wer = {system["name"]: system["metrics"]["WER"] for system in json.loads(done.stdout)["systems"]}
        assert wer["a"] == pytest.approx(100 / 7)
        assert wer["b"] == pytest.approx(100 * 32 / 210)
        done = run(COMMAND, ["compare", *texts, "-m", "wer", "--metric", "WER", "--trials", "99"], example)
        assert done.returncode == 0, done.stderr
        assert "WER" in done.stdout

    def test_its_check_finds_what_it_looks_for(self, example, texts):
        done = run(COMMAND, ["checks", *texts, "--format", "json"], example)
        assert "unclosed-brackets" in done.stdout, done.stderr

    def test_without_the_package_the_metric_is_refused_by_name(self, texts):
        done = run(COMMAND, ["score", *texts, "-m", "wer"], [])
        assert done.returncode != 0
        assert "there is no metric of this name" in done.stderr
        assert "bleu, chrf, ter" in done.stderr

    def test_it_has_no_settings_behind_its_name(self, example, texts):
        done = run(COMMAND, ["score", *texts, "-m", "wer:fast"], example)
        assert done.returncode != 0
        assert "wer:fast" in done.stderr

    def test_the_sidebar_offers_it(self, example):
        program = "from bleuscope.shell.controls.widgets import FURTHER_METRICS; print(list(FURTHER_METRICS))"
        assert "'WER'" in run(program, [], example).stdout


BROKEN = {
    "raises": ("raise RuntimeError('<b>no')", "it cannot be imported (RuntimeError: '<b>no')"),
    "leaves": ("import sys; sys.exit(3)", "it cannot be imported (SystemExit: '3')"),
    "other": ("METRIC = CHECK = 7", "it is no"),
}


PAGE = """
from streamlit.testing.v1 import AppTest
import bleuscope
from pathlib import Path
from bleuscope.content.comparison.inputs import Inputs
from bleuscope.shell.disk.files import to_environment
from bleuscope.shell.state.page_list import PAGES
to_environment(Inputs(is_sample=True))
app = AppTest.from_file(str(Path(bleuscope.__file__).parent / "app.py"), default_timeout=120).run()
for _ in range(2):
    app.switch_page(PAGES["test_set"].script).run()
assert not app.exception, [one.message for one in app.exception]
print(*(one.value for one in app.caption if "left out" in one.value))
"""


class TestBrokenOnes:
    def test_are_named_on_the_page_of_the_test_set(self, tmp_path):
        (tmp_path / "faulty.py").write_text("CHECK = 7\n", encoding="utf-8")
        site = installed(tmp_path / "site", "faulty", {"bleuscope.checks": [("*bad*", "faulty:CHECK")]})
        done = run(PAGE, [], [site, tmp_path])
        assert done.returncode == 0, done.stderr
        assert r"The check '\*bad\*' of the package 'faulty' is left out" in done.stdout
        assert "it is no Check" in done.stdout

    @pytest.mark.parametrize(("source", "reason"), BROKEN.values(), ids=BROKEN)
    def test_are_named_once_and_cost_nothing_else(self, tmp_path, texts, source, reason):
        (tmp_path / "faulty.py").write_text(source + "\n", encoding="utf-8")
        groups = {
            "bleuscope.metrics": [("bad", "faulty:METRIC")],
            "bleuscope.checks": [("bad", "faulty:CHECK")],
        }
        site = installed(tmp_path / "site", "faulty", groups)
        done = run(COMMAND, ["checks", *texts], [site, tmp_path])
        assert done.stderr.count("The check 'bad' of the package 'faulty' is left out") == 1
        assert reason in done.stderr
        assert "Traceback" not in done.stderr
        alone = run(COMMAND, ["checks", *texts], [])
        assert (done.stdout, done.returncode) == (alone.stdout, alone.returncode)
        done = run(COMMAND, ["score", *texts], [site, tmp_path])
        assert done.returncode == 0
        assert "left out" not in done.stderr, "nobody asked for more than there is"

    def test_one_that_takes_a_name_of_the_program_leaves_it_as_it_is(self, tmp_path, texts, example):
        groups = {"bleuscope.checks": [("empty-lines", "bleuscope_wer.brackets:CHECK")]}
        site = installed(tmp_path / "second", "thief", groups)
        done = run(COMMAND, ["checks", *texts], [site, *example])
        assert "there is a check of the name 'empty-lines'" in done.stderr

    def test_a_check_that_fails_is_named_and_the_others_go_on(self, tmp_path, texts):
        source = """
            import numpy as np
            from bleucore.checks import Check
            from bleucore.checks.findings import Observation
            def fails(columns):
                raise ZeroDivisionError("of no line")
                yield
            def flags(columns):
                yield Observation(columns.systems[0], "error", "x", "y", np.ones(3, bool))
            FAILS, FLAGS = Check(fails, "Fails."), Check(flags, "Flags.")
        """
        (tmp_path / "faulty.py").write_text("\n".join(line[12:] for line in source.splitlines()), encoding="utf-8")
        groups = {"bleuscope.checks": [("fails", "faulty:FAILS"), ("flags", "faulty:FLAGS")]}
        site = installed(tmp_path / "site", "faulty", groups)
        done, alone = run(COMMAND, ["checks", *texts], [site, tmp_path]), run(COMMAND, ["checks", *texts], [])
        assert done.stderr.count("it failed (ZeroDivisionError: 'of no line')") == 1
        assert done.stderr.count("it flags what is no segment of a column") == 1
        assert done.returncode == alone.returncode

    def test_a_metric_that_fails_is_refused_with_its_package(self, tmp_path, texts):
        source = """
            from dataclasses import replace
            from bleuscope_wer.metric import METRIC as GOOD
            def fails(*_):
                raise KeyError("house")
            METRIC = replace(GOOD, statistics={})
        """
        for statistics, said in (("fails", "KeyError"), ("lambda test_set, *_: [[1]]", "no counts of every segment")):
            text = source.replace("{}", statistics)
            (tmp_path / "faulty.py").write_text("\n".join(line[12:] for line in text.splitlines()), encoding="utf-8")
            site = tmp_path / f"site {len(said)}"
            installed(site, "faulty", {"bleuscope.metrics": [("wer", "faulty:METRIC")]})
            done = run(COMMAND, ["score", *texts, "-m", "wer"], [site, tmp_path, EXAMPLE])
            assert done.returncode != 0
            assert said in done.stderr
            assert "The metric 'wer' of the package 'faulty'" in done.stderr
            assert "Traceback" not in done.stderr
