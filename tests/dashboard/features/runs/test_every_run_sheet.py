"""Every table and figure of runs: what holds of all tables, and what these draw."""

import inspect

import numpy as np
import pytest

from bleucore.experiments.claims import study_runs
from bleucore.experiments.design import design_of
from bleucore.experiments.factors import factor_tables
from bleucore.significance import ComparedSystems, SignificanceOptions
from bleuscope.features.runs import figures, words
from bleuscope.features.runs.sheets import SHEETS
from tests.dashboard import figure_properties
from tests.dashboard import sheet_properties as properties

FAST = SignificanceOptions(trials=200, resamples=100, unit="segment")
FACTS = {"digest": "d", "metric": "BLEU"}
NAMES = {
    "runs": ["a-seed1", "a-seed2", "a-seed3", "b-seed1", "b-seed2", "b-seed3", "c"],
    "best": ["a-seed1", "a-seed2", "a-seed3", "b-seed1", "b-seed2", "b-seed3", "c"],
    "two runs each": [f"{letter}-seed{seed}" for letter in "abcde" for seed in (1, 2)],
    "single": ["a", "b"],
    "one recipe": ["a-seed1", "a-seed2"],
    "curve": [f"m-step{step}-seed{seed}" for step in (10, 100, 1000, 10000) for seed in (1, 2)],
    "few steps": ["m-layers2", "m-layers4"],
}


def mean(counts):
    return 100 * counts[..., 0] / np.maximum(counts[..., 1], 1e-9)


def study(kind):
    rng, names = np.random.default_rng(1), NAMES[kind]
    items = rng.normal(0.3, 0.05, 40)
    systems = [
        (name, np.stack([items + 0.02 * place + rng.normal(0, 0.02, 40), np.ones(40)], axis=1))
        for place, name in enumerate(names)
    ]
    design = design_of(names)
    baseline = None if kind == "best" else next(iter(design.recipes))
    return study_runs(ComparedSystems(systems, mean), design, FAST, baseline=baseline)


CASES = {kind: study(kind) for kind in NAMES}


@pytest.mark.parametrize("kind", NAMES)
@pytest.mark.parametrize("name", SHEETS)
@pytest.mark.parametrize(
    "holds",
    [
        properties.has_what_it_names,
        properties.reads_well,
        properties.is_written_as_its_kind,
        properties.is_possible,
        properties.has_stars_where_p_is_small,
    ],
)
def test_every_table_keeps_what_all_tables_keep(kind, name, holds):
    holds(SHEETS[name](CASES[kind], FACTS))


def drawn(kind):
    found = [figures.recipes_figure(CASES[kind], "BLEU")]
    found += [figures.planning_figure(CASES[kind], one, "BLEU") for one in CASES[kind].claims if one.reason is None]
    return found + [figures.factor_figure(one, "BLEU") for one in factor_tables(CASES[kind])]


@pytest.mark.parametrize("kind", NAMES)
def test_every_figure_has_its_numbers(kind):
    for figure in drawn(kind):
        figure_properties.has_as_much_of_all(figure)
        figure_properties.draws_numbers(figure)


def test_a_dot_stands_for_each_run_and_a_diamond_for_each_mean():
    case = CASES["runs"]
    dots, means = figures.recipes_figure(case, "BLEU").data
    assert [*dots.x] == pytest.approx([*case.runs.scores])
    assert [*dots.y] == [0, 0, 0, 1, 1, 1, 2]
    assert [*means.x] == pytest.approx([one.mean for one in case.recipes])
    high = means.x[0] + means.error_x.array[0]
    assert high == pytest.approx(case.recipes[0].interval[1])


def test_plans_begin_with_what_is_there_and_become_narrower():
    case = CASES["runs"]
    claim = case.claims[0]
    lines = figures.planning_figure(case, claim, "BLEU").data[:-1]
    assert lines[0].y[0] == pytest.approx((claim.interval[1] - claim.interval[0]) / 2, rel=0.3)
    assert [*lines[0].x] == [6, 12, 18, 24, 30]
    assert all(np.diff(line.y).max() < 0 for line in lines)


def test_a_curve_is_drawn_on_a_logarithmic_axis():
    (table,) = factor_tables(CASES["curve"])
    figure = figures.factor_figure(table, "BLEU")
    assert figure.layout.xaxis.type == "log"
    assert [*figure.data[-1].x] == [10, 100, 1000, 10000]
    assert figures.factor_figure(factor_tables(CASES["few steps"])[0], "BLEU").layout.xaxis.type == "category"


class TestWords:
    def test_recipes_are_told_as_mean_and_deviation(self):
        assert words.recipe_told(CASES["runs"].recipes[0]).startswith("3 runs: ")
        assert words.recipe_told(CASES["runs"].recipes[2]).startswith("1 run: ")
        assert "±" not in words.recipe_told(CASES["runs"].recipes[2])

    def test_the_best_recipe_is_called_so_where_nobody_named_a_baseline(self):
        (said,) = words.runs_verdict(CASES["best"], "BLEU").parts
        assert str(said.sentence) == "c is the best recipe. It is not significantly better than any other recipe."
        assert "corrected for 3 comparisons (Bonferroni), all pairs" in words.method_words(CASES["best"])
        assert "corrected for 2 comparisons (Bonferroni)." in words.method_words(CASES["runs"])

    def test_where_nothing_varies_another_metric_is_proposed(self):
        names = ["a-seed1", "a-seed2", "b"]
        systems = [(name, np.tile([0.0, 1.0], (20, 1))) for name in names]
        found = study_runs(ComparedSystems(systems, mean), design_of(names), FAST)
        (said,) = words.runs_verdict(found, "BLEU").parts
        assert str(said.sentence) == "Every run scores 0.00 BLEU, so there is nothing to test. Choose another metric."

    def test_one_run_each_is_said_once_and_recipes_are_not_named_again(self):
        (said,) = words.runs_verdict(CASES["single"], "BLEU").parts
        assert str(said.sentence).startswith("Each recipe has one run, so ")
        told = words.claims_told(CASES["single"], "BLEU").markdown()
        assert told.startswith("Run: ")
        assert "Recipe:" not in told

    def test_of_many_recipes_the_first_are_told(self):
        names = [f"r{place}-seed{seed}" for place in range(9) for seed in (1, 2)]
        rng = np.random.default_rng(2)
        systems = [(name, np.stack([rng.random(30), np.ones(30)], axis=1)) for name in names]
        told = words.claims_told(study_runs(ComparedSystems(systems, mean), design_of(names), FAST), "BLEU").parts
        assert len(told) == 2 * words.MOST_CLAIMS + 1
        assert told[-1].markdown() == "The table has 3 more recipes."

    def test_no_p_value_has_two_signs(self):
        told = [words.exchange_told(one) for one in CASES["runs"].claims]
        assert not any("= >" in one or "= <" in one for one in told)

    def test_one_run_each_says_nothing_about_recipes(self):
        case = CASES["single"]
        told = str(words.recipe_claim_told(case, case.claims[0], "BLEU"))
        assert told.startswith("Recipe: b against a is not tested. Each recipe has one run")
        assert str(words.run_claim_told(case, case.claims[0], "BLEU")).startswith("Run: b is significantly better")

    def test_a_borrowed_variance_is_said(self):
        assert words.borrowed_told(CASES["runs"].claims[1]).startswith("One recipe has a single run.")
        assert words.borrowed_told(CASES["runs"].claims[0]) == ""
        assert words.borrowed_told(CASES["single"].claims[0]) == ""

    @pytest.mark.parametrize("kind", NAMES)
    def test_every_sentence_is_whole(self, kind):
        case = CASES[kind]
        told = [str(words.runs_verdict(case, "BLEU"))]
        for claim in case.claims:
            told += [str(make(case, claim, "BLEU")) for make in (words.recipe_claim_told, words.run_claim_told)]
        assert all("nan" not in one and "None" not in one and one.count("  ") == 0 for one in told)


def test_every_figure_is_looked_at():
    made = {
        name for name, function in vars(figures).items() if inspect.isfunction(function) and name.endswith("figure")
    }
    assert made == {"recipes_figure", "planning_figure", "factor_figure"}
