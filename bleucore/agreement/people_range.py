"""How often raters agreed with a difference of some size in later campaigns: a range, or why nothing is said."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

from bleucore.checks.kinship import Doubt
from bleucore.evaluation import Evaluation, MetricEvaluation
from bleucore.metrics import human_agreement
from bleucore.metrics.human_agreement import COIN_TOSS

Silence = Literal["metric", "size"] | Doubt
"""Why nothing is said: nothing was observed for the metric with these settings and references, or for differences as
small or as large as this; or what is doubtful about the texts and the two systems."""

NEAR_CEILING = 0.98 * human_agreement.BLEU.ceiling
"""Percent from which all sizes look the same to the published curve."""
LARGEST = 10.0
"""Points of BLEU: nobody has published how often raters agree with larger differences."""
DERIVED = 60.0
"""BLEU from which a reference is taken to derive from a system; those of WMT22 and WMT23 have at most 48."""
_STEP = 5


@dataclass(frozen=True)
class Band:
    """Differences for which the published curve says about the same, and what later campaigns saw.

    Attributes:
        least: Percent of raters by the curve, from which on.
        most: Below which.
        observed: By test set or campaign, the percent of pairs that raters ordered as BLEU does.
    """

    least: float
    most: float
    observed: Mapping[str, float]

    @property
    def low(self) -> float:
        """The lower end in percent: the next multiple of 5 below all that was observed and published."""
        below = _STEP * (math.ceil(min(self.observed.values()) / _STEP) - 1)
        return float(min(below, _STEP * math.floor(self.least / _STEP)))

    @property
    def high(self) -> float:
        """The upper end in percent: the next multiple of 5 above all that was observed and published, at most 100."""
        above = _STEP * (math.floor(max(self.observed.values()) / _STEP) + 1)
        return float(min(100, max(above, _STEP * math.ceil(self.most / _STEP))))

    @property
    def smallest(self) -> float:
        """The smallest of these differences, in points of BLEU."""
        return human_agreement.BLEU.size(self.least)

    @property
    def largest(self) -> float:
        """The largest of them."""
        return LARGEST if self.most >= human_agreement.BLEU.ceiling else human_agreement.BLEU.size(self.most)

    @property
    def campaigns(self) -> tuple[str, ...]:
        """Where that was observed, in order, each once."""
        return tuple(dict.fromkeys(name.partition(" ")[0] for name in self.observed))


BANDS = (
    Band(
        COIN_TOSS,
        80.0,
        MappingProxyType(
            {
                "WMT22 de-en, A": 71.4,
                "WMT22 de-en, B": 40.9,
                "WMT22 zh-en, A": 62.5,
                "WMT22 zh-en, B": 74.4,
                "WMT23 en-de": 66.7,
            }
        ),
    ),
    Band(80.0, NEAR_CEILING, MappingProxyType({"WMT22": 83.0, "WMT23": 94.0, "WMT24": 65.0})),
    Band(
        NEAR_CEILING,
        human_agreement.BLEU.ceiling,
        MappingProxyType({"WMT22": 98.8, "WMT23": 87.7, "WMT23 6-8 BLEU": 74.0, "WMT24": 87.7}),
    ),
)
"""Of BLEU, smallest first. The documentation says how each share was observed ("More than chance, noticed, better")."""


def band_of(difference: float) -> Band | None:
    """What campaigns saw of differences in BLEU of this size either way; ``None`` below a coin toss, and beyond 10."""
    percent = human_agreement.BLEU.percent(difference)
    if percent is None or abs(difference) > LARGEST:
        return None
    return next(one for one in reversed(BANDS) if percent >= one.least)


@dataclass(frozen=True)
class PeopleRange:
    """How often raters agree with a difference, as far as anybody knows.

    Attributes:
        low: The lowest share of raters in percent; ``None`` where nothing is said.
        high: The highest.
        campaigns: Where such shares were observed.
        silence: Why nothing is said; ``None`` where there is a range.
    """

    low: float | None = None
    high: float | None = None
    campaigns: tuple[str, ...] = field(default=())
    silence: Silence | None = None

    @property
    def ends(self) -> tuple[float, float] | None:
        """Both ends in percent, where there is a range."""
        return None if self.low is None or self.high is None else (self.low, self.high)


def people_range(evaluation: Evaluation, metric: MetricEvaluation, first: str, second: str) -> PeopleRange:
    """How often raters agreed, in later campaigns, with differences as large as that of two systems.

    Nothing is said unless the metric is BLEU with the settings of the published curve (Kocmi et al. 2024) and one
    reference, and the texts show translations by versions of one system (``Kinship.doubt``).

    Args:
        evaluation: What was scored.
        metric: One of its metrics.
        first: A system.
        second: Another one.
    """
    if metric.people != human_agreement.BLEU:
        return PeopleRange(silence="metric")
    band = band_of(metric.systems[first].score - metric.systems[second].score)
    if band is None:
        return PeopleRange(silence="size")
    doubt = evaluation.kinship.doubt(first, second)
    if doubt is None and any(result.score >= DERIVED for result in metric.systems.values()):
        doubt = "reference"
    if doubt is not None:
        return PeopleRange(silence=doubt)
    return PeopleRange(band.low, band.high, band.campaigns)
