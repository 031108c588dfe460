"""Every operation of the API, declared once: its route and its part of the OpenAPI document are made of this."""

from dataclasses import dataclass
from http import HTTPStatus

from bleuscope.features.projects.api import answers
from bleuscope.features.projects.api.answers import Handler
from bleuscope.workspace.tokens import Right

BASE = "/api/v1"
DESCRIPTION = f"{BASE}/openapi.json"
TEST_SETS = "/projects/{project}/test-sets"
TEST_SET = f"{TEST_SETS}/{{test_set}}"
PATH_NAMES = {"project": "The project's name in addresses.", "test_set": "The name of a test set."}
QUERY_NAMES = {
    "dry_run": "true to see what would come of it, with nothing kept.",
    "system": "Only of this system.",
    "which": "The version of each system: latest, as without it, or best.",
}


@dataclass(frozen=True)
class Operation:
    """Something that can be asked for.

    Attributes:
        method: Of HTTP.
        path: Beneath ``BASE``.
        name: Of the operation.
        summary: What it does.
        right: That a token needs.
        handler: Does it.
        answers: The name of the schema of what comes back.
        body: The name of the schema of what is sent; ``None`` where nothing is.
        line: The same of a line of JSON Lines, where that differs.
        query: What may stand behind the address.
        creates: Whether it makes something.
        computes: Whether scores are computed for it where they are not kept, one answer at a time; such an answer has
            a tag, and whoever shows that is told that nothing changed.
    """

    method: str
    path: str
    name: str
    summary: str
    right: Right
    handler: Handler
    answers: str
    body: str | None = None
    line: str | None = None
    query: tuple[str, ...] = ()
    creates: bool = False
    computes: bool = False

    @property
    def refusals(self) -> tuple[HTTPStatus, ...]:
        """With what it may be refused."""
        usual = (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND, HTTPStatus.SERVICE_UNAVAILABLE)
        of_bodies = (
            HTTPStatus.BAD_REQUEST,
            HTTPStatus.REQUEST_TIMEOUT,
            HTTPStatus.CONFLICT,
            HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
            HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
            HTTPStatus.UNPROCESSABLE_ENTITY,
            HTTPStatus.INSUFFICIENT_STORAGE,
        )
        of_queries = (HTTPStatus.UNPROCESSABLE_ENTITY,) if "which" in self.query else ()
        return tuple(sorted((*usual, *(of_bodies if self.body else of_queries))))


OPERATIONS = (
    Operation(
        "GET",
        TEST_SETS,
        "listTestSets",
        "The test sets of a project.",
        "read",
        answers.list_test_sets,
        "TestSets",
    ),
    Operation(
        "PUT",
        TEST_SET,
        "putTestSet",
        "Save a test set. One that is there never changes: the texts have to equal its own.",
        "write",
        answers.put_test_set,
        "TestSet",
        body="NewTestSet",
        line="NewSegment",
        query=("dry_run",),
        creates=True,
    ),
    Operation(
        "GET",
        f"{TEST_SET}/versions",
        "listVersions",
        "The versions of systems on a test set.",
        "read",
        answers.list_versions,
        "Versions",
        query=("system",),
    ),
    Operation(
        "POST",
        f"{TEST_SET}/versions",
        "pushVersion",
        "Keep the outputs of a system. The same outputs under the same names are there already.",
        "write",
        answers.push_version,
        "Pushed",
        body="NewVersion",
        query=("dry_run",),
        creates=True,
    ),
    Operation(
        "GET",
        f"{TEST_SET}/leaderboard.json",
        "getLeaderboard",
        "What a version of each system scores in BLEU, best first, under the usual settings of the dashboard.",
        "read",
        answers.get_leaderboard,
        "Leaderboard",
        query=("which",),
        computes=True,
    ),
)
