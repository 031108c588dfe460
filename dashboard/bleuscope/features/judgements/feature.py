"""Judgements: a page, two commands, a section of the report and a stop of the tour on what people say of the texts."""

from bleuscope.registry import Command, Feature, Page, Question, ReportSection, TourStop

_HERE = "bleuscope.features.judgements"

FEATURE = Feature(
    name="judgements",
    order=1,
    pages=(
        Page(
            "validity",
            "Human judgements",
            is_of_two=True,
            path="features/judgements/pages/validity.py",
            door="trust",
            title_of=f"{_HERE}.choices:page_title",
        ),
    ),
    page_before="test_set",
    commands=(
        Command("draw", f"{_HERE}.command_draw", before="neural"),
        Command("agreement", f"{_HERE}.command_agreement", before="report"),
    ),
    params=f"{_HERE}.params",
    questions=(
        Question(
            "Do human judges agree?",
            "validity",
            "Load human judgements under Data to see.",
            work="bleuscope.features.judgements.usual_choice:work",
            answer="bleuscope.features.judgements.words:answer",
        ),
    ),
    report_sections=(
        ReportSection(
            "validity",
            "Do raters agree?",
            before="errors",
            needs_judgements=True,
            is_offered=f"{_HERE}.choices:is_offered",
            blocks=f"{_HERE}.report:blocks",
            method=f"{_HERE}.report:method",
            choose=f"{_HERE}.choices:agreement_choice",
            printed=f"{_HERE}.commands:judging_words",
            work=f"{_HERE}.kept:agreement_and_judges",
            options=f"{_HERE}.judged_texts:report_options",
            find_in_files=f"{_HERE}.judged_texts:find_in_files",
        ),
    ),
    tour_stops=(
        TourStop(
            "validity",
            "Does BLEU agree with human judges?",
            "**human** plays a human translator. BLEU ranks it seventh of eight, and the judges rank it first. These "
            "judgements are invented.",
            "Find **human** in the chart: high with the judges, low in BLEU.",
            "Find **human** in the chart: high with the judges, low in BLEU.",
            before="report",
        ),
    ),
)
