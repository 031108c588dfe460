"""Runs: is the recipe better, or only one run of it?"""

from bleuscope.features.runs.panel import runs_panel
from bleuscope.shell.page.frame import open_view

runs_panel(open_view())
