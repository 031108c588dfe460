"""The sample project: the sample comparison as versions over time, pushed only when somebody asks for it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import numpy as np

from bleucore.corpus import TestSet
from bleucore.errors import InputError
from bleuscope.shell.disk.files import load_sample
from bleuscope.workspace import Workspace
from bleuscope.workspace.errors import NotFoundError
from bleuscope.workspace.people import Person
from bleuscope.workspace.projects import NewVersion
from bleuscope.workspace.push_payload import Parcel, given_texts
from bleuscope.workspace.push_service import keep

SLUG, TITLE, TEST_SET, TAG = "sample-project", "Sample project", "sample", "invented"
FIRST_DAY, DAYS_APART = datetime(2026, 1, 5, 9, tzinfo=UTC), 7
SEED = 17
MOST_TRIES = 99


@dataclass(frozen=True)
class _Version:
    """A version: each of its segments is from one of two systems of the sample.

    Attributes:
        system: The name of its system.
        label: Its own name.
        older: The system of the sample that it begins with.
        newer: The one that it comes to.
        share: How many of its segments are from the newer one, of all.
        step: Of training.
    """

    system: str
    label: str
    older: str
    newer: str
    share: float
    step: int | None = None


_VERSIONS = (
    _Version("neural", "10k", "neural-10k", "neural-10k", 1, 10_000),
    _Version("neural", "15k", "neural-10k", "neural-20k", 0.5, 15_000),
    _Version("neural", "20k", "neural-20k", "neural-20k", 1, 20_000),
    _Version("neural", "30k", "neural-20k", "neural-40k", 0.5, 30_000),
    _Version("neural", "40k", "neural-40k", "neural-40k", 1, 40_000),
    _Version("online", "January", "literal", "online", 0.6),
    _Version("online", "February", "literal", "online", 0.8),
    _Version("online", "March", "online", "online", 1),
    _Version("assistant", "v1", "fluent", "assistant", 0.5),
    _Version("assistant", "v2", "assistant", "assistant", 1),
)


def make(workspace: Workspace, person: Person) -> str:
    """The slug of the sample project of a person, made now unless it is there.

    Raises:
        InputError: The workspace cannot be written, or every name that it could have is taken.
    """
    slug = _free_slug(workspace, person)
    workspace.projects.make(slug, person, TITLE)
    texts = load_sample().test_set
    told, generator = given_texts(texts), np.random.default_rng(SEED)
    for week, one in enumerate(_VERSIONS):
        outputs = _mixed(texts, one, generator)
        made_at = FIRST_DAY + timedelta(days=DAYS_APART * week)
        version = NewVersion(one.system, one.label, outputs, one.step, made_at, tags=(TAG,))
        keep(workspace, Parcel(slug, TEST_SET, version, told), person)
    return slug


def is_sample(workspace: Workspace, slug: str) -> bool:
    """Whether a project is a sample as it was made: nobody pushed anything else to it."""
    try:
        project = workspace.projects.find(slug)
        versions = workspace.projects.versions(project)
    except InputError:
        return False
    return slug.startswith(SLUG) and project.title == TITLE and all(TAG in one.tags for one in versions)


def _free_slug(workspace: Workspace, person: Person) -> str:
    """The name of the person's own sample project, or one that nobody has."""
    visible = {one.slug for one in workspace.access.visible(person)}
    for number in range(1, MOST_TRIES + 1):
        slug = SLUG if number == 1 else f"{SLUG}-{number}"
        if slug in visible and is_sample(workspace, slug):
            return slug
        try:
            workspace.projects.find(slug)
        except NotFoundError:
            return slug
    raise InputError(
        "every name of a sample project is taken",
        where="The workspace",
        found=f"{SLUG} to {SLUG}-{MOST_TRIES}",
        expected="a free name",
        remedy="Remove a sample project first.",
    )


def _mixed(texts: TestSet, one: _Version, generator: np.random.Generator) -> Sequence[str]:
    outputs = {system.name: system.hypotheses for system in texts.systems}
    both = zip(outputs[one.older], outputs[one.newer], strict=True)
    return [newer if generator.random() < one.share else older for older, newer in both]
