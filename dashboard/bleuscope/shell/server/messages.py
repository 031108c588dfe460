"""Which messages of a browser are served: those that our pages need. Others empty everyone's caches, or run Git."""

import logging

from google.protobuf.message import DecodeError
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg

from bleuscope.shell.server.happenings import happenings

SERVED = frozenset({"rerun_script", "stop_script", "file_urls_request", "app_heartbeat", "backend_operation_request"})
OPERATIONS = frozenset({"deferred_file", "dataframe_chunk"})
"""Of a ``backend_operation_request``: a download that is made when it is asked for, rows of a long table."""


class MessageFilter:
    """Lets the messages through that are served; of any other, nothing comes of it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what comes; of a WebSocket, what is served."""

        async def receive_served() -> Message:
            while True:
                message = await receive()
                if message["type"] != "websocket.receive" or _is_served(message.get("bytes")):
                    return message

        await self._app(scope, receive_served if scope["type"] == "websocket" else receive, send)


def _is_served(data: bytes | None) -> bool:
    """Whether a message is served; what is no message is Streamlit's to refuse."""
    message = BackMsg()
    try:
        message.ParseFromString(data or b"")
    except DecodeError:
        return True
    kind = message.WhichOneof("type")
    operation = message.backend_operation_request.WhichOneof("payload") if kind == "backend_operation_request" else None
    is_served = kind in SERVED and (operation is None or operation in OPERATIONS)
    if not is_served:
        happenings().refuse("message")
        logging.getLogger(__name__).warning("a message of a browser was refused: %s", operation or kind)
    return is_served
