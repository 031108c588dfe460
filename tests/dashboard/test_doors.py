"""Five doors, the pages behind them, and the questions of Trust with their answers."""

import re

import pytest

from bleuscope.content.comparison.inputs import Inputs
from bleuscope.shell.analysis import trust_panel
from bleuscope.shell.state.page_list import DOORS, PAGES, further_pages, sections_of

OF_COMPARISON = [name for name, page in PAGES.items() if page.is_of_comparison]
ANSWERS = {
    "Is the difference between A and B significant?": r"between neural-40k and online: \+0\.73 BLEU",
    "Which systems differ significantly?": r"20 of 28 differences are significant; the systems fall into 3 clusters\.",
    "What can this test set show?": r"this test set detects true differences of \d+\.\d\d BLEU or more",
    "references": r"Used alone, reference B reverses 10 of 28 pairs, 2 of them significantly\.",
    "sensitivity": r"16 of 28 pairs keep their order under all 48 settings\.",
    "runs": r"Every system has one run, so training noise is not included\.",
    "validity": r"BLEU orders 19 of 28 pairs as ESA \(invented\) does\.",
}


def labels(app):
    return [one.proto.label for one in app.get("page_link")]


def texts(app, read_html):
    return read_html("".join(one.proto.body for one in app.get("html") if "bs-answer-line" in one.proto.body)).text


def test_every_page_of_a_comparison_is_behind_one_of_five_doors_or_is_shared():
    doors = {door.name for door in DOORS}
    assert len(doors) == 5
    assert {page.door_name for page in PAGES.values() if page.is_of_comparison} == doors | {"report"}
    for page in PAGES.values():
        assert PAGES[page.door_name].is_door


@pytest.mark.parametrize("page", OF_COMPARISON)
def test_the_open_door_is_bold_and_so_is_the_page_behind_it(read_page, page):
    shown, found = PAGES[page], labels(read_page(page))
    behind = [] if page == "overview" else [one.section_title for one in sections_of(shown)]
    row = [door.title if door.name != "test_set" else "Data (6)" for door in DOORS]
    expected = [*row, *(one.title for one in further_pages()), *behind]
    assert [label.strip("*") for label in found] == expected
    bold = [label.strip("*").partition(" (")[0] for label in found if label.startswith("**")]
    assert bold == [PAGES[shown.door_name].title, *([shown.section_title] if behind else [])]


def test_nothing_is_counted_where_nothing_is_open(open_link):
    assert "Data" in [label.strip("*") for label in labels(open_link("test_set", Inputs()))]


def test_trust_answers_every_question_of_few_texts_in_one_line(read_page, read_html):
    said = texts(read_page("trust"), read_html)
    for question, answer in ANSWERS.items():
        if question in PAGES or " " in question:  # else its feature is not there
            assert re.search(answer, said), question


def test_every_question_opens_the_page_that_answers_it(open_page):
    asked = {f"ask-{one.page}": one.page for one in trust_panel.questions()}
    asked |= {f"ask-panel-{panel}": "significance" for panel in trust_panel.PANELS}
    for key, page in asked.items():
        app = open_page("trust")
        app.button(key=key).click().run()
        assert app.title[0].value == PAGES[page].title


def test_one_system_is_asked_what_can_be_asked_of_it(open_page, read_html):
    app = open_page("trust", {"sys-a.txt": "a b c d e\n", "ref.txt": "a b c d f\n"})
    assert "ask-panel-Two systems" not in [one.key for one in app.button]
    assert "are significant" not in texts(app, read_html)
