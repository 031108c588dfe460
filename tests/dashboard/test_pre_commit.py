"""The hooks for pre-commit, called as it calls them: entry, arguments of the configuration, files that change."""

import json
import re
import shlex
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml

from bleucore.checks import SEVERITIES
from bleuscope.cli.lint_command import are_found

ROOT = Path(__file__).parents[2]
HOOKS = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))}
LINES = [f"The cat number {number} sat on the old mat and saw {number + 7} dogs." for number in range(30)]
OUTPUTS = {
    "good.txt": [line.replace("sat", "is sitting") for line in LINES],
    "short.txt": LINES[:-1],
    "shifted.txt": [*LINES[:10], *LINES[9:29]],
    "copied.txt": [f"Die Katze {number} saß auf der Matte und sah {number + 7} Hunde." for number in range(30)],
    "worse.txt": [line.replace("on the old mat", "there") for line in LINES],
}


@pytest.fixture
def hook(bleuscope, tmp_path):
    """Runs a hook on files with the arguments that the page shows."""
    (tmp_path / "mt").mkdir()
    texts = {"mt/reference.txt": LINES, "mt/source.txt": OUTPUTS["copied.txt"], "mt/baseline.txt": OUTPUTS["good.txt"]}
    for name, lines in (texts | OUTPUTS).items():
        (tmp_path / name).write_text("\n".join([*lines, ""]), encoding="utf-8")
    page = (ROOT / "docs" / "howto" / "pre-commit.md").read_text(encoding="utf-8")
    (repository,) = yaml.safe_load(re.search(r"```yaml\n(.*?)```", page, re.DOTALL)[1])["repos"]
    arguments = {one["id"]: one["args"] for one in repository["hooks"]}
    assert arguments.keys() == HOOKS.keys()

    def run(name, *files):
        program, *words = shlex.split(HOOKS[name]["entry"])
        assert program == "bleuscope"
        return bleuscope(*words, *arguments[name], *files)

    return run


@pytest.mark.parametrize(
    ("name", "files", "code", "text"),
    [
        ("bleuscope-checks", ["good.txt"], 0, ""),
        ("bleuscope-checks", ["good.txt", "shifted.txt"], 1, "shifted-lines"),
        ("bleuscope-checks", ["copied.txt"], 1, "source"),
        ("bleuscope-checks", ["short.txt"], 2, "found 29 lines, expected 30"),
        ("bleuscope-check", ["good.txt"], 0, "Not worse than baseline"),
        ("bleuscope-check", ["good.txt", "worse.txt"], 1, "worse is worse than baseline"),
    ],
    ids=["good", "shifted", "copied", "short", "as good", "worse"],
)
def test_a_hook_stops_for_what_its_page_says(hook, name, files, code, text):
    found, out, err = hook(name, *files)
    assert found == code, out + err
    assert text in out + err


@pytest.mark.parametrize(
    ("found", "failing"),
    [
        (["error", "note"], {"error", "warning", "note"}),
        (["warning"], {"warning", "note"}),
        (["note"], {"note"}),
        ([], set()),
    ],
    ids=["error", "warning", "note", "nothing"],
)
def test_checks_stop_for_what_is_as_grave_as_asked(found, failing):
    findings = [SimpleNamespace(severity=severity) for severity in found]
    assert {severity for severity in SEVERITIES if are_found(findings, severity)} == failing


def test_checks_end_with_0_unless_they_are_asked_to_stop(bleuscope, hook):
    code, out, _ = bleuscope("lint", "shifted.txt", "-r", "mt/reference.txt", "-f", "json")
    assert (code, json.loads(out)["checks"][0]["severity"]) == (0, "error")


def test_hooks_are_in_the_form_of_pre_commit():
    assert HOOKS.keys() == {"bleuscope-checks", "bleuscope-check"}
    for hook in HOOKS.values():
        said = {"id", "name", "entry", "language", "types", "require_serial", "description"}
        assert said | {"additional_dependencies"} == hook.keys()
        assert (hook["language"], hook["require_serial"]) == ("python", True)
