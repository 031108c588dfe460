"""What waits to be sent to a server: a folder with a file for each push, whole or not there.

A push is written here before it is sent, and goes only when the server has it, so that neither a server that is away
nor a program that is killed loses it. The same push twice is one file: it is called by what it holds. What a server
refuses for good is kept beside, so that nobody's outputs are gone. No token is ever written here.
"""

import contextlib
import gzip
import hashlib
import json
import os
import time
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import mkstemp
from typing import Any

from platformdirs import user_state_path

from bleuscope.workspace.blobs import PRIVATE_FOLDER, SECONDS_UNFINISHED, force_names
from bleuscope.workspace.errors import WorkspaceError
from bleuscope.workspace.push_payload import Parcel, texts_document, texts_of, version_document, version_of

FOLDER_VARIABLE = "BLEUSCOPE_OUTBOX"
ENDING = ".push.gz"
REFUSED = "refused"
_TEMPORARY = "new-"
_NAME_LETTERS = 32


@dataclass(frozen=True)
class Waiting:
    """A push that is to be sent.

    Attributes:
        file: Where it waits.
        to: The address of the server.
        parcel: What is pushed.
    """

    file: Path
    to: str
    parcel: Parcel = field(repr=False)


def usual_folder() -> Path:
    """What the environment names, or else the platform's folder for a person's state."""
    named = os.environ.get(FOLDER_VARIABLE, "")
    return Path(named).expanduser() if named else user_state_path("bleuscope", appauthor=False) / "outbox"


class Outbox:
    """The pushes in a folder."""

    def __init__(self, folder: Path | None = None) -> None:
        """Take a folder, which need not be there yet; the usual one unless given."""
        self.folder = usual_folder() if folder is None else folder

    def put(self, to: str, parcel: Parcel) -> Waiting:
        """Write a push; it is on the disk when this returns.

        Raises:
            WorkspaceError: The disk refuses it.
        """
        document = {
            "to": to,
            "project": parcel.project,
            "test_set": parcel.test_set,
            "texts": texts_document(parcel.texts),
            "version": version_document(parcel.version),
        }
        content = json.dumps(document, sort_keys=True).encode()
        path = self._path(document)
        with self._refusals():
            self.folder.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
            descriptor, name = mkstemp(dir=self.folder, prefix=_TEMPORARY)
            try:
                with os.fdopen(descriptor, "wb") as file:
                    file.write(gzip.compress(content, mtime=0))
                    file.flush()
                    os.fsync(file.fileno())
                Path(name).replace(path)
                force_names(self.folder)
            except OSError:
                Path(name).unlink(missing_ok=True)
                raise
        return Waiting(path, to, parcel)

    def all(self) -> Iterator[Waiting]:
        """Every push that waits, the oldest first; each is read as it comes.

        Raises:
            WorkspaceError: One cannot be read.
        """
        self._tidy()
        for path in self._files():
            try:
                document = json.loads(gzip.decompress(path.read_bytes()))
            except FileNotFoundError:
                continue  # another program has sent it
            except (OSError, EOFError, ValueError, zlib.error) as error:
                raise WorkspaceError(
                    "a push that waits cannot be read",
                    where=str(path),
                    remedy="Push its outputs again, and remove that file.",
                ) from error
            yield Waiting(path, document["to"], _parcel(document))

    def n_waiting(self) -> int:
        """How many wait."""
        return len(self._files())

    def sent(self, waiting: Waiting) -> None:
        """Take a push away that the server has, or that whoever pushed it was told of."""
        with contextlib.suppress(OSError):  # what stays is sent again, and is there already
            waiting.file.unlink(missing_ok=True)

    def refused(self, waiting: Waiting) -> Path:
        """Put a push aside that the server will never take; where it is.

        Raises:
            WorkspaceError: The disk refuses it.
        """
        beside = self.folder / REFUSED / waiting.file.name
        with self._refusals():
            beside.parent.mkdir(mode=PRIVATE_FOLDER, exist_ok=True)
            with contextlib.suppress(FileNotFoundError):  # another program has put it there
                waiting.file.replace(beside)
        return beside

    def _path(self, document: Mapping[str, Any]) -> Path:
        """Where a push waits: a new place, unless the same one waits already, whenever its outputs were made."""
        version = {name: value for name, value in document["version"].items() if name != "made_at"}
        said = json.dumps({**document, "version": version}, sort_keys=True).encode()
        digest = hashlib.sha256(said).hexdigest()[:_NAME_LETTERS]
        there = sorted(self.folder.glob(f"*-{digest}{ENDING}"))
        return there[0] if there else self.folder / f"{time.time_ns():020d}-{digest}{ENDING}"

    def _files(self) -> list[Path]:
        return sorted(self.folder.glob(f"*{ENDING}"))

    def _tidy(self) -> None:
        """Take away what programs left that were killed while they wrote."""
        since = time.time() - SECONDS_UNFINISHED
        for path in self.folder.glob(f"{_TEMPORARY}*"):
            with contextlib.suppress(OSError):
                if path.stat().st_mtime < since:
                    path.unlink()

    @contextlib.contextmanager
    def _refusals(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise WorkspaceError(
                "the outbox cannot be written to",
                where=str(self.folder),
                found=(error.strerror or type(error).__name__).lower(),
                remedy=f"Make room or allow writing there, or name another folder in {FOLDER_VARIABLE}.",
            ) from error


def _parcel(document: Mapping[str, Any]) -> Parcel:
    return Parcel(
        document["project"], document["test_set"], version_of(document["version"]), texts_of(document["texts"])
    )
