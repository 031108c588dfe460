"""Significance: is a difference more than chance, which systems can be told apart, what can the test set show?"""

from functools import partial

from bleuscope.content import commands
from bleuscope.content.significance import significance_words
from bleuscope.content.significance.study_verdict import verdict_on
from bleuscope.content.style import sentences
from bleuscope.content.style.terms import OF_METHODS, explaining
from bleuscope.shell.analysis import significance_panels
from bleuscope.shell.analysis.block_panel import block_panel
from bleuscope.shell.analysis.two_systems import ask_for_two
from bleuscope.shell.controls import widgets
from bleuscope.shell.page import significance_settings
from bleuscope.shell.page.frame import open_view
from bleuscope.shell.page.reproduction import command_note
from bleuscope.shell.page.study_tests import StudyTests
from bleuscope.shell.state.page_end import end_page

view = open_view()
tests = StudyTests(view)
panel = significance_settings.panel()
widgets.heading(panel)
if panel == significance_settings.BLOCKS:
    found = None
    if view.compares:
        found = verdict_on(tests.shown(view.metric), view.metric, view.pair, view.findings, design=view.design)
    choice = block_panel(view, found)
    if view.compares:
        command_note(view, partial(commands.blocks_command, choice=choice))
    end_page()
if len(view.evaluation.names) == 1:
    ask_for_two(view, "There is one system and nothing to compare it with.")
    end_page()
widgets.html(sentences.notes(view.metric.remarks))
tests.offer_all_pairs([view.metric])
if panel == significance_settings.ALL_PAIRS and not tests.have_all_pairs([view.metric]):
    end_page()
tested = tests.shown(view.metric)
significance_panels.PANELS[panel](view, view.metric, tested)
is_of_two = panel == significance_settings.TWO_SYSTEMS
shown = [view.pair] if is_of_two and view.compares else tested.pairs
said = significance_words.method_note(tested, [tested.pair(*names) for names in shown])
widgets.html(explaining(said, *OF_METHODS))
command_note(view, commands.significance_command, of_two=is_of_two)
