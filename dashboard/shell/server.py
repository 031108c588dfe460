"""The web server around the dashboard's script: settings, security headers, garbage collection."""

import asyncio
import base64
import contextlib
import gc
import hashlib
import logging
import re
import tomllib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import streamlit as st
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.runtime.pages_manager import PagesManager

from dashboard.shell import cached, live_sessions
from dashboard.shell.lost_uploads import lost_uploads
from dashboard.shell.messages import MessageFilter
from dashboard.shell.pictures import PICTURE_SCRIPT
from dashboard.shell.upload_limits import UploadLimits
from dashboard.shell.upload_quota import UploadQuota

PACKAGE = Path(__file__).parents[1]
SCRIPT = PACKAGE / "app.py"
COLLECT_EVERY_SECONDS = 60.0


def make_app(limits: UploadLimits | None = None) -> st.App:
    """The dashboard as an ASGI application.

    Args:
        limits: How much may be uploaded; as much as ``UploadLimits`` says unless given.
    """
    # A folder named pages beside the script means an older kind of app to Streamlit until the script calls
    # st.navigation: the first visitor of a server would get a bare page if the address named one.
    PagesManager.uses_pages_directory = False
    return st.App(
        SCRIPT,
        lifespan=_collect_garbage,
        on_script_error=_say_that_it_is_ours,
        middleware=[
            Middleware(SecurityHeaders, policy=_content_security_policy()),
            Middleware(MessageFilter),
            Middleware(
                UploadQuota,
                limits=limits or UploadLimits(),
                held=live_sessions.held_uploads,
                lost=lost_uploads(),
                tell=live_sessions.Redraw(),
            ),
        ],
    )


def serve(
    *, host: str = "127.0.0.1", port: int = 8501, opens_browser: bool = True, limits: UploadLimits | None = None
) -> None:
    """Run the dashboard until it is stopped."""
    settings = read_settings() | {
        "server.address": host,
        "server.port": port,
        "server.headless": not opens_browser,
    }
    make_app(limits).run(config=settings)


def read_settings() -> dict[str, Any]:
    """The settings of ``.streamlit/config.toml`` by dotted name; the same file in a checkout and when installed."""
    inside = PACKAGE / "config.toml"
    path = inside if inside.is_file() else PACKAGE.parent / ".streamlit" / "config.toml"
    return dict(_flattened(tomllib.loads(path.read_text(encoding="utf-8"))))


def _say_that_it_is_ours(error: Exception) -> bool:
    """A fault of the program, or values that no widget has: a traceback to the log, a sentence to the page."""
    logging.getLogger(__name__).error("a page failed", exc_info=error)
    live_sessions.forget_widgets()
    st.error(
        "Something went wrong inside bleuscope, not in your files. What was loaded is still there: choose another "
        "page, or reload. Some choices may be as they were first. The terminal that runs bleuscope shows the details "
        "for a report."
    )
    return True


def _flattened(table: dict[str, Any], prefix: str = "") -> list[tuple[str, Any]]:
    pairs: list[tuple[str, Any]] = []
    for key, value in table.items():
        pairs += _flattened(value, f"{prefix}{key}.") if isinstance(value, dict) else [(prefix + key, value)]
    return pairs


@contextlib.asynccontextmanager
async def _collect_garbage(app: st.App) -> AsyncIterator[None]:  # noqa: ARG001  # the lifespan's form
    """Free what ended sessions held, and collect now and then: after every run it would cost each click 40 ms."""

    async def collect() -> None:
        while True:
            await asyncio.sleep(COLLECT_EVERY_SECONDS)
            live_sessions.end_expired_sessions()
            cached.drop_read_files()
            gc.collect()

    gc.collect()
    gc.freeze()
    task = asyncio.create_task(collect())
    try:
        yield
    finally:
        task.cancel()


def _content_security_policy() -> str:
    """Only this server's own scripts run; nothing is loaded from or sent to any other host."""
    page = (Path(st.__file__).parent / "static" / "index.html").read_text(encoding="utf-8")
    inline = re.findall(r"<script(?![^>]*\ssrc=)[^>]*>(.*?)</script>", page, re.DOTALL)
    hashes = " ".join(
        f"'sha256-{base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()}'"
        for code in (*inline, PICTURE_SCRIPT)
    )
    return "; ".join(
        [
            "default-src 'self'",
            f"script-src 'self' 'wasm-unsafe-eval' {hashes}".rstrip(),
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data: blob:",
            "font-src 'self' data:",
            "connect-src 'self' ws: wss:",
            "worker-src 'self' blob:",
            "object-src 'none'",
            "base-uri 'self'",
            "form-action 'none'",
            "frame-ancestors 'none'",
            "frame-src 'none'",
        ]
    )


class SecurityHeaders:
    """Adds the headers that keep foreign content out and this page out of foreign frames."""

    def __init__(self, app: ASGIApp, policy: str) -> None:
        self._app = app
        self._headers = [
            (b"content-security-policy", policy.encode()),
            (b"x-content-type-options", b"nosniff"),
            (b"x-frame-options", b"DENY"),
            (b"referrer-policy", b"no-referrer"),
            (b"cross-origin-opener-policy", b"same-origin"),
            (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and the answer with the headers."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                names = {name for name, _ in self._headers}
                kept = [pair for pair in message.get("headers", []) if pair[0].lower() not in names]
                message = {**message, "headers": kept + self._headers}
            await send(message)

        await self._app(scope, receive, send_with_headers if scope["type"] == "http" else send)
