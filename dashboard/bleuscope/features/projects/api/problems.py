"""What went wrong, as RFC 9457 has programs say it."""

import json
from http import HTTPStatus

from starlette.responses import JSONResponse

from bleucore.errors import InputError
from bleuscope.workspace.errors import ConflictError, ForbiddenError, NotFoundError, UnwritableError, WorkspaceError

MEDIA_TYPE = "application/problem+json"
SECONDS_UNTIL_AGAIN = 5
FOR_WHO_RUNS_IT = "Tell whoever runs the server; its log says more."
FULL = "full"
"""What a workspace says that has no more room."""


class ProblemError(Exception):
    """What the API refuses by itself.

    Attributes:
        status: Of HTTP.
        error: What to say.
    """

    def __init__(self, status: HTTPStatus, error: InputError) -> None:
        self.status = status
        self.error = error
        super().__init__(str(error))


class PlainJson(JSONResponse):
    """JSON in ASCII: texts may hold halves of characters, which UTF-8 cannot."""

    def render(self, content: object) -> bytes:
        """The bytes."""
        return json.dumps(content, allow_nan=False).encode("ascii")


class ProblemResponse(PlainJson):
    """An answer that says a problem."""

    media_type = MEDIA_TYPE


def answer_to(error: ProblemError | InputError) -> ProblemResponse:
    """The answer that says it."""
    said, status = (error.error, error.status) if isinstance(error, ProblemError) else (error, status_of(error))
    if isinstance(said, WorkspaceError):  # which says where it lies on this machine: that is for the log
        said = InputError(f"the workspace of the server: {said.problem}", remedy=FOR_WHO_RUNS_IT)
    content: dict[str, object] = {
        "type": "about:blank",
        "title": status.phrase,
        "status": status.value,
        "detail": str(said),
        "problem": said.problem,
    }
    for name in ("where", "line", "found", "expected", "remedy"):
        value = getattr(said, name)
        content |= {} if value is None else {name: value}
    headers = {"cache-control": "no-store"}
    if status == HTTPStatus.UNAUTHORIZED:
        headers["www-authenticate"] = 'Bearer realm="bleuscope"'
    if status == HTTPStatus.METHOD_NOT_ALLOWED:
        headers["allow"] = said.expected or ""
    if status == HTTPStatus.SERVICE_UNAVAILABLE:
        headers["retry-after"] = str(SECONDS_UNTIL_AGAIN)
    return ProblemResponse(content, status, headers)


def status_of(error: InputError) -> HTTPStatus:
    """The status of what the workspace refuses."""
    if isinstance(error, WorkspaceError):
        is_full = isinstance(error, UnwritableError) or FULL in error.problem
        return HTTPStatus.INSUFFICIENT_STORAGE if is_full else HTTPStatus.SERVICE_UNAVAILABLE
    for kind, status in (
        (ConflictError, HTTPStatus.CONFLICT),
        (NotFoundError, HTTPStatus.NOT_FOUND),
        (ForbiddenError, HTTPStatus.FORBIDDEN),
    ):
        if isinstance(error, kind):
            return status
    return HTTPStatus.UNPROCESSABLE_ENTITY
