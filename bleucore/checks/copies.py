"""Texts that are missing, or the same where they should differ."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations, count

import numpy as np

from bleucore import written_numbers
from bleucore.checks.alignment import Evidence
from bleucore.checks.compared_texts import Bools, CheckedColumn, Columns
from bleucore.checks.findings import Observation, Severity, of_all
from bleucore.checks.order import alignments
from bleucore.checks.words import counts, rarity, vectors
from bleucore.counts import Ints

MISSING, EMPTY = -1, 0
"""Numbers of a missing and of an empty text."""

_HALF = 0.5
_NEARLY_ALL = 0.9
_LEAST_WORDS = 4
"""Words of a text that is unlikely to be right in two places, or in two languages, by chance."""

_FEWEST_WORDS = 3
"""Words of most references below which texts are labels or answers: wrong ones are right in other places."""

_ENOUGH_WORDS = 30
"""Words that two columns do not have in common by chance, segment by segment."""

_LONG, _LEAST_LONG = 10, 20
_LEAST_LONG_SHARE, _TIMES_USUAL = 0.05, 3
"""Of texts of ten words, so many are translated word for word as in the reference by an unusual system alone.

Systems of WMT22 have 0 to 4 % of such texts, one has 10 %.
"""

_FEW_SYSTEMS, _LEAST_EQUAL = 2, 10
"""Systems of which none tells what is usual, and equal long texts that show where a reference comes from: one that was
made from a system's output, by editing it, favours that system above all others."""

_FEW_DISTINCT = 0.2
"""Distinct texts of a reference per segment, below which they are labels and a good system has most of them."""

_LEAST_SHARE = 0.01
_SAME_LANGUAGE_SHARE = 0.1
_FAR_IN_WORDS, _FAR = 0.0, -2.0
"""Evidence of lines that do not fit their place: long ones and short ones."""

_MUCH_LESS_ALIKE, _FAR_LESS_ALIKE, _SEVERAL_WORDS, _HALF_ALIKE = 0.25, 0.4, 6, 0.5
"""Likeness of such lines, below that in the place that they fit: of long ones and those next to it, and of texts of
several words; and the likeness from which short ones may be right. Thanks and greetings of five words stand in several
places where they are right."""

_LEAST_TRANSPOSED_GAIN = 2.0

_LIST_PATTERN = r"""(?s)^\[\s*(?:".*"\s*,\s*".*"|'.*'\s*,\s*'.*')\s*,?\s*\]$| \|\|\| |\t"""


def text_numbers(columns: Columns) -> dict[CheckedColumn, Ints]:
    """A number for every text of each column, (S,): equal numbers mean equal texts but for white space at the ends."""
    numbers: defaultdict[str | None, int] = defaultdict(count(EMPTY).__next__, {None: MISSING})
    _ = numbers[""]
    return {
        column: np.array([numbers[text and text.strip()] for text in column.texts], np.int64) for column in columns.all
    }


def empty_lines(columns: Columns) -> Iterator[Observation]:
    """Empty texts, unless the source is empty too or all references are."""
    numbers = columns.once(text_numbers)
    all_empty: Bools = np.all([numbers[column] <= EMPTY for column in columns.all], axis=0)
    nothing_to_say: Bools = np.all([numbers[column] <= EMPTY for column in columns.references], axis=0)
    if columns.source is not None:
        nothing_to_say |= numbers[columns.source] == EMPTY
    for column in columns.all:
        is_system = column.kind == "system"
        flagged = (numbers[column] == EMPTY) & ~(nothing_to_say if is_system else all_empty)
        if flagged.any():
            n_flagged = int(flagged.sum())
            severity: Severity = "warning" if column.kind != "source" else "note"
            yield Observation(
                column,
                "error" if is_system and n_flagged >= _HALF * columns.n_segments else severity,
                f"{of_all(n_flagged, columns.n_segments)} {'is' if n_flagged == 1 else 'are'} empty.",
                "Check whether the output was lost, or fill in the missing text."
                if is_system
                else "Fill in the missing text, or leave these segments out.",
                flagged,
            )


def duplicated_lines(columns: Columns) -> Iterator[Observation]:
    """Texts that stand in several places and fit only some of them."""
    numbers = columns.once(text_numbers)
    are_labels = max(float(np.median(reference.words.lengths)) for reference in columns.references) < _FEWEST_WORDS
    for alignment in columns.once(alignments):
        column = alignment.column
        originals = [original for original in columns.originals if original is not column]
        n_words = column.words.lengths
        flagged = _is_repeated(numbers[column], [numbers[original] for original in originals])
        flagged &= (numbers[column] > EMPTY) & (n_words > 0)
        if are_labels:
            flagged &= _is_in_half(numbers[column])
        less = _best_of_equals(numbers[column], alignment.likeness) - alignment.likeness
        flagged &= (alignment.evidence < np.where(n_words >= _LEAST_WORDS, _FAR_IN_WORDS, _FAR)) | (
            (less > _least_less_alike(n_words, numbers[column]))
            & ((n_words >= _LONG) | (alignment.likeness < _HALF_ALIKE))
        )
        for shift in alignment.shifts:
            flagged[shift.start : shift.stop] = False
        if flagged.any():
            n_flagged = int(flagged.sum())
            is_one = columns.source is None and len(columns.references) == 1
            yield Observation(
                column,
                "error" if n_flagged >= _HALF * columns.n_segments else "warning",
                f"{of_all(n_flagged, columns.n_segments)} repeat{'s' * (n_flagged == 1)} the text of another segment, "
                f"whose {columns.named_originals} differ{'s' * is_one}, without sharing much with the "
                "other texts of their own.",
                "Look for lines written twice, or for an output that ignores the input.",
                flagged,
            )


def copied_source(columns: Columns) -> Iterator[Observation]:
    """Outputs and references that are the source, untranslated, where no other reference is."""
    if columns.source is None:
        return
    numbers = columns.once(text_numbers)
    source = numbers[columns.source]
    kept = {column: (numbers[column] == source) & (source > EMPTY) for column in columns.targets}
    is_same_language = all(
        np.median([kept[column].mean() for column in group]) >= _SAME_LANGUAGE_SHARE
        for group in (columns.systems, columns.references)
    )
    for column in columns.targets:
        others = [kept[reference] for reference in columns.references if reference is not column]
        flagged = kept[column] & ~np.any([*others, np.zeros_like(source, np.bool_)], axis=0)
        flagged &= columns.source.words.lengths > 0
        if not flagged.any():
            continue
        n_flagged = int(flagged.sum())
        n_long = int((flagged & (columns.source.words.lengths >= _LEAST_WORDS)).sum())
        severity: Severity = "warning" if n_long >= _LEAST_SHARE * columns.n_segments else "note"
        if kept[column].sum() >= _HALF * columns.n_segments and _is_enough(column, flagged):
            severity = "error"
        yield Observation(
            column,
            "note" if is_same_language else severity,
            f"{of_all(n_flagged, columns.n_segments)} {'is' if n_flagged == 1 else 'are'} equal to the source, "
            f"{written_numbers.count(n_long)} of them with {_LEAST_WORDS} words or more.",
            "Check that this is the right file." if severity == "error" else "Check whether they should be translated.",
            flagged,
        )


def copied_reference(columns: Columns) -> Iterator[Observation]:
    """Outputs that are a reference word for word; of one reference as a whole, or more often than other systems."""
    numbers = columns.once(text_numbers)
    same = {
        column: np.stack([(numbers[column] == numbers[r]) & (numbers[r] > EMPTY) for r in columns.references])
        for column in columns.systems
    }
    long = np.stack([reference.words.lengths >= _LONG for reference in columns.references])
    shares = {column: (same[column] & long).sum(axis=1) / np.maximum(1, long.sum(axis=1)) for column in same}
    n_distinct_long = np.array(
        [len(np.unique(numbers[r][rows])) for r, rows in zip(columns.references, long, strict=True)]
    )
    are_labels = all(len(np.unique(numbers[r])) < _FEW_DISTINCT * columns.n_segments for r in columns.references)
    for column in columns.systems:
        n_filled = [max(1, int((numbers[reference] > EMPTY).sum())) for reference in columns.references]
        wholes = np.flatnonzero(same[column].sum(axis=1) >= _NEARLY_ALL * np.array(n_filled))
        others = np.median([shares[other] for other in columns.systems if other is not column] or [0.0], axis=0)
        unusual = (shares[column] >= _LEAST_LONG_SHARE) & (shares[column] >= _TIMES_USUAL * others)
        enough_words = np.stack([reference.words.lengths >= _LEAST_WORDS for reference in columns.references])
        flagged: Bools = np.any(same[column] & (enough_words | bool(len(wholes))), axis=0)
        if not flagged.any():
            continue
        whole = columns.references[int(wholes[0])].title if len(columns.references) > 1 and len(wholes) else None
        what = whole or ("the reference" if len(columns.references) == 1 else "a reference")
        equal_long: Bools = np.any(same[column] & long, axis=0)
        n_flagged, n_long = int(flagged.sum()), int(equal_long.sum())
        is_much = bool((unusual & (n_distinct_long >= _LEAST_LONG)).any())
        n_distinct = len(np.unique(numbers[column][equal_long]))  # copies of a row are no evidence
        is_known_to_be = is_much and len(columns.systems) > _FEW_SYSTEMS and n_distinct >= _LEAST_EQUAL
        yield Observation(
            column,
            "note"
            if are_labels
            else "error"
            if (len(wholes) and _is_enough(column, flagged)) or is_known_to_be
            else "warning"
            if is_much
            else "note",
            f"{of_all(n_flagged, columns.n_segments)} {'is' if n_flagged == 1 else 'are'} equal to {what}, "
            + (
                f"{written_numbers.count(n_long)} with {_LONG} words or more."
                if n_long
                else f"all under {_LONG} words."
            ),
            ("Check that this is a system output and not a reference, and that neither was made from the other.")
            if (is_much or len(wholes)) and not are_labels
            else "No action needed for segments with only one obvious translation.",
            flagged,
            is_felt=not are_labels,
        )


def identical_systems(columns: Columns) -> Iterator[Observation]:
    """Systems with the same output as another in nearly all segments."""
    yield from _identical(columns, columns.systems, "error")


def identical_references(columns: Columns) -> Iterator[Observation]:
    """References that are the same as another in nearly all segments."""
    yield from _identical(columns, columns.references, "warning")


def transposed_references(columns: Columns) -> Iterator[Observation]:
    """References of the first segment given as the first reference, or as a list in one line."""
    if 1 < len(columns.references) == columns.n_segments and _is_transposed(columns):
        n_segments = written_numbers.count(columns.n_segments)
        yield Observation(
            None,
            "error",
            f"There are {n_segments} references and {n_segments} segments. The outputs fit much better with "
            "rows and columns exchanged.",
            "Give one list per reference, each with one text per segment.",
            np.ones(columns.n_segments, np.bool_),
        )
    is_list = columns.matches(columns.all, _LIST_PATTERN, "[|\t")[: len(columns.targets)]
    n_systems = len(columns.systems)
    if (is_list[:n_systems].mean(axis=1) > _HALF).any():
        return
    for reference, lists in zip(columns.references, is_list[n_systems:], strict=True):
        if lists.mean() > _HALF:
            yield Observation(
                reference,
                "error",
                f"{of_all(int(lists.sum()), columns.n_segments, 'line')} look like a list of several references.",
                "Give one file or column per reference, with one reference per line.",
                lists,
            )


def _is_repeated(texts: Ints, originals: Sequence[Ints]) -> Bools:
    """Whether the text stands in several places and every original differs between some of them, (S,)."""
    distinct, groups, sizes = np.unique(texts, return_inverse=True, return_counts=True)
    differs = sizes > 1
    for original in originals:
        least, most = np.full(len(distinct), np.iinfo(np.int64).max), np.full(len(distinct), MISSING)
        np.minimum.at(least, groups, np.where(original == MISSING, np.iinfo(np.int64).max, original))
        np.maximum.at(most, groups, original)
        differs &= least < most
    return differs[groups]


def _is_in_half(texts: Ints) -> Bools:
    """Whether half of all texts are the same as this one, (S,)."""
    _, groups, sizes = np.unique(texts, return_inverse=True, return_counts=True)
    in_half: Bools = sizes[groups] >= _HALF * len(texts)
    return in_half


def _least_less_alike(n_words: Ints, texts: Ints) -> Evidence:
    """How much less alike than elsewhere a text is at least in a place that it does not fit, (S,)."""
    is_same = texts[1:] == texts[:-1]
    is_next = np.append(is_same, False) | np.append(False, is_same)
    least = np.where(n_words >= _SEVERAL_WORDS, _FAR_LESS_ALIKE, np.inf)
    return np.where((n_words >= _LONG) | (is_next & (n_words >= _LEAST_WORDS)), _MUCH_LESS_ALIKE, least)


def _is_enough(column: CheckedColumn, segments: Bools) -> bool:
    """Whether there are so many words in these segments that they are not equal by chance."""
    return int(column.words.lengths[segments].sum()) >= _ENOUGH_WORDS


def _best_of_equals(texts: Ints, likeness: Evidence) -> Evidence:
    """The greatest likeness in any place of the same text, (S,)."""
    distinct, groups = np.unique(texts, return_inverse=True)
    best = np.full(len(distinct), -np.inf, np.float32)
    np.maximum.at(best, groups, likeness)
    return best[groups]


def _identical(columns: Columns, group: Sequence[CheckedColumn], severity: Severity) -> Iterator[Observation]:
    numbers = columns.once(text_numbers)
    for first, second in combinations(group, 2):
        same = (numbers[first] == numbers[second]) & (numbers[first] > EMPTY)
        n_same, n_texts = int(same.sum()), int(((numbers[first] > EMPTY) | (numbers[second] > EMPTY)).sum())
        if n_same >= _NEARLY_ALL * n_texts > 0:
            yield Observation(
                second,
                "note" if not _is_enough(second, same) else severity if n_same == n_texts else "warning",
                f"{of_all(n_same, columns.n_segments)} are equal to those of {first.title}.",
                "Check that you did not load the same file twice.",
                same,
            )


def _is_transposed(columns: Columns) -> bool:
    """Whether output s fits reference s of all segments better than all references of segment s."""
    targets = columns.targets
    weights = rarity(counts([column.words for column in targets]), len(targets) * columns.n_segments)
    outputs = np.sum([vectors(column.words, weights) for column in columns.systems], axis=0)
    references = np.stack([vectors(column.words, weights) for column in columns.references])
    as_given = float(np.einsum("sd,rsd->", outputs, references))
    exchanged = float(np.einsum("sd,srd->", outputs, references))
    return exchanged > _LEAST_TRANSPOSED_GAIN * max(as_given, 0) and exchanged > len(columns.systems)
