"""How much may be uploaded: counted by what the server holds and what is on its way, not by what was asked for."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bleucore import InputError
from bleuscope.shell.server.lost_uploads import LostUploads
from bleuscope.shell.server.server_log import happenings
from bleuscope.shell.server.upload_limits import MEGABYTE, UploadLimits
from bleuscope.streamlit_port import UPLOADS, MemoryUploadedFileManager, n_bytes_of, sizes_of

UPLOAD_PATH = re.compile(rf"/{UPLOADS}(?P<session>[^/]+)/(?P<file>[^/]+)$")
UNNAMED = "A file"
ELSEWHERE = (
    "400: this bleuscope has no such session. Behind several of them, the proxy has to lead each visitor back to the "
    "same one: in Caddy lb_policy cookie, in nginx ip_hash."
)
_NAME = re.compile(rb'filename="([^"\r\n]*)"')
_LONGEST_NAME = 500
_STORED = range(200, 300)
_NOT_HERE, _TOO_LARGE, _FAULT_OF_SERVER, _NO_SPACE = 400, 413, 500, 507


@dataclass(eq=False)
class Arrival:
    """A file on its way: its session, what the server and the person call it, and how many bytes of it are there."""

    session: str
    file: str
    name: str
    size: int = 0


class NoRoomError(Exception):
    """More would be held than may be.

    Attributes:
        error: What to say of that.
    """

    def __init__(self, error: InputError) -> None:
        self.error = error
        super().__init__(str(error))


class UploadQuota:
    """Bounds what sessions may upload, where Streamlit bounds a single file only, and notes what did not arrive.

    Args:
        app: What takes the files.
        limits: How much may be held.
        held: Gives what holds the files that have arrived.
        lost: Where files are noted that did not arrive.
        tell: Called with the session of such a file.
        is_here: Whether there is such a session.
    """

    def __init__(
        self,
        app: ASGIApp,
        limits: UploadLimits,
        held: Callable[[], MemoryUploadedFileManager],
        lost: LostUploads,
        tell: Callable[[str], None],
        is_here: Callable[[str], bool],
    ) -> None:
        self._app = app
        self._limits = limits
        self._held = held
        self._lost = lost
        self._tell = tell
        self._is_here = is_here
        self._arrivals: set[Arrival] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what is no upload; take a file while there is room, and note why one was not taken."""
        found = UPLOAD_PATH.search(scope["path"]) if scope["type"] == "http" else None
        if found is None or scope["method"] != "PUT":
            await self._app(scope, receive, send)
            return
        if not self._is_here(found["session"]):
            happenings().refuse("session")
            await _answer(send, _NOT_HERE, f"{ELSEWHERE}\n")
            return
        first = await receive()
        arrival = Arrival(found["session"], found["file"], _file_name(first.get("body", b"")))
        error: InputError | None = _not_stored(arrival.name, None)
        self._arrivals.add(arrival)
        try:
            error = await self._take(arrival, scope, _replayed(first, receive), send)
        finally:
            self._arrivals.discard(arrival)
            self._note(arrival, error)

    def _note(self, arrival: Arrival, error: InputError | None) -> None:
        if error is None:
            self._lost.arrived(arrival.session, arrival.name)
        else:
            self._lost.note(arrival.session, arrival.name, str(error))
            self._tell(arrival.session)

    async def _take(self, arrival: Arrival, scope: Scope, receive: Receive, send: Send) -> InputError | None:
        """Let the file in; why it did not come in, if it did not."""
        status: int | None = None

        async def counted() -> Message:
            message = await receive()
            arrival.size += len(message.get("body", b""))
            self._refuse_excess(arrival)
            return message

        async def watched(message: Message) -> None:
            nonlocal status
            status = message.get("status", status)
            await send(message)

        try:
            self._refuse_excess(arrival, _declared_size(scope))
            await self._app(scope, counted, watched)
        except NoRoomError as refusal:
            happenings().refuse("upload")
            error, answer = refusal.error, _TOO_LARGE
        except ClientDisconnect:
            return _lost(arrival.name, "a connection that ended before the file did", "Load it again.")
        except OSError as cause:  # a file on its way lies on a disk
            error, answer = _no_space(arrival.name, cause), _NO_SPACE
        else:
            return None if status in _STORED else _not_stored(arrival.name, status)
        if status is None:
            await _answer(send, answer, str(error))
        return error

    def _refuse_excess(self, arrival: Arrival, declared: int = 0) -> None:
        """Refuse a file that does not fit beside what is held and on its way; one that it replaces makes room."""
        held, limits = self._held(), self._limits
        own = sizes_of(held, arrival.session)
        replaced = own.pop(arrival.file, 0)
        own_arrivals = [one.size for one in self._arrivals if one.session == arrival.session]
        more = max(0, declared - arrival.size)
        n_files = len(own) + len(own_arrivals)
        if n_files > limits.session_files:
            raise _no_room(arrival.name, f"{n_files:,} files", f"{limits.session_files:,}", "one session")
        size = sum(own.values()) + sum(own_arrivals) + more
        if size > limits.session_bytes:
            raise _no_room(arrival.name, _megabytes(size), _megabytes(limits.session_bytes), "one session")
        size = n_bytes_of(held) - replaced + sum(one.size for one in self._arrivals) + more
        if size > limits.server_bytes:
            raise _no_room(arrival.name, _megabytes(size), _megabytes(limits.server_bytes), "all sessions together")


def _replayed(first: Message, receive: Receive) -> Receive:
    """Gives a message that was received already, then those that follow."""
    waiting = [first]

    async def next_message() -> Message:
        return waiting.pop() if waiting else await receive()

    return next_message


def _declared_size(scope: Scope) -> int:
    declared = dict(scope["headers"]).get(b"content-length", b"0")
    return int(declared) if declared.isdigit() else 0


def _file_name(body: bytes) -> str:
    """What the form calls the file that begins in these bytes."""
    found = _NAME.search(body)
    return found[1].decode(errors="replace")[:_LONGEST_NAME] if found else UNNAMED


def _megabytes(size: int) -> str:
    return f"{size / MEGABYTE:,.1f} MB"


def _no_room(name: str, found: str, limit: str, whose: str) -> NoRoomError:
    remedy = "Remove files from the page, or open what is there, and load this one again."
    if whose != "one session":
        remedy = "Load it later; whoever runs bleuscope can give --all-uploads a larger value."
    return NoRoomError(_lost(name, f"{found} with it", remedy, f"at most {limit} of {whose}"))


def _not_stored(name: str, status: int | None) -> InputError:
    """What the status of an answer means to who loads a file."""
    if status == _TOO_LARGE:
        return _lost(name, "more bytes than one file may have", "Compress it with gzip, or split the test set.")
    if status is not None and status < _FAULT_OF_SERVER:
        return _lost(name, f"a request that is not accepted, status {status}", "Reload the page, and load it again.")
    return _lost(name, "a fault of the server", "Load it again; the terminal that runs bleuscope shows the details.")


def _no_space(name: str, cause: OSError) -> InputError:
    remedy = "Make room on the disk for temporary files of the machine that runs bleuscope, and load it again."
    return _lost(name, f"{(cause.strerror or str(cause)).lower()}, on the server", remedy)


def _lost(name: str, found: str, remedy: str, expected: str | None = None) -> InputError:
    return InputError("the file did not arrive", where=name, found=found, expected=expected, remedy=remedy)


async def _answer(send: Send, status: int, text: str) -> None:
    body = text.encode()
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
