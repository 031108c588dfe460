"""The door Compare of a project: the versions of its leaderboard as a comparison, and what makes the difference."""

from bleuscope.features.projects.frame import open_project
from bleuscope.features.projects.panel_leaderboard import open_versions

open_versions(open_project(), "compare")
