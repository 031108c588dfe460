"""The page Campaign where systems have several runs: rows of recipes, cells that open runs, and cuts of a drop."""

import pytest

from bleuscope.features.campaign import panel as campaign_panel
from bleuscope.features.campaign.opened_plan import CAMPAIGN_VARIABLE, campaign_to_environment

LINES = [f"der Hund läuft schnell über das grüne Haus {line}" for line in range(14)]
SYSTEMS = {"base-seed1": 1, "base-seed2": 2, "other": 4}


@pytest.fixture
def app(tmp_path, open_link, monkeypatch):
    for name in ("news.en-de", "talk.en-de"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "ref.de").write_text("\n".join(LINES) + "\n", encoding="utf-8")
        for system, n_wrong in SYSTEMS.items():
            wrong = [" ".join(["x"] * n_wrong + line.split()[n_wrong:]) for line in LINES]
            (tmp_path / name / f"{system}.de").write_text("\n".join(wrong) + "\n", encoding="utf-8")
    monkeypatch.setenv(CAMPAIGN_VARIABLE, "")
    campaign_to_environment(str(tmp_path))
    found = open_link("campaign", trials="199", resamples="200")
    assert not found.exception, [one.message for one in found.exception]
    return found


def test_recipes_are_rows_and_a_cell_opens_all_their_runs(app):
    page = " ".join(str(one.proto.body) for one in app.get("html"))
    assert "mean of 2 runs" in page
    assert "training noise included" in page
    assert "Recipes by test sets" in [one.value for one in app.header]
    app.text_input(key=campaign_panel.ASKED_CELL).set_value("0-1.1").run()
    assert not app.exception, [one.message for one in app.exception]
    assert app.title[0].value == "Runs"
    page = " ".join(str(one.proto.body) for one in app.get("html"))
    assert "base" in page
    assert "other" in page


def test_a_baseline_is_a_recipe(app):
    assert {"base", "other"} <= set(app.selectbox(key="campaign_baseline").options)
    assert "base-seed1" not in app.selectbox(key="campaign_baseline").options


def test_a_drop_offers_to_cut_outputs_in_other_lines(open_link, monkeypatch):
    monkeypatch.setenv(CAMPAIGN_VARIABLE, "")
    app = open_link("campaign")
    for name in ("news.en-de", "talk.en-de"):
        whole = [" ".join(LINES)] if name.startswith("talk") else LINES
        for file, lines in (
            ("ref", LINES),
            ("plain", [line.replace("schnell", "rasch") for line in LINES]),
            ("whole", whole),
        ):
            app.file_uploader[0].upload(f"{name}/{file}.de", ("\n".join(lines) + "\n").encode(), "text/plain")
    app.run()
    assert app.button(key="align-campaign").label == "Cut 1 output at the segments of the reference"
    app.button(key="align-campaign").click().run()
    assert not app.exception, [one.message for one in app.exception]
    assert "align-campaign" not in [one.key for one in app.button]
    assert app.button(key="open-campaign").label == "Score 2 test sets with 2 systems"
