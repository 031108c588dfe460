"""Recipes over several test sets: what each set says, and what they say together with the variance of runs."""

from dataclasses import replace

import numpy as np
import pytest

from bleucore.campaign import combine, set_verdict
from bleucore.campaign.runs_over_sets import RunsOverSets
from bleucore.campaign.set_results import set_result
from bleucore.experiments.contrasts import ScoredRuns
from bleucore.experiments.recipe_contrast import contrast
from bleucore.experiments.recipes import compare_recipes
from bleucore.significance import ComparedSystems, SignificanceOptions

OPTIONS = SignificanceOptions(trials=199, resamples=99, unit="segment")
RECIPES = {"a": ("a1", "a2", "a3"), "b": ("b1", "b2", "b3"), "c": ("c1",)}


def mean_of(counts):
    return counts[..., 0] / counts[..., 1]


def compared_of(scores):
    return ComparedSystems(
        [(name, np.stack([row, np.ones(len(row))], axis=1)) for name, row in scores.items()], mean_of
    )


def drawn(gains, seed, n_segments=40, spread=0.0, recipes=RECIPES, effects=None):
    """Segments of runs: what is hard for all, what each run does, and noise; run effects are those of every set."""
    generator = np.random.default_rng(seed)
    common = generator.normal(size=n_segments)
    effects = effects or {}
    return {
        run: common + gains.get(name, 0.0) + spread * effects.get(run, 0.0) + generator.normal(size=n_segments)
        for name, runs in recipes.items()
        for run in runs
    }


def result_of(name, scores, recipes=RECIPES, **settings):
    held = {recipe: [run for run in runs if run in scores] for recipe, runs in recipes.items()}
    told = {"digest": name, "metric": "mean", "signature": "mean", "options": OPTIONS, "recipes": held}
    return set_result(name, compared_of(scores), **(told | settings))


def sets_of(gains, n_sets=3, seed=0, **settings):
    return [result_of(f"set {place}", drawn(gains, 10 * seed + place, **settings)) for place in range(n_sets)]


def test_a_set_has_recipes_with_the_means_of_their_runs():
    scores = drawn({"a": 1.0}, 1)
    one = result_of("one", scores)
    assert one.systems == ("a", "b", "c")
    assert one.score("a") == pytest.approx(np.mean([scores[run].mean() for run in RECIPES["a"]]))
    assert [run for run, _ in one.runs_of("a")] == ["a1", "a2", "a3"]
    assert one.runs_of("c") == (("c1", pytest.approx(scores["c1"].mean())),)
    found = compare_recipes(compared_of(scores), RECIPES, replace(OPTIONS, seed=one.options.seed))
    for pair in found.pairs.values():
        same = one.pair(pair.name, pair.other)
        assert (same.p_value, same.interval, same.n_runs) == (pair.p_value, pair.interval, pair.n_runs)
    assert one.pair("b", "a").n_runs == (3, 3)
    assert one.pair("c", "a").turned().n_runs == (3, 1)
    assert set_verdict(one).n_runs is not None


@pytest.mark.parametrize("scale", ["points", "standard-errors"])
def test_one_set_alone_says_of_recipes_what_their_comparison_says(scale):
    scores = drawn({"a": 0.6}, 2)
    one = result_of("one", scores)
    found = compare_recipes(compared_of(scores), RECIPES, replace(OPTIONS, seed=one.options.seed))
    for pair in combine([one], scale=scale).pairs:
        same = found.pair(pair.name, pair.other)
        assert (pair.p_value, pair.n_runs) == (pytest.approx(same.p_value), same.n_runs)
        assert pair.corrected_p_value == pytest.approx(same.corrected_p_value)


def test_over_sets_a_run_is_one_draw_and_items_are_those_of_all_sets():
    """Oracle: runs with the mean of their scores, and the errors of the items of every set side by side."""
    sets = sets_of({"a": 0.5}, effects={"a1": 1.0, "b2": -1.0}, spread=0.3)
    of_sets = np.array([[score for runs in one.runs for _, score in runs] for one in sets])
    errors = np.concatenate([one.run_errors.astype(np.float64) / len(sets) for one in sets], axis=1)
    recipes = np.array([0, 0, 0, 1, 1, 1, 2])
    variances = [np.sum((errors[:3].mean(0) - errors[3:6].mean(0))[40 * k : 40 * k + 40] ** 2) for k in range(3)]
    n_free = sum(variances) ** 2 / sum(one**2 / sets[0].run_freedom for one in variances)
    names = tuple(run for runs in RECIPES.values() for run in runs)
    expected = contrast(ScoredRuns(names, recipes, of_sets.mean(axis=0), errors, n_free, 120, "segment"), 0, 1)
    pair = combine(sets, scale="points").pair("a", "b")
    assert pair.p_value == pytest.approx(expected.p_value, rel=1e-4)
    assert pair.mean_difference == pytest.approx(expected.difference)
    assert pair.n_runs == (3, 3)
    assert pair.turned().n_runs == (3, 3)
    assert combine(sets, scale="points").correction == "holm"


def test_sets_of_the_same_sources_share_what_is_hard():
    once = sets_of({"a": 0.4}, n_sets=2)
    apart = combine(once, scale="points").pair("a", "b").p_value
    same = [replace(one, source_digest="s") for one in (once[0], replace(once[0], name="again"))]
    twice = combine(same, scale="points").pair("a", "b").p_value
    alone = combine([replace(once[0], source_digest="s")], scale="points").pair("a", "b").p_value
    assert twice == pytest.approx(alone, rel=1e-4)  # the same texts again are no evidence
    assert twice != pytest.approx(apart)


def test_a_run_that_lacks_a_set_takes_part_where_it_is():
    effects = {"a1": 1.0, "a2": -0.5, "b1": 0.4}
    full = [drawn({"a": 0.5}, place, effects=effects, spread=0.2) for place in range(3)]
    less = [{name: row for name, row in one.items() if (name, place) != ("a3", 2)} for place, one in enumerate(full)]
    sets = [result_of(f"set {place}", one) for place, one in enumerate(less)]
    pair = combine(sets, scale="points").pair("a", "b")
    assert pair.n_runs == (3, 3)
    assert len(sets[2].runs_of("a")) == 2
    expected = np.mean([one.score("a") - one.score("b") for one in sets])
    assert pair.mean_difference == pytest.approx(expected)
    whole = combine([result_of(f"set {place}", one) for place, one in enumerate(full)], scale="points").pair("a", "b")
    assert pair.p_value == pytest.approx(whole.p_value, rel=0.9)


def test_a_set_without_runs_leaves_the_others_to_exchanges():
    sets = [
        result_of("one", drawn({}, 1)),
        set_result(
            "two",
            compared_of({"a": np.arange(40.0), "b": np.ones(40)}),
            digest="d",
            metric="mean",
            signature="mean",
            options=OPTIONS,
        ),
    ]
    pair = combine(sets).pair("a", "b")
    assert pair.n_runs is None
    assert not RunsOverSets(tuple(sets[1:])).has_runs


def test_training_noise_that_all_sets_share_is_no_evidence_for_a_recipe():
    """Recipes without a difference, whose runs vary as a whole: single runs as systems nearly always differ."""
    n_stars = n_single = 0
    for seed in range(60):
        generator = np.random.default_rng(seed)
        effects = {run: generator.normal() for runs in RECIPES.values() for run in runs}
        recipes = {name: RECIPES[name] for name in "ab"}
        rows = [drawn({}, 100 * seed + place, spread=0.6, effects=effects, recipes=recipes) for place in range(4)]
        campaign = combine([result_of(f"set {place}", one, recipes) for place, one in enumerate(rows)])
        n_stars += campaign.pair("a", "b").is_significant
        single = {"a1": ("a1",), "b1": ("b1",)}
        as_systems = [{run: one[run] for run in single} for one in rows]
        found = combine([result_of(f"set {place}", one, single) for place, one in enumerate(as_systems)])
        n_single += found.pair("a1", "b1").is_significant
    assert n_stars <= 8
    assert n_single >= 30


def test_a_better_recipe_is_found():
    effects = {run: 0.2 * place for place, run in enumerate(("a1", "a2", "a3", "b1", "b2", "b3"))}
    (pair, *_) = combine(sets_of({"a": 2.0}, n_sets=4, effects=effects, spread=0.2)).pairs
    assert (pair.name, pair.other, pair.is_significant, pair.wins) == ("a", "b", True, 4)
    assert pair.n_sets_better == 4
