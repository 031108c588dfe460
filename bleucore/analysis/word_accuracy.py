"""How well systems get words of some kind: rare ones, names, numbers; precision, recall and F1 of each kind.

A word is a token, as BLEU counts them; in each segment an output matches a word as often as it has it, at most as
often as the reference. So counts add up over segments, and their F1 is tested as any score is. Buckets of words by
their frequency are those of compare-mt (Neubig et al. 2019).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from types import MappingProxyType
from typing import Any

import numpy as np
import regex
from numpy.typing import NDArray

from bleucore.analysis.given_words import (
    GivenWords,
    NumberedWords,
    Occurrences,
    segments_of,
    words_by_label,
    words_of_list,
)
from bleucore.analysis.slices import SliceComparison, compare_family
from bleucore.corpus import TestSet
from bleucore.counts import Floats, Ints, Progress, read_only
from bleucore.errors import InputError
from bleucore.options import BleuOptions
from bleucore.significance import ComparedSystems, SignificanceOptions, TestSetUnits
from bleucore.tokens.matching import columns
from bleucore.tokens.tokenizers import TokenizedTexts, tokenize

FREQUENCY, FORM, LENGTH, LABEL, LIST = "frequency", "form", "length", "label", "list"
WORD_KINDS: Mapping[str, str] = MappingProxyType(
    {
        FREQUENCY: "how often the word occurs in the references (their mean, if several)",
        FORM: "the kind of characters in the word",
        LENGTH: "its number of characters",
        LABEL: "the label of each token; outputs without labels take those of the reference",
        LIST: "whether it is in a given list",
    }
)
"""By what words are put into buckets, and what that means."""
GIVEN_KINDS = (LABEL, LIST)
"""Those that need ``GivenWords``."""

FREQUENCIES = (1, 2, 3, 5, 10, 100, 1000)
LENGTHS = (1, 2, 3, 5, 8, 12)
"""Where the next bucket begins."""
FORMS: Mapping[str, str] = MappingProxyType(
    {
        "numbers": r"[\p{P}\p{S}]*\p{N}[\p{N}\p{P}\p{S}]*",
        "punctuation and signs": r"[\p{P}\p{S}]+",
        "words in capitals": r"(?=.*\p{Lu}.*\p{Lu})[^\p{Ll}]+",
        "words with a capital": r".*\p{Lu}.*",
        "words in lower case": r".*\p{Ll}.*",
        "words without case": r".*",
    }
)
"""The first that fits a word is its form."""
NOTHING_GIVEN = GivenWords()
MATCHED, IN_OUTPUT, IN_REFERENCE = range(3)
LEADING = 3


@dataclass(frozen=True)
class WordBucket:
    """Words of one kind, in two systems.

    Attributes:
        name: Which words.
        counts: Of A and of B, each (S, 3): matches, words of the output, words of the reference. Of several references
            of a segment it is the one with the most matches; of equal ones the first.
        won: The words of which B matches most more than A, with the matches of A and of B.
        lost: Those of which A does.
    """

    name: str
    counts: tuple[Ints, Ints]
    won: tuple[tuple[str, int, int], ...]
    lost: tuple[tuple[str, int, int], ...]

    @property
    def most_different(self) -> str | None:
        """The word that A and B match least alike; ``None`` where they match all alike."""
        found = sorted((*self.won, *self.lost), key=lambda one: -abs(one[2] - one[1]))
        return found[0][0] if found else None

    @property
    def sums(self) -> tuple[Ints, Ints]:
        """Over all segments, (3,) each."""
        first, second = self.counts
        return first.sum(axis=0), second.sum(axis=0)


def f1_score(counts: NDArray[Any]) -> Floats:
    """F1 (...) of counts (..., 3), 0 to 100: 0 where there are no words."""
    n_words = counts[..., IN_OUTPUT] + counts[..., IN_REFERENCE]
    return np.asarray(200.0 * counts[..., MATCHED] / np.maximum(n_words, 1))


def word_buckets(
    test_set: TestSet, pair: tuple[str, str], kind: str, options: BleuOptions, given: GivenWords = NOTHING_GIVEN
) -> tuple[WordBucket, ...]:
    """The words of two systems and of their references by kind; buckets without any are left out.

    Args:
        test_set: The texts.
        pair: Systems A and B.
        kind: One of ``WORD_KINDS``.
        options: Say how tokens are cut and whether case counts.
        given: Labels or a list, for the kinds that need them.

    Raises:
        InputError: There is no such kind, or what it needs is not given or does not fit the texts.
    """
    if kind not in WORD_KINDS:
        raise InputError(
            "words have no such kind", where="Words", found=repr(kind), expected=f"one of {', '.join(WORD_KINDS)}"
        )
    words = _numbered_words(test_set, pair, kind, options, given)
    n_segments, n_words = test_set.n_segments, len(words.texts)
    references = [_counted(column, n_words) for column in words.references]
    present = np.array([[text is not None for text in column] for column in test_set.references])
    results = [_matched(_counted_once(output, n_words), references, present, n_words) for output in words.outputs]
    by_word = [np.bincount(one.keys % n_words, one.matches, n_words) for one in results]
    gained = (by_word[1] - by_word[0]).astype(np.int64)
    found = []
    for bucket, name in enumerate(words.buckets):
        is_member = words.of_word == bucket
        sums = tuple(one.sums(is_member, n_words, n_segments) for one in results)
        if any(one[:, IN_OUTPUT:].any() for one in sums):
            members = np.flatnonzero(is_member & (gained != 0))
            order = members[np.argsort(-gained[members], kind="stable")]
            told = [(words.texts[word], int(by_word[0][word]), int(by_word[1][word])) for word in order]
            won = tuple(one for one in told if one[2] > one[1])[:LEADING]
            lost = tuple(one for one in told[::-1] if one[2] < one[1])[:LEADING]
            found.append(WordBucket(name, (sums[0], sums[1]), won, lost))
    return tuple(found)


def compare_words(
    buckets: Sequence[WordBucket],
    pair: tuple[str, str],
    units: TestSetUnits,
    options: SignificanceOptions,
    *,
    progress: Progress | None = None,
) -> SliceComparison:
    """F1 of two systems in each bucket: difference, interval and test, corrected for all buckets.

    Args:
        buckets: Of ``word_buckets``.
        pair: Their systems.
        units: What is known of the dependence between the segments.
        options: How to test.
        progress: Called with the share of the work done, 0 to 1, after each bucket.
    """
    can_be_tested = options.can_test(options.units_of(units).n_units)
    return compare_family(
        lambda index: ComparedSystems(list(zip(pair, buckets[index].counts, strict=True)), f1_score, whole=units),
        [can_be_tested] * len(buckets),
        replace(options, unit=options.unit_of(units)),
        progress=progress,
    )


@dataclass(frozen=True)
class _Counted:
    """The different words of each segment of a column: segment times V plus word, rising, and how often each."""

    keys: Ints
    numbers: Ints


@dataclass(frozen=True)
class _Matched:
    """What an output has, what the reference has that it is held against, and what both have."""

    output: _Counted
    reference: _Counted
    keys: Ints
    matches: Ints

    def sums(self, is_counted: NDArray[np.bool_], n_words: int, n_segments: int) -> Ints:
        """Matches, words of the output and of the reference, (S, 3), of the words (V,) that are counted."""
        columns = [(self.keys, self.matches), *((one.keys, one.numbers) for one in (self.output, self.reference))]
        summed = []
        for keys, numbers in columns:
            kept = is_counted[keys % n_words]
            summed.append(np.bincount(keys[kept] // n_words, numbers[kept], n_segments))
        return read_only(np.stack(summed, axis=-1).astype(np.int64))


def _numbered_words(
    test_set: TestSet, pair: tuple[str, str], kind: str, options: BleuOptions, given: GivenWords
) -> NumberedWords:
    """The words of A, B and the references, and the bucket of each."""
    texts = [*(test_set.system(name).hypotheses for name in pair), *test_set.references]
    written = [text or "" for column in texts for text in column]
    tokenized = tokenize([*written, *given.listed], options.tokenizer, lowercase=options.lowercase)
    vocabulary, n_written = tokenized.vocabulary.to_pylist(), len(written)
    cut = columns(tokenized.ids, tokenized.offsets[: n_written + 1], len(texts))
    outputs, references = cut[:2], cut[2:]
    if kind == LABEL:
        return words_by_label(outputs, references, vocabulary, given)
    if kind == LIST:
        return words_of_list(outputs, references, vocabulary, _listed(tokenized, n_written))
    names, of_word = _sorted_out(kind, vocabulary, [column.ids for column in references])
    return NumberedWords(
        tuple((Occurrences(segments_of(column), column.ids),) * len(references) for column in outputs),
        tuple(Occurrences(segments_of(column), column.ids) for column in references),
        tuple(vocabulary),
        names,
        of_word,
    )


def _listed(tokenized: TokenizedTexts, n_before: int) -> list[list[int]]:
    """The token ids of the texts behind others, without empty ones.

    Raises:
        InputError: There is none.
    """
    edges = tokenized.offsets[n_before:].tolist()
    found = [tokenized.ids[start:stop].tolist() for start, stop in pairwise(edges) if stop > start]
    if not found:
        raise InputError("the list has no word", where="List of words", remedy="Give one word or phrase a line.")
    return found


def _counted(column: Occurrences, n_words: int) -> _Counted:
    return _Counted(*np.unique(column.segments * n_words + column.words, return_counts=True))


def _counted_once(output: Sequence[Occurrences], n_words: int) -> list[_Counted]:
    """The words of an output as they are held against each reference, mostly the same ones."""
    found = {id(one): _counted(one, n_words) for one in output}
    return [found[id(one)] for one in output]


def _matched(
    outputs: Sequence[_Counted], references: Sequence[_Counted], present: NDArray[np.bool_], n_words: int
) -> _Matched:
    """The output, as it is held against each reference, with that one of each segment that it matches most."""
    n_segments = present.shape[1]
    of_each, totals = [], np.empty(present.shape)
    for place, (output, reference) in enumerate(zip(outputs, references, strict=True)):
        keys, own, others = np.intersect1d(output.keys, reference.keys, assume_unique=True, return_indices=True)
        matches = np.minimum(output.numbers[own], reference.numbers[others])
        of_each.append((keys, matches))
        totals[place] = np.where(present[place], np.bincount(keys // n_words, matches, n_segments), -1)
    best = np.argmax(totals, axis=0)

    def of_best(pairs: Sequence[tuple[Ints, Ints]]) -> tuple[Ints, Ints]:
        kept = [(keys, best[keys // n_words] == place, numbers) for place, (keys, numbers) in enumerate(pairs)]
        return (
            np.concatenate([keys[which] for keys, which, _ in kept]),
            np.concatenate([numbers[which] for _, which, numbers in kept]),
        )

    output, reference = (
        _Counted(*of_best([(one.keys, one.numbers) for one in held])) for held in (outputs, references)
    )
    return _Matched(output, reference, *of_best(of_each))


def _sorted_out(kind: str, words: Sequence[str], references: Sequence[Ints]) -> tuple[tuple[str, ...], Ints]:
    """The names of the buckets, and the bucket of each word, (V,); -1 for one that no reference has."""
    if kind == FORM:
        patterns = [regex.compile(pattern, regex.DOTALL) for pattern in FORMS.values()]
        forms = [next(place for place, one in enumerate(patterns) if one.fullmatch(word)) for word in words]
        return tuple(FORMS), np.array(forms, np.int64)
    if kind == LENGTH:
        return _steps(LENGTHS, "{}"), np.searchsorted(LENGTHS, [len(word) for word in words], side="right") - 1
    totals = np.bincount(np.concatenate(references), minlength=len(words))
    means = np.ceil(totals / len(references))
    return _steps(FREQUENCIES, "{} times"), np.searchsorted(FREQUENCIES, means, side="right") - 1


def _steps(starts: Sequence[int], form: str) -> tuple[str, ...]:
    """The names of buckets that begin at these numbers."""
    ends = [*(start - 1 for start in starts[1:]), None]
    spans = [
        f"{start} or more" if end is None else str(start) if start == end else f"{start}–{end}"
        for start, end in zip(starts, ends, strict=True)
    ]
    return tuple("once" if form.format(span) == "1 times" else form.format(span) for span in spans)
