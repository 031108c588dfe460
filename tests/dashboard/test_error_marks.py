"""Errors on the texts: lines beneath them, a list of all, and none of it where it is not wanted."""

import pytest

from bleucore.judgements.records import UNPLACED, Judgements, Row, Span
from bleuscope.content.segments.error_marks import MOST_ERRORS, MarkedErrors, errors_html
from bleuscope.content.segments.highlights import DEFAULT_LAYERS, LAYERS, SegmentView, legend_html, segment_html

HYPOTHESIS, SOURCE = "the cat <b>sat", "die Katze saß"
ROWS = (
    Row(1, "a", 0, "Ann", spans=(Span(4, 7, "major", "accuracy/<i>"), Span(UNPLACED, UNPLACED, "minor", "omission"))),
    Row(2, "a", 0, "Bea", spans=(Span(0, 6, "minor"), Span(4, 9, "critical", side="source"))),
    Row(3, "b", 0, "Ann"),
)
MARKED = MarkedErrors("key", Judgements("mqm", "mqm.tsv", "MQM", ROWS))


@pytest.fixture
def scored(score_texts):
    return score_texts({"a": [HYPOTHESIS], "b": ["the cat sat"], "c": ["x"]}, [["the cat sat"]], source=[SOURCE])


def shown(scored, read_html, **options):
    sides = options.pop("sides", ("a",))
    view = SegmentView(0, sides, **{"errors": MARKED, **options})
    return read_html(segment_html(scored.test_set, scored.evaluation, view, scored.looks))


def lines(page):
    """The pieces of texts with a line beneath: the text, its severity and lane."""
    found = [(element.text, element.classes - {"bs-error"}) for element in page.of_class("bs-error")]
    return [(text, *sorted(classes)) for text, classes in found if any(one.startswith("bs-lane") for one in classes)]


def listed(page):
    return [element.text for element in page.of_tag("li")]


class TestLines:
    def test_errors_of_several_raters_stand_beneath_each_other(self, scored, read_html):
        page = shown(scored, read_html)
        assert lines(page) == [
            ("Katze", "bs-critical", "bs-lane-0"),
            ("the", "bs-lane-0", "bs-minor"),
            (" ", "bs-lane-0", "bs-minor"),
            ("ca", "bs-lane-0", "bs-minor"),
            ("ca", "bs-lane-1", "bs-major"),
            ("t", "bs-lane-1", "bs-major"),
        ]

    def test_are_said_once_and_have_their_number_at_their_end(self, scored, read_html):
        places = [element for element in shown(scored, read_html).of_class("bs-error") if "title" in element.attributes]
        said = [element.attributes["data-said"] for element in places if "data-said" in element.attributes]
        assert said == ["error s1, critical, a", "error 1, minor, Bea", "error 2, major, accuracy/<i>, Ann"]
        assert [one.attributes["data-label"] for one in places if "data-label" in one.attributes] == ["s1", "1", "2"]

    def test_leave_the_text_as_it_is(self, scored, read_html):
        bodies = [element.text for element in shown(scored, read_html, layers=frozenset(LAYERS)).of_class("bs-body")]
        assert bodies == [SOURCE, "the cat sat", HYPOTHESIS]

    @pytest.mark.parametrize("text", ["我喜欢猫。", "قرأ الكتاب أمس", "👩\u200d🔬 e\u0301te", "&quot;a&quot;"])
    def test_keep_characters_of_any_script_whole(self, score_texts, read_html, text):
        scored = score_texts({"a": [text]}, [[text]])
        for start in range(len(text) + 1):
            spans = (Span(start, start + 2, "major"), Span(start + 1, start + 99, "minor"), Span(start, start, "minor"))
            errors = MarkedErrors("k", Judgements("x", "x", "ESA", (Row(1, "a", 0, spans=spans),)))
            page = shown(scored, read_html, errors=errors)
            assert [element.text for element in page.of_class("bs-body")] == [text, text]

    @pytest.mark.parametrize(
        "options", [{"layers": frozenset(DEFAULT_LAYERS) - {"errors"}}, {"is_blind": True, "sides": ("a", "b")}]
    )
    def test_are_gone_with_their_layer_and_where_names_are_hidden(self, scored, read_html, options):
        page = shown(scored, read_html, **options)
        assert page.of_class("bs-error") == page.of_class("bs-errors") == []


class TestList:
    def test_names_severity_text_category_and_rater_and_what_is_missing_last(self, scored, read_html):
        assert listed(shown(scored, read_html)) == [
            "s1 critical Katze · a",
            "1 minor the ca · Bea",
            "2 major cat · accuracy/<i> · Ann",
            "3 minor missing · omission · Ann",
        ]

    def test_tells_no_error_from_no_judgement(self, scored, read_html):
        page = shown(scored, read_html, sides=("b", "c"))
        assert [element.text for element in page.of_class("bs-none")] == ["no error marked", "not judged"]

    def test_of_very_many_errors_counts_the_rest(self, read_html):
        spans = tuple(Span(0, 1, "minor") for _ in range(MOST_ERRORS + 2))
        marked = MarkedErrors("k", Judgements("x", "x", "ESA", (Row(1, "a", 0, spans=spans),)))
        items = listed(read_html(errors_html(marked.of_output("a", 0), "ab")))
        assert (len(items), items[-1]) == (MOST_ERRORS + 1, "2 more")


def test_the_legend_has_severities_where_errors_are_shown(read_html):
    names = [element.text for element in read_html(legend_html(4, compares=True, has_errors=True)).of_class("bs-error")]
    assert names == ["minor error, as marked", "major error, as marked", "critical error, as marked"]
    assert read_html(legend_html(4, compares=True)).of_class("bs-error") == []
