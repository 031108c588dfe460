"""The sessions of the running server: how many there are, what all of them are told, what they hold no longer."""

import asyncio
from collections.abc import Collection

from bleuscope import streamlit_port
from bleuscope.shell.server.lost_uploads import lost_uploads
from bleuscope.shell.state import session
from bleuscope.streamlit_port import UploadedFile

SECONDS_SHOWN = 30
"""For how long a notice stays."""
FIRST = 0
"""Its place among those of the page. A browser draws nothing any more where the one before is missing."""
LOOK_EVERY_SECONDS = 0.1
MAX_LOOKS = 600


def n_sessions() -> int:
    """How many sessions somebody is connected with."""
    return len(streamlit_port.connected_sessions())


def n_running() -> int:
    """How many pages are being drawn."""
    return sum(map(streamlit_port.is_running, streamlit_port.connected_sessions()))


def tell_all(sentence: str) -> None:
    """Show a sentence on every page that is open, as ``st.toast`` does, without running its script."""
    for one in streamlit_port.connected_sessions():
        streamlit_port.show_toast(one, sentence, seconds=SECONDS_SHOWN, place=FIRST)


def free_uploads(kind: str, on_page: Collection[UploadedFile]) -> None:
    """Free the files of one kind that a run of this session's script saw before and that are no more on its page.

    Streamlit holds them until the session ends: those of an uploader that made room for another one, too.
    """
    if not streamlit_port.own_session():
        return
    key = f"_uploads_on_page_{kind}"
    shown = frozenset(file.file_id for file in on_page)
    for gone in session.get(key, frozenset()) - shown:
        streamlit_port.free_own_upload(gone)
    session.put(key, shown)


def end_expired_sessions() -> None:
    """Free what sessions held that nobody can come back to: Streamlit does so when the next one ends."""
    live = streamlit_port.end_expired_sessions()
    if live is None:
        return
    streamlit_port.free_uploads_of_all_but(live)
    lost_uploads().forget_all_but(live)


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
            found = streamlit_port.session_of(session_id)
            if found is None:
                return
            if streamlit_port.is_at_rest(found):
                streamlit_port.draw_anew(found)
                return
            await asyncio.sleep(LOOK_EVERY_SECONDS)
