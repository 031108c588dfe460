"""How much may be uploaded."""

import re
from collections import OrderedDict

from starlette.types import ASGIApp, Message, Receive, Scope, Send

UPLOAD_PATH = re.compile(r"/_stcore/upload_file/(?P<session>[^/]+)/(?P<file>[^/]+)$")
MAX_SESSION_BYTES = 1024**3
MAX_SESSION_FILES = 400
MAX_SESSIONS_COUNTED = 10_000


class UploadQuota:
    """Bounds what one session may upload: Streamlit itself bounds a single file only."""

    def __init__(self, app: ASGIApp, max_bytes: int = MAX_SESSION_BYTES, max_files: int = MAX_SESSION_FILES) -> None:
        self._app = app
        self._max_bytes = max_bytes
        self._max_files = max_files
        self._sizes: OrderedDict[str, dict[str, int]] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Count uploads as they arrive, free what is deleted, refuse what is too much."""
        found = UPLOAD_PATH.search(scope["path"]) if scope["type"] == "http" else None
        if found is None:
            await self._app(scope, receive, send)
            return
        files = self._files_of(found["session"])
        if scope["method"] == "DELETE":
            files.pop(found["file"], None)
        elif scope["method"] == "PUT" and not self._has_room(files, found["file"], _declared_size(scope)):
            await _refuse(send)
            return
        elif scope["method"] == "PUT":
            receive = self._counting(receive, files, found["file"])
        await self._app(scope, receive, send)

    def _files_of(self, session: str) -> dict[str, int]:
        files = self._sizes.setdefault(session, {})
        self._sizes.move_to_end(session)
        while len(self._sizes) > MAX_SESSIONS_COUNTED:
            self._sizes.popitem(last=False)
        return files

    def _has_room(self, files: dict[str, int], file: str, size: int) -> bool:
        others = {name: taken for name, taken in files.items() if name != file}
        return len(others) < self._max_files and sum(others.values()) + size <= self._max_bytes

    def _counting(self, receive: Receive, files: dict[str, int], file: str) -> Receive:
        files[file] = 0

        async def counted() -> Message:
            message = await receive()
            files[file] = files.get(file, 0) + len(message.get("body", b""))
            if sum(files.values()) > self._max_bytes:
                return {"type": "http.disconnect"}
            return message

        return counted


def _declared_size(scope: Scope) -> int:
    declared = dict(scope["headers"]).get(b"content-length", b"0")
    return int(declared) if declared.isdigit() else 0


async def _refuse(send: Send) -> None:
    body = b"This session has uploaded all that it may. Remove some files first."
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": body})
