"""How often each n-gram is matched, generated too often and missed by two systems, over all segments at once.

A *node* is an n-gram in one segment, where BLEU counts; a *type* is an n-gram wherever it stands, and its counts are
sums over nodes. Both are numbered: the node of an n-gram from the node of its first n - 1 tokens and its last token,
its type from the type of these and that token. So two whole numbers always stand for an n-gram of any order, and none
is written out before it is among the few to be shown.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from bleucore.counts import Ints
from bleucore.tokens.matching import SegmentTokens, clipped_matches, totals

BATCH_TOKENS = 500_000
"""Tokens that begin the n-grams of a batch: bounds memory."""


@dataclass(frozen=True)
class TypeCounts:
    """How often types of one order are found with A and with B.

    Of types with the same two counts, which no ranking can tell apart, only so many are kept as are asked for.

    Attributes:
        tokens: (T, n), the token ids of the types that are kept.
        counts: (T, 4), with A and with B, and how much of either is clipped.
        totals: (4,), the sums over all types, kept or not.
        n_types: (3,), how many types there are with more of A, with more of B, with as much of both.
    """

    tokens: Ints
    counts: Ints
    totals: Ints
    n_types: Ints


class OrderCounts(NamedTuple):
    """The types of one order.

    Attributes:
        matched: Matches that A has more than B, and B more than A, over the segments where it has more.
        over_generated: N-grams of the hypotheses that match nothing; they are clipped where a reference of the segment
            has the n-gram, but not so often.
        missed: N-grams that the reference which the hypothesis covers best has more often than the hypothesis.
    """

    matched: TypeCounts
    over_generated: TypeCounts
    missed: TypeCounts


def count_types(
    hypotheses: tuple[SegmentTokens, SegmentTokens],
    references: Sequence[SegmentTokens],
    present: NDArray[np.bool_],
    max_order: int,
    *,
    n_kept: int,
) -> list[OrderCounts]:
    """The types of each order 1 to M.

    Args:
        hypotheses: Of A and B, each S segments.
        references: R columns of S segments, empty where absent.
        present: (R, S), whether the segment has that reference.
        max_order: M.
        n_kept: How many types are kept of those with the same counts: the first to appear in a batch.
    """
    texts = TextsEndToEnd.of((*references, *hypotheses), max_order)
    best = [best_covered(hypothesis, references, present, max_order) for hypothesis in hypotheses]
    n_batches = 1 + len(texts.ids) // BATCH_TOKENS
    batches = [_batch(texts, best, batch, n_batches, n_kept) for batch in range(n_batches)]
    return [
        OrderCounts(*(_joined(parts, n_kept) for parts in zip(*of_order, strict=True)))
        for of_order in zip(*batches, strict=True)
    ]


def best_covered(
    hypothesis: SegmentTokens, references: Sequence[SegmentTokens], present: NDArray[np.bool_], max_order: int
) -> Ints:
    """Which reference of each segment the hypothesis covers best, (S,).

    It is the one that has the largest share of its n-grams of orders 1 to M matched; of equal ones the first, and an
    empty one last.
    """
    if len(references) == 1:
        return np.zeros(present.shape[1], np.int64)
    shares = np.full(present.shape, -1.0)
    for share, reference, there in zip(shares, references, present, strict=True):
        n_ngrams = totals(reference.lengths, max_order).sum(axis=1)
        matched = clipped_matches([hypothesis], [reference], max_order)[0].sum(axis=1)
        share[there] = -0.5
        np.divide(matched, n_ngrams, out=share, where=there & (n_ngrams > 0))
    best: Ints = shares.argmax(axis=0)
    return best


def matched_counts(counts: Ints) -> Ints:
    """The matches of A and B (2, N), from the counts of nodes in the references, A and B (R + 2, N)."""
    matched: Ints = np.minimum(counts[-2:], counts[:-2].max(axis=0))
    return matched


def missed_counts(counts: Ints, segments: Ints, best: Sequence[Ints]) -> Ints:
    """What A and B miss (2, N), from such counts, the segments of the nodes (N,) and ``best_covered`` of A and of B."""
    wanted = np.stack([counts[chosen[segments], np.arange(len(segments))] for chosen in best])
    missed: Ints = np.maximum(wanted - counts[-2:], 0)
    return missed


def ngram_places(wanted: Ints, column: SegmentTokens, n_ids: int) -> tuple[Ints, Ints]:
    """Where n-grams begin in the texts of a column, and which each of these is.

    The n-grams and the texts are read token by token; what has been read of both is numbered alike.

    Args:
        wanted: (T, n), different n-grams of one order as token ids.
        column: The texts.
        n_ids: More than any token id.
    """
    ends = np.repeat(column.offsets[1:], column.lengths)
    starts = np.flatnonzero(np.arange(len(column.ids)) + wanted.shape[1] <= ends)
    prefixes, read = np.zeros(len(wanted), np.int64), np.zeros(len(starts), np.int64)
    for place in range(wanted.shape[1]):
        known, prefixes = np.unique(prefixes * n_ids + wanted[:, place], return_inverse=True)
        keys = read * n_ids + column.ids[starts + place]
        numbers = np.minimum(np.searchsorted(known, keys), len(known) - 1)
        same = known[numbers] == keys
        starts, read = starts[same], numbers[same]
    type_of_prefix = np.argsort(prefixes)
    return starts, type_of_prefix[read]


@dataclass(frozen=True)
class TextsEndToEnd:
    """All texts end to end, of the references, of A and of B, with -1 behind each, where no n-gram may pass.

    Attributes:
        ids: The token ids.
        segments: The segment of each.
        edges: Where the second and later columns of texts begin.
        n_ids: More than any token id.
        n_segments: S.
        max_order: M.
    """

    ids: Ints
    segments: Ints
    edges: Ints
    n_ids: int
    n_segments: int
    max_order: int

    @classmethod
    def of(cls, texts: Sequence[SegmentTokens], max_order: int) -> "TextsEndToEnd":
        """Columns of texts, of the references, of A and of B."""
        n_segments = len(texts[0].offsets) - 1
        ids = [np.insert(column.ids.astype(np.int64), column.offsets[1:], -1) for column in texts]
        segments = [np.repeat(np.arange(n_segments), column.lengths + 1) for column in texts]
        edges = np.cumsum([len(column) for column in ids])[:-1]
        n_ids = 1 + max(int(column.max(initial=0)) for column in ids)
        return cls(np.concatenate(ids), np.concatenate(segments), edges, n_ids, n_segments, max_order)


def _batch(texts: TextsEndToEnd, best: Sequence[Ints], remainder: int, divisor: int, n_kept: int) -> list[OrderCounts]:
    """The types of each order whose first token has an id that leaves this remainder.

    All n-grams of a type are in one batch, and so is all that is clipped together.
    """
    starts = np.flatnonzero((texts.ids >= 0) & (texts.ids % divisor == remainder))
    nodes, segments = texts.segments[starts], np.arange(texts.n_segments)  # of no token at all: a node per segment
    types, steps, found = np.zeros(texts.n_segments, np.int64), list[tuple[Ints, Ints]](), []
    for order in range(1, texts.max_order + 1):
        last = texts.ids[starts + order - 1]
        inside = last >= 0
        starts = starts[inside]
        nodes, distinct = numbered(nodes[inside] * texts.n_ids + last[inside])
        shorter, last = distinct // texts.n_ids, distinct % texts.n_ids
        segments = segments[shorter]
        types, distinct = numbered(types[shorter] * texts.n_ids + last)
        steps.append((distinct // texts.n_ids, distinct % texts.n_ids))
        by_column = np.split(nodes, np.searchsorted(starts, texts.edges))
        counts = np.stack([np.bincount(column, minlength=len(types)) for column in by_column])
        found.append(_order_counts(counts, segments, best, types, steps, n_kept))
    return found


def _order_counts(
    counts: Ints, segments: Ints, best: Sequence[Ints], types: Ints, steps: Sequence[tuple[Ints, Ints]], n_kept: int
) -> OrderCounts:
    """The types of one order from nodes: their counts in the references, A and B (R + 2, N), segments and types."""
    matched = matched_counts(counts)
    won = matched[1] - matched[0]
    over = counts[-2:] - matched

    def of_types(*of_nodes: Ints) -> TypeCounts:
        sums = np.zeros((len(steps[-1][0]), 4), np.int64)
        for place, column in enumerate(of_nodes):
            some = np.flatnonzero(column)
            sums[:, place] = np.bincount(types[some], weights=column[some], minlength=len(sums))
        return _with_tokens(sums, steps, n_kept)

    return OrderCounts(
        of_types(np.maximum(-won, 0), np.maximum(won, 0)),
        of_types(*over, *(over * counts[:-2].any(axis=0))),
        of_types(*missed_counts(counts, segments, best)),
    )


def _with_tokens(counts: Ints, steps: Sequence[tuple[Ints, Ints]], n_kept: int) -> TypeCounts:
    """Types by their counts (all of them, 4); ``steps`` say for each order what a type goes on from, and its token."""
    found = np.flatnonzero(counts[:, :2].any(axis=1))
    sides = np.sign(counts[found, 1] - counts[found, 0])
    kept = types = found[_few_of_each(counts[found], n_kept)]
    tokens = np.empty((len(kept), len(steps)), np.int64)
    for place in reversed(range(len(steps))):
        shorter, last = steps[place]
        tokens[:, place] = last[types]
        types = shorter[types]
    n_types = np.array([np.count_nonzero(sides == side) for side in (-1, 1, 0)])
    return TypeCounts(tokens, counts[kept], counts.sum(axis=0), n_types)


def _joined(parts: Sequence[TypeCounts], n_kept: int) -> TypeCounts:
    """The types of several parts, none of which is in two of them."""
    tokens = np.concatenate([part.tokens for part in parts])
    counts = np.concatenate([part.counts for part in parts])
    kept = _few_of_each(counts, n_kept)
    sums = np.sum([part.totals for part in parts], axis=0)
    return TypeCounts(tokens[kept], counts[kept], sums, np.sum([part.n_types for part in parts], axis=0))


def _few_of_each(counts: Ints, n_kept: int) -> Ints:
    """The first so many types of each pair of counts with A and B, of counts (T, 4), in order."""
    pairs = counts[:, 0] * (counts[:, 1].max(initial=0) + 1) + counts[:, 1]
    by_pair = np.argsort(pairs, kind="stable")
    ordered = pairs[by_pair]
    rank = np.arange(len(pairs)) - np.searchsorted(ordered, ordered)
    return np.sort(by_pair[rank < n_kept])


def numbered(keys: Ints) -> tuple[Ints, Ints]:
    """The number of each key, by first appearance, and the different keys."""
    encoded = pa.array(keys).dictionary_encode()
    return encoded.indices.to_numpy().astype(np.int64), encoded.dictionary.to_numpy()
