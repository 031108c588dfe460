"""Judgements with a document and a place in it -> segments: in order, and where few were judged, by their spans."""

from collections.abc import Mapping, Sequence
from itertools import permutations

from bleucore.corpus import TestSet
from bleucore.errors import InputError
from bleucore.judgements.records import Row
from bleucore.values import shown
from bleucore.written_numbers import counted

_MOST_NAMED = 3
_BEYOND = -3
"""What a span counts that ends behind its text, where one that begins and ends at words counts 2."""

_MOST_PARTS = 4
"""Of a document that several raters shared, of one system."""

_MOST_WORK = 5_000_000
"""A part of a longer document is left out: some seconds of work for what would be a guess."""

_Group = tuple[Row, ...]


def placed_in_documents(file: str, rows: Sequence[Row], test_set: TestSet) -> tuple[list[Row], tuple[str, ...]]:
    """The rows with segments from 0, and what to say of those that could stand elsewhere in their document.

    Rows of one rater, system and document are in the order of their numbers. Where they are fewer than the segments of
    the document, they take the places at which most of their spans begin and end at words, and none behind the text;
    the same places for all systems. Parts of a document that several raters shared are put together in the same way.

    Raises:
        InputError: The test set has no documents, or none of these.
    """
    segments = _segments_of_documents(test_set)
    by_document: dict[str, dict[str, dict[str, list[Row]]]] = {}
    for row in rows:
        by_document.setdefault(row.document or "", {}).setdefault(row.system, {}).setdefault(row.rater, []).append(row)
    unknown = [name for name in by_document if name not in segments]
    if len(unknown) == len(by_document):
        raise _no_documents(file, rows, test_set, unknown)
    placed, partial, unplaced = list[Row](), list[str](), list[str]()
    for document, systems in by_document.items():
        if document in segments:
            found, n_judged = _placed_in(segments[document], systems, test_set)
            placed += found
            is_complete = len(found) == sum(len(rows) for raters in systems.values() for rows in raters.values())
            partial += [document] if found and n_judged < len(segments[document]) else []
            unplaced += [] if is_complete else [document]
    if not placed:
        raise _no_places(file, rows, unplaced)
    placed.sort(key=lambda row: row.line)
    return placed, _notices(file, [*unknown, *unplaced], partial, len(rows) - len(placed))


def _placed_in(
    segments: Sequence[int], systems: Mapping[str, Mapping[str, Sequence[Row]]], test_set: TestSet
) -> tuple[list[Row], int]:
    """The rows of one document with their segments, and how many of these one rater judged of a system at most."""
    texts = {system.name: system.hypotheses for system in test_set.systems}
    parts = {name: [_ordered(rows) for rows in raters.values()] for name, raters in systems.items()}
    most = max(len(part) for of_system in parts.values() for part in of_system)
    shared = {name for name, found in parts.items() if 1 < len(found) <= _MOST_PARTS and sum(map(len, found)) == most}
    alike: dict[int, list[_Group]] = {}
    for name, found in parts.items():
        for part in found if name not in shared else ():
            alike.setdefault(len(part), []).append(part)
    places = {
        length: _likely_places(groups, segments, texts) if length < len(segments) else tuple(segments)
        for length, groups in alike.items()
        if length == len(segments) or (length < len(segments) and _work(groups, segments) <= _MOST_WORK)
    }
    groups = [group for length in places for group in alike[length]]
    if most in places:
        orders = [[sum(order, ()) for order in permutations(parts[name])] for name in parts if name in shared]
        groups += [max(order, key=lambda group: _total_fit(group, texts, places[most])) for order in orders]
    placed = [
        row._replace(number=place) for group in groups for row, place in zip(group, places[len(group)], strict=True)
    ]
    return placed, most


def _work(groups: Sequence[_Group], segments: Sequence[int]) -> int:
    """How many comparisons of a span and a text it takes to find the places of a part."""
    return len(segments) * (len(groups[0]) + sum(len(row.spans) for group in groups for row in group))


def _ordered(rows: Sequence[Row]) -> _Group:
    return tuple(sorted(rows, key=lambda row: row.number or 0))


def _total_fit(group: _Group, texts: Mapping[str, Sequence[str]], places: Sequence[int]) -> int:
    return sum(_fit(row, texts, place) for row, place in zip(group, places, strict=True))


def _segments_of_documents(test_set: TestSet) -> dict[str, tuple[int, ...]]:
    segments: dict[str, list[int]] = {}
    for segment, document in enumerate(test_set.documents or ()):
        segments.setdefault(document, []).append(segment)
    return {document: tuple(found) for document, found in segments.items()}


def _likely_places(
    groups: Sequence[_Group], places: Sequence[int], texts: Mapping[str, Sequence[str]]
) -> tuple[int, ...]:
    """Rising places for the rows of all groups, with the highest sum of fits; of equal ones the first."""
    n_rows, n_places = len(groups[0]), len(places)
    marked = [[group[row] for group in groups if group[row].spans] for row in range(n_rows)]
    fits = [[sum(_fit(row, texts, place) for row in of_row) for place in places] for of_row in marked]
    best: list[list[tuple[int, int]]] = [[(0, -1)] * (n_places + 1)]
    for row in range(n_rows):
        line = [(_BEYOND * 10**9, -1)]
        for place in range(n_places):
            value = best[row][place][0] + fits[row][place]
            line.append((value, place) if value > line[-1][0] else line[-1])
        best.append(line)
    chosen, behind = list[int](), n_places
    for row in range(n_rows, 0, -1):
        behind = best[row][behind][1]
        chosen.append(places[behind])
    return tuple(reversed(chosen))


def _fit(row: Row, texts: Mapping[str, Sequence[str]], place: int) -> int:
    """How well the spans of a row fit the text of a segment."""
    text, total = texts[row.system][place], 0
    for span in row.spans:
        if not span.is_missing and span.side == "target":
            is_inside = span.end <= len(text)
            total += begins_word(text, span.start) + ends_word(text, span.end) if is_inside else _BEYOND
    return total


def begins_word(text: str, place: int) -> bool:
    """Whether a word, or what is no letter, begins at this place."""
    return 0 <= place < len(text) and not text[place].isspace() and not (place and _is_inside(text, place))


def ends_word(text: str, place: int) -> bool:
    """Whether a word, or what is no letter, ends before this place."""
    return (
        0 < place <= len(text) and not text[place - 1].isspace() and not (place < len(text) and _is_inside(text, place))
    )


def _is_inside(text: str, place: int) -> bool:
    return text[place - 1].isalnum() and text[place].isalnum()


def _notices(file: str, unplaced: Sequence[str], partial: Sequence[str], n_left_out: int) -> tuple[str, ...]:
    notices = list[str]()
    if n_left_out:
        notices.append(
            f"{file}: left out: {counted(n_left_out, 'judgement')}, as the test set lacks their document or nothing "
            f"says which of its segments they are of: {_named(unplaced)}."
        )
    if partial:
        notices.append(
            f"{file}: only a part was judged of {counted(len(set(partial)), 'document')}, and the file does not say "
            f"which: the segments that fit the marked words best were taken ({_named(partial)}). "
            "Means of systems do not depend on it."
        )
    return tuple(notices)


def _no_documents(file: str, rows: Sequence[Row], test_set: TestSet, unknown: Sequence[str]) -> InputError:
    has_none = test_set.documents is None
    return InputError(
        "the test set does not say which segment is of which document"
        if has_none
        else "none of its documents is in the test set",
        where=file,
        line=rows[0].line,
        found=_named(unknown),
        expected="a column of documents" if has_none else _named(list(dict.fromkeys(test_set.documents or ()))),
        remedy="Add the names of the documents, one for each segment, to the test set.",
    )


def _no_places(file: str, rows: Sequence[Row], unplaced: Sequence[str]) -> InputError:
    return InputError(
        "nothing says which segments were judged",
        where=file,
        line=rows[0].line,
        found=f"other numbers of segments in {_named(unplaced)}",
        expected="as many judgements of a document as it has segments in the test set",
        remedy="Open the documents that were judged, or load the judgements of these.",
    )


def _named(names: Sequence[str]) -> str:
    names = list(dict.fromkeys(names))
    more = len(names) - _MOST_NAMED
    return ", ".join(map(shown, names[:_MOST_NAMED])) + (f" and {more:,} more" if more > 0 else "")
