"""Recipes in place of systems: means of runs, and differences with the variance of runs."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from bleucore import InputError
from bleucore.experiments.claims import study_runs
from bleucore.experiments.contrasts import RunVariances, estimate
from bleucore.experiments.design import design_of
from bleucore.experiments.recipe_contrast import mean_weights
from bleucore.experiments.recipes import Recipes, compare_recipes, pooled
from bleucore.history import version_history, version_verdict
from bleucore.significance import ComparedSystems, SignificanceOptions, compare

OPTIONS = SignificanceOptions(trials=400, resamples=400, unit="segment")
GENERATOR = np.random.default_rng(11)
N_SEGMENTS = 80


def score(counts):
    """The mean of the first column over the second."""
    return 100 * counts[..., 0] / np.maximum(1, counts[..., 1])


def counts_of(rate):
    return np.stack([GENERATOR.binomial(20, rate, N_SEGMENTS), np.full(N_SEGMENTS, 20)], axis=1)


RATES = {"a1": 0.50, "a2": 0.53, "a3": 0.47, "b1": 0.60, "b2": 0.64, "b3": 0.61, "c1": 0.51, "d1": 0.70}
SYSTEMS = [(name, counts_of(rate)) for name, rate in RATES.items()]
RECIPES = {"a": ("a1", "a2", "a3"), "b": ("b1", "b2", "b3"), "c": ("c1",), "d": ("d1",)}


def compared(*recipes):
    runs = {name: RECIPES[name] for name in recipes or RECIPES}
    names = {run for each in runs.values() for run in each}
    return ComparedSystems([one for one in SYSTEMS if one[0] in names], score), runs


def test_two_recipes_are_compared_as_the_study_of_their_runs_has_them():
    given, runs = compared("a", "b")
    pair = compare_recipes(given, runs, OPTIONS).pair("b", "a")
    design = design_of([name for name, _ in given.systems], recipes={run: name for name in runs for run in runs[name]})
    (claim,) = study_runs(given, design, OPTIONS, baseline="a").claims
    assert (pair.difference, pair.p_value) == pytest.approx((claim.difference, claim.p_value))
    assert pair.interval == pytest.approx(claim.interval)
    assert (pair.n_runs, pair.turned().n_runs, pair.n_comparisons) == ((3, 3), (3, 3), 1)
    scores = {name: float(score(counts.sum(axis=0))) for name, counts in given.systems}
    means = [np.mean([scores[run] for run in each]) for each in runs.values()]
    assert pair.difference == pytest.approx(means[1] - means[0])


def test_single_runs_are_compared_as_systems():
    given, runs = compared("c", "d")
    found = compare_recipes(given, runs, OPTIONS)
    as_systems = compare(given, OPTIONS).named_as(["c", "d"])
    assert found.pair("c", "d") == as_systems.pair("c", "d")
    assert found.pair("c", "d").n_runs is None


def test_pairs_with_several_runs_alone_are_claims_about_recipes():
    given, runs = compared()
    found = compare_recipes(given, runs, OPTIONS)
    as_systems = compare(pooled(given, runs), OPTIONS)
    assert found.pair("c", "d") == as_systems.pair("c", "d")
    several = [one for one in found.pairs.values() if {one.name, one.other} != {"c", "d"}]
    assert all(one.n_runs is not None and max(one.n_runs) == 3 for one in several)
    assert all(one.corrected_p_value == pytest.approx(min(1, 6 * one.p_value)) for one in several)
    assert {one.n_comparisons for one in found.with_baseline("a").against("a").values()} == {3}
    assert found.pair("c", "a").remark.startswith("A single run is taken")
    assert found.scores["a"] == pytest.approx(np.mean([score(dict(SYSTEMS)[run].sum(axis=0)) for run in RECIPES["a"]]))
    assert [name for names in found.clusters for name in names] == ["d", "b", "c", "a"]
    renamed = found.named_as([name.upper() for name in found.names]).with_baseline("A")
    assert renamed.pair("B", "A").p_value == found.with_baseline("a").pair("b", "a").p_value


def test_runs_widen_the_interval_where_they_vary():
    given, runs = compared("a", "b")
    by_recipe = compare_recipes(given, runs, OPTIONS).pair("b", "a")
    of_items = compare(pooled(given, runs), OPTIONS).pair("b", "a")
    assert np.diff(by_recipe.interval) > np.diff(of_items.interval)


@pytest.mark.parametrize("recipes", [{"a": ("a1",)}, {"a": ("a1", "x")}, {"a": ("a1", "a2"), "b": ("a1",)}, {"a": ()}])
def test_runs_of_other_recipes_are_refused(recipes):
    given = ComparedSystems(SYSTEMS[:2], score)
    with pytest.raises(InputError, match="not the runs of the recipes"):
        compare_recipes(given, recipes, OPTIONS)


def test_a_history_of_single_runs_is_as_without_runs():
    given = ComparedSystems(SYSTEMS[-3:], score)
    found = version_history(given, OPTIONS, runs={name: (name,) for name, _ in given.systems})
    assert found.versions == version_history(given, OPTIONS).versions


def test_steps_between_versions_with_runs_are_claims_about_recipes():
    given, runs = compared()
    found = version_history(given, OPTIONS, runs=runs)
    assert [one.n_runs for one in found.versions] == [3, 3, 1, 1]
    befores = [one.before for one in found.versions[1:]]
    assert [one.n_runs for one in befores] == [(3, 3), (1, 3), None]
    design_p = compare_recipes(given, runs, OPTIONS).pair("b", "a").p_value
    assert befores[0].p_value == pytest.approx(design_p)
    assert befores[0].difference == pytest.approx(found.versions[1].score - found.versions[0].score)
    assert [one.corrected_p_value >= one.p_value for one in befores] == [True] * 3
    assert all((one.interval[0] > 0 or one.interval[1] < 0) == (one.corrected_p_value < 0.05) for one in befores)
    assert found.best.name == "d"
    assert (found.best.optimism, found.best.chances_best) == (None, None)
    assert "several runs" in found.best.reason
    assert version_verdict(found, 1, "before", "BLEU").n_runs == (3, 3)
    assert version_verdict(found, 3, "before", "BLEU").n_runs is None


def test_a_worse_recipe_raises_an_alarm_only_with_training_noise_included():
    given, runs = compared("b", "a")
    found = version_history(given, OPTIONS, runs={"b": runs["b"], "a": runs["a"]})
    last = found.versions[-1]
    assert last.before.worse_p_value == pytest.approx(last.before.p_value / 2)
    assert (last.alarm == "drop") == (last.before.worse_p_value <= last.drop_level)


def test_too_few_units_test_nothing():
    given, runs = compared("a", "b")
    few = replace(given, systems=[(name, counts[:4]) for name, counts in given.systems])
    found = version_history(few, OPTIONS, runs=runs)
    assert found.versions[1].before.p_value is None
    assert found.versions[1].interval is None
    pair = compare_recipes(few, runs, OPTIONS).pair("a", "b")
    assert (pair.p_value, pair.interval) == (None, None)


def five_recipes(*deviations, n_runs=2, seed=3):
    """Recipes of so many runs, whose rates have these standard deviations."""
    generator = np.random.default_rng(seed)
    rates = {
        f"{name}{run}": 0.5 + deviation * generator.standard_normal()
        for name, deviation in zip("abcde", deviations, strict=True)
        for run in range(n_runs)
    }
    runs = {name: tuple(f"{name}{run}" for run in range(n_runs)) for name in "abcde"}
    return ComparedSystems([(name, counts_of(rate)) for name, rate in rates.items()], score), runs


def test_runs_that_vary_alike_have_one_variance():
    """By hand: the mean of the variances of all recipes, with as many degrees of freedom as runs less recipes."""
    given, runs = five_recipes(*[0.03] * 5)
    of = Recipes.of(given, runs, OPTIONS)
    assert of.scored.variances.are_alike
    found = of.contrast("a", "b")
    spread = [np.var([score(dict(given.systems)[run].sum(axis=0)) for run in each], ddof=1) for each in runs.values()]
    assert found.estimate.parts.spread == pytest.approx(np.mean(spread))
    assert (found.estimate.parts.runs_free, found.bound, found.remark) == (5, None, None)
    alone = estimate(of.scored, mean_weights(of.scored, 0) - mean_weights(of.scored, 1))
    (low, high), (own_low, own_high) = found.interval(10), alone.interval(1 - 0.05 / 10)
    assert high - low < (own_high - own_low) / 2
    low, high = of.results["a"].interval
    half = stats.t.ppf(0.975, of.results["a"].estimate.parts.freedom) * np.sqrt(of.results["a"].estimate.parts.variance)
    assert (low, high) == pytest.approx((of.results["a"].mean - half, of.results["a"].mean + half))


def test_the_study_of_runs_says_of_equal_recipes_what_histories_say():
    given, runs = five_recipes(*[0.03] * 5)
    design = design_of([name for name, _ in given.systems], recipes={run: name for name in runs for run in runs[name]})
    study = study_runs(given, design, OPTIONS, baseline="a")
    of_histories = Recipes.of(given, runs, OPTIONS)
    for claim in study.claims:
        same = of_histories.contrast(claim.recipe, "a")
        assert (claim.p_value, claim.interval) == (same.p_value, same.interval(4))
        assert not study.is_significant(claim)


def test_runs_that_vary_differently_bound_each_other():
    given, runs = five_recipes(0.15, 0.01, 0.01, 0.01, 0.01)
    of = Recipes.of(given, runs, OPTIONS)
    assert not of.scored.variances.are_alike
    for name, other in (("a", "b"), ("c", "d")):
        found = of.contrast(name, other)
        assert found.p_value == max(found.estimate.p_value, found.bound.p_value)
        assert found.is_unbounded
        assert "two runs cannot bound" in found.remark
        low, high = found.interval(10)
        for one in found.estimates:
            inner = one.interval(1 - 0.05 / 10)
            assert low <= inner[0] + 1e-9 or low == 0
            assert high >= inner[1] - 1e-9 or high == 0
        assert (low > 0 or high < 0) == (found.corrected(10) < 0.05)


def test_of_runs_without_any_variance_nothing_is_said_to_vary_more():
    same = counts_of(0.5)
    given = ComparedSystems([(name, same) for name in "abcdef"], score)
    scored = Recipes.of(given, {"x": ("a", "b"), "y": ("c", "d"), "z": ("e", "f")}, OPTIONS).scored
    assert scored.variances == RunVariances(3, 3, 1.0)


def test_cochrans_p_is_that_of_an_f_test_of_one_recipe_against_the_others():
    given, runs = five_recipes(0.15, 0.01, 0.01, 0.01, 0.01)
    scored = Recipes.of(given, runs, OPTIONS).scored
    spread = scored.scores.reshape(5, 2).var(axis=1, ddof=1)
    largest = int(spread.argmax())
    ratio = spread[largest] / np.delete(spread, largest).mean()
    assert scored.variances.p_value == pytest.approx(min(1, 5 * stats.f.sf(ratio, 1, 4)))
