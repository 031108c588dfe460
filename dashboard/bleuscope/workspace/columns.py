"""Types of columns that SQLite's strict tables and PostgreSQL both have, with what Python makes of them."""

import json
import re
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import BigInteger, Dialect, Integer, Text, TypeDecorator
from sqlalchemy.dialects.sqlite import REAL
from sqlalchemy.types import Double, TypeEngine

Id = BigInteger().with_variant(Integer, "sqlite")
"""A whole number of 64 bits; SQLite numbers rows only where the type is called INTEGER."""
Real: TypeEngine[float] = Double().with_variant(REAL, "sqlite")
"""A number of 64 bits."""


class Moment(TypeDecorator[datetime]):
    """A moment in UTC, to the microsecond, as a text that sorts by time."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> str | None:  # noqa: ARG002  # the form
        """The text of a moment, which has to know its offset from UTC."""
        if value is None:
            return None
        return written_moment(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """The moment of a text."""
        return None if value is None else datetime.fromisoformat(value)


class Typed(TypeDecorator[str]):
    """A text as somebody typed it: what no database takes, a half character or a NUL, stands escaped in it."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002
        """The text with escapes."""
        if value is None:
            return None
        return _HALF.sub(lambda half: f"\\u{ord(half[0]):04x}", json.dumps(value, ensure_ascii=False)[1:-1])

    def process_result_value(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002
        """The text as it was typed."""
        return None if value is None else str(json.loads(f'"{value}"', strict=False))


class Json(TypeDecorator[Any]):
    """What JSON holds, as a text: one form on all databases."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str:  # noqa: ANN401, ARG002  # any JSON
        """The text, keys in order, half characters as escapes."""
        return json.dumps(value, sort_keys=True, separators=(",", ":"))

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:  # noqa: ANN401, ARG002
        """What the text says."""
        return None if value is None else json.loads(value)


_HALF = re.compile("[\ud800-\udfff]")


def written_moment(moment: datetime) -> str:
    """As in "2026-11-23T08:15:00.000000+00:00".

    Raises:
        ValueError: It does not know its offset from UTC.
    """
    if moment.tzinfo is None:
        raise ValueError("a moment without its offset from UTC")
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


def now() -> datetime:
    """This moment."""
    return datetime.now(UTC)
