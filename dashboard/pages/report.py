"""Report: one file to show to others, which holds all of it and asks no server."""

from dashboard.shell.frame import open_view
from dashboard.shell.report_panel import report_panel

report_panel(open_view())
