"""What features add to the open segment: buttons in its row, and the panels that these open."""

from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.registry import load, segment_panels


def buttons(view: ComparisonContext, segment: int) -> None:
    """The buttons; the browser presses them for keys (``segments.js``)."""
    for one in segment_panels():
        load(one.button)(view, segment)


def draw(view: ComparisonContext, segment: int) -> None:
    """The panels that are open."""
    for one in segment_panels():
        load(one.draw)(view, segment)
