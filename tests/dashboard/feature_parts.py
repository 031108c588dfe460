"""Parts of features for tests that go through all there is: without its folder, a feature is left out of them."""

from importlib import import_module

from bleuscope.registry import own_features

COMMANDS = {
    "annotation": ("annotate",),
    "campaign": ("campaign",),
    "judgements": ("draw", "agreement"),
    "kinds": ("kinds",),
    "projects": ("history", "push", "token", "team"),
    "references": ("references",),
    "runs": ("runs",),
    "sensitivity": ("sensitivity",),
}
"""The features that tables of tests name, with their commands."""
KNOWN = {*COMMANDS}


def is_there(feature):
    """Whether the folder of a feature is there."""
    return feature in {one.name for one in own_features()}


def module_of(name):
    """A module of a feature; ``None`` without the feature's folder."""
    return import_module(f"bleuscope.features.{name}") if is_there(name.partition(".")[0]) else None


def missing_commands():
    """The commands of features that are not there."""
    return tuple(command for name, commands in COMMANDS.items() if not is_there(name) for command in commands)


def of_features(table):
    """A table whose keys begin with the name of a feature or of something else, without features that are not there."""
    gone = {name for name in KNOWN if not is_there(name)}
    return {key: value for key, value in table.items() if key.partition(".")[0] not in gone}


def by_own_names(table):
    """The same by the names themselves: ``leaderboard`` for ``projects.leaderboard``."""
    return {_own_name(key): value for key, value in of_features(table).items()}


def own_names(*names):
    """Names, those of a feature as ``projects.leaderboard``, themselves and without features that are not there."""
    return tuple(by_own_names(dict.fromkeys(names)))


def _own_name(key):
    feature, _, name = key.partition(".")
    return name if feature in KNOWN and name else key
