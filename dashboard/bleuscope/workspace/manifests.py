"""A test set as a manifest, what JSON holds, beside the contents of its blobs; and back.

In a manifest a blob is named wherever an object has the key ``blob``.
"""

import contextlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bleucore.corpus import ITEM_LABEL, System, TestSet, repeated_items
from bleucore.counts import Ints
from bleucore.errors import InputError
from bleuscope.workspace import texts
from bleuscope.workspace.errors import WorkspaceError

Manifest = dict[str, Any]
Read = Callable[[str], bytes]
BLOB = "blob"


@dataclass(frozen=True)
class References:
    """What outputs are scored against.

    Attributes:
        columns: R columns of S texts, ``None`` where a segment lacks that reference.
        documents: The document of each segment, where they are known.
        items: The item of each segment, (S,), where rows repeat; as ``TestSet.items``.
    """

    columns: tuple[tuple[str | None, ...], ...]
    documents: tuple[str, ...] | None
    items: Ints | None = None


class Packed:
    """What a manifest names: contents by their digest, each once."""

    def __init__(self) -> None:
        self.contents: dict[str, bytes] = {}

    def add(self, content: bytes) -> str:
        """Take a content; its digest."""
        digest = texts.digest_of(content)
        self.contents[digest] = content
        return digest

    def column(self, column: Sequence[str | None], **said: object) -> Manifest:
        """A column of texts, with what is said of it."""
        return {**said, BLOB: self.add(texts.written(column))}


def manifest_of(test_set: TestSet, packed: Packed) -> Manifest:
    """The manifest of texts with their systems.

    Args:
        test_set: The texts.
        packed: Gets their contents.
    """
    systems = [packed.column(one.hypotheses, name=one.name, file=one.file) for one in test_set.systems]
    return {"systems": systems, **manifest_of_references(test_set, packed)}


def manifest_of_references(test_set: TestSet, packed: Packed) -> Manifest:
    """The same without systems: what versions are scored against."""
    names, files = test_set.reference_names or (), test_set.reference_files or ()
    return {
        "references": [
            packed.column(column, name=name, file=file)
            for column, name, file in zip(test_set.references, names, files, strict=True)
        ],
        "source": None if test_set.source is None else packed.column(test_set.source),
        "documents": None if test_set.documents is None else packed.column(test_set.documents),
        "labels": [packed.column(column, name=name) for name, column in sorted(test_set.labels.items())],
        "languages": list(test_set.languages),
    }


def texts_digest(manifest: Manifest) -> str:
    """SHA-256 of what scores of a manifest without systems depend on: its texts, not their names.

    Raises:
        WorkspaceError: The manifest is none.
    """
    with fitting():
        columns = [manifest["source"], manifest["documents"]]
        content = {
            "references": [one[BLOB] for one in manifest["references"]],
            "beside": [None if one is None else one[BLOB] for one in columns],
            "labels": [[one["name"], one[BLOB]] for one in manifest["labels"]],
        }
    return texts.digest_of(json.dumps(content, sort_keys=True).encode())


def blobs_in(found: object) -> Iterator[str]:
    """The digests of all blobs that a manifest names."""
    if isinstance(found, Mapping):
        if isinstance(found.get(BLOB), str):
            yield found[BLOB]
        for one in found.values():
            yield from blobs_in(one)
    elif isinstance(found, list):
        for one in found:
            yield from blobs_in(one)


def test_set_of(manifest: Manifest, systems: Sequence[System], read: Read) -> TestSet:
    """The texts of a manifest with systems.

    Args:
        manifest: What ``manifest_of_references`` made, or ``manifest_of``.
        systems: To be scored.
        read: Gives the content of a blob.

    Raises:
        WorkspaceError: A blob is gone or damaged, or the manifest is none.
    """
    with fitting():
        references = manifest["references"]
        source, documents = manifest["source"], manifest["documents"]
        languages = manifest["languages"]
        return TestSet(
            systems,
            [column_of(one, read) for one in references],
            None if source is None else _whole(source, read),
            None if documents is None else _whole(documents, read),
            {one["name"]: _whole(one, read) for one in manifest["labels"]},
            [one["name"] for one in references],
            [one["file"] for one in references],
            (languages[0], languages[1]),
            are_lines=True,
        )


def references_of(manifest: Manifest, read: Read) -> References:
    """The references of a manifest, with its documents and items.

    Raises:
        WorkspaceError: A blob is gone or damaged, or the manifest is none.
    """
    with fitting():
        source, documents = (
            None if manifest[name] is None else _whole(manifest[name], read) for name in ("source", "documents")
        )
        columns = tuple(column_of(one, read) for one in manifest["references"])
        given = next((_whole(one, read) for one in manifest["labels"] if one["name"] == ITEM_LABEL), None)
        return References(columns, documents, repeated_items(columns, source, given))


def systems_of(manifest: Manifest, read: Read) -> list[System]:
    """The systems of a manifest that has some.

    Raises:
        WorkspaceError: A blob is gone or damaged, or the manifest has none.
    """
    with fitting():
        return [System(one["name"], _whole(one, read), one["file"]) for one in manifest["systems"]]


@contextlib.contextmanager
def fitting() -> Iterator[None]:
    """Say of a manifest that is read in the block, and is none, what is wrong.

    Raises:
        WorkspaceError: It is none.
    """
    try:
        yield
    except WorkspaceError:
        raise
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, InputError) as error:
        raise _does_not_fit(error) from error


def column_of(said: Manifest, read: Read) -> tuple[str | None, ...]:
    """The texts of a column.

    Raises:
        WorkspaceError: The blob is gone or damaged.
    """
    return texts.read(read(said[BLOB]), f"blob {said[BLOB]}")


def _whole(said: Manifest, read: Read) -> tuple[str, ...]:
    return tuple(text or "" for text in column_of(said, read))


def _does_not_fit(error: Exception) -> WorkspaceError:
    return WorkspaceError(
        "what is kept of these texts does not fit together",
        found=str(error),
        remedy="The workspace was changed by hand or by a newer program: restore it from a backup.",
    )
