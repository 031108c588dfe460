"""A campaign in content: cells, orders, groups, sheets, words, methods, and its report."""

import json
import re
from dataclasses import replace
from html import unescape

import numpy as np
import pandas as pd
import pytest

from bleucore import BleuOptions, evaluate
from bleucore.campaign import ScoredTexts, SetFinding, combine, lost_everywhere, set_verdict
from bleucore.metrics.chrf import ChrfOptions
from bleucore.metrics.ter import TerOptions
from bleucore.significance import SignificanceOptions
from bleuscope.content.report import html_report, markdown_report
from bleuscope.content.sheets.forms import COMMAND_FORMS
from bleuscope.content.sheets.values import raw_columns
from bleuscope.content.sheets.writers import write
from bleuscope.content.significance.verdict_words import verdict_sentence
from bleuscope.content.style import numbers
from bleuscope.content.style.sentences import sentence
from bleuscope.features.campaign import sheets as campaign_sheets
from bleuscope.features.campaign import sheets_lost as lost_sheets
from bleuscope.features.campaign import sheets_plan as plan_sheets
from bleuscope.features.campaign import words as campaign_words
from bleuscope.features.campaign import words_methods as campaign_methods
from bleuscope.features.campaign.figures_matrix import BEST_MARK, CHECK_MARK, STAR, legend_words, matrix_html, place_of
from bleuscope.features.campaign.figures_multiples import multiples_html
from bleuscope.features.campaign.plan_files import plan_campaign
from bleuscope.features.campaign.report import campaign_report
from bleuscope.features.campaign.running import run_campaign
from bleuscope.features.campaign.sets import open_set
from bleuscope.features.campaign.view import BY_NAME, CampaignView, groupings_of

LACKING = "middle <i>"
FEW = SignificanceOptions(trials=199, resamples=200)


@pytest.fixture(scope="module")
def of_baseline(made_campaign):
    """The same campaign against a baseline."""
    campaign = combine(made_campaign.sets, baseline="best")
    return CampaignView("Made", campaign, made_campaign.left_out)


@pytest.fixture(scope="module")
def in_ter(campaign_folder):
    """The same scored in TER, against a baseline."""
    run = run_campaign(plan_campaign(str(campaign_folder)), TerOptions(), FEW)
    return CampaignView("Made", combine(run.results, baseline="best"), scoring=TerOptions())


@pytest.fixture(scope="module")
def set_of_two(made_campaign):
    """The name of the test set that lacks a system."""
    return next(one.name for one in made_campaign.sets if LACKING not in one.systems)


def test_the_only_set_with_every_system_is_said_to_be_one(made_campaign, set_of_two, read_html):
    complete = next(one for one in made_campaign.sets if one.name != set_of_two)
    lacking = made_campaign.campaign.set_called(set_of_two)
    view = CampaignView("Made", combine([complete, lacking]), ())
    said = read_html(campaign_words.campaign_verdict(view)).text
    assert "has the best mean rank in BLEU: 1.00 of 3, before " in said
    assert "ranks over 1 of 2 test sets" in said


class TestCells:
    def test_have_the_score_and_the_rank_of_the_set_alone(self, made_campaign, campaign_folder):
        plan = plan_campaign(str(campaign_folder))
        for planned in plan.sets:
            evaluation = evaluate(open_set(planned), BleuOptions(planned.tokenizer))
            for rank, name in enumerate(evaluation.ranked(), start=1):
                cell = made_campaign.cells[name, planned.name]
                assert cell.score == pytest.approx(evaluation.bleu.systems[name].score, abs=1e-9)
                assert cell.rank == rank

    def test_a_missing_one_is_not_there_and_never_zero(self, made_campaign, set_of_two):
        assert (LACKING, set_of_two) not in made_campaign.cells
        columns = {one.heading: one.cells for one in raw_columns(campaign_sheets.matrix_sheet(made_campaign))}
        row = columns["system"].index(LACKING)
        assert columns[set_of_two][row] is None
        assert 0 not in [value for name in made_campaign.campaign.set_names for value in columns[name]]

    def test_share_runs_from_the_worst_to_the_best(self, made_campaign):
        for one in made_campaign.sets:
            shares = sorted(made_campaign.cells[name, one.name].share for name in one.systems)
            assert (shares[0], shares[-1]) == (0.0, 1.0)

    def test_hold_the_difference_from_a_baseline(self, of_baseline):
        for (name, set_name), cell in of_baseline.cells.items():
            expected = of_baseline.campaign.set_called(set_name).planned_pair(name, "best")
            assert cell.against == expected
            assert cell.against is None or cell.against.family == "baseline"
            assert (cell.against is None) == (name == "best")


class TestWhereLowerIsBetter:
    def test_the_lowest_score_is_first_deepest_and_wins(self, in_ter):
        for one in in_ter.sets:
            best, *_, worst = sorted(one.systems, key=one.score)
            first, last = in_ter.cells[best, one.name], in_ter.cells[worst, one.name]
            assert (first.rank, first.share, first.is_unsurpassed) == (1, 1.0, True)
            assert (last.rank, last.share) == (len(one.systems), 0.0)
            assert in_ter.order(one.name)[0] == best
        cells = in_ter.cells
        for pair in in_ter.pairs:
            gains = [cells[pair.other, name].score - cells[pair.name, name].score for name in pair.sets]
            assert (pair.wins, pair.losses) == (sum(gain > 0 for gain in gains), sum(gain < 0 for gain in gains))

    def test_a_difference_below_0_speaks_for_a_system_in_words_and_tables(self, in_ter, of_baseline):
        said = "Lower TER is better: a difference below 0 speaks for {}."
        assert said.format("B") in campaign_words.pairs_note(in_ter).markdown()
        assert said.format("the system") in campaign_words.differences_note(in_ter).markdown()
        for sheet, name in (
            (campaign_sheets.pairs_sheet(in_ter), "B"),
            (campaign_sheets.differences_sheet(in_ter), "the system"),
            (campaign_sheets.cells_sheet(in_ter), "the system"),
        ):
            assert said.format(name) in sheet.caption
        headings = {one.heading for one in campaign_sheets.pairs_sheet(in_ter).fields}
        assert "Δ TER ↓" in headings
        matrix = matrix_html(in_ter, in_ter.order(), in_ter.groups(), leads_on=False)
        assert "TER (lower is better) of 3 systems" in matrix
        legend = legend_words(in_ter, leads_on=False)
        assert "Each cell: TER (lower is better), and" in legend
        assert "(below 0: better)" in legend
        assert (
            "below 0"
            not in legend_words(of_baseline, leads_on=False) + campaign_sheets.pairs_sheet(of_baseline).caption
        )

    def test_the_verdict_names_the_system_with_fewer_edits(self, in_ter):
        better = [one.name for one in in_ter.pairs if one.is_significant and one.mean_difference < 0]
        worse = [one.name for one in in_ter.pairs if one.is_significant and one.mean_difference > 0]
        assert worse
        said = campaign_words.campaign_verdict(in_ter).markdown()
        assert all(f"**{name}** is significantly better than" in said for name in better)
        assert "significantly worse than **best**" in said
        unchecked = replace(in_ter.sets[0], findings=None)
        alone = CampaignView("One", combine([unchecked]), scoring=TerOptions())
        assert " TER" in campaign_words.campaign_verdict(alone).markdown()


@pytest.mark.parametrize(
    ("options", "key"),
    [(ChrfOptions(), "popovic-2015"), (ChrfOptions(word_order=2), "popovic-2017"), (TerOptions(), "snover")],
)
def test_methods_cite_the_paper_of_the_metric(made_campaign, options, key):
    entries = campaign_methods.bibtex(replace(made_campaign, scoring=options))
    assert key in entries
    assert "papineni" not in entries


class TestOrders:
    def test_by_name_by_a_set_and_best_first(self, made_campaign, set_of_two):
        assert made_campaign.order(BY_NAME) == ("best", LACKING, "نظام")
        ranks = {name: made_campaign.campaign.mean_rank(name) for name in made_campaign.systems}
        assert made_campaign.order() == tuple(
            sorted(ranks, key=lambda name: (ranks[name], net_losses(made_campaign, name)))
        )
        of_set = made_campaign.order(set_of_two)
        assert of_set[-1] == LACKING
        assert made_campaign.cells[of_set[0], set_of_two].rank == 1

    def test_groups_follow_direction_and_language(self, made_campaign):
        titles = [group.title for group in made_campaign.groups("direction")]
        assert sorted(titles) == ["from English", "into English"]
        assert sum(len(group.sets) for group in made_campaign.groups("language")) == 3
        assert groupings_of(made_campaign.sets)[:2] == ("none", "language")
        assert groupings_of(made_campaign.sets[:1]) == ("none",)


class TestMatrix:
    def test_every_cell_leads_on_and_reads_without_colour(self, made_campaign, read_html):
        html = read_html(matrix_html(made_campaign, made_campaign.order(), made_campaign.groups(), leads_on=True))
        places = {element.attributes["data-place"]: element.text for element in html.of_class("bs-heat")}
        assert len(places) == len(made_campaign.cells) == 8
        for (name, set_name), cell in made_campaign.cells.items():
            text = places[place_of(made_campaign, name, set_name)]
            assert numbers.score(cell.score) in text
            assert f"{cell.rank} · c{cell.cluster}" in text
            is_best = made_campaign.campaign.set_called(set_name).rank_range(name)[0] == 1
            assert (CHECK_MARK in text) == (made_campaign.needs_check(name, set_name) is not None)
            assert (BEST_MARK in text) == (is_best and CHECK_MARK not in text)
        assert [row for row in html.rows() if "" in row[2:]]

    def test_a_cell_says_to_check_the_texts_first_where_its_comparison_does(self, made_campaign, read_html):
        faulty, *others = made_campaign.sets
        right, wrong = "best", next(name for name in faulty.systems if name != "best")
        found = (SetFinding(wrong, "error", "System 'x': 30 lines are empty."),)
        sets = [replace(faulty, findings=found), *(replace(one, findings=()) for one in others)]
        view = CampaignView("Many", combine(sets, baseline=right), against=right)
        html = read_html(matrix_html(view, view.order(), view.groups(), leads_on=True))
        cells = {element.attributes["data-place"]: element for element in html.of_class("bs-heat")}
        for name, set_name in view.cells:
            cell, is_faulty = cells[place_of(view, name, set_name)], (name, set_name) == (wrong, faulty.name)
            if set_name == faulty.name and name == right:  # opens with the best of the others, or the faulty one
                is_faulty = view.opened_pair(name, set_name)[0] == wrong
            assert (CHECK_MARK in cell.text) == is_faulty
            assert ("Check the texts first. System 'x'" in cell.attributes["title"]) == is_faulty
            assert not (is_faulty and (STAR in cell.text or BEST_MARK in cell.text))
        said = campaign_words.campaign_verdict(view).markdown()
        assert f"The texts of 1 test set have an error: **{faulty.name}**" in said
        assert "also checks the texts" not in legend_words(view, leads_on=True)
        unchecked = CampaignView("Many", combine([replace(one, findings=None) for one in view.sets]))
        assert "also checks the texts" in legend_words(unchecked, leads_on=True)
        assert CHECK_MARK not in legend_words(unchecked, leads_on=True)

    @pytest.mark.parametrize("baseline", [None, "best"])
    @pytest.mark.parametrize("about", ["best", None])
    def test_a_set_with_an_error_counts_nowhere_and_has_no_star(self, made_campaign, baseline, about):
        faulty, *sound = (replace(one, findings=()) for one in made_campaign.sets)
        faulty = replace(faulty, findings=(SetFinding(about, "error", "A line is missing."),))
        alone = CampaignView("Many", combine(sound, baseline=baseline))
        view = CampaignView("Many", combine([faulty, *sound], baseline=baseline))
        pairs, of_sound = (campaign_sheets.pairs_sheet(one).frame for one in (view, alone))
        pd.testing.assert_frame_equal(pairs, of_sound)
        assert [one.name for one in view.counted] == [one.name for one in sound]
        assert view.won_and_lost == alone.won_and_lost
        said = campaign_words.campaign_verdict(view).markdown()
        assert "The texts of 1 test set have an error" in said
        assert "Without it, " in said
        assert sound[0].name not in said.split("\n")[0]
        cells = campaign_sheets.cells_sheet(view).frame
        of_faulty = cells[cells["test_set"] == faulty.name]
        for sheet in (campaign_sheets.cells_sheet(view), campaign_sheets.differences_sheet(view)):
            rows = sheet.frame
            if "significant" in rows and about == view.measured_against:
                assert not rows["significant"][rows["test_set"] == faulty.name].any()
        assert "unsurpassed" not in cells or not of_faulty["unsurpassed"].astype(bool).any()
        assert campaign_sheets.facts_of(view)["test_sets_with_errors"] == faulty.name
        assert any(faulty.name in one for one in view.campaign.remarks)

    def test_where_every_set_has_an_error_nothing_is_tested(self, made_campaign):
        found = (SetFinding(None, "error", "A line is missing."),)
        view = CampaignView("Many", combine([replace(one, findings=found) for one in made_campaign.sets]))
        assert {(one.p_value, one.is_significant, one.significant_wins) for one in view.pairs} == {(None, False, 0)}
        said = campaign_words.campaign_verdict(view).markdown()
        assert "Check the texts first." in said
        assert "better" not in said
        assert view.order() == made_campaign.order()

    def test_cells_without_all_pairs_say_nothing_of_clusters(self, of_baseline, read_html):
        alone = [replace(one, clusters=(), rank_ranges=None) for one in of_baseline.sets]
        view = CampaignView("many", combine(alone, baseline="best"))
        html = read_html(matrix_html(view, view.order(), view.groups(), leads_on=True))
        assert not any(" · c" in cell.text or BEST_MARK in cell.text for cell in html.of_class("bs-heat"))
        assert "cluster" not in legend_words(view, leads_on=True)
        assert "cluster" in legend_words(of_baseline, leads_on=True)
        assert not {"cluster", "unsurpassed"} & {field.key for field in campaign_sheets.cells_sheet(view).fields}
        assert "n_unsurpassed" not in {field.key for field in campaign_sheets.systems_sheet(view).fields}
        systems = campaign_sheets.document_of(view)["test_sets"][0]["systems"]
        assert {one["cluster"] for one in systems} == {one["unsurpassed"] for one in systems} == {None}

    def test_in_a_report_nothing_can_be_pressed(self, made_campaign, read_html):
        html = read_html(matrix_html(made_campaign, made_campaign.order(), made_campaign.groups(), leads_on=False))
        assert not html.of_tag("button")
        assert len(html.of_class("bs-heat")) == 8

    def test_a_long_name_of_a_set_breaks_behind_its_parts(self, made_campaign):
        named = [replace(one, name=f"a{place}_<set>/{place}") for place, one in enumerate(made_campaign.sets)]
        view = CampaignView("long", combine(named))
        assert "a0_<wbr>&lt;set&gt;/<wbr>0</bdi>" in matrix_html(view, view.order(), view.groups(), leads_on=True)

    def test_a_head_drops_what_all_sets_share_and_has_the_whole_name_on_hover(self, made_campaign, read_html):
        pairs = ("zh-en", "cs-en", "de-en", "ja-en")
        named = [replace(one, name=f"WMT22 {pair}") for one, pair in zip(made_campaign.sets, pairs, strict=False)]
        view = CampaignView("heads", combine(named))
        for leads_on in (True, False):
            html = matrix_html(view, view.order(), view.groups(), leads_on=leads_on)
            assert ">zh-en</bdi>" in html
            assert 'title="WMT22 zh-en: ' in html

    def test_groups_stand_above_their_columns(self, made_campaign, read_html):
        groups = made_campaign.groups("direction")
        html = read_html(matrix_html(made_campaign, made_campaign.order(), groups, leads_on=True))
        assert html.rows()[0] == ["", "", *(group.title for group in groups)]
        assert html.rows()[1][2:] == [one.name for group in groups for one in group.sets]


class TestDifferences:
    def test_every_system_has_a_row_for_every_set_that_has_both(self, made_campaign, read_html):
        against = made_campaign.measured_against
        others = [name for name in made_campaign.systems if name != against]
        html = read_html(multiples_html(made_campaign, others, leads_on=True))
        assert len(html.of_class("bs-point")) == sum(
            {against, name} <= set(one.systems) for one in made_campaign.sets for name in others
        )
        sheet = campaign_sheets.differences_sheet(made_campaign)
        assert len(sheet.frame) == len(html.of_class("bs-point"))

    def test_a_filled_point_is_significant(self, made_campaign, read_html):
        html = read_html(multiples_html(made_campaign, made_campaign.systems, leads_on=False))
        hollow = len(html.of_class("bs-hollow"))
        significant = int(campaign_sheets.differences_sheet(made_campaign).frame["significant"].sum())
        assert len(html.of_class("bs-point")) - hollow == significant


class TestPairs:
    def test_b_is_ahead_on_the_whole_or_not_the_baseline(self, made_campaign, of_baseline):
        assert all((one.mean_gain or 0) >= 0 for one in made_campaign.pairs)
        assert {one.other for one in of_baseline.pairs} == {"best"}

    def test_json_has_the_form_that_was_agreed(self, made_campaign):
        document = json.loads(json.dumps(campaign_sheets.document_of(made_campaign), allow_nan=False))
        assert {"test_sets", "pairs", "left_out", "failed"} <= set(document)
        for one in document["test_sets"]:
            assert {"name", "signature", "systems"} <= set(one)
            for system in one["systems"]:
                assert {"name", "bleu", "interval", "cluster"} <= set(system)
        for pair in document["pairs"]:
            assert {"a", "b", "wins", "losses", "p", "p_corrected", "n_sets_better"} <= set(pair)
        assert sum(len(one["systems"]) for one in document["test_sets"]) == 8

    def test_wins_and_losses_are_those_of_the_scores(self, made_campaign):
        for one in made_campaign.pairs:
            gains = [
                made_campaign.cells[one.name, name].score - made_campaign.cells[one.other, name].score
                for name in one.sets
            ]
            assert one.wins == sum(gain > 0 for gain in gains)
            assert one.losses == sum(gain < 0 for gain in gains)

    def test_mean_scores_come_with_a_warning_that_scales_differ(self, made_campaign):
        sheet = campaign_sheets.systems_sheet(made_campaign)
        assert "scales differ" in next(one.heading for one in sheet.fields if one.key == "mean_score")
        assert campaign_sheets.SCALES_DIFFER in sheet.caption
        assert sheet.frame["wins"].sum() == sheet.frame["losses"].sum() == 3 + 3 + 1


class TestWords:
    def test_say_who_is_ahead_and_how_surely(self, made_campaign, read_html):
        said = campaign_words.campaign_verdict(made_campaign).markdown()
        assert f"**{made_campaign.order()[0]}**" in said
        assert "best mean rank in BLEU" in said
        assert "By replicability analysis" not in said
        html = read_html(campaign_words.campaign_verdict(made_campaign))
        assert "replicability analysis" in " ".join(html.titles())

    def test_name_the_next_where_all_together_speaks_for_it(self, made_campaign):
        pair = made_campaign.campaign.pair(*made_campaign.order()[:2])
        for turned in (pair, pair.turned()):
            said = campaign_words._pair_words(turned, sure=sentence("the next")).markdown()
            assert (
                f"wins {turned.wins} of {turned.n_sets} test sets against the next and loses {turned.losses};" in said
            )
            assert ("the next is significantly better" in said) == (turned.mean_gain < 0 and turned.is_significant)
            assert ("it is significantly better" in said) == (turned.mean_gain > 0 and turned.is_significant)
            assert ("not significantly" in said) == (not turned.is_significant)
        nowhere = replace(pair, better=replace(pair.better, n_found=0), worse=replace(pair.worse, n_found=0))
        assert campaign_words._replicated(nowhere) == "no single test set is conclusive"

    def test_of_one_system_there_is_nothing_to_compare(self, made_campaign):
        alone = [replace_systems(one, "best") for one in made_campaign.sets]
        view = CampaignView("Alone", combine(alone))
        assert "the only system" in campaign_words.campaign_verdict(view).markdown()
        assert not view.pairs
        assert html_report(campaign_report(view))

    def test_without_a_set_of_all_systems_there_are_no_mean_ranks(self, made_campaign, set_of_two):
        parts = [made_campaign.campaign.set_called(set_of_two)]
        others = [replace_systems(one, LACKING) for one in made_campaign.sets if one.name != set_of_two]
        view = CampaignView("Parts", combine([*parts, *others]))
        assert "no test set has all 3 systems" in campaign_words.campaign_verdict(view).markdown()
        assert any("no mean ranks" in remark for remark in view.campaign.remarks)
        assert "net_wins" in campaign_sheets.systems_sheet(view).frame
        assert "leads in BLEU by wins minus losses" in campaign_words.campaign_verdict(view).markdown()

    def test_of_a_single_set_nothing_is_averaged_or_counted_over_sets(self, made_campaign, set_of_two):
        view = CampaignView("One", combine([made_campaign.campaign.set_called(set_of_two)]))
        said = campaign_words.campaign_verdict(view).markdown()
        assert "the only test set" in said
        assert verdict_sentence(set_verdict(view.sets[0])).markdown() in said
        assert not re.search("more than chance|corrected for 1", said)
        assert "mean rank" not in said
        assert "replicability" not in said
        assert "against-the-rest" not in [one.name for one in campaign_report(view).sections]

    def test_name_what_did_not_fit(self, made_campaign):
        view = replace(made_campaign, failed=(("talk", "talk: it cannot be read."),))
        said = campaign_words.left_out_note(view).markdown()
        assert f"{len(view.left_out)} file" in said
        assert "1 test set" in said

    def test_of_a_baseline_name_who_is_better_and_worse(self, of_baseline):
        said = campaign_words.campaign_verdict(of_baseline).markdown()
        assert "**best**" in said
        assert ("worse" in said) == any(one.is_significant for one in of_baseline.pairs)


def test_methods_cite_what_they_name(made_campaign):
    said, entries = campaign_methods.methods_sentence(made_campaign), campaign_methods.bibtex(made_campaign)
    for key in ("dror-etal-2017", "benjamini-heller-2008", "edgington-onghena", "demsar-2006", "papineni"):
        assert key in entries
    assert "Dror et al., 2017" in said
    assert made_campaign.sets[0].signature in said


@pytest.mark.parametrize("form", COMMAND_FORMS)
def test_every_sheet_has_every_form(made_campaign, form):
    sheets = [
        campaign_sheets.matrix_sheet(made_campaign),
        campaign_sheets.cells_sheet(made_campaign),
        campaign_sheets.systems_sheet(made_campaign),
        campaign_sheets.pairs_sheet(made_campaign),
        campaign_sheets.differences_sheet(made_campaign),
        campaign_sheets.against_the_rest_sheet(made_campaign),
        campaign_sheets.sets_sheet(made_campaign),
        plan_sheets.not_read_sheet(made_campaign.left_out, "What did not fit"),
    ]
    assert all(write(sheet, form) for sheet in sheets)


class TestReport:
    def test_has_every_number_of_the_matrix_in_both_forms(self, made_campaign):
        report = campaign_report(
            made_campaign, command="bleuscope campaign x", link="http://127.0.0.1/campaign?campaign=files"
        )
        html, markdown = html_report(report), markdown_report(report)
        for cell in made_campaign.cells.values():
            assert numbers.score(cell.score) in html
            assert numbers.score(cell.score) in markdown
        for text in (html, markdown):
            assert "bleuscope campaign x" in text
            assert "campaign=files" in text
            assert "broken.xlsx" in text.replace("\\", "")

    def test_asks_no_host_and_runs_no_script(self, made_campaign):
        html = html_report(campaign_report(made_campaign))
        assert "<script" not in html
        assert "script-src 'none'" in unescape(html)
        assert "opens its comparison" not in html

    def test_shows_names_as_they_are_written(self, made_campaign):
        html = html_report(campaign_report(made_campaign))
        assert "<i>" not in html.replace(f"<i>{BEST_MARK}</i>", "").replace(f"<i>{CHECK_MARK}</i>", "")
        assert "middle &lt;i&gt;" in html


def net_losses(view, name):
    wins, losses = view.won_and_lost[name]
    return losses - wins


def replace_systems(one, kept):
    """A set with one system alone."""
    place = one.systems.index(kept)
    return replace(
        one,
        systems=(kept,),
        scores=(one.scores[place],),
        intervals=(one.intervals[place],),
        clusters=((kept,),),
        rank_ranges=((1, 1),),
        pair_places=np.empty((0, 2), np.int64),
        pair_numbers=np.empty((0, 9)),
        pair_remarks=(),
        pair_families=(),
        planned=np.empty((0, 0, 3)),
        null=one.null[:0],
    )


@pytest.fixture(scope="module")
def lost(campaign_folder):
    """What a system loses against the best on every set."""
    texts = []
    for planned in plan_campaign(str(campaign_folder)).sets:
        test_set = open_set(planned)
        texts.append(ScoredTexts(planned.name, test_set, evaluate(test_set, BleuOptions())))
    return lost_everywhere(texts, LACKING, "best")


class TestLost:
    def test_sets_with_both_are_grouped_by_language(self, made_campaign, set_of_two):
        groups = lost_sheets.languages_with_both(made_campaign, LACKING, "best")
        named = [one.name for sets in groups.values() for one in sets]
        assert set_of_two not in named
        assert len(named) == 2

    def test_sets_of_one_language_that_are_scored_otherwise_stand_apart(self, made_campaign):
        signatures = ("nrefs:1|tok:13a|smooth:exp", "nrefs:2|tok:13a|smooth:exp", "nrefs:1|tok:intl|smooth:exp")
        sets = [
            replace(one, signature=signature, languages=("en", "de"))
            for one, signature in zip(made_campaign.sets, signatures, strict=True)
        ]
        other = next(name for name in made_campaign.systems if name not in ("best", LACKING))
        groups = lost_sheets.languages_with_both(CampaignView("refs", combine(sets)), "best", other)
        assert list(groups) == ["de, 1 reference, 13a", "de, 2 references, 13a", "de, 1 reference, intl"]
        assert list(lost_sheets.languages_with_both(CampaignView("one", combine(sets[:1])), "best", other)) == ["de"]

    def test_sets_whose_phrases_another_tokenizer_cuts_stand_apart_whatever_the_metric(self, in_ter):
        sets = [replace(one, languages=("en", "de")) for one in in_ter.sets]
        view = CampaignView("ter", combine(sets), scoring=TerOptions())
        tokenizers = dict(zip(view.campaign.set_names, ("13a", "intl", "13a"), strict=True))
        groups = lost_sheets.languages_with_both(view, "best", "نظام", tokenizers)
        assert {name: len(sets) for name, sets in groups.items()} == {"de, 13a": 2, "de, intl": 1}

    def test_pairs_that_share_no_set_are_none_that_p_is_corrected_for(self, made_campaign, set_of_two):
        parts = [made_campaign.campaign.set_called(set_of_two)]
        others = [replace_systems(one, LACKING) for one in made_campaign.sets if one.name != set_of_two]
        view = CampaignView("Parts", combine([*parts, *others]))
        assert view.campaign.n_tested == 1 < len(view.campaign.pairs)
        assert "trials, corrected (max-t) for 1 pair." in campaign_sheets.pairs_sheet(view).caption

    def test_phrases_and_segments_have_a_row_each(self, lost, set_of_two):
        assert set_of_two in lost_sheets.left_out_words(lost).markdown()
        costly = lost_sheets.costly_segments_sheet(lost)
        assert costly.frame["test_set"].tolist() == list(lost.sets)
        first = lost.segments[0].segments[0]
        assert costly.frame["segments"][0].startswith(f"#{first + 1}")
        said = lost_sheets.lost_verdict(lost).markdown()
        assert "middle" in said
        sheet = lost_sheets.phrases_sheet(lost, lost.folded)
        assert (sheet.frame["least_part"] <= sheet.frame["mean_part"] + 1e-12).all()
        for phrase in lost.folded:
            by_set = lost_sheets.phrase_by_set_sheet(lost, phrase)
            assert by_set.frame["net"].tolist() == list(phrase.nets)
