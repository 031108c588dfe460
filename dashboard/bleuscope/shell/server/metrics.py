"""The state of the server in numbers, in the text form of OpenMetrics 1.0, for programs that watch it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from starlette.concurrency import run_in_threadpool
from starlette.types import Receive, Scope, Send

from bleuscope.shell.server import live_sessions
from bleuscope.shell.server.server_log import happenings
from bleuscope.shell.state import workspace_in_use
from bleuscope.streamlit_port import n_uploaded_bytes
from bleuscope.workspace.errors import WorkspaceError

PATH = "/metrics"
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

    def lines(self) -> list[str]:
        """As OpenMetrics has it."""
        ending = "_total" if self.kind == "counter" else ""
        unit = [f"# UNIT {self.name} bytes"] if self.name.endswith("_bytes") else []
        head = [f"# TYPE {self.name} {self.kind}", *unit, f"# HELP {self.name} {self.means}"]
        labels = {value: f'{{{self.label}="{value}"}}' if value else "" for value in self.values}
        return [*head, *(f"{self.name}{ending}{labels[value]} {number}" for value, number in self.values.items())]


def exposition() -> str:
    """All numbers of this server, now."""
    counted = happenings()
    answers = {str(status): number for status, number in counted.answers().items()}
    families = [
        Family("bleuscope_sessions", "gauge", "Sessions with a browser connected.", _one(live_sessions.n_sessions())),
        Family("bleuscope_script_runs", "counter", "Runs of the pages' script.", _one(counted.n_runs)),
        Family("bleuscope_requests", "counter", "Requests answered, by status of HTTP.", answers, "status"),
        Family("bleuscope_refusals", "counter", "Requests refused, by reason.", counted.refusals(), "reason"),
        Family("bleuscope_uploads_bytes", "gauge", "Uploads held in memory.", _one(n_uploaded_bytes())),
        *_of_workspace(),
    ]
    return "\n".join([*(line for family in families for line in family.lines()), "# EOF", ""])


async def answer(_scope: Scope, _receive: Receive, send: Send) -> None:
    """Send the numbers; the disk is asked beside the loop that serves everyone."""
    body = (await run_in_threadpool(exposition)).encode()
    headers = [
        (b"content-type", CONTENT_TYPE.encode()),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
    ]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


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
