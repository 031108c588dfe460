"""The workspace that this server keeps things in, and who somebody at a browser is to it."""

import logging
from dataclasses import dataclass

import streamlit as st

from bleuscope.shell.state.current_user import Entered, entered_in
from bleuscope.shell.state.person import person
from bleuscope.workspace import Workspace, WorkspacePlace, open_workspace
from bleuscope.workspace.access import BY_LINK, Operation
from bleuscope.workspace.errors import ForbiddenError, NotFoundError, UnwritableError
from bleuscope.workspace.events import note_event
from bleuscope.workspace.people import LOCAL, Identity, Person
from bleuscope.workspace.projects import Project, no_such_project
from bleuscope.workspace.shares import Share


@dataclass
class _InUse:
    """What the server was started with.

    Attributes:
        workspace: ``None`` where nothing is kept.
        is_shared: Whether others can enter: then each browser is somebody, and on one's own machine all are one.
        downloads_test_sets: Whether what others drop may have one of sacreBLEU's test sets downloaded.
        runs_neural: Whether others may run neural metrics, which are downloaded to this machine.
        obstacle: Why no workspace could be made.
    """

    workspace: Workspace | None = None
    is_shared: bool = False
    downloads_test_sets: bool = False
    runs_neural: bool = False
    obstacle: str | None = None


_in_use = _InUse()


def use(
    place: WorkspacePlace | None, *, is_shared: bool, downloads_test_sets: bool = False, runs_neural: bool = False
) -> None:
    """Keep things in a workspace from now on, or nothing where none can be made.

    Args:
        place: Where it is; ``None`` keeps nothing.
        is_shared: Whether other people than the one who runs the server can enter.
        downloads_test_sets: Whether what they drop may have one of sacreBLEU's test sets downloaded.
        runs_neural: Whether they may run neural metrics.

    Raises:
        WorkspaceError: It cannot be opened.
    """
    if _in_use.workspace is not None:
        _in_use.workspace.close()
    _in_use.workspace = _in_use.obstacle = None
    try:
        _in_use.workspace = None if place is None else open_workspace(place)
    except UnwritableError as error:  # there was none, and none can be made
        logging.getLogger(__name__).warning("%s", error)
        _in_use.obstacle = error.problem
    _in_use.is_shared = is_shared
    _in_use.downloads_test_sets = downloads_test_sets
    _in_use.runs_neural = runs_neural


def workspace() -> Workspace | None:
    """The workspace, where things are kept."""
    return _in_use.workspace


def obstacle() -> str | None:
    """Why nothing can be saved, in a few words; ``None`` where saving works, or is not wanted."""
    kept = _in_use.workspace
    if kept is None:
        return _in_use.obstacle
    found = kept.database.obstacle
    return None if found is None else found.problem


def is_shared() -> bool:
    """Whether other people than the one who runs the server can enter."""
    return _in_use.is_shared


def may_download() -> bool:
    """Whether what was dropped may have one of sacreBLEU's test sets downloaded: on one's own machine it may."""
    return _in_use.downloads_test_sets or not _in_use.is_shared


def may_run_neural() -> bool:
    """Whether whoever is at the browser may run neural metrics: on one's own machine, but no reader of a link."""
    return (_in_use.runs_neural or not _in_use.is_shared) and not is_by_link()


def entered() -> Entered:
    """By what whoever is at the browser was let in."""
    return entered_in(st.context.headers)


def is_by_link() -> bool:
    """Whether a link let this session in: it has one page, opens no texts of its own, and is nobody."""
    by = entered()
    return by.share is not None or by.page is not None


def link() -> Share | None:
    """The link that let this session in, as long as it works; ``None`` without one.

    Raises:
        WorkspaceError: The workspace cannot be used.
    """
    key, kept = entered().share, _in_use.workspace
    return None if key is None or kept is None else kept.shares.working(key)


def identity() -> Identity | None:
    """Who is at the browser: who logged in, else the browser's mark; ``None`` where that cannot be told."""
    by = entered()
    if by.identity is not None:
        return by.identity
    if is_by_link():
        return None
    if not _in_use.is_shared:
        return LOCAL
    mark = person()
    return None if mark is None else Identity("browser", mark)


def note_arrival(who: Identity) -> None:
    """Keep that somebody came in: they are a person from then on, whom others can give roles.

    Raises:
        WorkspaceError: The workspace cannot be written.
    """
    kept = _in_use.workspace
    if kept is None:
        return
    found = kept.people.person(who)
    with kept.database.writing() as connection:
        note_event(connection, found, None, "came in", {"issuer": who.issuer, "subject": who.subject})


def somebody() -> tuple[Workspace, Person] | None:
    """The workspace and who is at the browser; ``None`` where what they do is not kept.

    Raises:
        WorkspaceError: The workspace cannot be used.
    """
    kept, who = _in_use.workspace, identity()
    return None if kept is None or who is None else (kept, kept.people.person(who))


def projects() -> tuple[Project, ...]:
    """The projects that whoever is at the browser may read; for who came by a link into one, that one.

    Raises:
        WorkspaceError: The workspace cannot be used.
    """
    found, by = somebody(), link()
    if by is not None:
        return () if by.project is None else (project(by.project, "see project"),)
    return () if found is None else found[0].access.visible(found[1])


def project(slug: str, operation: Operation) -> Project:
    """The project in which whoever is at the browser wants to do something, if they may.

    Who came by a link into it reads what whoever made the link may read.

    Raises:
        NotFoundError: There is no such project, or not for them, or nothing is kept.
        ForbiddenError: They may see it, and not do that.
        WorkspaceError: The workspace cannot be used.
    """
    kept, found, by = _in_use.workspace, somebody(), link()
    if kept is not None and by is not None and by.project == slug and operation in BY_LINK:
        return kept.access.require(by.author, slug, operation)
    if found is None:
        raise no_such_project(slug)
    return found[0].access.require(found[1], slug, operation)


def may(slug: str, operation: Operation) -> bool:
    """Whether whoever is at the browser may do something in a project.

    Raises:
        WorkspaceError: The workspace cannot be used.
    """
    try:
        project(slug, operation)
    except (NotFoundError, ForbiddenError):
        return False
    return True
