"""Which systems are runs of one recipe, as options say it besides what names tell."""

from collections.abc import Mapping
from dataclasses import replace

from bleucore import TestSet
from bleuscope.cli.shared_options import Command
from bleuscope.content.comparison.inputs import Settings
from bleuscope.registry import load, run_naming


def by_hand_options(command: Command) -> Command:
    """The options of the feature that knows runs; a command gets what they come to as ``by_hand``."""
    naming = run_naming()
    return command if naming is None else load(naming.options)(command)


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
