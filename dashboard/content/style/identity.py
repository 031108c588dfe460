"""What a system looks like: one colour, number, line and marker each, the same on every page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

OKABE_ITO = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#B5A800")
"""Okabe and Ito's palette without black; its yellow is darkened to be seen on white."""

BASELINE_COLOUR = "#7A8CA3"
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
MARKERS = ("circle", "square", "diamond", "triangle-up", "cross", "x", "star")
PATTERNS = ("", "/", ".", "x", "-", "\\", "+")


@dataclass(frozen=True)
class Identity:
    """How one system is drawn. Colour is never the only sign.

    Attributes:
        name: The system's name.
        number: Its place in the test set, from 1.
        colour: Of its bars and lines.
        dash: Of its lines.
        marker: Of its points.
        pattern: Of its bars.
        file: What it was read from, where that is known.
    """

    name: str
    number: int
    colour: str
    dash: str
    marker: str
    pattern: str
    file: str | None = None

    @property
    def tooltip(self) -> str:
        """The name, and the file in full."""
        return self.name if self.file is None else f"{self.name}: {self.file}"


def letters_of(sides: Sequence[str]) -> dict[str, str]:
    """Which of two systems is A and which is B; none of a single one is."""
    return dict(zip(sides, "AB", strict=True)) if len(sides) > 1 else {}


def identities(
    names: Sequence[str], baseline: str | None, files: Mapping[str, str | None] | None = None
) -> dict[str, Identity]:
    """An identity for each system, fixed by its place in the test set; a baseline is grey-blue."""
    return {
        name: Identity(
            name=name,
            number=index + 1,
            colour=BASELINE_COLOUR if name == baseline else OKABE_ITO[index % len(OKABE_ITO)],
            dash=DASHES[(index // len(OKABE_ITO)) % len(DASHES)],
            marker=MARKERS[index % len(MARKERS)],
            pattern=PATTERNS[(index // len(OKABE_ITO)) % len(PATTERNS)],
            file=(files or {}).get(name),
        )
        for index, name in enumerate(names)
    }
