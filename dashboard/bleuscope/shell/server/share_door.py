"""What the gate asks of a share link: whether it works; that somebody opened it is noted, once a day for each link.

Whoever has a link could fill the log otherwise, from which nothing is ever deleted.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable
from datetime import UTC, date, datetime

from bleuscope.workspace import Workspace
from bleuscope.workspace.errors import UnwritableError, WorkspaceError
from bleuscope.workspace.events import note_event
from bleuscope.workspace.shares import Share


class ShareDoor:
    """The links of the workspace in use."""

    def __init__(self, workspace: Callable[[], Workspace | None]) -> None:
        """With what gives the workspace, where there is one."""
        self._workspace = workspace
        self._noted: dict[int, date] = {}

    async def opened(self, secret: str) -> Share | None:
        """The link that somebody opens, while it works."""
        return await asyncio.to_thread(self._asked, secret, is_noted=True)

    async def held(self, secret: str) -> Share | None:
        """The link by which somebody was let in before, while it works."""
        return await asyncio.to_thread(self._asked, secret, is_noted=False)

    def _asked(self, secret: str, *, is_noted: bool) -> Share | None:
        kept = self._workspace()
        try:
            found = None if kept is None else kept.shares.opened_by(secret)
            today = datetime.now(UTC).date()
            if kept is not None and found is not None and is_noted and self._noted.get(found.id) != today:
                self._noted[found.id] = today
                with contextlib.suppress(UnwritableError), kept.database.writing() as connection:
                    said = {"link": found.id, "page": found.page}
                    note_event(connection, None, found.project, "link opened", said)
        except WorkspaceError as error:
            logging.getLogger(__name__).warning("a link cannot be looked up: %s", error)
            return None
        return found
