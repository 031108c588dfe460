"""A campaign as it is shown: its cells with ranks and clusters, the order of its systems, and groups of its sets."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from statistics import stdev
from types import MappingProxyType
from typing import Literal, get_args

import numpy as np

from bleucore import BleuOptions
from bleucore.campaign import Campaign, CampaignPair, SetPair, SetResult, set_pair_verdict
from bleucore.metrics import MetricOptions
from bleuscope.content.style.identity import SystemStyle, identities
from bleuscope.content.style.markup import fact

Grouping = Literal["none", "language", "direction", "domain"]
GROUPINGS: tuple[Grouping, ...] = get_args(Grouping)
BY_RANK, BY_NAME = "best first", "name"
UNKNOWN = "not known"
ENGLISH = "en"
FROM_ENGLISH, INTO_ENGLISH, OTHERS = "from English", "into English", "other directions"
TWO = 2


@dataclass(frozen=True)
class MatrixCell:
    """A system on a test set.

    Attributes:
        score: Of the system there.
        interval: 95 % interval of the score; ``None`` where there is none.
        rank: 1 + the number of systems with a better score there.
        cluster: The number of its cluster, 1 the best; ``None`` where there is none, or a text of the set has an error.
        is_unsurpassed: Whether no system is significantly ahead of it there; ``None`` where not all pairs are compared,
            or a text of the set has an error.
        share: Where the score lies between the worst (0) and the best (1) of the set.
        against: The difference from the baseline with its test; ``None`` without a baseline there, and of itself.
        runs: The scores of its runs, where it has several; else empty.
    """

    score: float
    interval: tuple[float, float] | None
    rank: int
    cluster: int | None
    is_unsurpassed: bool | None
    share: float
    against: SetPair | None
    runs: tuple[float, ...] = ()

    @property
    def deviation(self) -> float | None:
        """The standard deviation of the scores of its runs; ``None`` of one."""
        return stdev(self.runs) if len(self.runs) > 1 else None


@dataclass(frozen=True)
class SetGroup:
    """Some test sets under a heading; empty where sets are not grouped."""

    title: str
    sets: tuple[SetResult, ...]


@dataclass(frozen=True, eq=False)
class CampaignView:
    """A campaign with all that is shown of it.

    Attributes:
        title: What to call it.
        campaign: What its sets say, each and together.
        left_out: Files that belong to no set, each with the reason.
        failed: Test sets that could not be scored, each with the reason.
        against: The system that differences by set are shown from.
        scoring: How its sets are scored.
    """

    title: str
    campaign: Campaign
    left_out: tuple[tuple[str, str], ...] = ()
    failed: tuple[tuple[str, str], ...] = ()
    against: str = ""
    scoring: MetricOptions = field(default_factory=BleuOptions)

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of all systems, in the order of the campaign."""
        return self.campaign.systems

    @property
    def sets(self) -> tuple[SetResult, ...]:
        """The test sets, in the order of the campaign."""
        return self.campaign.sets

    @property
    def counted(self) -> tuple[SetResult, ...]:
        """The test sets that everything which is said of all together rests on."""
        return self.campaign.counted or self.sets

    @property
    def baseline(self) -> str | None:
        """The system that was chosen for the others to be measured against."""
        return self.campaign.baseline

    @property
    def metric(self) -> str:
        """The name of the metric."""
        return self.sets[0].metric

    @property
    def higher_is_better(self) -> bool:
        """Which way the metric points."""
        return self.campaign.higher_is_better

    @cached_property
    def recipes(self) -> Mapping[str, tuple[str, ...]]:
        """The runs of each system over all sets: most often it is its only run."""
        return {
            name: tuple(dict.fromkeys(run for one in self.sets for run, _ in one.runs_of(name)))
            for name in self.systems
        }

    @property
    def has_single_pairs(self) -> bool:
        """Whether some pair over all test sets is of two single runs, which a test by exchange compares."""
        return any(one.n_runs is None for one in self.campaign.pairs)

    @property
    def has_runs(self) -> bool:
        """Whether systems are recipes with several runs."""
        return any(len(runs) > 1 for runs in self.recipes.values())

    def run_on(self, system: str, set_name: str) -> str:
        """The output that stands for a system where texts are read: the first of its runs on a test set."""
        return next((run for run, _ in self.campaign.set_called(set_name).runs_of(system)), system)

    @cached_property
    def measured_against(self) -> str:
        """What differences by set are shown from: the baseline, or the system that is ahead."""
        return self.baseline or self.against or self.order()[0]

    @cached_property
    def looks(self) -> Mapping[str, SystemStyle]:
        """How each system is drawn."""
        return identities(self.systems, self.baseline)

    @cached_property
    def cells(self) -> Mapping[tuple[str, str], MatrixCell]:
        """Each cell by system and test set; what is missing is not there."""
        return MappingProxyType({key: cell for one in self.sets for key, cell in _cells(one, self.baseline)})

    @cached_property
    def won_and_lost(self) -> Mapping[str, tuple[int, int]]:
        """How often each system has a better score than another one on a test set that counts, and a worse one."""
        found = dict.fromkeys(self.systems, (0, 0))
        for one in self.counted:
            gains = np.sign(np.subtract.outer(one.scores, one.scores)) * (1 if one.higher_is_better else -1)
            for name, of_system in zip(one.systems, gains, strict=True):
                wins, losses = found[name]
                found[name] = wins + int((of_system > 0).sum()), losses + int((of_system < 0).sum())
        return MappingProxyType(found)

    def against_on(self, one: SetResult, name: str) -> SetPair | None:
        """A system's difference on a test set from the one that differences are shown from; ``None`` where it lacks.

        Corrected for the comparisons with the baseline where that is it, else for all pairs of the set.
        """
        found = (one.pair if self.baseline is None else one.planned_pair)(name, self.measured_against)
        return _without_star_of_faulty(one, found, self.baseline)

    def opened_pair(self, system: str, set_name: str) -> tuple[str, str] | None:
        """Systems A and B of the comparison that a cell opens: B is its system; ``None`` where that is alone."""
        one = self.campaign.set_called(set_name)
        ranked = sorted(one.systems, key=lambda name: self.cells[name, set_name].rank)
        others = [name for name in (self.measured_against, *ranked) if name in one.systems and name != system]
        return (others[0], system) if others else None

    def needs_check(self, system: str, set_name: str) -> str | None:
        """What is wrong with the texts that a cell opens: its verdict is to check them first; else ``None``."""
        pair = self.opened_pair(system, set_name)
        if pair is None:
            return None
        found = set_pair_verdict(self.campaign.set_called(set_name), pair[1], pair[0], self.baseline)
        return found.reason if found.state == "check-texts" else None

    @cached_property
    def faulty_sets(self) -> tuple[str, ...]:
        """The names of the test sets with an error in their texts."""
        return tuple(one.name for one in self.sets if one.error is not None)

    @property
    def are_checked(self) -> bool:
        """Whether the texts of all sets were checked."""
        return all(one.findings is not None for one in self.sets)

    def n_sets_of(self, system: str) -> int:
        """How many sets have the system."""
        return sum((system, one.name) in self.cells for one in self.sets)

    def order(self, by: str = BY_RANK) -> tuple[str, ...]:
        """The systems in an order: by their names, by a test set's scores, or best first over all sets.

        Best first means by mean ranks; without a set that has every system, by wins less losses.

        Args:
            by: ``BY_RANK``, ``BY_NAME`` or the name of a set; what that has no score of comes last.
        """
        if by == BY_NAME:
            return tuple(sorted(self.systems, key=str.casefold))
        best_first = sorted(self.systems, key=self._standing)
        if by == BY_RANK:
            return tuple(best_first)
        return tuple(sorted(best_first, key=lambda name: _rank_in(self.cells.get((name, by)))))

    def _standing(self, name: str) -> tuple[float, int]:
        """The lower, the better: the mean rank where there is one, then losses less wins."""
        rank, (wins, losses) = self.campaign.mean_rank(name), self.won_and_lost[name]
        return (0.0 if rank is None else rank, losses - wins)

    @property
    def order_of_differences(self) -> tuple[str, ...]:
        """The systems that share a test set with the one that differences are shown from, best first."""
        against = self.measured_against
        return tuple(name for name in self.order() if any(one.pair(name, against) is not None for one in self.sets))

    def groups(self, by: Grouping = "none") -> tuple[SetGroup, ...]:
        """The test sets in groups, each in the order of the campaign."""
        if by == "none":
            return (SetGroup("", self.sets),)
        found: dict[str, list[SetResult]] = {}
        for one in self.sets:
            found.setdefault(TITLES[by](one), []).append(one)
        return tuple(SetGroup(title, tuple(sets)) for title, sets in found.items())

    @cached_property
    def pairs(self) -> tuple[CampaignPair, ...]:
        """The pairs that share a set, B (``name``) being the one that is ahead, or not the baseline.

        Best first: in the order of B, then of A.
        """
        places = {name: place for place, name in enumerate(self.order())}
        shared = [one for one in self.campaign.pairs if one.sets]
        if self.baseline is None:
            shared = [one.turned() if _is_behind(one, places) else one for one in shared]
        return tuple(sorted(shared, key=lambda one: (places[one.name], places[one.other])))

    @property
    def compares_all_pairs(self) -> bool:
        """Whether clusters, and who is ahead of whom, are known on some test set."""
        return any(one.rank_ranges is not None for one in self.sets)

    @property
    def facts(self) -> list[tuple[str, str]]:
        """What it holds, as value and name."""
        pairs = {one.languages for one in self.sets if any(one.languages)}
        n_cells = len(self.cells)
        found = [
            fact(len(self.sets), "test set"),
            fact(len(self.systems), "system"),
            fact(n_cells, "output"),
            fact(sum(one.n_segments for one in self.sets), "segment"),
        ]
        return [*found, *([fact(len(pairs), "language pair")] if pairs else [])]


def languages_of(one: SetResult) -> str:
    """The language pair: ``en-de``; empty where nothing is known."""
    source, target = one.languages
    return f"{source or '?'}-{target or '?'}" if source or target else ""


def _direction(one: SetResult) -> str:
    source, target = (language and language.partition("-")[0] for language in one.languages)
    if source == ENGLISH and target != ENGLISH:
        return FROM_ENGLISH
    if target == ENGLISH and source != ENGLISH:
        return INTO_ENGLISH
    return OTHERS if source or target else UNKNOWN


TITLES: Mapping[Grouping, Callable[[SetResult], str]] = MappingProxyType(
    {
        "language": lambda one: one.languages[1] or UNKNOWN,
        "direction": _direction,
        "domain": lambda one: one.domain or UNKNOWN,
    }
)
"""What the group of a set is called."""


def groupings_of(sets: Sequence[SetResult]) -> tuple[Grouping, ...]:
    """How sets can be grouped: by what tells some of them apart."""
    return ("none", *(by for by in GROUPINGS[1:] if len({TITLES[by](one) for one in sets}) > 1))


def _cells(one: SetResult, baseline: str | None) -> list[tuple[tuple[str, str], MatrixCell]]:
    scores = np.array(one.scores) if one.higher_is_better else -np.array(one.scores)
    low, high = float(scores.min()), float(scores.max())
    return [
        (
            (name, one.name),
            MatrixCell(
                one.scores[place],
                one.intervals[place],
                1 + int((scores > scores[place]).sum()),
                None if one.error is not None else one.cluster(name),
                None if one.error is not None or one.rank_ranges is None else one.rank_ranges[place][0] == 1,
                (float(scores[place]) - low) / (high - low) if high > low else 1.0,
                None if baseline is None else _without_star_of_faulty(one, one.planned_pair(name, baseline), baseline),
                tuple(score for _, score in runs) if len(runs := one.runs_of(name)) > 1 else (),
            ),
        )
        for place, name in enumerate(one.systems)
    ]


def _without_star_of_faulty(one: SetResult, pair: SetPair | None, baseline: str | None) -> SetPair | None:
    """A pair of a test set; without a star where its verdict is to check the texts first."""
    if pair is None or not pair.is_significant or one.error is None:
        return pair
    found = set_pair_verdict(one, pair.name, pair.other, baseline)
    return replace(pair, is_significant=False) if found.state == "check-texts" else pair


def _rank_in(cell: MatrixCell | None) -> float:
    return float("inf") if cell is None else cell.rank


def _is_behind(pair: CampaignPair, places: Mapping[str, int]) -> bool:
    gain = pair.mean_gain
    return gain < 0 if gain else places[pair.name] > places[pair.other]
