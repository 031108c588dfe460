"""How much the texts of columns are alike, segment by segment."""

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from bleucore.formats.columns import Column

# Words, and single characters of scripts that put no spaces between words. Digits mean nothing here.
_WORD = re.compile(r"[\u0e00-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|[^\W\d_]+")
_EAST_ASIAN = frozenset({"HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "IDEOGRAPHIC"})
_SCRIPT_SEGMENTS, _SCRIPT_CHARACTERS = 100, 100
_MAX_SEGMENTS, _MAX_TEXTS, _MAX_CHARACTERS = 300, 4_000, 500
_MOST_REMEMBERED = 8_192
"""Of a campaign with 200 systems on each set most of the time would be spent here."""


@dataclass(frozen=True)
class Likeness:
    """The likeness of columns that have as many segments as most.

    Attributes:
        indices: N places among the columns that were asked for, rising.
        columns: Those, N columns of equally many segments.
    """

    indices: tuple[int, ...]
    columns: tuple[Column, ...]

    @cached_property
    def shares(self) -> NDArray[np.float64]:
        """(N, N), the mean over segments of 2 * words in both / words in each, 0 to 1; words are counted once.

        Of a sample of segments spread over all. It takes a while, and where roles are known nobody asks.
        """
        n_segments = len(self.columns[0].segments) if self.columns else 0
        n_sampled = max(1, min(n_segments, _MAX_SEGMENTS, _MAX_TEXTS // max(1, len(self.columns))))
        shares = np.zeros((len(self.columns), len(self.columns)))
        for segment in np.linspace(0, n_segments - 1, n_sampled).astype(int) if n_segments else ():
            shares += _segment_shares([column.segments[segment] for column in self.columns])
        shares /= n_sampled
        return shares

    def of(self, index: int, others: Sequence[int]) -> NDArray[np.float64]:
        """How much a column is like each of the others that were compared; itself is left out."""
        places = self._places
        if index not in places:
            return np.empty(0)
        columns = [places[other] for other in others if other != index and other in places]
        found: NDArray[np.float64] = self.shares[places[index]][columns]
        return found

    @cached_property
    def _places(self) -> dict[int, int]:
        """The row of each column that was compared."""
        return {index: place for place, index in enumerate(self.indices)}

    def nearest(self, index: int, others: Sequence[int]) -> float | None:
        """How much a column is like that of the others which it is most like; ``None`` without any."""
        shares = self.of(index, others)
        return float(shares.max()) if len(shares) else None


def likeness(columns: Sequence[Column], left_out: Collection[int] = ()) -> Likeness:
    """How much each of the columns is like each other.

    Args:
        columns: All that were read.
        left_out: The places of those that do not count, as small tables next to a few texts.
    """
    lengths = Counter(len(column.segments) for place, column in enumerate(columns) if place not in left_out)
    n_segments = lengths.most_common(1)[0][0] if lengths else 0
    indices = tuple(index for index, column in enumerate(columns) if len(column.segments) == n_segments)
    return Likeness(indices, tuple(columns[index] for index in indices))


def script_of(column: Column) -> str | None:
    """The script of most letters, as Unicode names it ("LATIN", "CJK"); ``None`` where no script has most."""
    return script_of_texts(column.segments)


def script_of_texts(texts: Sequence[str | None]) -> str | None:
    """The same of texts."""
    n_segments = len(texts)
    sampled = np.linspace(0, n_segments - 1, min(n_segments, _SCRIPT_SEGMENTS)).astype(int) if n_segments else ()
    text = "".join((texts[segment] or "")[:_SCRIPT_CHARACTERS] for segment in sampled)
    times = Counter[str]()
    for char, number in Counter(text).items():
        if not char.isalpha():
            continue
        name = unicodedata.name(char, "").split(" ")[0]
        times["CJK" if name in _EAST_ASIAN else name] += number
    script, most = times.most_common(1)[0] if times else ("", 0)
    return script if most * 2 > times.total() else None


def _segment_shares(texts: Sequence[str | None]) -> NDArray[np.float64]:
    """The likeness of the texts of one segment, (N, N)."""
    ids: dict[str, int] = {}
    words = [{ids.setdefault(word, len(ids)) for word in words_in(text)} for text in texts]
    present = np.zeros((len(texts), max(1, len(ids))), np.float32)
    for row, found in enumerate(words):
        present[row, list(found)] = 1
    sizes = present.sum(axis=1)
    totals = sizes[:, None] + sizes[None, :]
    shares: NDArray[np.float64] = np.divide(
        2 * (present @ present.T), totals, out=np.zeros(totals.shape, np.float32), where=totals > 0
    ).astype(np.float64)
    return shares


def words_in(text: str | None) -> Sequence[str]:
    """The words of a text in small letters; of scripts without spaces its characters."""
    return _words((text or "")[:_MAX_CHARACTERS])


@lru_cache(maxsize=_MOST_REMEMBERED)
def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(text.casefold()))
