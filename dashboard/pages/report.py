"""Report: one file to show to others, which holds all of it and asks no server."""

from dashboard.shell.analysis.report_panel import report_panel
from dashboard.shell.page.frame import open_view

report_panel(open_view())
