"""N-grams of any length, the segments in which one of two sides has more of them, and which ones say the same.

An n-gram is looked for where two stand that are shorter by a token and overlap in the rest, and only among those that
are in several segments where they could be counted: no other is in so many. So the texts that are left soon are few,
and n-grams are followed as far as they go.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bleucore.analysis.ngram_types import PairTokens
from bleucore.analysis.type_counts import TextsEndToEnd, best_covered, matched_counts, missed_counts, numbered
from bleucore.counts import Ints

Counted = Literal["matched", "too often", "missed", "against the references"]
"""What is counted of A, and of B: matches; what matches nothing; what of the references is not matched. Or what B alone
misses, and has too often."""

MAX_TOKENS = 32
"""Of an n-gram: longer ones are found in pieces."""
FEWEST_SEGMENTS = 2
"""In which an n-gram is counted: what is matched once, say, tells nothing of a system."""
MERGED_SHARE = 0.75
"""Of the segments of an n-gram: so many of them make a longer one say what it says."""


@dataclass(frozen=True)
class DifferingNgrams:
    """T n-grams that may be counted in several segments, the shorter ones first.

    Attributes:
        ids: The token ids of all texts end to end.
        starts: (T,), where each n-gram first stands there.
        orders: (T,), the number of its tokens.
        shorter: (T, 2), the n-gram without its last token and the one without its first; -1 for a single token.
        counts: (T, 2), of the first and the second side over all segments.
        bounds: (T + 1,), where its segments begin.
        segments: (E,), those in which the sides differ, rising within an n-gram; none of an n-gram that is counted in a
            single segment.
        nets: (E,), by how many the second side has more there.
    """

    ids: Ints
    starts: Ints
    orders: Ints
    shorter: Ints
    counts: Ints
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
        """The segments in which the sides differ in one, and by how many the second has more."""
        some = slice(self.bounds[ngram], self.bounds[ngram + 1])
        return self.segments[some], self.nets[some]


def differing_ngrams(tokens: PairTokens, counted: Counted = "matched") -> DifferingNgrams:
    """The n-grams of 1 to ``MAX_TOKENS`` tokens that are counted, or could be, in several segments.

    Args:
        tokens: Of both systems.
        counted: What is counted on the two sides.
    """
    texts = TextsEndToEnd.of((*tokens.references, *tokens.hypotheses), MAX_TOKENS)
    best = [best_covered(one, tokens.references, tokens.present, tokens.max_order) for one in tokens.hypotheses]
    found = list(_by_order(texts, best, counted))
    n_before = np.cumsum([0, *(len(one.starts) for one in found)])
    shorter = [one.shorter + before for one, before in zip(found[1:], n_before, strict=False)]
    types = np.concatenate([one.types + before for one, before in zip(found, n_before, strict=False)])
    return DifferingNgrams(
        texts.ids,
        np.concatenate([one.starts for one in found]),
        np.repeat(np.arange(1, len(found) + 1), np.diff(n_before)),
        np.concatenate([found[0].shorter, *shorter]),
        np.concatenate([one.counts for one in found]),
        np.concatenate([[0], np.cumsum(np.bincount(types, minlength=n_before[-1]))]),
        np.concatenate([one.segments for one in found]),
        np.concatenate([one.nets for one in found]),
    )


def wholes(ngrams: DifferingNgrams) -> Ints:
    """The n-gram that each one is merged into, (T,), or itself.

    It is merged into one that is longer by a token and holds it, if they differ by the same numbers in
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
    counts: Ints
    types: Ints
    segments: Ints
    nets: Ints


def _by_order(texts: TextsEndToEnd, best: Sequence[Ints], counted: Counted) -> Iterator[_OfOrder]:
    """Of each order; ``shorter`` are numbers of the order before."""
    starts = np.flatnonzero(texts.ids >= 0)
    keys, shorter = texts.segments[starts] * texts.n_ids + texts.ids[starts], np.full((len(starts), 2), -1)
    type_keys = texts.ids[starts]
    for _ in range(MAX_TOKENS):
        nodes, first = _numbered_with_first(keys)
        types, first_nodes = _numbered_with_first(type_keys[first])
        segments = texts.segments[starts[first]]
        sides, may_count = _sides(_counts(texts, starts, nodes, len(first)), segments, best, counted)
        is_kept = np.bincount(types[may_count], minlength=len(first_nodes)) >= FEWEST_SEGMENTS
        is_node = may_count & is_kept[types]
        kept_types = (np.cumsum(is_kept) - 1)[types]
        leaders = first[first_nodes[is_kept]]
        yield _of_order(starts[leaders], shorter[leaders], kept_types[is_node], segments[is_node], sides[:, is_node])
        node_at, type_at = np.full((2, len(texts.ids)), -1)
        node_at[starts] = np.where(is_node, np.cumsum(is_node) - 1, -1)[nodes]
        type_at[starts] = np.where(is_node, kept_types, -1)[nodes]
        starts = np.flatnonzero((node_at[:-1] >= 0) & (node_at[1:] >= 0))
        if not len(starts):
            return
        keys = node_at[starts] * np.count_nonzero(is_node) + node_at[starts + 1]
        shorter = np.stack([type_at[starts], type_at[starts + 1]], axis=1)
        type_keys = shorter[:, 0] * np.count_nonzero(is_kept) + shorter[:, 1]


def _of_order(starts: Ints, shorter: Ints, types: Ints, segments: Ints, sides: Ints) -> _OfOrder:
    """The n-grams of one order from their types and segments (N,), and the counts of both sides there (2, N)."""
    counts = np.stack([np.bincount(types, one, len(starts)) for one in sides], axis=1).astype(np.int64)
    n_segments = np.bincount(types[sides.any(axis=0)], minlength=len(starts))
    nets = sides[1] - sides[0]
    chosen = np.flatnonzero((nets != 0) & (n_segments >= FEWEST_SEGMENTS)[types])
    chosen = chosen[np.lexsort((segments[chosen], types[chosen]))]
    return _OfOrder(starts, shorter, counts, types[chosen], segments[chosen], nets[chosen])


def _counts(texts: TextsEndToEnd, starts: Ints, nodes: Ints, n_nodes: int) -> Ints:
    """How often each text has them, (R + 2, N), of n-grams in segments that begin at rising places."""
    by_column = np.split(nodes, np.searchsorted(starts, texts.edges))
    return np.stack([np.bincount(column, minlength=n_nodes) for column in by_column])


def _sides(counts: Ints, segments: Ints, best: Sequence[Ints], counted: Counted) -> tuple[Ints, NDArray[np.bool_]]:
    """What is counted on the two sides (2, N), and where a longer n-gram, which holds this one, could be, (N,)."""
    matched = matched_counts(counts)
    too_often = counts[-2:] - matched
    if counted == "matched":
        sides, texts = matched, matched
    elif counted == "too often":
        sides, texts = too_often, counts[-2:]
    else:
        sides, texts = missed_counts(counts, segments, best), counts[:-2]
    if counted == "against the references":
        sides, texts = np.stack([sides[1], too_often[1]]), counts
    return sides, np.asarray(texts.any(axis=0))


def _numbered_with_first(keys: Ints) -> tuple[Ints, Ints]:
    """The number of each key, by first appearance, and where each number first stands."""
    numbers, distinct = numbered(keys)
    first = np.empty(len(distinct), np.int64)
    first[numbers[::-1]] = np.arange(len(keys))[::-1]
    return numbers, first
