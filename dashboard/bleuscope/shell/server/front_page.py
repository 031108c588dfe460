"""The page that every address of the dashboard begins with: Streamlit's own, with our name, our scripts and our words.

Streamlit (1.67) has "Are you connected to the internet?" for every lost connection, and nothing at all where a proxy
hands on no WebSocket. ``connection.js`` says what is wrong in its stead. What stands in ``browser/`` is one script
before all of Streamlit's, because it has to be there before the address is touched. The security policy lets both run
by their hashes. A browser that has no mark gets one (``shell/person.py``).
"""

import json
from collections.abc import Iterable
from pathlib import Path

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from bleuscope.content.style.stylesheet import stylesheet
from bleuscope.runtime import params
from bleuscope.shell.state import person, session, workspace_in_use
from bleuscope.streamlit_port import INLINE_SCRIPT, STATIC, page_of

CONNECTION_SCRIPT = (Path(__file__).parent / "connection.js").read_text(encoding="utf-8")
BROWSER = Path(__file__).parent / "browser"
SHARED = ("requests", "runs", "rows", "ahead", "exchange")
"""Files of ``browser/`` whose names all others of it can use."""
DUTIES = (
    "address",
    "unsaved",
    "phone",
    "segments",
    "drawer",
    "brushes",
    "cells",
    "open_page",
    "landmarks",
    "said",
    "focus",
    "copy",
    "reconnection",
)
"""What the browser does for the person who reads: a file each, whose names are its own."""
STEPS = (*session.SEGMENT_FILTERS, params.SORT, params.SEGMENT, params.A, params.B, params.TESTED)
"""Keys of the address whose changes one goes back by."""
WITHOUT_SCRIPTS = "<noscript><p>bleuscope needs JavaScript.</p></noscript>"


def _browser_script() -> str:
    shared, duties = (
        [(BROWSER / f"{name}.js").read_text(encoding="utf-8") for name in names] for names in (SHARED, DUTIES)
    )
    steps = f"const STEPS = {json.dumps(STEPS)};\n"
    return "".join(["(() => {\n", steps, *shared, *(f"{{\n{duty}}}\n" for duty in duties), "})();\n"])


BROWSER_SCRIPT = _browser_script()


def front_page() -> str:
    """The page, as a browser gets it."""
    ours = f"<style>{stylesheet()}</style>{WITHOUT_SCRIPTS}<script>{CONNECTION_SCRIPT}</script>"
    return page_of("bleuscope", first=f"<script>{BROWSER_SCRIPT}</script>", last=ours)


def files() -> list[str]:
    """The address of every file that Streamlit serves for pages."""
    return [path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*") if path.is_file()]


def inline_scripts() -> list[str]:
    """Every script that stands in the page itself."""
    return INLINE_SCRIPT.findall(front_page())


def routes(pages: Iterable[str]) -> list[Route]:
    """The page at the root and at the address of each page of the dashboard."""
    text = front_page()

    async def answer(request: Request) -> Response:
        headers = {"cache-control": "no-cache"}
        if workspace_in_use.workspace() is not None and person.mark_in(request.cookies) is None:
            headers["set-cookie"] = person.new_cookie()
        return HTMLResponse(text, headers=headers)

    return [Route(f"/{name}", answer) for name in ("", *pages)]
