"""Outputs with words of the source, or of a language that nothing beside them is written in.

No list of any language is needed: what belongs to the target language is what the references and other systems of the
same test set hold.
"""

from collections.abc import Iterator

import numpy as np

from bleucore.checks.compared_texts import Bools, CheckedColumn, Columns
from bleucore.checks.copies import text_numbers
from bleucore.checks.findings import Observation, of_all
from bleucore.checks.order import out_of_order
from bleucore.checks.sides import source_counts, word_counts
from bleucore.checks.words import N_WORD_IDS, Words, are_among, counts

_MUCH_RARER = 0.1
"""In the references, than in the source: words that are not of both languages."""

_COMMON_TIMES, _COMMON_SHARE = 3, 0.003
"""Words of the source that are no names: in so many places, or in such a share of segments."""

_SEVERAL, _SMALL_PART, _LARGE_PART = 2, 0.2, 0.3
"""Words of an output, and shares of them, that are of the source and of hardly any other system."""

_FEW_SYSTEMS = 3

_LEAST_UNSEEN, _LEAST_SHARE_UNSEEN, _ABOVE_USUAL = 3, 0.4, 0.3
_LEAST_WORDS = 4


def source_words(columns: Columns) -> Iterator[Observation]:
    """Outputs that hold words of the source beyond names: it was put before them, or a part was left as it was."""
    for column, flagged in zip(columns.systems, columns.once(with_source_words), strict=True):
        yield from _report(
            column,
            columns,
            flagged,
            "hold{s} words of the source that no reference holds, not only names",
            "Look for a source that is put before the output, and for parts that were left untranslated.",
        )


def with_source_words(columns: Columns) -> Bools:
    """Outputs (K, S) with words of the source that are no names and are not all of it."""
    n_there, n_common = np.zeros((2, len(columns.systems), columns.n_segments), np.int64)
    if columns.source is None:
        return np.zeros(n_there.shape, np.bool_)
    of_source = columns.once(source_counts)
    of_references = counts([column.words for column in columns.references])
    is_foreign = of_references <= _MUCH_RARER * len(columns.references) * of_source
    is_foreign &= of_source > 0
    is_common = is_foreign & (of_source >= max(_COMMON_TIMES, _COMMON_SHARE * columns.n_segments))
    keys = columns.source.words.keys[is_foreign[columns.source.words.ids]]
    for index, column in enumerate(columns.systems):
        chosen = np.flatnonzero(is_foreign[column.words.ids])
        chosen = chosen[are_among(column.words.keys[chosen], keys)]
        segments = column.words.segments[chosen]
        n_there[index] = np.bincount(segments, minlength=columns.n_segments)
        n_common[index] = np.bincount(segments[is_common[column.words.ids[chosen]]], minlength=columns.n_segments)
    usual = np.median(n_there, axis=0) if len(n_there) >= _FEW_SYSTEMS else np.zeros(columns.n_segments)
    n_more, lengths = n_there - usual, np.stack([column.words.lengths for column in columns.systems])
    shares, are_several = n_there / np.maximum(1, lengths), n_more >= _SEVERAL
    has_common = (n_common > 0) & (n_more > 0)
    flags: Bools = (shares >= _LARGE_PART) & (are_several | has_common)
    flags |= (shares >= _SMALL_PART) & are_several & has_common
    numbers = columns.once(text_numbers)
    copied = np.stack([numbers[column] == numbers[columns.source] for column in columns.systems])
    flags &= ~copied & ~columns.once(out_of_order)[: len(columns.systems)]
    return flags


def another_language(columns: Columns) -> Iterator[Observation]:
    """Outputs whose words occur nowhere else, neither in the references nor in other systems nor beside them."""
    total = columns.once(word_counts) + columns.once(source_counts)
    for index, column in enumerate(columns.systems):
        ids = column.words.ids
        is_unseen = total[ids] <= np.bincount(ids, minlength=N_WORD_IDS)[ids]
        flagged = _are_mostly(column.words, is_unseen) & ~columns.once(out_of_order)[index]
        yield from _report(
            column,
            columns,
            flagged,
            "{is} mostly made of words that occur nowhere in the references or the other systems",
            "Read them: they may be in another language that is written with the same letters.",
        )


def _are_mostly(words: Words, claims: Bools) -> Bools:
    """Of which texts so many words are what is claimed, (S,), that neither chance nor the usual share explains it."""
    lengths = words.lengths
    shares = np.bincount(words.segments, weights=claims, minlength=len(lengths)) / np.maximum(1, lengths)
    is_long = lengths >= _LEAST_WORDS
    usual = float(np.median(shares[is_long])) if is_long.any() else 0.0
    mostly: Bools = is_long & (shares >= max(_LEAST_SHARE_UNSEEN, usual + _ABOVE_USUAL))
    distinct = np.unique(words.keys[claims & mostly[words.segments]]) // N_WORD_IDS
    n_distinct = np.bincount(distinct, minlength=len(lengths))  # a text can repeat one such word
    return mostly & (n_distinct >= _LEAST_UNSEEN) & (n_distinct >= _LEAST_SHARE_UNSEEN * shares * lengths)


def _report(column: CheckedColumn, columns: Columns, flagged: Bools, what: str, remedy: str) -> Iterator[Observation]:
    """A warning; ``{s}`` and ``{is}`` follow the number of outputs."""
    if flagged.any():
        n_flagged = int(flagged.sum())
        clause = what.format_map({"s": "s", "is": "is"} if n_flagged == 1 else {"s": "", "is": "are"})
        yield Observation(column, "warning", f"{of_all(n_flagged, columns.n_segments)} {clause}.", remedy, flagged)
