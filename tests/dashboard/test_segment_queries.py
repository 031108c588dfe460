"""Which segments a query names, in which order, and what it says of itself."""

import re
from itertools import pairwise

import numpy as np
import pytest
import regex
from hypothesis import assume, given
from hypothesis import strategies as st

from bleucore import InputError
from bleucore.analysis.attribution import attribute
from bleucore.evaluation import evaluate_metric
from bleucore.metrics.segment_scores import SegmentScores, SystemScores
from bleuscope.content.segments import patterns
from bleuscope.content.segments.filters import AGREEMENTS, DEFAULT_ORDER, SEGMENT_ORDERS
from bleuscope.content.segments.segment_queries import (
    Lookups,
    SegmentQuery,
    TextSearch,
    active_filters,
    find_segments,
    found_words,
    in_unit,
    segments_with_text,
    unit_of,
)

LADDER = {
    "a": ["p q r s", "p q r x", "x x x x x", "p q r s", "p"],
    "b": ["p q r s", "p q r s", "p q r s", "x", "p q r s t"],
}
GOAL = [["p q r s", "p q r s", "p q r s", "p q r s", "p q r s t"]]


@pytest.fixture(scope="module")
def ladder(score_texts):
    return score_texts(LADDER, GOAL, documents=["d1", "d1", "d2", "d2", "d2"], source=["A", "B", "C", "Straße", "E"])


def lookups(scored, pair, **further):
    counts = (scored.evaluation.systems[name].counts for name in pair)
    return Lookups(attribute(*counts, scored.evaluation.options).segments, **further)


class TestFindSegments:
    def found(self, scored, *, text="", **query):
        pair = (scored.evaluation.names[0], scored.evaluation.names[1])
        query = SegmentQuery(TextSearch(text), **query)
        return find_segments(scored.test_set, scored.evaluation, pair, query, lookups(scored, pair)).tolist()

    @pytest.mark.parametrize(
        ("order", "expected"),
        list(
            zip(
                SEGMENT_ORDERS,
                [
                    [0, 1, 2, 3, 4],  # as given
                    [4, 2, 3, 1, 0],  # largest part
                    [4, 2, 1, 0, 3],  # part for B
                    [3, 0, 1, 2, 4],  # part for A
                    [2, 4, 1, 0, 3],  # B ahead
                    [3, 0, 1, 4, 2],  # A ahead
                    [2, 3, 4, 1, 0],  # largest difference
                    [0, 1, 2, 3, 4],  # metrics disagree, of which there is one
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
        assert self.found(ladder, document="d2", text="x", delta_range=(-100.0, 0.0), order=SEGMENT_ORDERS[7]) == [3]

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
    def test_what_is_found_lies_in_the_range_once_and_in_order(self, sample, order, low, high):
        pair = sample.pair()
        rows = find_segments(
            sample.test_set, sample.evaluation, pair, SegmentQuery(delta_range=(low, high), order=order)
        )
        delta = np.subtract(*(sample.evaluation.systems[name].segment_scores for name in reversed(pair)))
        assert sorted(rows.tolist()) == np.flatnonzero((delta >= low) & (delta <= high)).tolist()
        if order == "Δ: B better first":
            assert all((delta[first], -first) >= (delta[second], -second) for first, second in pairwise(rows.tolist()))

    def test_one_system_is_its_own_pair(self, one_system):
        pair = ("only", "only")
        for order in SEGMENT_ORDERS:
            rows = find_segments(one_system.test_set, one_system.evaluation, pair, SegmentQuery(order=order))
            assert sorted(rows.tolist()) == [0, 1, 2]

    def test_without_parts_the_difference_of_the_scores_orders_and_no_part_lies_in_a_range(self, ladder):
        pair = ("a", "b")
        for by_part, by_score in (("largest first", "largest first"), ("for B first", "B better first")):
            rows, other = (
                find_segments(ladder.test_set, ladder.evaluation, pair, SegmentQuery(order=order)).tolist()
                for order in (f"contribution to Δ: {by_part}", f"Δ: {by_score}")
            )
            assert rows == other
        query = SegmentQuery(part_range=(-100.0, 100.0))
        assert find_segments(ladder.test_set, ladder.evaluation, pair, query).tolist() == []

    def test_by_default_a_system_against_itself_keeps_the_order_given(self, ladder):
        pair = ("a", "a")
        query = SegmentQuery(order=DEFAULT_ORDER)
        rows = find_segments(ladder.test_set, ladder.evaluation, pair, query, lookups(ladder, pair))
        assert rows.tolist() == [0, 1, 2, 3, 4]

    def test_ranges_of_scores_parts_and_lengths_include_their_ends(self, ladder):
        assert self.found(ladder, first_range=(100.0, 100.0)) == [0, 3]
        assert self.found(ladder, second_range=(-np.inf, 0.0)) == [3]
        assert self.found(ladder, part_range=(0.0, 10.0)) == [0, 1]
        assert self.found(ladder, part_range=(-np.inf, -0.0001)) == [3]
        assert self.found(ladder, length_range=(5.0, np.inf)) == [2, 4], "the longer of the two hypotheses counts"
        assert self.found(ladder, first_range=(50.0, 100.0), second_range=(0.0, 50.0)) == [3]

    def test_labels_of_one_column_are_alternatives_and_of_two_columns_conditions(self, score_texts):
        labels = {"domain": ["news", "chat", "news", "web", "chat"], "level": ["1", "1", "2", "2", "2"]}
        scored = score_texts(LADDER, GOAL, labels=labels)
        assert self.found(scored, labels=(("domain", "news"),)) == [0, 2]
        assert self.found(scored, labels=(("domain", "news"), ("domain", "chat"))) == [0, 1, 2, 4]
        assert self.found(scored, labels=(("domain", "news"), ("domain", "chat"), ("level", "2"))) == [2, 4]
        assert self.found(scored, labels=(("not a column", "x"),)) == [0, 1, 2, 3, 4]

    @pytest.mark.parametrize(
        ("agreement", "expected"),
        [
            ("any", [0, 1, 2, 3]),
            ("A and B differ", [1, 2, 3]),
            ("A and B are equal", [0]),
            ("all systems differ", [2]),
        ],
    )
    def test_systems_agree_or_differ_by_their_texts(self, score_texts, agreement, expected):
        systems = {"a": ["x", "x", "x", "x"], "b": ["x", "y", "y", "y"], "c": ["z", "y", "z", "x"]}
        scored = score_texts(systems, [["x", "x", "x", "x"]])
        assert self.found(scored, agreement=agreement) == expected

    def test_part_and_score_disagree_where_they_have_opposite_signs(self, sample):
        pair = ("literal", "fluent")
        query = SegmentQuery(agreement="contribution and score disagree")
        found = lookups(sample, pair)
        rows = find_segments(sample.test_set, sample.evaluation, pair, query, found)
        delta = np.subtract(*(sample.evaluation.systems[name].segment_scores for name in reversed(pair))).round(9)
        assert rows.tolist() == np.flatnonzero(np.sign(found.parts.round(9)) * np.sign(delta) == -1).tolist()

    def test_flags_and_tags_narrow_the_list_down(self, ladder):
        flags = {"empty-lines": np.array([1, 4]), "beyond": np.array([0, 5, 6])}
        found = lookups(ladder, ("a", "b"), flagged=flags.__getitem__)
        for query, expected in (
            (SegmentQuery(flag="empty-lines"), [1, 4]),
            (SegmentQuery(tag="odd", tagged=(4, 2)), [2, 4]),
            (SegmentQuery(flag="empty-lines", tag="odd", tagged=(4, 2)), [4]),
            (SegmentQuery(tag="odd"), []),
            (SegmentQuery(tag="odd", tagged=(5, 4, 99)), [4]),
            (SegmentQuery(flag="beyond"), [0]),
        ):
            assert find_segments(ladder.test_set, ladder.evaluation, ("a", "b"), query, found).tolist() == expected


class TestTextSearch:
    def rows(self, scored, *search):
        return np.flatnonzero(segments_with_text(scored.test_set, TextSearch(*search))).tolist()

    @pytest.mark.parametrize(
        ("place", "expected"), [("anywhere", [1, 2, 3]), ("source", []), ("references", []), ("hypotheses", [1, 2, 3])]
    )
    def test_looks_only_where_it_is_told_to(self, ladder, place, expected):
        assert self.rows(ladder, "x", False, place) == expected

    @pytest.mark.parametrize(
        ("pattern", "expected"),
        [("^x", [2, 3]), ("R X$", [1]), ("(p q) r .* t", [4]), (r"\bstr", [3]), (r"\p{Ll}ß", [3]), ("q{9}", [])],
    )
    def test_patterns_are_regular_expressions_whatever_the_case(self, ladder, pattern, expected):
        assert self.rows(ladder, pattern, True) == expected

    @given(pattern=st.text("ab.*+?|()[]^$\\{}0,1", max_size=8), texts=st.lists(st.text("ab", max_size=6), min_size=1))
    def test_patterns_find_what_a_plain_search_of_every_text_finds(self, score_texts, pattern, texts):
        scored = score_texts({"a": texts}, [["x"] * len(texts)])
        try:
            expected = [row for row, text in enumerate(texts) if regex.search(pattern, text, regex.IGNORECASE)]
        except regex.error:
            with pytest.raises(InputError, match=r"not a regular expression|repeats a part of the pattern"):
                self.rows(scored, pattern, True, "hypotheses")
        else:
            assume(not re.search(r"\(\?[01]", pattern))  # recursion, which is refused
            assert self.rows(scored, pattern, True, "hypotheses") == expected

    def test_a_wrong_pattern_is_named_with_what_is_wrong(self, ladder):
        with pytest.raises(InputError, match=re.escape("Pattern '(x': this is not a regular expression (missing )")):
            self.rows(ladder, "(x", True)

    @pytest.mark.parametrize("pattern", ["((a{500}){500}){500}", "((a{101,}){100,200})", "a" * 1001])
    def test_a_pattern_that_would_fill_the_memory_is_refused(self, ladder, pattern):
        with pytest.raises(InputError, match=r"this is too large .*Write it with smaller counts"):
            self.rows(ladder, pattern, True)

    @pytest.mark.parametrize("pattern", [r"\d{4}-\d{2}-\d{2}", "z{1,9999}", r"[\u2000-\u200f]", "z{8000}", "{}"])
    def test_a_pattern_with_high_code_points_or_upper_counts_is_not(self, ladder, pattern):
        assert self.rows(ladder, pattern, True) == []

    def test_a_pattern_nested_too_deeply_is_named(self, ladder):
        with pytest.raises(InputError, match="this is not a regular expression"):
            self.rows(ladder, "(" * 499 + ")" * 499 + "(", True)

    def test_a_pattern_that_takes_too_long_is_given_up_with_a_remedy(self, score_texts, monkeypatch):
        monkeypatch.setattr(patterns, "SEARCH_SECONDS", 0.05)
        scored = score_texts({"a": ["ab" * 30 + "c"]}, [["x"]])
        with pytest.raises(InputError, match=r"takes longer than 0.05 seconds\. Write it without repeats within"):
            self.rows(scored, "^(([ab]|ab)*)*$", True)


class TestDescription:
    def test_names_every_filter_in_words(self):
        query = SegmentQuery(
            TextSearch(" the ", is_pattern=True, place="source"),
            "doc 1",
            (("domain", "news"), ("level", "2")),
            delta_range=(-1.5, np.inf),
            part_range=(-np.inf, 0.25),
            length_range=(3, 8),
            agreement="all systems differ",
            flag="empty-lines",
            tag="odd",
        )
        assert active_filters(query) == {
            "text": "pattern “the” in source",
            "document": "document doc 1",
            "labels": "domain: news · level: 2",
            "Δ": "Δ from −1.5",
            "contribution": "contribution up to 0.25",
            "tokens": "tokens 3 to 8",
            "agreement": "all systems differ",
            "flag": "check empty-lines",
            "tag": "tag odd",
        }

    def test_of_a_query_for_everything_is_empty(self):
        assert active_filters(SegmentQuery(TextSearch("  "))) == {}

    def test_says_how_many_segments_it_found_how_and_in_which_order(self):
        query = SegmentQuery(TextSearch("the"), document="d 1", order="Δ: largest first")
        assert found_words(query, 1, 2037) == (
            "1 of 2\u202f037 segments with text “the”; document d 1, sorted by Δ, largest first."
        )
        assert found_words(SegmentQuery(), 3, 3) == "3 segments, in the order given."

    def test_says_whether_scores_decide(self):
        by_score = [
            SegmentQuery(first_range=(0, 1)),
            SegmentQuery(second_range=(0, 1)),
            SegmentQuery(delta_range=(0, 1)),
            SegmentQuery(part_range=(0, 1)),
            SegmentQuery(agreement="contribution and score disagree"),
        ]
        assert all(query.looks_at_scores for query in by_score)
        others = [SegmentQuery(TextSearch("x"), "d", length_range=(0, 1)), *map(of_agreement, list(AGREEMENTS)[:-1])]
        assert not any(query.looks_at_scores for query in others)


def of_agreement(agreement):
    return SegmentQuery(agreement=agreement)


class TestOtherMetrics:
    @pytest.fixture
    def errors(self, ladder):
        """100 minus BLEU, of all segments but the last."""
        columns = {
            name: SystemScores(np.arange(1, 5), 100 - result.segment_scores[:4], np.arange(4))
            for name, result in ladder.evaluation.systems.items()
        }
        return evaluate_metric(ladder.test_set, SegmentScores("BLEU", "e.tsv", columns, higher_is_better=False))

    def found(self, ladder, errors, query):
        return find_segments(ladder.test_set, ladder.evaluation, ("a", "b"), query, None, errors).tolist()

    @pytest.mark.parametrize("order", ["Δ: B better first", "Δ: A better first", "Δ: largest first"])
    def test_are_ordered_by_who_is_ahead_with_what_is_missing_last(self, ladder, errors, order):
        by_bleu = find_segments(ladder.test_set, ladder.evaluation, ("a", "b"), SegmentQuery(order=order)).tolist()
        assert self.found(ladder, errors, SegmentQuery(order=order)) == [one for one in by_bleu if one != 4] + [4]

    def test_are_ordered_and_filtered_by_their_own_scores(self, ladder, errors):
        scores = errors.systems["a"].segment_scores
        lowest = self.found(ladder, errors, SegmentQuery(order="BLEU A: lowest first"))
        assert lowest == [*sorted(range(4), key=lambda one: scores[one].round(9)), 4]
        few = SegmentQuery(first_range=(0.0, 1.0))
        assert self.found(ladder, errors, few) == [one for one in range(4) if scores[one].round(9) <= 1]

    def test_are_called_by_their_name_or_what_they_are(self, errors):
        assert unit_of(errors) == "score"
        query = SegmentQuery(first_range=(0.0, 1.0), order="BLEU A: lowest first")
        words = "2 of 5 segments with score A 0 to 1, sorted by score A, lowest first."
        assert found_words(query, 2, 5, unit_of(errors)) == words

    @pytest.mark.parametrize("unit", ["BLEU", "chrF2++", "TER", "score"])
    def test_no_two_orders_have_the_same_words(self, unit):
        said = [in_unit(order, unit) for order in SEGMENT_ORDERS]
        assert len(set(said)) == len(said)
