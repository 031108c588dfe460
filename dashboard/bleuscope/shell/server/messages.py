"""Which messages of a browser are served: those that our pages need. Others empty everyone's caches, or run Git."""

import logging

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bleuscope.shell.server.server_log import happenings
from bleuscope.streamlit_port import MESSAGES, OPERATIONS, asked_in


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
    asked = asked_in(data or b"")
    if asked is None:
        return True
    is_served = asked.kind in MESSAGES and (asked.operation is None or asked.operation in OPERATIONS)
    if not is_served:
        happenings().refuse("message")
        logging.getLogger(__name__).warning("a message of a browser was refused: %s", asked.operation or asked.kind)
    return is_served
