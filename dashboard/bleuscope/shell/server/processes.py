"""Several server processes behind one address: a front takes connections and hands each to one of them.

A cookie says which process holds a visitor's session. The front looks at the head of a request without taking it, and
gives the connection itself away: the process sees the visitor's own address, and no byte is copied. Each connection
carries one request or one WebSocket, because a proxy in front may send several visitors' requests over one connection.
"""

import asyncio
import mmap
import os
import random
import re
import secrets
import selectors
import signal
import socket
import struct
import sys
import time
import zlib
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from types import FrameType
from typing import NoReturn

import uvicorn
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bleucore import InputError
from bleuscope.shell.server.stopping import SECONDS_FOR_CONNECTIONS, SECONDS_FOR_WORK, GracefulServer

ARE_POSSIBLE = hasattr(os, "fork") and hasattr(socket, "send_fds")
LONGEST_HEAD = 64 * 1024
"""Bytes of a request before its text; uvicorn takes as many."""
SECONDS_FOR_HEAD = 10.0
SECONDS_BETWEEN_LOOKS = 0.05
"""At a head that has not arrived whole."""
SECONDS_BETWEEN_COUNTS = 0.5
"""Between looks at whether all processes are there."""
MOST_WAITING = 500
"""Connections whose head has not arrived; of more, the oldest ends, so that silent ones keep nobody out."""
SECONDS_OF_A_FALSE_START = 5.0
"""A process that ends sooner by itself would end again."""
SECONDS_TO_STOP = SECONDS_FOR_WORK + SECONDS_FOR_CONNECTIONS + 3


class Board:
    """What each of several processes says about itself, in memory that they share.

    A process that reads while another one writes sees that the check sum is wrong, and looks again.
    """

    _BYTES = 16 * 1024
    _HEAD = struct.Struct("II")
    _LOOKS = 100

    def __init__(self, n_processes: int) -> None:
        """Empty; made before the processes are."""
        self._memory = mmap.mmap(-1, n_processes * self._BYTES)
        self._n_processes = n_processes

    def say(self, number: int, text: bytes) -> None:
        """Replace what a process says; what does not fit is left out."""
        begin = number * self._BYTES
        if len(text) <= self._BYTES - self._HEAD.size:
            said = self._HEAD.pack(len(text), zlib.crc32(text)) + text
            self._memory[begin : begin + len(said)] = said

    def read(self) -> dict[int, bytes]:
        """What the processes say that have said something, by their numbers."""
        found = {number: self._one(number * self._BYTES) for number in range(self._n_processes)}
        return {number: text for number, text in found.items() if text}

    def _one(self, begin: int) -> bytes:
        for _ in range(self._LOOKS):
            length, check = self._HEAD.unpack_from(self._memory, begin)
            text = self._memory[begin + self._HEAD.size : begin + min(self._HEAD.size + length, self._BYTES)]
            if zlib.crc32(text) == check:
                return text
        return b""


@dataclass(frozen=True)
class Worker:
    """One of several processes, as it knows itself.

    Attributes:
        number: From 0.
        channel: From which connections come, until the front ends.
        cookie: The name of the cookie that leads visitors back to it.
        secret: That all processes sign with.
        board: For what the processes say about themselves.
        stands_in: Whether it takes the place of one that is gone.
    """

    number: int
    channel: socket.socket
    cookie: str
    secret: str
    board: Board
    stands_in: bool = False


class Sticky:
    """Tells browsers which process they have reached, and ends each connection with its answer."""

    def __init__(self, app: ASGIApp, worker: Worker) -> None:
        self._app = app
        self._value = f"{worker.cookie}={worker.number}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and the answer with what it adds."""
        given = b"; ".join(value for name, value in scope.get("headers", ()) if name == b"cookie")
        is_known = self._value in given.split(b"; ")

        async def send_marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                added = [] if is_known else [(b"set-cookie", self._value + b"; Path=/; HttpOnly; SameSite=Lax")]
                kept = [pair for pair in message.get("headers", []) if pair[0].lower() != b"connection"]
                message = {**message, "headers": [*kept, *added, (b"connection", b"close")]}
            await send(message)

        await self._app(scope, receive, send_marked if scope["type"] == "http" else send)


class WorkerServer(GracefulServer):
    """A server that listens nowhere: connections come from the front."""

    def __init__(self, config: uvicorn.Config, worker: Worker) -> None:
        super().__init__(config)
        self._channel = worker.channel
        self._taken = set[asyncio.Task[object]]()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start as uvicorn does, then take connections."""
        await super().startup(sockets)
        self._channel.setblocking(False)  # noqa: FBT003  # the socket's own form
        asyncio.get_running_loop().add_reader(self._channel.fileno(), self._take)

    def _take(self) -> None:
        """Take the connections that wait; the end of the front is the end of this process."""
        loop = asyncio.get_running_loop()
        with suppress(BlockingIOError):
            while True:
                said, given, _, _ = socket.recv_fds(self._channel, 1, 1)
                if not said:
                    loop.remove_reader(self._channel.fileno())
                    self.should_exit = True
                    return
                for one in given:
                    task = loop.create_task(loop.connect_accepted_socket(self._protocol, socket.socket(fileno=one)))
                    self._taken.add(task)
                    task.add_done_callback(self._taken.discard)

    def _protocol(self) -> asyncio.Protocol:
        protocol: asyncio.Protocol = self.config.http_protocol_class(  # type: ignore[call-arg]
            config=self.config, server_state=self.server_state, app_state=self.lifespan.state
        )
        return protocol


def refuse_where_impossible(n_processes: int) -> None:
    """Refuse several processes where the system cannot give connections away.

    Raises:
        InputError: It is Windows.
    """
    if n_processes > 1 and not ARE_POSSIBLE:
        raise InputError(
            "this system cannot share an address among processes",
            where="Option --processes",
            found=n_processes,
            expected="1",
            remedy="Leave it out, or use Linux or macOS.",
        )


def divide(listening: socket.socket, n_processes: int) -> Worker:
    """Become several processes; returns in each of them. The one that was there leads connections until it is stopped.

    Args:
        listening: Where connections come in; it stays open in all of them.
        n_processes: At least 2.
    """
    front = _Front(listening, n_processes)
    return front.run()


@dataclass
class _Child:
    """A process as the front knows it."""

    process: int
    channel: socket.socket
    began: float = field(default_factory=time.monotonic)


class _Front:
    """Leads connections to processes, and starts those anew that are gone."""

    def __init__(self, listening: socket.socket, n_processes: int) -> None:
        self._listening = listening
        self._cookie, self._secret = f"bleuscope-process-{listening.getsockname()[1]}", secrets.token_hex()
        self._number = re.compile(rb"\r\ncookie:[^\r\n]*\b" + self._cookie.encode() + rb"=(\d{1,3})\b", re.IGNORECASE)
        self._children: dict[int, _Child] = {}
        self._n_processes = n_processes
        self._board = Board(n_processes)
        self._selector = selectors.DefaultSelector()
        self._n_started = 0
        self._waiting: dict[socket.socket, float] = {}
        """Connections whose head has not arrived whole, the oldest first, and until when they may wait."""
        self._begun = set[socket.socket]()
        """Those of which a part has arrived."""
        self._stopped_by: int | None = None

    def run(self) -> Worker:
        """Lead connections; returns in new processes only."""
        for one in (signal.SIGTERM, signal.SIGINT):
            signal.signal(one, self._stop)
        self._selector.register(self._listening, selectors.EVENT_READ)
        next_count = 0.0
        while True:
            if self._stopped_by is not None:
                self._end(0)
            if time.monotonic() >= next_count:
                worker = self._count()
                if worker is not None:
                    return worker
                next_count = time.monotonic() + SECONDS_BETWEEN_COUNTS
            found = self._selector.select(SECONDS_BETWEEN_LOOKS if self._begun else SECONDS_BETWEEN_COUNTS)
            if any(key.fileobj is self._listening for key, _ in found):
                self._accept()
            spoke, now = {key.fileobj for key, _ in found}, time.monotonic()
            for connection, until in list(self._waiting.items()):
                if connection in spoke or connection in self._begun or now > until:
                    self._look(connection)

    def _stop(self, number: int, _frame: FrameType | None) -> None:
        if self._stopped_by is not None:
            for child in self._children.values():
                with suppress(ProcessLookupError):  # it has ended
                    os.kill(child.process, signal.SIGKILL)
            os._exit(128 + number)
        self._stopped_by = number

    def _count(self) -> Worker | None:
        """Start the processes that are not there; what is returned is in one of them."""
        for number in range(self._n_processes):
            child = self._children.get(number)
            if child is not None:
                ended, status = os.waitpid(child.process, os.WNOHANG)
                if not ended:
                    continue
                child.channel.close()
                del self._children[number]
                self._board.say(number, b"")
                if time.monotonic() - child.began < SECONDS_OF_A_FALSE_START and os.WIFEXITED(status):
                    self._end(os.WEXITSTATUS(status) or 1)
            worker = self._start(number)
            if worker is not None:
                return worker
        return None

    def _start(self, number: int) -> Worker | None:
        """Start a process: ``None`` here, and there what it is."""
        ours, theirs = socket.socketpair()
        ours.setblocking(False)  # noqa: FBT003  # the socket's own form
        self._n_started += 1
        process = os.fork()
        if process:
            theirs.close()
            self._children[number] = _Child(process, ours)
            return None
        os.setpgid(0, 0)  # Ctrl-C is for the front, which ends the others
        for one in (signal.SIGTERM, signal.SIGINT):
            signal.signal(one, signal.default_int_handler if one == signal.SIGINT else signal.SIG_DFL)
        self._selector.close()
        others = (child.channel for child in self._children.values())
        for inherited in (ours, *self._waiting, *others):
            inherited.close()
        stands_in = self._n_started > self._n_processes
        return Worker(number, theirs, self._cookie, self._secret, self._board, stands_in)

    def _accept(self) -> None:
        """Take the connections that wait to be taken."""
        for _ in range(MOST_WAITING):
            try:
                connection, _ = self._listening.accept()
            except BlockingIOError:
                return
            except ConnectionError:  # it has gone again
                continue
            except OSError:  # no more can be open
                connection = None
            if connection is not None:
                connection.setblocking(False)  # noqa: FBT003  # as above
                self._waiting[connection] = time.monotonic() + SECONDS_FOR_HEAD
                self._selector.register(connection, selectors.EVENT_READ)
            if self._waiting and (connection is None or len(self._waiting) > MOST_WAITING):
                self._look(next(iter(self._waiting)), is_last=True)

    def _look(self, connection: socket.socket, *, is_last: bool = False) -> None:
        """Give a connection away once the head of its request is there; at the last look it ends where it is not."""
        try:
            seen = connection.recv(LONGEST_HEAD, socket.MSG_PEEK)
        except BlockingIOError:
            seen = None
        except OSError:
            seen = b""
        if seen and (b"\r\n\r\n" in seen or len(seen) >= LONGEST_HEAD):
            self._give(connection, self._number.search(seen.partition(b"\r\n\r\n")[0]))
        elif is_last or seen == b"" or time.monotonic() > self._waiting[connection]:
            self._drop(connection)
        elif seen and connection not in self._begun:
            self._begun.add(connection)
            self._selector.unregister(connection)  # it would report what is there already, again and again

    def _give(self, connection: socket.socket, named: re.Match[bytes] | None) -> None:
        """Give a connection to the process that its cookie names, or to any."""
        first = None if named is None else int(named[1])
        others = random.sample(sorted(self._children), len(self._children))
        for number in _without_repeats((first, *others)):
            child = self._children.get(number)
            with suppress(OSError):  # it is gone, or takes none
                if child is not None and socket.send_fds(child.channel, [b"."], [connection.fileno()]):
                    break
        self._drop(connection)

    def _drop(self, connection: socket.socket) -> None:
        """Close a connection here."""
        del self._waiting[connection]
        if connection in self._begun:
            self._begun.discard(connection)
        else:
            self._selector.unregister(connection)
        connection.close()

    def _end(self, code: int) -> NoReturn:
        """End all processes, then this one."""
        self._listening.close()
        for child in self._children.values():
            os.kill(child.process, signal.SIGTERM)
        deadline = time.monotonic() + SECONDS_TO_STOP
        left = {child.process for child in self._children.values()}
        while left and time.monotonic() < deadline:
            left = {one for one in left if not os.waitpid(one, os.WNOHANG)[0]}
            time.sleep(SECONDS_BETWEEN_LOOKS)
        for one in left:
            os.kill(one, signal.SIGKILL)
        if self._stopped_by == signal.SIGINT:
            raise KeyboardInterrupt
        sys.exit(code)


def _without_repeats(numbers: Iterable[int | None]) -> list[int]:
    return list(dict.fromkeys(one for one in numbers if one is not None))
