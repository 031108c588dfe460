"""The one verdict about some systems: what every page, report and command says of the same comparison.

It answers one question: which system leads, which beat a baseline that was chosen beforehand, or how two systems
differ. Whoever shows it renders this object; nobody derives a state, an effect or a p-value anew.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol

from bleucore.significance.comparison import NOT_TESTED, PairComparison
from bleucore.significance.families import Family
from bleucore.significance.units import Unit

State = Literal["leads", "no-winner", "untested", "equal", "check-texts"]
"""One system is significantly better than every other (or than the baseline, or than the other of two); no system is;
nothing can be tested; the scores are the same; the texts have an error, so that scores mean nothing yet."""
Question = Literal["best", "baseline", "pair"]
"""Which system is the best; which differ from a baseline; how two systems differ."""
Agreement = Literal["agrees", "disagrees", "reverses the order", "narrows the tie"]


class Tested(Protocol):
    """What a verdict rests on: a ``Comparison``, or what is saved of one. Attributes as there."""

    @property
    def names(self) -> tuple[str, ...]:
        """K system names."""
        ...

    @property
    def scores(self) -> Mapping[str, float]:
        """Of each system."""
        ...

    @property
    def baseline(self) -> str | None:
        """Chosen beforehand."""
        ...

    @property
    def higher_is_better(self) -> bool:
        """Which way the score points."""
        ...

    @property
    def unit(self) -> Unit:
        """What was exchanged."""
        ...

    @property
    def n_units(self) -> int:
        """How many there are."""
        ...

    @property
    def n_items(self) -> int | None:
        """Of rows that repeat."""
        ...

    @property
    def has_stars(self) -> bool:
        """Whether a small p-value counts."""
        ...

    @property
    def why_untested(self) -> str | None:
        """A sentence, or ``None``."""
        ...

    def has_pair(self, name: str, other: str) -> bool:
        """Whether the two were compared."""
        ...

    def pair(self, name: str, other: str) -> PairComparison:
        """The first against the second, in its family."""
        ...

    def is_significant(self, compared: PairComparison) -> bool:
        """Whether it has a star."""
        ...


@dataclass(frozen=True)
class Wins:
    """In how many segments the first of two systems has the better score: the only definition of wins there is.

    Attributes:
        n_wins: Segments in which the metric's segment score of the first is better.
        n_losses: Segments in which that of the second is.
        n_ties: Segments with the same score.
    """

    n_wins: int
    n_losses: int
    n_ties: int


@dataclass(frozen=True)
class Verdict:
    """What a comparison comes to.

    Attributes:
        question: What is answered.
        state: The answer.
        metric: The name of the metric.
        systems: The one that leads, or all that are not significantly worse than the best; of two systems and with a
            baseline, the better one alone.
        compared: The better system of the pair that the effect is of, against the other: the best against the next, or
            against the baseline. Its difference, interval and p-values are the verdict's.
        unit: What was exchanged.
        n_units: How many there are.
        n_items: How many items the rows are of, where they repeat.
        n_systems: How many systems were compared.
        baseline: Of a question about a baseline: its name.
        n_better: Of the same question: how many systems are significantly better than the baseline.
        n_worse: How many are significantly worse.
        agreement: Of each other metric, whether it agrees about the same pair, or tied systems: as significant and in
            the same direction; it reverses the order where neither metric finds a significant
            difference; it narrows the tie where it finds the first system better than another of the tied ones.
        n_warnings: Warnings in the texts; ``None`` while they are being checked.
        reason: Why nothing can be tested, or what is wrong with the texts; a sentence.
        wins: Of the better system against the other.
        decimals: With how many the metric's differences are written.
        is_of_runs: Whether one of the two is a run of a recipe that has several: nothing is said about the recipe.
        apart: Systems that the answer leaves aside, each with the error in its texts.
    """

    question: Question
    state: State
    metric: str
    systems: tuple[str, ...]
    compared: PairComparison
    unit: Unit
    n_units: int
    n_items: int | None
    n_systems: int
    baseline: str | None = None
    n_better: int = 0
    n_worse: int = 0
    agreement: tuple[tuple[str, Agreement], ...] = ()
    n_warnings: int | None = None
    reason: str | None = None
    wins: Wins | None = None
    decimals: int = 2
    is_of_runs: bool = False
    apart: tuple[tuple[str, str], ...] = ()

    @property
    def effect(self) -> float:
        """The score of the better system less that of the other."""
        return self.compared.difference

    @property
    def interval(self) -> tuple[float, float] | None:
        """Its 95 % interval, simultaneous in the family."""
        return self.compared.interval

    @property
    def p_value(self) -> float | None:
        """Its p-value, corrected for the family."""
        return self.compared.corrected_p_value

    @property
    def family(self) -> Family:
        """What the p-value and the interval are corrected for."""
        return self.compared.family

    @property
    def n_runs(self) -> tuple[int, int] | None:
        """How many runs the better system and the other have, where recipes are compared; ``None`` of two runs."""
        return self.compared.n_runs

    @property
    def detectable(self) -> float | None:
        """The true difference that is significant in this family in 80 % of such test sets."""
        return self.compared.smallest_detectable

    def with_texts(self, *, n_warnings: int, error: str | None) -> "Verdict":
        """The same with the findings in the texts; an error comes before any praise."""
        state: State = "check-texts" if error is not None else self.state
        return replace(self, n_warnings=n_warnings, state=state, reason=self.reason if error is None else error)


def verdict_of(
    comparison: Tested, metric: str, ranked: Sequence[str], errors: Mapping[str, str] | None = None
) -> Verdict | None:
    """The verdict about all systems: on the baseline where one was chosen, else on the best; ``None`` of one system.

    Args:
        comparison: With its baseline, if there is one.
        metric: The name of its metric.
        ranked: The systems, best score first.
        errors: What is wrong with the texts of systems. The verdict is about the others, unless it would name one of
            these: whoever asks has to look at the texts first then.
    """
    found = _verdict_of(comparison, metric, ranked)
    if found is None or not errors or {found.compared.name, found.compared.other, *found.systems} & set(errors):
        return found
    apart = tuple((name, errors[name]) for name in ranked if name in errors)
    if found.baseline is not None:  # it counts the others
        found = _against_baseline(comparison, metric, [name for name in ranked if name not in errors], found.baseline)
    return replace(found, apart=apart)


def _verdict_of(comparison: Tested, metric: str, ranked: Sequence[str]) -> Verdict | None:
    if len(ranked) < 2:  # noqa: PLR2004  # nothing to compare
        return None
    if comparison.baseline is not None:
        return _against_baseline(comparison, metric, ranked, comparison.baseline)
    if len(ranked) == 2:  # noqa: PLR2004  # a pair
        return pair_verdict(comparison, metric, *ranked)
    best, following = ranked[:2]
    tied = [best, *(name for name in ranked[1:] if not comparison.is_significant(_pair(comparison, best, name)))]
    found = _made(comparison, metric, "best", _pair(comparison, best, following), tuple(tied))
    return replace(found, state="leads") if found.state == "no-winner" and len(tied) == 1 else found


def pair_verdict(comparison: Tested, metric: str, name: str, other: str) -> Verdict:
    """The verdict about two systems, the better one first; of the same score, in the order of the comparison."""
    compared = _pair(comparison, name, other)
    gain = compared.difference if comparison.higher_is_better else -compared.difference
    is_same = abs(gain) < SAME_SCORE
    if (gain < 0 and not is_same) or (is_same and comparison.names.index(name) > comparison.names.index(other)):
        compared = compared.turned()
    found = _made(comparison, metric, "pair", compared, (compared.name,))
    is_significant = found.state == "no-winner" and comparison.is_significant(compared)
    return replace(found, state="leads") if is_significant else found


def _against_baseline(comparison: Tested, metric: str, ranked: Sequence[str], baseline: str) -> Verdict:
    """The best of the others against the baseline."""
    others = [name for name in ranked if name != baseline]
    against = [comparison.pair(name, baseline) for name in others]
    best = next(name for name in ranked if name != baseline)
    found = pair_verdict(comparison, metric, best, baseline)
    sign = 1.0 if comparison.higher_is_better else -1.0
    gains = [sign * one.difference for one in against if comparison.is_significant(one)]
    n_better, n_worse = sum(gain > 0 for gain in gains), sum(gain < 0 for gain in gains)
    n_systems = len(others) + 1
    return replace(
        found, question="baseline", baseline=baseline, n_systems=n_systems, n_better=n_better, n_worse=n_worse
    )


def _pair(comparison: Tested, name: str, other: str) -> PairComparison:
    """Two systems; without interval and test where they were not compared."""
    if comparison.has_pair(name, other):
        return comparison.pair(name, other)
    scores = comparison.scores
    return PairComparison(name, other, scores[name] - scores[other], None, None, None, None, None, NOT_TESTED)


def _made(
    comparison: Tested, metric: str, question: Question, compared: PairComparison, systems: tuple[str, ...]
) -> Verdict:
    """A verdict that finds no winner, unless nothing is tested or the scores are the same."""
    reason: str | None = None
    state: State = "no-winner"
    if compared.corrected_p_value is None:
        reason, state = comparison.why_untested or compared.remark, "untested"
    elif abs(compared.difference) < SAME_SCORE:
        state = "equal"
    elif not comparison.has_stars:
        reason, state = BY_SEGMENT, "untested"
    return Verdict(
        question=question,
        state=state,
        metric=metric,
        systems=systems,
        compared=compared,
        unit=comparison.unit,
        n_units=comparison.n_units,
        n_items=comparison.n_items,
        n_systems=len(comparison.names),
        reason=reason,
    )


SAME_SCORE = 1e-9
"""Scores that differ by less are the same: the rest is rounding."""
BY_SEGMENT = "Segments depend on each other here, so a p-value by segment does not count."
