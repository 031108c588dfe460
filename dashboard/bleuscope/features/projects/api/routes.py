"""The routes of the API: who asks, for which project, with which right; then what is sent is read, and not before."""

import asyncio
import hashlib
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from http import HTTPStatus

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from bleucore.errors import InputError
from bleuscope.features.projects.api import bodies, openapi
from bleuscope.features.projects.api.answers import Question
from bleuscope.features.projects.api.operations import BASE, DESCRIPTION, OPERATIONS, Operation
from bleuscope.features.projects.api.problems import PlainJson, ProblemError, answer_to
from bleuscope.shell.state import workspace_in_use
from bleuscope.workspace import Workspace
from bleuscope.workspace.errors import ForbiddenError, WorkspaceError
from bleuscope.workspace.tokens import Token

ARRIVING_AT_ONCE, AT_WORK_AT_ONCE = 8, 1
"""So many bodies are in memory as they came, and as values: one of texts with rare characters can take a gigabyte."""
LETTERS_OF_TAG = 32
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
Endpoint = Callable[[Request], Awaitable[Response]]


def routes() -> list[Route]:
    """A route for each address beneath ``/api``; where there is nothing, one that says so."""
    turns = _Turns(asyncio.Semaphore(ARRIVING_AT_ONCE), asyncio.Semaphore(AT_WORK_AT_ONCE))
    paths: dict[str, dict[str, Operation]] = {}
    for one in OPERATIONS:
        paths.setdefault(one.path, {})[one.method] = one
    found = [Route(DESCRIPTION, _described(), methods=list(METHODS))]
    for path in sorted(paths, key=len, reverse=True):  # a test set may be called like an address
        of_names = BASE + path.replace("{test_set}", "{test_set:path}")
        found.append(Route(of_names, _endpoint(paths[path], turns), methods=list(METHODS)))
    return [*found, Route("/api/{rest:path}", _nothing, methods=list(METHODS))]


@dataclass(frozen=True)
class _Turns:
    """Who may have a body in memory."""

    arriving: asyncio.Semaphore
    at_work: asyncio.Semaphore


def _described() -> Endpoint:
    async def describe(request: Request) -> Response:
        await _token_of(request)
        _refuse_method(request, ("GET", "HEAD"))
        return _json(HTTPStatus.OK, openapi.document())

    return _in_problems(describe)


def _endpoint(operations: dict[str, Operation], turns: "_Turns") -> Endpoint:
    async def answer(request: Request) -> Response:
        workspace, token = await _token_of(request)
        _refuse_project(request.path_params["project"], token)
        method = "GET" if request.method == "HEAD" and "GET" in operations else request.method
        _refuse_method(request, (*operations, *(["HEAD"] if "GET" in operations else [])))
        operation = operations[method]
        _refuse_right(operation, token)
        names, query = dict(request.path_params), dict(request.query_params)
        asked = Question(workspace, token, names, None, query)
        if operation.computes:
            async with turns.at_work:
                answered = _json(*await run_in_threadpool(operation.handler, asked))
            return _unless_known(answered, request.headers.get("if-none-match", ""))
        if operation.body is None:
            return _json(*await run_in_threadpool(operation.handler, asked))
        async with turns.arriving:
            body = await bodies.read(request)
            kind = request.headers.get("content-type", "")
            encoding = request.headers.get("content-encoding", "")

            def work() -> Response:
                document = bodies.document_of(body, kind, encoding)
                return _json(*operation.handler(Question(workspace, token, names, document, query)))

            async with turns.at_work:
                return await run_in_threadpool(work)

    return _in_problems(answer)


def _unless_known(answer: Response, known: str) -> Response:
    """An answer with its tag, or with that alone where whoever asks shows the tag of what they have."""
    tag = f'"{hashlib.sha256(bytes(answer.body)).hexdigest()[:LETTERS_OF_TAG]}"'
    headers = {"etag": tag, "cache-control": "private, no-cache"}
    if known.strip() == "*" or tag in [one.strip().removeprefix("W/") for one in known.split(",")]:
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
    answer.headers.update(headers)
    return answer


async def _nothing_here(request: Request) -> Response:
    await _token_of(request)
    raise ProblemError(
        HTTPStatus.NOT_FOUND,
        InputError("there is nothing at this address", remedy=f"Look at {DESCRIPTION} for what there is."),
    )


async def _token_of(request: Request) -> tuple[Workspace, Token]:
    """The workspace, and the token that is shown, if it is worth something.

    Raises:
        ProblemError: There is no workspace, or none is shown, or it is worth nothing.
        WorkspaceError: The workspace cannot be used.
    """
    shown = [text.partition(" ") for text in request.headers.getlist("authorization")]
    texts = [text.strip() for kind, _, text in shown if kind.lower() == "bearer"]
    workspace = workspace_in_use.workspace()
    token = None
    if workspace is not None and len(texts) == 1:
        token = await run_in_threadpool(workspace.tokens.find, texts[0])
    if workspace is None or token is None:
        problem = "this token is worth nothing" if texts else "there is no token"
        remedy = "Show one as Authorization: Bearer bls_…; whoever runs bleuscope makes it: bleuscope token make."
        if workspace is None:
            problem, remedy = "this server keeps nothing", "Have it started without --no-workspace."
        raise ProblemError(HTTPStatus.UNAUTHORIZED, InputError(problem, remedy=remedy))
    return workspace, token


def _refuse_project(slug: str, token: Token) -> None:
    """Another project is not there for a token, whether or not it is there for others."""
    if slug != token.project:
        raise ProblemError(
            HTTPStatus.NOT_FOUND,
            InputError(
                "there is no such project for this token",
                found=repr(slug[:80]),
                expected=token.project,
                remedy="Use a token of that project, or fix its name.",
            ),
        )


def _refuse_right(operation: Operation, token: Token) -> None:
    if operation.right == "write" and token.right != "write":
        raise ForbiddenError(
            "this token may only read",
            where=f"Project {token.project}",
            remedy=f"Use one that may write: bleuscope token make --project {token.project} --right write.",
        )


def _refuse_method(request: Request, accepted: tuple[str, ...]) -> None:
    if request.method not in accepted:
        raise ProblemError(
            HTTPStatus.METHOD_NOT_ALLOWED,
            InputError(
                "this cannot be done here",
                where="Method",
                found=request.method,
                expected=", ".join(accepted),
                remedy=f"Look at {DESCRIPTION} for what there is.",
            ),
        )


def _in_problems(answer: Endpoint) -> Endpoint:
    """The same, with what it refuses as an answer."""

    async def answered(request: Request) -> Response:
        try:
            return await answer(request)
        except (ProblemError, InputError) as error:
            if isinstance(error, WorkspaceError):
                logging.getLogger(__name__).warning("%s", error)
            return answer_to(error)
        except Exception:
            logging.getLogger(__name__).exception("an answer of the API failed")
            fault = InputError(
                "something went wrong inside bleuscope, not in what was sent",
                remedy="The terminal that runs bleuscope shows the details for a report.",
            )
            return answer_to(ProblemError(HTTPStatus.INTERNAL_SERVER_ERROR, fault))

    return answered


_nothing = _in_problems(_nothing_here)


def _json(status: HTTPStatus, content: dict[str, object]) -> Response:
    return PlainJson(content, status, {"cache-control": "no-store"})
