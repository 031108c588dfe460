"""Does an output lack the last sentence of its segment? Asked of the words that other texts have there.

Long texts repeat common words, so that the last sentence of others is never quite absent. Rare words count more, and
where they stand: the end of an output without that sentence has the words of what others say before it.
"""

from collections.abc import Sequence
from itertools import starmap
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import regex

from bleucore.checks.compared_texts import CheckedColumn, Columns
from bleucore.checks.sides import word_weights
from bleucore.checks.words import WordIds

if TYPE_CHECKING:
    from bleucore.counts import Floats

_LATIN_END, _BEGIN = r"[.!?…]['\"”“’»)]?\s+", r"[\"“„«¿¡(]?[^\p{Ll}\s]"
_WIDE_END, _WIDE_BEGIN = "[。！？]", r"[^。！？」』”’）\s]"
_OTHER_END = r"[।۔؟]\s*"

SENTENCE_BREAK = rf"{_LATIN_END}{_BEGIN}|{_WIDE_END}{_WIDE_BEGIN}|{_OTHER_END}\S"
"""A regular expression (RE2) for a place where a sentence ends and another begins."""

_BREAK = regex.compile(rf"{_LATIN_END}(?={_BEGIN})|{_WIDE_END}(?={_WIDE_BEGIN})|{_OTHER_END}(?=\S)")
_MAX_CHARACTERS = 20_000
_LEAST_WORDS, _LAST_PART = 3, 4
"""Words of each part that tell; and the share of a text of one sentence that is taken for its last one."""

_LITTLE_SHORTER, _SHORTER = -0.05, 0.05
"""How much shorter than usual an output is that has fewer sentences than others, and one that has as many."""

_LEAST_OF_REST, _MOST_OF_LAST, _MOST_AT_END, _LEAST_BEFORE, _TWICE = 0.4, 0.85, 0.4, 0.3, 0.69
"""Weight of the words that an output has of what others say before the last sentence, and in it; of the words of their
last sentence at its own end, and of its own end in theirs; of its own end in what they say before. Of an output that
is half as long as usual the first does not tell."""

_LITTLE_OF_LAST, _LITTLE_AT_END = 0.35, 0.15
"""The same of an output that does not have fewer sentences, as where abbreviations have full stops."""

_MUCH_SHORTER, _LESS_OF_REST, _LESS_OF_LAST, _LEAST_LACK = 0.1, 0.25, 0.5, 0.15
"""The same of a short output that has fewer sentences than each reference, and the least difference of the two."""

_FEW_PAIRS = 1 << 14
_PLAIN = 0.1
"""What a word counts beside its weight, so that common words are not nothing."""

_MARGIN, _MORE_WORDS = 1.3, 2
"""How much longer than the last sentence of another text the end of an output is in which its words are looked for."""

Parts: TypeAlias = tuple[WordIds, WordIds]


class LastSentences:
    """The last sentences of the texts of a test set."""

    def __init__(self, columns: Columns) -> None:
        self._weights: Floats = columns.once(word_weights) + _PLAIN
        self._starts: dict[tuple[CheckedColumn, int], list[int]] = {}

    def is_absent(self, column: CheckedColumn, others: Sequence[CheckedColumn], segment: int, shorter: float) -> bool:
        """Whether an output has hardly a word of the last sentence of the others, and ends with what they say before.

        Args:
            column: The system.
            others: What it is held against.
            segment: Of the output.
            shorter: How much shorter than usual it is, as a logarithm.
        """
        if shorter <= _LITTLE_SHORTER:
            return False
        n_own = len(self._starts_of(column, segment))
        numbers = [len(self._starts_of(other, segment)) for other in others if other.lengths[segment]]
        has_fewer = 2 * sum(number > n_own for number in numbers) >= len(numbers)
        has_fewest = all(
            len(self._starts_of(other, segment)) > n_own
            for other in others
            if other.kind == "reference" and other.present[segment]
        )
        if not has_fewer and shorter <= _SHORTER:
            return False
        parts = (self._parts(other, segment) for other in others)
        told = [both for both in parts if min(map(len, both)) >= _LEAST_WORDS]
        if not told:
            return False
        own = column.words.of(segment)
        shares = list(starmap(lambda rest, last: self._shares(own, rest, last), told))
        of_rest, of_last, last_at_end, end_in_last, end_before = np.median(shares, axis=0).tolist()
        at_end = max(last_at_end, end_in_last)
        is_lost = has_fewer and of_last <= _MOST_OF_LAST and at_end <= _MOST_AT_END
        is_lost |= shorter > _SHORTER and of_last <= _LITTLE_OF_LAST and at_end <= _LITTLE_AT_END
        if is_lost and end_before >= _LEAST_BEFORE and (of_rest >= _LEAST_OF_REST or shorter > _TWICE):
            return True
        is_less = of_last <= _LESS_OF_LAST and of_rest >= max(_LESS_OF_REST, of_last + _LEAST_LACK)
        return has_fewest and shorter > _MUCH_SHORTER and bool(is_less)

    def _starts_of(self, column: CheckedColumn, segment: int) -> list[int]:
        """Where each sentence but the first begins."""
        place = column, segment
        if place not in self._starts:
            text = (column.texts[segment] or "")[:_MAX_CHARACTERS]
            self._starts[place] = [found.end() for found in _BREAK.finditer(text)]
        return self._starts[place]

    def _parts(self, column: CheckedColumn, segment: int) -> Parts:
        """The words before the last sentence of a text, and those in it."""
        ids, starts = column.words.of(segment), self._starts_of(column, segment)
        n_last = max(1, len(ids) // _LAST_PART)
        if starts:
            n_last = len(ids) - round(starts[-1] / max(1, len(column.texts[segment] or "")) * len(ids))
        return ids[: len(ids) - n_last], ids[len(ids) - n_last :]

    def _shares(self, own: WordIds, rest: WordIds, last: WordIds) -> tuple[float, ...]:
        """What an output has of each part, at its end of the last one, and what is there in its end of both."""
        end = own[-max(_LEAST_WORDS + 1, len(last)) :]
        near = own[-round(_MARGIN * len(last) + _MORE_WORDS) :]
        pairs = (rest, own), (last, own), (last, near), (end, last), (end, rest)
        return tuple(starmap(self._share, pairs))

    def _share(self, ids: WordIds, among: WordIds) -> float:
        weights = self._weights[ids]
        are_few = len(ids) * len(among) <= _FEW_PAIRS  # where ``np.isin`` takes longer to begin than to end
        there = (ids[:, None] == among).any(axis=1) if are_few else np.isin(ids, among)
        return float(weights[there].sum() / max(_PLAIN, weights.sum()))
