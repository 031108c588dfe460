"""A project of the workspace as a campaign: each of its test sets, with the newest version of each system.

Every run of that version is a system, with a name that tells so.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from bleucore import InputError
from bleucore.formats.campaign_names import natural
from bleucore.formats.campaign_plan import CampaignPlan, PlannedFile, PlannedSet
from bleucore.formats.run_names import run_called
from bleucore.written_numbers import counted
from bleuscope.features.campaign.sets import domains_of, open_set
from bleuscope.features.campaign.tokenizers import tokenizer_for
from bleuscope.workspace.manifests import BLOB
from bleuscope.workspace.projects import KeptTestSet, KeptVersion, Project
from bleuscope.workspace.workspace import Workspace

FIRST_RUN = "0"
"""The name of a run that was pushed without one."""


def plan_of_project(workspace: Workspace, project: Project) -> CampaignPlan:
    """The test sets of a project that have versions. Whoever asks may read the project.

    Raises:
        InputError: No test set has a version.
    """
    sets: list[PlannedSet] = []
    left_out: list[tuple[str, str]] = []
    for kept in workspace.projects.test_sets(project):
        newest = _newest(workspace.projects.versions(project, kept))
        if not newest:
            left_out.append((kept.name, f"{kept.name}: no version was pushed for it."))
            continue
        sets.append(_planned(workspace, project, kept, newest))
    if not sets:
        raise InputError(
            "no test set of the project has a version",
            where=project.title,
            found=counted(len(left_out), "test set"),
            remedy="Push outputs to it first.",
        )
    return CampaignPlan(project.title, tuple(sorted(sets, key=lambda one: natural(one.name))), tuple(left_out))


def _newest(versions: Sequence[KeptVersion]) -> dict[str, str]:
    """The digest of the newest version of each system, of versions oldest first; of several runs, that of each."""
    grouped: dict[tuple[str, str], list[KeptVersion]] = {}
    for one in versions:
        grouped.setdefault((one.system, one.label), []).append(one)
    of_systems = {system: runs for (system, _), runs in grouped.items()}
    return {
        system if len(runs) == 1 else run_called(system, one.run or FIRST_RUN): one.digest
        for system, runs in of_systems.items()
        for one in runs
    }


def _planned(workspace: Workspace, project: Project, kept: KeptTestSet, newest: dict[str, str]) -> PlannedSet:
    def file(what: str, digest: str) -> PlannedFile:
        path = workspace.projects.file_of(digest)
        return PlannedFile(str(path), name=f"{project.slug}/{kept.name}/{what}", form="texts of the workspace")

    def single(what: str) -> PlannedFile | None:
        said: dict[str, Any] | None = kept.manifest[what]
        return None if said is None else file(what, said[BLOB])

    planned = PlannedSet(
        kept.name,
        kept.languages,
        None,
        single("source"),
        {one["name"]: file(one["name"], one[BLOB]) for one in kept.manifest["references"]},
        single("documents"),
        {one["name"]: file(one["name"], one[BLOB]) for one in kept.manifest["labels"]},
        {system: file(system, digest) for system, digest in sorted(newest.items(), key=lambda item: natural(item[0]))},
    )
    one_system = replace(planned, systems=dict(list(planned.systems.items())[:1]))
    return replace(planned, domain=domains_of(planned), tokenizer=tokenizer_for(open_set(one_system).references))
