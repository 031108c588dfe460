"""The door Trust of a project: the versions of its leaderboard as a comparison, and what it depends on."""

from bleuscope.features.projects.frame import open_project
from bleuscope.features.projects.panel_leaderboard import open_versions

open_versions(open_project(), "trust")
