"""A feature can be left out: without its folder the program starts, and neither commands nor pages have it."""

import json
import os
import re
import shutil
import subprocess
import sys
from itertools import combinations, count
from math import comb
from pathlib import Path

import pytest
from hypothesis import settings

from bleuscope.registry import features, own_features, placed
from tests.dashboard.feature_parts import COMMANDS, of_features
from tests.warm_python import warm_python

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "dashboard" / "bleuscope"
IS_DEEP = settings.get_current_profile_name() == "deep"
"""Then the tests run without each feature; else pytest only imports them, without all features at once."""
EACH = [feature.name for feature in own_features()] if IS_DEEP else []
BEING_WRITTEN = shutil.ignore_patterns("*.pyc.*")
"""Copies keep what is compiled, which saves seconds, without what other processes write at this moment."""
OF_EVERYTHING = ("tests/dashboard", "tests/test_docs.py", "tests/test_engine_alone.py", "tests/test_plugins.py")
"""The tests that a feature could reach into."""
SECONDS_WITHOUT_ONE = 3600
N_SEGMENTS = 54
"""Of the sample, three documents, one of them judged: pages of all of it take three times as long."""

PROGRAM = """
import json, sys
from pathlib import Path
from click.testing import CliRunner
from streamlit.testing.v1 import AppTest
import bleuscope
from bleuscope.cli.command import bleuscope as command
from bleuscope.content.comparison.inputs import Inputs
from bleuscope.shell.disk.files import to_environment
from bleuscope.shell.state.page_list import PAGES
from tests.dashboard.drawing import draw_quickly, run_first

draw_quickly()
to_environment(Inputs(is_sample=True))
shown = []
for page in PAGES.values():
    app = AppTest.from_file(str(Path(bleuscope.__file__).parent / "app.py"), default_timeout=120)
    run_first(app, page)
    shown += [one.value for kind in (app.title, app.markdown, app.caption, app.error) for one in kind]
    assert not app.exception, [one.message for one in app.exception]
asked = ("--help", "open --help", "report --help")
said = {words: CliRunner().invoke(command, words.split()).output for words in asked}
from bleuscope.content.report.choices import SECTIONS, ReportOptions
from bleuscope.content.report import make_report, markdown_report
from bleuscope.content.comparison.comparison_context import Settings, make_study
from bleucore import System, TestSet
texts = [f"the cat {number} sat on the mat" for number in range(9)]
systems = [System(name, [text.replace("cat", name) for text in texts]) for name in ("dog", "cow")]
study = make_study(TestSet(systems, [texts, texts[::-1]]), Settings())
report = markdown_report(make_report(study, ReportOptions(sections=tuple(SECTIONS))))
print(json.dumps({"report": report, "from": bleuscope.__file__, "pages": list(PAGES), "help": said, "shown": shown}))
"""


def started(package):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(package.parent), str(ROOT)])}
    done = subprocess.run(
        [warm_python(), "-c", PROGRAM],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
        cwd=package.parent,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout.splitlines()[-1])


def copy_sample(folder):
    """The first segments of the sample, with what was judged of them."""
    folder.mkdir()
    for path in (ROOT / "sample_data").iterdir():
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        is_judged = path.suffix == ".jsonl"
        kept = [line for line in lines if json.loads(line)["line_id"] < N_SEGMENTS] if is_judged else lines[:N_SEGMENTS]
        (folder / path.name).write_text("".join(kept), encoding="utf-8")


def left_out(features):
    """Which features are left out at once: alone in make test-deep, else in fewer groups.

    Of any two features a group has one without the other, so that no feature hides what another needs of it.
    """
    if IS_DEEP:
        return [(feature,) for feature in features]
    n_groups = next(number for number in count(2) if comb(number, number // 2) >= len(features))
    places = list(zip(features, combinations(range(n_groups), n_groups // 2), strict=False))
    return [tuple(feature for feature, groups in places if group in groups) for group in range(n_groups)]


def test_of_any_two_features_one_is_left_out_without_the_other():
    for number in range(1, 12):
        groups = left_out(tuple(range(number)))
        assert {*range(number)} == {feature for group in groups for feature in group}
        for one, other in combinations(range(number), 2):
            assert {(one in group, other in group) for group in groups} >= {(True, False), (False, True)}


@pytest.mark.parametrize("gone", left_out(features()), ids=lambda gone: "-".join(one.name for one in gone))
def test_without_their_folders_the_program_starts_and_has_no_page_command_or_option_of_them(gone, tmp_path):
    package = tmp_path / "dashboard" / "bleuscope"
    copy_sample(tmp_path / "sample_data")
    shutil.copytree(PACKAGE, package, ignore=BEING_WRITTEN)
    for feature in gone:
        shutil.rmtree(package / "features" / feature.name)
    found = started(package)
    assert found["from"].startswith(str(tmp_path))
    assert found["shown"]
    for feature in gone:
        assert not {page.name for page in feature.pages} & {*found["pages"]}
        for command in feature.commands:
            assert not re.search(rf"^  {command.name}\b", found["help"]["--help"], re.MULTILINE)
        for section in feature.report_sections:
            assert f"--with {section.name}" not in found["help"]["report --help"]
        if feature.opening is not None:
            assert feature.opening.flag not in found["help"]["open --help"]
        assert not [section.title for section in feature.report_sections if section.title in found["report"]]
        titles = {mark.format(page.title) for page in feature.pages for mark in ("{}", "**{}**")}
        assert not titles & {*found["shown"]}


@pytest.mark.parametrize("feature", features(), ids=lambda feature: feature.name)
def test_no_module_outside_its_folder_names_it(feature):
    inside = PACKAGE / "features" / feature.name
    names = re.compile(rf"\bfeatures[./]{feature.name}\b")
    modules = [path for path in PACKAGE.rglob("*.py") if not path.is_relative_to(inside)]
    assert [path.name for path in modules if names.search(path.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize("feature", features(), ids=lambda feature: feature.name)
def test_no_test_outside_its_folder_names_it(feature):
    names = re.compile(rf"\bfeatures[./]{feature.name}\b|features import {feature.name}\b")
    inside = ROOT / "tests" / "dashboard" / "features" / feature.name
    others = [path for path in (ROOT / "tests").rglob("test_*.py") if not path.is_relative_to(inside)]
    assert [path.name for path in others if names.search(path.read_text(encoding="utf-8"))] == []


@pytest.mark.deep
@pytest.mark.timeout(SECONDS_WITHOUT_ONE)
@pytest.mark.parametrize("feature", [None, *EACH], ids=lambda feature: feature or "all of them")
def test_the_tests_of_everything_else_pass_without(feature, tmp_path):
    if feature is None:
        everything = [one.name for one in own_features()]
        check_without(everything, ["tests/dashboard"] if IS_DEEP else OF_EVERYTHING, tmp_path)
    else:
        check_without([feature], OF_EVERYTHING, tmp_path)


def check_without(names, tests, folder):
    """Take features with their tests out of a copy of the project, and run other tests there."""
    clone = folder / "clone"
    shutil.copytree(ROOT, clone, ignore=shutil.ignore_patterns(".git", ".venv", "build", "*.pyc.*"))
    for name in names:
        shutil.rmtree(clone / "dashboard" / "bleuscope" / "features" / name)
        shutil.rmtree(clone / "tests" / "dashboard" / "features" / name)
    tried = [] if IS_DEEP else ["--collect-only"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tried, *tests],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(clone), str(clone / "dashboard")])},
        cwd=clone,
    )
    assert done.returncode == 0, done.stdout[-4000:]


def test_tables_of_tests_know_every_feature_with_its_commands():
    declared = {feature.name: tuple(command.name for command in feature.commands) for feature in own_features()}
    assert of_features(COMMANDS) == declared


def test_a_feature_declares_pages_commands_and_an_option_that_are_there():
    for feature in features():
        assert (PACKAGE / "features" / feature.name / "feature.py").is_file()
        for page in feature.pages:
            assert (PACKAGE / page.script).is_file()


@pytest.mark.parametrize(
    ("before", "order"), [("b", ["a", "x", "y", "b"]), ("", ["a", "b", "x", "y"]), ("gone", ["a", "b", "x", "y"])]
)
def test_what_features_add_stands_before_what_they_name_or_at_the_end(before, order):
    assert list(placed({"a": 1, "b": 2}, [(before, {"x": 3, "y": 4})])) == order
