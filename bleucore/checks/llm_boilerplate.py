"""Beginnings and ends of outputs that belong to no translation, whatever they say and in whatever language.

A preamble or a note is told by what the other texts of its segment (references, source, other systems) hold: its
words are in none of them, they begin or end where the text beside it does, without it the output has the usual
length, and it stands apart by a colon, line end, bracket or full stop that they do not have.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bleucore.checks.compared_texts import Bools, CheckedColumn, Columns
from bleucore.checks.lengths import deviations, lengthening
from bleucore.checks.words import N_WORD_IDS, Words, are_among, counts, rarity, words
from bleucore.counts import Floats, Ints

Side: TypeAlias = Literal["beginning", "end"]
Bits: TypeAlias = NDArray[np.uint16]
_Originals: TypeAlias = tuple[Sequence[str], int]
"""The source and references of a segment, and how many stops the one with most of them has."""

_TEXTS_ADDED = 100
"""Texts that are added to those there are, so that words of a small test set say something too."""

_MAX_VOTERS = 8, 5
"""References and systems whose words are looked up for the first, rough choice."""

_CELLS, _BLOCK = 1 << 11, 1 << 12
"""Cells for the words of a segment, of which few share one by chance; and segments looked at in one go."""

_LEAST_RUN, _LEAST_KNOWN = 0.9, 0.3
"""Weight of the foreign words at an end, less that of known ones among them; and of the known words elsewhere."""

_PLAIN = 0.1
"""What a word counts beside its weight, so that common words are not nothing."""

_MAX_PLACES, _MAX_PART, _MAX_CHARACTERS = 8, 2000, 20_000

_BOUNDARY = re.compile(
    r"\n\s*|(?<=[.!?…:)\]])(?=\s)|(?<=[.!?…][\"”»])(?=\s)|(?<=[。！？：）】])(?=\S)"
    r"|(?<=\s)(?=[(\[*])|(?=[（【])|(?<=\s)[-–—]{1,3}(?=\s)"
)
_BARE_BOUNDARY = re.compile(r"(?<=[^\W_]\s)(?=[A-ZÀ-ÖØ-ÞΑ-ΩА-ЯЁ\u3040-\u9fff\uac00-\ud7a3])")
"""A capital letter, or one of a script without them, after a word: notes follow outputs without a full stop, too."""

_STOP = re.compile(r"[.!?…。！？:：\n][)\]\"”»]{0,9}(?=\s|$|[^\x00-\x7f])|[(\[（【]")
_ABBREVIATION = re.compile(r"(?:^|[\s(\"“„])(?:[^\W\d_]\.)+$")
"""A full stop that ends no sentence, as in "U.K.", before the place of a split."""

_OPENING_ENDS, _BRACKETS, _LINE_END = tuple(":：!！"), tuple("([（【"), "\n"
_LEAST_REACH = 20
_LEAST_WORDS: dict[Side, int] = {"beginning": 1, "end": 3}

_WEIGHTS = {
    "foreign": 1.6,
    "known": -2.0,
    "share known": -4.0,
    "edge": 5.0,
    "longer with it": 4.5,
    "shorter without it": -2.0,
    "line end": 3.5,
    "mark": 2.5,
    "stops": 1.5,
    "bare": -3.0,
    "one other text": -1.8,
}
_LEAST_SCORE, _ROUNDING = 5.9, 1e-6
"""A logistic model of planted preambles and notes against all ends of untouched outputs.

Fitted in three test sets, with one system and one reference and with all of them; then rounded, and the weights of
"bare" and "one other text" and the least score set by hand. ``planted_faults.py`` has the phrasings, one half of which
was kept out of the fit.
"""

_MOST_WEIGHT, _LONGER, _SHORTER, _EDGE_SHARE, _LEAST_EDGE = 4.0, (-0.3, 1.0), 1.0, 4, 3


@dataclass(frozen=True)
class _Split:
    """An output in two: a part at one end that may not belong to it, and the rest.

    Attributes:
        is_line: Whether a line end stands between them.
        is_marked: Whether the part begins with a bracket, as notes do, or ends with a colon or exclamation mark, as
            preambles do, and the originals have fewer of them.
        is_bare: Whether there is no sign between them.
        stops: 1 if the output has more full stops, colons, line ends and brackets than source and references, 0 if
            as many as the one that has most of them, -1 if fewer.
    """

    segment: int
    part: str
    rest: str
    is_line: bool
    is_marked: bool
    is_bare: bool
    stops: int


def without_surplus(columns: Columns, side: Side) -> list[dict[int, str]]:
    """Of each system, the outputs with words at this side that do not belong to their translation, without them."""
    rests: list[dict[int, str]] = []
    has_line = columns.matches(columns.systems, _LINE_END, _LINE_END) & ~columns.in_originals(_LINE_END, _LINE_END)
    originals = cache(partial(_originals, columns))
    for column, lines in zip(columns.systems, has_line, strict=True):
        segments = np.flatnonzero(columns.once(_ends_in_question)[column, side] | lines)
        splits = _splits(column, originals, len(columns.references), segments, side)
        scores = _scores(column, columns, splits, side) if splits else np.empty(0)
        best = np.argsort(scores, kind="stable")
        rests.append({splits[one].segment: splits[one].rest for one in best[scores[best] > _LEAST_SCORE].tolist()})
    return rests


def _ends_in_question(columns: Columns) -> dict[tuple[CheckedColumn, Side], Bools]:
    """The outputs (S,) of each system that have a run of foreign words at an end: all others are as they should be.

    The words of the other texts of a segment are kept in so many cells that few words share one by chance. That is
    quick, and right enough to leave hardly one output in a hundred for a closer look.
    """
    n_references, n_systems = _MAX_VOTERS
    source = columns.originals[len(columns.references) :]
    voters = columns.references[:n_references] + columns.systems[:n_systems] + source
    sides: tuple[Side, ...] = ("beginning", "end")
    questions = {(c, side): np.zeros(columns.n_segments, np.bool_) for c in columns.systems for side in sides}
    for start in range(0, columns.n_segments, _BLOCK):
        block = np.arange(start, min(start + _BLOCK, columns.n_segments))
        heard: Bits = np.zeros(len(block) * _CELLS, np.uint16)
        for number, voter in enumerate(voters):
            heard[_cells(voter.words.chosen(block))] |= np.uint16(1 << number)
        for column in columns.systems:
            chosen = column.words.chosen(block)
            own = np.uint16(1 << voters.index(column)) if column in voters else np.uint16(0)
            is_known = (heard[_cells(chosen)] & ~own) != 0
            weights = columns.once(_weights)[chosen.ids]
            scores = np.where(is_known, -(weights + _PLAIN), weights)
            is_known_enough = _sums(chosen, -scores * is_known, len(block)) >= _LEAST_KNOWN
            for side in sides:
                questions[column, side][block] = is_known_enough & (_best_run(chosen, scores, side) > _LEAST_RUN)
    return questions


def _weights(columns: Columns) -> Floats:
    """How much each word says, (N_WORD_IDS,): near 0 for one of every reference, 1 for one of none."""
    n_texts = len(columns.references) * columns.n_segments + _TEXTS_ADDED
    weights: Floats = rarity(counts([column.words for column in columns.references]), n_texts) / np.log(n_texts)
    return weights


def _cells(chosen: Words) -> Ints:
    return chosen.segments * _CELLS + (chosen.ids & (_CELLS - 1))


def _sums(chosen: Words, values: Floats, n_texts: int) -> Floats:
    sums: Floats = np.bincount(chosen.segments, weights=values, minlength=n_texts).astype(np.float64, copy=False)
    return sums


def _best_run(chosen: Words, scores: Floats, side: Side) -> Floats:
    """The greatest sum of the scores of the first, or last, words of each text; 0 for a text without words."""
    running = np.concatenate([np.zeros(1), np.cumsum(scores)])
    best = np.zeros(len(chosen.lengths))
    filled = chosen.lengths > 0
    first, last = chosen.offsets[:-1][filled], chosen.offsets[1:][filled]
    if not len(first):
        return best
    if side == "beginning":
        best[filled] = np.maximum.reduceat(running[1:], first) - running[first]
    else:
        best[filled] = running[last] - np.minimum.reduceat(running[:-1], first)
    return best


def _originals(columns: Columns, segment: int) -> _Originals:
    """The originals of a segment, and the most stops that one of them has."""
    texts = [(original.texts[segment] or "").strip()[:_MAX_CHARACTERS] for original in columns.originals]
    return texts, max(map(_n_stops, texts))


def _splits(
    column: CheckedColumn, originals: Callable[[int], _Originals], n_references: int, segments: Ints, side: Side
) -> list[_Split]:
    """The first, or last, places in which these outputs can be divided."""
    splits: list[_Split] = []
    for segment in segments.tolist():
        text = (column.texts[segment] or "").strip()
        if len(text) <= _MAX_CHARACTERS:
            splits += _splits_of(segment, text, originals(segment), n_references, side)
    return splits


def _splits_of(segment: int, text: str, beside: _Originals, n_references: int, side: Side) -> Iterator[_Split]:
    """Where one output can be divided; not behind a label, nor before a bracket, that stands for one of the source."""
    is_beginning = side == "beginning"
    places = _places(text, _BOUNDARY, side) + ([] if is_beginning else _places(text, _BARE_BOUNDARY, side))
    if not places:
        return
    originals, most_stops = beside
    marks = _OPENING_ENDS if is_beginning else _BRACKETS
    n_stops = _n_stops(text)
    stops = (n_stops > most_stops) - (n_stops < most_stops)
    has_more_marks = _n_of(marks, text) > max(_n_of(marks, original) for original in originals)
    translated = originals[n_references:] or originals
    for place in places:
        ends = text[: place.start()].rstrip(), text[place.end() :].lstrip()
        part, rest = ends if is_beginning else ends[::-1]
        is_line, is_bare = place[0].startswith(_LINE_END), place.re is _BARE_BOUNDARY
        is_marked = part.endswith(marks) if is_beginning else part.startswith(marks)
        is_label = is_marked and not has_more_marks
        if ends[0].endswith(".") and _ABBREVIATION.search(ends[0]):
            continue
        if not (is_label and any(_n_of(marks, _near(original, side, len(part))) for original in translated)):
            yield _Split(segment, part, rest, is_line, is_marked and has_more_marks, is_bare, stops)


def _places(text: str, boundary: re.Pattern[str], side: Side) -> list[re.Match[str]]:
    """The first, or last, places of such a boundary within the text."""
    window = (0, _MAX_PART) if side == "beginning" else (max(0, len(text) - _MAX_PART), len(text))
    places = [place for place in boundary.finditer(text, *window) if 0 < place.start() <= place.end() < len(text)]
    return places[:_MAX_PLACES] if side == "beginning" else places[-_MAX_PLACES:]


def _near(text: str, side: Side, n_characters: int) -> str:
    """So much of the text from this side on that a translation of so many characters is within it."""
    reach = max(_LEAST_REACH, 2 * n_characters)
    return text[:reach] if side == "beginning" else text[-reach:]


def _n_stops(text: str) -> int:
    return len(_STOP.findall(text))


def _n_of(marks: Sequence[str], text: str) -> int:
    return sum(map(text.count, marks))


def _scores(column: CheckedColumn, columns: Columns, splits: Sequence[_Split], side: Side) -> Floats:
    """How much speaks for each split that its part does not belong to the translation, see ``_WEIGHTS``.

    Minus infinity for a split that is too short, or too little likely even if what is left of it were right.
    """
    segments = np.array([split.segment for split in splits], np.int64)
    parts = words([split.part for split in splits])
    asked, places = np.unique(segments, return_inverse=True)
    beside = (*columns.beside(column), *columns.originals[len(columns.references) :])
    known_keys = np.concatenate([other.words.chosen(asked).keys for other in beside])
    is_known = are_among(places[parts.segments] * N_WORD_IDS + parts.ids, known_keys)
    n_others = np.sum([other.words.lengths[segments] > 0 for other in columns.beside(column)], axis=0)
    weights = columns.once(_weights)[parts.ids]
    foreign, known = (_sums(parts, weights * claim, len(splits)) for claim in (~is_known, is_known))
    longer = columns.once(deviations)[column][segments]
    n_characters = np.array([[len(split.part) + len(split.rest), len(split.rest)] for split in splits])
    evidence = {
        "foreign": np.minimum(foreign, _MOST_WEIGHT),
        "known": np.minimum(known, _MOST_WEIGHT),
        "share known": known / (known + foreign + _PLAIN),
        "edge": np.zeros(len(splits)),
        "longer with it": np.clip(longer, *_LONGER),
        "shorter without it": np.clip(lengthening(*n_characters.T) - longer, 0, _SHORTER),
        "line end": np.array([split.is_line for split in splits]),
        "mark": np.array([split.is_marked for split in splits]),
        "stops": np.array([split.stops for split in splits]),
        "bare": np.array([split.is_bare for split in splits]),
        "one other text": n_others <= 1,
    }
    least_words = np.where(evidence["line end"], 1, _LEAST_WORDS[side])
    without_edge = np.sum([_WEIGHTS[name] * values for name, values in evidence.items()], axis=0)
    may_be = (parts.lengths >= least_words) & (without_edge + _WEIGHTS["edge"] > _LEAST_SCORE - _ROUNDING)
    chosen = np.flatnonzero(may_be)
    rests = words([splits[one].rest for one in chosen.tolist()])
    others = [other.words.chosen(segments[chosen]) for other in columns.beside(column)]
    evidence["edge"][chosen] = _edges(rests, others, columns.once(_weights), side)
    scores: Floats = np.sum([_WEIGHTS[name] * values for name, values in evidence.items()], axis=0)
    return np.where(may_be, scores, -np.inf)


def _edges(rests: Words, others: Sequence[Words], weights: Floats, side: Side) -> Floats:
    """How much of the first, or last, quarter of the other texts is in each rest, 0 to 1: their mean."""
    n_texts = len(rests.lengths)
    total, n_others = np.zeros(n_texts), np.zeros(n_texts)
    for other in others:
        places = np.arange(len(other.ids)) - other.offsets[other.segments]
        n_words = np.maximum(_LEAST_EDGE, -(-other.lengths // _EDGE_SHARE))
        at_edge = (
            places < n_words[other.segments]
            if side == "beginning"
            else places >= (other.lengths - n_words)[other.segments]
        )
        weighted = (weights[other.ids] + _PLAIN) * at_edge
        in_rest = _sums(other, weighted * are_among(other.keys, rests.keys), n_texts)
        total += in_rest / np.maximum(_sums(other, weighted, n_texts), _PLAIN)
        n_others += other.lengths > 0
    edges: Floats = total / np.maximum(1, n_others)
    return edges
