"""Trust: the questions that a difference has to stand up to, each with its answer in one line."""

from bleuscope.content import commands
from bleuscope.shell.analysis.trust_panel import trust_panel
from bleuscope.shell.page.frame import open_view
from bleuscope.shell.page.reproduction import command_note

view = open_view()
trust_panel(view)
command_note(view, commands.significance_command, of_two=True)
