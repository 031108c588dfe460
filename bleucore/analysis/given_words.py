"""Words told apart by what somebody gives with them: a label of each token, or a list of words and phrases.

Words are counted as whole numbers: here each word with its label, and each phrase of a list, gets a number of its own.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from bleucore.analysis.type_counts import ngram_places
from bleucore.counts import Ints
from bleucore.errors import InputError
from bleucore.formats import decoding
from bleucore.tokens.matching import SegmentTokens
from bleucore.written_numbers import counted

MAX_BYTES = 1 << 28
"""Of a file."""
MAX_LABELS = 100
"""Different ones: what has more is no file of labels."""
MOST_TOKENS_NAMED = 12
LISTED, OTHERS = "words of the list", "other words"


@dataclass(frozen=True)
class LabelFile:
    """The labels of a column of texts.

    Attributes:
        name: Of the file.
        lines: For each segment the labels of its tokens, with blanks between them.
    """

    name: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class GivenWords:
    """What words can be told apart by.

    Attributes:
        references: Labels of each reference.
        outputs: Labels of A and of B, or of neither.
        listed: Words, or phrases of several tokens.
    """

    references: tuple[LabelFile, ...] = ()
    outputs: tuple[LabelFile, ...] = ()
    listed: tuple[str, ...] = ()


class Occurrences(NamedTuple):
    """The words of a column of texts, in order: the segment of each, and its number."""

    segments: Ints
    words: Ints


@dataclass(frozen=True)
class NumberedWords:
    """The words of all texts, numbered.

    Attributes:
        outputs: Of A and of B: as they are held against each reference.
        references: Each column.
        texts: What each number stands for.
        buckets: The names of the buckets.
        of_word: The bucket of each number; -1 for none.
    """

    outputs: tuple[tuple[Occurrences, ...], ...]
    references: tuple[Occurrences, ...]
    texts: tuple[str, ...]
    buckets: tuple[str, ...]
    of_word: Ints


def read_lines(name: str, data: bytes) -> tuple[str, ...]:
    """The lines of a file of labels, or of a list.

    Raises:
        InputError: It is empty, or no text.
    """
    return tuple(decoding.lines_of(name, decoding.decode(name, decoding.unpack(name, data, MAX_BYTES))))


def words_by_label(
    outputs: Sequence[SegmentTokens], references: Sequence[SegmentTokens], vocabulary: Sequence[str], given: GivenWords
) -> NumberedWords:
    """Words with their labels: the same word with another label is another word.

    Where outputs have no labels of their own, a word of an output has that of the same word in the reference of the
    segment, the first of them that of the first; beyond these, the label that the word has most often in the
    references. A word that no reference has is in no bucket then.

    Args:
        outputs: Of A and of B.
        references: R columns.
        vocabulary: The token of each id.
        given: Labels of every reference, and perhaps of A and of B.

    Raises:
        InputError: Labels are missing, are not as many as the tokens, or are of too many kinds.
    """
    _check_numbers(given, len(references), len(outputs))
    files, columns = [*given.references, *given.outputs], [*references, *outputs[: len(given.outputs)]]
    texts = [_labels(file, column, vocabulary) for file, column in zip(files, columns, strict=True)]
    names, encoded = _ranked_labels(texts, len(references))
    labels, n_labels = np.split(encoded, np.cumsum([len(column.ids) for column in columns])[:-1]), len(names) + 1
    of_references = [column.ids * n_labels + of_column for column, of_column in zip(references, labels, strict=False)]
    if given.outputs:
        of_outputs = [
            [column.ids * n_labels + of_column] * len(references)
            for column, of_column in zip(outputs, labels[len(references) :], strict=True)
        ]
    else:
        usual = _usual_labels(np.concatenate(of_references), n_labels, len(vocabulary))
        of_outputs = [
            [
                _as_in(reference, keys, column, n_labels, usual)
                for reference, keys in zip(references, of_references, strict=True)
            ]
            for column in outputs
        ]
    distinct = np.unique(np.concatenate([*of_references, *(keys for one in of_outputs for keys in one)]))

    def numbered(column: SegmentTokens, keys: Ints) -> Occurrences:
        return Occurrences(segments_of(column), np.searchsorted(distinct, keys))

    found = distinct % n_labels
    return NumberedWords(
        tuple(tuple(numbered(column, keys) for keys in one) for column, one in zip(outputs, of_outputs, strict=True)),
        tuple(numbered(column, keys) for column, keys in zip(references, of_references, strict=True)),
        tuple(vocabulary[word] for word in (distinct // n_labels).tolist()),
        names,
        np.where(found == len(names), -1, found),
    )


def words_of_list(
    outputs: Sequence[SegmentTokens],
    references: Sequence[SegmentTokens],
    vocabulary: Sequence[str],
    listed: Sequence[Sequence[int]],
) -> NumberedWords:
    """The words and phrases of a list, and all tokens that are in none of them.

    Args:
        outputs: Of A and of B.
        references: R columns.
        vocabulary: The token of each id.
        listed: The token ids of each, at least one.
    """
    phrases = list(dict.fromkeys(tuple(phrase) for phrase in listed))
    by_length = {
        length: [place for place, phrase in enumerate(phrases) if len(phrase) == length]
        for length in sorted({len(phrase) for phrase in phrases})
    }

    def found(column: SegmentTokens) -> Occurrences:
        is_other, starts, words = np.ones(len(column.ids), np.bool_), list[Ints](), list[Ints]()
        for length, some in by_length.items():
            begins, which = ngram_places(np.array([phrases[one] for one in some]), column, len(vocabulary))
            is_other[begins[:, None] + np.arange(length)] = False
            starts.append(begins)
            words.append(np.array(some)[which])
        others = np.flatnonzero(is_other)
        return Occurrences(
            segments_of(column)[np.concatenate([*starts, others])],
            np.concatenate([*words, column.ids[others] + len(phrases)]),
        )

    return NumberedWords(
        tuple((found(column),) * len(references) for column in outputs),
        tuple(found(column) for column in references),
        (*(" ".join(vocabulary[token] for token in phrase) for phrase in phrases), *vocabulary),
        (LISTED, OTHERS),
        np.repeat([0, 1], [len(phrases), len(vocabulary)]),
    )


def segments_of(column: SegmentTokens) -> Ints:
    """The segment of each token."""
    return np.repeat(np.arange(len(column.offsets) - 1), column.lengths)


def _check_numbers(given: GivenWords, n_references: int, n_outputs: int) -> None:
    if len(given.references) != n_references:
        raise InputError(
            "every reference needs labels of its tokens",
            where="Labels of tokens",
            found=len(given.references),
            expected=n_references,
            remedy="Give a file for each reference, in the order of the references.",
        )
    if len(given.outputs) not in (0, n_outputs):
        raise InputError(
            "both outputs need labels of their tokens, or neither",
            where="Labels of tokens",
            found=len(given.outputs),
            expected=f"0 or {n_outputs}",
            remedy="Give those of A first, then those of B.",
        )


def _labels(file: LabelFile, column: SegmentTokens, vocabulary: Sequence[str]) -> list[str]:
    """The labels of the tokens of a column, in order."""
    n_segments = len(column.offsets) - 1
    if len(file.lines) != n_segments:
        raise InputError(
            "labels are not of these segments",
            where=file.name,
            found=f"{len(file.lines):,}",
            expected=counted(n_segments, "line"),
            remedy="Provide one line for each segment.",
        )
    found = list[str]()
    for segment, (line, length) in enumerate(zip(file.lines, column.lengths.tolist(), strict=True)):
        labels = line.split(maxsplit=length)  # what is more than a text has tokens, which can be a lot, in one piece
        found += labels
        if len(labels) != length:
            start = column.offsets[segment]
            tokens = [vocabulary[token] for token in column.ids[start : start + min(length, MOST_TOKENS_NAMED)]]
            named = f": {' '.join(tokens)}{' …' if length > MOST_TOKENS_NAMED else ''}" if tokens else ""
            raise InputError(
                "there is not one label for each token",
                where=file.name,
                line=segment + 1,
                found=sum(1 for _ in re.finditer(r"\S+", line)),
                expected=f"{length}{named}",
                remedy="Label the tokens as the scoring cuts them, or give texts that are cut already and the "
                "tokenizer 'none'.",
            )
    return found


def _ranked_labels(texts: Sequence[Sequence[str]], n_references: int) -> tuple[tuple[str, ...], Ints]:
    """The different labels, those that references have most often first, and the place of each label of all texts."""
    counts = Counter(label for labels in texts[:n_references] for label in labels)
    places = {label: place for place, (label, _) in enumerate(counts.most_common())}
    encoded = [places.setdefault(label, len(places)) for labels in texts for label in labels]
    if len(places) > MAX_LABELS:
        raise InputError(
            "there are too many different labels",
            where="Labels of tokens",
            found=f"{len(places):,}",
            expected=f"at most {MAX_LABELS}",
            remedy="Give labels such as parts of speech, not words.",
        )
    return tuple(places), np.array(encoded, np.int64)


def _usual_labels(keys: Ints, n_labels: int, n_words: int) -> Ints:
    """The label that each word has most often, (V,); the last one, which stands for none, where it has no label."""
    distinct, counts = np.unique(keys, return_counts=True)
    rising = np.lexsort((-distinct, counts))
    usual = np.full(n_words, n_labels - 1)
    usual[distinct[rising] // n_labels] = distinct[rising] % n_labels
    return usual


def _as_in(reference: SegmentTokens, labelled: Ints, output: SegmentTokens, n_labels: int, usual: Ints) -> Ints:
    """The words of an output with labels: the n-th of a word in a segment has that of the n-th in the reference."""
    wanted, known = (segments_of(column) * len(usual) + column.ids for column in (output, reference))
    ranks, known_ranks = _ranks(wanted), _ranks(known)
    n_ranks = 1 + max(int(ranks.max(initial=0)), int(known_ranks.max(initial=0)))
    keys, rising = wanted * n_ranks + ranks, np.argsort(known * n_ranks + known_ranks)
    known_keys = (known * n_ranks + known_ranks)[rising]
    labels = usual[output.ids]
    if len(known_keys):
        places = np.minimum(np.searchsorted(known_keys, keys), len(known_keys) - 1)
        is_known = known_keys[places] == keys
        labels[is_known] = labelled[rising][places[is_known]] % n_labels
    return output.ids * n_labels + labels


def _ranks(keys: Ints) -> Ints:
    """How many equal keys stand before each."""
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    ranks = np.empty(len(keys), np.int64)
    ranks[order] = np.arange(len(keys)) - np.searchsorted(ordered, ordered)
    return ranks
