"""Sensitivity: does the order of systems hang on a setting?"""

from bleuscope.features.sensitivity.panel import sensitivity_panel
from bleuscope.shell.page.frame import open_view

sensitivity_panel(open_view())
