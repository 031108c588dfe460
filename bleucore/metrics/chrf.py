"""chrF and chrF++ as counts that add up over segments, and as a score of such counts (Popović 2015 and 2017).

Counts are ``[n-grams of the hypothesis, n-grams of the reference, matches]`` for each order: those of characters
first, then those of words. With several references they are those of the segment's best one.

The text of a block of segments is one array of symbol ids, with a 0 after every text. A *node* is an n-gram in one
segment's reference: it is named by the place where the n-gram stands last in there, so that it needs no counting up
and no sorting. The node of an n-gram is looked up in a table by the node of its first n-1 symbols and its last
symbol, which makes it exact at any order. 0 is the node of every n-gram that the reference lacks.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from bleucore.arrow_arrays import as_arrow, as_numpy
from bleucore.corpus import TestSet
from bleucore.counts import Floats, Ints, Progress
from bleucore.declarations import Truth, Whole, declared, keep_accepted, signed_fields, yes_or_no
from bleucore.options import MAX_ORDER_LIMIT, SACREBLEU_VERSION
from bleucore.tokens.matching import totals

Codes = NDArray[np.uint32]

BETA_LIMIT = 100
SIGNATURE_ORDER = ("case", "eff", "nc", "nw", "space")
BLOCK_CHARACTERS = 1 << 16
"""Characters handled at once: arrays of so many whole numbers stay in a processor's cache."""
TABLE_SIZE = 1 << 22
"""Entries of the table of nodes (32 MB, used as far as needed). A block that needs more, which one long segment of
many different characters can, has its keys numbered by hashing first."""
EPSILON = 1e-16
"""What stands for an undefined precision or recall, as in Popović's chrF++.py."""

WHITE_SPACE = (
    "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
"""Where ``str.split`` splits."""
PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
"""What is split off a word, one character of it."""


@dataclass(frozen=True)
class ChrfOptions:
    """How chrF is computed. The defaults are sacreBLEU's; a word order of 2 makes it chrF++.

    Attributes:
        char_order: The longest n-gram of characters counted.
        word_order: The longest n-gram of words counted; 0 leaves words out.
        beta: Recall weighs beta times as much as precision.
        lowercase: Lower-case every text first.
        whitespace: Count white space as characters, else it is left out.
        eps_smoothing: Average F over all orders, with 1e-16 for what is undefined, as Popović's chrF++.py, Moses and
            NLTK do. Else average precision and recall over the orders that both texts have, then take F.

    Raises:
        InputError: A value that is not accepted.
    """

    char_order: int = declared(6, Whole(1, MAX_ORDER_LIMIT), "counts", ("nc", lambda options: options.char_order))
    word_order: int = declared(0, Whole(0, MAX_ORDER_LIMIT), "counts", ("nw", lambda options: options.word_order))
    beta: int = declared(2, Whole(0, BETA_LIMIT), "counts")
    lowercase: bool = declared(
        False, Truth(), "texts", ("case", lambda options: "lc" if options.lowercase else "mixed")
    )
    whitespace: bool = declared(False, Truth(), "texts", ("space", yes_or_no("whitespace")))
    eps_smoothing: bool = declared(
        False, Truth(), "counts", ("eff", lambda options: "no" if options.eps_smoothing else "yes")
    )

    def __post_init__(self) -> None:
        keep_accepted(self)

    @property
    def n_orders(self) -> int:
        """N, the orders of characters and of words together."""
        return self.char_order + self.word_order

    @property
    def name(self) -> str:
        """The name as sacreBLEU writes it: ``chrF2``, ``chrF2++``. Beta stands here and not in the signature."""
        return f"chrF{self.beta}{'+' * self.word_order}"

    def signature(self, n_references: int | Literal["var"]) -> str:
        """The signature as sacreBLEU writes it."""
        fields = {"nrefs": n_references, **signed_fields(self, SIGNATURE_ORDER), "version": SACREBLEU_VERSION}
        return "|".join(f"{key}:{value}" for key, value in fields.items())


def statistics(test_set: TestSet, options: ChrfOptions, progress: Progress | None = None) -> list[Ints]:
    """Counts of each system, each (S, 3N); those of lines without the white space at their ends."""
    hypotheses = [system.hypotheses for system in test_set.systems]
    references = test_set.references
    if test_set.are_lines and options.whitespace:  # nothing else would notice
        hypotheses = [[text.rstrip() for text in column] for column in hypotheses]
        references = [[text and text.rstrip() for text in column] for column in references]
    counts = counts_of_texts(hypotheses, references, options)
    if progress is not None:
        progress(1.0)
    return counts


def counts_of_texts(
    hypotheses: Sequence[Sequence[str]], references: Sequence[Sequence[str | None]], options: ChrfOptions
) -> list[Ints]:
    """Counts of each hypothesis column, each (S, 3N).

    A segment counts with that of its references which gives it the highest score, the first of several such;
    without any reference its counts are 0.

    Args:
        hypotheses: K columns of S texts.
        references: R columns of S texts, ``None`` where absent.
        options: All but ``beta`` and ``eps_smoothing`` change counts; those two choose the best reference.
    """
    sizes = np.array([[len(text or "") for text in column] for column in (*references, *hypotheses)], np.int64)
    n_segments = sizes.shape[1]
    counts = np.zeros((len(hypotheses), n_segments, 3 * options.n_orders), np.int64)
    table = np.zeros(TABLE_SIZE, np.int64)
    for rows in _blocks(sizes.sum(axis=0)):
        reference_block = [column[rows] for column in references]
        step = _columns_at_once(sizes[:, rows], len(hypotheses))
        for first in range(0, len(hypotheses), step):
            columns = slice(first, first + step)
            hypothesis_block = [column[rows] for column in hypotheses[columns]]
            counts[columns, rows] = _block_counts(hypothesis_block, reference_block, options, table)
    return list(counts)


def scores(counts: NDArray[Any], options: ChrfOptions) -> Floats:
    """ChrF of counts (..., 3N): (...), 0-100, and 0 where nothing is counted.

    F = (1 + beta²) P R / (beta² P + R), P and R averaged over the orders (Popović 2015). The operations and their
    order are those of sacreBLEU's ``_compute_f_score``, so that scores are equal to the last bit and the same
    references are best.
    """
    weight = options.beta**2
    n_hypothesis, n_reference, n_matched = (counts[..., part::3].astype(np.float64) for part in range(3))
    fallback = np.full(n_matched.shape, EPSILON)
    precisions = np.divide(n_matched, n_hypothesis, out=fallback.copy(), where=n_hypothesis > 0)
    recalls = np.divide(n_matched, n_reference, out=fallback.copy(), where=n_reference > 0)
    if options.eps_smoothing:
        each = _f_scores(precisions, recalls, weight, EPSILON)
        return 100.0 * _sum_in_order(each) / options.n_orders
    effective = (n_hypothesis > 0) & (n_reference > 0)
    n_effective = np.maximum(effective.sum(axis=-1), 1)
    precision = _sum_in_order(np.where(effective, precisions, 0.0)) / n_effective
    recall = _sum_in_order(np.where(effective, recalls, 0.0)) / n_effective
    return 100.0 * _f_scores(precision, recall, weight, 0.0)


def draw_scores(counts: NDArray[Any], options: ChrfOptions) -> Floats:
    """``scores`` of very many sums to the last bit, in a twelfth of the time: one order after the other.

    It is fastest where the counts of one kind lie side by side. Whole numbers can be in single precision.
    """
    if counts.ndim == 1 or options.eps_smoothing or not counts.size:
        return scores(counts.astype(np.float64, copy=False), options)
    precisions = np.zeros_like(counts[..., 0], np.float64)
    recalls, matched, shares = np.zeros_like(precisions), np.empty_like(precisions), np.empty_like(precisions)
    for order in range(options.n_orders):
        in_hypothesis, in_reference = counts[..., 3 * order], counts[..., 3 * order + 1]
        if min(in_hypothesis.min(), in_reference.min()) <= 0:  # an order is not counted everywhere
            return scores(counts.astype(np.float64, copy=False), options)
        np.copyto(matched, counts[..., 3 * order + 2])
        precisions += np.divide(matched, in_hypothesis, out=shares)
        recalls += np.divide(matched, in_reference, out=shares)
    precisions /= options.n_orders
    recalls /= options.n_orders
    return 100.0 * _f_scores(precisions, recalls, options.beta**2, 0.0)


def _f_scores(precisions: Floats, recalls: Floats, weight: int, undefined: float) -> Floats:
    denominators = np.asarray(weight * precisions + recalls)
    products = (1 + weight) * precisions * recalls
    if denominators.min(initial=1.0) > 0:  # a division with a mask takes longer
        return np.asarray(products / denominators)
    result = np.full(denominators.shape, undefined)
    np.divide(products, denominators, out=result, where=denominators > 0)
    return result


def _sum_in_order(values: Floats) -> Floats:
    """The sum over the last axis from left to right, which ``np.sum`` does not promise."""
    total = np.zeros(values.shape[:-1])
    for order in range(values.shape[-1]):
        total += values[..., order]
    return total


def _blocks(sizes: Ints) -> Iterator[slice]:
    """Runs of segments that have about ``BLOCK_CHARACTERS`` together, from the characters of each (S,)."""
    if not len(sizes):
        return
    block_of_segment = np.cumsum(sizes) // BLOCK_CHARACTERS
    edges = [0, *(np.flatnonzero(np.diff(block_of_segment)) + 1).tolist(), len(sizes)]
    yield from (slice(start, stop) for start, stop in pairwise(edges))


def _columns_at_once(sizes: Ints, n_hypotheses: int) -> int:
    """All hypothesis columns, or fewer where one segment alone is longer than a block should be."""
    return max(1, min(n_hypotheses, 4 * BLOCK_CHARACTERS * n_hypotheses // max(int(sizes.sum()), 1)))


def _block_counts(
    hypotheses: Sequence[Sequence[str]],
    references: Sequence[Sequence[str | None]],
    options: ChrfOptions,
    table: Ints,
) -> Ints:
    """Counts of a block of segments: (K, S, 3N)."""
    present = np.array([[text is not None for text in column] for column in references])
    levels = _levels([*references, *hypotheses], len(references), options)
    best_counts = np.zeros((len(hypotheses), present.shape[1], 3 * options.n_orders), np.int64)
    best_scores = np.full(best_counts.shape[:-1], -1.0)
    for index in range(len(references)):
        counts = np.concatenate([_counts(level, index, len(references), table) for level in levels], axis=-1)
        reached = scores(counts, options)
        better = present[index] & (reached > best_scores)
        best_counts[better] = counts[better]
        best_scores[better] = reached[better]
    return best_counts


@dataclass(frozen=True)
class _Level:
    """Columns of texts, laid end to end, as characters or as words.

    Attributes:
        symbols: What is not in any reference of the block is 0, and so is the end of every text.
        ends: Where the 0 after each text stands, (columns, S).
        max_order: The longest n-gram of these symbols counted.
    """

    symbols: Ints
    ends: Ints
    max_order: int

    @property
    def lengths(self) -> Ints:
        """The symbols of each text, (columns, S)."""
        return (np.diff(self.ends.ravel(), prepend=-1) - 1).reshape(self.ends.shape)

    @property
    def starts(self) -> Ints:
        """Where each text begins, (columns, S)."""
        return self.ends - self.lengths

    @property
    def segments(self) -> Ints:
        """The segment of each symbol, the end of its text included."""
        n_columns, n_segments = self.ends.shape
        return np.repeat(np.tile(np.arange(n_segments), n_columns), self.lengths.ravel() + 1)

    def columns(self, first: int, stop: int) -> "_Level":
        """Some of the columns."""
        start = self.starts[first, 0]
        return _Level(self.symbols[start : self.ends[stop - 1, -1] + 1], self.ends[first:stop] - start, self.max_order)


def _levels(columns: Sequence[Sequence[str | None]], n_references: int, options: ChrfOptions) -> list[_Level]:
    """Characters, and words if they are asked for, of some segments; the reference columns come first."""
    texts = [text or "" for column in columns for text in column]
    if options.lowercase:
        texts = [text.lower() for text in texts]
    ends = np.cumsum(np.fromiter(map(len, texts), np.int64, len(texts)) + 1) - 1
    codes = np.frombuffer("\n".join([*texts, ""]).encode("utf-32-le", "surrogatepass"), np.uint32)
    is_blank = _are_among(codes, _WHITE_SPACE)
    is_blank[ends] = False
    shape, last_reference = (len(columns), -1), len(texts) // len(columns) * n_references - 1
    kept, kept_ends = codes, ends
    if not options.whitespace:
        kept, kept_ends = codes.compress(~is_blank), ends - np.searchsorted(np.flatnonzero(is_blank), ends)
    symbols = _character_symbols(kept, kept_ends, last_reference)
    levels = [_Level(symbols, kept_ends.reshape(shape), options.char_order)]
    if options.word_order:
        is_blank[ends] = True
        symbols, word_ends = _word_symbols(codes, is_blank, ends, last_reference)
        levels.append(_Level(symbols, word_ends.reshape(shape), options.word_order))
    return levels


def _character_symbols(codes: Codes, ends: Ints, last_reference: int) -> Ints:
    """The code points that stand in a reference, numbered from 1."""
    is_known = np.zeros(int(codes.max()) + 1, np.bool_)
    is_known[codes[: ends[last_reference] + 1]] = True
    known = np.flatnonzero(is_known)
    numbers = np.zeros(len(is_known), np.int64)
    numbers[known] = np.arange(1, len(known) + 1)
    symbols = numbers[codes]
    symbols[ends] = 0
    return symbols


def _word_symbols(codes: Codes, is_blank: NDArray[np.bool_], ends: Ints, last_reference: int) -> tuple[Ints, Ints]:
    """The words that stand in a reference, numbered from 1, and where the 0 after each text stands."""
    starts, stops = _word_edges(codes, is_blank)
    n_words = np.searchsorted(starts, ends)
    offsets = np.concatenate([[0], np.cumsum(stops - starts)]) * codes.itemsize
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(codes.compress(~is_blank))]
    words = pa.Array.from_buffers(pa.large_binary(), len(starts), buffers)
    known = words[: n_words[last_reference]].unique()
    word_ends = n_words + np.arange(len(ends))
    symbols = np.zeros(len(starts) + len(ends), np.int64)
    is_word = np.ones(len(symbols), np.bool_)
    is_word[word_ends] = False
    symbols[is_word] = _positions(words, known)
    return symbols, word_ends


def _word_edges(codes: Codes, is_blank: NDArray[np.bool_]) -> tuple[Ints, Ints]:
    """Where words begin and stop: a punctuation mark at the end of a chunk, or else at its start, is a word."""
    edges = np.flatnonzero(np.diff(is_blank, prepend=True))
    starts, stops = edges[::2], edges[1::2]
    is_long = stops - starts > 1
    has_last = is_long & _are_among(codes[stops - 1], _PUNCTUATION)
    has_first = is_long & ~has_last & _are_among(codes[starts], _PUNCTUATION)
    cuts = np.concatenate([stops[has_last] - 1, starts[has_first] + 1])
    return np.sort(np.concatenate([starts, cuts])), np.sort(np.concatenate([stops, cuts]))


def _counts(level: _Level, index: int, n_references: int, table: Ints) -> Ints:
    """Counts of hypotheses with one of the references, one level: (K, S, 3M)."""
    reference = level.columns(index, index + 1)
    hypotheses = level.columns(n_references, len(level.ends))
    shape = (*hypotheses.ends.shape, level.max_order)
    matches = _matches(reference, hypotheses, table)
    in_reference = np.broadcast_to(totals(reference.lengths[0], level.max_order), shape)
    in_hypothesis = totals(hypotheses.lengths.ravel(), level.max_order).reshape(shape)
    counted = np.where(in_reference > 0, in_hypothesis, 0)
    return np.stack([counted, in_reference, matches], axis=-1).reshape(*shape[:2], -1)


def _matches(reference: _Level, hypotheses: _Level, table: Ints) -> Ints:
    """Clipped matches of the hypotheses: (K, S, M)."""
    n_columns, n_segments = hypotheses.ends.shape
    n_nodes = len(reference.symbols) + 1
    column_nodes = np.repeat(np.arange(n_columns) * n_nodes, (hypotheses.lengths + 1).sum(axis=1))
    matches = np.zeros((n_columns, n_segments, reference.max_order), np.int64)
    for order, (reference_nodes, nodes) in enumerate(_walk(reference, hypotheses, table)):
        allowed = np.bincount(reference_nodes, minlength=n_nodes)
        counted = np.bincount(nodes + column_nodes[: len(nodes)], minlength=n_columns * n_nodes)
        clipped = np.minimum(counted.reshape(n_columns, n_nodes), allowed)
        matches[..., order] = np.add.reduceat(clipped[:, 1:], reference.starts[0], axis=1)
    return matches


def _walk(reference: _Level, hypotheses: _Level, table: Ints) -> Iterator[tuple[Ints, Ints]]:
    """For each order the nodes of the reference's n-grams and of the hypotheses', by the place where each begins."""
    n_symbols = int(max(reference.symbols.max(), hypotheses.symbols.max())) + 1
    reference_nodes, nodes = _look_up(
        table,
        reference.segments * n_symbols + reference.symbols,
        np.flatnonzero(reference.symbols),
        hypotheses.segments * n_symbols + hypotheses.symbols,
        reference.ends.size * n_symbols,
    )
    yield reference_nodes, nodes
    reference_symbols, symbols, n_symbols = _symbols_of_segments(reference, reference_nodes, nodes)
    for order in range(1, reference.max_order):
        reference_nodes, nodes = reference_nodes[:-1], nodes[:-1]
        last_reference_symbols = reference_symbols[order:]
        reference_nodes, nodes = _look_up(
            table,
            reference_nodes * n_symbols + last_reference_symbols,
            np.flatnonzero((reference_nodes > 0) & (last_reference_symbols > 0)),
            nodes * n_symbols + symbols[order:],
            (len(reference.symbols) + 1) * n_symbols,
        )
        yield reference_nodes, nodes


def _symbols_of_segments(reference: _Level, reference_nodes: Ints, nodes: Ints) -> tuple[Ints, Ints, int]:
    """Symbols numbered from 1 within each segment, which keeps tables small, and the number of them with the 0."""
    is_last_of_its_kind = reference_nodes == np.arange(1, len(reference_nodes) + 1)
    numbers = np.cumsum(is_last_of_its_kind)
    before = numbers[reference.starts[0]] - is_last_of_its_kind[reference.starts[0]]
    numbers = np.concatenate([[0], numbers - before[reference.segments]])
    return numbers[reference_nodes], numbers[nodes], int(numbers.max()) + 1


def _look_up(table: Ints, reference_keys: Ints, live: Ints, keys: Ints, n_keys: int) -> tuple[Ints, Ints]:
    """The node of each key: the place, from 1, of the last live reference key that is equal to it, else 0.

    Args:
        table: All 0, and again when this returns.
        reference_keys: The n-gram that begins at each place of the reference.
        live: The places where that lies within a text; what runs past an end never has the key of one of those.
        keys: The n-gram that begins at each place of the hypotheses.
        n_keys: More than any key.
    """
    if n_keys > len(table):
        distinct = as_arrow(reference_keys[live]).unique()
        reference_keys, keys = _positions(as_arrow(reference_keys), distinct), _positions(as_arrow(keys), distinct)
        table = np.zeros(len(distinct) + 1, np.int64)
    entries = reference_keys[live]
    table[entries] = live + 1
    reference_nodes, nodes = table[reference_keys], table[keys]
    table[entries] = 0
    return reference_nodes, nodes


def _positions(values: pa.Array, among: pa.Array) -> Ints:
    """The position from 1 of each value in an array of distinct ones, 0 for a value that is not there."""
    numbered = pa.concat_arrays([among, values]).dictionary_encode()
    positions = as_numpy(numbered.indices)[len(among) :].astype(np.int64) + 1
    return np.where(positions <= len(among), positions, 0)


def _membership(characters: str) -> NDArray[np.bool_]:
    """Whether a code point is one of these characters, up to the first above all of them."""
    is_member = np.zeros(max(map(ord, characters)) + 2, np.bool_)
    is_member[[ord(character) for character in characters]] = True
    return is_member


def _are_among(codes: Codes, is_member: NDArray[np.bool_]) -> NDArray[np.bool_]:
    return is_member[np.minimum(codes, len(is_member) - 1)]


_WHITE_SPACE = _membership(WHITE_SPACE)
_PUNCTUATION = _membership(PUNCTUATION)
