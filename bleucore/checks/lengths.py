"""Outputs of unlikely length, and outputs that stop before the end.

How much longer or shorter an output is than usual is the logarithm of the ratio of its length to that of an
original, less the median of that over all segments: 0 for a usual one, 0.69 for twice as long.
"""

import re
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from bleucore.checks.already_reported import settled
from bleucore.checks.compared_texts import Bools, CheckedColumn, Columns
from bleucore.checks.findings import Observation, of_all
from bleucore.checks.loops import looping
from bleucore.checks.sentences import SENTENCE_BREAK, LastSentences
from bleucore.checks.words import are_among
from bleucore.counts import Ints
from bleucore.written_numbers import count

_SMOOTHING = 5.0
"""Characters added to all lengths: short texts vary more."""

_TWICE = float(np.log(2))
_SPREADS = 5.0
_SPREAD_PER_MEDIAN = 1.4826
"""Standard deviations per median of absolute values, of a normal distribution."""

_LEAST_CHARACTERS, _LEAST_OF_SHORT, _FEW_CHARACTERS = 20, 60, 8
"""Characters that an output is longer or shorter by: usually, where references are labels, where it is cut."""

_SHORTER = 0.15
_MANY_WITHOUT_END = 0.1
_PARTS, _LEAST_LACK = 4, 0.45
"""The last quarter of the words is held against the first half."""

_FEW_SYSTEMS, _ABOUT = 2, 0.85
"""Other systems that are asked, and the share of their median length that an output of the usual length has."""

_LAST_WORD = re.compile(r"\w+$")
_LONGEST_WORD, _MOST_CHARACTERS = 100, 20_000
_SOME_WORDS, _MANY_WORDS = 8, 10
"""Words of all references of a segment whose output may be cut off without lacking a full stop."""

_CLOSING = r"""[\s"'”“„»«’‘)\]」』）】*_]*$"""
_SENTENCE_END = r"[.!?…。！？｡।۔؟։።]" + _CLOSING
_ANY_END = r"[.!?…。！？｡।۔؟։።:;：；]" + _CLOSING


def length_outliers(columns: Columns) -> Iterator[Observation]:
    """Outputs that are twice as long or half as long as any original leads to expect, or still further off.

    Those that are cut off, or repeat words, are named for that.
    """
    lengths = np.concatenate([one.lengths[one.lengths > 0] for one in columns.references])
    are_short = len(lengths) > 0 and np.median(lengths) < _LEAST_CHARACTERS
    least_characters = _LEAST_OF_SHORT if are_short else _LEAST_CHARACTERS
    explained = columns.once(settled) | columns.once(cut_off) | columns.once(looping)
    beside = columns.named_originals if columns.source is not None else f"the {columns.named_originals}"
    for column, is_settled in zip(columns.systems, explained, strict=True):
        least = columns.once(deviations)[column]
        known = column.lengths > 0
        limit = max(_TWICE, _SPREADS * spread(least[known]))
        flagged = known & ~is_settled & (np.abs(least) > limit) & _differs_much(column, columns, least_characters)
        if flagged.any():
            n_longer, n_flagged = int((flagged & (least > 0)).sum()), int(flagged.sum())
            yield Observation(
                column,
                "warning",
                f"{of_all(n_flagged, columns.n_segments)} {'has' if n_flagged == 1 else 'have'} an unlikely length: "
                f"{_off(n_longer, n_flagged - n_longer, f'{np.exp(limit):.1f}', beside)}.",
                "Read them: text may be missing, added, cut off or repeated.",
                flagged,
            )


def _off(n_longer: int, n_shorter: int, times: str, beside: str) -> str:
    """How many are too long and too short; what there is none of is not named."""
    if not n_longer:
        return f"{count(n_shorter)} shorter than usual for {beside} by a factor of more than {times}"
    longer = f"{count(n_longer)} over {times} times the usual length for {beside}"
    return f"{longer}, {count(n_shorter)} as much shorter" if n_shorter else longer


def truncated_outputs(columns: Columns) -> Iterator[Observation]:
    """Outputs that are short and lack what comes last in the other texts: an end, or the last sentence."""
    for column, flagged in zip(columns.systems, columns.once(cut_off), strict=True):
        if flagged.any():
            n_flagged = int(flagged.sum())
            yield Observation(
                column,
                "warning",
                f"{of_all(n_flagged, columns.n_segments)} stop{'s' * (n_flagged == 1)} before the end: short, and "
                "without the end of a sentence or without the last one.",
                "Allow longer outputs, and check for an earlier step that cuts lines.",
                flagged,
            )


def cut_off(columns: Columns) -> Bools:
    """Whether each output stops before the end, (K, S)."""
    absent = np.stack([~column.present for column in columns.originals])
    expected = (columns.matches(columns.originals, _SENTENCE_END) | absent).all(axis=0)
    some_words, many_words = (
        np.all([(c.words.lengths >= least) | ~c.present for c in columns.references], axis=0)
        for least in (_SOME_WORDS, _MANY_WORDS)
    )
    several = (columns.matches(columns.originals, SENTENCE_BREAK) | absent).all(axis=0)
    last_sentences = LastSentences(columns)
    cut = np.zeros((len(columns.systems), columns.n_segments), np.bool_)
    for column, ends, flagged in zip(columns.systems, columns.matches(columns.systems, _ANY_END), cut, strict=True):
        no_end = ~ends & (column.lengths > 0)
        shorter = -columns.once(deviations)[column]
        is_usual = expected & (shorter < _SHORTER)
        is_habit = (no_end & is_usual).sum() > _MANY_WITHOUT_END * max(1, is_usual.sum())
        lacks_mark = no_end & expected & (not is_habit)
        is_short = (shorter > _SHORTER) & _differs_much(column, columns, _FEW_CHARACTERS)
        is_plain = is_short & (lacks_mark | ((shorter > _TWICE) & many_words))
        flagged[:] = no_end & (is_short | lacks_mark) & (is_plain | some_words)
        doubtful = np.flatnonzero(flagged & ~is_plain)
        others = columns.beside(column)
        flagged[doubtful] = _lack_the_end(column, others, doubtful)
        for segment in doubtful[~flagged[doubtful]].tolist():
            flagged[segment] = _ends_within_a_word(column, others, segment)
        flagged[:] &= lacks_mark | ~_is_as_long_as_others(column, columns, np.flatnonzero(flagged))
        for segment in np.flatnonzero(several & ends & (column.lengths > 0) & ~flagged).tolist():
            flagged[segment] = last_sentences.is_absent(column, others, segment, float(shorter[segment]))
    return cut & ~columns.once(settled)


def _is_as_long_as_others(column: CheckedColumn, columns: Columns, segments: Ints) -> Bools:
    """Whether outputs are about as long as those of most other systems, (S,), of these segments and a few systems.

    Several systems do not stop at the same place: the references say more than the source there.
    """
    as_long = np.zeros(columns.n_segments, np.bool_)
    others = [other.lengths[segments] for other in columns.beside(column) if other.kind == "system"]
    if len(others) >= _FEW_SYSTEMS:
        usual = np.median(others, axis=0)
        as_long[segments] = column.lengths[segments] > np.minimum(_ABOUT * usual, usual - _FEW_CHARACTERS)
    return as_long


def _lack_the_end(column: CheckedColumn, others: Sequence[CheckedColumn], segments: Ints) -> Bools:
    """Whether the first words of the other texts of these segments are there, and the last ones are not."""
    own = column.words.chosen(segments).keys
    lack, n_others = np.zeros(len(segments)), np.zeros(len(segments))
    for other in others:
        words = other.words.chosen(segments)
        n_last = words.lengths // _PARTS
        places = np.arange(len(words.ids)) - words.offsets[words.segments]
        is_first = places < (_PARTS // 2 * n_last)[words.segments]
        is_last = places >= (words.lengths - n_last)[words.segments]
        is_there = are_among(words.keys, own)
        n_there = [
            np.bincount(words.segments[part & is_there], minlength=len(segments)) for part in (is_first, is_last)
        ]
        known = n_last > 0
        lack += np.where(known, (n_there[0] / (_PARTS // 2) - n_there[1]) / np.maximum(1, n_last), 0)
        n_others += known
    lacking: Bools = lack > _LEAST_LACK * np.maximum(1, n_others)
    return lacking


def _ends_within_a_word(column: CheckedColumn, others: Sequence[CheckedColumn], segment: int) -> bool:
    """Whether the last word begins a longer one of the other texts of the segment, and is none of theirs."""
    last = _LAST_WORD.search((column.texts[segment] or "")[-_LONGEST_WORD:].rstrip())
    if last is None:
        return False
    begins_another = False
    for other in others:
        text = (other.texts[segment] or "")[:_MOST_CHARACTERS]
        place = text.find(last[0])
        while place >= 0:
            if not text[place - 1 : place].isalnum():
                if not text[place + len(last[0]) :][:1].isalnum():
                    return False
                begins_another = True
            place = text.find(last[0], place + 1)
    return begins_another


def deviations(columns: Columns) -> dict[CheckedColumn, NDArray[np.float64]]:
    """How much longer than usual each output of each system is, (S,); 0 where nothing is known."""
    return {column: np.nan_to_num(deviation(column, columns)) for column in columns.systems}


def deviation(column: CheckedColumn, columns: Columns) -> NDArray[np.float64]:
    """How much longer than usual each output is beside that original which makes it look most usual, (S,).

    0 where the originals disagree whether it is longer or shorter, NaN where there is none.
    """
    by_original = np.stack([_deviation(column, original) for original in columns.originals])
    known = np.isfinite(by_original)
    least = np.where(known, by_original, np.inf).min(axis=0)
    most = np.where(known, by_original, -np.inf).max(axis=0)
    nearest = np.where(least > 0, least, np.where(most < 0, most, 0.0))
    return np.where(known.any(axis=0), nearest, np.nan)


def lengthening(lengths: Ints, others: Ints) -> NDArray[np.float64]:
    """The logarithm of the ratio of two lengths in characters; short ones are taken for more alike than they are."""
    ratios: NDArray[np.float64] = np.log((lengths + _SMOOTHING) / (others + _SMOOTHING))
    return ratios


def spread(deviations: NDArray[np.float64]) -> float:
    """A standard deviation that outliers do not move; 0 without values."""
    return _SPREAD_PER_MEDIAN * float(np.median(np.abs(deviations))) if len(deviations) else 0.0


def _deviation(column: CheckedColumn, original: CheckedColumn) -> NDArray[np.float64]:
    known = (column.lengths > 0) & (original.lengths > 0)
    ratios = lengthening(column.lengths, original.lengths)
    if not known.any():
        return np.full(len(ratios), np.nan)
    return np.where(known, ratios - np.median(ratios[known]), np.nan)


def _differs_much(column: CheckedColumn, columns: Columns, n_characters: int) -> Bools:
    """Whether an output is at least so many characters longer or shorter than every reference, (S,)."""
    apart = np.ones(columns.n_segments, np.bool_)
    for reference in columns.references:
        difference = np.abs(column.lengths - reference.lengths)
        apart &= (difference >= n_characters) | (reference.lengths == 0)
    return apart
