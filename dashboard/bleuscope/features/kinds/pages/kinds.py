"""Kinds: what BLEU points were lost to, by kind of error."""

from bleuscope.features.kinds.panel import kinds_panel
from bleuscope.shell.page.frame import open_view

kinds_panel(open_view())
