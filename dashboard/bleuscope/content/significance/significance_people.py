"""How often people agree with a difference of some size: neither a test of chance nor a judgement of quality."""

from bleucore import MetricEvaluation
from bleucore.metrics.human_agreement import KIN, NOT_KIN
from bleuscope.content.style import numbers
from bleuscope.content.style.sentences import Text, note

NEAR_CEILING = 0.98
"""Of the curve's ceiling: beyond it all sizes look the same to the curve, and not to people."""
THREE_CLAIMS = (
    "More than chance, noticed by people, better: three claims. The first is the test's, the second the size's, the "
    "third no metric makes. How often people agree is an average over systems that are kin; over all sizes it is "
    f"{numbers.percent(KIN / 100)} between versions of one system and {numbers.percent(NOT_KIN / 100)} between "
    "unrelated ones, such as a language model and a translation model (Kocmi et al. 2024)."
)


def share_words(metric: MetricEvaluation, difference: float) -> str:
    """The share of differences of this size that people agree with; empty where nobody knows."""
    share, curve = metric.agreement(difference), metric.metric.people(metric.options)
    if share is None or curve is None:
        return ""
    if share < NEAR_CEILING * curve.ceiling:
        return f"about {numbers.percent(share / 100)}"
    return f"{numbers.percent(curve.ceiling / 100)} or more"


def people_words(metric: MetricEvaluation | None, difference: float) -> str:
    """How often people agree with a difference of this size, as a sentence behind a blank; empty where nobody knows."""
    share = "" if metric is None else share_words(metric, difference)
    return f" People agree with {share} of {metric.name} differences of this size." if metric and share else ""


def people_note(metric: MetricEvaluation | None, difference: float) -> Text:
    """What keeps the test, the size and the quality apart, beneath a difference that something is known of."""
    return note("{}", THREE_CLAIMS) if people_words(metric, difference) else Text()
