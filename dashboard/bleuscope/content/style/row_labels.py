"""Names of table rows that are buttons: shown as they are written, and wide enough to be hit."""

LEAST_WIDTH = 14
"""In half the height of a letter; only the label itself takes a click."""
EN_SPACE = "\u2002"
WORD_JOINER = "\u2060"


def row_label(name: str) -> str:
    """A name as the label of its button: with room behind a short one, and never taken for an icon."""
    text = WORD_JOINER + name if name.startswith(":") else name  # ":material/…:" would become one
    return text.ljust(LEAST_WIDTH, EN_SPACE)
