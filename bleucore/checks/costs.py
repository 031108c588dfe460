"""What findings cost in BLEU, and how grave that makes them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

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

_FEW_SEGMENTS, _FEW_SHARE = 10, 0.01
"""Segments too few for an error by what the score gains without them, and so few that no gain makes them a note."""

_MAX_BESIDE = 3
"""Other systems that say what such segments take from any score."""


def weighed(columns: Columns, observations: Sequence[Observation]) -> list[Observation]:
    """The warnings about outputs in the light of what they cost in the score; the others as they are.

    What costs much is an error, what costs nothing a note. Where a cure takes a difference of writing away, texts are
    scored with it; what a reference costs then is the median of some systems. Other findings cost what the score gains
    without their segments, beyond what others gain.
    """
    scored = [_scored(columns, one) for one in observations]
    systems = tuple(dict.fromkeys(system for several in scored for system in several))
    whole = dict(zip(systems, _counts(columns, systems), strict=True)) if systems else {}
    return [
        _weighed(columns, one, {system: whole[system] for system in several}) if several else one
        for one, several in zip(observations, scored, strict=True)
    ]


def _scored(columns: Columns, observation: Observation) -> tuple[CheckedColumn, ...]:
    """The systems whose scores tell what a finding costs, its own first; none if it is not asked."""
    column, has_cure = observation.column, observation.cure is not None
    if column is None or observation.severity != "warning":
        return ()
    if column.kind == "reference":
        return columns.systems[:_MAX_BESIDE] if has_cure else ()
    others = tuple(other for other in columns.systems if other is not column)[:_MAX_BESIDE]
    return (column,) if has_cure else () if observation.segments.all() else (column, *others)


def _weighed(columns: Columns, observation: Observation, whole: Mapping[CheckedColumn, Ints]) -> Observation:
    cure, segments = observation.cure, observation.segments
    options = _options(columns)
    if cure is None:
        own, *others = (_gain(counts, segments, options) for counts in whole.values())
        cost = own - float(np.median(others or [0.0]))
        words = f" This costs about {cost:.1f} BLEU." if cost >= _FELT else ""
        is_grave = cost >= _GRAVE and int(segments.sum()) >= _FEW_SEGMENTS
        is_slight = bool(others) and cost < _FELT and float(segments.mean()) < _FEW_SHARE
    else:
        cured = _counts(columns, tuple(whole), segments, cure)
        before, after = np.array(
            [
                [
                    float(bleu.scores(counts[~segments].sum(axis=0) + part.sum(axis=0), options))
                    for part in (counts[segments], better)
                ]
                for counts, better in zip(whole.values(), cured, strict=True)
            ]
        ).T
        cost = float(np.median(after - before))
        whose = "BLEU" if observation.column in whole else "The median BLEU of systems"
        words = (
            f" {whose} (tokenizer {options.tokenizer}) is {np.median(before):.1f}, and "
            f"{np.median(before) + cost:.1f} with these segments scored {cure.words}."
        )
        is_grave, is_slight = cost >= _GRAVE, cost < _FELT
    severity: Severity = "error" if is_grave else "note" if is_slight else "warning"
    return replace(observation, message=observation.message + words, severity=severity, is_felt=not is_slight)


def _gain(counts: Ints, segments: Bools, options: BleuOptions) -> float:
    """How much higher the score is without these segments."""
    as_is, without = (float(bleu.scores(part.sum(axis=0), options)) for part in (counts, counts[~segments]))
    return without - as_is


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

    named = [System(str(number), [text or "" for text in texts(one)]) for number, one in enumerate(systems)]
    return statistics(TestSet(named, [texts(reference) for reference in columns.references]), _options(columns))


def _options(columns: Columns) -> BleuOptions:
    """sacreBLEU's, by characters where there are no blanks between words."""
    has_blanks = all(column.surface.has_blanks for column in columns.references)
    return BleuOptions() if has_blanks else BleuOptions(tokenizer="char")
