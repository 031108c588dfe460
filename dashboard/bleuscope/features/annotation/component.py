"""The pen as a component of pages: texts and states go to the browser, letters with events come back."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import streamlit as st

from bleuscope.shell.state import session

NAME = "bleuscope.annotation"
"""Of the folder ``browser``, as the server hands it out (``streamlit_port.own_components``)."""


@cache
def _renderer() -> Callable[..., object]:
    """The component, registered at its first drawing: that takes a server, or a test of a page."""
    return st.components.v2.component(
        NAME, html='<div class="bs-pen-place"></div>', css="pen.css", js="pen.js", isolate_styles=False
    )


def draw(key: str, data: Mapping[str, object], on_letter: Callable[[object], None]) -> None:
    """Draw the pen.

    Args:
        key: Of this pen in the session.
        data: What ``pen_letters.for_browser`` gives.
        on_letter: Takes what the browser sent, which is not to be trusted.
    """
    _renderer()(
        key=key, data=dict(data), on_letter_change=lambda: on_letter(_letter(session.get(key))), height="content"
    )


def _letter(state: Any) -> object:  # noqa: ANN401  # Streamlit's own mapping
    return state.get("letter") if isinstance(state, Mapping) else None
