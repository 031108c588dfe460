"""The units of a test set: documents, blocks of neighbours, items, selections, copies, and hostile shapes."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleucore import InputError, System, TestSet, evaluate
from bleucore.corpus import repeated_items
from bleucore.significance import (
    ComparedSystems,
    SignificanceOptions,
    TestSetUnits,
    compare,
    effective_number,
    usual_block_size,
)

SAMPLE = Path(__file__).parents[2] / "sample_data"


def groups(units):
    """The unit of each segment."""
    return list(range(units.n_units)) if units.layout is None else units.layout.groups.tolist()


class TestDocuments:
    def test_are_the_units_wherever_their_segments_stand(self):
        units = TestSetUnits(5, list("abaca")).of("document")
        assert (units.kind, units.n_units, groups(units)) == ("document", 3, [0, 1, 0, 2, 0])
        assert (units.sizes.tolist(), units.layout.documents, units.block_size) == ([3, 1, 1], ("a", "b", "c"), None)
        assert units.n_effective == pytest.approx(25 / 11)

    def test_that_are_unknown_cannot_be_asked_for(self):
        with pytest.raises(InputError, match="the test set has no documents"):
            TestSetUnits(5).of("document")
        assert TestSetUnits(5).n_documents is None

    def test_that_mostly_repeat_an_earlier_one_are_part_of_it(self):
        """The second repeats the first; the third has one of three rows in common with it."""
        known = TestSetUnits(8, list("aaabbccc"), items=np.array([0, 1, 2, 0, 1, 2, 3, 4]))
        assert groups(known.of("document")) == [0, 0, 0, 0, 0, 1, 1, 1]
        assert known.n_documents == 2

    def test_that_repeat_a_copy_are_part_of_its_original(self):
        known = TestSetUnits(6, list("aabbcc"), items=np.array([0, 1, 1, 0, 0, 1]))
        assert groups(known.of("document")) == [0] * 6

    def test_that_are_all_different_are_as_many_as_segments(self):
        known = TestSetUnits(7, [str(place) for place in range(7)])
        assert (known.n_documents, known.of("document").sizes.tolist()) == (7, [1] * 7)

    def test_that_are_all_the_same_are_one(self):
        assert TestSetUnits(7, ["x"] * 7).n_documents == 1


class TestBlocks:
    @pytest.mark.parametrize(
        ("n_segments", "size", "n_blocks"),
        [
            (1, 1, 1),
            (12, 1, 12),
            (25, 1, 25),  # blocks of two would be fewer than 13
            (26, 2, 13),
            (100, 7, 14),
            (216, 16, 14),
            (2_000, 50, 40),  # four times the cube root is 50.4
            (100_000, 186, 538),
        ],
    )
    def test_have_four_times_the_cube_root_but_are_at_least_thirteen(self, n_segments, size, n_blocks):
        assert usual_block_size(n_segments) == size
        units = TestSetUnits(n_segments).of("block")
        assert (units.n_units, units.block_size) == (n_blocks, size)

    def test_are_of_neighbours_and_of_nearly_one_size(self):
        units = TestSetUnits(100).of("block")
        assert groups(units) == sorted(groups(units))
        assert set(units.sizes.tolist()) == {7, 8}

    def test_can_have_a_chosen_size(self):
        units = TestSetUnits(10).of("block", 5)
        assert (groups(units), units.block_size) == ([0] * 5 + [1] * 5, 5)
        assert TestSetUnits(10).of("block", 99).n_units == 1

    def test_where_rows_repeat_are_of_items(self):
        known = TestSetUnits(60, items=np.tile(np.arange(30), 2))
        units = known.of("block")
        assert units.block_size == usual_block_size(30) == 2
        assert groups(units)[:30] == groups(units)[30:] == groups(TestSetUnits(30).of("block"))


class TestItems:
    def test_are_refused_where_no_rows_repeat(self):
        with pytest.raises(InputError, match="no rows repeat"):
            TestSetUnits(4).of("item")
        assert TestSetUnits(4).n_items is None

    def test_segments_are_of_one_size(self):
        units = TestSetUnits(4).of("segment")
        assert (units.n_units, units.layout, units.n_effective, units.sizes.tolist()) == (4, None, None, [1] * 4)

    def test_are_the_rows_of_one_number(self):
        known = TestSetUnits(5, items=np.array([3, 1, 3, 1, 0]))
        assert (known.n_items, sorted(known.of("item").sizes.tolist())) == (3, [1, 2, 2])

    def test_of_a_test_set_are_source_and_references_together(self):
        texts = ["x"] * 4
        same = TestSet([System("a", texts)], [["r", "r", "s", "s"]], source=["p", "p", "p", "p"])
        assert same.items.tolist() == [0, 0, 1, 1]
        apart = TestSet([System("a", texts)], [["r"] * 4], source=["p", "q", "v", "w"])
        assert apart.items is None

    def test_of_a_test_set_are_what_its_label_says(self):
        labels = {"item": ["one", "one", "two", "two"]}
        given_items = TestSet([System("a", ["x"] * 4)], [["r", "s", "t", "u"]], labels=labels)
        assert given_items.items.tolist() == [0, 0, 1, 1]

    def test_that_are_given_count_however_few_repeat(self):
        texts = [str(place) for place in range(40)]
        given_items = TestSet([System("a", texts)], [texts], labels={"item": ["same", "same", *texts[2:]]})
        assert given_items.items.max() == 38
        each_once = TestSet([System("a", texts)], [texts], labels={"item": texts})
        assert each_once.items is None

    @pytest.mark.parametrize(("n_different", "are_items"), [(80, True), (81, False)])
    def test_are_known_where_a_fifth_of_the_rows_repeats(self, n_different, are_items):
        column = [str(place) for place in range(n_different)] + ["0"] * (100 - n_different)
        assert (repeated_items([column]) is not None) is are_items


class TestSelections:
    def test_keep_the_units_of_the_whole(self):
        known = TestSetUnits(6, list("aabbcc")).selected(np.array([0, 4, 5]))
        units = known.of("document")
        assert (units.n_units, groups(units), units.layout.documents) == (2, [0, 1, 1], ("a", "c"))
        assert (known.n_segments, known.n_documents) == (3, 2)

    def test_of_selections_are_selections_of_the_whole(self):
        known = TestSetUnits(6, list("aabbcc"))
        twice = known.selected(np.array([0, 2, 4, 5])).selected(np.array([1, 3]))
        assert twice.rows.tolist() == [2, 5]
        assert twice.of("document").layout.documents == ("b", "c")

    def test_have_the_blocks_of_the_whole(self):
        known = TestSetUnits(100)
        rows = np.array([0, 1, 50, 99])
        whole = np.array(groups(known.of("block")))[rows]
        assert groups(known.selected(rows).of("block")) == np.unique(whole, return_inverse=True)[1].tolist()

    @pytest.mark.parametrize("kind", ["document", "block", "item", "segment"])
    def test_of_nothing_have_no_unit(self, kind):
        known = TestSetUnits(6, list("aabbcc"), np.array([0, 0, 1, 1, 2, 2]))
        assert known.selected(np.array([], np.int64)).of(kind).n_units == 0

    def test_of_systems_keep_the_units_of_the_whole(self):
        counts = np.ones((30, 2), int)
        systems = ComparedSystems([("a", counts)], lambda each: each[..., 0])
        some = systems.selected(np.arange(3))
        assert some.units(SignificanceOptions()).kind == systems.units(SignificanceOptions()).kind == "block"
        assert some.units(SignificanceOptions()).n_units == 2
        assert some.n_segments == 3


class TestHostileShapes:
    @pytest.mark.parametrize("kind", ["segment", "block"])
    @pytest.mark.parametrize("n_segments", [0, 1, 2])
    def test_of_hardly_any_segment_are_hardly_any(self, kind, n_segments):
        assert TestSetUnits(n_segments).of(kind).n_units == n_segments

    def test_of_a_hundred_thousand_rows(self):
        n = 100_000
        documents, items = [str(place // 7) for place in range(n)], np.arange(n) % (n // 2)
        known = TestSetUnits(n, documents, items)
        assert known.n_items == n // 2
        assert known.n_documents <= 1 + n // 14
        assert TestSetUnits(n, [str(place) for place in range(n)]).n_documents == n

    def test_of_one_row_written_many_times_are_one_item(self):
        items = repeated_items([["same"] * 1000])
        known = TestSetUnits(1000, items=items)
        assert SignificanceOptions().units_of(known).n_units == 1
        assert TestSetUnits(1000, [str(place) for place in range(1000)], items).n_documents == 1

    @given(
        st.lists(st.tuples(st.sampled_from("abcdef"), st.integers(0, 8)), min_size=1, max_size=40),
        st.sampled_from(["segment", "block", "item", "document"]),
        st.data(),
    )
    def test_every_segment_is_in_one_unit_and_no_unit_is_empty(self, rows, kind, data):
        documents, items = [document for document, _ in rows], np.array([item for _, item in rows])
        known = TestSetUnits(len(rows), documents, np.unique(items, return_inverse=True)[1])
        chosen = data.draw(st.lists(st.sampled_from(range(len(rows))), unique=True))
        for each in (known, known.selected(np.array(sorted(chosen), np.int64))):
            units = each.of(kind)
            assert units.sizes.sum() == each.n_segments
            assert units.n_units == len(units.sizes)
            assert not len(units.sizes) or units.sizes.min() > 0

    @given(st.lists(st.sampled_from("abcde"), min_size=1, max_size=30), st.integers(2, 4))
    def test_documents_written_again_under_other_names_are_no_more_documents(self, documents, n_times):
        n = len(documents)
        again = [f"{name}{time}" for time in range(n_times) for name in documents]
        known = TestSetUnits(n * n_times, again, np.tile(np.arange(n), n_times))
        assert known.n_documents == len(set(documents))


class TestEffectiveNumber:
    def test_of_equal_units_is_their_number_and_of_unequal_ones_less(self):
        assert effective_number(np.array([4, 4, 4])) == 3
        assert effective_number(np.array([10, 1, 1])) == pytest.approx(144 / 102)


@cache
def sample_texts(n_times, *, interleaved=False):
    """The sample's systems, references and documents, with every row written so many times."""

    def lines(name):
        column = (SAMPLE / f"{name}.txt").read_text(encoding="utf-8").removesuffix("\n").split("\n")
        return [line for line in column for _ in range(n_times)] if interleaved else column * n_times

    systems = [System(name, lines(name)) for name in ("neural-40k", "neural-20k", "literal")]
    return TestSet(systems, [lines("reference-A")], source=lines("source"), documents=lines("documents"))


class TestSampleWrittenFiveTimes:
    @staticmethod
    def compared(texts, documents):
        bleu = evaluate(texts).bleu
        systems = [(name, result.counts) for name, result in bleu.systems.items()]
        options = SignificanceOptions(trials=2_000, resamples=200)
        return compare(ComparedSystems(systems, bleu.draw_scores_of, documents=documents, items=texts.items), options)

    @pytest.mark.parametrize("interleaved", [False, True])
    @pytest.mark.parametrize("documents", ["known", "renamed", "unknown"])
    def test_says_what_the_sample_says(self, documents, interleaved):
        once, again = sample_texts(1), sample_texts(5, interleaved=interleaved)
        n = once.n_segments
        of_again = {"known": again.documents, "unknown": None}.get(
            documents,
            [f"{name}, {row % 5 if interleaved else row // n}" for row, name in enumerate(again.documents)],
        )
        first = self.compared(once, None if documents == "unknown" else once.documents)
        fifth = self.compared(again, of_again)
        assert (fifth.n_items, fifth.n_segments) == (len(set(zip(once.source, once.references[0], strict=True))), 5 * n)
        assert fifth.n_units == first.n_units
        for key, pair in first.pairs.items():
            same = fifth.pairs[key]
            assert same.p_value == pytest.approx(pair.p_value, abs=0.01)
            assert same.corrected_p_value == pytest.approx(pair.corrected_p_value, abs=0.01)
            assert same.interval == pytest.approx(pair.interval, abs=1e-6)
