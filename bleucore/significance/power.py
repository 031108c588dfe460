"""What a test set is able to detect, and how large it would have to be (Card et al. 2020)."""

import math

from bleucore.optional_packages import special

USUAL_POWER = 0.8
"""Detecting four of five true differences is the usual aim (Card et al. 2020, section 1)."""


def smallest_detectable_difference(standard_error: float, *, level: float = 0.05, power: float = USUAL_POWER) -> float:
    """The true difference that a two-sided test finds this often, for a difference with this standard error.

    (z of 1 - level / 2, plus z of the power) standard errors: the estimate of a difference is taken to be normally
    distributed around the true one. What a test finds less often than ``level`` at no difference is not its power.

    Args:
        standard_error: Of the difference, from a bootstrap say; 0 or more.
        level: Below which a p-value is called significant.
        power: The share of such test sets on which the difference is to be found.
    """
    return float((special.ndtri(1 - level / 2) + special.ndtri(power)) * standard_error)


def units_needed(n_units: int, difference: float, smallest_detectable: float) -> int | None:
    """How many segments or documents it takes to detect such a difference as often; ``None`` for no difference.

    The standard error falls with the square root of the number.
    """
    if difference == 0:
        return None
    return math.ceil(n_units * (smallest_detectable / difference) ** 2)
