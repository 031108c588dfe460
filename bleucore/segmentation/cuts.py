"""Where to cut a text so that its parts are nearest to given segments: the fewest word edits over all of them.

Matusov et al. 2005 (mwerSegmenter) cut so. Of all places that cost the same, those are taken that suit best.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from bleucore.errors import InputError

Longs = NDArray[np.int64]

MOST_CELLS = 6_000_000_000
"""Words of the text within the band times words of the references: about a minute."""
_ORIGIN_BITS, _SUIT_BITS = 21, 18
_SUIT = 1 << _ORIGIN_BITS
_EDIT = 1 << (_ORIGIN_BITS + _SUIT_BITS)
_NEVER = 1 << 62
MOST_WORDS = _SUIT - 1
"""Of one text, two million."""
_FIRST_BAND = 2_000
"""Words to either side of the diagonal that are looked at to see how many edits there are at most."""


@dataclass(frozen=True)
class Cuts:
    """Where a text is cut.

    Attributes:
        ends: S, the number of words before the end of each segment; the last is N.
        n_edits: Words to insert, delete or replace over all segments.
    """

    ends: tuple[int, ...]
    n_edits: int


def cut(words: Longs, suits: Longs, segments: Sequence[Sequence[Longs]]) -> Cuts:
    """The cuts with the fewest edits; each segment is compared with that of its references which is nearest.

    Within a band along the diagonal that is so wide that nothing outside of it can be better: a way that leaves it
    inserts and deletes more words than a first, narrow look found edits in all.

    Args:
        words: (N,), the words of the text, as numbers.
        suits: (N + 1,), how badly a cut suits before each word and at the end, from 0; -1 where there can be none.
        segments: S segments with one or more references each, as numbers of words.

    Raises:
        InputError: The text or its references are too long.
    """
    n_words, n_reference = len(words), sum(len(references[0]) for references in segments)
    if n_words > MOST_WORDS or 2 * len(segments) >= 1 << _SUIT_BITS:
        raise _too_long(n_words, MOST_WORDS, "words")
    n_rows = sum(len(one) for references in segments for one in references)
    longest = sum(max(map(len, references)) for references in segments)
    apart = abs(n_words - n_reference) + longest - min(n_reference, longest)
    first = _within(words, suits, segments, _FIRST_BAND) if n_words > _FIRST_BAND else None
    band = n_words + 1 if first is None else first.n_edits // 2 + apart + 1
    if first is not None and band <= _FIRST_BAND:
        return first
    n_cells = n_rows * min(n_words + 1, 2 * band + 1)
    if n_cells > MOST_CELLS:
        raise _too_long(n_cells, MOST_CELLS, "comparisons of words")
    found = _within(words, suits, segments, min(band, n_words + 1))
    return cast("Cuts", found)  # the whole text can always be one segment


def _too_long(found: int, most: int, what: str) -> InputError:
    return InputError(
        "the text is too long to be cut anew as a whole",
        where="An output",
        found=f"{found:,} {what}",
        expected=f"at most {most:,}",
        remedy="Give it one line for each document, and name the documents.",
    )


def _within(words: Longs, suits: Longs, segments: Sequence[Sequence[Longs]], band: int) -> Cuts | None:
    """The best cuts of which each is at most ``band`` words from where it would be in proportion.

    A state is one number: edits, then how badly its cuts suit, then where its segment begins; the least is the best.
    """
    n_words, n_reference = len(words), max(1, sum(len(references[0]) for references in segments))
    penalties = np.where(suits < 0, _NEVER, suits.astype(np.int64) * _SUIT)
    steps = np.arange(n_words + 2, dtype=np.int64) * _EDIT
    low, high = 0, min(n_words, band)
    state = np.concatenate([[0], np.full(high, _NEVER, np.int64)]) + np.arange(high + 1)
    begins: list[tuple[int, NDArray[np.int32]]] = []
    done = 0
    for references in segments:
        done += len(references[0])
        middle = round(n_words * done / n_reference)
        new_low, new_high = max(low, middle - band, 0), min(n_words, max(middle + band, high))
        state = np.concatenate([state, np.full(new_high - high, _NEVER, np.int64)])
        best = None
        for reference in references:
            reached = _reached(state, words[low:new_high], reference, steps)
            best = reached if best is None else np.minimum(best, reached)
        state = np.minimum((best if best is not None else state)[new_low - low :], _NEVER)
        low, high = new_low, new_high
        begins.append((low, (state & (_SUIT - 1)).astype(np.int32)))
        allowed = penalties[low : high + 1]
        is_open = (state < _NEVER) & (allowed < _NEVER)
        state = np.where(is_open, (state & ~np.int64(_SUIT - 1)) + allowed, _NEVER) + np.arange(low, high + 1)
        state = np.minimum(state, _NEVER + np.arange(low, high + 1))
    if high < n_words or state[n_words - low] >= _NEVER:
        return None
    ends, end = [n_words], n_words
    for first, origins in reversed(begins[1:]):
        end = int(origins[end - first])
        ends.append(end)
    return Cuts(tuple(reversed(ends)), int(state[n_words - low] // _EDIT))


def _reached(state: Longs, words: Longs, reference: Longs, steps: Longs) -> Longs:
    """The states after a reference, by the number of words of the text that are used; insertions come first."""
    steps = steps[: len(state)]
    row = np.minimum.accumulate(state - steps) + steps
    skipped = np.empty_like(row)
    for word in reference:
        np.add(row, _EDIT, out=skipped)
        np.minimum(skipped[1:], np.where(words == word, row[:-1], row[:-1] + _EDIT), out=skipped[1:])
        skipped -= steps
        np.minimum.accumulate(skipped, out=skipped)
        np.add(skipped, steps, out=row)
    return row
