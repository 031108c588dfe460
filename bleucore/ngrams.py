"""Token ids to clipped n-gram matches, for every segment and system at once.

The distinct n-grams of a segment's references are numbered: a *node* is one n-gram in one segment. The node of
an n-gram is found from the node of its first n-1 tokens and the node of its last token, so two whole numbers
always stand for an n-gram of any order, exactly. An n-gram of a hypothesis without a node matches nothing and
is dropped, with all longer n-grams that begin there, before anything is counted.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from bleucore.errors import InputError
from bleucore.options import LengthTie

Ints = NDArray[np.int64]

MAX_AVERAGED_REFERENCES = 22
AVERAGE_LENGTH_UNIT = math.lcm(*range(1, MAX_AVERAGED_REFERENCES + 1))
"""Average reference lengths are counted in so many parts of a token, so that they stay whole and add up exactly."""


@dataclass(frozen=True)
class SegmentTokens:
    """One text per segment as token ids: segment s is ``ids[offsets[s]:offsets[s + 1]]``."""

    ids: Ints
    offsets: Ints

    @property
    def lengths(self) -> Ints:
        """The number of tokens of each segment, (S,)."""
        return np.diff(self.offsets)

    @property
    def segments(self) -> Ints:
        """The segment of each token."""
        return np.repeat(np.arange(len(self.offsets) - 1), self.lengths)

    def with_empty_token(self, token: int, present: NDArray[np.bool_]) -> "SegmentTokens":
        """The same with one token of this id in the empty ones among the segments that are present (S,)."""
        lengths = self.lengths
        filled = present & (lengths == 0)
        return SegmentTokens(
            np.insert(self.ids, self.offsets[:-1][filled], token), np.concatenate([[0], np.cumsum(lengths + filled)])
        )


def columns(ids: Ints, offsets: Ints, n_columns: int) -> list[SegmentTokens]:
    """Texts laid end to end, cut into columns of equal numbers of texts."""
    n_texts = (len(offsets) - 1) // n_columns
    edges = [offsets[index * n_texts : (index + 1) * n_texts + 1] for index in range(n_columns)]
    return [SegmentTokens(ids[edge[0] : edge[-1]], edge - edge[0]) for edge in edges]


def clipped_matches(
    hypotheses: Sequence[SegmentTokens], references: Sequence[SegmentTokens], max_order: int
) -> list[Ints]:
    """Matches of each hypothesis column per segment and order, each (S, M).

    An n-gram counts as often as it stands in the hypothesis, at most as often as in that one of the references
    that has it most often (Papineni et al. 2002, section 2.1).
    """
    n_segments = len(references[0].offsets) - 1
    matches = [np.zeros((n_segments, max_order), np.int64) for _ in hypotheses]
    walk = _walk(references, hypotheses, max_order)
    for order, (node_segments, reference_nodes, hypothesis_nodes) in enumerate(walk):
        n_nodes = len(node_segments)
        allowed = np.zeros(n_nodes, np.int64)
        for nodes in reference_nodes:
            np.maximum(allowed, np.bincount(nodes, minlength=n_nodes), out=allowed)
        for column, nodes in zip(matches, hypothesis_nodes, strict=True):
            clipped = np.minimum(np.bincount(nodes, minlength=n_nodes), allowed)
            matched = np.flatnonzero(clipped)
            column[:, order] = np.bincount(
                node_segments[matched], weights=clipped[matched], minlength=n_segments
            ).astype(np.int64)
    return matches


def totals(lengths: Ints, max_order: int) -> Ints:
    """The number of n-grams in texts of these lengths (S,), for orders 1 to M: (S, M)."""
    n_ngrams: Ints = np.maximum(lengths[:, None] - np.arange(max_order), 0)
    return n_ngrams


def closest_reference_length(
    hypothesis_lengths: Ints, reference_lengths: Ints, present: NDArray[np.bool_], *, tie: LengthTie = "shorter"
) -> Ints:
    """Per segment the reference length nearest to the hypothesis length.

    Args:
        hypothesis_lengths: (S,)
        reference_lengths: (R, S)
        present: (R, S), whether the segment has that reference.
        tie: Which of two equally near ones is taken, the shorter or the first.
    """
    distance = np.where(present, np.abs(reference_lengths - hypothesis_lengths), np.iinfo(np.int64).max)
    if tie == "first":
        first: Ints = np.take_along_axis(reference_lengths, distance.argmin(axis=0)[None], axis=0)[0]
        return first
    nearest = distance == distance.min(axis=0)
    candidates = np.where(nearest & present, reference_lengths, np.iinfo(np.int64).max)
    shortest: Ints = candidates.min(axis=0)
    return shortest


def shortest_reference_length(reference_lengths: Ints, present: NDArray[np.bool_]) -> Ints:
    """Per segment the least of the reference lengths (R, S) that are present."""
    shortest: Ints = np.where(present, reference_lengths, np.iinfo(np.int64).max).min(axis=0)
    return shortest


def average_reference_length(reference_lengths: Ints, present: NDArray[np.bool_]) -> Ints:
    """Per segment the mean of the reference lengths (R, S) that are present, in parts of ``AVERAGE_LENGTH_UNIT``.

    Raises:
        InputError: A segment has more references than the unit can be divided by.
    """
    n_references = present.sum(axis=0)
    if n_references.max(initial=0) > MAX_AVERAGED_REFERENCES:
        raise InputError(
            "the average reference length is of too many references",
            where="Option reference_length",
            found=int(n_references.max()),
            expected=f"at most {MAX_AVERAGED_REFERENCES}",
            remedy="Choose the closest or the shortest length, or leave references out.",
        )
    lengths: Ints = np.where(present, reference_lengths, 0).sum(axis=0) * (AVERAGE_LENGTH_UNIT // n_references)
    return lengths


def _walk(
    references: Sequence[SegmentTokens], hypotheses: Sequence[SegmentTokens], max_order: int
) -> Iterator[tuple[Ints, list[Ints], list[Ints]]]:
    """For each order: the segment of each node, and the nodes of each reference and each hypothesis column."""
    vocabulary_size = 1 + max((int(column.ids.max(initial=0)) for column in (*references, *hypotheses)), default=0)
    reference_columns = _Columns.of(references, vocabulary_size)
    hypothesis_columns = _Columns.of(hypotheses, vocabulary_size)
    node_segments = np.empty(0, np.int64)
    for order in range(max_order):
        numbered = pa.array(reference_columns.keys()).dictionary_encode()
        distinct, nodes = numbered.dictionary, numbered.indices.to_numpy().astype(np.int64)
        if order == 0:
            node_segments = distinct.to_numpy() // vocabulary_size
        else:
            node_segments = node_segments[distinct.to_numpy() // reference_columns.n_unigrams]
        reference_columns.advance(nodes, len(distinct))
        found = pc.index_in(pa.array(hypothesis_columns.keys()), value_set=distinct)
        hypothesis_columns.n_unigrams = reference_columns.n_unigrams
        hypothesis_columns.advance(found.fill_null(-1).to_numpy().astype(np.int64), len(distinct))
        yield node_segments, reference_columns.by_column(), hypothesis_columns.by_column()


@dataclass
class _Columns:
    """Several columns of segments laid end to end, and the n-grams of the current order that have a node.

    ``unigrams`` holds the node of each token, with -1 after every segment, where no n-gram may pass, and
    ``max_order`` times at the end. ``starts`` are the places where a live n-gram begins, ``nodes`` its node.
    """

    tokens: Ints
    places: Ints
    column_ends: Ints
    unigrams: Ints
    starts: Ints
    nodes: Ints
    order: int = 0
    n_unigrams: int = 0

    @classmethod
    def of(cls, columns: Sequence[SegmentTokens], vocabulary_size: int) -> "_Columns":
        segments = [column.segments for column in columns]
        n_segments = len(columns[0].offsets) - 1
        tokens = np.concatenate([s * vocabulary_size + c.ids for s, c in zip(segments, columns, strict=True)])
        text = np.concatenate([index * n_segments + s for index, s in enumerate(segments)])
        places = np.arange(len(tokens)) + text
        column_ends = np.cumsum([len(column.ids) + n_segments for column in columns])
        unigrams = np.full(int(column_ends[-1]) + 1, -1, np.int64)
        return cls(tokens, places, column_ends, unigrams, places, np.empty(0, np.int64))

    def keys(self) -> Ints:
        """One whole number per candidate n-gram of the next order: equal if and only if the n-grams are."""
        if self.order == 0:
            return self.tokens
        last = self.unigrams[np.minimum(self.starts + self.order, len(self.unigrams) - 1)]
        inside = last >= 0
        self.starts = self.starts[inside]
        return self.nodes[inside] * self.n_unigrams + last[inside]

    def advance(self, nodes: Ints, n_nodes: int) -> None:
        """Take the nodes of the candidates that ``keys`` gave; -1 drops one."""
        if self.order == 0:
            self.unigrams[self.places] = nodes
            self.n_unigrams = n_nodes
        live = nodes >= 0
        self.starts, self.nodes = self.starts[live], nodes[live]
        self.order += 1

    def by_column(self) -> list[Ints]:
        """The live nodes of each column."""
        return np.split(self.nodes, np.searchsorted(self.starts, self.column_ends[:-1]))
