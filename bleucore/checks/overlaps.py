"""Is a column made from another? Nearly a reference line by line, or partly the output of another system.

Close systems share short and easy lines, and their other lines are close too. Of a copied share, long lines are as
often equal as short ones, and the other lines are as unlike as those of any two systems.
"""

from collections.abc import Iterator
from itertools import combinations, permutations
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from bleucore.checks.compared_texts import Bools, CheckedColumn, Columns
from bleucore.checks.copies import EMPTY, text_numbers
from bleucore.checks.findings import Observation, of_all
from bleucore.checks.order import out_of_order
from bleucore.checks.sides import word_weights
from bleucore.checks.words import N_WORD_IDS, share_known, vectors
from bleucore.counts import Floats, Ints

Products: TypeAlias = NDArray[np.float32]

_LONG, _LONG_UNSPACED = 10, 20
"""Words of a line that two translators hardly write alike; characters in scripts without blanks."""

_FEW_LINES, _MAX_LINES = 40, 160
"""Lines that a share needs, and lines that are compared."""

_NEARLY_ALL_WORDS, _MOST, _ABOVE_OTHERS = 0.85, 0.5, 0.3
"""Likeness of two texts that differ in few words, share of such lines, and what lies above other systems' shares.

Systems of WMT22 have up to 15 % of such lines with a reference, and 30 to 50 % with each other.
"""

_SAME_WORDS = 0.75
"""Share of all words that both have: where lines follow a pattern, their rare words alone say little."""

_MOST_ALONE = 0.8
_SAME_LANGUAGE = 0.3

_LONGEST_PART, _FEW_COPIES, _LEAST_COPIED, _TIMES_USUAL, _LEAST_ENDURING = 4, 8, 0.1, 4.0, 0.5
"""The longest quarter of the lines; how many of it are equal, at least, which share, at least and beyond other pairs;
and per share of the shortest quarter: 0.8 where 30 % are copied, 0.3 to 0.45 in the closest pairs of WMT22."""

_CLOSER, _FAMILY = 0.07, 0.93
"""Likeness of the lines that are not equal in a pair of one family: beyond the median of all pairs, or without any."""

_FEW_PAIRS = 3
_NEARLY_ALL = 0.9
"""Pairs of systems that tell what is usual, and the share of equal lines from which those who report copies do."""


def near_references(columns: Columns) -> Iterator[Observation]:
    """Systems that differ from a reference by few words in most long lines, where others do not."""
    lines = columns.once(_long_lines)
    if len(lines) < _FEW_LINES:
        return
    n_systems = len(columns.systems)
    near = columns.once(_products) >= _NEARLY_ALL_WORDS
    shares = near.mean(axis=0)
    numbers = columns.once(text_numbers)
    for index, column in enumerate(columns.systems):
        for number, reference in enumerate(columns.references, n_systems):
            share = float(shares[index, number])
            others = np.delete(shares[:n_systems, number], index)
            n_equal = float((numbers[column] == numbers[reference])[lines].mean())
            least = max(_MOST, float(np.median(others)) + _ABOVE_OTHERS) if len(others) else _MOST_ALONE
            is_copy = n_equal >= _NEARLY_ALL  # which ``copied-reference`` reports
            if share < least or is_copy or _is_of_source(columns, reference):
                continue
            if min(share_known(one.words, two.words) for one, two in permutations((column, reference))) >= _SAME_WORDS:
                flagged: Bools = np.zeros(columns.n_segments, np.bool_)
                flagged[_near_lines(column, reference, columns)] = True
                beside = f"; of other systems {100 * np.median(others):.0f} %" if len(others) else ""
                yield Observation(
                    column,
                    "error",
                    f"{of_all(int(flagged.sum()), columns.n_segments)} differ from {reference.title} by few words, "
                    f"{100 * share:.0f} % of the long ones{beside}.",
                    "Check that neither was made from the other, as by editing it: the score says nothing then.",
                    flagged,
                )
                break


def partial_copies(columns: Columns) -> Iterator[Observation]:
    """Systems of which a share of the lines is the output of another system."""
    pairs = list(combinations(columns.systems, 2))
    lines = columns.once(_long_lines)
    if not pairs or len(lines) < _FEW_LINES:
        return
    numbers = columns.once(text_numbers)
    equal = np.stack([(numbers[a] == numbers[b]) & (numbers[a] > EMPTY) for a, b in pairs])
    equal &= ~columns.once(out_of_order)[: len(columns.systems)].any(axis=0)
    by_length = lines[np.argsort(columns.systems[0].words.lengths[lines], kind="stable")]
    part = max(1, len(lines) // _LONGEST_PART)
    short, long = (equal[:, chosen].mean(axis=1) for chosen in (by_length[:part], by_length[-part:]))
    least = max(_LEAST_COPIED, _FEW_COPIES / part)
    for place in np.flatnonzero((long >= least) & (long >= _LEAST_ENDURING * short)).tolist():
        others = np.delete(long, place)
        if len(others) >= _FEW_PAIRS and long[place] < _TIMES_USUAL * np.median(others):
            continue
        if equal[place].mean() >= _NEARLY_ALL or all(_is_of_source(columns, one) for one in columns.references):
            continue
        if not _are_of_one_family(columns, pairs, place, equal):
            yield _copied(columns, *pairs[place], equal[place], float(long[place]))


def _are_of_one_family(
    columns: Columns, pairs: list[tuple[CheckedColumn, CheckedColumn]], place: int, equal: Bools
) -> bool:
    """Whether the lines that are not equal are closer to each other than those of other pairs."""
    lines, products = columns.once(_chosen_lines), columns.once(_products)
    closeness = np.array(
        [
            np.median(products[:, a.index, b.index][~same[lines]]) if not same[lines].all() else 1.0
            for (a, b), same in zip(pairs, equal, strict=True)
        ]
    )
    is_near = len(pairs) >= _FEW_PAIRS and closeness[place] > np.median(np.delete(closeness, place)) + _CLOSER
    return bool(is_near or closeness[place] >= _FAMILY)


def _copied(columns: Columns, one: CheckedColumn, other: CheckedColumn, equal: Bools, share: float) -> Observation:
    copier, origin = (one, other) if _writes_like(other, one, equal) else (other, one)
    flagged = equal & (copier.words.lengths >= _LONG)
    return Observation(
        copier,
        "warning",
        f"{of_all(int(equal.sum()), columns.n_segments)} are equal to those of {origin.title}, "
        f"{100 * share:.0f} % of the longest ones; the others are as different as those of any two systems.",
        "Look whether outputs that were missing came from there, or files were mixed.",
        flagged,
    )


def _writes_like(one: CheckedColumn, other: CheckedColumn, equal: Bools) -> bool:
    """Whether the equal lines have the words of the one rather than of the other, as in the lines that differ."""
    own, others = (_word_counts(column, ~equal) for column in (one, other))
    shared = _word_counts(one, equal)
    odds = np.log((own + 1) / own.sum()) - np.log((others + 1) / others.sum())
    return float(shared @ odds) > 0


def _word_counts(column: CheckedColumn, segments: Bools) -> Floats:
    return np.bincount(column.words.chosen(np.flatnonzero(segments)).ids, minlength=N_WORD_IDS).astype(np.float64)


def _long_lines(columns: Columns) -> Ints:
    """The lines that are long in all systems and references."""
    lengths = np.min([column.words.lengths for column in columns.targets], axis=0)
    return np.flatnonzero(lengths >= (_LONG if columns.references[0].surface.has_blanks else _LONG_UNSPACED))


def _chosen_lines(columns: Columns) -> Ints:
    """An even choice of the long lines."""
    lines = columns.once(_long_lines)
    return lines[:: -(-len(lines) // _MAX_LINES) or 1]


def _products(columns: Columns) -> Products:
    """How alike each two systems or references are in each of the chosen lines, (L, T, T)."""
    lines, weights = columns.once(_chosen_lines), columns.once(word_weights)
    seen = np.stack([vectors(column.words.chosen(lines), weights) for column in columns.targets], axis=1)
    products: Products = seen @ seen.transpose(0, 2, 1)
    return products


def _near_lines(column: CheckedColumn, reference: CheckedColumn, columns: Columns) -> Ints:
    """All lines in which two columns are nearly the same."""
    weights = columns.once(word_weights)
    near = np.einsum("ij,ij->i", vectors(column.words, weights), vectors(reference.words, weights))
    return np.flatnonzero(near >= _NEARLY_ALL_WORDS)


def _is_of_source(columns: Columns, reference: CheckedColumn) -> bool:
    """Whether the reference is near the source too, as where errors are corrected."""
    if columns.source is None:
        return False
    lines, weights = columns.once(_chosen_lines), columns.once(word_weights)
    one, other = (vectors(column.words.chosen(lines), weights) for column in (columns.source, reference))
    return bool((np.einsum("ij,ij->i", one, other) >= _NEARLY_ALL_WORDS).mean() >= _SAME_LANGUAGE)
