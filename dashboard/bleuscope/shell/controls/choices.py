"""One of several values, asked for and kept in the address; a link that names another one is told so."""

from collections.abc import Collection, Sequence
from typing import Any, TypeVar

import streamlit as st

from bleuscope.runtime.param import Param
from bleuscope.shell.state import session

Option = TypeVar("Option", bound=str)


def segmented(
    key: Param,
    label: str,
    options: Sequence[Option],
    *,
    usual: Option | None = None,
    **widget: Any,  # noqa: ANN401  # what Streamlit's widget takes
) -> Option:
    """One of a few options, side by side; the first unless another is usual."""
    session.keep_valid(key, tuple(options))
    default = options[0] if usual is None else usual
    chosen: Option = st.segmented_control(label, options, default=default, required=True, **key.bound(), **widget)
    return chosen


def selected(
    key: Param,
    label: str,
    options: Collection[Option],
    **widget: Any,  # noqa: ANN401  # as above
) -> Option:
    """One of the options of a list, the first unless ``index`` says which."""
    session.keep_valid(key, tuple(options))
    chosen: Option = st.selectbox(label, list(options), **key.bound(), **widget)
    return chosen


def selected_if_any(
    key: Param,
    label: str,
    options: Collection[Option],
    placeholder: str,
    **widget: Any,  # noqa: ANN401  # as above
) -> Option | None:
    """One of the options of a list, or none, for which the placeholder stands."""
    session.keep_valid(key, (None, *options))
    chosen: Option | None = st.selectbox(
        label, list(options), index=None, placeholder=placeholder, **key.bound(), **widget
    )
    return chosen
