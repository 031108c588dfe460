"""The verdict about a version and another one that it is held against: the same object as of every comparison."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from bleucore.history.versions import HeldAgainst, VersionHistory
from bleucore.significance import PairComparison, Verdict, pair_verdict
from bleucore.significance.families import Family
from bleucore.significance.units import Unit

Against = Literal["before", "best"]
FAMILIES: Mapping[Against, Family] = {"before": "versions", "best": "all"}


def version_verdict(history: VersionHistory, index: int, against: Against, metric: str) -> Verdict | None:
    """The verdict about a version and the one before it, or the best of all; ``None`` of the first and of the best.

    Args:
        history: With its tests.
        index: Of the version, from 0.
        against: Which other version.
        metric: The name of the metric.
    """
    version = history.versions[index]
    held = version.before if against == "before" else version.best
    if held is None:
        return None
    return pair_verdict(_HeldTests(history, version.name, held, FAMILIES[against]), metric, version.name, held.name)


@dataclass(frozen=True)
class _HeldTests:
    """A version and another one as verdicts ask for them."""

    of: VersionHistory
    name: str
    held: HeldAgainst
    family: Family

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(one.name for one in self.of.versions)

    @property
    def scores(self) -> Mapping[str, float]:
        return {one.name: one.score for one in self.of.versions}

    @property
    def baseline(self) -> str | None:
        return None

    @property
    def higher_is_better(self) -> bool:
        return self.of.higher_is_better

    @property
    def unit(self) -> Unit:
        return self.of.unit

    @property
    def n_units(self) -> int:
        return self.of.n_units

    @property
    def n_items(self) -> int | None:
        return self.of.n_items

    @property
    def has_stars(self) -> bool:
        return self.of.has_stars

    @property
    def why_untested(self) -> str | None:
        return self.of.why_untested

    def has_pair(self, name: str, other: str) -> bool:
        return {name, other} == {self.name, self.held.name}

    def pair(self, name: str, other: str) -> PairComparison:
        held = self.held
        found = PairComparison(
            name=self.name,
            other=held.name,
            difference=held.difference,
            interval=held.interval,
            p_value=held.p_value,
            corrected_p_value=held.corrected_p_value,
            smallest_detectable=None,
            n_needed=None,
            remark=held.remark,
            n_comparisons=held.n_comparisons,
            family=self.family,
            n_runs=held.n_runs,
        )
        return found if (name, other) == (self.name, held.name) else found.turned()

    def is_significant(self, _: PairComparison) -> bool:
        return self.held.is_significant
