"""The verdict about one test set of a campaign: the same that its comparison has when it is opened."""

from collections.abc import Mapping
from dataclasses import dataclass

from bleucore.campaign.set_results import SetPair, SetResult
from bleucore.significance import PairComparison, Verdict, pair_verdict, verdict_of
from bleucore.significance.units import Unit


def set_verdict(one: SetResult, baseline: str | None = None) -> Verdict | None:
    """The verdict about all systems of a test set, as ``verdict_of`` its comparison; ``None`` of one system.

    Where the texts of the set were not checked, ``n_warnings`` is ``None`` and no state is *check-texts*.

    Args:
        one: The test set.
        baseline: The system that was chosen beforehand; one that the set does not have counts as none.
    """
    scores = dict(zip(one.systems, one.scores, strict=True))
    ranked = sorted(one.systems, key=lambda name: -scores[name] if one.higher_is_better else scores[name])
    tests = _SetTests(one, baseline if baseline in one.systems else None)
    made = verdict_of(tests, one.metric, ranked, _errors_of_systems(one))
    return None if made is None else _with_texts(made, one)


def set_pair_verdict(one: SetResult, name: str, other: str, baseline: str | None = None) -> Verdict:
    """The verdict about two systems of a test set, as ``pair_verdict``; where one is the baseline, in its family."""
    return _with_texts(pair_verdict(_SetTests(one, baseline), one.metric, name, other), one)


def _with_texts(made: Verdict, one: SetResult) -> Verdict:
    """With what the checks found about the systems that the verdict is about, their references and their source."""
    if one.findings is None:
        return made
    aside = [name for name, _ in made.apart]
    about = (None, made.compared.name, made.compared.other)
    own = [
        found
        for found in one.findings
        if found.system not in aside and (made.question != "pair" or found.system in about)
    ]
    errors = [found.said for found in own if found.severity == "error"]
    return made.with_texts(n_warnings=len(own) - len(errors), error=errors[0] if errors else None)


def _errors_of_systems(one: SetResult) -> dict[str, str]:
    """What is wrong with the texts of each system; empty where a reference or the source has an error too."""
    errors = [found for found in one.findings or () if found.severity == "error"]
    if any(found.system is None for found in errors):
        return {}
    return {found.system: found.said for found in reversed(errors) if found.system is not None}


@dataclass(frozen=True)
class _SetTests:
    """A test set as verdicts ask for it."""

    of: SetResult
    baseline: str | None

    @property
    def names(self) -> tuple[str, ...]:
        return self.of.systems

    @property
    def scores(self) -> Mapping[str, float]:
        return dict(zip(self.of.systems, self.of.scores, strict=True))

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
        return self.of.pair(name, other) is not None

    def pair(self, name: str, other: str) -> PairComparison:
        """The pair, which the set holds; in the family of the baseline where one of the two is it."""
        if name == self.baseline:
            return self.pair(other, name).turned()
        found = self.of.planned_pair(name, other) if other == self.baseline else self.of.pair(name, other)
        if found is None:
            raise KeyError((name, other))
        return _compared(found)

    def is_significant(self, compared: PairComparison) -> bool:
        p_value = compared.corrected_p_value
        return self.of.has_stars and p_value is not None and p_value < self.of.options.level


def _compared(one: SetPair) -> PairComparison:
    return PairComparison(
        name=one.name,
        other=one.other,
        difference=one.difference,
        interval=one.interval,
        p_value=one.p_value,
        corrected_p_value=one.corrected_p_value,
        smallest_detectable=None,
        n_needed=None,
        remark=one.remark,
        n_comparisons=one.n_comparisons,
        family=one.family,
        standard_error=None if one.n_runs is not None else one.standard_error,
        n_runs=one.n_runs,
    )
