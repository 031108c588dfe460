"""Characters that are not seen: where they stand in a text, and what can be shown in their stead."""

import unicodedata
from dataclasses import dataclass

import regex

SIGNS = {
    "\t": "⇥",
    "\n": "↵",
    "\r": "␍",
    " ": "␣",
    "\u00a0": "·",
    "\u202f": "·",
    "\u3000": "□",
    "\u00ad": "SHY",
    "\u034f": "CGJ",
    "\u061c": "ALM",
    "\u200b": "ZWSP",
    "\u200c": "ZWNJ",
    "\u200d": "ZWJ",
    "\u200e": "LRM",
    "\u200f": "RLM",
    "\u2028": "LS",
    "\u2029": "PS",
    "\u202a": "LRE",
    "\u202b": "RLE",
    "\u202c": "PDF",
    "\u202d": "LRO",
    "\u202e": "RLO",
    "\u2060": "WJ",
    "\u2066": "LRI",
    "\u2067": "RLI",
    "\u2068": "FSI",
    "\u2069": "PDI",
    "\ufeff": "BOM",
}
"""Unicode's own abbreviations, and signs for white space."""
CONTROL_PICTURES = 0x2400
FIRST_PRINTING = 0x20
PLAIN_BLANKS = regex.compile(r"^ +|(?<= ) +| +$", regex.MULTILINE)
"""Blanks that matter and are easily missed: at the ends of a line, and after another blank."""
CLUSTER = regex.compile(r"\X")
_FIRST_COMBINING = "\u0300"
HIDDEN = regex.compile(r"[\p{Default_Ignorable_Code_Point}--[\uFE00-\uFE0F]]|[\p{Cf}\p{Cc}\p{Zl}\p{Zp}]", regex.V1)
"""Variation selectors choose between two forms of what is seen, and are left in peace."""
OBEYED = regex.compile(r"[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]|[\p{Cf}--[\u200c\u200d\ufe0f]--\p{Emoji_Component}]", regex.V1)
"""What a terminal obeys: control characters (escape sequences begin with one), and signs that turn a line around."""
CONTROLS = regex.compile(r"[\p{Cc}--[\t\n\r]]", regex.V1)
"""Control characters but for those that part cells and lines."""
BLANKS = regex.compile(r"[\t\n\r]+")
OTHER_BLANK = regex.compile(r"[\p{Zs}--[\x20]]", regex.V1)


@dataclass(frozen=True)
class Invisible:
    """Something not seen.

    Attributes:
        stop: The place behind it, or behind the character as readers see it that it is a part of.
        sign: What to show.
        name: Its name and code point.
        is_part: Whether it belongs to a character that is seen: an emoji, a letter with its joiner.
    """

    stop: int
    sign: str
    name: str
    is_part: bool


def invisible_characters(text: str) -> dict[int, Invisible]:
    """What is not seen in a text, by the place where it, or the character that it is a part of, begins."""
    found = {}
    blanks = {place for match in PLAIN_BLANKS.finditer(text) for place in range(*match.span())}
    for match in CLUSTER.finditer(text):
        cluster = match.group()
        hidden = [character for character in cluster if HIDDEN.match(character) or OTHER_BLANK.match(character)]
        if cluster == " " and match.start() in blanks:
            hidden = [cluster]
        if hidden:
            signs = "".join(dict.fromkeys(sign(character) for character in hidden))
            names = ", ".join(dict.fromkeys(named(character) for character in hidden))
            found[match.start()] = Invisible(match.end(), signs, names, is_part=len(hidden) < len(cluster))
    return found


def cluster_boundaries(text: str) -> list[int]:
    """Every place between two characters as readers see them, both ends of the text included."""
    if text and max(text) < _FIRST_COMBINING and "\r\n" not in text:
        return [*range(len(text) + 1)]
    return [0, *(match.end() for match in CLUSTER.finditer(text))]


def in_one_line(text: str) -> str:
    """A text on one line with a sign for every character that a terminal would obey."""
    if text.isprintable():
        return text
    return OBEYED.sub(lambda found: sign(found.group()), BLANKS.sub(" ", text))


def in_lines(text: str) -> str:
    """A text of several lines, tabs within them, with a sign for every other character that a terminal would obey."""
    parts = regex.split(r"([\t\n])", text)
    return "".join(part if part in ("\t", "\n") else in_one_line(part) for part in parts)


def without_controls(text: str) -> str:
    """A text with a sign for every control character but tabs and line ends."""
    return CONTROLS.sub(lambda found: sign(found.group()), text)


def sign(character: str) -> str:
    """What to show instead of a character."""
    if character in SIGNS:
        return SIGNS[character]
    if ord(character) < FIRST_PRINTING:
        return chr(CONTROL_PICTURES + ord(character))
    return "·" if OTHER_BLANK.match(character) else f"U+{ord(character):04X}"


def named(character: str) -> str:
    """A character's name and code point."""
    return f"{unicodedata.name(character, 'control character').lower()} U+{ord(character):04X}"
