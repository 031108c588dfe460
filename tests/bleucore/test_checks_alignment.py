"""Evidence that lines belong together, and runs of it: by hand, against scipy, against trying everything."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import multivariate_normal, norm

from bleucore.checks.alignment import (
    MAX_SHIFT,
    Side,
    WordModel,
    _best_run,
    evidence_by_shift,
    length_evidence,
    products,
    shifted_runs,
    standard_lengths,
    unrelated_runs,
)
from bleucore.checks.compared_texts import Columns
from bleucore.checks.findings import Shift
from bleucore.checks.sides import anchor_weights
from bleucore.checks.words import counts, rarity, vectors, words
from bleucore.corpus import System, TestSet


def side(texts):
    column = words(texts)
    lengths = np.array([np.log1p(len(text)) if text else np.nan for text in texts])
    return Side(vectors(column, rarity(counts([column]), len(texts))), standard_lengths(lengths))


def evidence(n_lines, runs):
    """4 for every line at its true shift, given as (start, stop, amount), and -2 elsewhere."""
    found = np.full((2 * MAX_SHIFT + 1, n_lines), -2.0, np.float32)
    found[MAX_SHIFT] = 4
    for start, stop, amount in runs:
        found[MAX_SHIFT, start:stop] = -2
        found[MAX_SHIFT + amount, start:stop] = 4
    return found


def test_words_are_stems_in_lower_case_and_pairs_of_characters_in_chinese():
    ids = [
        words([text]).ids.tolist() for text in ("Cat, cats", "cat CATS", "translation", "TRANSLate", "猫在", "猫 在")
    ]
    assert ids[0] == ids[1]
    assert ids[2] == ids[3]
    assert len(ids[0]) == len(ids[4]) == 2
    assert ids[4][1] == ids[5][1]
    assert ids[4][0] != ids[5][0]


def test_words_stay_within_their_text_and_missing_texts_have_none():
    column = words(["one two", None, "", "three"])
    assert column.lengths.tolist() == [2, 0, 0, 1]
    assert column.segments.tolist() == [0, 0, 3]
    assert column.of(3).tolist() == words(["three"]).ids.tolist()
    chosen = column.chosen(np.array([3, 1, 0]))
    assert chosen.lengths.tolist() == [1, 0, 2]
    assert chosen.ids.tolist() == [*column.of(3), *column.of(0)]
    assert len(set(words(["one", "one one"]).keys.tolist())) == 2


def test_products_of_vectors_are_near_the_cosines_of_all_word_weights():
    rng = np.random.default_rng(1)
    texts = [" ".join(f"w{word}" for word in rng.integers(0, 3000, 20)) for _ in range(400)]
    texts[::2] = [f"{texts[i + 1]} {texts[i]}" for i in range(0, 400, 2)]
    column = words(texts)
    weights = rarity(counts([column]), len(texts))
    distinct, numbers = np.unique(column.ids, return_inverse=True)
    exact = np.zeros((400, len(distinct)))
    np.add.at(exact, (column.segments, numbers), weights[column.ids])
    exact /= np.linalg.norm(exact, axis=1, keepdims=True)
    short = vectors(column, weights)
    differences = np.einsum("ij,ij->i", short[::2], short[1::2]) - np.einsum("ij,ij->i", exact[::2], exact[1::2])
    assert np.abs(differences).mean() < 0.04
    assert np.abs(differences).max() < 0.2


def test_a_text_has_a_product_of_one_with_itself_and_none_with_an_empty_text():
    one = side(["the red house", "a green door", ""])
    assert products(one, one, 0).tolist()[:2] == pytest.approx([1, 1], abs=1e-6)
    assert np.isnan(products(one, one, 0)[2])


def test_products_at_a_shift_hold_line_i_against_line_i_minus_the_shift():
    one, other = side(["x", "alpha", "beta", "gamma"]), side(["alpha", "beta", "gamma", "x"])
    assert products(one, other, 1)[1:].tolist() == pytest.approx([1, 1, 1], abs=1e-6)
    assert np.isnan(products(one, other, 1)[0])
    assert np.isnan(products(one, other, 9)).all()
    assert np.isnan(products(one, other, -6)).all()


@pytest.mark.parametrize(("u", "v"), [(0.3, 0.1), (1.0, 1.2), (0.0, 1.4), (-0.5, -0.4)])
def test_length_evidence_is_the_log_ratio_of_a_correlated_and_two_independent_normals(u, v):
    joint = multivariate_normal([0, 0], [[1, 0.9], [0.9, 1]]).logpdf([u, v])
    expected = np.clip(joint - norm.logpdf(u) - norm.logpdf(v), -3, 2)
    assert length_evidence(np.array([u]), np.array([v]), 0)[0] == pytest.approx(expected, abs=1e-6)


def test_length_evidence_is_zero_for_unknown_lengths_and_beyond_the_ends():
    lengths = np.array([0.1, np.nan, 0.3])
    assert length_evidence(lengths, lengths, 0)[1] == 0
    assert length_evidence(lengths, lengths, 2)[:2].tolist() == [0, 0]


def test_lengths_that_hardly_differ_say_nothing():
    assert np.isnan(standard_lengths(np.log1p(np.array([20.0, 21, 20])))).all()


def test_word_evidence_is_the_log_ratio_of_two_normals_and_bounded():
    model = WordModel(0.03, 0.1)
    expected = norm.logpdf(0.2, 0.23, 0.1) - norm.logpdf(0.2, 0.03, 0.1)
    found = model.evidence(np.array([0.2, 0.9, -0.9, np.nan], np.float32))
    assert found.tolist() == pytest.approx([expected, 4, -4, 0], abs=1e-5)


def test_few_lines_are_judged_by_assumed_unrelated_lines():
    one = side(["the red house", "a green door"])
    assert WordModel.of(one, one) == WordModel(0.03, 0.1)


def test_a_run_of_shifted_lines_is_found_with_its_ends_and_amount():
    assert shifted_runs(evidence(100, [(40, 100, 2)])) == (Shift(40, 100, 2),)
    assert shifted_runs(evidence(100, [(40, 70, -3)])) == (Shift(40, 70, -3),)


def test_several_runs_are_found_in_order():
    runs = [(10, 30, 1), (30, 60, 2), (80, 95, -1)]
    assert shifted_runs(evidence(100, runs)) == tuple(Shift(*run) for run in runs)


def test_lines_in_place_have_no_runs():
    assert shifted_runs(evidence(100, [])) == ()
    assert unrelated_runs(evidence(100, [])[MAX_SHIFT], np.zeros(100, bool)) == []


def test_three_lines_are_the_least_for_a_run():
    strong = evidence(50, [(20, 22, 1)]) * 10
    assert shifted_runs(strong) == ()
    strong = evidence(50, [(20, 23, 1)]) * 10
    assert shifted_runs(strong) == (Shift(20, 23, 1),)


def test_every_other_line_at_a_shift_is_no_run():
    found = evidence(100, [(line, line + 1, 1) for line in range(20, 80, 2)])
    found[MAX_SHIFT, 20:80] = -2
    assert shifted_runs(found) == ()


def test_unrelated_runs_leave_out_what_is_settled_and_long_stretches_in_place():
    own = np.full(200, 4, np.float32)
    own[20:60] = own[100:150] = -3
    settled = np.zeros(200, bool)
    assert unrelated_runs(own, settled) == [(20, 60), (100, 150)]
    settled[100:150] = True
    assert unrelated_runs(own, settled) == [(20, 60)]


def test_lines_in_place_between_two_long_runs_are_not_drawn_in():
    own = np.full(220, 4, np.float32)
    own[20:100] = own[120:200] = -3
    assert unrelated_runs(own, np.zeros(220, bool)) == [(20, 100), (120, 200)]


def test_evidence_by_shift_is_greatest_where_lines_belong():
    texts = [f"line{i} word{i * 7} name{i * 13} {'x' * (i % 9)}" for i in range(60)]
    one, other = side(["", "", *texts[:-2]]), side(texts)
    found = evidence_by_shift(one, other, WordModel.of(one, other))
    assert (found[:, 2:].argmax(axis=0) == MAX_SHIFT + 2).all()
    assert (found[MAX_SHIFT + 2, 2:] > 0).all()


@given(arrays(np.float32, st.tuples(st.integers(1, 3), st.integers(1, 12)), elements=st.integers(-5, 5)))
def test_the_best_run_is_that_of_trying_all(gains):
    n_lines = gains.shape[1]
    sums = [
        gains[row, i:j].sum() for row in range(len(gains)) for i in range(n_lines) for j in range(i + 1, n_lines + 1)
    ]
    gain, start, stop, row = _best_run(gains)
    assert gain == max(0, *sums)
    assert gains[row, start:stop].sum() == gain


def test_a_word_of_two_languages_weighs_by_how_rare_it_is_in_source_and_targets_together():
    test_set = TestSet([System("s", ["Jena 40", "so 40", "so"])], [["Jena so", "so 40", "so"]], ["Jena", "40", "also"])
    columns = Columns.of(test_set)
    weights = anchor_weights(columns)
    jena, forty, so, also = (weights[words([word]).ids[0]] for word in ("Jena", "40", "so", "also"))
    assert (jena, forty) == pytest.approx((np.log(9 / 3), np.log(9 / 4)))
    assert (so, also) == (0, 0)
