"""Many sessions that click at once, on the dashboard and on an empty page of Streamlit: latency, failures, memory.

Sessions speak Streamlit's protocol over WebSockets, without a browser, with servers of this program's own on a
loopback address. A click gives the segment number another value, on the Segments page; on the empty page it does the
same to a page with that field and nothing else. Latency is from there to the end of the run, all elements received.

    python tests/benchmarks/load.py --sessions 100 --seconds 60
"""

import argparse
import asyncio
import os
import random
import socket
import statistics
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import websockets
from side_by_side import made_texts
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

N_SYSTEMS, N_SEGMENTS = 9, 2_037
PAGES = {"empty": "", "dashboard": "segments"}
EMPTY_PAGE = "import streamlit as st\n\nst.write(st.number_input('Segment', 1, 2037, key='segment'))\n"
START_SECONDS, MOST_SECONDS = 60, 60
MOST_MESSAGE = 200 * 1024**2
RATIO_TARGET = 3
SEEN_ENDED_SECONDS = 15
"""Of a session that was closed, in the measurement of memory; 120 by default."""


@dataclass
class Session:
    """One visitor: what was received, and how long each click took.

    As a browser does, it has only that part of the page run (a fragment of Streamlit's) which the field belongs to.
    """

    socket: websockets.ClientConnection
    page: str
    rng: random.Random
    seconds: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    widget: str | None = None
    part: str = ""
    page_hash: str = ""
    query: str = ""
    chosen: dict[str, str] = field(default_factory=dict)
    held: set[str] = field(default_factory=set)

    async def run(self, value: float | None = None) -> None:
        """Ask for a run, and wait for its end."""
        message = BackMsg()
        asked = message.rerun_script
        asked.page_script_hash, asked.page_name = self.page_hash, "" if self.page_hash else self.page
        asked.query_string = self.query
        asked.cached_message_hashes.extend(self.held)
        if value is not None and self.widget is not None:
            asked.widget_states.widgets.add(id=self.widget, double_value=value)
            for box, option in self.chosen.items():  # what a page reads of fields that it does not draw anew
                asked.widget_states.widgets.add(id=box, string_value=option)
            asked.fragment_id = self.part
        await self.socket.send(message.SerializeToString())
        while True:
            data = await asyncio.wait_for(self.socket.recv(), MOST_SECONDS)
            received = ForwardMsg.FromString(data)
            if self._ends(received):
                return

    def _ends(self, received: ForwardMsg) -> bool:
        """Take a message in; whether it ends the run that was asked for."""
        if received.metadata.cacheable:
            self.held.add(received.hash)
        kind = received.WhichOneof("type")
        if kind == "new_session":
            self.page_hash = received.new_session.page_script_hash
        elif kind == "page_info_changed":
            self.query = received.page_info_changed.query_string
        elif kind == "delta" and received.delta.WhichOneof("type") == "new_element":
            element = received.delta.new_element
            what = element.WhichOneof("type")
            if what == "number_input" and element.number_input.label == "Segment":
                self.widget, self.part = element.number_input.id, received.delta.fragment_id
            if what == "selectbox" and element.selectbox.HasField("default"):
                self.chosen[element.selectbox.id] = element.selectbox.options[element.selectbox.default]
            if what == "exception":
                self.faults.append(element.exception.message)
        return kind == "script_finished" and received.script_finished in (
            ForwardMsg.FINISHED_SUCCESSFULLY,
            ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY,
            ForwardMsg.FINISHED_WITH_COMPILE_ERROR,
        )

    async def click(self) -> None:
        """Open another segment, and note how long that took."""
        start = time.perf_counter()
        try:
            await self.run(float(self.rng.randint(1, N_SEGMENTS)))
            self.seconds.append(time.perf_counter() - start)
        except (TimeoutError, websockets.WebSocketException) as error:
            self.faults.append(type(error).__name__)


async def visit(address: str, page: str, seed: int) -> Session:
    """Open a session and draw its page."""
    connection = await websockets.connect(
        f"ws://{address}/_stcore/stream",
        subprotocols=[websockets.Subprotocol("streamlit")],
        max_size=MOST_MESSAGE,
        origin=websockets.Origin(f"http://{address}"),
        proxy=None,
        open_timeout=MOST_SECONDS,
    )
    session = Session(connection, page, random.Random(seed))
    await session.run()
    assert session.widget is not None, f"the page shows no field to click at: {session.faults}"
    return session


async def click_for(session: Session, seconds: float, every: float) -> None:
    """Click at a steady pace that begins anywhere, so that sessions do not move as one."""
    end = time.perf_counter() + seconds
    await asyncio.sleep(session.rng.random() * every)
    while time.perf_counter() < end and not session.faults:
        start = time.perf_counter()
        await session.click()
        await asyncio.sleep(max(0.0, every - (time.perf_counter() - start)))


async def measure_clicks(address: str, page: str, arguments: argparse.Namespace) -> list[Session]:
    """All sessions, opened one after the other, then clicked at once."""
    sessions = [await visit(address, page, seed) for seed in range(arguments.sessions)]
    await asyncio.gather(*(click_for(session, arguments.seconds, arguments.every) for session in sessions))
    for session in sessions:
        await session.socket.close()
    return sessions


async def open_and_close(address: str, page: str, number: int, at_once: int = 10) -> None:
    """Sessions that draw their page and go."""
    for first in range(0, number, at_once):
        for session in await asyncio.gather(*(visit(address, page, first + one) for one in range(at_once))):
            await session.socket.close()


@contextmanager
def server(kind: str, folder: Path) -> Iterator[tuple[str, int]]:
    """The address and the process id of a server of ours, until the measurement is over."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen([sys.executable, __file__, "--serve", kind, str(port), str(folder)])
    address = f"127.0.0.1:{port}"
    try:
        deadline = time.monotonic() + START_SECONDS
        while not answers(address):
            assert process.poll() is None, "the server stopped"
            assert time.monotonic() < deadline, f"no answer within {START_SECONDS} s"
            time.sleep(0.1)
        yield address, process.pid
    finally:
        process.terminate()
        process.wait(START_SECONDS)


def answers(address: str) -> bool:
    """Whether a server is there."""
    try:
        with urllib.request.urlopen(f"http://{address}/_stcore/health", timeout=1) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def serve(kind: str, port: int, folder: Path) -> None:
    """Be the server: the dashboard on the files of the folder, or an empty page under the same settings."""
    import streamlit as st

    from bleuscope.content.comparison.inputs import Inputs
    from bleuscope.shell.disk.files import to_environment
    from bleuscope.shell.server.server import make_app
    from bleuscope.shell.server.settings import read_settings

    systems = tuple(str(path) for path in sorted(folder.glob("system-*.txt")))
    to_environment(Inputs(systems=systems, references=(str(folder / "reference.txt"),)))
    app = make_app() if kind == "dashboard" else st.App(folder / "empty_page.py")
    app.run(
        config=read_settings()
        | {
            "server.address": "127.0.0.1",
            "server.port": port,
            "server.headless": True,
            "server.disconnectedSessionTTL": SEEN_ENDED_SECONDS,
        }
    )


def write_files(folder: Path, n_systems: int = N_SYSTEMS, n_segments: int = N_SEGMENTS) -> None:
    """A test set as large as those of a shared task unless said otherwise, and the empty page."""
    systems, reference = made_texts(n_segments, n_systems)
    for name, texts in {"reference": reference, **systems}.items():
        (folder / f"{name.replace(' ', '-')}.txt").write_text("\n".join(texts) + "\n", encoding="utf-8")
    (folder / "empty_page.py").write_text(EMPTY_PAGE, encoding="utf-8")


def megabytes_of(process_id: int) -> float:
    """Resident memory of a process, where the system tells it (Linux)."""
    status = Path(f"/proc/{process_id}/status").read_text(encoding="utf-8")
    return next(int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmRSS"))


def clicks(arguments: argparse.Namespace, folder: Path) -> None:
    """Print latencies of both pages, and how they compare."""
    print(f"{arguments.sessions} sessions that click every {arguments.every:g} s for {arguments.seconds:g} s, ", end="")
    print(f"{N_SYSTEMS} systems × {N_SEGMENTS:,} segments, {os.cpu_count()} cores\n")
    print(f"{'page':<12}{'clicks':>8}{'p50 ms':>9}{'p95 ms':>9}{'most ms':>9}{'failures':>10}")
    slow = {}
    for kind in ("empty", "dashboard"):
        with server(kind, folder) as (address, _):
            sessions = asyncio.run(measure_clicks(address, PAGES[kind], arguments))
        milliseconds = sorted(1_000 * second for session in sessions for second in session.seconds)
        faults = [fault for session in sessions for fault in session.faults]
        slow[kind] = statistics.quantiles(milliseconds, n=20)[-1]
        print(f"{kind:<12}{len(milliseconds):>8,}{statistics.median(milliseconds):>9.0f}", end="")
        print(f"{slow[kind]:>9.0f}{milliseconds[-1]:>9.0f}{len(faults):>10}", *sorted(set(faults)), flush=True)
    print(f"\np95 of the dashboard to the empty page: {slow['dashboard'] / slow['empty']:.1f}, target {RATIO_TARGET}")


def memory(arguments: argparse.Namespace, folder: Path) -> None:
    """Print the memory of the dashboard's server before, during and after many sessions."""
    with server("dashboard", folder) as (address, process_id):
        asyncio.run(open_and_close(address, PAGES["dashboard"], 50))
        settle()
        before = megabytes_of(process_id)
        asyncio.run(open_and_close(address, PAGES["dashboard"], arguments.opened))
        most = megabytes_of(process_id)
        settle()
        print(f"\n{arguments.opened} sessions opened and closed: {before:.0f} MB before, {most:.0f} MB at their end, ")
        print(f"{megabytes_of(process_id):.0f} MB when they had ended and garbage was collected")


def settle() -> None:
    """Wait until sessions that were closed have ended, and garbage was collected."""
    time.sleep(SEEN_ENDED_SECONDS + 75)


def main() -> None:
    """Measure what the arguments ask for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sessions", type=int, default=100, help="default: %(default)s")
    parser.add_argument("--every", type=float, default=4.0, help="seconds between clicks; default: %(default)s")
    parser.add_argument("--seconds", type=float, default=60.0, help="of clicks on each page; default: %(default)s")
    parser.add_argument("--opened", type=int, default=500, help="sessions for memory, 0 for none; default: %(default)s")
    arguments = parser.parse_args()
    with TemporaryDirectory() as name:
        write_files(Path(name))
        clicks(arguments, Path(name))
        if arguments.opened:
            memory(arguments, Path(name))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--serve"]:
        serve(sys.argv[2], int(sys.argv[3]), Path(sys.argv[4]))
    else:
        main()
