"""Scores on the disk, a file for each batch: whole or not there, and found by what was scored."""

import json
import os
from contextlib import suppress
from pathlib import Path

from bleucore.metrics.segment_scores import LARGEST_SCORE

_PART = ".part"


class SavedScores:
    """What a metric scored.

    Args:
        folder: Of this metric alone.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def find(self, digest: str, n_scores: int) -> list[float] | None:
        """The scores of a batch; ``None`` if they are not there, or damaged."""
        try:
            found = json.loads(self._file(digest).read_bytes(), parse_constant=_refuse)
        except (OSError, ValueError, RecursionError):
            return None
        is_whole = isinstance(found, list) and len(found) == n_scores and all(map(is_score, found))
        return [float(one) for one in found] if is_whole else None

    def has(self, digest: str) -> bool:
        """Whether the scores of a batch are there, whole or damaged."""
        return is_there(self._file(digest))

    def keep(self, digest: str, scores: list[float]) -> None:
        """Keep the scores of a batch: a reader, or a machine that loses its power, finds all of them or none.

        Raises:
            OSError: They cannot be written.
        """
        file = self._file(digest)
        part = file.with_suffix(_PART)
        try:
            with part.open("wb") as written:
                written.write(json.dumps(scores).encode())
                written.flush()
                os.fsync(written.fileno())
            part.replace(file)
        except BaseException:
            with suppress(OSError):
                part.unlink(missing_ok=True)
            raise

    def clean(self) -> None:
        """Make the folder, and remove what killed runs left in it.

        Raises:
            OSError: It cannot be made.
        """
        self._folder.mkdir(parents=True, exist_ok=True)
        for part in self._folder.glob(f"*{_PART}"):
            with suppress(OSError):
                part.unlink()

    def _file(self, digest: str) -> Path:
        return self._folder / f"{digest}.json"


def is_there(file: Path) -> bool:
    """Whether a file is there, and in a folder that may be looked into."""
    try:
        return file.exists()
    except OSError:
        return False


def is_score(value: object) -> bool:
    """Whether a value of a JSON document is a number that a score can be."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= LARGEST_SCORE


def _refuse(constant: str) -> float:
    raise ValueError(constant)
