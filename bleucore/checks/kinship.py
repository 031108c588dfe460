"""What texts show of themselves: whether they are translations, and which outputs are of versions of one system."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, Self

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from bleucore.checks.phrases import PREAMBLE, REFUSAL
from bleucore.checks.words import N_WORD_IDS, Words, words
from bleucore.corpus import TestSet
from bleucore.counts import Floats

Doubt = Literal["texts", "reference", "language model", "kinship"]
"""Why nothing is known of two outputs: the texts are not known to be translations, a reference derives from a system,
one of the two seems to be of a language model, or they are not known to be versions of one system."""

MAX_SEGMENTS = 2_000
"""Texts that are looked at, evenly spaced."""

_LONG, _LEAST_LONG = 10, 50
"""Words of a text that two systems seldom write alike, and how many such texts say something."""

_EQUAL_OF_KIN = 0.3
"""Of long texts: Lan-Bridge and Online-B of WMT22 share 36 and 46 %, other pairs of WMT22 and WMT23 at most 21 %."""

_EQUAL_TO_REFERENCE = 0.05
"""Of long texts: systems of WMT22 and WMT23 write at most 1.4 % as the reference has them."""

_EQUAL_TO_SOURCE = 0.05
_SAME_LANGUAGE = 0.3
"""Of the words of two columns: a source and its translation share .02 to .13, texts of one language .72 or more."""

_LEAST_CORRELATION, _MOST_TIMES_AS_LONG = 0.8, 5
"""Of the logarithms of lengths: .94 to 1 for translations. Chinese takes a quarter of the characters of English."""

_MOST_SYMBOLS, _LEAST_LETTERS, _MOST_QUERIES = 0.02, 0.6, 0.2
"""Of characters, of characters and of texts: prose of WMT has at most .005 of such symbols."""

_LEAST_PHRASES = 0.01
_BLANK = re.compile(r"\s+")
_LETTERS = re.compile(r"[^\W\d_]|[^\x00-\x7f]")
"""Letters, and the vowel signs of scripts that write them apart."""
_SYMBOLS = re.compile(r"[{}\[\]<>=_;\\|*/&$#@^~`()]")
_QUERY = re.compile(
    r"\s*(?:select|insert\s+into|update|delete\s+from|create\s+table|with\s+\w+\s+as|sparql|prefix)\s", re.IGNORECASE
)
_LANGUAGE_MODEL = re.compile(
    r"(?<![a-z])(?:chatgpt|gpt|claude|gemini|gemma|palm|bard|llama|alpaca|vicuna|mistral|mixtral|ministral|qwen|deepseek"
    r"|command[-_ ]?[ra](?![a-z])|cohere|aya(?![a-z])|tower|alma(?![a-z])|phi[-_ ]?\d|falcon|bloom|yi[-_]\d|olmo|grok"
    r"|salamandra|eurollm|teuken|glm|ernie|kimi|language[-_ ]?model|assistant|instruct|chat|prompt)"
    r"|llm|\d[-_ ]?shot|(?:few|zero|one)[-_ ]?shot",
    re.IGNORECASE,
)
"""Names of language models, and what only these are told or given. A name that is missed here has to pass the test of
outputs."""


@dataclass(frozen=True, eq=False)
class Kinship:
    """What is known of the texts of a test set and of each two of its systems.

    Attributes:
        outputs: Of each system by its name, at most ``MAX_SEGMENTS`` evenly spaced texts, as all that follow.
        reference: The first one of each segment.
        source: ``None`` where there is none.
        languages: Of source and target, as the test set has them.
        files: What the texts of each system were read from, where that is known.
    """

    outputs: Mapping[str, Sequence[str]]
    reference: Sequence[str]
    source: Sequence[str] | None
    languages: tuple[str | None, str | None]
    files: Mapping[str, str | None]
    _doubts: dict[tuple[str, str], Doubt | None] = field(default_factory=dict, init=False, repr=False)
    _answers: dict[tuple[str, str], bool] = field(default_factory=dict, init=False, repr=False)

    @classmethod
    def of(cls, test_set: TestSet) -> Self:
        """Of the texts of a test set."""
        step = max(1, -(-test_set.n_segments // MAX_SEGMENTS))
        references = zip(*(column[::step] for column in test_set.references), strict=True)
        return cls(
            {system.name: tuple(map(str.strip, system.hypotheses[::step])) for system in test_set.systems},
            tuple(next((text.strip() for text in texts if text), "") for texts in references),
            None if test_set.source is None else tuple(map(str.strip, test_set.source[::step])),
            test_set.languages,
            {system.name: system.file for system in test_set.systems},
        )

    def doubt(self, first: str, second: str) -> Doubt | None:
        """Why two systems are not known to be versions of one that translates; ``None`` where they are.

        It errs towards doubt: what cannot be seen in the texts is not known.
        """
        if (first, second) not in self._doubts:
            self._doubts[first, second] = self._doubt(first, second)
        return self._doubts[first, second]

    def _doubt(self, first: str, second: str) -> Doubt | None:
        if not self._are_translations:
            return "texts"
        if self._reference_derives:
            return "reference"
        if self._is_named_language_model(first) != self._is_named_language_model(second):
            return "language model"
        if self._equal(self.outputs[first], self.outputs[second]) < _EQUAL_OF_KIN:
            return "kinship"
        if not all(self._once(self._is_translation, name) for name in (first, second)):
            return "texts"
        spoken = [self._once(self._speaks_like_language_model, name) for name in (first, second)]
        return "language model" if any(spoken) and not all(spoken) else None

    @cached_property
    def _are_translations(self) -> bool:
        """Whether the references are a text of natural language, and of another one than the source."""
        source_language, target_language = ((tag or "").partition("-")[0].lower() for tag in self.languages)
        are_known = bool(source_language and target_language)
        if (are_known and source_language == target_language) or not _is_prose(self.reference):
            return False
        if np.count_nonzero(self._is_long) < _LEAST_LONG:
            return False
        if self.source is None:
            return are_known
        is_other = _shared(words(self.source), self._words) < _SAME_LANGUAGE
        return is_other and _is_prose(self.source) and self._is_translation(self.reference)

    def _once(self, question: Callable[[Sequence[str]], bool], name: str) -> bool:
        """The answer for the outputs of a system, found once for all its pairs."""
        place = question.__name__, name
        if place not in self._answers:
            self._answers[place] = question(self.outputs[name])
        return self._answers[place]

    def _is_translation(self, texts: Sequence[str]) -> bool:
        """Whether texts are as long as translations are, in the language of the references, and not the source."""
        original = self.reference if self.source is None else self.source
        if _correlation(original, texts) < _LEAST_CORRELATION or not _are_of_like_length(original, texts):
            return False
        if self.source is not None and self._equal(texts, self.source) >= _EQUAL_TO_SOURCE:
            return False
        return texts is self.reference or _shared(words(texts), self._words) >= _SAME_LANGUAGE

    @cached_property
    def _reference_derives(self) -> bool:
        return any(self._equal(texts, self.reference) >= _EQUAL_TO_REFERENCE for texts in self.outputs.values())

    @cached_property
    def _words(self) -> Words:
        """Of the references."""
        return words(self.reference)

    @cached_property
    def _is_long(self) -> list[bool]:
        is_long: list[bool] = (self._words.lengths >= _LONG).tolist()
        return is_long

    def _equal(self, texts: Sequence[str], others: Sequence[str]) -> float:
        """The share of long segments whose texts are the same, 0 to 1."""
        same = [one == other for one, other, is_long in zip(texts, others, self._is_long, strict=True) if is_long]
        return sum(same) / max(1, len(same))

    def _is_named_language_model(self, name: str) -> bool:
        return any(_LANGUAGE_MODEL.search(one) for one in (name, self.files[name] or ""))

    def _speaks_like_language_model(self, texts: Sequence[str]) -> bool:
        """Whether outputs begin with words about the translation, or refuse it."""
        column = pa.array(texts, pa.large_string())
        found = pc.or_(*(pc.match_substring_regex(column, phrases) for phrases in (PREAMBLE, REFUSAL)))
        return bool(found.sum().as_py() >= _LEAST_PHRASES * len(texts))


def _is_prose(texts: Sequence[str]) -> bool:
    """Whether texts are mostly letters, and neither programs, markup nor queries of a database."""
    characters = _BLANK.sub("", "".join(texts))
    if not characters or len(_SYMBOLS.findall(characters)) >= _MOST_SYMBOLS * len(characters):
        return False
    if len(_LETTERS.findall(characters)) < _LEAST_LETTERS * len(characters):
        return False
    return sum(_QUERY.match(text) is not None for text in texts) < _MOST_QUERIES * len(texts)


def _correlation(texts: Sequence[str], others: Sequence[str]) -> float:
    """Pearson's r of the logarithms of lengths in characters; 0 where one side is constant."""
    lengths, other_lengths = _lengths(texts), _lengths(others)
    if min(lengths.std(), other_lengths.std()) == 0:
        return 0.0
    return float(np.corrcoef(lengths, other_lengths)[0, 1])


def _are_of_like_length(texts: Sequence[str], others: Sequence[str]) -> bool:
    ratio = sum(map(len, texts)) / max(1, sum(map(len, others)))
    return 1 / _MOST_TIMES_AS_LONG <= ratio <= _MOST_TIMES_AS_LONG


def _lengths(texts: Sequence[str]) -> Floats:
    return np.log1p(np.fromiter(map(len, texts), np.float64, len(texts)))


def _shared(some: Words, others: Words) -> float:
    """The share of words that two columns have in common, repeats only as often as in both, 0 to 1."""
    shares = [np.bincount(each.ids, minlength=N_WORD_IDS) / max(1, len(each.ids)) for each in (some, others)]
    return float(np.minimum(*shares).sum())
