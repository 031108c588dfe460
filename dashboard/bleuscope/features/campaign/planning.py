"""What a folder, an archive or a manifest of many test sets comes to, before a text of it is scored."""

import os
import shlex
from collections.abc import Sequence

from bleucore import InputError
from bleucore.formats import Column
from bleucore.formats.several_sets import SetOfFiles, SeveralSetsError
from bleuscope.content.comparison.plan import Plan, plan_of_campaign
from bleuscope.features.campaign.plan_files import is_called_manifest, plan_campaign
from bleuscope.features.campaign.sets import columns_of_set

SEVERAL = 2
MOST_OF_ONE_SET = 200
"""Files: more are not read one by one to see whether they are one test set."""


def suits(names: Sequence[str]) -> bool:
    """Whether dropped files are a campaign before any of them is read: very many, or with a manifest."""
    return len(names) > MOST_OF_ONE_SET or any(is_called_manifest(name) for name in names)


def sets_at(path: str) -> Plan | None:
    """The test sets at a path; ``None`` where there are not several."""
    if not os.path.exists(path):  # noqa: PTH110  # standard input is no path
        return None
    try:
        found = plan_campaign(path)
    except InputError:
        return None
    return plan_of_campaign(found) if len(found.sets) >= SEVERAL or is_one_manifest(path) else None


def is_one_manifest(path: str) -> bool:
    """Whether a path is that of a manifest in YAML, which no texts are."""
    return path.lower().endswith((".yaml", ".yml"))


def columns_at(path: str) -> tuple[Column, ...]:
    """The columns of the one test set of a manifest, in the roles and under the names that it says.

    Raises:
        SeveralSetsError: It has several.
        InputError: It has none, or a file of it cannot be read.
    """
    found = plan_campaign(path)
    for _, reason in found.left_out:
        raise InputError("a file of the manifest does not fit", where=path, found=reason, remedy="Correct its entry.")
    if len(found.sets) > 1:
        sets = [SetOfFiles(one, ()) for one in found.sets]
        remedy = f"Take one of them, or all of them: bleuscope campaign {shlex.quote(path)}."
        raise SeveralSetsError(sets, where=path, remedy=remedy)
    return tuple(columns_of_set(found.sets[0]))
