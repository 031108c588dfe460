"""What package indexes and CI hosts read: the recipe of conda, and the action of GitHub, run as it runs there."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import jinja2
import pytest
import yaml

import bleucore

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
EXPRESSION = re.compile(r"\$\{\{ *(.+?) *\}\}")
LINES = [f"the cat {number} sat on the old mat and saw {number + 7} dogs" for number in range(40)]
GOOD = [line.replace("sat", "sits") for line in LINES]
WORSE = [line.replace("sat on the old", "lies in a big") for line in LINES]


def needed(extra):
    """What an extra asks for, with what the extras that it names ask for."""
    found = set()
    for one in PROJECT["project"]["optional-dependencies"][extra]:
        of_ours = re.fullmatch(r"bleuscope\[(.+)\]", one)
        found |= set().union(*map(needed, of_ours[1].split(","))) if of_ours else {one}
    return found


def test_the_recipe_of_conda_has_the_names_versions_and_commands_of_the_project():
    folder = ROOT / "deploy" / "conda"

    def load_file_data(path, *, from_recipe_dir):
        assert from_recipe_dir
        return tomllib.loads((folder / path).read_text(encoding="utf-8"))

    def load_file_regex(path, pattern, *, from_recipe_dir):
        assert from_recipe_dir
        return re.search(pattern, (folder / path).read_text(encoding="utf-8"))

    template = jinja2.Environment(undefined=jinja2.StrictUndefined, autoescape=False)
    given = {"load_file_data": load_file_data, "load_file_regex": load_file_regex, "PYTHON": "python"}
    recipe = yaml.safe_load(template.from_string((folder / "meta.yaml").read_text(encoding="utf-8")).render(given))
    project = PROJECT["project"]
    assert recipe["package"] == {"name": "bleuscope", "version": bleucore.__version__}
    assert recipe["build"]["entry_points"] == [f"{name} = {place}" for name, place in project["scripts"].items()]
    wanted = {one.replace("[performance]", "") for one in {*project["dependencies"], *needed("dashboard")}}
    assert sorted(recipe["requirements"]["run"]) == sorted({f"python {project['requires-python']}", *wanted})
    assert {*PROJECT["build-system"]["requires"]} < {*recipe["requirements"]["host"]}
    assert not any(re.search(r"[;\[@]", one) for one in recipe["requirements"]["run"]), "conda knows no such bound"
    assert recipe["about"]["summary"] == project["description"]


@pytest.fixture
def action(tmp_path):
    """Runs the gate of the action with its inputs: its exit code, its outputs, and the page of the job."""
    texts = {"old.txt": GOOD, "same.txt": GOOD, "worse.txt": WORSE, "ref.txt": LINES}
    for name, lines in texts.items():
        (tmp_path / name).write_text("\n".join([*lines, ""]), encoding="utf-8")
    program = tmp_path / "bin" / "bleuscope"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m bleuscope "$@"\n', encoding="utf-8")
    program.chmod(0o755)

    def run(**inputs):
        assert inputs.keys() <= ACTION["inputs"].keys()
        known = {name: inputs.get(name, one.get("default", "")) for name, one in ACTION["inputs"].items()}
        install, gate = ACTION["runs"]["steps"]
        assert not EXPRESSION.search(install["run"] + gate["run"]), "an input would become a part of a command"
        given = {
            name: EXPRESSION.sub(lambda found: known[found[1].removeprefix("inputs.")], one)
            for name, one in gate["env"].items()
        }
        files = {"GITHUB_STEP_SUMMARY": tmp_path / "summary.md", "GITHUB_OUTPUT": tmp_path / "outputs.txt"}
        environment = {
            **os.environ,
            **given,
            **{name: str(path) for name, path in files.items()},
            "PATH": f"{program.parent}:{os.environ['PATH']}",
            "PYTHONPATH": f"{ROOT}:{ROOT / 'dashboard'}",
        }
        ended = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", gate["run"]],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        made = [path.read_text(encoding="utf-8") if path.exists() else "" for path in files.values()]
        return ended.returncode, made[1].strip(), made[0], ended.stderr

    return run


def test_the_action_fails_for_a_worse_output_and_says_so_on_the_page_of_the_job(action, tmp_path):
    code, outputs, summary, said = action(
        baseline="old.txt", outputs="same.txt\nworse.txt\n", reference="ref.txt", junit="gate.xml"
    )
    assert (code, outputs) == (1, "code=1"), said
    assert "worse is worse than old" in summary
    assert (tmp_path / "gate.xml").read_text(encoding="utf-8").count("<testcase") == 2


def test_no_input_of_the_action_becomes_a_command_or_an_option(action, tmp_path):
    code, outputs, _, said = action(
        baseline="$(touch made); `touch made`", outputs="--help\nsame.txt", reference="ref.txt"
    )
    assert (code, outputs) == (2, "code=2"), said
    assert not (tmp_path / "made").exists()


def test_the_action_installs_the_revision_that_a_workflow_names():
    install = ACTION["runs"]["steps"][0]
    assert install["env"] == {"BLEUSCOPE": "${{ github.action_path }}"}
    assert install["run"] == 'python -m pip install --quiet "$BLEUSCOPE[commands]"'
    assert all(step["shell"] == "bash" for step in ACTION["runs"]["steps"])
    assert ACTION["outputs"]["code"]["value"] == "${{ steps.gate.outputs.code }}"
