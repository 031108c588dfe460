"""The part of ``make calibration`` that is about runs, and a small run of it with a fixed seed."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

pytestmark = pytest.mark.thorough

PROGRAM = Path(__file__).parents[1] / "benchmarks" / "runs.py"
_spec = importlib.util.spec_from_file_location("calibration_runs", PROGRAM)
calibration_runs = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(calibration_runs)


@pytest.fixture(scope="module")
def ends():
    return calibration_runs.sample_ends()


def test_a_run_of_one_system_alone_has_its_score(ends):
    low, high = ends.truth(np.array([0.0, 1.0]))
    assert low == pytest.approx(float(ends.score(ends.counts[0].sum(axis=0))))
    assert high == pytest.approx(float(ends.score(ends.counts[1].sum(axis=0))))
    assert ends.slope == pytest.approx(high - low, rel=0.2)


def test_runs_vary_as_asked(ends):
    rng = np.random.default_rng(1)
    spread = ends.truth(0.5 + 0.5 / ends.slope * rng.standard_normal(5000)).std()
    assert spread == pytest.approx(0.5, rel=0.05)


def test_runs_of_one_recipe_are_rarely_different_and_the_truth_is_held(ends):
    found = np.concatenate(
        [
            calibration_runs.chunk(ends, calibration_runs.Cell(500, 3, 0.7, 0.2), 1, range(first, first + 50))
            for first in (0, 50)
        ]
    )
    assert found[:, 1].sum() >= 88
    assert found[:, 2].sum() >= 88
    equal = calibration_runs.chunk(ends, calibration_runs.Cell(500, 3, 0.7), 1, range(100))
    assert (equal[:, 0] < 0.05).sum() <= 12
    assert (equal[:, 3]).sum() > 15  # single runs as systems: much too often


def test_the_table_is_printed_and_judged(ends, capsys):
    calibration_runs.print_table(ends, [100], draws=20, seed=1)
    rows = [line for line in capsys.readouterr().out.splitlines() if line.startswith("| 100 |")]
    assert len(rows) == len(calibration_runs.SPREADS) * len(calibration_runs.RUNS)
    assert not calibration_runs.is_within(calibration_runs.Rate(0.5, 1000), (0.03, 0.07))


def test_whole_documents_are_drawn(ends):
    assert [len(ends.documents), sum(map(len, ends.documents))] == [12, 216]
    cell = calibration_runs.Cell(12, 2, 0.5, by_document=True)
    runs = calibration_runs.drawn_runs(ends, cell, np.full((2, 2), 0.5), np.random.default_rng(1))
    assert (runs.n_units, runs.unit) == (12, "document")
    assert np.abs(runs.errors.sum(axis=1)).max() < 5


def test_equal_recipes_of_two_runs_are_rarely_different_and_intervals_stay_narrow(ends):
    cell = calibration_runs.Cell(200, 2, 0.5, 0.2)
    found = calibration_runs.family_chunk(ends, cell, 5, 1.0, 1, range(40))
    assert found[:, 0].mean() <= 0.12
    assert found[:, 2].sum() <= 6
    assert found[:, 3].mean() >= 0.88
    assert found[:, 4].mean() >= 0.88
    assert np.median(found[:, 5]) < 8  # with the variances of two recipes alone it is 12


def test_families_and_histories_are_printed(ends, capsys):
    calibration_runs.print_families(ends, [3], draws=4, seed=1)
    calibration_runs.print_histories(ends, draws=2, seed=1)
    calibration_runs.print_campaigns(ends, draws=1, seed=1)
    rows = [line for line in capsys.readouterr().out.splitlines() if line.startswith(("| 3 |", "| 2 |", "| 5 |"))]
    assert len(rows) == (2 + 1 + 2) * len(calibration_runs.RUNS)
