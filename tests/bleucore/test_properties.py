"""What must hold for any texts and settings: by example first, then for whatever Hypothesis thinks of.

References of chrF and TER: TER takes the fewest edits to any of them and their mean length, whatever their order. chrF
takes the counts of the best one, so that the order does not change a segment's score; but of several equally good ones
it takes the first, whose counts may be others, and so the corpus score can change, in sacreBLEU as here.
"""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.chrf import CHRF

from bleucore import BleuOptions, ChrfOptions, System, TestSet
from bleucore.counts import group_sums
from bleucore.evaluation import evaluate_metric
from bleucore.metrics import METRICS
from bleucore.metrics.ter import TerOptions
from bleucore.options import LENGTH_TIES, MISSING_ORDERS, NEIGHBOUR_SMOOTHINGS, REFERENCE_LENGTHS, TOKENIZER_NAMES
from bleucore.tokens.matching import AVERAGE_LENGTH_UNIT

WORDS = ["a", "b", "A", "b.", "1,5", "ä", "你好", "-"]
EXACT = ("bleu", "chrf")

lines = st.lists(st.sampled_from(WORDS), max_size=7).map(" ".join)


@st.composite
def weights_of(draw, max_order):
    parts = draw(st.lists(st.integers(0, 4), min_size=max_order, max_size=max_order).filter(any))
    return tuple(part / sum(parts) for part in parts)


@st.composite
def bleu_options(draw):
    """Any settings but those smoothings of NLTK's that look at a neighbour and need weights of their own."""
    max_order = draw(st.integers(1, 5))
    smoothing = draw(st.sampled_from(["exp", "floor", "add-k", "none", "nltk-0", "nltk-4", "nltk-6"]))
    return BleuOptions(
        tokenizer=draw(st.sampled_from(TOKENIZER_NAMES)),
        lowercase=draw(st.sampled_from([False, True, "ascii"])),
        max_order=max_order,
        smoothing=smoothing,
        smoothing_value=draw(st.none() | st.floats(0, 2)) if smoothing in ("floor", "add-k") else None,
        effective_order=draw(st.booleans()),
        weights=draw(st.none() | weights_of(max_order)),
        reference_length=draw(st.sampled_from(REFERENCE_LENGTHS)),
        length_tie=draw(st.sampled_from(LENGTH_TIES)),
        missing_order=draw(st.sampled_from(MISSING_ORDERS)),
        smooths_without_match=draw(st.booleans()),
        totals_at_least_one=draw(st.booleans()),
        empty_counts_as_token=draw(st.booleans()),
    )


chrf_options = st.builds(
    ChrfOptions,
    st.integers(1, 6),
    st.integers(0, 2),
    st.integers(0, 3),
    lowercase=st.booleans(),
    whitespace=st.booleans(),
    eps_smoothing=st.booleans(),
)
ter_options = st.builds(TerOptions, st.booleans(), st.booleans(), st.booleans(), st.booleans())
OPTIONS = {"bleu": bleu_options(), "chrf": chrf_options, "ter": ter_options}
METRIC_NAMES = [*OPTIONS]


@st.composite
def columns(draw, min_segments=1):
    """One hypothesis column and one to four reference columns, the first without a gap."""
    n_segments = draw(st.integers(min_segments, 5))
    column = st.lists(lines, min_size=n_segments, max_size=n_segments)
    optional = st.lists(st.none() | lines, min_size=n_segments, max_size=n_segments)
    return draw(column), [draw(column), *draw(st.lists(optional, max_size=3))]


def evaluated(hypotheses, references, options):
    return evaluate_metric(TestSet([System("A", hypotheses)], references), options).systems["A"]


def segment_scores(counts, options):
    return METRICS[type(options)].segment_scores(counts, options)


def corpus_score(counts, options):
    return METRICS[type(options)].scores(counts, options)


def of_rows(rows, hypotheses, references):
    return [hypotheses[row] for row in rows], [[column[row] for row in rows] for column in references]


def quick(max_examples):
    return settings(max_examples=max_examples, derandomize=True)


class TestByHand:
    def test_the_order_of_references_matters_for_bleu_where_the_first_of_two_equally_close_lengths_is_taken(self):
        lengths = {
            tie: [
                int(evaluated(["a b c d"], order, BleuOptions(length_tie=tie)).counts[0, 1])
                for order in ([["x y z"], ["v w x y z"]], [["v w x y z"], ["x y z"]])
            ]
            for tie in LENGTH_TIES
        }
        assert lengths == {"shorter": [3, 3], "first": [3, 5]}

    def test_the_order_of_references_matters_for_the_corpus_score_of_chrf_where_two_are_equally_good(self):
        options = ChrfOptions(char_order=1)
        hypotheses, orders = ["ab", "ab"], ([["ab", "xy"], ["ab", "xyz"]], [["ab", "xyz"], ["ab", "xy"]])
        results = [evaluated(hypotheses, references, options) for references in orders]
        assert [result.segment_scores.tolist() for result in results] == [[100, 0], [100, 0]]
        assert [result.counts.sum(axis=0).tolist() for result in results] == [[4, 4, 2], [4, 5, 2]]
        expected = [100 * 5 * 0.5 * recall / (4 * 0.5 + recall) for recall in (2 / 4, 2 / 5)]
        assert [result.score for result in results] == pytest.approx(expected)
        assert [CHRF(char_order=1).corpus_score(hypotheses, order).score for order in orders] == pytest.approx(expected)

    def test_a_reference_more_can_lower_the_score_but_no_match(self):
        counts = [
            evaluated(["a b c d"], references, BleuOptions(max_order=1)).counts[0].tolist()
            for references in ([["a b"]], [["a b"], ["x y z v w"]])
        ]
        assert counts == [[4, 2, 2, 4], [4, 5, 2, 4]]


@pytest.mark.parametrize("metric", METRIC_NAMES)
@given(data=st.data())
@quick(60)
def test_the_order_of_segments_does_not_matter(metric, data):
    options, (hypotheses, references) = data.draw(OPTIONS[metric]), data.draw(columns(min_segments=2))
    order = data.draw(st.permutations(range(len(hypotheses))))
    before = evaluated(hypotheses, references, options)
    after = evaluated(*of_rows(order, hypotheses, references), options)
    assert after.counts.tolist() == before.counts[order].tolist()
    assert after.segment_scores.tolist() == before.segment_scores[order].tolist()
    assert after.score == (before.score if metric in EXACT else pytest.approx(before.score, rel=1e-12))


@pytest.mark.parametrize("metric", METRIC_NAMES)
@given(data=st.data())
@quick(60)
def test_sums_over_any_partition_are_the_whole_and_each_part_scores_as_if_it_were_alone(metric, data):
    options, (hypotheses, references) = data.draw(OPTIONS[metric]), data.draw(columns())
    n_segments = len(hypotheses)
    groups = np.array(data.draw(st.lists(st.integers(0, 2), min_size=n_segments, max_size=n_segments)))
    whole = evaluated(hypotheses, references, options)
    sums = group_sums(whole.counts, groups, 3)
    assert sums.sum(axis=0) == pytest.approx(whole.counts.sum(axis=0), rel=1e-12 if metric == "ter" else 0, abs=0)
    for group in range(3):
        rows = np.flatnonzero(groups == group).tolist()
        if rows:
            part = evaluated(*of_rows(rows, hypotheses, references), options)
            assert corpus_score(sums[group], options) == pytest.approx(part.score, rel=1e-12)


@pytest.mark.parametrize("reference_length", REFERENCE_LENGTHS)
@given(data=st.data())
@quick(50)
def test_the_order_of_references_changes_nothing_of_bleu(reference_length, data):
    options = replace(data.draw(OPTIONS["bleu"]), reference_length=reference_length, length_tie="shorter")
    hypotheses, references = data.draw(columns())
    moved = data.draw(st.permutations(references))
    before, after = (evaluated(hypotheses, each, options) for each in (references, moved))
    assert after.counts.tolist() == before.counts.tolist()
    assert (after.score, after.segment_scores.tolist()) == (before.score, before.segment_scores.tolist())


@given(data=st.data())
@quick(50)
def test_the_order_of_references_changes_only_lengths_of_bleu_where_the_first_one_counts(data):
    options = replace(data.draw(OPTIONS["bleu"]), reference_length="closest", length_tie="first")
    hypotheses, references = data.draw(columns())
    moved = data.draw(st.permutations(references))
    before, after = (evaluated(hypotheses, each, options).counts for each in (references, moved))
    assert np.delete(after, 1, axis=1).tolist() == np.delete(before, 1, axis=1).tolist()
    assert np.abs(after[:, 1] - after[:, 0]).tolist() == np.abs(before[:, 1] - before[:, 0]).tolist()


@pytest.mark.parametrize("metric", ["chrf", "ter"])
@given(data=st.data())
@quick(60)
def test_the_order_of_references_changes_no_segment_score(metric, data):
    options, (hypotheses, references) = data.draw(OPTIONS[metric]), data.draw(columns())
    moved = data.draw(st.permutations(references))
    before, after = (evaluated(hypotheses, each, options) for each in (references, moved))
    assert after.segment_scores.tolist() == before.segment_scores.tolist()
    if metric == "ter":
        assert after.counts.tolist() == before.counts.tolist()


@given(data=st.data())
@quick(60)
def test_a_reference_more_never_lowers_a_clipped_match(data):
    options, (hypotheses, references) = data.draw(OPTIONS["bleu"]), data.draw(columns())
    n_segments = len(hypotheses)
    further = data.draw(st.lists(st.none() | lines, min_size=n_segments, max_size=n_segments))
    before, after = (evaluated(hypotheses, each, options).counts for each in (references, [*references, further]))
    matches = slice(2, 2 + options.max_order)
    assert (after[:, matches] >= before[:, matches]).all()
    assert after[:, 0].tolist() == before[:, 0].tolist()
    assert after[:, 2 + options.max_order :].tolist() == before[:, 2 + options.max_order :].tolist()


@given(data=st.data())
@quick(50)
def test_a_reference_more_never_makes_ter_count_more_edits(data):
    options, (hypotheses, references) = data.draw(OPTIONS["ter"]), data.draw(columns())
    further = data.draw(st.lists(st.none() | lines, min_size=len(hypotheses), max_size=len(hypotheses)))
    before, after = (evaluated(hypotheses, each, options).counts for each in (references, [*references, further]))
    assert (after[:, 0] <= before[:, 0]).all()


@given(data=st.data())
@quick(60)
def test_texts_that_are_their_own_reference_score_100_in_bleu(data):
    options = data.draw(OPTIONS["bleu"])
    texts = data.draw(st.lists(lines.map(lambda line: f"a b c d e {line}"), min_size=1, max_size=4))
    further = [] if options.reference_length == "average" else [["v w x y z " * 3] * len(texts)]
    result = evaluated(texts, [*further, texts], options)
    assert result.score == pytest.approx(100, abs=1e-9)
    assert result.segment_scores == pytest.approx(np.full(len(texts), 100), abs=1e-9)


@given(data=st.data())
@quick(50)
def test_texts_that_are_their_own_reference_score_100_in_chrf_and_0_in_ter(data):
    texts = data.draw(st.lists(lines.map(lambda line: f"abcdefg h {line}"), min_size=1, max_size=4))
    references = [["v w x y z"] * len(texts), texts]
    for metric, perfect in (("chrf", 100), ("ter", 0)):
        result = evaluated(texts, references, data.draw(OPTIONS[metric]))
        assert result.score == pytest.approx(perfect, abs=1e-9)
        assert result.segment_scores == pytest.approx(np.full(len(texts), perfect), abs=1e-9)


@given(data=st.data())
@quick(60)
def test_the_average_reference_length_is_the_mean_of_those_that_are_there(data):
    hypotheses, references = data.draw(columns())
    counts = evaluated(hypotheses, references, BleuOptions("none", reference_length="average")).counts
    for row, texts in enumerate(zip(*references, strict=True)):
        lengths = [len(text.split()) for text in texts if text is not None]
        assert counts[row, 1] * len(lengths) == sum(lengths) * AVERAGE_LENGTH_UNIT
        assert counts[row, 1] / AVERAGE_LENGTH_UNIT == pytest.approx(math.fsum(lengths) / len(lengths))


@pytest.mark.parametrize("smoothing", sorted(NEIGHBOUR_SMOOTHINGS))
@given(data=st.data())
@quick(40)
def test_counts_do_not_depend_on_smoothing(smoothing, data):
    hypotheses, references = data.draw(columns())
    smoothed = BleuOptions(smoothing=smoothing, max_order=3, weights=(0.5, 0.5, 0))
    plain = BleuOptions(max_order=3)
    counts = [evaluated(hypotheses, references, options).counts.tolist() for options in (smoothed, plain)]
    assert counts[0] == counts[1]
