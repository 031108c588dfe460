"""The additive half: parts counted alone, added in any order, are the whole, to the last bit."""

import pickle  # noqa: TID251  # of what was made here
import random
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleucore import BleuOptions, ChrfOptions, InputError, System, TerOptions, TestSet, evaluate_parts, partition_counts
from bleucore.analysis.attribution import attribute
from bleucore.analysis.ngram_tables import added_ngrams, partition_ngrams
from bleucore.analysis.ngram_types import ngram_types, pair_tokens
from bleucore.evaluation import evaluate_metric
from bleucore.partitions import added

WORDS = ["a", "b", "A", "b.", "1,5", "ä"]
METRICS = {"bleu": BleuOptions(), "chrf": ChrfOptions()}
chances = st.integers(0, 2**32).map(random.Random)


def drawn_texts(chance, n_segments):
    """Two systems and up to three references, some of which are missing; the first never is."""

    def line():
        return " ".join(chance.choices(WORDS, k=chance.randrange(8)))

    def column(missing=0.0):
        return [None if chance.random() < missing else line() for _ in range(n_segments)]

    references = [column(), *(column(missing=0.3) for _ in range(chance.randrange(3)))]
    return TestSet([System("A", column()), System("B", column())], references)


def rows_of(test_set, start, stop):
    """Some segments."""
    return TestSet(
        [System(system.name, system.hypotheses[start:stop]) for system in test_set.systems],
        [column[start:stop] for column in test_set.references],
    )


def cut(test_set, n_parts):
    """The same segments in so many parts, or as many as there are segments."""
    edges = np.unique(np.linspace(0, test_set.n_segments, n_parts + 1).astype(int)).tolist()
    return [rows_of(test_set, start, stop) for start, stop in pairwise(edges)]


@given(st.integers(1, 16), st.integers(0, 30), st.sampled_from(["bleu", "chrf"]), chances)
def test_parts_in_any_order_are_the_whole_to_the_last_bit(n_parts, n_more, metric, chance):
    test_set = drawn_texts(chance, n_parts + n_more)
    whole = evaluate_metric(test_set, METRICS[metric])
    counted = [
        partition_counts(part, METRICS[metric], place=place) for place, part in enumerate(cut(test_set, n_parts))
    ]
    chance.shuffle(counted)
    found = added(counted).evaluation()
    assert (found.signature, found.remarks, found.n_references) == (whole.signature, whole.remarks, whole.n_references)
    for name, result in whole.systems.items():
        assert np.array_equal(found.systems[name].counts, result.counts)
        assert found.systems[name].counts.dtype == result.counts.dtype
        assert found.systems[name].score == result.score
        assert np.array_equal(found.systems[name].segment_scores, result.segment_scores)
    sums = added(
        partition_counts(part, METRICS[metric], keeps_segments=False) for part in reversed(cut(test_set, n_parts))
    )
    assert sums.scores == {name: result.score for name, result in whole.systems.items()}
    assert sums.signature == whole.signature


def test_ter_with_mean_lengths_that_are_no_whole_numbers_is_the_whole_too():
    test_set = TestSet(
        [System("A", ["a b", "b", "c d e", "a"])],
        [["a", "b b", "c", "a a"], ["a b", "b", "c d", "b"], ["a b c d", "c", "c e", "b"]],
    )
    whole = evaluate_metric(test_set, TerOptions())
    parts = [partition_counts(part, TerOptions(), place=place) for place, part in enumerate(cut(test_set, 4))]
    assert added(reversed(parts)).evaluation().systems["A"].score == whole.systems["A"].score


@pytest.mark.parametrize("n_parts", [1, 2, 5, 12])
def test_ngrams_of_parts_are_added_by_what_they_are(n_parts):
    chance = random.Random(n_parts)
    test_set = drawn_texts(chance, 12)
    options = BleuOptions(max_order=3)
    tables = [partition_ngrams(part, ("A", "B"), options) for part in cut(test_set, n_parts)]
    chance.shuffle(tables)
    found = added_ngrams(tables)
    assert found.table.equals(partition_ngrams(test_set, ("A", "B"), options).table)


def test_the_table_of_ngrams_says_what_the_analysis_says():
    test_set = TestSet([System("A", ["a b c", "a a"]), System("B", ["a b d", "a b"])], [["a b c", "a b b"]])
    options = BleuOptions(max_order=2)
    evaluation = evaluate_metric(test_set, options)
    counts = [evaluation.systems[name].counts for name in ("A", "B")]
    values = attribute(*counts, options).match_values
    orders = ngram_types(pair_tokens(test_set, ("A", "B"), options), values)
    rows = list(partition_ngrams(test_set, ("A", "B"), options).rows())
    for one in orders:
        of_order = [row for row in rows if row["order"] == one.order]
        assert sum(row["won"] for row in of_order) == one.won
        assert sum(row["lost"] for row in of_order) == one.lost
        for side, name in enumerate(("a", "b")):
            assert sum(row[f"too_often_{name}"] for row in of_order) == one.over_generated.counts[side]
            assert sum(row[f"missed_{name}"] for row in of_order) == one.missed.counts[side]
    by_ngram = {row["ngram"]: row for row in rows}
    assert (by_ngram["c"]["lost"], by_ngram["c"]["won"], by_ngram["c"]["missed_b"]) == (1, 0, 1)
    assert by_ngram["a"]["too_often_a"] == 1


class Text:
    """A part that is read where it is counted."""

    def __init__(self, line):
        self.line = line

    def read(self):
        return TestSet([System("A", [self.line])], [["a b c d"]])


def test_parts_can_be_read_where_they_are_counted_and_by_any_map():
    parts = [Text("a b c d"), Text("a b"), Text("d c b a")]
    with ThreadPoolExecutor(2) as pool:
        found = evaluate_parts(iter(parts), map=pool.map, at_once=2)
    assert found.scores == evaluate_parts(parts, keeps_segments=False).scores
    assert found.counts()["A"][:, 0].tolist() == [4, 2, 4]


def test_no_more_parts_are_taken_than_are_handed_over_together():
    taken, most = 0, 0
    counted = 0

    def parts():
        nonlocal taken, most
        for _ in range(9):
            taken += 1
            most = max(most, taken - counted)
            yield Text("a b c d")

    def one_by_one(work, items):
        nonlocal counted
        for item in items:
            yield work(item)
            counted += 1

    evaluate_parts(parts(), map=one_by_one, keeps_segments=False, at_once=3)
    assert most == 3


def test_a_part_and_its_counts_travel_between_processes():
    test_set = TestSet([System("A", ["a b c d"])], [["a b c d"]], labels={"domain": ["news"]})
    part = pickle.loads(pickle.dumps(test_set))
    assert part == test_set
    assert dict(part.labels) == {"domain": ("news",)}
    counts = pickle.loads(pickle.dumps(partition_counts(part, BleuOptions())))
    assert counts.evaluation().systems["A"].score == pytest.approx(100)


def test_what_does_not_belong_together_is_refused():
    one = partition_counts(Text("a"), BleuOptions())
    with pytest.raises(InputError, match=r"^The parts: two parts have the same number \(found 0\)"):
        one + one
    with pytest.raises(InputError, match="two parts are not of the same settings"):
        one + partition_counts(Text("a"), BleuOptions(lowercase=True), place=1)
    with pytest.raises(InputError, match="two parts are not of the same kind of counts"):
        one + partition_counts(Text("a"), BleuOptions(), place=1, keeps_segments=False)
    with pytest.raises(InputError, match=r"^The parts: there are no segments\. Give at least one part\."):
        evaluate_parts([])
    with pytest.raises(InputError, match="only sums were kept"):
        evaluate_parts([Text("a")], keeps_segments=False).evaluation()
