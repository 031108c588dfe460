"""Runs: a page, a command and a section of the report on recipes with several runs."""

from bleuscope.registry import (
    Command,
    Feature,
    Page,
    Question,
    ReportSection,
    RunNaming,
    SegmentNumber,
    SegmentNumbers,
)

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
            known="bleuscope.features.runs.words:known_answer",
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
    segment_numbers=SegmentNumbers(
        tuple(
            SegmentNumber(
                f"runs_{side.lower()}",
                {
                    f"runs {side}: fewest first": (f"few-runs-{side.lower()}", False),
                    f"runs {side}: most first": (f"many-runs-{side.lower()}", True),
                },
                {f"no run of {side}": f"runs_{side.lower()} == 0"},
            )
            for side in "AB"
        ),
        find="bleuscope.features.runs.segments:find",
    ),
    run_naming=RunNaming(
        options="bleuscope.features.runs.run_options:report_options",
        of_command="bleuscope.features.runs.run_options:of_command",
        on_pages="bleuscope.features.runs.by_hand:on_pages",
        words="bleuscope.features.runs.commands:by_hand_words",
        option="bleuscope.features.runs.run_options:run_option",
        of_names="bleuscope.features.runs.run_options:of_names",
    ),
    commands=(Command("runs", "bleuscope.features.runs.command", before="checks"),),
)
