"""What is compared: judgements of people and a metric's scores for the same systems and segments."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bleucore.counts import Floats, Ints, Score
from bleucore.errors import InputError
from bleucore.judgements.averaging import USUAL_AVERAGING, Averaging
from bleucore.metrics.human_agreement import AgreementCurve
from bleucore.sampling.estimates import DrawnSegments, estimated_mean, mean_of_all
from bleucore.significance import SignificanceOptions, TestSetUnits, Units
from bleucore.significance.paired import TIE
from bleucore.significance.units import FEWEST_TESTED, too_few_words

Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class HumanScores:
    """What people say about K systems of S segments. Equal to itself alone.

    Attributes:
        name: Of the judgements.
        systems: K names, each judged in one segment at least.
        judged: (K, S), higher is better, NaN where nobody judged.
        scores: (K,), what is reported for whole systems: the mean judgement, or as it was published.
        averaging: How several judgements of an output became one.
        left_out: Judged systems that are not compared: the reference that metrics are computed with.
        drawn: How segments were drawn to be judged; ``None`` where all that were judged count the same.
        known_units: What is known of the dependence between the segments; ``None`` where each is by itself.

    Raises:
        InputError: Shapes do not fit, or a system has no judgement.
    """

    name: str
    systems: tuple[str, ...]
    judged: Floats
    scores: Floats
    averaging: Averaging = USUAL_AVERAGING
    left_out: tuple[str, ...] = ()
    drawn: DrawnSegments | None = None
    known_units: TestSetUnits | None = None

    def __post_init__(self) -> None:
        refuse_shapes(self.name, self.systems, self.judged, self.scores)
        missing = [name for name, row in zip(self.systems, self.judged, strict=True) if np.isnan(row).all()]
        if missing or np.isnan(self.scores).any():
            raise InputError(
                "a system has no judgement",
                where=f"Judgements {self.name}",
                found=(missing or ["a score that is not a number"])[0],
                expected="systems that were judged",
                remedy="Leave it out.",
            )

    @classmethod
    def of(
        cls,
        name: str,
        systems: tuple[str, ...],
        judged: Floats,
        scores: Floats | None = None,
        *,
        drawn: DrawnSegments | None = None,
        known_units: TestSetUnits | None = None,
    ) -> "HumanScores":
        """The systems that were judged, in their order, with their means unless scores (K,) are given.

        Means of drawn segments are weighted.
        """
        known = np.array([not np.isnan(row).all() for row in judged])
        named = tuple(one for one, is_known in zip(systems, known.tolist(), strict=True) if is_known)
        kept = judged[known]
        means = np.nanmean(kept, axis=1)
        if drawn is not None:
            weights = np.where(np.isnan(kept), 0.0, drawn.weights)
            means = (np.nan_to_num(kept) * weights).sum(axis=1) / weights.sum(axis=1)
        scores = means if scores is None else scores[known]
        return cls(name, named, kept, scores, drawn=drawn, known_units=known_units)

    @cached_property
    def intervals(self) -> tuple[tuple[float, float] | None, ...]:
        """The 95 % interval of each system's mean judgement; ``None`` from too few units, or where all are alike."""
        found = [
            mean_of_all(row, self.groups) if self.drawn is None else estimated_mean(row, self.drawn)
            for row in self.judged
        ]
        return tuple(one.interval if one else None for one in found)

    @cached_property
    def units(self) -> Units | None:
        """What tests exchange and intervals leave out; ``None`` where nothing is known, so that segments are units."""
        return None if self.known_units is None else SignificanceOptions().units_of(self.known_units)

    @property
    def why_untested(self) -> str | None:
        """Why no difference can be tested, in words, where too few documents or other units were judged."""
        if self.units is None or self.groups is None:
            return None
        n_units = len(np.unique(self.groups[~np.isnan(self.judged).all(axis=0)]))
        return too_few_words(n_units, self.units.kind) if n_units < FEWEST_TESTED else None

    @property
    def groups(self) -> Ints | None:
        """The unit of each segment, (S,); ``None`` where each segment is one."""
        return None if self.units is None or self.units.layout is None else self.units.layout.groups

    @property
    def weights(self) -> Floats:
        """(S,), how much each segment counts."""
        return np.ones(self.judged.shape[1]) if self.drawn is None else self.drawn.weights


@dataclass(frozen=True, eq=False)
class ScoredSystems:
    """What a metric says about the same K systems of S segments. Equal to itself alone.

    Attributes:
        name: Of the metric.
        systems: K names.
        scores: (K,), what is reported for whole systems, NaN where there is none.
        segment_scores: (K, S), NaN where there is none.
        higher_is_better: Which way the metric points.
        counts: (K, S, C), additive over segments; ``None`` where the reported number is made of none.
        score: Of sums of counts (..., C); ``None`` without counts.
        curve: How often people agree with a difference by its size, where that was published.

    Raises:
        InputError: Shapes do not fit.
    """

    name: str
    systems: tuple[str, ...]
    scores: Floats
    segment_scores: Floats
    higher_is_better: bool = True
    counts: NDArray[Any] | None = None
    score: Score | None = None
    curve: AgreementCurve | None = None

    def __post_init__(self) -> None:
        refuse_shapes(self.name, self.systems, self.segment_scores, self.scores)
        if self.counts is not None and self.counts.shape[:2] != self.segment_scores.shape:
            raise _no_fit(self.name, self.counts.shape, f"{self.segment_scores.shape} and the counts of a segment")

    @property
    def sign(self) -> float:
        """1 where higher is better, else -1: times a score it is one where higher is better."""
        return 1.0 if self.higher_is_better else -1.0


def refuse_shapes(name: str, systems: tuple[str, ...], segments: Floats, scores: Floats) -> None:
    """Refuse arrays that are not (K, S) and (K,).

    Raises:
        InputError: They are not.
    """
    if segments.shape[:-1] != (len(systems),):
        raise _no_fit(name, segments.shape, f"({len(systems)}, number of segments)")
    if scores.shape != (len(systems),):
        raise _no_fit(name, scores.shape, (len(systems),))


def tie_width(values: Floats) -> float:
    """Two values no further apart than this are tied: what lies between them is rounding; NaN is left out."""
    known = np.abs(values[~np.isnan(values)])
    return TIE * float(known.max(initial=0.0))


def signs(differences: Floats, width: float) -> Ints:
    """-1, 0 or 1 for each difference: 0 within the width of a tie, and for NaN."""
    return np.sign(np.where(np.abs(differences) > width, differences, 0.0)).astype(np.int64)


def _no_fit(name: str, found: object, expected: object) -> InputError:
    return InputError("the numbers of systems or segments differ", where=name, found=found, expected=expected)
