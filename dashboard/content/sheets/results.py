"""Sheets of results: scores, tests of differences, settings that explain a difference, what the checks found."""

from collections.abc import Iterable, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from bleucore import Evaluation, MetricEvaluation, TestSet
from bleucore.bleu import individual_and_cumulative
from bleucore.checks import CHECKS, Finding
from bleucore.explanation import DifferenceExplanation
from bleucore.significance import Comparison, PairComparison
from dashboard.content import explanations, significance_words
from dashboard.content.findings import effect_of
from dashboard.content.sheets.columns import Column, ends_of, numbers_of, sheet_of
from dashboard.content.sheets.sheet import Field, Sheet
from dashboard.content.study import Study
from dashboard.content.tables import arrow
from dashboard.content.unique_names import unique_name

SYSTEM = Field("system", "system", "text")
SIGNIFICANT = Field("significant", "significant", "yes or no", for_machines=True)
FILE = Field("file", "file", "text", for_machines=True)
REMARK = Field("remark", "remark", "text", for_machines=True)
ORDERS = (
    "Individual: the precision of one n-gram order alone, in %. Cumulative: BLEU with all orders up to it, brevity "
    "penalty included."
)
CLUSTERS = (
    "Each system of a cluster is significantly better than all of the clusters below. Ranks: the places that a system "
    "can have, given what is significant."
)
DETECTABLE = (
    "Detectable is the smallest true difference that a test set like this one shows in four of five cases, needed is "
    "how much it would take to show the present one as often; both at the chosen level and without correction."
)
EXPLAINED = (
    "What each setting adds on the way from one score to the other, averaged over all orders in which the settings "
    "can be switched; the parts add up."
)


def scores_sheet(evaluation: Evaluation) -> Sheet:
    """Every system with its scores and what BLEU is made of, best first; no tests."""
    ranked = evaluation.ranked()
    return sheet_of(
        "scores",
        ("Systems, best first.", *_signatures(evaluation)),
        [(SYSTEM, ranked), _bleu(evaluation), *_parts(evaluation), *_further_metrics(evaluation), *_files(evaluation)],
        evaluation_facts(evaluation),
    )


def systems_sheet(study: Study) -> Sheet:
    """Every system with its scores, intervals and the test of its difference from the baseline, best first."""
    return tested_systems_sheet(study.evaluation, study.comparison, study.baseline)


def tested_systems_sheet(evaluation: Evaluation, comparison: Comparison, baseline: str) -> Sheet:
    """``systems_sheet`` of an evaluation and its tests in BLEU."""
    ranked = evaluation.ranked()
    against = comparison.against(baseline)
    clusters = {name: number for number, names in enumerate(comparison.clusters, start=1) for name in names}
    return sheet_of(
        "systems",
        (
            f"Systems, best first; differences and tests against the baseline {baseline}."
            if against
            else "The system with the interval of its score.",
            *_tested(comparison, len(against)),
            *_signatures(evaluation),
        ),
        [
            (SYSTEM, ranked),
            _bleu(evaluation),
            (Field("interval", "95 % interval", "interval"), ends_of([comparison.intervals[name] for name in ranked])),
            *_differences(comparison, [against.get(name) for name in ranked]),
            (Field("cluster", "cluster", "count"), [clusters[name] for name in ranked]),
            *_parts(evaluation),
            *_further_metrics(evaluation),
            *_files(evaluation),
        ],
        evaluation_facts(evaluation) | comparison_facts(comparison) | {"baseline": baseline},
    )


def orders_sheet(evaluation: Evaluation) -> Sheet:
    """Individual precisions and cumulative scores per n-gram order, as mteval prints them."""
    ranked = evaluation.ranked()
    found = [individual_and_cumulative(evaluation.bleu.systems[name].sums, evaluation.options) for name in ranked]
    individual, cumulative = (np.array([pair[place] for pair in found]) for place in (0, 1))
    orders = range(1, evaluation.options.max_order + 1)
    return sheet_of(
        "orders",
        ("Individual precisions and cumulative scores by n-gram order.", ORDERS, *_signatures(evaluation, ("BLEU",))),
        [
            (SYSTEM, ranked),
            *((Field(f"precision_{n}", f"{n}-gram", "precision"), individual[:, n - 1]) for n in orders),
            *((Field(f"bleu_{n}", f"BLEU-{n}", "score", best="highest"), cumulative[:, n - 1]) for n in orders),
        ],
        evaluation_facts(evaluation),
    )


def pairs_sheet(comparison: Comparison, evaluation: Evaluation, metric: MetricEvaluation | None = None) -> Sheet:
    """Every pair of systems, one row each, the better one first.

    Args:
        comparison: The tests.
        evaluation: What was scored.
        metric: What was tested, BLEU unless given.
    """
    metric = metric or evaluation.bleu
    pairs = [comparison.pair(*names) for names in combinations(metric.ranked(), 2)]
    return sheet_of(
        "pairs",
        (
            f"Every pair of systems in {metric.name}: the score of the first minus that of the second.",
            *_tested(comparison, len(pairs)),
            *_signatures(evaluation, (metric.name,)),
        ),
        _pair_columns(comparison, pairs),
        _tested_facts(comparison, evaluation, metric),
    )


def pair_sheet(
    comparison: Comparison, pair: tuple[str, str], evaluation: Evaluation, metric: MetricEvaluation | None = None
) -> Sheet:
    """Systems A and B: the difference B minus A with its test and what the test set is able to show about it."""
    metric = metric or evaluation.bleu
    compared = [comparison.pair(pair[1], pair[0])]
    return sheet_of(
        "pair",
        (
            f"Score of {pair[1]} minus score of {pair[0]} in {metric.name}.",
            *_tested(comparison, len(comparison.pairs)),
            DETECTABLE,
            *_signatures(evaluation, (metric.name,)),
        ),
        [*_pair_columns(comparison, compared), *_power_columns(comparison, compared)],
        _tested_facts(comparison, evaluation, metric),
    )


def clusters_sheet(comparison: Comparison, evaluation: Evaluation, metric: MetricEvaluation | None = None) -> Sheet:
    """The systems in groups as in WMT's tables, with the ranks that each can have."""
    metric = metric or evaluation.bleu
    placed = [(number, name) for number, names in enumerate(comparison.clusters, start=1) for name in names]
    ranks = np.array([comparison.rank_range(name) for _, name in placed]).reshape(-1, 2)
    return sheet_of(
        "clusters",
        (
            f"Clusters in {metric.name}, best first.",
            CLUSTERS,
            *_tested(comparison, len(comparison.pairs)),
            *_signatures(evaluation, (metric.name,)),
        ),
        [
            (Field("cluster", "cluster", "count"), [number for number, _ in placed]),
            (Field("rank_from", "rank, from", "count"), ranks[:, 0]),
            (Field("rank_to", "to", "count"), ranks[:, 1]),
            (SYSTEM, [name for _, name in placed]),
            (Field("score", f"{metric.name} {arrow(metric)}", "metric score"), _scores(metric, placed)),
        ],
        _tested_facts(comparison, evaluation, metric),
    )


def power_sheet(
    comparison: Comparison, evaluation: Evaluation, baseline: str, metric: MetricEvaluation | None = None
) -> Sheet:
    """What the test set is able to show about every system against the baseline."""
    metric = metric or evaluation.bleu
    compared = [comparison.pair(name, baseline) for name in metric.ranked() if name != baseline]
    few = significance_words.FEWEST_NEEDED
    return sheet_of(
        "power",
        (
            f"What this test set is able to detect in {metric.name}, every system against {baseline}.",
            DETECTABLE,
            f"A number needed below {few} says only that few would do.",
            *_tested(comparison, len(comparison.pairs)),
            *_signatures(evaluation, (metric.name,)),
        ),
        [*_pair_columns(comparison, compared), *_power_columns(comparison, compared)],
        _tested_facts(comparison, evaluation, metric) | {"baseline": baseline},
    )


def selection_sheet(comparison: Comparison, baseline: str, evaluation: Evaluation | None = None) -> Sheet:
    """Every system on a selection of segments, with the test of its difference from the baseline, best first.

    Args:
        comparison: Of these segments, in BLEU.
        baseline: The system that the others are measured against.
        evaluation: Of the whole test set; without it, signature and digest are not told.
    """
    against = comparison.against(baseline)
    scores = dict(zip(comparison.names, comparison.drawn.scores.tolist(), strict=True))
    ranked = sorted(scores, key=lambda name: -scores[name])
    return sheet_of(
        "selection",
        (
            f"Systems on the segments found, best first; differences and tests against the baseline {baseline}.",
            *_tested(comparison, len(against)),
            *(() if evaluation is None else _signatures(evaluation, ("BLEU",))),
        ),
        [
            (SYSTEM, ranked),
            (Field("bleu", "BLEU ↑", "score", best="highest"), [scores[name] for name in ranked]),
            (Field("interval", "95 % interval", "interval"), ends_of([comparison.intervals[name] for name in ranked])),
            *_differences(comparison, [against.get(name) for name in ranked]),
        ],
        (evaluation_facts(evaluation) if evaluation is not None else {})
        | comparison_facts(comparison)
        | {"baseline": baseline},
    )


def explanation_sheet(explanation: DifferenceExplanation, other: str) -> Sheet:
    """Each system's score under the settings here and under those of another tool, and what each setting adds."""
    systems = explanation.systems.values()
    parts = np.array([system.parts for system in systems]).reshape(len(systems), len(explanation.settings))
    taken = {"system", "here", "there", "difference"}
    changes = "; ".join(
        f"{explanations.setting_name(one)}: {explanations.change_words(one)}" for one in explanation.settings
    )
    settings: list[Column] = [
        (
            Field(unique_name("_".join(one.options), taken), explanations.setting_name(one), "difference"),
            parts[:, place],
        )
        for place, one in enumerate(explanation.settings)
    ]
    return sheet_of(
        "explanation",
        (f"From the scores here to those of {other}, setting by setting.", EXPLAINED, f"{changes}." if changes else ""),
        [
            (SYSTEM, list(explanation.systems)),
            (Field("here", "here", "score"), [system.first for system in systems]),
            *settings,
            (Field("there", other, "score"), [system.second for system in systems]),
            (Field("difference", "Δ", "difference"), [system.difference for system in systems]),
        ],
        {"other": other},
    )


def findings_sheet(findings: Sequence[Finding], test_set: TestSet, evaluation: Evaluation | None = None) -> Sheet:
    """What the checks found, gravest first.

    Args:
        findings: Of the checks.
        test_set: Whose texts were checked.
        evaluation: Tells what leaving out the flagged segments does to a system's BLEU.
    """
    effects = [None if evaluation is None else effect_of(evaluation.bleu, finding) for finding in findings]
    columns: list[Column] = [
        (Field("severity", "severity", "text"), [finding.severity for finding in findings]),
        (Field("check", "check", "text"), [finding.check for finding in findings]),
        (Field("subject", "about", "text"), [finding.subject for finding in findings]),
        (Field("message", "found", "text"), [finding.message for finding in findings]),
        (Field("remedy", "what to do", "text"), [finding.remedy for finding in findings]),
        (Field("n_segments", "segments", "count"), [len(finding.segments) for finding in findings]),
        (
            Field("segments", "which", "text", for_machines=True),
            [_runs(finding.segments + 1) for finding in findings],
        ),
    ]
    if evaluation is not None:
        columns += [
            (Field("bleu", "BLEU", "score"), numbers_of(effects, lambda effect: effect.score)),
            (Field("bleu_without", "BLEU without them", "score"), numbers_of(effects, lambda one: one.score_without)),
        ]
    return sheet_of(
        "checks",
        (f"What {len(CHECKS)} checks of the texts found, gravest first. Segments are counted from 1.",),
        columns,
        {"digest": test_set.digest, "n_checks": len(CHECKS)},
    )


def texts_sheet(test_set: TestSet) -> Sheet:
    """Every text of the test set, one segment a row."""
    taken = {"segment", "document", "source"}
    columns: list[Column] = [(Field("segment", "segment", "count"), np.arange(1, test_set.n_segments + 1))]
    columns += [(Field("document", "document", "text"), test_set.documents)] if test_set.documents is not None else []
    columns += [(Field("source", "source", "text"), test_set.source)] if test_set.source is not None else []
    names = test_set.reference_names or [f"reference {number}" for number in range(1, len(test_set.references) + 1)]
    columns += [
        (Field(unique_name(name, taken), name, "text"), texts)
        for name, texts in zip(names, test_set.references, strict=True)
    ]
    columns += [
        (Field(unique_name(system.name, taken), system.name, "text"), system.hypotheses) for system in test_set.systems
    ]
    return sheet_of("texts", ("The texts, one segment a row.",), columns, {"digest": test_set.digest})


def _files(evaluation: Evaluation) -> list[Column]:
    """What the systems were read from, where that is known of any."""
    files = [evaluation.systems[name].file for name in evaluation.ranked()]
    return [(FILE, files)] if any(file is not None for file in files) else []


def evaluation_facts(evaluation: Evaluation) -> dict[str, str | int | float]:
    """What holds for all scores: the digest of the texts, their number, and the signature of each metric."""
    bleu, *others = evaluation.metrics.values()
    return {
        "digest": evaluation.digest,
        "n_segments": evaluation.n_segments,
        "signature": bleu.signature,
        **{f"signature of {metric.name}": metric.signature for metric in others},
    }


def comparison_facts(comparison: Comparison) -> dict[str, str | int | float]:
    """How differences were tested."""
    options = comparison.options
    return {
        "test": options.test,
        "test_signature": options.signature(),
        "level": options.level,
        "seed": options.seed,
        "n_segments": comparison.n_segments,
        **({} if comparison.n_documents is None else {"n_documents": comparison.n_documents}),
    }


def _tested_facts(
    comparison: Comparison, evaluation: Evaluation, metric: MetricEvaluation
) -> dict[str, str | int | float]:
    facts = evaluation_facts(evaluation) | comparison_facts(comparison)
    return facts | {"metric": metric.name, "signature": metric.signature}


def _tested(comparison: Comparison, n_comparisons: int) -> list[str]:
    """Test, trials, units, correction, level and seed; what casts doubt on it; the signature of the test."""
    if n_comparisons == 0:
        return [f"Test signature: {comparison.options.signature()}."]
    return [
        f"{significance_words.method_words(comparison, n_comparisons)}.",
        *significance_words.warnings(comparison, n_comparisons),
        f"Test signature: {comparison.options.signature()}.",
    ]


def _signatures(evaluation: Evaluation, names: Iterable[str] | None = None) -> list[str]:
    """The signature of each metric, and what has to be known beside it."""
    chosen = [evaluation.metrics[name] for name in names or evaluation.metrics]
    remarks = [remark for metric in chosen for remark in metric.remarks]
    if len(chosen) == 1:
        return [f"Signature: {chosen[0].signature}.", *remarks]
    return ["Signatures: " + "; ".join(f"{metric.name}|{metric.signature}" for metric in chosen) + ".", *remarks]


def _bleu(evaluation: Evaluation) -> Column:
    scores = [evaluation.systems[name].score.score for name in evaluation.ranked()]
    return Field("bleu", "BLEU ↑", "score", best="highest"), scores


def _parts(evaluation: Evaluation) -> list[Column]:
    """What BLEU is made of."""
    scores = [evaluation.systems[name].score for name in evaluation.ranked()]
    precisions = np.array([score.precisions for score in scores])
    return [
        *(
            (Field(f"precision_{n + 1}", f"p{n + 1}", "precision"), precisions[:, n])
            for n in range(evaluation.options.max_order)
        ),
        (Field("brevity_penalty", "BP", "ratio"), [score.brevity_penalty for score in scores]),
        (Field("hypothesis_length", "hyp. length", "count"), [score.hypothesis_length for score in scores]),
        (Field("reference_length", "ref. length", "count"), [score.reference_length for score in scores]),
        (Field("length_ratio", "ratio", "ratio"), [score.length_ratio for score in scores]),
    ]


def _further_metrics(evaluation: Evaluation) -> list[Column]:
    """The scores of all metrics but BLEU, under their own names: those of files are the users' own."""
    others = evaluation.further_metrics
    taken = {SYSTEM.key, FILE.key, "bleu", "interval_low", "interval_high", SIGNIFICANT.key, REMARK.key, "cluster"}
    taken |= {one.key for one, _ in _parts(evaluation)} | {"p_value", "corrected_p_value", "difference"}
    return [
        (
            Field(
                unique_name(metric.name, taken),
                f"{metric.name} {arrow(metric)}",
                "metric score",
                best="highest" if metric.higher_is_better else "lowest",
            ),
            [metric.known_score(name) for name in evaluation.ranked()],
        )
        for metric in others
    ]


def _scores(metric: MetricEvaluation, placed: Iterable[tuple[int, str]]) -> list[float]:
    return [metric.known_score(name) for _, name in placed]


def _pair_columns(comparison: Comparison, pairs: Sequence[PairComparison]) -> list[Column]:
    return [
        (SYSTEM, [one.name for one in pairs]),
        (Field("other", "compared with", "text"), [one.other for one in pairs]),
        *_differences(comparison, pairs),
    ]


def _differences(comparison: Comparison, pairs: Sequence[PairComparison | None]) -> list[Column]:
    """Differences with their intervals and tests; of the baseline itself there are none."""
    significant = [None if one is None else comparison.is_significant(one) for one in pairs]
    return [
        (Field("difference", "Δ", "difference"), numbers_of(pairs, lambda one: one.difference)),
        (
            Field("difference_interval", "95 % interval of Δ", "interval", ends="difference"),
            ends_of([None if one is None else one.interval for one in pairs]),
        ),
        (
            Field("p_value", "p (not corrected)", "p", for_machines=True),
            numbers_of(pairs, lambda one: one.p_value),
        ),
        (
            Field("corrected_p_value", "p", "p", marked_by=SIGNIFICANT.key),
            numbers_of(pairs, lambda one: one.corrected_p_value),
        ),
        (SIGNIFICANT, np.array(significant, object)),
        (REMARK, [None if one is None else one.remark for one in pairs]),
    ]


def _power_columns(comparison: Comparison, pairs: Sequence[PairComparison]) -> list[Column]:
    return [
        (Field("smallest_detectable", "detectable", "score"), numbers_of(pairs, lambda one: one.smallest_detectable)),
        (
            Field("n_needed", f"{comparison.options.unit}s needed", "count"),
            numbers_of(pairs, lambda one: one.n_needed),
        ),
    ]


def _runs(segments: NDArray[np.int64]) -> str:
    """Rising numbers in short: ``3, 17 to 20``."""
    if not len(segments):
        return ""
    runs = np.split(segments, np.flatnonzero(np.diff(segments) != 1) + 1)
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs)
