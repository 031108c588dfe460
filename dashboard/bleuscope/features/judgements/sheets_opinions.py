"""What people think of systems as sheets: beside a metric, and by the size of its difference."""

import numpy as np

from bleucore.agreement.agreement import Agreement, MetricAgreement
from bleucore.agreement.opinions import normalised
from bleucore.agreement.pairwise import JudgedPair
from bleucore.agreement.people_range import band_of
from bleucore.metrics import human_agreement
from bleucore.metrics.human_agreement import AgreementCurve
from bleuscope.content.sheets.builders import SYSTEM, ends_of, numbers_of, sheet_of
from bleuscope.content.sheets.sheet import Field, Sheet
from bleuscope.features.judgements.sheets import agreement_facts
from bleuscope.features.judgements.words_opinions import FROM_WORST, expected_words


def side_by_side_sheet(found: Agreement, metric: MetricAgreement) -> Sheet:
    """Every system, best first for people: both scores, and the same from 0 for the worst to 1 for the best."""
    order = np.argsort(-metric.people, kind="stable")
    nothing = np.full(len(order), np.nan)
    by_people, by_metric = normalised(metric.people), normalised(metric.sign * metric.scores)
    return sheet_of(
        "side-by-side",
        (FROM_WORST,),
        [
            (SYSTEM, [metric.systems[place] for place in order]),
            (Field("judgement", found.people.name, "statistic"), metric.people[order]),
            (Field("score", metric.name, "metric score"), metric.scores[order]),
            (
                Field("people_of_range", f"{found.people.name}, 0 to 1", "ratio"),
                (nothing if by_people is None else by_people)[order],
            ),
            (
                Field("metric_of_range", f"{metric.name}, 0 to 1", "ratio"),
                (nothing if by_metric is None else by_metric)[order],
            ),
        ],
        {**agreement_facts(found), "metric": metric.name},
        title="Raters and metric, worst to best",
    )


def sizes_sheet(found: Agreement, metric: MetricAgreement) -> Sheet:
    """Every pair of systems by the size of the metric's difference, in the order of ``sized_pairs``."""
    pairs, curve = sized_pairs(metric), metric.curve
    return sheet_of(
        "sizes",
        (str(expected_words(found, metric)),),
        [
            (Field("first", "system", "text", names_system=True), [_ordered(pair)[0] for pair in pairs]),
            (Field("second", "behind it", "text", names_system=True), [_ordered(pair)[1] for pair in pairs]),
            (Field("size", f"Δ {metric.name}", "part"), [abs(pair.metric) for pair in pairs]),
            (
                Field("published", "published curve, %", "precision"),
                numbers_of(pairs, lambda pair: None if curve is None else curve.percent(pair.metric)),
            ),
            (
                Field("observed", "later campaigns, %", "interval", decimals=0),
                ends_of([_observed(curve, pair.metric) for pair in pairs]),
            ),
            (Field("agrees", "they do", "yes or no"), [pair.agrees for pair in pairs]),
        ],
        {**agreement_facts(found), "metric": metric.name},
        title="Pairs of systems by the size of the difference",
    )


def _observed(curve: AgreementCurve | None, difference: float) -> tuple[float, float] | None:
    band = band_of(difference) if curve == human_agreement.BLEU else None
    return None if band is None else (band.low, band.high)


def sized_pairs(metric: MetricAgreement) -> list[JudgedPair]:
    """The pairs of systems with the largest difference first."""
    return sorted(metric.pairs, key=lambda pair: -abs(pair.metric))


def _ordered(pair: JudgedPair) -> tuple[str, str]:
    """Whoever the metric finds better comes first."""
    return (pair.first, pair.second) if pair.metric >= 0 else (pair.second, pair.first)
