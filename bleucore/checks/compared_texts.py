"""The columns of a test set in the forms that checks read: Arrow strings, lengths, words; made when first asked for."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, TypeAlias, TypeVar, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from bleucore.checks.alphabet import CAPITAL, CodePoints, any_sign
from bleucore.checks.surface import Surface
from bleucore.checks.words import Words, word_starts, words_from
from bleucore.corpus import TestSet
from bleucore.counts import Ints
from bleucore.tokens.tokenizer_choice import AnyTokenizerName
from bleucore.values import system_words

Bools: TypeAlias = NDArray[np.bool_]
SubjectKind = Literal["system", "reference", "source", "test set"]
Result = TypeVar("Result")

_MAX_COMPARED = 4
_MAX_JOINED_BYTES = 2**25
"""Columns that are smaller together are searched as one: a pattern takes its time before the first text."""


@dataclass(frozen=True, eq=False)
class CheckedColumn:
    """One column of a test set.

    Attributes:
        kind: What it is.
        index: Which of the systems or references, from 0; ``None`` for the source.
        title: What to call it in a sentence.
        texts: S texts; ``None`` where a reference is missing.
    """

    kind: SubjectKind
    index: int | None
    title: str
    texts: Sequence[str | None]

    @cached_property
    def present(self) -> Bools:
        """Whether there is a text, even an empty one, (S,)."""
        return np.fromiter((text is not None for text in self.texts), np.bool_, len(self.texts))

    @cached_property
    def written(self) -> pa.Array:
        """The texts as they are, S Arrow strings, "" for a missing one."""
        return pa.array([text or "" for text in self.texts], pa.large_string())

    @cached_property
    def is_padded(self) -> Bools:
        """Whether a text begins or ends with white space, (S,)."""
        sizes = (pc.binary_length(texts).to_numpy() for texts in (self.written, self.trimmed))
        padded: Bools = np.not_equal(*sizes)
        return padded

    @cached_property
    def trimmed(self) -> pa.Array:
        """The texts without white space at their ends, S Arrow strings, "" for a missing one."""
        trimmed = pc.utf8_trim_whitespace(self.written)
        return self.written if trimmed.nbytes == self.written.nbytes else trimmed  # one copy is enough

    @cached_property
    def lengths(self) -> Ints:
        """Characters of each trimmed text, (S,)."""
        return cast("Ints", pc.utf8_length(self.trimmed).to_numpy())

    @property
    def words(self) -> Words:
        """The words of each text as numbers."""
        return self._read[0]

    @property
    def surface(self) -> Surface:
        """What the texts are written with."""
        return self._read[1]

    @property
    def is_capital(self) -> Bools:
        """Whether each word begins with a capital letter, (W,)."""
        return self._read[2]

    @property
    def letters(self) -> Ints:
        """Letters of each script in all texts together, by code; 0 for code 0."""
        return self._read[3]

    @cached_property
    def _read(self) -> tuple[Words, Surface, Bools, Ints]:
        """All at once: code points are four times as large as texts, and are not kept."""
        characters = CodePoints.of(self.texts)
        starts = word_starts(characters)
        is_capital = (characters.traits[starts] & CAPITAL) > 0
        return words_from(characters, starts), Surface.of(characters), is_capital, characters.letters()


@dataclass(frozen=True, eq=False)
class Columns:
    """The columns of a test set of S segments.

    Attributes:
        n_segments: S.
        systems: What is scored.
        references: What it is held against.
        source: What was translated, or ``None``.
        documents: The document of each segment, or ``None``.
        tokenizer: What the texts are scored with; ``None`` where only the texts are asked about.
        items: The item of each segment, (S,), where rows repeat; see ``TestSet.items``.
    """

    n_segments: int
    systems: tuple[CheckedColumn, ...]
    references: tuple[CheckedColumn, ...]
    source: CheckedColumn | None
    documents: Sequence[str] | None = None
    tokenizer: AnyTokenizerName | None = None
    items: Ints | None = None
    _results: dict[Any, Any] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, test_set: TestSet, tokenizer: AnyTokenizerName | None = None) -> "Columns":
        """The columns of the test set, and what it is scored with."""
        names = enumerate(test_set.reference_names or ())
        return cls(
            test_set.n_segments,
            tuple(
                CheckedColumn("system", i, system_words(s.name), s.hypotheses) for i, s in enumerate(test_set.systems)
            ),
            tuple(CheckedColumn("reference", i, _title(name), test_set.references[i]) for i, name in names),
            None if test_set.source is None else CheckedColumn("source", None, "Source", test_set.source),
            test_set.documents,
            tokenizer,
            test_set.items,
        )

    @property
    def targets(self) -> tuple[CheckedColumn, ...]:
        """The columns that say the same in the same language: systems, then references."""
        return self.systems + self.references

    @property
    def all(self) -> tuple[CheckedColumn, ...]:
        """Systems, references, and the source if there is one."""
        return self.targets + self.originals[len(self.references) :]

    @property
    def originals(self) -> tuple[CheckedColumn, ...]:
        """What outputs are held against: the references, and the source if there is one."""
        return self.references + (() if self.source is None else (self.source,))

    def beside(self, column: CheckedColumn) -> tuple[CheckedColumn, ...]:
        """All references and some other systems: what the words of an output are held against."""
        return self.references + tuple(other for other in self.systems if other is not column)[:_MAX_COMPARED]

    def once(self, compute: Callable[["Columns"], Result]) -> Result:
        """What the function returns for these columns, computed on the first call."""
        if compute not in self._results:
            self._results[compute] = compute(self)
        return cast("Result", self._results[compute])

    def matches(self, group: tuple[CheckedColumn, ...], pattern: str, signs: str = "") -> Bools:
        """Whether the regular expression (RE2) is found in each trimmed text of these columns, (len(group), S).

        Only texts with one of the ``signs`` are searched, if any are given: whatever matches has to have one of them.
        """
        if signs:
            return found_in(group, pattern, having(group, any_sign(signs)))
        if sum(column.trimmed.nbytes for column in group) > _MAX_JOINED_BYTES:
            return np.stack([found(column.trimmed, pattern) for column in group])
        if group not in self._results:
            joined = pa.concat_arrays([column.trimmed for column in group]).dictionary_encode()
            self._results[group] = joined.dictionary, joined.indices.to_numpy()
        texts, places = self._results[group]  # systems often say the same
        matched: Bools = found(texts, pattern)[places]
        return matched.reshape(len(group), self.n_segments)

    @property
    def named_originals(self) -> str:
        """What they are called together: "source and references", or "reference"."""
        references = "reference" if len(self.references) == 1 else "references"
        return references if self.source is None else f"source and {references}"

    def in_originals(self, pattern: str, signs: str = "", *, besides: CheckedColumn | None = None) -> Bools:
        """Whether the source or any reference but the one left out matches a pattern in each segment, (S,)."""
        together = np.zeros(self.n_segments, np.bool_)
        if pattern not in self._results:
            self._results[pattern] = self.matches(self.originals, pattern, signs)
        for column, matched in zip(self.originals, self._results[pattern], strict=True):
            if column is not besides:
                together |= matched
        return together


def found(texts: pa.Array, pattern: str) -> Bools:
    """Whether the regular expression (RE2, linear in the text) is found in each text."""
    return cast("Bools", pc.match_substring_regex(texts, pattern).to_numpy(zero_copy_only=False))


def having(group: tuple[CheckedColumn, ...], traits: int) -> Bools:
    """Whether each text of these columns has a character with one of these traits, (len(group), S)."""
    return np.stack([(column.surface.traits & np.uint64(traits)) > 0 for column in group])


def found_in(group: tuple[CheckedColumn, ...], pattern: str, asked: Bools) -> Bools:
    """Whether the regular expression (RE2) is found in each trimmed text of these columns, (len(group), S), asked."""
    matched = asked.copy()
    if not matched.any():  # some expressions take longer to prepare than to search
        return matched
    texts = [column.trimmed.filter(pa.array(chosen)) for column, chosen in zip(group, asked, strict=True)]
    matched[asked] = found(pa.concat_arrays(texts), pattern)
    return matched


def _title(name: str) -> str:
    return name[:1].upper() + name[1:] if name.lower().startswith("reference") else f"Reference {name}"
