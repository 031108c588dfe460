"""Judgements as read + a test set -> the same with its systems and segments: by text where there is text."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Literal

from bleucore.corpus import TestSet
from bleucore.errors import InputError
from bleucore.formats.names import file_names
from bleucore.judgements.batches import named_by_messages
from bleucore.judgements.document_order import placed_in_documents
from bleucore.judgements.fields import evened
from bleucore.judgements.records import Contest, Judgements, Row, row_named_as
from bleucore.judgements.system_names import left_out_notices, listed, matched_systems, no_system, without_folders
from bleucore.values import shown
from bleucore.written_numbers import counted

_MOST_NAMED, _MARK = 5, "\ufeff"
_MOST_UNKNOWN = 0.5
"""A larger share of texts that no output has shows that the file is about another test set."""


def aligned(
    judgements: Judgements,
    test_set: TestSet,
    *,
    aliases: Mapping[str, str] | None = None,
    first_number: Literal[0, 1] | None = None,
) -> Judgements:
    """The judgements of the test set's systems, with its names, and its segments as numbers from 0.

    Where the file has the translations, they place each judgement, compared with blanks and line breaks evened out
    and in Unicode's composed form; of several equal ones the source decides, then the number, then the order. Else
    the document and the place in it do, else the number or the order.

    Args:
        judgements: As read.
        test_set: What they are about.
        aliases: Systems of the test set, or ``LEFT_OUT``, by names in the file, where people said so.
        first_number: What the file counts segments from, where people said so.

    Raises:
        InputError: No system of the file is in the test set; a system has another number of lines than the test set
            has segments; a segment lies behind the last; nobody says what segments are counted from; most texts are
            those of no output; or somebody has judged a segment twice.
    """
    judgements = _with_system(named_by_messages(judgements, test_set), test_set)
    names = matched_systems(judgements.systems, test_set, aliases)
    known = [
        row_named_as(row, names)
        for row in judgements.rows
        if names[row.system] and (row.contest is None or names.get(row.contest.rival))
    ]
    if not known:
        raise no_system(judgements.file, judgements.rows[0].line, judgements.systems, test_set)
    numbers = Counter(row.system for row in judgements.rows)
    left_out = left_out_notices(judgements.file, names, aliases, numbers, "judgement")
    _refuse_blocks(judgements, names, test_set.n_segments)
    if all(row.target is not None for row in known):
        rows, more = _by_text(judgements, known, test_set)
    elif all(row.document is not None for row in known):
        rows, more = placed_in_documents(judgements.file, known, test_set)
    else:
        rows, more = _by_number(judgements, known, test_set.n_segments, first_number), ()
    repeated = _repeated_notice(judgements.file, rows)
    notices = (*judgements.notices, *left_out, *more, *repeated)
    return replace(judgements, rows=tuple(rows), first_number=0, block_sizes=None, notices=notices)


def _with_system(judgements: Judgements, test_set: TestSet) -> Judgements:
    """The same, with the system of a file that is of one and does not name it: by its texts, else by its name."""
    if "" not in judgements.systems:
        return judgements
    texts = Counter(evened(row.target) for row in judgements.rows if row.target is not None)
    shares = {
        system.name: sum((texts & Counter(map(evened, system.hypotheses))).values()) for system in test_set.systems
    }
    best = max(shares, key=shares.__getitem__)
    is_clear = list(shares.values()).count(shares[best]) == 1 and shares[best] > _MOST_UNKNOWN * texts.total() > 0
    named = _named_in(without_folders(judgements.file), test_set.system_names)
    system = best if is_clear else named[0] if len(named) == 1 else None
    system = test_set.system_names[0] if system is None and len(test_set.systems) == 1 and not texts else system
    if system is None:
        raise InputError(
            "nobody says which system these are of",
            where=judgements.file,
            found="no name of a system in the file's name" if not texts else "texts of no output",
            expected=listed(test_set.system_names),
            remedy="Put the system's name into the file's name.",
        )
    sizes = judgements.block_sizes
    without = re.sub(rf"[-_.]?{re.escape(system)}[-_.]?", "", judgements.name, flags=re.IGNORECASE)
    return replace(
        judgements,
        name=without or "score",
        rows=tuple(row._replace(system=system) for row in judgements.rows),
        block_sizes=sizes and {system: sizes[""]},
    )


def _refuse_blocks(judgements: Judgements, names: Mapping[str, str | None], n_segments: int) -> None:
    """Refuse systems whose lines are not one for each segment, where lines are all that places them."""
    for name, size in (judgements.block_sizes or {}).items():
        if names.get(name) is not None and size != n_segments:
            last = max((row.line for row in judgements.rows if row.system == name), default=None)
            is_last = last == max(row.line for row in judgements.rows)
            raise InputError(
                "the system has not one line for each segment",
                where=f"{judgements.file}, system {shown(name)}",
                line=last,
                found=counted(size, "line"),
                expected=f"{n_segments:,}, the segments of the test set",
                remedy="The file may be cut off: load it complete."
                if is_last and size < n_segments
                else "Load the scores of this test set.",
            )


def _by_number(judgements: Judgements, rows: Sequence[Row], n_segments: int, said: Literal[0, 1] | None) -> list[Row]:
    first = said if said is not None else judgements.first_number
    numbers = [row.number for row in rows if row.number is not None]
    if len(numbers) < len(rows):
        raise InputError(
            "nothing says which segments were judged",
            where=judgements.file,
            line=next(row.line for row in rows if row.number is None),
            expected="the translation, or the number of the segment",
            remedy="Load the file that has them.",
        )
    if first is None:
        first = 0 if min(numbers) == 0 else 1 if max(numbers) == n_segments else None
    if first is None:
        raise InputError(
            "nobody says whether segments are counted from 0 or from 1",
            where=judgements.file,
            found=f"segments {min(numbers):,} to {max(numbers):,} of {n_segments:,}",
            expected="segment 0, or the last one, among them",
            remedy="Load the complete file; in Python, say it with first_number.",
        )
    for row, number in zip(rows, numbers, strict=True):
        if not first <= number < n_segments + first:
            raise InputError(
                "there is no such segment in the test set",
                where=f"{judgements.file}, system {shown(row.system)}",
                line=row.line,
                found=f"segment {number:,}",
                expected=f"segments {first} to {n_segments - 1 + first:,}",
                remedy="Load the judgements of this test set.",
            )
    return [row._replace(number=number - first) for row, number in zip(rows, numbers, strict=True)]


def _named_in(file: str, names: Sequence[str]) -> list[str]:
    """The names that a file's name holds, as they are or as ``file_names`` has them; of these the longest ones."""
    files = file_names(names)
    parts = {name: part for name in names for part in (name, files[name]) if part.casefold() in file.casefold()}
    plain = {name: part.casefold() for name, part in parts.items()}
    longest = [name for name, part in plain.items() if not any(part != one and part in one for one in plain.values())]
    by_words = [name for name in longest if re.search(rf"(?<![^\W_]){re.escape(parts[name])}(?![^\W_])", file)]
    return longest if len(longest) == 1 else by_words or longest


def _by_text(judgements: Judgements, rows: Sequence[Row], test_set: TestSet) -> tuple[list[Row], tuple[str, ...]]:
    index = {system.name: _places(system.hypotheses) for system in test_set.systems}
    source = None if test_set.source is None else [evened(text) for text in test_set.source]
    candidates = [_candidates(row, index[row.system], source) for row in rows]
    _keep_together(rows, candidates)
    base = _base(rows, candidates)
    times = Counter[tuple[str, str, str, Contest | None]]()
    placed, unknown = list[Row](), list[Row]()
    for row, found in zip(rows, candidates, strict=True):
        if not found:
            unknown.append(row)
            continue
        key = (row.system, row.rater, evened(row.target), row.contest)
        number = None if base is None or row.number is None else row.number - base
        place = number if number is not None and number in found else found[min(times[key], len(found) - 1)]
        placed.append(_beside_mark(row._replace(number=place), test_set.system(row.system).hypotheses[place]))
        times[key] += 1
    if len(unknown) > _MOST_UNKNOWN * len(rows):
        raise _other_texts(judgements, unknown, len(rows))
    return placed, _unknown_notice(judgements, unknown, len(rows))


def _keep_together(rows: Sequence[Row], candidates: list[Sequence[int]]) -> None:
    """Leave both outputs of a comparison, which stand next to each other, the segments that have both."""
    for place, (one, other) in enumerate(pairwise(rows)):
        if one.contest is not None and one.contest.is_first and one.line == other.line:
            has_other = set(candidates[place + 1])
            both = [segment for segment in candidates[place] if segment in has_other]
            candidates[place] = candidates[place + 1] = both or ()


def _candidates(row: Row, places: Mapping[str, Sequence[int]], source: Sequence[str] | None) -> Sequence[int]:
    """The segments whose output is this translation, of this source if there are several."""
    found = places.get(evened(row.target), ())
    if len(found) > 1 and row.source is not None and source is not None:
        of_source = [segment for segment in found if source[segment] == evened(row.source)]
        return of_source or found
    return found


def _base(rows: Sequence[Row], candidates: Sequence[Sequence[int]]) -> int | None:
    """What the file counts from, as those rows tell whose text stands at one place; ``None`` if it counts otherwise."""
    shifts = Counter(
        row.number - found[0]
        for row, found in zip(rows, candidates, strict=True)
        if row.number is not None and len(found) == 1
    )
    if not shifts:
        return None
    shift, times = shifts.most_common(1)[0]
    return shift if times > _MOST_UNKNOWN * shifts.total() else None


def _places(texts: Sequence[str]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for segment, text in enumerate(texts):
        places.setdefault(evened(text), []).append(segment)
    return places


def _beside_mark(row: Row, output: str) -> Row:
    """The row with its spans as they stand in the output, where one of both has a byte-order mark in front.

    Files lose it where they are read; a table has it within a row.
    """
    shift = output.startswith(_MARK) - (row.target or "").startswith(_MARK)
    if not shift or not row.spans:
        return row
    spans = (
        span
        if span.side == "source" or span.is_missing
        else replace(span, start=max(0, span.start + shift), end=max(0, span.end + shift))
        for span in row.spans
    )
    return row._replace(spans=tuple(spans))


def _other_texts(judgements: Judgements, unknown: Sequence[Row], n_rows: int) -> InputError:
    first = unknown[0]
    return InputError(
        "the translations are not the outputs of the test set",
        where=f"{judgements.file}, system {shown(first.system)}",
        line=first.line,
        found=f"{len(unknown):,} of {n_rows:,} that no output has, the first {shown(first.target)}",
        expected="the outputs that are compared",
        remedy="Load the outputs that were judged, or the judgements of these.",
    )


def _unknown_notice(judgements: Judgements, unknown: Sequence[Row], n_rows: int) -> tuple[str, ...]:
    if not unknown:
        return ()
    named = ", ".join(f"line {row.line:,} ({row.system})" for row in unknown[:_MOST_NAMED])
    more = f" and {len(unknown) - _MOST_NAMED:,} more" if len(unknown) > _MOST_NAMED else ""
    return (
        f"{judgements.file}: left out: {len(unknown):,} of {counted(n_rows, 'judgement')}, as no output of their "
        f"system is the translation that was judged: {named}{more}.",
    )


def _repeated_notice(file: str, rows: Sequence[Row]) -> tuple[str, ...]:
    """What to say of comparisons that a judge has made several times, in the same order of the two outputs.

    Raises:
        InputError: Somebody has judged one output of a segment twice.
    """
    compared = Counter(
        (row.number, row.rater, row.system, row.contest)
        for row in rows
        if row.contest is not None and row.contest.is_first
    )
    n_again = sum(number - 1 for number in compared.values())
    seen: dict[tuple[str, int | None, str], int] = {}
    for row in rows:
        if row.contest is not None:  # a judge may compare two outputs several times: their mean counts
            continue
        key = (row.system, row.number, row.rater)
        if key in seen:
            rater = f" by {shown(row.rater)}" if row.rater else ""
            raise InputError(
                "a segment is judged twice by the same person",
                where=f"{file}, system {shown(row.system)}",
                line=row.line,
                found=f"segment {(row.number or 0) + 1:,}{rater} once more",
                expected=f"only the judgement in line {seen[key]:,}",
                remedy="Keep one of them.",
            )
        seen[key] = row.line
    return (f"{file}: {counted(n_again, 'comparison')} judged again; their mean counts.",) if n_again else ()
