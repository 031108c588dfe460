"""The annotations of the workspace in use."""

from functools import lru_cache

from bleuscope.features.annotation.store import AnnotationStore
from bleuscope.shell.state import workspace_in_use
from bleuscope.workspace import Workspace


def open_store() -> AnnotationStore | None:
    """The store; ``None`` where nothing is kept."""
    kept = workspace_in_use.workspace()
    return None if kept is None else _store_of(kept)


@lru_cache(maxsize=1)
def _store_of(workspace: Workspace) -> AnnotationStore:
    return AnnotationStore(workspace)
