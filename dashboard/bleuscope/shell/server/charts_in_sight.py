"""Charts are loaded and drawn once they come into sight.

Streamlit loads its 4.7 MB for charts as soon as a page has one, and draws all of them. ``chart_in_sight.js`` takes the
place of that file, and asks for it by a query once a chart is needed.
"""

from pathlib import Path

from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from bleuscope.streamlit_port import CHART_FILES, STATIC

SCRIPT = Path(__file__).with_name("chart_in_sight.js")
ADDRESSES = frozenset(f"/{path.relative_to(STATIC).as_posix()}" for path in STATIC.glob(CHART_FILES))


class ChartsInSight:
    """An application whose file of charts, asked for without a query, is our script."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._script = Response(
            SCRIPT.read_bytes(), headers={"cache-control": "no-cache"}, media_type="text/javascript"
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer."""
        is_asked = scope["type"] == "http" and scope["path"] in ADDRESSES and not scope["query_string"]
        await (self._script if is_asked else self._app)(scope, receive, send)
