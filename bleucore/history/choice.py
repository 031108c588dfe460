"""The best of several versions on one test set: how much of its score is luck, and is it the best?

Whoever takes the best of n checkpoints by their scores on a test set takes the luckiest, too: its score is too high for
it (the winner's curse). Choosing is done again on resamples, and what was chosen is scored on the segments that the
resample left out (Tsamardinos, Greasidou and Borboudakis 2018, "bootstrap bias corrected" selection).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bleucore.counts import Floats, Ints, Score, read_only
from bleucore.errors import InputError
from bleucore.history.all_pairs import AllPairs, all_pairs
from bleucore.significance import Bootstrap, ComparedSystems, SignificanceOptions
from bleucore.significance.paired import TIE
from bleucore.significance.units import FEWEST_TESTED, too_few_words
from bleucore.written_numbers import counted

BLOCK_NUMBERS = 2**22
"""Weights of segments that are held at once."""
FEWEST_VERSIONS = 2
SHARES = (np.arange(200) + 0.5) / 200
"""Of what versions seem to differ by, the share that may be true: the values that are tried."""


@dataclass(frozen=True, eq=False)
class BestVersion:
    """What is to be said of the version with the best score. All scores are in points of the metric.

    Arrays are of all K versions in their order, and read-only.

    Attributes:
        names: Of the versions.
        scores: (K,), on the test set.
        chosen: The index of the best score; of equal ones the earliest.
        interval: 95 % interval of its score, as if it had not been chosen; ``None`` from fewer than six units.
        optimism: How many points too good its score is to be expected, because it was chosen by it: above 0 is too
            good, whichever way the metric points; ``None`` from fewer than six units.
        corrected_score: Its score without that.
        corrected_interval: The interval, moved by as much.
        shrunken: (K,), what the versions' scores are to be expected to be, most of which lie nearer to their mean.
        chances_chosen: (K,), how often each version has the best score on a resampled test set; they add up to 1.
        chances_best: (K,), how probable it is that each is truly the best; they add up to 1. ``None`` where no
            version is significantly better than another, among all pairs: scores do not say then which is the best.
        expected_loss: How many points the chosen one is to be expected behind the truly best; ``None`` as well.
        n_left_out: The resamples that left no unit out, and say nothing of optimism.
        n_units: How many units were drawn from.
        resamples: B.
        seed: Of the resamples.
        unit: What was drawn.
        reason: Why there is no optimism to tell, in words, or ``None``.
        why_no_chances: Why there is no probability of being the best, in words, or ``None``.
    """

    names: tuple[str, ...]
    scores: Floats
    chosen: int
    interval: tuple[float, float] | None
    optimism: float | None
    corrected_score: float | None
    corrected_interval: tuple[float, float] | None
    shrunken: Floats
    chances_chosen: Floats
    chances_best: Floats | None
    expected_loss: float | None
    n_left_out: int
    n_units: int
    resamples: int
    seed: int
    unit: str
    reason: str | None
    why_no_chances: str | None

    @property
    def name(self) -> str:
        """The chosen version."""
        return self.names[self.chosen]

    @property
    def score(self) -> float:
        """The best score."""
        return float(self.scores[self.chosen])


def best_version(
    compared: ComparedSystems,
    options: SignificanceOptions | None = None,
    *,
    drawn: Bootstrap | None = None,
    pairs: AllPairs | None = None,
) -> BestVersion:
    r"""How good the version with the best score is to be expected to be, and whether it is the best.

    On each resample the version with the best score is chosen, and scored on the units that were left out of it, where
    the one that was chosen on all of them is scored as well. The optimism is the mean difference of these two scores;
    both are of the same segments, so neither their number nor what is common to all versions counts.

    The score in the resample less the one out of bag would count the luck of the resample twice, because what is in a
    resample more often is out of bag less often. Measured (``make calibration``): it corrects too far by half.

    Which version is truly the best is a question about true scores. They are taken to be normally distributed around
    their mean. The share s of the variance between scores that is true, against chance as the resamples show it, has a
    uniform prior (Strawderman 1971): with u = 1 - s and Q the squared distances of the scores from their mean over the
    variance of chance, p(u) ~ u^((K - 1) / 2) exp(-u Q / 2). Of versions that differ no more than chance gives, that
    probability is far too high for the one with the best score (``make calibration``): it is given only where at least
    two versions differ significantly.

    Args:
        compared: The versions with their counts.
        options: The number of resamples, their seed, the unit and the significance level.
        drawn: The resamples, where ``bootstrap`` made them already of the same units with the same seed.
        pairs: All pairs of the versions, where they were tested already.

    Raises:
        InputError: There is no version, counts that do not fit, or documents are the unit and not known.
    """
    options = options or SignificanceOptions()
    of_test = compared.units(options)
    units = compared.unit_counts(of_test)
    if drawn is None:
        drawn = compared.bootstrap(options)
    _check_same(drawn, len(units), options)
    sign = 1.0 if compared.higher_is_better else -1.0
    scores = sign * drawn.scores
    chosen = int(np.argmax(scores >= scores.max() - _rounding(scores)))
    tops = _tops(sign * drawn.resampled, _rounding(scores))
    pairs = pairs or all_pairs(units, compared.score, options, of_test)
    has_stars = options.has_stars(compared.known_units)
    why_no_chances = _why_no_chances(pairs, len(units), options.level, has_stars=has_stars)
    differences, n_left_out = _out_of_bag(
        [counts for _, counts in units], compared.score, chosen, tops.argmax(axis=0), drawn.seed
    )
    reason = _why_not(drawn, differences)
    optimism = None if reason else float(sign * differences.mean()) + 0.0  # never -0
    interval = options.score_interval(drawn, chosen)
    shrunken, truths = _true_scores(scores, sign * drawn.resampled, drawn.n_units, drawn.seed)
    at_best = _tops(truths, _rounding(scores))
    shift = 0.0 if optimism is None else -sign * optimism
    return BestVersion(
        names=drawn.names,
        scores=drawn.scores,
        chosen=chosen,
        interval=interval,
        optimism=optimism,
        corrected_score=None if optimism is None else float(drawn.scores[chosen]) + shift,
        corrected_interval=None if optimism is None or interval is None else (interval[0] + shift, interval[1] + shift),
        shrunken=read_only(sign * shrunken),
        chances_chosen=read_only(_shares(tops)),
        chances_best=None if why_no_chances else read_only(_shares(at_best)),
        expected_loss=None if why_no_chances else float((truths.max(axis=0) - truths[chosen]).mean()),
        n_left_out=n_left_out,
        n_units=drawn.n_units,
        resamples=drawn.resampled.shape[1],
        seed=drawn.seed,
        unit=drawn.unit,
        reason=reason,
        why_no_chances=why_no_chances,
    )


def _check_same(drawn: Bootstrap, n_versions: int, options: SignificanceOptions) -> None:
    if len(drawn.names) != n_versions or drawn.seed != options.seed:
        raise InputError(
            "these resamples are of other versions, or of another seed",
            found=f"{counted(len(drawn.names), 'version')}, seed {drawn.seed}",
            expected=f"{counted(n_versions, 'version')}, seed {options.seed}",
        )


def _rounding(scores: Floats) -> float:
    return TIE * float(np.abs(scores).max())


def _tops(scores: Floats, rounded_off: float) -> NDArray[np.bool_]:
    """Which of scores (K, B) are the best of their column, or tied with it."""
    tops: NDArray[np.bool_] = scores >= scores.max(axis=0) - rounded_off
    return tops


def _shares(tops: NDArray[np.bool_]) -> Floats:
    """How often each row is at the top, (K,); rows that are tied share a column."""
    shares: Floats = (tops / tops.sum(axis=0)).mean(axis=1)
    return shares


def _out_of_bag(columns: list[NDArray[Any]], score: Score, chosen: int, again: Ints, seed: int) -> tuple[Floats, int]:
    """The score of the version ``chosen`` less that of the one chosen again (B,), on what each resample left out.

    Resamples that left nothing out are not among them; how many there are.
    """
    n_units, n_draws = len(columns[0]), len(again)
    generator, found, n_left_out = np.random.default_rng(seed), [np.empty(0)], 0
    step = max(1, BLOCK_NUMBERS // n_units)
    for start in range(0, n_draws, step):
        of_block = again[start : start + step]
        outside = np.ones((len(of_block), n_units))
        indices = generator.integers(0, n_units, size=outside.shape)  # those of ``bootstrap``, once more
        np.put_along_axis(outside, indices, 0.0, axis=1)
        known = outside.any(axis=1)
        n_left_out += int(np.count_nonzero(~known))
        differences = np.zeros(len(of_block))
        for index in np.unique(of_block[known]):
            rows = np.flatnonzero(known & (of_block == index))
            if index != chosen:
                sums = outside[rows] @ np.concatenate([columns[chosen], columns[index]], axis=1)
                one, other = np.split(sums, 2, axis=1)
                differences[rows] = score(one) - score(other)
        found.append(differences[known])
    return np.concatenate(found), n_left_out


def _why_not(drawn: Bootstrap, differences: Floats) -> str | None:
    if drawn.n_units < FEWEST_TESTED:
        return too_few_words(drawn.n_units, drawn.unit)
    if not len(differences):
        return f"No resample left out a {drawn.unit}."
    return None


def _why_no_chances(pairs: AllPairs | None, n_versions: int, level: float, *, has_stars: bool) -> str | None:
    if n_versions < FEWEST_VERSIONS or (pairs is not None and has_stars and pairs.smallest_p_value < level):
        return None
    return "No version is significantly better than another: the scores do not say which is truly the best."


def _true_scores(scores: Floats, resampled: Floats, n_units: int, seed: int) -> tuple[Floats, Floats]:
    """What true scores (K,) are to be expected, and B draws of them (K, B), given scores and those of resamples."""
    mean = scores.mean()
    apart = resampled - resampled.mean(axis=1, keepdims=True)
    apart -= apart.mean(axis=0)  # what all versions have in common chooses none
    apart *= np.sqrt(n_units / max(1, n_units - 1))  # resamples vary by that much too little
    n_versions, n_draws = resampled.shape
    freedom = max(1, (n_versions - 1) * (n_draws - 1))
    chance = float((apart**2).sum()) / freedom
    if n_versions < FEWEST_VERSIONS or chance <= _rounding(scores) ** 2:
        return scores, np.repeat(scores[:, None], n_draws, axis=1)
    logs = (n_versions - 1) / 2 * np.log(1 - SHARES) - (1 - SHARES) * float(((scores - mean) ** 2).sum()) / chance / 2
    weights = np.exp(logs - logs.max())
    weights /= weights.sum()
    # evenly spaced quantiles of the share, in random order: little noise from few draws
    quantiles = (np.random.default_rng(seed).permutation(n_draws) + 0.5) / n_draws
    drawn = SHARES[np.searchsorted(weights.cumsum(), quantiles).clip(max=len(SHARES) - 1)]
    expected = mean + float(weights @ SHARES) * (scores - mean)
    return expected, mean + drawn * (scores - mean)[:, None] + np.sqrt(drawn) * apart
