"""The one call: results, their layout, and what must not change them."""

import math
import pickle  # noqa: TID251  # to do as multiprocessing does

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleucore import BleuOptions, System, TestSet, evaluate
from bleucore.counts import group_sums
from bleucore.metrics import bleu_counts
from bleucore.metrics.bleu import segment_options

HYPOTHESES = [["a b c d", "x y", ""], ["a b c d", "a b", "c"]]
REFERENCES = [["a b c d", "x y z", "c"]]


class TestByHand:
    def test_counts_are_lengths_matches_and_totals_of_each_segment(self, make_test_set):
        result = evaluate(make_test_set(HYPOTHESES, REFERENCES), BleuOptions(max_order=2)).systems["0"]
        assert result.counts.tolist() == [[4, 4, 4, 3, 4, 3], [2, 3, 2, 1, 2, 1], [0, 1, 0, 0, 0, 0]]

    def test_the_corpus_score_is_that_of_the_summed_counts(self, make_test_set):
        result = evaluate(make_test_set(HYPOTHESES, REFERENCES), BleuOptions(max_order=2)).systems["0"]
        assert (result.score.hypothesis_length, result.score.reference_length) == (6, 8)
        assert result.score.score == pytest.approx(100 * math.exp(1 - 8 / 6))

    def test_segment_scores_use_the_effective_order(self, make_test_set):
        result = evaluate(make_test_set(HYPOTHESES, REFERENCES)).systems["0"]
        assert result.segment_scores == pytest.approx([100, 100 * math.exp(1 - 3 / 2), 0])

    def test_one_segment_is_shown_with_what_it_is_made_of(self, make_test_set):
        whole = evaluate(make_test_set(HYPOTHESES, REFERENCES)).segment_parts("0", 1)
        assert whole.precisions == pytest.approx([100, 100, 0, 0])
        assert float(whole.brevity_penalties) == pytest.approx(math.exp(-0.5))
        assert float(whole.scores) == pytest.approx(100 * math.exp(-0.5))

    def test_names_segments_options_and_digest_are_those_given(self, make_test_set):
        test_set, options = make_test_set(HYPOTHESES, REFERENCES), BleuOptions(lowercase=True)
        result = evaluate(test_set, options)
        assert (result.names, result.n_segments, result.options) == (("0", "1"), 3, options)
        assert result.digest == test_set.digest
        assert [system.name for system in result.systems.values()] == ["0", "1"]

    def test_without_options_they_are_sacrebleus(self, make_test_set):
        result = evaluate(make_test_set(HYPOTHESES, REFERENCES))
        assert result.options == BleuOptions()
        assert result.signature == "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0"

    @pytest.mark.parametrize(
        ("references", "number"),
        [
            ([["a", "b"]], "1"),
            ([["a", "b"], ["c", ""]], "2"),
            ([["a", "b"], ["c", None]], "var"),
            ([["a", None], [None, "b"]], "1"),
        ],
    )
    def test_the_signature_counts_the_references_that_are_there(self, make_test_set, references, number):
        result = evaluate(make_test_set([["a", "b"]], references))
        assert result.signature.startswith(f"nrefs:{number}|")

    def test_systems_are_ranked_by_corpus_score_and_ties_keep_their_order(self):
        columns = {"worst": ["x"], "tie 1": ["a b c d e"], "best": ["a b c d e f"], "tie 2": ["a b c d e"]}
        test_set = TestSet([System(name, column) for name, column in columns.items()], [["a b c d e f"]])
        assert evaluate(test_set).ranked() == ("best", "tie 1", "tie 2", "worst")

    def test_segment_options_change_nothing_but_the_effective_order(self):
        options = BleuOptions("intl", True, 3, "floor", 0.2, False)
        assert segment_options(options) == BleuOptions("intl", True, 3, "floor", 0.2, True)

    def test_sums_of_groups_leave_a_group_of_minus_one_out(self):
        counts = np.array([[1, 10], [2, 20], [4, 40], [8, 80]])
        assert group_sums(counts, np.array([1, -1, 1, 0]), 3).tolist() == [[8, 80], [5, 50], [0, 0]]


class TestReadOnly:
    def test_arrays_of_a_result(self, make_test_set):
        result = evaluate(make_test_set(HYPOTHESES, REFERENCES)).systems["0"]
        for array in (result.counts, result.segment_scores):
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 1

    def test_the_systems_of_an_evaluation(self, make_test_set):
        result = evaluate(make_test_set(HYPOTHESES, REFERENCES))
        with pytest.raises(TypeError):
            result.systems["0"] = result.systems["1"]


class TestProgress:
    def test_it_is_called_after_each_block_and_ends_at_1(self, make_test_set, monkeypatch):
        monkeypatch.setattr(bleu_counts, "BLOCK_TEXTS", 3)
        shares = []
        evaluate(make_test_set(HYPOTHESES, REFERENCES), progress=shares.append)
        assert shares == pytest.approx([1 / 3, 2 / 3, 1])
        assert shares[-1] == 1.0

    def test_long_texts_are_fewer_to_a_block(self, make_test_set, monkeypatch):
        monkeypatch.setattr(bleu_counts, "BLOCK_TEXTS", 100)
        monkeypatch.setattr(bleu_counts, "n_threads", lambda: 1)
        long = "слово " * 20_000
        shares = []
        evaluate(make_test_set([["a", long, "b", long]], [["a", long, "b", long]]), progress=shares.append)
        assert len(shares) >= 3

    def test_one_block_is_one_call(self, make_test_set):
        shares = []
        evaluate(make_test_set(HYPOTHESES, REFERENCES), progress=shares.append)
        assert shares == [1.0]


OPTIONS = BleuOptions(max_order=3, smoothing="floor", effective_order=True)


def counts_of(test_set, options=OPTIONS):
    return np.stack([result.counts for result in evaluate(test_set, options).systems.values()])


def corpus_scores(test_set, options=OPTIONS):
    return [result.score.score for result in evaluate(test_set, options).systems.values()]


@pytest.mark.parametrize("tokenizer", ["13a", "intl", "zh"])
@given(data=st.data(), block_texts=st.integers(1, 7))
def test_splitting_into_blocks_changes_nothing(make_test_set, corpora, tokenizer, block_texts, data):
    test_set, options = make_test_set(*data.draw(corpora)), BleuOptions(tokenizer)
    whole = counts_of(test_set, options)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bleu_counts, "BLOCK_TEXTS", block_texts)
        assert (counts_of(test_set, options) == whole).all()


def test_processes_that_share_blocks_change_nothing(make_test_set, monkeypatch):
    test_set, options = make_test_set(HYPOTHESES, REFERENCES), BleuOptions("ja-mecab")
    whole = counts_of(test_set, options)
    monkeypatch.setattr(bleu_counts, "BLOCK_TEXTS", 3)
    monkeypatch.setattr(bleu_counts, "MIN_BLOCKS_OF_PROCESSES", 2)

    def results(work, blocks, n_processes, *, beat):
        beat()
        restored = pickle.loads(pickle.dumps((work, blocks)))  # as another process gets them
        return ((index, restored[0](block)) for index, block in reversed([*enumerate(restored[1])]))

    monkeypatch.setattr(bleu_counts, "results", results)
    assert (counts_of(test_set, options) == whole).all()


@given(data=st.data())
def test_a_system_identical_to_a_reference_scores_100(make_test_set, corpora, data):
    _, references = data.draw(corpora)
    complete = [column for column in references if None not in column]
    test_set = make_test_set(complete, references)
    for result in evaluate(test_set, OPTIONS).systems.values():
        expected = 100 if result.counts[:, 0].any() else 0
        assert result.score.score == pytest.approx(expected, abs=1e-9)
        assert result.segment_scores == pytest.approx(np.where(result.counts[:, 0] > 0, 100, 0), abs=1e-9)


@given(data=st.data())
def test_other_systems_do_not_matter(make_test_set, corpora, data):
    hypotheses, references = data.draw(corpora)
    together = counts_of(make_test_set(hypotheses, references))
    alone = [counts_of(make_test_set([column], references))[0] for column in hypotheses]
    assert (together == np.stack(alone)).all()


@given(data=st.data())
def test_no_result_is_ever_not_a_number(make_test_set, corpora, data):
    hypotheses, references = data.draw(corpora)
    whole = evaluate(make_test_set(hypotheses, references), data.draw(st.sampled_from([OPTIONS, BleuOptions()])))
    for result in whole.systems.values():
        numbers = [*result.segment_scores, *result.score.precisions, result.score.score, result.score.brevity_penalty]
        assert np.isfinite(numbers).all()
        assert 0 <= result.score.score < 100.0000001
