"""The sample comparison for everybody: what a host of Streamlit apps starts with ``streamlit run dashboard/app.py``.

Such a host installs what is needed and not this project, so its folders are put on the path here. On your own machine
take ``make run`` or ``bleuscope``: they keep what you do, and let in nobody else.
"""

import sys
from pathlib import Path

import streamlit as st

sys.path[:0] = map(str, Path(__file__).resolve().parents[:2])

from bleuscope.shell.server import public_demo  # noqa: E402  # found by the line above

app = st.App(public_demo.SCRIPT, **public_demo.parts())
