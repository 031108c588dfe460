"""What each unit adds to the error of a score: by hand, and as a sum that is the score's own change."""

import numpy as np
import pytest

from bleucore.significance.influences import influences


def mean(counts):
    """The simplest score of summed counts: [sum, number]."""
    return counts[..., 0] / counts[..., 1]


def test_of_a_mean_is_the_distance_from_it_times_n_over_n_minus_1():
    """Values 1, 1, 3, 3: without the first the mean is 7 / 3, with all of them 2."""
    counts = np.array([[1, 1], [1, 1], [3, 1], [3, 1]])
    assert influences(counts, mean).tolist() == pytest.approx([-4 / 3, -4 / 3, 4 / 3, 4 / 3])


def test_of_segments_of_unequal_length_takes_the_score_without_each():
    """Without a segment the scores are 7 / 5, 7 / 4, 5 / 5 and 5 / 4: .05, .4, -.35 and -.1 from their mean."""
    counts = np.array([[1, 1], [1, 2], [3, 1], [3, 2]])
    assert influences(counts, mean).tolist() == pytest.approx([-0.2, -1.6, 1.4, 0.4])


def test_add_up_to_zero():
    counts = np.random.default_rng(1).integers(1, 30, (50, 2))
    assert influences(counts, mean).sum() == pytest.approx(0)


def test_have_the_standard_error_of_the_mean():
    values = np.random.default_rng(2).normal(50, 8, 400)
    found = influences(np.stack([values, np.ones(400)], axis=1), mean)
    assert found.std(ddof=1) / 20 == pytest.approx(values.std(ddof=1) / 20, rel=0.01)


@pytest.mark.parametrize("counts", [[[3, 1]] * 5, [[3, 1], [6, 2], [9, 3]]])
def test_of_what_does_not_vary_are_zero(counts):
    assert influences(np.array(counts), mean).tolist() == [0.0] * len(counts)
