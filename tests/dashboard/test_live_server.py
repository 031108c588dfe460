"""Sessions over the wire, as a program of someone else may speak it: none can hurt another, or the server."""

import contextlib
import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect

START_SECONDS, ANSWER_SECONDS = 60, 20
SMALL_LIMIT = 3
"""Megabytes that a session of the tests may upload."""


class Session:
    """One session: what it sends, and what comes back."""

    def __init__(self, address, page="test-set", query=""):
        self.address, self.page, self.query = address, page, query
        with urllib.request.urlopen(f"{address}/_stcore/health", timeout=5) as answer:
            self.token = re.search(r"_streamlit_xsrf=([^;]+)", answer.headers["set-cookie"])[1]
        self.open = contextlib.ExitStack()
        self.socket = self.open.enter_context(
            connect(
                address.replace("http", "ws") + "/_stcore/stream",
                subprotocols=["streamlit"],
                additional_headers={"Cookie": f"_streamlit_xsrf={self.token}"},
                max_size=None,
            )
        )
        self.run()

    def close(self):
        self.open.close()

    def send(self, message):
        self.socket.send(message.SerializeToString())

    def run(self, *widgets):
        """Run the page with these states of widgets: every message that comes back."""
        message = BackMsg()
        message.rerun_script.page_name = self.page
        message.rerun_script.query_string = self.query
        message.rerun_script.widget_states.widgets.extend(widgets)
        self.send(message)
        return self.listen()

    def listen(self):
        """Every message until the script is done."""
        found, end = [], time.monotonic() + ANSWER_SECONDS
        while not found or found[-1].WhichOneof("type") != "script_finished":
            message = ForwardMsg()
            message.ParseFromString(self.socket.recv(timeout=max(0, end - time.monotonic())))
            found.append(message)
            if message.WhichOneof("type") == "new_session":
                self.id = message.new_session.initialize.session_id
        self.shown = found
        return found

    def text(self):
        """All words of the last run."""
        return " ".join(str(message.delta) for message in self.shown if message.WhichOneof("type") == "delta")

    def put(self, file, content, name="a.txt", has_token=True):
        """The status with which the server takes a file."""
        head = f'--x\r\nContent-Disposition: form-data; name="{name}"; filename="{name}"\r\n\r\n'
        return self.ask("PUT", file, head.encode() + content + b"\r\n--x--\r\n", has_token)

    def delete(self, file, has_token=True):
        return self.ask("DELETE", file, None, has_token)

    def ask(self, method, file, body, has_token):
        headers = {"Content-Type": "multipart/form-data; boundary=x", "Cookie": f"_streamlit_xsrf={self.token}"}
        headers |= {"X-Xsrftoken": self.token} if has_token else {}
        address = f"{self.address}/_stcore/upload_file/{self.id}/{file}"
        request = urllib.request.Request(address, body, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=ANSWER_SECONDS) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            return error.code


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    """Starts ``bleuscope open`` with options and variables: its address."""
    started = []

    def start_one(*options, **variables):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        log = (tmp_path_factory.mktemp("server") / "log").open("w")
        command = [sys.executable, "-m", "dashboard.cli", "open", "--no-browser", "--port", str(port), *options]
        process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, env={**os.environ, **variables})
        started.append((process, log))
        address = f"http://127.0.0.1:{port}"
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end:
            assert process.poll() is None, Path(log.name).read_text()
            with contextlib.suppress(OSError), urllib.request.urlopen(f"{address}/_stcore/health", timeout=1):
                return address
            time.sleep(0.05)
        pytest.fail("the server did not start")

    yield start_one
    for process, log in started:
        process.kill()  # it keeps nothing
        process.wait(20)
        log.close()


@pytest.fixture(scope="module")
def address(start):
    return start("--session-uploads", str(SMALL_LIMIT))


@pytest.fixture
def enter(address):
    """Opens sessions, and closes them."""
    with contextlib.ExitStack() as sessions:
        yield lambda *args: sessions.enter_context(contextlib.closing(Session(address, *args)))


class TestUploads:
    def test_are_bounded_by_what_the_server_holds(self, enter):
        session = enter()
        megabyte = b"x\n" * (512 * 1024)
        assert [session.put(str(number), megabyte) for number in range(SMALL_LIMIT)] == [204, 204, 413]
        assert session.delete("0", has_token=False) == 403
        assert session.put("3", megabyte) == 413
        assert session.delete("0") == 204
        assert session.put("3", megabyte) == 204
        assert enter().put("0", megabyte) == 204
