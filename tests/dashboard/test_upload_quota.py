"""What may be uploaded is counted by what the server holds; what did not arrive is noted with its reason."""

import asyncio
import errno

import pytest
from starlette.requests import ClientDisconnect
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from bleuscope.shell.server.lost_uploads import MAX_LOST, MAX_SESSIONS, LostUploads
from bleuscope.shell.server.upload_limits import UploadLimits
from bleuscope.shell.server.upload_quota import ELSEWHERE, UploadQuota

LIMITS = UploadLimits(session_bytes=100, server_bytes=250, session_files=3)


class App:
    """Takes files as Streamlit does: keeps those that come with a token, and deletes only with one."""

    def __init__(self):
        self.held = MemoryUploadedFileManager("/_stcore/upload_file")
        self.fault = None
        self.is_stuck = asyncio.Event()
        self.goes_on = None

    async def __call__(self, scope, receive, send):
        session, file = scope["path"].split("/")[-2:]
        has_token = (b"x-token", b"1") in scope["headers"]
        if has_token and scope["method"] == "PUT":
            body = await self.body_of(receive)
            if self.fault is not None:
                raise self.fault
            self.held.add_file(session, UploadedFileRec(file, "a.txt", "text/plain", body))
        elif has_token and scope["method"] == "DELETE":
            self.held.remove_file(session, file)
        status = 204 if has_token else 403
        await send({"type": "http.response.start", "status": status, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async def body_of(self, receive):
        body = b""
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise ClientDisconnect
            body += message.get("body", b"")
            if self.goes_on is not None:
                self.is_stuck.set()
                await self.goes_on.wait()
            if not message.get("more_body"):
                return body


class Server:
    """An app behind the quota, and what its sessions were told."""

    def __init__(self, limits=LIMITS):
        self.app, self.lost, self.told = App(), LostUploads(), []
        self.quota = UploadQuota(self.app, limits, lambda: self.app.held, self.lost, self.told.append, self.is_here)

    def is_here(self, session):
        return session != "elsewhere"

    def put(self, *args, **options):
        return asyncio.run(self.putting(*args, **options))

    async def putting(self, file, *pieces, session="s", declared="true", name="A.txt", has_token=True, is_cut=False):
        head = f'--x\r\nContent-Disposition: form-data; name="{name}"; filename="{name}"\r\n\r\n'.encode()
        self.head = len(head)
        pieces = [head, *pieces]
        lengths = {"true": str(sum(map(len, pieces))), "none": None, "no number": "ten", "too small": "1"}
        length = lengths.get(declared, declared)
        headers = [(b"x-token", b"1")] if has_token else []
        headers += [(b"content-length", length.encode())] if length is not None else []
        return await self.ask("PUT", session, file, headers, pieces, is_cut=is_cut)

    def delete(self, file, session="s", has_token=True):
        headers = [(b"x-token", b"1")] if has_token else []
        return asyncio.run(self.ask("DELETE", session, file, headers, [b""]))[0]

    async def ask(self, method, session, file, headers, pieces, *, is_cut=False):
        messages = [{"type": "http.request", "body": piece, "more_body": True} for piece in pieces]
        messages[-1]["more_body"] = is_cut
        messages += [{"type": "http.disconnect"}] if is_cut else []
        sent = []

        async def receive():
            return messages.pop(0)

        async def send(message):
            sent.append(message)

        scope = {"type": "http", "method": method, "path": f"/_stcore/upload_file/{session}/{file}", "headers": headers}
        await self.quota(scope, receive, send)
        return (sent[0]["status"], sent[1]["body"].decode()) if sent else (None, "")

    def held(self, session="s"):
        return {file: len(one.data) for file, one in self.app.held.file_storage.get(session, {}).items()}


@pytest.fixture
def server():
    return Server()


@pytest.fixture
def room():
    """A server whose bounds leave room for so many bytes beside the heads of the forms."""

    def make(session_bytes, server_bytes=10_000, heads=1):
        probe = Server()
        probe.put("probe", b"")
        limits = UploadLimits(session_bytes + heads * probe.head, server_bytes, session_files=3)
        return Server(limits)

    return make


def test_a_file_for_a_session_of_another_server_is_refused_with_what_the_proxy_lacks(server):
    status, text = server.put("a", b"1", session="elsewhere")
    assert (status, text) == (400, f"{ELSEWHERE}\n")
    assert server.told == []
    assert server.lost.of_session("elsewhere") == {}


class TestCounting:
    def test_what_fits_arrives_whole(self, room):
        server = room(10)
        assert server.put("a", b"12345", b"67890")[0] == 204
        assert server.app.held.file_storage["s"]["a"].data.endswith(b"1234567890")

    def test_one_byte_more_is_refused_by_its_declared_length_before_it_is_read(self, room):
        server = room(10)
        assert server.put("a", b"12345678901")[0] == 413
        assert server.held() == {}

    @pytest.mark.parametrize("declared", ["none", "no number", "too small"])
    def test_more_than_was_declared_is_refused_while_it_arrives(self, room, declared):
        server = room(10)
        assert server.put("a", b"123456", b"78901", declared=declared)[0] == 413
        assert server.held() == {}

    def test_a_deletion_that_is_refused_frees_nothing(self, room):
        server = room(10)
        assert server.put("a", b"1234567890")[0] == 204
        assert server.delete("a", has_token=False) == 403
        assert server.put("b", b"")[0] == 413

    def test_a_file_that_is_refused_by_the_app_takes_nothing(self, room):
        server = room(10)
        assert server.put("a", b"1234567890", has_token=False)[0] == 403
        assert server.put("b", b"1234567890")[0] == 204

    def test_what_is_deleted_makes_room(self, room):
        server = room(10)
        assert server.put("a", b"1234567890")[0] == 204
        assert server.delete("a") == 204
        assert server.put("b", b"1234567890")[0] == 204

    def test_a_file_put_again_counts_once(self, room):
        server = room(10)
        assert [server.put("a", b"1234567890")[0] for _ in range(3)] == [204] * 3

    def test_the_number_of_files_is_bounded(self, server):
        limits = UploadLimits(10_000, 10_000, session_files=3)
        server = Server(limits)
        assert [server.put(name, b"")[0] for name in "abcd"] == [204, 204, 204, 413]
        assert server.put("a", b"")[0] == 204

    def test_sessions_share_the_bound_of_the_server_alone(self, room):
        probe = Server()
        probe.put("probe", b"")
        server = room(10, server_bytes=2 * (probe.head + 10))
        assert [server.put("a", b"1234567890", session=session)[0] for session in ("s", "t")] == [204, 204]
        status, text = server.put("a", b"", session="u")
        assert status == 413
        assert "all sessions together" in text

    def test_files_on_their_way_count_together(self, room):
        """Two uploads at a time, each of which would fit alone."""
        server = room(10)

        async def both():
            server.app.goes_on = asyncio.Event()
            first = asyncio.create_task(server.putting("a", b"1234567890"))
            await asyncio.wait_for(server.app.is_stuck.wait(), 60)
            second = (await server.putting("b", b"1234567890"))[0]
            server.app.goes_on.set()
            return (await first)[0], second

        assert asyncio.run(both()) == (204, 413)

    def test_what_was_on_its_way_and_failed_takes_nothing(self, room):
        server = room(10)
        assert server.put("a", b"123456789", is_cut=True)[0] is None
        assert server.put("b", b"1234567890")[0] == 204


class TestWhatDidNotArrive:
    def sentence(self, server, name="A.txt"):
        assert server.told == ["s"]
        return server.lost.of_session("s")[name]

    @pytest.mark.parametrize("name", ["A.txt", "Übersetzung.txt", "翻译.txt"])
    def test_is_noted_with_bound_and_remedy_and_the_answer_says_the_same(self, name):
        server = Server()
        _, text = server.put("a", b"x" * 101, name=name)
        assert self.sentence(server, name) == text
        for part in (f"{name}: the file did not arrive", "0.0 MB of one session", "Remove files from the page"):
            assert part in text

    def test_says_that_the_disk_for_files_on_their_way_is_full(self, room):
        server = room(10)
        server.app.fault = OSError(errno.ENOSPC, "No space left on device")
        status, text = server.put("a", b"1")
        assert status == 507
        assert "no space left on device" in self.sentence(server) == text
        assert server.held() == {}

    def test_says_that_the_connection_ended(self, room):
        server = room(10)
        server.put("a", b"1", is_cut=True)
        assert "a connection that ended before the file did" in self.sentence(server)

    def test_says_what_was_refused_by_its_status(self, room):
        server = room(10)
        server.put("a", b"1", has_token=False)
        assert "status 403" in self.sentence(server)
        assert "Reload the page" in self.sentence(server)

    def test_is_forgotten_once_a_file_of_the_name_arrives(self, room):
        server = room(10)
        server.put("a", b"1", has_token=False)
        server.put("b", b"1")
        assert server.lost.of_session("s") == {}

    def test_a_fault_of_the_program_goes_on_to_the_log(self, room):
        server = room(10)
        server.app.fault = ValueError("ours")
        with pytest.raises(ValueError, match="ours"):
            server.put("a", b"1")
        assert "a fault of the server" in self.sentence(server)
        server.app.fault = None
        assert server.put("b", b"1234567890")[0] == 204


class TestLostUploads:
    def test_keep_the_last_reason_of_each_file_and_sessions_apart(self):
        lost = LostUploads()
        lost.note("s", "a", "first")
        lost.note("s", "a", "second")
        lost.note("t", "a", "other")
        assert lost.of_session("s") == {"a": "second"}
        lost.arrived("s", "a")
        lost.arrived("never", "a")
        assert (lost.of_session("s"), lost.of_session("t")) == ({}, {"a": "other"})

    def test_are_bounded_and_end_with_their_sessions(self):
        lost = LostUploads()
        for number in range(MAX_LOST + 5):
            lost.note("s", str(number), "lost")
        assert len(lost.of_session("s")) == MAX_LOST
        for number in range(MAX_SESSIONS):
            lost.note(f"made up {number}", "a", "lost")
        assert lost.of_session("s") == {}
        lost.note("t", "a", "lost")
        lost.forget_all_but({"t"})
        assert (lost.of_session("made up 9"), lost.of_session("t")) == ({}, {"a": "lost"})
        lost.forget("t")
        assert lost.of_session("t") == {}


@pytest.mark.parametrize(
    ("path", "method"),
    [("/", "GET"), ("/_stcore/health", "GET"), ("/other/s/a", "PUT"), ("/_stcore/upload_file/s/a", "OPTIONS")],
)
def test_other_requests_pass(server, path, method):
    seen = []

    async def inner(scope, receive, send):
        seen.append(await receive())

    async def receive():
        return {"type": "http.request", "body": b"x" * 1000}

    quota = UploadQuota(inner, LIMITS, lambda: server.app.held, server.lost, server.told.append, server.is_here)
    asyncio.run(quota({"type": "http", "method": method, "path": path, "headers": []}, receive, None))
    asyncio.run(quota({"type": "websocket", "path": "/_stcore/upload_file/s/a"}, receive, None))
    assert len(seen) == 2
    assert server.told == []
