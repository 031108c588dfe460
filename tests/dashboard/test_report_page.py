"""The Report page: what it asks, what it says that comes, and that the file is made when asked for."""

import pytest

from bleuscope.annotations import Annotations, SegmentNote
from bleuscope.content.commands import NOTES_FIRST
from bleuscope.content.paper.methods import in_a_row
from bleuscope.content.report import SECTIONS
from bleuscope.content.report.choices import ADDED, OF_JUDGEMENTS, SECTION_NAMES, USUAL_SECTIONS
from bleuscope.shell.page.reproduction import LABEL
from bleuscope.shell.state import open_annotations
from tests.dashboard.report_page import has_button, make, said, saves

FILES = {
    "one.txt": "the cat sat\na dog ran off\n",
    "two.txt": "the cat sat down\nno idea\n",
    "ref.txt": "the cat sat down\na dog ran off\n",
}


def test_the_page_says_what_the_report_will_hold_and_makes_nothing_by_itself(open_page):
    app = open_page("report")
    assert "The report compares 8 systems, and <bdi><strong>online</strong></bdi> (A) with " in said(app)
    assert "<bdi><strong>neural-40k</strong></bdi> (B) in detail. It contains" in said(app)
    assert "It contains the usual sections; up to 20 segments." in said(app)
    assert has_button(app, "make_report")
    assert saves(app) == []


def test_a_made_report_is_there_to_save_and_is_sent_only_then(open_page):
    app = make(open_page("report", FILES, report_title="Mine"))
    (save,) = saves(app)
    assert save.label.startswith("Save report.html (")
    assert save.deferred_file_id
    assert not save.url


def test_another_choice_asks_to_make_it_anew_and_the_first_one_is_kept(open_page):
    app = make(open_page("report", FILES, report_title="Kept"))
    app.text_input(key="report_title").set_value("Other").run()
    assert saves(app) == []
    assert has_button(app, "make_report")
    app.text_input(key="report_title").set_value("Kept").run()
    assert len(saves(app)) == 1
    assert not has_button(app, "make_report")


def test_choices_come_from_the_address(open_page):
    app = open_page(
        "report", FILES, report_title="T", report_date="today", report_form="Markdown", report_segments="3",
        report_sections="verdict",
    )  # fmt: skip
    assert app.text_input(key="report_title").value == "T"
    assert app.text_input(key="report_date").value == "today"
    assert app.number_input(key="report_segments").value == 3
    assert f"It contains “{SECTIONS['verdict']}”." in said(app)
    make(app)
    assert saves(app)[0].label.startswith("Save report.md (")


def test_what_an_address_cannot_mean_is_dropped(open_page):
    app = open_page("report", FILES, report_form="PDF", report_segments="-4", report_sections="weather")
    assert "up to 20 segments" in said(app)
    assert has_button(app, "make_report")


def test_without_any_section_there_is_nothing_to_make(open_page):
    app = open_page("report", FILES)
    app.get("button_group")[-1].set_value([]).run()
    assert "Choose at least one section" in said(app)
    assert not has_button(app, "make_report")


def test_the_list_of_all_segments_is_announced(open_page):
    app = open_page("report", FILES)
    app.toggle(key="report_full").set_value(True).run()
    assert "a list of all 2 segments to search" in said(app)


def test_tagged_segments_can_be_chosen_alone(open_page, sample, command_of):
    app = open_page("report")
    notes = {4: SegmentNote("omission", ""), 9: SegmentNote("", "why?"), 2: SegmentNote("grammar", "x")}
    app.session_state[open_annotations.WORK] = {sample.test_set.texts_digest: open_annotations.Held(Annotations(notes))}
    app.run()
    app.session_state["report_which"] = "those with a tag or a note"
    app.run()
    assert "3 segments with a tag or a note" in said(app)
    (panel,) = [panel for panel in app.expander if panel.label == LABEL]
    assert " --segments-list 3,5,10 --notes segment-notes.tsv " in command_of(app)
    assert [caption.value.replace("\\", "") for caption in panel.caption] == [NOTES_FIRST]
    make(app)
    assert len(saves(app)) == 1


def test_a_single_system_has_a_report_too(open_page):
    app = open_page("report", {"one.txt": FILES["one.txt"], "ref.txt": FILES["ref.txt"]})
    assert "The report covers 1 system." in said(app)
    make(app)
    assert len(saves(app)) == 1


def test_without_a_test_set_the_page_says_what_to_do(open_page):
    app = open_page("report", {})
    assert "Nothing to show yet" in app.main.markdown[0].value


@pytest.mark.parametrize(
    ("kind", "key", "value"),
    [
        ("text_input", "report_date", "4 July"),
        ("text_area", "report_remarks", "new"),
        ("number_input", "report_segments", 1),
        ("toggle", "report_full", True),
        ("selectbox", "baseline", "two"),
        ("selectbox", "a", "two"),
        ("selectbox", "smooth", "floor"),
        ("number_input", "seed", 1),
    ],
)
def test_whatever_changes_the_report_asks_to_make_it_anew(open_page, kind, key, value):
    app = make(open_page("report", FILES, report_title="Of another test"))
    app.run()
    assert not has_button(app, "make_report")
    getattr(app, kind)(key=key).set_value(value).run()
    assert has_button(app, "make_report")
    assert saves(app) == []


def test_sections_are_offered_where_they_have_something_to_say(open_page):
    def offered(app):
        return app.get("button_group")[-1].proto.options

    assert [one.content for one in offered(open_page("report"))] == [name for name in SECTION_NAMES if name != "runs"]
    of_one_reference = [one.content for one in offered(open_page("report", FILES))]
    assert of_one_reference == [name for name in SECTION_NAMES if name not in ("references", "runs", *OF_JUDGEMENTS)]


def test_what_features_find_is_in_the_report_and_in_its_command(open_page, command_of):
    added = [name for name in ADDED if name != "runs"]
    app = open_page("report", report_sections=added)
    told = [f"“{SECTIONS[name]}”" for name in added]
    assert not told or f"It contains {in_a_row(told)}." in said(app)
    asked = [name for name in SECTION_NAMES if name in added or name in USUAL_SECTIONS]
    options = [f"--with {name}" if name in added else f"--without {name}" for name in asked]
    assert f"report.html {' '.join(options)} --pair" in command_of(app)
    assert len(saves(make(app))) == 1
