"""Leaderboards and histories: rows, names, tables, figures and words."""

import json
import re
import shlex
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from bleucore import BleuOptions, System, TestSet, evaluate
from bleucore.evaluation import evaluate_metric
from bleucore.history import changes_between, segment_strips, version_history
from bleucore.metrics.presets import PRESETS
from bleucore.metrics.ter import TerOptions
from bleucore.significance import SignificanceOptions, compare
from bleuscope.content.comparison.differences import compared_systems
from bleuscope.content.sheets.html import html_table
from bleuscope.content.sheets.writers import write_text
from bleuscope.content.style.identity import identities
from bleuscope.features.projects import cards as project_cards
from bleuscope.features.projects import commands as project_commands
from bleuscope.features.projects import figures as history_figures
from bleuscope.features.projects import figures_strips as strip_figures
from bleuscope.features.projects import sheets as history_sheets
from bleuscope.features.projects import words as history_words
from bleuscope.features.projects import words_strips as strip_words
from bleuscope.features.projects.cards import CardRow, ProjectCard
from bleuscope.features.projects.scored_versions import (
    Leaderboard,
    LeftOut,
    ScoredVersion,
    ScoredVersions,
    SystemHistory,
    board_rows,
    names_of,
)

START = datetime(2026, 9, 1, tzinfo=UTC)
OPTIONS = SignificanceOptions(trials=200, resamples=200)
LINES = [f"the cat {number} sat on the mat near house {number % 7}" for number in range(60)]


def version(system, label, score, step=None, day=0, interval=(1.0, 2.0)):
    return ScoredVersion(system, label, step, START + timedelta(days=day), f"{system}{label}", (), score, interval)


def scored_of(*versions, left_out=(), **said):
    return ScoredVersions("p", "news", "d" * 64, 60, "BLEU", "tok:13a", "bs:1000", versions, left_out, **said)


THREE = scored_of(version("a", "1", 30.0), version("a", "2", 28.0), version("b", "1", 29.0))


def outputs(every):
    return [line if number % every else line.replace("sat on", "is at") for number, line in enumerate(LINES)]


@pytest.fixture(scope="module")
def tested():
    """A history of four versions, the second and the third with the same outputs, with its tests."""
    texts = TestSet([System(f"v{n}", outputs(every)) for n, every in enumerate((2, 3, 3, 9), start=1)], [LINES])
    bleu = evaluate(texts).bleu
    versions = tuple(
        version("base", name, result.score, step=1000 * place, day=place, interval=(result.score - 1, result.score + 1))
        for place, (name, result) in enumerate(bleu.systems.items())
    )
    found = version_history(compared_systems(texts, bleu), OPTIONS)
    return SystemHistory(scored_of(*versions), "base", versions, found), texts, bleu


class TestRows:
    def test_each_system_stands_with_its_latest_version_best_first(self):
        rows = board_rows(THREE, "latest")
        assert [(row.name, row.version.label, row.n_versions) for row in rows] == [("b", "1", 1), ("a", "2", 2)]

    def test_or_with_its_best_one(self):
        assert [(row.name, row.version.label) for row in board_rows(THREE, "best")] == [("a", "1"), ("b", "1")]

    def test_or_with_those_that_are_pinned(self):
        rows = board_rows(THREE, "latest", THREE.versions[:2])
        assert [row.name for row in rows] == ["a · 1", "b", "a · 2"]

    def test_of_a_metric_where_less_is_better_the_lowest_comes_first(self):
        assert board_rows(replace(THREE, higher_is_better=False), "best")[0].version.score == 28.0

    def test_names_of_versions_stand_for_one_each(self):
        pair = (
            version("a · b", "c", 1.0),
            version("a", "b · c", 1.0),
            version("a", "x", 1.0),
            version("a · b", "x", 1.0),
        )
        assert len(set(names_of(pair))) == 4

    def test_a_board_keeps_the_order_of_systems_for_their_colours(self):
        board = Leaderboard(THREE, board_rows(THREE, "latest"))
        assert [row.name for row in board.in_order] == ["a", "b"]


class TestLeaderboardSheet:
    @pytest.fixture
    def board(self, tested):
        _, texts, bleu = tested
        versions = tuple(version(name, "1", result.score) for name, result in bleu.systems.items())
        scored = scored_of(*versions)
        comparison = compare(compared_systems(texts, bleu), OPTIONS)
        return Leaderboard(scored, board_rows(scored, "latest"), None, comparison)

    def test_holds_scores_tests_and_clusters(self, board):
        frame = history_sheets.leaderboard_sheet(board).frame
        assert frame["bleu"].tolist() == sorted(frame["bleu"], reverse=True)
        best = board.names[0]
        for row, name in enumerate(board.names[1:], start=1):
            pair = board.comparison.pair(name, best)
            assert frame["difference"][row] == pair.difference
            assert frame["corrected_p_value"][row] == pair.corrected_p_value
        assert frame["cluster"].is_monotonic_increasing

    def test_a_baseline_is_what_others_are_measured_against(self, board):
        board = replace(board, baseline="v2", comparison=board.comparison.with_baseline("v2"))
        sheet = history_sheets.leaderboard_sheet(board)
        row = board.names.index("v2")
        assert np.isnan(sheet.frame["difference"][row])
        assert "baseline" in html_table(sheet, identities(board.names, "v2"))
        assert sheet.facts["baseline"] == "v2"

    def test_a_label_as_long_as_a_commits_is_cut_and_told_on_hover(self):
        sheet = history_sheets.versions_sheet(scored_of(version("a", "<b>" + 40 * "f", 1.0)))
        assert f'<bdi class="bs-label-of" title="&lt;b&gt;{40 * "f"}">&lt;b&gt;{40 * "f"}</bdi>' in html_table(sheet)

    def test_keeps_the_places_of_tests_that_are_not_made(self, board):
        waiting = history_sheets.leaderboard_sheet(replace(board, comparison=None))
        shown = [one.page_heading for one in waiting.fields if not one.for_machines and not one.off_pages]
        after = history_sheets.leaderboard_sheet(board).fields
        assert shown == [one.page_heading for one in after if not one.for_machines and not one.off_pages]
        assert "significance tests are running" in str(
            history_words.leaderboard_verdict(replace(board, comparison=None)).markdown()
        )

    def test_a_single_system_has_no_tests(self):
        alone = scored_of(version("a", "1", 30.0))
        board = Leaderboard(alone, board_rows(alone, "latest"))
        assert "difference" not in history_sheets.leaderboard_sheet(board).frame
        assert "only system" in history_words.leaderboard_verdict(board).markdown()

    def test_systems_with_the_same_score_share_the_first_place(self):
        level = scored_of(version("a", "1", 30.001), version("b", "1", 30.0), version("c", "1", 20.0))
        said = history_words.leaderboard_verdict(Leaderboard(level, board_rows(level, "latest"))).markdown()
        assert said.startswith("**a** and **b** share the highest score, 30.00 BLEU")

    @pytest.mark.parametrize("form", ["csv", "tsv", "latex", "markdown", "json", "table"])
    def test_is_written_in_every_form(self, board, form):
        assert "v4" in write_text(history_sheets.leaderboard_sheet(board), form)

    def test_what_is_not_compared_says_why(self):
        scored = scored_of(left_out=(LeftOut("<b>", "no version on news"),))
        table = html_table(history_sheets.left_out_sheet(scored))
        assert "&lt;b&gt;" in table
        assert "no version on news" in table


class TestHistorySheet:
    def test_holds_each_version_against_the_one_before_and_the_best(self, tested):
        history, _, _ = tested
        frame = history_sheets.history_sheet(history).frame
        scores = frame["bleu"].to_numpy()
        assert np.isnan(frame["change"][0])
        assert frame["change"].to_numpy()[1:] == pytest.approx(np.diff(scores))
        assert frame["behind"].to_numpy()[:3] == pytest.approx(scores[:3] - scores[3])
        assert np.isnan(frame["behind"][3])
        assert frame["step"].tolist() == [0, 1000, 2000, 3000]

    def test_without_tests_their_places_are_kept(self, tested):
        history, _, _ = tested
        table = html_table(history_sheets.history_sheet(replace(history, found=None)))
        assert table.count("…") == 16

    def test_versions_without_steps_have_no_such_column(self):
        assert "step" not in history_sheets.versions_sheet(THREE).frame

    def test_json_has_the_keys_that_were_promised(self):
        document = json.loads(json.dumps(history_sheets.history_document(THREE)))
        assert {"test_set", "signature", "systems"} <= document.keys()
        assert [one["name"] for one in document["systems"]] == ["a", "b"]
        first = document["systems"][0]["versions"][0]
        assert {"version", "step", "digest", "bleu", "interval"} <= first.keys()
        assert (first["version"], first["bleu"], first["interval"]) == ("1", 30.0, [1.0, 2.0])
        assert [one["name"] for one in history_sheets.history_document(THREE, ["b"])["systems"]] == ["b"]


class TestFigure:
    def test_draws_scores_with_their_intervals_and_marks(self, tested):
        history, _, _ = tested
        figure = history_figures.history_figure(history, "step", (2, 3))
        low, high, line = figure.data[:3]
        assert list(line.x) == [0, 1000, 2000, 3000]
        assert list(line.y) == [one.score for one in history.versions]
        assert list(low.y) == [one.interval[0] for one in history.versions]
        assert list(high.y) == [one.interval[1] for one in history.versions]
        marked = [point[0] for trace in figure.data[3:-1] for point in trace.customdata]
        assert sorted(marked) == [0, 1, 2, 3]
        assert [point[0] for point in figure.data[-1].customdata] == [2, 3]

    def test_steps_that_are_missing_or_repeated_make_no_axis(self, tested):
        history, _, _ = tested
        assert history_figures.axes_of(history)[0] == "step"
        for versions in (
            (version("a", "1", 1.0, step=1), version("a", "2", 1.0)),
            (version("a", "1", 1.0, step=1), version("a", "2", 1.0, step=1)),
        ):
            assert "step" not in history_figures.axes_of(SystemHistory(scored_of(*versions), "a", versions))

    def test_of_many_versions_some_are_named(self):
        versions = tuple(version("a", f"version {n}", float(n)) for n in range(500))
        figure = history_figures.history_figure(SystemHistory(scored_of(*versions), "a", versions), "order")
        assert len(figure.layout.xaxis.ticktext) <= history_figures.MOST_NAMED

    def test_a_title_that_is_longer_than_a_phone_is_wide_has_two_lines(self):
        titles = []
        for name in ("short", "nightly-transformer-big"):
            versions = (version(name, "1", 1.0), version(name, "2", 2.0))
            figure = history_figures.history_figure(SystemHistory(scored_of(*versions), name, versions), "time")
            titles.append(figure.layout.title.text)
        assert titles == [
            "BLEU of short with 95 % intervals",
            "BLEU of nightly-transformer-big<br>with 95 % intervals",
        ]

    def test_hostile_names_stay_text(self):
        versions = (version("<script>", "<img src=x>", 1.0, interval=None),)
        figure = history_figures.history_figure(SystemHistory(scored_of(*versions), "<script>", versions), "time")
        assert "<script>" not in figure.to_json()
        assert "<img" not in figure.to_json()


class TestWords:
    def test_the_latest_is_held_against_the_best_and_the_one_before(self, tested):
        history, _, _ = tested
        said = history_words.history_verdict(history).markdown()
        assert "latest of 4 versions" in said
        assert "It is the best of them" in said
        assert re.search(r"\*\*v4\*\* beats \*\*v3\*\* \(the version before\): \+\d+\.\d\d BLEU \(95 % CI", said)
        earlier = replace(history, versions=history.versions[:1], found=None)
        assert "has one version" in history_words.history_verdict(earlier).markdown()

    def test_luck_of_the_best_and_alarms_are_said_of_several_versions(self, tested):
        history, _, _ = tested
        assert "Luck of the best" in history_words.optimism_note(history.found, "BLEU").markdown()
        assert "at most 1 false alarm in 100" in history_words.alarms_note(history.found).markdown()

    def test_changes_are_counted_by_kind(self, tested):
        history, texts, bleu = tested
        names = ("v1", "v4")
        counts = [bleu.systems[name].counts for name in names]
        changes = changes_between(*counts, bleu.options, tuple(texts.system(name).hypotheses for name in names))
        said = history_words.changes_verdict(changes, history.versions[0], history.versions[3], "BLEU").markdown()
        assert f"{changes.n_of('improved')} better, {changes.n_of('regressed')} worse" in said
        assert changes.n_of("improved") > 0

    def test_the_same_outputs_are_said_to_be_the_same(self, tested):
        history, texts, bleu = tested
        counts, lines = bleu.systems["v2"].counts, texts.system("v2").hypotheses
        changes = changes_between(counts, counts, bleu.options, (lines, lines))
        said = history_words.changes_verdict(changes, history.versions[1], history.versions[2], "BLEU").markdown()
        assert "have the same outputs" in said


class TestCommand:
    @pytest.mark.parametrize(
        ("options", "usual", "ending"),
        [
            (BleuOptions(), BleuOptions(), "--table leaderboard"),
            (BleuOptions(), BleuOptions("zh"), "--table leaderboard --tokenize 13a"),
            (BleuOptions("zh"), BleuOptions("zh"), "--table leaderboard --tokenize zh"),
            (BleuOptions(lowercase=True), BleuOptions(), "--table leaderboard --lowercase"),
            (PRESETS["mteval-v13a"].options, BleuOptions(), "--table leaderboard --preset mteval-v13a"),
        ],
    )
    def test_says_what_differs_from_what_it_would_take(self, options, usual, ending):
        assert project_commands.history_command(THREE, options, usual).endswith(f"--test-set news {ending}")

    def test_quotes_names_for_a_shell(self):
        said = project_commands.history_command(
            replace(THREE, test_set="a b"), BleuOptions(), BleuOptions(), system="$(x) 'y'"
        )
        assert shlex.split(said)[4:] == ["--test-set", "a b", "--system", "$(x) 'y'"]


class TestCards:
    CARD = ProjectCard(
        "en-de",
        "English",
        ("a", "b"),
        (
            CardRow("news", 60, 3, START, "a", 30.0, "BLEU"),
            CardRow("new", 5, 1, None, None, None, "BLEU"),
            CardRow("bare", 5, 0, None, None, None, "BLEU"),
        ),
        2,
    )

    def test_the_best_stands_with_its_score_or_why_there_is_none(self):
        table = html_table(project_cards.test_sets_sheet(self.CARD))
        assert "a, 30.00" in table
        assert table.count("not scored yet") == 1

    def test_say_what_there_is(self):
        said = str(history_words.card_words(self.CARD).parts[0].sentence)
        assert "2 systems" in said
        assert "Last push 2026-09-01 00:00 UTC" in said
        assert "2 notes" in said
        empty = replace(self.CARD, systems=(), test_sets=(), n_notes=0)
        assert "No version" in history_words.card_words(empty).markdown()
        assert "note" not in history_words.card_words(empty).markdown()


class TestStrips:
    @pytest.mark.parametrize(
        ("n_versions", "n_segments", "older", "newer", "shown"),
        [
            (4, 100, 2, 3, range(4)),
            (100, 100, 98, 99, range(60, 100)),
            (100, 100, 3, 5, range(3, 43)),
            (100, 100, 0, 99, range(60, 100)),  # the newer one of what cannot be held together
            (9, 4_000_000, 3, 4, range(3, 5)),
        ],
    )
    def test_show_as_many_versions_as_can_be_held_around_the_two(self, n_versions, n_segments, older, newer, shown):
        assert strip_figures.shown_places(n_versions, n_segments, older, newer) == shown

    @pytest.fixture(params=[BleuOptions(), TerOptions()], ids=["BLEU", "TER"])
    def shown(self, tested, request):
        history, texts, _ = tested
        metric = evaluate_metric(texts, request.param)
        strips = segment_strips([one.counts for one in metric.systems.values()], metric.options)
        scored = replace(history.scored, metric=metric.name, higher_is_better=metric.higher_is_better)
        history = replace(history, scored=scored, found=None)
        rows = tuple(strips.most("got better", 0, 3, 5).tolist())
        begins = tuple(f"<b>{LINES[row]}" for row in rows)
        return strip_figures.ShownStrips(history, strips, 0, 3, "got better", rows, begins)

    def test_of_any_metric_point_up_where_a_segment_got_better(self, shown):
        figure = strip_figures.strips_figure(shown)
        better = next(trace for trace in figure.data if trace.name == "better than before")
        assert {segment for segment, _ in better.customdata} == set(shown.rows)
        frame = strip_figures.strips_sheet(shown).frame
        assert frame["segment"].tolist() == [row + 1 for row in shown.rows]
        assert all("▲" in strip and "▼" not in strip for strip in frame["strip"])
        up = 1 if shown.strips.higher_is_better else -1
        assert (up * frame["difference"] > 0).all()
        assert "<b>" not in str(figure.layout.yaxis.ticktext)

    def test_of_one_segment_hold_equal_outputs_once_and_mark_what_is_new(self, shown, read_html):
        outputs = ("the cat is here", "the cat is here", "the <b>dog</b> is here", "")
        texts = strip_words.StripTexts(outputs, ("a <i>reference</i>",), BleuOptions(), "en")
        page = read_html(strip_words.strip_html(shown, 0, texts))
        called = [one.text for one in page.of_class("bs-versions")]
        assert [name.split()[-1] for name in called] == ["reference", "v2", "v3", "v4"]
        assert [one.text for one in page.of_tag("p")] == ["a <i>reference</i>", outputs[0], outputs[2], "empty"]
        assert "dog" in "".join(one.text for one in page.of_class("bs-differs"))
