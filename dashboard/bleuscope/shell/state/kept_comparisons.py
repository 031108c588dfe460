"""What was opened, kept in the workspace: a link, a restart and the list of recent comparisons find it again."""

import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from bleuscope.content.comparison import recent_words
from bleuscope.content.comparison.inputs import FileBeside, Inputs, Loaded
from bleuscope.shell.disk.files import SAMPLE, upload_origin
from bleuscope.shell.state import cached, session, workspace_in_use
from bleuscope.workspace import Workspace
from bleuscope.workspace.comparisons import KeptComparison, Recent
from bleuscope.workspace.errors import NotFoundError, WorkspaceError
from bleuscope.workspace.people import Person

NOTED, FAULT = "_noted_as_opened", "_not_kept_because"
MOST_RECENT = 12

_keeping = threading.Lock()
"""One comparison is packed at a time: it takes a processor."""


def origin_of(loaded: Loaded) -> str:
    """How what is open is called where it is kept: by a project, or from a drop or files that were named."""
    is_named = loaded.origin == SAMPLE or loaded.project is not None
    return loaded.origin if is_named else upload_origin(loaded.test_set)


def keep(loaded: Loaded) -> None:
    """Keep what is open, and note that this person opened it; once a session, while the page goes on.

    The sample comes with bleuscope and is not kept.
    """
    origin = origin_of(loaded)
    if origin == SAMPLE or session.get(NOTED) == origin:
        return
    session.put(NOTED, origin)
    try:
        found = workspace_in_use.somebody()
    except WorkspaceError as error:
        session.put(FAULT, {origin: str(error)})
        return
    if found is not None:
        faults: dict[str, str] = {}
        session.put(FAULT, faults)
        threading.Thread(target=_keep, args=(*found, loaded, origin, faults), name="keep").start()


def fault(loaded: Loaded) -> str | None:
    """Why what is open is not kept, where it was meant to be."""
    found: str | None = session.get(FAULT, {}).get(origin_of(loaded))
    return found


def open_again(origin: str) -> Loaded | None:
    """The comparison that a link names, if the server has it or it is kept, and whoever is there may read it.

    Raises:
        WorkspaceError: It is kept, and what is kept is damaged.
    """
    found = cached.UPLOADS.find(origin) or find(origin)
    return found if found is None or may_read(found) else None


def may_read(loaded: Loaded) -> bool:
    """Whether whoever is at the browser may read texts: those of a project are its members'.

    Raises:
        WorkspaceError: The workspace cannot be used.
    """
    return loaded.project is None or workspace_in_use.may(loaded.project, "read texts")


def find(origin: str) -> Loaded | None:
    """The comparison that a link names, if it is kept; it is there at once from then on, for who may read it.

    Raises:
        WorkspaceError: It is kept, and what is kept is damaged.
    """
    kept = workspace_in_use.workspace()
    found = None if kept is None else kept.comparisons.find(origin)
    if found is None:
        return None
    beside = tuple(FileBeside(name, data) for name, data in found.beside.items())
    inputs, notices = _inputs(found.said.get("inputs", {})), tuple(map(str, found.said.get("notices", ())))
    title = str(found.said.get("title", found.title))
    loaded = Loaded(found.test_set, title, origin, inputs, notices, beside=beside, project=found.project)
    cached.keep_upload(loaded)
    return loaded


def recent() -> tuple[Recent, ...]:
    """What this person opened and may still read, the last first; nothing where nothing is kept.

    Raises:
        WorkspaceError: The workspace cannot be read.
    """
    found = workspace_in_use.somebody()
    if found is None:
        return ()
    opened = found[0].comparisons.recent(found[1], MOST_RECENT)
    return tuple(one for one in opened if one.project is None or workspace_in_use.may(one.project, "read texts"))


def rename(origin: str, name: str) -> None:
    """Call a comparison otherwise in this person's list.

    Raises:
        WorkspaceError: The workspace cannot be written.
    """
    _for_somebody(lambda kept, who: kept.comparisons.rename(who, origin, name))


def delete(origin: str) -> None:
    """Take a comparison off this person's list; if nobody else has it, from the disk.

    Raises:
        WorkspaceError: The workspace cannot be written.
    """
    _for_somebody(lambda kept, who: kept.comparisons.delete(who, origin))
    cached.UPLOADS.drop(origin)


def _for_somebody(do: Callable[[Workspace, Person], None]) -> None:
    found = workspace_in_use.somebody()
    if found is not None:
        do(*found)


def _keep(kept: Workspace, who: Person, loaded: Loaded, origin: str, faults: dict[str, str]) -> None:
    try:
        with _keeping:
            name = recent_words.name_of(loaded.title, loaded.test_set.system_names)
            said = {"inputs": asdict(loaded.inputs), "notices": list(loaded.notices), "title": loaded.title}
            beside = {file.name: file.data for file in loaded.beside}
            kept.comparisons.keep(KeptComparison(loaded.test_set, origin, name, said, beside, loaded.project))
            kept.comparisons.opened(who, origin)
    except NotFoundError:  # somebody deleted it meanwhile
        return
    except WorkspaceError as error:
        logging.getLogger(__name__).warning("what was opened cannot be kept: %s", error)
        faults[origin] = str(error)


def _inputs(said: Mapping[str, Any]) -> Inputs:
    """How a command names the files; incomplete where another version of the program wrote it."""
    try:
        return Inputs.of_json(said)
    except TypeError:
        return Inputs(is_complete=False)
