"""How the server ends: sessions are told, work in hand is finished within a bound, a second signal ends at once."""

import asyncio
import os
import signal
import socket
import threading
import time
from collections.abc import Callable
from multiprocessing import active_children
from types import FrameType

import uvicorn

from bleuscope.shell.server import live_sessions
from bleuscope.shell.server.server_log import happenings, say
from bleuscope.shell.state import workspace_in_use

NOTICE = "bleuscope is being restarted. This page connects again by itself."
NOTICE_OF_KEPT = f"{NOTICE} What you typed is saved."
SECONDS_FOR_WORK = 10.0
"""For what is in hand: pages that are drawn, files on their way, comparisons that are being kept."""
SECONDS_FOR_CONNECTIONS = 2
"""For connections to be closed after that."""
SECONDS_TO_BE_TOLD = 1.0
"""A browser fetches the code of a notice when it shows the first one."""
LOOK_EVERY_SECONDS = 0.1
SECONDS_TO_GO_OUT = 0.5
"""For the last messages of what was finished: they are still on their way when it is done."""
KEEPING = "keep"
"""How threads are called that put something into the workspace."""
ENDED_BY_SIGNAL = 128
"""What a shell adds to the number of a signal."""


class GracefulServer(uvicorn.Server):
    """uvicorn's server with an end of its own: SIGTERM is an order that was carried out, not a failure."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002  # a signal handler's form
        """Begin to end; at the second signal, end at once."""
        if self.should_exit:
            os._exit(ENDED_BY_SIGNAL + sig)
        if sig != signal.SIGTERM:
            self._captured_signals.append(sig)  # raised again in the end, as uvicorn does
        self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Tell who is connected, take no new connection, finish what is in hand, then end as uvicorn does."""
        began = time.monotonic()
        say("stopping", sessions=live_sessions.n_sessions())
        live_sessions.tell_all(NOTICE if workspace_in_use.workspace() is None else NOTICE_OF_KEPT)
        if live_sessions.n_sessions():
            await asyncio.sleep(SECONDS_TO_BE_TOLD)
        for server in self.servers:
            server.close()
        for listening in sockets or []:
            listening.close()
        while (n_left := _n_in_hand()) and time.monotonic() - began < SECONDS_FOR_WORK:
            await asyncio.sleep(LOOK_EVERY_SECONDS)
        if live_sessions.n_sessions():
            await asyncio.sleep(SECONDS_TO_GO_OUT)
        await super().shutdown(sockets)
        say("stopped", seconds=round(time.monotonic() - began, 1), unfinished=n_left)


def end_without(flush: Callable[[], None]) -> None:
    """End the process where a thread goes on that is not waited for any more, or another process works for it.

    Args:
        flush: Writes what is to be written before.
    """
    others = [one for one in threading.enumerate() if one is not threading.current_thread() and not one.daemon]
    deadline = time.monotonic() + 1
    for thread in others:
        thread.join(max(0.0, deadline - time.monotonic()))
    # Python would wait at its end until other processes are done with all that they were given.
    if active_children() or any(thread.is_alive() for thread in others):
        flush()
        os._exit(0)


def _n_in_hand() -> int:
    """How much is being done: pages drawn, requests answered, comparisons kept."""
    keeping = sum(thread.name == KEEPING for thread in threading.enumerate())
    return live_sessions.n_running() + happenings().n_under_way + keeping
