"""A way of two minutes through the sample comparison: where to look, what to see there, and what to click."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType


@dataclass(frozen=True)
class Stop:
    """A page of the program, and what is to be seen there.

    Attributes:
        page: Its name.
        title: The question that is answered.
        words: What to look at, as Markdown of ours.
        click: What to try before going on.
        values: What the page is opened with: systems A and B, and how it is looked at.
    """

    page: str
    title: str
    words: str
    click: str
    values: Mapping[str, str] = field(default_factory=dict)


_SAME_SCORE: Mapping[str, str] = MappingProxyType({"a": "neural-10k", "b": "fluent"})

STOPS = (
    Stop(
        "overview",
        "Who is ahead, and is that more than chance?",
        "The first sentence is the answer: **neural-40k** has the highest BLEU, but its lead over the next is one "
        "that chance alone could well give. In the table, lines part systems that a test tells apart; between two "
        "lines nobody is ahead.",
        "Point at a dotted word: it says what it means.",
    ),
    Stop(
        "slices",
        "What does the mean hide?",
        "**online** and **neural-40k** are level on the whole, and yet far apart: one is far ahead in the washing "
        "machine's manual, the other in the chat and the story. A single number cannot say that.",
        "Click a bar: it opens the segments of that document.",
        MappingProxyType({"a": "online", "b": "neural-40k", "slice_by": "document"}),
    ),
    Stop(
        "compare",
        "Why do two systems have the same score?",
        "**fluent** and **neural-10k** differ by half a point. What **fluent** wins by words that match, the "
        "brevity penalty takes from it again: it leaves out a third of the text. The parts add up to the "
        "difference exactly.",
        "Click one of the sorted bars: it opens the segment that does so much.",
        _SAME_SCORE,
    ),
    Stop(
        "segments",
        "What does that look like in the texts?",
        "Blue is what stands in a reference; the longer the matching sequence, the stronger. Read what **fluent** "
        "leaves out, and judge for yourself: which of the two would you send to a customer?",
        "Press J for the next segment, X to swap the two systems.",
        _SAME_SCORE,
    ),
    Stop(
        "validity",
        "Does BLEU say what people say?",
        "**human** is a careful translation by a person. BLEU puts it last but one, because it shares few words "
        "with two references; the judges put it first. (The judgements of the sample are invented.)",
        "Find the point of **human** in the chart: high with the judges, far left in BLEU.",
    ),
    Stop(
        "report",
        "How do I hand it on?",
        "One file holds all of it, opens without a network, and ends with every setting. The page Scores has the "
        "sentence for a paper, with everything it cites.",
        "Then open your own files: *Test set*.",
    ),
)
"""In their order; what they claim of the sample is tested."""


def place(number: int) -> str:
    """Which stop it is, counted from 1."""
    return f"Stop {number + 1} of {len(STOPS)}"
