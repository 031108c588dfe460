"""The kind of error that segments were chosen by: what they lose to it, found in the background and kept."""

from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.segments.kind_points import NAMES, OFFERED, KindPoints
from bleuscope.registry import load
from bleuscope.shell.controls import widgets


def found(view: ComparisonContext, kind: str | None) -> KindPoints | None:
    """What the segments of A and B lose to a kind; ``None`` without one, and while points are being divided."""
    if OFFERED is None or kind not in NAMES:
        return None
    divided = widgets.made_by(OFFERED.label, load(OFFERED.work)(view))
    if divided is None:
        return None
    points: KindPoints = load(OFFERED.points)(view, divided, kind)
    return points
