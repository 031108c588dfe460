"""Outputs with words of the source, or of a language that nothing beside them is written in.

No list of any language is needed: what belongs to the target language is what the references and other systems of the
same test set hold.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np

from bleucore.checks.compared_texts import Bools, CheckedColumn, Columns
from bleucore.checks.copies import text_numbers
from bleucore.checks.findings import Observation, Repair, Severity, of_all
from bleucore.checks.order import out_of_order
from bleucore.checks.repairs import fixed
from bleucore.checks.sides import source_counts
from bleucore.checks.unknown_words import unseen
from bleucore.checks.words import N_WORD_IDS, Words, are_among, are_in, counts, share_known
from bleucore.counts import Ints

_MUCH_RARER = 0.1
"""In the references, than in the source: words that are not of both languages."""

_COMMON_TIMES, _COMMON_SHARE = 3, 0.003
"""Words of the source that are no names: in so many places, or in such a share of segments."""

_SEVERAL, _SMALL_PART, _LARGE_PART = 2, 0.2, 0.3
"""Words of an output, and shares of them, that are of the source and of hardly any other system."""

_RUN, _RUN_UNSPACED, _RUN_AMONG_WORDS = 3, 6, 4
"""Words of the source in a row; characters, in scripts without blanks; such characters among words with blanks, where
numbers and signs may stand between them."""

_WINDOW, _LEAST_OF_WINDOW = 4, 2
"""Words in a row that are all in the source, and how many of them are not of both languages."""

_ONE_LANGUAGE = 0.4
"""Share of the words of a reference that its source has, too: .05 to .15 between languages of WMT22."""

_FEW_SYSTEMS, _MANY, _MOST, _LONGER = 3, 0.02, 0.5, 1.5
"""Systems that tell what is usual, and the share of segments from which it is a warning without them; and the share of
a reference whose texts hold their source from which two columns became one, and how much longer than that they are."""

_LEAST_UNSEEN, _LEAST_SHARE_UNSEEN, _ABOVE_USUAL = 3, 0.4, 0.3
_LEAST_WORDS = 4


def source_words(columns: Columns) -> Iterator[Observation]:
    """Outputs that hold words of the source beyond names: it was put before them, or a part was left as it was."""
    is_unsure = len(columns.systems) < _FEW_SYSTEMS
    for column, flagged in zip(columns.systems, columns.once(with_source_words), strict=True):
        yield from _report(
            column,
            flagged,
            "contain{s} source words, not only names, that no reference has",
            "Look for a source copied before the output, and for untranslated parts.",
            partial(_without_source, column, columns, flagged),
            severity="note" if is_unsure and flagged.mean() < _MANY else "warning",
        )
    for column in columns.references:
        flagged = _hold_the_source(column, columns)
        if flagged.mean() >= _MOST:
            yield from _report(
                column,
                flagged,
                "also contain{s} the whole source",
                "Look for a two-column file, and load its reference column.",
                partial(_without_source, column, columns, flagged),
                severity="error",
            )


def _hold_the_source(column: CheckedColumn, columns: Columns) -> Bools:
    """Which texts hold all of the source and half as much again, (S,)."""
    flagged = np.zeros(columns.n_segments, np.bool_)
    if columns.source is not None:
        may_hold = (columns.source.lengths > 0) & (column.lengths >= _LONGER * columns.source.lengths)
        for segment in np.flatnonzero(may_hold).tolist():
            source, text = columns.source.texts[segment] or "", column.texts[segment] or ""
            flagged[segment] = source.strip() in text
    return flagged


def with_source_words(columns: Columns) -> Bools:
    """Outputs (K, S) with words of the source that are no names and are not all of it."""
    largely, in_a_row = columns.once(_parts_of_source)
    return largely | in_a_row


def largely_source_words(columns: Columns) -> Bools:
    """Outputs (K, S) of which a large part is the source: what else is wrong with them comes from that."""
    return columns.once(_parts_of_source)[0]


def _parts_of_source(columns: Columns) -> tuple[Bools, Bools]:
    """Outputs (K, S) with a large part of the source, and those with a few of its words in a row."""
    n_there, n_common = np.zeros((2, len(columns.systems), columns.n_segments), np.int64)
    if columns.source is None:
        return np.zeros(n_there.shape, np.bool_), np.zeros(n_there.shape, np.bool_)
    if share_known(columns.references[0].words, columns.source.words) >= _ONE_LANGUAGE:
        return np.zeros(n_there.shape, np.bool_), np.zeros(n_there.shape, np.bool_)
    of_source = columns.once(source_counts)
    of_references = counts([column.words for column in columns.references])
    is_foreign = of_references <= _MUCH_RARER * len(columns.references) * of_source
    is_foreign &= of_source > 0
    is_common = is_foreign & (of_source >= max(_COMMON_TIMES, _COMMON_SHARE * columns.n_segments))
    keys = columns.source.words.keys[is_foreign[columns.source.words.ids]]
    has_run = np.zeros(n_there.shape, np.bool_)
    for index, column in enumerate(columns.systems):
        chosen = np.flatnonzero(is_foreign[column.words.ids])
        chosen = chosen[are_among(column.words.keys[chosen], keys)]
        has_run[index] = _have_run(column, columns, chosen, is_common)
        segments = column.words.segments[chosen]
        n_there[index] = np.bincount(segments, minlength=columns.n_segments)
        n_common[index] = np.bincount(segments[is_common[column.words.ids[chosen]]], minlength=columns.n_segments)
    usual = np.median(n_there, axis=0) if len(n_there) >= _FEW_SYSTEMS else np.zeros(columns.n_segments)
    n_more, lengths = n_there - usual, np.stack([column.words.lengths for column in columns.systems])
    shares, are_several = n_there / np.maximum(1, lengths), n_more >= _SEVERAL
    has_common = (n_common > 0) & (n_more > 0)
    flags: Bools = (shares >= _LARGE_PART) & (are_several | has_common)
    flags |= (shares >= _SMALL_PART) & are_several & has_common
    numbers = columns.once(text_numbers)
    copied = np.stack([numbers[column] == numbers[columns.source] for column in columns.systems])
    may_be = ~copied & ~columns.once(out_of_order)[: len(columns.systems)]
    return flags & may_be, has_run & are_several & may_be


def _have_run(column: CheckedColumn, columns: Columns, chosen: Ints, is_common: Bools) -> Bools:
    """Which outputs have several words of the source in a row, (S,), that no reference of the segment has.

    The words chosen are rising places. Words that are of both languages may stand among them.
    """
    keys = column.words.keys[chosen]
    for reference in columns.references:
        known = are_in(keys, reference.words)
        keys, chosen = keys[~known], chosen[~known]
    flagged = np.zeros(columns.n_segments, np.bool_)
    if columns.source is None or len(chosen) < _LEAST_OF_WINDOW:
        return flagged
    length, span = _run(columns.source, columns.references)
    segments = keys // N_WORD_IDS
    if len(chosen) >= length:
        first, last = slice(None, len(chosen) - length + 1), slice(length - 1, None)
        is_run = (chosen[last] - chosen[first] <= span) & (segments[last] == segments[first])
        flagged[segments[last][is_run]] = True
    if length == _RUN:
        near = (np.diff(chosen) < _WINDOW) & (np.diff(segments) == 0)
        asked = np.unique(segments[1:][near])
        asked = asked[~flagged[asked]]
        flagged[asked[_have_window(column, columns.source, chosen[np.isin(segments, asked)], asked, is_common)]] = True
    return flagged


def _run(source: CheckedColumn, references: Sequence[CheckedColumn]) -> tuple[int, int]:
    """How many words of the source in a row are no name, and within how many words."""
    if source.surface.has_blanks:
        return _RUN, _RUN
    if all(one.surface.has_blanks for one in references):
        return _RUN_AMONG_WORDS, 2 * _RUN_AMONG_WORDS - 1
    return _RUN_UNSPACED, _RUN_UNSPACED


def _have_window(column: CheckedColumn, source: CheckedColumn, chosen: Ints, segments: Ints, is_common: Bools) -> Bools:
    """Whether some words in a row are all of the source, two of them chosen and one of those common, (A,)."""
    words = column.words.chosen(segments)
    places = column.words.offsets[segments][words.segments] + np.arange(len(words.ids)) - words.offsets[words.segments]
    is_chosen = are_among(places, chosen)
    claims = are_among(words.keys, source.words.chosen(segments).keys), is_chosen, is_chosen & is_common[words.ids]
    has_window = np.zeros(len(segments), np.bool_)
    if len(words.ids) >= _WINDOW:
        n_there, n_chosen, n_common = (np.convolve(claim, np.ones(_WINDOW, np.int64), "valid") for claim in claims)
        is_one = words.segments[_WINDOW - 1 :] == words.segments[: len(words.ids) - _WINDOW + 1]
        hits = is_one & (n_there == _WINDOW) & (n_chosen >= _LEAST_OF_WINDOW) & (n_common > 0)
        has_window[words.segments[_WINDOW - 1 :][hits]] = True
    return has_window


def another_language(columns: Columns) -> Iterator[Observation]:
    """Outputs whose words occur nowhere else, neither in the references nor in other systems nor beside them."""
    for index, (column, is_unseen) in enumerate(zip(columns.systems, columns.once(unseen), strict=False)):
        flagged = _are_mostly(column.words, is_unseen) & ~columns.once(out_of_order)[index]
        yield from _report(
            column,
            flagged,
            "consist{s} mostly of words that are in no reference and no other system",
            "Read them: they may be in another language with the same letters.",
        )


def _are_mostly(words: Words, claims: Bools) -> Bools:
    """Of which texts so many words are what is claimed, (S,), that neither chance nor the usual share explains it."""
    lengths = words.lengths
    shares = np.bincount(words.segments, weights=claims, minlength=len(lengths)) / np.maximum(1, lengths)
    is_long = lengths >= _LEAST_WORDS
    usual = float(np.median(shares[is_long])) if is_long.any() else 0.0
    mostly: Bools = is_long & (shares >= max(_LEAST_SHARE_UNSEEN, usual + _ABOVE_USUAL))
    distinct = np.unique(words.keys[claims & mostly[words.segments]]) // N_WORD_IDS
    n_distinct = np.bincount(distinct, minlength=len(lengths))  # a text can repeat one such word
    return mostly & (n_distinct >= _LEAST_UNSEEN) & (n_distinct >= _LEAST_SHARE_UNSEEN * shares * lengths)


def _without_source(column: CheckedColumn, columns: Columns, flagged: Bools) -> Repair | None:
    """The outputs behind the source, where that stands before them."""
    known: dict[int, str] = {}
    for segment in np.flatnonzero(flagged).tolist():
        source = ((columns.source.texts[segment] if columns.source else None) or "").strip()
        text = (column.texts[segment] or "").strip()
        if source and text.startswith(source) and (rest := text[len(source) :].lstrip()):
            known[segment] = rest
    return fixed(column, flagged, lambda _: None, known)


def _report(
    column: CheckedColumn,
    flagged: Bools,
    what: str,
    remedy: str,
    repair: Callable[[], Repair | None] | None = None,
    severity: Severity = "warning",
) -> Iterator[Observation]:
    """What was found; ``{s}`` and ``{is}`` follow the number of outputs."""
    if flagged.any():
        n_flagged = int(flagged.sum())
        clause = what.format_map({"s": "s", "is": "is"} if n_flagged == 1 else {"s": "", "is": "are"})
        message = f"{of_all(n_flagged, len(flagged))} {clause}."
        yield Observation(column, severity, message, remedy, flagged, repair=repair)
