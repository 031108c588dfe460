"""Does a column begin or end its texts as no other does? Bullets, numbers, labels, missing full stops on every line.

What a text begins with is its first word or its first run of signs, digits taken alike, and whether that word has a
capital: of texts that lost their first word, most have none. What it ends with is its last run of signs, its last word,
or a letter. The share of texts with each is compared with the other systems and the references.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import median
from typing import TypeAlias

import numpy as np

from bleucore.checks.compared_texts import Bools, CheckedColumn, Columns
from bleucore.checks.findings import Observation, of_all
from bleucore.checks.repairs import fixed
from bleucore.counts import Ints

Keys: TypeAlias = Sequence[str]
Shares: TypeAlias = dict[str, float]

_MAX_TEXTS, _FEW_TEXTS, _LEAST_WORDS = 250, 20, 3
"""Texts of a column that are looked at first, texts that a share needs, and words of a text that is no label."""

_MORE, _MORE_OF_A_WORD, _LEAST_ODDS = 0.2, 0.4, 4.0
"""Share above the others, of signs and of words, and ratio of the odds."""

_LEAST_SHARE_OF_SOURCE = 0.5

_LETTER, _SMALL = "a letter", "a small letter"
_DIGITS = re.compile(r"\d+")
_FIRST = re.compile(r"(?:\d+|[^\w\s])+|\w{1,12}")
_LAST = re.compile(r"[^\w\s]{1,4}$")
_LAST_WORD = re.compile(r"(?<=\s)\S{1,12}$")
_OPENING = re.compile(r"^(?:\d+|[^\w\s])+\s*")
_LONGEST_END = 40


@dataclass(frozen=True)
class _End:
    """One end of a text.

    Attributes:
        keys: What a text has there; several kinds of the same thing.
        verb: "begin" or "end".
        remedy: What to do.
    """

    keys: Callable[[str], Keys]
    verb: str
    remedy: str

    def __call__(self, columns: Columns) -> Iterator[Observation]:
        """The columns of which many texts have what few of the others have."""
        shares = [self._shares(column) for column in columns.targets]
        if len(columns.targets) == 2 and all(shares):  # noqa: PLR2004
            yield from self._of_pair(columns, shares)
            return
        n_systems = len(columns.systems)
        for index, (column, own) in enumerate(zip(columns.targets, shares, strict=True)):
            systems = [one for i, one in enumerate(shares[:n_systems]) if i != index and one]
            references = [one for i, one in enumerate(shares[n_systems:], n_systems) if i != index and one]
            groups = [[one] for one in references] + [systems] * bool(systems)
            if own and groups and (key := _unusual(own, groups)):
                yield self._reported(column, columns, key, _usual(key, groups))

    def _of_pair(self, columns: Columns, shares: Sequence[Shares]) -> Iterator[Observation]:
        """One system and one reference: the source decides, or the reference is right unless it begins with a sign."""
        system, reference = columns.targets
        own, other = shares
        key, opposite = _unusual(own, [[other]]), _unusual(other, [[own]])
        of_source = {} if columns.source is None else self._shares(columns.source)
        is_right = of_source.get(key or "", 0.0) >= _LEAST_SHARE_OF_SOURCE
        is_wrong = of_source.get(opposite or "", 0.0) >= _LEAST_SHARE_OF_SOURCE
        has_sign = self.verb == "begin" and opposite is not None and not _is_word(opposite)
        if opposite and (is_right or (has_sign and not is_wrong)):
            yield self._reported(reference, columns, opposite, own.get(opposite, 0.0))
        elif key:
            yield self._reported(system, columns, key, other.get(key, 0.0))

    def _shares(self, column: CheckedColumn) -> Shares:
        """The share of texts with each key, of an even choice of them; none where there are few."""
        texts = _sentences(column)
        texts = texts[:: -(-len(texts) // _MAX_TEXTS) or 1]
        if len(texts) < _FEW_TEXTS:
            return {}
        numbers = Counter(key for index in texts.tolist() for key in self.keys((column.texts[index] or "").strip()))
        return {key: n / len(texts) for key, n in numbers.items()}

    def _reported(self, column: CheckedColumn, columns: Columns, key: str, usual: float) -> Observation:
        flagged: Bools = np.zeros(columns.n_segments, np.bool_)
        texts = _sentences(column)
        flagged[texts] = [key in self.keys((column.texts[index] or "").strip()) for index in texts.tolist()]
        named = key if key in (_LETTER, _SMALL) else f'"{key}"'
        repair = (
            partial(fixed, column, flagged, _without_opening) if self.verb == "begin" and not _is_word(key) else None
        )
        return Observation(
            column,
            "warning",
            f"{of_all(int(flagged.sum()), columns.n_segments)} {self.verb} with {named}, "
            f"{100 * flagged[texts].mean():.0f} % of the sentences; of the other texts {100 * usual:.0f} %.",
            self.remedy,
            flagged,
            repair=repair,
        )


def _sentences(column: CheckedColumn) -> Ints:
    """The texts that are no labels."""
    return np.flatnonzero((column.lengths > 0) & (column.words.lengths >= _LEAST_WORDS))


def _unusual(own: Shares, groups: Sequence[Sequence[Shares]]) -> str | None:
    """What far more texts have than in any of the groups, the most frequent first."""
    for key, share in sorted(own.items(), key=lambda item: (-item[1], item[0] == _LETTER)):
        if share < _MORE:
            break
        usual = _usual(key, groups)
        least = _MORE_OF_A_WORD if _is_word(key) and key != _LETTER else _MORE
        if share - usual >= least and share * (1 - usual) >= _LEAST_ODDS * usual * (1 - share):
            return key
    return None


def _usual(key: str, groups: Sequence[Sequence[Shares]]) -> float:
    """The greatest of the median shares of the groups."""
    return max(median(one.get(key, 0.0) for one in group) for group in groups)


def _is_word(key: str) -> bool:
    return key[:1].isalpha()


def _beginnings(text: str) -> Keys:
    found = _FIRST.match(text)
    key = _DIGITS.sub("0", found[0]) if found else text[:1]
    return (key, *[_SMALL] * key[:1].islower(), _LETTER) if _is_word(key) else (key,)


def _endings(text: str) -> Keys:
    found = _LAST.search(text[-_LONGEST_END:])
    if found:
        return (found[0],)
    word = _LAST_WORD.search(text[-_LONGEST_END:])
    last = (_DIGITS.sub("0", word[0]),) if word else ()
    return (*last, _LETTER) if text[-1:].isalpha() else last


def _without_opening(text: str) -> str | None:
    return _OPENING.sub("", text.strip()) or None


unusual_beginnings = _End(
    _beginnings,
    "begin",
    ("Look for list marks, line numbers or labels that a step adds, and remove them before scoring."),
)
unusual_endings = _End(
    _endings,
    "end",
    ("Find the step that cuts texts, or adds or removes the last mark, and load the file again."),
)
