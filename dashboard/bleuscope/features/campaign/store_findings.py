"""What checks said of texts, by their digest: other tests and another metric check nothing anew."""

import hashlib
import json

from bleucore.campaign import SetFinding
from bleuscope.workspace.cache_files import CacheFiles, DamagedError

KIND = "findings"
FORMAT = 1
"""Raised when the checks say something else of the same texts."""


class KeptFindings:
    """The findings of a workspace."""

    def __init__(self, caches: CacheFiles) -> None:
        """In one folder."""
        self._caches = caches

    def find(self, key: str) -> tuple[SetFinding, ...] | None:
        """What the checks said; ``None`` where that is not kept.

        Raises:
            DamagedError: It is not what was written; it is kept no more.
        """
        data = self._caches.find(KIND, key[:2], key)
        if data is None:
            return None
        try:
            return tuple(SetFinding(*one) for one in json.loads(data))
        except (ValueError, TypeError) as error:
            raise DamagedError("kept findings are damaged", remedy="The texts are checked again.") from error

    def keep(self, key: str, found: tuple[SetFinding, ...]) -> None:
        """Keep what the checks said.

        Raises:
            WorkspaceError: The disk refuses it.
        """
        self._caches.keep(json.dumps(found).encode(), KIND, key[:2], key)


def findings_key(texts_digest: str, tokenizer: str | None) -> str:
    """What findings are kept under.

    Args:
        texts_digest: Of the test set with its systems.
        tokenizer: What it is scored with.
    """
    return hashlib.sha256(f"bleuscope findings {FORMAT}\n{texts_digest}\n{tokenizer}".encode()).hexdigest()
