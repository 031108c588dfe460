"""How scores of a metric are written, which way they point, and whom it scores."""

from dataclasses import dataclass

from bleucore import MetricEvaluation
from bleucore.counts import Floats
from bleuscope.content.style import numbers

SCORE_DECIMALS = 2
SMALL_SCORES = 2
"""Scores from files that are all smaller than this, as COMET's, need more decimals."""


@dataclass(frozen=True)
class ScoreScale:
    """How scores of a metric are written and which way they point."""

    unit: str
    higher_is_better: bool
    decimals: int

    @classmethod
    def of(cls, metric: MetricEvaluation) -> "ScoreScale":
        """The scale of a metric."""
        largest = max(abs(result.score) for result in metric.systems.values())
        is_small = metric.metric.is_read and largest < SMALL_SCORES
        return cls(metric.name, metric.higher_is_better, 4 if is_small else SCORE_DECIMALS)

    @property
    def least_limit(self) -> float:
        """What a scale of differences reaches to at least: smaller ones are drawn small."""
        return 10.0 ** (2 - self.decimals)

    def gain(self, differences: Floats) -> Floats:
        """Differences of B and A as a gain: above 0 where B is better, whichever way the metric points."""
        return differences if self.higher_is_better else -differences

    def score(self, value: float) -> str:
        """A score: ``36.13``."""
        return numbers.score(value, self.decimals)

    def difference(self, value: float) -> str:
        """A difference, always signed: ``−1.34``."""
        return numbers.difference(value, self.decimals)

    def interval(self, low: float, high: float) -> str:
        """An interval of differences: ``0.62 to 2.05``."""
        return f"{self.score(low)} to {self.score(high)}"


def scores_every_system(metric: MetricEvaluation) -> bool:
    """Whether there is a score of every system; a file of scores may say nothing about one."""
    return all(map(metric.has_score, metric.systems))


def arrow(metric: MetricEvaluation) -> str:
    """Which way a metric points."""
    return "↑" if metric.higher_is_better else "↓"
