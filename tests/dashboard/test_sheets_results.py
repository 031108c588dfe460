"""Sheets of results: the same numbers as the pages and sacreBLEU, with everything that says how they were made."""

import json
import re
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from sacrebleu.metrics import BLEU

from bleucore import BleuOptions, ChrfOptions, evaluate
from bleucore.analysis.explanation import explain_difference
from bleucore.checks import check
from bleucore.metrics.segment_scores import SegmentScores, SystemScores
from bleucore.significance import SignificanceOptions, compare
from bleuscope.content.blocks import block_analysis, block_sheets
from bleuscope.content.comparison import text_sheets
from bleuscope.content.comparison.comparison_context import Settings, make_study
from bleuscope.content.comparison.differences import Selection, compared_systems, known_units
from bleuscope.content.findings import finding_sheets
from bleuscope.content.findings.finding_words import effect_of
from bleuscope.content.scores import score_sheets
from bleuscope.content.sheets.builders import sheet_of
from bleuscope.content.sheets.html import html_table
from bleuscope.content.sheets.sheet import Field
from bleuscope.content.sheets.values import STAR, page_fields, read_columns, read_fields
from bleuscope.content.sheets.writers import write_text
from bleuscope.content.significance import significance_sheets, significance_tables
from bleuscope.content.significance.significance_words import TEST_LABELS
from bleuscope.content.style import numbers
from bleuscope.content.style.identity import identities

FEW = SignificanceOptions(trials=199, resamples=100)


def read(sheet):
    """A sheet as people read it: the heading and the cells by heading, stars included."""
    columns = [[cell.text + (STAR if cell.is_marked else "") for cell in column] for column in read_columns(sheet)]
    return dict(zip([one.heading for one in read_fields(sheet)], columns, strict=True))


def ranks_of(found):
    """The ranks that systems can have, as pages write them."""
    return [low if low == high else f"{low}–{high}" for low, high in zip(found["rank"], found["to"], strict=True)]


def page_rows(read_html, html):
    """The table of a page by heading, a star without its thin blank, names without their numbers."""
    heading, *rows = read_html(html).rows()
    cells = [[cell.replace("\u200a", "") for cell in row] for row in rows]
    return dict(zip(heading, map(list, zip(*cells, strict=True)), strict=True))


def rows_of(sheet):
    """Raw rows as JSON has them."""
    return json.loads(write_text(sheet, "json"))[sheet.name]


@pytest.fixture(scope="module")
def study(sample):
    settings = Settings(metrics=(ChrfOptions(),), significance=FEW, baseline="literal")
    return make_study(sample.test_set, settings)


@pytest.fixture(scope="module")
def partly_scored(sample):
    """The sample with scores from a file that says nothing about one system, and less is better."""
    n = sample.test_set.n_segments
    found = {name: SystemScores(np.arange(1, n + 1), np.full(n, 0.25), np.arange(n)) for name in ("literal", "human")}
    return evaluate(sample.test_set, metrics=[SegmentScores("bleu", "bleu.tsv", found, higher_is_better=False)])


@pytest.fixture(scope="module")
def analysis(sample):
    layout = SignificanceOptions("block-t", n_blocks=9).block_layout(known_units(sample.test_set))
    return block_analysis.analyse(sample.evaluation.metrics["BLEU"], layout, "literal")


class TestScores:
    def test_are_those_of_sacrebleu_best_first(self, sample):
        rows = rows_of(score_sheets.scores_sheet(sample.evaluation))
        metric = BLEU()
        expected = {
            system.name: metric.corpus_score(system.hypotheses, sample.test_set.references)
            for system in sample.test_set.systems
        }
        assert [row["system"] for row in rows] == sorted(expected, key=lambda name: -expected[name].score)
        for row in rows:
            score = expected[row["system"]]
            assert row["bleu"] == pytest.approx(score.score, abs=1e-9)
            assert [row[f"precision_{n}"] for n in range(1, 5)] == pytest.approx(score.precisions, abs=1e-9)
            assert row["brevity_penalty"] == pytest.approx(score.bp)
            assert (row["hypothesis_length"], row["reference_length"]) == (score.sys_len, score.ref_len)

    def test_name_every_signature_and_the_digest(self, study):
        sheet = score_sheets.scores_sheet(study.evaluation)
        chrf = study.evaluation.metrics["chrF2"].signature
        signatures = f"Signatures: BLEU|{study.evaluation.signature}; chrF2|{chrf}."
        assert sheet.caption.endswith(f"{signatures} {' '.join(study.evaluation.remarks)}")
        assert sheet.facts == {
            "digest": study.test_set.digest,
            "n_segments": 216,
            "signature": study.evaluation.signature,
            "signature of chrF2": chrf,
        }

    def test_of_a_file_keep_their_name_and_are_missing_where_there_are_none(self, partly_scored):
        sheet = score_sheets.scores_sheet(partly_scored)
        rows = {row["system"]: row for row in rows_of(sheet)}
        assert rows["literal"]["bleu (2)"] == 0.25
        assert rows["neural-40k"]["bleu (2)"] is None
        assert sheet.fields[-2].best == "lowest"
        assert read(sheet)["bleu ↓"].count("–") == 6


class TestSystems:
    def test_read_as_the_table_of_the_page(self, study, read_html):
        page = page_rows(read_html, html_table(score_sheets.systems_sheet(study), study.looks))
        sheet = read(score_sheets.systems_sheet(study))
        assert page.pop("system") == sheet["system"]
        page["Δ"] = ["–" if cell == "baseline" else cell for cell in page["Δ"]]
        page |= {f"{short} length": page.pop(short) for short in ("hyp.", "ref.")}
        assert page.pop("ranks") == ranks_of(sheet)
        assert page == {heading: sheet[heading] for heading in page}

    def test_hold_what_the_tests_gave_unrounded(self, study):
        rows = {row["system"]: row for row in rows_of(score_sheets.systems_sheet(study))}
        for name, test in study.comparison.against("literal").items():
            row = rows[name]
            assert row["difference"] == test.difference
            assert (row["difference_interval_low"], row["difference_interval_high"]) == test.interval
            assert (row["p_value"], row["corrected_p_value"]) == (test.p_value, test.corrected_p_value)
            assert row["significant"] == study.comparison.is_significant(test)
            assert row["remark"] == test.remark
        assert {rows["literal"][key] for key in ("difference", "p_value", "significant", "remark")} == {None}

    def test_caption_says_test_trials_correction_and_signatures(self, study):
        sheet = score_sheets.systems_sheet(study)
        for part in (
            "against the baseline literal",
            "Approximate randomisation, 199 trials over 12 documents (216 segments)",
            "p corrected for 7 comparisons with the baseline literal (step-down max-T)",
            "Significant below .05, seed 12345",
            f"Test signature: {replace(FEW, unit='document').signature()}.",
            study.evaluation.signature,
        ):
            assert part in sheet.caption
        assert sheet.facts["test_signature"] == replace(FEW, unit="document").signature()
        assert (sheet.facts["seed"], sheet.facts["level"], sheet.facts["baseline"]) == (12345, 0.05, "literal")
        assert (sheet.facts["n_segments"], sheet.facts["n_documents"]) == (216, 12)
        assert (sheet.facts["unit"], sheet.facts["n_units"]) == ("document", 12)
        assert "n_documents" not in significance_sheets.comparison_facts(replace(study.comparison, n_documents=None))

    def test_before_the_tests_differences_are_there_and_p_is_not(self, study):
        sheet = score_sheets.tested_systems_sheet(study.evaluation, None, "literal", others={})
        rows, tested = (
            {row["system"]: row for row in rows_of(one)} for one in (sheet, score_sheets.systems_sheet(study))
        )
        assert rows["literal"]["difference"] is tested["literal"]["difference"] is None
        for name in set(rows) - {"literal"}:
            assert rows[name]["difference"] == pytest.approx(tested[name]["difference"])
        assert {row["corrected_p_value"] for row in rows.values()} == {None}

    def test_caption_warns_of_a_test_that_is_too_kind(self, sample):
        options = SignificanceOptions(test="sacrebleu-bs", resamples=50)
        tested = compare(compared_systems(sample.test_set, sample.evaluation.metrics["BLEU"]), options)
        sheet = score_sheets.tested_systems_sheet(sample.evaluation, tested, "literal", others={})
        assert "p-values are too small" in sheet.caption

    def test_in_latex_have_the_best_bold_and_stars(self, study):
        text = write_text(score_sheets.systems_sheet(study), "latex")
        neural = next(line for line in text.split("\n") if line.startswith("neural-40k"))
        best = study.evaluation.systems["neural-40k"].score.score
        assert rf"\textbf{{{numbers.score(best)}}}" in neural
        tests = [study.comparison, study.others["chrF2"]]
        stars = [sum(map(one.is_significant, one.against("literal").values())) for one in tests]
        assert text.count(r"\rlap{$^{*}$}") == sum(stars)
        assert all(stars)
        assert "Approximate randomisation, 199 trials" in text

    def test_of_one_system_have_no_comparison(self, one_system):
        sheet = score_sheets.tested_systems_sheet(one_system.evaluation, one_system.comparison, "only", others={})
        (row,) = rows_of(sheet)
        assert row["p_value"] is None
        assert "corrected" not in sheet.caption

    def test_of_equal_systems_are_not_marked(self, twins):
        sheet = score_sheets.tested_systems_sheet(twins.evaluation, twins.comparison, "first", others={})
        assert not any(cell.is_marked or cell.is_best for column in read_columns(sheet) for cell in column)

    def test_survive_hostile_names_in_every_form(self, hostile):
        sheet = score_sheets.tested_systems_sheet(
            hostile.evaluation, hostile.comparison, hostile.evaluation.names[0], others={}
        )
        assert [row["system"] for row in rows_of(sheet)] == list(hostile.evaluation.ranked())
        assert "<script>" not in write_text(sheet, "markdown")


class TestOrders:
    def test_read_as_the_table_of_the_page(self, study, read_html):
        page = page_rows(read_html, html_table(score_sheets.orders_sheet(study.evaluation), study.looks))
        page["system"] = page["system"]
        assert read(score_sheets.orders_sheet(study.evaluation)) == page

    def test_end_with_the_corpus_score(self, sample):
        for row in rows_of(score_sheets.orders_sheet(sample.evaluation)):
            assert row["bleu_4"] == pytest.approx(sample.evaluation.systems[row["system"]].score.score)

    def test_are_as_many_as_asked_for(self, sample):
        sheet = score_sheets.orders_sheet(evaluate(sample.test_set, BleuOptions(max_order=2)))
        assert [one.key for one in sheet.fields] == ["system", "precision_1", "precision_2", "bleu_1", "bleu_2"]


class TestPairs:
    def test_are_all_pairs_with_the_better_one_first(self, study):
        rows = rows_of(significance_sheets.pairs_sheet(study.comparison, study.evaluation))
        assert len(rows) == 28
        assert all(row["difference"] > 0 for row in rows)
        for row in rows:
            test = study.comparison.pair(row["system"], row["other"])
            assert (row["difference"], row["p_value"]) == (test.difference, test.p_value)
            assert row["corrected_p_value"] == test.corrected_p_value

    def test_of_another_metric_name_it_and_its_signature(self, study, sample):
        metric = study.evaluation.metrics["chrF2"]
        tested = compare(compared_systems(sample.test_set, metric), FEW)
        sheet = significance_sheets.pairs_sheet(tested, study.evaluation, metric)
        assert "in chrF2:" in sheet.caption
        assert (sheet.facts["metric"], sheet.facts["signature"]) == ("chrF2", metric.signature)
        assert sheet.caption.endswith(
            f"Signature: {metric.signature}. chrF2 takes the first of equally good references, so their order counts: "
            "here reference A, reference B."
        )

    def test_as_a_matrix_are_read_without_colour_either_way(self, study, read_html):
        html = significance_tables.pairs_matrix(
            significance_sheets.pairs_sheet(study.comparison, study.evaluation), study.looks
        )
        heading, *rows = read_html(html).rows()
        assert [row[0] for row in rows] == list(study.evaluation.ranked())
        assert [len(row) for row in rows] == [len(heading)] * 8
        assert all(row[place] == "" for place, row in enumerate(rows, start=1))
        assert re.fullmatch(r"\+28\.\d\dp \.007\u200a\*", rows[0][8])
        assert rows[7][1] == rows[0][8].replace("+", "−")

    @pytest.mark.parametrize(("n_systems", "is_narrow"), [(10, False), (11, True)])
    def test_as_a_matrix_of_many_systems_have_narrow_cells(self, n_systems, is_narrow):
        names = [f"s{number}" for number in range(n_systems)]
        pairs = [(one, other) for place, one in enumerate(names) for other in names[place + 1 :]]
        sheet = sheet_of(
            "pairs",
            (),
            [
                (Field("system", "system", "text"), [one for one, _ in pairs]),
                (Field("other", "against", "text"), [other for _, other in pairs]),
                (Field("difference", "Δ", "difference"), [1.0] * len(pairs)),
                (Field("corrected_p_value", "p", "p"), [0.5] * len(pairs)),
            ],
            {},
        )
        html = significance_tables.pairs_matrix(sheet, identities(tuple(names), None, {}, tuple(names[:2])))
        assert ("bs-many" in html) == is_narrow

    def test_as_a_matrix_have_the_colour_of_who_is_ahead_whichever_way_the_metric_points(
        self, study, sample, sample_errors, read_html
    ):
        tested = compare(compared_systems(sample.test_set, sample_errors), FEW)
        evaluation = replace(sample.evaluation, metrics={"errors": sample_errors})
        sheet = significance_sheets.pairs_sheet(tested, evaluation, sample_errors)
        ahead = read_html(significance_tables.pairs_matrix(sheet, study.looks)).of_class("bs-ahead")
        assert len(ahead) == 28
        assert all(element.text.startswith("−") for element in ahead)

    def test_of_neighbours_are_each_system_and_the_next_in_rank(self, study, read_html):
        sheet = significance_sheets.neighbours_sheet(study.comparison, study.evaluation)
        page = page_rows(read_html, html_table(sheet, study.looks))
        ranked = list(study.evaluation.ranked())
        assert (page["system"], page["next in rank"]) == (ranked[:-1], ranked[1:])
        tests = [study.comparison.pair(*names) for names in pairwise(ranked)]
        assert page["difference"] == [numbers.difference(one.difference) for one in tests]
        assert [cell.endswith("*") for cell in page["p"]] == [study.comparison.is_significant(one) for one in tests]

    def test_escape_hostile_names(self, hostile, read_html):
        pairs = significance_sheets.pairs_sheet(hostile.comparison, hostile.evaluation)
        neighbours = significance_sheets.neighbours_sheet(hostile.comparison, hostile.evaluation)
        for html in (significance_tables.pairs_matrix(pairs, hostile.looks), html_table(neighbours, hostile.looks)):
            assert all(name in read_html(html).text for name in hostile.evaluation.names)

    def test_one_pair_is_b_minus_a_with_what_the_test_set_can_show(self, study):
        (row,) = rows_of(significance_sheets.pair_sheet(study.comparison, ("fluent", "neural-40k"), study.evaluation))
        test = study.comparison.pair("neural-40k", "fluent")
        assert (row["system"], row["other"], row["difference"]) == ("neural-40k", "fluent", test.difference)
        assert (row["smallest_detectable"], row["n_needed"]) == (test.smallest_detectable, test.n_needed)
        assert (row["family"], row["n_comparisons"]) == (test.family, test.n_comparisons)


class TestClusters:
    def test_are_those_of_the_page_with_the_ends_of_the_ranks(self, study, read_html):
        sheet = significance_sheets.clusters_sheet(study.comparison, study.evaluation)
        html = html_table(sheet, study.looks)
        page = page_rows(read_html, html)
        assert html.count('class="bs-part"') == len(study.comparison.clusters) - 1
        found = read(sheet)
        assert found["system"] == page["system"]
        assert found["BLEU ↑"] == page["score"]
        clusters = enumerate(study.comparison.clusters, start=1)
        places = {name: str(place) for place, names in clusters for name in names}
        assert found["cluster"] == [places[name.split(" ", 1)[-1]] for name in found["system"]]
        assert ranks_of(found) == page["ranks"]


class TestPower:
    def test_reads_as_the_table_of_the_page(self, study, read_html):
        compared = [study.comparison.pair(name, "literal") for name in study.evaluation.ranked() if name != "literal"]
        page = page_rows(
            read_html,
            html_table(significance_sheets.power_sheet(study.comparison, study.evaluation, "literal"), study.looks),
        )
        sheet = read(significance_sheets.power_sheet(study.comparison, study.evaluation, "literal"))
        assert sheet["system"] == page["system"]
        assert (sheet["Δ"], sheet["detectable"], sheet["p"]) == (page["difference"], page["detectable"], page["p"])
        assert [
            row["n_needed"]
            for row in rows_of(significance_sheets.power_sheet(study.comparison, study.evaluation, "literal"))
        ] == [one.n_needed for one in compared]


class TestSelection:
    def test_reads_as_the_table_of_the_page(self, study, read_html):
        chosen = Selection.of(np.arange(144), by_score=True)
        tested = compare(compared_systems(study.test_set, study.evaluation.metrics["BLEU"], chosen), FEW)
        sheet = significance_sheets.selection_sheet(tested, "literal", study.evaluation)
        page = page_rows(read_html, html_table(sheet, study.looks))
        found = read(sheet)
        for heading in ("BLEU ↑", "95 % interval", "p"):
            assert found[heading] == page[heading]
        assert found["95 % interval of Δ"] == page["95 % interval of Δ"]
        assert "8 documents (144 segments)" in sheet.caption
        assert tested.warning in sheet.caption
        assert sheet.facts["n_segments"] == 144


class TestExplanation:
    def test_reads_as_the_table_of_the_page_and_adds_up(self, study, read_html):
        explanation = explain_difference(study.test_set, study.evaluation.options, "mteval-v13a")
        sheet = score_sheets.explanation_sheet(explanation, "mteval-v13a")
        page = page_rows(read_html, html_table(sheet, study.looks))
        found = read(sheet)
        page["system"] = page["system"]
        assert found.pop("Δ")
        assert found == page
        for row in rows_of(sheet):
            parts = [value for key, value in row.items() if key not in ("system", "here", "there", "difference")]
            assert sum(parts) == pytest.approx(row["difference"]) == pytest.approx(row["there"] - row["here"])

    def test_caption_says_what_was_switched(self, study):
        explanation = explain_difference(study.test_set, BleuOptions(), BleuOptions(lowercase=True))
        assert "ignoring case: no here, yes there." in score_sheets.explanation_sheet(explanation, "other").caption


class TestFindings:
    def test_name_their_segments_from_one_in_runs(self, score_texts):
        test_set = score_texts({"one": ["", "", "b", "", "c d e"]}, [["a b", "b c", "b", "c", "c d e"]]).test_set
        rows = rows_of(finding_sheets.findings_sheet(check(test_set), test_set))
        empty = next(row for row in rows if row["n_segments"] == 3)
        assert empty["segments"] == "1 to 2, 4"

    def test_say_what_the_page_says_and_what_it_does_to_the_score(self, sample):
        found = check(sample.test_set)
        sheet = finding_sheets.findings_sheet(found, sample.test_set, sample.evaluation)
        rows = rows_of(sheet)
        assert [(row["severity"], row["message"]) for row in rows] == [(one.severity, one.message) for one in found]
        assert sheet.name == "checks"
        loops, repair = next(
            (row, one.repair) for row, one in zip(rows, found, strict=True) if row["check"] == "repetition-loops"
        )
        hypotheses = list(sample.test_set.system("literal").hypotheses)
        for segment, text in zip(repair.segments.tolist(), repair.texts, strict=True):
            hypotheses[segment] = text
        repaired = BLEU().corpus_score(hypotheses, sample.test_set.references)
        assert loops["bleu_repaired"] == pytest.approx(repaired.score, abs=1e-9)
        assert loops["bleu_cost"] == pytest.approx(repaired.score - loops["bleu"], abs=1e-9)
        assert loops["repair"] == "whole"

    def test_say_what_it_does_to_the_score_in_every_metric(self, study):
        found = check(study.test_set)
        rows = rows_of(finding_sheets.findings_sheet(found, study.test_set, study.evaluation))
        effects = [effect_of(study.evaluation, study.evaluation.metrics["chrF2"], finding) for finding in found]
        assert [(row["chrf2"], row["chrf2_repaired"], row["chrf2_cost"]) for row in rows] == [
            (one and one.score, one and one.score_repaired, one and one.cost) for one in effects
        ]
        assert any(effects)

    def test_without_any_have_a_heading_only(self, one_system):
        assert write_text(finding_sheets.findings_sheet((), one_system.test_set), "csv").count("\n") == 1


class TestTexts:
    def test_hold_every_text_under_its_own_name(self, score_texts):
        test_set = score_texts(
            {"source": ["x", ""]}, [["a", None], ["b", "b"]], documents=["d", "d"], source=["A", "B"]
        ).test_set
        rows = rows_of(text_sheets.texts_sheet(test_set))
        assert rows == [
            {"segment": 1, "document": "d", "source": "A", "reference 1": "a", "reference 2": "b", "source (2)": "x"},
            {"segment": 2, "document": "d", "source": "B", "reference 1": None, "reference 2": "b", "source (2)": ""},
        ]


class TestBlocks:
    @pytest.mark.parametrize("neighbour", block_analysis.NEIGHBOURS)
    def test_of_systems_read_as_the_table_of_the_page(self, analysis, sample, read_html, neighbour):
        sheet = block_sheets.blocks_sheet(analysis, neighbour)
        page, found = page_rows(read_html, html_table(sheet, sample.looks)), read(sheet)
        page["system"] = page["system"]
        page["95 % interval of Δ"] = page.pop("95 % interval")
        assert found == {heading: page[heading] for heading in found}

    def test_caption_says_the_layout_and_that_nothing_is_corrected(self, analysis):
        caption = block_sheets.blocks_sheet(analysis, "left neighbour").caption
        assert "9 blocks of 24 segments each." in caption
        assert "not corrected" in caption
        assert analysis.metric.signature in caption

    def test_tests_of_a_pair_are_the_three_of_the_page(self, analysis):
        tests = analysis.tests(("literal", "neural-40k"))
        rows = rows_of(block_sheets.block_tests_sheet(analysis, tests))
        assert [row["test"] for row in rows] == [TEST_LABELS[test.method] for test in tests]
        assert [row["p_value"] for row in rows] == [test.p_value for test in tests]
        assert rows[0]["statistic"] == tests[0].statistic
        assert rows[2]["n_positive"] + rows[2]["n_negative"] <= rows[2]["n_blocks"] == 9

    def test_scores_of_blocks_are_those_of_sacrebleu(self, analysis, sample):
        rows = rows_of(block_sheets.block_scores_sheet(analysis))
        assert [row["n_segments"] for row in rows] == [24] * 9
        second = slice(24, 48)
        score = BLEU().corpus_score(
            sample.test_set.system("neural-40k").hypotheses[second],
            [column[second] for column in sample.test_set.references],
        )
        assert rows[1]["neural-40k"] == pytest.approx(score.score, abs=1e-9)

    def test_of_documents_bear_their_names(self, sample):
        layout = SignificanceOptions("block-t", unit="document").block_layout(known_units(sample.test_set))
        analysis = block_analysis.analyse(sample.evaluation.metrics["BLEU"], layout, "literal")
        rows = rows_of(block_sheets.block_scores_sheet(analysis))
        assert [row["block"] for row in rows] == list(dict.fromkeys(sample.test_set.documents))


def test_a_single_system_has_no_columns_on_pages_that_are_of_two(one_system):
    study = make_study(one_system.test_set)
    shown = {one.key for one in page_fields(score_sheets.systems_sheet(study))}
    assert {"system", "bleu", "interval", "chrF2"} <= shown
    assert not any("difference" in key or key.startswith(("p_value", "corrected")) or key == "cluster" for key in shown)
