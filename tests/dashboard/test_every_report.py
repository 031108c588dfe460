"""Reports: each part is there where it has something to say, reads well, and shows in a table what its charts draw."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from bleuscope.content.report import make_report, markdown_report
from bleuscope.content.report.choices import SECTION_NAMES, SECTIONS, ReportOptions
from bleuscope.content.report.evidence import Evidence
from bleuscope.content.report.parts import Chart, Charts, Heading, Table, Words
from tests.dashboard import builders
from tests.dashboard import figure_properties as of_figures
from tests.dashboard import sheet_properties as of_sheets

CASES = builders.CASES


@cache
def report_of(case):
    one = CASES[case]
    known = {
        "kinds": lambda: one.kinds,
        "references": lambda: one.references,
        "sensitivity": lambda: one.grid,
        "validity": lambda: one.agreed,
    }
    evidence = Evidence({name: make() for name, make in known.items() if name in SECTIONS})
    study = replace(one.study, findings=one.findings)
    return make_report(study, ReportOptions(sections=SECTION_NAMES), findings=one.findings, evidence=evidence)


def parts(case, kind):
    """Every part of a kind, wherever it stands."""
    found = []
    for section in report_of(case).sections:
        for block in section.blocks:
            inside = [block, *(getattr(block, "charts", ())), *(getattr(block, "tables", ()))]
            inside += [one.data for one in inside if isinstance(one, Chart)]
            found += [one for one in inside if isinstance(one, kind)]
    return found


def numbers_of(trace):
    """What a trace draws, in one row."""
    places = np.ravel(trace.z) if trace.type == "heatmap" else [*trace.x, *trace.y]
    return [value for value in places if isinstance(value, int | float | np.number)]


def is_among(value, drawn):
    """Whether a number, or a share as a percentage, is drawn."""
    return np.isnan(value) or np.isclose(drawn, value, atol=1e-6).any() or np.isclose(drawn, 100 * value).any()


@pytest.mark.parametrize("case", CASES)
class TestEveryReport:
    def test_holds_the_sections_in_their_order(self, case):
        names = [section.name for section in report_of(case).sections]
        assert names == [name for name in SECTIONS if name in names]
        assert set(SECTIONS) - set(names) == ({"segments"} if case == "both are the same" else set())

    def test_has_tables_and_charts_that_hold_together(self, case):
        for table in parts(case, Table):
            for holds in (of_sheets.has_what_it_names, of_sheets.is_possible, of_sheets.is_written_as_its_kind):
                holds(table.sheet)
        for chart in parts(case, Chart):
            for holds in of_figures.ALL:
                holds(chart.figure)
            assert chart.alt

    def test_has_no_chart_twice_and_none_without_its_data(self, case):
        charts = parts(case, Chart)
        assert len({one.key for one in charts}) == len(charts)
        for chart in charts:
            sheet = chart.data.sheet
            assert len(sheet.frame)
            drawn = np.array([value for trace in chart.figure.data for value in numbers_of(trace)])
            rows = sheet.frame.drop(index=list(sheet.emphasised))
            named = {one.key for one in sheet.fields if one.kind not in ("text", "yes or no", "interval")}
            shown = [key for key in named if all(is_among(value, drawn) for value in rows[key].to_numpy(np.float64))]
            is_of_all = chart.key == "reference-matches"  # its table is of each system, too
            assert shown or is_of_all or not any(one.type == "bar" for one in chart.figure.data), chart.key

    def test_has_words_in_the_right_number(self, case):
        for words in parts(case, Words):
            text = " ".join(words.said.markdown().split())
            assert not of_sheets.WRONG_NUMBER.search(text), text

    def test_draws_ingredients_where_the_difference_has_some(self, case):
        one, keys = CASES[case], [chart.key for chart in parts(case, Chart)]
        assert ("waterfall" in keys) == (one.attribution.reason is None and one.attribution.has_ingredients)
        assert "documents" in keys
        assert parts(case, Charts)
        headings = [heading.text for heading in parts(case, Heading)]
        assert ("By phrase" in headings) == (one.metric_name == "BLEU" and case != "both are the same")

    def test_says_who_is_measured_against(self, case):
        text = markdown_report(report_of(case))
        is_chosen = CASES[case].study.baseline is not None
        assert ("Differences from the baseline" in text) == is_chosen
        assert ("Differences from the best" in text) == (not is_chosen)
