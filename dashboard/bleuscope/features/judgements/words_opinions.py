"""How far people agree with differences of some size, in words."""

import math

from bleucore.agreement.agreement import Agreement, MetricAgreement
from bleucore.agreement.by_size import expected
from bleucore.metrics import human_agreement
from bleucore.metrics.human_agreement import KIN, NOT_KIN
from bleuscope.content.style import numbers
from bleuscope.content.style.sentences import Sentence, isolated, sentence, strong

FROM_WORST = "0: worst of these systems, 1: best. Compare only the positions between them."
NEIGHBOURS_CAPTION = (
    "Each system minus the next. Bars: 95 % intervals of the paired t-test. If 0 is inside: no significant difference."
)
CURVE_CAPTION = (
    "The line was fitted to thousands of pairs of other systems, mostly versions of one system on "
    f"news (Kocmi et al. 2024). Over all sizes, raters agreed with {numbers.percent(KIN / 100)} of "
    f"these pairs, and with {numbers.percent(NOT_KIN / 100)} of pairs of unrelated systems. Boxes: "
    "what later WMT campaigns observed in BLEU, widened. A fifth of these pairs: their own share, by "
    "size, of 30 pairs or more. A click opens the pair."
)


def expected_words(found: Agreement, metric: MetricAgreement) -> Sentence:
    """What later campaigns make one expect of these pairs, and what is; or why nothing is expected."""
    if metric.curve is None:
        return sentence(
            ("No published agreement rate covers {} with these settings and references."),
            isolated(metric.name),
        )
    if metric.curve != human_agreement.BLEU:
        return sentence(
            ("No later campaign was measured in {}, so the line shows only the published rate."), strong(metric.name)
        )
    at_hand = expected(metric.pairs)
    if not at_hand.n_pairs:
        return sentence(
            ("No published agreement rate covers {} differences as small or large as these."),
            isolated(metric.name),
        )
    n_silent = len(metric.pairs) - at_hand.n_pairs
    return sentence(
        "By later campaigns, raters agree with {} on {} to {} of {}; here ({}) they agree on {}.{}",
        strong(metric.name),
        numbers.count(math.floor(at_hand.low)),
        numbers.count(math.ceil(at_hand.high)),
        numbers.counted(at_hand.n_pairs, "pair of systems", "pairs of systems"),
        isolated(found.people.name),
        numbers.count(at_hand.n_agree),
        f" Left out: {numbers.counted(n_silent, 'pair')} with too small or too large a difference." if n_silent else "",
    )
