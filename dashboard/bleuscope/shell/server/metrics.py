"""The state of the server in numbers, in the text form of OpenMetrics 1.0, for programs that watch it."""

import contextlib
import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from starlette.concurrency import run_in_threadpool
from starlette.types import ASGIApp, Receive, Scope, Send

from bleuscope.shell.server import live_sessions
from bleuscope.shell.server.server_log import happenings
from bleuscope.shell.state import workspace_in_use
from bleuscope.streamlit_port import n_uploaded_bytes
from bleuscope.workspace.errors import WorkspaceError

if TYPE_CHECKING:
    from bleuscope.shell.server.processes import Worker

PATH = "/metrics"
SECONDS_BETWEEN_SAYINGS = 1.0
"""How old the numbers of another process may be."""
CONTENT_TYPE = "application/openmetrics-text; version=1.0.0; charset=utf-8"


@dataclass(frozen=True)
class Family:
    """One metric.

    Attributes:
        name: Without the ending of counters.
        kind: Whether it only grows.
        means: What it counts.
        values: By the label's value; the label of the only one is empty.
        label: The label's name.
    """

    name: str
    kind: Literal["counter", "gauge"]
    means: str
    values: Mapping[str, int]
    label: str = ""

    def head(self) -> list[str]:
        """What OpenMetrics says first of it."""
        unit = [f"# UNIT {self.name} bytes"] if self.name.endswith("_bytes") else []
        return [f"# TYPE {self.name} {self.kind}", *unit, f"# HELP {self.name} {self.means}"]

    def lines(self, process: int | None = None) -> list[str]:
        """Its numbers as OpenMetrics has them, with the process that they are of where there are several."""
        ending = "_total" if self.kind == "counter" else ""
        of = [] if process is None else [f'process="{process}"']
        labels = {value: ",".join([*of, *([f'{self.label}="{value}"'] if value else [])]) for value in self.values}
        return [
            f"{self.name}{ending}{f'{{{labels[value]}}}' if labels[value] else ''} {number}"
            for value, number in self.values.items()
        ]


def answering(worker: "Worker | None") -> ASGIApp:
    """What answers with the numbers of this server: of all its processes, if it has several."""
    if worker is not None:
        threading.Thread(target=_keep_saying, args=(worker,), daemon=True).start()

    async def answer(_scope: Scope, _receive: Receive, send: Send) -> None:
        """Send the numbers. A thread asks the disk, so nobody waits for it."""
        body = (await run_in_threadpool(exposition, worker)).encode()
        headers = [
            (b"content-type", CONTENT_TYPE.encode()),
            (b"content-length", str(len(body)).encode()),
            (b"cache-control", b"no-store"),
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    return answer


def exposition(worker: "Worker | None" = None) -> str:
    """All numbers of this server, now; those of its other processes as they last said."""
    families, whole = _of_this_process(), _of_workspace()
    if worker is None:
        numbers = [[*family.head(), *family.lines()] for family in families]
    else:
        _say(worker)
        said = [json.loads(text) for _, text in sorted(worker.board.read().items())]
        numbers = [[*one.head(), *(line for lines in said for line in lines[one.name])] for one in families]
    numbers += [[*family.head(), *family.lines()] for family in whole]
    return "\n".join([*(line for lines in numbers for line in lines), "# EOF", ""])


def _keep_saying(worker: "Worker") -> None:
    while True:
        with contextlib.suppress(RuntimeError):  # somebody came or went while they were counted: the next time, then
            _say(worker)
        threading.Event().wait(SECONDS_BETWEEN_SAYINGS)


def _say(worker: "Worker") -> None:
    """Tell the other processes the numbers of this one."""
    lines = {family.name: family.lines(worker.number) for family in _of_this_process()}
    worker.board.say(worker.number, json.dumps(lines).encode())


def _of_this_process() -> list[Family]:
    counted = happenings()
    answers = {str(status): number for status, number in counted.answers().items()}
    return [
        Family("bleuscope_sessions", "gauge", "Sessions with a browser connected.", _one(live_sessions.n_sessions())),
        Family("bleuscope_script_runs", "counter", "Runs of the pages' script.", _one(counted.n_runs)),
        Family("bleuscope_requests", "counter", "Requests answered, by status of HTTP.", answers, "status"),
        Family("bleuscope_refusals", "counter", "Requests refused, by reason.", counted.refusals(), "reason"),
        Family("bleuscope_uploads_bytes", "gauge", "Uploads held in memory.", _one(n_uploaded_bytes())),
    ]


def _of_workspace() -> list[Family]:
    """What the workspace takes on the disk; nothing where there is none, or it cannot be asked."""
    kept = workspace_in_use.workspace()
    if kept is None:
        return []
    measures: dict[str, Callable[[], int]] = {"database": kept.database.n_bytes, "texts": kept.holdings.n_bytes}
    try:
        sizes = {part: measure() for part, measure in measures.items()}
    except (WorkspaceError, OSError):
        return []
    return [Family("bleuscope_workspace_bytes", "gauge", "What the workspace takes on the disk.", sizes, "part")]


def _one(value: int) -> dict[str, int]:
    return {"": value}
