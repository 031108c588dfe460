"""The list of all segments as data for the page's own script: small enough for 50,000 segments.

Marks are made here and not in the browser, so that there is one answer to what matches: for systems A and B, three
characters a marked token. Other systems are shown without marks.
"""

import json
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import numpy as np

from bleucore.analysis.matches import SegmentMatches, TokenMatch, differing_tokens, match_segments
from bleucore.counts import Floats, Progress
from bleuscope.annotations import Notes
from bleuscope.content.comparison.comparison_context import TestedStudy
from bleuscope.content.comparison.differences import segment_differences
from bleuscope.content.report.packing import packed
from bleuscope.content.segments.highlights import MAX_CHARACTERS, MAX_SHOWN_ORDER
from bleuscope.content.segments.mark_words import MAX_COMPARED_TOKENS
from bleuscope.content.style.identity import letters_of
from bleuscope.content.style.invisible import cluster_boundaries

FIRST_CODE = 0x30
"""Numbers are written as the character of their value plus this: "0" is 0."""
N_ORDERS = MAX_SHOWN_ORDER + 1
CLIPPED, DIFFERS = N_ORDERS, 2 * N_ORDERS
"""A mark is the order of the longest match, plus these."""
SEGMENTS_AT_ONCE = 200
_LAST_OF_ONE_UNIT = "\uffff"


def pack_segments(study: TestedStudy, notes: Notes, *, progress: Progress) -> str:
    """Every segment with its texts, scores, part, marks, tag and note: deflated JSON in base64."""
    data = segments_data(study, notes, progress=progress)
    return packed(json.dumps(data, ensure_ascii=False, separators=(",", ":")))


def segments_data(study: TestedStudy, notes: Notes, *, progress: Progress) -> dict[str, Any]:
    """What is packed, as the script reads it; numbers of the segments are places, from 0."""
    test_set = study.test_set
    marks = _marks(study, progress=progress)
    roles = letters_of(study.sides)
    references = zip(test_set.reference_names or (), test_set.references, strict=True)
    names = [*study.sides, *(name for name in study.evaluation.ranked() if name not in study.sides)]
    return {
        "languages": test_set.languages,
        "source": test_set.source,
        "references": [{"name": name, "texts": column} for name, column in references],
        "documents": None if test_set.documents is None else _numbered(test_set.documents),
        "systems": [
            {
                "name": name,
                "mark": study.looks[name].glyph,
                "colour": study.looks[name].colour,
                "role": roles.get(name, ""),
                "texts": test_set.system(name).hypotheses,
                "scores": _rounded(study.evaluation.systems[name].segment_scores, 2),
                "marks": marks.get(name),
            }
            for name in names
        ],
        "delta": _rounded(segment_differences(study.evaluation, study.pair), 2) if study.compares else None,
        "parts": None if study.parts is None else _rounded(study.parts, 6),
        "notes": {segment: [said.tag, said.note] for segment, said in sorted(notes.items())},
    }


def _marks(study: TestedStudy, *, progress: Progress) -> dict[str, list[str]]:
    """The marks of A and B in every segment."""
    test_set, names = study.test_set, study.sides
    columns = [test_set.system(name).hypotheses for name in names]
    marks: dict[str, list[str]] = {name: [] for name in names}
    for start in range(0, test_set.n_segments, SEGMENTS_AT_ONCE):
        progress(start / test_set.n_segments)
        rows = slice(start, start + SEGMENTS_AT_ONCE)
        texts = [[text[:MAX_CHARACTERS] for text in column[rows]] for column in columns]
        references = list(zip(*(column[rows] for column in test_set.references), strict=True))
        matched = [match_segments(column, references, study.evaluation.options) for column in texts]
        for of_segment in zip(*matched, *texts, strict=True):
            found, written = of_segment[: len(names)], of_segment[len(names) :]
            differing = _differing(found) if study.compares else (frozenset[int](),)
            for name, text, matches, differs in zip(names, written, found, differing, strict=True):
                marks[name].append(written_marks(text, matches.tokens, differs))
    progress(1.0)
    return marks


def written_marks(text: str, tokens: Sequence[TokenMatch], differing: frozenset[int] = frozenset()) -> str:
    """Three characters a marked token: how far from the end of the one before, how long, which mark.

    Lengths are JavaScript's, in which a character beyond the first 65,536 counts twice. Tokens are made wider to
    whole characters as readers see them; one that lies within the character before has no mark.
    """
    boundaries, units = cluster_boundaries(text), _places_in_units(text)
    written: list[str] = []
    end = 0
    for place, token in enumerate(tokens):
        mark = min(token.order, MAX_SHOWN_ORDER) + CLIPPED * token.clipped + DIFFERS * (place in differing)
        if not mark:
            continue
        start = max(end, boundaries[bisect_right(boundaries, token.span[0]) - 1])
        stop = boundaries[bisect_left(boundaries, token.span[1])]
        if start >= stop:
            continue
        before, first, last = FIRST_CODE - units[end], units[start], units[stop]
        written += chr(before + first), chr(FIRST_CODE + last - first), chr(FIRST_CODE + mark)
        end = stop
    return "".join(written)


def _differing(matched: Sequence[SegmentMatches]) -> Sequence[frozenset[int]]:
    if any(len(one.tokens) > MAX_COMPARED_TOKENS for one in matched):
        return frozenset(), frozenset()
    first, second = ([token.token for token in one.tokens] for one in matched)
    return differing_tokens(first, second)


def _places_in_units(text: str) -> Sequence[int]:
    """Each place between characters, both ends included, as JavaScript counts it."""
    if max(text, default="") <= _LAST_OF_ONE_UNIT:
        return range(len(text) + 1)
    return [*accumulate((1 + (character > _LAST_OF_ONE_UNIT) for character in text), initial=0)]


def _numbered(names: Sequence[str]) -> dict[str, Any]:
    """Names that repeat, as each name once and its number in every place."""
    numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
    return {"names": list(numbers), "of": [numbers[name] for name in names]}


def _rounded(values: Floats, decimals: int) -> list[float]:
    return [float(value) + 0.0 for value in np.round(values, decimals)]
