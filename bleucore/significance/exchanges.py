"""The exchanges behind a test: all there are where the trials are enough for them, else drawn at random."""

from collections.abc import Sequence

from bleucore.counts import Progress, Score
from bleucore.significance.draws import NamedCounts
from bleucore.significance.randomisation import MOST_ENUMERATED, Randomisation, every_exchange, n_exchanges, randomise
from bleucore.significance.settings import SignificanceOptions
from bleucore.significance.units import Unit


def exchanges(
    units: Sequence[NamedCounts],
    score: Score,
    options: SignificanceOptions,
    unit: Unit,
    *,
    progress: Progress | None = None,
) -> Randomisation:
    """Every exchange of up to 14 units with the usual 10,000 trials, else as many random ones as the options say.

    Args:
        units: Names with counts (N, C).
        score: Of counts.
        options: The number of trials and the seed; nothing else counts here.
        unit: What a row of counts is.
        progress: Called with the share of the work done, 0 to 1, from time to time.

    Raises:
        InputError: Nothing to exchange, or shapes that differ.
    """
    n_units = len(units[0][1]) if units else 0
    if 1 < n_units <= MOST_ENUMERATED and n_exchanges(n_units) <= options.n_trials + 1:
        return every_exchange(units, score, seed=options.seed, unit=unit)
    return randomise(units, score, trials=options.n_trials, seed=options.seed, unit=unit, progress=progress)
