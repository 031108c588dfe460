"""Figures of runs in a notebook: plain Plotly, made without Streamlit."""

from tests.dashboard.without_streamlit import check_figures

SCRIPT = r"""
from bleucore import BleuOptions
from bleucore.evaluation import evaluate_metric
from bleucore.experiments.claims import study_runs
from bleucore.experiments.design import design_of
from bleucore.experiments.factors import factor_tables
from bleuscope.content.comparison.differences import compared_systems
from bleuscope.features.runs import figures
names = ("m-layers1-seed1", "m-layers1-seed2", "m-layers2-seed1")
test_set = TestSet([System(name, one.hypotheses) for name, one in zip(names, systems)], references)
compared = compared_systems(test_set, evaluate_metric(test_set, BleuOptions()))
study = study_runs(compared, design_of(names), options)
modules = [figures]
made = {
    "recipes_figure": figures.recipes_figure(study, "BLEU"),
    "planning_figure": figures.planning_figure(study, study.claims[0], "BLEU"),
    "factor_figure": figures.factor_figure(factor_tables(study)[0], "BLEU"),
}
"""


def test_every_figure_is_made_without_streamlit():
    check_figures(SCRIPT)
