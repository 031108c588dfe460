"""Systems so far from the others that a correlation hangs on them."""

import numpy as np

from bleucore.agreement.judged import Mask, tie_width
from bleucore.counts import Floats

CUTOFF = 2.5
NORMAL = 1.483
"""The standard deviation of a normal distribution, in median absolute deviations."""


def outliers(scores: Floats, cutoff: float = CUTOFF) -> Mask | None:
    """Which of the scores (K,) are outliers: |x - median| / (1.483 MAD) above the cutoff (Mathur et al. 2020).

    ``None`` where the median absolute deviation is 0, so that nothing can be said.
    """
    distances = np.abs(scores - np.median(scores))
    deviation = NORMAL * float(np.median(distances))
    return None if deviation <= tie_width(scores) else distances / deviation > cutoff
