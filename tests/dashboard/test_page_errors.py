"""Errors that people marked, on the pages: read on Test set, drawn, asked for and counted on Segments."""

import json
import re

import pytest

from bleucore.judgements.records import Judgements, Row, Span
from bleuscope.content.segments.error_marks import MarkedErrors
from bleuscope.shell.state import cached, links

HEADING = "BLEU credits and marked errors"


def rating(*errors):
    return json.dumps({"errors": list(errors)})


def error(start, end, severity="major", *, in_source=False):
    names = {"category": "accuracy/mistranslation", "is_source_error": in_source}
    return {"start": start, "end": end, "severity": severity, **names}


@pytest.fixture
def ratings(sample):
    """A file of mt-metrics-eval: of online the first three segments are judged, of neural-40k the first."""
    lines = []
    judged = {
        "online": [rating(error(0, 3), error(2, 8, "minor")), rating(), rating(error(0, 4, in_source=True))],
        "neural-40k": [rating(error(0, 99_999, "critical"))],
    }
    for name, of_system in judged.items():
        n_others = sample.test_set.n_segments - len(of_system)
        lines += [f"{name}\t{one}\tAnn" for one in of_system] + [f"{name}\tNone"] * n_others
    return "".join(f"{line}\n" for line in lines).encode()


@pytest.fixture
def with_errors(open_link, ratings):
    """The page of segments with these judgements, by the way that a person takes."""

    def start(**address):
        app = open_link("test_set")
        app.file_uploader(key="score-files").upload("en-de.mqm.seg.rating", ratings, "text/plain").run()
        assert not app.exception
        assert "drawn on Segments: 4 errors in 4 judged outputs of 2 systems" in app.success[-1].value
        key = app.session_state["_judgements"]
        assert cached.JUDGEMENTS.find(key) is not None
        return open_link("segments", judgements=key, a="neural-40k", b="online", **address)

    return start


class TestTexts:
    def test_have_lines_beneath_errors_and_a_list_of_them(self, with_errors, read_html):
        app = with_errors(segment="1")
        page = "".join(element.proto.body for element in app.get("html"))
        assert page.count("bs-lane-0") >= 2
        parts = [  # B as A and the segment after it are held as text
            re.sub(r'<span class="bs-(?:ahead|exchanged-open)".*?</span>', "", element.proto.body, flags=re.DOTALL)
            for element in app.get("html")
        ]
        marked = [one for one in parts if "data-label=" in one]
        opened, listed = sorted(marked, key=lambda one: "bs-parcel" in one)
        assert opened.startswith('<div class="bs-legend">')
        assert '<div class="bs-reading">' in opened
        assert listed.startswith('<template class="bs-parcel"')
        assert opened.count('data-label="1"') == 2
        rows = re.findall(r'<article class="bs-row".*?</article>', listed, flags=re.DOTALL)
        (row,) = (one for one in rows if 'data-label="1"' in one)
        assert "#1<" in row, "the same segment in the list"
        assert row.count('data-label="1"') == 2
        assert "accuracy/mistranslation" in page
        assert "major error, as marked" in page

    def test_have_them_in_the_list_as_well_and_the_command_names_the_file(self, with_errors, command_of):
        app = with_errors(sort="as given")
        page = "".join(element.proto.body for element in app.get("html"))
        assert "bs-lines" in page
        assert 'data-said="error 1, major' in page
        assert "--judgements en-de.mqm.seg.rating" in command_of(app)
        assert "bs-error " not in "".join(
            element.proto.body
            for element in with_errors(layers="matches").get("html")
            if "bs-lines" in element.proto.body
        )

    def test_of_a_link_whose_judgements_are_gone_say_so(self, open_link):
        app = open_link("segments", judgements="0" * links.KEY_LENGTH)
        assert "from files that the server no longer has\\. Load the files again under Data" in app.warning[0].value
        assert "judgements" not in app.query_params
        assert app.session_state["_judgements"] == ""


class TestQuestions:
    @pytest.mark.parametrize(
        ("question", "n_found"),
        [("marked_b > 0", 1), ("unmarked_b > 0", 3), ("critical_a > 0 and unmarked_a == 0", 1), ("B: marked", 1)],
    )
    def test_find_judged_segments_alone(self, with_errors, question, n_found):
        app = with_errors(where=question)
        assert not app.error
        assert f"{n_found} of 216 segments" in "".join(caption.value for caption in app.caption)

    def test_of_marks_without_judgements_say_what_can_be_asked(self, open_link, unjudged):
        app = open_link("segments", unjudged, where="marked_b > 0")
        assert "no text or number of this name" in app.error[0].value
        (questions,) = [one for one in app.multiselect if one.key == "where"]
        assert "B: marked" not in questions.options


class TestPanel:
    def test_counts_the_tokens_of_each_system_and_lists_the_segments_of_a_row(self, with_errors, sample):
        app = with_errors(marks="true")
        assert HEADING in [one.label for one in app.expander]
        page = "".join(element.proto.body for element in app.get("html"))
        assert "neural-40k" in page
        cells = app.dataframe[0].value
        assert cells.iloc[0, 0] == "not credited, marked"
        app.session_state["_rows_marked-cells_0"] = {"selection": {"rows": [1], "columns": [], "cells": []}}
        app.run()
        assert app.multiselect(key="where").value == ["unmatched_unmarked_b > 0"]
        assert not app.exception

    def test_is_not_there_without_judgements(self, open_link, unjudged):
        app = open_link("segments", unjudged)
        assert HEADING not in [one.label for one in app.expander]
        assert "bs-error" not in "".join(element.proto.body for element in app.get("html"))

    def test_counts_the_invented_judgements_of_the_sample(self, open_link, command_of):
        app = open_link("segments", segment="91", marks="true", a="neural-10k", b="literal")
        page = "".join(element.proto.body for element in app.get("html"))
        assert "judgements-invented.jsonl" in page
        assert "major error, as marked" in page
        assert "--judgements judgements-invented.jsonl --sample" in command_of(app)


class TestReading:
    def test_moves_spans_that_stand_beside_their_words_only_if_wanted(self, open_link, sample, command_of):
        texts = sample.test_set.system("online").hypotheses
        lines = [rating(error(1, len(text.split(" ")[0]) + 1)) for text in texts]
        data = "".join(f"online\t{line}\n" for line in lines).encode()
        app = open_link("test_set")
        app.file_uploader(key="score-files").upload("x.seg.rating", data, "text/plain").run()
        (wanted,) = [one for one in app.toggle if one.key == "_move_spans"]
        assert any("its 216 spans would fit" in one.value for one in app.info)
        as_written = cached.JUDGEMENTS.find(app.session_state["_judgements"])
        wanted.set_value(True).run()
        moved = cached.JUDGEMENTS.find(app.session_state["_judgements"])
        assert (as_written.rows[0].spans[0].start, moved.rows[0].spans[0].start) == (1, 0)
        assert any("moved: 216 spans, starts by -1" in one.value.replace("\\", "") for one in app.info)
        assert app.query_params["move_spans"] in ("true", ["true"])
        app.switch_page(links.PAGES["segments"].script).run()
        assert " --move-spans " in command_of(app)

    def test_keeps_judgements_under_the_names_that_are_shown(self):
        judgements = Judgements("x", "x", "ESA", (Row(1, "a", 0, spans=(Span(0, 1, "major"),)),))
        for names, shown in (({"a": "a", "b": "b"}, "a"), ({"a": "b", "b": "a"}, "b")):
            marked = MarkedErrors("key", judgements.named_as(names))
            assert (marked.judgements.systems, marked.is_judged(shown, 0)) == ((shown,), True)

    def test_can_be_taken_back(self, open_link, with_errors):
        key = with_errors().session_state["_judgements"]
        app = open_link("test_set", judgements=key)
        app.button(key="_no_errors").click().run()
        assert not app.exception
        assert app.session_state["_judgements"] == ""
        assert [one for one in app.button if one.key == "_no_errors"] == []


class TestFaultyFiles:
    @pytest.mark.parametrize(
        ("name", "data", "said"),
        [
            ("x.seg.rating", b'online\t{"errors": [{"start": 5, "end": 1}]}\n', "ends before it starts"),
            ("<b>.bin", b"\x00\xff", ""),
        ],
    )
    def test_are_named(self, open_link, name, data, said):
        app = open_link("test_set")
        app.file_uploader(key="score-files").upload(name, data, "text/plain").run()
        assert not app.exception
        assert said in app.error[0].value
