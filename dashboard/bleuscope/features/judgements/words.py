"""What the agreement of a metric with people comes to, in words."""

from collections.abc import Sequence

from bleucore.agreement.agreement import Agreement, MetricAgreement
from bleucore.judgements.averaging import Averaging
from bleucore.judgements.records import Judgements
from bleuscope.content.style import numbers
from bleuscope.content.style.sentences import (
    Sentence,
    Text,
    explained,
    isolated,
    listed,
    note,
    sentence,
    strong,
    verdict,
)
from bleuscope.content.style.terms import term

NO_JUDGEMENTS = (
    "No human judgements yet. Load MQM, ESA or direct assessment under Data, from Appraise, Pearmut, "
    "WMT or mt-metrics-eval, or as a table. This page then shows whether BLEU orders the systems as "
    "raters do."
)
OF_A_METRIC = (
    "The file does not say that raters gave {}. If a metric computed these scores, this page compares two metrics."
)
OF_MODELS = "The raters of {} are language models, not people."
SCATTER_CAPTION = "Bars: 95 % intervals. Line: least squares, with its 95 % band. Rings: outliers among the judgements."
PAIRS_CAPTION = (
    "✓ same order as the raters, ✗ opposite, = a tie for one of them. Strong colour: both "
    "significant at p < .05, uncorrected. M: only the metric. R: only the raters."
)
NOT_BOTH_JUDGED = "No judgements of both A and B. Choose two judged systems above."
OF_SHEETS = (
    ("p tests whether Pearson's r is above the first metric's (Williams' test)."),
    ("Which of two outputs is better? Ties count; scores within a threshold are tied."),
)
"""What stands above the tables of metrics."""
ERRORS_AT_HAND = "These judgements mark errors. Show them in Segments to see which credited words the raters reject."
CONFLICTS_CAPTION = "Raters and metric prefer different systems, largest disagreement first."


def averaging_words(averaging: Averaging) -> str:
    """How several judgements of an output became one."""
    weights = "" if averaging.weights is None else f", errors weighed by {averaging.weights.name}"
    return f"{'z-scores of raters' if averaging.method == 'z' else 'mean of raters'}{weights}"


def agreement_verdict(found: Agreement, metric: MetricAgreement) -> Text:
    """How many pairs of systems agree, the correlation, and what carries it."""
    people, n_pairs = isolated(found.people.name), len(metric.pairs)
    said = [
        sentence(
            "{} orders {} of {} as {} does.",
            strong(metric.name),
            numbers.count(metric.pairs_agree),
            numbers.counted(n_pairs, "pair of systems", "pairs of systems"),
            people,
        )
    ]
    others = [pair for pair in metric.pairs if not pair.agrees]
    unsure = sum(pair.certainty in ("metric", "neither") for pair in others)
    if others and metric.pairs[0].certainty is not None:
        said.append(sentence(" {}", _how_sure(unsure, len(others), n_pairs)))
    return verdict("{}", _joined(said)) + note("{}", _correlation(metric))


def answer(found: Agreement) -> Sentence | None:
    """The number of pairs that the first metric orders as human judges do; ``None`` without a metric."""
    if not found.metrics:
        return None
    metric = found.metrics[0]
    agreed = f"{numbers.count(metric.pairs_agree)} of {numbers.counted(len(metric.pairs), 'pair')}"
    return sentence(f"{{}} orders {agreed} as {{}} does.", strong(metric.name), isolated(found.people.name))


def _how_sure(n_unsure: int, n_others: int, n_pairs: int) -> str:
    """Whether raters are sure of the pairs that a metric orders otherwise."""
    if n_pairs == 1:
        return f"The ratings are {'inconclusive too' if n_unsure else 'conclusive'}."
    if n_others == 1:
        return f"For the other pair, the ratings are {'inconclusive too' if n_unsure else 'conclusive'}."
    if n_unsure in (0, n_others):
        return f"For {'none' if n_unsure else 'all'} of the other {n_others} pairs, the ratings are conclusive."
    return f"For {n_unsure} of the other {n_others} pairs, the ratings are inconclusive too."


def measured_words(found: Agreement) -> Sentence:
    """What was judged, how judgements became one, and what the scores of metrics are of."""
    people, options = found.people, found.options
    n_segments = people.judged.shape[1]
    on = "the judged segments" if options.judged_segments else f"all {numbers.counted(n_segments, 'segment')}"
    return sentence(
        "{} has judgements of {} in {} ({}). Metrics score {}.",
        isolated(people.name),
        numbers.counted(len(people.systems), "system"),
        numbers.counted(found.n_judged_segments, "segment"),
        averaging_words(people.averaging),
        on,
    )


def source_words(judgements: Judgements) -> tuple[Sentence, ...]:
    """That models judged, or that scores may be those of a metric: their file does not call them judgements."""
    if judgements.are_of_models:
        return (sentence(OF_MODELS, strong(judgements.name)),)
    return (sentence(OF_A_METRIC, strong(judgements.name)),) if judgements.protocol == "scores" else ()


def left_out_words(names: Sequence[str]) -> Sentence:
    """That a judged system is the reference."""
    return sentence(
        ("{} is the metrics' reference, so it is not among the judged systems: it would score 100."),
        listed(names),
    )


def _correlation(metric: MetricAgreement) -> Sentence:
    """Pearson's r with its interval, and what it is without outliers, or without the system it depends on most."""
    r = metric.pearson
    if r.value is None:
        return sentence("{}", r.reason or "")
    said = [sentence("{} {}", explained("Pearson's r", term("pearson") or ""), numbers.statistic(r.value))]
    if r.interval is not None:
        said.append(sentence(" (95 % interval {})", numbers.interval(*r.interval)))
    rest = metric.pearson_without_outliers.value
    if metric.outliers and rest is not None:
        said.append(sentence("; without {} it is {}.", listed(metric.outliers), numbers.statistic(rest)))
    elif r.range_without is not None:
        low, high = map(numbers.statistic, r.range_without)
        said.append(sentence("; without any one system it is {} to {}.", low, high))
    else:
        said.append(sentence("."))
    if metric.tied is not None and metric.tied_chance is not None:
        said.append(
            sentence(
                " {} picks the better of two outputs of a segment in {} of cases, ties counted (chance: {}).",
                strong(metric.name),
                numbers.percent(metric.tied.value),
                numbers.percent(metric.tied_chance),
            )
        )
    return _joined(said)


def _joined(said: list[Sentence]) -> Sentence:
    whole = said[0]
    for one in said[1:]:
        whole = whole + one
    return whole
