"""The pages Projects, Leaderboard and History: on versions, on nothing, with hostile names and addresses."""

import gzip
import json
import re
import shutil
import time

import pytest

from bleucore import BleuOptions, evaluate
from bleucore.significance import SignificanceOptions, compare
from bleuscope.content.comparison import link_notes
from bleuscope.content.comparison.differences import compared_systems
from bleuscope.content.style import numbers
from bleuscope.features.projects import kept_versions, shared_parts
from bleuscope.features.projects import panel_history as history_panel
from bleuscope.shell.state import links, text_checks, workspace_in_use
from bleuscope.workspace import open_workspace
from bleuscope.workspace.people import LOCAL
from bleuscope.workspace.projects import NewVersion

PAGES = ("projects", "leaderboard", "history")


@pytest.fixture
def open_project(versions_place, open_link):
    """A page on the project of ``versions_place``."""
    workspace_in_use.use(versions_place, is_shared=False)
    yield open_link
    workspace_in_use.use(None, is_shared=False)


def html_of(app):
    found = (str(one.proto.body) for one in app.get("html"))
    return " ".join(body for body in found if "bs-" in body[:60])


def choose_row(app, chart, row):
    """Open the table of a chart and select a row, as Shift + Space does."""
    app.session_state[f"data-{chart}"] = True
    app.run()
    (table,) = (one for one in app.dataframe if str(one.key).startswith(f"_rows_chart-{chart}"))
    app.session_state[table.key] = {"selection": {"rows": [row], "columns": [], "cells": []}}
    app.run()
    assert not app.exception
    return app


@pytest.fixture
def texts(versions_place):
    """The latest versions on the test set news, as a comparison."""
    with open_workspace(versions_place) as workspace:
        project = workspace.projects.find("en-de")
        news = workspace.projects.test_set(project, "news")
        versions = workspace.projects.versions(project, news)
        return workspace.projects.texts(news, versions[-2:], ["base", "nightly & <i>"])


@pytest.mark.parametrize("page", PAGES)
class TestEveryPage:
    def test_without_a_workspace_says_what_to_do(self, open_link, page):
        app = open_link(page)
        assert len(app.title) == 1
        assert "without that option" in app.info[0].value
        assert not app.error

    def test_without_a_project_says_how_to_push(self, empty_place, open_link, page):
        workspace_in_use.use(empty_place, is_shared=False)
        try:
            app = open_link(page)
        finally:
            workspace_in_use.use(None, is_shared=False)
        assert "No project yet" in app.markdown[0].value
        assert "bleuscope push" in html_of(app)

    def test_drops_what_an_address_cannot_mean(self, open_project, page):
        junk = "<script>" * 200
        app = open_project(page, project=junk, on=junk, system=junk, which=junk, pinned=junk, against=junk, older=junk)
        assert not app.error
        assert "<script>" not in html_of(app)

    def test_shows_names_as_they_are_written(self, open_project, page):
        body = html_of(open_project(page))
        assert "<b>to" not in body
        assert "<i>" not in body

    def test_has_a_way_to_the_others(self, open_project, page):
        labels = [one.proto.label for one in open_project(page).get("page_link")]
        doors, tabs = labels[:5], labels[5:]
        open_door = "Data" if page == "projects" else "Summary"
        assert doors == [
            f"**{door}**" if door == open_door else door for door in ("Summary", "Compare", "Segments", "Trust", "Data")
        ]
        behind = [f"**{tab}**" if tab == page.title() else tab for tab in ("Leaderboard", "History", "Team")]
        assert tabs == ([] if page == "projects" else behind)

    def test_says_what_is_wrong_with_the_workspace(self, open_project, versions_place, page):
        for blob in (versions_place.folder / "blobs").rglob("*.gz"):
            blob.unlink()
        app = open_project(page)
        assert "blob" in app.error[0].value

    def test_a_project_without_test_sets_says_how_to_push_to_it(self, open_project, page):
        kept = workspace_in_use.workspace()
        kept.projects.make("bare", kept.people.person(LOCAL))
        app = open_project(page, project="bare")
        assert "bleuscope push out.txt --project bare" in html_of(app)


@pytest.mark.parametrize(("key", "value"), [("project", "no-such"), ("on", "no such test set")])
def test_a_project_or_test_set_that_is_not_there_is_named(open_project, key, value):
    app = open_project("leaderboard", **{key: value})
    said = [re.sub(r"\\(.)", r"\1", str(warning.value)) for warning in app.warning]
    assert link_notes.not_here(key, value) in said


class TestTextsWithAnError:
    """A version that is a copy of the reference has the best score, and no page praises it."""

    @pytest.fixture
    def copied(self, open_project):
        open_project("projects")
        kept = workspace_in_use.workspace()
        project, me = kept.projects.find("en-de"), kept.people.person(LOCAL)
        news = kept.projects.test_set(project, "news")
        reference = kept.projects.references(news).columns[0]
        kept.projects.push(project, news, NewVersion("base", "v9", reference, step=9000), me)
        return open_project

    @pytest.mark.parametrize("is_late", [False, True])
    @pytest.mark.parametrize("page", ["leaderboard", "history"])
    def test_is_told_to_check_them(self, copied, monkeypatch, page, is_late):
        if is_late:
            monkeypatch.setattr(text_checks, "INSTANT_TEXTS", 0)
        body = html_of(copied(page, project="en-de", on="news", system="base"))
        assert "Check the texts first." in body
        assert not re.search(r"beats|leads|is the best", body.split("Check the texts first.")[1].split("</p>")[0])

    def test_where_texts_are_gone_nothing_is_found(self, versions_place):
        with open_workspace(versions_place) as workspace:
            project = workspace.projects.find("en-de")
            of = workspace.results.scored_set(workspace.projects.test_set(project, "news"), BleuOptions())
            versions = kept_versions.scored_versions(workspace, project, of, SignificanceOptions()).versions[-2:]
            names = ["a", "b"]
            assert kept_versions.version_findings(workspace, project, of, versions, names) is not None
            for folder in (versions_place.folder / "blobs").iterdir():
                shutil.rmtree(folder)
            assert kept_versions.version_findings(workspace, project, of, versions, names) is None


class TestLeaderboard:
    def test_its_command_says_what_is_chosen_above_it(self, open_project, command_of):
        app = open_project("leaderboard", which="best", against="base")
        assert command_of(app).endswith("--table leaderboard --which best --baseline base")

    def test_a_box_of_the_sidebar_cannot_be_emptied(self, open_project):
        app = open_project("leaderboard", on="news")
        for key in ("project", "on"):
            before = app.selectbox(key=key).value
            app.selectbox(key=key).set_value(None).run()
            assert app.selectbox(key=key).value == before
            assert app.query_params[key] == before

    def test_outputs_that_are_gone_are_named(self, open_project, versions_place):
        open_project("leaderboard")
        kept = workspace_in_use.workspace()
        project = kept.projects.find("en-de")
        last = kept.projects.versions(project)[0]
        next((versions_place.folder / "blobs").rglob(f"*{last.digest[2:]}*")).unlink()
        app = open_project("leaderboard", tok="char")
        assert "base v1" in app.error[0].value or "blob" in app.error[0].value

    def test_has_the_numbers_of_scores_and_significance(self, open_project, texts, read_html):
        app = open_project("leaderboard")
        bleu = evaluate(texts).bleu
        tested = compare(compared_systems(texts, bleu), SignificanceOptions())
        rows = read_html(html_of(app)).rows()
        base, nightly = (next(row for row in rows if row and row[0].endswith(name)) for name in texts.system_names)
        for name, row in zip(texts.system_names, (base, nightly), strict=True):
            assert numbers.score(bleu.systems[name].score) in row
            low, high = tested.intervals[name]
            assert f"{numbers.score(low)} to {numbers.score(high)}" in row
        pair = tested.pair("nightly & <i>", "base")
        assert numbers.difference(pair.difference) in nightly
        assert ("v4" in base, base[-1], nightly[-1]) == (True, "4", "1")
        assert bleu.signature in html_of(app)

    def test_systems_elsewhere_stand_apart_with_the_reason(self, open_project):
        app = open_project("leaderboard")
        assert [one.value for one in app.header] == ["Not compared"]
        assert "no version on news; its versions are on olds" in html_of(app)

    def test_the_best_versions_come_with_a_warning(self, open_project):
        assert "Such scores are too high" in html_of(open_project("leaderboard", which="best"))
        assert "Such scores are too high" not in html_of(open_project("leaderboard"))

    def test_pinned_versions_stand_beside_each_other(self, open_project):
        app = open_project("leaderboard", pinned=["base · v1", "base · v3"])
        assert "base · v1" in html_of(app)
        assert "base · v3" in html_of(app)
        assert "base · v4" not in html_of(app)

    def test_another_baseline_is_in_the_address(self, open_project):
        app = open_project("leaderboard", against="nightly & <i>")
        assert app.selectbox(key="against").value == "nightly & <i>"
        assert "baseline" in html_of(app)

    def test_opens_its_rows_as_an_ordinary_comparison(self, open_project, texts):
        app = open_project("leaderboard")
        app.button(key="open-comparison").click().run()
        assert not app.exception
        assert app.title[0].value == "Summary"
        shown = app.session_state["_loaded"]
        assert shown.test_set.texts_digest == texts.texts_digest
        assert shown.test_set.system_names == texts.system_names
        assert shown.title == "English <b>to</b> German: news"

    def test_its_comparison_has_the_baseline_that_was_chosen(self, open_project):
        app = open_project("leaderboard", against="nightly & <i>")
        app.button(key="open-comparison").click().run()
        assert not app.exception
        assert app.selectbox(key="baseline").value.startswith("nightly & <i>")

    def test_a_row_of_its_chart_leads_to_the_history_of_the_system(self, open_project):
        app = choose_row(open_project("leaderboard"), "leaderboard", 0)
        assert app.title[0].value == "History"
        assert app.selectbox(key="system").value == "base"

    def test_scores_are_found_again(self, open_project, monkeypatch):
        open_project("leaderboard")
        monkeypatch.setattr(workspace_in_use.workspace().projects, "texts", None)
        assert not open_project("leaderboard").error

    def test_tests_that_take_long_come_after_the_scores(self, open_project, monkeypatch):
        monkeypatch.setattr(shared_parts, "MANY_OUTPUTS", 1)
        app = open_project("leaderboard", smooth="floor")
        assert "tests are running" not in html_of(app)
        assert not app.error

    def test_another_tokenizer_gives_other_numbers_and_another_signature(self, open_project):
        body = html_of(open_project("leaderboard", tok="char"))
        assert "tok:char" in body
        assert "--tokenize char" in body

    def test_a_command_gives_its_numbers(self, open_project, command_of, bleuscope, monkeypatch, versions_place):
        monkeypatch.setenv("BLEUSCOPE_WORKSPACE", str(versions_place.folder))
        app = open_project("leaderboard")
        _, *words = command_of(app).split()
        code, out, _ = bleuscope(*words)
        assert code == 0
        body = html_of(app)
        assert all(line.split()[-4] in body for line in out.splitlines() if line.startswith("nightly"))


class TestHistory:
    def test_draws_the_versions_and_says_how_the_latest_stands(self, open_project):
        app = open_project("history", system="base")
        body = html_of(app)
        assert "The latest of 4 versions of" in body
        assert "Luck of the best" in body
        assert "at most 1 false alarm" in body
        assert "1 lost most" not in body

    def test_of_one_version_asks_for_another(self, open_project):
        app = open_project("history", system="nightly & <i>")
        assert "Push another one" in html_of(app)
        assert not app.header

    def test_offers_steps_where_every_version_has_one(self, open_project):
        app = open_project("history", system="base", along="step")
        assert app.session_state["along"] == "step"
        app = open_project("history", system="nightly & <i>", along="step")
        assert app.session_state["along"] == "time"

    def test_a_row_of_its_chart_takes_the_place_of_a_version_that_is_compared(self, open_project):
        app = choose_row(open_project("history", system="base"), "history", 0)
        assert [app.selectbox(key=key).value for key in ("older", "newer")] == ["v1", "v4"]
        assert "From <bdi><strong>v1</strong></bdi> to <bdi><strong>v4" in html_of(app)

    def test_what_changed_is_read_in_segments(self, open_project):
        app = open_project("history", system="base", older="v1", newer="v2")
        app.button(key="read-changes").click().run()
        assert not app.exception
        assert app.title[0].value == "Segments"
        assert [app.session_state[key] for key in ("a", "b")] == ["base · v1", "base · v2"]
        assert app.session_state["where"] == ["the texts differ"]
        body = html_of(app)
        marks = [body.count(f'title="since base · v1">{mark}') for mark in ("▲ improved", "▼ regressed")]
        assert marks == [13, 7]  # of the 20 rows: every other segment was wrong, and every third one is
        app.session_state["segment"] = 1  # whose texts are equal
        app.session_state["where"] = []
        app.switch_page(links.PAGES["segments"].script).run()
        assert "= unchanged" in html_of(app)
        app.button(key="_over_versions").click().run()
        assert not app.exception
        assert app.title[0].value == "History"
        values = [app.session_state[key] for key in ("project", "on", "system", "older", "newer", "strip")]
        assert values == ["en-de", "news", "base", "v1", "v2", 1]

    def test_two_versions_are_compared_as_two_systems(self, open_project):
        app = open_project("history", system="base", older="v1", newer="v4")
        app.button(key="compare-versions").click().run()
        assert not app.exception
        assert app.title[0].value == "Compare"
        assert [app.session_state[key] for key in ("a", "b")] == ["base · v1", "base · v4"]

    def test_a_range_that_is_drawn_over_gives_both_its_ends(self, open_project, monkeypatch):
        drawn = []
        monkeypatch.setattr(history_panel.charts, "brushable", lambda *_: drawn.pop() if drawn else [])
        app = open_project("history", system="base")
        drawn.append([[2, ""], [0, ""], [1, ""]])
        app.run()
        assert [app.selectbox(key=key).value for key in ("older", "newer")] == ["v1", "v3"]
        assert [app.query_params[key] for key in ("older", "newer")] == ["v1", "v3"]

    def test_shows_which_segments_changed_and_the_texts_of_one_over_all_versions(self, open_project, read_html):
        app = open_project("history", system="base", older="v1", newer="v4", course="got better")
        app = choose_row(app, "strips", 0)
        chosen = app.number_input(key="strip").value
        found = read_html(html_of(app))
        (strip,) = found.of_class("bs-strip")
        assert "reference" in strip.text
        assert [one.text for one in found.of_class("bs-change")] == ["▲"]
        assert "is at" in strip.text  # the first version
        assert app.query_params["strip"] == str(chosen)
        app.button(key="read-strip").click().run()
        assert not app.exception
        assert app.title[0].value == "Segments"
        assert app.session_state["segment"] == chosen
        assert [app.session_state[key] for key in ("a", "b")] == ["base · v1", "base · v4"]

    def test_says_where_no_segment_went_so(self, open_project):
        app = open_project("history", system="base", older="v2", newer="v3")
        assert any("No segment got worse" in one.value for one in app.caption)
        assert not app.error

    def test_drops_a_segment_that_there_is_not(self, open_project):
        app = open_project("history", system="base", strip="41")
        assert app.number_input(key="strip").value is None

    @pytest.mark.parametrize("metric", ["chrF2", "chrF2++", "TER"])
    def test_of_another_metric_has_its_numbers_its_signature_and_its_command(
        self, open_project, metric, command_of, bleuscope, monkeypatch, versions_place
    ):
        monkeypatch.setenv("BLEUSCOPE_WORKSPACE", str(versions_place.folder))
        app = open_project("history", system="base", scored_by=metric)
        assert not app.error
        body = html_of(app)
        assert f"{metric}" in body
        assert "tok:13a" not in body
        command = command_of(app)
        assert command.endswith(f"--system base --metric {metric}")
        code, out, _ = bleuscope(*command.split()[1:])
        assert code == 0
        (last,) = (line for line in out.splitlines() if line.startswith("v4"))
        board = html_of(open_project("leaderboard", scored_by=metric))
        assert "BLEU" not in re.sub(' title="[^"]*"', "", board)
        assert last.split()[4] in board

    def test_other_draws_are_in_the_link_and_in_the_command(self, open_project, command_of):
        app = open_project("history", system="base", seed="7", level="0.01")
        assert "seed 7" in html_of(app)
        assert command_of(app).endswith("--system base --level 0.01 --seed 7")
        assert command_of(open_project("leaderboard", seed="7")).endswith("--table leaderboard --seed 7")

    def test_the_same_version_twice_is_not_compared(self, open_project):
        app = open_project("history", system="base", older="v2", newer="v2")
        assert "two different versions" in app.info[0].value
        assert "read-changes" not in {one.key for one in app.button}

    def test_the_command_names_the_system(self, open_project, command_of):
        command = command_of(open_project("history", system="base"))
        assert command == "bleuscope history --project en-de --test-set news --system base"


class TestProjects:
    def test_a_card_says_what_there_is_and_leads_to_the_leaderboard(self, open_project):
        app = open_project("projects")
        assert "3 systems" in html_of(app)
        (table,) = app.dataframe
        app.session_state[table.key] = {"selection": {"rows": [0], "columns": [], "cells": []}}
        app.run()
        assert not app.exception
        assert app.title[0].value == "Leaderboard"
        assert app.session_state["on"] == "news"

    def test_scores_what_is_missing_by_itself(self, open_project):
        until = time.monotonic() + 120
        while "being scored" in str((app := open_project("projects")).dataframe[0].value):
            assert time.monotonic() < until
        assert "base, 93.40" in str(app.dataframe[0].value)
        kept = workspace_in_use.workspace()
        news = kept.projects.test_set(kept.projects.find("en-de"), "news")
        of = kept.results.scored_set(news, BleuOptions())
        while len(kept.results.find(of, SignificanceOptions())) < 4:  # those that are not the latest come after that
            assert time.monotonic() < until
            time.sleep(0.01)

    def test_says_it_where_outputs_cannot_be_scored(self, open_project, versions_place):
        for blob in (versions_place.folder / "blobs").rglob("*.gz"):
            content = blob.read_bytes()
            if b"is at" in gzip.decompress(content):
                blob.unlink()
        until = time.monotonic() + 120
        while "being scored" in str((app := open_project("projects")).dataframe[0].value):
            assert time.monotonic() < until
        assert "not scored yet" in str(app.dataframe[0].value)

    def test_its_command_lists_the_same(self, open_project, command_of, bleuscope, monkeypatch, versions_place):
        monkeypatch.setenv("BLEUSCOPE_WORKSPACE", str(versions_place.folder))
        _, *words = command_of(open_project("projects")).split()
        open_project("leaderboard", project="en-de", on="news")
        code, out, _ = bleuscope(*words, "--format", "json")
        assert code == 0
        rows = {row["test_set"]: row for row in json.loads(out)["projects"]}
        assert (rows["news"]["best"], rows["news"]["n_versions"], round(rows["news"]["score"], 2)) == ("base", 5, 93.4)
        assert bleuscope(*words, "--project", "en-de")[0] == 0
        assert bleuscope(*words, "--test-set", "news")[0] == 2
