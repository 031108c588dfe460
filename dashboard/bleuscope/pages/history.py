"""History: how did the versions of a system score over time?"""

from bleuscope.shell.history.history_panel import history_panel
from bleuscope.shell.page.project_frame import open_project

history_panel(open_project())
