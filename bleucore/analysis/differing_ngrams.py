"""N-grams of any length, the segments in which two systems match them unequally, and which ones say the same.

An n-gram is looked for where two stand that are shorter by a token and overlap in the rest, and only among those that
are matched in several segments: no other is matched in so many. So the texts that are left soon are few, and n-grams
are followed as far as they go.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from bleucore.analysis.type_counts import TextsEndToEnd, numbered
from bleucore.counts import Ints
from bleucore.tokens.matching import SegmentTokens

MAX_TOKENS = 32
"""Of an n-gram: longer ones are found in pieces."""
FEWEST_SEGMENTS = 2
"""In which an n-gram is matched: what is matched once tells nothing of a system."""
MERGED_SHARE = 0.75
"""Of the segments of an n-gram: so many of them make a longer one say what it says."""


@dataclass(frozen=True)
class DifferingNgrams:
    """T n-grams that are matched in several segments, the shorter ones first.

    Attributes:
        ids: The token ids of all texts end to end.
        starts: (T,), where each n-gram first stands there.
        orders: (T,), the number of its tokens.
        shorter: (T, 2), the n-gram without its last token and the one without its first; -1 for a single token.
        matches: (T, 2), of A and of B over all segments.
        bounds: (T + 1,), where its segments begin.
        segments: (E,), those in which the systems differ, rising within an n-gram.
        nets: (E,), by how many matches B has more there.
    """

    ids: Ints
    starts: Ints
    orders: Ints
    shorter: Ints
    matches: Ints
    bounds: Ints
    segments: Ints
    nets: Ints

    @property
    def owners(self) -> Ints:
        """The n-gram of each of its segments, (E,)."""
        return np.repeat(np.arange(len(self.starts)), np.diff(self.bounds))

    def tokens(self, ngram: int) -> Ints:
        """The token ids of one."""
        return self.ids[self.starts[ngram] : self.starts[ngram] + self.orders[ngram]]

    def differences(self, ngram: int) -> tuple[Ints, Ints]:
        """The segments in which the systems differ in one, and by how many matches B has more."""
        some = slice(self.bounds[ngram], self.bounds[ngram + 1])
        return self.segments[some], self.nets[some]


def differing_ngrams(
    hypotheses: tuple[SegmentTokens, SegmentTokens], references: Sequence[SegmentTokens]
) -> DifferingNgrams:
    """The n-grams that A or B matches in several segments, of 1 to ``MAX_TOKENS`` tokens.

    Args:
        hypotheses: Of A and B, each S segments.
        references: R columns of S segments, empty where absent.
    """
    texts = TextsEndToEnd.of((*references, *hypotheses), MAX_TOKENS)
    found = list(_by_order(texts))
    n_before = np.cumsum([0, *(len(one.starts) for one in found)])
    shorter = [one.shorter + before for one, before in zip(found[1:], n_before, strict=False)]
    types = np.concatenate([one.types + before for one, before in zip(found, n_before, strict=False)])
    return DifferingNgrams(
        texts.ids,
        np.concatenate([one.starts for one in found]),
        np.repeat(np.arange(1, len(found) + 1), np.diff(n_before)),
        np.concatenate([found[0].shorter, *shorter]),
        np.concatenate([one.matches for one in found]),
        np.concatenate([[0], np.cumsum(np.bincount(types, minlength=n_before[-1]))]),
        np.concatenate([one.segments for one in found]),
        np.concatenate([one.nets for one in found]),
    )


def wholes(ngrams: DifferingNgrams) -> Ints:
    """The n-gram that each one is merged into, (T,), or itself.

    It is merged into one that is longer by a token and holds it, if they differ by the same numbers of matches in
    ``MERGED_SHARE`` of the segments in which it differs; of two such into the one that has more of these, and then into
    the one that goes on to the right. That one is merged in turn.
    """
    longer, which = np.nonzero(ngrams.shorter >= 0)
    shorter, n_segments = ngrams.shorter[longer, which], np.diff(ngrams.bounds)
    pairs = np.repeat(np.arange(len(longer)), n_segments[longer])
    steps = np.arange(len(pairs)) - np.repeat(np.cumsum(n_segments[longer]) - n_segments[longer], n_segments[longer])
    events = ngrams.bounds[longer][pairs] + steps
    n_places = int(ngrams.segments.max(initial=0)) + 1
    known = ngrams.owners * n_places + ngrams.segments
    wanted = shorter[pairs] * n_places + ngrams.segments[events]
    places = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
    is_same = (known[places] == wanted) & (ngrams.nets[places] == ngrams.nets[events])
    n_same = np.bincount(pairs[is_same], minlength=len(longer))
    chosen = np.flatnonzero((n_same > 0) & (n_same >= MERGED_SHARE * n_segments[shorter]))
    chosen = chosen[np.lexsort((-which[chosen], n_same[chosen]))]
    found = np.arange(len(n_segments))
    found[shorter[chosen]] = longer[chosen]  # the last one of several
    while (found != found[found]).any():
        found = found[found]
    return found


class _OfOrder(NamedTuple):
    """The n-grams of one order, as in ``DifferingNgrams``, numbered by themselves; ``types`` are those of segments."""

    starts: Ints
    shorter: Ints
    matches: Ints
    types: Ints
    segments: Ints
    nets: Ints


def _by_order(texts: TextsEndToEnd) -> Iterator[_OfOrder]:
    """Of each order; ``shorter`` are numbers of the order before."""
    starts = np.flatnonzero(texts.ids >= 0)
    keys, shorter = texts.segments[starts] * texts.n_ids + texts.ids[starts], np.full((len(starts), 2), -1)
    type_keys = texts.ids[starts]
    for _ in range(MAX_TOKENS):
        nodes, first = _numbered_with_first(keys)
        types, first_nodes = _numbered_with_first(type_keys[first])
        matched = _clipped(texts, starts, nodes, len(first))
        is_matched = matched.any(axis=0)
        is_kept = np.bincount(types[is_matched], minlength=len(first_nodes)) >= FEWEST_SEGMENTS
        is_node = is_matched & is_kept[types]
        kept_types = (np.cumsum(is_kept) - 1)[types]
        leaders = first[first_nodes[is_kept]]
        yield _of_order(
            starts[leaders],
            shorter[leaders],
            kept_types[is_node],
            texts.segments[starts[first[is_node]]],
            matched[:, is_node],
        )
        node_at, type_at = np.full((2, len(texts.ids)), -1)
        node_at[starts] = np.where(is_node, np.cumsum(is_node) - 1, -1)[nodes]
        type_at[starts] = np.where(is_node, kept_types, -1)[nodes]
        starts = np.flatnonzero((node_at[:-1] >= 0) & (node_at[1:] >= 0))
        if not len(starts):
            return
        keys = node_at[starts] * np.count_nonzero(is_node) + node_at[starts + 1]
        shorter = np.stack([type_at[starts], type_at[starts + 1]], axis=1)
        type_keys = shorter[:, 0] * np.count_nonzero(is_kept) + shorter[:, 1]


def _of_order(starts: Ints, shorter: Ints, types: Ints, segments: Ints, matched: Ints) -> _OfOrder:
    """The n-grams of one order from their types and segments (N,), and the matches of A and B there (2, N)."""
    matches = np.stack([np.bincount(types, one, len(starts)) for one in matched], axis=1).astype(np.int64)
    nets = matched[1] - matched[0]
    chosen = np.flatnonzero(nets)
    chosen = chosen[np.lexsort((segments[chosen], types[chosen]))]
    return _OfOrder(starts, shorter, matches, types[chosen], segments[chosen], nets[chosen])


def _clipped(texts: TextsEndToEnd, starts: Ints, nodes: Ints, n_nodes: int) -> Ints:
    """The matches of A and B, (2, N), of n-grams in segments that begin at rising places."""
    by_column = np.split(nodes, np.searchsorted(starts, texts.edges))
    counts = np.stack([np.bincount(column, minlength=n_nodes) for column in by_column])
    matched: Ints = np.minimum(counts[-2:], counts[:-2].max(axis=0))
    return matched


def _numbered_with_first(keys: Ints) -> tuple[Ints, Ints]:
    """The number of each key, by first appearance, and where each number first stands."""
    numbers, distinct = numbered(keys)
    first = np.empty(len(distinct), np.int64)
    first[numbers[::-1]] = np.arange(len(keys))[::-1]
    return numbers, first
