"""What each operation does: a question in, a status and what JSON holds out."""

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from http import HTTPStatus
from statistics import fmean
from typing import Any, TypeAlias

from bleucore import InputError
from bleucore.values import shown
from bleuscope.features.projects import kept_versions, scoring_ahead
from bleuscope.features.projects.api.lines import new_test_set_of_lines, version_of_lines
from bleuscope.features.projects.kept_versions import DRAWN
from bleuscope.features.projects.scored_versions import WHICH, ScoredVersion, Which
from bleuscope.workspace import Workspace
from bleuscope.workspace.access import Operation
from bleuscope.workspace.projects import KeptTestSet, KeptVersion, Project
from bleuscope.workspace.push_payload import texts_of, version_of
from bleuscope.workspace.push_service import keep_test_set, keep_version
from bleuscope.workspace.results import Result, how_drawn
from bleuscope.workspace.tokens import Token

Answer: TypeAlias = tuple[HTTPStatus, dict[str, Any]]
Handler: TypeAlias = Callable[["Question"], Answer]


@dataclass(frozen=True)
class Question:
    """What is asked, by somebody who may.

    Attributes:
        workspace: Of which.
        token: That was shown; its project is that of the question.
        names: What stands in the address.
        document: The body: an object, or the values of JSON Lines; ``None`` without one.
        query: What stands behind the address, as words.
    """

    workspace: Workspace
    token: Token
    names: Mapping[str, str]
    document: dict[str, Any] | list[Any] | None
    query: Mapping[str, str]

    @property
    def is_tried(self) -> bool:
        """Whether nothing is to be kept."""
        return self.query.get("dry_run") in ("true", "1")

    @contextlib.contextmanager
    def keeping(self) -> Iterator[Workspace]:
        """The workspace to keep something in, which is undone at the end where nothing is to be kept."""
        if self.is_tried:
            with self.workspace.rehearsing() as rehearsed:
                yield rehearsed
        else:
            yield self.workspace


def put_test_set(asked: Question) -> Answer:
    """Keep a test set, or compare texts with one that is kept."""
    document = new_test_set_of_lines(asked.document) if isinstance(asked.document, list) else asked.document
    project = _project(asked, "keep test set")
    texts = texts_of(document)
    with asked.keeping() as workspace:
        kept, is_new = keep_test_set(workspace, project, asked.names["test_set"], texts, asked.token.made_by)
    said = {"project": project.slug, **_test_set(kept), "is_new": is_new, "is_kept": not (is_new and asked.is_tried)}
    return _status(is_new=is_new and not asked.is_tried), said


def list_test_sets(asked: Question) -> Answer:
    """The test sets of a project."""
    projects = asked.workspace.projects
    found = projects.test_sets(_project(asked, "read versions"))
    return HTTPStatus.OK, {"test_sets": [_test_set(one) for one in found]}


def push_version(asked: Question) -> Answer:
    """Keep a version."""
    document = version_of_lines(asked.document) if isinstance(asked.document, list) else asked.document
    projects, new = asked.workspace.projects, version_of(document)
    project = _project(asked, "push version")
    test_set = projects.test_set(project, asked.names["test_set"])
    with asked.keeping() as workspace:
        pushed = keep_version(workspace, project, test_set, new, asked.token.made_by)
    if asked.is_tried:
        return HTTPStatus.OK, asdict(pushed.undone())
    scoring_ahead.ask(asked.workspace, project, test_set)
    return _status(is_new=pushed.is_new), asdict(pushed)


def list_versions(asked: Question) -> Answer:
    """The versions on a test set, of all systems or one."""
    projects = asked.workspace.projects
    project = _project(asked, "read versions")
    test_set = projects.test_set(project, asked.names["test_set"])
    found = projects.versions(project, test_set, asked.query.get("system"))
    return HTTPStatus.OK, {"versions": [_version(one) for one in found]}


def get_leaderboard(asked: Question) -> Answer:
    """A version of each system, best first; only those that stand there for sure or perhaps are scored.

    Raises:
        InputError: It is asked for another version than the latest or the best.
    """
    projects, results = asked.workspace.projects, asked.workspace.results
    project = _project(asked, "read scores")
    test_set = projects.test_set(project, asked.names["test_set"])
    which = _which(asked.query.get("which", WHICH[0]))
    of = results.scored_set(test_set, scoring_ahead.options_of(asked.workspace, test_set))
    versions = projects.versions(project, test_set)
    latest = kept_versions.latest_of(versions)
    found = results.score(of, versions if which == "best" else [one for runs in latest for one in runs], DRAWN)
    grouped = kept_versions.runs_of_versions(versions)
    stand = latest if which == "latest" else [_best(found, grouped, runs[0].system) for runs in latest]
    intervals = kept_versions.recipe_intervals(asked.workspace, of, stand, DRAWN)
    rows = [
        {
            "name": runs[0].system,
            "n_versions": sum(one[0].system == runs[0].system for one in grouped),
            **_scored(kept_versions.scored_version(runs, found, intervals.get(place))),
        }
        for place, runs in enumerate(stand)
    ]
    return HTTPStatus.OK, {
        "project": project.slug,
        **_test_set(test_set),
        "which": which,
        "signature": of.signature,
        "interval": how_drawn(of, DRAWN),
        "systems": sorted(rows, key=lambda row: -row["bleu"]),
    }


def _which(asked: str) -> Which:
    for one in WHICH:
        if one == asked:
            return one
    raise InputError(
        "there is no such version of a system",
        where="Query which",
        found=shown(asked),
        expected=" or ".join(WHICH),
        remedy="Ask for one of these.",
    )


def _best(found: Mapping[str, Result], grouped: Sequence[list[KeptVersion]], system: str) -> list[KeptVersion]:
    """The runs of the version of a system with the best score."""
    own = [runs for runs in grouped if runs[0].system == system]
    return max(own, key=lambda runs: fmean(found[one.digest].score for one in runs))


def _scored(one: ScoredVersion) -> dict[str, Any]:
    return {
        "version": one.label,
        "step": one.step,
        "made_at": one.made_at.isoformat(),
        "digest": one.digest,
        "n_runs": one.n_runs,
        "bleu": one.score,
        "deviation": one.deviation,
        "interval": None if one.interval is None else list(one.interval),
    }


def _project(asked: Question, operation: Operation) -> Project:
    """The token's project, where whoever made the token still may do that.

    Raises:
        NotFoundError: There is no such project any more, or not for them.
        ForbiddenError: They may see it, and not do that.
    """
    return asked.workspace.access.require(asked.token.made_by, asked.token.project, operation)


def _status(*, is_new: bool) -> HTTPStatus:
    return HTTPStatus.CREATED if is_new else HTTPStatus.OK


def _test_set(kept: KeptTestSet) -> dict[str, Any]:
    return {
        "test_set": kept.name,
        "digest": kept.digest,
        "n_segments": kept.n_segments,
        "languages": list(kept.languages),
    }


def _version(one: KeptVersion) -> dict[str, Any]:
    return {
        "system": one.system,
        "version": one.label,
        "run": one.run,
        "step": one.step,
        "config": dict(one.config),
        "tags": list(one.tags),
        "digest": one.digest,
        "made_at": one.made_at.isoformat(),
        "pushed_at": one.pushed_at.isoformat(),
    }
