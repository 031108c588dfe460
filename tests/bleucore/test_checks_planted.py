"""Faults planted in the sample at random are found: a small run of ``tests/benchmarks/planted_faults.py``."""

import importlib.util
import sys
from pathlib import Path

import pytest

from bleucore.checks import CHECKS

PROGRAM = Path(__file__).parents[1] / "benchmarks" / "planted_faults.py"
_spec = importlib.util.spec_from_file_location("planted_faults", PROGRAM)
planted_faults = importlib.util.module_from_spec(_spec)
sys.modules["planted_faults"] = planted_faults  # dataclasses look their module up
_spec.loader.exec_module(planted_faults)

ROUNDS, SEED = 4, 1
UNPLANTED = {"identical-systems", "identical-references", "transposed-references"}
"""Checks of whole columns that are tested by themselves."""


@pytest.fixture(scope="module")
def sample():
    return planted_faults.load(planted_faults.SAMPLE)


@pytest.mark.parametrize("name", planted_faults.FAULTS)
def test_planted_faults_are_found_and_little_else(name, sample):
    count = planted_faults.measure(name, sample, rounds=ROUNDS, seed=SEED)
    assert count.planted >= ROUNDS
    assert count.recall >= planted_faults.TARGET, count.wrong
    assert count.precision >= planted_faults.TARGET, count.wrong


def test_every_check_has_a_fault_that_it_is_to_find():
    assert {fault.check for fault in planted_faults.FAULTS.values()} == set(CHECKS) - UNPLANTED


def test_a_fault_that_no_check_looks_for_is_not_found(sample):
    typo = planted_faults.InSegments("markup", lambda place, _: place.text.replace("e", "a", 1))
    count = typo.round(sample, planted_faults.np.random.default_rng(1))
    assert count.planted > 0
    assert count.recall == 0
