"""Scripts and pages are compressed for other machines, and for them alone."""

import asyncio
import gzip

import pytest
from starlette.responses import Response

from bleuscope.shell.server.compressed import Compressed

TEXT = b"const answer = 42; " * 1_000


def answer(path, client="192.0.2.7", accepts=b"gzip"):
    """The headers and the body that a client gets."""
    sent = []

    async def send(message):
        sent.append(message)

    async def receive():
        return {"type": "http.request", "body": b"", "more_body": False}

    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "headers": [(b"accept-encoding", accepts)],
        "client": None if client is None else (client, 5),
    }
    asyncio.run(Compressed(Response(TEXT, media_type="text/javascript"))(scope, receive, send))
    headers = dict(next(message for message in sent if message["type"] == "http.response.start")["headers"])
    return headers, b"".join(message.get("body", b"") for message in sent)


@pytest.mark.parametrize("path", ["/static/js/index.js", "/static/css/index.css", "/", "/overview"])
def test_scripts_styles_and_pages_go_compressed_to_other_machines(path):
    headers, body = answer(path)
    assert headers[b"content-encoding"] == b"gzip"
    assert len(body) < len(TEXT) / 10
    assert gzip.decompress(body) == TEXT


@pytest.mark.parametrize(
    ("path", "client", "accepts"),
    [
        ("/static/js/index.js", "127.0.0.1", b"gzip"),
        ("/static/js/index.js", "::1", b"gzip"),
        ("/static/js/index.js", None, b"gzip"),
        ("/static/js/index.js", "192.0.2.7", b"identity"),
        ("/static/media/font.woff2", "192.0.2.7", b"gzip"),
        ("/_stcore/health", "192.0.2.7", b"gzip"),
    ],
)
def test_nothing_else_is(path, client, accepts):
    headers, body = answer(path, client, accepts)
    assert b"content-encoding" not in headers
    assert body == TEXT
