"""The sessions of the running server, through the parts of Streamlit that have no public name: all such use is here."""

import asyncio
from typing import TYPE_CHECKING, cast

from streamlit.runtime import Runtime
from streamlit.runtime.app_session import AppSessionState
from streamlit.runtime.scriptrunner import get_script_run_ctx

from dashboard.shell.lost_uploads import lost_uploads

if TYPE_CHECKING:
    from streamlit.runtime.memory_session_storage import MemorySessionStorage
    from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
    from streamlit.runtime.websocket_session_manager import WebsocketSessionManager

LOOK_EVERY_SECONDS = 0.1
MAX_LOOKS = 600


def held_uploads() -> "MemoryUploadedFileManager":
    """What holds the files that sessions have uploaded."""
    return cast("MemoryUploadedFileManager", Runtime.instance().uploaded_file_mgr)


def end_expired_sessions() -> None:
    """Free what sessions held that nobody can come back to: Streamlit does so when the next one ends."""
    if not Runtime.exists():
        return
    manager = cast("WebsocketSessionManager", Runtime.instance()._session_mgr)  # noqa: SLF001  # no public name
    storage = cast("MemorySessionStorage", manager._session_storage)  # noqa: SLF001  # as above
    for _, ended in storage._cache.expire():  # type: ignore[attr-defined]  # noqa: SLF001  # as above; a TTLCache
        ended.session.shutdown()
    live = {info.session.id for info in manager.list_sessions()}
    uploads = held_uploads()
    for session in uploads.file_storage.keys() - live:  # dropped to make room for others, or ended during an upload
        uploads.remove_session_files(session)
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
            session = Runtime.instance().get_app_session(session_id)
            if session is None:
                return
            if session._state is AppSessionState.APP_NOT_RUNNING:  # noqa: SLF001  # no public name
                session.request_rerun(session._client_state)  # noqa: SLF001  # as Streamlit when a file changes
                return
            await asyncio.sleep(LOOK_EVERY_SECONDS)
