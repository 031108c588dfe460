"""Judges that are language models: does the order shown decide, do they prefer their own, whom do they agree with?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from bleucore.agreement.comparisons import TIE, Comparisons, JointOpinion, Opinion, comparisons_of, each_order
from bleucore.agreement.judged import HumanScores, ScoredSystems
from bleucore.counts import Floats, Ints
from bleucore.errors import InputError
from bleucore.judgements.averaging import averaged
from bleucore.judgements.model_families import are_related, maker_of
from bleucore.judgements.records import Judgements, Protocol
from bleucore.optional_packages import special
from bleucore.sampling.estimates import FEWEST_UNITS, MOST_EXACT, Estimate, mean_of_all
from bleucore.significance.few_units import few_units_error
from bleucore.significance.units import FEWEST_TESTED, effective_number
from bleucore.values import shown, unknown_name

MOST_JUDGES = 20
"""Each is held against each other one."""
_FLAT = 1e-9


@dataclass(frozen=True)
class PositionBias:
    """Whether the output shown first wins more often than its quality explains.

    Attributes:
        n_verdicts: Comparisons with a verdict.
        n_ties: Of these, ties.
        n_both: Pairs of outputs that the judge saw in both orders.
        n_same: Of these, how many have the same verdict in both.
        n_first_twice: How many are won by the first output in both orders.
        n_second_twice: How many are won by the second output in both.
        first_share: How often the first output wins, ties as half, quality of systems taken out: 0.5 without bias.
            ``None`` where no two systems were shown in both orders.
        interval: Its 95 % interval by units, as ``mean_of_all``.
        p_value: Two-sided, that it is 0.5.
    """

    n_verdicts: int
    n_ties: int
    n_both: int
    n_same: int
    n_first_twice: int
    n_second_twice: int
    first_share: float | None
    interval: tuple[float, float] | None
    p_value: float | None


@dataclass(frozen=True)
class SelfPreference:
    """Whether a judge prefers its own systems more than others prefer them, on the same outputs.

    Attributes:
        yardstick: Who else judged: the name of people's judgements; ``None`` for the judges of other makers.
        judge_share: How often an own output wins against another, by the judge, ties as half.
        yardstick_share: The same by the yardstick.
        difference: The first less the second; 0 without self-preference.
        interval: Its 95 % interval by units.
        p_value: Two-sided, that it is 0.
        n_comparisons: Pairs of outputs that both judged.
        n_segments: Their segments.
        own_first: The share of the judge's comparisons that show the own output first; ``None`` of scores.
    """

    yardstick: str | None
    judge_share: float
    yardstick_share: float
    difference: float
    interval: tuple[float, float] | None
    p_value: float | None
    n_comparisons: int
    n_segments: int
    own_first: float | None


@dataclass(frozen=True)
class Agreed:
    """How often a judge orders two outputs of a segment as somebody else does; a tie agrees with a tie alone.

    Attributes:
        n_same: How many pairs of outputs they order, or tie, alike.
        n_pairs: How many both judged.
    """

    n_same: int
    n_pairs: int

    @property
    def share(self) -> float:
        """The first over the second."""
        return self.n_same / self.n_pairs


@dataclass(frozen=True)
class AgreedWithPeople(Agreed):
    """How often judge and metric agree with people, on the same pairs of outputs.

    Attributes:
        n_metric_same: How many the metric orders as people do.
        difference: The judge's share less the metric's, the mean over segments.
        interval: Its 95 % interval by units.
        p_value: Two-sided, that it is 0.
    """

    n_metric_same: int
    difference: float
    interval: tuple[float, float] | None
    p_value: float | None

    @property
    def metric_share(self) -> float:
        """How often the metric agrees."""
        return self.n_metric_same / self.n_pairs


@dataclass(frozen=True)
class ModelJudge:
    """What is known of one judge.

    Attributes:
        name: Of the model.
        protocol: How it judged.
        maker: Whose model it is; ``None`` where the name does not say.
        n_outputs: How many outputs it judged.
        n_unclear: How many of its answers hold no verdict.
        position: ``None`` of scores: nothing is shown first.
        own: The systems that are its own, or its maker's: as people said, else by their names.
        is_own_said: Whether people said so.
        preferences: By yardstick; none without own systems, or where nobody else judged these.
        with_judges: Agreement with each other judge, added up, a judge of several files once; ``None`` where no other
            judged the same.
        with_people: Agreement with people, next to the metric's; ``None`` in the same way.
    """

    name: str
    protocol: Protocol
    maker: str | None
    n_outputs: int
    n_unclear: int
    position: PositionBias | None
    own: tuple[str, ...]
    is_own_said: bool
    preferences: tuple[SelfPreference, ...]
    with_judges: Agreed | None
    with_people: AgreedWithPeople | None


@dataclass(frozen=True, eq=False)
class ModelJudges:
    """All judges that are models. Equal to itself alone.

    Attributes:
        judges: In the order of the files.
        n_left_out: Judges behind ``MOST_JUDGES``.
        people: The name of people's judgements that they are held against; ``None`` where there are none.
        metric: The name of the metric that stands next to them; ``None`` without people.
    """

    judges: tuple[ModelJudge, ...]
    n_left_out: int
    people: str | None
    metric: str | None


def judges_of(  # noqa: PLR0913  # who judged what, and whom it is held against
    judgements: Sequence[Judgements],
    system_names: Sequence[str],
    n_segments: int,
    *,
    groups: Ints | None = None,
    people: HumanScores | None = None,
    metric: ScoredSystems | None = None,
    own: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> ModelJudges:
    """Every judge that is a model.

    Args:
        judgements: Of models, aligned with the test set; a judge of several is shown once for each.
        system_names: K names; judgements of other systems are left out.
        n_segments: S.
        groups: (S,), the unit of each segment; each segment is one unless given.
        people: What people said of some of these systems.
        metric: What is held against people next to the judges.
        own: The own systems of judges, where people said so; of other judges the names of models tell.

    Raises:
        InputError: As ``averaged``.
    """
    names = tuple(system_names)
    every = [(one, judge) for one in judgements for judge in one.raters]
    told = every[:MOST_JUDGES]
    rows = [tuple(row for row in one.rows if row.rater == judge) for one, judge in told]
    verdicts = [comparisons_of(of_judge, names, n_segments) for of_judge in rows]
    opinions = [
        Opinion(n_segments, compared=found) if found is not None else _scored(one, judge, names, n_segments)
        for (one, judge), found in zip(told, verdicts, strict=True)
    ]
    of_people = None if people is None else _of_systems(people.systems, people.judged, names)
    of_metric = None if metric is None else _of_systems(metric.systems, metric.sign * metric.segment_scores, names)
    by_judge = {
        judge: JointOpinion([of for (_, who), of in zip(told, opinions, strict=True) if who == judge])
        for judge in dict.fromkeys(judge for _, judge in told)
    }
    owned = {judge: own_systems(judge, names, own) for judge in by_judge}
    judges = []
    for place, (one, judge) in enumerate(told):
        others = [of for who, of in by_judge.items() if who != judge and not {*owned[who]} & {*owned[judge]}]
        every_other = [of for who, of in by_judge.items() if who != judge]
        opinion, found = opinions[place], verdicts[place]
        yardsticks: list[tuple[str | None, list[Opinion]]] = [(None, [*others])]
        if people is not None and of_people is not None:
            yardsticks.insert(0, (people.name, [of_people]))
        preferences = (
            self_preference(
                opinion,
                said,
                [names.index(name) for name in owned[judge]],
                len(names),
                yardstick=yardstick,
                verdicts=found,
                groups=groups,
            )
            for yardstick, said in yardsticks
        )
        judges.append(
            ModelJudge(
                judge,
                one.protocol,
                maker_of(judge, is_model=True),
                len({(row.system, row.number) for row in rows[place] if row.system in names}),
                one.unclear.get(judge, 0),
                None if found is None else position_bias(found, groups),
                owned[judge],
                judge in own,
                tuple(one for one in preferences if one is not None),
                _agreed(opinion, every_other),
                None if of_people is None or of_metric is None else _beside(opinion, of_people, of_metric, groups),
            )
        )
    return ModelJudges(
        tuple(judges),
        len(every) - len(told),
        None if people is None else people.name,
        None if people is None or metric is None else metric.name,
    )


def own_systems(judge: str, systems: Sequence[str], said: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """The systems that are a judge's own: those that people said, else those that ``are_related`` to it by name."""
    told = said.get(judge)
    return tuple(name for name in systems if (are_related(judge, name) if told is None else name in told))


def said_own_systems(said: Sequence[str], judges: Sequence[str], systems: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The own systems of judges from what people wrote: ``JUDGE=SYSTEM``, or ``JUDGE=`` for none.

    Raises:
        InputError: There is no such judge or system, or no "=".
    """
    found: dict[str, tuple[str, ...]] = {}
    for one in said:
        judge, sign, system = one.rpartition("=")
        if not sign:
            raise InputError(
                "nobody says whose system this is",
                where="Own systems",
                found=shown(one),
                expected="JUDGE=SYSTEM, or JUDGE= for none",
                remedy="Write the judge's name, = and a system.",
            )
        if judge not in judges:
            raise unknown_name("judge", judge, judges, where="Own systems", remedy="Choose one of these.")
        if system and system not in systems:
            raise unknown_name("system", system, systems, where="Own systems", remedy="Choose one of these.")
        found[judge] = (*found.get(judge, ()), *([system] if system else ()))
    return found


def position_bias(verdicts: Comparisons, groups: Ints | None = None) -> PositionBias:
    """Of comparisons: least squares of the first output's score, with a strength for each system.

    Only pairs of systems that were shown in both orders count, in whatever segments. Where an output pair was shown in
    both orders, strengths cancel, and this is the mean score of the first output.
    """
    n_both, n_same, n_first, n_second = _orders(verdicts)
    counts = (len(verdicts.scores), int(np.count_nonzero(verdicts.scores == TIE)))
    found = _first_share(verdicts, groups)
    share = None if found is None else (TIE + found.value)
    interval = None
    if found is not None and found.interval is not None:
        interval = (max(0.0, TIE + found.interval[0]), min(1.0, TIE + found.interval[1]))
    p_value = None if found is None else found.p_value
    return PositionBias(*counts, n_both, n_same, n_first, n_second, share, interval, p_value)


def _scored(judgements: Judgements, judge: str, names: Sequence[str], n_segments: int) -> Opinion:
    """What a judge that gives scores prefers."""
    return Opinion(n_segments, averaged(judgements.of_raters([judge], judge), names, n_segments))


def _of_systems(systems: Sequence[str], values: Floats, names: Sequence[str]) -> Opinion:
    """What values of some systems prefer, among all."""
    placed = np.full((len(names), values.shape[1]), np.nan)
    for name, row in zip(systems, values, strict=True):
        if name in names:
            placed[names.index(name)] = row
    return Opinion(values.shape[1], placed)


def _orders(verdicts: Comparisons) -> tuple[int, int, int, int]:
    """Of pairs of outputs in both orders: how many, with one verdict, won by the first twice, by the second twice."""
    first, second, _, means, others = each_order(verdicts)
    both = (others >= 0) & (first < second)
    one, other = np.sign(means[both] - TIE), np.sign(means[others[both]] - TIE)
    n_first, n_second = np.count_nonzero((one > 0) & (other > 0)), np.count_nonzero((one < 0) & (other < 0))
    return int(np.count_nonzero(both)), int(np.count_nonzero(one == -other)), int(n_first), int(n_second)


def _first_share(verdicts: Comparisons, groups: Ints | None) -> Estimate | None:
    """How far the first output's score is above 0.5, with its test by units."""
    kept = _in_both_orders(verdicts)
    first, second, segments = verdicts.first[kept], verdicts.second[kept], verdicts.segments[kept]
    gains = verdicts.scores[kept] - TIE
    if not len(gains):
        return None
    systems, places = np.unique(np.concatenate([first, second]), return_inverse=True)
    places = places.reshape(2, -1)
    turned = np.linalg.pinv(_crossed(places, len(systems)))

    def without_strengths(values: Floats) -> Floats:
        of_systems = np.bincount(places[0], values, len(systems)) - np.bincount(places[1], values, len(systems))
        strengths = turned @ of_systems
        return np.asarray(values - (strengths[places[0]] - strengths[places[1]]))

    left = without_strengths(np.ones(len(gains)))
    left_squared = float(left @ left)
    if left_squared < _FLAT * len(gains):
        return None
    bias = float(left @ gains) / left_squared
    rest = without_strengths(gains - bias)
    ones, others = places
    # How far the strengths follow each comparison: they took up this part of its spread.
    followed = np.diag(turned)[ones] + np.diag(turned)[others] - 2 * turned[ones, others]
    if (followed + left**2 / left_squared > 1 - _FLAT).any():  # without it the bias of all could not be told
        return Estimate(bias, None, None, len(np.unique(segments)))
    influences = left * rest / np.sqrt(1 - followed) / left_squared
    units = segments if groups is None else groups[segments]
    return _of_units(bias, influences, left**2 / left_squared, units, len(np.unique(segments)))


def _of_units(bias: float, influences: Floats, shares: Floats, units: Ints, n_segments: int) -> Estimate:
    """An estimate of which comparisons, (n,), have these influences and shares, tested by their units.

    A few comparisons in the rarer order can have nearly all that is known. So the error is that of ``mean_of_all`` for
    units of unequal size, and no lower than if all units varied alike: few verdicts can be the same by chance. Where
    nothing varies, the p-value is that of the sign test of as many units as count.
    """
    _, rows = np.unique(units, return_inverse=True)
    sums = np.asarray(np.bincount(rows, influences), np.float64)
    sizes = np.maximum(np.bincount(rows, shares), _FLAT)
    n_counting = effective_number(sizes)
    if np.abs(sums).max() < _FLAT:
        n_signs = int(n_counting + _FLAT)
        p_value = 2.0 ** (1 - n_signs) if n_signs >= FEWEST_TESTED and abs(bias) >= _FLAT else None
        return Estimate(bias, None, p_value, n_segments)
    if len(sizes) < (FEWEST_UNITS if len(sizes) == n_segments else FEWEST_TESTED):
        return Estimate(bias, None, None, n_segments)
    if len(sizes) <= MOST_EXACT:
        error, freedom = few_units_error(sums, sizes)
    else:
        error, freedom = float(np.sqrt((sums**2).sum())), n_counting - 1
    known = sizes > _FLAT
    error = max(error, float(np.sqrt((sums[known] ** 2 / sizes[known]).mean())))
    half = float(special.stdtrit(freedom, 0.975)) * error
    return Estimate(bias, (bias - half, bias + half), float(2 * special.stdtr(freedom, -abs(bias) / error)), n_segments)


def _crossed(places: Ints, n_systems: int) -> Floats:
    """The cross products of a design with 1 for the system shown first and -1 for the other: (K, K)."""
    crossed = np.zeros((n_systems, n_systems))
    np.add.at(crossed, (places[0], places[1]), -1.0)
    crossed += crossed.T
    np.fill_diagonal(crossed, np.bincount(places.ravel(), minlength=n_systems))
    return crossed


def _in_both_orders(verdicts: Comparisons) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """(n,), whether the two systems of a comparison were shown in both orders, in whatever segments."""
    n_systems = int(max(verdicts.first.max(initial=0), verdicts.second.max(initial=0))) + 1
    turned = verdicts.second * n_systems + verdicts.first
    return np.isin(turned, verdicts.first * n_systems + verdicts.second)


def tested(values: Floats, groups: Ints | None) -> Estimate | None:
    """``mean_of_all``; where nothing varies, but is not 0, the p-value of the sign test of units."""
    found = mean_of_all(values, groups)
    if found is None or found.p_value is not None or abs(found.value) < _FLAT:
        return found
    known = ~np.isnan(values)
    n_units = int(known.sum()) if groups is None else len(np.unique(groups[known]))
    is_constant = float(np.ptp(values[known])) < _FLAT
    if n_units < FEWEST_TESTED or not is_constant:
        return found
    return Estimate(found.value, None, 2.0 ** (1 - n_units), found.n_segments)


def self_preference(  # noqa: PLR0913  # what is compared, and whose it is
    opinion: Opinion,
    others: Sequence[Opinion],
    own: Sequence[int],
    n_systems: int,
    *,
    yardstick: str | None = None,
    verdicts: Comparisons | None = None,
    groups: Ints | None = None,
) -> SelfPreference | None:
    """How much more a judge prefers its own systems than others do; ``None`` where nothing can be compared.

    Args:
        opinion: The judge's.
        others: Those of a yardstick; their mean counts.
        own: The places of the judge's own systems.
        n_systems: K.
        yardstick: What the others are called; ``None`` for other judges.
        verdicts: What the judge's opinion is made of, if that is comparisons.
        groups: (S,), the unit of each segment; each segment is one unless given.
    """
    if not others or not own or len(own) == n_systems:
        return None
    sums, numbers = list[Floats](), list[Floats]()
    for first in own:
        for second in (place for place in range(n_systems) if place not in own):
            preferred = opinion.of(first, second)
            said = np.stack([one.of(first, second) for one in others])
            n_said = (~np.isnan(said)).sum(axis=0)
            mean = np.nansum(said, axis=0) / np.maximum(n_said, 1)
            both = ~np.isnan(preferred) & (n_said > 0)
            sums.append(np.where(both, [preferred, mean], 0.0))
            numbers.append(both.astype(np.float64))
    number = np.sum(numbers, axis=0)
    if not number.any():
        return None
    shares = np.sum(sums, axis=0) / np.where(number > 0, number, np.nan)
    found = tested(shares[0] - shares[1], groups)
    if found is None:
        return None
    is_own = None if verdicts is None else np.isin(verdicts.first, own) != np.isin(verdicts.second, own)
    return SelfPreference(
        yardstick,
        float(np.nanmean(shares[0])),
        float(np.nanmean(shares[1])),
        found.value,
        found.interval,
        found.p_value,
        int(number.sum()),
        found.n_segments,
        None if verdicts is None or is_own is None else float(np.isin(verdicts.first[is_own], own).mean()),
    )


def _agreed(opinion: Opinion, others: Sequence[Opinion]) -> Agreed | None:
    """Agreement with each of the others, added up."""
    n_same = n_pairs = 0
    for pair in opinion.pairs():
        own = opinion.of(*pair)
        for other in others:
            theirs = other.of(*pair)
            both = ~np.isnan(own) & ~np.isnan(theirs)
            n_same += int(np.count_nonzero(np.sign(own[both] - TIE) == np.sign(theirs[both] - TIE)))
            n_pairs += int(np.count_nonzero(both))
    return Agreed(n_same, n_pairs) if n_pairs else None


def _beside(opinion: Opinion, people: Opinion, metric: Opinion, groups: Ints | None) -> AgreedWithPeople | None:
    """Agreement of a judge and a metric with people, where all three say something."""
    counts = None
    for pair in opinion.pairs():
        own, theirs, scored = (np.sign(one.of(*pair) - TIE) for one in (opinion, people, metric))
        known = ~np.isnan(own) & ~np.isnan(theirs) & ~np.isnan(scored)
        found = np.stack([known & (own == theirs), known & (scored == theirs), known]).astype(np.float64)
        counts = found if counts is None else counts + found
    if counts is None or not counts[2].any():
        return None
    by_segment = (counts[0] - counts[1]) / np.where(counts[2] > 0, counts[2], np.nan)
    difference = tested(by_segment, groups)
    same, metric_same, n_pairs = counts.sum(axis=1).astype(int).tolist()
    if difference is None:
        return None
    return AgreedWithPeople(same, n_pairs, metric_same, difference.value, difference.interval, difference.p_value)
