"""A machine with only Python, make and git runs all it can, and the end lists the rest; CI runs every test."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BROKEN = """#!/bin/sh
echo "$0: error while loading shared libraries: libatomic.so.1: cannot open shared object file" >&2
exit 127
"""
NEEDS_PROGRAMS = ("tests/journey/test_journey_docs.py", "tests/workspace/test_tokens.py")


@pytest.fixture
def bare_machine(tmp_path):
    """Runs pytest where Playwright and PostgreSQL do not start, and neither a browser nor Caddy is installed."""
    programs = tmp_path / "programs ö"
    programs.mkdir()
    for name in ("node", "initdb"):
        (programs / name).write_text(BROKEN, encoding="utf-8")
        (programs / name).chmod(0o755)
    lacking = {
        "PATH": str(programs),
        "PLAYWRIGHT_NODEJS_PATH": str(programs / "node"),
        "PLAYWRIGHT_BROWSERS_PATH": str(programs),
        "LC_ALL": "C.UTF-8",
    }
    whose_own = ("CI", "BLEUSCOPE_BROWSER", "PYTEST_XDIST_WORKER", "PYTEST_XDIST_WORKER_COUNT", "PYTEST_ADDOPTS")
    inherited = {name: value for name, value in os.environ.items() if name not in whose_own}

    def run(*arguments, **environment):
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--basetemp={tmp_path / 'run'}"]
        return subprocess.run(
            [*command, *arguments],
            cwd=ROOT,
            env=inherited | lacking | environment,
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )

    return run


def test_the_end_lists_what_did_not_run_and_why_whatever_process_ran_it(bare_machine):
    done = bare_machine("--numprocesses=1", *NEEDS_PROGRAMS)
    assert done.returncode == 0, done.stdout + done.stderr
    _, _, listed = done.stdout.partition(" Not run ")
    postgresql, browser = (line for line in listed.splitlines() if " tests: " in line)
    assert browser.split(":")[0].split()[1:] == ["browser", "tests"]
    assert "Playwright does not start (" in browser
    assert "libatomic.so.1: cannot open shared object file): apt-get install libatomic1 chromium" in browser
    assert postgresql.split(":")[0].split()[1:] == ["PostgreSQL", "tests"]
    assert "initdb does not start: " in postgresql
    n_browser, n_postgresql = (int(line.split()[0]) for line in (browser, postgresql))
    assert min(n_browser, n_postgresql) > 1
    assert f"{n_browser + n_postgresql} skipped" in done.stdout
    assert " passed" in done.stdout


def test_a_missing_program_skips_a_test_and_in_ci_fails_it(programs, monkeypatch):
    there = programs({"Caddy": lambda: (sys.executable, "--version")})
    missing = programs({"Caddy": lambda: None})
    monkeypatch.setenv("CI", "true")
    there.need("Caddy")
    with pytest.raises(pytest.fail.Exception, match=r"Caddy was not found: apt-get install caddy\. CI runs"):
        missing.need("Caddy")
    monkeypatch.delenv("CI")
    with pytest.raises(pytest.skip.Exception, match="Caddy tests: Caddy was not found: "):
        missing.need("Caddy")


@pytest.mark.parametrize("name", ["PostgreSQL", "Caddy"])
def test_says_what_to_install_where_nothing_is_found(programs, name):
    assert programs({name: lambda: None}).why_not(name) == f"{name} was not found: apt-get install {name.lower()}"


def test_a_program_that_is_named_but_not_there_is_said_by_its_path(programs, tmp_path):
    path = str(tmp_path / "caddy")
    why_not = programs({"Caddy": lambda: (path, "version")}).why_not("Caddy")
    assert why_not.startswith(f"{path} does not start: ")
    assert "No such file" in why_not
