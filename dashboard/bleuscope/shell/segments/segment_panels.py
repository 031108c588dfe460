"""What features add to the open segment: buttons in its row, and the panels that these open."""

from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.registry import SegmentPanel, load, segment_panels


def buttons(view: ComparisonContext, segment: int) -> None:
    """The buttons; the browser presses them for keys (``segments.js``)."""
    for one in working():
        load(one.button)(view, segment)


def draw(view: ComparisonContext, segment: int) -> None:
    """The panels that are open."""
    for one in working():
        load(one.draw)(view, segment)


def working() -> tuple[SegmentPanel, ...]:
    """The panels that whoever reads can open."""
    return tuple(one for one in segment_panels() if load(one.works)())


def idle_keys() -> tuple[str, ...]:
    """The keys of the others, which do nothing here."""
    there = working()
    return tuple(one.key for one in segment_panels() if one not in there)
