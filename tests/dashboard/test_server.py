"""The server around the script: settings, headers on every answer, a bound on uploads, garbage collection."""

import asyncio
import base64
import gc
import hashlib
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import streamlit
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest

from dashboard.shell import server, upload_quota
from dashboard.shell.server import SecurityHeaders, make_app, read_settings
from dashboard.shell.upload_quota import UploadQuota

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


class TestSettings:
    def test_are_the_tables_of_the_file_by_dotted_name(self):
        file = Path(server.PACKAGE.parent / ".streamlit" / "config.toml")
        tables = tomllib.loads(file.read_text(encoding="utf-8"))
        settings = read_settings()
        assert settings["server.maxUploadSize"] == tables["server"]["maxUploadSize"]
        assert settings["theme.dark.sidebar.backgroundColor"] == tables["theme"]["dark"]["sidebar"]["backgroundColor"]
        assert not any(isinstance(value, dict) for value in settings.values())

    def test_report_nothing_to_anyone_and_keep_tracebacks_off_the_page(self):
        settings = read_settings()
        assert settings["browser.gatherUsageStats"] is False
        assert settings["client.showErrorDetails"] == "none"
        assert settings["server.enableXsrfProtection"] is True
        assert settings["server.enableStaticServing"] is False
        assert settings["runner.postScriptGC"] is False

    def test_are_all_known_to_streamlit(self):
        known = set(streamlit.config.get_config_options(force_reparse=False))
        assert set(read_settings()) <= known


class TestPolicy:
    def directives(self):
        parts = (part.split(" ") for part in server._content_security_policy().split("; "))
        return {name: values for name, *values in parts}

    def test_allows_no_script_from_elsewhere_none_inline_and_no_eval(self):
        scripts = self.directives()["script-src"]
        assert "'self'" in scripts
        assert not {"'unsafe-eval'", "'unsafe-inline'", "*", "https:", "blob:", "data:"} & set(scripts)

    def test_has_the_hash_of_each_inline_script_of_the_page(self):
        page = (Path(streamlit.__file__).parent / "static" / "index.html").read_text(encoding="utf-8")
        inline = [
            code
            for attributes, code in re.findall(r"<script([^>]*)>(.*?)</script>", page, re.DOTALL)
            if "src=" not in attributes
        ]
        assert inline
        for code in inline:
            digest = base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()
            assert f"'sha256-{digest}'" in self.directives()["script-src"]

    def test_lets_nothing_in_from_other_hosts_and_no_frame_around_it(self):
        directives = self.directives()
        for name in ("object-src", "form-action", "frame-ancestors", "frame-src"):
            assert directives[name] == ["'none'"]
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


class Store:
    """An app that keeps what is put and forgets what is deleted, as Streamlit does."""

    def __init__(self):
        self.files = {}

    async def __call__(self, scope, receive, send):
        status = 204
        if scope["method"] == "PUT":
            body, message = b"", await receive()
            while message["type"] == "http.request" and message["more_body"]:
                body += message["body"]
                message = await receive()
            if message["type"] == "http.request":
                self.files[scope["path"]] = body + message["body"]
            else:
                status = 499
        elif scope["method"] == "DELETE":
            self.files.pop(scope["path"], None)
        await send({"type": "http.response.start", "status": status, "headers": []})


class TestUploadQuota:
    @pytest.fixture(autouse=True)
    def _quota(self):
        self.store = Store()
        self.quota = UploadQuota(self.store, max_bytes=10, max_files=3)

    def put(self, file, *pieces, session="s", declared=True):
        size = str(sum(map(len, pieces)))
        headers = [("content-length", size)] if declared else []
        sent = ask(self.quota, f"/_stcore/upload_file/{session}/{file}", "PUT", pieces, headers)
        return sent[0]["status"]

    def delete(self, file, session="s"):
        return ask(self.quota, f"/_stcore/upload_file/{session}/{file}", "DELETE")[0]["status"]

    def test_what_fits_arrives_whole(self):
        assert self.put("a", b"12345", b"67890") == 204
        assert list(self.store.files.values()) == [b"1234567890"]

    def test_more_than_may_be_uploaded_is_refused_by_its_declared_length(self):
        assert self.put("a", b"123456") == 204
        assert self.put("b", b"12345") == 413
        assert len(self.store.files) == 1

    def test_the_refusal_says_what_to_do(self):
        start, body = ask(self.quota, "/_stcore/upload_file/s/a", "PUT", [b"x"], [("content-length", "11")])
        assert start["status"] == 413
        assert dict(start["headers"])[b"content-length"] == str(len(body["body"])).encode()
        assert b"Remove some files" in body["body"]

    @pytest.mark.parametrize("declared", ["none", "not a number", "too small"])
    def test_more_than_was_declared_is_cut_off_while_it_arrives(self, declared):
        lengths = {"none": [], "not a number": [("content-length", "ten")], "too small": [("content-length", "1")]}
        pieces = [b"1234", b"5678", b"90123"]
        sent = ask(self.quota, "/_stcore/upload_file/s/a", "PUT", pieces, lengths[declared])
        assert sent[0]["status"] == 499
        assert self.store.files == {}

    def test_two_files_share_the_bytes_of_their_session(self):
        assert self.put("a", b"1234567") == 204
        assert self.put("b", b"12", b"34", declared=False) == 499
        self.delete("b")
        assert self.put("c", b"123", declared=False) == 204

    def test_the_number_of_files_is_bounded_too(self):
        assert [self.put(name, b"") for name in "abcd"] == [204, 204, 204, 413]

    def test_a_file_put_again_counts_once(self):
        assert [self.put("a", b"123456"), self.put("a", b"1234567890"), self.put("a", b"1")] == [204] * 3
        assert self.put("b", b"123456789") == 204

    def test_what_is_deleted_makes_room(self):
        assert self.put("a", b"1234567890") == 204
        assert self.put("b", b"1") == 413
        assert self.delete("a") == 204
        assert self.delete("never there") == 204
        assert self.put("b", b"1234567890") == 204
        assert len(self.store.files) == 1

    def test_sessions_do_not_count_for_each_other(self):
        assert [self.put("a", b"1234567890", session=session) for session in ("s", "t", "u")] == [204] * 3
        assert self.put("b", b"1", session="t") == 413

    def test_only_so_many_sessions_are_remembered(self, monkeypatch):
        monkeypatch.setattr(upload_quota, "MAX_SESSIONS_COUNTED", 2)
        for session in ("s", "t", "u"):
            self.put("a", b"1234567890", session=session)
        assert [self.put("b", b"1", session=session) for session in ("u", "t")] == [413, 413]
        assert self.put("b", b"1", session="s") == 204

    @pytest.mark.parametrize(
        ("path", "method"),
        [("/", "GET"), ("/_stcore/health", "GET"), ("/other/s/a", "PUT"), ("/_stcore/upload_file/s/a", "OPTIONS")],
    )
    def test_other_requests_pass(self, path, method):
        large = [b"x" * 50]
        assert ask(self.quota, path, method, large, [("content-length", "50")])[0]["status"] == 204

    def test_what_is_not_http_passes(self):
        kinds = []

        async def inner(scope, receive, send):
            kinds.append(scope["type"])

        ask(UploadQuota(inner), "/_stcore/upload_file/s/a", kind="websocket")
        assert kinds == ["websocket"]


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
                    await asyncio.wait_for(done.wait(), 10)
                finally:
                    gc.callbacks.remove(note)
                assert gc.get_freeze_count() > 0
            await asyncio.wait_for(asyncio.gather(*others(), return_exceptions=True), 10)

        def others():
            return asyncio.all_tasks() - {asyncio.current_task()}

        try:
            asyncio.run(run())
        finally:
            gc.unfreeze()
        assert collected


def test_a_fault_of_ours_is_a_sentence_on_the_page_and_a_traceback_in_the_log(caplog):
    def page():
        from dashboard.shell import server

        assert server._say_that_it_is_ours(ValueError("the secret of the program"))

    app = AppTest.from_function(page).run()
    assert not app.exception
    assert "not in your files" in app.error[0].value
    assert "secret" not in app.error[0].value
    assert any("the secret of the program" in str(record.exc_info) for record in caplog.records)


def test_a_page_that_the_address_names_is_never_run_without_what_surrounds_it(monkeypatch):
    monkeypatch.setattr(PagesManager, "uses_pages_directory", None)
    make_app()
    assert PagesManager.uses_pages_directory is False


def test_the_app_is_the_dashboards_script_behind_headers_and_quota():
    app = make_app()
    assert Path(app.script_path) == server.SCRIPT
    assert server.SCRIPT.is_file()


def test_the_dashboards_own_answers_have_the_headers_and_its_page_runs_under_them():
    code = f"""
import asyncio, json, sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
import test_server
app = test_server.make_app()
paths = ("/", "/_stcore/health", "/nowhere.js")
answers = {{path: test_server.headers_of(test_server.ask(app, path)) for path in paths}}
print(json.dumps(answers))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    for headers in json.loads(done.stdout.splitlines()[-1]).values():
        names = [name for name, _ in headers]
        assert names.count("content-security-policy") == names.count("x-frame-options") == 1
        assert dict(headers)["content-security-policy"] == server._content_security_policy()
