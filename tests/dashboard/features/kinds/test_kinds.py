"""Kinds of errors: the page, its command, and what both print."""

import json

import pytest

from bleuscope.features.kinds import commands
from bleuscope.features.kinds.words import MEANINGS

ONE = {"a.txt": "We met Anna there\nit cost 15 euros\n", "ref.txt": "We met Maria there\nit cost 50 euros\n"}


def texts_of(app):
    return " ".join(str(one.body) for one in app.get("html"))


class TestPage:
    def test_the_sample_says_what_the_difference_consists_of(self, open_page):
        page = open_page("kinds", a="online", b="neural-40k")
        said = texts_of(page)
        assert "scores 0.73 BLEU above" in said
        assert "+0.73" in said
        assert all(name in said for name in MEANINGS)
        assert "MQM raters marked" in said
        assert len(page.get("plotly_chart")) == 1

    def test_a_kind_lists_its_segments_and_stands_in_the_command(self, open_page, command_of):
        page = open_page("kinds", a="online", b="neural-40k", kind="number")
        assert MEANINGS["number"] in [one.value for one in page.caption]
        assert "kinds --pair online neural-40k --kind number" in command_of(page)
        assert list(page.dataframe[0].value["segment"])

    def test_one_system_is_read_alone(self, open_page):
        said = texts_of(open_page("kinds", ONE))
        assert "loses most to" in said
        assert "BLEU above" not in said

    def test_equal_scores_put_no_system_above_the_other(self, open_page):
        texts = {
            "a.txt": "We met Anna there\nit cost 50 euros\n",
            "b.txt": "We met Maria there\nit cost 15 euros\n",
            "ref.txt": ONE["ref.txt"],
        }
        said = texts_of(open_page("kinds", texts, a="a", b="b"))
        assert "differ by less than 0.005 BLEU" in said
        assert "BLEU above" not in said

    def test_a_kind_without_errors_says_so(self, open_page):
        page = open_page("kinds", ONE, kind="case")
        assert [one.value for one in page.info] == ["No segment has errors of this kind."]


class TestSummary:
    def test_the_kinds_that_do_most_have_bars(self, open_page):
        said = texts_of(open_page("overview", baseline="online"))
        for name, points in (("other words", "−3.95"), ("missing words", "+2.01"), ("other forms", "+1.62")):
            assert f"<span>{name}</span>" in said
            assert f"<b>{points}</b>" in said

    def test_a_kind_opens_the_segment_that_shows_it(self, open_page):
        page = open_page("overview", baseline="online")
        next(one for one in page.button if one.key == "read-other word").click().run()
        assert page.title[0].value == "Segments"
        assert page.number_input(key="segment").value == 98

    def test_one_system_has_what_it_lost(self, open_page):
        said = texts_of(open_page("overview", ONE))
        assert "Where it loses BLEU" in said
        assert 'class="bs-kind-bar bs-kind-against" style="width:100%"' in said


class TestCommand:
    def test_the_points_add_up(self, bleuscope):
        code, out, err = bleuscope("kinds", "--sample", "--pair", "online", "neural-40k", "--format", "json")
        assert (code, err) == (0, "")
        rows = json.loads(out)["kinds"]
        *kinds, total = rows
        assert total["kind"] == "total"
        for key in ("lost_a", "lost_b", "gain"):
            assert sum(one[key] for one in kinds) == pytest.approx(total[key], abs=1e-9)
        assert total["gain"] == pytest.approx(0.7337, abs=1e-4)

    def test_the_segments_of_a_kind_come_with_it(self, bleuscope):
        code, out, _ = bleuscope("kinds", "--sample", "--kind", "number", "--table", "kind-segments", "--format", "tsv")
        head, *rows = out.splitlines()
        assert code == 0
        assert head.split("\t")[0] == "segment"
        assert rows or head

    def test_an_unknown_kind_is_refused(self, bleuscope):
        code, _, err = bleuscope("kinds", "--sample", "--kind", "style")
        assert code == 2
        assert "word order" in err

    def test_the_printed_command_names_the_kind(self, sample):
        assert "--kind 'word order'" in commands.kinds_command(sample.study(), "word order")


class TestSlices:
    def test_kinds_of_documents_add_up_to_those_of_the_whole(self, bleuscope):
        given = ("kinds", "--sample", "--pair", "online", "neural-40k", "--format", "json", "--by")
        for by, n_rows in (("document", 12), ("length", 4)):
            tables = json.loads(bleuscope(*given, by)[1])
            whole = {row["kind"].replace(" ", "_"): row["gain"] for row in tables["kinds"]}
            assert len(tables["kind-slices"]) == n_rows
            for key in ("word_order", "other_word", "total"):
                assert sum(row[key] for row in tables["kind-slices"]) == pytest.approx(whole[key], abs=1e-9)

    def test_a_slice_that_there_is_not_is_refused(self, bleuscope):
        code, _, err = bleuscope("kinds", "--sample", "--by", "weather")
        assert code == 2
        assert "document" in err

    def test_the_page_slices_by_what_is_chosen_and_says_so(self, open_page, command_of):
        page = open_page("kinds", a="online", b="neural-40k", kind_slices="reference length")
        assert "--by 'reference length'" in command_of(page)
        assert "reference length" in list(page.dataframe[-1].value.columns)
