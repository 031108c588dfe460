"""What the JSON of a backup's rows has to hold so that it can be used, whatever else it is."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from bleucore.annotation.events import from_json
from bleucore.corpus import System
from bleuscope.workspace import schema, texts
from bleuscope.workspace.attachments import beside_of
from bleuscope.workspace.comparisons import comparison_of
from bleuscope.workspace.errors import WorkspaceError
from bleuscope.workspace.manifests import fitting, test_set_of

Refusal = Callable[[str, str, str], WorkspaceError]
"""Makes the error from the name of the table, what was found, and what was expected."""
_TEXT = "x"


def refuse_unusable(connection: Connection, refusal: Refusal) -> None:
    """Refuse rows whose JSON is not what the program reads there.

    Args:
        connection: To a database of this program's schema, in which every value is what its column can mean.
        refusal: Makes the error.

    Raises:
        WorkspaceError: There is one.
    """
    for (table, column), use in _USED.items():
        keys = list(schema.metadata.tables[table].primary_key.columns)
        for row in connection.execute(sa.select(*keys, schema.metadata.tables[table].c[column])):
            try:
                with fitting():
                    use(row[-1])
            except WorkspaceError as error:
                key = ", ".join(f"{one.name} {value}" for one, value in zip(keys, row, strict=False))
                raise refusal(table, f"{column} of {key}: {error.found}", "what bleuscope writes there") from error


def _line(_digest: str) -> bytes:
    """One line instead of each text: whether texts fit together in length is seen when they are opened."""
    return texts.written([_TEXT])


def _comparison(manifest: dict[str, Any]) -> None:
    comparison_of(manifest, "", "", _line)


def _test_set(manifest: dict[str, Any]) -> None:
    test_set_of(manifest, [System(_TEXT, [_TEXT])], _line)


def _recipe(recipe: dict[str, Any]) -> None:
    beside_of(recipe, _line)


def _preferences(said: dict[str, Any]) -> None:
    for segment, preference in said.items():
        if int(segment) < 0 or not isinstance(preference, str):
            raise ValueError(f"{segment!r}: {preference!r}"[:_SHOWN])


def _names(said: list[Any]) -> None:
    for one in said:
        if not isinstance(one, str):
            raise TypeError(repr(one)[:_SHOWN])


def _annotation(body: dict[str, Any]) -> None:
    from_json(body)


_SHOWN = 60
_USED: Mapping[tuple[str, str], Callable[[Any], None]] = MappingProxyType(
    {
        ("comparison", "manifest"): _comparison,
        ("test_set", "manifest"): _test_set,
        ("scores", "recipe"): _recipe,
        ("trial", "preferences"): _preferences,
        ("chosen", "names"): _names,
        ("version", "tags"): _names,
        ("annotation_event", "body"): _annotation,
    }
)
"""What uses the JSON of each column, and fails where that cannot be used."""
