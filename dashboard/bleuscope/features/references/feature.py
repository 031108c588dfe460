"""References: a page, a command and a section of the report on what the choice of references does."""

from bleuscope.registry import Command, Feature, Page, Question, ReportSection

_REPORT = "bleuscope.features.references.report"

FEATURE = Feature(
    name="references",
    pages=(Page("references", "References", path="features/references/pages/references.py", door="trust"),),
    page_before="test_set",
    commands=(Command("references", "bleuscope.features.references.command", before="checks"),),
    questions=(
        Question(
            "Would another reference change the order?",
            "references",
            "Open to score every system with each reference alone.",
            work="bleuscope.features.references.report_work:work",
            answer="bleuscope.features.references.words:answer",
            known="bleuscope.features.references.words:known_answer",
        ),
    ),
    report_sections=(
        ReportSection(
            "references",
            "Does the order depend on the references?",
            before="errors",
            is_offered=f"{_REPORT}:is_offered",
            find=f"{_REPORT}:find",
            blocks=f"{_REPORT}:blocks",
            method=f"{_REPORT}:method",
            work="bleuscope.features.references.report_work:work",
        ),
    ),
    params="bleuscope.features.references.params",
)
