"""Recipes over several test sets: what each set says, and what they say together with the variance of runs."""

from dataclasses import replace

import numpy as np
import pytest

from bleucore.campaign import combine, set_verdict
from bleucore.campaign.campaign import HOLM_OF_RUNS
from bleucore.campaign.runs_over_sets import DISAGREE, TOO_FEW, RunsOverSets
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


EFFECTS = {"a1": 1.0, "a2": -0.5, "b1": 0.4}


def lacking(missing, gains=(("a", 0.5),), n_sets=3):
    """Sets without some runs, which are given as (run, place of the set)."""
    rows = [drawn(dict(gains), place, effects=EFFECTS, spread=0.2) for place in range(n_sets)]
    held = [{run: row for run, row in one.items() if (run, place) not in missing} for place, one in enumerate(rows)]
    return [result_of(f"set {place}", one) for place, one in enumerate(held)]


@pytest.mark.parametrize("scale", ["points", "standard-errors"])
def test_p_is_of_the_runs_that_are_on_all_sets(scale):
    pair = combine(lacking([("a3", 2)]), scale=scale).pair("a", "b")
    assert pair.n_runs == (2, 3)
    assert (
        pair.remark == "p includes only runs that are on every test set of this pair: 2 runs of 'a' and 3 runs of 'b'."
    )
    everywhere = combine(lacking([("a3", place) for place in range(3)]), scale="points").pair("a", "b")
    assert everywhere.remark is None
    if scale == "points":
        assert pair.p_value == pytest.approx(everywhere.p_value)
        sets = lacking([("a3", 2)])
        assert pair.mean_difference == pytest.approx(np.mean([one.score("a") - one.score("b") for one in sets]))


@pytest.mark.parametrize(
    "missing",
    [
        pytest.param([("a2", 2), ("a3", 2)], id="one run on a set"),
        pytest.param([("a2", 0), ("a3", 1)], id="one run on all sets"),
        pytest.param([("a1", 0), ("a2", 1), ("a3", 2)], id="none on all sets"),
    ],
)
def test_a_recipe_without_two_runs_on_all_sets_has_no_p(missing):
    campaign = combine(lacking(missing))
    pair = campaign.pair("a", "b")
    assert (pair.p_value, pair.corrected_p_value, pair.is_significant, pair.n_runs) == (None, None, False, (3, 3))
    assert pair.remark == TOO_FEW.format("'a'")
    assert campaign.pair("b", "c").p_value is not None
    assert {campaign.pair("b", "c").n_comparisons, campaign.n_tested} == {1}


def test_one_run_on_every_set_counts_as_one_whatever_it_is_called():
    missing = [(run, place) for place, kept in enumerate(("a1", "a2", "a3")) for run in RECIPES["a"] if run != kept]
    pair = combine(lacking(missing)).pair("a", "b")
    assert pair.n_runs == (1, 3)
    assert pair.p_value is not None


def test_runs_on_all_sets_that_reverse_the_difference_give_no_p():
    rows = [drawn({}, place, effects={"a3": 60.0}, spread=1.0) for place in range(2)]
    for run in ("a1", "a2"):
        for row in rows:
            row[run] = row[run] - 10
    rows[1].pop("a3")
    pair = combine([result_of(f"set {place}", one) for place, one in enumerate(rows)], scale="points").pair("a", "b")
    assert (pair.p_value, pair.remark) == (None, DISAGREE)


def test_holm_in_place_of_max_t_is_said():
    assert HOLM_OF_RUNS in combine(sets_of({})).remarks
    assert HOLM_OF_RUNS not in combine(sets_of({}), correction="holm").remarks
    assert HOLM_OF_RUNS not in combine(sets_of({}, n_sets=1)).remarks


@pytest.mark.thorough
@pytest.mark.parametrize("n_runs", [(5, 2, 2, 2), (6, 6, 3, 3)])
def test_equal_recipes_whose_runs_lack_sets_seldom_differ(n_runs):
    """Run effects are the same on all sets; each set with fewer runs would make their mean look too sure."""
    recipes = {name: tuple(f"{name}{run}" for run in range(max(n_runs))) for name in "ab"}
    n_found = 0
    for seed in range(60):
        generator = np.random.default_rng(seed)
        effects = {run: generator.normal() for runs in recipes.values() for run in runs}
        rows = [drawn({}, 100 * seed + place, spread=0.6, effects=effects, recipes=recipes) for place in range(4)]
        held = [
            {run: row for run, row in one.items() if int(run[1:]) < n_here}
            for one, n_here in zip(rows, n_runs, strict=True)
        ]
        campaign = combine([result_of(f"set {place}", one, recipes) for place, one in enumerate(held)])
        p_value = campaign.pair("a", "b").p_value
        n_found += p_value is not None and p_value < 0.05
    assert n_found <= 8


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


@pytest.mark.thorough
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
