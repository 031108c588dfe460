"""The annotations of the workspace in use."""

import logging
from functools import lru_cache

from bleuscope.features.annotation.store import AnnotationStore
from bleuscope.shell.state import workspace_in_use
from bleuscope.workspace import Workspace
from bleuscope.workspace.errors import WorkspaceError


def open_store() -> AnnotationStore | None:
    """The store; ``None`` where nothing is kept."""
    kept = workspace_in_use.workspace()
    return None if kept is None else _store_of(kept)


def is_link(secret: str) -> bool:
    """Whether a rater's link has this secret; the server asks it of whoever may not enter otherwise."""
    store = open_store()
    try:
        return store is not None and store.annotator_of(secret) is not None
    except WorkspaceError as error:
        logging.getLogger(__name__).warning("a rater's link cannot be looked up: %s", error)
        return False


@lru_cache(maxsize=1)
def _store_of(workspace: Workspace) -> AnnotationStore:
    return AnnotationStore(workspace)
