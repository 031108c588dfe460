"""Test sets of campaigns that were worked on to the end: a campaign goes on where it stopped.

A result is kept by what decides on it: the settings with the set's name and roles, and the content of its files. It is
numbers and names, as JSON and numpy's arrays; nothing in it is run when it is read.
"""

import io
import json
from dataclasses import asdict, fields
from typing import Any

import numpy as np

from bleucore.campaign import SetFinding, SetResult
from bleucore.counts import read_only
from bleucore.errors import InputError
from bleucore.significance import SignificanceOptions
from bleuscope.workspace.cache_files import CacheFiles, DamagedError

KIND = "sets"
_ARRAYS = ("pair_places", "pair_numbers", "planned", "null", "run_errors")
_HEAD = "head"


class FinishedSets:
    """The finished sets of a workspace."""

    def __init__(self, caches: CacheFiles) -> None:
        """In one folder."""
        self._caches = caches

    def known(self, identity: str) -> frozenset[str]:
        """The digests of files under which there are results of a set with its settings."""
        return self._caches.names(KIND, identity)

    def find(self, identity: str, files_digest: str) -> SetResult | None:
        """A result; ``None`` where none is kept.

        Raises:
            DamagedError: It is not what was written; it is kept no more.
        """
        data = self._caches.find(KIND, identity, files_digest)
        return None if data is None else _unpacked(data)

    def keep(self, identity: str, files_digest: str, result: SetResult) -> None:
        """Keep a result.

        Raises:
            WorkspaceError: The disk refuses it.
        """
        self._caches.keep(_packed(result), KIND, identity, files_digest)


def _packed(result: SetResult) -> bytes:
    plain = {one.name: getattr(result, one.name) for one in fields(result) if one.name not in _ARRAYS}
    head = json.dumps({**plain, "options": asdict(result.options), "asked": asdict(result.asked)}).encode()
    arrays: dict[str, Any] = {name: getattr(result, name) for name in _ARRAYS}
    arrays[_HEAD] = np.frombuffer(head, np.uint8)
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def _unpacked(data: bytes) -> SetResult:
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as found:
            arrays: dict[str, Any] = {name: read_only(found[name]) for name in _ARRAYS}
            head = json.loads(found[_HEAD].tobytes())
        options, asked = (SignificanceOptions(**head.pop(name)) for name in ("options", "asked"))
        found = head.pop("findings")
        findings = None if found is None else tuple(SetFinding(*one) for one in found)
        told = {name: _frozen(value) for name, value in head.items()}
        return SetResult(options=options, asked=asked, findings=findings, **told, **arrays)
    except (OSError, EOFError, ValueError, KeyError, TypeError, InputError) as error:
        raise DamagedError("a kept test set is damaged", remedy="It is worked on again.") from error


def _frozen(value: Any) -> Any:  # noqa: ANN401  # any JSON
    """Lists of JSON as the tuples that they were."""
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
