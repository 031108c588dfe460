"""The body of a request, read within bounds: on the wire, unpacked, and as values.

A bound holds before anything is read for it: what is said to be too long is refused at once, and what turns out to be
is dropped where it passes the bound. Texts cost what they say; brackets and commas cost sixty times that in memory,
so they are counted before JSON is made into values.
"""

import asyncio
import json
import re
import zlib
from http import HTTPStatus
from typing import Any, NoReturn

from starlette.requests import ClientDisconnect, Request

from bleucore.errors import InputError
from bleucore.values import shown
from bleuscope.features.projects.api.problems import ProblemError
from bleuscope.workspace.push_payload import MOST_BYTES, MOST_UNPACKED

MEGABYTE = 1024**2
MOST_STRUCTURE = 8 * MEGABYTE
"""Of JSON without what stands in its texts: some millions of values."""
SECONDS_TO_ARRIVE = 300.0
JSON, LINES = "application/json", ("application/jsonl", "application/x-ndjson", "application/x-jsonlines")
MOST_MEMBERS = 100
"""Of gzip, one behind the other: each is looked for in what is left."""
_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
"""A text, to its end or that of the body: nothing is looked at twice, whatever stands there."""
_PIECE = 4 * MEGABYTE


async def read(request: Request) -> bytes:
    """The body as it came.

    Raises:
        ProblemError: It is too long, or takes too long.
    """
    declared = request.headers.get("content-length", "")
    if declared.isascii() and declared.isdecimal() and int(declared[:20]) > MOST_BYTES:
        _refuse_size(f"{int(declared[:20]):,} bytes", MOST_BYTES)
    pieces, size = list[bytes](), 0
    try:
        async with asyncio.timeout(SECONDS_TO_ARRIVE):
            async for piece in request.stream():
                size += len(piece)
                if size > MOST_BYTES:
                    _refuse_size(f"more than {MOST_BYTES:,} bytes", MOST_BYTES)
                pieces.append(piece)
    except TimeoutError as error:
        raise ProblemError(
            HTTPStatus.REQUEST_TIMEOUT,
            InputError("the body takes too long", where="The body", remedy="Send it over a faster connection."),
        ) from error
    except ClientDisconnect as error:
        raise ProblemError(
            HTTPStatus.BAD_REQUEST,
            InputError("the connection ended before the body did", where="The body", remedy="Send it again."),
        ) from error
    return b"".join(pieces)


def document_of(body: bytes, media_type: str, encoding: str) -> dict[str, Any] | list[Any]:
    """What a body says: an object of JSON, or the values of JSON Lines.

    Args:
        body: As it came.
        media_type: As its header says.
        encoding: The same.

    Raises:
        ProblemError: It is of another kind, too long, or no JSON.
    """
    kind = media_type.partition(";")[0].strip().lower()
    if kind not in (JSON, *LINES):
        raise ProblemError(
            HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
            InputError(
                "the body is of another kind",
                where="Header Content-Type",
                found=shown(kind),
                expected=f"{JSON} or {LINES[0]}",
                remedy="Send JSON or JSON Lines, and say so.",
            ),
        )
    content = _unpacked(body, encoding.strip().lower())
    _refuse_structure(content)
    return _lines(content) if kind in LINES else _object(content, 1)


def _unpacked(body: bytes, encoding: str) -> bytes:
    if encoding in ("", "identity"):
        return body
    if encoding != "gzip":
        raise ProblemError(
            HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
            InputError(
                "the body is packed in another way",
                where="Header Content-Encoding",
                found=shown(encoding),
                expected="gzip",
                remedy="Pack it with gzip, or not at all.",
            ),
        )
    pieces, size = list[bytes](), 0
    left = body
    try:
        for _ in range(MOST_MEMBERS):
            unpacking = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
            while not unpacking.eof:
                piece = unpacking.decompress(left, _PIECE)
                left = unpacking.unconsumed_tail
                size += len(piece)
                if size > MOST_UNPACKED:
                    _refuse_size(f"more than {MOST_UNPACKED:,} bytes when it is unpacked", MOST_UNPACKED)
                pieces.append(piece)
                if not piece and not left and not unpacking.eof:
                    raise zlib.error("the end is missing")  # noqa: TRY301  # said once below
            left = unpacking.unused_data
            if not left:
                break
        else:
            raise zlib.error(f"more than {MOST_MEMBERS} members")  # noqa: TRY301  # as above
    except zlib.error as error:
        raise _broken("the body cannot be unpacked", str(error), "gzip") from error
    return b"".join(pieces)


def _refuse_structure(content: bytes) -> None:
    size = len(content) if len(content) <= MOST_STRUCTURE else len(_STRING.sub(b"", content))
    if size > MOST_STRUCTURE:
        _refuse_size(f"{size:,} bytes beside its texts", MOST_STRUCTURE)


def _lines(content: bytes) -> list[Any]:
    rows = content.split(b"\n")
    return [_value(row, number) for number, row in enumerate(rows, 1) if row.strip()]


def _object(content: bytes, line: int) -> dict[str, Any]:
    found = _value(content, line)
    if not isinstance(found, dict):
        raise _broken("the body is no object", shown(found), "an object")
    return found


def _value(content: bytes, line: int) -> Any:  # noqa: ANN401  # what JSON holds
    try:
        return json.loads(content.decode("utf-8"), parse_constant=_no_number)
    except json.JSONDecodeError as error:
        raise _broken("this is no JSON", error.msg, "JSON in UTF-8", line - 1 + error.lineno) from error
    except (ValueError, RecursionError) as error:
        found = "brackets within brackets" if isinstance(error, RecursionError) else str(error)[:80]
        raise _broken("this is no JSON", found, "JSON in UTF-8", line) from error


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name}, which is no number of JSON")


def _broken(problem: str, found: str, expected: str, line: int | None = None) -> ProblemError:
    return ProblemError(
        HTTPStatus.BAD_REQUEST,
        InputError(
            problem, where="The body", line=line, found=found, expected=expected, remedy="Look at what makes it."
        ),
    )


def _refuse_size(found: str, most: int) -> NoReturn:
    raise ProblemError(
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        InputError(
            "the body is too large",
            where="The body",
            found=found,
            expected=f"at most {most:,}",
            remedy="Split the test set.",
        ),
    )
