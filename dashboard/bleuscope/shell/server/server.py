"""The web server around the dashboard's script: its parts, security headers, garbage collection."""

import asyncio
import base64
import contextlib
import gc
import hashlib
import logging
import os
import socket
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

import streamlit as st
import uvicorn
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bleuscope import streamlit_port
from bleuscope.registry import PageLink, load, own_features
from bleuscope.shell.disk.packaged import PACKAGE
from bleuscope.shell.server import front_page, live_sessions, metrics
from bleuscope.shell.server.auth_middleware import Gate, Login, PageDoor, Ways
from bleuscope.shell.server.charts_in_sight import ChartsInSight
from bleuscope.shell.server.compressed import Compressed
from bleuscope.shell.server.hosts import Announced
from bleuscope.shell.server.log_lines import bound_log
from bleuscope.shell.server.login_log import Arrivals
from bleuscope.shell.server.lost_uploads import lost_uploads
from bleuscope.shell.server.memory import give_memory_back
from bleuscope.shell.server.messages import MessageFilter
from bleuscope.shell.server.oidc import OidcLogin
from bleuscope.shell.server.pictures import PICTURE_SCRIPT
from bleuscope.shell.server.processes import Sticky, Worker, WorkerServer
from bleuscope.shell.server.server_log import happenings, say
from bleuscope.shell.server.settings import apply_settings, read_settings
from bleuscope.shell.server.share_door import ShareDoor
from bleuscope.shell.server.stopping import SECONDS_FOR_CONNECTIONS, GracefulServer
from bleuscope.shell.server.upload_limits import MEGABYTE, UploadLimits
from bleuscope.shell.server.upload_quota import UploadQuota
from bleuscope.shell.state import cached, workspace_in_use
from bleuscope.shell.state.page_list import PAGES

SCRIPT = PACKAGE / "app.py"
ADDRESSES = tuple(page.address for page in PAGES.values())
SECONDS_BETWEEN_PINGS = 30
COLLECT_EVERY_SECONDS = 60.0


def make_app(limits: UploadLimits | None = None, login: Login | None = None) -> st.App:
    """The dashboard as an ASGI application.

    Args:
        limits: How much may be uploaded; as much as ``UploadLimits`` says unless given.
        login: How people log in; they do not unless given.
    """
    return st.App(SCRIPT, **parts_of_app(limits or UploadLimits(), login))


def parts_of_app(limits: UploadLimits, login: Login | None = None, around: Sequence[Middleware] = ()) -> dict[str, Any]:
    """What Streamlit's application is given beside the script.

    Args:
        limits: How much may be uploaded.
        login: How people log in; they do not unless given.
        around: What stands around everything.
    """
    streamlit_port.run_the_script_for_all_pages()
    streamlit_port.search_no_packages()
    quota = Middleware(
        UploadQuota,
        limits=limits,
        held=streamlit_port.held_uploads,
        lost=lost_uploads(),
        tell=live_sessions.Redraw(),
        is_here=streamlit_port.is_connected,
    )
    further = [route for feature in own_features() if feature.routes for route in load(feature.routes)()]
    return {
        "lifespan": _collect_garbage,
        "on_script_error": _say_that_it_is_ours,
        "secrets": login.secrets if isinstance(login, OidcLogin) else None,
        "routes": [*front_page.routes(ADDRESSES), *further],
        "middleware": [*around, Middleware(ChartsInSight), Middleware(MessageFilter), quota],
    }


def guarded(  # who may enter, and what they find
    app: ASGIApp,
    announced: Announced,
    *,
    token: str | None,
    login: Login | None = None,
    numbers: ASGIApp | None = None,
    framed_by: Sequence[str] = (),
) -> ASGIApp:
    """An application behind the gate, with security headers on all that comes out of either.

    Args:
        app: What lies behind.
        announced: The addresses that are answered.
        token: Whoever has it may enter; everyone may if there is none.
        login: How people log in; they do not unless given.
        numbers: What tells the numbers of the server behind the gate; nothing does unless given.
        framed_by: The sites whose pages may show this one within theirs.
    """
    beside = {metrics.PATH: numbers} if numbers else {}
    pages = {page.address: _page_door(page.link) for page in PAGES.values() if page.link is not None}
    ways = Ways(login, Arrivals(workspace_in_use.note_arrival), ShareDoor(workspace_in_use.workspace), pages, beside)
    gate = Gate(Compressed(app), announced, token=token, pages=ADDRESSES, files=front_page.files(), ways=ways)
    return Counted(SecurityHeaders(gate, policy=_content_security_policy(framed_by), is_framed=bool(framed_by)))


def serve(  # noqa: PLR0913  # what the command was told
    listening: socket.socket,
    announced: Announced,
    *,
    token: str | None,
    announce: Callable[[], None],
    limits: UploadLimits | None = None,
    login: Login | None = None,
    tells_metrics: bool = False,
    worker: Worker | None = None,
) -> None:
    """Run the dashboard until it is stopped.

    Args:
        listening: Where; it is closed in the end.
        announced: The addresses that are answered.
        token: Whoever has it may enter; everyone may if there is none.
        announce: Says where it is; called when everything is there.
        limits: How much may be uploaded; as much as ``UploadLimits`` says unless given.
        login: How people log in; they do not unless given.
        tells_metrics: Whether ``/metrics`` has the numbers of the server.
        worker: Which of several processes this is; the only one unless given.

    Raises:
        InputError: The public address is one of a page.
    """
    numbers = metrics.answering(worker) if tells_metrics else None
    app = guarded(make_app(limits, login), announced, token=token, login=login, numbers=numbers)
    address, port = listening.getsockname()[:2]
    if worker is not None:
        listening.close()  # the front has it
    reached = announced.main if announced.public is None else announced.public.place
    apply_settings(
        {
            "server.address": address,
            "server.port": port,
            "browser.serverAddress": reached.name,
            "browser.serverPort": reached.port,
            **({} if worker is None else {"server.cookieSecret": worker.secret}),
            **({"server.cookieSecret": login.cookie_secret} if isinstance(login, OidcLogin) else {}),
        }
    )
    config = uvicorn.Config(
        app if worker is None else Sticky(app, worker),
        ws="websockets-sansio",
        ws_ping_interval=SECONDS_BETWEEN_PINGS,
        ws_ping_timeout=SECONDS_BETWEEN_PINGS,
        ws_max_size=int(read_settings()["server.maxWidgetStateSize"]) * MEGABYTE,
        ws_per_message_deflate=False,
        proxy_headers=False,
        server_header=False,
        access_log=False,
        log_level="warning",
        lifespan="on",
        timeout_graceful_shutdown=SECONDS_FOR_CONNECTIONS,
    )
    server = GracefulServer(config) if worker is None else WorkerServer(config, worker)
    bound_log()
    say("start", process=os.getpid(), token="none" if token is None else "asked")
    announce()
    with listening:
        server.run(sockets=[listening] if worker is None else [])
    if not server.started:  # and uvicorn has said why
        sys.exit(1)


def _page_door(link: PageLink) -> PageDoor:
    async def opens(secret: str) -> bool:
        return bool(await asyncio.to_thread(lambda: load(link.works)(secret)))  # imported at the first such link

    return PageDoor(link.key, opens)


def _say_that_it_is_ours(error: Exception) -> bool:
    """A fault of the program, or values that no widget has: a traceback to the log, a sentence to the page."""
    logging.getLogger(__name__).error("a page failed", exc_info=error)
    streamlit_port.forget_widgets()
    st.error(
        "Something went wrong inside bleuscope, not in your files. What was loaded is still there: choose another "
        "page, or reload. Some choices may be as they were first. The terminal that runs bleuscope shows the details "
        "for a report."
    )
    return True


@contextlib.asynccontextmanager
async def _collect_garbage(app: st.App) -> AsyncIterator[None]:  # noqa: ARG001  # the lifespan's form
    """Free what ended sessions held, and collect now and then: after every run it would cost each click 40 ms."""

    async def collect() -> None:
        while True:
            await asyncio.sleep(COLLECT_EVERY_SECONDS)
            bound_log()  # loggers of what was imported since then, too
            live_sessions.end_expired_sessions()
            cached.drop_read_files()
            gc.collect()
            give_memory_back()

    gc.collect()
    gc.freeze()
    task = asyncio.create_task(collect())
    try:
        yield
    finally:
        task.cancel()


def _content_security_policy(framed_by: Sequence[str] = ()) -> str:
    """Only this server's own scripts run; nothing is loaded from or sent to any other host."""
    hashes = " ".join(
        f"'sha256-{base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()}'"
        for code in (*front_page.inline_scripts(), PICTURE_SCRIPT)
    )
    none = "'none'"
    return "; ".join(
        [
            "default-src 'self'",
            f"script-src 'self' 'wasm-unsafe-eval' {hashes}".rstrip(),
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data: blob:",
            "font-src 'self' data:",
            "connect-src 'self'",
            "worker-src 'self' blob:",
            "object-src 'none'",
            "base-uri 'self'",
            "form-action 'none'",
            f"frame-ancestors {' '.join(framed_by) or none}",
            "frame-src 'none'",
        ]
    )


class Counted:
    """Counts requests, and those that are under way."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        counted, status = happenings(), None

        async def watched(message: Message) -> None:
            nonlocal status
            status = message.get("status", status)
            await send(message)

        counted.begin()
        try:
            await self._app(scope, receive, watched)
        finally:
            counted.end(status)


class SecurityHeaders:
    """Adds the headers that keep foreign content out and this page out of foreign frames."""

    def __init__(self, app: ASGIApp, policy: str, *, is_framed: bool = False) -> None:
        self._app = app
        self._headers = [
            (b"content-security-policy", policy.encode()),
            (b"x-content-type-options", b"nosniff"),
            *(() if is_framed else ((b"x-frame-options", b"DENY"),)),
            (b"referrer-policy", b"no-referrer"),
            (b"cross-origin-opener-policy", b"same-origin"),
            (b"cross-origin-resource-policy", b"same-origin"),
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
