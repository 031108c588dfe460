"""Names where there is little room: what distinguishes them, and still one name for each."""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from os.path import commonprefix

from bleucore.formats.name_parts import pair_of
from bleuscope.content.style.unique_names import unique_name
from bleuscope.content.style.widths import first_columns, last_columns, n_columns

CUT = "…"
LEAST_NAME = 16
"""Columns that a name is given before others take them."""
NAME_LENGTH = 24
"""Columns of a name in a chart, and wherever else there is little room."""
MOST_SHARED = 8
"""Tokens that names can share at their beginnings before a longer beginning is looked for."""
Cutting = Callable[[str, int], str]
_IDEOGRAPH = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_TOKEN = re.compile(rf"[{_IDEOGRAPH}]|(?:[^{_IDEOGRAPH}\s\-_./,;:|()\[\]{{}}&]|(?<=\d[eE])-(?=\d)|(?<=\d)[-.,](?=\d))+")
_PAIR = re.compile(r"(?<![^\W_])[a-z]{2,3}-[a-z]{2,3}(?![^\W_])")


@dataclass(frozen=True)
class _Token:
    """A word of a name: letters and digits between separators, as are "1e-4" and "cs-en"; or an ideograph."""

    text: str
    start: int
    end: int


def cut_names(names: Sequence[str], most: int) -> list[str]:
    """The names, each in up to ``most`` columns: longer ones are cut so that all stay different.

    Of names that begin alike, what they share goes first, in whole words: "nmt-base-lr1e-4-step100000" becomes
    "…lr1e-4 step100000" beside other steps. Else the end is cut; of those that would be alike then, the middle, what
    they begin with in common, or the beginning. If none of these works, a number keeps them different. Names that fit
    stay whole, unless one that begins alike is cut.

    Args:
        names: Different ones.
        most: Columns; at least 4 more than the digits of the number of names.
    """
    found = _distinguishing(names, most)
    found |= {name: name for name in names if name not in found and n_columns(name) <= most}
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


def short_names(names: Iterable[str], most: int = NAME_LENGTH) -> dict[str, str]:
    """What each name is called where there is little room: on one line, different from the others, never empty.

    Args:
        names: Different ones.
        most: Columns of a short name.
    """
    taken: set[str] = set()
    lines = {name: unique_name(" ".join(name.split()) or CUT, taken) for name in names}
    return dict(zip(lines, cut_names([*lines.values()], most), strict=True))


def differ_at_ends(names: Iterable[str]) -> bool:
    """Whether names are too long for little room and begin alike, so that their ends distinguish them.

    Args:
        names: Different ones.
    """
    short = short_names(names).values()
    return any(one.startswith(CUT) for one in short) and not any(one.endswith(CUT) for one in short)


def without_shared(names: Sequence[str]) -> list[str]:
    """The names without the first and last words that all of them share, as at the heads of columns.

    They stay different and have a letter each; else, and of a single name, nothing goes.

    Args:
        names: Different ones.
    """
    tokens = {name: _tokens(name) for name in names}
    if len(tokens) < 2 or not all(tokens.values()):  # noqa: PLR2004  # one shares nothing
        return list(names)
    first, last = _shared([*tokens.values()])
    if not first and not last:
        return list(names)
    left = {name: name[of[first].start : of[len(of) - 1 - last].end] for name, of in tokens.items()}
    return [left[name] for name in names] if len(set(left.values())) == len(left) else list(names)


def _distinguishing(names: Sequence[str], most: int) -> dict[str, str]:
    """Names that are too long, and those that begin alike, without what they share; only where all stay different."""
    if all(n_columns(name) <= most for name in names):
        return {}
    tokens = {name: _tokens(name) for name in names}
    found: dict[str, str] = {}
    for n_alike in range(1, MOST_SHARED + 1):
        families: dict[tuple[str, ...], list[str]] = {}
        for name, of_name in tokens.items():
            if name not in found and len(of_name) > n_alike:
                families.setdefault(tuple(one.text for one in of_name[:n_alike]), []).append(name)
        for family in families.values():
            if len(family) > 1 and any(n_columns(name) > most for name in family):
                made = _of_family(family, tokens)
                found |= {name: short for name, short in made.items() if n_columns(short) <= most}
    n_made = Counter([*found.values(), *(name for name in names if name not in found)])
    return {name: short for name, short in found.items() if n_made[short] == 1}


def _of_family(family: Sequence[str], tokens: dict[str, list[_Token]]) -> dict[str, str]:
    """Names that begin alike without their common first and last words, with a mark where these were."""
    first, last = _shared([tokens[name] for name in family])
    made = {}
    for name in family:
        left = tokens[name][first : len(tokens[name]) - last]
        words = "".join(
            one.text if place == 0 or one.start == left[place - 1].end else f" {one.text}"
            for place, one in enumerate(left)
        )
        made[name] = f"{CUT}{words}{CUT if last else ''}"
    return made


def _shared(tokens: Sequence[Sequence[_Token]]) -> tuple[int, int]:
    """How many first and last words all names have in common, so that each keeps one with a letter."""
    least = min(map(len, tokens)) - 1
    first = _n_alike(tokens, least)
    while first and not all(any(map(str.isalpha, one.text)) for of in tokens for one in of[first : first + 1]):
        first -= 1
    return first, _n_alike([of[::-1] for of in tokens], least - first)


def _n_alike(tokens: Sequence[Sequence[_Token]], most: int) -> int:
    return next((n for n in range(most) if len({of[n].text for of in tokens}) > 1), most)


def _tokens(name: str) -> list[_Token]:
    """The words of a name in order."""
    pairs = [one.span() for one in _PAIR.finditer(name) if pair_of(one.group()) is not None]
    found = [
        _Token(one.group(), *one.span())
        for one in _TOKEN.finditer(name)
        if not any(start <= one.start() < end for start, end in pairs)
    ]
    found += [_Token(name[start:end], start, end) for start, end in pairs]
    return sorted(found, key=lambda one: one.start)


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
