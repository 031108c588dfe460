"""The command that serves the dashboard: what it refuses, what it announces, and a real server that nobody misuses."""

import contextlib
import http.client
import os
import re
import resource
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from bleuscope.cli import memory_check
from bleuscope.shell.analysis import head_start
from bleuscope.shell.server import server as served
from bleuscope.shell.server.auth_middleware import FOREIGN, WITHOUT_TOKEN, cookie_value
from tests.warm_python import warm_python

TOKEN = "the token of these tests"
START_SECONDS = 180
ANSWER_SECONDS = 60
"""Less than the ten minutes for which this server stands still where it looks up a name."""
WITHOUT_NAMES = """
import socket, sys, time
answer, join = socket.getaddrinfo, socket.socket.connect
def looked_up(host, *others, **named):
    if host not in (None, "localhost", "127.0.0.1"):
        print("LOOKED UP", host, flush=True)
        time.sleep(600)
    return answer(host, *others, **named)
def connected(self, address):
    if not str(address[0]).startswith(("127.", "/")):
        print("CONNECTED", address, flush=True)
        time.sleep(600)
    return join(self, address)
socket.getaddrinfo, socket.socket.connect = looked_up, connected
from bleuscope.cli import main
main()
"""
"""Runs the command where no name is ever answered and no other machine is ever reached; says so of who tries."""


@dataclass
class Server:
    """A server that runs."""

    port: int
    log: Path
    process: int

    def ask(self, path="/", method="GET", **headers):
        """The status and the text of an answer; by default with the cookie, as a browser asks."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=ANSWER_SECONDS)
        named = {"host": f"127.0.0.1:{self.port}", "cookie": self.cookie} | headers
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in named.items():
            if value is not None:
                connection.putheader(name, value)
        connection.endheaders()
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, text

    def join(self, path="/_stcore/stream", origin=None, cookie=None, host=None):
        """A WebSocket."""
        headers = {"cookie": self.cookie if cookie is None else cookie}
        uri = f"ws://{host or '127.0.0.1'}:{self.port}{path}"
        with socket.create_connection(("127.0.0.1", self.port), ANSWER_SECONDS) as stream:
            return connect(
                uri, sock=stream.dup(), origin=origin, additional_headers=headers, open_timeout=ANSWER_SECONDS
            )

    @property
    def cookie(self):
        """What a browser sends that has seen the token."""
        return f"bleuscope-{self.port}={cookie_value(TOKEN)}"

    @property
    def workers(self):
        """The processes that the front started."""
        return Path(f"/proc/{self.process}/task/{self.process}/children").read_text().split()

    def said(self):
        """What it printed."""
        return self.log.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def server(tmp_path_factory, free_port):
    """``bleuscope demo`` of two processes behind a proxy, where no name is ever answered."""
    folder, port = tmp_path_factory.mktemp("server"), free_port()
    arguments = ["demo", "--no-browser", "--port", str(port), "--public-url", "https://bleu.example.org/a/"]
    arguments += ["--processes", "2"]
    log = (folder / "log").open("w")
    process = subprocess.Popen(
        [sys.executable, "-c", WITHOUT_NAMES, *arguments],
        cwd=folder,
        env=os.environ | {"BLEUSCOPE_TOKEN": TOKEN},
        stdout=log,
        stderr=subprocess.STDOUT,
    )
    started = Server(port, folder / "log", process.pid)
    deadline = time.monotonic() + START_SECONDS
    while "bleuscope is at" not in started.said():
        assert process.poll() is None, started.said()
        assert time.monotonic() < deadline, started.said()
        time.sleep(0.05)
    yield started
    process.terminate()
    try:
        process.wait(60)
    finally:
        process.kill()  # one that waits for a name does not end by itself
        log.close()


JUNK = (
    b"\x00\x01\r\n\r\n",
    b"GET /\xc3\xa9 HTTP/1.1\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: a\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n",
    b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n",
)
"""Requests of which the server's libraries write a line."""
N_REFUSED = 30


class TestServer:
    def test_announces_the_address_that_people_open_with_its_token(self, server):
        line = server.said().splitlines()[-1]
        assert line == (
            "bleuscope is at https://bleu.example.org/a/?token=the%20token%20of%20these%20tests (stop it with Ctrl-C)"
        )

    def test_has_a_log_that_nobody_without_the_token_fills(self, server):
        before = len(server.said().splitlines())
        for _ in range(N_REFUSED):
            with pytest.raises(InvalidStatus):
                server.join(cookie="none")
            for junk in JUNK:
                with socket.create_connection(("127.0.0.1", server.port), ANSWER_SECONDS) as stream:
                    stream.sendall(junk)
                    assert stream.recv(12).startswith(b"HTTP/1.1 4")
        lines = server.said().splitlines()[before:]
        assert len(lines) < N_REFUSED, lines[:20]  # one a minute of each kind, of five kinds
        assert not any("handshake" in line for line in lines)

    def test_gives_pages_and_files_to_who_has_the_cookie(self, server):
        status, page = server.ask("/scores")
        assert (status, "<title>bleuscope</title>" in page) == (200, True)
        for address in re.findall(r'(?:src|href)="\./(static/js/index[^"]+)"', page):
            assert server.ask(f"/{address}")[0] == 200
        assert server.ask("/_stcore/health") == (200, "ok")

    @pytest.mark.parametrize(
        "path", ["/", "/scores", "/_stcore/health", "/_stcore/metrics", "/favicon.png", "/media/x"]
    )
    def test_gives_others_a_line(self, server, path):
        assert server.ask(path, cookie=None) == (403, f"{WITHOUT_TOKEN}\n")
        assert server.ask(path, host="evil.example") == (403, f"{FOREIGN}\n")
        assert server.ask(path, host=None) == (403, f"{FOREIGN}\n")

    def test_opens_sockets_for_who_has_the_cookie(self, server):
        with server.join(origin=f"http://127.0.0.1:{server.port}"):
            pass
        with server.join(origin="https://bleu.example.org"):
            pass
        with server.join():
            pass

    @pytest.mark.parametrize(
        "names",
        [
            {"origin": "http://evil.example"},
            {"origin": "null"},
            {"host": "evil.example"},
            {"host": "evil.example", "origin": "http://evil.example"},
            {"cookie": ""},
        ],
    )
    def test_opens_none_for_others_and_looks_nothing_up(self, server, names):
        with pytest.raises(InvalidStatus) as refused:
            server.join(**names)
        assert refused.value.response.status_code == 403
        assert refused.value.response.body.decode() in (f"{FOREIGN}\n", f"{WITHOUT_TOKEN}\n")

    def test_starts_a_process_anew_that_was_killed_while_the_other_one_goes_on(self, server):
        stays, victim = server.workers
        names = f"{server.cookie}; bleuscope-process-{server.port}="
        with server.join(cookie=f"{names}0") as open_page:
            os.kill(int(victim), signal.SIGKILL)
            deadline = time.monotonic() + START_SECONDS
            while len({*server.workers} - {victim}) < 2:
                assert time.monotonic() < deadline, server.workers
                time.sleep(0.05)
            assert open_page.ping().wait(ANSWER_SECONDS)
        assert server.ask("/_stcore/health", cookie=f"{names}1") == (200, "ok")
        assert stays in server.workers

    def test_has_looked_up_no_name_and_reached_no_other_machine(self, server):
        for origin in ("http://evil.example", "https://bleu.example.org", f"http://localhost:{server.port}"):
            server.ask("/_stcore/stream", origin=origin)
            named = "localhost" if "localhost" in origin else None
            with contextlib.suppress(InvalidStatus), server.join(origin=origin, host=named):
                pass
            assert server.ask("/_stcore/health") == (200, "ok")
        assert "LOOKED UP" not in server.said()
        assert "CONNECTED" not in server.said()


REFUSED = [
    (["--host", "x" * 70], "Option --host: there is no such host"),
    (["--host", "203.0.113.7"], "Option --host: this machine cannot listen there (found '203.0.113.7': cannot assign"),
    (["--host", "0.0.0.0", "--no-token"], "Option --no-token: every machine that reaches this one could read"),
    (["--host", "0.0.0.0", "--auth", "proxy"], "Option --auth proxy: the proxy's address is missing"),
    (["--auth", "proxy", "--trusted-proxy", "x"], "Option --trusted-proxy: this is no address (found 'x', expected"),
    (["--auth", "proxy", "--trusted-proxy", "0.0.0.0/0"], "Option --trusted-proxy: this would let everyone be whoever"),
    (["--trusted-proxy", "127.0.0.1"], "Option --trusted-proxy: it says nothing here (found --auth token"),
    (
        ["--auth", "proxy", "--trusted-proxy", "127.0.0.1", "--proxy-header", "Cookie"],
        "Option --proxy-header: this can be no header",
    ),
    (
        ["--auth", "proxy", "--trusted-proxy", "127.0.0.1", "--sign-out-url", "javascript:alert(1)"],
        "Option --sign-out-url: this is no address of a web server",
    ),
    (["--unsafe-allow-unauthenticated"], "Option --unsafe-allow-unauthenticated: it says nothing here (found a token"),
    (["--token", "a", "--no-token"], "Option --token: a token is named, and none is wanted"),
    (["--token", ""], "Option --token: this is no token (found '', expected letters that can be seen)"),
    (["--token", "a\x1b[31m"], r"Option --token: this is no token (found 'a\x1b[31m', expected"),
    (["--allow-host", "https://a.example"], "Option --allow-host: this is no name of a host"),
    (["--public-url", "bleu.example.org"], "Option --public-url: this is no address of a web server"),
    (["--public-url", "https://a.example/scores"], "Option --public-url: the path begins like that of a page"),
]


@pytest.mark.parametrize(("arguments", "sentence"), REFUSED)
def test_what_cannot_be_is_one_line_and_exit_code_2(bleuscope, free_port, arguments, sentence):
    port = str(free_port())
    code, out, err = bleuscope("demo", "--no-browser", "--port", port, *arguments)
    assert (code, out) == (2, "")
    assert err.splitlines()[-1].startswith(f"bleuscope: {sentence}")


def test_whoever_lets_anyone_in_is_told_so(monkeypatch, bleuscope, free_port):
    monkeypatch.setattr(served, "serve", lambda *_, announce, **__: announce())
    monkeypatch.setattr(head_start, "make", lambda: None)
    options = ("--no-browser", "--no-workspace", "--host", "0.0.0.0", "--no-token", "--unsafe-allow-unauthenticated")
    code, out, err = bleuscope("demo", "--port", str(free_port()), *options)
    assert (code, out.startswith("bleuscope is at http://127.0.0.1:")) == (0, True)
    assert "WARNING: ANYONE who can connect to this machine can read, change and delete everything" in err


def test_a_proxy_is_started_with_and_draws_no_token(monkeypatch, bleuscope, free_port):
    given = {}
    monkeypatch.setattr(served, "serve", lambda *_, announce, **named: announce() or given.update(named))
    monkeypatch.setattr(head_start, "make", lambda: None)
    monkeypatch.delenv("BLEUSCOPE_TOKEN", raising=False)
    options = ("--no-browser", "--no-workspace", "--auth", "proxy", "--trusted-proxy", "127.0.0.1")
    code, out, err = bleuscope("demo", "--port", str(free_port()), *options)
    assert (code, "token" in out) == (0, False)
    assert "every user of this machine can connect as the proxy does, and say to be anyone" in err
    assert (given["token"], given["login"].header) == (None, "x-forwarded-email")


@pytest.mark.parametrize(("rules", "is_told"), [({}, True), ({"BLEUSCOPE_OIDC_ALLOW": "sub:17"}, False)])
def test_whoever_lets_every_account_of_a_provider_in_is_told_so(monkeypatch, bleuscope, free_port, rules, is_told):
    monkeypatch.setattr(served, "serve", lambda *_, announce, **__: announce())
    monkeypatch.setattr(head_start, "make", lambda: None)
    given = {"BLEUSCOPE_OIDC_ISSUER": "https://login.example.org", "BLEUSCOPE_OIDC_CLIENT_ID": "bleuscope"}
    for name, value in (given | {"BLEUSCOPE_OIDC_CLIENT_SECRET": "known there"} | rules).items():
        monkeypatch.setenv(name, value)
    options = ("--no-browser", "--no-workspace", "--auth", "oidc")
    code, _, err = bleuscope("demo", "--port", str(free_port()), *options)
    assert (code, "everyone with an account at https://login.example.org may enter" in err) == (0, is_told)


def test_a_port_in_use_is_told_with_the_next_that_is_free(bleuscope):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        code, out, err = bleuscope("demo", "--no-browser", "--port", str(port))
    assert (code, out) == (2, "")
    (proposed,) = re.findall(r"another program has it \(found \d+\)\. Port (\d+) is free: --port \1\.\n$", err)
    assert port < int(proposed) <= port + 100


@pytest.mark.parametrize(
    ("megabytes", "arguments"), [(150, ["demo"]), (600, ["demo", "--no-browser"]), (1000, ["x.txt"])]
)
def test_too_little_memory_is_told_before_anything_starts(tmp_path, megabytes, arguments):
    def bound():
        resource.setrlimit(resource.RLIMIT_AS, (megabytes * 1024**2,) * 2)

    done = subprocess.run(
        [sys.executable, "-m", "bleuscope", *arguments],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=START_SECONDS,
        preexec_fn=bound,  # one thread here
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        f"bleuscope: Memory: there is too little to start (found {megabytes:,} MB, expected at least 2,048 MB). "
        "Raise the limit: ulimit -v unlimited.\n"
    )


@pytest.mark.parametrize(
    ("information", "limit", "found"),
    [
        ("MemTotal: 9 kB\nMemAvailable: 204800 kB\nSwapFree: 102400 kB\n", "max\n", 300),
        ("MemAvailable: 9999999 kB\nSwapFree: 0 kB\n", f"{256 * 1024**2}\n", 256),
    ],
)
def test_memory_is_what_the_machine_or_its_container_has_left(monkeypatch, tmp_path, information, limit, found):
    for name, text in (("MEMORY_INFORMATION", information), ("LIMIT_OF_CONTAINER", limit)):
        (tmp_path / name).write_text(text)
        monkeypatch.setattr(memory_check, name, tmp_path / name)
    with pytest.raises(memory_check.TooLittleMemoryError, match=rf"found {found} MB, expected at least 400 MB"):
        memory_check.refuse_little_memory()


def test_memory_that_nobody_tells_is_enough(monkeypatch, tmp_path):
    monkeypatch.setattr(memory_check, "MEMORY_INFORMATION", tmp_path / "none")
    monkeypatch.setattr(memory_check, "LIMIT_OF_CONTAINER", tmp_path / "none")
    memory_check.refuse_little_memory()


def test_a_folder_that_is_gone_is_told(tmp_path):
    folder = tmp_path / "gone"
    folder.mkdir()
    program = (
        f"import os, sys; os.rmdir({str(folder)!r}); sys.argv[1:] = ['demo', '--no-browser']\n"
        "from bleuscope.cli import main; main()"
    )
    done = subprocess.run(
        [warm_python(), "-c", program], cwd=folder, capture_output=True, text=True, check=False, timeout=300
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "bleuscope: The working directory: it was deleted or moved. "
        "Go to a folder that is there, as in cd ~, and start again.\n"
    )


@pytest.mark.parametrize(("said", "used"), [(None, "system"), ("jemalloc", "jemalloc")])
def test_arrow_holds_no_memory_of_its_own_unless_the_environment_says_so(monkeypatch, said, used):
    monkeypatch.setenv("MALLOC_ARENA_MAX", "4")  # leaves this process as it is
    monkeypatch.delenv("ARROW_DEFAULT_MEMORY_POOL", raising=False)
    if said is not None:
        monkeypatch.setenv("ARROW_DEFAULT_MEMORY_POOL", said)
    memory_check.hold_little_memory()
    assert os.environ["ARROW_DEFAULT_MEMORY_POOL"] == used
