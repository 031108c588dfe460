"""Block scores and their tests as tables."""

import re
from dataclasses import replace

import pytest

from bleucore.significance import blocks_of_documents, blocks_of_number
from bleuscope.content.blocks.block_analysis import NEIGHBOURS, analyse
from bleuscope.content.blocks.block_sheets import block_tests_sheet, blocks_sheet
from bleuscope.content.sheets.html import html_table
from bleuscope.content.style import numbers


def html_of_blocks(analysis, looks, neighbour):
    return html_table(blocks_sheet(analysis, neighbour), looks)


def html_of_tests(analysis, tests):
    return html_table(block_tests_sheet(analysis, tests))


def analysed(scored, n_blocks):
    layout = blocks_of_number(scored.evaluation.n_segments, n_blocks)
    return analyse(scored.evaluation.metrics["BLEU"], layout, scored.evaluation.names[0])


class TestBlocksTable:
    @pytest.mark.parametrize("neighbour", NEIGHBOURS)
    def test_gives_summaries_and_tests_worst_system_first(self, sample, read_html, neighbour):
        analysis = analysed(sample, 20)
        rows = read_html(html_of_blocks(analysis, sample.looks, neighbour)).rows()[1:]
        assert len(rows) == len(analysis.rows)
        for cells, row in zip(rows, analysis.rows, strict=True):
            summary, tests = row.summary, row.tests(neighbour)
            assert summary.name in cells[0]
            assert cells[1:4] == [
                numbers.score(summary.mean),
                numbers.score(summary.variance),
                numbers.score(summary.standard_deviation),
            ]
            if tests is None:
                assert set(cells[4:]) == {"–"}
                continue
            assert cells[4:] == [
                numbers.difference(tests[0].mean_difference),
                numbers.interval(*tests[0].interval),
                numbers.statistic(tests[0].statistic),
                *(numbers.p_value(test.p_value) for test in tests),
            ]

    @pytest.mark.parametrize("neighbour", NEIGHBOURS)
    def test_of_one_block_gives_the_reason_where_a_t_would_stand(self, sample, read_html, neighbour):
        page = read_html(html_of_blocks(analysed(sample, 1), sample.looks, neighbour))
        assert "no t" in page.text
        assert "One block has no variance: a t-test takes at least two." in page.titles()

    @pytest.mark.parametrize("n_blocks", [1, 2, 3])
    def test_of_one_system_or_two_identical_ones_has_no_nan(self, one_system, twins, read_html, n_blocks):
        for scored in (one_system, twins):
            page = read_html(html_of_blocks(analysed(scored, n_blocks), scored.looks, "baseline"))
            assert not re.search(r"\b(?:nan|inf|None)\b", page.text, re.IGNORECASE)

    def test_names_stay_text(self, hostile, read_html):
        page = read_html(html_of_blocks(analysed(hostile, 2), hostile.looks, "left neighbour"))
        assert all(name in page.text for name in hostile.evaluation.names)

    def test_says_what_its_tests_are_against(self, sample, read_html):
        titles = {
            neighbour: " ".join(read_html(html_of_blocks(analysed(sample, 4), sample.looks, neighbour)).titles())
            for neighbour in NEIGHBOURS
        }
        assert "minus the system one row above" in titles["row above"]
        assert "minus the baseline" in titles["baseline"]


class TestTestsTable:
    def test_gives_statistic_and_p_of_each_test_with_its_question(self, sample, read_html):
        analysis = analysed(sample, 20)
        tests = analysis.tests(("fluent", "neural-40k"))
        rows = read_html(html_of_tests(analysis, tests)).rows()[1:]
        assert [row[0] for row in rows] == ["paired t-test", "Wilcoxon signed-rank test", "sign test"]
        assert [row[2] for row in rows] == [numbers.p_value(test.p_value) for test in tests]
        assert rows[0][1] == f"t(19) = {numbers.statistic(tests[0].statistic)}"
        assert rows[1][1] == f"W = {tests[1].statistic:g}"
        assert rows[2][1] == f"{tests[2].n_positive} of {tests[2].n_positive + tests[2].n_negative}"
        assert all(row[3].endswith("?") for row in rows)

    def test_counts_lower_scores_as_ahead_where_lower_is_better(self, sample, sample_errors, read_html):
        analysis = analyse(sample_errors, blocks_of_documents(sample.test_set.documents), "literal")
        tests = analysis.tests(("literal", "neural-40k"))
        assert tests[2].n_negative > tests[2].n_positive
        rows = read_html(html_of_tests(analysis, tests)).rows()[1:]
        assert rows[2][1].startswith(f"{tests[2].n_negative} of")

    def test_writes_large_rank_sums_in_full(self, sample, read_html):
        analysis = analysed(sample, 20)
        t_test, wilcoxon, signs = analysis.tests(("fluent", "neural-40k"))
        for statistic, text in ((1234567.5, "W = 1\u202f234\u202f567.5"), (12.0, "W = 12")):
            tests = (t_test, replace(wilcoxon, statistic=statistic), signs)
            assert read_html(html_of_tests(analysis, tests)).rows()[2][1] == text

    def test_of_identical_systems_gives_reasons(self, twins, read_html):
        analysis = analysed(twins, 3)
        page = read_html(html_of_tests(analysis, analysis.tests(("first", "second"))))
        assert [row[1:3] for row in page.rows()[1:]] == [["none", "–"]] * 3
        assert sum("same score in every block" in title for title in page.titles()) == 3
