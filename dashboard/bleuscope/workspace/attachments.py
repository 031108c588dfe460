"""Files that were read beside texts, scores, judgements or labels: their contents, and what was chosen of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import sqlalchemy as sa

from bleuscope.workspace.blobs import Blobs
from bleuscope.workspace.columns import now
from bleuscope.workspace.database import Database
from bleuscope.workspace.disk_usage import Holdings
from bleuscope.workspace.manifests import BLOB, Manifest, Packed, Read, fitting
from bleuscope.workspace.schema import scores

Kind = Literal["scores", "judgements", "words"]


@dataclass(frozen=True)
class KeptBeside:
    """Files beside texts.

    Attributes:
        said: What was chosen of them, as JSON holds it.
        files: Their contents with their names, in order.
    """

    said: Mapping[str, Any]
    files: Sequence[tuple[str, bytes]]


def beside_of(recipe: Manifest, read: Read) -> KeptBeside:
    """The files that a recipe names.

    Raises:
        WorkspaceError: A blob is gone or damaged, or the recipe is none.
    """
    with fitting():
        return KeptBeside(dict(recipe["said"]), [(str(one["name"]), read(one[BLOB])) for one in recipe["files"]])


class Beside:
    """All files beside texts, by the keys with which links name them."""

    def __init__(self, database: Database, blobs: Blobs, holdings: Holdings) -> None:
        """Of one workspace."""
        self._database = database
        self._blobs = blobs
        self._holdings = holdings

    def keep(self, kind: Kind, key: str, kept: KeptBeside) -> None:
        """Keep files under a key, which says all that they are and what was chosen.

        Raises:
            WorkspaceError: The workspace cannot be written, or is full.
        """
        packed = Packed()
        files = [{"name": name, BLOB: packed.add(data)} for name, data in kept.files]
        recipe = {"said": dict(kept.said), "files": files}
        row = {"kind": kind, "key": key, "recipe": recipe, "created_at": now()}
        with self._holdings.placing(packed.contents) as connection:
            made = self._database.insert(scores).values(row)
            connection.execute(made.on_conflict_do_nothing(index_elements=["kind", "key"]))

    def find(self, kind: Kind, key: str) -> KeptBeside | None:
        """The files of a key, if they are kept.

        Raises:
            WorkspaceError: A blob is gone or damaged.
        """
        with self._database.reading() as connection:
            recipe = connection.execute(sa.select(scores.c.recipe).where(*_same(kind, key))).scalar()
        if recipe is None:
            return None
        return beside_of(recipe, self._blobs.read)

    def has(self, kind: Kind, key: str) -> bool:
        """Whether files are kept under a key."""
        with self._database.reading() as connection:
            return connection.execute(sa.select(scores.c.id).where(*_same(kind, key))).first() is not None


def _same(kind: Kind, key: str) -> tuple[sa.ColumnElement[bool], ...]:
    return scores.c.kind == kind, scores.c.key == key
