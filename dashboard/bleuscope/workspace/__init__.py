"""What outlives a session: texts, versions of systems and what people say of them, in a database beside blobs.

Knows neither Streamlit nor the dashboard. ``open_workspace`` is the way in; ``push`` keeps a version in one call.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from bleuscope.workspace.place import WorkspacePlace, place_of, usual_place

if TYPE_CHECKING:
    from bleuscope.workspace.push_payload import Pushed
    from bleuscope.workspace.pushing import push
    from bleuscope.workspace.workspace import Workspace, open_workspace

__all__ = ["Pushed", "Workspace", "WorkspacePlace", "open_workspace", "place_of", "push", "usual_place"]

_MODULES = {"Pushed": "push_payload", "Workspace": "workspace", "open_workspace": "workspace", "push": "pushing"}
"""What knows a database or HTTP, imported where it is asked for: a process that only counts starts without them."""


def __getattr__(name: str) -> Any:  # noqa: ANN401  # as the language has it
    """A public name whose module is imported now."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
