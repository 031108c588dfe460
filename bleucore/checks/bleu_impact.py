"""What findings cost in BLEU, and how grave that makes them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from bleucore.checks.compared_texts import Bools, CheckedColumn, Columns
from bleucore.checks.findings import Cure, Observation, Severity
from bleucore.corpus import System, TestSet
from bleucore.counts import Ints
from bleucore.metrics import bleu
from bleucore.metrics.bleu_counts import statistics
from bleucore.options import BleuOptions

_GRAVE, _FELT = 1.0, 0.05
"""BLEU that a finding takes, from which scores are wrong, and below which they do not feel it."""

_FELT_ALONE = 0.3
"""BLEU that a score gains at most without a few segments that are harder than others: no other system tells."""

_FEW_SEGMENTS, _FEW_SHARE = 10, 0.01
"""Segments too few for an error whatever they cost, and so few that they are a note if they cost nothing."""

_MAX_BESIDE = 3
"""Other systems that say what such segments take from any score, and systems that say what a reference takes."""

Counts: TypeAlias = Mapping[CheckedColumn, Ints]


def weighed(columns: Columns, observations: Sequence[Observation], can_be_graver: Sequence[bool]) -> list[Observation]:
    """The observations with what they cost in BLEU, and in the light of that: errors, warnings or notes.

    The cost is the score of repaired texts less the score of the texts as they are. Where no repair can be derived, a
    cure can take a difference of writing away, and the message says the score then. Neither tells what other findings
    cost: their severity follows what the score gains without their segments, beyond what others gain.

    Args:
        columns: The texts.
        observations: What checks say of them.
        can_be_graver: Of each, whether a warning can become an error or a note.
    """
    repaired = [_repaired(one) for one in observations]
    scored = [_scored(columns, one, can_be_graver=can) for one, can in zip(repaired, can_be_graver, strict=True)]
    systems = tuple(dict.fromkeys(system for several in scored for system in several))
    whole = dict(zip(systems, _counts(columns, systems), strict=True)) if systems else {}
    return [
        _weighed(columns, one, {system: whole[system] for system in several}, can_be_graver=can) if several else one
        for one, several, can in zip(repaired, scored, can_be_graver, strict=True)
    ]


def _repaired(observation: Observation) -> Observation:
    is_scored = observation.column is not None and observation.column.kind in ("system", "reference")
    return replace(observation, repaired=observation.repair()) if observation.repair and is_scored else observation


def _scored(columns: Columns, observation: Observation, *, can_be_graver: bool) -> tuple[CheckedColumn, ...]:
    """The systems whose scores tell what a finding costs, its own first; none if it is not asked."""
    column, repaired = observation.column, observation.repaired
    if column is None or not (repaired or (can_be_graver and observation.severity == "warning")):
        return ()
    has_own_score = repaired is not None or observation.cure is not None
    if column.kind == "reference":
        others = [one for one in columns.systems if repaired is None or one.index != repaired.exchanged_with]
        return tuple(others[:_MAX_BESIDE]) if has_own_score else ()
    beside = tuple(other for other in columns.systems if other is not column)[:_MAX_BESIDE]
    return (column,) if has_own_score else () if observation.segments.all() else (column, *beside)


def _weighed(columns: Columns, observation: Observation, whole: Counts, *, can_be_graver: bool) -> Observation:
    options, words, cost = _options(columns), "", None
    if observation.repaired is not None:
        gain = _gain_of_repair(columns, observation, whole, options)
        is_whole = observation.repaired.is_whole
        of_writing, n_segments = observation.is_of_writing, int(observation.segments.sum())
        is_grave = abs(gain) >= _GRAVE and (of_writing or n_segments >= _FEW_SEGMENTS)
        is_few = of_writing or n_segments < _FEW_SHARE * columns.n_segments
        is_slight = abs(gain) < _FELT and is_whole and is_few
        cost = gain if is_whole or gain > 0 else None
    elif observation.cure is not None:
        gain, words = _gain_of_cure(columns, observation, observation.cure, whole, options)
        is_grave, is_slight = gain >= _GRAVE, gain < _FELT
    else:
        own, *others = (_gain_without(counts, observation.segments, options) for counts in whole.values())
        gain = own - float(np.median(others or [0.0]))
        is_grave = gain >= _GRAVE and int(observation.segments.sum()) >= _FEW_SEGMENTS
        is_slight = gain < (_FELT if others else _FELT_ALONE) and float(observation.segments.mean()) < _FEW_SHARE
    if not can_be_graver or observation.severity != "warning":
        return replace(observation, cost=cost)
    severity: Severity = "error" if is_grave else "note" if is_slight else "warning"
    message = observation.message + words
    return replace(observation, message=message, severity=severity, is_felt=not is_slight, cost=cost)


def _gain_of_repair(columns: Columns, observation: Observation, whole: Counts, options: BleuOptions) -> float:
    """How much higher the median score of these systems is with the repaired texts."""
    column, repaired = observation.column, observation.repaired
    if column is None or repaired is None:
        return 0.0
    segments = repaired.segments
    references = [
        repaired.texts if one is column else [one.texts[segment] for segment in segments.tolist()]
        for one in columns.references
    ]
    hypotheses = [
        repaired.texts if one is column else [one.texts[segment] or "" for segment in segments.tolist()]
        for one in whole
    ]
    parts = _statistics(hypotheses, references, options)
    gains = [
        _score(counts.sum(axis=0) - counts[segments].sum(axis=0) + part.sum(axis=0), options)
        - _score(counts.sum(axis=0), options)
        for counts, part in zip(whole.values(), parts, strict=True)
    ]
    return float(np.median(gains))


def _gain_of_cure(
    columns: Columns, observation: Observation, cure: Cure, whole: Counts, options: BleuOptions
) -> tuple[float, str]:
    """How much higher the median score of these systems is with the cure, and both scores in words."""
    segments = observation.segments
    cured = _counts(columns, tuple(whole), segments, cure)
    before, after = np.array(
        [
            [_score(counts[~segments].sum(axis=0) + part.sum(axis=0), options) for part in (counts[segments], better)]
            for counts, better in zip(whole.values(), cured, strict=True)
        ]
    ).T
    gain, usual = float(np.median(after - before)), float(np.median(before))
    whose = "BLEU" if observation.column in whole else "the median BLEU of systems"
    now, cured_score = f"{usual:.1f}", f"{usual + gain:.1f}"
    said = f" If these segments are scored {cure.words}, {whose} (tokenizer {options.tokenizer})"
    if now == cured_score:
        return gain, f"{said} stays {now}."
    return gain, f"{said} goes from {now} to {cured_score}."


def _gain_without(counts: Ints, segments: Bools, options: BleuOptions) -> float:
    """How much higher the score is without these segments."""
    return _score(counts[~segments].sum(axis=0), options) - _score(counts.sum(axis=0), options)


def _score(sums: Ints, options: BleuOptions) -> float:
    return float(bleu.scores(sums, options))


def _counts(
    columns: Columns,
    systems: Sequence[CheckedColumn],
    segments: Bools | None = None,
    cure: Cure | None = None,
) -> list[Ints]:
    """BLEU's counts of some systems in some segments, (F, 2 + 2M) each; of texts that are cured first."""
    chosen = np.arange(columns.n_segments) if segments is None else np.flatnonzero(segments)

    def texts(column: CheckedColumn) -> list[str | None]:
        kept = [column.texts[index] for index in chosen.tolist()]
        return kept if cure is None else [None if text is None else cure.apply(text) for text in kept]

    hypotheses = [[text or "" for text in texts(one)] for one in systems]
    return _statistics(hypotheses, [texts(reference) for reference in columns.references], _options(columns))


def _statistics(
    hypotheses: Sequence[Sequence[str]], references: Sequence[Sequence[str | None]], options: BleuOptions
) -> list[Ints]:
    """BLEU's counts of each system, (F, 2 + 2M)."""
    systems = [System(str(number), texts) for number, texts in enumerate(hypotheses)]
    return statistics(TestSet(systems, references), options)


def _options(columns: Columns) -> BleuOptions:
    """sacreBLEU's, by characters where there are no blanks between words."""
    has_blanks = all(column.surface.has_blanks for column in columns.references)
    return BleuOptions() if has_blanks else BleuOptions(tokenizer="char")
