"""Counts of texts that were counted once, by the digests of the texts and the signature that they were counted under.

A checkpoint that comes to a test set costs its own lines: those of all others are found here.
"""

import hashlib
import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bleuscope.workspace.cache_files import CacheFiles, DamagedError

KIND = "counts"
FORMAT = 1
"""Raised when the engine counts the same texts under the same signature in another way."""
_TYPES = ("u1", "<u2", "<u4", "<i8")
_LEVEL = 1
_HEAD = 2


class KeptCounts:
    """The counts of a workspace."""

    def __init__(self, caches: CacheFiles) -> None:
        """In one folder."""
        self._caches = caches

    def find(self, key: str, n_segments: int | None = None) -> NDArray[np.int64] | None:
        """Counts (S, C), read-only; ``None`` where none are kept.

        Args:
            key: As ``counts_key`` gives it.
            n_segments: S, where it is known.

        Raises:
            DamagedError: They are not what was written; they are kept no more.
        """
        data = self._caches.find(KIND, key[:2], key)
        return None if data is None else _unpacked(data, n_segments)

    def keep(self, key: str, counts: NDArray[Any]) -> None:
        """Keep counts (S, C), if they are whole numbers.

        Raises:
            WorkspaceError: The disk refuses it.
        """
        if counts.dtype == np.int64 and counts.size:
            self._caches.keep(_packed(counts), KIND, key[:2], key)


def counts_key(hypotheses: str, references: str, signature: str) -> str:
    """What counts are kept under.

    Args:
        hypotheses: The digest of the outputs.
        references: That of all references, in their order.
        signature: Of the metric, with the version of whatever counts.
    """
    told = f"bleuscope counts {FORMAT}\n{hypotheses}\n{references}\n{len(signature)}\n{signature}"
    return hashlib.sha256(told.encode()).hexdigest()


def digest_of_columns(columns: Sequence[Sequence[str | None]]) -> str:
    """SHA-256 of columns of texts in their order; ``None`` is another text than an empty one."""
    state = hashlib.sha256(b"bleuscope columns")
    for column in columns:
        lengths = ",".join("-" if text is None else str(len(text)) for text in column)
        state.update(f"\n{len(column)}\n{lengths}\n".encode())
        state.update("".join(text for text in column if text).encode())
    return state.hexdigest()


def _packed(counts: NDArray[Any]) -> bytes:
    """Column by column, with as few bytes for a number as the largest needs; the first two say which and how many."""
    least, most = int(counts.min()), int(counts.max())
    kind = 3 if least < 0 else next(index for index, one in enumerate(_TYPES) if most <= np.iinfo(one).max)
    columns = np.ascontiguousarray(counts.T, _TYPES[kind])
    return bytes([kind, counts.shape[1]]) + zlib.compress(columns.tobytes(), _LEVEL)


def _unpacked(data: bytes, n_segments: int | None) -> NDArray[np.int64]:
    try:
        numbers = np.frombuffer(zlib.decompress(data[_HEAD:]), _TYPES[data[0]])
        counts = np.ascontiguousarray(numbers.reshape(data[1], -1 if n_segments is None else n_segments).T, np.int64)
    except (zlib.error, ValueError, IndexError) as error:
        raise DamagedError("kept counts are damaged", remedy="They are counted again.") from error
    counts.setflags(write=False)
    return counts
