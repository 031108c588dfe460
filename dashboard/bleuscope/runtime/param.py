"""``Param``: what holds of a key of the address, declared in one line: its widget, how long it lasts, what a link says.

A key is its name: it is a ``str``, so that it goes wherever Streamlit or the session takes a name.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, Self, TypeAlias, TypedDict

Kind: TypeAlias = Literal["choice", "choices", "text", "whole", "number", "truth", "panel"]
"""What its widget holds: one or several of some names, a text, a number, yes or no; or a panel that is open or not."""
Scope: TypeAlias = Literal["page", "test set", "session"]
"""When a value is forgotten: with the page, with the test set it was chosen for, or not at all."""
Opens: TypeAlias = Literal["texts", "project"]
"""What a link opens by it: texts with what stands next to them, or the test set of a project."""


@dataclass(frozen=True)
class Form:
    """How a value is written.

    Attributes:
        pattern: What the whole value matches.
        words: That, in words.
    """

    pattern: re.Pattern[str]
    words: str


class OfWidget(TypedDict):
    """What a widget of Streamlit's is given that keeps its value in the address."""

    key: str
    bind: Literal["query-params"]
    persist_state: Literal["session"] | None


class OfPanel(TypedDict):
    """What an expander is given, in the same way."""

    key: str
    on_change: Literal["rerun"]
    bind: Literal["query-params"]


class Param(str):
    """A key of the address.

    Attributes:
        kind: What it holds.
        scope: When its value is forgotten.
        noun: What it chooses among what is open, in a word; ``None`` for a setting.
        opens: What a link opens by it; ``None`` for what only changes how that is looked at.
        option: What commands call it.
        most: The length of the longest value, in characters.
        form: How its value is written, where no widget knows that.
        formerly: Words in values of older links, each with what they are called now.
    """

    kind: Kind
    scope: Scope
    noun: str | None
    opens: Opens | None
    option: str | None
    most: int | None
    form: Form | None
    formerly: Mapping[str, str]

    def __new__(  # noqa: PLR0913  # what there is to declare
        cls,
        name: str,
        kind: Kind = "choice",
        *,
        scope: Scope = "session",
        noun: str | None = None,
        opens: Opens | None = None,
        option: str | None = None,
        most: int | None = None,
        form: Form | None = None,
        formerly: Mapping[str, str] = MappingProxyType({}),
    ) -> Self:
        """The key of this name."""
        made = super().__new__(cls, name)
        made.kind, made.scope, made.noun, made.opens = kind, scope, noun, opens
        made.option, made.most, made.form = option, most, form
        made.formerly = formerly
        return made

    def bound(self) -> OfWidget:
        """What its widget is given."""
        persists: Literal["session"] | None = None if self.scope == "page" else "session"
        return OfWidget(key=self, bind="query-params", persist_state=persists)

    def panel(self) -> OfPanel:
        """What its expander is given."""
        return OfPanel(key=self, on_change="rerun", bind="query-params")

    def takes(self, value: str) -> bool:
        """Whether a link may give it this value, whatever is open: numbers have an end, texts are not too long.

        Streamlit (1.67) drops other junk itself, but fails at an infinite value of a widget for whole numbers.
        """
        if self.kind in ("whole", "number"):
            return not math.isinf(number_in(value))
        return self.most is None or len(value) <= self.most

    def reworded(self, value: str) -> str:
        """A value of an older link as it is called now."""
        for word, now in self.formerly.items():
            value = value.replace(word, now)
        return value

    def fits(self, value: str) -> bool:
        """Whether a value is written in its form."""
        return self.form is None or self.form.pattern.fullmatch(value) is not None

    def said(self, value: object, usual: object = None) -> list[str]:
        """The words of a command that come to a value; none for the usual one, or where there is no value."""
        if self.option is None or value is None or value is False or value == usual:
            return []
        return [self.option] if value is True else [self.option, str(value)]


def number_in(value: str) -> float:
    """What an address says as a number; not a number where it says something else."""
    try:
        return float(value)
    except ValueError:
        return math.nan
