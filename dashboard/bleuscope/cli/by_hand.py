"""Which systems are runs of one recipe, as options say it besides what names tell."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from bleucore import TestSet
from bleuscope.cli.shared_options import Command
from bleuscope.content.comparison.inputs import Settings
from bleuscope.registry import load, run_naming


def by_hand_options(command: Command) -> Command:
    """The options of the feature that knows runs; a command gets what they come to as ``by_hand``."""
    naming = run_naming()
    return command if naming is None else load(naming.options)(command)


def run_option(command: Command) -> Command:
    """The option for runs alone; a command gets what it comes to as ``runs``."""
    naming = run_naming()
    return command if naming is None else load(naming.option)(command)


def runs_among(names: Sequence[str], given: Mapping[str, object]) -> dict[str, str]:
    """The recipe of each system that the option for runs names, among systems of these names.

    Raises:
        InputError: There is no such system, or no recipe is named.
    """
    naming = run_naming()
    if naming is None or not given.get("runs"):
        return {}
    found: dict[str, str] = load(naming.of_names)(names, given["runs"])
    return found


def with_runs(scoring: Settings, test_set: TestSet, given: Mapping[str, object]) -> Settings:
    """The settings with what options said of runs.

    Args:
        scoring: The settings.
        test_set: Whose systems are meant.
        given: What options of features come to.

    Raises:
        InputError: There is no such system.
    """
    naming = run_naming()
    if naming is None or "by_hand" not in given:
        return scoring
    return replace(scoring, by_hand=load(naming.of_command)(test_set, given["by_hand"]))
