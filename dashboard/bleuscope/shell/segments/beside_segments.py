"""What features know of the two systems on the page Segments, such as that one is an older version of the other."""

from functools import cache
from importlib import import_module
from typing import cast

from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.registry import BesideSegments, own_features


@cache
def _known() -> list[BesideSegments]:
    modules = (one.beside_segments for one in own_features() if one.beside_segments)
    return [cast("BesideSegments", import_module(module)) for module in modules]


def look_up(view: ComparisonContext) -> None:
    """Have features find out, once for a drawing of the page."""
    for one in _known():
        one.look_up(view)


def marked() -> tuple[str, str] | None:
    """What the older and the newer system are called here, if one was made from the other."""
    return next((names for one in _known() if (names := one.marked()) is not None), None)


def buttons(segment: int) -> None:
    """The ways on that features offer from the open segment."""
    for one in _known():
        one.button(segment)
