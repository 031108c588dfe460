"""The door Segments of a project: the versions of its leaderboard as a comparison, and their texts."""

from bleuscope.features.projects.frame import open_project
from bleuscope.features.projects.panel_leaderboard import open_versions

open_versions(open_project(), "segments")
