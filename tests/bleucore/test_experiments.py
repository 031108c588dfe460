"""Runs of recipes: which systems are runs, what is claimed of recipes, and what factors do."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from bleucore import InputError
from bleucore.experiments.claims import ONE_RUN_EACH, exchange_labels, study_runs
from bleucore.experiments.contrasts import ScoredRuns, estimate
from bleucore.experiments.design import LONGEST_READ, design_of
from bleucore.experiments.factors import factor_table, factor_tables, scored_runs, single_changes
from bleucore.experiments.recipe_contrast import mean_weights
from bleucore.experiments.variance import VarianceParts
from bleucore.significance import ComparedSystems, SignificanceOptions

FAST = SignificanceOptions(trials=200, resamples=100, unit="segment")
WMT = [
    *("ONLINE-A", "ONLINE-B", "Online-W", "GPT4-5shot", "Unbabel-Tower70B", "CUNI-DS", "CUNI-GA", "NLLB_Greedy"),
    *("NLLB_MBR_BLEU", "Claude-3.5", "Llama3-70B", "Llama3-8B", "M2M100_1.2B-B4", "IKUN", "IKUN-C", "HuaweiTSC"),
    *("refA", "refB", "Facebook-AI", "bleurt_bestmbr", "chrf_bestmbr", "neural-10k", "neural-20k", "v1", "v2"),
]


def mean(counts):
    """The score of counts (..., 2): the mean of the first, in points."""
    return 100 * counts[..., 0] / np.maximum(counts[..., 1], 1e-9)


def compared(columns):
    """Systems by their segment values (S,), scored by the mean."""
    return ComparedSystems(
        [(name, np.stack([values, np.ones(len(values))], axis=1)) for name, values in columns.items()], mean
    )


def runs_of(columns, **options):
    design = design_of(list(columns), **options)
    return study_runs(compared(columns), design, FAST, baseline=next(iter(design.recipes)))


def noisy(seed, n_segments=60, **levels):
    rng = np.random.default_rng(seed)
    items = rng.normal(0, 0.05, n_segments)
    return {name.replace("_", "-"): level + items + rng.normal(0, 0.02, n_segments) for name, level in levels.items()}


class TestDesign:
    @pytest.mark.parametrize(
        ("names", "recipe"),
        [
            (["nmt-seed1", "nmt-seed2", "nmt_run3"], "nmt"),
            (["nmt.s4", "nmt.s5"], "nmt"),
            (["m, 1", "m, 2"], "m"),
            (["m, run 1", "m, run 2"], "m"),
            (["m, seed 1", "m, seed 02", "m, seed last"], "m"),
            (["big-seed1-de", "big-seed2-de"], "big-de"),
            (["seed1", "seed2"], "seed"),
            (["a.epoch3", "a.epoch4"], "a"),
        ],
    )
    def test_names_that_differ_in_the_run_alone_are_one_recipe(self, names, recipe):
        assert design_of(names).recipes == {recipe: tuple(names)}

    @pytest.mark.parametrize(
        "names", [["online-A", "online-B"], ["v1", "v2"], WMT, ["a-seed1", "b-seed1"], ["a", "a-seed1"]]
    )
    def test_other_names_never_are(self, names):
        assert not design_of(names).has_runs

    @given(st.permutations(WMT))
    def test_systems_of_shared_tasks_have_no_factors_in_any_order(self, names):
        assert not design_of(names).factors

    def test_what_is_told_comes_before_names(self):
        design = design_of(["nmt-seed1", "nmt-seed2", "x"], recipes={"x": "nmt", "nmt-seed2": "other"})
        assert design.recipes == {"nmt-seed1": ("nmt-seed1",), "other": ("nmt-seed2",), "nmt": ("x",)}

    def test_numeric_factors_are_read(self):
        names = [f"nmt-base-lr{rate}-step{step}" for rate in ("1e-4", "5e-4") for step in ("50k", "100000")]
        design = design_of(names)
        assert design.factors == {"learning rate": (1e-4, 5e-4), "step": (50_000.0, 100_000.0)}
        assert not design.has_runs

    def test_factors_and_runs_are_read_together(self):
        design = design_of([f"nmt-lr{rate}-seed{seed}" for rate in ("0.1", "0.2") for seed in (1, 2)])
        assert list(design.recipes) == ["nmt-lr0.1", "nmt-lr0.2"]
        assert design.factors == {"learning rate": (0.1, 0.2)}

    def test_factors_can_be_words_and_be_asked_for(self):
        assert design_of(["m-size=big", "m-size=small"]).factors == {"size": ("big", "small")}
        assert design_of(["m-depth6", "m-depth12"]).factors == {}
        assert design_of(["m-depth6", "m-depth12"], factors=["depth"]).factors == {"depth": (6.0, 12.0)}

    def test_several_models_are_a_factor_where_others_are_told(self):
        names = [f"{model}-lr{rate}-seed{seed}" for model in "ab" for rate in ("0.1", "0.2") for seed in (1, 2)]
        assert design_of(names).factors == {"model": ("a", "b"), "learning rate": (0.1, 0.2)}
        assert not design_of(["a-seed1", "a-seed2", "b-seed1", "b-seed2"]).factors

    def test_what_tells_runs_is_a_factor_if_asked_for(self):
        design = design_of(["m-epoch1", "m-epoch2"], factors=["epoch"])
        assert (design.has_runs, design.factors) == (False, {"epoch": (1.0, 2.0)})

    def test_unknown_names_are_refused(self):
        with pytest.raises(InputError, match="nmtt"):
            design_of(["nmt"], recipes={"nmtt": "x"})
        with pytest.raises(InputError, match="a recipe has no name"):
            design_of(["nmt"], recipes={"nmt": " "})
        with pytest.raises(InputError, match="this factor has no two levels"):
            design_of(["nmt"], factors=["depth"])

    @given(st.lists(st.text(max_size=30), unique=True, max_size=6))
    def test_any_names_have_a_place_each(self, names):
        design = design_of(names)
        assert [run.system for run in design.runs] == names
        assert sorted(name for runs in design.recipes.values() for name in runs) == sorted(names)

    def test_very_long_names_are_not_read(self):
        names = ["x" * LONGEST_READ + "-seed1", "x" * LONGEST_READ + "-seed2"]
        assert not design_of(names).has_runs


class TestEstimate:
    def test_by_hand_of_runs_that_do_the_same_from_item_to_item(self):
        """Two runs 2 points apart on the same items: s² = 2, of which none is interaction; items are s²/N."""
        items = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
        study = runs_of({"m-seed1": items, "m-seed2": items + 0.02})
        parts = study.recipes[0].estimate.parts
        assert parts.items == pytest.approx(100**2 * items.var(ddof=1) / 6)
        assert parts.interaction == pytest.approx(0, abs=1e-9)
        assert parts.runs == pytest.approx(2 / 2)
        assert study.recipes[0].mean == pytest.approx(36)
        assert study.recipes[0].deviation == pytest.approx(math.sqrt(2))

    def test_variances_are_the_mean_squares_of_two_way_analysis(self):
        """Oracle: of a balanced table, EMS of items and of items by runs (Searle 1971)."""
        rng = np.random.default_rng(1)
        table = rng.normal(0, 0.1, (4, 50)) + rng.normal(0, 0.1, 50) + rng.normal(0, 0.5, (4, 1))
        study = runs_of({f"m-seed{place}": row for place, row in enumerate(table)})
        parts = study.recipes[0].estimate.parts
        residuals = table - table.mean(axis=0) - table.mean(axis=1, keepdims=True) + table.mean()
        of_interaction = (residuals**2).sum() / (3 * 49)
        of_items = 4 * table.mean(axis=0).var(ddof=1)
        of_runs = 50 * table.mean(axis=1).var(ddof=1)
        assert parts.interaction == pytest.approx(1e4 * of_interaction / 200)
        assert parts.items == pytest.approx(1e4 * (of_items - of_interaction) / 200)
        assert parts.runs == pytest.approx(1e4 * (of_runs - of_interaction) / 200)

    def test_runs_alone_give_welch(self):
        """Oracle: where items do not vary, the test is Welch's on the scores."""
        rng = np.random.default_rng(2)
        scores = rng.normal(0.3, 0.02, 9)
        names = [*(f"a-seed{place}" for place in range(4)), *(f"b-seed{place}" for place in range(5))]
        study = runs_of({name: np.full(8, score) for name, score in zip(names, scores, strict=True)})
        expected = stats.ttest_ind(scores[4:], scores[:4], equal_var=False)
        assert study.claims[0].p_value == pytest.approx(expected.pvalue)
        low, high = expected.confidence_interval()
        assert study.claims[0].interval == pytest.approx((100 * low, 100 * high))

    def test_items_alone_give_the_paired_t_test(self):
        first, second = np.random.default_rng(3).normal(0.3, 0.1, (2, 40))
        study = runs_of({"a-seed1": first, "a-seed2": first, "b-seed1": second, "b-seed2": second})
        assert study.claims[0].p_value == pytest.approx(stats.ttest_rel(second, first).pvalue, rel=1e-5)

    def test_one_run_is_taken_to_vary_as_the_others(self):
        columns = noisy(4, a_seed1=0.30, a_seed2=0.33, b=0.35)
        claim = runs_of(columns).claims[0]
        assert (claim.n_runs, claim.estimate.borrows, claim.reason) == ((1, 2), True, None)
        spread = np.var([100 * columns[name].mean() for name in ("a-seed1", "a-seed2")], ddof=1)
        assert claim.estimate.parts.spread == pytest.approx(spread * 1.5)

    @given(st.integers(0, 50), st.floats(1, 20), st.floats(1, 20), st.sampled_from([1.0, 1.2, 4.0]))
    def test_more_runs_and_more_items_never_widen_an_interval(self, seed, more_runs, more_items, free):
        rng = np.random.default_rng(seed)
        items, interaction, runs = rng.exponential(1, 3)
        parts = VarianceParts(items, interaction, runs, 50.0, free, interaction + runs)
        assert parts.half_width(more_runs, more_items) <= parts.half_width() + 1e-9

    def test_segments_do_not_replace_runs(self):
        parts = VarianceParts(0.1, 0.1, 1.0, 500.0, 4.0, 1.1)
        assert parts.half_width(1, 1e6) > 0.9 * parts.half_width()
        assert parts.half_width(10, 1) < 0.5 * parts.half_width()
        assert parts.run_share == pytest.approx(1 / 1.2)


class TestClaims:
    def test_one_run_each_says_nothing_about_recipes(self):
        claim = runs_of(noisy(1, a=0.3, b=0.4)).claims[0]
        assert (claim.reason, claim.p_value, claim.interval, claim.exchange) == (ONE_RUN_EACH, None, None, None)
        assert len(claim.pairs) == 1
        assert claim.n_better == 1

    def test_every_run_is_compared_with_every_run_of_the_baseline(self):
        study = runs_of(noisy(1, a_seed1=0.3, a_seed2=0.3, b_seed1=0.4, b_seed2=0.2))
        claim = study.claims[0]
        assert [(one.name, one.other) for one in claim.pairs][:2] == [("b-seed1", "a-seed1"), ("b-seed1", "a-seed2")]
        assert (claim.n_better, claim.n_worse) == (2, 2)
        assert not study.is_significant(claim)

    def test_a_baseline_may_be_named_by_a_run(self):
        columns = noisy(1, a_seed1=0.3, a_seed2=0.3, b_seed1=0.4, b_seed2=0.4)
        found = study_runs(compared(columns), design_of(list(columns)), FAST, baseline="b-seed2")
        assert (found.baseline, found.claims[0].recipe) == ("b", "a")
        with pytest.raises(InputError, match="recipe"):
            study_runs(compared(columns), design_of(list(columns)), FAST, baseline="c")

    @pytest.mark.parametrize("metric_sign", [1, -1])
    def test_without_a_baseline_it_is_the_best_recipe_and_not_that_of_the_best_run(self, metric_sign):
        columns = noisy(1, a_seed1=0.30, a_seed2=0.50, b_seed1=0.42, b_seed2=0.44, c=0.1)
        if metric_sign < 0:
            columns = {name: -values for name, values in columns.items()}
        systems = dict(compared(columns).systems)
        found = ComparedSystems([*systems.items()], mean, higher_is_better=metric_sign > 0)
        study = study_runs(found, design_of(list(columns)), FAST)
        assert (study.baseline, study.baseline_is_best) == ("b", True)
        assert [one.recipe for one in study.claims] == ["a", "c"]

    def test_a_baseline_that_the_data_chose_is_corrected_for_all_pairs(self):
        columns = noisy(5, a_seed1=0.3, a_seed2=0.31, b_seed1=0.33, b_seed2=0.34, c_seed1=0.28, c_seed2=0.3, d=0.3)
        design = design_of(list(columns))
        chosen, named = (study_runs(compared(columns), design, FAST, baseline=one) for one in (None, "b"))
        assert (chosen.baseline, named.baseline) == ("b", "b")
        assert (chosen.baseline_is_best, named.baseline_is_best) == (True, False)
        assert [{one.n_comparisons for one in study.claims} for study in (chosen, named)] == [{6}, {3}]
        for one, other in zip(chosen.claims, named.claims, strict=True):
            assert one.p_value == pytest.approx(other.p_value)
            assert one.corrected_p_value == pytest.approx(min(1, 6 * one.p_value))

    def test_interval_and_p_value_belong_to_one_family(self):
        for seed in range(12):
            study = runs_of(
                noisy(seed, a_seed1=0.30, a_seed2=0.302, b_seed1=0.31, b_seed2=0.312, c_seed1=0.305, c_seed2=0.306)
            )
            for claim in study.claims:
                assert (claim.corrected_p_value < 0.05) == (not claim.interval[0] <= 0 <= claim.interval[1])

    def test_few_units_are_not_tested(self):
        claim = runs_of({name: np.array([0.1, 0.2, 0.3]) for name in ("a-seed1", "a-seed2", "b")}).claims[0]
        assert claim.p_value is None
        assert "at least 6" in claim.reason

    def test_equal_runs_have_nothing_to_test(self):
        values = np.random.default_rng(1).random(20)
        claim = runs_of(dict.fromkeys(("a-seed1", "a-seed2", "b-seed1", "b-seed2"), values)).claims[0]
        assert "nothing to test" in claim.reason

    def test_turning_the_baseline_turns_the_difference_and_nothing_else(self):
        columns = noisy(5, a_seed1=0.3, a_seed2=0.31, b_seed1=0.33, b_seed2=0.34)
        design = design_of(list(columns))
        first, second = (study_runs(compared(columns), design, FAST, baseline=name).claims[0] for name in "ab")
        assert first.difference == pytest.approx(-second.difference)
        assert first.p_value == pytest.approx(second.p_value)


class TestExchange:
    def test_by_hand_three_and_three_reach_a_tenth(self):
        found = exchange_labels(np.array([1.0, 2.0, 3.0]), np.array([4.0, 5.0, 6.0]))
        assert (found.p_value, found.n_ways, found.smallest_p_value) == (0.1, 20, 0.1)

    def test_it_is_the_exact_permutation_test(self):
        first, second = np.random.default_rng(1).normal(size=(2, 4))
        expected = stats.permutation_test(
            (first, second), lambda x, y: x.mean() - y.mean(), permutation_type="independent", n_resamples=np.inf
        )
        assert exchange_labels(first, second).p_value == pytest.approx(expected.pvalue)

    def test_of_two_runs_or_very_many_there_is_none(self):
        assert exchange_labels(np.zeros(2), np.zeros(5)) is None
        assert exchange_labels(np.zeros(20), np.zeros(20)) is None


class TestFactors:
    def test_levels_are_means_of_recipes(self):
        columns = noisy(1, m_lr1_seed1=0.3, m_lr1_seed2=0.32, m_lr2_seed1=0.4)
        study = runs_of(columns)
        (table,) = factor_tables(study)
        assert table.factor == "learning rate"
        assert [level.n_runs for level in table.levels] == [2, 1]
        means = [100 * np.mean([columns["m-lr1-seed1"].mean(), columns["m-lr1-seed2"].mean()])]
        means.append(100 * columns["m-lr2-seed1"].mean())
        assert [level.estimate.value for level in table.levels] == pytest.approx(means)
        assert table.levels[0].change is None
        assert table.levels[1].change.estimate.value == pytest.approx(means[1] - means[0])
        assert table.curve is None

    def test_a_curve_goes_through_levels_on_a_parabola(self):
        levels = np.arange(1, 6)
        columns = {f"m-layers{level}": np.linspace(0, 0.1, 30) + 0.3 - 0.01 * (level - 3) ** 2 for level in levels}
        curve = factor_table(runs_of(columns), "layers").curve
        assert np.interp(3, curve.places, curve.means) == pytest.approx(35, abs=1e-6)
        assert (curve.low <= curve.means).all()
        assert not curve.is_logarithmic

    def test_levels_far_apart_are_spaced_by_logarithm(self):
        study = runs_of({f"m-step{10**place}": np.linspace(0, 0.1, 30) + place for place in range(1, 5)})
        table = factor_table(study, "step")
        assert table.curve.is_logarithmic
        assert table.noise == "unknown"


MODELS, PROMPTS, TEMPERATURES = ("a", "b"), ("x", "y", "z"), (0.0, 0.5, 1.0)


def full_design(seed, *, n_runs=1, n_segments=60, **effects):
    """Values by name, of 2 models, 3 prompts and 3 temperatures; effects of levels, by their names."""
    rng = np.random.default_rng(seed)
    items = rng.normal(0.4, 0.05, n_segments)
    return {
        f"{model}, prompt={prompt}, temperature={temperature}, seed {run}": items
        + effects.get(model, 0.0)
        + effects.get(prompt, 0.0)
        + rng.normal(0, 0.01)
        + rng.normal(0, 0.02, n_segments)
        for model in MODELS
        for prompt in PROMPTS
        for temperature in TEMPERATURES
        for run in range(1, n_runs + 1)
    }


class TestChanges:
    @pytest.mark.parametrize("n_runs", [1, 2])
    def test_a_change_is_the_mean_of_differences_with_all_else_the_same(self, n_runs):
        columns = full_design(1, n_runs=n_runs, y=0.05)
        table = factor_table(runs_of(columns), "prompt")
        means = {
            prompt: 100 * np.mean([one.mean() for name, one in columns.items() if f"prompt={prompt}" in name])
            for prompt in PROMPTS
        }
        _, second, third = (one.change for one in table.levels)
        assert second.estimate.value == pytest.approx(means["y"] - means["x"])
        assert third.estimate.value == pytest.approx(means["z"] - means["x"])
        assert (second.n_settings, second.n_comparisons, second.settings) == (6, 2, None)
        assert second.p_value < 0.001
        assert table.p_value == min(second.p_value, third.p_value)
        assert second.interval[0] < second.estimate.value < second.interval[1]

    def test_what_one_level_alone_has_is_left_out_of_its_change(self):
        """Model b with prompt y only: its score would make prompt y look better."""
        columns = full_design(2, b=0.2)
        few = {name: one for name, one in columns.items() if not (name.startswith("b") and "prompt=x" in name)}
        table = factor_table(runs_of(few), "prompt")
        change = table.levels[1].change
        own = [
            100 * (few[name].mean() - few[name.replace("prompt=y", "prompt=x")].mean())
            for name in few
            if name.startswith("a, prompt=y")
        ]
        assert change.n_settings == 3
        assert change.estimate.value == pytest.approx(np.mean(own))
        assert table.levels[1].estimate.value - table.levels[0].estimate.value > 5

    def test_levels_without_a_common_setting_have_no_change(self):
        columns = {
            name: np.linspace(0, 0.1, 30) for name in ("a, p=x, q=1", "a, p=y, q=2", "a, p=x, q=3", "a, p=y, q=4")
        }
        table = factor_table(runs_of(columns), "p")
        assert table.levels[1].change is None
        assert table.p_value is None

    def test_models_differ_between_the_levels_of_what_they_determine(self):
        """By hand: the mean of two models minus the mean of the other two, for each prompt."""
        rng = np.random.default_rng(7)
        sizes = {"a": "big", "b": "big", "c": "small", "d": "small"}
        columns = {
            f"{name}, size={size}, prompt={prompt}": rng.normal(0.3, 0.05, 40)
            for name, size in sizes.items()
            for prompt in "xy"
        }
        study = runs_of(columns)
        values = {name: 100 * one.mean() for name, one in columns.items()}
        table = factor_table(study, "size")
        means = {
            size: np.mean([value for name, value in values.items() if f"size={size}" in name])
            for size in ("big", "small")
        }
        assert table.is_between_models
        assert not factor_table(study, "prompt").is_between_models
        assert table.levels[1].change.estimate.value == pytest.approx(means["small"] - means["big"])
        assert table.levels[1].change.n_settings == 2
        each = single_changes(study.runs, study.design, "size")
        assert [one.settings for one in each] == [(("prompt", "x"),), (("prompt", "y"),)]
        models = single_changes(study.runs, study.design, "model")
        assert {(one.level, one.other) for one in models} == {("b", "a"), ("c", "a"), ("d", "a")}

    def test_any_level_can_be_the_one_that_others_are_compared_with(self):
        study = runs_of(full_design(3, z=0.03))
        table = factor_table(study, "prompt", "z")
        assert [one.change is None for one in table.levels] == [False, False, True]
        assert table.levels[0].change.estimate.value == pytest.approx(
            -factor_table(study, "prompt").levels[2].change.estimate.value
        )

    def test_an_axis_has_each_combination_of_the_other_factors(self):
        columns = full_design(4)
        study = runs_of(columns)
        changes = single_changes(study.runs, study.design, "prompt", "x")
        assert len(changes) == 2 * 6
        assert changes[0].settings == (("model", "a"), ("temperature", 0.0))
        assert {one.n_comparisons for one in changes} == {12}
        value = columns["a, prompt=y, temperature=0.0, seed 1"] - columns["a, prompt=x, temperature=0.0, seed 1"]
        assert changes[0].estimate.value == pytest.approx(100 * value.mean())

    def test_unknown_factors_and_levels_are_refused(self):
        study = runs_of(full_design(5))
        with pytest.raises(InputError, match="model, prompt, temperature"):
            factor_table(study, "size")
        with pytest.raises(InputError, match="there is no level of this name"):
            single_changes(study.runs, study.design, "prompt", "w")

    def test_without_several_runs_the_residuals_of_additive_effects_stand_for_them(self):
        """Oracle: the residual mean square of the additive model, and its 18 - 1 - 1 - 2 - 2 degrees of freedom."""
        columns = full_design(6, n_segments=4000)
        study = runs_of(columns)
        runs = scored_runs(study.runs, study.design)
        table = np.array([100 * one.mean() for one in columns.values()]).reshape(2, 3, 3)
        effects = [table.mean(axis=axes, keepdims=True) - table.mean() for axes in ((1, 2), (0, 2), (0, 1))]
        residuals = table - table.mean() - sum(effects)
        variance, of_items, n_free = runs.residuals
        assert n_free == 12
        assert variance == pytest.approx((residuals**2).sum() / 12)
        assert of_items == pytest.approx(100**2 * 0.02**2 / 4000, rel=0.1)
        assert factor_table(study, "model").noise == "residuals"
        change = factor_table(study, "model").levels[1].change.estimate
        assert change.parts.runs == pytest.approx(2 / 9 * (variance - of_items))

    def test_of_few_recipes_no_residuals_are_taken(self):
        study = runs_of(
            {name: one for name, one in full_design(7).items() if "temperature=0.0" in name and "=z" not in name}
        )
        assert scored_runs(study.runs, study.design).residuals is None
        assert factor_table(study, "model").noise == "unknown"

    def test_variance_of_many_recipes_is_bounded_once(self):
        """Else bounds at 0 would add up, and factors were called in 1 % of cases."""
        study = runs_of(full_design(8, n_runs=2))
        runs = study.runs
        weights = np.repeat([1.0, -1.0], 18) / 18
        shares = [float((weights[runs.rows(place)] ** 2).sum()) for place in range(18)]
        spreads = []
        for place in range(18):
            errors = runs.errors[runs.rows(place)]
            of_items = ((errors - errors.mean(axis=0)) ** 2).sum()
            spreads.append(runs.scores[runs.rows(place)].var(ddof=1) - of_items)
        assert estimate(runs, weights).parts.runs == pytest.approx(max(0.0, float(np.dot(shares, spreads))))


def test_the_items_of_contrasts_do_not_depend_on_other_systems():
    columns = noisy(6, a_seed1=0.3, a_seed2=0.31, b_seed1=0.33, b_seed2=0.34, c=0.2)
    few = {name: values for name, values in columns.items() if name != "c"}
    whole, part = (ScoredRuns.of(compared(some), design_of(list(some)).recipes, FAST) for some in (columns, few))
    first, second = (estimate(runs, mean_weights(runs, 0) - mean_weights(runs, 1)) for runs in (whole, part))
    assert first.parts.variance == pytest.approx(second.parts.variance)
