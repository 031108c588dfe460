"""What outlives a session: texts, versions of systems and what people say of them, in a database beside blobs.

Knows neither Streamlit nor the dashboard. ``open_workspace`` is the way in; ``push`` keeps a version in one call.
"""

from typing import TYPE_CHECKING, Any

from bleuscope.workspace.parcels import Pushed
from bleuscope.workspace.place import Place, place_of, usual_place
from bleuscope.workspace.workspace import Workspace, open_workspace

__all__ = ["Place", "Pushed", "Workspace", "open_workspace", "place_of", "push", "usual_place"]

if TYPE_CHECKING:
    from bleuscope.workspace.pushing import push


def __getattr__(name: str) -> Any:  # noqa: ANN401  # as the language has it
    """What pushes to servers, imported where it is asked for: it knows HTTP, which a dashboard starts without."""
    if name == "push":
        from bleuscope.workspace.pushing import push as found  # noqa: PLC0415  # as said

        return found
    raise AttributeError(name)
