"""The agreement of metrics with people as sheets."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from bleucore.agreement.agreement import Agreement, MetricAgreement
from bleucore.agreement.conflicts import Conflicts
from bleucore.agreement.judged import HumanScores
from bleucore.agreement.opinions import neighbour_differences
from bleucore.agreement.pairwise import JudgedPair, PairTest
from bleucore.corpus import TestSet
from bleuscope.content.sheets.builders import SYSTEM, Facts, columns_of, ends_of, numbers_of, sheet_of
from bleuscope.content.sheets.sheet import Field, Sheet
from bleuscope.content.style import numbers
from bleuscope.content.style.terms import term
from bleuscope.features.judgements.words import OF_SHEETS, left_out_words, measured_words

METRIC = Field("name", "metric", "text")
SYSTEM_KEYS = (
    *("name", "pairs_agree", "pairs", "spa", "spa_interval", "spa_sentence_mean", "pearson", "pearson_interval"),
    *("williams_p", "pearson_without_outliers", "spearman", "kendall"),
)
SEGMENT_KEYS = (
    *("name", "tied_accuracy", "tied_interval", "tie_threshold", "untied_accuracy", "tied_accuracy_chance", "rank"),
    *("segment_pearson", "segment_kendall", "pearson_within_segments", "pearson_of_differences"),
)
"""Columns of every metric by what they are of."""


def agreement_sheet(found: Agreement) -> Sheet:
    """Every metric, one row each, with every statistic of its agreement."""

    def statistic(
        key: str, heading: str, value: Callable[[MetricAgreement], float | None], on_pages: str | None = None
    ) -> tuple[Field, object]:
        said = Field(key, heading, "ratio", best="highest", explanation=term(key), on_pages=on_pages)
        return said, numbers_of(found.metrics, value)

    def interval(
        key: str, heading: str, ends: Callable[[MetricAgreement], tuple[float, float] | None], said: str
    ) -> tuple[Field, object]:
        column = Field(key, heading, "interval", explanation=term(said), on_pages="95 % interval")
        return column, ends_of([ends(one) for one in found.metrics])

    metrics = found.metrics
    return sheet_of(
        "metrics",
        ("Agreement of each metric with raters.", *_measured(found), *_said(found), BLOCKS_LEFT_OUT),
        [
            (METRIC, [one.name for one in metrics]),
            (
                Field("pairs_agree", "pairs agree", "count", explanation=term("pairs_agree"), on_pages="agree"),
                [one.pairs_agree for one in metrics],
            ),
            (Field("pairs", "of", "count"), [len(one.pairs) for one in metrics]),
            statistic("spa", "SPA", lambda one: one.spa),
            interval("spa_interval", "interval of SPA", lambda one: one.spa_interval, "interval of accuracy"),
            statistic("spa_sentence_mean", "SPA of means", lambda one: one.spa_sentence_mean, "of means"),
            statistic("pearson", "Pearson", lambda one: one.pearson.value),
            interval("pearson_interval", "95 % interval", lambda one: one.pearson.interval, "interval of r"),
            (
                Field("williams_p", "p, Williams", "p", explanation=term("williams_p"), on_pages="p"),
                numbers_of(metrics, lambda one: one.williams_p),
            ),
            statistic(
                "pearson_without_outliers",
                "without outliers",
                lambda one: one.pearson_without_outliers.value,
                "no outliers",
            ),
            (Field("outliers", "outliers", "text", off_pages=True), [", ".join(one.outliers) for one in metrics]),
            statistic("spearman", "Spearman", lambda one: one.spearman.value),
            statistic("kendall", "Kendall", lambda one: one.kendall.value),
            statistic("segment_pearson", "segments: Pearson", lambda one: one.segment_pearson, "Pearson"),
            statistic("segment_kendall", "segments: Kendall", lambda one: one.segment_kendall, "Kendall"),
            statistic(
                "pearson_within_segments", "within segments: Pearson", lambda one: one.pearson_within_segments, "within"
            ),
            statistic(
                "pearson_of_differences",
                "differences: Pearson",
                lambda one: one.pearson_of_differences,
                "of differences",
            ),
            statistic("tied_accuracy", "accuracy with ties", lambda one: one.tied.value if one.tied else None),
            interval("tied_interval", "interval of accuracy", lambda one: one.tied_interval, "interval of accuracy"),
            (
                Field("tie_threshold", "tie up to", "metric score", explanation=term("tie_threshold"), is_by_row=True),
                numbers_of(metrics, lambda one: one.tied.threshold if one.tied else None),
            ),
            statistic(
                "untied_accuracy", "tied as scored", lambda one: one.tied.untied if one.tied else None, "as scored"
            ),
            statistic("tied_accuracy_chance", "by chance", lambda one: one.tied_chance),
            (
                Field("rank", "rank", "count", explanation=term("metric rank")),
                numbers_of(metrics, lambda one: one.rank),
            ),
        ],
        agreement_facts(found),
        title="Agreement of metrics with raters",
    )


def metric_sheets(found: Agreement) -> tuple[Sheet, Sheet]:
    """The same in two: what is of systems, and what is of segments."""
    whole = agreement_sheet(found)
    of_systems = columns_of(whole, SYSTEM_KEYS, title="Agreement on systems")
    of_segments = columns_of(whole, SEGMENT_KEYS, title="Agreement on segments")
    return (
        replace(of_systems, name="metrics-systems"),
        replace(of_segments, name="metrics-segments", caption=OF_SHEETS[1]),
    )


def judged_systems_sheet(found: Agreement) -> Sheet:
    """Every judged system, best first: what people say, and every metric."""
    people = found.people
    order = np.argsort(-people.scores, kind="stable")
    names = [people.systems[place] for place in order]
    scores = [dict(zip(one.systems, one.scores.tolist(), strict=True)) for one in found.metrics]
    return sheet_of(
        "systems",
        ("Systems in the order of the raters.", *_measured(found)),
        [
            (SYSTEM, names),
            (Field("judgement", people.name, "statistic", best="highest"), people.scores[order]),
            (
                Field("judgement_interval", "95 % interval", "interval", off_pages=True),
                ends_of([people.intervals[place] for place in order]),
            ),
            (Field("n_judged", "segments judged", "count"), (~np.isnan(people.judged)).sum(axis=1)[order]),
            (Field("outlier", "outlier", "yes or no"), [name in (found.outliers or ()) for name in names]),
            *(
                (
                    Field(
                        f"score_{place}", one.name, "metric score", best="highest" if one.higher_is_better else "lowest"
                    ),
                    np.array([of_metric.get(name, np.nan) for name in names]),
                )
                for place, (one, of_metric) in enumerate(zip(found.metrics, scores, strict=True), start=1)
            ),
        ],
        agreement_facts(found),
        title="Judged systems, best first",
    )


def judged_pairs_sheet(found: Agreement, metric: MetricAgreement | None = None) -> Sheet:
    """Every pair of systems for one metric, or for every one: both differences, and who is sure of them."""
    rows = [(one.name, pair) for one in ([metric] if metric else found.metrics) for pair in one.pairs]
    pairs = [pair for _, pair in rows]

    def p_value(test: Callable[[JudgedPair], PairTest | None]) -> object:
        return numbers_of([test(pair) for pair in pairs], lambda one: one.p_value)

    return sheet_of(
        "pairs",
        (
            ("Pairs of systems by raters and by each metric. Above 0: the first system is better."),
            CERTAINTY,
            *_measured(found),
        ),
        [
            (METRIC, [name for name, _ in rows]),
            (Field("first", "system", "text", names_system=True), [pair.first for pair in pairs]),
            (Field("second", "other", "text", names_system=True), [pair.second for pair in pairs]),
            (Field("people", "Δ people", "difference"), [pair.people for pair in pairs]),
            (Field("people_p", "p of people", "p"), p_value(lambda pair: pair.people_test)),
            (Field("metric", "Δ metric", "part", is_by_row=metric is None), [pair.metric for pair in pairs]),
            (Field("metric_p", "p of metric", "p"), p_value(lambda pair: pair.metric_test)),
            (Field("agrees", "agree", "yes or no"), [pair.agrees for pair in pairs]),
            (Field("certainty", "sure", "text"), [pair.certainty or "" for pair in pairs]),
            (
                Field("n_segments", "segments", "count"),
                [pair.people_test.n_segments if pair.people_test else 0 for pair in pairs],
            ),
        ],
        agreement_facts(found),
        title="Pairs of systems",
    )


def judged_neighbours_sheet(found: Agreement) -> Sheet:
    """Each system and the next, best first: how far people set them apart."""
    rows = neighbour_differences(found.people)
    return sheet_of(
        "neighbours",
        (
            (
                "Neighbours in the raters' order, on the segments where both were judged. Paired "
                "t-test by document or other unit."
            ),
        ),
        [
            (SYSTEM, [one.better for one in rows]),
            (Field("next", "next", "text", names_system=True), [one.worse for one in rows]),
            (Field("difference", "Δ", "difference"), numbers_of(rows, lambda one: one.difference)),
            (
                Field("interval", "95 % interval", "interval", ends="difference"),
                ends_of([one.interval for one in rows]),
            ),
            (Field("p", "p", "p"), numbers_of(rows, lambda one: one.p_value)),
            (Field("n_segments", "segments", "count"), [one.n_segments for one in rows]),
        ],
        agreement_facts(found),
        title="Neighbours in the raters' order",
    )


def conflicts_sheet(test_set: TestSet, found: Conflicts, pair: tuple[str, str], names: tuple[str, str]) -> Sheet:
    """Segments where people and a metric take sides against each other, the gravest first.

    Args:
        test_set: Whose segments they are.
        found: Of systems A and B.
        pair: The systems A and B.
        names: Of the judgements and the metric.
    """
    references = test_set.references[0]
    return sheet_of(
        "conflicts",
        (
            f"A is {pair[0]}, B is {pair[1]}; above 0 B is better.",
            f"{numbers.count(len(found.segments))} of {numbers.counted(found.n_judged, 'segment')}.",
        ),
        [
            (Field("segment", "segment", "text"), [str(place + 1) for place in found.segments]),
            (Field("people", f"Δ {names[0]}", "difference"), found.people),
            (Field("metric", f"Δ {names[1]}", "part"), found.metric),
            (Field("size", "how far apart", "statistic"), found.sizes),
            (
                Field("reference", "reference", "text", is_prose=True),
                [references[place] or "" for place in found.segments],
            ),
        ],
        {"judgement": names[0], "metric": names[1], "system_a": pair[0], "system_b": pair[1]},
        title="Segments where raters and the metric disagree",
    )


BLOCKS_LEFT_OUT = (
    "Intervals of accuracies: blocks of whole documents or other units left out one by one; that of Pearson's r: "
    "Fisher's."
)
CERTAINTY = (
    "Sure: who finds a difference at p < .05, uncorrected, by exchanging documents or other units: "
    "both, the raters, the metric, or neither."
)


def agreement_facts(found: Agreement) -> Facts:
    """What was judged, and what was drawn."""
    return {
        "judgement": found.people.name,
        "n_systems": len(found.people.systems),
        "n_judged_segments": found.n_judged_segments,
        **averaging_facts(found.people),
        "reported_on": "judged segments" if found.options.judged_segments else "all segments",
        "trials": found.options.trials,
        "permutations": found.options.permutations,
        "seed": found.options.seed,
    }


def averaging_facts(people: HumanScores) -> Facts:
    """How several judgements of an output became one."""
    weights = people.averaging.weights
    return {"average": people.averaging.method, "mqm_weights": "as in the file" if weights is None else weights.name}


def agreement_notices(found: Agreement) -> tuple[str, ...]:
    """What to know beside the numbers, each sentence once."""
    left_out = [str(left_out_words(found.people.left_out))] if found.people.left_out else []
    return tuple(dict.fromkeys([*left_out, *found.notices, *(said for one in found.metrics for said in one.notices)]))


def _measured(found: Agreement) -> list[str]:
    options = found.options
    return [str(measured_words(found)), f"{numbers.counted(options.trials, 'trial')}, seed {options.seed}."]


def _said(found: Agreement) -> Sequence[str]:
    return [] if found.outliers is None else [f"Outliers of people: {', '.join(found.outliers) or 'none'}."]
