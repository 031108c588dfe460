"""Fragments: what comes from a user is text and nothing else."""

import pytest
from markupsafe import Markup

from bleuscope.content.sheets.builders import SYSTEM, sheet_of
from bleuscope.content.sheets.html import html_table
from bleuscope.content.sheets.sheet import Field
from bleuscope.content.style.identity import identities
from bleuscope.content.style.markup import HtmlColumn, facts, system_label, table
from bleuscope.content.style.sentences import note, strong, verdict
from bleuscope.content.style.terms import TERMS, explaining, term


def test_a_table_has_a_caption_headings_and_rows(read_html):
    page = read_html(
        table([HtmlColumn("name", is_text=True), HtmlColumn("n", "a number")], [["a", "1"], ["b", "2"]], caption="C")
    )
    assert page.rows() == [["name", "n"], ["a", "1"], ["b", "2"]]
    assert page.of_tag("caption")[0].text == "C"
    assert page.titles() == ["a number"]
    heads = [(element.text, element.attributes["scope"]) for element in page.of_tag("th")]
    assert heads == [("name", "col"), ("n", "col"), ("a", "row"), ("b", "row")]


def test_a_table_of_systems_names_its_rows_by_them(read_html, sample):
    sheet = sheet_of("one", (), [(Field("rank", "rank", "count"), [1]), (SYSTEM, ["human"])], {})
    page = read_html(html_table(sheet, sample.looks))
    names = [head.text for head in page.of_tag("th") if head.attributes["scope"] == "row"]
    assert names == ["human"]


def test_an_explained_heading_can_be_reached_with_the_keyboard(read_html):
    page = read_html(table([HtmlColumn("n", "a number")], [], caption="C"))
    assert [element.attributes["tabindex"] for element in page.of_tag("abbr")] == ["0"]


def test_rows_that_stand_out_are_marked(read_html):
    page = read_html(table([HtmlColumn("n")], [["1"], ["2"], ["3"]], caption="C", emphasised=[1]))
    assert [element.text for element in page.of_class("bs-emphasis")] == ["2"]


def test_a_row_of_the_wrong_length_is_an_error_of_ours():
    with pytest.raises(ValueError, match="zip"):
        table([HtmlColumn("a"), HtmlColumn("b")], [["1"]], caption="C")


def test_a_table_keeps_whatever_a_user_wrote_as_text(hostile_texts, read_html):
    columns = [HtmlColumn(text, text) for text in hostile_texts]
    page = read_html(table(columns, [hostile_texts], caption=hostile_texts[0]))
    assert page.rows() == [list(hostile_texts)] * 2
    assert page.titles() == list(hostile_texts)
    assert page.of_tag("caption")[0].text == hostile_texts[0]


def test_markup_of_ours_in_a_cell_stays_markup(read_html):
    page = read_html(table([HtmlColumn("a")], [[Markup("<b>1</b>")]], caption="C"))
    assert page.of_tag("b")[0].text == "1"


def test_a_system_label_has_its_marker_and_its_name_as_text(hostile_texts, read_html):
    for name, look in identities(hostile_texts, hostile_texts[0]).items():
        page = read_html(system_label(look))
        assert page.of_class("bs-swatch")[0].attributes["data-mark"] == look.glyph
        assert page.text.strip() == name.strip()
        assert page.of_tag("bdi")[0].text == name
        assert page.titles() == [name]
        assert look.colour in page.of_class("bs-swatch")[0].attributes["style"]


def test_a_system_label_says_which_of_two_it_is(read_html):
    look = identities(["name"], "name")["name"]
    assert read_html(system_label(look, "B")).text.split() == ["B", "name"]
    assert read_html(system_label(look)).text == "name"


def test_facts_keep_texts_as_texts(hostile_texts, read_html):
    for text in hostile_texts:
        assert read_html(facts([(text, text)])).text == f"{text} {text}"


def test_a_term_is_explained_in_one_line():
    assert all("\n" not in explanation for explanation in TERMS.values())
    assert term("7") == term("1") == TERMS["n-gram precision"]
    assert term("BP") == TERMS["BP"]


def test_terms_are_explained_once_and_names_of_systems_never(read_html):
    said = verdict("{} gains 3 {}: p = .5, p and 3-grams", strong("p"), "BLEU") + note("猫 BLEU, {}-grams", "4")
    page = read_html(explaining(said + note("p"), "p", "BLEU", "n-grams", "seed"))
    assert [one.text for one in page.of_tag("abbr")] == ["BLEU", "p", "3-grams"]
    assert page.text == read_html(said + note("p")).text
    assert explaining(said, "p", "BLEU").markdown() == said.markdown()


def test_a_term_is_a_word_of_its_own(read_html):
    assert not read_html(explaining(note("up, map, p-value, seeds"), "p", "seed")).of_tag("abbr")


def test_of_a_long_name_the_end_is_kept_apart_from_what_is_cut(read_html):
    names = ("transformer_wmt_en_fr_big_lr0.0005_seed1", "a" * 19 + "<b>", "short", "שם ארוך מאוד של מערכת תרגום")
    long, hostile, *whole = map(system_label, identities(names, None).values())
    page = read_html(long)
    assert [element.text for element in page.of_class("bs-end")] == [names[0][-10:]]
    assert page.of_tag("bdi")[0].text == names[0]
    assert read_html(hostile).of_tag("bdi")[0].text == names[1]
    assert not any("bs-end" in label for label in whole)
