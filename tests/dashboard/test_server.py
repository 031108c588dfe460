"""The server around the script: settings, headers on every answer, garbage collection."""

import asyncio
import base64
import gc
import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.components.v2.component_manager import BidiComponentManager
from streamlit.runtime.pages_manager import PagesManager

from bleuscope.shell.server import front_page, server
from bleuscope.shell.server.server import SecurityHeaders, make_app
from bleuscope.shell.state.page_list import PAGES

POLICY = "default-src 'self'"


def ask(app, path="/", method="GET", body=(), headers=(), kind="http"):
    """Send one request to an ASGI app, its body piece by piece: what was sent back."""
    pieces = list(body)
    messages = [
        {"type": "http.request", "body": piece, "more_body": index + 1 < len(pieces)}
        for index, piece in enumerate(pieces)
    ] or [{"type": "http.request", "body": b"", "more_body": False}]
    sent = []

    async def receive():
        return messages.pop(0) if messages else await asyncio.Event().wait()  # the client stays, and says no more

    async def send(message):
        sent.append(message)

    scope = {
        "type": kind,
        "path": path,
        "raw_path": path.encode(),
        "method": method,
        "headers": [(name.encode(), value.encode()) for name, value in headers],
        "query_string": b"",
        "scheme": "http",
        "http_version": "1.1",
        "server": ("127.0.0.1", 8501),
        "client": ("127.0.0.1", 1),
        "asgi": {"version": "3.0"},
    }
    asyncio.run(app(scope, receive, send))
    return sent


def headers_of(sent):
    start = next(message for message in sent if message["type"] == "http.response.start")
    return [(name.decode().lower(), value.decode()) for name, value in start["headers"]]


class TestPolicy:
    def directives(self):
        parts = (part.split(" ") for part in server._content_security_policy().split("; "))
        return {name: values for name, *values in parts}

    def test_allows_no_script_from_elsewhere_none_inline_and_no_eval(self):
        scripts = self.directives()["script-src"]
        assert "'self'" in scripts
        assert not {"'unsafe-eval'", "'unsafe-inline'", "*", "https:", "blob:", "data:"} & set(scripts)

    def test_has_the_hash_of_each_inline_script_of_the_page(self):
        inline = [
            code
            for attributes, code in re.findall(r"<script([^>]*)>(.*?)</script>", front_page.front_page(), re.DOTALL)
            if "src=" not in attributes
        ]
        assert front_page.CONNECTION_SCRIPT in inline
        for code in inline:
            digest = base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()
            assert f"'sha256-{digest}'" in self.directives()["script-src"]

    def test_lets_nothing_in_from_other_hosts_and_no_frame_around_it(self):
        directives = self.directives()
        for name in ("object-src", "form-action", "frame-ancestors", "frame-src"):
            assert directives[name] == ["'none'"]
        assert directives["connect-src"] == ["'self'"]
        foreign = [value for values in directives.values() for value in values if re.search(r"\*|https?:", value)]
        assert foreign == []


class TestSecurityHeaders:
    def app(self, status=200, headers=()):
        async def inner(scope, receive, send):
            await send({"type": "http.response.start", "status": status, "headers": list(headers)})
            await send({"type": "http.response.body", "body": b"text"})

        return SecurityHeaders(inner, POLICY)

    @pytest.mark.parametrize("status", [200, 304, 404, 500])
    def test_are_on_every_answer(self, status):
        headers = dict(headers_of(ask(self.app(status))))
        assert headers["content-security-policy"] == POLICY
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cross-origin-opener-policy"] == "same-origin"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert "permissions-policy" in headers

    def test_replace_those_of_the_app_and_leave_its_others(self):
        given = [(b"X-Frame-Options", b"SAMEORIGIN"), (b"Content-Security-Policy", b"*"), (b"ETag", b"1")]
        headers = headers_of(ask(self.app(headers=given)))
        names = [name for name, _ in headers]
        assert len(names) == len(set(names))
        assert dict(headers)["x-frame-options"] == "DENY"
        assert dict(headers)["content-security-policy"] == POLICY
        assert dict(headers)["etag"] == "1"

    def test_leave_status_and_body_alone(self):
        start, body = ask(self.app(404))
        assert (start["status"], body["body"]) == (404, b"text")

    def test_are_put_on_an_answer_without_any(self):
        async def bare(scope, receive, send):
            await send({"type": "http.response.start", "status": 204})

        assert dict(headers_of(ask(SecurityHeaders(bare, POLICY))))["x-frame-options"] == "DENY"

    def test_have_no_place_in_a_websocket(self):
        async def socket(scope, receive, send):
            await send({"type": "websocket.accept", "headers": [(b"a", b"b")]})

        assert ask(SecurityHeaders(socket, POLICY), kind="websocket") == [
            {"type": "websocket.accept", "headers": [(b"a", b"b")]}
        ]


class TestGarbageCollection:
    def test_goes_on_while_the_server_runs_and_ends_with_it(self, monkeypatch):
        monkeypatch.setattr(server, "COLLECT_EVERY_SECONDS", 0.0)
        collected = []

        async def run():
            done = asyncio.Event()

            def note(phase, info):
                if phase == "stop" and info["generation"] == 2:
                    collected.append(info)
                    done.set()

            async with server._collect_garbage(make_app()):
                gc.callbacks.append(note)
                try:
                    await asyncio.wait_for(done.wait(), 60)
                finally:
                    gc.callbacks.remove(note)
                assert gc.get_freeze_count() > 0
            await asyncio.wait_for(asyncio.gather(*others(), return_exceptions=True), 60)

        def others():
            return asyncio.all_tasks() - {asyncio.current_task()}

        try:
            asyncio.run(run())
        finally:
            gc.unfreeze()
        assert collected


def test_a_fault_of_ours_is_a_sentence_on_the_page_and_a_traceback_in_the_log(caplog, undrawn):
    def page():
        from bleuscope.shell.server import server

        assert server._say_that_it_is_ours(ValueError("the secret of the program"))

    app = undrawn(page).run()
    assert not app.exception
    assert "not in your files" in app.error[0].value
    assert "secret" not in app.error[0].value
    assert any("the secret of the program" in str(record.exc_info) for record in caplog.records)


def test_a_page_that_the_address_names_is_never_run_without_what_surrounds_it(monkeypatch):
    monkeypatch.setattr(PagesManager, "uses_pages_directory", None)
    make_app()
    assert PagesManager.uses_pages_directory is False


def test_no_installed_package_is_searched_for_components_of_pages(monkeypatch):
    searched = []
    monkeypatch.setattr(manifest_scanner, "scan_component_manifests", lambda: searched.append("all") or [])
    make_app()
    BidiComponentManager().discover_and_register_components(start_file_watching=False)
    assert searched == []


def test_every_script_of_a_page_is_in_the_list_of_pages():
    folder = server.SCRIPT.parent
    pages = [*folder.glob("pages/*.py"), *folder.glob("features/*/page.py"), *folder.glob("features/*/pages/*.py")]
    scripts = {path.relative_to(folder).as_posix() for path in pages if path.stem not in {"__init__", "start"}}
    assert {page.script for page in PAGES.values()} == scripts


def test_the_app_is_the_dashboards_script_behind_headers_and_quota():
    app = make_app()
    assert Path(app.script_path) == server.SCRIPT
    assert server.SCRIPT.is_file()


@pytest.fixture(scope="module")
def started():
    """What the dashboard answers in a process of its own, by path, and whether it has imported SciPy's statistics."""
    code = f"""
import asyncio, json, sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
import test_server
from bleuscope.shell.server.hosts import announced
from bleuscope.shell.server.server import guarded, make_app
app = guarded(make_app(), announced("127.0.0.1", 8501), token=None)
host = [("host", "127.0.0.1:8501")]
paths = ("/", "/scores", "/_stcore/health", "/nowhere.js")
answers = {{path: test_server.headers_of(test_server.ask(app, path, headers=host)) for path in paths}}
print(json.dumps([answers, "scipy.stats" in sys.modules]))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_the_dashboards_own_answers_have_the_headers_and_its_page_runs_under_them(started):
    answers, _ = started
    for headers in answers.values():
        names = [name for name, _ in headers]
        assert names.count("content-security-policy") == names.count("x-frame-options") == 1
        assert dict(headers)["content-security-policy"] == server._content_security_policy()


def test_it_starts_without_what_takes_long_to_import_and_few_ask_for(started):
    assert started[1] is False
