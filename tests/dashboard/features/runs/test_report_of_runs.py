"""The section of the report about runs: usual where a recipe has several, and nothing elsewhere."""

import re

import pytest

from bleucore import System, TestSet
from bleucore.significance import SignificanceOptions
from bleuscope.content import commands
from bleuscope.content.comparison.comparison_context import make_study
from bleuscope.content.comparison.inputs import Settings
from bleuscope.content.report import ReportOptions, html_report, make_report, markdown_report, sections_without
from bleuscope.content.report.choices import SECTIONS, usual_sections
from bleuscope.content.report.parts import Chart, Charts
from bleuscope.features.runs.report import find

N_LINES = 30
LINES = [f"line {number} says that the cat sat on mat number {number * 7} today" for number in range(N_LINES)]
RUNS = [f"{system}, prompt={prompt}, seed {seed}" for system in "ab" for prompt in ("x", "y") for seed in (1, 2, 3)]
FAST = SignificanceOptions(trials=199, resamples=100)


def with_errors(place):
    """Lines of which some words are wrong, other ones for each place."""
    return [
        " ".join(
            word if (7 * column + 3 * row + 5 * place) % 20 >= 2 + place // 3 else "wrong"
            for column, word in enumerate(line.split())
        )
        for row, line in enumerate(LINES)
    ]


def study_of(names, **settings):
    systems = [System(name, with_errors(place)) for place, name in enumerate(names)]
    return make_study(TestSet(systems, [LINES]), Settings(significance=FAST, **settings))


@pytest.fixture(scope="module")
def study():
    return study_of(RUNS)


class TestSection:
    def test_it_is_usual_where_a_recipe_has_several_runs(self, study):
        assert "runs" in usual_sections(study)
        assert "runs" not in usual_sections(study_of(["a", "b"]))
        assert "runs" in sections_without([], study=study)
        assert "runs" not in sections_without(["runs"], study=study)

    def test_it_says_both_claims_and_shows_recipes_and_factors(self, study):
        report = make_report(study)
        (section,) = (one for one in report.sections if one.name == "runs")
        charts = [chart for block in section.blocks if isinstance(block, Charts) for chart in block.charts]
        assert [chart.key for chart in charts] == ["recipes", "factor-1", "factor-2"]
        assert all(isinstance(chart, Chart) and len(chart.data.sheet.frame) for chart in charts)
        text = markdown_report(report).replace("\\", "")
        assert SECTIONS["runs"] in text
        assert re.search(r"Recipe: \S+.* than", text)
        assert "Single runs: of 9 pairs" in text
        assert "Recipes (3 runs each) were compared by their mean scores" in text
        assert "cameron-etal-2011-robust" in text
        assert "<script" in html_report(report)

    def test_the_comparison_of_the_report_is_used_where_all_pairs_were_compared(self, study):
        found = find(study, lambda _: None)
        assert found.comparison.pairs == study.comparison.with_baseline(None).pairs
        assert found.baseline == "a, prompt=x"

    def test_the_baseline_is_the_recipe_of_that_of_the_report(self):
        assert find(study_of(RUNS, baseline="b, prompt=y, seed 2"), lambda _: None).baseline == "b, prompt=y"

    def test_the_command_says_only_what_is_not_usual(self, study):
        usual = ReportOptions(sections=usual_sections(study))
        assert "runs" not in commands.report_command(study, usual).split()
        without = ReportOptions(sections=sections_without(["runs"], study=study))
        assert "--without runs" in commands.report_command(study, without)


class TestCommand:
    def test_it_writes_the_section_unless_it_is_left_out(self, bleuscope, tmp_path):
        for place, name in enumerate(("a-seed1", "a-seed2", "b-seed1", "b-seed2")):
            (tmp_path / f"{name}.txt").write_text("\n".join(with_errors(place)) + "\n")
        (tmp_path / "ref.txt").write_text("\n".join(LINES) + "\n")
        names = [f"{one}.txt" for one in ("a-seed1", "a-seed2", "b-seed1", "b-seed2")]
        asked = ["report", *names, "-r", "ref.txt", "--trials", "99", "--resamples", "100", "-f", "markdown"]
        assert SECTIONS["runs"] in bleuscope(*asked)[1]
        assert SECTIONS["runs"] not in bleuscope(*asked, "--without", "runs")[1]
        assert SECTIONS["runs"] not in bleuscope(*asked[:2], *asked[3:4], *asked[5:])[1]

    def test_recipes_named_by_hand_are_a_section(self, bleuscope, tmp_path):
        for place, name in enumerate("abcd"):
            (tmp_path / f"{name}.txt").write_text("\n".join(with_errors(place)) + "\n")
        (tmp_path / "ref.txt").write_text("\n".join(LINES) + "\n")
        names = [f"{name}.txt" for name in "abcd"]
        asked = ["report", *names, "-r", "ref.txt", "--trials", "99", "--resamples", "100", "-f", "markdown"]
        assert SECTIONS["runs"] not in bleuscope(*asked)[1]
        said = [word for name, recipe in zip("abcd", "xxyy", strict=True) for word in ("--run", f"{name}={recipe}")]
        out = bleuscope(*asked, *said)[1]
        assert SECTIONS["runs"] in out
        assert "Single runs: of 4 pairs" in out
        assert bleuscope(*asked, "--run", "z=x")[0] == 2


class TestPage:
    def test_it_is_chosen_at_first_where_there_are_runs(self, open_page, command_of):
        files = {f"{name}.txt": "\n".join(with_errors(place)) for place, name in enumerate(("a-seed1", "a-seed2", "b"))}
        page = open_page("report", {**files, "ref.txt": "\n".join(LINES)})
        assert not page.exception
        assert SECTIONS["runs"] in " ".join(str(one.body) for one in page.get("html"))
        assert " runs" not in command_of(page)
