"""Token ids to clipped n-gram matches, for every segment and system at once.

The texts of a run of segments lie end to end with a gap before each, those of the references first. A *node* is an
n-gram in one segment: it is named by the place where the n-gram begins last in the references, so that it needs no
counting up and no sorting. The node of an n-gram is looked up in a table by the node of its first n-1 tokens and that
of its last token, which makes it exact at any order. 0, the place of a gap, stands for no node: an n-gram that the
references lack matches nothing, and is dropped with all longer ones that begin there, before anything is counted.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from bleucore.arrow_arrays import as_arrow, as_numpy, dictionary_encoded
from bleucore.counts import Ints
from bleucore.errors import InputError
from bleucore.options import LengthTie

RUN_TOKENS = 1 << 13
"""Tokens of references in a run: what is known of so many nodes stays in a processor's cache."""
TABLE_SIZE = 1 << 22
"""Entries of the table of nodes (16 MB, used as far as needed). A run that needs more, which one long segment can,
has its keys numbered by hashing first."""
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
    return clipped_matches_by_choice(hypotheses, references, max_order, [range(len(references))])[0]


def clipped_matches_by_choice(
    hypotheses: Sequence[SegmentTokens],
    references: Sequence[SegmentTokens],
    max_order: int,
    choices: Sequence[Sequence[int]],
) -> list[list[Ints]]:
    """``clipped_matches`` with some of the references, for each choice of them: n-grams are found once for all.

    Args:
        hypotheses: K columns of S segments.
        references: R columns of S segments.
        max_order: M.
        choices: Indices of references, at least one in each.
    """
    columns, n_references = [*references, *hypotheses], len(references)
    n_tokens = np.sum([column.lengths for column in references], axis=0)
    matches = np.zeros((len(choices), len(hypotheses), max_order, len(n_tokens)), np.int64)
    table = np.zeros(TABLE_SIZE, np.int32)
    for rows in _runs(n_tokens):
        texts = _Texts.of(columns, rows, n_references)
        for order, ngrams in enumerate(_walk(texts, max_order, table)):
            counts = ngrams.counts(texts)
            for of_choice, choice in zip(matches, choices, strict=True):
                clipped = np.minimum(counts[n_references:], counts[list(choice)].max(axis=0))
                of_choice[:, order, rows] = texts.sums_by_segment(clipped)
    return [list(of_choice) for of_choice in matches.swapaxes(-1, -2)]


def credited_ngrams(
    hypothesis: SegmentTokens, references: Sequence[SegmentTokens], max_order: int
) -> NDArray[np.bool_]:
    """Whether the n-gram of each order 1 to M that begins at each token of a hypothesis column is credited, (M, T).

    Where not all of one are, those are that lie in longer credited n-grams, then those further left.
    """
    columns, n_references = [*references, hypothesis], len(references)
    credited = np.zeros((max_order, len(hypothesis.ids)), np.bool_)
    n_tokens = np.sum([column.lengths for column in references], axis=0)
    table = np.zeros(TABLE_SIZE, np.int32)
    for rows in _runs(n_tokens):
        texts = _Texts.of(columns, rows, n_references)
        span = slice(int(hypothesis.offsets[rows.start]), int(hypothesis.offsets[rows.stop]))
        token_of_place = np.zeros(int(texts.places.max(initial=0)) + 1, np.int64)
        n_own = span.stop - span.start
        token_of_place[texts.places[len(texts.ids) - n_own :]] = np.arange(n_own)
        found = []
        for ngrams in _walk(texts, max_order, table):
            counts = ngrams.counts(texts)
            starts, nodes = ngrams.of_column(n_references)
            found.append((token_of_place[starts], nodes, counts))
        longest = np.zeros(n_own + max_order, np.int64)
        for order in range(max_order, 0, -1):
            starts, nodes, counts = found[order - 1]
            starts = starts[_are_credited(starts, nodes, counts, longest, order)]
            credited[order - 1, span][starts] = True
            for place in range(order):
                longest[starts + place] = np.maximum(longest[starts + place], order)
    return credited


def _are_credited(starts: Ints, nodes: Ints, counts: Ints, longest: Ints, order: int) -> NDArray[np.bool_]:
    """Which occurrences of n-grams are credited, from how often each column has them (R + 1, N)."""
    allowed = counts[:-1].max(axis=0)
    are = np.ones(len(starts), np.bool_)
    clipped = np.flatnonzero((counts[-1] > allowed)[nodes])
    if len(clipped):
        inside = np.sum([longest[starts[clipped] + place] for place in range(order)], axis=0)
        by_node = np.lexsort((starts[clipped], -inside, nodes[clipped]))
        ordered = nodes[clipped][by_node]
        ranks = np.arange(len(ordered)) - np.searchsorted(ordered, ordered)
        are[clipped[by_node[ranks >= allowed[ordered]]]] = False
    return are


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


def _runs(lengths: Ints) -> Iterator[slice]:
    """Runs of segments that have about ``RUN_TOKENS`` together, from the tokens of each (S,)."""
    if not len(lengths):
        return
    run_of_segment = np.cumsum(lengths) // RUN_TOKENS
    edges = [0, *(np.flatnonzero(np.diff(run_of_segment)) + 1).tolist(), len(lengths)]
    yield from (slice(start, stop) for start, stop in pairwise(edges))


@dataclass(frozen=True)
class _Texts:
    """Texts of some segments end to end, column by column, with one place for each token and a gap before each text.

    Attributes:
        ids: The tokens, (T,).
        places: Where each stands, (T,).
        lengths: The tokens of each text, (columns, S).
        n_references: The columns of references; they come first.
    """

    ids: Ints
    places: Ints
    lengths: Ints
    n_references: int

    @classmethod
    def of(cls, columns: Sequence[SegmentTokens], rows: slice, n_references: int) -> "_Texts":
        """Some segments of columns."""
        offsets = [column.offsets[rows.start : rows.stop + 1] for column in columns]
        ids = np.concatenate([column.ids[edges[0] : edges[-1]] for column, edges in zip(columns, offsets, strict=True)])
        lengths = np.diff(offsets)
        places = np.arange(1, len(ids) + 1) + np.repeat(np.arange(lengths.size), lengths.ravel())
        return cls(ids, places, lengths, n_references)

    @property
    def reference_sizes(self) -> Ints:
        """The places of each reference, its gap included, (R, S)."""
        return self.lengths[: self.n_references] + 1

    @property
    def n_nodes(self) -> int:
        """N, more than any node: the places of the references."""
        return int(self.reference_sizes.sum())

    def sums_by_segment(self, of_nodes: Ints) -> Ints:
        """Numbers of nodes (columns, N), summed: (columns, S)."""
        sizes = self.reference_sizes
        of_texts = np.add.reduceat(of_nodes, np.cumsum(sizes) - sizes.ravel(), axis=1)
        sums: Ints = of_texts.reshape(-1, *sizes.shape).sum(axis=1)
        return sums


@dataclass(frozen=True)
class _Ngrams:
    """The n-grams of one order that have a node, those of the first column first.

    Attributes:
        ends: Where those of each column end, (columns,).
        starts: Where each begins, (n,).
        nodes: The node of each, (n,).
    """

    ends: Ints
    starts: Ints
    nodes: Ints

    def of_column(self, column: int) -> tuple[Ints, Ints]:
        """Starts and nodes of one column that is not the first."""
        own = slice(int(self.ends[column - 1]), int(self.ends[column]))
        return self.starts[own], self.nodes[own]

    @classmethod
    def live(cls, ends: Ints, starts: Ints, nodes: NDArray[np.int32]) -> "_Ngrams":
        """Those of some n-grams that have a node; 0 is none."""
        live = np.flatnonzero(nodes > 0)
        return cls(np.searchsorted(live, ends), starts.take(live), nodes.take(live).astype(np.int64))

    def counts(self, texts: _Texts) -> Ints:
        """How often each node stands in each column, (columns, N)."""
        shape = (len(texts.lengths), texts.n_nodes)
        firsts = np.repeat(np.arange(shape[0]) * shape[1], np.diff(self.ends, prepend=0))
        return np.bincount(firsts + self.nodes, minlength=shape[0] * shape[1]).reshape(shape)


def _walk(texts: _Texts, max_order: int, table: NDArray[np.int32]) -> Iterator[_Ngrams]:
    """The n-grams of each order that have a node."""
    nodes = _unigram_nodes(texts, table)
    ngrams = _Ngrams.live(np.cumsum(texts.lengths.sum(axis=1)), texts.places, nodes)
    yield ngrams
    rows, entries, n_keys = _table_layout(texts.reference_sizes)
    last_entries = np.zeros(len(texts.ids) + texts.lengths.size + max_order, np.int64)
    last_entries[texts.places] = entries.take(nodes)
    for order in range(1, max_order):
        last = last_entries[order:].take(ngrams.starts)
        n_references = int(ngrams.ends[texts.n_references - 1])
        places = np.where(last[:n_references] > 0, ngrams.starts[:n_references], 0)
        nodes = _look_up(table, rows.take(ngrams.nodes) + last, places, n_keys)
        ngrams = _Ngrams.live(ngrams.ends, ngrams.starts, nodes)
        yield ngrams


def _unigram_nodes(texts: _Texts, table: NDArray[np.int32]) -> NDArray[np.int32]:
    """The node of each token (T,). The table has a row for each segment, an entry for each token of any reference."""
    n_columns, n_segments = texts.lengths.shape
    n_references = int(texts.lengths[: texts.n_references].sum())
    is_known = np.zeros(int(texts.ids.max(initial=0)) + 1, np.bool_)
    is_known[texts.ids[:n_references]] = True
    n_entries = int(is_known.sum()) + 1
    entries = np.where(is_known, np.cumsum(is_known), 0)
    rows = np.repeat(np.tile(np.arange(n_segments) * n_entries, n_columns), texts.lengths.ravel())
    return _look_up(table, rows + entries.take(texts.ids), texts.places[:n_references], n_segments * n_entries)


def _table_layout(sizes: Ints) -> tuple[Ints, Ints, int]:
    """The table for longer n-grams: a row for each node, an entry in it for each place of its segment's references.

    Args:
        sizes: The places of each reference, its gap included, (R, S).

    Returns:
        Where the row of each place begins (N,), the entry of each place (N,), 0 of the first gap, and the table's size.
    """
    gaps, before = np.cumsum(sizes) - sizes.ravel(), np.cumsum(sizes, axis=0) - sizes
    entries = np.arange(sizes.sum()) - np.repeat(gaps - before.ravel(), sizes.ravel())
    widths = np.repeat(np.tile(sizes.sum(axis=0), len(sizes)), sizes.ravel())
    return np.cumsum(widths) - widths, entries, int(widths.sum())


def _look_up(table: NDArray[np.int32], keys: Ints, places: Ints, n_keys: int) -> NDArray[np.int32]:
    """The node of each n-gram: the last of the places where the references have its key, else 0.

    Args:
        table: All 0, and again when this returns.
        keys: One whole number for each n-gram, those of the references first.
        places: Where each n-gram of the references begins; 0 for one that would run past the end of its text.
        n_keys: More than any key.
    """
    reference_keys = keys[: len(places)]
    if n_keys > len(table):
        numbered = dictionary_encoded(as_arrow(keys))
        keys = as_numpy(numbered.indices)
        reference_keys, table = keys[: len(places)], np.zeros(len(numbered.dictionary), np.int32)
    table[reference_keys] = places
    nodes = table.take(keys)
    table[reference_keys] = 0
    return nodes
