"""Runs: a page, a command and a section of the report on recipes with several runs."""

from bleuscope.registry import Command, Feature, Page, Question, ReportSection

_REPORT = "bleuscope.features.runs.report"

FEATURE = Feature(
    name="runs",
    pages=(Page("runs", "Runs", path="features/runs/pages/runs.py", door="trust"),),
    page_before="test_set",
    params="bleuscope.features.runs.params",
    beneath_verdict="bleuscope.features.runs.panel:to_recipes",
    questions=(
        Question(
            "Is the recipe better, or only this run?",
            "runs",
            "Compares recipes that have several runs.",
            work="bleuscope.features.runs.report_work:work",
            answer="bleuscope.features.runs.words:answer",
        ),
    ),
    report_sections=(
        ReportSection(
            "runs",
            "Is the recipe better?",
            before="difference",
            is_offered=f"{_REPORT}:is_offered",
            is_usual=True,
            find=f"{_REPORT}:find",
            blocks=f"{_REPORT}:blocks",
            method=f"{_REPORT}:method",
            work="bleuscope.features.runs.report_work:work",
        ),
    ),
    commands=(Command("runs", "bleuscope.features.runs.command", before="checks"),),
)
