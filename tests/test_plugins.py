"""Packages that add metrics, checks and formats by entry points: used everywhere, named once where they are broken."""

import json
import os
import re
import subprocess
import tomllib
from functools import cache
from pathlib import Path

import pytest

from tests.dashboard.feature_parts import own_names
from tests.warm_python import warm_python

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "tests" / "plugins"
EXAMPLE = EXAMPLES / "bleuscope_wer"
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


def installed_example(folder, name):
    """Where an example is installed, beside its modules."""
    project = tomllib.loads((EXAMPLES / name / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    groups = {group: list(points.items()) for group, points in project["entry-points"].items()}
    return [installed(folder / "site" / name, name, groups), EXAMPLES / name]


@pytest.fixture
def example(tmp_path):
    """The example of a metric and a check."""
    return installed_example(tmp_path, "bleuscope_wer")


@pytest.fixture
def reader_example(tmp_path):
    """The example of a format."""
    return installed_example(tmp_path, "bleuscope_conllu")


@pytest.fixture
def treebanks(tmp_path):
    """The texts of ``texts`` in CoNLL-U, in three documents."""
    for name, word in (("ref", "sat"), ("a", "sat"), ("b", "is")):
        sentences = [
            f"{f'# newdoc id = d{number // 10}' if number % 10 == 0 else ''}\n"
            f"# text = {line.replace('sat', word)}\n1\tword\n"
            for number, line in enumerate(LINES)
        ]
        (tmp_path / f"{name}.conllu").write_text("\n".join(sentences), encoding="utf-8")
    return [str(tmp_path / "a.conllu"), str(tmp_path / "b.conllu"), "-r", str(tmp_path / "ref.conllu")]


def write_texts(folder):
    """Two outputs and a reference: in the second output a word of every line is another, and one bracket stays open."""
    worse = [line.replace("sat", "is") for line in LINES]
    worse[3] += " (of all"
    for name, lines in (("ref", LINES), ("a", [f"{line} ." for line in LINES]), ("b", worse)):
        (folder / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return [str(folder / "a.txt"), str(folder / "b.txt"), "-r", str(folder / "ref.txt")]


@pytest.fixture
def texts(tmp_path):
    """The words of a command that name the texts of ``write_texts``."""
    return write_texts(tmp_path)


def run(program, words, folders):
    path = os.pathsep.join(map(str, [*folders, ROOT / "dashboard", ROOT]))
    return subprocess.run(
        [warm_python(), "-c", program, *words],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": path},
        timeout=120,
    )


@cache
def help_alone():
    """What ``bleuscope --help`` prints without any package."""
    return run(COMMAND, ["--help"], []).stdout


@pytest.fixture(scope="module")
def lint_alone(tmp_path_factory):
    """What ``bleuscope lint`` prints of ``texts`` without any package, and how it ends."""
    done = run(COMMAND, ["lint", *write_texts(tmp_path_factory.mktemp("alone"))], [])
    return done.stdout, done.returncode


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
        done = run(COMMAND, ["lint", *texts, "--format", "json"], example)
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


class TestTheReader:
    def test_its_files_are_scored_as_their_texts_are(self, reader_example, treebanks, tmp_path):
        for name, word in (("ref", "sat"), ("a", "sat"), ("b", "is")):
            lines = [f"{line.replace('sat', word)}\n" for line in LINES]
            (tmp_path / f"{name}.txt").write_text("".join(lines), encoding="utf-8")
        as_lines = [word.replace(".conllu", ".txt") for word in treebanks]
        done = [run(COMMAND, ["score", *words, "--format", "json"], reader_example) for words in (treebanks, as_lines)]
        found = [[system["bleu"] for system in json.loads(one.stdout)["systems"]] for one in done]
        assert found[0] == found[1]
        assert found[0][0] == pytest.approx(100)

    def test_its_documents_are_slices(self, reader_example, treebanks):
        done = run(COMMAND, ["slices", *treebanks, "--by", "document"], reader_example)
        assert done.returncode == 0, done.stderr
        assert [f"d{number} " in done.stdout for number in range(3)] == [True] * 3

    def test_it_refuses_a_broken_file_by_line(self, reader_example, treebanks):
        path = Path(treebanks[0])
        path.write_text(path.read_text(encoding="utf-8").replace("# text = the cat 7", "# the cat 7"), encoding="utf-8")
        done = run(COMMAND, ["score", *treebanks], reader_example)
        assert done.returncode == 2
        assert "a.conllu, line 31: a sentence has no text" in done.stderr

    def test_files_of_other_names_are_read_as_before(self, reader_example, texts):
        done, alone = (run(COMMAND, ["score", *texts], folders) for folders in (reader_example, []))
        assert (done.stdout, done.stderr) == (alone.stdout, alone.stderr)


FORMATS = {
    "Format(lines, ('.txt',))": "it takes files named .txt, which the program reads itself",
    "Format(lines, ('.jsonl',))": "it does not say how it recognises files named .jsonl",
    "Format(lines, ('po', '.PO'))": "its endings are not all in small letters and with a dot",
    "Format(lines, ())": "its endings are not all in small letters and with a dot",
}


class TestBrokenReaders:
    def reading(self, tmp_path, source, texts):
        head = "from bleucore.formats import Column, Format\ndef lines(content):\n    return []\n"
        (tmp_path / "faulty.py").write_text(f"{head}FORMAT = {source}\n", encoding="utf-8")
        site = installed(tmp_path / "site", "faulty", {"bleuscope.formats": [("bad", "faulty:FORMAT")]})
        path = Path(texts[0]).rename(tmp_path / "a.po")
        return run(COMMAND, ["score", str(path), *texts[2:]], [site, tmp_path])

    @pytest.mark.parametrize(("source", "reason"), FORMATS.items(), ids=FORMATS)
    def test_are_named_once_and_left_out(self, tmp_path, texts, source, reason):
        done = self.reading(tmp_path, source, texts)
        assert done.returncode == 0
        assert done.stderr.count(f"The format 'bad' from the package 'faulty' is left out: {reason}") == 1

    @pytest.mark.parametrize(
        ("source", "found"),
        [
            ("Format(lines, ('.po',))", "no column"),
            ("Format(lambda _: [7], ('.po',))", "int, which is no Column"),
            ("Format(lambda _: 1 // 0, ('.po',))", "ZeroDivisionError"),
            ("Format(lines, ('.po',), recognises=lambda _: 1 // 0)", "ZeroDivisionError"),
            ("Format(lambda one: [Column(one.name, 'x', None, (7,), None, 1)], ('.po',))", "int where a text"),
            ("Format(lambda one: [Column(one.name, 'x', None, ('\\ud800',), None, 1)], ('.po',))", "surrogate"),
            ("Format(lambda one: [Column(one.name, 'x', None, (), None, 1)], ('.po',))", "without segments"),
        ],
    )
    def test_are_refused_with_their_package_where_they_fail(self, tmp_path, texts, source, found):
        done = self.reading(tmp_path, source, texts)
        assert done.returncode == 2, done.stdout
        assert "a.po: the format 'bad' from the package 'faulty'" in done.stderr
        assert found in done.stderr
        assert "Traceback" not in done.stderr


FEATURE = """
from pathlib import Path
from bleuscope.registry import Command, Feature, OpeningOption, Page
HERE = Path(__file__).parent
def feature(name="lengths", **changes):
    given = {
        "pages": (Page("lengths", "Lengths", path=str(HERE / "page.py")),),
        "page_before": "test_set",
        "commands": (Command("show-lengths", "added.command"),),
        "params": "added.params",
    }
    return Feature(name, **(given | changes))
FEATURE = feature()
"""
PAGE_OF_FEATURE = """
import streamlit as st
from added import params
from bleuscope.shell.page.frame import open_view
view = open_view()
unit = st.selectbox("Unit", ("words", "characters"), **params.UNIT.bound())
st.caption(f"{unit} of {len(view.test_set.systems)} systems")
if unit == "characters":
    raise KeyError("*no*")
"""
COMMAND_OF_FEATURE = """
import click
@click.command("show-lengths")
@click.argument("word", default="one")
def show_lengths_command(word):
    \"\"\"Show how long outputs are.\"\"\"
    click.echo({"one": 1}[word])
"""
VISIT = """
import sys
from pathlib import Path
from streamlit.testing.v1 import AppTest
import bleuscope
from bleuscope.content.comparison.inputs import Inputs
from bleuscope.shell.disk.files import to_environment
from bleuscope.shell.state.page_list import PAGES
from tests.dashboard.drawing import draw_quickly, run_first
page, a, b, _, ref, *units = sys.argv[1:]
draw_quickly()
to_environment(Inputs((a, b), (ref,)))
app = AppTest.from_file(str(Path(bleuscope.__file__).parent / "app.py"), default_timeout=120)
print(list(PAGES))
run_first(app, PAGES[page])
for unit in [None, *units]:
    if unit is not None:
        app.selectbox(key="lengths_unit").set_value(unit).run()
    assert not app.exception, [one.message for one in app.exception]
    print("Shown:", *(one.value for kind in (app.caption, app.error) for one in kind), sep="\\n")
"""


@pytest.fixture
def feature(tmp_path):
    """Makes a package that adds a feature: its folders."""

    def made(source="", page=PAGE_OF_FEATURE, params="UNIT = Param('lengths_unit')"):
        folder = tmp_path / "added"
        folder.mkdir()
        for name, text in {
            "__init__": "",
            "feature": FEATURE + source,
            "page": page,
            "params": f"from bleuscope.runtime.param import Param\n{params}\n",
            "command": COMMAND_OF_FEATURE,
        }.items():
            (folder / f"{name}.py").write_text(text, encoding="utf-8")
        groups = {"bleuscope.features": [("lengths", "added.feature:FEATURE")]}
        return [installed(tmp_path / "site", "added", groups), tmp_path]

    return made


FEATURES = {
    "FEATURE = 7": "it is not a Feature",
    "FEATURE = feature('other')": "its entry point is named 'lengths', and it 'other'",
    "FEATURE = feature(pages=(Page('lengths', 'Lengths'),))": "there is no script 'pages/lengths.py' of its page",
    "FEATURE = feature(pages=(Page('scores', 'Lengths', path=str(HERE / 'page.py')),))": (
        "there is a page or a command of the name 'scores'"
    ),
    "FEATURE = feature(pages=(Page('Le ngths', 'Lengths', path=str(HERE / 'page.py')),))": "is no name of a page",
    "FEATURE = feature(commands=(Command('score', 'x'),))": "there is a page or a command of the name 'score'",
    **{
        f"FEATURE = feature(commands=(Command('{name}', 'x'),))": f"there is a page or a command of the name '{name}'"
        for name in own_names("campaign")
    },
    "FEATURE = feature(routes='x:y')": "only the program's own features may open",
    "FEATURE = feature(opening=OpeningOption('--x', 'X.', 'x', 'y'))": "only the program's own features may open",
    "1 / 0": "it cannot be imported (ZeroDivisionError",
}


class TestFeatures:
    def test_its_page_stands_where_it_says_keeps_its_key_and_is_named_with_its_package_where_it_fails(
        self, feature, texts
    ):
        done = run(VISIT, ["lengths", *texts, "words", "characters"], feature())
        assert done.returncode == 0, done.stderr
        pages, _, of_words, of_characters = done.stdout.split("Shown:\n")
        assert "'lengths', 'test_set'" in pages
        assert "words of 2 systems" in of_words
        assert "it failed" not in of_words
        assert "This page comes from the package added, and it failed" in of_characters
        assert r"\*no\*" in of_characters

    def test_the_other_pages_are_as_they_were(self, feature, texts):
        done = run(VISIT, ["scores", *texts], feature(page="raise KeyError"))
        assert done.returncode == 0, done.stderr

    def test_its_command_stands_in_the_help_and_runs(self, feature):
        folders = feature()
        done = run(COMMAND, ["--help"], folders)
        assert re.search(r"^  show-lengths +Show how long outputs are\.$", done.stdout, re.MULTILINE)
        assert run(COMMAND, ["show-lengths"], folders).stdout == "1\n"
        assert run(COMMAND, ["show-lengths", "--help"], folders).stdout.startswith("Usage: bleuscope show-lengths")

    def test_a_command_that_fails_is_named_with_its_package(self, feature):
        done = run(COMMAND, ["show-lengths", "two"], feature())
        assert done.returncode == 2
        assert "show-lengths, from the package added: the command failed (found KeyError: 'two')" in done.stderr
        assert "Traceback" not in done.stderr

    @pytest.mark.parametrize(("source", "reason"), FEATURES.items(), ids=FEATURES)
    def test_one_that_cannot_be_used_is_named_once_and_left_out(self, feature, source, reason):
        folders = feature(source)
        done = run(COMMAND, ["--help"], folders)
        assert done.stderr.count("The feature 'lengths' from the package 'added' is left out") == 1
        assert reason in done.stderr
        assert (done.stdout, done.returncode) == (help_alone(), 0)

    @pytest.mark.parametrize(
        ("params", "reason"),
        [("1 / 0", "its keys cannot be imported"), ("UNIT = Param('unit')", "'unit' does not begin with its name")],
    )
    def test_keys_that_cannot_be_used_are_named(self, feature, params, reason):
        done = run("from bleuscope.runtime.params import PARAMS; print(len(PARAMS.added))", [], feature(params=params))
        assert done.stdout == "0\n"
        assert reason in done.stderr


class TestNeuralMetrics:
    def test_the_example_is_checked_and_asks_before_it_downloads(self, tmp_path, texts, monkeypatch):
        monkeypatch.setenv("BLEUSCOPE_NEURAL", str(tmp_path / "neural"))
        folders = installed_example(tmp_path, "bleuscope_minilm")
        done = run(COMMAND, ["plugin-check", "--format", "json"], folders)
        assert done.returncode == 0, done.stdout + done.stderr
        (row,) = json.loads(done.stdout)["plugins"]
        assert (row["kind"], row["name"], row["law"]) == ("neural metric", "minilm", "keeps every law")
        done = run(COMMAND, ["neural", *texts, "--run", "minilm"], folders)
        assert (done.returncode, "nobody agreed to its download" in done.stderr) == (2, True)
        assert not (tmp_path / "neural").exists()


class TestPluginCheck:
    def test_says_that_the_examples_keep_every_law(self, tmp_path, feature):
        folders = [*installed_example(tmp_path, "bleuscope_wer"), *installed_example(tmp_path, "bleuscope_conllu")]
        done = run(COMMAND, ["plugin-check", "--format", "json"], [*folders, *feature(page="import streamlit")])
        assert done.returncode == 0, done.stdout + done.stderr
        rows = json.loads(done.stdout)["plugins"]
        assert {(row["kind"], row["name"]) for row in rows} == {
            ("metric", "wer"),
            ("check", "unclosed-brackets"),
            ("format", "conllu"),
            ("feature", "lengths"),
        }
        assert {row["law"] for row in rows} == {"keeps every law"}
        assert "Streamlit" not in done.stderr
        assert "ScriptRunContext" not in done.stderr

    def test_names_what_a_page_does_not_keep(self, feature):
        done = run(COMMAND, ["plugin-check", "--format", "json"], feature(page="raise KeyError('house')"))
        assert done.returncode == 1
        (row,) = json.loads(done.stdout)["plugins"]
        assert row["law"].startswith("Its pages run without an error")
        assert "house" in row["fault"]

    def test_tells_what_is_left_out_and_why(self, feature):
        done = run(COMMAND, ["plugin-check", "added"], feature("FEATURE = 7"))
        assert done.returncode == 1
        assert "it is not a Feature" in done.stdout

    def test_refuses_a_package_that_adds_nothing(self, example):
        done = run(COMMAND, ["plugin-check", "numpy"], example)
        assert done.returncode == 2
        assert "found numpy, expected bleuscope_wer" in done.stderr

    def test_says_so_where_nothing_is_added(self):
        done = run(COMMAND, ["plugin-check"], [])
        assert done.returncode == 0
        assert "No installed package adds anything to bleuscope." in done.stdout


BROKEN = {
    "raises": ("raise RuntimeError('<b>no')", "it cannot be imported (RuntimeError: '<b>no')"),
    "leaves": ("import sys; sys.exit(3)", "it cannot be imported (SystemExit: '3')"),
    "other": ("METRIC = CHECK = 7", "it is not a"),
}


PAGE = """
import sys
from streamlit.testing.v1 import AppTest
import bleuscope
from pathlib import Path
from bleuscope.content.comparison.inputs import Inputs
from bleuscope.shell.disk.files import to_environment
from bleuscope.shell.state.page_list import PAGES
from tests.dashboard.drawing import draw_quickly, run_first
a, b, _, ref = sys.argv[1:]
draw_quickly()
to_environment(Inputs((a, b), (ref,)))
app = AppTest.from_file(str(Path(bleuscope.__file__).parent / "app.py"), default_timeout=120)
run_first(app, PAGES["test_set"])
assert not app.exception, [one.message for one in app.exception]
print(*(one.value for one in app.caption if "left out" in one.value))
"""


class TestBrokenOnes:
    def test_are_named_on_the_page_of_the_test_set(self, tmp_path, texts):
        (tmp_path / "faulty.py").write_text("CHECK = 7\n", encoding="utf-8")
        site = installed(tmp_path / "site", "faulty", {"bleuscope.checks": [("*bad*", "faulty:CHECK")]})
        done = run(PAGE, texts, [site, tmp_path])
        assert done.returncode == 0, done.stderr
        assert r"The check '\*bad\*' from the package 'faulty' is left out" in done.stdout
        assert "it is not a Check" in done.stdout

    @pytest.mark.parametrize(("source", "reason"), BROKEN.values(), ids=BROKEN)
    def test_are_named_once_and_cost_nothing_else(self, tmp_path, texts, lint_alone, source, reason):
        (tmp_path / "faulty.py").write_text(source + "\n", encoding="utf-8")
        groups = {
            "bleuscope.metrics": [("bad", "faulty:METRIC")],
            "bleuscope.checks": [("bad", "faulty:CHECK")],
        }
        site = installed(tmp_path / "site", "faulty", groups)
        done = run(COMMAND, ["lint", *texts], [site, tmp_path])
        assert done.stderr.count("The check 'bad' from the package 'faulty' is left out") == 1
        assert reason in done.stderr
        assert "Traceback" not in done.stderr
        assert (done.stdout, done.returncode) == lint_alone
        done = run(COMMAND, ["score", *texts], [site, tmp_path])
        assert done.returncode == 0
        assert "left out" not in done.stderr, "nobody asked for more than there is"

    def test_one_that_takes_a_name_of_the_program_leaves_it_as_it_is(self, tmp_path, texts, example):
        groups = {"bleuscope.checks": [("empty-lines", "bleuscope_wer.brackets:CHECK")]}
        site = installed(tmp_path / "second", "thief", groups)
        done = run(COMMAND, ["lint", *texts], [site, *example])
        assert "there is a check of the name 'empty-lines'" in done.stderr

    def test_a_check_that_fails_is_named_and_the_others_go_on(self, tmp_path, texts, lint_alone):
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
        done = run(COMMAND, ["lint", *texts], [site, tmp_path])
        assert done.stderr.count("it failed (ZeroDivisionError: 'of no line')") == 1
        assert done.stderr.count("it flags what is no segment of a column") == 1
        assert done.returncode == lint_alone[1]

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
            assert "The metric 'wer' from the package 'faulty'" in done.stderr
            assert "Traceback" not in done.stderr
