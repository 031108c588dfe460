"""The part of ``make calibration`` that is about factors, and a small run of it with a fixed seed."""

import importlib
import importlib.util
from pathlib import Path

import numpy as np
import pytest

pytestmark = pytest.mark.thorough

PROGRAM = Path(__file__).parents[1] / "benchmarks" / "factors.py"
_spec = importlib.util.spec_from_file_location("calibration_factors", PROGRAM)
factors = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(factors)


@pytest.fixture(scope="module")
def ends():
    return importlib.import_module("runs").sample_ends()  # of the folder of both programs


def test_the_design_is_complete_and_its_runs_are_of_its_recipes():
    design = factors.Design(500, 2, 0.5, "null")
    assert len(design.recipes) == 18
    assert design.runs.factors == {name: tuple(levels) for name, levels in factors.DESIGN.items()}
    assert {len(systems) for systems in design.runs.recipes.values()} == {2}


def test_effects_are_those_that_are_told():
    shares = {kind: factors.Design(500, 1, 0.5, kind).middles().reshape(2, 3, 3) for kind in factors.KINDS}
    assert (shares["null"] == 0.5).all()
    assert np.ptp(shares["model"].mean(axis=(1, 2))) == pytest.approx(factors.MODELS_APART)
    assert shares["model"].mean(axis=(0, 2)) == pytest.approx(0.5)
    combined = shares["combination"]
    assert combined.std() > 0.05
    for axes in ((1, 2), (0, 2), (0, 1)):
        assert combined.mean(axis=axes) == pytest.approx(0.5)


@pytest.mark.parametrize("n_runs", [1, 2])
def test_factors_without_effect_are_rarely_called_and_one_with_an_effect_is(ends, n_runs):
    found = factors.chunk(ends, factors.Design(500, n_runs, 0.5, "model"), 1, range(60))
    assert (found[:, 0] < 0.05).all()
    assert ((found[:, 1:3] < 0.05).sum(axis=0) <= 9).all()


def test_the_table_is_printed_and_judged(ends, capsys):
    factors.print_table(ends, [(100, False), (6, True)], draws=2, seed=1)
    out = capsys.readouterr().out
    assert out.count("| 100 segments |") == out.count("| 6 documents |") == 27
