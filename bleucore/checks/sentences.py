"""Does an output lack the last sentence of its segment? Asked of the words that other texts have there."""

from collections.abc import Sequence

import numpy as np
import regex

from bleucore.checks.compared_texts import CheckedColumn

_LATIN_END, _BEGIN = r"[.!?…]['\"”“’»)]?\s+", r"[\"“„«¿¡(]?[^\p{Ll}\s]"
_WIDE_END, _WIDE_BEGIN = "[。！？]", r"[^。！？」』”’）\s]"
_OTHER_END = r"[।۔؟]\s*"

SENTENCE_BREAK = rf"{_LATIN_END}{_BEGIN}|{_WIDE_END}{_WIDE_BEGIN}|{_OTHER_END}\S"
"""A regular expression (RE2) for a place where a sentence ends and another begins."""

_BREAK = regex.compile(rf"{_LATIN_END}(?={_BEGIN})|{_WIDE_END}(?={_WIDE_BEGIN})|{_OTHER_END}(?=\S)")
_MAX_CHARACTERS = 20_000
_LEAST_WORDS = 3
_LEAST_OF_REST, _MOST_OF_LAST, _LEAST_LACK = 0.25, 0.45, 0.15
"""Share of the words of other texts that an output has: before their last sentence, in it, and the difference."""


def lacks_last_sentence(column: CheckedColumn, others: Sequence[CheckedColumn], segment: int) -> bool:
    """Whether an output has fewer sentences than each reference, and hardly a word of the last one of the others."""
    n_own = len(_starts(column.texts[segment]))
    own = column.words.of(segment)
    of_rest, of_last = [], []
    for other in others:
        starts = _starts(other.texts[segment])
        if other.kind == "reference" and other.present[segment] and len(starts) <= n_own:
            return False
        ids = other.words.of(segment)
        if len(starts) > n_own and starts:
            first = round(starts[-1] / max(1, len(other.texts[segment] or "")) * len(ids))
            if min(first, len(ids) - first) >= _LEAST_WORDS:
                is_there = np.isin(ids, own)
                of_rest.append(float(is_there[:first].mean()))
                of_last.append(float(is_there[first:].mean()))
    if not of_rest:
        return False
    rest, last = float(np.median(of_rest)), float(np.median(of_last))
    return rest >= _LEAST_OF_REST and last <= _MOST_OF_LAST and rest - last >= _LEAST_LACK


def _starts(text: str | None) -> list[int]:
    """Where each sentence but the first begins."""
    return [found.end() for found in _BREAK.finditer((text or "")[:_MAX_CHARACTERS])]
