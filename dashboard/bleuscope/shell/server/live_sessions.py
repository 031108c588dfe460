"""The sessions of the running server, through the parts of Streamlit that have no public name: all such use is here."""

import asyncio
from collections.abc import Collection
from typing import TYPE_CHECKING, cast

from streamlit.components.v2 import manifest_scanner
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.RootContainer_pb2 import RootContainer
from streamlit.runtime import Runtime
from streamlit.runtime.app_session import AppSession, AppSessionState
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFile

from bleuscope.shell.server.lost_uploads import lost_uploads
from bleuscope.shell.state import session

if TYPE_CHECKING:
    from pathlib import Path

    from streamlit.components.v2.manifest_scanner import ComponentManifest
    from streamlit.runtime.memory_session_storage import MemorySessionStorage
    from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
    from streamlit.runtime.websocket_session_manager import WebsocketSessionManager

SECONDS_SHOWN = 30
"""For how long a notice stays."""
FIRST = 0
"""Its place among those of the page. A browser draws nothing any more where the one before is missing."""
LOOK_EVERY_SECONDS = 0.1
MAX_LOOKS = 600


def search_no_packages() -> None:
    """Look in no installed package for components that pages could have: that takes a tenth of a start."""
    manifest_scanner.scan_component_manifests = no_components


def no_components(max_workers: int | None = None) -> "list[tuple[ComponentManifest, Path]]":  # noqa: ARG001  # its form
    """What Streamlit finds in packages of others: nothing, because no page shows any of it."""
    return []


def held_uploads() -> "MemoryUploadedFileManager":
    """What holds the files that sessions have uploaded."""
    return cast("MemoryUploadedFileManager", Runtime.instance().uploaded_file_mgr)


def is_here(session_id: str) -> bool:
    """Whether this server has such a session, and somebody is connected with it."""
    return Runtime.instance().is_active_session(session_id)


def n_sessions() -> int:
    """How many sessions somebody is connected with."""
    return len(_sessions()) if Runtime.exists() else 0


def n_running() -> int:
    """How many pages are being drawn."""
    found = _sessions() if Runtime.exists() else []
    return sum(one._state is AppSessionState.APP_IS_RUNNING for one in found)  # noqa: SLF001  # no public name


def n_uploaded_bytes() -> int:
    """How much of what was uploaded is held."""
    stats = held_uploads().get_stats() if Runtime.exists() else {}
    return sum(one.byte_length for found in stats.values() for one in found)


def tell_all(sentence: str) -> None:
    """Show a sentence on every page that is open, as ``st.toast`` does, without running its script."""
    message = ForwardMsg()
    message.delta.new_element.toast.body = sentence
    message.delta.new_element.toast.duration = SECONDS_SHOWN
    message.metadata.delta_path.extend([RootContainer.EVENT, FIRST])
    for one in _sessions() if Runtime.exists() else []:
        message.metadata.active_script_hash = one._client_state.page_script_hash  # noqa: SLF001  # no public name
        told = ForwardMsg()
        told.CopyFrom(message)
        one._enqueue_forward_msg(told)  # noqa: SLF001  # as above


def _sessions() -> list[AppSession]:
    manager = cast("WebsocketSessionManager", Runtime.instance()._session_mgr)  # noqa: SLF001  # no public name
    return [info.session for info in manager.list_active_sessions()]


def own_session() -> str:
    """The id of the session whose script runs."""
    context = get_script_run_ctx()
    return "" if context is None else context.session_id


def free_uploads(kind: str, on_page: Collection[UploadedFile]) -> None:
    """Free the files of one kind that a run of this session's script saw before and that are no more on its page.

    Streamlit holds them until the session ends: those of an uploader that made room for another one, too.
    """
    context = get_script_run_ctx()
    if context is None:
        return
    key = f"_uploads_on_page_{kind}"
    shown = frozenset(file.file_id for file in on_page)
    held = cast("MemoryUploadedFileManager", context.uploaded_file_mgr)
    for gone in session.get(key, frozenset()) - shown:
        held.remove_file(context.session_id, gone)
    session.put(key, shown)


def end_expired_sessions() -> None:
    """Free what sessions held that nobody can come back to: Streamlit does so when the next one ends."""
    if not Runtime.exists():
        return
    manager = cast("WebsocketSessionManager", Runtime.instance()._session_mgr)  # noqa: SLF001  # no public name
    storage = cast("MemorySessionStorage", manager._session_storage)  # noqa: SLF001  # as above
    for _, ended in storage._cache.expire():  # type: ignore[attr-defined]  # noqa: SLF001  # as above; a TTLCache
        ended.session.shutdown()
        ended.session.session_state.clear()  # the loop of a server without visitors holds its last session
        ended.session._fragment_storage.clear()  # noqa: SLF001  # as above; closures over what a page showed
    live = {info.session.id for info in manager.list_sessions()}
    uploads = held_uploads()
    for ended_id in uploads.file_storage.keys() - live:  # dropped to make room for others, or ended during an upload
        uploads.remove_session_files(ended_id)
    lost_uploads().forget_all_but(live)


def forget_widgets() -> None:
    """Take the values of all widgets from the session whose script runs: its browser sends those that it shows again.

    A value that no widget can have stays where it came to, and would fail every later run of its session.
    """
    context = get_script_run_ctx()
    if context is None:
        return
    values = context.session_state._state  # noqa: SLF001  # no public name
    widgets = values._key_id_mapper.id_key_mapping  # noqa: SLF001  # as above
    values._new_widget_state.states.clear()  # noqa: SLF001  # as above
    for key in [*widgets, *widgets.values()]:
        values._old_state.pop(key, None)  # noqa: SLF001  # as above


class Redraw:
    """Has the page of a session drawn anew, once whatever is being drawn now is finished."""

    def __init__(self) -> None:
        self._waiting: dict[str, asyncio.Task[None]] = {}

    def __call__(self, session_id: str) -> None:
        """Ask for it, from the event loop of the server; asked twice, it is drawn once."""
        if session_id not in self._waiting:
            task = asyncio.create_task(self._when_idle(session_id))
            self._waiting[session_id] = task
            task.add_done_callback(lambda _: self._waiting.pop(session_id, None))

    async def _when_idle(self, session_id: str) -> None:
        for _ in range(MAX_LOOKS):
            found = Runtime.instance().get_app_session(session_id)
            if found is None:
                return
            if found._state is AppSessionState.APP_NOT_RUNNING:  # noqa: SLF001  # no public name
                found.request_rerun(found._client_state)  # noqa: SLF001  # as Streamlit when a file changes
                return
            await asyncio.sleep(LOOK_EVERY_SECONDS)
