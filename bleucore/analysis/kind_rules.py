"""The rules of ``token_kinds`` on all segments of a column of outputs at once.

The tokens that are not credited are *open*, the reference tokens that nothing stands for are *unused*. Each rule pairs
open tokens with unused ones of the same group, such as those of a segment that are equal but for case. In each segment
open tokens choose from left to right, each the nearest one that is left (``_Pairing``).
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from bleucore.analysis.token_kinds import (
    CASE,
    LONGEST_PAIRED,
    MANY_CAPITALS,
    MISSING,
    NAME,
    NO_KIND,
    NUMBER,
    ORDER,
    OTHER_FORM,
    OTHER_WORD,
    PUNCTUATION,
    REPEAT,
    SENTENCE_ENDS,
    SHORTEST_BORROWED,
    SHORTEST_STEM,
    are_forms,
    facts_of,
)
from bleucore.arrow_arrays import as_arrow, as_numpy, dictionary_encoded
from bleucore.counts import Ints, Progress
from bleucore.tokens.matching import SegmentTokens, credited_ngrams

Bools = NDArray[np.bool_]
MOST_AT_ONCE = 1 << 23
"""Pairs of tokens of an output and its reference in a run of segments: bounds memory."""
MASK_BITS = 63
"""Characters share a bit of a mask where their numbers leave the same remainder."""


class Facts:
    """What the tokens of a vocabulary are, found when it is first asked.

    Attributes:
        words: The tokens.
    """

    def __init__(self, words: Sequence[str]) -> None:
        """What nothing is known of yet."""
        n_words = len(words)
        self.words = words
        self._is_known = np.zeros(n_words, np.bool_)
        self._flags = np.zeros((6, n_words), np.bool_)
        self._folded, self._beginnings = np.zeros(n_words, np.int64), np.full(n_words, -1, np.int64)
        self._masks = np.zeros(n_words, np.int64)
        self._numbers: dict[str, int] = {}
        self.ends_sentence = np.zeros(n_words, np.bool_)
        self.ends_sentence[[place for place, word in enumerate(words) if word in SENTENCE_ENDS]] = True

    def look_up(self, ids: Ints) -> None:
        """Find out what these tokens are."""
        wanted = np.zeros(len(self.words), np.bool_)
        wanted[ids] = True
        for one in np.flatnonzero(wanted & ~self._is_known).tolist():
            word = self.words[one]
            facts = facts_of(word)
            self._flags[:, one] = (
                facts.is_punctuation,
                facts.has_digit,
                facts.is_capitalised,
                facts.is_word,
                facts.is_spaced,
                len(word) >= SHORTEST_BORROWED,
            )
            self._folded[one] = self._number(facts.folded)
            if facts.is_word and len(facts.folded) >= SHORTEST_STEM:
                self._beginnings[one] = self._number(facts.folded[:SHORTEST_STEM])
            if not facts.is_spaced:
                self._masks[one] = sum({1 << ord(character) % MASK_BITS for character in word})
        self._is_known |= wanted

    def _number(self, text: str) -> int:
        return self._numbers.setdefault(text, len(self._numbers))

    def _flag(self, which: int, ids: Ints) -> Bools:
        found: Bools = self._flags[which].take(ids)
        return found

    @property
    def n_numbers(self) -> int:
        """More than any number of ``folded`` or ``beginnings``."""
        return len(self._numbers) + 1

    def is_punctuation(self, ids: Ints) -> Bools:
        """Which have neither a letter nor a digit."""
        return self._flag(0, ids)

    def has_digit(self, ids: Ints) -> Bools:
        """Which have a digit."""
        return self._flag(1, ids)

    def is_capitalised(self, ids: Ints) -> Bools:
        """Which begin with a capital."""
        return self._flag(2, ids)

    def is_word(self, ids: Ints) -> Bools:
        """Which begin with a letter."""
        return self._flag(3, ids)

    def is_spaced(self, ids: Ints) -> Bools:
        """Which are of a script with spaces between words."""
        return self._flag(4, ids)

    def is_long(self, ids: Ints) -> Bools:
        """Which have as many letters as a word of the source that is a name without a capital."""
        return self._flag(5, ids)

    def folded(self, ids: Ints) -> Ints:
        """A number of each, the same for those that are equal but for case."""
        return self._folded.take(ids)

    def beginnings(self, ids: Ints) -> Ints:
        """A number of each, the same for words that begin alike; -1 of those that are too short."""
        return self._beginnings.take(ids)

    def masks(self, ids: Ints) -> Ints:
        """A mask of each token of a script without spaces: two that share a character share a bit."""
        return self._masks.take(ids)


@dataclass(frozen=True)
class RuleMaterial:
    """What the rules look at, apart from the texts that are compared.

    Attributes:
        facts: Of the tokens as written.
        source: The different words of the sources, each as ``segment * words + token``, rising; words of no other text
            are left out.
        capitals: Whether a capital inside a sentence tells a name.
    """

    facts: Facts
    source: Ints
    capitals: bool


@dataclass(frozen=True)
class ColumnKinds:
    """The kinds of all tokens of a column of outputs, end to end, T tokens.

    Attributes:
        offsets: (S + 1,), where the texts begin.
        tokens: (T,), the kind of each; ``NO_KIND`` where nothing is wrong.
        joints: (T,), what breaks between each token and the next that no token does, else ``NO_KIND``.
        credited: (M, T), whether the n-gram of each order that begins there is credited.
        missing: (3, N), reference tokens that nothing stands for: segment, place, and the kind of leaving them out.
    """

    offsets: Ints
    tokens: Ints
    joints: Ints
    credited: Bools
    missing: Ints


def capitals_tell_names(references: Sequence[SegmentTokens], facts: Facts) -> bool:
    """Whether few words inside sentences begin with a capital in these texts."""
    inside = capitals = 0
    for column in references:
        facts.look_up(column.ids)
        is_word = facts.is_word(column.ids) & ~_begins_sentence(column, facts)
        inside += int(is_word.sum())
        capitals += int((is_word & facts.is_capitalised(column.ids)).sum())
    return capitals <= MANY_CAPITALS * inside


def column_kinds(
    output: SegmentTokens,
    references: Sequence[SegmentTokens],
    best: Ints,
    max_order: int,
    material: tuple[SegmentTokens, Sequence[SegmentTokens], RuleMaterial],
    report: Progress | None = None,
) -> ColumnKinds:
    """The kinds of all tokens of a column of outputs.

    Args:
        output: As BLEU compares it, S segments.
        references: R columns of S segments, empty where absent.
        best: (S,), the reference of each segment that outputs are sorted out against.
        max_order: M.
        material: The output and the references as written, and what else the rules look at.
        report: Called with the share of the work done.
    """
    credited = credited_ngrams(output, references, max_order)
    written, written_references, rules = material
    reference = chosen_references(references, best)
    written_reference = reference if written_references is references else chosen_references(written_references, best)
    offsets = output.offsets - output.offsets[0]
    tokens, joints = np.full(len(output.ids), NO_KIND, np.int64), np.full(len(output.ids), NO_KIND, np.int64)
    missing, n_segments = [np.zeros((3, 0), np.int64)], len(output.lengths)
    for rows in _runs(output.lengths, reference.lengths):
        if report is not None:
            report(rows.start / n_segments)
        span = slice(int(offsets[rows.start]), int(offsets[rows.stop]))
        sides = [_Side.of(*pair, rows) for pair in ((output, written), (reference, written_reference))]
        run = _Run(sides[0], sides[1], credited[:, span], rules, rows.start)
        tokens[span], joints[span], left_out = run.sorted_out()
        missing.append(left_out)
    return ColumnKinds(offsets, tokens, joints, credited, np.concatenate(missing, axis=1))


def _runs(lengths: Ints, reference_lengths: Ints) -> Iterator[slice]:
    """Runs of segments of which all pairs of tokens can be held at once."""
    run_of_segment = np.cumsum(lengths * reference_lengths + 1) // MOST_AT_ONCE
    edges = [0, *(np.flatnonzero(np.diff(run_of_segment)) + 1).tolist(), len(lengths)]
    yield from (slice(start, stop) for start, stop in pairwise(edges) if stop > start)


def chosen_references(references: Sequence[SegmentTokens], best: Ints) -> SegmentTokens:
    """That reference of each segment which is wanted, (S,), as one column."""
    if len(references) == 1:
        return references[0]
    pieces = [
        references[which].ids[references[which].offsets[row] : references[which].offsets[row + 1]]
        for row, which in enumerate(best.tolist())
    ]
    lengths = [len(piece) for piece in pieces]
    return SegmentTokens(np.concatenate([*pieces, np.zeros(0, np.int64)]).astype(np.int64), np.cumsum([0, *lengths]))


def _begins_sentence(column: SegmentTokens, facts: Facts) -> Bools:
    """Whether each token stands first, or behind the end of a sentence."""
    begins = np.ones(len(column.ids), np.bool_)
    begins[1:] = facts.ends_sentence.take(column.ids[:-1])
    begins[(column.offsets[:-1] - column.offsets[0])[column.lengths > 0]] = True
    return begins


@dataclass(frozen=True)
class _Side:
    """Texts of some segments, end to end: the outputs, or the references.

    Attributes:
        ids: The tokens as BLEU compares them.
        written: As they are written.
        segments: The segment of each.
        places: Where each stands in its text.
        lengths: The tokens of each text, (S,).
    """

    ids: Ints
    written: Ints
    segments: Ints
    places: Ints
    lengths: Ints

    @classmethod
    def of(cls, column: SegmentTokens, written: SegmentTokens, rows: slice) -> "_Side":
        """Some segments of a column."""
        start, stop = int(column.offsets[rows.start]), int(column.offsets[rows.stop])
        lengths = column.lengths[rows]
        starts = np.cumsum(lengths) - lengths
        ids = column.ids[start:stop].astype(np.int64)
        own = ids if written is column else written.ids[start:stop].astype(np.int64)
        places = np.arange(len(ids)) - np.repeat(starts, lengths)
        return cls(ids, own, np.repeat(np.arange(len(lengths)), lengths), places, lengths)

    def before(self, facts: Facts) -> Bools:
        """Whether each token stands first, or behind the end of a sentence."""
        begins = np.ones(len(self.ids), np.bool_)
        begins[1:] = facts.ends_sentence.take(self.written[:-1])
        first: Bools = self.places == 0
        return begins | first


@dataclass(frozen=True)
class _Run:
    """Some segments: outputs, the reference of each, which n-grams are credited, and what the rules look at."""

    output: _Side
    reference: _Side
    credited: Bools
    material: RuleMaterial
    first_segment: int

    def sorted_out(self) -> tuple[Ints, Ints, Ints]:
        """Kinds of tokens (T,), of joints (T,), and what is missing (3, N)."""
        output, reference = self.output, self.reference
        nodes, reference_nodes = self._nodes()
        kinds = np.full(len(output.ids), NO_KIND, np.int64)
        unused = np.flatnonzero(~_used(nodes[self.credited[0]], reference_nodes))
        opened = np.flatnonzero(~self.credited[0])
        is_short = np.maximum(output.lengths, reference.lengths) <= LONGEST_PAIRED
        pairing = _Pairing.of(output, reference, opened, unused, is_short)
        known = np.zeros(max(nodes.max(initial=-1), reference_nodes.max(initial=-1)) + 1, np.bool_)
        known[reference_nodes] = True
        kinds[opened] = self._marked(pairing, known[nodes[opened]])
        is_unused = np.zeros(len(reference.ids), np.bool_)
        is_unused[unused] = pairing.is_free | ~is_short[reference.segments[unused]]
        joints = self._joints(nodes, reference_nodes, is_unused)
        if len(self.credited) > 1:
            in_order = self.credited[1].copy()
            in_order[1:] |= self.credited[1][:-1] & (output.places[1:] > 0)
            alone = np.flatnonzero(self.credited[0] & ~in_order)
            before = np.where(output.places[alone] > 0, joints[alone - 1], NO_KIND)
            kinds[alone[(joints[alone] == ORDER) | (before == ORDER)]] = ORDER
        return kinds, joints, self._missing(pairing, opened[kinds[opened] == OTHER_WORD], unused, is_unused)

    def _nodes(self) -> tuple[Ints, Ints]:
        """A number of each token of outputs and references: the same for equal tokens of a segment."""
        width = 1 + max(int(side.ids.max(initial=0)) for side in (self.output, self.reference))
        keys = np.concatenate([side.segments * width + side.ids for side in (self.output, self.reference)])
        numbers = as_numpy(dictionary_encoded(as_arrow(keys)).indices).astype(np.int64)
        return numbers[: len(self.output.ids)], numbers[len(self.output.ids) :]

    def _marked(self, pairing: "_Pairing", is_known: Bools) -> Ints:
        """The kinds of the open tokens; unused reference tokens that these stand for are no longer free."""
        facts, open_ids = self.material.facts, pairing.open_ids
        facts.look_up(open_ids)
        facts.look_up(pairing.unused_ids)
        unused_ids, kinds = pairing.unused_ids, np.full(len(open_ids), NO_KIND, np.int64)
        is_word = facts.is_word(open_ids)
        folded = pairing.keys(facts.folded(open_ids), facts.folded(unused_ids), facts.n_numbers)
        kinds[pairing.taken(np.flatnonzero(is_word), None, folded)] = CASE
        for kind, has in ((PUNCTUATION, facts.is_punctuation), (NUMBER, facts.has_digit)):
            some = np.flatnonzero((kinds == NO_KIND) & has(open_ids))
            pairing.taken(some, np.flatnonzero(has(unused_ids)))
            kinds[some] = kind
        kinds[(kinds == NO_KIND) & is_known] = REPEAT
        names, unused_names = self._names(pairing)
        some = np.flatnonzero((kinds == NO_KIND) & names)
        pairing.taken(some, unused_names)
        kinds[some] = NAME
        left = kinds == NO_KIND
        kinds[left] = OTHER_WORD
        kinds[self._forms(pairing, np.flatnonzero(left & is_word))] = OTHER_FORM
        some = np.flatnonzero((kinds == OTHER_WORD) & facts.is_capitalised(open_ids))
        kinds[pairing.taken(some, unused_names)] = NAME
        return kinds

    def _names(self, pairing: "_Pairing") -> tuple[Bools, Ints]:
        """Which open tokens are names, and the unused tokens that are."""
        sides = ((self.output, pairing.opened), (self.reference, pairing.unused))
        is_open, is_unused = (self._are_names(side, places) for side, places in sides)
        return is_open, np.flatnonzero(is_unused)

    def _are_names(self, side: _Side, places: Ints) -> Bools:
        facts, ids = self.material.facts, side.written[places]
        is_capital = facts.is_capitalised(ids)
        keys = (side.segments[places] + self.first_segment) * len(facts.words) + ids
        is_name = _are_members(keys, self.material.source) & (is_capital | facts.is_long(ids))
        if self.material.capitals:
            is_name |= is_capital & ~side.before(facts)[places]
        return is_name & facts.is_word(ids)

    def _forms(self, pairing: "_Pairing", opened: Ints) -> Ints:
        """The open words among these that an unused word is another form of."""
        facts = self.material.facts
        unused = np.flatnonzero(pairing.is_free & facts.is_word(pairing.unused_ids))
        beginnings = pairing.keys(
            facts.beginnings(pairing.open_ids), facts.beginnings(pairing.unused_ids), facts.n_numbers
        )
        begun = [places[facts.beginnings(ids[places]) >= 0] for ids, places in pairing.sides(opened, unused)]
        unspaced = [places[~facts.is_spaced(ids[places])] for ids, places in pairing.sides(opened, unused)]
        pairs = [_joined(begun[0], begun[1], *beginnings), _joined(unspaced[0], unspaced[1], *pairing.segments)]
        shared = facts.masks(pairing.open_ids[pairs[1][0]]) & facts.masks(pairing.unused_ids[pairs[1][1]])
        first, second = np.concatenate([pairs[0], pairs[1][:, shared != 0]], axis=1)
        ids = pairing.open_ids[first], pairing.unused_ids[second]
        fit = np.zeros(len(first), np.bool_)
        known: dict[tuple[int, int], bool] = {}
        for place, pair in enumerate(zip(ids[0].tolist(), ids[1].tolist(), strict=True)):
            if pair not in known:
                known[pair] = are_forms(facts.words[pair[0]], facts.words[pair[1]])
            fit[place] = known[pair]
        keys = np.unique(first[fit] * max(len(pairing.unused), 1) + second[fit])
        return pairing.take(keys // max(len(pairing.unused), 1), keys % max(len(pairing.unused), 1))

    def _joints(self, nodes: Ints, reference_nodes: Ints, is_unused: Bools) -> Ints:
        """What breaks between each token and the next, where both match alone."""
        output, reference = self.output, self.reference
        joints = np.full(len(output.ids), NO_KIND, np.int64)
        if len(self.credited) == 1 or not len(output.ids):
            return joints
        both = self.credited[0][:-1] & self.credited[0][1:] & ~self.credited[1][:-1] & (output.places[1:] > 0)
        breaks = np.flatnonzero(both)
        joints[breaks] = ORDER
        ends = _run_ends(reference, is_unused)
        order = np.argsort(reference_nodes, kind="stable")
        sorted_nodes = reference_nodes[order]
        low, high = (np.searchsorted(sorted_nodes, nodes[breaks], side) for side in ("left", "right"))
        which, starts = _expanded(low, high)
        starts = order[starts]
        width = len(reference.ids) + 1
        keys = sorted_nodes * width + order
        seconds = np.searchsorted(keys, nodes[breaks + 1][which] * width + starts + 1, "right")
        is_there = seconds < len(keys)
        seconds = np.minimum(seconds, max(len(keys) - 1, 0))
        is_there &= sorted_nodes[seconds] == nodes[breaks + 1][which]
        seconds = order[seconds]
        is_there &= seconds <= ends[starts]
        which, starts, seconds = which[is_there], starts[is_there], seconds[is_there]
        is_first = np.ones(len(which), np.bool_)
        is_first[1:] = which[1:] != which[:-1]
        which, starts, seconds = which[is_first], starts[is_first], seconds[is_first]
        n_words = np.concatenate([[0], np.cumsum(~self._is_punctuation(np.arange(len(reference.ids)), is_unused))])
        joints[breaks[which]] = np.where(n_words[seconds] == n_words[starts + 1], PUNCTUATION, MISSING)
        return joints

    def _is_punctuation(self, places: Ints, among: Bools | None = None) -> Bools:
        """Which of the reference tokens at these places are punctuation; of tokens that are not ``among``, unsure."""
        facts, ids = self.material.facts, self.reference.written[places]
        facts.look_up(ids if among is None else ids[among[places]])
        return facts.is_punctuation(ids)

    def _missing(self, pairing: "_Pairing", others: Ints, unused: Ints, is_unused: Bools) -> Ints:
        """What is missing but for reference tokens that the words of no other kind, at these places, stand for."""
        output, reference = self.output, self.reference
        pairing.is_free[:] = is_unused[unused]
        of_segment = np.searchsorted(pairing.opened, others)
        is_long = ~pairing.is_paired[output.segments[others]]
        pairing.taken(of_segment[~is_long], np.flatnonzero(pairing.is_paired[reference.segments[unused]]))
        left = unused[pairing.is_free]
        for segment in np.unique(output.segments[others[is_long]]).tolist():
            left = self._without_nearest(left, segment, others[output.segments[others] == segment])
        kinds = np.where(self._is_punctuation(left), PUNCTUATION, MISSING)
        found: Ints = np.stack([reference.segments[left] + self.first_segment, reference.places[left], kinds])
        return found

    def _without_nearest(self, left: Ints, segment: int, others: Ints) -> Ints:
        """The reference tokens that are left in a long text: one less for each of the words, in turn the nearest."""
        output, reference = self.output, self.reference
        own = reference.segments[left] == segment
        places = reference.places[left[own]].tolist()
        for place in output.places[others].tolist():
            if places:
                wanted = place * int(reference.lengths[segment]) / int(output.lengths[segment])
                del places[_place_of_nearest(places, wanted)]
        kept = np.zeros(int(reference.lengths[segment]), np.bool_)
        kept[places] = True
        stays = ~own
        stays[own] = kept[reference.places[left[own]]]
        remaining: Ints = left[stays]
        return remaining


@dataclass(frozen=True)
class _Pairing:
    """Open tokens and the unused reference tokens that they may stand for.

    Attributes:
        opened: (O,), the places of open tokens among those of all outputs.
        unused: (U,), the places of unused tokens among those of all references.
        open_ids: (O,), as written.
        unused_ids: (U,), as written.
        segments: Of open and of unused tokens.
        wanted: (O,), where in the reference each open token would stand.
        places: (U,), where each unused token stands.
        is_free: (U,), whether nothing stands for it yet; changes.
        is_paired: (S,), whether tokens of the segment are paired at all.
    """

    opened: Ints
    unused: Ints
    open_ids: Ints
    unused_ids: Ints
    segments: tuple[Ints, Ints]
    wanted: NDArray[np.float64]
    places: Ints
    is_free: Bools
    is_paired: Bools

    @classmethod
    def of(cls, output: _Side, reference: _Side, opened: Ints, unused: Ints, is_paired: Bools) -> "_Pairing":
        """All open and all unused tokens."""
        segments = output.segments[opened], reference.segments[unused]
        wanted = output.places[opened] * reference.lengths[segments[0]] / np.maximum(output.lengths[segments[0]], 1)
        return cls(
            opened,
            unused,
            output.written[opened],
            reference.written[unused],
            segments,
            wanted,
            reference.places[unused],
            is_paired[segments[1]],
            is_paired,
        )

    def keys(self, of_open: Ints, of_unused: Ints, n_keys: int) -> tuple[Ints, Ints]:
        """Numbers of groups within segments."""
        return self.segments[0] * n_keys + of_open, self.segments[1] * n_keys + of_unused

    def sides(self, opened: Ints, unused: Ints) -> tuple[tuple[Ints, Ints], tuple[Ints, Ints]]:
        """The tokens of both sides as written, and some of either."""
        return (self.open_ids, opened), (self.unused_ids, unused)

    def taken(self, opened: Ints, unused: Ints | None, groups: tuple[Ints, Ints] | None = None) -> Ints:
        """Let open tokens take unused ones of their group, of their segment unless given; those that found one."""
        free = np.flatnonzero(self.is_free) if unused is None else unused[self.is_free[unused]]
        return self.take(*_joined(opened, free, *(groups or self.segments)))

    def take(self, first: Ints, second: Ints) -> Ints:
        """Let open tokens take unused ones, of these pairs, ordered by both; those that found one."""
        order = np.lexsort((np.abs(self.places[second] - self.wanted[first]), first))
        first, second = first[order], second[order]
        found, limits = [np.zeros(0, np.int64)], np.full(len(self.is_paired), len(self.opened), np.int64)
        while len(first):
            is_first = np.ones(len(first), np.bool_)
            is_first[1:] = first[1:] != first[:-1]
            takers, wanted = first[is_first], second[is_first]
            clashes = np.ones(len(takers), np.bool_)
            clashes[np.unique(wanted, return_index=True)[1]] = False
            if clashes.any():  # whoever comes behind one that has to choose again may have to do so too
                clash = takers[clashes][::-1]
                limits[self.segments[0][clash]] = clash
                may = takers < limits[self.segments[0][takers]]
                limits[self.segments[0][clash]] = len(self.opened)
                takers, wanted = takers[may], wanted[may]
                is_left = np.ones(len(self.opened), np.bool_)
                is_left[takers] = False
                self.is_free[wanted] = False
                some = is_left[first] & self.is_free[second]
                first, second = first[some], second[some]
            else:
                self.is_free[wanted] = False
                first = first[:0]
            found.append(takers)
        return np.concatenate(found)


def _are_members(keys: Ints, rising: Ints) -> Bools:
    """Which numbers are among others, which rise."""
    if not len(rising):
        return np.zeros(len(keys), np.bool_)
    found: Bools = rising[np.minimum(np.searchsorted(rising, keys), len(rising) - 1)] == keys
    return found


def _joined(first: Ints, second: Ints, first_keys: Ints, second_keys: Ints) -> Ints:
    """All pairs of equal keys, (2, P), ordered by both; ``second`` rises."""
    keys = second_keys[second]
    order = np.argsort(keys, kind="stable")
    low, high = (np.searchsorted(keys[order], first_keys[first], side) for side in ("left", "right"))
    which, places = _expanded(low, high)
    return np.stack([first[which], second[order[places]]])


def _expanded(low: Ints, high: Ints) -> tuple[Ints, Ints]:
    """All numbers of ranges one after the other, and the range of each."""
    sizes = high - low
    which = np.repeat(np.arange(len(sizes)), sizes)
    return which, np.arange(len(which)) - np.repeat(np.cumsum(sizes) - sizes - low, sizes)


def _used(nodes: Ints, reference_nodes: Ints) -> Bools:
    """Which reference tokens a credited token stands for: of equal ones those further left."""
    order = np.argsort(reference_nodes, kind="stable")
    ordered = reference_nodes[order]
    ranks = np.arange(len(ordered)) - np.searchsorted(ordered, ordered)
    counts = np.bincount(nodes, minlength=int(reference_nodes.max(initial=-1)) + 1)
    used = np.zeros(len(order), np.bool_)
    used[order] = ranks < counts[ordered]
    return used


def _run_ends(reference: _Side, is_unused: Bools) -> Ints:
    """For each place the first one behind it that is not unused, or the end of its text."""
    n_tokens = len(reference.ids)
    stops = np.ones(n_tokens + 1, np.bool_)
    stops[:-1] = ~is_unused
    text_ends = np.cumsum(reference.lengths)[reference.segments]
    places = np.where(stops, np.arange(n_tokens + 1), n_tokens)
    nearest = np.minimum.accumulate(places[::-1])[::-1]
    ends: Ints = np.minimum(nearest[1:], text_ends)
    return ends


def _place_of_nearest(sorted_places: Sequence[int], wanted: float) -> int:
    """Where in a sorted list the number stands that is nearest."""
    place = bisect_left(sorted_places, wanted)
    near = [one for one in (place - 1, place) if 0 <= one < len(sorted_places)]
    return min(near, key=lambda one: abs(sorted_places[one] - wanted))
