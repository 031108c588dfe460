"""Runs of many recipes: one variance where they vary alike, and what pages say of it."""

from dataclasses import replace

import numpy as np
import pytest

from bleucore.experiments.claims import study_runs
from bleucore.experiments.design import RunsByHand, design_of
from bleucore.significance import ComparedSystems, SignificanceOptions
from bleuscope.features.runs import sheets, words

FAST = SignificanceOptions(trials=200, resamples=100, unit="segment")


def mean(counts):
    return 100 * counts[..., 0] / np.maximum(counts[..., 1], 1e-9)


def counts_of(values):
    return np.stack([values, np.ones(len(values))], axis=1)


def study(*deviations, n_segments=40):
    rng = np.random.default_rng(4)
    items = rng.normal(0.3, 0.05, n_segments)
    systems = [
        (f"{letter}-seed{run}", counts_of(items + spread * rng.standard_normal() + rng.normal(0, 0.02, n_segments)))
        for letter, spread in zip("abcdef", deviations, strict=False)
        for run in (1, 2)
    ]
    return study_runs(ComparedSystems(systems, mean), design_of([name for name, _ in systems]), FAST)


def test_recipes_that_vary_alike_are_said_to_share_a_variance():
    found = study(*[0.01] * 5)
    told = words.variances_told(found)
    assert told.startswith("The test assumes that the runs of all recipes vary alike (Cochran's test, p ")
    assert told.endswith("Their common variance has 5 degrees of freedom: runs minus recipes.")
    assert told in words.method_words(found)
    assert not any(words.unbounded_told(one) for one in found.claims)


def test_recipes_that_vary_differently_are_said_to_and_two_runs_to_bound_nothing():
    found = study(0.2, *[0.002] * 4)
    assert words.variances_told(found).startswith("The runs of some recipes vary more than those of others (")
    unsure = replace(found, level=found.variances.p_value / 2)
    assert words.variances_told(unsure).startswith("The runs of some recipes seem to vary more than those of others (")
    assert all("two runs cannot bound" in words.unbounded_told(one) for one in found.claims)
    remarks = sheets.claims_sheet(found, {"digest": "d", "metric": "BLEU"}).frame["remark"]
    assert all("two runs cannot bound" in one for one in remarks)


@pytest.mark.parametrize("found", [study(0.01, 0.01), study(*[0.01] * 5, n_segments=4)])
def test_of_two_recipes_and_of_too_few_segments_nothing_is_said(found):
    assert not words.variances_told(found)


def test_trust_needs_no_study_to_say_that_nothing_has_runs(sample):
    assert str(words.known_answer(sample.study())) == "Every system has one run, so training noise is not included."
    by_hand = RunsByHand((("neural-20k", "neural"), ("neural-40k", "neural")))
    assert words.known_answer(replace(sample.study(), by_hand=by_hand)) is None
