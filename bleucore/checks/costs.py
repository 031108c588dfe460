"""What findings cost in BLEU, and how grave that makes them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from bleucore.checks.compared_texts import Bools, Column, Columns
from bleucore.checks.findings import Cure, Observation, Severity
from bleucore.corpus import System, TestSet
from bleucore.counts import Ints
from bleucore.metrics import bleu
from bleucore.metrics.bleu_counts import statistics
from bleucore.options import BleuOptions

_GRAVE, _FELT = 1.0, 0.05
"""BLEU that a difference of writing alone takes, from which scores are wrong, and below which they do not feel it."""


def weighed(columns: Columns, observations: Sequence[Observation]) -> list[Observation]:
    """The warnings about systems that have a cure in the light of what it does to the score; the others as they are.

    What costs much is an error, what costs nothing a note.
    """
    asked = [one.column for one in observations if _is_asked(one) and one.column is not None]
    systems = tuple(dict.fromkeys(asked))
    if not systems:
        return list(observations)
    whole = dict(zip(systems, _counts(columns, systems), strict=True))
    return [_weighed(columns, one, whole) if _is_asked(one) else one for one in observations]


def _is_asked(observation: Observation) -> bool:
    is_of_system = observation.column is not None and observation.column.kind == "system"
    return is_of_system and observation.severity == "warning" and observation.cure is not None


def _weighed(columns: Columns, observation: Observation, whole: Mapping[Column, Ints]) -> Observation:
    column, cure, segments = observation.column, observation.cure, observation.segments
    if column is None or cure is None:
        return observation
    options, counts = _options(columns), whole[column]
    rest = counts[~segments].sum(axis=0)
    as_is, cured = (
        float(bleu.scores(rest + part.sum(axis=0), options))
        for part in (counts[segments], _counts(columns, (column,), segments, cure)[0])
    )
    cost = cured - as_is
    message = (
        f"{observation.message} BLEU (tokenizer {options.tokenizer}) is {as_is:.1f}, and {cured:.1f} with these "
        f"segments scored {cure.words}."
    )
    severity: Severity = "error" if cost >= _GRAVE else "warning" if cost >= _FELT else "note"
    return replace(observation, message=message, severity=severity, is_felt=cost >= _FELT)


def _counts(
    columns: Columns,
    systems: Sequence[Column],
    segments: Bools | None = None,
    cure: Cure | None = None,
) -> list[Ints]:
    """BLEU's counts of some systems in some segments, (F, 2 + 2M) each; of texts that are cured first."""
    chosen = np.arange(columns.n_segments) if segments is None else np.flatnonzero(segments)

    def texts(column: Column) -> list[str | None]:
        kept = [column.texts[index] for index in chosen.tolist()]
        return kept if cure is None else [None if text is None else cure.apply(text) for text in kept]

    named = [System(str(number), [text or "" for text in texts(one)]) for number, one in enumerate(systems)]
    return statistics(TestSet(named, [texts(reference) for reference in columns.references]), _options(columns))


def _options(columns: Columns) -> BleuOptions:
    """sacreBLEU's, by characters where there are no blanks between words."""
    has_blanks = all(column.surface.has_blanks for column in columns.references)
    return BleuOptions() if has_blanks else BleuOptions(tokenizer="char")
