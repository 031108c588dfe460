"""References: what the choice of references does to the order of systems."""

from bleuscope.features.references.panel import reference_panel
from bleuscope.shell.page.frame import open_view

reference_panel(open_view())
