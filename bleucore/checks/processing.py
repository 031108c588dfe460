"""Texts that look as if a program had prepared them for another: escaped, cut into pieces, tokenised, with its marks.

A text counts only where neither the source nor another reference of the segment looks the same way.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from bleucore.checks import fixes, phrases
from bleucore.checks.compared_texts import Bools, CheckedColumn, Columns, found_in
from bleucore.checks.findings import Observation, of_all
from bleucore.checks.repairs import Fix, fixed

_USUAL, _UNUSUAL = 0.3, 0.1
"""Share of the texts of a column that have a trace, from which all have it, and below which it has none."""


_OF_LABELS = ":：[【"


@dataclass(frozen=True)
class _Processed:
    """A trace of processing.

    Attributes:
        patterns: Regular expressions (RE2) for it, each with its own exceptions, and signs of which each match has
            one; "" where it need have none.
        what: What such segments do, with "{s}" where the verb takes an s after one segment.
        remedy: What to do.
        fix: What undoes it.
        least_share: The share of segments from which it is a warning and no note.
        labels: More regular expressions, which need a colon or bracket, each with what an original has where they
            belong to the text.
        lack: What a system does that has no such trace where nearly all others have it; "" where that is right.
    """

    patterns: Mapping[str, str]
    what: str
    remedy: str
    fix: Fix
    least_share: float = 0.0
    labels: Mapping[str, str] = field(default_factory=dict)
    lack: str = ""

    def __call__(self, columns: Columns) -> Iterator[Observation]:
        """The texts with such a trace."""
        patterns = {**self.patterns, **dict.fromkeys(self.labels, _OF_LABELS)}
        found = [columns.matches(columns.all, pattern, signs) for pattern, signs in patterns.items()]
        if self.lack and (lacking := _lacking(columns, np.any(found, axis=0)[: len(columns.targets)])):
            yield from (self._reported(column, columns, flagged) for column, flagged in lacking.items())
            return
        for index, column in enumerate(columns.all):
            flagged = np.zeros(columns.n_segments, np.bool_)
            for pattern, matched in zip(patterns, found, strict=True):
                if matched[index].any():
                    expected = self.labels.get(pattern, pattern)
                    own = columns.in_originals(expected, patterns[pattern], besides=column)
                    if pattern in self.labels:
                        own &= ~_with_one_more(column, columns, pattern, matched[index] & own)
                    flagged |= matched[index] & ~own
            if flagged.any():
                n_flagged = int(flagged.sum())
                is_minor = column.kind == "source" or n_flagged < self.least_share * columns.n_segments
                yield Observation(
                    column,
                    "note" if is_minor else "warning",
                    f"{of_all(n_flagged, columns.n_segments)} {self.what.format(s='s' * (n_flagged == 1))}.",
                    self.remedy,
                    flagged,
                    repair=partial(fixed, column, flagged, self.fix),
                )

    def _reported(self, column: CheckedColumn, columns: Columns, flagged: Bools) -> Observation:
        """A system without the trace that the other texts have."""
        message = f"{of_all(int(flagged.sum()), columns.n_segments)} {self.lack}."
        return Observation(column, "warning", message, self.remedy, flagged)


def _with_one_more(column: CheckedColumn, columns: Columns, pattern: str, asked: Bools) -> Bools:
    """Which texts have a label that no other text has, and more colons and brackets than any original, (S,).

    A label of their own, translated, is in the originals as well.
    """
    more = np.zeros(columns.n_segments, np.bool_)
    if asked.any():
        others = tuple(other for other in columns.targets if other is not column)
        asked = asked & ~found_in(others, pattern, np.broadcast_to(asked, (len(others), len(asked)))).any(axis=0)
        beside = [other for other in columns.originals if other is not column]
        for segment in np.flatnonzero(asked).tolist():
            n_own, *n_beside = (sum(map((one.texts[segment] or "").count, _OF_LABELS)) for one in (column, *beside))
            more[segment] = n_own > max(n_beside, default=0)
    return more


def _lacking(columns: Columns, has: Bools) -> dict[CheckedColumn, Bools]:
    """The systems without a trace that all references and most systems have, (T, S), and the segments of each."""
    shares, n_systems = has.mean(axis=1), len(columns.systems)
    others = has[n_systems:].all(axis=0)
    if shares[n_systems:].min() < _USUAL or 2 * (shares[:n_systems] >= _USUAL).sum() <= n_systems:
        return {}
    return {
        column: others & ~own
        for column, own, share in zip(columns.systems, has, shares, strict=False)
        if share < _UNUSUAL
    }


escaped_text = _Processed(
    {
        r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,7});"
        r"|& ?(?:quot|apos|amp|lt|gt|nbsp|#[0-9]{2,5}) ?;": "&",
        r"\\u[0-9a-fA-F]{4}|\\U[0-9a-fA-F]{8}|\\x[0-9a-fA-F]{2}": "\\",
        r"\\[nrt\"']": "\\",
        r"(?:%[0-9A-F]{2}){2}": "%",
    },
    'hold{s} escaped characters ("&quot;", "\\n" or "\\u00e4", say)',
    "Undo these escapes once, before scoring.",
    fixes.unescaped,
)
subword_marks = _Processed(
    {r"@@(?: |$)|@-@": "@", "▁": "▁", r"(?:^|\s)##\p{Ll}": "#", "Ġ|Ċ": "ĠĊ"},
    'contain{s} subword marks, such as "@@ ", "▁" or "##"',
    "Join the subwords before scoring.",
    fixes.joined,
)
tokenised_text = _Processed(
    {
        r"[\pL\pM\p{N}»”\"')\]%°] [,.،](?: |$)": "",
        r"[\pL\p{N}] (?:'|’|&apos;) ?(?:s|t|re|ve|ll|d|m)(?: |$)|\pL n't(?: |$)": "'’&",
        r"\( [^()]{1,80} \)": "(",
        r"[\pL\p{N}]\s[，。、！？；：]|[，。、！？；：]\s\p{Han}": "，。、！？；：",
        r"-(?:LRB|RRB|LSB|RSB|LCB|RCB)-|`` [^`]{1,200} ''": "-`",
    },
    'look{s} tokenised: spaces before full stops and commas, or before "\'s"',
    "Detokenise before scoring: the scoring tokenizer expects running text.",
    fixes.detokenised,
    least_share=0.01,
    lack="are running text where the references and most systems look tokenised (blanks before full stops and commas)",
)
special_tokens = _Processed(
    {
        r"<unk>|<UNK>|⁇|</?s>|<(?:pad|bos|eos|mask|sep|cls)>|\[(?:UNK|PAD|SEP|CLS|MASK)\]|\[/?INST\]|</?<SYS>>"
        r"|<[|｜][A-Za-z0-9_▁]{1,40}[|｜]>|<(?:start|end)_of_turn>|<extra_id_[0-9]{1,3}>|<0x[0-9A-Fa-f]{2}>"
        r"|<2[a-z]{2,3}>|>>[a-z]{2,3}(?:_[A-Z][a-z]{3})?<<|__[a-z]{2,3}__": "<⁇[_",
        r"(?:^|\s)[a-z]{2,3}_(?:[A-Z]{2}|[A-Z][a-z]{3})(?:\s|$)": "_",
    },
    'contain{s} model tokens, such as "<unk>", "</s>", "<0xE3>" or "Assistant:"',
    "Check the decoding, and drop special tokens there.",
    fixes.without_tokens,
    labels={phrases.ROLE: phrases.ANY_ROLE},
)
