"""How the scores of single segments went over the versions of a system."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from bleucore.counts import Floats, Ints, read_only
from bleucore.errors import InputError
from bleucore.metrics import MetricOptions, metric_of
from bleucore.significance.paired import TIE

Course: TypeAlias = Literal["got worse", "got better", "went up and down"]
COURSES: tuple[Course, ...] = get_args(Course)


@dataclass(frozen=True, eq=False)
class SegmentStrips:
    """The scores of segments over V versions in their order. All arrays are read-only.

    Attributes:
        scores: (V, S), each segment's own score.
        gains: (V, S), what it gained since the version before: above 0 where it is better, whichever way the metric
            points; 0 for the first version, and where scores differ in their last digits alone.
        higher_is_better: Which way the score points.
    """

    scores: Floats
    gains: Floats
    higher_is_better: bool

    def gain(self, older: int, newer: int) -> Floats:
        """What each segment gained from one version to a later one, (S,)."""
        return gains_between(self.scores[older], self.scores[newer], higher_is_better=self.higher_is_better)

    def most(self, course: Course, older: int, newer: int, number: int) -> Ints:
        """The segments that went so from one version to a later one, those that did it most first, at most ``number``.

        What went up and down is measured by the way that it made without getting anywhere: all its gains and losses
        less what they come to.
        """
        net = self.gain(older, newer)
        if course == "went up and down":
            sizes = np.abs(self.gains[older + 1 : newer + 1]).sum(axis=0) - np.abs(net)
            sizes[sizes <= TIE * np.abs(self.scores[older : newer + 1]).max(axis=0)] = 0.0
        else:
            sizes = net if course == "got better" else -net
        order = np.argsort(-sizes, kind="stable")[:number]
        found: Ints = order[sizes[order] > 0]
        return found

    def largest_fall(self, segment: int, older: int, newer: int) -> int | None:
        """The version after the first up to the last at which a segment lost most, or ``None`` where it never did."""
        gains = self.gains[older + 1 : newer + 1, segment]
        if not len(gains) or gains.min() >= 0:
            return None
        return older + 1 + int(gains.argmin())


def segment_strips(columns: Iterable[NDArray[Any]], options: MetricOptions) -> SegmentStrips:
    """The scores of segments over versions.

    Args:
        columns: The counts (S, C) of V versions in their order, as the metric's statistics give them; one after the
            other is asked for.
        options: With which they were made, of any metric.

    Raises:
        InputError: There is no version, or they do not have the same segments.
    """
    metric = metric_of(options)
    made = [metric.segment_scores(counts, options) for counts in columns]
    lengths = {len(scores) for scores in made}
    if len(lengths) != 1:
        raise InputError(
            "these versions do not have the same segments",
            found=", ".join(f"{length:,}" for length in sorted(lengths)) or "no version",
            expected="counts of the same segments",
        )
    scores = np.stack(made)
    up = metric.higher_is_better(options)
    gains = np.zeros_like(scores)
    gains[1:] = gains_between(scores[:-1], scores[1:], higher_is_better=up)
    return SegmentStrips(read_only(scores), read_only(gains), up)


def gains_between(older: Floats, newer: Floats, *, higher_is_better: bool) -> Floats:
    """What scores gained: above 0 where the newer ones are better, 0 where they differ in their last digits alone."""
    gains: Floats = newer - older if higher_is_better else older - newer
    gains[np.abs(gains) <= TIE * np.maximum(np.abs(older), np.abs(newer))] = 0.0
    return gains
