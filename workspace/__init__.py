"""What outlives a session: texts, versions of systems and what people say of them, in a database beside blobs.

Knows neither Streamlit nor the dashboard. ``open_workspace`` is the way in.
"""

from workspace.place import Place, place_of, usual_place
from workspace.workspace import Workspace, open_workspace

__all__ = ["Place", "Workspace", "open_workspace", "place_of", "usual_place"]
