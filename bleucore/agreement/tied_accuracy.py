"""How often a metric orders two outputs of a segment as people do, where ties count and their width is calibrated."""

from dataclasses import dataclass
from functools import partial

import numpy as np

from bleucore.agreement.judged import Mask, signs, tie_width
from bleucore.counts import Floats, Ints, read_only
from bleucore.significance.draws import in_threads

PERMUTATIONS = 20
SEED = 12345


@dataclass(frozen=True, eq=False)
class TiedAccuracy:
    """The share of right pairs: the same order, or a tie of both.

    Attributes:
        value: At the best threshold, 0 to 1: the mean over segments of the share of right pairs in each.
        threshold: The best one: metric scores no further apart are tied.
        untied: At the threshold 0.
        thresholds: (T,), rising from 0, every difference of two scores; read-only.
        accuracies: (T,), at each of them; read-only.
        n_pairs: Pairs of outputs of one segment that both have scored.
        n_segments: Segments with such a pair.
    """

    value: float
    threshold: float
    untied: float
    thresholds: Floats
    accuracies: Floats
    n_pairs: int
    n_segments: int


def tied_accuracy(people: Floats, metric: Floats) -> TiedAccuracy | None:
    """The accuracy with calibrated ties (Deutsch et al. 2023, "Ties Matter": acc_eq), by segment.

    A metric's scores that differ by rounding alone are ties: else one whose last bits differ for equal outputs is given
    a threshold of 1e-15. Judgements are ties where they are equal as given, as mt-metrics-eval has it: a mean of raters
    is taken for what it is, and on WMT23 en-de rounding moves the accuracy by .0003.

    Args:
        people: (K, S), higher is better, NaN where nobody judged.
        metric: (K, S), in the same way.

    Returns:
        ``None`` where no segment has two outputs that both have scored.
    """
    first, second = np.triu_indices(len(people), 1)
    by_people, by_metric = (people[first] - people[second]).T, (metric[first] - metric[second]).T
    known = ~np.isnan(by_people) & ~np.isnan(by_metric)
    in_segment = known.sum(axis=1)
    n_segments = int(np.count_nonzero(in_segment))
    if not n_segments:
        return None
    of_people = signs(by_people[known], 0.0)
    of_metric = signs(by_metric[known], tie_width(metric))
    sizes = np.where(of_metric == 0, 0.0, np.abs(by_metric[known]))
    right = of_people == of_metric
    # A threshold beyond a difference makes it a tie, which is right where people have a tie.
    gains = (of_people == 0).astype(np.int64) - right
    segments = np.repeat(np.arange(len(in_segment)), in_segment)
    order = np.argsort(sizes, kind="stable")
    curve = _running_accuracies(right, gains[order], segments, segments[order]) / n_segments
    rising = np.concatenate([[0.0], sizes[order]])
    last = np.append(np.diff(rising) > 0, [True])
    thresholds, accuracies = rising[last], curve[last]
    best = int(np.argmax(accuracies))
    return TiedAccuracy(
        float(accuracies[best]),
        float(thresholds[best]),
        float(accuracies[0]),
        read_only(thresholds),
        read_only(accuracies),
        int(known.sum()),
        n_segments,
    )


def right_pairs(people: Floats, metric: Floats) -> Floats:
    """What each pair of systems adds to the best accuracy, (P, S) in the order of ``combinations``; 0 where wrong.

    NaN where people or the metric have not scored both; the sum of all others is ``tied_accuracy(...).value``.
    """
    first, second = np.triu_indices(len(people), 1)
    by_people, by_metric = people[first] - people[second], metric[first] - metric[second]
    known = ~np.isnan(by_people) & ~np.isnan(by_metric)
    accuracy = tied_accuracy(people, metric)
    width = max(tie_width(metric), accuracy.threshold if accuracy else 0.0)
    in_segment = known.sum(axis=0)
    weights = 1 / np.maximum(in_segment, 1) / max(np.count_nonzero(in_segment), 1)
    right = signs(by_people, 0.0) == signs(by_metric, width)
    return np.where(known, weights * right, np.nan)


def _running_accuracies(right: Mask, gains: Ints, segments: Ints, segments_of_gains: Ints) -> Floats:
    """The sum over segments of the share of right pairs, at first and after each pair that becomes a tie: (P + 1,).

    Each step takes the old share of its segment off and adds the new one, as mt-metrics-eval does: where several
    thresholds are equally good, which of them is found hangs on the rounding of this sum.

    Args:
        right: (P,), whether each pair is right at first.
        gains: (P,), by how many right pairs a step changes its segment: -1, 0 or 1; in the order of the steps.
        segments: (P,), of each pair, rising.
        segments_of_gains: (P,), of each step.
    """
    numbers, at_first = np.bincount(segments), np.bincount(segments, right)
    # Numbers of two bytes are sorted by their digits, which takes a tenth of the time.
    small = segments_of_gains.astype(np.uint16) if len(numbers) <= 2**16 else segments_of_gains
    by_segment = np.argsort(small, kind="stable")
    within = np.cumsum(gains[by_segment])
    starts = np.cumsum(numbers) - numbers
    before_segment = np.concatenate([[0], within])[starts]
    after = np.empty(len(gains))
    after[by_segment] = within - before_segment[segments] + at_first[segments]
    sizes = numbers[segments_of_gains]
    steps = np.stack([-((after - gains) / sizes), after / sizes], axis=1).ravel()
    shares = at_first[numbers > 0] / numbers[numbers > 0]
    sums: Floats = np.cumsum(np.concatenate([shares, steps]))
    return np.concatenate([sums[[len(shares) - 1]], sums[len(shares) + 1 :: 2]])


def chance_level(people: Floats, metric: Floats, *, permutations: int = PERMUTATIONS, seed: int = SEED) -> float | None:
    """What the accuracy would be if the metric knew nothing: its scores permuted within each segment.

    The mean over permutations, each with the best threshold of its own; ``None`` where there is no accuracy.
    """
    known = ~np.isnan(people) & ~np.isnan(metric)
    generator = np.random.default_rng(seed)
    drawn = (permuted_within_segments(metric, known, generator) for _ in range(permutations))
    accuracies = in_threads(partial(tied_accuracy, people), drawn)
    found = [accuracy.value for accuracy in accuracies if accuracy is not None]
    return float(np.mean(found)) if found else None


def permuted_within_segments(metric: Floats, known: Mask, generator: np.random.Generator) -> Floats:
    """The scores (K, S) with those that are known exchanged at random among the systems of each segment."""
    # The places that are known come first, in any order and in their own: the one is written to the other.
    drawn = np.argsort(np.where(known, generator.random(metric.shape), np.inf), axis=0)
    places = np.argsort(~known, axis=0, kind="stable")
    permuted = np.empty_like(metric)
    np.put_along_axis(permuted, places, np.take_along_axis(metric, drawn, axis=0), axis=0)
    permuted[~known] = metric[~known]
    return permuted
