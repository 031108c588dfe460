"""Runs and factors that people named on the page Runs, for all pages."""

from bleucore import InputError, TestSet
from bleucore.experiments.design import NAMES_ALONE, RunsByHand
from bleuscope.features.runs import params
from bleuscope.features.runs.assignments import assignments, words_of
from bleuscope.shell.state import links, session


def on_pages(test_set: TestSet) -> RunsByHand:
    """What people said of the systems of a test set; nothing where it cannot be, which the page Runs tells."""
    try:
        return read(test_set)
    except InputError:
        return NAMES_ALONE


def read(test_set: TestSet) -> RunsByHand:
    """The same.

    Raises:
        InputError: There is no such system, or no such factor.
    """
    lines, words = (
        session.get(key) if session.has(key) else links.given(key) for key in (params.RECIPES, params.FACTOR_WORDS)
    )
    said = RunsByHand(assignments(test_set, lines or ""), words_of(words or ""))
    said.design(test_set.system_names)
    return said
