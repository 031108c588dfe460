"""One call: judgements and metrics in, every statistic of their agreement out."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bleucore.agreement.correlations import (
    FEWEST,
    Correlation,
    coefficient,
    correlation,
    pearson_of_differences,
    pearson_within_segments,
    segment_coefficient,
)
from bleucore.agreement.judged import HumanScores, Mask, ScoredSystems
from bleucore.agreement.judges import ModelJudges
from bleucore.agreement.left_out_blocks import (
    blocks_of,
    p_values_without,
    soft_accuracy_interval,
    tied_accuracy_interval,
)
from bleucore.agreement.metric_comparison import compare_metrics, ranks, williams_test
from bleucore.agreement.outliers import CUTOFF, outliers
from bleucore.agreement.pairwise import (
    SEED,
    TRIALS,
    JudgedPair,
    PairTest,
    mean_counts,
    mean_score,
    pair_tests,
    pairwise_agreement,
    soft_accuracy,
    soft_accuracy_of_means,
)
from bleucore.agreement.tied_accuracy import PERMUTATIONS, TiedAccuracy, chance_level, tied_accuracy
from bleucore.counts import Floats, Ints, Progress, Score
from bleucore.errors import InputError
from bleucore.metrics.human_agreement import AgreementCurve
from bleucore.significance.paired import USUAL_LEVEL
from bleucore.written_numbers import counted

Tests = dict[tuple[int, int], PairTest]
Ends = tuple[float, float]
FEWEST_PAIRED = 2
SHARE_OF_PAIRS, SHARE_OF_PEOPLE = 0.7, 0.2
"""Of the time that a metric takes, that of its tests of pairs; of theirs, that of people's."""
MANY_JUDGED, NO_RELATION = 1_000, 0.05
"""So many judgements that no metric follows are hardly those of these segments; .2 is usual for BLEU."""


@dataclass(frozen=True)
class AgreementOptions:
    """How agreement is measured.

    Attributes:
        judged_segments: Whether a system is scored on the segments that were judged for it; else on all of them, as the
            number is reported.
        trials: Of the tests of pairs.
        permutations: Of the chance level.
        seed: Of both.
        cutoff: How far an outlier is away, in robust standard deviations.
    """

    judged_segments: bool = False
    trials: int = TRIALS
    permutations: int = PERMUTATIONS
    seed: int = SEED
    cutoff: float = CUTOFF


@dataclass(frozen=True, eq=False)
class MetricAgreement:
    """How far one metric agrees with people. ``None`` stands for what is undefined. Equal to itself alone.

    Attributes:
        name: The metric's.
        systems: The judged systems that it has scores of, in the order of people's.
        people: (K,), what people report for these.
        scores: (K,), what the metric reports for them, as it does.
        higher_is_better: Which way it points.
        pearson: Of systems, as the following two, with the metric turned so that higher is better.
        spearman: Of ranks.
        kendall: Tau-b.
        pearson_without_outliers: Without the outliers; the same as ``pearson`` where there are none.
        outliers: Of these systems.
        pairs: Of systems, with tests of each.
        spa: Soft pairwise accuracy of the reported number, 0 to 1.
        spa_interval: 95 % interval of it, by leaving out blocks of segments; ``None`` with too few of them.
        spa_sentence_mean: That of the mean segment score, as mt-metrics-eval has it.
        segment_pearson: Of all segments of all systems together.
        segment_kendall: Tau-b of the same.
        pearson_within_segments: Mean over segments of Pearson's r over systems.
        pearson_of_differences: Of differences of systems within segments.
        tied: The accuracy with calibrated ties.
        tied_interval: 95 % interval of it, as ``spa_interval``.
        tied_chance: What it would be by chance.
        curve: How often people agree with a difference by its size, where that was published.
        notices: What to know beside the numbers, in sentences.
        rank: Among all metrics by ``tied``, from 1; metrics of one rank cannot be told apart.
        williams_p: One-sided p of Williams' test: small where ``pearson`` is above that of the first metric, on the
            systems that both have; ``None`` for the first one.
    """

    name: str
    systems: tuple[str, ...]
    people: Floats
    scores: Floats
    higher_is_better: bool
    pearson: Correlation
    spearman: Correlation
    kendall: Correlation
    pearson_without_outliers: Correlation
    outliers: tuple[str, ...]
    pairs: tuple[JudgedPair, ...]
    spa: float | None
    spa_interval: Ends | None
    spa_sentence_mean: float | None
    segment_pearson: float | None
    segment_kendall: float | None
    pearson_within_segments: float | None
    pearson_of_differences: float | None
    tied: TiedAccuracy | None
    tied_interval: Ends | None
    tied_chance: float | None
    curve: AgreementCurve | None = None
    notices: tuple[str, ...] = ()
    rank: int | None = None
    williams_p: float | None = None

    @property
    def sign(self) -> float:
        """1 where higher is better, else -1: times a score it is one where higher is better."""
        return 1.0 if self.higher_is_better else -1.0

    @property
    def pairs_agree(self) -> int:
        """How many pairs of systems are ordered as people do; a tie agrees with a tie alone."""
        return sum(pair.agrees for pair in self.pairs)


@dataclass(frozen=True, eq=False)
class Agreement:
    """How far metrics agree with people. Equal to itself alone.

    Attributes:
        people: What they said.
        metrics: How far each agrees, in the order given.
        outliers: Systems that people place far from the others; ``None`` where that cannot be said.
        n_judged_segments: In how many segments a system was judged.
        has_one_mask: Whether all systems were judged in the same segments.
        options: How it was measured.
        notices: What to know beside all numbers, in sentences.
        judges: What is known of judges that are models; ``None`` where there are none, or it was not asked for.
    """

    people: HumanScores
    metrics: tuple[MetricAgreement, ...]
    outliers: tuple[str, ...] | None
    n_judged_segments: int
    has_one_mask: bool
    options: AgreementOptions
    notices: tuple[str, ...] = ()
    judges: ModelJudges | None = None


@dataclass
class _PeopleTests:
    """The tests of people's means by the segments that they are of, each made once."""

    options: AgreementOptions
    made: dict[bytes, Tests] = field(default_factory=dict)
    without: dict[bytes, dict[tuple[int, int], Floats]] = field(default_factory=dict)

    def of(self, people: HumanScores, known: Mask, progress: Progress) -> Tests:
        key = np.packbits(known).tobytes()
        if key not in self.made:
            counts = mean_counts(np.where(known, people.judged, np.nan), people.weights)
            self.made[key] = _tests(counts, mean_score, known, people.groups, self.options, progress)
        return self.made[key]

    def without_blocks(self, judged: Floats, known: Mask, blocks: Ints) -> dict[tuple[int, int], Floats]:
        key = np.packbits(known).tobytes()
        if key not in self.without:
            counts = mean_counts(np.where(known, judged, np.nan))
            self.without[key] = p_values_without(counts, mean_score, known, blocks, seed=self.options.seed)
        return self.without[key]


def agreement(
    people: HumanScores,
    metrics: Sequence[ScoredSystems],
    options: AgreementOptions = AgreementOptions(),
    *,
    progress: Progress | None = None,
) -> Agreement:
    """Every statistic of the agreement of metrics with people.

    Correlations and pairs of systems are of what is reported for whole systems. Tests of pairs and soft accuracies are
    of the segments in which both systems of a pair were judged, all else of segments that were judged.

    Args:
        people: K systems of S segments.
        metrics: Of the same systems and segments, with different names.
        options: How to measure.
        progress: Called with the share of the work done, 0 to 1, from time to time.

    Raises:
        InputError: There are fewer than two judged systems, or a metric is of other systems or segments.
    """
    if len(people.systems) < FEWEST_PAIRED:
        beside = f", besides the reference itself, {', '.join(people.left_out)}" if people.left_out else ""
        raise InputError(
            "there is nothing to agree about",
            where=f"Judgements {people.name}",
            found=f"judgements of {', '.join(people.systems) or 'no system'} alone{beside}",
            expected="at least two judged systems",
            remedy="Load judgements of more systems.",
        )
    known = ~np.isnan(people.judged)
    far = outliers(people.scores, options.cutoff)
    named = None if far is None else _chosen(people.systems, far)
    tests, found = _PeopleTests(options), list[MetricAgreement]()
    for metric in metrics:
        _refuse_others(people, metric)
    report = progress or (lambda _: None)
    for number, metric in enumerate(metrics):
        within = partial(_within, report=report, number=number, of=len(metrics))
        found.append(_metric_agreement(people, metric, named or (), tests, within))
        within(1.0)
    places = _ranks(people, metrics, found, options.seed)
    found = [replace(one, rank=places.get(one.name), williams_p=_above(one, found[0])) for one in found]
    has_one_mask = bool((known == known[0]).all())
    return Agreement(
        people,
        tuple(found),
        named,
        int(known.any(axis=0).sum()),
        has_one_mask,
        options,
        (*_notices(people, known, named, has_one_mask=has_one_mask), *_order_notices(known, found)),
    )


def _within(done: float, report: Progress, number: int, of: int) -> None:
    """Report what is done of one metric among all."""
    report((number + done) / of)


def _ranks(
    people: HumanScores, metrics: Sequence[ScoredSystems], found: Sequence[MetricAgreement], seed: int
) -> dict[str, int]:
    """The ranks of metrics by their accuracy with ties; none of one that has none, of one alone, or of few units."""
    scores = {metric.name: metric.sign * metric.segment_scores for metric in metrics}
    accuracies = {one.name: one.tied.value for one in found if one.tied is not None}
    if len(accuracies) < FEWEST_PAIRED or people.why_untested is not None:
        return {}

    def is_better(first: str, second: str) -> bool:
        if (np.isnan(scores[first]) | np.isnan(scores[second]) | np.isnan(people.judged)).all():
            return False
        both = scores[first], scores[second]
        test = compare_metrics(people.judged, both, "tied-accuracy", groups=people.groups, seed=seed)
        return test.p_value < USUAL_LEVEL

    return ranks(sorted(accuracies, key=lambda name: -accuracies[name]), is_better)


def _above(metric: MetricAgreement, first: MetricAgreement) -> float | None:
    """Williams' p of a metric and the first one, on the systems that both have."""
    if metric is first:
        return None
    common = [name for name in metric.systems if name in first.systems]
    ours, theirs = ([one.systems.index(name) for name in common] for one in (metric, first))
    people, own, other = metric.people[ours], metric.sign * metric.scores[ours], first.sign * first.scores[theirs]
    r_own, r_other = (coefficient("pearson", people, scores) for scores in (own, other))
    between = coefficient("pearson", own, other)
    if r_own is None or r_other is None or between is None:
        return None
    return williams_test(r_own, r_other, between, len(common))


def _spa_interval(people: HumanScores, metric: ScoredSystems, spa: float | None, tests: _PeopleTests) -> Ends | None:
    known = ~np.isnan(people.judged) & ~np.isnan(metric.segment_scores)
    blocks = blocks_of(known, people.groups)
    if spa is None or blocks is None or metric.counts is None or metric.score is None:
        return None
    score = partial(_turned, score=metric.score, sign=metric.sign)
    of_metric = p_values_without(metric.counts, score, known, blocks, seed=tests.options.seed)
    return soft_accuracy_interval(spa, tests.without_blocks(people.judged, known, blocks), of_metric)


def _metric_agreement(
    people: HumanScores, metric: ScoredSystems, far: tuple[str, ...], tests: _PeopleTests, progress: Progress
) -> MetricAgreement:
    """Of the systems that the metric has scores of."""
    options = tests.options
    has_score = ~np.isnan(metric.scores)
    people, metric = _of_systems(people, metric, has_score)
    judged = people.judged
    reported = _on_judged_segments(metric, ~np.isnan(judged)) if options.judged_segments else metric.scores
    by_people, by_metric = people.scores, metric.sign * reported
    by_segment = metric.sign * metric.segment_scores
    kept = ~np.isin(people.systems, far)
    pairs = _pairs(people, metric, by_metric, tests, lambda done: progress(SHARE_OF_PAIRS * done))
    spa = _soft_accuracy(pairs)
    return MetricAgreement(
        name=metric.name,
        systems=people.systems,
        people=by_people,
        scores=reported,
        higher_is_better=metric.higher_is_better,
        pearson=correlation("pearson", by_people, by_metric),
        spearman=correlation("spearman", by_people, by_metric),
        kendall=correlation("kendall", by_people, by_metric),
        pearson_without_outliers=correlation("pearson", by_people[kept], by_metric[kept]),
        outliers=_chosen(people.systems, ~kept),
        pairs=pairs,
        spa=spa,
        spa_interval=_spa_interval(people, metric, spa, tests),
        spa_sentence_mean=soft_accuracy_of_means(judged, by_segment),
        segment_pearson=segment_coefficient("pearson", judged, by_segment),
        segment_kendall=segment_coefficient("kendall", judged, by_segment),
        pearson_within_segments=pearson_within_segments(judged, by_segment),
        pearson_of_differences=pearson_of_differences(judged, by_segment),
        tied=tied_accuracy(judged, by_segment),
        tied_interval=tied_accuracy_interval(judged, by_segment, people.groups),
        tied_chance=chance_level(judged, by_segment, permutations=options.permutations, seed=options.seed),
        curve=metric.curve,
        notices=tuple(_metric_notices(metric, people, pairs, n_left_out=int(np.count_nonzero(~has_score)))),
    )


def _pairs(
    people: HumanScores, metric: ScoredSystems, reported: Floats, tests: _PeopleTests, progress: Progress
) -> tuple[JudgedPair, ...]:
    known = ~np.isnan(people.judged) & ~np.isnan(metric.segment_scores)
    of_people = tests.of(people, known, lambda done: progress(SHARE_OF_PEOPLE * done))
    of_metric = dict[tuple[int, int], PairTest]()
    if metric.counts is not None and metric.score is not None:
        score = partial(_turned, score=metric.score, sign=metric.sign)
        counts = metric.counts if people.drawn is None else metric.counts * people.drawn.weights[:, None]
        of_metric = _tests(
            counts,
            score,
            known,
            people.groups,
            tests.options,
            lambda done: progress(SHARE_OF_PEOPLE + (1 - SHARE_OF_PEOPLE) * done),
        )
    agrees, by_people, by_metric = pairwise_agreement(people.scores, reported)
    return tuple(
        JudgedPair(
            people.systems[first],
            people.systems[second],
            float(by_people[place]),
            float(by_metric[place]),
            bool(agrees[place]),
            of_people.get((first, second)),
            of_metric.get((first, second)),
        )
        for place, (first, second) in enumerate(combinations(range(len(people.systems)), 2))
    )


def _tests(  # what tests rest on
    counts: NDArray[Any],
    score: Score,
    known: Mask,
    groups: Ints | None,
    options: AgreementOptions,
    progress: Progress,
) -> Tests:
    return pair_tests(counts, score, known, groups=groups, trials=options.trials, seed=options.seed, progress=progress)


def _turned(sums: NDArray[Any], score: Score, sign: float) -> Floats:
    return sign * score(sums)


def _soft_accuracy(pairs: Sequence[JudgedPair]) -> float | None:
    tested = [(one.people_test, one.metric_test) for one in pairs]
    both = [(people.better_p, metric.better_p) for people, metric in tested if people and metric]
    return soft_accuracy([one for one, _ in both], [other for _, other in both])


def _on_judged_segments(metric: ScoredSystems, judged: Mask) -> Floats:
    """The score of each system on the segments judged for it, (K,)."""
    if metric.counts is None or metric.score is None:
        means: Floats = np.nanmean(np.where(judged, metric.segment_scores, np.nan), axis=1)
        return means
    return metric.score((metric.counts * judged[..., None]).sum(axis=1))


def _of_systems(people: HumanScores, metric: ScoredSystems, chosen: Mask) -> tuple[HumanScores, ScoredSystems]:
    """Both with some of the systems."""
    if chosen.all():
        return people, metric
    systems = _chosen(people.systems, chosen)
    return (
        replace(people, systems=systems, judged=people.judged[chosen], scores=people.scores[chosen]),
        replace(
            metric,
            systems=systems,
            scores=metric.scores[chosen],
            segment_scores=metric.segment_scores[chosen],
            counts=None if metric.counts is None else metric.counts[chosen],
        ),
    )


def _chosen(names: Sequence[str], chosen: Mask) -> tuple[str, ...]:
    return tuple(name for name, is_chosen in zip(names, chosen.tolist(), strict=True) if is_chosen)


def _refuse_others(people: HumanScores, metric: ScoredSystems) -> None:
    if metric.systems != people.systems or metric.segment_scores.shape != people.judged.shape:
        raise InputError(
            "the metric is of other systems or segments than the judgements",
            where=metric.name,
            found=f"{counted(len(metric.systems), 'system')}, {counted(metric.segment_scores.shape[1], 'segment')}",
            expected=f"{counted(len(people.systems), 'system')}, {counted(people.judged.shape[1], 'segment')}",
        )


def _notices(people: HumanScores, known: Mask, far: tuple[str, ...] | None, *, has_one_mask: bool) -> list[str]:
    said = []
    if people.drawn is not None:
        said.append(
            f"Weighted: the judged segments are a sample of all {people.judged.shape[1]:,}. Mean judgements, "
            "differences and tests of pairs use the weights. Results on segments do not."
        )
    if people.why_untested is not None:
        said.append(people.why_untested)
    if len(people.systems) < FEWEST:
        said.append("Only two systems were judged, so there is no correlation.")
    if far is None:
        said.append("Half of the systems have equal judgements, so outliers cannot be found.")
    if not has_one_mask:
        fewest, most = known.sum(axis=1).min(), known.sum(axis=1).max()
        each = f"{fewest:,}" if fewest == most else f"{fewest:,} to {most:,}"
        said.append(f"Raters judged {each} segments per system. Each pair is tested on the segments judged for both.")
    return said


def _order_notices(known: Mask, found: Sequence[MetricAgreement]) -> list[str]:
    """Whether judgements may be those of other segments: no metric, however poor, follows them then."""
    n_judged = int(known.sum())
    known_values = [abs(one.segment_pearson) for one in found if one.segment_pearson is not None]
    if n_judged < MANY_JUDGED or not known_values or max(known_values) > NO_RELATION:
        return []
    return [
        f"No metric agrees with the raters segment by segment (Pearson's r of {n_judged:,} judged outputs "
        f"is {max(known_values):.2f} or less). The judgements may count segments in another order than "
        "the texts, as WMT22's published direct assessment does. Scores of systems, their order and "
        "correlation do not depend on it."
    ]


def _metric_notices(
    metric: ScoredSystems, people: HumanScores, pairs: Sequence[JudgedPair], *, n_left_out: int
) -> list[str]:
    said = []
    if n_left_out:
        said.append(f"{metric.name} has no score of {n_left_out} judged systems, which are left out for it.")
    n_missing = int(np.count_nonzero(np.isnan(metric.segment_scores) & ~np.isnan(people.judged)))
    if n_missing:
        said.append(f"{metric.name} has no score of {n_missing:,} judged segments, which are left out for it.")
    n_apart = sum(pair.people_test is None for pair in pairs)
    if n_apart:
        said.append(
            f"{metric.name}: {n_apart} of {len(pairs)} pairs share no judged segment. They are not tested, "
            "and not in the soft pairwise accuracy."
        )
    if metric.counts is None:
        said.append(
            f"{metric.name}: what is reported for systems is no mean of its segments, so that its differences cannot "
            "be tested, and there is no soft pairwise accuracy of it."
        )
    return said
