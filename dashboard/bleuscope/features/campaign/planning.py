"""What a folder, an archive or a manifest of many test sets comes to, before a text of it is scored."""

import os
import re
import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from bleucore import InputError
from bleucore.formats import Column
from bleucore.formats.campaign_manifest import is_manifest
from bleucore.formats.campaign_plan import CampaignPlan, PlannedFile
from bleucore.formats.several_sets import SetOfFiles, SeveralSetsError, several_sets
from bleucore.formats.shards import is_shard
from bleucore.formats.text_pieces import is_named_piece
from bleuscope.content.comparison.plan import Plan, plan_of_campaign
from bleuscope.features.campaign.contents import pieces_of
from bleuscope.features.campaign.plan_files import is_called_manifest, plan_campaign
from bleuscope.features.campaign.sets import columns_of_set
from bleuscope.shell.disk import files, packed

_NUMBER = re.compile(r"\d{1,9}")
_FEW_FILES = 40
"""Files that are read as a whole to see whether equally long sets are one in other orders."""
SEVERAL = 2
MOST_OF_ONE_SET = 200
"""Files: more are not read one by one to see whether they are one test set."""


def suits(names: Sequence[str]) -> bool:
    """Whether dropped files are planned as a campaign is before all are read: very many, or with a manifest."""
    return len(names) > MOST_OF_ONE_SET or any(is_called_manifest(name) for name in names)


def sets_at(path: str) -> Plan | None:
    """The test sets at a path; ``None`` where there are not several."""
    if not os.path.exists(path):  # noqa: PTH110  # standard input is no path
        return None
    try:
        found = plan_campaign(path)
    except InputError:
        return None
    if is_one_manifest(path):
        return plan_of_campaign(found)
    return plan_of_campaign(found) if len(found.sets) >= SEVERAL and not _are_pieces(path, found) else None


def _are_pieces(path: str, found: CampaignPlan) -> bool:
    """Whether what seem to be test sets are pieces of one: a segment each, numbered parts, or parts of tables."""
    planned = [file.name for one in found.sets for file in one.files]
    lengths = {one.n_segments for one in found.sets}
    is_perhaps_one = lengths == {1} or _are_counted([one.name for one in found.sets])
    is_perhaps_one |= len(lengths) == 1 and len(planned) <= _FEW_FILES
    are_parts = any(is_shard(name) or is_named_piece(name) for name in planned)
    if not (is_perhaps_one or are_parts):
        return False
    try:
        columns = packed.columns_of(path, lambda one: files.read_bytes(Path(one)))
    except InputError:
        return are_parts  # one is missing, which is said where they are read
    return not several_sets(columns, found.title)


def _are_counted(names: Sequence[str]) -> bool:
    """Whether names differ in a number alone, which counts from 0 or 1."""
    numbers = [_NUMBER.findall(name) for name in names]
    is_alike = len({_NUMBER.sub("", name) for name in names}) == 1 and all(len(found) == 1 for found in numbers)
    return is_alike and min(int(found[0]) for found in numbers) in (0, 1)


def is_one_manifest(path: str) -> bool:
    """Whether a path is that of a manifest in YAML."""
    if not path.lower().endswith((".yaml", ".yml")):
        return False
    try:
        return is_manifest(path, next(pieces_of(PlannedFile(path, name=path)), b""))
    except InputError:
        return True  # which says that it cannot be read


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
    recipes = dict(found.runs)
    return tuple(
        replace(column, system=recipes[column.name])
        if column.role == "hypothesis" and column.name in recipes
        else column
        for column in columns_of_set(found.sets[0])
    )
