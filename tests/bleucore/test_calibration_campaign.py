"""The part of ``make calibration`` that is about campaigns, and a small run of it with a fixed seed."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from bleucore import BleuOptions

pytestmark = pytest.mark.thorough

PROGRAM = Path(__file__).parents[1] / "benchmarks" / "calibration_campaign.py"
_spec = importlib.util.spec_from_file_location("calibration_campaign", PROGRAM)
calibration_campaign = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(calibration_campaign)

SEED = 1
CAMPAIGNS = 25
SIZES = (20, 30)


@pytest.fixture(scope="module")
def populations():
    texts = calibration_campaign.calibration.made_texts(SEED, 60, {"better": 0.3, "worse": 0.2})
    return [calibration_campaign.calibration.population_of(texts, BleuOptions(), "made text")]


def measured(populations, design):
    return calibration_campaign.measured(populations, design, campaigns=CAMPAIGNS, seed=SEED)


def test_equal_systems_are_seldom_told_apart(populations):
    found = measured(populations, calibration_campaign.Design.of(3, sizes=SIZES))
    for scale in calibration_campaign.SCALES:
        p_values = found[f"p, {scale}"]
        assert (p_values < 0.05).sum() <= 4  # of 25: more come in 1 of 100 such runs
        assert 0.35 < p_values.mean() < 0.65
    for method in calibration_campaign.PARTIAL_CONJUNCTIONS:
        counted = (found[f"better, {method}"] > 0) | (found[f"worse, {method}"] > 0)
        assert counted.sum() <= 4
    assert found["named wrongly"].sum() <= 4
    assert (found["contradiction"] < 0.05).sum() <= 4


def test_no_more_sets_are_counted_than_differ(populations):
    found = measured(populations, calibration_campaign.Design.of(3, 2, sizes=SIZES))
    better = found["better, bonferroni"]
    assert (better > 2).sum() <= 4
    assert better.mean() > 0.3
    assert (found["better, fisher"] >= better).mean() > 0.9
    assert (found["p, points"] < 0.05).mean() > 0.3


def test_sets_of_few_documents_are_never_counted(populations):
    found = measured(populations, calibration_campaign.Design.of(3, 3, sizes=(4,)))
    for method in calibration_campaign.PARTIAL_CONJUNCTIONS:
        assert not found[f"better, {method}"].any()
        assert not found[f"worse, {method}"].any()
    assert (found["contradiction"] == 1).all()


def test_what_the_first_system_is_better_by_is_what_the_share_leaves(populations):
    drawn = [
        calibration_campaign.drawn_set(populations[0], "set", 40, share, np.random.default_rng(seed))
        for share in (0.0, 1.0)
        for seed in range(2)
    ]
    first, second, third, fourth = (one.pair("first", "second").difference for one in drawn)
    assert (first, second) == pytest.approx((-third, -fourth))


def test_units_of_shared_sources_are_to_be_exchanged_together():
    found = calibration_campaign._shared_chunk(SEED, range(30))
    together, alone = (found < 0.05).mean(axis=0)
    assert together <= 0.15
    assert alone > together


def test_a_rate_is_kept_up_to_what_chance_explains():
    rate = calibration_campaign.Rate
    assert calibration_campaign.is_kept(rate(0.01, 100), 0.05)
    assert calibration_campaign.is_kept(rate(0.09, 100), 0.05)
    assert not calibration_campaign.is_kept(rate(0.11, 1000), 0.05)
