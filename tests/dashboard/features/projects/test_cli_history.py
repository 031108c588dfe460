"""``bleuscope history``: its forms, the same numbers as scoring, and what it refuses."""

import json

import pytest

from bleucore import BleuOptions, evaluate
from bleucore.significance import SignificanceOptions, compare
from bleuscope.content.comparison.differences import compared_systems
from bleuscope.workspace import open_workspace
from bleuscope.workspace.people import LOCAL
from bleuscope.workspace.projects import NewVersion

ASKED = ("history", "--project", "en-de", "--test-set", "news")


@pytest.fixture
def history(bleuscope, versions_place):
    """Runs ``bleuscope history`` on the project of ``versions_place``."""

    def run(*words, asked=ASKED):
        return bleuscope(*asked, "--workspace", str(versions_place.folder), *words)

    return run


@pytest.fixture
def texts(versions_place):
    with open_workspace(versions_place) as workspace:
        project = workspace.projects.find("en-de")
        news = workspace.projects.test_set(project, "news")
        return workspace.projects.texts(news, workspace.projects.versions(project, news))


def test_json_holds_every_version_with_score_and_interval(history, texts):
    code, out, _ = history("--format", "json")
    assert code == 0
    found = json.loads(out)
    bleu = evaluate(texts).bleu
    tested = compare(compared_systems(texts, bleu), SignificanceOptions(trials=50))
    assert (found["test_set"], found["signature"]) == ("news", bleu.signature)
    assert [one["name"] for one in found["systems"]] == ["base", "nightly & <i>"]
    for system in found["systems"]:
        for version in system["versions"]:
            name = f"{system['name']} {version['version']}"
            assert version["bleu"] == bleu.systems[name].score
            assert tuple(version["interval"]) == tested.intervals[name]
            assert len(version["digest"]) == 64
    assert [one["step"] for one in found["systems"][0]["versions"]] == [0, 1000, 2000, 3000]
    assert found["warnings"] == ["old is not compared: no version on news; its versions are on olds."]


def test_json_of_one_system_holds_that_alone(history):
    _, out, _ = history("--system", "base", "--format", "json")
    assert [one["name"] for one in json.loads(out)["systems"]] == ["base"]


def test_a_table_is_the_leaderboard_and_of_one_system_its_versions(history):
    _, out, _ = history()
    assert out.splitlines()[0].split()[:2] == ["system", "BLEU"]
    assert out.splitlines()[2].startswith("base")
    _, out, _ = history("--system", "base")
    assert [line.split()[0] for line in out.splitlines()[2:6]] == ["v1", "v2", "v3", "v4"]
    assert "Δ before" in out


@pytest.mark.parametrize("form", ["tsv", "csv", "markdown", "latex"])
def test_has_every_form(history, form):
    code, out, _ = history("--format", form)
    assert code == 0
    assert "v4" in out


def test_the_best_version_of_each_and_a_baseline_can_be_asked_for(history):
    _, out, _ = history("--table", "leaderboard", "--which", "best", "--baseline", "base", "--format", "json")
    found = json.loads(out)
    assert (found["facts"]["baseline"], found["facts"]["baseline_is"]) == ("base", "chosen")
    assert [row["version"] for row in found["leaderboard"]] == ["v4", "v1"]


def test_the_tokenizer_is_that_of_the_target_language_unless_named(history, versions_place, texts):
    with open_workspace(versions_place) as workspace:
        me, project = workspace.people.person(LOCAL), workspace.projects.find("en-de")
        given = workspace.projects.test_set(project, "news")
        chinese = workspace.projects.texts(given, workspace.projects.versions(project, given)[:1])
        object.__setattr__(chinese, "languages", ("en", "zh"))
        kept = workspace.projects.put_test_set(project, "zh", chinese, me)
        workspace.projects.push(project, kept, NewVersion("s", "1", chinese.systems[0].hypotheses), me)
    asked = ("history", "--project", "en-de", "--test-set", "zh")
    assert "|tok:zh|" in json.loads(history("-f", "json", asked=asked)[1])["signature"]
    assert "|tok:13a|" in json.loads(history("-f", "json", "--tokenize", "13a", asked=asked)[1])["signature"]


def test_the_verdict_of_a_leaderboard_knows_what_is_wrong_with_the_texts(history, versions_place):
    def facts():
        return json.loads(history("--table", "leaderboard", "-f", "json")[1])["facts"]

    assert facts()["verdict_state"] != "check-texts"
    with open_workspace(versions_place) as workspace:
        me, project = workspace.people.person(LOCAL), workspace.projects.find("en-de")
        news = workspace.projects.test_set(project, "news")
        workspace.projects.push(
            project, news, NewVersion("copied", "1", workspace.projects.references(news).columns[0]), me
        )
    assert facts()["verdict_state"] == "check-texts"
    assert "copied" in facts()["verdict_reason"]


def test_other_settings_are_those_of_score(history, texts):
    _, out, _ = history("--format", "json", "--lowercase")
    assert json.loads(out)["signature"] == evaluate(texts, BleuOptions(lowercase=True)).signature


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--system", "none"), "no system of this name"),
        (("--table", "leaderboard", "--baseline", "none"), "no system of this name"),
        (("--metrics", "chrf"), "a history is in one metric"),
        (("--metric", "chrf"), "no metric of this name"),
    ],
)
def test_refuses_what_is_not_there(history, words, said):
    code, out, problem = history(*words)
    assert (code, out) == (2, "")
    assert said in problem


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (("history", "--project", "none", "--test-set", "news"), "no such project"),
        (("history", "--project", "en-de", "--test-set", "none"), "no such test set"),
    ],
)
def test_refuses_a_project_or_test_set_that_is_not_there(history, asked, said):
    code, _, problem = history(asked=asked)
    assert code == 2
    assert said in problem


def test_a_test_set_without_versions_has_none(history, versions_place, texts):
    with open_workspace(versions_place) as workspace:
        project = workspace.projects.find("en-de")
        workspace.projects.put_test_set(project, "bare", texts, workspace.people.person(LOCAL))
    asked = ("history", "--project", "en-de", "--test-set", "bare")
    assert json.loads(history("-f", "json", asked=asked)[1])["systems"] == []
    assert history(asked=asked)[0] == 0
    code, _, problem = history("--system", "base", asked=asked)
    assert code == 2
    assert "no version of a system was pushed" in problem
