"""Segments with an n-gram and segments of a slice: found, named, and the n-gram in a box."""

import numpy as np
import pytest

from bleucore.analysis.ngram_types import pair_tokens, segments_with
from bleuscope.content.ngrams.ngram_tables import ANYWHERE, of_address, segments_where
from bleuscope.content.segments import highlights
from bleuscope.content.segments.highlights import SegmentView
from bleuscope.content.segments.segment_queries import Lookups, SegmentQuery, active_filters, find_segments


@pytest.fixture(scope="module")
def texts(score_texts):
    return score_texts(
        {"one": ["the cat the cat", "a dog", "so"], "two": ["The cat", "the dog", "so so"]},
        [["the cat sat", "the dog", "so it is"]],
        source=["the cat", "x", "y"],
    )


def found(scored, **query):
    tokens = pair_tokens(scored.test_set, scored.pair(), scored.evaluation.options)
    lookups = Lookups(
        with_ngram=lambda ngram, where: segments_where(segments_with(of_address(ngram), tokens), where),
        in_slice=lambda address: np.array([0, 2]) if address == "known" else None,
    )
    return find_segments(scored.test_set, scored.evaluation, scored.pair(), SegmentQuery(**query), lookups).tolist()


class TestQuery:
    @pytest.mark.parametrize(
        ("ngram", "where", "expected"),
        [
            ("the", ANYWHERE, [0, 1]),
            ("the cat", ANYWHERE, [0]),
            ("cat the", ANYWHERE, [0]),
            ("the", "B matches it more", [1]),
            ("so", "B has it too often", [2]),
            ("unheard of", ANYWHERE, []),
        ],
    )
    def test_finds_the_segments_with_an_ngram(self, texts, ngram, where, expected):
        assert found(texts, ngram=ngram, ngram_where=where) == expected

    def test_finds_the_segments_of_a_slice_and_all_where_there_is_no_such_slice(self, texts):
        assert found(texts, slice="known") == [0, 2]
        assert found(texts, slice="unknown") == [0, 1, 2]
        assert found(texts, slice="known", ngram="the") == [0]

    def test_an_ngram_is_chosen_by_the_outputs_a_slice_is_not(self):
        assert SegmentQuery(ngram="the").looks_at_scores
        assert not SegmentQuery(slice="reference length:1–10").looks_at_scores

    def test_says_what_it_narrows_down_to(self):
        assert active_filters(SegmentQuery(ngram=", and")) == {"n-gram": "n-gram “,\u200a␣\u200aand”"}
        assert active_filters(SegmentQuery(ngram="the", ngram_where="B misses it", slice="label a:b:c")) == {
            "n-gram": "n-gram “the”, B misses it",
            "slice": "slice label a: b:c",
        }


class TestBoxes:
    def boxed(self, scored, read_html, segment, *ngram, **options):
        view = SegmentView(segment, scored.pair(), ngram=ngram, **options)
        html = highlights.segment_html(scored.test_set, scored.evaluation, view, scored.looks)
        return [element.text for element in read_html(html).of_class("bs-ngram")]

    def test_stand_around_every_token_of_the_ngram_in_hypotheses_and_references_not_in_the_source(
        self, texts, read_html
    ):
        assert self.boxed(texts, read_html, 0, "the", "cat") == ["the", "cat"] * 3

    def test_follow_case_as_bleu_does(self, texts, read_html):
        assert self.boxed(texts, read_html, 0, "The") == ["The"]

    def test_stand_in_the_references_also_where_no_matches_are_marked(self, texts, read_html):
        marked = self.boxed(texts, read_html, 1, "the", reference_matches="two")
        assert self.boxed(texts, read_html, 1, "the", reference_matches=None) == marked == ["the", "the"]

    def test_without_an_ngram_there_is_none(self, texts, read_html):
        assert self.boxed(texts, read_html, 0) == []

    def test_leave_the_texts_as_they_are(self, hostile, hostile_texts, read_html):
        for segment, text in enumerate(hostile_texts):
            view = SegmentView(segment, hostile.pair(), ngram=("<", "script", ">"))
            html = highlights.segment_html(hostile.test_set, hostile.evaluation, view, hostile.looks)
            bodies = [element.text for element in read_html(html).of_class("bs-body")]
            assert bodies == [text, text, f"{text} x", text, text]

    def test_are_in_the_legend_where_an_ngram_is_looked_for(self, read_html):
        legends = [
            read_html(highlights.legend_html(4, compares=True, boxes_ngram=boxes)).text for boxes in (True, False)
        ]
        assert ["the n-gram looked for" in text for text in legends] == [True, False]
