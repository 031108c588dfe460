"""Options by which commands are told which systems are runs of one recipe."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from bleucore import InputError, TestSet
from bleucore.experiments.design import RunsByHand
from bleucore.values import unknown_name
from bleuscope.cli.shared_options import Command, made_of
from bleuscope.cli.texts import system_named
from bleuscope.content.comparison.inputs import Inputs
from bleuscope.features.runs import params
from bleuscope.features.runs.assignments import assignment

RUN, FACTOR = str(params.RECIPES.option), str(params.FACTOR_WORDS.option)


def run_option(command: Command) -> Command:
    """The recipes that names do not tell; the command gets them as ``runs``."""
    return click.option(
        RUN,
        "runs",
        multiple=True,
        metavar="NAME=RECIPE",
        help="The recipe that a system is a run of.  [default: from names such as x-seed1, x-seed2]",
    )(command)


def report_options(command: Command) -> Command:
    """The recipes and factors that names do not tell; the command gets them as ``by_hand``."""
    options = [
        run_option,
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


def of_names(names: Sequence[str], given: Sequence[str]) -> dict[str, str]:
    """The recipe of each system that the option names, among systems of these names.

    Raises:
        InputError: There is no such system, or no recipe is named.
    """
    called = {Path(name).stem: name for name in names} | {name: name for name in names}
    found: dict[str, str] = {}
    for one in given:
        splits = [(one[:place], one[place + 1 :]) for place, letter in enumerate(one) if letter == "="]
        known = [split for split in splits if split[0].strip() in called]
        name, recipe = (*known, *splits, (one, ""))[0]
        if not recipe.strip():
            raise InputError("this names no recipe", where=f"Option {RUN}", found=repr(one), expected="NAME=RECIPE")
        system = called.get(name.strip()) or called.get(Path(name.strip()).stem)
        if system is None:
            raise unknown_name("system", name.strip(), names, where=f"Option {RUN}", remedy="Name one of these.")
        found[system] = recipe.strip()
    return found


def _given(given: Mapping[str, Any], _: Inputs | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return given["runs"], given["factors"]
