"""What BLEU points were lost to, by kind of error: parts that add up to 100 - BLEU, or to a difference of two systems.

The line that ``bleucore.analysis.attribution`` integrates runs from the counts of the output to those of a perfect
output, which repeats that reference of each segment which the output covers best. On it, each n-gram of the output that
no reference has costs what one more match of its order is worth; the tokens and joints that break the n-gram share
that equally (``bleucore.analysis.token_kinds``). What a perfect output has more n-grams goes to the reference tokens
that are missing; what it has fewer is taken off what the n-grams of the segment cost. The rest, what the lengths of
outputs and references do through the brevity penalty, is of the kind ``length``. The difference of two systems is
divided in the same way along the line between their counts. An n-gram that breaks at what both systems have wrong is
charged to that alone, so that an error costs what it breaks anew: planted next to other errors, it would cost 1.1 to
1.8 times what it takes off BLEU if all shared equally.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from bleucore.analysis.attribution import BleuAttribution, attribute
from bleucore.analysis.kind_rules import (
    ColumnKinds,
    Facts,
    RuleMaterial,
    capitals_tell_names,
    chosen_references,
    column_kinds,
)
from bleucore.analysis.token_kinds import LENGTH, MISSING, N_KINDS, NO_KIND, ORDER, SegmentKinds
from bleucore.analysis.type_counts import best_covered
from bleucore.corpus import TestSet
from bleucore.counts import Floats, Ints, Progress, group_sums, read_only
from bleucore.metrics.bleu import counts_by_choice
from bleucore.options import BleuOptions
from bleucore.tokens.matching import SegmentTokens, columns, totals
from bleucore.tokens.tokenizers import tokenize

Bools = NDArray[np.bool_]
_FIRST = 64.0
"""More than the breaks of an n-gram: what two systems share weighs more than all that only one has."""


@dataclass(frozen=True)
class KindLosses:
    """What a system lost to each of the ``KINDS``. All arrays are read-only.

    Attributes:
        system: Its name.
        score: Its BLEU.
        perfect: That of the perfect output: 100, but where lengths of references are averaged.
        segments: (S, 10), the points lost in each segment by kind.
        tokens: (S, 10), how many tokens of the output are of each kind, and how many of the reference are missing.
        kinds: (T,), the kind of each token of the outputs, end to end; ``NO_KIND`` where nothing is wrong.
        offsets: (S + 1,), where the outputs begin among these tokens.
        jump: What belongs to no segment, because the output lacks all matches of an order and the score is smoothed.
        reason: Why nothing is divided, in words, or ``None``.
        jump_reason: Why there is a jump, in words, or ``None``.
    """

    system: str
    score: float
    perfect: float
    segments: Floats
    tokens: Ints
    kinds: Ints
    offsets: Ints
    jump: float
    reason: str | None
    jump_reason: str | None

    @cached_property
    def losses(self) -> Floats:
        """The points lost to each kind, (10,); with ``jump`` they add up to ``perfect - score``."""
        return read_only(self.segments.sum(axis=0))

    @cached_property
    def counts(self) -> Ints:
        """How many tokens are of each kind, (10,)."""
        return read_only(self.tokens.sum(axis=0))

    def kinds_of(self, segment: int) -> list[int]:
        """The kind of each token of an output, as ``kinds_of_segments`` gives it; segments count from 0."""
        found: list[int] = self.kinds[self.offsets[segment] : self.offsets[segment + 1]].tolist()
        return found

    def groups(self, groups: Ints, n_groups: int) -> Floats:
        """The points lost by group of segments and kind, (G, 10): of documents, labels, buckets or filters.

        Args:
            groups: (S,), the group 0 to G - 1 of each segment; -1 leaves a segment out.
            n_groups: G.
        """
        return read_only(group_sums(self.segments, groups, n_groups))


@dataclass(frozen=True)
class KindStudy:
    """What one or two systems lost to each kind, and what makes the difference of two. All arrays are read-only.

    What B gains is integrated along the line from the counts of A to those of B, as every contribution is, and what a
    system lost along its own line to a perfect output; what both have wrong explains no gain. So a gain need not be
    what two losses differ by.

    Attributes:
        losses: Of A and B, or of one system.
        gains: (S, 10), what B gains over A in each segment by kind: the segment's contribution to the difference. Of
            one system nothing, (S, 0).
        jump: What of the difference belongs to no segment.
        reason: Why the difference is not divided, in words, or ``None``.
        jump_reason: Why there is a jump, in words, or ``None``.
    """

    losses: tuple[KindLosses, ...]
    gains: Floats
    jump: float = 0.0
    reason: str | None = None
    jump_reason: str | None = None

    def swapped(self) -> "KindStudy":
        """The same with B as A."""
        return replace(self, losses=self.losses[::-1], gains=read_only(-self.gains), jump=-self.jump)

    @property
    def compares(self) -> bool:
        """Whether there are two systems."""
        return len(self.losses) > 1

    def groups(self, groups: Ints, n_groups: int) -> Floats:
        """What B gains by group and kind, or what a single system loses: (G, 10), see ``KindLosses.groups``."""
        return (
            read_only(group_sums(self.gains, groups, n_groups))
            if self.compares
            else self.losses[0].groups(groups, n_groups)
        )

    @cached_property
    def total_gains(self) -> Floats:
        """What B gains by kind, (10,); with ``jump`` they add up to B's BLEU less A's."""
        return read_only(self.gains.sum(axis=0))


def study_kinds(
    test_set: TestSet, systems: Sequence[str], options: BleuOptions, *, progress: Progress | None = None
) -> KindStudy:
    """What systems lost to each kind, and what B gains over A by kind.

    Args:
        test_set: Holds the systems.
        systems: The names of A and B, or of one system.
        options: BLEU's.
        progress: Called with the share of the work done, 0 to 1, from time to time.

    Raises:
        InputError: There is no such system.
        ValueError: There are more than two systems.
    """
    if not 1 <= len(systems) <= 2:  # noqa: PLR2004  # one system, or A and B
        raise ValueError(f"{len(systems)} systems")
    texts, found = _Texts.of(test_set, systems, options), []
    for place in range(len(systems)):

        def report(share: float, done: int = place) -> None:
            if progress is not None:
                progress((done + share) / len(systems))

        found.append(_counted(texts, place, options, report))
    losses = tuple(_losses(name, one, options) for name, one in zip(systems, found, strict=True))
    if len(found) == 1:
        return KindStudy(losses, read_only(np.zeros((test_set.n_segments, 0))))
    first, second = found
    divided = attribute(first.own, second.own, options, names=(systems[0], systems[1]))
    shared = _in_both(found, texts.outputs)
    broken = _broken(first.kinds, shared[0]) - _broken(second.kinds, shared[1])
    gains = _weighed(broken, first.spare - second.spare, divided, second.own - first.own)
    jump = divided.difference if divided.reason is not None else divided.jump
    return KindStudy(losses, read_only(gains), jump, divided.reason, divided.jump_reason)


def kinds_of_segment(
    test_set: TestSet, system: str, segment: int, options: BleuOptions, *, capitals: bool | None = None
) -> SegmentKinds:
    """The kind of each token of one output.

    Args:
        test_set: The texts.
        system: Whose output.
        segment: Counted from 0.
        options: BLEU's.
        capitals: Whether a capital inside a sentence tells a name; ``None`` looks at the references for that.

    Raises:
        InputError: There is no such system.
    """
    found = _Texts.of(test_set, [system], options, rows=[segment], capitals=capitals).kinds(0, options.max_order)
    joints = found.joints.tolist()[:-1]
    return SegmentKinds(found.tokens.tolist(), joints, found.missing[1].tolist(), found.missing[2].tolist())


def kinds_of_segments(
    test_set: TestSet, systems: Sequence[str], segments: Sequence[int], options: BleuOptions, *, capitals: bool
) -> list[list[list[int]]]:
    """The kind of each token of some outputs: by system, segment and place; ``NO_KIND`` where nothing is wrong.

    Args:
        test_set: The texts.
        systems: Whose outputs.
        segments: Which ones, counted from 0.
        options: BLEU's.
        capitals: Whether a capital inside a sentence tells a name, as ``capitals_tell`` says.

    Raises:
        InputError: There is no such system.
    """
    texts = _Texts.of(test_set, systems, options, rows=segments, capitals=capitals)
    columns = [texts.kinds(place, options.max_order) for place in range(len(systems))]
    return [
        [kinds.tokens[start:stop].tolist() for start, stop in pairwise(kinds.offsets.tolist())] for kinds in columns
    ]


def capitals_tell(test_set: TestSet, options: BleuOptions) -> bool:
    """Whether a capital inside a sentence tells a name in the references of a test set."""
    return _Texts.of(test_set, [], options).material.capitals


@dataclass(frozen=True)
class _Texts:
    """Texts as token ids, and their tokens as written.

    Attributes:
        outputs: K columns of S segments.
        references: R columns, empty where absent.
        present: (R, S), whether the segment has that reference.
        written: The same columns with tokens as written, outputs first.
        material: What the rules look at.
    """

    outputs: Sequence[SegmentTokens]
    references: Sequence[SegmentTokens]
    present: NDArray[np.bool_]
    written: Sequence[SegmentTokens]
    material: RuleMaterial

    @classmethod
    def of(
        cls,
        test_set: TestSet,
        systems: Sequence[str],
        options: BleuOptions,
        *,
        rows: Sequence[int] | None = None,
        capitals: bool | None = None,
    ) -> "_Texts":
        """The texts of systems, all of them or those of some segments.

        Raises:
            InputError: There is no such system.
        """
        texts: list[Sequence[str | None]] = [test_set.system(name).hypotheses for name in systems]
        texts += test_set.references
        if rows is not None:
            texts = [[column[row] for row in rows] for column in texts]
        n_systems = len(systems)
        present = np.array([[text is not None for text in column] for column in texts[n_systems:]], np.bool_)
        flat = [text or "" for column in texts for text in column]
        cut, vocabulary = _cut(flat, len(texts), options)
        written, words = cut, vocabulary
        if options.lowercase:
            written, words = _cut(flat, len(texts), options, as_written=True)
        if any((one.lengths != other.lengths).any() for one, other in zip(cut, written, strict=True)):
            written, words = cut, vocabulary  # a tokenizer that cuts otherwise without case
        if options.empty_counts_as_token:
            there = np.vstack([np.ones((n_systems, present.shape[1]), np.bool_), present])
            cut = [one.with_empty_token(len(vocabulary), mask) for one, mask in zip(cut, there, strict=True)]
            written, words = cut, [*vocabulary, ""]
        references, facts = cut[n_systems:], Facts(words)
        if capitals is None:
            capitals = capitals_tell_names(written[n_systems:], facts)
        source = () if test_set.source is None else test_set.source
        of_rows = source if rows is None else [source[row] for row in rows if source]
        material = RuleMaterial(facts, _source_words(of_rows, words, options), capitals)
        return cls(cut[:n_systems], references, present, written, material)

    def best(self, column: int, max_order: int) -> Ints:
        """The reference of each segment that an output covers best, (S,)."""
        return best_covered(self.outputs[column], self.references, self.present, max_order)

    def kinds(self, column: int, max_order: int, report: Progress | None = None) -> ColumnKinds:
        """What is wrong with the outputs of a system."""
        best, n_systems = self.best(column, max_order), len(self.outputs)
        written = self.written[column], self.written[n_systems:], self.material
        return column_kinds(self.outputs[column], self.references, best, max_order, written, report)


def _cut(
    texts: Sequence[str], n_columns: int, options: BleuOptions, *, as_written: bool = False
) -> tuple[list[SegmentTokens], list[str]]:
    tokenized = tokenize(texts, options.tokenizer, lowercase=False if as_written else options.lowercase)
    return columns(tokenized.ids, tokenized.offsets, n_columns), tokenized.vocabulary.to_pylist()


def _source_words(source: Sequence[str], words: Sequence[str], options: BleuOptions) -> Ints:
    """The words of each source that other texts have, as ``RuleMaterial.source``."""
    if not len(source):
        return np.zeros(0, np.int64)
    tokenized = tokenize(source, options.tokenizer)
    (column,) = columns(tokenized.ids, tokenized.offsets, 1)
    ids = pc.index_in(tokenized.vocabulary, value_set=pa.array(words, tokenized.vocabulary.type)).fill_null(-1)
    own = ids.to_numpy().astype(np.int64)[column.ids]
    keys = np.repeat(np.arange(len(source)), column.lengths) * len(words) + own
    return np.unique(keys[own >= 0])


@dataclass(frozen=True)
class _Counted:
    """The counts of a system and of its perfect output, and what is between them.

    Attributes:
        own: (S, C), the counts of the output.
        ideal: (S, C), those of the perfect output.
        broken: (S, M, 10), n-grams of the output that are not credited, by kind.
        spare: (S, M, 10), n-grams that the perfect output has more, or fewer, by kind.
        tokens: (S, 10), tokens by kind.
        kinds: Of each token.
    """

    own: Ints
    ideal: Ints
    broken: Floats
    spare: Floats
    tokens: Ints
    kinds: ColumnKinds


def _counted(texts: _Texts, column: int, options: BleuOptions, report: Progress) -> _Counted:
    output, max_order = texts.outputs[column], options.max_order
    n_segments = len(output.lengths)
    best = texts.best(column, max_order)
    perfect = chosen_references(texts.references, best)
    all_references = [range(len(texts.references))]
    own, ideal = counts_by_choice([output, perfect], texts.references, texts.present, options, all_references)[0]
    found = texts.kinds(column, max_order, report)
    report(1.0)
    broken, missing = _broken(found), _by_kind(found.missing[0], found.missing[2], n_segments)
    surplus = totals(perfect.lengths, max_order) - totals(output.lengths, max_order)
    return _Counted(own, ideal, broken, _spare(surplus, broken, missing), _token_counts(found, missing), found)


def _losses(name: str, counted: _Counted, options: BleuOptions) -> KindLosses:
    divided = attribute(counted.own, counted.ideal, options, names=(name, "a perfect output"))
    losses = _weighed(counted.broken, counted.spare, divided, counted.ideal - counted.own)
    return KindLosses(
        name,
        divided.scores[0],
        divided.scores[1],
        read_only(losses),
        read_only(counted.tokens),
        read_only(counted.kinds.tokens),
        counted.kinds.offsets,
        divided.difference if divided.reason is not None else divided.jump,
        divided.reason,
        divided.jump_reason,
    )


def _weighed(broken: Floats, spare: Floats, divided: BleuAttribution, changes: NDArray[np.int64]) -> Floats:
    """Points by segment and kind, from n-grams (S, M, 10) that are no longer broken, and that are gained.

    Lengths act through the brevity penalty. What is left of a segment's contribution, where two systems are measured by
    references of different lengths, is of what is missing from these.
    """
    of_counts, max_order = divided.values.sum(axis=0), divided.max_order
    matched, total = of_counts[2 : 2 + max_order], of_counts[2 + max_order :]
    points: Floats = np.einsum("smk,m->sk", broken, matched) + np.einsum("smk,m->sk", spare, matched + total)
    points[:, LENGTH] += changes[:, :2] @ of_counts[:2]
    points[:, MISSING] += changes @ of_counts - points.sum(axis=1)
    return points


def _in_both(found: Sequence[_Counted], outputs: Sequence[SegmentTokens]) -> list[tuple[Bools, Bools]]:
    """Of two systems, which of the tokens and joints that break n-grams both have in a segment."""
    width = max(int(one.ids.max(initial=0)) for one in outputs) + 1
    tokens, joints = list[tuple[Ints, Ints]](), list[tuple[Ints, Ints]]()
    for one, column in zip(found, outputs, strict=True):
        ids, kinds = column.ids.astype(np.int64), one.kinds
        segments = np.repeat(np.arange(len(kinds.offsets) - 1), np.diff(kinds.offsets))
        wrong, broken = np.flatnonzero(kinds.tokens != NO_KIND), np.flatnonzero(kinds.joints != NO_KIND)
        tokens.append((wrong, segments[wrong] * width + ids[wrong]))
        joints.append((broken, segments[broken] * width + ids[broken]))
    seconds = [column.ids.astype(np.int64)[places + 1] for column, (places, _) in zip(outputs, joints, strict=True)]
    _, numbers = np.unique(np.concatenate([keys for _, keys in joints]), return_inverse=True)
    parts = np.split(numbers, [len(seconds[0])])
    joints = [(places, part * width + then) for (places, _), part, then in zip(joints, parts, seconds, strict=True)]
    sizes = [len(column.ids) for column in outputs]
    return [
        (_also_in(*tokens[own], tokens[1 - own][1], sizes[own]), _also_in(*joints[own], joints[1 - own][1], sizes[own]))
        for own in (0, 1)
    ]


def _also_in(places: Ints, own: Ints, other: Ints, size: int) -> Bools:
    """(size,), at which places stand numbers that others have too, each number as often as both have it."""
    order = np.argsort(own, kind="stable")
    rising, others = own[order], np.sort(other)
    ranks = np.arange(len(rising)) - np.searchsorted(rising, rising)
    counts = np.searchsorted(others, rising, "right") - np.searchsorted(others, rising)
    found = np.zeros(size, np.bool_)
    found[places[order]] = ranks < counts
    return found


def _broken(found: ColumnKinds, shared: tuple[Bools, Bools] | None = None) -> Floats:
    """The n-grams that are not credited, by segment, order and kind (S, M, 10): what breaks one shares it.

    Args:
        found: The kinds of a column.
        shared: Of two systems, which tokens and joints both have: they alone break the n-grams that they are in.
    """
    n_segments, n_tokens = len(found.offsets) - 1, len(found.tokens)
    segments = np.repeat(np.arange(n_segments), np.diff(found.offsets))
    ends = np.repeat(found.offsets[1:], np.diff(found.offsets))
    breaks = [_one_hot(np.where(found.credited[0], NO_KIND, found.tokens)), _one_hot(found.joints)]
    if shared is not None:
        breaks = [one * np.where(also, _FIRST, 1.0)[:, None] for one, also in zip(breaks, shared, strict=True)]
    broken = np.zeros((n_segments, len(found.credited), N_KINDS))
    inside = np.zeros((n_tokens, N_KINDS))
    for order, credited in enumerate(found.credited, start=1):
        n_whole = max(n_tokens - order + 1, 0)
        inside = inside[:n_whole] + breaks[0][order - 1 :]
        if order > 1:
            inside += breaks[1][order - 2 : order - 2 + n_whole]
        starts = np.flatnonzero(~credited[:n_whole] & (np.arange(n_whole) + order <= ends[:n_whole]))
        shares = inside[starts]
        shares = np.where(shares.max(axis=1, keepdims=True) >= _FIRST, np.floor(shares / _FIRST), shares)
        n_breaks = shares.sum(axis=1, keepdims=True)
        shares[n_breaks[:, 0] == 0, ORDER] = 1.0
        shares /= np.maximum(n_breaks, 1.0)
        broken[:, order - 1] = group_sums(shares, segments[starts], n_segments)
    return broken


def _token_counts(found: ColumnKinds, missing: Ints) -> Ints:
    """Tokens of each kind by segment, (S, 10), from the missing ones by the kind of leaving them out (S, 10)."""
    n_segments = len(found.offsets) - 1
    is_wrong = found.tokens != NO_KIND
    segments = np.repeat(np.arange(n_segments), np.diff(found.offsets))
    counts = _by_kind(segments[is_wrong], found.tokens[is_wrong], n_segments)
    counts[:, MISSING] += missing.sum(axis=1)
    return counts


def _by_kind(segments: Ints, kinds: Ints, n_segments: int) -> Ints:
    """How many there are in each segment of each kind, (S, 10)."""
    return np.bincount(segments * N_KINDS + kinds, minlength=n_segments * N_KINDS).reshape(n_segments, N_KINDS)


def _one_hot(kinds: Ints) -> Floats:
    """(T, 10): 1 at the kind of each, nothing where there is none."""
    found = np.zeros((len(kinds), N_KINDS))
    there = np.flatnonzero(kinds != NO_KIND)
    found[there, kinds[there]] = 1.0
    return found


def _spare(surplus: Ints, broken: Floats, missing: Ints) -> Floats:
    """The n-grams that a perfect output has more, or fewer, given to kinds: (S, M, 10).

    Args:
        surplus: (S, M), how many more n-grams of each order a perfect output has.
        broken: (S, M, 10), n-grams that are not credited.
        missing: (S, 10), reference tokens that nothing stands for.
    """
    of_missing = np.where(missing.any(axis=1, keepdims=True), missing, np.arange(N_KINDS) == MISSING)[:, None]
    of_broken = np.where(broken.any(axis=2, keepdims=True), broken, broken.sum(axis=1, keepdims=True))
    of_broken = np.where(of_broken.any(axis=2, keepdims=True), of_broken, np.arange(N_KINDS) == LENGTH)
    weights = np.where(surplus[:, :, None] > 0, of_missing, of_broken)
    spare: Floats = surplus[:, :, None] * weights / weights.sum(axis=2, keepdims=True)
    return spare
