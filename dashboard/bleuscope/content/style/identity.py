"""What a system looks like: one colour, line, marker and number each, the same on every page."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from bleuscope.content.style.cut_names import short_names

OKABE_ITO = ("#0072B2", "#B98200", "#009E73", "#CC79A7", "#3E97CC", "#D55E00", "#8F8600")
"""Okabe and Ito's palette without black; its light colours are darkened: all have 3 : 1 on white and on dark."""

SIDE_COLOURS: Mapping[str, str] = {"A": "#8A55B8", "B": "#3A8A2E"}
"""Of the two systems that are compared, wherever they stand: violet and green, which the colour-blind tell apart, and
neither is that of a match (blue) or of a warning (orange)."""

BASELINE_COLOUR = "#7A8CA3"
QUIET_COLOUR = "#7F858E"
"""Of the systems that stand back in a chart of many."""
MOST_COLOURED = 7
"""Systems whose colours can be distinguished in one chart: of more, A and B have colours."""
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
        short: What distinguishes its name from the others, for charts and where else there is little room.
        side: "A" or "B" if it is one of the two that are compared, else "".
    """

    name: str
    number: int
    colour: str
    dash: str
    marker: str
    file: str | None = None
    short: str = ""
    side: str = ""

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
    letters, short = letters_of(sides), short_names(names)
    of_sides = {name: SIDE_COLOURS[letter] for name, letter in letters.items()}
    return {
        name: SystemStyle(
            name=name,
            number=index + 1,
            colour=of_sides.get(name, BASELINE_COLOUR if name == baseline else OKABE_ITO[index % len(OKABE_ITO)]),
            dash=DASHES[(index // len(OKABE_ITO)) % len(DASHES)],
            marker=MARKERS[(index + index // len(OKABE_ITO)) % len(MARKERS)],
            file=(files or {}).get(name),
            short=short[name],
            side=letters.get(name, ""),
        )
        for index, name in enumerate(names)
    }


def with_whole_names(looks: Mapping[str, SystemStyle]) -> dict[str, SystemStyle]:
    """The looks for tables that leave the program, which call every system by its whole name."""
    return {name: replace(look, short=look.name) for name, look in looks.items()}


def chosen_of(looks: Mapping[str, SystemStyle]) -> tuple[str, ...]:
    """A and B, where two systems are compared."""
    return tuple(sorted((name for name, look in looks.items() if look.side), key=lambda name: looks[name].side))


def highlighted(looks: Mapping[str, SystemStyle], chosen: Sequence[str] | None = None) -> dict[str, SystemStyle]:
    """The looks in one chart: of more than ``MOST_COLOURED`` systems the chosen ones stand out, the others are grey.

    Args:
        looks: How each system is drawn.
        chosen: Those that stand out; A and B unless given.
    """
    chosen = chosen_of(looks) if chosen is None else chosen
    if len(looks) <= MOST_COLOURED or not chosen:
        return dict(looks)
    return {
        name: look if name in chosen else replace(look, colour=QUIET_COLOUR, dash="solid", marker="circle")
        for name, look in looks.items()
    }


def in_front_last(names: Iterable[str], looks: Mapping[str, SystemStyle]) -> list[str]:
    """Systems in the order in which their lines are drawn: A and B last, so that no other line covers them."""
    return sorted(names, key=lambda name: looks[name].side != "")


def named_in_chart(in_order: Sequence[str], chosen: Sequence[str]) -> list[str]:
    """Systems to name in a chart: all of few; of many the best, the chosen ones, and the neighbours of these.

    Args:
        in_order: Best first.
        chosen: Those that stand out, as A and B do.
    """
    if len(in_order) <= MOST_COLOURED:
        return list(in_order)
    places = [place for place, name in enumerate(in_order) if name in chosen]
    near = {0, *(place + step for place in places for step in (-1, 0, 1))}
    return [name for place, name in enumerate(in_order) if place in near]
