"""The front of several processes leads each connection to the process that its cookie names, else to any."""

import asyncio
import os
import selectors
import signal
import socket
import time

import pytest

from bleucore import InputError
from bleuscope.shell.server import metrics, processes
from bleuscope.shell.server.processes import Board, Sticky, Worker
from bleuscope.shell.server.server_log import happenings


class Front(processes._Front):
    """A front of two processes that are sockets of this test."""

    def __init__(self):
        super().__init__(socket.create_server(("127.0.0.1", 0)), 2)
        self.port = self._listening.getsockname()[1]
        self.ends = []
        for number in range(2):
            ours, theirs = socket.socketpair()
            ours.setblocking(False)
            theirs.setblocking(False)
            self._children[number] = processes._Child(os.getpid(), ours)
            self.ends.append(theirs)

    def visited(self, *pieces):
        """What each process got of a visitor who sends some pieces of a request."""
        self._listening.setblocking(True)
        with socket.create_connection(("127.0.0.1", self.port)) as visitor:
            for piece in pieces:
                visitor.sendall(piece)
                self._listening.setblocking(not self._waiting)
                self._accept_one()
                for connection in list(self._waiting):
                    connection.setblocking(True)
                    connection.recv(1, socket.MSG_PEEK)  # the piece is here
                    connection.setblocking(False)
                    self._look(connection)
        return [self._got(end) for end in self.ends]

    def _accept_one(self):
        if not self._waiting:
            connection, _ = self._listening.accept()
            self._selector.register(connection, selectors.EVENT_READ)
            self._waiting[connection] = time.monotonic() + 60

    def _got(self, end):
        try:
            _, (given,), _, _ = socket.recv_fds(end, 1, 1)
        except (BlockingIOError, OSError):
            return None
        with socket.socket(fileno=given) as connection:
            return connection.recv(10_000)

    def close(self):
        """End."""
        for one in (self._listening, *self.ends, *(child.channel for child in self._children.values())):
            one.close()


@pytest.fixture
def front():
    """A front, closed in the end."""
    made = Front()
    yield made
    made.close()


def _request(front, cookie="", text=b""):
    return f"GET / HTTP/1.1\r\nHost: a\r\nCookie: {cookie}\r\n\r\n".replace("PORT", str(front.port)).encode() + text


@pytest.mark.parametrize("number", [0, 1])
def test_a_cookie_leads_back_to_its_process_and_no_byte_is_taken(front, number):
    request = _request(front, f"a=b; bleuscope-process-PORT={number}; c=d", b"the text")
    got = front.visited(request)
    assert got[number] == request
    assert got[1 - number] is None


def test_a_head_that_arrives_in_pieces_is_waited_for(front):
    request = _request(front, "bleuscope-process-PORT=1")
    assert front.visited(request[:30], request[30:]) == [None, request]


@pytest.mark.parametrize(
    ("cookie", "text"),
    [("", b""), ("bleuscope-process-PORT=7", b""), ("bleuscope-process-1=1", b""), ("", b"\r\ncookie: a=1")],
)
def test_whoever_names_no_process_is_led_to_any(front, cookie, text):
    request = _request(front, cookie, text)
    assert sorted(map(bool, front.visited(request))) == [False, True]


def test_a_process_that_is_gone_is_stood_in_for(front):
    front.ends[1].close()
    request = _request(front, "bleuscope-process-PORT=1")
    assert front.visited(request)[0] == request


def test_a_head_that_never_ends_is_waited_for_no_longer_than_it_may(front):
    front.visited(b"GET / HTTP/1.1\r\n")
    (connection,) = front._waiting
    front._waiting[connection] = time.monotonic() - 1
    front._look(connection)
    assert not front._waiting
    assert connection.fileno() == -1


def test_silent_visitors_keep_nobody_out(front, monkeypatch):
    monkeypatch.setattr(processes, "MOST_WAITING", 3)
    front._listening.setblocking(False)
    silent = [socket.create_connection(("127.0.0.1", front.port)) for _ in range(5)]
    with socket.create_connection(("127.0.0.1", front.port)) as visitor:
        visitor.sendall(_request(front))
        front._accept()
        front._accept()
        assert len(front._waiting) == 3
        for connection in list(front._waiting):
            front._look(connection)
        assert sorted(bool(front._got(end)) for end in front.ends) == [False, True]
    for one in (*silent, *front._waiting):
        one.close()


def test_a_second_signal_ends_all_though_some_have_ended_before(front, monkeypatch):
    killed = []

    def kill(process, _number):
        killed.append(process)
        raise ProcessLookupError

    monkeypatch.setattr(os, "kill", kill)
    monkeypatch.setattr(os, "_exit", killed.append)
    front._stop(signal.SIGTERM, None)
    assert not killed
    front._stop(signal.SIGTERM, None)
    assert killed == [os.getpid(), os.getpid(), 128 + signal.SIGTERM]


def _headers_of(cookie):
    """What ``Sticky`` of process 1 answers to a cookie."""
    sent = []

    async def app(_scope, _receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": [(b"connection", b"keep-alive")]})

    async def send(message):
        sent.extend(message["headers"])

    scope = {"type": "http", "headers": [(b"cookie", cookie)]}
    asyncio.run(Sticky(app, Worker(1, None, "here", "", Board(2)))(scope, None, send))
    return sent


def test_an_answer_ends_its_connection_and_names_its_process_unless_it_was_named():
    close, named = (b"connection", b"close"), (b"set-cookie", b"here=1; Path=/; HttpOnly; SameSite=Lax")
    assert _headers_of(b"here=1; a=b") == [close]
    assert _headers_of(b"here=10") == _headers_of(b"there=1") == [named, close]


def test_a_system_that_cannot_give_connections_away_serves_with_one_process(monkeypatch):
    monkeypatch.setattr(processes, "ARE_POSSIBLE", False)
    processes.refuse_where_impossible(1)
    with pytest.raises(InputError, match="use Linux or macOS"):
        processes.refuse_where_impossible(2)


def test_processes_read_on_the_board_what_each_said_last():
    board = Board(3)
    assert board.read() == {}
    board.say(2, b"first")
    board.say(2, b"second")
    board.say(0, "ö".encode())
    board.say(1, bytes(10**6))
    assert board.read() == {0: "ö".encode(), 2: b"second"}
    board.say(2, b"")
    assert board.read() == {0: "ö".encode()}


def test_one_that_ends_in_the_middle_of_a_word_keeps_nobody_from_reading():
    board = Board(2)
    board.say(0, b"whole")
    board.say(1, b"whole")
    board._memory[Board._HEAD.size] = ord("W")
    assert board.read() == {1: b"whole"}


def test_metrics_have_the_numbers_of_every_process_by_its_number():
    board = Board(2)
    first, second = (Worker(number, None, "here", "", board) for number in range(2))
    metrics._say(second)
    lines = metrics.exposition(first).splitlines()
    assert [line for line in lines if line.startswith("bleuscope_sessions{")] == [
        'bleuscope_sessions{process="0"} 0',
        'bleuscope_sessions{process="1"} 0',
    ]
    assert lines.count("# TYPE bleuscope_requests counter") == 1
    assert lines[-1] == "# EOF"
    happenings().refuse("host")
    refused = metrics.exposition(first).splitlines()
    assert any(line.startswith('bleuscope_refusals_total{process="0",reason="host"} ') for line in refused)
