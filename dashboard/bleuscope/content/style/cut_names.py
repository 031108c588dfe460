"""Names of systems where there is little room: cut, and still one for each."""

import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from os.path import commonprefix

from bleuscope.content.style.unique_names import unique_name
from bleuscope.content.style.widths import first_columns, last_columns, n_columns

CUT = "…"
LEAST_NAME = 16
"""Columns that a name is given before others take them."""
Cutting = Callable[[str, int], str]


def cut_names(names: Sequence[str], most: int) -> list[str]:
    """The names, each in up to ``most`` columns: longer ones are cut so that all stay different.

    The end is cut first; of those that would be alike then, the middle, what they begin with in common, or the
    beginning. If none of these works, a number keeps them different. Names that fit stay whole.

    Args:
        names: Different ones.
        most: Columns; at least 4 more than the digits of the number of names.
    """
    found = {name: name for name in names if n_columns(name) <= most}
    left = [name for name in names if name not in found]
    begins: dict[str, list[str]] = {}
    for name in left:
        begins.setdefault(_without_end(name, most), []).append(name)
    shared = {name: len(commonprefix(alike)) for alike in begins.values() for name in alike}  # noqa: RUF071  # letters
    ways: tuple[Cutting, ...] = (
        _without_end,
        _without_middle,
        lambda name, room: _without_end(CUT + name[shared[name] :], room),
        lambda name, room: _without_middle(CUT + name[shared[name] :], room),
        _without_beginning,
    )
    for cut in ways:
        made = {name: cut(name, most) for name in left}
        n_made = Counter([*made.values(), *found.values()])
        found |= {name: short for name, short in made.items() if n_made[short] == 1}
        left = [name for name in left if name not in found]
    found |= _numbered(left, most, set(found.values()))
    return [found[name] for name in names]


def _without_end(name: str, most: int) -> str:
    return name if n_columns(name) <= most else first_columns(name, most - 1) + CUT


def _without_middle(name: str, most: int) -> str:
    n_behind = (most - 1) // 2
    return name if n_columns(name) <= most else first_columns(name, most - 1 - n_behind) + CUT + _end(name, n_behind)


def _without_beginning(name: str, most: int) -> str:
    return CUT + _end(name, most - 1)


def _end(name: str, most: int) -> str:
    """The end of the name, which no mark begins that stands on another letter."""
    end = last_columns(name, most)
    return next((end[at:] for at, letter in enumerate(end) if not unicodedata.combining(letter)), "")


def _numbered(names: Sequence[str], most: int, taken: set[str]) -> dict[str, str]:
    """The beginnings of the names with their numbers behind; none is among those that are taken."""
    room = most - len(f"{CUT}{len(names)}")
    return {
        name: unique_name(f"{first_columns(name, room)}{CUT}{number}", taken) for number, name in enumerate(names, 1)
    }
