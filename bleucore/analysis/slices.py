"""Slices: the segments divided by document, length, rarity of words or label, and two systems compared on each."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from types import MappingProxyType
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from bleucore.corpus import TestSet
from bleucore.counts import Floats, Ints, Progress, group_sums, read_only
from bleucore.errors import InputError
from bleucore.options import BleuOptions
from bleucore.significance import (
    ComparedSystems,
    Comparison,
    PairComparison,
    SignificanceOptions,
    blocks_of_documents,
    compare,
    corrected,
)
from bleucore.tokens.tokenizers import tokenize

DOCUMENT, REFERENCE_LENGTH, SOURCE_LENGTH, RARITY = "document", "reference length", "source length", "rarity of words"
LABEL = "label "
"""Before the name of a label column."""
QUESTION = "question "
"""Before a condition."""
HOLDS = "it holds"

SMALL = 30
"""A slice of fewer segments is small: a few of them decide its difference."""
MAX_LENGTH_BUCKETS = 6
"""As many buckets of equal width reach to the length that 19 of 20 segments stay within."""
MANY_CHARACTERS = 10
"""Words longer than this on the whole are no words: the text has no blanks between them."""


@dataclass(frozen=True)
class Slicing:
    """The segments divided into slices.

    Attributes:
        kind: By what: one of ``slice_kinds``.
        names: G names, each of its own.
        groups: (S,), the slice of each segment, 0 to G - 1. Read-only.
        is_ordered: Whether the slices follow on each other, as lengths do; documents and labels do not.
        rule: How the segments were divided, in words.
    """

    kind: str
    names: tuple[str, ...]
    groups: Ints
    is_ordered: bool
    rule: str

    @property
    def n_slices(self) -> int:
        """G. No slice is empty."""
        return len(self.names)

    @property
    def question(self) -> str | None:
        """The condition that slices of ``slice_by_question`` are of."""
        return self.kind.removeprefix(QUESTION) if self.kind.startswith(QUESTION) else None

    @property
    def sizes(self) -> Ints:
        """How many segments each slice has, (G,)."""
        return np.bincount(self.groups, minlength=self.n_slices)

    def segments(self, index: int) -> Ints:
        """The segments of a slice, in order."""
        return np.flatnonzero(self.groups == index)


@dataclass(frozen=True)
class SliceComparison:
    """Systems A and B on some of the slices.

    Attributes:
        options: The settings of the test.
        tests: By the index of the slice: B compared with A there, p corrected for all slices that can be tested.
        n_tests: How many tests the correction allows for: those made, and one for each slice that was not chosen and
            has enough units.
        has_stars: Whether a small p-value counts as significant; see ``SignificanceOptions.has_stars``.
    """

    options: SignificanceOptions
    tests: Mapping[int, PairComparison]
    n_tests: int
    has_stars: bool = True

    def named_as(self, pair: tuple[str, str]) -> "SliceComparison":
        """The same results under other names of A and B."""
        tests = {index: replace(test, name=pair[1], other=pair[0]) for index, test in self.tests.items()}
        return replace(self, tests=MappingProxyType(tests))

    def is_significant(self, index: int) -> bool:
        """Whether the corrected p-value of a slice is below the significance level, where that counts."""
        p_value = self.tests[index].corrected_p_value
        return self.has_stars and p_value is not None and p_value < self.options.level


def slice_kinds(test_set: TestSet) -> tuple[str, ...]:
    """By what the segments of a test set can be divided."""
    kinds = [DOCUMENT] if test_set.documents is not None else []
    kinds.append(REFERENCE_LENGTH)
    kinds += [SOURCE_LENGTH] if test_set.source is not None else []
    return (*kinds, RARITY, *(LABEL + name for name in test_set.labels))


def slice_segments(test_set: TestSet, kind: str, options: BleuOptions) -> Slicing:
    """The segments divided by one of ``slice_kinds``.

    Args:
        test_set: What is divided.
        kind: By what.
        options: Say how tokens are cut and whether case counts.

    Raises:
        InputError: The test set cannot be divided so.
    """
    kinds = slice_kinds(test_set)
    if kind not in kinds:
        raise InputError(
            "the test set cannot be sliced so", where="Slices", found=repr(kind), expected=f"one of {', '.join(kinds)}"
        )
    if kind == REFERENCE_LENGTH:
        what = "length of the reference in tokens"
        what += " (mean of the references)" if len(test_set.references) > 1 else ""
        return _by_length(kind, _reference_lengths(test_set, options), what)
    if kind == RARITY:
        return _by_share(kind, _rare_shares(test_set, options))
    if kind == SOURCE_LENGTH and test_set.source is not None:
        lengths, unit = _source_lengths(test_set.source)
        return _by_length(kind, lengths, f"length of the source in {unit}")
    if kind == DOCUMENT and test_set.documents is not None:
        return _by_value(kind, test_set.documents, "one per document")
    name = kind.removeprefix(LABEL)
    return _by_value(kind, test_set.labels[name], f"every value of the label {name} is a slice")


def slice_by_question(question: str, holds: NDArray[np.bool_]) -> Slicing:
    """The segments (S,) for which something holds, and the others."""
    names = (HOLDS, "it does not")
    return _without_empty(
        QUESTION + question, names, np.where(holds, 0, 1), f"whether it holds of the segment: {question}"
    )


def slice_scores(counts: NDArray[Any], slicing: Slicing, score: Callable[[NDArray[Any]], Floats]) -> Floats:
    """The score of each slice as a corpus of its own, (G,), from counts (S, C)."""
    return score(group_sums(counts, slicing.groups, slicing.n_slices))


def compare_slices(
    systems: ComparedSystems,
    slicing: Slicing,
    options: SignificanceOptions,
    *,
    chosen: Sequence[int] | None = None,
    progress: Callable[[float], None] | None = None,
) -> SliceComparison:
    """Difference, interval and test of two systems on each of the chosen slices.

    All slices with at least six units are one family of tests, whether they are chosen or not: for the correction,
    those that are not chosen count as tests with a p-value of 1. So p of a slice is never smaller than if all had been
    tested, and users may choose slices by their differences. Each slice keeps the units of the whole test set, and has
    neither a test nor an interval where it has fewer than six of them, as a document has. Each slice has draws of its
    own, so that Holm's correction replaces max-t.

    Args:
        systems: A and B, on all segments.
        slicing: Of the same segments.
        options: How to test.
        chosen: The indices of the slices; all unless given.
        progress: Called with the share of the work done, 0 to 1, after each slice.
    """
    layout = systems.units(options).layout
    units = np.arange(systems.n_segments) if layout is None else layout.groups
    n_units = np.bincount(np.unique(np.stack([slicing.groups, units]), axis=1)[0], minlength=slicing.n_slices)
    return compare_family(
        lambda index: systems.selected(slicing.segments(index)),
        [options.can_test(number) for number in n_units.tolist()],
        replace(options, unit=options.unit_of(systems.known_units)),
        chosen=chosen,
        progress=progress,
    )


def compare_family(
    systems_of: Callable[[int], ComparedSystems],
    can_be_tested: Sequence[bool],
    options: SignificanceOptions,
    *,
    chosen: Sequence[int] | None = None,
    progress: Progress | None = None,
) -> SliceComparison:
    """Two systems in each member of a family of tests that have draws of their own; p is corrected for all members.

    Intervals are simultaneous, by Bonferroni's inequality, where p-values are corrected by Holm's method.

    Args:
        systems_of: Of a member's index: A and B there.
        can_be_tested: Of each member, whether it has enough units.
        options: How to test.
        chosen: The members to test; all unless given.
        progress: Called with the share of the work done, 0 to 1, after each of them.
    """
    if options.correction == "max-t":
        options = replace(options, correction="holm")
    options = options.of_family(sum(can_be_tested))
    indices = list(range(len(can_be_tested))) if chosen is None else list(chosen)
    compared, tests = list[Comparison](), list[PairComparison]()
    for done, index in enumerate(indices, start=1):
        systems = systems_of(index)
        (first, _), (second, _) = systems.systems
        compared.append(compare(systems, options))
        tests.append(compared[-1].pair(second, first))
        if progress is not None:
            progress(done / len(indices))
    others = [1.0] * sum(can for index, can in enumerate(can_be_tested) if index not in set(indices))
    family = [test.p_value for test in tests] + others
    n_tests = sum(p is not None for p in family)
    p_values = corrected(family, options.correction)[: len(tests)]
    found = zip(indices, compared, tests, p_values, strict=True)
    return SliceComparison(
        options,
        MappingProxyType({index: each.in_family_of(test, p, n_tests) for index, each, test, p in found}),
        n_tests,
        all(each.has_stars for each in compared),
    )


def _by_value(kind: str, values: Sequence[str], rule: str) -> Slicing:
    """A slice for each value, in the order in which they first appear."""
    layout = blocks_of_documents(values)
    return Slicing(kind, layout.documents or (), layout.groups, is_ordered=False, rule=rule)


def _by_length(kind: str, lengths: Ints, what: str) -> Slicing:
    """Buckets of one round width; the last is open and has at least a twentieth of the segments."""
    usual = float(np.quantile(lengths, 0.95))
    width = _round_width(usual / MAX_LENGTH_BUCKETS)
    n_closed = max(1, math.ceil(usual / width) - 1)
    edges = width * np.arange(1, n_closed + 1)  # the largest length of each bucket but the last
    lowest = [min(1, int(lengths.min())), *(edges + 1).tolist()]
    names = [f"{low}–{high}" if low < high else str(high) for low, high in zip(lowest, edges.tolist(), strict=False)]
    names.append(f"{lowest[-1]} or more")
    return _without_empty(
        kind, names, np.searchsorted(edges, lengths), f"{what}, in steps of {width}, the last without a limit"
    )


def _by_share(kind: str, shares: Floats) -> Slicing:
    """Four parts cut at the quartiles, rounded; fewer where many segments have the same share."""
    percent = 100 * shares
    quartiles = np.quantile(percent, [0.25, 0.5, 0.75])
    edges = np.unique([float(f"{edge:.2g}") for edge in quartiles])
    written = [f"{edge:g}" for edge in edges]
    names = [f"below {written[0]} %"]
    names += [f"{low} % to below {high} %" for low, high in pairwise(written)]
    names.append(f"{written[-1]} % or more")
    rule = (
        "share of the tokens of a segment's references that stand in the references of no other segment, cut at its "
        "quartiles (rounded)"
    )
    return _without_empty(kind, names, np.searchsorted(edges, percent, side="right"), rule)


def _without_empty(kind: str, names: Sequence[str], groups: Ints, rule: str) -> Slicing:
    """The buckets that have a segment, in order."""
    used, numbered = np.unique(groups, return_inverse=True)
    return Slicing(kind, tuple(names[index] for index in used), read_only(numbered), is_ordered=True, rule=rule)


def _round_width(width: float) -> int:
    """The next larger of 1, 2 or 5 times a power of ten."""
    power = 1
    while 5 * power < width:
        power *= 10
    return next(step * power for step in (1, 2, 5) if step * power >= width)


def _reference_lengths(test_set: TestSet, options: BleuOptions) -> Ints:
    """The tokens of each segment's reference, (S,); of several the mean, rounded."""
    segments, *_ = _reference_tokens(test_set, options)
    n_references = np.sum([[text is not None for text in column] for column in test_set.references], axis=0)
    lengths: Ints = np.rint(np.bincount(segments, minlength=test_set.n_segments) / n_references).astype(np.int64)
    return lengths


def _source_lengths(source: Sequence[str]) -> tuple[Ints, str]:
    """The words of each source (S,), or its characters where it has no blanks between words; and which of these."""
    words = np.array([len(text.split()) for text in source])
    characters = np.array([len("".join(text.split())) for text in source])
    if characters.sum() > MANY_CHARACTERS * words.sum():
        return characters, "characters"
    return words, "words"


def _rare_shares(test_set: TestSet, options: BleuOptions) -> Floats:
    """The share of the reference tokens of each segment that the references of no other segment have, (S,), 0 to 1."""
    segments, ids, n_ids = _reference_tokens(test_set, options)
    pairs = pa.array(segments * n_ids + ids).unique().to_numpy()  # by hashing: sorting takes three times as long
    in_segments = np.bincount(pairs % n_ids, minlength=n_ids)
    n_rare = np.bincount(segments, weights=in_segments[ids] == 1, minlength=test_set.n_segments)
    n_tokens = np.bincount(segments, minlength=test_set.n_segments)
    shares: Floats = n_rare / np.maximum(n_tokens, 1)
    return shares


def _reference_tokens(test_set: TestSet, options: BleuOptions) -> tuple[Ints, Ints, int]:
    """All tokens of all references: the segment and the id of each, and more than any id."""
    texts = [text or "" for column in test_set.references for text in column]
    tokenized = tokenize(texts, options.tokenizer, lowercase=options.lowercase)
    segments = np.tile(np.arange(test_set.n_segments), len(test_set.references))
    return np.repeat(segments, tokenized.lengths), tokenized.ids.astype(np.int64), len(tokenized.vocabulary) + 1
