"""A column of texts as bytes, and back: what blobs of texts hold.

UTF-8, one JSON string a line, ``null`` where there is no text: a person can read it, and texts may hold line breaks.
Equal columns have equal bytes.
"""

import hashlib
import json
from collections.abc import Sequence

from bleuscope.workspace.errors import WorkspaceError

_BETWEEN = ",\n"
_HEAD, _TAIL = "[\n", "\n]\n"


def written(column: Sequence[str | None]) -> bytes:
    """The bytes of S texts."""
    lines = map(_encoder, column)
    return (_HEAD + _BETWEEN.join(lines) + _TAIL).encode()


def read(data: bytes, place: str) -> tuple[str | None, ...]:
    """The S texts of what ``written`` gave.

    Raises:
        WorkspaceError: It is something else.
    """
    try:
        found = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise _not_texts(place) from error
    if not isinstance(found, list) or not all(text is None or isinstance(text, str) for text in found):
        raise _not_texts(place)
    return tuple(found)


def digest_of(data: bytes) -> str:
    """SHA-256 of bytes, in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def _not_texts(place: str) -> WorkspaceError:
    return WorkspaceError(
        "this is no column of texts",
        where=place,
        remedy="The workspace was changed by hand or by a fault of the disk: restore it from a backup.",
    )


_encoder = json.JSONEncoder(ensure_ascii=False).encode
