"""What findings cost in BLEU, and how grave that makes them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from bleucore import bleu
from bleucore.bleu_counts import statistics
from bleucore.checks.columns import Bools, Column, Columns
from bleucore.checks.findings import Cure, Observation, Severity
from bleucore.corpus import System, TestSet
from bleucore.counts import Ints
from bleucore.options import BleuOptions
from bleucore.tokenizer_choice import WITHOUT_WORDS, proposed_tokenizer

_GRAVE, _FELT = 1.0, 0.05
"""BLEU that a difference of writing alone takes, from which scores are wrong, and below which they do not feel it."""

_SOME_SHARE = 0.01
"""Of segments, from which somebody has to look whatever it costs, where only leaving them out shows what that is."""


def weighed(columns: Columns, observations: Sequence[Observation]) -> list[Observation]:
    """The warnings about systems in the light of what they cost; the others as they are.

    What a cure shows to cost much is an error, what costs nothing a note.
    """
    asked = [one for one in observations if _is_asked(one)]
    if not asked:
        return list(observations)
    systems = tuple(dict.fromkeys(one.column for one in asked if one.column is not None))
    options = columns.once(_options)
    whole = dict(zip(systems, _counts(columns, systems, options), strict=True))
    return [_weighed(columns, one, whole, options) if _is_asked(one) else one for one in observations]


def _is_asked(observation: Observation) -> bool:
    is_of_system = observation.column is not None and observation.column.kind == "system"
    return is_of_system and observation.severity == "warning" and bool(observation.segments.any())


def _weighed(
    columns: Columns, observation: Observation, whole: Mapping[Column, Ints], options: BleuOptions
) -> Observation:
    column, cure, segments = observation.column, observation.cure, observation.segments
    if column is None:
        return observation
    counts = whole[column]
    rest = counts[~segments].sum(axis=0)
    if cure is None:
        is_felt = segments.mean() >= _SOME_SHARE or _score(rest, options) - _score(counts.sum(axis=0), options) >= _FELT
        return observation if is_felt else replace(observation, severity="note")
    as_is, cured = (
        float(_score(rest + part.sum(axis=0), options))
        for part in (counts[segments], _counts(columns, (column,), options, segments, cure)[0])
    )
    cost = cured - as_is
    message = (
        f"{observation.message} BLEU (tokenizer {options.tokenizer}) is {as_is:.1f}, and {cured:.1f} with these "
        f"segments scored {cure.words}."
    )
    severity: Severity = "error" if cost >= _GRAVE else "warning" if cost >= _FELT else "note"
    return replace(observation, message=message, severity=severity, is_felt=cost >= _FELT)


def _score(counts: Ints, options: BleuOptions) -> float:
    return float(bleu.scores(counts, options))


def _counts(
    columns: Columns,
    systems: Sequence[Column],
    options: BleuOptions,
    segments: Bools | None = None,
    cure: Cure | None = None,
) -> list[Ints]:
    """BLEU's counts of some systems in some segments, (F, 2 + 2M) each; of texts that are cured first."""
    chosen = np.arange(columns.n_segments) if segments is None else np.flatnonzero(segments)

    def texts(column: Column) -> list[str | None]:
        kept = [column.texts[index] for index in chosen.tolist()]
        return kept if cure is None else [None if text is None else cure.apply(text) for text in kept]

    named = [System(str(number), [text or "" for text in texts(one)]) for number, one in enumerate(systems)]
    return statistics(TestSet(named, [texts(reference) for reference in columns.references]), options)


def _options(columns: Columns) -> BleuOptions:
    """sacreBLEU's, with the tokenizer that the texts need of those that need nothing else."""
    proposal = proposed_tokenizer([column.texts for column in columns.references])
    if proposal is None:
        return BleuOptions()
    return BleuOptions(tokenizer="zh" if proposal.suitable == "zh" else WITHOUT_WORDS)
