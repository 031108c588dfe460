"""What a session held is freed once nobody can come back to it, whether or not another one ends."""

import asyncio
import gc
import weakref

import pytest
from streamlit.runtime import Runtime, RuntimeConfig
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.session_manager import SessionClient
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from bleuscope.shell.server import live_sessions, server
from bleuscope.shell.server.lost_uploads import lost_uploads


class Browser(SessionClient):
    """A browser that reads nothing."""

    def write_forward_msg(self, msg):
        pass

    @property
    def client_context(self):
        return None


@pytest.fixture
def uploads(monkeypatch):
    """What holds files, of a server without its web: ended sessions cannot be come back to at once."""
    monkeypatch.setattr(Runtime, "_instance", None)
    monkeypatch.setattr(server, "COLLECT_EVERY_SECONDS", 0.01)
    manager = MemoryUploadedFileManager("/upload")
    storage = MemorySessionStorage(ttl_seconds=0)
    Runtime(RuntimeConfig(str(server.SCRIPT), MemoryMediaFileStorage("/media"), manager, session_storage=storage))
    yield manager
    Runtime._instance = None
    gc.unfreeze()


def file(name):
    return UploadedFileRec(name, f"{name}.txt", "text/plain", b"text")


def test_the_files_of_a_session_go_with_it_and_those_of_others_stay(uploads):
    async def run():
        runtime = Runtime.instance()
        await runtime.start()
        ended, stays = (runtime.connect_session(Browser(), {}) for _ in range(2))
        for session in (ended, stays, "ended during an upload"):
            uploads.add_file(session, file("a"))
            lost_uploads().note(session, "b", "lost")
        async with server._collect_garbage(server.make_app()):
            runtime.disconnect_session(ended)
            async with asyncio.timeout(60):
                while set(uploads.file_storage) != {stays}:
                    await asyncio.sleep(0.01)
        assert set(uploads.file_storage) == {stays}
        assert [bool(lost_uploads().of_session(session)) for session in (ended, stays)] == [False, True]
        runtime.stop()
        await runtime.stopped

    asyncio.run(run())


def test_what_a_session_kept_goes_with_it_though_something_holds_the_session(uploads):
    class Text:
        """Something large."""

    async def run():
        runtime = Runtime.instance()
        await runtime.start()
        ended = runtime.connect_session(Browser(), {})
        held, kept = runtime.get_app_session(ended), Text()
        held.session_state["_loaded"] = kept
        kept = weakref.ref(kept)
        runtime.disconnect_session(ended)
        assert kept() is not None
        live_sessions.end_expired_sessions()
        assert kept() is None
        runtime.stop()
        await runtime.stopped

    asyncio.run(run())


def test_a_session_that_may_come_back_keeps_its_files(uploads, monkeypatch):
    async def run():
        runtime = Runtime.instance()
        await runtime.start()
        session = runtime.connect_session(Browser(), {})
        uploads.add_file(session, file("a"))
        runtime._session_mgr._session_storage = MemorySessionStorage(ttl_seconds=1_000)
        runtime.disconnect_session(session)
        live_sessions.end_expired_sessions()
        assert set(uploads.file_storage) == {session}
        runtime.stop()
        await runtime.stopped

    asyncio.run(run())
