"""Who came in: noted once a day for each person, as a proxy that asks them says nothing of when it did."""

import asyncio
import logging
from collections.abc import Callable
from datetime import UTC, date, datetime

from bleuscope.workspace.errors import WorkspaceError
from bleuscope.workspace.people import Identity


class Arrivals:
    """Notes those who come in."""

    def __init__(self, note: Callable[[Identity], None]) -> None:
        """With what keeps it."""
        self._note = note
        self._today: date | None = None
        self._seen: set[Identity] = set()

    async def __call__(self, identity: Identity) -> None:
        """Note that somebody came in, unless that is known of today."""
        today = datetime.now(UTC).date()
        if today != self._today:
            self._today, self._seen = today, set()
        if identity in self._seen:
            return
        self._seen.add(identity)
        try:
            await asyncio.to_thread(self._note, identity)
        except WorkspaceError as error:
            self._seen.discard(identity)
            logging.getLogger(__name__).warning("that somebody came in cannot be noted: %s", error)
