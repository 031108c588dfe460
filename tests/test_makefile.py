"""What ``make run`` installs, and that it goes on without MeCab."""

import os
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MAKE = shutil.which("make")
PYTHON_THAT_NOTES = """#!/bin/sh
echo "$*" >> "{log}"
case "$*" in *{refused}*) echo "ERROR: no wheel" >&2; exit 1;; esac
"""
REFUSES_NOTHING = "nothing at all"


@pytest.fixture
def install(tmp_path):
    """Runs the installation of ``make run`` with a Python that notes how it is called and refuses one file."""

    def run(refused):
        log, python = tmp_path / "log", tmp_path / "bin" / "python"
        python.parent.mkdir()
        python.write_text(PYTHON_THAT_NOTES.format(log=log, refused=f'"{refused}"'))
        python.chmod(0o755)
        command = [MAKE, "--no-print-directory", f"VENV={tmp_path}", f"{tmp_path}/run.installed"]
        own = {name: value for name, value in os.environ.items() if name != "MAKEFLAGS"}  # not of the make that runs us
        ended = subprocess.run(command, cwd=ROOT, env=own, capture_output=True, text=True, check=False)
        said = [line for line in ended.stdout.splitlines() if not line.startswith((str(python), "touch "))]
        return ended, said, log.read_text().splitlines(), tmp_path / "run.installed"

    return run


def test_mecab_is_installed_from_its_own_lock_file_without_compiling(install):
    ended, said, calls, done = install(REFUSES_NOTHING)
    assert (ended.returncode, said, done.exists()) == (0, [], True)
    mecab = calls[-1]
    locked = [call for call in calls if ".lock" in call]
    assert locked
    assert all("--require-hashes --no-deps" in call for call in locked), "a newer version elsewhere changes nothing"
    assert mecab in locked
    assert "--only-binary mecab-python3,mecab-ko" in mecab
    assert mecab.endswith("-r requirements-mecab.lock")


def test_without_mecab_the_run_goes_on_and_one_line_says_how_to_get_it(install):
    ended, said, _, done = install("requirements-mecab.lock")
    assert (ended.returncode, ended.stderr, done.exists()) == (0, "", True)
    assert len(said) == 1
    assert said[0].endswith("/pip install -e '.[ja,ko]'")


def test_without_what_is_needed_the_run_ends(install):
    ended, _, calls, done = install("requirements.lock")
    assert ended.returncode != 0
    assert not done.exists()
    assert len(calls) == 1


def test_the_lock_file_of_mecab_holds_the_extras_and_nothing_else():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    wanted = {requirement.partition(">")[0] for requirement in (*extras["ja"], *extras["ko"])}
    lines = (ROOT / "requirements-mecab.lock").read_text(encoding="utf-8").splitlines()
    assert {line.partition("==")[0] for line in lines if "==" in line} == wanted
    assert "setuptools==" in (ROOT / "requirements.lock").read_text(encoding="utf-8")  # builds the dictionaries
