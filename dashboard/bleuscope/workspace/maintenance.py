"""How large a workspace is, and what can go."""

from dataclasses import dataclass
from datetime import timedelta
from types import MappingProxyType
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from bleuscope.registry import features
from bleuscope.workspace import counts as kept_counts
from bleuscope.workspace import reserve
from bleuscope.workspace.cache_files import Room
from bleuscope.workspace.columns import now
from bleuscope.workspace.errors import UnwritableError
from bleuscope.workspace.events import note_event
from bleuscope.workspace.leftovers import clear_restores
from bleuscope.workspace.people import Person
from bleuscope.workspace.schema import (
    comparison,
    note,
    opening,
    project,
    result,
    system,
    test_set,
    token,
    trial,
    version,
)
from bleuscope.workspace.workspace import Workspace

DAYS_OF_TOKENS = 30
"""A token that ended so long ago is forgotten."""
KINDS_OF_CACHES = MappingProxyType(
    {"kept counts": kept_counts.KIND} | {called: kind for one in features() for called, kind in one.caches.items()}
)
"""What can be computed again: what it is called, and the folder that it is in."""


@dataclass(frozen=True)
class Info:
    """What a workspace holds.

    Attributes:
        place: Where it is.
        schema: Its revision.
        database_bytes: Of all rows.
        texts_bytes: Of all blobs, compressed.
        counts: How many rows of each kind, by what they are called.
        n_blobs: How many contents.
        caches: What can be computed again, by what it is called.
        obstacle: Why nothing can be written; ``None`` where writing works.
    """

    place: str
    schema: str
    database_bytes: int
    texts_bytes: int
    counts: dict[str, int]
    n_blobs: int
    caches: dict[str, Room]
    obstacle: str | None = None


@dataclass(frozen=True)
class Pruned:
    """What was taken away, or would be.

    Attributes:
        n_comparisons: Comparisons that nobody opened for long.
        n_versions: Versions beyond those that are kept of each system.
        n_tokens: Tokens that ended long ago.
        caches: Files of what can be computed again.
        n_blobs: Texts that nothing named any more.
        n_bytes: The room of these.
        is_shrunk: Whether the database gave back the room of its rows.
    """

    n_comparisons: int
    n_versions: int
    n_tokens: int
    caches: Room
    n_blobs: int = 0
    n_bytes: int = 0
    is_shrunk: bool = True


def info(workspace: Workspace) -> Info:
    """What a workspace holds.

    Raises:
        WorkspaceError: It cannot be read.
    """
    tables = {
        "comparisons": comparison,
        "notes": note,
        "blind comparisons": trial,
        "projects": project,
        "test sets": test_set,
        "systems": system,
        "versions": version,
    }
    with workspace.database.reading() as connection:
        counts = {
            name: connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one()
            for name, table in tables.items()
        }
    blobs, obstacle = list(workspace.blobs.all()), workspace.database.obstacle
    return Info(
        workspace.place.shown,
        workspace.database.revision() or "",
        workspace.database.n_bytes(),
        workspace.blobs.n_bytes(blobs),
        counts,
        len(blobs),
        {called: workspace.caches.room(kind) for called, kind in KINDS_OF_CACHES.items()},
        None if obstacle is None else obstacle.problem,
    )


def prune(
    workspace: Workspace,
    person: Person,
    *,
    unopened_days: int | None = None,
    most_versions: int | None = None,
    most_cache_bytes: int | None = None,
    is_trial: bool = False,
) -> Pruned:
    """Take away what is not needed any more, and give its room back to the disk.

    Args:
        workspace: The workspace.
        person: Who does it.
        unopened_days: Comparisons that nobody opened for so many days go, and what can be computed again and was not
            used for as long.
        most_versions: Of each system on each test set so many of the newest stay, with those that have a tag and the
            one with the best score.
        most_cache_bytes: So much room may be taken by what can be computed again.
        is_trial: Only tell what would go.

    Raises:
        WorkspaceError: The workspace cannot be written.
    """
    caches = workspace.caches.prune(unused_days=unopened_days, most_bytes=most_cache_bytes, is_trial=is_trial)
    asked = workspace.database.reading() if is_trial else workspace.database.writing()
    with asked as connection:
        old = [] if unopened_days is None else _unopened(connection, unopened_days)
        beyond = [] if most_versions is None else _beyond(connection, most_versions)
        ended = _ended_tokens(connection)
        if not is_trial:
            for table, keys in ((comparison, old), (version, beyond), (token, ended)):
                for key in keys:
                    connection.execute(sa.delete(table).where(table.c.id == key))
            said = {"comparisons": len(old), "versions": len(beyond)}
            note_event(connection, person, None, "workspace pruned", said)
    counts = (len(old), len(beyond), len(ended))
    if is_trial:
        return Pruned(*counts, caches)
    clear_restores(workspace.place.folder)
    swept = workspace.holdings.sweep()
    is_shrunk = True
    try:
        workspace.database.shrink()
    except UnwritableError:  # it is written anew for that, which takes as much room as it has
        is_shrunk = False
    reserve.keep(workspace.place.folder)
    return Pruned(*counts, caches, swept.n_blobs, swept.n_bytes, is_shrunk)


def _unopened(connection: Connection, days: int) -> list[int]:
    since = now() - timedelta(days=days)
    recent = sa.select(opening.c.comparison_id).where(opening.c.opened_at >= since)
    old = sa.select(comparison.c.id).where(comparison.c.created_at < since, comparison.c.id.not_in(recent))
    return list(connection.execute(old).scalars())


def _beyond(connection: Connection, most: int) -> list[int]:
    """Versions that are not among the newest, have no tag, and are not the best of their system.

    The runs of a version are one version: they stay or go together.
    """
    of = (version.c.system_id, version.c.test_set_id)
    score = (
        sa.select(sa.func.max(result.c.score))
        .where(result.c.digest == version.c.digest, result.c.test_set_id == version.c.test_set_id)
        .scalar_subquery()
    )
    newest_first = (sa.func.coalesce(version.c.step, -1).desc(), version.c.pushed_at.desc(), version.c.id.desc())
    rank = sa.func.row_number().over(partition_by=of, order_by=(sa.func.coalesce(score, -1).desc(), version.c.id))
    asked = sa.select(*of, version.c.id, version.c.label, version.c.tags, score.label("score"), rank.label("rank"))
    systems: dict[tuple[int, int], dict[str, list[Any]]] = {}
    for row in connection.execute(asked.order_by(*of, *newest_first)):
        systems.setdefault((row.system_id, row.test_set_id), {}).setdefault(row.label, []).append(row)
    old = [runs for labels in systems.values() for runs in list(labels.values())[most:]]
    return [row.id for runs in old if not any(map(_stays, runs)) for row in runs]


def _stays(row: Any) -> bool:  # noqa: ANN401  # a row of these columns
    """Whether a version has a tag, or is the best of its system."""
    return bool(row.tags) or (row.rank == 1 and row.score is not None)


def _ended_tokens(connection: Connection) -> list[int]:
    since = now() - timedelta(days=DAYS_OF_TOKENS)
    ended = sa.or_(token.c.expires_at < since, token.c.revoked_at < since)
    return list(connection.execute(sa.select(token.c.id).where(ended)).scalars())
