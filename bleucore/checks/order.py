"""Does line i of every column belong to line i of the others? Lines shifted, reordered, or of another text.

Every column is held against all others that say the same in the same language, put together: the one that is out
of step stands out, whether it is a system or a reference. Where that leaves the question open, the source decides.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias

import numpy as np

from bleucore.checks.alignment import (
    MAX_SHIFT,
    Evidence,
    Side,
    WordModel,
    evidence_by_shift,
    length_evidence,
    products,
    shifted_runs,
    unrelated_runs,
)
from bleucore.checks.alphabet import INVISIBLE
from bleucore.checks.compared_texts import Bools, CheckedColumn, Columns
from bleucore.checks.findings import Observation, Repair, Severity, Shift, of_all
from bleucore.checks.misaligned_column import blamed, fitting_no_other
from bleucore.checks.repairs import moved_back
from bleucore.checks.sides import Pool, anchor_weights, side, sides, word_weights
from bleucore.counts import Floats, Ints
from bleucore.written_numbers import count

Run: TypeAlias = tuple[int, int]

_PAIR = 2
"""Columns of a test set of one system and one reference."""

_MAX_SEARCHED = 1000
"""Lines of a column that are searched for in all others: the work grows with them times the segments."""

_SEARCH_BLOCK_BYTES = 2**25
_LEAST_MOVED, _LEAST_MOVED_SHARE = 3, 0.4
"""Of unrelated lines, up to a quarter fit another line by chance; of lines in another order, 60 % and more."""

_LEAST_WORDS_SEARCHED = 5
_LEAST_ABOVE_CHANCE, _LEAST_AHEAD = 1.0, 2.0
"""Evidence beyond the logarithm of the number of lines that a line could belong to, and beyond that for the next best.

Where words are few, every line is somewhat like several others.
"""

_LEAST_LOCAL, _LEAST_LOCAL_SHARE = 4, 0.005
_FAR, _NEAR = -1.0, 4.5
"""Evidence for lines that do not fit at all, and for lines that fit very well."""

_WHOLE, _LARGE_SHARE, _SOME_SHARE, _SOME_SHARE_OF_PAIR = 0.9, 0.1, 0.01, 0.03
_FEWEST_WORDS = 3
"""Words of most texts below which they are labels or answers: wrong ones share nothing with right ones."""

_FEWEST_LINES = 5
"""Of fewer, words that all of them share weigh nothing: they would seem to share none."""
_SHARES_NOTHING, _LEAST_WORDS_OF_OTHERS = 0.15, 8
"""Likeness and words of texts of which hardly any are so unlike: 2 to 4 in seven to twelve systems of WMT22."""

_MOST, _REACH, _NEIGHBOURHOOD = 0.5, 0.9, 100
"""Shares of moved lines that tell in which order they are and how far they went, and a distance in lines."""

_MAX_RUNS_NAMED = 3


@dataclass(frozen=True, eq=False)
class Alignment:
    """How one column stands to all others of its language.

    Attributes:
        column: The column.
        evidence: (S,), that each line belongs where it stands, as a log likelihood ratio; 0 for empty lines.
        likeness: (S,), the product with the same line of the others, see ``words``; 0 for empty lines.
        shifts: Runs of lines that belong a few lines away.
        moved: (S,), whether a line belongs further away, or to a neighbour without the lines around it.
        homes: (S,), where each line clearly belongs; -1 for nowhere, -2 for a line that was not searched for.
        example: A moved line, and the one that it belongs to; ``None`` without any.
        length_correlation: Of the logarithms of lengths, over all lines; NaN if they hardly differ.
        unrelated: Runs of lines that belong nowhere and differ in length too.
        foreign: Runs of lines that share no words with the others but fit them in length.
    """

    column: CheckedColumn
    evidence: Evidence
    likeness: Evidence
    shifts: tuple[Shift, ...]
    moved: Bools
    homes: Ints
    example: tuple[int, int] | None
    length_correlation: float
    unrelated: tuple[Run, ...]
    foreign: tuple[Run, ...]


def alignments(columns: Columns) -> tuple[Alignment, ...]:
    """The alignment of every system and reference, in the order of ``columns.targets``."""
    weights = columns.once(word_weights)
    seen = sides(columns.targets, weights)
    pool = Pool.of(columns.targets, seen)
    alone = ((column, seen(column)) for column in columns.targets)
    return tuple(_alignment(column, one, pool.others(column, one)) for column, one in alone)


def shifted_lines(columns: Columns) -> Iterator[Observation]:
    """Systems, references or a source of which a run of lines stands a few lines too early or too late."""
    to_blame = columns.once(_shifted_columns)
    for column, shifts in to_blame.items():
        yield _shifted(column, shifts, "error", "the other texts" if len(columns.targets) > _PAIR else "the reference")
    steady = tuple(column for column in columns.targets if column not in to_blame)
    if columns.source is not None and steady:
        weights = anchor_weights(columns)
        source, together = side(columns.source, weights), Pool.of(steady, partial(side, weights=weights)).together()
        evidence = evidence_by_shift(source, together, WordModel.of(source, together))
        if shifts := shifted_runs(evidence):
            yield _shifted(columns.source, shifts, "warning", "the systems and references")


def reordered_lines(columns: Columns) -> Iterator[Observation]:
    """Systems or references whose lines stand in another order."""
    for alignment in columns.once(_out_of_place):
        if alignment.example is not None:
            line, home = alignment.example
            yield Observation(
                alignment.column,
                "error",
                f"{of_all(int(alignment.moved.sum()), columns.n_segments, 'line')} look reordered, "
                f"{_order_of(alignment, columns.documents)}: line {count(line + 1)}, say, fits line {count(home + 1)} "
                "of the other texts.",
                "Put the lines into the order of the source, and look for a step that sorted, shuffled or split them.",
                alignment.moved,
                repair=partial(_put_in_order, alignment),
            )


def unrelated_lines(columns: Columns) -> Iterator[Observation]:
    """Systems or references that have to do with the others in no place, or not over a long run of lines."""
    for alignment in columns.once(_out_of_place):
        for runs, what, remedy in (
            (
                alignment.unrelated,
                "do not match the same lines of the other texts, in words or in length",
                "Check that this is the right file of the right test set.",
            ),
            (
                alignment.foreign,
                ("share almost no word with the same lines of the other texts, though their lengths match"),
                "Check that the text is in the right language and script.",
            ),
        ):
            if not runs:
                continue
            flagged = _inside(runs, columns.n_segments)
            n_flagged = int(flagged.sum())
            first = f", from line {count(runs[0][0] + 1)} on" if n_flagged < columns.n_segments else ""
            correlation = alignment.length_correlation
            if np.isfinite(correlation):
                first += f"; over all lines, lengths correlate at {correlation:.2f}"
            yield Observation(
                alignment.column,
                "error" if n_flagged >= _LARGE_SHARE * columns.n_segments else "warning",
                f"{of_all(n_flagged, columns.n_segments, 'line')} {what}{first}.",
                remedy,
                flagged,
            )


def unrelated_outputs(columns: Columns) -> Iterator[Observation]:
    """Single outputs that share nothing with the other texts of their segments: refusals, inventions, other lines."""
    if columns.n_segments < _FEWEST_LINES:
        return
    others = ["the reference" if len(columns.references) == 1 else "the references"]
    least_share = _SOME_SHARE if len(columns.targets) > _PAIR else _SOME_SHARE_OF_PAIR
    others += ["the other systems" if len(columns.systems) > _PAIR else "the other system"] * (len(columns.systems) > 1)
    for alignment in columns.once(alignments)[: len(columns.systems)]:
        column = alignment.column
        n_words = [np.where(c.present, c.words.lengths, _LEAST_WORDS_OF_OTHERS) for c in columns.references]
        flagged = (alignment.likeness < _SHARES_NOTHING) & (column.words.lengths >= _LEAST_WORDS_SEARCHED)
        flagged &= np.min(n_words, axis=0) >= _LEAST_WORDS_OF_OTHERS
        flagged &= ~(alignment.moved | _inside(alignment.unrelated + alignment.foreign, columns.n_segments))
        flagged &= (column.surface.traits & INVISIBLE) == 0  # which cut words in two
        for shift in alignment.shifts:
            flagged[shift.start : shift.stop] = False
        if flagged.any():
            n_flagged = int(flagged.sum())
            yield Observation(
                column,
                "warning" if n_flagged >= least_share * columns.n_segments else "note",
                f"{of_all(n_flagged, columns.n_segments)} share{'s' * (n_flagged == 1)} almost no words with "
                f"{' or '.join(others)}.",
                ("Read them: they may be refusals, hallucinations or outputs for other segments."),
                flagged,
            )


def out_of_order(columns: Columns) -> Bools:
    """Lines of the systems and references, (T, S), that are out of place, or beside references that are.

    Nothing else about them is worth a finding.
    """
    shifted, misplaced = columns.once(_shifted_columns), {a.column: a for a in columns.once(_out_of_place)}
    settled = np.zeros((len(columns.targets), columns.n_segments), np.bool_)
    for index, column in enumerate(columns.targets):
        settled[index] = _inside([(shift.start, shift.stop) for shift in shifted.get(column, ())], columns.n_segments)
        if column in misplaced:
            found = misplaced[column]
            settled[index] |= found.moved | _inside(found.unrelated + found.foreign, columns.n_segments)
    settled |= settled[len(columns.systems) :].any(axis=0)
    return settled


def _shifted_columns(columns: Columns) -> dict[CheckedColumn, tuple[Shift, ...]]:
    """The runs of shifted lines of those systems and references that are to blame for them."""
    return blamed(columns, {a.column: a.shifts for a in columns.once(alignments) if a.shifts})


def _out_of_place(columns: Columns) -> tuple[Alignment, ...]:
    """The alignments of columns with lines that are moved or unrelated, and that most of the others do not fit."""
    found = {
        alignment.column: (
            alignment,
            np.flatnonzero(alignment.moved | _inside(alignment.unrelated + alignment.foreign, columns.n_segments)),
        )
        for alignment in columns.once(alignments)
    }
    suspects = {column: lines for column, (_, lines) in found.items() if len(lines)}
    return tuple(found[column][0] for column in fitting_no_other(columns, suspects))


def _alignment(column: CheckedColumn, one: Side, others: Side) -> Alignment:
    model = WordModel.of(one, others)
    evidence = evidence_by_shift(one, others, model)
    own = evidence[MAX_SHIFT]
    shifts = shifted_runs(evidence)
    settled = _inside([(shift.start, shift.stop) for shift in shifts], len(own))
    runs = unrelated_runs(own, settled)
    is_long = column.words.lengths >= _LEAST_WORDS_SEARCHED
    homes = _homes(one, others, model, _inside(runs, len(own)) & is_long)
    away = [run for run in runs if _is_moved(homes[slice(*run)])]
    rest = [run for run in runs if run not in away]
    moved = _inside(away, len(own)) | _moved_alone(evidence, shifts)
    if moved.mean() >= _LARGE_SHARE:
        moved |= (own < _FAR) | (evidence.max(axis=0) - own > _LEAST_AHEAD)  # lines of a document are alike
    moved &= (own < _NEAR) | (homes >= 0)
    if away and moved.sum() >= settled.sum():  # a few lines that fit a neighbour are what an order by chance has
        moved, shifts = moved | settled, ()
    likeness = products(one, others, 0)
    fits = length_evidence(one.lengths, others.lengths, 0)
    foreign = tuple(run for run in rest if fits[slice(*run)].sum() > 0)
    unrelated = tuple(run for run in rest if run not in foreign and model.is_chance(likeness[slice(*run)]))
    if _inside(foreign, len(own)).mean() < _WHOLE:  # a poor system has such runs too
        foreign = ()
    are_labels = np.median(column.words.lengths) < _FEWEST_WORDS
    if are_labels and _inside(unrelated, len(own)).mean() < _WHOLE:  # as poor answers have
        unrelated = ()
    return Alignment(
        column,
        own,
        np.nan_to_num(likeness),
        shifts,
        moved,
        homes,
        _example(evidence, homes, moved),
        _mean_product(one.lengths, others.lengths),
        unrelated,
        foreign,
    )


def _mean_product(one: Floats, other: Floats) -> float:
    """The correlation of two standardised variables; NaN if they are known nowhere together."""
    products = one * other
    known = np.isfinite(products)
    return float(products[known].mean()) if known.any() else np.nan


def _homes(one: Side, others: Side, model: WordModel, wanted: Bools) -> Ints:
    """For the wanted lines (S,), or an even choice of them, the line that each clearly belongs to; (S,).

    -1 stands for a line that clearly belongs nowhere, -2 for one that was not searched for.
    """
    homes = np.full(len(wanted), -2, np.int64)
    lines = np.flatnonzero(wanted & ~one.is_blank)
    lines = lines[:: -(-len(lines) // _MAX_SEARCHED) or 1]
    least = np.log(len(wanted)) + _LEAST_ABOVE_CHANCE
    step = max(1, _SEARCH_BLOCK_BYTES // (4 * len(wanted)))
    for first in range(0, len(lines), step):
        block = lines[first : first + step]
        likeness = one.vectors[block] @ others.vectors.T
        best = likeness.argmax(axis=1)
        evidence = model.evidence(likeness[np.arange(len(block)), best], bound=np.inf)
        likeness[np.arange(len(block)), best] = -1
        is_alone = evidence - model.evidence(likeness.max(axis=1), bound=np.inf) > _LEAST_AHEAD
        evidence += length_evidence(one.lengths[block], others.lengths[best], 0)
        homes[block] = np.where((evidence > least) & is_alone & (best != block), best, -1)
    return homes


def _is_moved(homes: Ints) -> bool:
    """Whether many of the lines that were searched for belong elsewhere, and not all of them to the same line."""
    n_searched, n_homes = (homes >= -1).sum(), len(np.unique(homes[homes >= 0]))
    return bool(n_homes >= _LEAST_MOVED and n_homes >= _LEAST_MOVED_SHARE * n_searched)


def _moved_alone(evidence: Evidence, shifts: tuple[Shift, ...]) -> Bools:
    """Lines that do not fit their own line at all and a neighbour very well, if that is no chance, (S,)."""
    far = evidence[MAX_SHIFT] < _FAR
    for shift in shifts:
        far[max(0, shift.start - MAX_SHIFT) : shift.stop + MAX_SHIFT] = False
    next_best, best = np.sort(evidence[:, far], axis=0)[-2:]
    moved = far.copy()
    moved[far] = (best > _NEAR) & (best - next_best > _LEAST_AHEAD)
    n_moved = moved.sum()
    is_chance = n_moved < max(_LEAST_LOCAL, _LEAST_LOCAL_SHARE * len(far), _LEAST_MOVED_SHARE * far.sum())
    return np.zeros_like(moved) if is_chance else moved


def _example(evidence: Evidence, homes: Ints, moved: Bools) -> tuple[int, int] | None:
    """A moved line whose home is known, as far away as most, and that home."""
    if not moved.any():
        return None
    known = np.flatnonzero(moved & (homes >= 0))
    if len(known):
        distances = np.abs(homes[known] - known)
        line = int(known[np.abs(distances - np.median(distances)).argmin()])
        return line, int(homes[line])
    line = int(np.flatnonzero(moved)[0])
    return line, line - (int(evidence[:, line].argmax()) - MAX_SHIFT)


def _order_of(alignment: Alignment, documents: Sequence[str] | None) -> str:
    """In which order moved lines stand, and how far from where they belong."""
    lines = np.flatnonzero(alignment.moved & (alignment.homes >= 0))
    if len(lines) < _LEAST_MOVED:
        return "by a few lines"
    homes = alignment.homes[lines]
    ahead, there = np.diff(lines), np.diff(homes)
    pattern = (
        "in reverse order" if _are_most(there == -ahead) else "in blocks" if _are_most(there == ahead) else "singly"
    )
    reach = int(np.quantile(np.abs(homes - lines), _REACH))
    if documents is not None and _are_nearly_all(np.array(documents)[lines] == np.array(documents)[homes]):
        return f"{pattern}, within their documents"
    near = f"within {count(reach)} lines of their places" if reach <= _NEIGHBOURHOOD else "far from their places"
    return f"{pattern}, {near}"


def _are_nearly_all(claims: Bools) -> bool:
    return bool(claims.mean() >= _REACH)


def _are_most(claims: Bools) -> bool:
    return bool(claims.mean() > _MOST)


def _shifted(column: CheckedColumn, shifts: tuple[Shift, ...], severity: Severity, against: str) -> Observation:
    n_segments = len(column.texts)
    flagged = _inside([(shift.start, shift.stop) for shift in shifts], n_segments)
    named = [_named(shift, n_segments) for shift in shifts[:_MAX_RUNS_NAMED]]
    more = len(shifts) - len(named)
    where = "; ".join(named) + (f"; and in {count(more)} more place{'s' * (more > 1)}" if more else "")
    first = shifts[0]
    cause = "a line too many" if first.amount > 0 else "a missing line"
    return Observation(
        column,
        severity,
        f"{of_all(int(flagged.sum()), n_segments, 'line')} look shifted against {against}: {where}.",
        f"Look for {cause} just before line {count(first.start + 1)}, fix the file and load it again.",
        flagged,
        shifts,
        repair=partial(_shifted_back, column, shifts),
    )


def _shifted_back(column: CheckedColumn, shifts: tuple[Shift, ...]) -> Repair | None:
    return moved_back(
        column, {line: line - shift.amount for shift in shifts for line in range(shift.start, shift.stop)}
    )


def _put_in_order(alignment: Alignment) -> Repair | None:
    """The moved lines where they clearly belong; the last one without such a place in the one that is left."""
    lines = np.flatnonzero(alignment.moved).tolist()
    homes = {line: int(alignment.homes[line]) for line in lines if alignment.homes[line] >= 0}
    homeless, vacant = set(lines) - set(homes), set(lines) - set(homes.values())
    if len(homeless) == len(vacant) == 1:
        homes[homeless.pop()] = vacant.pop()
    repair = moved_back(alignment.column, homes)
    return repair and replace(repair, is_whole=repair.is_whole and len(homes) == len(lines))


def _named(shift: Shift, n_segments: int) -> str:
    is_last = shift.stop >= n_segments - abs(shift.amount)
    until = "on" if is_last else f"to line {count(shift.stop)}"
    return f"by {'+' if shift.amount > 0 else '−'}{abs(shift.amount)} from line {count(shift.start + 1)} {until}"


def _inside(runs: Sequence[Run], n_segments: int) -> Bools:
    inside = np.zeros(n_segments, np.bool_)
    for start, stop in runs:
        inside[start:stop] = True
    return inside
