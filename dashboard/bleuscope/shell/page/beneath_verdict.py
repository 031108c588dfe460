"""The ways on that features offer beneath the verdict."""

from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.registry import load, own_features


def ways_on(view: ComparisonContext) -> None:
    """Draw them."""
    for feature in own_features():
        if feature.beneath_verdict:
            load(feature.beneath_verdict)(view)
