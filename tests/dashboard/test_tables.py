"""Tables of results, and which segments a query names."""

import re
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bleucore import BleuOptions
from bleucore.significance import blocks_of_number
from dashboard.content import numbers
from dashboard.content.blocks import analyse
from dashboard.content.tables import (
    SEGMENT_ORDERS,
    SegmentQuery,
    blocks_table,
    find_segments,
    order_after_click,
    orders_table,
    segments_frame,
    snippet,
    systems_table,
    test_set_facts,
    texts_table,
)

test_set_facts.__test__ = False


def systems_rows(scored, read_html, baseline=None):
    html = systems_table(scored.evaluation, baseline or scored.evaluation.names[0], scored.looks)
    return read_html(html).rows()


class TestSystemsTable:
    def test_gives_every_part_of_the_score_best_system_first(self, sample, read_html):
        heading, *rows = systems_rows(sample, read_html)
        assert len(heading) == 11
        assert [row[0][1:] for row in rows] == list(sample.evaluation.ranked())
        for name, row in zip(sample.evaluation.ranked(), rows, strict=True):
            score = sample.evaluation.systems[name].score
            assert row[1] == numbers.score(score.score)
            assert row[3:7] == [numbers.precision(value) for value in score.precisions]
            assert row[7] == numbers.ratio(score.brevity_penalty)
            assert row[8:10] == [numbers.count(score.hypothesis_length), numbers.count(score.reference_length)]
            assert row[10] == numbers.ratio(score.length_ratio)

    def test_measures_differences_from_the_baseline(self, sample, read_html):
        base = sample.evaluation.systems["neural"].score.score
        for name, row in zip(sample.evaluation.ranked(), systems_rows(sample, read_html, "neural")[1:], strict=True):
            difference = sample.evaluation.systems[name].score.score - base
            assert row[2] == ("baseline" if name == "neural" else numbers.difference(difference))

    def test_of_one_system_has_one_row_and_no_difference(self, one_system, read_html):
        assert [row[2] for row in systems_rows(one_system, read_html)[1:]] == ["baseline"]

    def test_of_identical_systems_has_a_difference_of_zero(self, twins, read_html):
        assert [row[2] for row in systems_rows(twins, read_html)[1:]] == ["baseline", "0.00"]

    @pytest.mark.parametrize("max_order", [1, 2, 6])
    def test_has_a_precision_of_every_order_counted(self, score_texts, read_html, max_order):
        scored = score_texts({"a": ["x y"]}, [["x z"]], BleuOptions(max_order=max_order))
        assert {len(row) for row in systems_rows(scored, read_html)} == {7 + max_order}

    def test_of_empty_hypotheses_has_zeros_and_no_nan(self, score_texts, read_html):
        rows = systems_rows(score_texts({"a": ["", ""], "b": ["x", ""]}, [["x", "y"]]), read_html)
        assert rows[1][1:] == ["0.00", "baseline", "0.0", "0.0", "0.0", "0.0", "0.000", "0", "2", "0.000"]

    def test_keeps_names_as_text(self, hostile, read_html):
        names = [row[0] for row in systems_rows(hostile, read_html)[1:]]
        assert sorted(name[1:] for name in names) == sorted(hostile.evaluation.names)


class TestOrdersTable:
    def test_ends_with_the_corpus_score(self, sample, read_html):
        heading, *rows = read_html(orders_table(sample.evaluation, sample.looks)).rows()
        assert len(heading) == 9
        for name, row in zip(sample.evaluation.ranked(), rows, strict=True):
            score = sample.evaluation.systems[name].score
            assert row[1:5] == [numbers.precision(value) for value in score.precisions]
            assert row[-1] == numbers.score(score.score)

    def test_keeps_names_as_text(self, hostile, read_html):
        rows = read_html(orders_table(hostile.evaluation, hostile.looks)).rows()
        assert sorted(row[0][1:] for row in rows[1:]) == sorted(hostile.evaluation.names)


class TestTextsTable:
    def test_has_every_text_of_the_first_segments_in_one_row(self, sample, read_html):
        rows = read_html(texts_table(sample.test_set, 5)).rows()
        assert len(rows) == 6
        assert rows[0][-4:] == list(sample.test_set.system_names)
        assert rows[1][2] == sample.test_set.source[0]
        assert rows[1][-1] == sample.test_set.systems[-1].hypotheses[0]

    def test_says_what_is_missing_and_what_is_empty(self, score_texts, read_html):
        scored = score_texts({"a": ["x", ""]}, [["x", "y"], ["z", None]])
        assert read_html(texts_table(scored.test_set, 5)).rows()[2] == ["2", "y", "none", "empty"]

    def test_keeps_every_text_and_name_as_text_in_its_own_direction(self, hostile, read_html):
        page = read_html(texts_table(hostile.test_set, 20))
        rows = page.rows()
        assert rows[0][3:5] == list(hostile.test_set.reference_names)
        assert rows[0][5:] == list(hostile.test_set.system_names)
        for index, row in enumerate(rows[1:]):
            assert row[1] == hostile.test_set.documents[index]
            assert row[2] == hostile.test_set.source[index]
            assert set(row[5:]) == {hostile.test_set.systems[0].hypotheses[index]}
        assert {element.attributes["dir"] for element in page.of_tag("span")} == {"auto"}


class TestBlocksTable:
    def rows(self, scored, read_html, n_blocks, baseline=None):
        layout = blocks_of_number(scored.evaluation.n_segments, n_blocks)
        analysis = analyse(scored.evaluation, layout, baseline or scored.evaluation.names[0])
        return read_html(blocks_table(analysis.rows, scored.looks)).rows()[1:]

    def test_goes_from_the_lowest_corpus_score_to_the_highest(self, sample, read_html):
        rows = self.rows(sample, read_html, 20)
        assert [row[0][1:] for row in rows] == list(sample.evaluation.ranked()[::-1])

    def test_has_no_left_neighbour_for_the_lowest_and_no_test_of_the_baseline_with_itself(self, sample, read_html):
        rows = self.rows(sample, read_html, 20, "neural")
        for place, row in enumerate(rows):
            has_left, has_base = (all(cell != "–" for cell in row[start : start + 3]) for start in (4, 7))
            assert (has_left, has_base) == (place > 0, not row[0].endswith("neural"))

    def test_of_one_block_gives_the_reason_where_a_t_would_stand(self, sample, read_html):
        layout = blocks_of_number(sample.evaluation.n_segments, 1)
        page = read_html(blocks_table(analyse(sample.evaluation, layout, "human").rows, sample.looks))
        assert all(row[2:4] == ["–", "–"] for row in page.rows()[1:])
        assert "One block has no variance. Choose at least two blocks." in page.titles()
        assert not_a_number(page) == []

    @pytest.mark.parametrize("n_blocks", [1, 2, 3])
    def test_of_one_system_or_two_identical_ones_has_no_nan(self, one_system, twins, read_html, n_blocks):
        assert len(self.rows(one_system, read_html, n_blocks)) == 1
        layout = blocks_of_number(twins.evaluation.n_segments, n_blocks)
        page = read_html(blocks_table(analyse(twins.evaluation, layout, "first").rows, twins.looks))
        assert not_a_number(page) == []
        assert any(title.endswith(("no difference to test.", "at least two blocks.")) for title in page.titles())


def not_a_number(page):
    return re.findall(r"\b(?:nan|inf|None)\b", page.text, re.IGNORECASE)


LADDER = {
    "a": ["p q r s", "p q r x", "x x x x x", "p q r s", "p"],
    "b": ["p q r s", "p q r s", "p q r s", "x", "p q r s t"],
}
GOAL = [["p q r s", "p q r s", "p q r s", "p q r s", "p q r s t"]]


@pytest.fixture(scope="module")
def ladder(score_texts):
    return score_texts(LADDER, GOAL, documents=["d1", "d1", "d2", "d2", "d2"], source=["A", "B", "C", "Straße", "E"])


class TestFindSegments:
    def found(self, scored, **query):
        pair = (scored.evaluation.names[0], scored.evaluation.names[1])
        return find_segments(scored.test_set, scored.evaluation, pair, SegmentQuery(**query)).tolist()

    @pytest.mark.parametrize(
        ("order", "expected"),
        list(
            zip(
                SEGMENT_ORDERS,
                [
                    [0, 1, 2, 3, 4],  # as given
                    [2, 4, 1, 0, 3],  # B ahead
                    [3, 0, 1, 4, 2],  # A ahead
                    [2, 3, 4, 1, 0],  # largest difference
                    [2, 4, 1, 0, 3],  # lowest A
                    [0, 3, 1, 4, 2],  # highest A
                    [3, 0, 1, 2, 4],  # lowest B
                    [0, 1, 2, 4, 3],  # highest B
                    [2, 0, 1, 3, 4],  # most tokens of A
                    [4, 0, 1, 3, 2],  # fewest tokens of A
                    [4, 0, 1, 2, 3],  # most tokens of B
                    [3, 0, 1, 2, 4],  # fewest tokens of B
                ],
                strict=True,
            )
        ),
    )
    def test_every_order_and_ties_as_in_the_test_set(self, ladder, order, expected):
        assert self.found(ladder, order=order) == expected

    @pytest.mark.parametrize("column", ["Δ", "BLEU A", "BLEU B", "tokens A", "tokens B"])
    def test_a_click_on_a_heading_orders_and_a_second_click_turns_the_order(self, ladder, column):
        first = order_after_click(column, "as given")
        second = order_after_click(column, first)
        assert {first, second} <= set(SEGMENT_ORDERS)
        assert first != second
        assert order_after_click(column, second) == first

    def test_a_click_on_any_other_heading_gives_the_order_of_the_test_set(self):
        assert order_after_click("text", SEGMENT_ORDERS[3]) == SEGMENT_ORDERS[0]
        assert order_after_click("segment", SEGMENT_ORDERS[0]) == SEGMENT_ORDERS[0]

    @pytest.mark.parametrize(
        ("text", "expected"),
        [("x", [1, 2, 3]), ("X X", [2]), ("STRASSE", [3]), ("  t ", [3, 4]), ("", [0, 1, 2, 3, 4]), ("nowhere", [])],
    )
    def test_text_is_looked_for_in_every_column_whatever_the_case(self, ladder, text, expected):
        assert self.found(ladder, text=text) == expected

    def test_text_is_no_pattern(self, ladder):
        assert self.found(ladder, text=".*") == []

    def test_a_document_and_a_range_of_differences_narrow_it_down(self, ladder):
        delta = np.subtract(*(ladder.evaluation.systems[name].segment_scores for name in ("b", "a")))
        assert self.found(ladder, document="d2") == [2, 3, 4]
        assert self.found(ladder, document="nowhere") == []
        assert self.found(ladder, delta_range=(0.0, 100.0)) == [0, 1, 2, 4]
        assert self.found(ladder, delta_range=(float(delta[1]), float(delta[4]))) == [1, 4]
        assert self.found(ladder, document="d2", text="x", delta_range=(-100.0, 0.0), order=SEGMENT_ORDERS[4]) == [3]

    def test_a_perfect_segment_against_a_score_of_0_is_a_difference_of_100_to_the_last_digit(self, ladder):
        assert ladder.evaluation.systems["b"].segment_scores[2] != 100, "sacreBLEU's arithmetic ends a hair above 100"
        assert self.found(ladder, delta_range=(100.0, 100.0)) == [2]

    def test_a_document_means_nothing_where_there_are_none(self, score_texts):
        scored = score_texts(LADDER, GOAL)
        assert self.found(scored, document="d2") == [0, 1, 2, 3, 4]

    def test_a_missing_reference_is_no_text(self, score_texts):
        scored = score_texts({"a": ["x", "y"], "b": ["x", "y"]}, [["x", "y"], [None, "None"]])
        assert self.found(scored, text="none") == [1]

    @given(order=st.sampled_from(SEGMENT_ORDERS), low=st.floats(-100, 100), high=st.floats(-100, 100))
    @settings(max_examples=80, deadline=None)
    def test_what_is_found_lies_in_the_range_once_and_in_order(self, sample, order, low, high):
        pair = sample.pair()
        rows = find_segments(
            sample.test_set, sample.evaluation, pair, SegmentQuery(delta_range=(low, high), order=order)
        )
        delta = np.subtract(*(sample.evaluation.systems[name].segment_scores for name in reversed(pair)))
        assert sorted(rows.tolist()) == np.flatnonzero((delta >= low) & (delta <= high)).tolist()
        if order == SEGMENT_ORDERS[1]:
            assert all((delta[first], -first) >= (delta[second], -second) for first, second in pairwise(rows.tolist()))

    def test_one_system_is_its_own_pair(self, one_system):
        pair = ("only", "only")
        for order in SEGMENT_ORDERS:
            rows = find_segments(one_system.test_set, one_system.evaluation, pair, SegmentQuery(order=order))
            assert sorted(rows.tolist()) == [0, 1, 2]


class TestSegmentsFrame:
    def test_has_the_segments_counted_from_1_with_both_scores(self, ladder):
        frame = segments_frame(ladder.test_set, ladder.evaluation, ("a", "b"), np.array([4, 2]))
        assert frame["segment"].tolist() == [5, 3]
        assert frame["document"].tolist() == ["d2", "d2"]
        assert frame["BLEU B"].tolist() == pytest.approx([100, 100])
        assert frame["BLEU A"].tolist() == ladder.evaluation.systems["a"].segment_scores[[4, 2]].tolist()
        assert frame["tokens A"].tolist() == [1, 5]
        assert frame["text"].tolist() == ["E", "C"]

    def test_shows_a_hypothesis_where_there_is_no_source_and_no_document_column_without_documents(self, score_texts):
        scored = score_texts(LADDER, GOAL)
        frame = segments_frame(scored.test_set, scored.evaluation, ("a", "b"), np.array([1]))
        assert frame["text"].tolist() == ["p q r x"]
        assert "document" not in frame

    def test_of_no_segments_is_empty(self, ladder):
        assert len(segments_frame(ladder.test_set, ladder.evaluation, ("a", "b"), np.array([], int))) == 0


class TestSnippet:
    @pytest.mark.parametrize(
        ("text", "length", "expected"),
        [
            ("short", 10, "short"),
            ("", 10, ""),
            ("two\n lines\tof  it", 20, "two lines of it"),
            ("exactly ten", 11, "exactly ten"),
            ("one too many", 11, "one too ma…"),
            ("cut at a blank", 8, "cut at…"),
        ],
    )
    def test_is_the_beginning_on_one_line(self, text, length, expected):
        assert snippet(text, length) == expected

    @given(text=st.text(), length=st.integers(2, 40))
    def test_is_never_longer_than_asked_for(self, text, length):
        assert len(snippet(text, length)) <= length
        assert "\n" not in snippet(text, length)


class TestFacts:
    def test_count_what_a_test_set_holds(self, sample):
        facts = {name: value for value, name in test_set_facts(sample.test_set)}
        assert facts == {"segments": "216", "systems": "4", "references": "2", "source": "yes", "documents": "12"}

    def test_say_what_is_missing_or_empty(self, score_texts):
        scored = score_texts({"a": ["x", " "]}, [["x", "y"], [None, "z"]])
        facts = {value_name[1]: value_name[0] for value_name in test_set_facts(scored.test_set)}
        assert facts["system"] == "1"
        assert facts["source"] == "no"
        assert facts["empty hypotheses"] == "1"
        assert facts["references missing in some segments"] == "1"
        assert "documents" not in facts
