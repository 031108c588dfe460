"""Figures of references in a notebook: plain Plotly, made without Streamlit."""

from tests.dashboard.without_streamlit import check_figures

SCRIPT = r"""
from bleucore.robustness.references import DrawOptions, study_references
from bleuscope.features.references import figures
study = study_references(test_set, draws=DrawOptions(n=20), significance=options)
modules = [figures]
made = {
    "slope_figure": figures.slope_figure(study, looks),
    "growth_figure": figures.growth_figure(study, looks),
    "draws_figure": figures.draws_figure(study),
    "ahead_figure": figures.ahead_figure(study, looks),
    "matches_figure": figures.matches_figure(study),
}
"""


def test_every_figure_is_made_without_streamlit():
    check_figures(SCRIPT)
