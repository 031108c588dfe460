"""Pushes to the dashboard as it is run: through its gate, beneath a path, and while it is killed."""

import contextlib
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from bleuscope.workspace import open_workspace, push
from bleuscope.workspace.outbox import Outbox
from bleuscope.workspace.people import LOCAL

PROGRAM = "from bleuscope.cli import main; main()"
START_SECONDS = 180
LINES = [f"line {number}" for number in range(300)]
NAMES = {"project": "en-de", "test_set": "news", "system": "base"}
PATH = "/scores-of-mt"


@pytest.fixture
def port(free_port):
    return free_port()


@pytest.fixture
def start(empty_place, port, tmp_path):
    """Starts ``bleuscope open`` on a workspace and a port, with a token; it is killed in the end."""
    started = []

    def start_one():
        log = (tmp_path / f"log{len(started)}").open("w")
        where = ["--port", str(port), "--workspace", str(empty_place.folder)]
        public = ["--public-url", f"http://127.0.0.1:{port}{PATH}/", "--no-browser"]
        command = [sys.executable, "-c", PROGRAM, "open", *where, *public]
        process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
        started.append((process, log))
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end:
            assert process.poll() is None, Path(log.name).read_text()
            with contextlib.suppress(OSError):
                if status(f"http://127.0.0.1:{port}/api/v1/openapi.json") == 401:
                    return process
            time.sleep(0.05)
        pytest.fail("the server did not start")

    yield start_one
    for process, log in started:
        process.kill()
        process.wait(60)
        log.close()


def status(address, **headers):
    try:
        with urllib.request.urlopen(urllib.request.Request(address, headers=headers), timeout=60) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


@pytest.fixture
def token(empty_place, tmp_path, monkeypatch):
    monkeypatch.setenv("BLEUSCOPE_OUTBOX", str(tmp_path / "outbox"))
    with open_workspace(empty_place) as workspace:
        me = workspace.people.person(LOCAL)
        text, _ = workspace.tokens.make(workspace.projects.make("en-de", me), me, "write")
    return text


def labels(place):
    with open_workspace(place) as workspace:
        return sorted(one.label for one in workspace.projects.versions(workspace.projects.find("en-de")))


def test_a_push_survives_that_the_server_is_killed_and_arrives_once(
    start, token, port, empty_place, bleuscope, monkeypatch
):
    server, address = start(), f"http://127.0.0.1:{port}"
    assert push(LINES, **NAMES, version="v1", references=[LINES], to=address, token=token).is_new
    assert push(LINES, **NAMES, version="v2", to=f"{address}{PATH}/", token=token).is_new, "beneath the public path"
    for headers in ({}, {"Authorization": f"Bearer {token}x"}, {"Cookie": f"bleuscope-{port}={token}"}):
        assert status(f"{address}/api/v1/openapi.json", **headers) == 401
    assert status(f"{address}/api/v1/openapi.json", Authorization=f"Bearer {token}") == 200
    assert status(f"{address}/scores", Authorization=f"Bearer {token}") == 403, "a page has another token"

    os.kill(server.pid, signal.SIGKILL)
    server.wait(60)
    waits = {"to": address, "token": token, "patience": 0, "never_fail": True}
    assert push(LINES, **NAMES, version="v2", **waits) is None
    assert push(LINES, **NAMES, version="v3", **waits) is None
    assert Outbox().n_waiting() == 2

    start()
    monkeypatch.setenv("BLEUSCOPE_TOKEN_PUSH", token)
    code, out, _ = bleuscope("push", "--pending")
    assert (code, out.count("already there"), out.count(": kept")) == (0, 1, 1)
    assert Outbox().n_waiting() == 0
    assert labels(empty_place) == ["v1", "v2", "v3"]
