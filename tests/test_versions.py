"""pyproject.toml alone says which Pythons are supported, and how old each package that scoring needs may be."""

import re
import tomllib
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
OF_COMMANDS = ("sacrebleu", "statistics", "tables")
PYTHONS = [one.rpartition(" ")[2] for one in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", one)]


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def lowest(requirements):
    return dict(re.fullmatch(r"([a-z]+)>=([\d.]+)(?:,<[\d.]+)?", one).groups() for one in requirements)


def test_the_lower_bounds_are_the_versions_that_are_tried():
    needed = [*PROJECT["dependencies"], *(one for extra in OF_COMMANDS for one in EXTRAS[extra])]
    assert lowest(needed) == dict(re.findall(r"^([a-z]+)==(.+)$", read("tests/oldest.txt"), re.MULTILINE))


def test_scoring_needs_none_of_what_is_used_in_places():
    assert not {"pandas", "sacrebleu", "scipy"} & lowest(PROJECT["dependencies"]).keys()
    assert EXTRAS["commands"] == [f"bleuscope[{','.join(OF_COMMANDS)}]"]
    assert "bleuscope[commands]" in EXTRAS["dashboard"]


def test_hooks_of_pre_commit_bring_what_their_commands_need():
    needed = [one for extra in OF_COMMANDS for one in EXTRAS[extra]]
    for hook in yaml.safe_load(read(".pre-commit-hooks.yaml")):
        assert sorted(hook["additional_dependencies"]) == sorted(needed)


def test_python_is_named_without_a_gap_from_the_oldest_on():
    oldest = int(PROJECT["requires-python"].removeprefix(">=3."))
    assert [f"3.{minor}" for minor in range(oldest, oldest + len(PYTHONS))] == PYTHONS


def test_images_ci_and_docs_name_versions_of_python_that_are_supported():
    named = {
        "deploy/Dockerfile": r"^ARG PYTHON_IMAGE=python:(3\.\d+)",
        "deploy/space/Dockerfile": r"^ARG PYTHON_IMAGE=python:(3\.\d+)",
        "docs/ci/github.yml": r"python-version: \"(.+)\"",
        "docs/ci/gitlab.yml": r"image: python:(3\.\d+)",
        "docs/operating.md": r"Python (3\.\d+)",
    }
    for name, pattern in named.items():
        found = re.findall(pattern, read(name), re.MULTILINE)
        assert found, name
        assert set(found) <= set(PYTHONS), name
    for name in ("Makefile", "README.md", "docs/howto/pre-commit.md", "docs/index.md"):
        assert set(re.findall(r"Python (3\.\d+) or newer", read(name))) == {PYTHONS[0]}, name
    assert f"Python {PYTHONS[0]} to {PYTHONS[-1]}" in " ".join(read("docs/reference/stability.md").split())
