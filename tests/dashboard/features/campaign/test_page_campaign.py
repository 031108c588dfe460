"""The page Campaign: on a folder, on nothing, on what is dropped; its cells, orders, ways on, report and address."""

import json
import re
import shlex
import threading

import pytest

from bleucore import BleuOptions
from bleucore.metrics.chrf import ChrfOptions
from bleucore.significance import SignificanceOptions
from bleuscope.content.style import numbers
from bleuscope.features.campaign import frame as campaign_frame
from bleuscope.features.campaign import panel as campaign_panel
from bleuscope.features.campaign import panel_matrix as matrix_panel
from bleuscope.features.campaign import params, running
from bleuscope.features.campaign.frame import AskedCampaign
from bleuscope.features.campaign.open_campaign import OpenCampaign
from bleuscope.features.campaign.opened_plan import CAMPAIGN_VARIABLE
from bleuscope.features.campaign.plan_files import plan_campaign
from bleuscope.shell.state import workspace_in_use

LACKING = "middle <i>"
FEW = {"trials": "199", "resamples": "200"}


def html_of(app):
    return " ".join(str(one.proto.body) for one in app.get("html"))


def matrix_of(app, read_html):
    (body,) = (
        one.proto.body for one in app.get("html") if "bs-matrix" in one.proto.body and "<table" in one.proto.body
    )
    return read_html(body)


def press(app, place):
    """What the browser writes when a cell is pressed."""
    app.text_input(key=campaign_panel.ASKED_CELL).set_value(f"{place}.1").run()
    assert not app.exception, [one.message for one in app.exception]
    return app


class TestOnACampaign:
    def test_shows_every_cell_what_holds_over_all_and_what_did_not_fit(self, open_campaign, read_html, command_of):
        app = open_campaign()
        html = matrix_of(app, read_html)
        assert len(html.of_class("bs-heat")) == 8
        assert [one.value for one in app.header] == ["Systems by test sets", "Over all test sets"]
        said = html_of(app)
        assert "scales differ" in said
        assert "<i>to" not in said
        assert "middle &lt;i&gt;" in said
        assert "broken.xlsx" in html_of(open_campaign(door="campaign_data"))
        assert command_of(open_campaign(door="campaign_share")).startswith("bleuscope campaign /")

    @pytest.mark.parametrize(
        ("door", "headers"),
        [
            ("campaign_compare", ["Pairs of systems", "Differences by test set"]),
            ("campaign_segments", ["Worse on every test set", "Segments of one test set"]),
            ("campaign_trust", ["Test sets against the rest"]),
            ("campaign_data", ["Test sets", "What did not fit"]),
            ("campaign_share", []),
        ],
    )
    def test_every_door_has_its_part_and_names_are_as_written(self, open_campaign, door, headers):
        app = open_campaign(door=door)
        assert [one.value for one in app.header] == headers
        assert "middle <i>" not in html_of(app)
        labels = [one.proto.label.strip("*") for one in app.get("page_link")]
        assert labels[:5] == ["Summary", "Compare", "Segments", "Trust", "Data"]
        assert labels[-1] == "Share"

    def test_the_segments_of_a_test_set_are_one_press_away(self, open_campaign, made_campaign):
        app = open_campaign(door="campaign_segments")
        app.button(key=f"segments-of-{made_campaign.sets[0].name}").click().run()
        assert not app.exception
        assert app.title[0].value == "Segments"
        assert app.button(key="way-back").label.startswith("Back to")

    @pytest.mark.parametrize(("key", "title"), [("lost", "Segments of all test sets"), ("paper", "Share the campaign")])
    def test_an_older_address_leads_to_where_its_part_is(self, open_campaign, key, title):
        assert open_campaign(**{key: "true"}).title[0].value == title

    def test_an_order_and_a_group_stay_in_the_address(self, open_campaign, read_html):
        html = matrix_of(open_campaign(campaign_order="name", campaign_groups="direction"), read_html)
        assert [row[0].rstrip().split(" ", 1)[-1] for row in html.rows()[2:]]
        assert {"from English", "into English"} <= set(html.rows()[0])

    def test_a_cell_opens_the_comparison_of_its_set(self, open_campaign, read_html, made_campaign):
        app = open_campaign()
        place = next(one.attributes["data-place"] for one in matrix_of(app, read_html).of_class("bs-heat"))
        system, of_set = map(int, place.split("-"))
        press(app, place)
        assert app.title[0].value == "Compare"
        assert app.session_state["b"] == made_campaign.systems[system]
        seed = made_campaign.campaign.sets[of_set].options.seed
        assert app.number_input(key="seed").value == seed != SignificanceOptions().seed
        assert made_campaign.campaign.set_names[of_set] in html_of(app)

    def test_the_head_of_a_column_opens_its_test_set(self, open_campaign):
        assert press(open_campaign(), "-1").title[0].value == "Summary"

    @pytest.mark.parametrize("junk", ["9999-0", "0-9999", "<script>", "--", "-"])
    def test_what_names_no_cell_opens_nothing(self, open_campaign, junk):
        assert press(open_campaign(), junk).title[0].value == "Campaign"

    def test_is_scored_by_work_that_goes_on_when_the_page_is_left(self, open_campaign, monkeypatch):
        threads = []

        def run(*arguments, progress, **options):
            threads.append(threading.current_thread().name)
            assert progress is not None
            return running.run_campaign(*arguments, progress=progress, **options)

        monkeypatch.setattr(campaign_panel, "run_campaign", run)
        open_campaign(campaign_metric="TER", **FEW)
        assert threads == ["shared work"]

    def test_nothing_is_computed_again_at_a_click(self, open_campaign, monkeypatch):
        app = open_campaign()

        def refuse(*_arguments, **_options):
            raise AssertionError("computed again")

        monkeypatch.setattr(campaign_panel, "run_campaign", refuse)
        monkeypatch.setattr(campaign_panel, "combine", refuse)
        app.selectbox(key="campaign_order").set_value("name").run()
        assert not app.exception

    def test_settings_of_bleu_score_nothing_again_in_another_metric(self, open_campaign, monkeypatch):
        asked = []
        run = campaign_panel.run_campaign

        def noted(_plan, options, *rest, **how):
            asked.append(options)
            return run(_plan, options, *rest, **how)

        monkeypatch.setattr(campaign_panel, "run_campaign", noted)
        few = FEW | {"campaign_seed": "5"}  # which no other test has scored
        app = open_campaign(campaign_metric="chrF2", **few)
        app.selectbox(key=params.CAMPAIGN_TOKENIZER).set_value("char").run()
        app.selectbox(key=params.CAMPAIGN_METRIC).set_value("chrF2++").run()
        app.selectbox(key=params.CAMPAIGN_METRIC).set_value("chrF2").run()
        assert not app.exception
        assert asked == [ChrfOptions(), ChrfOptions(word_order=2)]

    def test_a_baseline_makes_a_family_of_its_own(self, open_campaign):
        assert "Δ of each system from" in html_of(open_campaign(door="campaign_compare", campaign_baseline="best"))
        assert "Over all test sets together" in html_of(open_campaign(campaign_baseline="best"))

    def test_another_tokenizer_is_scored_with(self, open_campaign):
        app = open_campaign(door="campaign_trust", campaign_tok="char")
        assert "|tok:char|" in html_of(app)

    def test_settings_of_comparisons_are_in_signature_methods_and_command(self, open_campaign, command_of):
        asked = {
            "lc": "true",
            "smooth": "add-k",
            "order": "3",
            "test": "paired-bootstrap",
            "resamples": "200",
            "campaign_seed": "7",
        }
        said = html_of(open_campaign(door="campaign_trust", **asked))
        app = open_campaign(door="campaign_share", **asked, paper="true")
        assert "case:lc|eff:no|tok:13a|smooth:add-k[1.00]|order:3|" in said
        assert "test:paired-bootstrap|bs:200|seed:7|" in said
        assert "the paired bootstrap" in app.code[0].value
        assert "200 resamples" in app.code[0].value
        command = command_of(app)
        for words in (
            "--lowercase",
            "--smooth-method add-k",
            "--max-ngram-order 3",
            "--test paired-bootstrap",
            "--resamples 200",
            "--seed 7",
        ):
            assert words in command
        assert "--tokenize" not in command

    @pytest.mark.parametrize(
        ("metric", "paper"),
        [("chrF2", "Popović, 2015"), ("chrF2++", "Popović, 2017"), ("TER", "Snover et al., 2006")],
    )
    def test_another_metric_is_in_every_part_and_in_the_command_that_gives_its_numbers(
        self, open_campaign, read_html, command_of, bleuscope, metric, paper
    ):
        asked = {"campaign_metric": metric, "campaign_tok": "char", **FEW}
        app = open_campaign(**asked)
        html, said = matrix_of(app, read_html), html_of(app)
        assert f"{metric} has its usual settings" in app.sidebar.caption[0].value.replace("\\", "")
        said += html_of(open_campaign(door="campaign_compare", **asked))
        said += html_of(open_campaign(door="campaign_segments", **asked))
        app = open_campaign(door="campaign_share", paper="true", **asked)
        assert not app.error
        assert f"Δ {metric}" in said
        assert "BLEU’s tokens, and costs are in BLEU points" in said
        assert "tok:char" not in said
        assert "Δ BLEU" not in said
        assert paper in app.code[0].value
        assert "Papineni" not in app.code[0].value
        command = command_of(app)
        assert f" --metric {metric} --trials 199 --resamples 200 /" in command
        code, out, _ = bleuscope(*shlex.split(command)[1:], "--no-workspace", "--format", "json")
        assert code == 0
        document = json.loads(out)
        assert document["metric"] == metric
        assert document["higher_is_better"] == (metric != "TER")
        shown = {numbers.score(system[metric.casefold()]) for one in document["test_sets"] for system in one["systems"]}
        assert {re.search(r"\d+\.\d\d", one.text)[0] for one in html.of_class("bs-heat")} == shown

    @pytest.mark.parametrize("metric", ["BLEU", "chrF2", "chrF2++", "TER"])
    def test_a_cell_opens_the_comparison_led_by_the_metric_of_the_page(self, open_campaign, metric):
        app = press(open_campaign(campaign_metric=metric, **FEW), "0-0")
        assert app.title[0].value == "Compare"
        assert app.selectbox(key="tested").value == metric
        said = ("tested",) if metric != "BLEU" else ()  # an address says nothing of what is usual
        in_link = {key: "".join(app.query_params[key]) for key in ("a", "b", *said)}
        assert in_link == {key: app.session_state[key] for key in in_link}

    def test_junk_in_place_of_a_metric_is_dropped(self, open_campaign):
        app = open_campaign(campaign_metric="<script>")
        assert app.selectbox(key=params.CAMPAIGN_METRIC).value == "BLEU"
        assert "campaign_metric" not in app.query_params

    def test_so_many_pairs_are_compared_only_when_asked_for(self, open_campaign, monkeypatch):
        monkeypatch.setattr(campaign_panel, "MOST_PAIRS_UNASKED", 2)
        monkeypatch.setattr(campaign_frame, "HELD_PAIRS", 1)
        app = open_campaign(order="2")  # which no other test has scored
        assert "take minutes" in html_of(app)
        assert "bs-matrix" not in html_of(app)
        app.button(key="compare-all-pairs").click().run()
        assert not app.exception
        assert "bs-matrix" in html_of(app)

    def test_of_many_systems_those_with_the_baseline_alone_are_compared(self, open_campaign, monkeypatch):
        asked = []
        run = campaign_panel.run_campaign

        def noted(*arguments, **options):
            asked.append(options["baseline"])
            return run(*arguments, **options)

        monkeypatch.setattr(campaign_panel, "run_campaign", noted)
        open_campaign(campaign_baseline="best", order="1")
        monkeypatch.setattr(campaign_frame, "HELD_PAIRS", 1)
        open_campaign(campaign_baseline="best", order="1")
        assert asked == [None, "best"]

    @pytest.mark.parametrize(("most_held", "n_pairs"), [(3, 7), (2, 5), (0, 4)])
    def test_of_many_systems_a_set_without_the_baseline_has_no_pairs(
        self, campaign_folder, monkeypatch, most_held, n_pairs
    ):
        monkeypatch.setattr(campaign_frame, "HELD_PAIRS", most_held)
        opened = OpenCampaign(plan_campaign(str(campaign_folder)), "digest", None)
        bleu, tests = BleuOptions(), SignificanceOptions()
        asked = AskedCampaign(opened, bleu, bleu, has_own_tokenizers=True, tests=tests, baseline=LACKING)
        assert asked.n_pairs == n_pairs  # of sets with 3, 3 and 2 systems, the last one without it

    @pytest.mark.parametrize("metric", ["BLEU", "TER"])
    def test_phrases_lost_on_every_set_are_found_when_asked_for(self, open_campaign, metric):
        app = open_campaign(
            door="campaign_segments", lost_by=LACKING, lost_against="best", campaign_metric=metric, **FEW
        )
        assert ("BLEU’s tokens" in html_of(app)) == (metric != "BLEU")
        tables = [one for one in app.dataframe if "_rows_lost-segments" in str(one.key)]
        assert len(tables) == 1
        app.session_state[tables[0].key] = {"selection": {"rows": [0], "columns": [], "cells": []}}
        app.run()
        assert not app.exception
        assert app.title[0].value == "Segments"
        assert (app.session_state["a"], app.session_state["b"]) == (LACKING, "best")
        assert app.session_state["tested"] == "BLEU"  # as the parts that led there

    def test_makes_a_report_with_the_address_of_the_page(self, open_campaign):
        app = open_campaign(door="campaign_share")
        app.session_state["campaign_report"] = True
        app.run()
        app.button(key="make_campaign_report").click().run()
        assert not app.exception
        assert app.get("download_button")


class TestLink:
    def test_names_everything_chosen_and_the_digest_and_is_kept_under_a_name(self, open_campaign, empty_place):
        workspace_in_use.use(empty_place, is_shared=False)
        app = open_campaign(campaign_baseline="best", campaign_order="name", lc="true")
        app.session_state["link"] = True
        app.run()
        (address,) = (one.value for one in app.code if "campaign=files" in one.value)
        for said in ("campaign_baseline=best", "campaign_order=name", "lc=true"):
            assert said in address
        assert re.search(r"campaign_digest=[0-9a-f]{16}(&|$)", address)
        app.text_input(key="_view_name").set_value("mine").run()
        app.button(key="_keep_view").click().run()
        (kept,) = workspace_in_use.workspace().views.all(workspace_in_use.somebody()[1])
        assert (kept.name, kept.page, kept.query) == ("mine", "campaign", address.partition("?")[2])
        workspace_in_use.use(None, is_shared=False)

    def test_to_other_files_says_so_until_that_is_seen(self, open_campaign):
        app = open_campaign(campaign="files", campaign_digest="0" * 16)
        assert "made for other files" in app.warning[0].value
        assert "".join(app.query_params["campaign_digest"]) == "0" * 16
        app.button(key="_go_on").click().run()
        assert not app.warning
        digest = "".join(app.query_params["campaign_digest"])
        assert digest != "0" * 16
        same = open_campaign(campaign="files", campaign_digest=digest)
        assert not same.warning

    def test_to_a_project_opens_it_anew_for_who_may_read_it(self, open_link, versions_place, monkeypatch):
        monkeypatch.delenv(CAMPAIGN_VARIABLE, raising=False)
        workspace_in_use.use(versions_place, is_shared=False)
        app = open_link("campaign", campaign="0" * 32, project="en-de")
        assert not app.warning
        assert "bs-matrix" in html_of(app)
        assert "".join(app.query_params["project"]) == "en-de"
        gone = open_link("campaign", campaign="0" * 32, project="other")
        assert "no longer saved" in gone.warning[0].value
        workspace_in_use.use(None, is_shared=False)

    def test_of_many_systems_the_first_are_drawn(self, open_campaign, monkeypatch):
        monkeypatch.setattr(matrix_panel, "MOST_PANELS", 1)
        app = open_campaign(door="campaign_compare")
        assert [one.label for one in app.toggle if one.key == params.ALL_PANELS] == ["All 2 systems"]
        monkeypatch.setattr(matrix_panel, "MOST_ROWS", 3)
        app = open_campaign(door="campaign_compare", all_panels="true")
        assert [one.label for one in app.toggle if one.key == params.ALL_PANELS] == ["The first 1 systems"]


class TestWithoutACampaign:
    def test_has_one_title_and_no_heading_beneath_another_kind(self, open_link, monkeypatch):
        monkeypatch.delenv(CAMPAIGN_VARIABLE, raising=False)
        app = open_link("campaign")
        assert [one.value for one in app.title] == ["Campaign"]
        assert [one.value for one in app.header] == ["Supported formats"]

    def test_says_what_one_is_and_how_to_open_one(self, open_link, monkeypatch):
        monkeypatch.delenv(CAMPAIGN_VARIABLE, raising=False)
        app = open_link("campaign")
        assert "A campaign has many test sets" in html_of(app)
        assert "mt-metrics-eval" in html_of(app)
        assert "bleuscope open --campaign PATH" in html_of(app)
        assert len(app.file_uploader) == 2

    def test_files_that_are_dropped_are_shown_before_they_are_scored(self, open_link, campaign_folder, monkeypatch):
        monkeypatch.delenv(CAMPAIGN_VARIABLE, raising=False)
        app = open_link("campaign")
        files = sorted(one for one in campaign_folder.rglob("*") if one.is_file())
        for one in files:
            name = str(one.relative_to(campaign_folder))
            app.file_uploader[0].upload(name, one.read_bytes(), "text/plain")
        app.run()
        assert not app.exception
        app.button(key="open-campaign").click().run()
        assert not app.exception
        assert app.query_params["campaign"] != "files"
        assert "bs-matrix" in html_of(app)

    def test_a_link_to_what_is_gone_says_so(self, open_link, monkeypatch):
        monkeypatch.delenv(CAMPAIGN_VARIABLE, raising=False)
        app = open_link("campaign", campaign="0" * 32)
        assert "no longer saved" in app.warning[0].value

    def test_a_path_that_is_gone_is_an_error_in_words(self, open_campaign, tmp_path):
        app = open_campaign(tmp_path / "gone")
        assert "gone" in app.error[0].value

    def test_files_that_make_no_set_are_an_error_in_words(self, open_campaign, tmp_path):
        (tmp_path / "only.txt").write_text("a\n", encoding="utf-8")
        app = open_campaign(tmp_path)
        assert app.error[0].value
