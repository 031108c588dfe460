"""Sensitivity: a page, a command and a section of the report on what settings do."""

from bleuscope.registry import Command, Feature, Page, Question, ReportSection

_REPORT = "bleuscope.features.sensitivity.report"

FEATURE = Feature(
    name="sensitivity",
    pages=(Page("sensitivity", "Sensitivity", path="features/sensitivity/pages/sensitivity.py", door="trust"),),
    page_before="test_set",
    commands=(Command("sensitivity", "bleuscope.features.sensitivity.command", before="checks"),),
    questions=(
        Question(
            "Would another setting change the order?",
            "sensitivity",
            "Open to score every system under all common settings.",
            work="bleuscope.features.sensitivity.report_work:work",
            answer="bleuscope.features.sensitivity.words:answer",
        ),
    ),
    report_sections=(
        ReportSection(
            "sensitivity",
            "Does the order depend on a setting?",
            before="errors",
            is_offered=f"{_REPORT}:is_offered",
            find=f"{_REPORT}:find",
            blocks=f"{_REPORT}:blocks",
            method=f"{_REPORT}:method",
            work="bleuscope.features.sensitivity.report_work:work",
        ),
    ),
    params="bleuscope.features.sensitivity.params",
)
