"""The one reader and writer of Streamlit's session state."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from bleuscope.content.comparison.inputs import Loaded
from bleuscope.content.segments.filters import FILTERS
from bleuscope.runtime import params

state = st.session_state  # noqa: TID251  # this module is the one that may

SEGMENT_FILTERS = tuple(key for each in FILTERS.values() for key in each.keys)
"""Widgets that narrow down the list of segments."""

NAMING = "_naming"
BESIDE_ONE_TEST_SET = ("report_remarks", "_score_files", "_judgements", "_label_files", NAMING)
"""What is forgotten with a test set and is not part of the address."""
_LOADED, _RUN = "_loaded", "_run"
_UPLOADS = "_upload_round"
_MAX_DIGITS = 18
_ASKED, _MISSED = "_asked_by_address", "_missed_of_address"


def loaded() -> Loaded | None:
    """The test set on screen, if there is one."""
    found: Loaded | None = state.get(_LOADED)
    return found


def show(new: Loaded) -> None:
    """Put a test set on screen. What was chosen for another one (systems, segment, filter) is forgotten."""
    current = loaded()
    if current is not None and current.test_set.digest != new.test_set.digest:
        drop(*params.of_one_test_set(), *BESIDE_ONE_TEST_SET)
    state[_LOADED] = new


def forget_all() -> None:
    """Begin anew: nothing of what was chosen or opened is left."""
    state.clear()


def hide() -> None:
    """Take the test set off the screen."""
    drop(_LOADED)


def begin_run() -> None:
    """Note that the script of all pages runs anew."""
    state[_RUN] = state.get(_RUN, 0) + 1


def this_run() -> int | None:
    """The number of this run of the script; ``None`` where no page is drawn."""
    found: int | None = state.get(_RUN)
    return found


def get(key: str, default: Any = None) -> Any:  # noqa: ANN401  # as many types as there are widgets
    """The value of a widget, or a note of ours."""
    return state.get(key, default)


def has(key: str) -> bool:
    """Whether a widget was drawn already, or a note is kept."""
    return key in state


def put(key: str, value: object) -> None:
    """Set a widget's value before it is drawn, or keep a note."""
    state[key] = value


def drop(*keys: str) -> None:
    """Forget values."""
    for key in keys:
        state.pop(key, None)


def keys_with(beginning: str) -> list[str]:
    """The keys that begin so."""
    return [key for key in map(str, state) if key.startswith(beginning)]


def ask(values: Mapping[str, Sequence[str]]) -> None:
    """Note what the address holds, by the names of widgets; nothing else is missed any more."""
    state[_ASKED], state[_MISSED] = dict(values), {}


def ask_once(values: Mapping[str, Sequence[str]]) -> bool:
    """The same at the first run of a session; whether this is the first."""
    is_first = _ASKED not in state
    if is_first:
        ask(values)
    return is_first


def asked() -> dict[str, Sequence[str]]:
    """What the address held at first, without what widgets were found to have or not to have."""
    found: dict[str, Sequence[str]] = state.get(_ASKED, {})
    return found


def missed() -> dict[str, str]:
    """What the address chose and no widget has: it is said until it is seen to."""
    found: dict[str, str] = state.get(_MISSED, {})
    return found


def miss(key: str, asked: str) -> None:
    """Note a value of the address that its widget does not have."""
    asked_of(key)
    state[_MISSED] = {**missed(), key: asked}


def asked_of(key: str) -> str | None:
    """What the address held for a widget, the first time that this is asked; ``None`` where it held nothing."""
    values = state.get(_ASKED, {}).pop(key, ())
    return values[-1] if values else None


def keep_valid(key: str, options: tuple[str | None, ...]) -> None:
    """Forget a widget's value that is no longer among its options; note one that the address asked for."""
    value = asked_of(key)
    if value is not None and value not in options:
        miss(key, value)
    if key in state and state[key] not in options:
        del state[key]


def keep_number(key: str, most: int) -> None:
    """The same for a number from 1 to ``most``."""
    value = asked_of(key)
    if value is not None and not (value.isdecimal() and 1 <= int(value[:_MAX_DIGITS]) <= most):
        miss(key, value)
    if not 1 <= int(state.get(key) or 1) <= most:
        drop(key)


def keep_several(key: str, options: tuple[str, ...]) -> None:
    """Forget those values of a widget for several that are no longer among its options."""
    if key in state and not set(state[key]) <= set(options):
        state[key] = [value for value in state[key] if value in options]


def upload_round() -> int:
    """Part of the uploader's key: a new round starts with an empty uploader."""
    return int(state.get(_UPLOADS, 0))


def next_upload_round() -> None:
    """Empty the uploader at the next run."""
    state[_UPLOADS] = upload_round() + 1
