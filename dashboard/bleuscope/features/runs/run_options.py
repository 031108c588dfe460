"""Options by which commands are told which systems are runs of one recipe."""

from collections.abc import Mapping
from typing import Any

import click

from bleucore import TestSet
from bleucore.experiments.design import RunsByHand
from bleuscope.cli.shared_options import Command, made_of
from bleuscope.cli.texts import system_named
from bleuscope.content.comparison.inputs import Inputs
from bleuscope.features.runs import params
from bleuscope.features.runs.assignments import assignment

RUN, FACTOR = str(params.RECIPES.option), str(params.FACTOR_WORDS.option)


def report_options(command: Command) -> Command:
    """The recipes and factors that names do not tell; the command gets them as ``by_hand``."""
    options = [
        click.option(
            RUN,
            "runs",
            multiple=True,
            metavar="NAME=RECIPE",
            help="The recipe that a system is a run of.  [default: from names such as x-seed1, x-seed2]",
        ),
        click.option(
            FACTOR,
            "factors",
            multiple=True,
            metavar="NAME",
            help="A factor: the word before its level in names, such as depth in m-depth6.  [default: lr, step, "
            "beam and the like; name=value]",
        ),
    ]
    return made_of(options, ["runs", "factors"], "by_hand", _given)(command)


def of_command(test_set: TestSet, given: tuple[tuple[str, ...], tuple[str, ...]]) -> RunsByHand:
    """What the options say of the systems of a test set.

    Raises:
        InputError: There is no such system, or no recipe is named.
    """
    runs, factors = given
    recipes = dict(assignment(test_set, one, where=f"Option {RUN}", system_named=system_named) for one in runs)
    return RunsByHand(tuple(recipes.items()), factors)


def _given(given: Mapping[str, Any], _: Inputs | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return given["runs"], given["factors"]
