"""The page that is served first: our script before all others, and a mark for a browser that has none."""

import asyncio
import re

import pytest
from starlette.applications import Starlette
from starlette.datastructures import Headers

from dashboard.shell import front_page
from dashboard.shell.person import COOKIE

MARK = "0123456789abcdef" * 2
APP = Starlette(routes=front_page.routes(["segments"]))


def page(path="/", **headers):
    """One request for a page: headers and text of the answer."""
    sent = []

    async def receive():
        return {"type": "http.request"}

    async def send(message):
        sent.append(message)

    raw = [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]
    scope = {"type": "http", "path": path, "method": "GET", "headers": raw, "query_string": b"", "root_path": ""}
    asyncio.run(APP(scope, receive, send))
    start, *rest = sent
    assert start["status"] == 200
    return Headers(raw=start["headers"]), b"".join(message.get("body", b"") for message in rest).decode()


@pytest.mark.parametrize("path", ["/", "/segments"])
def test_our_script_is_the_first_of_every_page(path):
    _, text = page(path)
    assert re.search(r"<script[^>]*>(.*?)</script>", text, re.DOTALL)[1] == front_page.BROWSER_SCRIPT
    assert text.count("<script") == (front_page.STATIC / "index.html").read_text("utf-8").count("<script") + 2


def test_a_page_is_sent_whole_even_to_who_has_a_copy():
    assert front_page.BROWSER_SCRIPT in page(**{"if-none-match": "*", "range": "bytes=0-9"})[1]


def test_every_browser_gets_a_mark_of_its_own_that_no_script_reads():
    cookie = page()[0]["set-cookie"]
    assert re.fullmatch(rf"{COOKIE}=[0-9a-f]{{32}}; Path=/; Max-Age=\d+; HttpOnly; SameSite=Lax", cookie)
    assert cookie != page()[0]["set-cookie"]


def test_a_browser_keeps_the_mark_that_it_has():
    assert "set-cookie" not in page(cookie=f"other=a b; {COOKIE}={MARK}")[0]


@pytest.mark.parametrize("mark", ["", "x", MARK.upper(), MARK + "0", "../" + MARK[3:], "é" * 32])
def test_a_mark_that_is_none_is_replaced(mark):
    assert "set-cookie" in page(cookie=f"{COOKIE}={mark}")[0]
