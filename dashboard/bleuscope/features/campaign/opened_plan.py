"""The campaign that the dashboard opens on, and what its files hold."""

import hashlib
import os
from collections.abc import Hashable
from dataclasses import replace
from pathlib import Path

from bleucore.formats.campaign_plan import CampaignPlan, PlannedFile, PlannedSet
from bleuscope.content.comparison.inputs import Inputs
from bleuscope.features.campaign.contents import digest_of_pieces
from bleuscope.features.campaign.opened_places import is_address

CAMPAIGN_VARIABLE, ALIGNS_VARIABLE = "BLEUSCOPE_CAMPAIGN", "BLEUSCOPE_CAMPAIGN_ALIGNS"


def campaign_to_environment(path: str | None, *, aligns: bool = False) -> None:
    """Leave which campaign to open for the dashboard's script, which runs in the same process.

    Args:
        path: Where it is; ``None`` for none.
        aligns: Whether outputs in other lines than the references are cut anew.
    """
    if aligns:
        os.environ[ALIGNS_VARIABLE] = "1"
    else:
        os.environ.pop(ALIGNS_VARIABLE, None)
    if path is None:
        os.environ.pop(CAMPAIGN_VARIABLE, None)
    else:
        os.environ[CAMPAIGN_VARIABLE] = path


def campaign_from_environment() -> str | None:
    """What ``campaign_to_environment`` left."""
    return os.environ.get(CAMPAIGN_VARIABLE)


def aligns_from_environment() -> bool:
    """Whether it left that outputs are cut anew."""
    return ALIGNS_VARIABLE in os.environ


def digest_of(plan: CampaignPlan) -> str:
    """SHA-256 of the names of a campaign's sets and systems, and of the content of every file, read now.

    Raises:
        InputError: A file cannot be read.
    """
    state = hashlib.sha256(b"bleuscope campaign")
    if plan.runs:
        state.update(f"\nruns {plan.runs}".encode(errors="surrogateescape"))
    digests: dict[str, str] = {}
    for one in plan.sets:
        state.update(
            f"\n{len(one.name)} {one.name} {one.languages} {one.domain} {one.tokenizer} {one.test_set}"
            f"{' aligned' * one.aligns}".encode()
        )
        for role, name, file in _files(one):
            if file.content is not None:
                digest = hashlib.sha256(file.content).hexdigest()
            else:  # of an archive once, not of each file in it
                digest = digests.get(file.path) or digest_of_pieces(replace(file, members=()))
                digests[file.path] = digest
            told = f"\n{role} {len(name)} {name} {file.members} {file.column} {digest}"
            state.update(told.encode(errors="surrogateescape"))
    return state.hexdigest()


def stamp_of(path: str, plan: CampaignPlan) -> Hashable:
    """What changes when a file of a campaign does, or one comes or goes: names, sizes and times; ``None`` at addresses.

    Args:
        path: Where the campaign is.
        plan: As it was planned there: a manifest names files anywhere.
    """
    if is_address(path):
        return None
    beneath = (Path(place) / name for place, _, names in os.walk(path) for name in names)
    named = (Path(file.path) for one in plan.sets for file in one.files if not is_address(file.path))
    return frozenset((str(file), *_size_and_time(file)) for file in (Path(path), *beneath, *named))


def _size_and_time(file: Path) -> tuple[int, int]:
    try:
        found = file.stat()
    except OSError:
        return (0, 0)
    return found.st_size, found.st_mtime_ns


def inputs_of_set(planned: PlannedSet) -> Inputs:
    """How a command would name the files of a set; not complete, because the names of systems are the campaign's."""
    name, pair = planned.test_set or (None, None)
    named = Inputs(
        is_complete=False, encoding=planned.encoding, test_set=name, language_pair=pair, aligns=planned.aligns
    )
    if any(file.members or file.column or file.content is not None for file in planned.files):
        return named
    return replace(
        named,
        systems=tuple(file.path for file in planned.systems.values()),
        references=tuple(file.path for file in planned.references.values()),
        source=None if planned.source is None else planned.source.path,
        documents=None if planned.documents is None else planned.documents.path,
        labels=tuple(file.path for file in planned.labels.values()),
    )


def _files(one: PlannedSet) -> list[tuple[str, str, PlannedFile]]:
    single = [(role, role, file) for role, file in (("source", one.source), ("documents", one.documents)) if file]
    several = (("reference", one.references), ("label", one.labels), ("system", one.systems))
    return [*single, *((role, name, file) for role, files in several for name, file in files.items())]
