"""Sessions over the wire, as a program of someone else may speak it: none can hurt another, or the server."""

import contextlib
import re
import resource
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from bleuscope.shell.server.stopping import NOTICE
from tests.warm_python import warm_python

PROGRAM = "from bleuscope.cli import main; main()"
START_SECONDS, ANSWER_SECONDS = 180, 60
DONE = ForwardMsg.FINISHED_SUCCESSFULLY
FAULT = "Something went wrong inside bleuscope"
RUN = {"new_session", "session_status_changed", "navigation", "page_info_changed", "page_config_changed", "delta"}
RUN |= {"logo", "script_finished", "ref_hash", "auto_rerun"}
"""The kinds of messages that a run of the script gives."""
SMALL_LIMIT = 3
"""Megabytes that a session of the tests may upload."""


class Session:
    """One session: what it sends, and what comes back."""

    def __init__(self, address, page="test-set", query=""):
        self.address, self.page, self.query = address, page, query
        with urllib.request.urlopen(f"{address}/_stcore/health", timeout=ANSWER_SECONDS) as answer:
            self.token = re.search(r"_streamlit_xsrf=([^;]+)", answer.headers["set-cookie"])[1]
        self.open = contextlib.ExitStack()
        self.socket = self.open.enter_context(
            connect(
                address.replace("http", "ws") + "/_stcore/stream",
                subprotocols=["streamlit"],
                additional_headers={"Cookie": f"_streamlit_xsrf={self.token}"},
                max_size=None,
                open_timeout=ANSWER_SECONDS,
                close_timeout=0.1,
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

    def listen(self, until="script_finished"):
        """Every message to the first of this kind; of those that end a run, to the one that nothing follows."""
        found, end, is_done = [], time.monotonic() + ANSWER_SECONDS, False
        while not is_done:
            message = ForwardMsg()
            message.ParseFromString(self.socket.recv(timeout=max(0, end - time.monotonic())))
            found.append(message)
            if message.WhichOneof("type") == "new_session":
                self.id = message.new_session.initialize.session_id
            is_done = message.WhichOneof("type") == until and message.script_finished in (0, DONE)
        self.shown = found
        return found

    def listen_for(self, is_meant):
        """Wait for a message."""
        message = ForwardMsg()
        while not is_meant(message):
            message.ParseFromString(self.socket.recv(timeout=ANSWER_SECONDS))

    def text(self):
        """What the last run showed, as text that holds all of its words."""
        return " ".join(str(message.delta) for message in self.shown if message.WhichOneof("type") == "delta")

    def widgets(self):
        """The ids of the widgets that the last run showed."""
        found = re.findall(r'\bid: "(\$\$ID[^"]+)"', self.text())
        return list(dict.fromkeys(found))

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


@dataclass(frozen=True)
class Started:
    """A server that runs."""

    address: str
    process: subprocess.Popen
    log: Path


@pytest.fixture(scope="module")
def run(tmp_path_factory, free_port):
    """Starts ``bleuscope open`` with options, or a program that does."""
    started = []

    def run_one(*options, program=PROGRAM, python=None):
        port = free_port()
        log = tmp_path_factory.mktemp("server") / "log"
        command = [
            python or warm_python(),
            "-c",
            program,
            "open",
            "--no-token",
            "--no-browser",
            "--port",
            str(port),
            *options,
        ]
        with log.open("w") as out:
            process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT)
        started.append(process)
        address = f"http://127.0.0.1:{port}"
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end:
            assert process.poll() is None, log.read_text()
            with contextlib.suppress(OSError), urllib.request.urlopen(f"{address}/_stcore/health", timeout=1):
                return Started(address, process, log)
            time.sleep(0.05)
        pytest.fail("the server did not start")

    yield run_one
    for process in started:
        process.kill()  # it keeps nothing
        process.wait(60)


@pytest.fixture(scope="module")
def server(run):
    """One of a few megabytes for each session, and one whose process can be given limits."""
    return run("--session-uploads", str(SMALL_LIMIT), python=sys.executable)


@pytest.fixture(scope="module")
def address(server):
    return server.address


@pytest.fixture
def full_disk(server):
    """No file of that server can grow beyond a megabyte."""
    before = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (2**20, before[1]))
    yield
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, before)


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

    def test_that_left_the_page_are_freed(self, enter):
        session, megabyte = enter(), b"x" * 2**20
        uploader = next(widget for widget in session.widgets() if "-upload-" in widget)
        with_files, without = WidgetState(id=uploader), WidgetState(id=uploader)
        without.file_uploader_state_value.SetInParent()
        for number in range(SMALL_LIMIT - 1):
            assert session.put(str(number), megabyte) == 204
            with_files.file_uploader_state_value.uploaded_file_info.add(file_id=str(number), name="a.txt", size=2**20)
        session.run(with_files)
        assert session.put("2", megabyte) == 413
        session.listen()
        session.run(without)
        assert session.put("2", megabyte) == 204

    def test_that_were_refused_are_said_on_the_page_without_being_asked_for(self, enter):
        session = enter()
        assert session.put("0", b"x" * (SMALL_LIMIT * 2**20), name="Übersetzung.txt") == 413
        session.listen()
        assert "Übersetzung" in session.text()
        assert "the file did not arrive" in session.text()
        session.run()
        assert "Go on without it" in session.text()
        assert session.put("1", b"x", name="Übersetzung.txt") == 204
        session.run()
        assert "the file did not arrive" not in session.text()

    @pytest.mark.usefixtures("full_disk")
    def test_that_the_temporary_disk_has_no_room_for_are_said_and_nothing_of_them_is_kept(self, enter):
        session = enter()
        assert session.put("0", b"x" * 2**21) == 507
        session.listen()
        assert "on the server" in session.text()
        assert "temporary files" in session.text()
        assert session.put("1", b"x") == 204


def array(field, *values):
    """A state of a widget whose value is a list."""

    def make(widget):
        state = WidgetState(id=widget)
        getattr(state, field).data.extend(values)
        return state

    return make


WRONG_STATES = (
    lambda widget: WidgetState(id=widget, json_value="{no JSON"),
    array("string_array_value", "zz", "выдумка"),
    array("double_array_value", 1e308, float("inf"), -1.0),
    lambda widget: WidgetState(id=widget, int_value=10**9),
)


def test_states_that_no_browser_sends_fail_one_run_with_a_sentence_and_not_the_next(enter):
    session, other = enter("scores", "data=sample"), enter("scores", "data=sample")
    n_failed = 0
    for widget, make in zip(session.widgets(), cycle(WRONG_STATES)):
        session.run(make(widget))
        assert not re.search(r"exception \{|Traceback|\.py\b", session.text())
        has_failed = FAULT in session.text()
        n_failed += has_failed
        if has_failed or "chart-scores" not in session.text():
            session.run()
            assert FAULT not in session.text(), widget
            assert "chart-scores" in session.text()
    assert n_failed > 1
    other.run()
    assert FAULT not in other.text()


def test_swapped_systems_are_read_before_the_page_is_drawn_anew(enter):
    session = enter("segments", "data=sample")
    session.run()
    swap = next(widget for widget in session.widgets() if widget.endswith("-swap"))
    shown = session.run(WidgetState(id=swap, trigger_value=True))
    deltas = [message.delta for message in shown if message.WhichOneof("type") == "delta"]
    of_the_list = next(place for place, delta in enumerate(deltas) if "bs-row" in str(delta))
    of_the_page = next(place for place, delta in enumerate(deltas) if not delta.fragment_id)
    assert of_the_list < of_the_page


class TestMessages:
    def test_that_empty_all_caches_are_refused_and_the_sender_goes_on(self, enter):
        session, other = enter("scores", "data=sample"), enter("scores", "data=sample")
        session.run()  # the first run gives fields the values that the later ones are sent
        shown = session.text()
        for kind in ("clear_cache", "load_git_info", "set_run_on_save", "debug_shutdown_runtime"):
            message = BackMsg()
            setattr(message, kind, True)
            other.send(message)
        other.socket.send("a text")
        message = BackMsg()
        message.backend_operation_request.install_skills.SetInParent()
        message.backend_operation_request.session_id = other.id
        other.send(message)
        assert {message.WhichOneof("type") for message in other.run()} <= RUN
        assert (session.run(), session.text())[1] == shown

    def test_that_a_browser_needs_are_served(self, enter):
        session = enter("scores", "data=sample")
        session.send(BackMsg(app_heartbeat=True))
        session.listen("heartbeat_ack")
        message = BackMsg()
        message.file_urls_request.request_id = "1"
        message.file_urls_request.file_names.append("a.txt")
        session.send(message)
        assert session.listen("file_urls_response")[-1].file_urls_response.file_urls[0].upload_url


AT_WORK = """
import threading, time
from pathlib import Path
from bleuscope.shell.page import frame
from bleuscope.shell.server import stopping

stopping.SECONDS_FOR_WORK, seconds, kept = {bound}, {seconds}, Path({kept!r})
draw = frame.draw

def keep():
    time.sleep({seconds})
    kept.touch()

def slowly(page):
    draw(page)
    if page.address == "scores":
        threading.Thread(target=keep, name="keep").start()
        time.sleep({seconds} / 2)

frame.draw = slowly
"""
"""Where a page takes so many seconds, and something is put into the workspace for twice as long."""


OTHERS_AT_WORK = """
import threading
from multiprocessing import active_children
from time import sleep

from bleucore.processes import results
from bleuscope.shell.server import stopping

if __name__ == "__main__":
    threading.Thread(target=lambda: list(results(sleep, [10**6, 10**6], 2)), daemon=True).start()
    while not active_children():
        sleep(0.01)
    stopping.end_without(lambda: print("flushed", flush=True))
"""


class TestStop:
    @pytest.fixture
    def at_work(self, run, tmp_path):
        """A server that draws a page for this long, with a bound for work in hand, and the session of that page."""
        with contextlib.ExitStack() as sessions:

            def begin(seconds, bound):
                program = AT_WORK.format(bound=bound, seconds=seconds, kept=str(tmp_path / "kept")) + PROGRAM
                server = run("--log", "--no-workspace", program=program)
                session = sessions.enter_context(contextlib.closing(Session(server.address)))
                message = BackMsg()
                message.rerun_script.page_name, message.rerun_script.query_string = "scores", "data=sample"
                session.send(message)
                session.listen("navigation")
                return server, session

            yield begin

    def rest(self, session):
        """Every message until the connection ends."""
        found = []
        with contextlib.suppress(ConnectionClosed):
            while True:
                message = ForwardMsg()
                message.ParseFromString(session.socket.recv(timeout=ANSWER_SECONDS))
                found.append(message)
        return found

    def test_tells_sessions_and_finishes_what_is_in_hand(self, at_work, tmp_path):
        server, session = at_work(seconds=2, bound=60)
        server.process.send_signal(signal.SIGTERM)
        shown = self.rest(session)
        assert any(message.delta.new_element.toast.body == NOTICE for message in shown)
        assert any(message.WhichOneof("type") == "script_finished" for message in shown)
        assert server.process.wait(ANSWER_SECONDS) == 0
        assert (tmp_path / "kept").exists()
        assert re.search(r"Z bleuscope stopped seconds=[0-9.]+ unfinished=0$", server.log.read_text(), re.MULTILINE)

    def test_ends_although_work_goes_on_when_its_time_is_over(self, at_work, tmp_path):
        server, session = at_work(seconds=600, bound=0.5)
        server.process.send_signal(signal.SIGTERM)
        self.rest(session)
        assert server.process.wait(ANSWER_SECONDS) == 0
        assert not (tmp_path / "kept").exists()
        assert re.search(r"unfinished=[1-9]", server.log.read_text())

    def test_ends_although_other_processes_are_at_work_for_a_page(self, tmp_path):
        program = tmp_path / "at_work.py"
        program.write_text(OTHERS_AT_WORK, encoding="utf-8")
        ended = subprocess.run(
            [sys.executable, program], timeout=ANSWER_SECONDS, capture_output=True, text=True, check=True
        )
        assert ended.stdout == "flushed\n"

    def test_ends_at_once_at_the_second_signal(self, at_work):
        server, session = at_work(seconds=600, bound=600)
        server.process.send_signal(signal.SIGTERM)
        session.listen_for(lambda message: message.delta.new_element.toast.body == NOTICE)
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(ANSWER_SECONDS) == 128 + signal.SIGTERM


class TestMetrics:
    def ask(self, address):
        try:
            with urllib.request.urlopen(f"{address}/metrics", timeout=ANSWER_SECONDS) as answer:
                return answer.status, answer.headers["content-type"], answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, None, None

    def test_are_not_told_unless_asked_for(self, address):
        assert self.ask(address)[0] == 404

    def test_count_without_names_and_texts(self, run, tmp_path):
        server = run("--metrics", "--log", "--workspace", str(tmp_path / "workspace"))
        with contextlib.closing(Session(server.address)) as session:
            session.put("0", b"ein Geheimnis", name="geheim.txt")
            with pytest.raises(urllib.error.HTTPError, match="404"):
                urllib.request.urlopen(f"{server.address}/geheim", timeout=ANSWER_SECONDS)
            status, kind, text = self.ask(server.address)
        assert (status, kind) == (200, "application/openmetrics-text; version=1.0.0; charset=utf-8")
        found = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
        assert found["bleuscope_sessions"] == "1"
        assert int(found["bleuscope_script_runs_total"]) >= 1
        assert int(found["bleuscope_uploads_bytes"]) >= len("ein Geheimnis")
        assert found['bleuscope_refusals_total{reason="address"}'] == "1"
        assert found['bleuscope_requests_total{status="404"}'] == "1"
        assert int(found['bleuscope_workspace_bytes{part="database"}']) > 0
        assert text.endswith("\n# EOF\n")
        log = server.log.read_text()
        assert "Z bleuscope refused reason=address requests=1\n" in log
        assert "geheim" not in (text + log).lower()
