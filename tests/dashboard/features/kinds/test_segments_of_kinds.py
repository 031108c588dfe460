"""Kinds of errors on the page Segments: the filter, its orders, its numbers, and what the pointer says of a token."""

from dataclasses import replace

import numpy as np
import pytest

from bleucore import System, TestSet
from bleuscope.content.comparison.comparison_context import Settings, make_study
from bleuscope.content.segments import reading_list
from bleuscope.content.segments.kind_points import NAMES, kinds_of_tokens, points_at_once
from bleuscope.content.segments.reading_list import ListView
from bleuscope.content.segments.segment_queries import Lookups, SegmentQuery, find_segments
from bleuscope.content.style import numbers
from bleuscope.features.kinds import kept

REFERENCES = ["We met Maria there .", "it cost 50 euros", "they opened the old bank", "it rains a lot today"]
A = ["We met Anna there .", "it cost 15 euros", "they opened the old bank", "it rains a lot today"]
B = ["We met Maria there .", "it cost 17 euros now", "they opens the old bank", "it rains a lot today"]


@pytest.fixture
def study():
    texts = TestSet([System("A", A), System("B", B)], [REFERENCES])
    return replace(make_study(texts, Settings()), sides=("A", "B"))


def found(study, kind, order="as given"):
    lookups = Lookups(of_kind=lambda name: points_at_once(study, name))
    query = SegmentQuery(kind=kind, order=order)
    return find_segments(study.test_set, study.evaluation, study.both, query, lookups).tolist()


class TestFilter:
    @pytest.mark.parametrize(("kind", "segments"), [("number", [1]), ("name", [0]), ("other form", [2])])
    def test_finds_the_segments_that_lose_to_a_kind(self, study, kind, segments):
        assert found(study, kind) == segments

    def test_finds_none_of_a_kind_that_costs_nothing(self, study):
        assert found(study, "case") == []

    def test_orders_by_what_either_system_loses(self, study):
        points = points_at_once(study, "other word")
        rows = found(study, "other word", "kind B: most points first")
        lost = points.lost[1][rows]
        assert (np.diff(lost) <= 0).all()

    def test_without_a_kind_its_orders_keep_the_order_given(self, study):
        query = SegmentQuery(order="Δ of the kind: largest first")
        assert find_segments(study.test_set, study.evaluation, study.both, query).tolist() == [0, 1, 2, 3]


class TestPoints:
    def test_add_up_to_the_contribution_of_each_segment(self, study):
        gains = sum(points_at_once(study, name).gains for name in NAMES)
        assert gains == pytest.approx(study.parts, abs=1e-9)

    def test_are_said_in_the_row(self, study):
        points = points_at_once(study, "number")
        (row,) = reading_list.row_htmls(study, np.array([1]), 1, None, ListView(of_kind=points))
        assert f"numbers: A\u00a0{numbers.part(-points.lost[0][1])}" in row

    def test_are_kept_once_for_both_orders_of_two_systems(self, study):
        there, back = kept.work(study).value(), kept.work(study.swapped()).value()
        assert np.array_equal(there.gains, -back.gains)
        assert [one.system for one in back.losses] == ["B", "A"]
        assert back.total_gains.sum() + back.jump == pytest.approx(back.losses[1].score - back.losses[0].score)


class TestTokens:
    def test_have_the_kind_that_the_points_are_divided_by(self, study):
        kinds = kinds_of_tokens(study, ("A", "B"), (0, 1, 2, 3))
        assert kinds[0]["A"] == {2: "name"}
        assert kinds[1]["A"] == {2: "number"}
        assert kinds[2]["B"] == {1: "other form"}
        assert kinds[3] == {"A": {}, "B": {}}

    def test_are_found_once_for_all_segments_where_someone_reads(self, study):
        alone = kinds_of_tokens(study, ("A", "B"), (2, 1))
        divided = kept.work(study).value()
        assert kinds_of_tokens(study, ("A", "B"), (2, 1)) == alone
        assert [one.system for one in divided.losses] == ["A", "B"]

    def test_say_it_at_the_pointer_in_the_list(self, study):
        (row,) = reading_list.row_htmls(study, np.array([0]), 1, None, ListView())
        assert "Kind of error: name." in row

    def test_say_it_at_the_pointer_in_the_open_segment(self, open_page):
        page = open_page("segments", a="online", b="neural-40k", segment="110")
        assert "Kind of error:" in " ".join(str(one.body) for one in page.get("html"))


class TestPage:
    def test_a_kind_in_the_address_narrows_the_list_down(self, open_page, command_of):
        page = open_page("segments", a="online", b="neural-40k", lost_to="number", sort="Δ of the kind: largest first")
        said = " ".join(one.value for one in page.caption)
        assert "with kind number" in said
        assert "sorted by Δ of the kind, largest first" in said
        assert "--order kind --lost-to number" in command_of(page)

    def test_an_order_by_kind_goes_with_its_kind(self, open_page):
        page = open_page("segments", a="online", b="neural-40k", sort="Δ of the kind: largest first")
        assert page.selectbox(key="sort").value == "contribution to Δ: largest first"

    def test_a_bar_of_summary_lists_its_segments(self, open_page):
        page = open_page("overview", baseline="online")
        next(one for one in page.button if one.key == "read-all-other word").click().run()
        assert page.title[0].value == "Segments"
        assert page.selectbox(key="lost_to").value == "other word"


class TestCommand:
    def test_lists_points_and_refuses_an_order_without_its_kind(self, bleuscope):
        pair = ("--sample", "--pair", "online", "neural-40k")
        code, out, _ = bleuscope("segments", *pair, "--lost-to", "number", "--order", "kind", "--format", "tsv")
        head, first, *_ = out.splitlines()
        assert code == 0
        assert {"kind_a", "kind_b", "kind_gain"} <= set(head.split("\t"))
        assert first.split("\t")[0] == "110"
        code, _, err = bleuscope("segments", *pair, "--order", "kind")
        assert code == 2
        assert "--lost-to" in err
