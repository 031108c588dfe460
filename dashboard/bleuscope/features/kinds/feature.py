"""Kinds of errors: a page behind Compare, a command and a section of the report."""

from bleuscope.registry import Command, Feature, Page, Reasons, ReportSection, SegmentKinds

_REPORT = "bleuscope.features.kinds.report"

FEATURE = Feature(
    name="kinds",
    order=-1,
    pages=(Page("kinds", "Kinds of errors", is_of_two=True, path="features/kinds/pages/kinds.py", door="compare"),),
    page_before="ngrams",
    params="bleuscope.features.kinds.params",
    reasons=Reasons(
        "Sorting errors …",
        work="bleuscope.features.kinds.kept:work",
        draw="bleuscope.features.kinds.panel_reasons:draw",
        question="Which kinds of errors?",
        about="Open to sort what each system lost into ten kinds of errors.",
        page="kinds",
        answer="bleuscope.features.kinds.words:answer",
        whole="bleuscope.features.kinds.panel_reasons:ladder",
    ),
    segment_kinds=SegmentKinds(
        "bleucore.analysis.token_kinds:KINDS",
        "Sorting errors …",
        work="bleuscope.features.kinds.kept:work",
        find="bleuscope.features.kinds.segments:find",
        points="bleuscope.features.kinds.segments:points",
        of_tokens="bleuscope.features.kinds.segments:of_tokens",
    ),
    commands=(Command("kinds", "bleuscope.features.kinds.command", before="ngrams"),),
    report_sections=(
        ReportSection(
            "kinds",
            "Which kinds of errors?",
            before="segments",
            is_offered=f"{_REPORT}:is_offered",
            find=f"{_REPORT}:find",
            blocks=f"{_REPORT}:blocks",
            method=f"{_REPORT}:method",
            work="bleuscope.features.kinds.kept:work",
        ),
    ),
)
