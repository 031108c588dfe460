"""What the difference of two systems consists of on each test set, by kind of error."""

from dataclasses import dataclass

from bleucore.analysis.kinds import study_kinds
from bleucore.corpus import TestSet
from bleucore.counts import Floats
from bleucore.options import BleuOptions


@dataclass(frozen=True, eq=False)
class SetKinds:
    """One test set.

    Attributes:
        name: Of the set.
        difference: The BLEU of the second system minus that of the first.
        gains: (10,), what the second system gains by each of the ``KINDS``; with ``rest`` they make the difference.
        rest: What of the difference belongs to no kind.
    """

    name: str
    difference: float
    gains: Floats
    rest: float


def set_kinds(name: str, test_set: TestSet, pair: tuple[str, str], options: BleuOptions) -> SetKinds:
    """What the second of two systems gains by each kind over the first.

    Raises:
        InputError: There is no such system.
    """
    found = study_kinds(test_set, pair, options)
    first, second = found.losses
    return SetKinds(name, second.score - first.score, found.total_gains, found.jump)
