"""What a person typed, kept outside the session: on the server's disk, under who it is and which texts it is about.

A session ends with the server, and 120 seconds after a connection is cut; what was typed in it would be gone.
"""

import errno
import hashlib
import logging
import os
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import mkstemp
from typing import Literal, get_args

from platformdirs import user_state_path

from bleucore import TestSet
from dashboard.content.segments import kept_work
from dashboard.content.segments.kept_work import Work
from dashboard.shell.state import session
from dashboard.shell.state.person import person

FOLDER_VARIABLE = "BLEUSCOPE_STATE"
WORK, UNSAVED = "_work", "_unsaved"
NAME_LENGTH = 32
"""Hexadecimal digits: 128 bits, which nobody guesses."""
MOST_BYTES = 16 * 1024**2
"""Of what one person said about one test set."""
MOST_BYTES_OF_ALL = 512 * 1024**2
MOST_FILES = 10_000
PRIVATE_FOLDER = 0o700
Savable = Literal["notes", "preferences"]

_writing = threading.Lock()


@dataclass(frozen=True)
class Held:
    """What a session holds of the work on a test set.

    Attributes:
        work: The work.
        stamp: Of the file that it was read from or written to; ``None`` where there is none.
        fault: Why it is not kept outside the session.
        is_readable: Whether what the file held is part of the work; what cannot be read is never overwritten.
    """

    work: Work
    stamp: tuple[int, int] | None = None
    fault: str | None = None
    is_readable: bool = True


def work_on(test_set: TestSet) -> Work:
    """What was said about a test set, whatever its names; in another window of the same browser too."""
    return _held(test_set).work


def change(test_set: TestSet, make: Callable[[Work], Work], *, to_save: Savable | None = None) -> None:
    """Keep what is made of the work as it is now.

    Args:
        test_set: That it is about.
        make: Gives the work from what it is in this window and others.
        to_save: What a person may want to save as a file because of it.
    """
    path = _path(test_set)
    with _writing:
        before = _held(test_set)
        held = replace(before, work=make(before.work))
        if path is not None and before.is_readable:
            try:
                _write(path, kept_work.written(held.work))
                held = Held(held.work, _stamp(path))
            except OSError as error:
                logging.getLogger(__name__).warning("what was typed cannot be kept: %s", error)
                held = replace(held, fault=error.strerror or "the disk refuses it")
        _hold(test_set, held)
    if to_save is not None:
        session.put(UNSAVED, _unsaved() | {(test_set.texts_digest, to_save)})


def saved(test_set: TestSet, what: Savable) -> None:
    """Note that a person has this as a file."""
    session.put(UNSAVED, _unsaved() - {(test_set.texts_digest, what)})


def has_unsaved() -> bool:
    """Whether something was typed in this session that no file of the person holds."""
    return bool(_unsaved())


def forget(test_set: TestSet) -> None:
    """Delete what was said about a test set, here and on the disk."""
    path = _path(test_set)
    if path is not None:
        path.unlink(missing_ok=True)
    _hold(test_set, Held(Work()))
    for what in get_args(Savable):
        saved(test_set, what)


def is_kept(test_set: TestSet) -> bool:
    """Whether what is typed outlives the session."""
    return _path(test_set) is not None and _held(test_set).fault is None


def fault(test_set: TestSet) -> str | None:
    """Why what is typed does not outlive the session, where it was meant to."""
    return _held(test_set).fault


def folder() -> Path:
    """Where the work of all persons is."""
    named = os.environ.get(FOLDER_VARIABLE)
    return Path(named) if named else user_state_path("bleuscope", appauthor=False)


def _held(test_set: TestSet) -> Held:
    """What the session holds, read anew if the file is another one by now."""
    held: Held = session.get(WORK, {}).get(test_set.texts_digest, Held(Work()))
    path = _path(test_set)
    if path is None or held.fault is not None:
        return held
    try:
        stamp = _stamp(path)
        if stamp != held.stamp:
            text = path.read_text(encoding="utf-8") if stamp is not None else kept_work.written(Work())
            held = Held(kept_work.read(text, test_set.n_segments), stamp)
    except (OSError, ValueError) as error:
        logging.getLogger(__name__).warning("%s cannot be read: %s", path, error)
        held = replace(held, fault=f"{path} cannot be read", is_readable=False)
    _hold(test_set, held)
    return held


def _unsaved() -> frozenset[tuple[str, Savable]]:
    found: frozenset[tuple[str, Savable]] = session.get(UNSAVED, frozenset())
    return found


def _hold(test_set: TestSet, held: Held) -> None:
    session.put(WORK, {**session.get(WORK, {}), test_set.texts_digest: held})


def _path(test_set: TestSet) -> Path | None:
    """The file of this person and these texts; its name tells neither."""
    who = person()
    if who is None:
        return None
    names = (hashlib.sha256(text.encode()).hexdigest()[:NAME_LENGTH] for text in (who, who + test_set.texts_digest))
    return folder().joinpath(*names).with_suffix(".json")


def _stamp(path: Path) -> tuple[int, int] | None:
    """What changes with a file; ``None`` where there is none."""
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return found.st_mtime_ns, found.st_ino


def _write(path: Path, text: str) -> None:
    """Write a file that nobody else may read, all of it or nothing.

    Raises:
        OSError: It cannot be written, or there is no more room for it.
    """
    data = text.encode()
    folder().mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
    path.parent.mkdir(mode=PRIVATE_FOLDER, exist_ok=True)
    if len(data) > MOST_BYTES or not _has_room(len(data)):
        raise OSError(errno.ENOSPC, f"there is no more room in {folder()}")
    descriptor, temporary = mkstemp(dir=path.parent, prefix=".")  # that its owner alone may read
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        Path(temporary).replace(path)
    except OSError:
        Path(temporary).unlink()
        raise


def _has_room(n_bytes: int) -> bool:
    sizes = [file.stat().st_size for file in folder().glob("*/*")]
    return len(sizes) < MOST_FILES and sum(sizes) + n_bytes <= MOST_BYTES_OF_ALL
