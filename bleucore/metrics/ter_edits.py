"""The fewest edits of TER, of many pairs of texts side by side: insertions, deletions, replacements and shifts.

The numbers are those of sacreBLEU 2.6 (``lib_ter``), which follows Tercom: as long as a shift of words lowers the
distance to the reference, the shift that lowers it most counts as one edit; the distance that remains is added.

Distances are bit vectors (Hyyrö 2003, "A bit-vector algorithm for computing Levenshtein and Damerau edit distances"):
64 words of the reference are one number, and one row of the table for thousands of shifts is some twenty operations.
A reference of more words has several blocks, of which each is one row behind the one before it, so that all of them
advance at once.

sacreBLEU computes only the cells of a beam around the diagonal. If the path that the whole table gives lies within the
beam, the beam gives the same path: what sacreBLEU prefers to one of its steps costs more in the whole table, and no
less in the beam. The other pairs get a table with that beam. A distance without a beam is a lower bound. It ranks the
shifts, and the best one is taken once the beam confirms it. Short texts need no such check: let a hypothesis have n
words, its reference m words, and let d be their distance. A path of d edits through cell (i, j) has |j - i| + |(m - n)
- (j - i)| <= d. So j is at most (d + |m - n|) / 2 from i * m / n. The beam holds every cell up to 24 away, or up to 23
where sacreBLEU rounds a whole i * m / n down to the number before it. So it holds every shortest path where d + |m -
n| is below ``BEAM_MATTERS``.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Pair = tuple[Sequence[str], Sequence[str]]
NumberedPair = tuple[list[int], list[int]]
Bits: TypeAlias = NDArray[np.uint64]
Numbers: TypeAlias = NDArray[np.int64]

MAX_SHIFT_WORDS = 10
MAX_SHIFT_DISTANCE = 50
MAX_CANDIDATES = 1_000
"""Once so many shifts of a pair were to be tried, sacreBLEU takes no more of them."""
BEAM_WIDTH = 25
BEAM_MATTERS = 2 * BEAM_WIDTH - 2
BLOCK = 64
"""Words of a reference in one number."""
MAX_CELLS = 1 << 20
"""Cells of all tables of a batch; a pair that has more is a batch of its own. A cell takes some 25 bytes."""
MAX_NUMBERS = 1 << 12
"""Bit vectors that advance at once: with what belongs to them they stay in a processor's cache."""
ALL_BITS = np.uint64(2**64 - 1)
ONE, LAST = np.uint64(1), np.uint64(BLOCK - 1)
INSERTION, DIAGONAL, DELETION, END = 0, 1, 2, 4
"""How a cell was reached. Bit 0 says that it is from the diagonal, whatever bit 1 says."""
UNREACHED = 1 << 28


def edits(pairs: Sequence[Pair]) -> Numbers:
    """The fewest edits (P) that turn the words of each hypothesis into those of its reference, as sacreBLEU counts.

    Memory is bounded by ``MAX_CELLS``, and for longer pairs by the words of the two multiplied: 0.1 GB for 2,000 each.

    Args:
        pairs: Words of a hypothesis, and of its reference; either may be empty.
    """
    found = np.array([0 if words == other else max(len(words), len(other)) for words, other in pairs], np.int64)
    numbers: defaultdict[str, int] = defaultdict()
    numbers.default_factory = numbers.__len__
    number = numbers.__getitem__
    numbered = [(list(map(number, words)), list(map(number, other))) for words, other in pairs]
    for batch in _batches(numbered, [place for place in np.flatnonzero(found).tolist() if all(pairs[place])]):
        found[batch] = _batch_edits([numbered[place] for place in batch])
    return found


def _batches(numbered: Sequence[NumberedPair], places: Sequence[int]) -> Iterator[list[int]]:
    """Places of pairs of about the same lengths."""
    sizes = {place: (-(-len(numbered[place][1]) // BLOCK), len(numbered[place][0])) for place in places}
    batch: list[int] = []
    for place in sorted(places, key=sizes.__getitem__, reverse=True):
        if batch:
            n_blocks, n_words = sizes[batch[0]]
            if n_blocks != sizes[place][0] or (len(batch) + 1) * n_blocks * BLOCK * n_words > MAX_CELLS:
                yield batch
                batch = []
        batch.append(place)
    if batch:
        yield batch


@dataclass(frozen=True)
class _Texts:
    """P pairs whose hypotheses end in the same column, so that their tables end in the same row.

    Attributes:
        words: (P, N), -1 before the first word.
        references: (P, M), -2 after the last word.
        n_words: (P).
        n_references: (P), the words of each reference.
    """

    words: Numbers
    references: Numbers
    n_words: Numbers
    n_references: Numbers

    @property
    def begins(self) -> Numbers:
        """The column of the first word (P)."""
        n_columns: int = self.words.shape[1]
        return n_columns - self.n_words

    @property
    def length_differences(self) -> Numbers:
        """How much longer the one text is than the other (P)."""
        differences: Numbers = np.absolute(self.n_words - self.n_references)
        return differences

    def of(self, chosen: NDArray[Any]) -> "_Texts":
        """Some of the pairs."""
        return _Texts(self.words[chosen], self.references[chosen], self.n_words[chosen], self.n_references[chosen])

    def shifted(self, start: Numbers, length: Numbers, next_length: Numbers) -> "_Texts":
        """With the ``length`` words from column ``start`` moved behind the ``next_length`` words after them."""
        column = np.arange(self.words.shape[1])
        start, length, next_length = start[:, None], length[:, None], next_length[:, None]
        source = column + np.where(column < start + next_length, length, -next_length)
        source = np.where((column < start) | (column >= start + length + next_length), column, source)
        return _Texts(np.take_along_axis(self.words, source, 1), self.references, self.n_words, self.n_references)


def _texts(numbered: Sequence[NumberedPair]) -> _Texts:
    n_words, n_references = np.array([[len(words) for words in pair] for pair in numbered], np.int64).T
    words = np.full((len(numbered), n_words.max()), -1, np.int64)
    references = np.full((len(numbered), -(-n_references.max() // BLOCK) * BLOCK), -2, np.int64)
    words[np.arange(words.shape[1]) >= words.shape[1] - n_words[:, None]] = [
        one for pair in numbered for one in pair[0]
    ]
    references[np.arange(references.shape[1]) < n_references[:, None]] = [one for pair in numbered for one in pair[1]]
    return _Texts(words, references, n_words, n_references)


def _batch_edits(numbered: Sequence[NumberedPair]) -> Numbers:
    """The edits of pairs of which no text is empty: (P)."""
    texts = _texts(numbered)
    least = _least_distances(texts)
    found = np.zeros(len(numbered), np.int64)
    places = np.arange(len(numbered))
    n_tried = np.zeros(len(numbered), np.int64)
    while len(places):
        tables = _Tables(texts)
        distances, alignment = _aligned(texts, tables)
        candidates = _candidates(texts, tables.equal, alignment)
        n_tried = n_tried + candidates.n_tried
        may_improve = (distances > least) & (n_tried < MAX_CANDIDATES)
        found[places] += distances
        improved, texts = _improved(texts, tables, distances, candidates.expanded(alignment, may_improve))
        found[places[improved]] += 1 - distances[improved]
        places, least, n_tried = places[improved], least[improved], n_tried[improved]
    return found


def _least_distances(texts: _Texts) -> Numbers:
    """What no order of the words of a hypothesis can be nearer to its reference: (P)."""
    shared = np.zeros(len(texts.words), np.int64)
    n_numbers = max(texts.words.max(), texts.references.max()) + 1
    pair = np.arange(len(shared))[:, None] * n_numbers
    keys, counts = np.unique((texts.words + pair)[texts.words >= 0], return_counts=True)
    other_keys, other_counts = np.unique((texts.references + pair)[texts.references >= 0], return_counts=True)
    both, place, other_place = np.intersect1d(keys, other_keys, assume_unique=True, return_indices=True)
    np.add.at(shared, both // n_numbers, np.minimum(counts[place], other_counts[other_place]))
    return np.maximum(texts.n_words, texts.n_references) - shared


@dataclass(frozen=True)
class _Kept:
    """What the rows of tables are, (step, block, pair). A block is one step behind the one before it.

    Attributes:
        rising: Before a step, 1 where a cell is one more than the one to its left.
        falling: Before a step, 1 where it is one less.
        diagonal: In a step, 1 where a cell equals the one diagonally before it.
        lower: In a step, 1 where it is one more than the one above.
    """

    rising: Bits
    falling: Bits
    diagonal: Bits
    lower: Bits

    def rows(self, bits: Bits, block: int) -> Bits:
        """One of them for a block: (row, pair)."""
        return bits[block : block + len(bits) - bits.shape[1], block]


class _Tables:
    """The tables of distances between all beginnings of P hypotheses and of their references, as bit vectors.

    Each column of the hypotheses is a row, each word of a reference a bit. Rows before the first word of a hypothesis
    equal the first row of its table.
    """

    def __init__(self, texts: _Texts) -> None:
        self.texts = texts
        n_pairs, self.n_rows = texts.words.shape
        self.equal = texts.words[:, :, None] == texts.references[:, None, :]
        packed = np.packbits(self.equal, axis=-1, bitorder="little").view("<u8").astype(np.uint64, copy=False)
        self.n_blocks = packed.shape[-1]
        self.matches = np.ascontiguousarray(packed.reshape(n_pairs * self.n_rows, self.n_blocks).T)
        n_bits = np.clip(texts.n_references - BLOCK * np.arange(self.n_blocks)[:, None], 0, BLOCK)
        self.masks = np.where(n_bits == BLOCK, ALL_BITS, (ONE << np.minimum(n_bits, BLOCK - 1).astype(np.uint64)) - ONE)
        shape = (self.n_rows + self.n_blocks, self.n_blocks, n_pairs)
        self.kept = _Kept(np.full(shape, ALL_BITS), *np.zeros((3, *shape), np.uint64))
        pointers = np.arange(self.n_rows)[:, None] + np.arange(n_pairs) * self.n_rows
        self.distances = self._advanced(np.arange(n_pairs), pointers, 0, self.kept)

    def distances_of_shifts(self, pairs: Numbers, starts: Numbers, lengths: Numbers, next_lengths: Numbers) -> Numbers:
        """Of each hypothesis (K) with the words from ``starts`` moved behind those after them; starts must rise."""
        found = np.empty(len(pairs), np.int64)
        step = max(1, MAX_NUMBERS // self.n_blocks)
        for place in range(0, len(pairs), step):
            part = slice(place, place + step)
            first = int(starts[place])
            begin, length, next_length = starts[part] - first, lengths[part], next_lengths[part]
            pointers = np.ones((self.n_rows - first + 1, len(begin)), np.int64)
            pointers[0] = pairs[part] * self.n_rows + first
            each = np.arange(len(begin))
            pointers[begin, each] += length
            pointers[begin + next_length, each] -= length + next_length
            pointers[begin + length + next_length, each] += next_length
            np.add.accumulate(pointers, axis=0, out=pointers)
            found[part] = self._advanced(pairs[part], pointers[:-1], first, None)
        return found

    def _advanced(self, pairs: Numbers, pointers: Numbers, first_row: int, kept: "_Kept | None") -> Numbers:
        """The distances (K) at the end of tables of the pairs (K), from the row at which they are as the kept ones.

        Args:
            pairs: Of each table.
            pointers: Which row of ``matches`` each row has, (T, K).
            first_row: The row of the first pointers.
            kept: Takes what the steps make.
        """
        n_rows, n_blocks, n_tables = len(pointers), self.n_blocks, len(pairs)
        block = np.arange(n_blocks)[:, None]
        rising, falling = (bits[first_row + block, block, pairs] for bits in (self.kept.rising, self.kept.falling))
        rises, falls = np.zeros((2, n_blocks + 1, n_tables), np.uint64)  # what a block is told by the one before it
        begins = self.texts.begins[pairs] - first_row
        last_begin = max(0, int(begins.max()))
        offsets = block * self.matches.shape[1]
        room = np.empty((3, n_blocks, n_tables), np.uint64)
        flat_matches = self.matches.reshape(-1)

        def blocks(low: int, high: int) -> tuple[Bits, ...]:
            each = rising, falling, *room, rises, falls
            return tuple(bits[low:high] for bits in each)

        active, views = (0, 0), blocks(0, 0)
        for step in range(n_rows + n_blocks - 1):
            low, high = max(0, step - n_rows + 1), min(n_blocks, step + 1)
            if low == 0 and step <= last_begin:
                rises[0] = begins <= step
            if (low, high) != active:
                active, views = (low, high), blocks(low, high)
            ups, downs, equal, diagonal, lower, told_rises, told_falls = views
            index = pointers[step - high + 1 : step - low + 1]
            if n_blocks > 1:
                index = index[::-1] + offsets[low:high]
            flat_matches.take(index, out=equal, mode="clip")
            if n_blocks > 1:
                equal |= told_falls
            _compare(equal, ups, downs, diagonal, lower)
            if kept is not None:
                kept.diagonal[step, low:high] = diagonal
                kept.lower[step, low:high] = lower
            if n_blocks > 1:
                _tell(lower, told_rises, rises[low + 1 : high + 1], equal)
                _tell(ups, told_falls, falls[low + 1 : high + 1], equal)
            else:
                lower <<= ONE
                lower |= told_rises
                ups <<= ONE
            np.bitwise_or(diagonal, lower, out=equal)
            np.invert(equal, out=equal)
            ups |= equal
            np.bitwise_and(diagonal, lower, out=downs)
            if kept is not None:
                kept.rising[step + 1, low:high] = ups
                kept.falling[step + 1, low:high] = downs
        masks = self.masks[:, pairs]
        difference = _n_bits(rising & masks).astype(np.int64) - _n_bits(falling & masks)
        distances: Numbers = self.texts.n_words[pairs] + difference.sum(axis=0)
        return distances

    def steps(self) -> NDArray[np.uint8]:
        """How each cell was reached from the one before it, (P, N + 1, M + 1): as the constants say."""
        shape = (self.n_blocks, len(self.equal), self.n_rows)
        diagonal, lower = np.empty(shape, np.uint64), np.empty(shape, np.uint64)
        for block in range(self.n_blocks):
            diagonal[block] = ~self.kept.rows(self.kept.diagonal, block).T
            lower[block] = self.kept.rows(self.kept.lower, block).T
        diagonal |= self.matches.reshape(shape)
        steps = np.empty((len(self.equal), self.n_rows + 1, self.n_blocks * BLOCK + 1), np.uint8)
        steps[:, 1:, 1:] = _unpacked(lower)
        steps[:, 1:, 1:] <<= 1
        steps[:, 1:, 1:] |= _unpacked(diagonal)
        return steps


def _compare(equal: Bits, ups: Bits, downs: Bits, diagonal: Bits, lower: Bits) -> None:
    """Compare the cells of a row with others.

    Args:
        equal: 1 where words match.
        ups: 1 where a cell of the row before is one more than the one to its left. Becomes 1 where a cell is one less
            than the one above.
        downs: 1 where it is one less than the one to its left.
        diagonal: Becomes 1 where a cell equals the one diagonally before it.
        lower: Becomes 1 where a cell is one more than the one above.
    """
    np.bitwise_and(equal, ups, out=diagonal)
    diagonal += ups
    diagonal ^= ups
    diagonal |= equal
    diagonal |= downs
    np.bitwise_or(diagonal, ups, out=lower)
    np.invert(lower, out=lower)
    lower |= downs
    ups &= diagonal


def _tell(bits: Bits, told: Bits, next_told: Bits, room: Bits) -> None:
    """Shift each block by what the block before it told, and tell the next block its last bit."""
    np.right_shift(bits, LAST, out=room)
    bits <<= ONE
    bits |= told
    next_told[...] = room


def _unpacked(bits: Bits) -> NDArray[np.uint8]:
    """Bits (block, P, N) as (P, N, M)."""
    flat = np.ascontiguousarray(np.moveaxis(bits, 0, -1)).astype("<u8", copy=False)
    return np.unpackbits(flat.view(np.uint8), axis=-1, bitorder="little")


@dataclass(frozen=True)
class _Alignment:
    """How P hypotheses are aligned with their references.

    Attributes:
        columns: Behind which column of the hypothesis each reference word is, (P, M + 1); the first is the beginning.
        n_wrong: Words of the hypothesis before each column that match nothing, (P, N + 1).
        n_missed: Words of the reference before each of its words that nothing matches, (P, M + 1).
        n_changes: How many different columns there are up to each reference word, less one: (P, M + 1).
        targets: The different columns, in order, (P, M + 1).
    """

    columns: Numbers
    n_wrong: Numbers
    n_missed: Numbers
    n_changes: Numbers
    targets: Numbers


def _aligned(texts: _Texts, tables: _Tables) -> tuple[Numbers, _Alignment]:
    """Distances within the beam, (P), and the alignments."""
    distances, path = _traced(texts, tables)
    rows, columns, pairs, kinds = path.rows, path.columns, path.pairs, path.kinds
    n_pairs, n_rows, n_columns = len(distances), tables.equal.shape[1] + 1, tables.equal.shape[2] + 1
    aligned = np.zeros((n_pairs, n_columns), np.int64)
    aligned[:, 0] = texts.begins
    consumed = kinds != DELETION
    aligned[pairs[consumed], columns[consumed]] = rows[consumed]
    matched = (kinds & DIAGONAL).astype(bool)
    matched[matched] = tables.equal[pairs[matched], rows[matched] - 1, columns[matched] - 1]
    wrong, missed = np.ones((n_pairs, n_rows), np.int64), np.ones((n_pairs, n_columns), np.int64)
    wrong[:, 0] = missed[:, 0] = 0
    wrong[pairs[matched], rows[matched]] = missed[pairs[matched], columns[matched]] = 0
    n_changes = np.zeros((n_pairs, n_columns), np.int64)
    np.cumsum(aligned[:, 1:] != aligned[:, :-1], axis=1, out=n_changes[:, 1:])
    targets = np.zeros_like(aligned)
    present = np.arange(n_columns) <= texts.n_references[:, None]
    targets[np.nonzero(present)[0], n_changes[present]] = aligned[present]
    return distances, _Alignment(aligned, wrong.cumsum(axis=1), missed.cumsum(axis=1), n_changes, targets)


@dataclass(frozen=True)
class _Path:
    """The cells on the way from the last cell of each table to its first: row, column, pair, and how it was reached."""

    rows: Numbers
    columns: Numbers
    pairs: Numbers
    kinds: NDArray[np.uint8]


def _traced(texts: _Texts, tables: _Tables) -> tuple[Numbers, _Path]:
    """Distances within the beam, (P), and how they came about.

    Where a table's path is within the beam, so is the beam's: whatever sacreBLEU prefers to a step of it costs more in
    the table, and no less in the beam.
    """
    steps, distances = tables.steps(), tables.distances.copy()
    path = _path(texts, steps)
    word = path.rows - texts.begins[path.pairs]
    low, high = _beam(texts.n_words[path.pairs], texts.n_references[path.pairs], word)
    left = np.unique(path.pairs[(word > 0) & ((path.columns < low) | (path.columns >= high))])
    if len(left):
        distances[left], steps[left, 1:, 1:] = _beam_tables(texts.of(left))
        path = _path(texts, steps)
    return distances, path


def _path(texts: _Texts, steps: NDArray[np.uint8]) -> _Path:
    n_pairs, n_rows, n_columns = steps.shape
    pair = np.arange(n_pairs)
    steps[:, :, 0] = DELETION
    steps[pair, texts.begins] = INSERTION
    steps[pair, texts.begins, 0] = END
    flat = steps.reshape(-1)
    back = np.array([1, n_columns + 1, n_columns, n_columns + 1, 0])
    cell = (pair * n_rows + n_rows - 1) * n_columns + texts.n_references
    n_most = int((texts.n_words + texts.n_references).max())
    cells = np.empty((n_most, n_pairs), np.int64)
    for step in range(n_most):
        cells[step] = cell
        cell = cell - back[flat[cell]]
    kinds = flat[cells]
    on_path = kinds != END
    place = np.broadcast_to(pair, cells.shape)[on_path]
    row, column = np.divmod(cells[on_path], n_columns)
    return _Path(row - place * n_rows, column, place, kinds[on_path])


def _beam(n_words: Numbers, n_references: Numbers, row: Numbers) -> tuple[Numbers, Numbers]:
    """The first column of the beam in a row, and the one behind its last."""
    ratio = n_references / n_words
    width = np.where(ratio / 2 > BEAM_WIDTH, np.ceil(ratio / 2 + BEAM_WIDTH), BEAM_WIDTH).astype(np.int64)
    middle = np.floor(row * ratio).astype(np.int64)
    return middle - width, np.where(row == n_words, n_references + 1, middle + width)


def _beam_tables(texts: _Texts) -> tuple[Numbers, NDArray[np.uint8]]:
    """Distances (P) of tables of which only a beam is computed, and how each of their cells was reached (P, N, M)."""
    (n_pairs, n_rows), n_columns = texts.words.shape, texts.references.shape[1]
    column = np.arange(n_columns + 1)
    steps = np.empty((n_pairs, n_rows, n_columns), np.uint8)
    row = np.broadcast_to(column, (n_pairs, n_columns + 1)).astype(np.int64)
    for number in range(n_rows):
        word = number + 1 - texts.begins
        low, high = _beam(texts.n_words, texts.n_references, word)
        diagonal = row[:, :-1] + (texts.words[:, number, None] != texts.references)
        deletion = row + 1
        best = deletion.copy()
        np.minimum(best[:, 1:], diagonal, out=best[:, 1:])
        outside = (column < low[:, None]) | (column >= high[:, None])
        best[outside] = UNREACHED
        best = np.minimum.accumulate(best - column, axis=1) + column
        best[outside] = UNREACHED
        kind = np.where(best == deletion, DELETION, INSERTION)[:, 1:]
        steps[:, number] = np.where(best[:, 1:] == diagonal, DIAGONAL, kind)
        row = np.where((word > 0)[:, None], best, row)
    return row[np.arange(n_pairs), texts.n_references], steps


@dataclass(frozen=True)
class _Candidates:
    """Phrases of hypotheses to be moved, each next to where the same words stand in the reference.

    Attributes:
        n_tried: How many shifts there are of each pair, (P); no more are listed of one that has ``MAX_CANDIDATES``.
        pairs: (K).
        starts: The column where a phrase begins, (K).
        reference_starts: Where its words begin in the reference, (K).
        lengths: Its words, (K).
    """

    n_tried: Numbers
    pairs: Numbers
    starts: Numbers
    reference_starts: Numbers
    lengths: Numbers

    def expanded(self, alignment: _Alignment, chosen: NDArray[np.bool_]) -> "_Shifts":
        """All shifts of the chosen pairs."""
        keep = chosen[self.pairs]
        pairs, starts, reference_starts, lengths = (
            part[keep] for part in (self.pairs, self.starts, self.reference_starts, self.lengths)
        )
        first = alignment.n_changes[pairs, reference_starts]
        n_targets = alignment.n_changes[pairs, reference_starts + lengths] - first + 1
        which = np.repeat(np.arange(len(pairs)), n_targets)
        target = first[which] + np.arange(len(which)) - np.repeat(n_targets.cumsum() - n_targets, n_targets)
        pairs = pairs[which]
        return _Shifts(pairs, starts[which], lengths[which], alignment.targets[pairs, target])


@dataclass(frozen=True)
class _Shifts:
    """Shifts (K): pair, first column and words of a phrase, and the column before which it is put."""

    pairs: Numbers
    starts: Numbers
    lengths: Numbers
    targets: Numbers

    def exchanges(self, n_columns: int) -> "tuple[_Shifts, tuple[Numbers, Numbers, Numbers]]":
        """Those that change anything, and each as words that are moved behind those after them.

        Returns:
            The shifts, and for each: the column of the first word, the words that are moved, the words after them.
        """
        inside = np.minimum(self.targets, n_columns - self.lengths)  # sacreBLEU moves on by as many words
        ends = self.starts + self.lengths
        begins = np.where(self.targets > ends, self.targets - self.lengths, inside)
        moved = begins - self.starts
        change = moved != 0
        shifts = _Shifts(self.pairs[change], self.starts[change], self.lengths[change], self.targets[change])
        moved, begins = moved[change], begins[change]
        back = moved < 0
        exchanges = (
            np.where(back, begins, shifts.starts),
            np.where(back, -moved, shifts.lengths),
            np.where(back, shifts.lengths, moved),
        )
        return shifts, exchanges


def _candidates(texts: _Texts, equal: NDArray[np.bool_], alignment: _Alignment) -> _Candidates:
    """Phrases with an error, whose place in the reference has one too and is not aligned with the phrase itself."""
    n_pairs, n_rows, n_columns = equal.shape
    flat = equal.reshape(-1)
    place = np.flatnonzero(flat)
    pair, cell = np.divmod(place, n_rows * n_columns)
    start, other = np.divmod(cell, n_columns)
    if n_rows > MAX_SHIFT_DISTANCE or n_columns > MAX_SHIFT_DISTANCE:
        near = np.abs(other - start + texts.begins[pair]) <= MAX_SHIFT_DISTANCE
        pair, start, other = pair[near], start[near], other[near]
    n_tried = np.zeros(n_pairs, np.int64)
    parts = []
    for length in range(1, MAX_SHIFT_WORDS + 1):
        wrong = alignment.n_wrong[pair, start + length] > alignment.n_wrong[pair, start]
        missed = alignment.n_missed[pair, other + length] > alignment.n_missed[pair, other]
        aligned = alignment.columns[pair, other + 1] - 1
        kept = np.flatnonzero(wrong & missed & ((aligned < start) | (aligned >= start + length)))
        part = pair[kept], start[kept], other[kept]
        n_targets = alignment.n_changes[part[0], part[2] + length] - alignment.n_changes[part[0], part[2]] + 1
        np.add.at(n_tried, part[0], n_targets)
        parts.append((*part, np.full(len(kept), length)))
        longer = (start + length < n_rows) & (other + length < n_columns) & (n_tried < MAX_CANDIDATES)[pair]
        pair, start, other = pair[longer], start[longer], other[longer]
        longer = equal[pair, start + length, other + length]
        pair, start, other = pair[longer], start[longer], other[longer]
        if not len(pair):
            break
    return _Candidates(n_tried, *map(np.concatenate, zip(*parts, strict=True)))


def _improved(texts: _Texts, tables: _Tables, distances: Numbers, shifts: _Shifts) -> tuple[Numbers, _Texts]:
    """The pairs that a shift brings nearer to their references, in order, and these after the best shift."""
    n_pairs, n_columns = texts.words.shape
    room = n_columns + 1
    shifts, (start, length, next_length) = shifts.exchanges(n_columns)
    keys, which = np.unique(
        ((start * n_pairs + shifts.pairs) * room + length) * room + next_length, return_inverse=True
    )
    key, next_length = np.divmod(keys, room)
    key, length = np.divmod(key, room)
    start, pair = np.divmod(key, n_pairs)
    nearest = tables.distances_of_shifts(pair, start, length, next_length)
    confirmed = nearest + texts.length_differences[pair] < BEAM_MATTERS
    # Of equal distances sacreBLEU prefers the longest phrase, then the first one, then the first place for it.
    order = ((MAX_SHIFT_WORDS - shifts.lengths) * room + shifts.starts) * room + shifts.targets
    order_room = MAX_SHIFT_WORDS * room * room
    while True:
        rank = nearest[which] * order_room + order
        least = np.full(n_pairs, (distances.max() + 1) * order_room)
        np.minimum.at(least, shifts.pairs, rank)
        improved = np.flatnonzero(least // order_room < distances)
        best = np.zeros(n_pairs, np.int64)
        taken = rank == least[shifts.pairs]
        best[shifts.pairs[taken]] = which[taken]
        best = best[improved]
        moved = texts.of(improved).shifted(start[best], length[best], next_length[best])
        doubtful = np.flatnonzero(~confirmed[best])
        if not len(doubtful):
            return improved, moved
        doubted = moved.of(doubtful)
        nearest[best[doubtful]] = _traced(doubted, _Tables(doubted))[0]
        confirmed[best[doubtful]] = True


def _n_bits(words: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """The number of bits that are set in each word. numpy has a function for this since version 2."""
    if hasattr(np, "bitwise_count"):
        counted: NDArray[np.uint8] = np.bitwise_count(words)
    else:
        counted = np.unpackbits(words[..., None].view(np.uint8), axis=-1).sum(axis=-1, dtype=np.uint8)
    return counted
