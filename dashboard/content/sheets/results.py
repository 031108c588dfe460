"""Sheets of results: scores, tests of differences, settings that explain a difference, what the checks found."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import accumulate, combinations, pairwise

import numpy as np
from numpy.typing import NDArray

from bleucore import Evaluation, MetricEvaluation, TestSet
from bleucore.bleu import individual_and_cumulative
from bleucore.checks import CHECKS, Finding
from bleucore.explanation import DifferenceExplanation
from bleucore.significance import Comparison, PairComparison
from dashboard.content import explanations, significance_words
from dashboard.content.findings import effect_of
from dashboard.content.scale import arrow
from dashboard.content.sheets.columns import (
    BREVITY_PENALTY,
    HYPOTHESIS_LENGTH,
    REFERENCE_LENGTH,
    SYSTEM,
    Column,
    ends_of,
    numbers_of,
    score_column,
    sheet_of,
)
from dashboard.content.sheets.sheet import Field, Note, Sheet
from dashboard.content.study import TestedStudy
from dashboard.content.terms import term
from dashboard.content.unique_names import unique_name

SIGNIFICANT = Field("significant", "significant", "yes or no", for_machines=True)
BLEU = Field("bleu", "BLEU ↑", "score", best="highest", explanation=term("BLEU"))
INTERVAL = Field("interval", "95 % interval", "interval", explanation=term("score interval"))
CLUSTER = Field("cluster", "cluster", "count", explanation=term("cluster"))
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


def systems_sheet(study: TestedStudy) -> Sheet:
    """Every system with its scores, intervals and the test of its difference from the baseline, best first."""
    return tested_systems_sheet(study.evaluation, study.comparison, study.baseline)


def tested_systems_sheet(evaluation: Evaluation, comparison: Comparison | None, baseline: str) -> Sheet:
    """``systems_sheet`` of an evaluation and its tests in BLEU; before these, pages keep the places of theirs."""
    if comparison is None:
        sentences, tests, facts = ["Systems, best first."], _waiting(evaluation, baseline), {}
    else:
        n_compared = len(evaluation.names) - 1
        lead = f"Systems, best first; differences and tests against the baseline {baseline}."
        sentences = [lead if n_compared else "The system with the interval of its score."]
        sentences += _tested(comparison, n_compared)
        tests, facts = _tests_of_systems(evaluation, comparison, baseline), comparison_facts(comparison)
    return sheet_of(
        "systems",
        (*sentences, *_signatures(evaluation)),
        [
            (SYSTEM, evaluation.ranked()),
            _bleu(evaluation),
            *tests,
            *_parts(evaluation),
            *_further_metrics(evaluation),
            *_files(evaluation),
        ],
        evaluation_facts(evaluation) | facts | {"baseline": baseline},
        title="Systems, best first",
        emphasised=(0,),
    )


def _tests_of_systems(evaluation: Evaluation, comparison: Comparison, baseline: str) -> list[Column]:
    """Interval, test of the difference from the baseline, and cluster of each system."""
    ranked, against = evaluation.ranked(), comparison.against(baseline)
    clusters = {name: number for number, names in enumerate(comparison.clusters, start=1) for name in names}
    difference, interval, *tests = _differences(comparison, [against.get(name) for name in ranked], "p of Δ")
    return [
        (INTERVAL, ends_of([comparison.intervals[name] for name in ranked])),
        difference,
        (replace(interval[0], off_pages=True), interval[1]),
        *tests,
        (CLUSTER, [clusters[name] for name in ranked]),
    ]


def _waiting(evaluation: Evaluation, baseline: str) -> list[Column]:
    """The same before the tests: differences alone."""
    ranked, base = evaluation.ranked(), evaluation.systems[baseline].score.score
    nothing, notes = np.full(len(ranked), np.nan), dict.fromkeys(range(len(ranked)), Note("…"))
    delta = [None if name == baseline else evaluation.systems[name].score.score - base for name in ranked]
    return [
        (replace(INTERVAL, notes=notes), np.column_stack([nothing, nothing])),
        (_difference([name == baseline for name in ranked]), np.array(delta, np.float64)),
        (replace(_p_value("p of Δ"), marked_by=None, notes=notes), nothing),
        (replace(CLUSTER, notes=notes), nothing),
    ]


def orders_sheet(evaluation: Evaluation) -> Sheet:
    """Individual precisions and cumulative scores per n-gram order, as mteval prints them."""
    ranked = evaluation.ranked()
    found = [individual_and_cumulative(evaluation.bleu.systems[name].sums, evaluation.options) for name in ranked]
    individual, cumulative = (np.array([pair[place] for pair in found]) for place in (0, 1))
    return sheet_of(
        "orders",
        ("Individual precisions and cumulative scores by n-gram order.", ORDERS, *_signatures(evaluation, ("BLEU",))),
        [
            (SYSTEM, ranked),
            *(
                (Field(f"precision_{n}", f"{n}-gram", "precision", explanation=term("individual")), precisions)
                for n, precisions in enumerate(individual.T, start=1)
            ),
            *(
                (Field(f"bleu_{n}", f"BLEU-{n}", "score", best="highest", explanation=term("cumulative")), scores)
                for n, scores in enumerate(cumulative.T, start=1)
            ),
        ],
        evaluation_facts(evaluation),
        title="Individual precisions and cumulative scores by n-gram order",
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
    return _sheet_of_pairs(comparison, evaluation, metric, pairs)


def neighbours_sheet(comparison: Comparison, evaluation: Evaluation, metric: MetricEvaluation | None = None) -> Sheet:
    """Of ``pairs_sheet`` each system and the next one in rank: what can be read of very many pairs."""
    metric = metric or evaluation.bleu
    pairs = [comparison.pair(*names) for names in pairwise(metric.ranked())]
    return _sheet_of_pairs(
        comparison, evaluation, metric, pairs, other="next in rank", title="Neighbours in rank, best first"
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
    ranks = [comparison.rank_range(name) for _, name in placed]
    starts = [0, *accumulate(len(names) for names in comparison.clusters[:-1])]
    repeated = dict.fromkeys(set(range(len(placed))) - set(starts), Note(""))
    score = Field("score", f"{metric.name} {arrow(metric)}", "metric score", on_pages="score")
    return sheet_of(
        "clusters",
        (
            f"Clusters in {metric.name}, best first.",
            CLUSTERS,
            *_tested(comparison, len(comparison.pairs)),
            *_signatures(evaluation, (metric.name,)),
        ),
        [
            (replace(CLUSTER, notes=repeated), [number for number, _ in placed]),
            (
                Field(
                    "rank_from",
                    "rank, from",
                    "count",
                    on_pages="ranks",
                    explanation=term("ranks"),
                    notes={row: Note(f"{low}–{high}") for row, (low, high) in enumerate(ranks) if low != high},
                ),
                [low for low, _ in ranks],
            ),
            (Field("rank_to", "to", "count", off_pages=True), [high for _, high in ranks]),
            (SYSTEM, [name for _, name in placed]),
            (score, _scores(metric, placed)),
        ],
        _tested_facts(comparison, evaluation, metric),
        title="Clusters, best first",
        parted=tuple(starts[1:]),
    )


def power_sheet(
    comparison: Comparison,
    evaluation: Evaluation,
    baseline: str,
    metric: MetricEvaluation | None = None,
    *,
    among_all: bool = True,
) -> Sheet:
    """What the test set is able to show about every system against the baseline.

    Args:
        comparison: The tests.
        evaluation: What was scored.
        baseline: The system that the others are measured against.
        metric: What was tested, BLEU unless given.
        among_all: Whether p is corrected for all pairs; else for those with the baseline alone.
    """
    metric = metric or evaluation.bleu
    others = [name for name in metric.ranked() if name != baseline]
    against = {} if among_all else comparison.against(baseline)
    compared = [comparison.pair(name, baseline) if among_all else against[name] for name in others]
    return sheet_of(
        "power",
        (
            f"What this test set is able to detect in {metric.name}, every system against {baseline}.",
            DETECTABLE,
            f"A number needed below {significance_words.FEWEST_NEEDED} says only that few would do.",
            *_tested(comparison, len(comparison.pairs) if among_all else len(compared)),
            *_signatures(evaluation, (metric.name,)),
        ),
        [*_pair_columns(comparison, compared), *_power_columns(comparison, compared)],
        _tested_facts(comparison, evaluation, metric) | {"baseline": baseline},
        title="What this test set is able to detect",
    )


def selection_sheet(
    comparison: Comparison,
    baseline: str,
    evaluation: Evaluation | None = None,
    metric: MetricEvaluation | None = None,
) -> Sheet:
    """Every system on a selection of segments, with the test of its difference from the baseline, best first.

    Args:
        comparison: Of these segments.
        baseline: The system that the others are measured against.
        evaluation: Of the whole test set; without it, signature and digest are not told.
        metric: What was tested, BLEU unless given.
    """
    against, score = comparison.against(baseline), BLEU
    if metric is not None and metric.name != "BLEU":
        key, kind = score_column(metric)
        score = Field(
            key, f"{metric.name} {arrow(metric)}", kind, best="highest" if metric.higher_is_better else "lowest"
        )
    scores = dict(zip(comparison.names, comparison.drawn.scores.tolist(), strict=True))
    sign = -1 if comparison.higher_is_better else 1
    ranked = sorted(scores, key=lambda name: sign * scores[name])
    return sheet_of(
        "selection",
        (
            f"Systems on the segments found, best first; differences and tests against the baseline {baseline}.",
            *_tested(comparison, len(against)),
            *(() if evaluation is None else _signatures(evaluation, (metric.name if metric else "BLEU",))),
        ),
        [
            (SYSTEM, ranked),
            (score, [scores[name] for name in ranked]),
            (INTERVAL, ends_of([comparison.intervals[name] for name in ranked])),
            *_differences(comparison, [against.get(name) for name in ranked], "p of Δ"),
        ],
        (evaluation_facts(evaluation) if evaluation is not None else {})
        | comparison_facts(comparison)
        | {"baseline": baseline},
        title="Systems on the segments found, best first",
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
            Field(
                unique_name("_".join(one.options), taken),
                explanations.setting_name(one),
                "difference",
                explanation=explanations.change_words(one),
            ),
            parts[:, place],
        )
        for place, one in enumerate(explanation.settings)
    ]
    return sheet_of(
        "explanation",
        (f"From the scores here to those of {other}, setting by setting.", EXPLAINED, f"{changes}." if changes else ""),
        [
            (replace(SYSTEM, explanation=None), list(explanation.systems)),
            (
                Field("here", "here", "score", explanation="BLEU under the settings of the sidebar."),
                [system.first for system in systems],
            ),
            *settings,
            (
                Field("there", other, "score", explanation=f"BLEU under the settings of {other}."),
                [system.second for system in systems],
            ),
            (Field("difference", "Δ", "difference", off_pages=True), [system.difference for system in systems]),
        ],
        {"other": other},
        title=f"From the scores here to those of {other}, setting by setting",
    )


def findings_sheet(findings: Sequence[Finding], test_set: TestSet, evaluation: Evaluation | None = None) -> Sheet:
    """What the checks found, gravest first.

    Args:
        findings: Of the checks.
        test_set: Whose texts were checked.
        evaluation: Tells what leaving out the flagged segments does to a system's scores.
    """
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
    taken = {column.key for column, _ in columns}
    for metric in () if evaluation is None else evaluation.metrics.values():
        effects = [effect_of(metric, finding) for finding in findings]
        key, kind = score_column(metric)
        key = unique_name(metric.name if kind == "metric score" else key, taken)
        columns += [
            (Field(key, metric.name, kind), numbers_of(effects, lambda effect: effect.score)),
            (
                Field(unique_name(f"{key}_without", taken), f"{metric.name} without them", kind),
                numbers_of(effects, lambda effect: effect.score_without),
            ),
        ]
    return sheet_of(
        "checks",
        (f"What {len(CHECKS)} checks of the texts found, gravest first. Segments are counted from 1.",),
        columns,
        {"digest": test_set.digest, "n_checks": len(CHECKS)},
    )


def texts_sheet(test_set: TestSet, n_rows: int | None = None) -> Sheet:
    """Every text of the test set, or those of the first segments, one segment a row."""
    taken = {"segment", "document", "source"}
    rows = slice(n_rows)
    columns: list[Column] = [
        (Field("segment", "segment", "count", on_pages="#"), np.arange(1, test_set.n_segments + 1)[rows])
    ]
    if test_set.documents is not None:
        columns.append((Field("document", "document", "text"), test_set.documents[rows]))
    if test_set.source is not None:
        columns.append((Field("source", "source", "text", is_prose=True), test_set.source[rows]))
    names = test_set.reference_names or [f"reference {number}" for number in range(1, len(test_set.references) + 1)]
    columns += [
        (Field(unique_name(name, taken), name, "text", is_prose=True), texts[rows])
        for name, texts in zip(names, test_set.references, strict=True)
    ]
    columns += [
        (Field(unique_name(system.name, taken), system.name, "text", is_prose=True), system.hypotheses[rows])
        for system in test_set.systems
    ]
    title = "The texts" if n_rows is None else "The first segments"
    facts = {"digest": test_set.digest}
    return sheet_of("texts", ("The texts, one segment a row.",), columns, facts, title=title)


def _files(evaluation: Evaluation) -> list[Column]:
    """What the systems were read from, where that is known of any."""
    files = [evaluation.files[name] for name in evaluation.ranked()]
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
    return BLEU, scores


def _parts(evaluation: Evaluation) -> list[Column]:
    """What BLEU is made of."""
    scores = [evaluation.systems[name].score for name in evaluation.ranked()]
    precisions = np.array([score.precisions for score in scores])
    return [
        *(
            (Field(f"precision_{n}", f"p{n}", "precision", explanation=term(str(n))), of_order)
            for n, of_order in enumerate(precisions.T, start=1)
        ),
        (BREVITY_PENALTY, [score.brevity_penalty for score in scores]),
        (HYPOTHESIS_LENGTH, [score.hypothesis_length for score in scores]),
        (REFERENCE_LENGTH, [score.reference_length for score in scores]),
        (Field("length_ratio", "ratio", "ratio", explanation=term("ratio")), [score.length_ratio for score in scores]),
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
                explanation=metric.metric.explanation(metric.options),
            ),
            [metric.known_score(name) for name in evaluation.ranked()],
        )
        for metric in others
    ]


def _scores(metric: MetricEvaluation, placed: Iterable[tuple[int, str]]) -> list[float]:
    return [metric.known_score(name) for _, name in placed]


def _sheet_of_pairs(  # what the two have in common
    comparison: Comparison,
    evaluation: Evaluation,
    metric: MetricEvaluation,
    pairs: Sequence[PairComparison],
    *,
    other: str = "compared with",
    title: str = "Every pair: score of the row minus score of the column",
) -> Sheet:
    return sheet_of(
        "pairs",
        (
            f"Every pair of systems in {metric.name}: the score of the first minus that of the second.",
            *_tested(comparison, len(comparison.pairs)),
            *_signatures(evaluation, (metric.name,)),
        ),
        _pair_columns(comparison, pairs, other),
        _tested_facts(comparison, evaluation, metric),
        title=title,
    )


def _pair_columns(
    comparison: Comparison, pairs: Sequence[PairComparison], other: str = "compared with"
) -> list[Column]:
    difference, interval, *tests = _differences(comparison, pairs, "p corrected")
    return [
        (SYSTEM, [one.name for one in pairs]),
        (Field("other", "compared with", "text", on_pages=other, names_system=True), [one.other for one in pairs]),
        (replace(difference[0], on_pages="difference", explanation=term("Δ of two")), difference[1]),
        (replace(interval[0], on_pages="95 % interval"), interval[1]),
        *tests,
    ]


def _differences(comparison: Comparison, pairs: Sequence[PairComparison | None], p_term: str) -> list[Column]:
    """Differences with their intervals and tests; of the baseline itself there are none."""
    significant = [None if one is None else comparison.is_significant(one) for one in pairs]
    untested = {
        row: Note("no test", one.remark or "")
        for row, one in enumerate(pairs)
        if one is not None and one.corrected_p_value is None
    }
    return [
        (_difference([one is None for one in pairs]), numbers_of(pairs, lambda one: one.difference)),
        (
            Field(
                "difference_interval",
                "95 % interval of Δ",
                "interval",
                ends="difference",
                explanation=term("interval of Δ"),
            ),
            ends_of([None if one is None else one.interval for one in pairs]),
        ),
        (
            Field("p_value", "p (not corrected)", "p", for_machines=True),
            numbers_of(pairs, lambda one: one.p_value),
        ),
        (replace(_p_value(p_term), notes=untested), numbers_of(pairs, lambda one: one.corrected_p_value)),
        (SIGNIFICANT, np.array(significant, object)),
        (REMARK, [None if one is None else one.remark for one in pairs]),
    ]


def _difference(are_baseline: Sequence[bool]) -> Field:
    """Differences from the baseline, which says so in its own row."""
    notes = {row: Note("baseline") for row, is_baseline in enumerate(are_baseline) if is_baseline}
    return Field("difference", "Δ", "difference", explanation=term("Δ"), notes=notes)


def _p_value(of: str) -> Field:
    return Field("corrected_p_value", "p", "p", marked_by=SIGNIFICANT.key, explanation=term(of))


def _power_columns(comparison: Comparison, pairs: Sequence[PairComparison]) -> list[Column]:
    unit, few = comparison.options.unit, significance_words.FEWEST_NEEDED
    notes = {row: Note(f"< {few}") for row, one in enumerate(pairs) if one.n_needed is not None and one.n_needed < few}
    return [
        (
            Field("smallest_detectable", "detectable", "score", explanation=term("detectable")),
            numbers_of(pairs, lambda one: one.smallest_detectable),
        ),
        (
            Field("n_needed", f"{unit}s needed", "count", explanation=term("needed"), notes=notes),
            numbers_of(pairs, lambda one: one.n_needed),
        ),
    ]


def _runs(segments: NDArray[np.int64]) -> str:
    """Rising numbers in short: ``3, 17 to 20``."""
    if not len(segments):
        return ""
    runs = np.split(segments, np.flatnonzero(np.diff(segments) != 1) + 1)
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs)
