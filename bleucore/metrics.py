"""Every metric, declared once: how texts become counts that add up, how such counts are scored, and what else it can.

A new metric is a module with its options, statistics and scores, and an entry in ``METRICS``.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bleucore import bleu, bleu_counts, chrf, segment_scores, ter
from bleucore.bleu_line import BleuLine
from bleucore.chrf_line import ChrfLine
from bleucore.corpus import TestSet
from bleucore.counts import Floats, Progress
from bleucore.line import Line, RatioLine
from bleucore.options import BleuOptions

MetricOptions: TypeAlias = BleuOptions | chrf.ChrfOptions | ter.TerOptions | segment_scores.SegmentScores


@dataclass(frozen=True)
class Metric:
    """One metric; the options that its functions take are of the metric's own type.

    Attributes:
        options: The type of its options.
        statistics: Of a test set, options and progress: counts (S, C) of each system, additive over segments.
        scores: Of counts (..., C) and options: (...).
        line: Of two rows of sums (2, C) and options: the score along the line between them, whose gradient says what
            each segment adds to a difference.
        name: Of options: the metric's name under them.
        signature: Of options and the number of references: what to cite with the scores.
        settings: Of options: what they say, by the names of options.
        segment_options: Of options: those under which single segments are scored.
        higher_is_better: Of options: which way the metric points.
        draws: ``scores`` of very many sums, in single or double precision, where that can be had faster.
        has_scores: Of counts (..., C): whether they have a score at all, (...).
        lacks_matches: Of counts (..., C): whether an order without a match leaves only smoothing between the score and
            0, (...), for a metric that multiplies orders.
        takes_first_of_ties: Of options: whether the first of equally good references counts.
        factors: Of options: what a difference has parts of beside segments, as ``Line.values`` has them; of one factor
            the parts are those of the segments alone.
        jump: What a jump of the score at an end of its line comes from, in words that follow "is".
        is_read: Whether scores are read from a file instead of computed: on any scale, and some may be missing.
    """

    options: type
    statistics: Callable[[TestSet, Any, Progress | None], Sequence[NDArray[Any]]]
    scores: Callable[[NDArray[Any], Any], Floats]
    line: Callable[[NDArray[Any], Any], Line]
    name: Callable[[Any], str] = lambda options: str(options.name)
    signature: Callable[[Any, int | Literal["var"]], str] = lambda options, n_references: str(
        options.signature(n_references)
    )
    settings: Callable[[Any], Mapping[str, Any]] = lambda options: {
        one.name: getattr(options, one.name) for one in fields(options)
    }
    segment_options: Callable[[Any], Any] = lambda options: options
    higher_is_better: Callable[[Any], bool] = lambda _: True
    draws: Callable[[NDArray[Any], Any], Floats] | None = None
    has_scores: Callable[[NDArray[Any]], NDArray[np.bool_]] = lambda counts: np.ones(counts.shape[:-1], np.bool_)
    lacks_matches: Callable[[NDArray[Any]], NDArray[np.bool_]] | None = None
    takes_first_of_ties: Callable[[Any], bool] = lambda _: False
    factors: Callable[[Any], Sequence[str]] = lambda _: ("all segments",)
    jump: str = "what is missing"
    is_read: bool = False

    def segment_scores(self, counts: NDArray[Any], options: MetricOptions) -> Floats:
        """The scores (...) of counts (..., C) of single segments."""
        return self.scores(counts, self.segment_options(options))

    def draw_scores(self, counts: NDArray[Any], options: MetricOptions) -> Floats:
        """The scores (...) of very many sums of counts (..., C), as tests draw them; the last digits can differ.

        Whole numbers can be in single precision; the scores are of double precision all the same.
        """
        if self.draws is not None:
            return self.draws(counts, options)
        return self.scores(counts.astype(np.float64, copy=False), options)


METRICS: Mapping[type, Metric] = MappingProxyType(
    {
        metric.options: metric
        for metric in (
            Metric(
                BleuOptions,
                bleu_counts.statistics,
                bleu.scores,
                BleuLine.between,
                name=lambda _: "BLEU",
                signature=bleu_counts.signature,
                segment_options=bleu.segment_options,
                draws=bleu.draw_scores,
                lacks_matches=bleu.lacks_matches,
                takes_first_of_ties=lambda options: options.takes_first_of_ties,
                factors=lambda options: [*(f"{n}-grams" for n in range(1, options.max_order + 1)), "brevity penalty"],
                jump="smoothing",
            ),
            Metric(
                chrf.ChrfOptions,
                chrf.statistics,
                chrf.scores,
                ChrfLine.between,
                takes_first_of_ties=lambda _: True,
                factors=lambda options: [
                    *(f"character {n}-grams" for n in range(1, options.char_order + 1)),
                    *(f"word {n}-grams" for n in range(1, options.word_order + 1)),
                ],
            ),
            Metric(
                ter.TerOptions,
                ter.statistics,
                ter.scores,
                lambda sums, _: RatioLine(sums, 100.0, "word in the references"),
                higher_is_better=lambda _: False,
            ),
            Metric(
                segment_scores.SegmentScores,
                segment_scores.statistics,
                segment_scores.scores,
                lambda sums, _: RatioLine(sums, 1.0, "score"),
                signature=lambda options, _: f"mean of the segment scores in {options.file}",
                settings=lambda options: {"file": options.file},
                higher_is_better=lambda options: options.higher_is_better,
                has_scores=segment_scores.has_scores,
                is_read=True,
            ),
        )
    }
)
"""By the type of its options."""


def metric_of(options: MetricOptions) -> Metric:
    """The metric that the options are of."""
    return METRICS[type(options)]
