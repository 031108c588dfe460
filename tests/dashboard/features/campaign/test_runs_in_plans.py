"""Runs that somebody names: in a plan, in a manifest, in a campaign, and wherever a manifest is opened."""

import json

import pytest
import yaml

from bleucore import InputError
from bleucore.experiments.design import design_of
from bleucore.formats.campaign_manifest import read_manifest
from bleucore.formats.run_names import run_of
from bleuscope.features.campaign.plan_files import plan_campaign

LINES = [f"der Hund läuft schnell über das grüne Haus {line}" for line in range(12)]


def texts(n_wrong):
    return "\n".join(" ".join(["x"] * n_wrong + line.split()[n_wrong:]) for line in LINES) + "\n"


@pytest.fixture
def folder(tmp_path):
    for place, name in enumerate(("news", "talk")):
        (tmp_path / name).mkdir()
        for system, n_wrong in {"A": 1, "B": 2, "C": 3, "ref": 0}.items():
            (tmp_path / name / f"{system}.txt").write_text(texts(n_wrong + place * bool(n_wrong)), encoding="utf-8")
    return tmp_path


def sets_yaml(folder, runs="small: [A, B]"):
    entries = "".join(
        f"  - name: {name}\n    language pair: en-de\n    references: {name}/ref.txt\n    systems:\n"
        + "".join(f"      {system}: {name}/{system}.txt\n" for system in "ABC")
        for name in ("news", "talk")
    )
    file = folder / "sets.yaml"
    file.write_text(f"title: Two\ntest sets:\n{entries}runs:\n  {runs}\n", encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("recipe", "system", "called"),
    [("small", "A", "small, run A"), ("small", "seed 2", "small, seed 2"), ("small", "small, run A", "small, run A")],
)
def test_a_run_is_called_so_that_its_name_tells_its_recipe(recipe, system, called):
    assert run_of(recipe, system) == called
    assert list(design_of([called, f"{recipe}, run other"]).recipes) == [recipe]


def test_a_manifest_names_runs(folder):
    plan = plan_campaign(str(sets_yaml(folder)))
    assert plan.systems == ("small, run A", "small, run B", "C")
    assert plan.runs == (("small, run A", "small"), ("small, run B", "small"))


@pytest.mark.parametrize(
    "runs", ["small: {A: B}", "small: [A, [B]]", "small: [A]\n  big: [A]", "'': [A]", "small: ['']"]
)
def test_runs_that_cannot_be_read_are_refused(folder, runs):
    file = sets_yaml(folder, runs)
    with pytest.raises(InputError, match="the runs cannot be read"):
        read_manifest(file.name, file.read_bytes())


def test_a_run_that_is_no_system_is_left_out_and_said(folder):
    plan = plan_campaign(str(sets_yaml(folder, "small: [A, Z]")))
    assert plan.runs == (("small, run A", "small"),)
    assert [reason for _, reason in plan.left_out] == ["Z is no system of a test set."]


def test_a_plan_with_runs_is_the_same_after_it_was_saved(bleuscope, folder):
    saved = folder / "saved.yaml"
    given = ("--run", "A=small", "--run", "B.txt=small")
    code, first, err = bleuscope("plan", str(folder), *given, "--manifest", str(saved), "-f", "json")
    assert code == 0, err
    systems = json.loads(first)["sets"][0]["systems"]
    assert [(one["name"], [run["name"] for run in one["runs"]]) for one in systems] == [
        ("small", ["small, run A", "small, run B"]),
        ("C", ["C"]),
    ]
    assert yaml.safe_load(saved.read_text("utf-8"))["runs"] == {"small": ["small, run A", "small, run B"]}
    code, again, err = bleuscope("plan", str(saved), "-f", "json")
    assert code == 0, err
    for one, other in zip(json.loads(first)["sets"], json.loads(again)["sets"], strict=True):
        assert one["systems"] == other["systems"]


def test_runs_of_a_manifest_are_runs_in_campaigns_and_in_one_comparison(bleuscope, folder):
    manifest = sets_yaml(folder)
    for words in ((str(manifest),), (str(folder), "--run", "A=small", "--run", "B=small")):
        code, out, err = bleuscope("campaign", *words, "--no-workspace", "--table", "recipes", "-f", "json")
        assert code == 0, err
        assert [(row["recipe"], row["runs"]) for row in json.loads(out)["recipes"]] == [("small", 2), ("C", 1)]
    files = [str(folder / "news" / f"{name}.txt") for name in "ABC"]
    one = folder / "one.yaml"
    code, _, err = bleuscope(
        "plan",
        *files,
        "-r",
        str(folder / "news/ref.txt"),
        "--run",
        "A=small",
        "--run",
        "B=small",
        "--manifest",
        str(one),
    )
    assert code == 0, err
    code, out, err = bleuscope("runs", str(one), "--table", "recipes", "-f", "json")
    assert code == 0, err
    assert {row["recipe"]: row["runs"] for row in json.loads(out)["recipes"]} == {"small": 2, "C": 1}


@pytest.mark.parametrize("said", ["Z=small", "A", "A="])
def test_a_run_that_is_not_there_is_refused(bleuscope, folder, said):
    for command in ("plan", "campaign"):
        code, _, err = bleuscope(command, str(folder), "--run", said)
        assert code == 2
        assert "Option --run" in err


def test_score_and_compare_take_runs_too(bleuscope, folder):
    files = [str(folder / "news" / f"{name}.txt") for name in ("A", "B", "C")]
    given = ("-r", str(folder / "news" / "ref.txt"), "--run", "A=small", "--run", "B=small")
    code, out, err = bleuscope("score", *files, *given)
    assert code == 0, err
    assert "small: 2 runs: " in err
    assert "±" not in out
    code, out, err = bleuscope("compare", *files, *given, "--baseline", "C")
    assert code == 0, err
    _, plain, _ = bleuscope("compare", *files, *given[:2], "--baseline", "C")
    assert ("these runs, not their recipes" in out, "these runs, not their recipes" in plain) == (True, False)
