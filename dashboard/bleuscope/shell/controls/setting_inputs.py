"""The widget of a setting, made of its declaration and its wording. Its value is in the address."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import streamlit as st

from bleucore.declarations import Declaration, Names, Number, Truth, Whole
from bleuscope.content.style import numbers
from bleuscope.content.style.wordings import Wording
from bleuscope.shell.state import links, session


def setting_input(wording: Wording, declaration: Declaration, **changes: Any) -> Any:  # noqa: ANN401  # as many types as there are settings
    """The value that is chosen.

    Args:
        wording: Its words.
        declaration: What it accepts.
        changes: What this widget of Streamlit's has otherwise; ``options`` are the names that apply here.
    """
    with noting_refused(str(changes.get("key", wording.address))):
        return _drawn(wording, declaration, **changes)


@contextmanager
def noting_refused(key: str) -> Iterator[None]:
    """Note what the address gives the widget that the block draws first, where that is no value of it.

    Streamlit (1.67) drops such a value, and the page would show other numbers than the link was made for.
    """
    asked = [] if session.has(key) else links.given_all(key)
    yield
    if any(asked) and not _is_same(asked, session.get(key)):
        session.miss(key, " ".join(asked))


def _is_same(asked: Sequence[str], value: object) -> bool:
    if isinstance(value, list):
        return set(asked) == set(map(str, value))
    if isinstance(value, bool):
        return asked[-1].lower() == str(value).lower()
    if isinstance(value, int | float):
        try:
            return float(asked[-1]) == value
        except ValueError:
            return False
    return asked[-1] == value


def _drawn(wording: Wording, declaration: Declaration, **changes: Any) -> Any:  # noqa: ANN401  # as above
    accepts = declaration.accepts
    given: dict[str, Any] = {"label": wording.label, "key": wording.address, "help": _filled(wording.help, accepts)}
    given["persist_state"] = "session"
    if isinstance(accepts, Names):
        if wording.is_switch:
            return accepts.choices[st.toggle(bind="query-params", **given, **changes)]
        given |= {"options": accepts.choices} | changes
        given.setdefault("index", given["options"].index(str(declaration.default)))
        return st.selectbox(bind="query-params", **given)
    if isinstance(accepts, Truth):
        return st.toggle(bind="query-params", **given, **changes)
    given["placeholder"] = _filled(wording.placeholder, accepts)
    if isinstance(accepts, Number) and accepts.are_several:
        return st.text_input(bind="query-params", **given, **changes)
    least, most = (wording.least, wording.most) if isinstance(accepts, Number) else (accepts.least, accepts.most)
    given |= {"min_value": least, "max_value": wording.most or most, "value": declaration.default}
    given |= {"step": wording.step, "format": wording.form} | changes
    return st.number_input(bind="query-params", **given)


def _filled(words: str | None, accepts: Names | Truth | Whole | Number) -> str | None:
    """Words with the number that stands for none."""
    usual = getattr(accepts, "usual", None)
    return words if words is None or usual is None else words.replace("{usual}", numbers.count(usual))
