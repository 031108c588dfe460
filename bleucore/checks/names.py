"""Names that differ from those of all other texts of a segment: exchanged for others, or for each other.

A name is a word with a capital that all references of a segment have and nearly all other systems, and that the source
has too where it is written in the same script. Where capitals are common (as in German) and the source shares no
letters, nothing tells names from nouns, and nothing is asked.
"""

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import filterfalse
from typing import TypeAlias
from unicodedata import combining, normalize

import numpy as np
import regex

from bleucore.checks.compared_texts import Bools, CheckedColumn, Columns
from bleucore.checks.findings import Observation, of_all
from bleucore.checks.order import out_of_order
from bleucore.checks.words import N_WORD_IDS, are_among, are_in, share_known
from bleucore.counts import Ints

Neighbours: TypeAlias = dict[int, set[int]]
Pairs: TypeAlias = set[tuple[int, int]]

_NEARLY_ALL_SYSTEMS, _MOST_SYSTEMS, _FEW_OTHERS = 0.75, 0.5, 2
_SHARES_LETTERS, _NOUNS_ARE_CAPITAL = 0.02, 0.22
"""Share of the words of the references that the source has too, and share of words with capitals."""

_CAPITAL = regex.compile(r"\b\p{Lu}[\pL\pM]{2,}")
_MAX_CHARACTERS = 20_000

_MANY = 0.1
"""Share of segments from which it is a warning: systems that translate names have up to .07."""

_BOTH = 2
"""Neighbours that a name has in common with the one that it stands for."""

_BEFORE, _BEHIND = N_WORD_IDS, 2 * N_WORD_IDS
"""Added to a word that stands before, or behind, a name."""


@dataclass(frozen=True, eq=False)
class _Named:
    """The words of one column that are names, in order.

    Attributes:
        places: (N,), where each stands among the words of the column.
        keys: (N,), see ``Words.keys``.
    """

    places: Ints
    keys: Ints


def changed_names(columns: Columns) -> Iterator[Observation]:
    """Systems with names of other people and places, or with two names that changed places."""
    flags = _with_other_names(columns) & ~columns.once(out_of_order)[: len(columns.systems)]
    for column, flagged in zip(columns.systems, flags, strict=True):
        if flagged.any():
            n_flagged = int(flagged.sum())
            is_one = n_flagged == 1
            yield Observation(
                column,
                "note" if n_flagged < _MANY * columns.n_segments else "warning",
                f"{of_all(n_flagged, columns.n_segments)} {'has' if is_one else 'have'} a name that differs "
                "where others agree, or two names mixed up.",
                "Read these segments.",
                flagged,
            )


def _with_other_names(columns: Columns) -> Bools:
    """Which outputs have other names than all texts beside them, (K, S)."""
    flags = np.zeros((len(columns.systems), columns.n_segments), np.bool_)
    names = _names(columns)
    if len(names) and len(columns.targets) + (columns.source is not None) > _FEW_OTHERS:
        together = {column: _named(column, names) for column in columns.targets}
        for column, flagged in zip(columns.systems, flags, strict=True):
            flagged[_exchanged(column, columns, names, together)] = True
        flags |= _swapped(columns, together)
    return flags


def _names(columns: Columns) -> Ints:
    """The keys of the names of all segments, rising."""
    first, *others = columns.references
    keys = first.words.keys[first.is_capital & _is_inside(first)]
    for reference in others:
        keys = keys[are_in(keys, reference.words)]
    if columns.source is not None and share_known(first.words, columns.source.words) >= _SHARES_LETTERS:
        source = columns.source.words
        return np.unique(keys[are_among(keys, source.keys[columns.source.is_capital])])
    return np.unique(keys) if _share_of_capitals(first) < _NOUNS_ARE_CAPITAL else keys[:0]


def _share_of_capitals(column: CheckedColumn) -> float:
    """The share of words with capitals; 1 without words."""
    return float(column.is_capital.mean()) if len(column.is_capital) else 1.0


def _is_inside(column: CheckedColumn) -> Bools:
    """Whether a word is not the first of its text, (W,)."""
    inside = np.ones(len(column.words.ids), np.bool_)
    starts = column.words.offsets[:-1]
    inside[starts[starts < len(inside)]] = False
    return inside


def _named(column: CheckedColumn, names: Ints) -> _Named:
    may_be = np.zeros(N_WORD_IDS, np.bool_)
    may_be[names % N_WORD_IDS] = True
    places = np.flatnonzero(may_be[column.words.ids])
    keys = column.words.segments[places] * N_WORD_IDS + column.words.ids[places]
    are_names = are_among(keys, names)
    return _Named(places[are_names], keys[are_names])


def _beside(column: CheckedColumn, columns: Columns) -> list[CheckedColumn]:
    return [other for other in columns.beside(column) if other is not column and other.kind == "system"]


def _exchanged(
    column: CheckedColumn, columns: Columns, names: Ints, together: dict[CheckedColumn, _Named]
) -> list[int]:
    """The segments that lack a name which nearly all others have, and have one that none of them has."""
    lacking = names[~are_among(names, together[column].keys)]
    systems = _beside(column, columns)
    usual = lacking
    if systems and len(lacking):
        having = np.sum([are_among(lacking, together[other].keys) for other in systems], axis=0)
        lacking, usual = (lacking[having >= share * len(systems)] for share in (_MOST_SYSTEMS, _NEARLY_ALL_SYSTEMS))
    suspects = np.unique(lacking // N_WORD_IDS).tolist()
    sure = set((usual // N_WORD_IDS).tolist()) if len(systems) >= _FEW_OTHERS else set()
    least = _least_neighbours(columns) if len(systems) < _FEW_OTHERS else _BOTH
    return [
        segment
        for segment in suspects
        if _has_own_name(column, columns, segment)
        and (segment in sure or _is_in_place(column, columns, lacking, segment, least))
    ]


def _least_neighbours(columns: Columns) -> int:
    return 1 if _share_of_capitals(columns.references[0]) < _NOUNS_ARE_CAPITAL else _BOTH


def _is_in_place(column: CheckedColumn, columns: Columns, lacking: Ints, segment: int, least: int) -> bool:
    """Whether a word with a capital stands beside so many words that a reference has beside a name that is missing.

    Where few other texts have the name, they may just say it otherwise.
    """
    start, stop = column.words.offsets[segment : segment + 2].tolist()
    of_references = np.concatenate([reference.words.of(segment) for reference in columns.references])
    places = start + 1 + np.flatnonzero(column.is_capital[start + 1 : stop])
    unknown = places[~np.isin(column.words.ids[places], of_references)]
    own = _neighbours(column, unknown, segment)
    missing = lacking[lacking // N_WORD_IDS == segment] % N_WORD_IDS
    beside: set[int] = set()
    for reference in columns.references:
        first, last = reference.words.offsets[segment : segment + 2].tolist()
        known = first + np.flatnonzero(np.isin(reference.words.ids[first:last], missing))
        beside.update(*_neighbours(reference, known, segment).values())
    return any(len(words & beside) >= least for words in own.values())


def _has_own_name(column: CheckedColumn, columns: Columns, segment: int) -> bool:
    """Whether a word with a capital, but the first, is in none of the other texts, not even with other accents."""
    others = [*columns.originals, *(other for other in columns.systems if other is not column)]
    start, stop = column.words.offsets[segment : segment + 2].tolist()
    unknown = set(column.words.ids[start + 1 : stop][column.is_capital[start + 1 : stop]].tolist())
    for other in others:
        if unknown:
            unknown.difference_update(other.words.of(segment).tolist())
    if not unknown:
        return False
    text = (column.texts[segment] or "")[:_MAX_CHARACTERS].strip()
    own = {_plain(found[0]) for found in _CAPITAL.finditer(text) if found.start() > 0}
    known = " ".join(_plain((other.texts[segment] or "")[:_MAX_CHARACTERS]) for other in others) if own else ""
    return any(name not in known for name in own)


def _plain(text: str) -> str:
    """The text in lower case, without marks on its letters."""
    lower = text.lower()
    return lower if lower.isascii() else "".join(filterfalse(combining, normalize("NFD", lower)))


def _swapped(columns: Columns, together: dict[CheckedColumn, _Named]) -> Bools:
    """Which outputs (K, S) have the names that others have, in another order, each beside the words of another."""
    orders = {column: _orders(named, columns.n_segments) for column, named in together.items()}
    beside = [(*columns.references, *_beside(column, columns)) for column in columns.systems]
    flags = np.zeros((len(columns.systems), columns.n_segments), np.bool_)
    for column, others, flagged in zip(columns.systems, beside, flags, strict=True):
        several = np.bincount(together[column].keys // N_WORD_IDS, minlength=columns.n_segments) > 1
        flagged[:] = np.all([several, *(orders[column] != orders[other] for other in others)], axis=0)
    for segment in np.flatnonzero(flags.any(axis=0)).tolist():
        neighbours, pairs = _readers(together, segment)
        for index in np.flatnonzero(flags[:, segment]).tolist():
            column, others = columns.systems[index], beside[index]
            flags[index, segment] = _is_swapped(column, others, neighbours) or _is_turned(column, others, pairs)
    return flags


def _readers(
    together: dict[CheckedColumn, _Named], segment: int
) -> tuple[Callable[[CheckedColumn], Neighbours], Callable[[CheckedColumn], Pairs]]:
    """What gives the neighbours, and the pairs, of the names of each column in a segment, each found once."""
    return (
        cache(lambda column: _neighbours(column, together[column].places, segment)),
        cache(lambda column: _pairs(together[column], column, segment)),
    )


def _is_turned(column: CheckedColumn, others: Sequence[CheckedColumn], pairs: Callable[[CheckedColumn], Pairs]) -> bool:
    """Whether two names in a row stand in the other order where most other texts have them in a row, and in none so."""
    own = pairs(column)
    if not own:
        return False
    beside = [pairs(other) for other in others]
    return any(
        not any((name, behind) in found for found in beside)
        and 2 * sum((behind, name) in found for found in beside) > len(beside)
        for name, behind in own
    )


def _pairs(named: _Named, column: CheckedColumn, segment: int) -> Pairs:
    """Each two names that follow each other without a word between, in a segment."""
    start, stop = column.words.offsets[segment : segment + 2].tolist()
    first, last = np.searchsorted(named.places, [start, stop]).tolist()
    places, ids = named.places[first:last].tolist(), column.words.ids
    return {(int(ids[a]), int(ids[b])) for a, b in itertools.pairwise(places) if b == a + 1 and ids[a] != ids[b]}


def _orders(named: _Named, n_segments: int) -> Ints:
    """A number for the names of each segment in their order, (S,)."""
    segments = named.keys // N_WORD_IDS
    first = np.searchsorted(segments, np.arange(n_segments))
    ranks = np.arange(len(segments)) - first[segments]
    mixed = (named.keys % N_WORD_IDS + 1) * (2 * ranks + 1) * 0x9E3779B1
    return np.bincount(segments, weights=mixed % 1_000_003, minlength=n_segments).astype(np.int64)


def _is_swapped(
    column: CheckedColumn, others: Sequence[CheckedColumn], neighbours: Callable[[CheckedColumn], Neighbours]
) -> bool:
    """Whether two names of the segment stand beside words that other texts have beside the other one."""
    own = neighbours(column)
    beside: Neighbours = {}
    for found in map(neighbours, others):
        for name in own.keys() & found.keys():
            beside.setdefault(name, set()).update(found[name])
    for name, words in own.items():
        for other_name, other_words in own.items():
            if name < other_name and name in beside and other_name in beside:
                crossed = len(words & beside[other_name]) + len(other_words & beside[name])
                straight = len(words & beside[name]) + len(other_words & beside[other_name])
                if crossed > straight:
                    return True
    return False


def _neighbours(column: CheckedColumn, places: Ints, segment: int) -> Neighbours:
    """The words before and behind the words at these rising places of a column, those of the segment."""
    start, stop = column.words.offsets[segment : segment + 2].tolist()
    first, last = np.searchsorted(places, [start, stop]).tolist()
    ids = column.words.ids
    neighbours: Neighbours = {}
    for place in places[first:last].tolist():
        words = neighbours.setdefault(int(ids[place]), set())
        words.add(_BEFORE + int(ids[place - 1]) if place > start else _BEFORE - 1)
        words.add(_BEHIND + int(ids[place + 1]) if place + 1 < stop else _BEHIND - 1 + N_WORD_IDS)
    return neighbours
