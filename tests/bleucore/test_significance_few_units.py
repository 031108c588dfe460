"""Intervals of scores from few units: against matrices of the published formula, and against Student's t."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from bleucore import BleuOptions
from bleucore.metrics.bleu import scores
from bleucore.significance import ComparedSystems, SignificanceOptions, compare
from bleucore.significance.few_units import few_units_interval


def mean(counts):
    """The simplest score of summed counts: [sum, number]."""
    return counts[..., 0] / counts[..., 1]


def bleu(counts):
    return scores(counts, BleuOptions())


def by_matrices(values, sizes, level=0.95):
    """Of a mean of unit sums (N,) over sizes (N,): CR2 of Bell and McCaffrey (2002, sections 4 and 6).

    The regression of unit means on a constant with weights ``sizes``. The working variance of a unit's sum is
    size ** 1.5, and so that of its mean is size ** -0.5.
    """
    n = len(sizes)
    weights, ones = np.diag(sizes.astype(float)), np.ones((n, 1))
    bread = np.linalg.inv(ones.T @ weights @ ones)
    hat = ones @ bread @ ones.T @ weights
    residual_maker = np.eye(n) - hat
    means = values / sizes
    estimate = float((bread @ ones.T @ weights @ means).item())
    residuals = residual_maker @ means
    errors = np.diag(sizes**-0.5)
    working = residual_maker @ errors @ residual_maker.T
    adjusted = np.diag(np.sqrt(np.diag(errors) / np.diag(working)))
    row = bread @ ones.T @ weights  # (1, N)
    variance = sum((row[0, d] * adjusted[d, d] * residuals[d]) ** 2 for d in range(n))
    columns = np.stack([row[0, d] * adjusted[d, d] * residual_maker[d] for d in range(n)], axis=1)
    eigenvalues = np.linalg.eigvalsh(columns.T @ errors @ columns)
    freedom = max(1.0, eigenvalues.sum() ** 2 / (eigenvalues**2).sum())
    half = stats.t.ppf(1 - (1 - level) / 2, freedom) * np.sqrt(variance)
    return estimate - half, estimate + half


some_units = st.lists(st.tuples(st.integers(1, 40), st.integers(-50, 50)), min_size=2, max_size=12)


class TestOfMeans:
    @given(some_units, st.sampled_from([0.8, 0.95, 0.99]))
    def test_is_that_of_the_matrices(self, units, level):
        sizes = np.array([size for size, _ in units])
        values = np.array([size * 50 + value for size, value in units])
        found = few_units_interval(np.stack([values, sizes], axis=1), sizes, mean, level=level)
        if found is None:
            assert np.ptp(values / sizes) < 1e-9
        else:
            assert found == pytest.approx(by_matrices(values, sizes, level), rel=1e-4, abs=1e-4)

    @pytest.mark.parametrize("n_units", [2, 6, 12])
    def test_of_units_of_one_size_is_students(self, n_units):
        values = np.random.default_rng(n_units).integers(20, 60, n_units)
        counts = np.stack([values * 10, np.full(n_units, 10)], axis=1)
        expected = stats.t.interval(0.95, n_units - 1, values.mean(), values.std(ddof=1) / np.sqrt(n_units))
        assert few_units_interval(counts, np.full(n_units, 10), mean) == pytest.approx(expected)

    def test_of_units_that_do_not_vary_there_is_none(self):
        assert few_units_interval(np.array([[4, 2], [8, 4], [2, 1]]), np.array([2, 4, 1]), mean) is None

    def test_is_wider_where_one_unit_is_most_of_the_set(self):
        values = np.array([30, 40, 35, 45, 38, 36])
        even, uneven = np.full(6, 10), np.array([50, 2, 2, 2, 2, 2])
        (low, high), (wide_low, wide_high) = (
            few_units_interval(np.stack([values * sizes, sizes], axis=1), sizes, mean) for sizes in (even, uneven)
        )
        assert wide_high - wide_low > 1.5 * (high - low)


class TestOfBleu:
    @staticmethod
    def counts(n_units, segments=30):
        """Counts of units with as many words: lengths, matches of four orders, and their totals."""
        rng = np.random.default_rng(5)
        totals = np.stack([20 * segments - place * segments + np.zeros(n_units, int) for place in range(4)], axis=1)
        share = np.clip(0.6 + 0.05 * rng.normal(size=(n_units, 1)), 0.3, 0.9) ** np.arange(1, 5)
        lengths = np.full((n_units, 2), 20 * segments)
        return np.concatenate([lengths, np.round(totals * share).astype(int), totals], axis=1)

    def test_of_units_of_one_size_is_students_on_leave_one_out_values(self):
        """The jackknife's pseudo-values agree with the score's slope up to what is not linear in it."""
        counts = self.counts(10)
        sums = counts.sum(axis=0)
        pseudo = 10 * bleu(sums.astype(float)) - 9 * bleu((sums - counts).astype(float))
        expected = stats.t.interval(0.95, 9, bleu(sums.astype(float)), pseudo.std(ddof=1) / np.sqrt(10))
        assert few_units_interval(counts, np.full(10, 30), bleu) == pytest.approx(expected, abs=0.05)

    @pytest.mark.parametrize(("n_units", "is_cr2"), [(6, True), (60, True), (61, False)])
    def test_stands_next_to_scores_of_up_to_sixty_units(self, n_units, is_cr2):
        counts = self.counts(n_units)
        documents = [str(place) for place in range(n_units)]
        compared = compare(ComparedSystems([("a", counts)], bleu, documents=documents), SignificanceOptions())
        few = few_units_interval(counts, np.ones(n_units, int), bleu)
        assert (compared.intervals["a"] == few) is is_cr2
        assert compared.intervals["a"] == pytest.approx(few, rel=0.1)
