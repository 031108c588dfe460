"""What is handed to others: a source distribution, the wheel made from it, and that wheel in an environment of its own.

The environment has the dependencies of this one and not this checkout, and everything in it runs in another folder.
"""

import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest

import bleucore

ROOT = Path(__file__).parents[1]
PACKED = (".streamlit", "bleucore", "dashboard", "deploy", "docs", "sample_data", "tests")
TYPED = ("bleucore/py.typed", "bleuscope/py.typed")
SAFELY = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
"""Python 3.11.2, which Debian 12 has, knows no filter."""
ENVIRONMENT = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "MYPYPATH")}

RIGHT = """
import numpy as np
from numpy.typing import NDArray

from bleucore import BleuOptions, ChrfOptions, Evaluation, System, TestSet, evaluate

test_set = TestSet(systems=[System("a", ["x y"])], references=[["x y z"]])
evaluation: Evaluation = evaluate(test_set, BleuOptions(tokenizer="intl"), metrics=[ChrfOptions()])
score: float = evaluation.systems["a"].score.score
segment_scores: NDArray[np.float64] = evaluation.systems["a"].segment_scores
reveal_type(evaluate(test_set))
reveal_type(evaluation.metrics["chrF2"].systems["a"].score)
reveal_type(test_set.system_names)
"""
REVEALED = [
    "bleucore.evaluation.Evaluation",
    "float",
    "tuple[str, ...]",
]
WRONG = """
from bleucore import BleuOptions, System, TestSet, evaluate
from bleuscope.content.style.numbers import score

BleuOptions(tokenizer="14a")
System("a", 1)
evaluate("a test set")
evaluate(TestSet([], [])).sytems
score("20.1")
"""
FOUND = {5: "arg-type", 6: "arg-type", 7: "arg-type", 8: "attr-defined", 9: "arg-type"}


def run(*command, cwd):
    ended = subprocess.run([*map(str, command)], cwd=cwd, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


@pytest.fixture(scope="module")
def sources(make_once):
    """The source distribution, unpacked."""

    def make(folder):
        run(sys.executable, "-m", "hatchling", "build", "--target", "sdist", "--directory", folder, cwd=ROOT)
        (archive,) = folder.glob("*.tar.gz")
        with tarfile.open(archive) as packed:
            packed.extractall(folder, **SAFELY)
        return archive.name.removesuffix(".tar.gz")

    folder, name = make_once("sources", make)
    return folder / name


@pytest.fixture(scope="module")
def wheel(sources, make_once):
    """The wheel made from the unpacked source distribution."""

    def make(folder):
        run(sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder, cwd=sources)
        (made,) = folder.glob("*.whl")
        return made.name

    folder, name = make_once("wheel", make)
    return folder / name


@pytest.fixture(scope="module")
def installed(wheel, make_once):
    """An environment with that wheel."""

    def make(folder):
        venv.create(folder)
        packages = Path(sysconfig.get_path("purelib", "venv", {"base": str(folder), "platbase": str(folder)}))
        (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
        options = ("--quiet", "--no-deps", "--no-index", "--disable-pip-version-check")
        run(sys.executable, "-m", "pip", "--python", folder, "install", *options, wheel, cwd=folder)

    return make_once("installed", make)[0]


def test_the_source_distribution_holds_what_the_tests_need(sources):
    wanted = {path.relative_to(ROOT) for folder in PACKED for path in (ROOT / folder).rglob("*") if path.is_file()}
    wanted = {path for path in wanted if "__pycache__" not in path.parts}
    wanted |= {path.relative_to(ROOT) for path in ROOT.glob("requirements*.lock")}
    wanted |= {path.relative_to(ROOT) for path in (*ROOT.glob("*.md"), ROOT / "LICENSE", ROOT / "Makefile")}
    packed = {path.relative_to(sources) for path in sources.rglob("*") if path.is_file()}
    assert sorted(wanted - packed) == []


def test_the_wheel_has_types_sample_and_licences_and_takes_no_other_name(wheel):
    with ZipFile(wheel) as packed:
        names = packed.namelist()
        (metadata,) = (packed.read(name).decode() for name in names if name.endswith("METADATA"))
    assert "Classifier: Typing :: Typed" in metadata
    assert {name.partition("/")[0] for name in names if ".dist-info/" not in name} == {"bleucore", "bleuscope"}
    assert set(TYPED) < set(names)
    assert {"bleuscope/config.toml", "bleuscope/sample_data/source.txt"} < set(names)
    assert {name.partition("/licenses/")[2] for name in names} >= {"LICENSE", "NOTICE.md"}
    assert [name.partition("/sboms/")[2] for name in names if "/sboms/" in name] == ["bleuscope.cdx.json"]


def test_the_wheel_scores_the_sample_comparison_where_folders_have_names_like_ours(installed, tmp_path):
    for name in ("dashboard", "workspace"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise ImportError\n", encoding="utf-8")
    (python,) = installed.glob("*/python")
    assert run(python, "-m", "bleuscope", "--version", cwd=tmp_path) == f"bleuscope, version {bleucore.__version__}\n"
    (command,) = (path for path in installed.glob("*/bleuscope*") if path.is_file())
    table = run(command, "score", "--sample", cwd=tmp_path)
    assert table.startswith("system ")
    assert table.endswith("nrefs:2|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0\n")


def test_scripts_of_others_are_checked_against_the_types_of_what_is_installed(installed, tmp_path):
    (tmp_path / "right.py").write_text(RIGHT, encoding="utf-8")
    (tmp_path / "wrong.py").write_text(WRONG, encoding="utf-8")
    public = [f"reveal_type(bleucore.{name})" for name in bleucore.__all__]
    (tmp_path / "public.py").write_text("\n".join(["import bleucore", *public, ""]), encoding="utf-8")
    (python,) = installed.glob("*/python")
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--python-executable",
        python,
        "--cache-dir",
        os.devnull,  # nobody comes back to it
    ]
    checked = subprocess.run(
        [*map(str, command), "right.py", "wrong.py", "public.py"],
        cwd=tmp_path,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        check=False,
    )
    said = re.findall(r"^(\w+)\.py:(\d+): (error|note): (.*)$", checked.stdout, re.MULTILINE)
    errors = [
        (file, int(line), text.rpartition("[")[2].rstrip("]")) for file, line, kind, text in said if kind == "error"
    ]
    assert errors == [("wrong", line, code) for line, code in FOUND.items()], checked.stdout + checked.stderr
    revealed = [(file, text.partition('"')[2].rstrip('"')) for file, _, kind, text in said if kind == "note"]
    assert [text for file, text in revealed if file == "right"] == REVEALED
    of_public = [text for file, text in revealed if file == "public"]
    assert len(of_public) == len(bleucore.__all__)
    assert "Any" not in of_public
