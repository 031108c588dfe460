"""The sample comparison for everybody, where a host of Streamlit apps runs the script ``dashboard/app.py``.

Nobody is asked for anything, because nothing is there that anyone may not see: visitors read the sample, what they
drop is their session's and bounded, and nothing is kept. The host names the address and stands in front of it.
"""

import os
from typing import Any

from starlette.middleware import Middleware

from bleuscope.content.comparison.inputs import Inputs
from bleuscope.shell.disk.files import to_environment
from bleuscope.shell.server import server
from bleuscope.shell.server.hosts import Announced, HostName
from bleuscope.shell.server.upload_limits import MEGABYTE, UploadLimits
from bleuscope.shell.state import workspace_in_use

LIMITS = UploadLimits(session_bytes=20 * MEGABYTE, server_bytes=200 * MEGABYTE, session_files=40)
FRAMED_BY = ("'self'", "https://huggingface.co", "https://*.hf.space", "https://*.streamlit.app")
"""The sites of hosts that show an app within a page of theirs."""
FRAMED_BY_VARIABLE = "BLEUSCOPE_FRAMED_BY"
"""Names other sites instead, with blanks between them."""
ANY_HOST = Announced(HostName("127.0.0.1", None), frozenset(), is_everybodys=True)

SCRIPT = server.SCRIPT


def parts() -> dict[str, Any]:
    """What Streamlit's application is given, once the sample is what is open and nothing will be kept."""
    workspace_in_use.use(None, is_shared=True, downloads_test_sets=False)
    to_environment(Inputs(is_sample=True))
    framed_by = tuple(os.environ.get(FRAMED_BY_VARIABLE, "").split()) or FRAMED_BY
    gate = Middleware(server.guarded, announced=ANY_HOST, token=None, framed_by=framed_by)
    return server.parts_of_app(LIMITS, around=[gate])
