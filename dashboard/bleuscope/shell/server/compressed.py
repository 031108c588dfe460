"""Scripts and styles are sent compressed to whoever is on another machine: Streamlit's are megabytes.

On this machine nothing is gained by it, and each first page would wait for the compressing. Browsers keep these files
for a year, so they are compressed once a visitor.
"""

import ipaddress

from starlette.middleware.gzip import GZipMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

from bleuscope.streamlit_port import CORE

LEAST_BYTES = 2_000
COMPRESSED = (".js", ".css")


class Compressed:
    """What is sent of an application, compressed where that saves time."""

    def __init__(self, app: ASGIApp) -> None:
        self._plain, self._compressing = app, GZipMiddleware(app, minimum_size=LEAST_BYTES, compresslevel=6)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer."""
        app = self._compressing if scope["type"] == "http" and _gains(scope) else self._plain
        await app(scope, receive, send)


def _gains(scope: Scope) -> bool:
    """Whether compressing this answer saves more time than it takes: of scripts, styles and the page itself."""
    client = scope.get("client")
    if client is None or ipaddress.ip_address(client[0].partition("%")[0]).is_loopback:
        return False
    path = str(scope["path"])
    is_page = "." not in path.rpartition("/")[2] and CORE not in path
    return is_page or path.endswith(COMPRESSED)
