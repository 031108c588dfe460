"""Two recipes over all test sets that have both: items vary within each set, and runs vary from training to training.

Test sets are as they are. A run is one model on all of them, so it is a random factor within its recipe, crossed with
the sets: what counts is the weighted sum of its scores over the sets. The variance of a recipe's mean is that of these
sums between its runs, and that of the items of every set.

Only runs that are on all these sets have such a sum, so p is of their mean alone. A recipe with one run on every set
counts as one run. If it has several somewhere but fewer than two on all sets, nothing shows how its sums vary: there
is no p. A variance put together from the runs of each set would be too small, because few runs carry most sets.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np

from bleucore.campaign.set_results import SetResult
from bleucore.counts import Floats
from bleucore.experiments.contrasts import ScoredRuns
from bleucore.experiments.recipe_contrast import Contrast, contrast
from bleucore.significance.units import FEWEST_TESTED
from bleucore.values import shown
from bleucore.written_numbers import count_of

TOO_FEW = "{} has several runs, but fewer than two are on every test set of this pair, so there is no p."
ON_ALL = "p includes only runs that are on every test set of this pair: {} and {}."
DISAGREE = "There is no p: runs that are on every test set reverse the difference of all runs."
_SEVERAL = 2

_Used: TypeAlias = Sequence[tuple[SetResult, float]]
"""The sets that count for a pair, each with its weight."""
_Places: TypeAlias = Sequence[Sequence[int]]
"""Where the runs of a recipe that are on all sets stand on each of them."""


@dataclass(frozen=True)
class OverSets:
    """What a pair says over the sets that have both systems, where one of them has several runs.

    Attributes:
        p_value: Two-sided; ``None`` without a test.
        n_runs: How many runs of each p includes; without a test all that a set has.
        remark: What to know of p, or why there is none.
    """

    p_value: float | None
    n_runs: tuple[int, int]
    remark: str | None


@dataclass(frozen=True, eq=False)
class RunsOverSets:
    """The runs of all sets, ready to be added up.

    Attributes:
        sets: Those that count.
    """

    sets: tuple[SetResult, ...]

    @property
    def has_runs(self) -> bool:
        """Whether a system has several runs on a set."""
        return any(len(runs) > 1 for one in self.sets for runs in one.runs)

    @cached_property
    def _errors(self) -> dict[str, tuple[int, Floats, int]]:
        """Of each set: its first column, the errors (L, M) of its runs in M columns, and M.

        Sets of the same sources share their columns, as they share what is hard to translate. All inner products are
        those of the errors by unit.
        """
        groups: dict[object, list[SetResult]] = {}
        for one in self.sets:
            key = (one.source_digest, one.run_errors.shape[1]) if one.source_digest is not None else one.name
            groups.setdefault(key, []).append(one)
        found, first = {}, 0
        for sets in groups.values():
            errors = np.concatenate([one.run_errors for one in sets]).astype(np.float64)
            if errors.shape[1] > len(errors):
                errors = np.asarray(np.linalg.qr(errors.T, mode="r")).T
            rows = np.cumsum([0, *(len(one.run_errors) for one in sets)])
            for one, start, end in zip(sets, rows[:-1], rows[1:], strict=True):
                found[one.name] = first, errors[start:end], errors.shape[1]
            first += errors.shape[1]
        return found

    def contrast(self, name: str, other: str, weights: Sequence[float], sets: Sequence[SetResult]) -> OverSets | None:
        """The weighted mean difference of two systems over the sets that have both; ``None`` where none has runs.

        Args:
            name: A system.
            other: Another one.
            weights: Of the differences, one of each set; 0 leaves a set out.
            sets: Those that have both.
        """
        used = [(one, weight / len(sets)) for one, weight in zip(sets, weights, strict=True) if weight]
        if not all(one.runs for one, _ in used) or not any(one.n_runs(name, other) for one, _ in used):
            return None
        known = {each: _all_runs(each, used) for each in (name, other)}
        on_all = {each: places for each in used[0][0].systems if (places := _runs_on_all(each, used))}
        n_known = len(known[name]), len(known[other])
        for each in known:
            if each not in on_all:
                return OverSets(None, n_known, TOO_FEW.format(shown(each)))
        found = self._contrast(list(on_all).index(name), list(on_all).index(other), on_all, used)
        if all(len(on_all[each][0]) == len(known[each]) for each in known):
            return OverSets(found.p_value, found.n_runs, found.remark)
        observed = sum(weight * ((one.score(name) or 0.0) - (one.score(other) or 0.0)) for one, weight in used)
        if observed * found.difference < 0:
            return OverSets(None, n_known, DISAGREE)
        told = (f"{count_of(n_runs, 'run')} of {shown(each)}" for each, n_runs in zip(known, found.n_runs, strict=True))
        return OverSets(found.p_value, found.n_runs, " ".join(filter(None, (ON_ALL.format(*told), found.remark))))

    def _contrast(self, place: int, other: int, on_all: Mapping[str, _Places], used: _Used) -> Contrast:
        """Two of these recipes, by their places, each with the places of its runs on every set."""
        sums = [self._sums(each, places, used) for each, places in on_all.items()]
        scores, errors = (np.concatenate([one[part] for one in sums]) for part in (0, 1))
        n_units = sum(one.run_errors.shape[1] for one, _ in used)
        if n_units >= FEWEST_TESTED > errors.shape[1]:
            errors = np.pad(errors, ((0, 0), (0, FEWEST_TESTED - errors.shape[1])))
        names = list(on_all)
        scored = ScoredRuns(
            tuple(map(str, range(len(scores)))),
            np.repeat(np.arange(len(on_all)), [len(one[0]) for one in sums]),
            scores,
            errors,
            self._freedom([(names[one], on_all[names[one]]) for one in (place, other)], used),
            sum(one.n_segments for one, _ in used),
            used[0][0].unit,
        )
        return contrast(scored, place, other)

    def _sums(self, system: str, places: _Places, used: _Used) -> tuple[Floats, Floats]:
        """The weighted sums of the scores of its runs over sets, (R,), and of their errors, (R, M)."""
        n_runs = len(places[0])
        width = max(first + n_columns for first, _, n_columns in self._errors.values())
        scores, errors = np.zeros(n_runs), np.zeros((n_runs, width))
        for (one, weight), rows in zip(used, places, strict=True):
            first, columns = self._errors[one.name][0], self._rows(one, system, rows)
            scores += weight * np.array([score for _, score in one.runs_of(system)])[list(rows)]
            errors[:, first : first + columns.shape[1]] += weight * columns
        return scores, errors

    def _rows(self, one: SetResult, system: str, rows: Sequence[int]) -> Floats:
        """The errors of these runs of a system on a set."""
        start = sum(map(len, one.runs[: one.systems.index(system)]))
        return self._errors[one.name][1][[start + row for row in rows]]

    def _freedom(self, systems: Sequence[tuple[str, _Places]], used: _Used) -> float:
        """The degrees of freedom of what items give to the difference of two systems (Satterthwaite 1946)."""
        groups: dict[int, list[tuple[Floats, float]]] = {}
        for place, (one, weight) in enumerate(used):
            first, second = (self._rows(one, system, places[place]).mean(axis=0) for system, places in systems)
            groups.setdefault(self._errors[one.name][0], []).append((weight * (first - second), one.run_freedom))
        sums = [np.sum([error for error, _ in group], axis=0) for group in groups.values()]
        terms = list(zip([float(one @ one) for one in sums], (group[0][1] for group in groups.values()), strict=True))
        spread = sum(variance for variance, _ in terms)
        if not spread:
            return sum(n_free for _, n_free in terms)
        return spread**2 / sum(variance**2 / n_free for variance, n_free in terms)


def _all_runs(system: str, used: _Used) -> Sequence[str]:
    """Its runs on any of these sets; one where every set has one, however that is called."""
    of_sets = [[run for run, _ in one.runs_of(system)] for one, _ in used]
    if all(len(runs) == 1 for runs in of_sets):
        return of_sets[0]
    return list(dict.fromkeys(run for runs in of_sets for run in runs))


def _runs_on_all(system: str, used: _Used) -> _Places | None:
    """Where its runs that are on all these sets stand on each; ``None`` where these do not show how its runs vary."""
    of_sets = [[run for run, _ in one.runs_of(system)] for one, _ in used]
    if all(len(runs) == 1 for runs in of_sets):
        return [[0]] * len(used)
    common = [run for run in of_sets[0] if all(run in runs for runs in of_sets)]
    if len(common) < _SEVERAL:
        return None
    return [[runs.index(run) for run in common] for runs in of_sets]
