"""Projects: which there are, what was pushed last, which system is the best."""

from bleuscope.shell.history.projects_panel import projects_panel

projects_panel()
