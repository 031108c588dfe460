"""How counts and p-values are written, in results, notebooks and on every page."""

THIN_SPACE = "\u202f"
"""Narrow, and no line ends at it."""
SMALLEST_P = 0.001
ALMOST_ONE = 0.9995


def count(value: int) -> str:
    """A whole number with thin thousands and a true minus: ``2 037``, ``−3``."""
    return f"{value:,}".replace(",", THIN_SPACE).replace("-", "−")


def counted(number: int, noun: str) -> str:
    """A number of things, as messages have it: "1 line", "2,037 lines"."""
    return f"{number:,} {noun_for(number, noun)}"


def count_of(number: int, noun: str) -> str:
    """A number of things, as pages have it: "1 line", "2 037 lines"."""
    return f"{count(number)} {noun_for(number, noun)}"


def noun_for(number: int, noun: str) -> str:
    """The noun for a number of things: "line" for 1, else "lines"."""
    return noun if number == 1 else f"{noun}s"


def p_value(value: float) -> str:
    """A p-value without its zero: ``.012``, ``< .001``; never 0 and never 1."""
    if value < SMALLEST_P:
        return "< .001"
    if value >= ALMOST_ONE:
        return "> .999"
    return f"{value:.3f}".removeprefix("0")
