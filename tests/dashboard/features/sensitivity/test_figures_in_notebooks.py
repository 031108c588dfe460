"""Figures of sensitivity in a notebook: plain Plotly, made without Streamlit."""

from tests.dashboard.without_streamlit import check_figures

SCRIPT = r"""
from bleucore.robustness.sensitivity import sensitivity
from bleuscope.features.sensitivity import figures
grid = sensitivity(test_set, axes={"case": ["lower"]}, significance=options)
modules = [figures]
made = {"grid_figure": figures.grid_figure(grid), "ribbons_figure": figures.ribbons_figure(grid, looks)}
"""


def test_every_figure_is_made_without_streamlit():
    check_figures(SCRIPT)
