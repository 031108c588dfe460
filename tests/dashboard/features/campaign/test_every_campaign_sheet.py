"""Every sheet of a campaign: it holds what was computed, in the order that it says, and agrees with itself."""

import re
from dataclasses import replace

import numpy as np
import pytest

from bleucore import BleuOptions, evaluate
from bleucore.campaign import ScoredTexts, combine, lost_everywhere, set_kinds
from bleucore.formats.campaign_plan import with_named_runs
from bleucore.metrics.ter import TerOptions
from bleucore.significance import SignificanceOptions
from bleuscope.content.style import numbers
from bleuscope.features import campaign
from bleuscope.features.campaign import (
    figures_matrix,
    figures_multiples,
    sheets,
    sheets_kinds,
    sheets_lost,
    sheets_plan,
    words,
)
from bleuscope.features.campaign.plan_files import plan_campaign
from bleuscope.features.campaign.running import run_campaign
from bleuscope.features.campaign.sets import open_set
from bleuscope.features.campaign.view import GROUPINGS, CampaignView
from tests.dashboard import builders
from tests.dashboard import sheet_properties as properties

FEW = SignificanceOptions(trials=299, resamples=99)
TEXT = "der alte Hund läuft heute sehr schnell über das grüne Feld hinter dem kleinen Haus"
WORDS = TEXT.split()
WRONG = {
    "news en-de": {"zeta": 9, "beta": 5, "alpha": 3},
    "talk en-de": {"zeta": 8, "beta": 6, "alpha": 4},
    "law en-cs": {"zeta": 3, "beta": 5, "alpha": 7},
    "chat cs-en": {"zeta": 6, "alpha": 5},
}
"""By test set, of which n-th word of each system is another one: the larger the better. One set goes against all."""


def _lines(every, place):
    texts = []
    for number in range(66):
        words_of = [WORDS[(number * 5 + step * 3 + place) % len(WORDS)] for step in range(6 + number % 6)]
        texts.append(
            " ".join(
                [f"x{step}" if every and (step + number) % every == 0 else word for step, word in enumerate(words_of)]
                + [str(number)]
            )
        )
    return texts


@pytest.fixture(scope="module")
def plan(tmp_path_factory):
    """Four test sets; on the third the order is another one, and the fourth lacks a system."""
    folder = tmp_path_factory.mktemp("sets")
    for place, (name, systems) in enumerate(WRONG.items()):
        target = name.rpartition("-")[2]
        own = folder / name.replace(" ", ".")
        own.mkdir()
        texts = {"ref": _lines(0, place), **{system: _lines(every, place) for system, every in systems.items()}}
        for kind, lines in texts.items():
            (own / f"{kind}.{target}").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "broken.xlsx").write_bytes(b"PK nothing")
    return plan_campaign(str(folder))


@pytest.fixture(scope="module")
def views(plan):
    """The campaign in BLEU, against a baseline, in TER, of recipes with runs, and where a set has an error."""
    in_bleu, in_ter = run_campaign(plan, None, FEW).results, run_campaign(plan, TerOptions(), FEW).results
    recipes = with_named_runs(plan, [("beta", "b"), ("zeta", "b")])
    found = {
        "plain": CampaignView("Made", combine(in_bleu), plan.left_out),
        "of a baseline": CampaignView("Made", combine(in_bleu, baseline="beta")),
        "in TER": CampaignView("Made", combine(in_ter), scoring=TerOptions()),
        "in TER, of a baseline": CampaignView("Made", combine(in_ter, baseline="beta"), scoring=TerOptions()),
        "of two sets": CampaignView("Made", combine(in_bleu[:2])),
        "of recipes": CampaignView("Made", combine(run_campaign(recipes, None, FEW).results)),
        "without mean ranks": CampaignView("Made", combine([one for one in in_bleu if len(one.systems) == 2])),
    }
    assert any(pair.sets_against for pair in found["plain"].pairs)
    return found


@pytest.fixture(scope="module")
def texts(plan):
    found = []
    for planned in plan.sets[:]:
        test_set = open_set(planned)
        if {"alpha", "zeta"} <= set(test_set.system_names) and not planned.name.startswith(("law", "chat")):
            found.append(ScoredTexts(planned.name, test_set, evaluate(test_set, BleuOptions())))
    return found


@pytest.fixture(scope="module")
def lost(texts):
    return lost_everywhere(texts, "alpha", "zeta")


@pytest.fixture(scope="module")
def kinds(texts):
    return [set_kinds(one.name, one.test_set, ("alpha", "zeta"), BleuOptions()) for one in texts]


OF_VIEWS = {
    "sheets.matrix_sheet": sheets.matrix_sheet,
    "sheets.cells_sheet": sheets.cells_sheet,
    "sheets.recipes_sheet": sheets.recipes_sheet,
    "sheets.sets_sheet": sheets.sets_sheet,
    "sheets.systems_sheet": sheets.systems_sheet,
    "sheets.pairs_sheet": sheets.pairs_sheet,
    "sheets.differences_sheet": sheets.differences_sheet,
    "sheets.against_the_rest_sheet": sheets.against_the_rest_sheet,
    "sheets.sets_against_sheet": sheets.sets_against_sheet,
    "sheets.first_rows": lambda view: sheets.first_rows(sheets.cells_sheet(view), 3),
}
OF_LOSSES = {
    "sheets_lost.phrases_sheet": lambda lost: sheets_lost.phrases_sheet(lost, lost.phrases),
    "sheets_lost.phrase_by_set_sheet": lambda lost: sheets_lost.phrase_by_set_sheet(lost, lost.phrases[0]),
    "sheets_lost.costly_segments_sheet": sheets_lost.costly_segments_sheet,
}
OF_KINDS = {
    "sheets_kinds.kinds_of_sets_sheet": lambda found: sheets_kinds.kinds_of_sets_sheet(found, ("alpha", "zeta"))
}
OF_PLANS = {
    "sheets_plan.layouts_sheet": lambda _: sheets_plan.layouts_sheet(),
    "sheets_plan.plan_sheet": sheets_plan.plan_sheet,
    "sheets_plan.not_read_sheet": lambda plan: sheets_plan.not_read_sheet(plan.left_out, "Left out"),
}


def test_every_public_function_that_makes_a_sheet_has_an_example():
    assert builders.public_builders(campaign, builders.Sheet) == sorted(
        {**OF_VIEWS, **OF_LOSSES, **OF_KINDS, **OF_PLANS}
    )
    assert builders.public_builders(campaign, builders.go.Figure) == []


def test_kinds_of_errors_add_up_to_the_difference_on_each_set(kinds):
    frame = sheets_kinds.kinds_of_sets_sheet(kinds, ("alpha", "zeta")).frame
    parts = frame.drop(columns=["test_set", "difference"]).sum(axis=1)
    assert parts.to_numpy() == pytest.approx(frame["difference"].to_numpy(), abs=1e-9)
    assert frame["test_set"].tolist() == [one.name for one in kinds]


@pytest.mark.parametrize("name", sorted({**OF_VIEWS, **OF_LOSSES, **OF_KINDS, **OF_PLANS}))
def test_a_sheet_holds_together(name, views, lost, kinds, plan):
    made = (
        [OF_VIEWS[name](view) for view in views.values()]
        if name in OF_VIEWS
        else [OF_KINDS[name](kinds)]
        if name in OF_KINDS
        else [OF_LOSSES[name](lost) if name in OF_LOSSES else OF_PLANS[name](plan)]
    )
    assert any(len(sheet.frame) for sheet in made)
    for sheet in made:
        for holds in properties.ALL:
            if holds is not properties.has_stars_where_p_is_small or name != "sheets.cells_sheet":
                holds(sheet)


def best_score(view, one):
    return (max if view.higher_is_better else min)(one.scores)


def test_the_matrix_has_every_score_and_nothing_where_there_is_none(views):
    for view in views.values():
        frame = sheets.matrix_sheet(view).frame.set_index("system")
        for one in view.sets:
            column = frame[f"{view.metric.casefold()}_{one.name}"]
            for name in view.systems:
                wanted = dict(zip(one.systems, one.scores, strict=True)).get(name, np.nan)
                assert column[name] == pytest.approx(wanted, nan_ok=True)
        assert list(frame.index) == list(view.order())


def test_cells_stand_best_first_within_each_set_with_rank_and_cluster(views):
    for view in views.values():
        frame, key = sheets.cells_sheet(view).frame, view.metric.casefold()
        assert frame["test_set"].tolist() == [one.name for one in view.sets for _ in one.systems]
        for one in view.sets:
            rows = frame[frame["test_set"] == one.name]
            scores = rows[key].tolist()
            assert scores == sorted(one.scores, reverse=view.higher_is_better)
            assert scores[0] == best_score(view, one)
            better = [
                sum((other > score) == view.higher_is_better and other != score for other in scores) for score in scores
            ]
            assert rows["rank"].tolist() == [1 + n for n in better]
            for _, row in rows.iterrows():
                place = one.systems.index(row["system"])
                assert (row[key], row["interval_low"]) == (one.scores[place], one.intervals[place][0])
                if view.baseline is None:
                    assert row["unsurpassed"] == (one.rank_ranges[place][0] == 1)
                    assert row["system"] in one.clusters[int(row["cluster"]) - 1]
                elif row["system"] == view.baseline or view.baseline not in one.systems:
                    assert np.isnan(row["difference"])
                else:
                    pair = one.planned_pair(row["system"], view.baseline)
                    other = one.scores[one.systems.index(view.baseline)]
                    assert row["difference"] == pytest.approx(row[key] - other)
                    assert row["p_corrected"] == pytest.approx(pair.corrected_p_value)
                    assert row["significant"] == (pair.corrected_p_value < 0.05)


def test_sets_are_told_as_they_are(views):
    for view in views.values():
        frame = sheets.sets_sheet(view).frame
        assert frame["n_segments"].tolist() == [66] * len(view.sets)
        outputs = [sum(len(one.runs_of(name)) for name in one.systems) for one in view.sets]
        assert outputs == [len(WRONG[one.name]) for one in view.sets]
        assert frame["n_systems"].tolist() == [len(one.systems) for one in view.sets]
        assert frame["languages"].tolist() == [one.name.rpartition(" ")[2] for one in view.sets]


def test_systems_stand_by_mean_rank_with_their_wins_and_losses(views):
    for view in views.values():
        frame = sheets.systems_sheet(view).frame
        counted = [one for one in view.sets if len(one.systems) == len(view.systems)]
        sign = 1 if view.higher_is_better else -1
        for row in frame.to_dict("records"):
            name, gains = row["system"], []
            for one in view.sets:
                if name in one.systems:
                    own = one.scores[one.systems.index(name)]
                    gains += [
                        sign * (own - other)
                        for system, other in zip(one.systems, one.scores, strict=True)
                        if system != name
                    ]
            assert (row["wins"], row["losses"]) == (sum(gain > 0 for gain in gains), sum(gain < 0 for gain in gains))
            assert row["n_sets"] == sum(name in one.systems for one in view.sets)
            if "net_wins" in row:
                assert row["net_wins"] == row["wins"] - row["losses"]
            if counted and "mean_rank" in row:
                placed = [sorted(-sign * score for score in one.scores) for one in counted]
                own = [-sign * one.scores[one.systems.index(name)] for one in counted]
                assert row["mean_rank"] == pytest.approx(
                    np.mean([1 + some.index(score) for some, score in zip(placed, own, strict=True)])
                )
                assert row["mean_score"] == pytest.approx(np.mean([-sign * score for score in own]))
        order = "mean_rank" if "mean_rank" in frame else "net_wins"
        assert properties.is_sorted(frame[order], "rises" if order == "mean_rank" else "falls")


def test_of_every_pair_b_is_ahead_and_wins_losses_and_mean_are_those_of_the_sets(views):
    for view in views.values():
        frame = sheets.pairs_sheet(view).frame
        sign = 1 if view.higher_is_better else -1
        places = [(view.order().index(row["b"]), view.order().index(row["a"])) for row in frame.to_dict("records")]
        assert places == sorted(places)
        for row in frame.to_dict("records"):
            shared = [one for one in view.sets if {row["a"], row["b"]} <= set(one.systems)]
            gains = [
                one.scores[one.systems.index(row["b"])] - one.scores[one.systems.index(row["a"])] for one in shared
            ]
            assert row["n_sets"] == len(shared)
            assert row["wins"] == sum(sign * gain > 0 for gain in gains)
            assert row["losses"] == sum(sign * gain < 0 for gain in gains)
            assert row["mean_difference"] == pytest.approx(np.mean(gains))
            assert row["significant_wins"] <= row["wins"]
            assert row["significant_losses"] <= row["losses"]
            assert max(row["n_sets_better"], row["n_sets_worse"]) <= row["n_sets"]
            pair = view.campaign.pair(row["b"], row["a"])
            assert (row["a"] == view.baseline) if view.baseline else (pair.mean_gain >= 0)
            if pair.p_value is None:
                assert pair.remark
                assert np.isnan([row["p"], row["p_corrected"]]).all()
                continue
            assert row["p_corrected"] >= row["p"] - 1e-12
        assert len(sheets.pairs_sheet(view, 1).frame) == 1


def test_differences_are_from_one_system_on_every_set_that_has_both(views):
    for view in views.values():
        frame = sheets.differences_sheet(view).frame
        against = view.measured_against
        wanted = [
            (name, one)
            for name in view.order()
            if name != against
            for one in view.sets
            if {name, against} <= set(one.systems)
        ]
        assert list(zip(frame["system"], frame["test_set"], strict=True)) == [(name, one.name) for name, one in wanted]
        for difference, (name, one) in zip(frame["difference"], wanted, strict=True):
            scores = dict(zip(one.systems, one.scores, strict=True))
            assert difference == pytest.approx(scores[name] - scores[against])


def test_a_set_against_the_rest_has_its_pairs_and_who_gains_most(views):
    for view in views.values():
        frame = sheets.against_the_rest_sheet(view).frame
        for row in frame.to_dict("records"):
            on_the_whole = view.campaign.pair(row["b"], row["a"]).mean_gain
            here = dict(
                zip(
                    *(getattr(view.campaign.set_called(row["test_set"]), one) for one in ("systems", "scores")),
                    strict=True,
                )
            )
            assert row["difference"] == pytest.approx(here[row["b"]] - here[row["a"]])
            assert row["difference"] * on_the_whole * (1 if view.higher_is_better else -1) < 0
        by_set = sheets.sets_against_sheet(view).frame
        counts = frame["test_set"].value_counts()
        assert dict(zip(by_set["test_set"], by_set["n_pairs"], strict=True)) == counts.to_dict()
        assert properties.is_sorted(by_set["n_pairs"], "falls")
        for row in by_set.to_dict("records"):
            own = frame[frame["test_set"] == row["test_set"]]["a"].value_counts()
            assert own[row["system"]] == own.max()


def test_lost_phrases_have_their_least_and_mean_part_and_all_their_segments(lost):
    frame = sheets_lost.phrases_sheet(lost, lost.phrases).frame
    assert len(lost.phrases) > 1
    for row, phrase in zip(frame.to_dict("records"), lost.phrases, strict=True):
        assert row["least_part"] == pytest.approx(min(phrase.parts))
        assert row["mean_part"] == pytest.approx(np.mean(phrase.parts))
        assert row["net"] == sum(phrase.nets)
        assert row["n_segments"] == sum(map(len, phrase.segments))
        by_set = sheets_lost.phrase_by_set_sheet(lost, phrase).frame
        assert by_set["part"].tolist() == pytest.approx(list(phrase.parts))
        for text, rows in zip(by_set["segments"], phrase.segments, strict=True):
            assert [int(one) for one in re.findall(r"#(\d+)", text)] == [place + 1 for place in rows][
                : sheets_lost.MOST_NUMBERED
            ]
    assert properties.is_sorted(frame["least_part"], "falls")
    costly = sheets_lost.costly_segments_sheet(lost).frame
    for row, one in zip(costly.to_dict("records"), lost.segments, strict=True):
        assert row["difference"] == pytest.approx(one.difference)
        assert row["parts"] == pytest.approx(sum(one.parts))


def test_the_plan_says_what_each_set_has(plan):
    frame = sheets_plan.plan_sheet(plan).frame
    for row, one in zip(frame.to_dict("records"), plan.sets, strict=True):
        assert (row["source"], row["target"]) == tuple(one.name.rpartition(" ")[2].split("-"))
        assert (row["n_systems"], row["n_references"]) == (len(WRONG[one.name]), 1)


@pytest.mark.parametrize("leads_on", [True, False])
def test_the_matrix_on_a_page_is_the_sheet(views, read_html, leads_on):
    for view in views.values():
        page = read_html(figures_matrix.matrix_html(view, view.order(), view.groups(), leads_on=leads_on))
        _, *rows = page.rows()
        for name, row in zip(view.order(), rows, strict=True):
            assert name in row[0]
            for one, cell in zip(view.sets, row[2:], strict=True):
                found = view.cells.get((name, one.name))
                assert (cell == "") == (found is None)
                if found is not None:
                    spread = "" if found.deviation is None else f" ± {numbers.score(found.deviation)}"
                    text = f"{numbers.score(found.score)}{spread}{found.rank}"
                    text += "" if found.cluster is None else f" · c{found.cluster}"
                    marks = f"{figures_matrix.BEST_MARK}{figures_matrix.CHECK_MARK}\u200a"
                    assert cell.lstrip(marks).startswith(text)
                    assert (figures_matrix.BEST_MARK in cell) == bool(found.is_unsurpassed)
                    star = found.against is not None and found.against.is_significant
                    assert cell.endswith(figures_matrix.STAR) == star
        styles = [one.attributes["style"] for one in page.of_class("bs-heat")]
        strengths = [int(re.search(r"--strength:(\d+)%", style)[1]) for style in styles]
        assert max(strengths) == 45
        assert min(strengths) >= 0


def test_opened_pairs_have_b_in_the_cell_and_another_system_of_the_set(views):
    for view in views.values():
        for name, set_name in view.cells:
            first, second = view.opened_pair(name, set_name)
            one = view.campaign.set_called(set_name)
            assert second == name != first
            assert first in one.systems
            wanted = view.measured_against
            assert first == wanted or wanted in (name, *set(view.systems) - set(one.systems))


def test_small_multiples_draw_every_difference_between_the_ends(views, read_html):
    for view in views.values():
        page = read_html(figures_multiples.multiples_html(view, view.order(), leads_on=True))
        places = [
            float(at)
            for one in page.elements
            for at in re.findall(r"(?:left:|100% - )([\d.]+)%", one.attributes.get("style", ""))
        ]
        assert places
        assert all(0 <= at <= 100 for at in places)
        assert len(page.of_class("bs-multiple")) == len(
            {name for name in view.order_of_differences if name != view.measured_against}
        )
        n_filled = sum("bs-hollow" not in one.classes for one in page.of_class("bs-point"))
        assert n_filled == sheets.differences_sheet(view).frame["significant"].sum()
        told = [one.attributes["title"] for one in page.of_class("bs-drawn")]
        differences = sheets.differences_sheet(view).frame["difference"]
        assert len(told) == len(differences)
        for text, difference in zip(told, differences, strict=True):
            assert text.startswith(f"{numbers.difference(difference)} {view.metric} (95 % CI ")


def test_sets_are_grouped_by_what_is_said_of_them(views):
    view = views["plain"]
    for by in GROUPINGS:
        groups = view.groups(by)
        assert sorted(one.name for group in groups for one in group.sets) == sorted(WRONG)
    directions = {group.title: {one.name for one in group.sets} for group in view.groups("direction")}
    assert sorted(map(len, directions.values())) == [1, 3]
    targets = {group.title: {one.name for one in group.sets} for group in view.groups("language")}
    assert targets["de"] == {"news en-de", "talk en-de"}


def test_rows_can_stand_by_name_and_by_a_set(views):
    for view in views.values():
        assert list(view.order("name")) == sorted(view.systems)
        for one in view.sets:
            ranked = [name for name in view.order(one.name) if name in one.systems]
            scores = [one.scores[one.systems.index(name)] for name in ranked]
            assert scores == sorted(scores, reverse=view.higher_is_better)
            assert [name in one.systems for name in view.order(one.name)] == sorted(
                (name in one.systems for name in view.systems), reverse=True
            )


def with_sets_against(view, sets):
    """A campaign whose first pairs change places on these sets."""
    pairs = [
        replace(pair, mean_gain=1.0, tested=names, worse=replace(pair.worse, found=tuple(range(len(names)))))
        for pair, names in zip(view.campaign.pairs, sets, strict=False)
    ]
    return replace(view, campaign=replace(view.campaign, pairs=tuple(pairs)))


class TestWords:
    def test_the_set_that_goes_against_most_pairs_is_named_first(self, views):
        view = views["plain"]
        said = words.against_the_rest_verdict(view).markdown()
        counts = sheets.sets_against_sheet(view).frame
        n_pairs = int(counts["n_pairs"].sum())
        assert numbers.counted(n_pairs, "pair") in said
        assert ("One test set goes" in said) == (len(counts) == 1)
        names = ("law en-cs", "news en-de")
        found = words.against_the_rest_verdict(with_sets_against(view, (names, names[1:], names[1:]))).markdown()
        assert "2 test sets go against" in found
        assert "4 pairs in all" in found
        assert found.index("news") < found.index("law")
        found = words.against_the_rest_verdict(with_sets_against(view, (names[:1],))).markdown()
        assert "One test set goes against" in found
        assert "1 pair in all" in found
        found = words.against_the_rest_verdict(with_sets_against(view, ((),))).markdown()
        assert "No pair of systems significantly reverses" in found

    @pytest.mark.parametrize(
        ("n_files", "n_failed", "said"),
        [
            (0, 0, ""),
            (1, 0, "bleuscope left out 1 file."),
            (2, 0, "bleuscope left out 2 files."),
            (0, 1, "bleuscope left out 1 test set."),
            (1, 1, "bleuscope left out 1 file and 1 test set."),
            (0, 2, "bleuscope left out 2 test sets."),
        ],
    )
    def test_what_did_not_fit_is_counted(self, views, n_files, n_failed, said):
        found = replace(views["plain"], left_out=(("f", "r"),) * n_files, failed=(("s", "r"),) * n_failed)
        assert words.left_out_note(found).markdown().startswith(said)
        assert bool(words.left_out_note(found).markdown()) == bool(said)

    def test_the_verdict_counts_the_sets_of_the_first_two(self, views):
        for name, view in views.items():
            said = words.campaign_verdict(view).markdown().replace("\n", " ")
            assert not properties.WRONG_NUMBER.search(said), said
            if name in ("plain", "in TER", "of two sets"):
                first, second = view.order()[:2]
                pair = view.campaign.pair(first, second)
                assert f"wins {pair.wins} of " in said
                assert f"and loses {pair.losses};" in said
                assert f"**{first}** has the best mean rank in {view.metric}" in said
                assert ("not significantly better" in said) != pair.is_significant
            if view.baseline is not None:
                rows = sheets.pairs_sheet(view).frame
                sign = 1 if view.higher_is_better else -1
                sure = rows[rows["significant"]]
                better = sure[sign * sure["mean_difference"] > 0]["b"].tolist()
                worse = sure[sign * sure["mean_difference"] < 0]["b"].tolist()
                assert ("significantly better than" in said) == bool(better)
                assert ("significantly worse" in said) == bool(worse)
                assert ("none differs significantly" in said) == (not better and not worse)

    def test_lower_is_better_is_said_only_where_it_is(self, views):
        for view in views.values():
            down = not view.higher_is_better
            captions = [sheets.pairs_sheet(view).caption, sheets.differences_sheet(view).caption]
            assert all(("a difference below 0 speaks for" in caption) == down for caption in captions)
            assert ("lower is better" in sheets.matrix_sheet(view).caption) == down
            assert ("below 0: better" in figures_matrix.legend_words(view, leads_on=True)) == (
                down and view.baseline is not None
            )
            legend = figures_matrix.legend_words(view, leads_on=True)
            assert ("the cluster" in legend) == view.compares_all_pairs
            assert ("difference from the baseline" in legend) == (view.baseline is not None)
            assert "opens its comparison" in legend
            assert "opens its comparison" not in figures_matrix.legend_words(view, leads_on=False)


def test_one_kind_of_error_stands_alone_with_the_difference(kinds):
    frame = sheets_kinds.kinds_of_sets_sheet(kinds, ("alpha", "zeta"), "other word").frame
    assert list(frame) == ["test_set", "other_word", "difference"]
    whole = sheets_kinds.kinds_of_sets_sheet(kinds, ("alpha", "zeta")).frame
    assert frame.equals(whole[list(frame)])
