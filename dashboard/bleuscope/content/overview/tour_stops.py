"""A way of two minutes through the sample comparison: where to look, what to see there, and what to click."""

from collections.abc import Mapping
from types import MappingProxyType

from bleuscope.registry import TourStop, own_features, placed
from bleuscope.runtime import params

_SAME_SCORE: Mapping[str, str] = MappingProxyType({params.A: "neural-10k", params.B: "fluent"})

_OWN = (
    TourStop(
        "overview",
        "Which system is best, and is its lead significant?",
        "**neural-40k** scores highest, 0.71 BLEU above **neural-20k**. This difference is not significant (p = .998). "
        "Lines in the table separate clusters: every system above a line is significantly better than every system "
        "below it.",
        "Point at a dotted word for its meaning.",
        "Tap a dotted word for its meaning.",
    ),
    TourStop(
        "slices",
        "What does the mean hide?",
        "**online** scores 47.99 and **neural-40k** 48.73 BLEU. In the washing machine's manual **neural-40k** scores "
        "19.98 BLEU more, and **online** scores higher in 7 of the 12 documents. One document is too few for a test, "
        "so none of these differences counts as significant.",
        "Click a bar to open the segments of that document.",
        "Tap a bar to open the segments of that document.",
        MappingProxyType({params.A: "online", params.B: "neural-40k", params.SLICE_BY: "document"}),
    ),
    TourStop(
        "compare",
        "Why do two systems have almost the same score?",
        "**fluent** scores 0.46 BLEU more than **neural-10k**. Its n-grams of all four orders match more often, which "
        "contributes +14.09 BLEU. It is shorter, and the brevity penalty contributes −13.62 BLEU.",
        "Click one of the sorted bars to open its segment.",
        "Tap one of the sorted bars to open its segment.",
        _SAME_SCORE,
    ),
    TourStop(
        "segments",
        "What does that look like in the texts?",
        "Blue words also occur in a reference. **fluent** is shorter than **neural-10k** in 182 of 216 segments. Which "
        "one would you send to a customer?",
        "Press J for the next segment, X to swap the systems.",
        "Tap ⇄ to swap the systems.",
        _SAME_SCORE,
    ),
    TourStop(
        "report",
        "How do I share the results?",
        "A report is one file that opens without a network. It ends with every setting.",
        "Then open your own files: *Data*.",
        "Then open your own files: *Data*.",
    ),
)
STOPS: tuple[TourStop, ...] = tuple(
    placed(
        {stop.page: stop for stop in _OWN},
        ((stop.before, {stop.page: stop}) for feature in own_features() for stop in feature.tour_stops),
    ).values()
)
"""In their order; a test computes what each sentence claims of the sample."""


def place(number: int) -> str:
    """Which stop it is, counted from 1."""
    return f"Stop {number + 1} of {len(STOPS)}"
