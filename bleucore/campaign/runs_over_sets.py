"""Two recipes over all test sets that have both: items vary within each set, and runs vary from training to training.

Test sets are as they are. A run is one model on all of them, so it is a random factor within its recipe, crossed with
the sets: what counts is the weighted sum of its scores over the sets. The variance of a recipe's mean is that of these
sums between its runs, and that of the items of every set.

A run that lacks some sets takes part where it is. Its sum is then that of its distances from the mean of its recipe's
runs on each set, so that the sums of squares are those of runs as clusters (Cameron, Gelbach and Miller 2011).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bleucore.campaign.set_results import SetResult
from bleucore.counts import Floats
from bleucore.experiments.contrasts import ScoredRuns
from bleucore.experiments.recipe_contrast import Contrast, contrast
from bleucore.significance.units import FEWEST_TESTED


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

    def contrast(self, name: str, other: str, weights: Sequence[float], sets: Sequence[SetResult]) -> Contrast | None:
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
        first = used[0][0]
        shared = [each for each in first.systems if all(one.runs_of(each) for one, _ in used)]
        sums = [self._sums(each, used) for each in shared]
        scores, errors = (np.concatenate([one[place] for one in sums]) for place in (0, 1))
        n_units = sum(one.run_errors.shape[1] for one, _ in used)
        if n_units >= FEWEST_TESTED > errors.shape[1]:
            errors = np.pad(errors, ((0, 0), (0, FEWEST_TESTED - errors.shape[1])))
        recipes = np.repeat(np.arange(len(shared)), [len(one[0]) for one in sums])
        places = shared.index(name), shared.index(other)
        scored = ScoredRuns(
            tuple(map(str, range(len(scores)))),
            recipes,
            scores,
            errors,
            self._freedom([shared[place] for place in places], used),
            sum(one.n_segments for one, _ in used),
            first.unit,
        )
        return contrast(scored, *places)

    def _sums(self, system: str, used: Sequence[tuple[SetResult, float]]) -> tuple[Floats, Floats]:
        """The weighted sums of the scores of its runs over sets, (R,), and of their errors, (R, M)."""
        runs = list(dict.fromkeys(run for one, _ in used for run, _ in one.runs_of(system)))
        width = max(first + n_columns for first, _, n_columns in self._errors.values())
        apart, errors = np.zeros(len(runs)), np.zeros((len(runs), width))
        mean, mean_error = 0.0, np.zeros(width)
        for one, weight in used:
            first, columns = self._errors[one.name][0], self._rows(one, system)
            scores = np.array([score for _, score in one.runs_of(system)])
            rows = [runs.index(run) for run, _ in one.runs_of(system)]
            of_set = slice(first, first + columns.shape[1])
            share = weight * len(runs) / len(rows)
            mean += weight * float(scores.mean())
            mean_error[of_set] += weight * columns.mean(axis=0)
            apart[rows] += share * (scores - scores.mean())
            errors[rows, of_set] += share * (columns - columns.mean(axis=0))
        return mean + apart, mean_error + errors

    def _rows(self, one: SetResult, system: str) -> Floats:
        """The errors of a system's runs on a set."""
        place = one.systems.index(system)
        start = sum(map(len, one.runs[:place]))
        return self._errors[one.name][1][start : start + len(one.runs[place])]

    def _freedom(self, systems: Sequence[str], used: Sequence[tuple[SetResult, float]]) -> float:
        """The degrees of freedom of what items give to the difference of two systems (Satterthwaite 1946)."""
        groups: dict[int, list[tuple[Floats, float]]] = {}
        for one, weight in used:
            first, second = (self._rows(one, system).mean(axis=0) for system in systems)
            groups.setdefault(self._errors[one.name][0], []).append((weight * (first - second), one.run_freedom))
        sums = [np.sum([error for error, _ in group], axis=0) for group in groups.values()]
        terms = list(zip([float(one @ one) for one in sums], (group[0][1] for group in groups.values()), strict=True))
        spread = sum(variance for variance, _ in terms)
        if not spread:
            return sum(n_free for _, n_free in terms)
        return spread**2 / sum(variance**2 / n_free for variance, n_free in terms)
