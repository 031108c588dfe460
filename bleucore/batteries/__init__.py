"""What holds for every metric, check and format, whoever made it: laws that are tried on each, one after the other."""

from bleucore.batteries.checks import CHECK_LAWS
from bleucore.batteries.formats import FORMAT_LAWS, GivenFormat
from bleucore.batteries.laws import BrokenLawError, Outcome, outcomes, require, title_of
from bleucore.batteries.metrics import METRIC_LAWS, GivenMetric

__all__ = [
    "CHECK_LAWS",
    "FORMAT_LAWS",
    "METRIC_LAWS",
    "BrokenLawError",
    "GivenFormat",
    "GivenMetric",
    "Outcome",
    "outcomes",
    "require",
    "title_of",
]
