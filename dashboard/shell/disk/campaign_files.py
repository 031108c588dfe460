"""Campaigns on a disk: which test sets a folder, an archive or a manifest holds, without reading all their texts."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from bleucore import BleuOptions, InputError
from bleucore.formats import Column, read
from bleucore.formats.archives import passed_over_as
from bleucore.formats.campaign_names import grouped, set_name
from bleucore.formats.campaign_plan import CampaignPlan, PlannedFile, PlannedSet
from bleucore.formats.campaign_roles import sorted_out
from bleucore.tokens.tokenizer_choice import proposed_tokenizer
from dashboard.shell.disk import packed
from dashboard.shell.disk.campaign_sets import content_of, head_of

MAX_FILES = 20_000


def plan_campaign(path: str) -> CampaignPlan:
    """The test sets that a folder, an archive or a manifest holds, and what in it belongs to none.

    Raises:
        InputError: There is nothing of that name, it cannot be read, or no test set is found in it.
    """
    title = Path(path).resolve().name
    files = {name: PlannedFile(str(Path(path) / name), name=name) for name in packed.paths_in(path, MAX_FILES)}
    return plan_of_files(title, files)


def plan_of_files(title: str, files: Mapping[str, PlannedFile]) -> CampaignPlan:
    """The same of files by their paths inside a campaign."""
    passed_over = {name: kind for name in sorted(files) if (kind := passed_over_as(name)) is not None}
    groups = grouped(name for name in files if name not in passed_over)
    sets: list[PlannedSet] = []
    left_out: list[tuple[str, str]] = []
    for group in groups:
        found = sorted_out(set_name(group), group, files, _head_columns)
        left_out += found.left_out
        if found.planned is not None:
            proposal = proposed_tokenizer(found.heads)
            tokenizer = proposal.tokenizer if proposal is not None else BleuOptions.tokenizer
            sets.append(replace(found.planned, tokenizer=tokenizer))
    if not sets:
        raise InputError(
            "no test set was found",
            where=title,
            found=f"{len(files):,} files",
            expected="references and outputs of systems",
            remedy=left_out[0][1] if left_out else "Name the folder that holds them, or a manifest.",
        )
    return CampaignPlan(title, tuple(sets), tuple(left_out), tuple(passed_over.items()))


def _head_columns(file: PlannedFile) -> tuple[Column, ...]:
    """The columns of a file; of a plain text those of its first lines."""
    head, is_whole = head_of(file)
    if not is_whole and not _is_plain(file.name):
        return read(file.name, content_of(file))
    if not is_whole:
        head = head[: head.rfind(b"\n") + 1]
    return read(file.name, head)


def _is_plain(name: str) -> bool:
    return name.endswith(".txt")


def planned_of_uploads(files: Sequence[tuple[str, bytes]], *, title: str = "Campaign") -> CampaignPlan:
    """The same of what was dropped: names, with "/" between folders, and bytes, which the plan holds.

    Raises:
        InputError: No test set is found in it.
    """
    return plan_of_files(title, {name: PlannedFile(name, name=name, content=data) for name, data in files})
