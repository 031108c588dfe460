"""What ``make`` installs: with uv or pip, only what has a hash, and MeCab apart from all else."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MAKE = shutil.which("make")
THAT_NOTES = """#!/bin/sh
echo "$(basename "$0") $*" >> "{log}"
case "$*" in *{refused}*) echo "ERROR: no wheel" >&2; exit 1;; esac
"""
REFUSES_NOTHING = "nothing at all"


@pytest.fixture
def environment(tmp_path):
    """An environment whose Python and uv note how they are called and refuse one file; and what they noted."""
    log, programs = tmp_path / "log", tmp_path / "bin"
    programs.mkdir()

    def make(refused, *names):
        for name in names:
            program = programs / name
            program.write_text(THAT_NOTES.format(log=log, refused=f'"{refused}"'))
            program.chmod(0o755)
        return tmp_path

    make.calls = lambda: log.read_text().splitlines()
    return make


def run(*command, path="/usr/bin:/bin"):
    own = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "PIP_INDEX_URL")}
    return subprocess.run(command, cwd=ROOT, env={**own, "PATH": path}, capture_output=True, text=True, check=False)


def made(folder, target):
    """A target of the Makefile, of which all that it depends on is there."""
    (folder / "run.installed").touch()
    return run(MAKE, "--no-print-directory", f"PYTHON={sys.executable}", f"VENV={folder}", f"{folder}/{target}")


def install(folder, *wanted):
    return run(sys.executable, "deploy/install.py", folder, *wanted)


class TestInstall:
    def test_uv_installs_what_has_a_hash_and_then_the_project(self, environment):
        folder = environment(REFUSES_NOTHING, "python", "uv")
        assert install(folder, "requirements.lock", ".").returncode == 0
        locked, own = environment.calls()
        assert locked.startswith(f"uv pip install --quiet --python {folder}/bin/python --require-hashes --no-deps ")
        assert locked.endswith("-r requirements.lock")
        assert own.endswith("--no-deps --no-build-isolation -e .")

    def test_pip_takes_over_where_uv_fails(self, environment):
        environment("requirements.lock", "uv")
        folder = environment(REFUSES_NOTHING, "python")
        ended = install(folder, "requirements.lock")
        assert (ended.returncode, ended.stderr) == (0, "ERROR: no wheel\nuv could not install that. Trying pip.\n")
        *_, locked = environment.calls()
        assert locked.startswith("python -m pip install ")
        assert "--require-hashes --no-deps" in locked

    def test_ends_with_what_the_last_installer_said(self, environment):
        folder = environment("requirements.lock", "python", "uv")
        assert install(folder, "requirements.lock", ".").returncode == 1
        assert not any(call.endswith("-e .") for call in environment.calls())

    def test_where_python_comes_without_pip_a_sentence_says_what_to_install(self, tmp_path):
        programs = tmp_path / "without pip"
        programs.mkdir()
        (programs / "pip.py").write_text("raise ImportError")
        (programs / "ensurepip.py").write_text("raise ImportError")
        ended = run("env", f"PYTHONPATH={programs}", sys.executable, "deploy/install.py", tmp_path / "env", ".")
        assert (ended.returncode, ended.stdout) == (1, "")
        assert ended.stderr.endswith("On Debian and Ubuntu: sudo apt install python3-venv\n")

    def test_the_uv_that_pip_brings_is_pinned(self):
        lock = (ROOT / "requirements-release.lock").read_text(encoding="utf-8")
        (pinned,) = re.findall(r"^uv==(?:.*\\\n)*.*\n", lock, re.MULTILINE)
        assert "--hash=sha256:" in pinned
        assert pinned.count("==") == 1


class TestMake:
    def test_installs_mecab_from_its_own_lock_file_without_compiling(self, environment):
        folder = environment(REFUSES_NOTHING, "python", "uv")
        ended = made(folder, "mecab.installed")
        assert (ended.returncode, (folder / "mecab.installed").exists()) == (0, True)
        (mecab,) = environment.calls()
        assert "--only-binary mecab-python3 --only-binary mecab-ko" in mecab
        assert mecab.endswith("-r requirements-mecab.lock")

    def test_goes_on_without_mecab_and_says_how_to_get_it(self, environment):
        folder = environment("requirements-mecab.lock", "python", "uv")
        ended = made(folder, "mecab.installed")
        assert (ended.returncode, ended.stderr, (folder / "mecab.installed").exists()) == (0, "", True)
        assert "To get it: make mecab" in ended.stdout


def test_the_lock_file_of_mecab_holds_the_extras_and_nothing_else():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    wanted = {requirement.partition(">")[0] for requirement in (*extras["ja"], *extras["ko"])}
    lines = (ROOT / "requirements-mecab.lock").read_text(encoding="utf-8").splitlines()
    assert {line.partition("==")[0] for line in lines if "==" in line} == wanted
    assert "setuptools==" in (ROOT / "requirements.lock").read_text(encoding="utf-8")  # builds the dictionaries
