"""Scores of systems as sheets."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal, cast

import numpy as np

from bleucore import BleuOptions, Evaluation, MetricEvaluation
from bleucore.agreement.people_range import people_range
from bleucore.analysis.explanation import DifferenceExplanation
from bleucore.metrics.bleu import individual_and_cumulative
from bleucore.significance import Comparison, Verdict
from bleuscope.content.comparison.comparison_context import NO_OTHERS, ComparisonContext, TestedStudy
from bleuscope.content.scores import explanations
from bleuscope.content.sheets.builders import (
    BLEU,
    BREVITY_PENALTY,
    HYPOTHESIS_LENGTH,
    REFERENCE_LENGTH,
    REMARK,
    SYSTEM,
    FilledField,
    ends_of,
    evaluation_facts,
    sheet_of,
    signatures,
)
from bleuscope.content.sheets.sheet import Field, Kind, Note, Sheet
from bleuscope.content.significance.significance_sheets import (
    CLUSTER,
    INTERVAL,
    RANK_KEYS,
    SIGNIFICANT,
    comparison_facts,
    difference_columns,
    difference_field,
    measured_facts,
    named,
    p_value_field,
    people_column,
    rank_columns,
    test_sentences,
)
from bleuscope.content.significance.study_verdict import bleu_verdict, study_verdict
from bleuscope.content.significance.verdict_words import verdict_facts
from bleuscope.content.style.scale import SCORE_DECIMALS, ScoreScale, arrow
from bleuscope.content.style.terms import term
from bleuscope.content.style.unique_names import unique_name

FILE = Field("file", "file", "text", for_machines=True)


ORDERS = (
    "Individual: precision of one n-gram order, in %. Cumulative: BLEU with all orders up to "
    "this one, including the brevity penalty. The last one is the corpus score. NIST's mteval "
    "prints the same."
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
        ("Systems, best first.", *signatures(evaluation)),
        [
            (SYSTEM, ranked),
            _score_column(evaluation.bleu, ranked, BLEU.key),
            *_parts(evaluation, ranked),
            *_further_metrics(evaluation),
            *_files(evaluation, ranked),
        ],
        evaluation_facts(evaluation),
    )


def systems_sheet(study: ComparisonContext) -> Sheet:
    """Every system with its scores, intervals and the test of its difference from one of them, best first."""
    if not isinstance(study, TestedStudy):
        return tested_systems_sheet(study.evaluation, None, study.measured_against, others=NO_OTHERS)
    made = tested_systems_sheet(study.evaluation, study.comparison, study.measured_against, others=study.others)
    return replace(made, facts={**made.facts, **_verdict(bleu_verdict(study))})


def systems_in_metric_sheet(study: TestedStudy) -> Sheet:
    """``systems_sheet`` led by the metric of A and B: its order, intervals and tests, then the others."""
    evaluation, metric, comparison = study.evaluation, study.metric, study.comparison_in_metric
    if comparison is study.comparison:
        return systems_sheet(study)
    ranked = metric.ranked()
    against, taken = study.baseline or ranked[0], _taken(evaluation)
    others = [one for one in evaluation.metrics.values() if one is not metric]
    tests = {**study.others, evaluation.bleu.name: study.comparison}
    columns: list[FilledField] = [
        (SYSTEM, ranked),
        _score_column(metric, ranked, unique_name(metric.name, taken)),
        *_tests_of_systems(evaluation, metric, comparison, against),
        *(column for one in others for column in _in_metric(one, ranked, tests.get(one.name), against, taken)),
        *_parts(evaluation, ranked),
        *_files(evaluation, ranked),
    ]
    lead = f"Systems, best first in {metric.name}; differences and tests against {named(comparison, against)}."
    tested = test_sentences(comparison, comparison.against(against).values())
    return sheet_of(
        "systems",
        (lead, *tested, *signatures(evaluation)),
        columns,
        evaluation_facts(evaluation)
        | comparison_facts(comparison)
        | measured_facts(comparison, against)
        | _verdict(study_verdict(study))
        | {"metric": metric.name},
        title=f"Systems, best first in {metric.name}",
        emphasised=(0,),
    )


def _verdict(found: Verdict | None) -> dict[str, str | int | float]:
    return {} if found is None else verdict_facts(found)


def tested_systems_sheet(
    evaluation: Evaluation,
    comparison: Comparison | None,
    against: str,
    *,
    others: Mapping[str, Comparison],
) -> Sheet:
    """``systems_sheet`` of an evaluation and its tests, in BLEU and in more metrics by name.

    Before there are tests, pages keep the places of those in BLEU.
    """
    ranked = evaluation.ranked()
    if comparison is None:
        sentences, tests, facts = ["Systems, best first."], _waiting(evaluation, against), {}
    else:
        pairs = comparison.against(against).values()
        lead = f"Systems, best first; differences and tests against {named(comparison, against)}."
        sentences = [lead if pairs else "The system with the interval of its score."]
        sentences += test_sentences(comparison, pairs)
        tests = _tests_of_systems(evaluation, evaluation.bleu, comparison, against)
        facts = comparison_facts(comparison) | measured_facts(comparison, against)
    compared = [*tests, *_further_metrics(evaluation, others, against)]
    if len(evaluation.names) == 1:
        compared = [(replace(one, off_pages=one.off_pages or _is_of_two(one)), values) for one, values in compared]
    return sheet_of(
        "systems",
        (*sentences, *signatures(evaluation)),
        [
            (SYSTEM, ranked),
            _score_column(evaluation.bleu, ranked, BLEU.key),
            *compared,
            *_parts(evaluation, ranked),
            *_files(evaluation, ranked),
        ],
        evaluation_facts(evaluation) | facts,
        title="Systems, best first",
        emphasised=(0,),
    )


def _is_of_two(one: Field) -> bool:
    """Whether a column says something of two systems."""
    return one.kind in ("difference", "p") or one.key in (CLUSTER.key, *RANK_KEYS)


_HIDDEN_CLUSTER = replace(CLUSTER, off_pages=True)
"""Lines between rows show clusters on pages."""


def _tests_of_systems(
    evaluation: Evaluation, metric: MetricEvaluation, comparison: Comparison, other: str
) -> list[FilledField]:
    """Interval, test of the difference from one of them, and cluster of each system, in one metric."""
    ranked, against = metric.ranked(), comparison.against(other)
    clusters = {name: number for number, names in enumerate(comparison.clusters, start=1) for name in names}
    difference, interval, *tests = difference_columns(comparison, [against.get(name) for name in ranked], "p of Δ")
    people = people_column(None if name == other else people_range(evaluation, metric, name, other) for name in ranked)
    of_score, of_difference = INTERVAL, replace(interval[0], off_pages=True)
    if _is_small(metric):
        difference = (replace(difference[0], kind="part"), difference[1])
        of_score, of_difference = (replace(one, ends="small difference") for one in (of_score, of_difference))
    return [
        (of_score, ends_of([comparison.intervals[name] for name in ranked])),
        difference,
        (of_difference, interval[1]),
        *tests,
        (replace(people[0], off_pages=True), people[1]),
        *(rank_columns(comparison, ranked) if comparison.has_all_pairs else []),
        *([(_HIDDEN_CLUSTER, [clusters[name] for name in ranked])] if comparison.has_all_pairs else []),
    ]


def _waiting(evaluation: Evaluation, other: str) -> list[FilledField]:
    """The same before the tests: differences alone."""
    ranked, base = evaluation.ranked(), evaluation.systems[other].score.score
    nothing, notes = np.full(len(ranked), np.nan), dict.fromkeys(range(len(ranked)), Note("…"))
    delta = [None if name == other else evaluation.systems[name].score.score - base for name in ranked]
    return [
        (replace(INTERVAL, notes=notes), np.column_stack([nothing, nothing])),
        (difference_field(), np.array(delta, np.float64)),
        (replace(p_value_field("p of Δ"), marked_by=None, notes=notes), nothing),
        *rank_columns(None, ranked),
        (replace(_HIDDEN_CLUSTER, notes=notes), nothing),
    ]


def orders_sheet(evaluation: Evaluation) -> Sheet:
    """Individual precisions and cumulative scores per n-gram order, as mteval prints them."""
    ranked = evaluation.ranked()
    found = [individual_and_cumulative(evaluation.bleu.systems[name].sums, evaluation.options) for name in ranked]
    individual, cumulative = (np.array([pair[place] for pair in found]) for place in (0, 1))
    return sheet_of(
        "orders",
        ("Individual and cumulative scores by n-gram order.", ORDERS, *signatures(evaluation, ("BLEU",))),
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
        title="Individual and cumulative scores by n-gram order",
    )


def explanation_sheet(explanation: DifferenceExplanation, other: str) -> Sheet:
    """Each system's score under the settings here and under those of another tool, and what each setting adds."""
    systems = explanation.systems.values()
    parts = np.array([system.parts for system in systems]).reshape(len(systems), len(explanation.settings))
    taken = {"system", "here", "there", "difference"}
    changes = "; ".join(
        f"{explanations.setting_name(one)}: {explanations.change_words(one)}" for one in explanation.settings
    )
    settings: list[FilledField] = [
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


def _files(evaluation: Evaluation, ranked: Sequence[str]) -> list[FilledField]:
    """What the systems were read from, where that is known of any."""
    files = [evaluation.files[name] for name in ranked]
    return [(FILE, files)] if any(file is not None for file in files) else []


def _parts(evaluation: Evaluation, ranked: Sequence[str]) -> list[FilledField]:
    """What BLEU is made of."""
    scores = [evaluation.systems[name].score for name in ranked]
    precisions = np.array([score.precisions for score in scores])
    return [
        *(
            (Field(f"precision_{n}", f"p{n}", "precision", explanation=term(str(n))), of_order)
            for n, of_order in enumerate(precisions.T, start=1)
        ),
        (BREVITY_PENALTY, [score.brevity_penalty for score in scores]),
        (replace(HYPOTHESIS_LENGTH, on_pages="hyp."), [score.hypothesis_length for score in scores]),
        (replace(REFERENCE_LENGTH, on_pages="ref."), [score.reference_length for score in scores]),
        (Field("length_ratio", "ratio", "ratio", explanation=term("ratio")), [score.length_ratio for score in scores]),
    ]


def _further_metrics(
    evaluation: Evaluation, tests: Mapping[str, Comparison] = NO_OTHERS, against: str = ""
) -> list[FilledField]:
    """The scores of all metrics but BLEU, under their own names: those of files are the users' own.

    Beside them are the tests of their differences from one system, where there are any.
    """
    ranked, taken = evaluation.ranked(), _taken(evaluation)
    return [
        column
        for metric in evaluation.further_metrics
        for column in _in_metric(metric, ranked, tests.get(metric.name), against, taken)
    ]


def _taken(evaluation: Evaluation) -> set[str]:
    """Keys that the names of metrics cannot have."""
    taken = {SYSTEM.key, FILE.key, "bleu", "interval_low", "interval_high", SIGNIFICANT.key, REMARK.key, "cluster"}
    taken |= {one.key for one, _ in _parts(evaluation, evaluation.ranked())}
    return taken | {"p_value", "corrected_p_value", "difference"}


def _in_metric(
    metric: MetricEvaluation, ranked: Sequence[str], comparison: Comparison | None, against: str, taken: set[str]
) -> list[FilledField]:
    """The scores in a metric, and the tests of their differences where there are any."""
    key = BLEU.key if isinstance(metric.options, BleuOptions) else unique_name(metric.name, taken)
    tests = [] if comparison is None else _tests_in_metric(metric, ranked, comparison, against, key, taken)
    return [_score_column(metric, ranked, key), *tests]


def _score_column(metric: MetricEvaluation, ranked: Sequence[str], key: str) -> FilledField:
    if isinstance(metric.options, BleuOptions):
        return BLEU, [metric.known_score(name) for name in ranked]
    best = "highest" if metric.higher_is_better else "lowest"
    score = Field(
        key,
        f"{metric.name} {arrow(metric)}",
        "metric score",
        best=cast("Literal['highest', 'lowest']", best),
        explanation=metric.metric.explanation(metric.options),
    )
    return score, [metric.known_score(name) for name in ranked]


def _is_small(metric: MetricEvaluation) -> bool:
    """Whether scores lie around 0 to 1, and differences need more decimals."""
    return ScoreScale.of(metric).decimals > SCORE_DECIMALS


def _tests_in_metric(
    metric: MetricEvaluation, ranked: Sequence[str], comparison: Comparison, other: str, key: str, taken: set[str]
) -> list[FilledField]:
    """The significance tests from one system in another metric than that of the sheet, under keys of its own.

    Args:
        metric: The metric.
        ranked: The systems in their order.
        comparison: The tests in it.
        other: The system that the others are measured against.
        key: The metric's.
        taken: Keys that other columns have.
    """
    against = comparison.against(other)
    columns = difference_columns(comparison, [against.get(name) for name in ranked], "p of Δ")
    keys = {field.key: unique_name(f"{key}_{field.key}", taken) for field, _ in columns}
    small: dict[Kind, Kind] = {"difference": "part"} if _is_small(metric) else {}
    return [
        (
            replace(
                field,
                key=keys[field.key],
                heading=f"{field.heading} {metric.name}",
                kind=small.get(field.kind, field.kind),
                marked_by=keys.get(field.marked_by or ""),
                for_machines=field.for_machines or field.kind == "interval",
                notes={} if field.key == "difference" else field.notes,
            ),
            values,
        )
        for field, values in columns
    ]
