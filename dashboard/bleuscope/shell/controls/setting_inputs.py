"""The widget of a setting, made of its declaration and its wording. Its value is in the address."""

from typing import Any

import streamlit as st

from bleucore.declarations import Declaration, Names, Number, Truth, Whole
from bleuscope.content.style import numbers
from bleuscope.content.style.wordings import Wording
from bleuscope.runtime.param import Param


def setting_input(wording: Wording, declaration: Declaration, key: Param | None = None, **changes: Any) -> Any:  # noqa: ANN401  # as many types as there are settings
    """The value that is chosen.

    Args:
        wording: Its words.
        declaration: What it accepts.
        key: In the address; that of the wording unless given.
        changes: What this widget of Streamlit's has otherwise; ``options`` are the names that apply here.
    """
    accepts, key = declaration.accepts, key or wording.address
    given: dict[str, Any] = {"label": wording.label, "help": _filled(wording.help, accepts)}
    if key is not None:
        given |= key.bound()
    if isinstance(accepts, Names):
        if wording.is_switch:
            return accepts.choices[st.toggle(**given | changes)]
        given |= {"options": accepts.choices} | changes
        given.setdefault("index", given["options"].index(str(declaration.default)))
        return st.selectbox(**given)
    if isinstance(accepts, Truth):
        return st.toggle(**given | changes)
    given["placeholder"] = _filled(wording.placeholder, accepts)
    if isinstance(accepts, Number) and accepts.are_several:
        return st.text_input(**given | changes)
    least, most = (wording.least, wording.most) if isinstance(accepts, Number) else (accepts.least, accepts.most)
    given |= {"min_value": least, "max_value": wording.most or most, "value": declaration.default}
    return st.number_input(**given | {"step": wording.step, "format": wording.form} | changes)


def _filled(words: str | None, accepts: Names | Truth | Whole | Number) -> str | None:
    """Words with the number that stands for none."""
    usual = getattr(accepts, "usual", None)
    return words if words is None or usual is None else words.replace("{usual}", numbers.count(usual))
