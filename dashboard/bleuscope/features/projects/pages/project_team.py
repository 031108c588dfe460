"""Team: who may do what in a project, its tokens, links and log."""

from bleuscope.features.projects.panel_team import team_page

team_page()
