"""Every metric, declared once: how texts become counts that add up, how such counts are scored, and what else it can.

A new metric is a module with its options, statistics and scores, and an entry here; that of another package is an entry
point in the group ``bleuscope.metrics``, a ``Metric``.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bleucore.corpus import TestSet
from bleucore.counts import Floats, Progress
from bleucore.errors import InputError
from bleucore.metrics import bleu, bleu_counts, chrf, human_agreement, segment_scores, ter
from bleucore.metrics.attribution_path import Line, RatioLine
from bleucore.metrics.bleu_path import BleuLine
from bleucore.metrics.chrf_path import ChrfLine
from bleucore.metrics.human_agreement import AgreementCurve
from bleucore.options import BleuOptions
from bleucore.plugins import Plugin, Registry, plugins
from bleucore.values import shown

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
        explanation: Of options: what it measures, in a sentence.
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
        paper: Of options: where it was published, by the key of a BibTeX entry.
        offered: The settings of it that are offered to choose, by their usual names.
        advice: What to know before it is chosen, in a sentence.
        rewards: What raises the score, in words that follow the metric's name and "rewards"; empty where nobody knows.
        people: Of options: how often people agree with a difference by its size, where that was published for them.
        is_read: Whether scores are read from a file instead of computed: on any scale, and some may be missing.
    """

    options: type
    statistics: Callable[[TestSet, Any, Progress | None], Sequence[NDArray[Any]]]
    scores: Callable[[NDArray[Any], Any], Floats]
    line: Callable[[NDArray[Any], Any], Line]
    explanation: Callable[[Any], str]
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
    paper: Callable[[Any], str] | None = None
    offered: Mapping[str, MetricOptions] = field(default_factory=dict)
    advice: str = ""
    rewards: str = ""
    people: Callable[[Any], AgreementCurve | None] = lambda _: None
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


def _people_on_bleu(options: BleuOptions) -> AgreementCurve | None:
    """What was fitted to BLEU as sacreBLEU computes it by default, with its tokenizers for Chinese and Japanese."""
    is_usual = options.tokenizer in ("13a", "zh", "ja-mecab") and replace(options, tokenizer="13a") == BleuOptions()
    return human_agreement.BLEU if is_usual else None


def _chrf_explanation(options: chrf.ChrfOptions) -> str:
    words = f" and words up to {options.word_order} in a row" if options.word_order else ""
    return f"0 to 100, higher is better: how well sequences of characters{words} agree with the reference."


def _fault(metric: Metric, known: Iterable[type], names: Iterable[str]) -> str | None:
    """Why a metric of another package cannot be used."""
    if metric.options in known:
        return "there is a metric with these options"
    if metric.is_read or not metric.offered:
        return "it offers no settings to choose"
    for name, options in metric.offered.items():
        if type(options) is not metric.options:
            return f"its settings {shown(name)} are no {metric.options.__name__}"
        if metric.name(options) in names:
            return f"there is a metric of the name {shown(metric.name(options))}"
    return None


def _guarded(metric: Metric, plugin: Plugin) -> Metric:
    """The same, whose statistics are refused where they fail, or do not have a row for each segment."""

    def statistics(test_set: TestSet, options: Any, progress: Progress | None) -> Sequence[NDArray[Any]]:  # noqa: ANN401
        try:
            counts = [np.asarray(one) for one in metric.statistics(test_set, options, progress)]
        except InputError:
            raise
        except Exception as error:
            found = f"{type(error).__name__}: {shown(str(error))}"
            raise InputError("the metric failed", where=_where(plugin), found=found, remedy=_REMEDY) from error
        shapes, n_systems = [one.shape for one in counts], len(test_set.systems)
        if len(counts) != n_systems or not all(len(one) > 1 and one[0] == test_set.n_segments for one in shapes):
            raise InputError(
                "the metric gives no counts of every segment",
                where=_where(plugin),
                found=f"shapes {shapes}",
                expected=f"{n_systems} of ({test_set.n_segments}, C)",
                remedy=_REMEDY,
            )
        return counts

    return replace(metric, statistics=statistics)


_REMEDY = "Ask whoever made the package, and leave the metric out until then."


def _where(plugin: Plugin) -> str:
    said = str(plugin)
    return f"{said[0].upper()}{said[1:]}"


def _of_packages() -> Mapping[type, Metric]:
    """The metrics of other packages, by the types of their options."""
    found: dict[type, Metric] = {}
    taken = {metric.name(options) for metric in _OWN.values() for options in metric.offered.values()} | {"BLEU"}

    def fault(_: str, metric: Metric) -> str | None:
        return _fault(metric, (*_OWN, *found), taken)

    for plugin, metric in plugins("bleuscope.metrics", Metric, fault=fault):
        found[metric.options] = _guarded(metric, plugin)
    return found


_OWN: Mapping[type, Metric] = MappingProxyType(
    {
        metric.options: metric
        for metric in (
            Metric(
                BleuOptions,
                bleu_counts.statistics,
                bleu.scores,
                BleuLine.between,
                lambda _: (
                    "0 to 100, higher is better: overlap of word sequences with the references, "
                    "times a penalty for short output."
                ),
                name=lambda _: "BLEU",
                signature=bleu_counts.signature,
                segment_options=bleu.segment_options,
                draws=bleu.draw_scores,
                lacks_matches=bleu.lacks_matches,
                takes_first_of_ties=lambda options: options.takes_first_of_ties,
                factors=lambda options: [*(f"{n}-grams" for n in range(1, options.max_order + 1)), "brevity penalty"],
                jump="smoothing",
                paper=lambda _: "papineni-etal-2002-bleu",
                rewards="longer matches of whole words",
                people=_people_on_bleu,
            ),
            Metric(
                chrf.ChrfOptions,
                chrf.statistics,
                chrf.scores,
                ChrfLine.between,
                _chrf_explanation,
                draws=chrf.draw_scores,
                takes_first_of_ties=lambda _: True,
                factors=lambda options: [
                    *(f"character {n}-grams" for n in range(1, options.char_order + 1)),
                    *(f"word {n}-grams" for n in range(1, options.word_order + 1)),
                ],
                paper=lambda options: "popovic-2017-chrf" if options.word_order else "popovic-2015-chrf",
                offered={"chrF": chrf.ChrfOptions(), "chrF++": chrf.ChrfOptions(word_order=2)},
                advice="chrF++ compares words too.",
                rewards="parts of words, rare words most of all, and leaving nothing out",
                people=lambda options: human_agreement.CHRF if options == chrf.ChrfOptions() else None,
            ),
            Metric(
                ter.TerOptions,
                ter.statistics,
                ter.scores,
                lambda sums, _: RatioLine(sums, 100.0, "word in the references"),
                lambda _: "Edits (insert, delete, replace, shift) per 100 words of the reference; lower is better.",
                higher_is_better=lambda _: False,
                paper=lambda _: "snover-etal-2006-study",
                offered={"TER": ter.TerOptions()},
                advice="TER counts edits: lower is better.",
                rewards="few edits, a moved phrase being one",
            ),
            Metric(
                segment_scores.SegmentScores,
                segment_scores.statistics,
                segment_scores.scores,
                lambda sums, _: RatioLine(sums, 1.0, "score"),
                lambda options: f"{options.name}: scores that were read from a file.",
                signature=lambda options, _: f"mean of the segment scores in {options.file}",
                settings=lambda options: {"file": options.file},
                higher_is_better=lambda options: options.higher_is_better,
                has_scores=segment_scores.has_scores,
                is_read=True,
            ),
        )
    }
)
METRICS: Registry[type, Metric] = Registry(_OWN, _of_packages)
"""By the type of its options; those of other packages last."""


def _offered(metrics: Iterable[Metric]) -> Mapping[str, MetricOptions]:
    return {metric.name(options): options for metric in metrics for options in metric.offered.values()}


IN_PLACE_OF_BLEU: Registry[str, MetricOptions] = Registry(
    _offered(_OWN.values()), lambda: _offered(METRICS.added.values())
)
"""The metrics that everything can be scored in instead of BLEU, each with its usual settings, by their names."""


def metric_of(options: MetricOptions) -> Metric:
    """The metric that the options are of."""
    return METRICS[type(options)]
