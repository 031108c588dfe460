"""The rows of a table as lines of JSON, and back: every value is looked at before a database gets it."""

import base64
import binascii
import json
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, TypeDecorator

from bleuscope.workspace.columns import Json, Moment, written_moment
from bleuscope.workspace.errors import WorkspaceError
from bleuscope.workspace.schema import metadata

ROWS_AT_ONCE = 500
_BYTES = "base64"
_LARGEST = 2**63 - 1
_SHOWN = 60
_LISTS = ("names", "tags")
"""Columns whose JSON is a list; that of all others is an object."""
Refusal = Callable[[str, str | None, int | None], WorkspaceError]
"""Makes the error from what was found, what was expected, and the line."""


class _RowError(Exception):
    """A row that is none: what was found, and what was expected."""

    def __init__(self, found: str, expected: str) -> None:
        self.found, self.expected = found, expected
        super().__init__(found)


def written_rows(connection: Connection, table: sa.Table) -> Iterator[bytes]:
    """A line for each row, in the order of its key."""
    for row in connection.execute(sa.select(table).order_by(*table.primary_key.columns)).mappings():
        yield json.dumps({name: _told(value) for name, value in row.items()}).encode() + b"\n"


def insert_rows(connection: Connection, table: sa.Table, lines: Iterable[bytes], refusal: Refusal) -> None:
    """Put rows into a table.

    Raises:
        WorkspaceError: A line is no row of it.
    """
    batch: list[dict[str, object]] = []
    for number, line in enumerate(lines, 1):
        try:
            batch.append(_row(line, table))
        except _RowError as error:
            raise refusal(error.found, error.expected, number) from error
        if len(batch) == ROWS_AT_ONCE:
            _insert(connection, table, batch, number, refusal)
            batch = []
    _insert(connection, table, batch, number if batch else 0, refusal)


def refuse_meaningless(connection: Connection, refusal: Callable[[str, str, str], WorkspaceError]) -> None:
    """Refuse rows with values that no column of theirs can mean, though the database takes them.

    Args:
        connection: To a database of this program's schema.
        refusal: Makes the error from the name of the table, what was found, and what was expected.

    Raises:
        WorkspaceError: There is one.
    """
    for table in metadata.sorted_tables:
        columns = [column for column in table.columns if isinstance(column.type, TypeDecorator)]
        plain = sa.table(table.name, *(sa.column(column.name) for column in table.columns))
        for row in connection.execute(sa.select(plain)).mappings():
            for column in columns:
                expected = _misses(column, row[column.name], connection.dialect)
                if expected is not None:
                    key = ", ".join(f"{one.name} {row[one.name]}" for one in table.primary_key.columns)
                    raise refusal(table.name, f"{_short(row[column.name])} in {column.name} of {key}", expected)


def _misses(column: sa.Column[Any], value: str | None, dialect: sa.Dialect) -> str | None:
    """What a value ought to be; ``None`` if it is that."""
    if value is None:
        return None
    expected = "a text as bleuscope writes it"
    try:
        if isinstance(column.type, Json):
            kind, expected = (list, "a JSON list") if column.name in _LISTS else (dict, "a JSON object")
            return None if isinstance(json.loads(value), kind) else expected
        if isinstance(column.type, Moment):
            expected = "a moment in UTC"
            return None if written_moment(datetime.fromisoformat(value)) == value else expected
        column.type.process_result_value(value, dialect)  # type: ignore[attr-defined]  # of a decorator
    except (ValueError, RecursionError, OverflowError):
        return expected
    return None


def _insert(
    connection: Connection, table: sa.Table, rows: list[dict[str, object]], last: int, refusal: Refusal
) -> None:
    """Put rows into a table; where the database refuses one, find which."""
    if not rows or _is_inserted(connection, table, rows):
        return
    for number, row in enumerate(rows, last - len(rows) + 1):
        try:
            with connection.begin_nested():
                connection.execute(sa.insert(table), row)
        except (sa.exc.IntegrityError, sa.exc.DataError) as error:
            raise refusal(str(error.orig).splitlines()[0], "a row that fits the others", number) from error


def _is_inserted(connection: Connection, table: sa.Table, rows: list[dict[str, object]]) -> bool:
    try:
        with connection.begin_nested():
            connection.execute(sa.insert(table), rows)
    except (sa.exc.IntegrityError, sa.exc.DataError):
        return False
    return True


def _row(line: bytes, table: sa.Table) -> dict[str, object]:
    row = _object(line)
    for names, called in (
        (row.keys() - table.columns.keys(), "an unknown column"),
        (table.columns.keys() - row.keys(), "a row without the column"),
    ):
        if names:
            raise _RowError(f"{called} {_short(min(names))}", f"the columns of {table.name}")
    return {name: _meant(row[name], column) for name, column in table.columns.items()}


def _object(line: bytes) -> dict[str, Any]:
    try:
        found = json.loads(line, object_pairs_hook=_without_repeats)
    except (ValueError, RecursionError) as error:
        raise _RowError(_short(line[:_SHOWN].decode(errors="replace")), "a JSON object") from error
    if not isinstance(found, dict):
        raise _RowError(_short(found), "a JSON object")
    return found


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name twice")
    return found


def _meant(value: object, column: sa.Column[Any]) -> object:
    """A value as the database takes it."""
    if value is None:
        if not column.nullable:
            raise _RowError(f"null in the column {column.name}", "a value")
        return None
    for kind, expected, make in (
        (sa.Integer, "a whole number of 64 bits", _integer),
        ((sa.Numeric, sa.Float), "a number", _number),
        (sa.LargeBinary, 'bytes as {"base64": …}', _content),
        (sa.String, "a text without NUL or half characters", _text),
    ):
        if isinstance(column.type, kind):
            try:
                return make(value)
            except (ValueError, OverflowError) as error:
                raise _RowError(f"{_short(value)} in the column {column.name}", expected) from error
    raise TypeError(f"{column} has no type that a backup knows")


def _integer(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not -_LARGEST <= value <= _LARGEST:
        raise ValueError
    return value


def _number(value: object) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise ValueError  # noqa: TRY004  # as above
    return float(value)


def _text(value: object) -> str:
    if not isinstance(value, str) or "\0" in value:
        raise ValueError
    value.encode()
    return value


def _content(value: object) -> bytes:
    if not isinstance(value, dict) or value.keys() != {_BYTES} or not isinstance(value[_BYTES], str):
        raise ValueError
    try:
        return base64.b64decode(value[_BYTES], validate=True)
    except binascii.Error as error:
        raise ValueError from error


def _told(value: object) -> object:
    """A value as JSON holds it."""
    return {_BYTES: base64.b64encode(value).decode()} if isinstance(value, bytes) else value


def _short(value: object) -> str:
    is_huge = isinstance(value, int) and abs(value) > _LARGEST
    told = "a huge number" if is_huge else ascii(value)
    return told if len(told) <= _SHOWN else f"{told[:_SHOWN]}…"
