"""How what is missing is added: by names that are on every index, as the rest was installed."""

import re
import tomllib
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from bleucore import installing
from bleucore.installing import how_to_add, how_to_install, requirements_of

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]


def bounds(requirement):
    """The name, and its bounds in any order."""
    name = re.match(r"[\w.\[\]-]+", requirement)[0]
    return name, frozenset(requirement.removeprefix(name).split(","))


@pytest.mark.parametrize("extra", ["ja", "ko", "spm", "cluster"])
def test_an_extra_needs_what_the_project_says(extra):
    assert sorted(map(bounds, requirements_of(extra))) == sorted(map(bounds, EXTRAS[extra]))


def test_our_own_name_is_in_no_command():
    for extra in set(EXTRAS) - {"test"}:
        assert "bleuscope" not in how_to_add(extra).partition(" install ")[2]


@pytest.mark.parametrize(
    ("python", "pip", "expected"),
    [
        ("/home/a/.local/share/pipx/venvs/bleuscope/bin/python", None, 'pipx inject bleuscope "ipadic<2"'),
        ("/home/a/.local/share/uv/tools/bleuscope/bin/python", None, 'uv pip install --python {} "ipadic<2"'),
        ("/home/a/venv/bin/python", object(), '{} -m pip install "ipadic<2"'),
        ("/home/a b/$venv/bin/python", object(), "'{}' -m pip install \"ipadic<2\""),
        ("/home/a b/venv/bin/python", None, "uv pip install --python '{}' \"ipadic<2\""),
    ],
)
def test_what_is_missing_is_added_as_the_rest_was(python, pip, expected, monkeypatch):
    monkeypatch.setattr("sys.executable", python)
    monkeypatch.setattr(installing, "find_spec", lambda _: pip)
    assert how_to_install("ipadic<2") == expected.format(python)


def test_an_environment_in_this_folder_is_named_from_here(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.executable", str(tmp_path / ".venv" / "bin" / "python"))
    monkeypatch.setattr(installing, "find_spec", lambda _: object())
    assert how_to_install("ipadic").startswith(str(Path(".venv", "bin", "python")))


def test_an_interpreter_that_is_not_known_has_its_usual_name(monkeypatch):
    monkeypatch.setattr("sys.executable", None)
    monkeypatch.setattr(installing, "find_spec", lambda _: object())
    assert how_to_install("ipadic") == 'python -m pip install "ipadic"'


def test_a_checkout_that_was_never_installed_points_to_the_file(monkeypatch):
    def nothing(_):
        raise PackageNotFoundError

    monkeypatch.setattr("importlib.metadata.requires", nothing)
    monkeypatch.setattr(installing, "checkout", lambda: None)
    assert how_to_add("ja") == "see the extra 'ja' in pyproject.toml"
