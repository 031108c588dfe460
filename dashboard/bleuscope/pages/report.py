"""Report: one file to show to others, which holds all of it and asks no server."""

from bleuscope.shell.analysis.report_panel import report_panel
from bleuscope.shell.page.frame import open_view

report_panel(open_view())
