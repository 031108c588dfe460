"""Campaigns whose systems are runs of recipes: what is said of them, and every run of a project's versions."""

import json
import shutil
from dataclasses import replace
from statistics import fmean, stdev

import numpy as np
import pytest

from bleucore.campaign import combine
from bleucore.campaign.campaign import HOLM_OF_RUNS
from bleucore.campaign.runs_over_sets import TOO_FEW
from bleucore.significance import SignificanceOptions
from bleuscope.content.sheets.sheet import Note
from bleuscope.content.significance.verdict_words import NO_TRAINING_NOISE, OF_RECIPES
from bleuscope.content.style import numbers
from bleuscope.content.style.sentences import Text
from bleuscope.features.campaign import sheets, words
from bleuscope.features.campaign.figures_matrix import SPREAD, legend_words, matrix_html
from bleuscope.features.campaign.plan_files import plan_campaign
from bleuscope.features.campaign.projects import plan_of_project
from bleuscope.features.campaign.report import campaign_report
from bleuscope.features.campaign.running import run_campaign
from bleuscope.features.campaign.view import CampaignView
from bleuscope.features.campaign.words_methods import methods_sentence
from bleuscope.workspace import open_workspace
from bleuscope.workspace.people import LOCAL
from bleuscope.workspace.place import place_of
from bleuscope.workspace.projects import NewVersion

SYSTEMS = {"base-seed1": 1, "base-seed2": 2, "base-seed3": 3, "other": 4}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Two test sets with four systems, three of which are runs of one recipe; the second lacks one of them."""
    folder = tmp_path_factory.mktemp("runs")
    for place, name in enumerate(("news.en-de", "talk.en-de")):
        (folder / name).mkdir()
        lines = [f"der Hund läuft schnell über das grüne Haus {line}" for line in range(14)]
        (folder / name / "ref.de").write_text("\n".join(lines) + "\n", encoding="utf-8")
        for system, n_wrong in SYSTEMS.items():
            if (place, system) == (1, "base-seed3"):
                continue
            wrong = [" ".join(["x"] * n_wrong + line.split()[n_wrong:]) for line in lines]
            (folder / name / f"{system}.de").write_text("\n".join(wrong) + "\n", encoding="utf-8")
    return folder


def seen(folder):
    plan = plan_campaign(str(folder))
    run = run_campaign(plan, None, SignificanceOptions(trials=99, resamples=99))
    return CampaignView("Runs", combine(run.results), plan.left_out, run.failed)


@pytest.fixture(scope="module")
def view(folder):
    return seen(folder)


def test_recipes_stand_with_mean_and_deviation_of_their_runs_on_each_set(view):
    assert dict(view.recipes) == {"base": ("base-seed1", "base-seed2", "base-seed3"), "other": ("other",)}
    assert (view.systems, view.has_runs) == (("base", "other"), True)
    sheet = sheets.recipes_sheet(view)
    assert list(sheet.frame["recipe"]) == ["base", "other"]
    assert list(sheet.frame["runs"]) == [3, 1]
    for one in view.sets:
        scores = [score for _, score in one.runs_of("base")]
        row = sheet.frame.iloc[0]
        assert row[f"bleu_{one.name}"] == pytest.approx(fmean(scores)) == pytest.approx(one.score("base"))
        assert row[f"bleu_{one.name}_deviation"] == pytest.approx(stdev(scores))
        assert row[f"bleu_{one.name}_runs"] == len(scores)
        assert view.cells["base", one.name].deviation == pytest.approx(stdev(scores))
        assert view.cells["other", one.name].deviation is None
    assert [view.run_on("base", one.name) for one in view.sets] == ["base-seed1"] * 2
    assert view.run_on("other", view.sets[0].name) == "other"


def test_matrix_and_table_show_the_spread(view, made_campaign):
    name = view.sets[0].name
    deviation = numbers.score(view.cells["base", name].deviation)
    drawn = str(matrix_html(view, view.order(), view.groups(), leads_on=True))
    assert f" ± {deviation}</b>" in drawn
    assert "mean of 3 runs" in drawn
    assert SPREAD in legend_words(view, leads_on=True)
    sheet = sheets.matrix_sheet(view)
    (field,) = (one for one in sheet.fields if one.heading == name)
    assert field.notes[0].text.endswith(f" ± {deviation}")
    assert SPREAD not in legend_words(made_campaign, leads_on=True)


def test_the_verdict_is_about_recipes_and_says_so(view, made_campaign):
    (pair,) = view.campaign.pairs
    assert pair.n_runs == (2, 1)
    told = words.campaign_verdict(view).markdown()
    assert OF_RECIPES in told
    assert "2 and 1 runs" in told
    said = sheets.runs_told(view)
    assert "base (3 runs)" in said
    assert sheets.OF_MEANS in said
    assert sheets.OF_MEANS in sheets.matrix_sheet(view).caption
    pairs = sheets.pairs_sheet(view)
    assert sheets.P_OF_RUNS in pairs.caption
    assert next(iter(pairs.frame["claim"])).startswith("recipe, ")
    assert "Satterthwaite" in methods_sentence(view)
    assert not made_campaign.has_runs
    assert NO_TRAINING_NOISE in words.campaign_verdict(made_campaign).markdown()
    assert sheets.OF_MEANS not in sheets.matrix_sheet(made_campaign).caption
    assert "claim" not in sheets.pairs_sheet(made_campaign).frame


def test_a_campaign_of_recipes_alone_says_nothing_of_trials(view, made_campaign):
    for told in (methods_sentence(view), words.pairs_note(view).markdown(), sheets.pairs_sheet(view).caption):
        assert "randomisation" not in told
        assert "trial" not in told
        assert "Student's t" in told
    assert "Differences count as significant if p is below 0.05." in methods_sentence(view)
    assert "which exchanges outputs within each test set" in words.pairs_note(made_campaign).markdown()
    assert "Student" not in methods_sentence(made_campaign)


def test_single_runs_next_to_recipes_are_told_apart(folder, tmp_path):
    shutil.copytree(folder, tmp_path / "more")
    for place in (tmp_path / "more").iterdir():
        lines = (place / "ref.de").read_text(encoding="utf-8").splitlines()
        text = "\n".join(line.replace("Hund", "x y z u v") for line in lines)
        (place / "third.de").write_text(f"{text}\n", encoding="utf-8")
    more = seen(tmp_path / "more")
    assert more.has_single_pairs
    told = methods_sentence(more)
    assert "differences of two single runs were tested with" in told
    assert "the mean difference of two single runs was tested by stratified randomisation" in told
    assert "All p-values over all test sets were corrected for 3 pairs after Holm (1979)." in told
    for said in (words.pairs_note(more).markdown(), sheets.pairs_sheet(more).caption):
        assert "p of two single runs: stratified randomisation" in said
        assert sheets.P_OF_RUNS in said
    assert HOLM_OF_RUNS in sheets.pairs_sheet(more).caption
    assert HOLM_OF_RUNS in words.remarks(more).markdown()


def test_why_there_is_no_p_stands_in_its_place(folder, tmp_path):
    shutil.copytree(folder, tmp_path / "less")
    (tmp_path / "less" / "talk.en-de" / "base-seed2.de").unlink()
    less = seen(tmp_path / "less")
    (pair,) = less.campaign.pairs
    assert pair.p_value is None
    assert pair.remark == TOO_FEW.format("'base'")
    sheet = sheets.pairs_sheet(less)
    (field,) = (one for one in sheet.fields if one.key == "p_corrected")
    assert field.notes == {0: Note(sheets.NO_P, pair.remark)}
    assert list(sheet.frame["remark"]) == [pair.remark]
    assert sheets.document_of(less)["pairs"][0]["remark"] == pair.remark
    said = words.campaign_verdict(less)
    assert "no test is possible" in said.markdown()
    assert "fewer than two are on every test set of this pair" in said.markdown()
    assert OF_RECIPES not in said.markdown()


def test_the_verdict_of_a_single_set_says_so_too(view):
    one = replace(view, campaign=combine(view.sets[:1]))
    assert OF_RECIPES in words.campaign_verdict(one).markdown()


def test_a_baseline_can_be_a_recipe_or_a_run_of_it(bleuscope, folder):
    found = []
    for baseline in ("base", "base-seed2"):
        code, out, err = bleuscope("campaign", str(folder), "--no-workspace", "--baseline", baseline, "-f", "json")
        assert code == 0, err
        found.append(json.loads(out)["pairs"])
    assert found[0] == found[1]
    assert [(row["a"], row["b"]) for row in found[0]] == [("base", "other")]


def test_finished_sets_keep_their_runs(folder, tmp_path):
    plan, tests = plan_campaign(str(folder)), SignificanceOptions(trials=99, resamples=99)
    with open_workspace(place_of(str(tmp_path / "kept"))) as workspace:
        made, again = (run_campaign(plan, None, tests, kept=workspace.caches) for _ in range(2))
    assert again.n_kept == 2
    for one, other in zip(made.results, again.results, strict=True):
        assert (one.runs, one.run_freedom) == (other.runs, other.run_freedom)
        assert np.array_equal(one.run_errors, other.run_errors)
    assert combine(again.results).pairs[0].p_value == combine(made.results).pairs[0].p_value


def test_a_report_has_the_recipes(view, made_campaign):
    def titles(of):
        return [
            block.sheet.title for one in campaign_report(of).sections for block in one.blocks if hasattr(block, "sheet")
        ]

    assert "Runs: recipes" in titles(view)
    assert "Made: recipes" not in titles(made_campaign)
    assert isinstance(words.campaign_verdict(view), Text)


def test_the_command_offers_recipes_where_there_are_some(bleuscope, folder, campaign_folder):
    code, out, _ = bleuscope("campaign", str(folder), "--no-workspace")
    assert code == 0
    assert "base (3 runs)" in out.replace("\n", " ")
    assert "± s.d., news" in out
    code, out, _ = bleuscope("campaign", str(folder), "--no-workspace", "--table", "recipes", "-f", "json")
    assert [(row["recipe"], row["runs"]) for row in json.loads(out)["recipes"]] == [("base", 3), ("other", 1)]
    _, out, err = bleuscope("campaign", str(campaign_folder), "--no-workspace", "--table", "recipes")
    assert out == ""
    assert "recipes" in err


def test_a_project_has_every_run_of_the_newest_version(versions_place):
    with open_workspace(versions_place) as workspace:
        me, project = workspace.people.person(LOCAL), workspace.projects.find("en-de")
        news = workspace.projects.test_set(project, "news")
        lines = workspace.projects.outputs(workspace.projects.versions(project, news, "base")[0])
        for run in ("1", "seed 2"):
            new = NewVersion("base", "v9", [*lines[:-1], f"run {run}"], 9_000, run=run)
            workspace.projects.push(project, news, new, me)
        (planned,) = (one for one in plan_of_project(workspace, project).sets if one.name == "news")
    assert {name for name in planned.systems if name.startswith("base")} == {"base, run 1", "base, seed 2"}
