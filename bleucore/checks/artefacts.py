"""What language models add to a translation or give instead of one.

An artefact counts only where neither the source nor a reference has the like: a source may itself be quoted, or say
"Here is the translation".
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import numpy as np

from bleucore.checks import fixes, phrases
from bleucore.checks.already_reported import settled
from bleucore.checks.compared_texts import Bools, Columns, found_in
from bleucore.checks.findings import Observation, of_all
from bleucore.checks.lengths import deviations
from bleucore.checks.llm_boilerplate import Side, without_surplus
from bleucore.checks.loops import has_loop, looping
from bleucore.checks.order import alignments
from bleucore.checks.repairs import Fix, fixed

_UNLIKE_ENOUGH, _SHARES_LITTLE = 1.0, 0.2
"""Evidence of alignment, and likeness, up to which an output may be something else than a translation."""

_FIRST_NUMBER = re.compile(r"[0-9]{1,9}")

_LONGER, _MUCH_LONGER = 0.25, 0.4
_LEAST_WORDS, _LEAST_SAID_AGAIN = 12, 0.6


def preambles(columns: Columns) -> Iterator[Observation]:
    """Outputs that begin with words about the translation."""
    flagged, known = _with_surplus(columns, "beginning")
    may_be = columns.matches(columns.systems, phrases.MAY_BE_PREAMBLE)
    yield from _report(
        columns,
        _hold_alone(columns, phrases.PREAMBLE, phrases.ABOUT_TRANSLATION, may_be)
        | _hold_alone(columns, phrases.LABEL, phrases.ANY_LABEL, signs=":：([【")
        | flagged,
        'begin{s} with a preamble, such as "Here is the translation:"',
        "Extract the translation, or prompt for the translation alone.",
        fixes.without_preamble,
        known,
    )


def refusals(columns: Columns) -> Iterator[Observation]:
    """Outputs that say that there will be no translation."""
    systems = columns.once(alignments)[: len(columns.systems)]
    is_unlike = np.stack([(one.evidence < _UNLIKE_ENOUGH) | (one.likeness < _SHARES_LITTLE) for one in systems])
    yield from _report(
        columns,
        _hold_alone(columns, phrases.REFUSAL, phrases.REFUSAL, is_unlike)
        | _hold_alone(columns, phrases.ANY_TRANSLATION, phrases.ABOUT_ANY_TRANSLATION, is_unlike),
        'refuse{s} or ask{s} a question ("I am sorry, but I cannot ...", say)',
        "Translate these segments again, or report the number of refusals with the score.",
    )


def notes(columns: Columns) -> Iterator[Observation]:
    """Outputs with a remark about the translation."""
    flagged, known = _with_surplus(columns, "end")
    yield from _report(
        columns,
        _hold_alone(columns, phrases.NOTE, phrases.ABOUT_NOTES) | flagged,
        'contain{s} a note or explanation, such as "(Note: ...)"',
        "Extract only the translation, or prompt for no explanations.",
        fixes.without_note,
        known,
    )


def quoted_outputs(columns: Columns) -> Iterator[Observation]:
    """Outputs in quotation marks that neither the source nor a reference has at either end."""
    yield from _report(
        columns,
        _hold_alone(columns, phrases.QUOTED, phrases.QUOTED_AT_AN_END),
        "{is} in quotation marks, unlike source and references",
        "Remove the quotation marks if the system adds them.",
        fixes.without_quotes,
    )


def markup(columns: Columns) -> Iterator[Observation]:
    """Outputs with marks of Markdown, tags or JSON that neither the source nor a reference has."""
    yield from _report(
        columns,
        np.any(
            [_hold_alone(columns, pattern, expected, signs=signs) for pattern, expected, signs in phrases.MARKUP],
            axis=0,
        )
        | _numbered(columns),
        'contain{s} Markdown, tags or JSON, such as "```" or "**"',
        "Extract only the text, or prompt for plain text.",
        fixes.without_markup,
    )


def variants(columns: Columns) -> Iterator[Observation]:
    """Outputs that give several translations."""
    longer = np.stack([columns.once(deviations)[column] for column in columns.systems])
    yield from _report(
        columns,
        _hold_alone(columns, phrases.VARIANT, phrases.ABOUT_VARIANTS, longer > _LONGER)
        | _hold_alone(columns, phrases.SLASH_BETWEEN, phrases.ANY_SLASH, longer > _LONGER)
        | _say_twice(columns, longer > _MUCH_LONGER),
        'give{s} several translations ("Or: ..." or "Option 2:", say)',
        "Keep one, by a rule that does not use the references.",
    )


def repetition_loops(columns: Columns) -> Iterator[Observation]:
    """Outputs that repeat words many times in a row, where neither the source nor a reference does."""
    yield from _report(
        columns,
        columns.once(looping) & ~columns.once(_loops_in_originals),
        "repeat{s} the same words many times",
        "Check the decoding: limit repetition, or use another method.",
        fixes.without_loop,
    )


def _hold_alone(columns: Columns, pattern: str, expected: str, among: Bools | None = None, *, signs: str = "") -> Bools:
    """Whether outputs match a pattern, (K, S), where no original matches what would be translated so.

    Only those ``among`` which it would be a fault are asked, and those that have one of the ``signs``.
    """
    if among is None:
        matched = columns.matches(columns.systems, pattern, signs)
    else:
        matched = found_in(columns.systems, pattern, among)
    asked = np.broadcast_to(matched.any(axis=0), (len(columns.originals), columns.n_segments))
    matched &= ~found_in(columns.originals, expected, asked).any(axis=0)
    return matched


def _numbered(columns: Columns) -> Bools:
    """Which outputs (K, S) begin with a number as in a list that no original of the segment holds."""
    numbered = _hold_alone(columns, phrases.NUMBERED, phrases.ABOUT_NUMBERED)
    for column, flagged in zip(columns.systems, numbered, strict=True):
        for segment in np.flatnonzero(flagged).tolist():
            number = int(_FIRST_NUMBER.findall(column.texts[segment] or "")[0])
            originals = " ".join(original.texts[segment] or "" for original in columns.originals)
            flagged[segment] = number not in map(int, _FIRST_NUMBER.findall(originals))
    return numbered


def _say_twice(columns: Columns, candidates: Bools) -> Bools:
    """Which of the candidates (K, S) have a second half made of the words of the first, which are no exact repeat."""
    say_twice = np.zeros_like(candidates)
    for column, chosen, twice in zip(columns.systems, candidates, say_twice, strict=True):
        segments = np.flatnonzero(chosen & (column.words.lengths >= _LEAST_WORDS))
        words = column.words.chosen(segments)
        is_first = np.arange(len(words.ids)) - words.offsets[words.segments] < (words.lengths // 2)[words.segments]
        again = np.isin(words.keys, words.keys[is_first]) & np.isin(words.keys, words.keys[~is_first])
        shares = [
            np.bincount(words.segments[half], weights=again[half], minlength=len(segments))
            / np.bincount(words.segments[half], minlength=len(segments))
            for half in (is_first, ~is_first)
        ]
        twice[segments] = np.minimum(*shares) >= _LEAST_SAID_AGAIN
    return say_twice & ~columns.once(looping)


def _with_surplus(columns: Columns, side: Side) -> tuple[Bools, Sequence[Mapping[int, str]]]:
    """Which outputs (K, S) have foreign words at this side, and those of each system without them."""
    known = without_surplus(columns, side)
    flagged = np.zeros((len(columns.systems), columns.n_segments), np.bool_)
    for row, rests in zip(flagged, known, strict=True):
        row[list(rests)] = True
    return flagged, known


def _report(
    columns: Columns,
    flagged: Bools,
    what: str,
    remedy: str,
    fix: Fix | None = None,
    known: Sequence[Mapping[int, str] | None] | None = None,
) -> Iterator[Observation]:
    """One warning for each system with flagged outputs (K, S); ``{s}`` and ``{is}`` follow their number.

    ``fix`` derives texts without the fault, and ``known`` has those of each system that were found otherwise.
    """
    rests = known or [None] * len(columns.systems)
    for column, segments, rest in zip(columns.systems, flagged & ~columns.once(settled), rests, strict=True):
        if segments.any():
            n_flagged = int(segments.sum())
            clause = what.format_map({"s": "s", "is": "is"} if n_flagged == 1 else {"s": "", "is": "are"})
            message = f"{of_all(n_flagged, columns.n_segments)} {clause}."
            repair = None if fix is None else partial(fixed, column, segments, fix, rest)
            yield Observation(column, "warning", message, remedy, segments, repair=repair)


def _loops_in_originals(columns: Columns) -> Bools:
    looping: Bools = np.any(
        [has_loop(column, least_repeats=3, least_doubled=2) for column in columns.originals], axis=0
    )
    return looping
