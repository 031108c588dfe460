"""A workspace on a server, as whoever pushes to it sees it: the HTTP API, asked with patience."""

import contextlib
import gzip
import json
import random
import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlsplit

import requests
from requests.auth import AuthBase

from bleucore.errors import InputError
from bleuscope.workspace.errors import ConflictError, ForbiddenError, NotFoundError
from bleuscope.workspace.push_payload import (
    MOST_BYTES,
    MOST_UNPACKED,
    Document,
    Parcel,
    Pushed,
    texts_document,
    version_document,
)
from bleuscope.workspace.push_service import rehearse_first

API = "api/v1"
SECONDS_TO_CONNECT, SECONDS_TO_ANSWER = 10.0, 120.0
USUAL_PATIENCE = 30.0
"""Seconds in which a server that is away may come back."""
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 30.0
TRANSIENT = frozenset({408, 429, 500, 502, 503, 504, 507})
"""Answers after which the same question may get another one."""
MOST_OF_AN_ANSWER = 1024**2
_NUMBERED = re.compile(r".*\[Errno -?\d+\] ", re.DOTALL)
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
UNTIL_LATER = "It waits in the outbox: bleuscope push --pending sends it."


class NotSentError(InputError):
    """A push did not arrive, and nothing is wrong with it: it can be sent later."""


class RefusedTokenError(NotSentError):
    """The server does not let the token do that; another one may."""


@dataclass(frozen=True)
class Server:
    """Where to push, and as whom.

    Attributes:
        address: As people open it: https://bleu.example.org/.
        token: That the server made: bls_….
        patience: Seconds in which it may come back.
    """

    address: str
    token: str = field(repr=False)
    patience: float = USUAL_PATIENCE

    @property
    def is_overheard(self) -> bool:
        """Whether whoever is on the way can read the token: without TLS, and not on this machine."""
        parts = urlsplit(self.address)
        return parts.scheme != "https" and parts.hostname not in LOOPBACK


def checked_address(address: str) -> str:
    """The address of a server, without what does not belong to it.

    Raises:
        InputError: It is none.
    """
    try:
        parts = urlsplit(address)
        is_one = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
        is_one = is_one and parts.username is None and not parts.query and not parts.fragment and address.isprintable()
    except ValueError:
        is_one = False
    if not is_one:
        raise InputError(
            "this is no address of a server",
            where="Option --to",
            found=repr(address.partition("?")[0][:80]),
            expected="as people open it, as in https://bleu.example.org/",
            remedy="Leave the token and everything behind ? out.",
        )
    return address.rstrip("/")


def send(parcel: Parcel, server: Server, *, is_tried: bool = False) -> Pushed:
    """Have a server keep what is pushed; sent again, it is there already.

    Args:
        parcel: What is pushed.
        server: To which.
        is_tried: Whether to ask what would come of it, and to keep nothing.

    Raises:
        NotSentError: There is no way to the server now, or not with this token.
        ConflictError: The label has other outputs, or the test set other texts.
        NotFoundError: There is no such project for this token, or no such test set.
        InputError: The server refuses it for good.
    """
    path = f"projects/{quote(parcel.project, safe='')}/test-sets/{quote(parcel.test_set, safe='')}"
    query = "?dry_run=true" if is_tried else ""
    with requests.Session() as session:
        session.auth = _Bearer(server.token)
        if not parcel.texts.is_nothing:
            answer = _asked(session, server, "PUT", f"{path}{query}", texts_document(parcel.texts))
            if is_tried and answer.get("is_new"):
                return rehearse_first(parcel)
        answer = _asked(session, server, "POST", f"{path}/versions{query}", version_document(parcel.version))
    with _as_said(server):
        return Pushed(
            parcel.project,
            str(answer["test_set"]),
            str(answer["system"]),
            str(answer["version"]),
            str(answer["digest"]),
            int(answer["n_segments"]),
            bool(answer["is_new"]),
            is_kept=bool(answer["is_kept"]),
            run=None if answer.get("run") is None else str(answer["run"]),
        )


class _Bearer(AuthBase):
    """Shows the token, whatever a file .netrc says."""

    def __init__(self, token: str) -> None:
        self._token = token

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        request.headers["Authorization"] = f"Bearer {self._token}"
        return request


def _asked(session: requests.Session, server: Server, method: str, path: str, document: Document) -> Mapping[str, Any]:
    """What the server answers in the end: a question that may get another answer is asked again, with patience."""
    body = _body(document)
    end, pause = time.monotonic() + server.patience, FIRST_PAUSE
    while True:
        try:
            return _answer(session, server, method, path, body)
        except _AskAgainError as error:
            wait = max(pause * random.uniform(0.5, 1.0), error.seconds)  # noqa: S311  # so that not all come at once
            if time.monotonic() + wait > end:
                raise error.reason from error
            time.sleep(wait)
            pause = min(2 * pause, LONGEST_PAUSE)


def _body(document: Document) -> bytes:
    """What is sent of a document: none that the server would hang up on before it can say why."""
    try:
        content = json.dumps(document, ensure_ascii=False).encode()
    except UnicodeEncodeError:  # half a character, which the server names
        content = json.dumps(document).encode()
    body = gzip.compress(content, mtime=0)
    for size, most, how in ((len(content), MOST_UNPACKED, "of JSON"), (len(body), MOST_BYTES, "packed")):
        if size > most:
            raise InputError(
                "the texts are too many for a server",
                where="The push",
                found=f"{size:,} bytes {how}",
                expected=f"at most {most:,}",
                remedy="Split the test set, or push where the workspace is.",
            )
    return body


class _AskAgainError(Exception):
    """The same question may get another answer.

    Attributes:
        reason: What to say where nobody asks again.
        seconds: To wait at least, as the server says.
    """

    def __init__(self, reason: InputError, seconds: float = 0.0) -> None:
        self.reason = reason
        self.seconds = seconds
        super().__init__(str(reason))


def _answer(session: requests.Session, server: Server, method: str, path: str, body: bytes) -> Mapping[str, Any]:
    headers = {"Content-Type": "application/json", "Content-Encoding": "gzip", "Accept": "application/json"}
    try:
        answer = session.request(
            method,
            f"{server.address}/{API}/{path}",
            data=body,
            headers=headers,
            timeout=(SECONDS_TO_CONNECT, SECONDS_TO_ANSWER),
            allow_redirects=False,  # the token is for nobody else
            stream=True,
        )
        with contextlib.closing(answer):
            content = answer.raw.read(MOST_OF_AN_ANSWER, decode_content=True)
    except requests.exceptions.SSLError as error:
        raise _no_trust(server, error) from error
    except (requests.exceptions.RequestException, OSError) as error:
        raise _AskAgainError(_no_way(server, _reason(error))) from error
    except Exception as error:  # urllib3's own, as the body of the answer is read
        if type(error).__module__.partition(".")[0] != "urllib3":
            raise
        raise _AskAgainError(_no_way(server, _reason(error))) from error
    said = _document(content)
    if answer.ok and answer.status_code < 300:  # noqa: PLR2004  # of HTTP
        if said is None:
            raise _no_bleuscope(server, answer.status_code)
        return said
    refusal = _refusal(server, answer.status_code, said, len(body), answer.headers.get("Location"))
    if answer.status_code in TRANSIENT:
        raise _AskAgainError(refusal, _seconds(answer.headers.get("Retry-After")))
    raise refusal


def _document(content: bytes) -> Mapping[str, Any] | None:
    try:
        said = json.loads(content)
    except (ValueError, RecursionError):
        return None
    return said if isinstance(said, dict) else None


def _refusal(
    server: Server, status: int, said: Mapping[str, Any] | None, size: int, moved_to: str | None
) -> InputError:
    """What an answer means, with what to do about it."""
    where, found = server.address, f"{status}"
    if status in (301, 302, 303, 307, 308):
        return NotSentError(
            "the server is elsewhere", where=where, found=str(moved_to)[:200], remedy="Name that address with --to."
        )
    if status == 413 and said is None:  # noqa: PLR2004  # of HTTP
        return InputError(
            "something between here and the server refuses so much",
            where=where,
            found=f"413 at {size:,} bytes",
            remedy="Raise the proxy's bound, in nginx client_max_body_size.",
        )
    if said is None or "detail" not in said:
        if status in TRANSIENT:
            return _no_way(server, f"answer {status}")
        return _no_bleuscope(server, status)
    kinds: Mapping[int, type[InputError]] = {
        401: RefusedTokenError,
        403: ForbiddenError,
        404: NotFoundError,
        409: ConflictError,
        **dict.fromkeys(TRANSIENT, NotSentError),
    }
    remedies = {
        401: "Have a token made: bleuscope token make --project NAME, and give it in BLEUSCOPE_TOKEN_PUSH.",
        403: "Have a token made that may write: bleuscope token make --project NAME --right write.",
    }
    line = said.get("line")
    return kinds.get(status, InputError)(
        str(said.get("problem", said["detail"])),
        where=None if said.get("where") is None else str(said["where"]),
        line=line if isinstance(line, int) else None,
        found=said.get("found", found if status >= 500 else None),  # noqa: PLR2004  # of HTTP
        expected=said.get("expected"),
        remedy=remedies.get(status) or (None if said.get("remedy") is None else str(said["remedy"])),
    )


def _no_way(server: Server, found: str) -> NotSentError:
    return NotSentError(
        "there is no way to the server",
        where=server.address,
        found=found,
        remedy="Check the address, and that bleuscope runs there.",
    )


def _no_trust(server: Server, error: Exception) -> NotSentError:
    return NotSentError(
        "the server cannot show that it is who it says",
        where=server.address,
        found=_reason(error),
        expected="a certificate that this machine trusts",
        remedy="Name the file with your own authority in the variable REQUESTS_CA_BUNDLE, or check the address.",
    )


def _no_bleuscope(server: Server, status: int) -> NotSentError:
    return NotSentError(
        "there is something else than a bleuscope that keeps versions",
        where=server.address,
        found=f"answer {status}",
        remedy="Give the address as people open it, and check what stands in front of it.",
    )


def _reason(error: BaseException) -> str:
    """The innermost reason, in the words of the system, in one line."""
    inner: BaseException = error
    for _ in range(10):
        further = getattr(inner, "reason", None) or next(
            (one for one in inner.args if isinstance(one, Exception)), None
        )
        if not isinstance(further, BaseException):
            break
        inner = further
    if isinstance(inner, TimeoutError) or "timed out" in str(inner):
        return "no answer in time"
    said = _NUMBERED.sub("", str(getattr(inner, "strerror", None) or inner)) or type(inner).__name__
    return " ".join(said.split())[:200].lower()


def _seconds(text: str | None) -> float:
    """How long the server asks to wait; what is no number of seconds is not listened to."""
    return float(text) if text and text.isascii() and text.isdecimal() and len(text) < 6 else 0.0  # noqa: PLR2004


@contextlib.contextmanager
def _as_said(server: Server) -> Iterator[None]:
    try:
        yield
    except (KeyError, TypeError, ValueError) as error:
        raise _no_bleuscope(server, 200) from error
