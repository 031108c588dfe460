"""Sentences on buttons, where Streamlit reads Markdown and nothing but letters can keep names in their places."""

from bleuscope.content.style.sentences import isolated, sentence
from bleuscope.shell.controls.widgets import label


def test_a_sentence_with_names_from_left_to_right_is_written_as_it_is():
    assert label(sentence("{} has {} matches", isolated("näive 系统"), "1")) == "näive 系统 has 1 matches"


def test_a_name_from_right_to_left_is_set_apart_from_the_number_behind_it():
    assert label(sentence("{} {}, {} {}", isolated("نظام"), "4", isolated("עברית"), "1")) == (
        "\u2068نظام\u2069 4, \u2068עברית\u2069 1"
    )


def test_markdown_in_a_name_stays_letters_and_no_line_is_begun():
    assert label(isolated("*a*\n[b](c)")) == "\\*a\\* \\[b\\]\\(c\\)"
