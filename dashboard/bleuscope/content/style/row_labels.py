"""Texts of tables that are drawn, not written: names of rows that are buttons, and cells from right to left."""

from bleuscope.content.style.widths import FROM_THE_RIGHT

LEAST_WIDTH = 14
"""In half the height of a letter; only the label itself takes a click."""
EN_SPACE = "\u2002"
WORD_JOINER = "\u2060"
LEFT_TO_RIGHT_MARK = "\u200e"


def row_label(name: str) -> str:
    """A name as the label of its button: with room behind a short one, and never taken for an icon."""
    text = WORD_JOINER + name if name.startswith(":") else name  # ":material/…:" would become one
    return text.ljust(LEAST_WIDTH, EN_SPACE)


def from_the_left(text: str) -> str:
    """A text as a cell at the left: what is written from the right would be drawn beyond the edge of its cell."""
    return LEFT_TO_RIGHT_MARK + text if FROM_THE_RIGHT.search(text) else text
