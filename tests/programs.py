"""Programs that tests need beyond Python: a test without its program is skipped with the reason, and fails in CI."""

import os
import subprocess
import sys
from collections import Counter

import pytest

REMEDIES = {
    "browser": "apt-get install chromium, or name one in BLEUSCOPE_BROWSER",
    "PostgreSQL": "apt-get install postgresql",
    "Caddy": "apt-get install caddy",
}
SECONDS_TO_START = 120
PLAYWRIGHT = (sys.executable, "-m", "playwright", "--version")


class Programs:
    """The programs of this machine, by name; ``find`` gives the command that says a program's version, or ``None``."""

    def __init__(self, find):
        self.find = find
        self._why_not = {}

    def need(self, name):
        """Skip the test that runs, with the reason, if a program cannot be used; in CI the test fails."""
        if name not in self._why_not:
            self._why_not[name] = self.why_not(name)
        if self._why_not[name] is None:
            return
        reason = f"{name} tests: {self._why_not[name]}"
        if os.environ.get("CI"):
            pytest.fail(f"{reason}. CI runs every test.", pytrace=False)
        pytest.skip(reason)

    def why_not(self, name):
        """Why a program cannot be used, and what to do; ``None`` if it can."""
        if name == "browser" and (problem := _problem(PLAYWRIGHT)):
            return f"Playwright does not start ({problem}): apt-get install libatomic1 chromium"
        command = self.find[name]()
        if command is None:
            return f"{name} was not found: {REMEDIES[name]}"
        problem = _problem(command)
        return problem and f"{command[0]} does not start: {problem}"


def not_run(reports):
    """A line for each reason of skipped tests, with their number."""
    reasons = Counter(report.longrepr[2].removeprefix("Skipped: ") for report in reports)
    return [
        f"{number} {reason if number > 1 else reason.replace(' tests: ', ' test: ', 1)}"
        for reason, number in sorted(reasons.items())
    ]


def _problem(command):
    """What a program says if it does not start."""
    try:
        ended = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS_TO_START, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    said = ended.stderr.strip().splitlines() or [f"it ends with {ended.returncode}"]
    return said[-1] if ended.returncode else None
