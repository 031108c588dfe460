"""History: how did the versions of a system score over time?"""

from bleuscope.features.projects.frame import open_project
from bleuscope.features.projects.panel_history import history_panel

history_panel(open_project())
