"""What outlives a session: texts, versions of systems and what people say of them, in a database beside blobs.

Knows neither Streamlit nor the dashboard. ``open_workspace`` is the way in; ``push`` keeps a version in one call.
"""

from workspace.parcels import Pushed
from workspace.place import Place, place_of, usual_place
from workspace.pushing import push
from workspace.workspace import Workspace, open_workspace

__all__ = ["Place", "Pushed", "Workspace", "open_workspace", "place_of", "push", "usual_place"]
