"""When a version that is worse than before raises an alarm, with a stated number of false ones.

**A rate.** A test whose p-value falls below a level in at most that share of cases without a change gives at most that
share of false alarms, on average, whatever the tests have in common: means add up. So a constant level is all it takes.

**A share.** Who would rather bound the share of alarms that are false takes levels that fall while nothing is found and
rise with each finding: LORD++ (Ramdas, Yang, Wainwright and Jordan 2017). It needs p-values that do not depend on those
before. Two consecutive ones share a version, those further apart share none, and where versions do not differ each is
as likely either way whatever the others: findings therefore count one test later (Zrnic, Ramdas and Jordan 2021,
"local dependence", a lag of 1), and of all findings, in the mean of many histories, the share that is false keeps the
level (mFDR).
"""

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from bleucore.counts import Floats
from bleucore.declarations import Names, Number, Whole, declared, keep_accepted
from bleucore.values import not_accepted, positive_number

Control = Literal["rate", "share"]
CONTROLS: tuple[Control, ...] = get_args(Control)
AlarmKind = Literal["drop", "decline"]
MOST_PER_100 = 50.0
SERIES_SUM = 12.65
"""Of log(max(j, 2)) / (j exp(sqrt(log j))) over all whole numbers j, rounded up."""
SHARE_OF_DROPS = 0.5
"""Of the false alarms allowed; the others are for declines."""
PER_100 = "a number above 0, at most 50"
SHARE = "a number between 0 and 1"


@dataclass(frozen=True)
class AlarmOptions:
    """What alarms are allowed to be wrong.

    Attributes:
        control: ``"rate"``: how many false alarms there are in 100 versions without a change. ``"share"``: which share
            of the alarms is false.
        per_100: The false alarms in 100 versions, on average, at most; half of them of either kind.
        share: The share of false ones among the alarms; then only drops raise one.
        window: A decline is one against the best of so many versions before.
    """

    control: Control = declared("rate", Names(CONTROLS), "tests", ("control", lambda options: options.control))
    per_100: float = declared(
        1.0, Number(lambda value, _: _per_100(value)), "tests", ("per-100", lambda options: f"{options.per_100:g}")
    )
    share: float = declared(
        0.1, Number(lambda value, _: _share(value)), "tests", ("share", lambda options: f"{options.share:g}")
    )
    window: int = declared(30, Whole(1, 100_000), "tests", ("window", lambda options: options.window))

    def __post_init__(self) -> None:
        """Refuse what is no setting of alarms; keep each in one form."""
        keep_accepted(self)

    @property
    def drop_level(self) -> float | None:
        """Up to which one-sided p a version worse than the one before raises an alarm; ``None`` if that varies."""
        return SHARE_OF_DROPS * self.per_100 / 100 if self.control == "rate" else None

    @property
    def decline_level(self) -> float | None:
        """Up to which p, corrected, one worse than the best before does; ``None`` where none is raised."""
        return (1 - SHARE_OF_DROPS) * self.per_100 / 100 if self.control == "rate" else None

    def drop_levels(self, p_values: Floats) -> Floats:
        """The levels (T,) for one-sided p-values (T,) of consecutive versions, in order."""
        if self.drop_level is None:
            return online_levels(p_values, self.share)
        return np.full(len(p_values), self.drop_level)


def online_levels(p_values: Floats, level: float, *, lag: int = 1) -> Floats:
    """The levels of LORD++ for p-values in order, (T,): a finding is a p-value at most its level.

    With rejections at r_1 < r_2 < ..., each of which counts ``lag`` tests late,
    level_t = γ_t w + (level - w) γ_{t - r_1} + level Σ_{k > 1} γ_{t - r_k}, where w is half of the level and
    γ_j ~ log(max(j, 2)) / (j exp(sqrt(log j))) adds up to at most 1.

    Args:
        p_values: (T,).
        level: The share of false ones among the findings.
        lag: With how many of the p-values before it each may depend; 0 for none.
    """
    wealth, gammas = level / 2, _gammas(len(p_values))
    levels = gammas * wealth
    n_found = 0
    for place, p_value in enumerate(p_values):
        if p_value <= levels[place]:
            start = place + lag + 1
            levels[start:] += (level - wealth if n_found == 0 else level) * gammas[: max(0, len(levels) - start)]
            n_found += 1
    return levels


def _gammas(number: int) -> Floats:
    """The first weights of a series that adds up to 1."""
    places = np.arange(1.0, number + 1)
    return np.asarray(np.log(np.maximum(places, 2)) / (places * np.exp(np.sqrt(np.log(places)))) / SERIES_SUM)


def _per_100(value: object) -> float:
    number = positive_number("per_100", value, MOST_PER_100, PER_100)
    if number == 0:
        raise not_accepted("per_100", value, PER_100)
    return number


def _share(value: object) -> float:
    number = positive_number("share", value, 1.0, SHARE)
    if not 0 < number < 1:
        raise not_accepted("share", value, SHARE)
    return number
