"""The page that every address begins with, its mark for a browser that has none, and the window that opens on it."""

import asyncio
import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.datastructures import Headers

from bleuscope.content.style.stylesheet import FOLDER, PARTS, stylesheet
from bleuscope.shell.server import front_page
from bleuscope.shell.state.person import COOKIE
from bleuscope.streamlit_port import LOADING

MARK = "0123456789abcdef" * 2
APP = Starlette(routes=front_page.routes(["segments"]))
ADDRESS = "http://127.0.0.1:8501/?token=q7_Kz&x=1"
OPENS = """
import os, sys, time
from pathlib import Path
from bleuscope.shell.server.browser_window import open_browser
with open_browser(sys.argv[1], is_wanted=sys.argv[2] == "wanted") as opens:
    opens()
    end = time.monotonic() + 60
    while sys.argv[2] == "wanted" and not Path("seen").exists() and time.monotonic() < end:
        time.sleep(0.01)
"""
BROWSER = """#!/bin/sh
file="${1#file://}"
{ echo "$*"; stat -c %a "$(dirname "$file")"; cat "$file"; } > seen.part
mv seen.part seen
"""


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


@pytest.fixture
def kept_somewhere(monkeypatch):
    monkeypatch.setattr(front_page.workspace_in_use, "workspace", object)


class TestPage:
    def test_is_streamlits_own_with_our_name_and_without_its_words_for_programs(self):
        theirs, ours = (front_page.STATIC / "index.html").read_text(encoding="utf-8"), front_page.front_page()
        parts = re.compile(r'(?:src|href)="(\./static/[^"]+)"')
        assert parts.findall(ours) == parts.findall(theirs) != []
        assert "<title>bleuscope</title>" in ours
        assert f'<div id="root">{LOADING}</div>' in ours
        assert "agent" not in ours.replace(front_page.CONNECTION_SCRIPT, "")
        assert "Licensed under the Apache License" in ours
        assert ours.count("<noscript>") == 1

    @pytest.mark.parametrize("words", ["Connection error", "data-test-connection-state", "CONNECTED"])
    def test_has_a_script_that_knows_streamlits_page(self, words):
        (program,) = (front_page.STATIC / "static" / "js").glob("index.[!e]*.js")
        assert words in program.read_text(encoding="utf-8")
        assert words in front_page.CONNECTION_SCRIPT

    @pytest.mark.parametrize("path", ["/", "/segments"])
    def test_our_script_is_the_first_of_every_page(self, path):
        _, text = page(path)
        assert re.search(r"<script[^>]*>(.*?)</script>", text, re.DOTALL)[1] == front_page.BROWSER_SCRIPT
        assert text.count("<script") == (front_page.STATIC / "index.html").read_text("utf-8").count("<script") + 2

    def test_our_script_has_every_duty(self):
        named = [*front_page.SHARED, *front_page.DUTIES]
        assert sorted(path.stem for path in front_page.BROWSER.iterdir()) == sorted(named)
        assert all(
            (front_page.BROWSER / f"{name}.js").read_text("utf-8") in front_page.BROWSER_SCRIPT for name in named
        )

    def test_every_page_has_every_rule_of_its_looks(self):
        assert sorted(path.stem for path in FOLDER.iterdir()) == sorted(PARTS)
        assert stylesheet() in page()[1]

    def test_a_page_is_sent_whole_even_to_who_has_a_copy(self):
        assert front_page.BROWSER_SCRIPT in page(**{"if-none-match": "*", "range": "bytes=0-9"})[1]

    def test_where_nothing_is_kept_no_browser_gets_a_mark(self):
        assert "set-cookie" not in page()[0]

    @pytest.mark.usefixtures("kept_somewhere")
    def test_every_browser_gets_a_mark_of_its_own_that_no_script_reads(self):
        cookie = page()[0]["set-cookie"]
        assert re.fullmatch(rf"{COOKIE}=[0-9a-f]{{32}}; Path=/; Max-Age=\d+; HttpOnly; SameSite=Lax", cookie)
        assert cookie != page()[0]["set-cookie"]

    @pytest.mark.usefixtures("kept_somewhere")
    def test_a_browser_keeps_the_mark_that_it_has(self):
        assert "set-cookie" not in page(cookie=f"other=a b; {COOKIE}={MARK}")[0]

    @pytest.mark.parametrize("mark", ["", "x", MARK.upper(), MARK + "0", "../" + MARK[3:], "é" * 32])
    @pytest.mark.usefixtures("kept_somewhere")
    def test_a_mark_that_is_none_is_replaced(self, mark):
        assert "set-cookie" in page(cookie=f"{COOKIE}={mark}")[0]


class TestWindow:
    @pytest.fixture
    def seen(self, tmp_path):
        """Opens a window with a browser that notes what it is given: what it noted."""
        browser = tmp_path / "browser"
        browser.write_text(BROWSER)
        browser.chmod(browser.stat().st_mode | stat.S_IXUSR)

        def start(wanted, **variables):
            kept = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
            subprocess.run(
                [sys.executable, "-c", OPENS, ADDRESS, wanted],
                cwd=tmp_path,
                env=kept | {"TMPDIR": str(tmp_path)} | variables,
                check=True,
                timeout=300,
            )
            note = tmp_path / "seen"
            return note.read_text().splitlines() if note.exists() else []

        start.browser = str(browser)
        return start

    def test_gets_the_address_by_a_page_of_this_user_alone_which_is_gone_afterwards(self, seen, tmp_path):
        arguments, rights, *page = seen("wanted", BROWSER=seen.browser)
        assert re.fullmatch(r"file://\S+/open\.html", arguments)
        assert rights == "700"
        assert f'content="0; url={ADDRESS.replace("&", "&amp;")}"' in "\n".join(page)
        assert not Path(arguments.removeprefix("file://")).exists()
        assert not list(tmp_path.glob("bleuscope-*"))

    def test_opens_only_where_it_is_wanted(self, seen):
        assert seen("unwanted", BROWSER=seen.browser) == []
