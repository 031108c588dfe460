"""What the page Trust says of judgements: the usual choice, without asking."""

from bleucore.agreement.agreement import Agreement
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.features.judgements import kept
from bleuscope.features.judgements.choice import AgreementChoice
from bleuscope.features.judgements.choices import judgements_known
from bleuscope.runtime.memo_cache import BackgroundTask


def work(view: ComparisonContext) -> BackgroundTask[Agreement] | None:
    """How far each metric agrees with the first judgements; ``None`` where there are none."""
    for judged, column in judgements_known(view).values():
        return kept.agreement_with(view, AgreementChoice(judged.key, judged.judgements, column))
    return None
