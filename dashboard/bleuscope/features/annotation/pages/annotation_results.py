"""Annotations: what annotators of the open texts marked, how far they agree, and what it comes to."""

from bleuscope.features.annotation.panel_results import results_panel
from bleuscope.shell.page.frame import open_view

results_panel(open_view())
