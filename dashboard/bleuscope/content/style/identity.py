"""What a system looks like: one colour, line, marker and number each, the same on every page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

OKABE_ITO = ("#0072B2", "#B98200", "#009E73", "#CC79A7", "#3E97CC", "#D55E00", "#8F8600")
"""Okabe and Ito's palette without black; its light colours are darkened: all have 3 : 1 on white and on dark."""

SIDE_COLOURS: Mapping[str, str] = {"A": "#8A55B8", "B": "#3A8A2E"}
"""Of the two systems that are compared, wherever they stand: violet and green, which the colour-blind tell apart, and
neither is that of a match (blue) or of a warning (orange)."""

BASELINE_COLOUR = "#7A8CA3"
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
MARKERS = ("circle", "square", "diamond", "triangle-up", "cross", "x", "star")
GLYPHS: Mapping[str, str] = dict(zip(MARKERS, "●■◆▲✚✖★", strict=True))
"""The markers as letters. A number next to a name reads as a rank."""


@dataclass(frozen=True)
class SystemStyle:
    """How one system is drawn. Colour is never the only sign.

    Attributes:
        name: The system's name.
        number: Its place in the test set, from 1.
        colour: Of its bars and lines.
        dash: Of its lines.
        marker: Of its points.
        file: What it was read from, where that is known.
    """

    name: str
    number: int
    colour: str
    dash: str
    marker: str
    file: str | None = None

    @property
    def glyph(self) -> str:
        """Its marker, as a letter."""
        return GLYPHS[self.marker]

    @property
    def tooltip(self) -> str:
        """The name, and the file in full."""
        return self.name if self.file is None else f"{self.name}: {self.file}"


def letters_of(sides: Sequence[str]) -> dict[str, str]:
    """Which of two systems is A and which is B; none of a single one is."""
    return dict(zip(sides, "AB", strict=True)) if len(sides) > 1 else {}


def identities(
    names: Sequence[str], baseline: str | None, files: Mapping[str, str | None] | None = None, sides: Sequence[str] = ()
) -> dict[str, SystemStyle]:
    """An identity for each system, fixed by its place in the test set; a baseline is grey-blue.

    Of two sides, A and B have their own colours.
    """
    of_sides = {name: SIDE_COLOURS[letter] for name, letter in letters_of(sides).items()}
    return {
        name: SystemStyle(
            name=name,
            number=index + 1,
            colour=of_sides.get(name, BASELINE_COLOUR if name == baseline else OKABE_ITO[index % len(OKABE_ITO)]),
            dash=DASHES[(index // len(OKABE_ITO)) % len(DASHES)],
            marker=MARKERS[index % len(MARKERS)],
            file=(files or {}).get(name),
        )
        for index, name in enumerate(names)
    }
