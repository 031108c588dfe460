"""Leaderboard: which system leads on a test set of a project?"""

from bleuscope.shell.history.leaderboard_panel import leaderboard_panel
from bleuscope.shell.page.project_frame import open_project

leaderboard_panel(open_project())
