"""Significance tests as sheets."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from itertools import accumulate, combinations, pairwise

import numpy as np

from bleucore import Evaluation, MetricEvaluation
from bleucore.agreement.people_range import PeopleRange, people_range
from bleucore.significance import Comparison, PairComparison
from bleuscope.content.comparison.comparison_context import TestedStudy
from bleuscope.content.sheets.builders import (
    BLEU,
    REMARK,
    SYSTEM,
    FilledField,
    ends_of,
    evaluation_facts,
    numbers_of,
    score_column,
    sheet_of,
    signatures,
)
from bleuscope.content.sheets.sheet import Field, Note, Sheet
from bleuscope.content.significance import significance_words
from bleuscope.content.significance.significance_by_metric import Opinion, disagree
from bleuscope.content.style.scale import arrow
from bleuscope.content.style.terms import term

SIGNIFICANT = Field("significant", "significant", "yes or no", for_machines=True)


FAMILY = Field("family", "family", "text", for_machines=True)


N_COMPARISONS = Field("n_comparisons", "corrected for", "count", for_machines=True)


INTERVAL = Field("interval", "95 % interval", "interval", explanation=term("score interval"))


RANK_KEYS = ("rank_from", "rank_to")
CLUSTER = Field("cluster", "cluster", "count", explanation=term("cluster"))


CLUSTERS = (
    "Each system of a cluster is significantly better than all of the clusters below. Ranks: the places that a system "
    "can have, given what is significant."
)


PEOPLE = Field("people_agree", "raters agree, %", "interval", explanation=term("raters agree"), decimals=0)


DETECTABLE = (
    "Detectable: the smallest true difference that a test set like this one shows with 80 % power. Needed: how much it "
    "takes to detect the observed difference. Both hold at the chosen level, corrected for the same comparisons."
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
            *test_sentences(comparison, compared),
            DETECTABLE,
            *signatures(evaluation, (metric.name,)),
        ),
        [*_pair_columns(comparison, compared, evaluation, metric), *_power_columns(comparison, compared)],
        _tested_facts(comparison, evaluation, metric),
    )


def opinions_sheet(study: TestedStudy, opinions: Sequence[Opinion]) -> Sheet:
    """What each metric says of systems A and B: scores, the difference B minus A, and its test.

    Args:
        study: The systems.
        opinions: ``opinions_of`` the study.
    """
    first, second = study.pair
    metrics = [one.metric for one in opinions]
    compared = [one.compared for one in opinions]
    has_test = study.comparison.is_tested
    untested = {
        row: Note("no test", one.remark or "") for row, one in enumerate(compared) if one.p_value is None and has_test
    }
    letters = {row: Note("AB"[one.ahead == second]) for row, one in enumerate(opinions) if one.gain}
    return sheet_of(
        "metrics",
        (
            f"What each metric says of {second} (B) against {first} (A); a positive difference is one for B where "
            "higher is better (↑).",
            *test_sentences(study.comparison, compared[:1]),
            *signatures(study.evaluation, [one.name for one in metrics]),
        ),
        [
            (Field("metric", "metric", "text"), [f"{one.name} {arrow(one)}" for one in metrics]),
            (Field("score_a", "A", "metric score", is_by_row=True), [one.systems[first].score for one in metrics]),
            (Field("score_b", "B", "metric score", is_by_row=True), [one.systems[second].score for one in metrics]),
            (replace(difference_field(), explanation=term("Δ of two")), [one.difference for one in compared]),
            (
                Field(
                    "difference_interval",
                    "95 % interval of Δ",
                    "interval",
                    explanation=term("interval of Δ"),
                    on_pages="95 % interval",
                ),
                ends_of([one.interval for one in compared]),
            ),
            (
                replace(p_value_field("p corrected"), notes=untested),
                numbers_of(compared, lambda one: one.corrected_p_value),
            ),
            (SIGNIFICANT, np.array([one.is_significant if has_test else None for one in opinions], object)),
            people_column([people_range(study.evaluation, one.metric, second, first) for one in opinions]),
            (Field("ahead", "better", "text", notes=letters), [one.ahead if one.gain else None for one in opinions]),
        ],
        _tested_facts(study.comparison, study.evaluation, study.evaluation.bleu)
        | {"system_a": first, "system_b": second, "metrics_disagree": disagree(opinions)},
        title="What each metric says",
    )


def rank_columns(comparison: Comparison | None, names: Sequence[str]) -> list[FilledField]:
    """The ranks that each system can have: from the first to the last; empty before the tests."""
    field = Field("rank_from", "rank", "count", on_pages="ranks", explanation=term("ranks"))
    to = Field("rank_to", "to", "count", off_pages=True)
    if comparison is None:
        nothing, notes = np.full(len(names), np.nan), dict.fromkeys(range(len(names)), Note("…"))
        return [(replace(field, notes=notes), nothing), (to, nothing)]
    ranks = [comparison.rank_range(name) for name in names]
    notes = {row: Note(f"{low}–{high}") for row, (low, high) in enumerate(ranks) if low != high}
    return [(replace(field, notes=notes), [low for low, _ in ranks]), (to, [high for _, high in ranks])]


def clusters_sheet(comparison: Comparison, evaluation: Evaluation, metric: MetricEvaluation | None = None) -> Sheet:
    """The systems in groups as in WMT's tables, with the ranks that each can have."""
    metric = metric or evaluation.bleu
    placed = [(number, name) for number, names in enumerate(comparison.clusters, start=1) for name in names]
    starts = [0, *accumulate(len(names) for names in comparison.clusters[:-1])]
    repeated = dict.fromkeys(set(range(len(placed))) - set(starts), Note(""))
    score = Field("score", f"{metric.name} {arrow(metric)}", "metric score", on_pages="score")
    return sheet_of(
        "clusters",
        (
            f"Clusters in {metric.name}, best first.",
            CLUSTERS,
            *test_sentences(comparison.with_baseline(None), comparison.pairs.values()),
            *signatures(evaluation, (metric.name,)),
        ),
        [
            (replace(CLUSTER, notes=repeated), [number for number, _ in placed]),
            *rank_columns(comparison, [name for _, name in placed]),
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
    other: str,
    metric: MetricEvaluation | None = None,
) -> Sheet:
    """What the test set is able to show about every system against one of them.

    Args:
        comparison: The tests.
        evaluation: What was scored.
        other: The system that the others are measured against.
        metric: What was tested, BLEU unless given.
    """
    metric = metric or evaluation.bleu
    compared = [comparison.pair(name, other) for name in metric.ranked() if name != other]
    return sheet_of(
        "power",
        (
            f"What this test set can detect in {metric.name}, every system against {other}.",
            DETECTABLE,
            f"A number needed below {significance_words.FEWEST_NEEDED} says only that few would do.",
            *test_sentences(comparison, compared),
            *signatures(evaluation, (metric.name,)),
        ),
        [*_pair_columns(comparison, compared, evaluation, metric), *_power_columns(comparison, compared)],
        _tested_facts(comparison, evaluation, metric) | measured_facts(comparison, other),
        title="What this test set can detect",
    )


def selection_sheet(
    comparison: Comparison,
    other: str,
    evaluation: Evaluation | None = None,
    metric: MetricEvaluation | None = None,
) -> Sheet:
    """Every system on a selection of segments, with the test of its difference from one of them, best first.

    Args:
        comparison: Of these segments.
        other: The system that the others are measured against.
        evaluation: Of the whole test set; without it, signature and digest are not told.
        metric: What was tested, BLEU unless given.
    """
    against, score = comparison.against(other), BLEU
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
            f"Systems on the segments found, best first; differences and tests against {named(comparison, other)}.",
            *test_sentences(comparison, against.values()),
            *(() if evaluation is None else signatures(evaluation, (metric.name if metric else "BLEU",))),
        ),
        [
            (SYSTEM, ranked),
            (score, [scores[name] for name in ranked]),
            (INTERVAL, ends_of([comparison.intervals[name] for name in ranked])),
            *difference_columns(comparison, [against.get(name) for name in ranked], "p of Δ"),
        ],
        (evaluation_facts(evaluation) if evaluation is not None else {})
        | comparison_facts(comparison)
        | measured_facts(comparison, other),
        title="Systems on the segments found, best first",
    )


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
        **({} if comparison.n_items is None else {"n_items": comparison.n_items}),
        "unit": options.unit,
        "n_units": comparison.n_units,
        **({} if comparison.units.block_size is None else {"unit_size": comparison.units.block_size}),
        **({} if comparison.why_untested is None else {"why_untested": comparison.why_untested}),
    }


def _tested_facts(
    comparison: Comparison, evaluation: Evaluation, metric: MetricEvaluation
) -> dict[str, str | int | float]:
    facts = evaluation_facts(evaluation) | comparison_facts(comparison)
    return facts | {"metric": metric.name, "signature": metric.signature}


def measured_facts(comparison: Comparison, other: str) -> dict[str, str | int | float]:
    """What systems are measured against, and whether it was chosen for that or is the best."""
    return {"baseline": other, "baseline_is": "chosen" if comparison.baseline == other else "the best"}


def named(comparison: Comparison, other: str) -> str:
    """The system that the others are measured against, and why."""
    return f"the baseline {other}" if comparison.baseline == other else f"the best, {other}"


def test_sentences(comparison: Comparison, shown: Collection[PairComparison]) -> list[str]:
    """Test, trials, units, correction, level and seed; what casts doubt on the pairs shown; the test's signature."""
    if not shown:
        return [f"Test signature: {comparison.options.signature()}."]
    return [
        f"{significance_words.method_words(comparison, shown)}.",
        *significance_words.warnings(comparison, shown),
        f"Test signature: {comparison.options.signature()}.",
    ]


def _scores(metric: MetricEvaluation, placed: Iterable[tuple[int, str]]) -> list[float]:
    return [metric.known_score(name) for _, name in placed]


def _sheet_of_pairs(  # what the two have in common
    comparison: Comparison,
    evaluation: Evaluation,
    metric: MetricEvaluation,
    pairs: Sequence[PairComparison],
    *,
    other: str = "against",
    title: str = "Every pair: score of the row minus score of the column",
) -> Sheet:
    return sheet_of(
        "pairs",
        (
            f"Every pair of systems in {metric.name}: the score of the first minus that of the second.",
            *test_sentences(comparison, pairs),
            *signatures(evaluation, (metric.name,)),
        ),
        _pair_columns(comparison, pairs, evaluation, metric, other),
        _tested_facts(comparison, evaluation, metric),
        title=title,
    )


def _pair_columns(
    comparison: Comparison,
    pairs: Sequence[PairComparison],
    evaluation: Evaluation,
    metric: MetricEvaluation,
    other: str = "against",
) -> list[FilledField]:
    difference, interval, *tests = difference_columns(comparison, pairs, "p corrected")
    return [
        (SYSTEM, [one.name for one in pairs]),
        (Field("other", "against", "text", on_pages=other, names_system=True), [one.other for one in pairs]),
        (replace(difference[0], on_pages="difference", explanation=term("Δ of two")), difference[1]),
        (replace(interval[0], on_pages="95 % interval"), interval[1]),
        *tests,
        people_column([people_range(evaluation, metric, one.name, one.other) for one in pairs]),
    ]


def people_column(found: Iterable[PeopleRange | None]) -> FilledField:
    """How often raters agreed with differences of such a size, as ranges in percent; missing where nothing is said.

    People read no column in which nothing is said.
    """
    ranges = [None if one is None else one.ends for one in found]
    return replace(PEOPLE, for_machines=not any(ranges)), ends_of(ranges)


def difference_columns(
    comparison: Comparison, pairs: Sequence[PairComparison | None], p_term: str
) -> list[FilledField]:
    """Differences with their intervals and tests; of what they are measured against itself there are none."""
    has_test = comparison.is_tested
    significant = [comparison.is_significant(one) if one is not None and has_test else None for one in pairs]
    own = [row for row, one in enumerate(pairs) if one is None and comparison.baseline is not None]
    untested = {
        row: Note("no test", one.remark or "")
        for row, one in enumerate(pairs)
        if one is not None and one.corrected_p_value is None and has_test
    }
    return [
        (difference_field(own), numbers_of(pairs, lambda one: one.difference)),
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
        (replace(p_value_field(p_term), notes=untested), numbers_of(pairs, lambda one: one.corrected_p_value)),
        (SIGNIFICANT, np.array(significant, object)),
        (FAMILY, [None if one is None or one.corrected_p_value is None else one.family for one in pairs]),
        (N_COMPARISONS, [None if one is None else one.n_comparisons for one in pairs]),
        (REMARK, [None if one is None else one.remark for one in pairs]),
    ]


def difference_field(rows_of_baseline: Iterable[int] = ()) -> Field:
    """Differences from another system; a baseline says so in its own row."""
    notes = {row: Note("baseline") for row in rows_of_baseline}
    return Field("difference", "Δ", "difference", explanation=term("Δ"), notes=notes)


def p_value_field(of: str) -> Field:
    """The corrected p-value, marked where it is significant."""
    return Field("corrected_p_value", "p", "p", marked_by=SIGNIFICANT.key, explanation=term(of))


def _power_columns(comparison: Comparison, pairs: Sequence[PairComparison]) -> list[FilledField]:
    unit = comparison.options.unit
    notes = {
        row: Note(significance_words.needed_words(one.n_needed))
        for row, one in enumerate(pairs)
        if one.n_needed is not None
    }
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
