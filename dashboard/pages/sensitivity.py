"""Sensitivity: does the order of systems hang on a setting?"""

from dashboard.shell.analysis.sensitivity_panel import sensitivity_panel
from dashboard.shell.page.frame import open_view

sensitivity_panel(open_view())
