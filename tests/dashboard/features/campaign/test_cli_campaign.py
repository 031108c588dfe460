"""``bleuscope campaign``: its forms, its JSON, its report, and what it refuses."""

import json
import shlex

import pytest

from bleuscope.content.sheets.forms import COMMAND_FORMS
from bleuscope.content.style import numbers

LACKING = "middle <i>"
FEW = ("--trials", "199", "--resamples", "200")


@pytest.fixture
def campaign(bleuscope, campaign_folder):
    """Runs the command on ``campaign_folder``, with few trials, where nothing is kept."""

    def run(*words, path=campaign_folder):
        return bleuscope("campaign", str(path), "--no-workspace", *FEW, *words)

    return run


def test_json_has_test_sets_systems_and_pairs(campaign, made_campaign):
    code, out, problem = campaign("--format", "json")
    assert code == 0
    document = json.loads(out)
    for one in document["test_sets"]:
        scores = {system["name"]: system["bleu"] for system in one["systems"]}
        assert scores == {
            name: made_campaign.cells[name, one["name"]].score
            for name in made_campaign.campaign.set_called(one["name"]).systems
        }
        assert all({"interval", "cluster"} <= set(system) for system in one["systems"])
    assert [
        {"a", "b", "wins", "losses", "p", "p_corrected", "n_sets_better"} - set(pair) for pair in document["pairs"]
    ] == [set()] * 3
    assert document["left_out"][0]["path"] == "broken.xlsx"
    assert "broken.xlsx" in problem


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("--seed", "7", "--unit", "segment", "--level", "0.2"),
        ("--test", "paired-bootstrap", "--correction", "holm"),
        ("--test", "block-t", "--blocks", "2", "--shuffle-blocks", "3", "--remainder", "spread"),
    ],
    ids=" ".join,
)
def test_json_names_the_options_that_give_it_again(bleuscope, campaign, campaign_folder, words):
    document = json.loads(campaign("--format", "json", *words)[1])
    told = document["combined_test"]
    assert told["seed"] == (7 if "7" in words else 12345)
    again = bleuscope(
        *("campaign", str(campaign_folder), "--no-workspace", "--format", "json"),
        *shlex.split(told["test_options"]),
        *("--seed", str(told["seed"]), "--level", str(told["level"])),
    )
    assert json.loads(again[1]) == document


def test_another_seed_gives_other_numbers(campaign):
    first, second = (json.loads(campaign("--format", "json", "--seed", seed)[1])["test_sets"] for seed in "78")
    assert first != second


def test_a_table_is_the_matrix_the_systems_and_the_pairs(campaign, made_campaign):
    code, out, _ = campaign()
    assert code == 0
    for cell in made_campaign.cells.values():
        assert numbers.score(cell.score) in out
    assert "mean rank" in out
    assert "B wins" in out
    assert "What did not fit" not in out


@pytest.mark.parametrize("form", [one for one in COMMAND_FORMS if one not in ("table", "json")])
def test_has_every_form(campaign, tmp_path, form):
    code, _, problem = campaign("--format", form, "--output", str(tmp_path / "out"))
    assert code == 0, problem
    assert (tmp_path / "out").stat().st_size


def test_a_baseline_is_compared_with_all_others_alone(campaign):
    document = json.loads(campaign("--baseline", "best", "--format", "json")[1])
    assert document["baseline"] == "best"
    assert {pair["a"] for pair in document["pairs"]} == {"best"}


def test_another_metric_and_other_settings_can_be_asked_for(campaign):
    for words in (("--metrics", "chrf", "--metric", "chrF2"), ("--metric", "chrf2")):
        document = json.loads(campaign(*words, "--format", "json")[1])
        assert (document["metric"], document["higher_is_better"]) == ("chrF2", True)
        assert "chrf2" in document["test_sets"][0]["systems"][0]
    document = json.loads(campaign("--metrics", "ter:case-sensitive", "--metric", "TER", "--format", "json")[1])
    assert (document["metric"], document["higher_is_better"]) == ("TER", False)
    assert all("case:mixed" in one["signature"] for one in document["test_sets"])
    document = json.loads(campaign("--tokenize", "char", "--format", "json")[1])
    assert all("|tok:char|" in one["signature"] for one in document["test_sets"])


@pytest.mark.parametrize("name", ["campaign.html", "campaign.md"])
def test_writes_a_report(campaign, tmp_path, made_campaign, name):
    code, _, problem = campaign("--report", str(tmp_path / name), "--group-by", "direction")
    assert code == 0, problem
    text = (tmp_path / name).read_text(encoding="utf-8")
    assert ("<html" in text) == name.endswith(".html")
    assert all(numbers.score(cell.score) in text for cell in made_campaign.cells.values())
    assert "--group-by direction" in text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--baseline", "none"), "Option --baseline"),
        (("--metric", "COMET"), "Option --metric"),
        (("--metrics", "chrf"), "a campaign is in one metric"),
        (("--report", "nowhere/report.html"), "nowhere"),
        (("--report", "report.json"), "Option --report: this command does not write json (found report.json, expected"),
        (("--report", "report.txt"), "Option --report: this command does not write plain text"),
        (("--report", "report.pdf"), "Option --report: no format has this ending"),
        (("--table", "none"), "table"),
    ],
)
def test_refuses_what_is_not_there(campaign, words, said):
    code, out, problem = campaign(*words)
    assert (code, out) == (2, "")
    assert said in problem


def test_refuses_a_path_without_a_test_set(campaign, tmp_path):
    (tmp_path / "empty").mkdir()
    for path in (tmp_path / "empty", tmp_path / "gone"):
        code, out, problem = campaign(path=path)
        assert (code, out) == (2, "")
        assert path.name in problem


def test_kinds_of_errors_divide_the_difference_on_each_set_as_the_page_says(bleuscope, campaign_folder, made_campaign):
    code, out, problem = bleuscope("kinds", str(campaign_folder), "--pair", LACKING, "best", "--format", "json")
    assert code == 0, problem
    rows = json.loads(out)["kinds-of-sets"]
    assert rows
    for row in rows:
        parts = [value for key, value in row.items() if key not in {"test_set", "difference"}]
        assert sum(parts) == pytest.approx(row["difference"], abs=1e-9)
        first, second = (made_campaign.cells[name, row["test_set"]].score for name in (LACKING, "best"))
        assert row["difference"] == pytest.approx(second - first, abs=1e-9)


def test_kinds_of_a_campaign_need_two_systems_that_there_are(bleuscope, campaign_folder):
    for asked in (("--pair", "best", "nobody"), ("--pair", "best", "best"), ()):
        code, _, problem = bleuscope("kinds", str(campaign_folder), *asked)
        assert code == 2
        assert "Option --pair" in problem
