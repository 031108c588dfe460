"""The Overview page, drawn and used."""

import re

import pytest

from tests.dashboard.feature_parts import of_features

PAGES = ("overview", "scores", "significance", "compare")
ONE = "The cat sat on the mat.\nA dog ran off\n"
REFERENCE = "The cat sat on the mat.\nThe dog ran off.\n"


def html(app):
    return "".join(element.proto.body for element in app.get("html") if "bs-" in element.proto.body[:60])


def button(app, label):
    return next(one for one in app.button if label in one.label)


def pressed(app, label):
    button(app, label).click().run()
    assert not app.exception
    return app


class TestSample:
    def test_answers_about_the_best_and_opens_on_its_pair(self, read_page, read_html):
        app = read_page("overview")
        said = read_html(html(app)).text
        assert "neural-40k over neural-20k: +0.71 BLEU (95 % CI −" in said
        assert "Where neural-40k and online differ" in said
        assert "p corrected for 7 comparisons with the best" in said
        assert len(read_html(html(app)).of_class("bs-drawn")) == 8
        assert len(read_html(html(app)).of_class("bs-row")) == 3

    def test_the_same_pair_has_the_same_sentence_on_every_page(self, open_page, read_html):
        pages = {page: read_html(html(open_page(page, baseline="online"))).text for page in PAGES}
        (effect,) = re.findall(r"neural-40k over online: (\+0.73 BLEU \(95 % CI [^)]+\))", pages["overview"])
        assert all(effect in said for said in pages.values())

    def test_nobody_chose_a_baseline_until_somebody_does(self, open_page, read_html):
        app = open_page("overview")
        assert app.selectbox(key="baseline").value is None
        assert "baseline" not in app.query_params
        app.selectbox(key="baseline").set_value("human").run()
        assert "neural-40k beats the baseline human: +17.07 BLEU" in read_html(html(app)).text

    @pytest.mark.parametrize(
        ("label", "title"),
        [
            ("All about the scores", "Scores"),
            ("What makes the difference", "Compare"),
            *of_features({"kinds.": ("All kinds of errors", "Kinds of errors")}).values(),
            ("Read all segments", "Segments"),
        ],
    )
    def test_leads_on_to_the_evidence(self, open_page, label, title):
        assert pressed(open_page("overview"), label).title[0].value == title

    def test_a_segment_opens_with_the_systems_that_it_was_shown_with(self, open_page):
        app = open_page("overview", baseline="online")
        number = int(next(one.key for one in app.button if (one.key or "").startswith("open-")).split("-")[1]) + 1
        pressed(app, f"Open #{number}")
        assert app.title[0].value == "Segments"
        assert app.number_input(key="segment").value == number
        assert [app.selectbox(key=key).value for key in "ab"] == ["online", "neural-40k"]


class TestOtherTestSets:
    def test_one_system_has_its_score_and_what_it_misses(self, open_page, read_html):
        app = open_page("overview", {"only.txt": ONE, "ref.txt": REFERENCE})
        said = read_html(html(app)).text
        assert "only scores " in said
        assert "Lowest-scoring segments" in said
        assert pressed(app, "All about the scores").title[0].value == "Scores"

    def test_hostile_names_are_shown_as_they_are(self, open_page, hostile_texts, read_html):
        lines = "\n".join(hostile_texts) + "\n"
        files = {"<b>x.txt": lines, "y.txt": lines.upper(), "z.txt": "a\n" * len(hostile_texts), "ref.txt": lines}
        app = open_page("overview", files)
        assert "System '<b>x': 7 of 7 segments are equal to the reference" in read_html(html(app)).text
