"""How often raters agree with a difference of some size: neither a test of chance nor a judgement of quality."""

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from bleucore import Evaluation, MetricEvaluation
from bleucore.agreement.people_range import PeopleRange, people_range
from bleuscope.content.style import numbers
from bleuscope.content.style.sentences import Text, note

PeopleOf: TypeAlias = Callable[[str, str], PeopleRange]
"""What is known of raters and two systems, by their names."""
SIGNIFICANT_IS_NOT_BETTER = (
    "Raters may not notice a significant difference, and no metric proves a system better. "
    "Other systems and texts gave this range (Kocmi et al. 2024, and WMT's human judgements since)."
)


def people_of(evaluation: Evaluation, metric: MetricEvaluation) -> PeopleOf:
    """What is known of raters and any two systems of an evaluation, in one of its metrics."""
    return partial(people_range, evaluation, metric)


def range_words(found: PeopleRange) -> str:
    """The range: ``60 to 95 %``; empty where nothing is said."""
    return "" if found.ends is None else f"{found.ends[0]:.0f} to {numbers.percent(found.ends[1] / 100)}"


def campaigns_words(found: PeopleRange) -> str:
    """Where it was observed: ``WMT22, WMT23 and WMT24``."""
    *first, last = found.campaigns
    return f"{', '.join(first)} and {last}"


def people_words(found: PeopleRange | None) -> str:
    """How often raters agreed with such a difference, as a sentence behind a blank; empty where nothing is said."""
    if found is None or found.ends is None:
        return ""
    return f" In {campaigns_words(found)}, raters agreed with {range_words(found)} of BLEU differences of this size."


def people_note(found: PeopleRange | None) -> Text:
    """What neither the test nor the range shows, beneath a difference that has a range."""
    return note("{}", SIGNIFICANT_IS_NOT_BETTER) if people_words(found) else Text()
