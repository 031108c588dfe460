"""Leaderboard: which system leads on a test set of a project?"""

from bleuscope.features.projects.frame import open_project
from bleuscope.features.projects.panel_leaderboard import leaderboard_panel

leaderboard_panel(open_project())
