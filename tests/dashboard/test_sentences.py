"""Sentences: one text, and each writer escapes what users wrote in its own way."""

import pytest
from markdown_it import MarkdownIt
from markupsafe import Markup, escape

from bleuscope.content.style.sentences import (
    Sentence,
    Text,
    bold,
    defined,
    explained,
    isolated,
    joined,
    listed,
    note,
    notes,
    sentence,
    strong,
    verdict,
)

NAMES = (strong, isolated, bold, defined)


def test_parts_stand_in_place_of_braces():
    said = sentence("{} is ahead of {} by {}.", strong("a"), strong("b"), "1.00")
    assert str(said) == "a is ahead of b by 1.00."
    assert escape(said) == "<bdi><strong>a</strong></bdi> is ahead of <bdi><strong>b</strong></bdi> by 1.00."
    assert said.markdown() == "**a** is ahead of **b** by 1.00."


@pytest.mark.parametrize("parts", [(), ("a", "b")])
def test_parts_are_as_many_as_braces(parts):
    with pytest.raises(ValueError, match="zip"):
        sentence("{}", *parts)


def test_a_sentence_goes_on_with_words_and_with_sentences():
    assert (strong("a") + ", " + bold("b")).markdown() == "**a**, **b**"
    assert not Sentence() + ""


@pytest.mark.parametrize("name", NAMES)
def test_html_keeps_what_users_wrote_as_text(hostile_texts, read_html, name):
    for text in hostile_texts:
        assert read_html(note("{}: {}", name(text), text)).text == f"{text}: {text}"


def test_an_explanation_of_a_user_is_no_attribute(hostile_texts, read_html):
    for text in hostile_texts:
        assert read_html(explained("BP", text)).titles() == [text]


@pytest.mark.parametrize("name", NAMES)
def test_markdown_keeps_what_users_wrote_as_text(hostile_texts, read_html, name):
    for text in (*hostile_texts, "*a* **b**", "[a](http://x)", "a | b", "1. a", "# a", "日本 *語*", "{}"):
        html = MarkdownIt().render(note("{}: {}", name(text), text).markdown())
        assert read_html(html).text.strip() == f"{text}: {text}"


def test_plain_text_has_nothing_that_a_terminal_obeys():
    assert str(sentence("{} is new", strong("a\x1b[31m\u202eb\n"))) == "a␛[31mRLOb  is new"


def test_paragraphs_stand_beneath_each_other():
    text = verdict("a") + notes(["b", strong("c")])
    assert escape(text) == (
        '<p class="bs-verdict">a</p><p class="bs-source">b</p><p class="bs-source"><bdi><strong>c</strong></bdi></p>'
    )
    assert text.markdown() == "a\n\nb\n\n**c**"


def test_a_frame_is_around_its_paragraphs_alone():
    framed = Text((note("a"),), "bs-finding")
    html = '<div class="bs-finding"><p class="bs-source">a</p></div><p class="bs-source">b</p>'
    assert escape(framed + note("b")) == html
    assert (framed + note("b")).markdown() == "a\n\nb"


def test_what_says_nothing_is_false_and_no_paragraph_of_markdown():
    assert not Text() + Text()
    assert (Text() + note("a")).markdown() == "a"


def test_text_goes_into_html_of_ours():
    assert Markup("<p>{}</p>").format(strong("<b>")) == "<p><bdi><strong>&lt;b&gt;</strong></bdi></p>"


@pytest.mark.parametrize(
    ("names", "said"),
    [(["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c"), (list("abcde"), "a, b, c and 2 more")],
)
def test_names_are_listed_and_the_rest_counted(names, said):
    assert str(listed(names)) == said


def test_sentences_are_joined_with_words_between():
    assert str(joined("; ", [])) == ""
    assert str(joined("; ", [sentence("{}: b", bold("a")), sentence("c")])) == "a: b; c"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1. no list", "1\\. no list"),
        ("- no list", "\\- no list"),
        ("p = .05, < .001", "p = .05, \\< .001"),
        ("so: http://x :smile:", "so: http\\://x \\:smile:"),
    ],
)
def test_a_line_of_markdown_reads_as_it_is_written(text, expected):
    assert sentence("{}", text).markdown() == expected
