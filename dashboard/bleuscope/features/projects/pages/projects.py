"""Projects: which there are, what was pushed last, which system is the best."""

from bleuscope.features.projects.panel_projects import projects_panel

projects_panel()
