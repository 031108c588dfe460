"""Versions with several runs: means, what steps between them claim, and every place that shows them."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from statistics import fmean, stdev

import numpy as np
import pytest

from bleucore import System, TestSet, evaluate
from bleucore.experiments.design import design_of
from bleucore.experiments.recipes import compare_recipes
from bleuscope.content.style import numbers
from bleuscope.features.projects import figures as history_figures
from bleuscope.features.projects import kept_versions
from bleuscope.features.projects import sheets as history_sheets
from bleuscope.features.projects import words as history_words
from bleuscope.features.projects.scored_versions import (
    Leaderboard,
    ScoredRun,
    SystemHistory,
    board_rows,
)
from bleuscope.shell.state import workspace_in_use
from bleuscope.workspace import open_workspace, push
from bleuscope.workspace.people import LOCAL
from bleuscope.workspace.projects import NewVersion

LINES = [f"the cat {number} sat on the mat near house {number % 7}" for number in range(48)]
RUNS = {"v1": (2, 3, 2.5), "v2": (9, 12, 10), "v3": (11,)}
ASKED = ("history", "--project", "en-de", "--test-set", "news")


def outputs(every, shift=0):
    """Lines of which one of ``every`` has a mistake more than all others."""
    lines = [line.replace("the cat", "a cat") for line in LINES]
    has_more = (int((place + shift) / every) != int((place + shift + 1) / every) for place in range(len(lines)))
    return [line.replace("sat on", "is at") if more else line for line, more in zip(lines, has_more, strict=True)]


@pytest.fixture
def place(empty_place):
    """A workspace with versions of several runs and of one."""
    texts = TestSet([System("x", LINES)], [[line.upper().lower() for line in LINES]])
    with open_workspace(empty_place) as workspace:
        me = workspace.people.person(LOCAL)
        project = workspace.projects.make("en-de", me)
        kept = workspace.projects.put_test_set(project, "news", texts, me)
        for step, (label, rates) in enumerate(RUNS.items()):
            for number, every in enumerate(rates):
                run = str(number + 1) if len(rates) > 1 else None
                new = NewVersion("base", label, outputs(every, number), step, run=run)
                workspace.projects.push(project, kept, new, me)
        workspace.projects.push(project, kept, NewVersion("other", "o1", outputs(4)), me)
    return empty_place


@pytest.fixture
def scored(place):
    """The versions with their scores, and what makes their tests."""
    with open_workspace(place) as workspace:
        project = workspace.projects.find("en-de")
        kept = workspace.projects.test_set(project, "news")
        of = workspace.results.scored_set(kept, kept_versions.proposed_options(None))
        found = kept_versions.scored_versions(workspace, project, of, kept_versions.DRAWN)
        versions = found.by_system["base"]
        given = kept_versions.compared_versions(workspace, project, of, {one.label: one for one in versions})
        rows = board_rows(found, "best", [versions[0], versions[1]])
        board = {row.name: row.version for row in rows}
        compared = kept_versions.compared_versions(workspace, project, of, board)
        opened = kept_versions.texts_of_versions(workspace, project, kept, versions)
        yield found, given, rows, compared, opened


@pytest.fixture
def history(scored):
    from bleucore.history import version_history

    found, given, *_ = scored
    tested = version_history(given.runs, kept_versions.DRAWN, runs=given.of_versions)
    return SystemHistory(found, "base", found.by_system["base"], tested)


def test_a_version_stands_with_the_mean_of_its_runs(scored):
    found, *_ = scored
    assert [(one.label, one.n_runs) for one in found.by_system["base"]] == [("v1", 3), ("v2", 3), ("v3", 1)]
    for one in found.by_system["base"]:
        texts = TestSet([System(str(n), outputs(e, n)) for n, e in enumerate(RUNS[one.label])], [LINES])
        scores = [system.score for system in evaluate(texts).bleu.systems.values()]
        assert one.score == pytest.approx(fmean(scores))
        assert one.deviation == (pytest.approx(stdev(scores)) if len(scores) > 1 else None)
        low, high = one.interval
        assert low < one.score < high


def test_the_order_is_that_of_versions_whenever_their_runs_came(place):
    with open_workspace(place) as workspace:
        project = workspace.projects.find("en-de")
        kept = workspace.projects.test_set(project, "news")
        me = workspace.people.person(LOCAL)
        workspace.projects.push(project, kept, NewVersion("base", "v1", outputs(2.2), 0, run="4"), me)
        grouped = kept_versions.runs_of_versions(workspace.projects.versions(project, kept, "base"))
        assert [(runs[0].label, len(runs)) for runs in grouped] == [("v1", 4), ("v2", 3), ("v3", 1)]
        assert [runs[0].label for runs in kept_versions.latest_of(workspace.projects.versions(project, kept))] == [
            "v3",
            "o1",
        ]


def test_steps_say_whether_the_recipe_is_better(history):
    v2, v3 = history.found.versions[1:]
    assert (v2.before.n_runs, v3.before.n_runs) == ((3, 3), (1, 3))
    sheet = history_sheets.history_sheet(history)
    assert list(sheet.frame["change_claim"]) == [None, "recipe", "recipe"]
    assert list(sheet.frame["n_runs"]) == [3, 3, 1]
    assert np.isnan(sheet.frame["deviation"].iloc[-1])
    assert history_sheets.OF_RECIPES in sheet.caption
    two = replace(
        history, versions=history.versions[:2], found=replace(history.found, versions=history.found.versions[:2])
    )
    said = history_words.history_verdict(two).markdown().replace("\u00a0", " ")
    latest = two.versions[-1]
    assert f"{numbers.score(latest.score)} BLEU (3 runs: {latest.score:.1f} ± {latest.deviation:.1f})" in said
    assert "training noise included" in said


def test_single_runs_say_that_training_noise_is_not_included(history, scored):
    from bleucore.history import version_history

    given = scored[1].runs
    single = replace(given, systems=[one for one in given.systems if one[0] in ("v1, run 1", "v2, run 1")])
    found = version_history(single, kept_versions.DRAWN)
    versions = tuple(
        replace(one, runs=(), label=name) for one, name in zip(history.versions[:2], single_names(single), strict=True)
    )
    of = replace(history.scored, versions=versions)
    one = SystemHistory(of, "base", versions, found)
    assert "training noise not included" in history_words.history_verdict(one).markdown()
    sheet = history_sheets.history_sheet(one)
    assert history_sheets.OF_RUNS in sheet.caption
    assert "n_runs" not in sheet.frame
    assert list(sheet.frame["change_claim"]) == [None, "run"]


def single_names(compared):
    return [name for name, _ in compared.systems]


def test_every_run_is_a_dot(history):
    figure = history_figures.history_figure(history, "step", (0, 1))
    (dots,) = (trace for trace in figure.data if trace.name == "run")
    assert list(dots.x) == [0, 0, 0, 1, 1, 1]
    assert list(dots.y) == [run.score for one in history.versions[:2] for run in one.runs]
    assert [row for row, _ in dots.customdata] == [0, 0, 0, 1, 1, 1]
    assert dots.customdata[1][1].startswith("v1, run 2: ")


def test_a_hostile_name_of_a_run_is_escaped(history):
    runs = (ScoredRun("<b>&x", "d", 1.0), ScoredRun(None, "e", 2.0))
    hostile = replace(history, found=None, versions=(replace(history.versions[0], runs=runs), history.versions[1]))
    figure = history_figures.history_figure(hostile, "order")
    assert "<b>&x" not in json.loads(figure.to_json())["data"][-1]["customdata"][0][1]
    assert hostile.versions[0].names_of_runs("v1") == ("v1, run <b>&x", "v1, run 0")


def test_a_leaderboard_compares_recipes(scored):
    found, _, rows, compared, _ = scored
    comparison = compare_recipes(compared.runs, compared.of_versions, kept_versions.DRAWN)
    board = Leaderboard(found, rows, None, comparison)
    sheet = history_sheets.leaderboard_sheet(board)
    assert list(sheet.frame["n_runs"]) == [row.version.n_runs for row in rows]
    assert sheet.facts["verdict_claim"] == "recipe"
    said = history_words.leaderboard_verdict(board).markdown()
    assert "training noise included" in said
    assert history_sheets.OF_RECIPES in said
    assert board.checked_names.count("base · v1") == 3


def test_an_opened_comparison_has_every_run_as_the_page_of_runs_knows_them(scored):
    *_, opened = scored
    assert opened.system_names[:2] == ("base · v1, run 1", "base · v1, run 2")
    design = design_of(opened.system_names)
    assert {recipe: len(runs) for recipe, runs in design.recipes.items()} == {
        "base · v1": 3,
        "base · v2": 3,
        "base · v3": 1,
    }


def test_the_command_prints_the_same(bleuscope, place, scored):
    where = ("--workspace", str(place.folder))
    code, out, _ = bleuscope(*ASKED, *where, "--system", "base")
    assert code == 0
    assert "s.d." in out
    assert "compares recipes" in out.replace("\n", " ")
    found = json.loads(bleuscope(*ASKED, *where, "--format", "json")[1])
    (base, _) = found["systems"]
    assert [(one["version"], one["n_runs"], len(one["runs"])) for one in base["versions"]] == [
        ("v1", 3, 3),
        ("v2", 3, 3),
        ("v3", 1, 0),
    ]
    assert base["versions"][0]["bleu"] == pytest.approx(fmean(run["bleu"] for run in base["versions"][0]["runs"]))
    board = json.loads(bleuscope(*ASKED, *where, "--table", "leaderboard", "--format", "json")[1])
    assert [(row["system"], row["version"]) for row in board["leaderboard"]] == [("base", "v3"), ("other", "o1")]


@pytest.fixture
def open_project(place, scored, open_link):
    workspace_in_use.use(place, is_shared=False)
    yield open_link
    workspace_in_use.use(None, is_shared=False)


def html_of(app):
    return " ".join(str(one.proto.body) for one in app.get("html"))


def test_pages_show_runs(open_project):
    app = open_project("history", project="en-de", on="news", system="base")
    assert not app.error
    assert "training noise included" in html_of(app)
    assert "first run of each version" in html_of(app)
    app = open_project("leaderboard", project="en-de", on="news", pinned=["base · v2"])
    assert not app.error
    assert "s.d." in html_of(app)
    assert "compares recipes" in html_of(app)


def test_two_versions_with_runs_open_as_a_comparison_of_all_runs(open_project):
    app = open_project("history", project="en-de", on="news", system="base", older="v1", newer="v2")
    app.button(key="compare-versions").click().run()
    assert not app.exception
    assert {"base · v1, run 1", "base · v2, run 3"} <= set(app.selectbox[0].options)


def test_the_python_function_pushes_runs(place):
    given = {"project": "en-de", "test_set": "news", "system": "base", "workspace": str(place.folder)}
    pushed = push(outputs(5), version="v4", run="seed 7", **given)
    assert (pushed.run, pushed.is_new) == ("seed 7", True)
    assert not push(outputs(5), version="v4", run="seed 7", **given).is_new
    with open_workspace(place) as workspace:
        found = workspace.projects.versions(workspace.projects.find("en-de"))
    assert [one.run for one in found if one.label == "v4"] == ["seed 7"]
    assert all(one.made_at <= datetime.now(UTC) for one in found)
