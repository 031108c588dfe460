"""What a paper says about the agreement of metrics with people: what was computed, and what it came to."""

from collections.abc import Callable

from bleucore.agreement.agreement import Agreement, MetricAgreement
from bleuscope.content.paper.citations import (
    DEUTSCH_2021,
    DEUTSCH_2023,
    KOCMI,
    KOCMI_2021,
    MATHUR,
    THOMPSON,
    WILLIAMS,
    Citation,
    cited,
)
from bleuscope.content.paper.methods import Part, in_a_row
from bleuscope.content.style import numbers
from bleuscope.features.judgements.words import averaging_words


def agreement_method(found: Agreement) -> Part:
    """Which judgements, every statistic that has a value with where it comes from, and how many pairs agree."""
    statistics, people = _statistics(found), found.people
    words = (
        f"{in_a_row([one.name for one in found.metrics])} were held against judgements of people "
        f"({people.name}, {averaging_words(people.averaging)}; {numbers.counted(len(people.systems), 'system')}, "
        f"{numbers.counted(found.n_judged_segments, 'segment')}) by {in_a_row([said for said, _ in statistics])}. "
        f"{_pairs(found)}"
    )
    return words, tuple(citation for _, citations in statistics for citation in citations)


def _statistics(found: Agreement) -> list[Part]:
    """What was computed, as parts of a sentence."""
    options, metrics = found.options, found.metrics
    on = "the judged segments" if options.judged_segments else "all segments"
    drawn = f"{numbers.counted(options.trials, 'trial')} and seed {options.seed}"
    far = found.outliers
    said = [
        (True, f"pairwise accuracy of the scores on {on}", KOCMI_2021),
        (_any(found, lambda one: one.spa), f"soft pairwise accuracy with {drawn}", THOMPSON),
        (_any(found, lambda one: one.pearson.value), "Pearson's, Spearman's and Kendall's correlation", None),
        (
            bool(far) and _any(found, lambda one: one.pearson_without_outliers.value),
            f"Pearson's without {', '.join(far or ())}",
            MATHUR,
        ),
        (
            _any(found, lambda one: one.williams_p),
            f"Williams' test of Pearson's against that of {metrics[0].name}",
            WILLIAMS,
        ),
        (
            _any(found, lambda one: one.segment_pearson),
            "Pearson's and Kendall's correlation over segments",
            None,
        ),
        (_any(found, lambda one: one.tied), "accuracy with calibrated ties over outputs of one segment", DEUTSCH_2023),
        (
            any(one.rank is not None for one in metrics),
            "ranks of metrics by exchanging their scores of whole documents or other units",
            DEUTSCH_2021,
        ),
        (_any(found, lambda one: one.curve), "the published agreement with differences of a size", KOCMI),
    ]
    return [_with(words, source) for holds, words, source in said if holds]


def _any(found: Agreement, value: Callable[[MetricAgreement], object]) -> bool:
    return any(value(one) is not None for one in found.metrics)


def _with(words: str, source: Citation | None) -> Part:
    return (words, ()) if source is None else (f"{words} ({cited(source)})", (source,))


def _pairs(found: Agreement) -> str:
    """How many pairs each metric orders as people do."""
    said = in_a_row([f"{one.name} {one.pairs_agree} of {len(one.pairs)}" for one in found.metrics])
    return f"Pairs of systems in the order of people: {said}."
