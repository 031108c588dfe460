"""How often a factor without an effect is called one, in a design of 2 models, 3 prompts and 3 temperatures.

A part of ``make calibration``. Outputs are real: each takes every segment from one of two systems, the second with a
probability that is drawn anew for each run, as in ``runs.py``. *null*: no factor has an effect. *model*: one model is
better, prompts and temperatures are not. *combination*: what is best for one model is worst for another, without any
main effect. The program ends with status 1 if a factor without an effect is called significant in less than 3 or more
than 7 % of draws, by more than three standard errors. Less is allowed where runs vary less than segments make them
differ, and where effects in combination stand for the variance of runs.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))

from calibration import Floats, Map, Rate
from runs import CHUNK, REJECTED, Cell, Ends, drawn_runs, is_within, printed

from bleucore.experiments.contrasts import ScoredRuns
from bleucore.experiments.design import Run, RunDesign
from bleucore.experiments.factors import mean_changes

DESIGN = {"model": ("a", "b"), "prompt": ("x", "y", "z"), "temperature": ("0", "0.5", "1")}
MODELS_APART, COMBINED = 0.2, 0.08
"""How far probabilities of two models are apart, and the largest effect in combination."""
KINDS = ("null", "model", "combination")
SPREADS = (0.0, 0.2, 0.5)
RUNS = (1, 2, 3)


@dataclass(frozen=True)
class Design:
    """What is drawn: how many units and runs of each recipe, how much runs vary, and what has an effect."""

    n_units: int
    n_runs: int
    spread: float
    kind: str
    by_document: bool = False

    @property
    def recipes(self) -> list[tuple[str, ...]]:
        """The levels of each recipe."""
        return list(product(*DESIGN.values()))

    @property
    def runs(self) -> RunDesign:
        """The runs, named by their recipes."""
        return RunDesign(
            tuple(
                Run(
                    f"{', '.join(levels)}, seed {seed}",
                    ", ".join(levels),
                    str(seed),
                    dict(zip(DESIGN, levels, strict=True)),
                )
                for levels in self.recipes
                for seed in range(self.n_runs)
            )
        )

    def middles(self) -> Floats:
        """(18, 1): the mean probability of the second system for each recipe."""
        found = np.full(len(self.recipes), 0.5)
        if self.kind == "model":
            found += [MODELS_APART * (levels[0] == "b") - MODELS_APART / 2 for levels in self.recipes]
        if self.kind == "combination":
            turned = {level: place - 1 for place, level in enumerate(DESIGN["prompt"])}
            found += [COMBINED * turned[levels[1]] * (1 if levels[0] == "b" else -1) for levels in self.recipes]
        return found[:, None]

    @property
    def factors_without_effect(self) -> tuple[str, ...]:
        """Whose calls are wrong."""
        return tuple(name for name in DESIGN if (name, self.kind) != ("model", "model"))


def chunk(ends: Ends, design: Design, seed: int, indices: range) -> Floats:
    """A row for each draw: the smallest corrected p of each factor, and the variance of a run by segments alone."""
    cell = Cell(design.n_units, design.n_runs, design.spread, by_document=design.by_document)
    deviation, rows = design.spread / ends.slope, []
    for index in indices:
        key = (seed, design.n_units, design.n_runs, int(1000 * design.spread), KINDS.index(design.kind), index)
        rng = np.random.default_rng(key)
        noise = deviation * rng.standard_normal((len(design.recipes), design.n_runs))
        found = drawn_runs(ends, cell, np.clip(design.middles() + noise, 0, 1), rng)
        rows.append([*_p_values(found, design.runs), _by_segments(found)])
    return np.array(rows, np.float64)


def _p_values(found: ScoredRuns, design: RunDesign) -> list[float]:
    named = ScoredRuns(
        tuple(run.system for run in design.runs),
        found.recipes,
        found.scores,
        found.errors,
        found.n_free,
        found.n_segments,
        found.unit,
    )
    return [
        min(change.p_value if change.p_value is not None else 1.0 for change in mean_changes(named, design, factor))
        for factor in DESIGN
    ]


def _by_segments(found: ScoredRuns) -> float:
    """The variance of a score that segments alone make, between runs with the same probability."""
    errors = found.errors - found.errors.mean(axis=0)
    return float((errors**2).sum()) / (len(found.names) - 1)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; 1 if something does not hold."""
    return printed(_arguments(arguments), _tables)


def _tables(ends: Ends, given: argparse.Namespace, run: Map) -> bool:
    asked = [(n_units, False) for n_units in given.segments] + [(n_units, True) for n_units in given.documents]
    return print_table(ends, asked, draws=given.draws, seed=given.seed, run=run)


def print_table(ends: Ends, asked: Sequence[tuple[int, bool]], *, draws: int, seed: int, run: Map = map) -> bool:
    """Print a row for each kind, number of units, spread of runs and number of runs; whether all holds."""
    print("\n| effect | units | s.d. by segments | s.d. of runs | runs | " + " | ".join(DESIGN) + " |")
    print("|---" * (5 + len(DESIGN)) + "|")
    holds = True
    indices = [range(first, min(first + CHUNK, draws)) for first in range(0, draws, CHUNK)]
    for kind, (n_units, by_document), spread, n_runs in product(KINDS, asked, SPREADS, RUNS):
        design = Design(n_units, n_runs, spread, kind, by_document)
        found = np.concatenate(list(run(partial(chunk, ends, design, seed), indices)))
        of_segments = float(np.sqrt(found[:, -1].mean()))
        may_be_fewer = spread < of_segments or (n_runs == 1 and kind == "combination")
        rates = [Rate(float((found[:, place] < 0.05).mean()), draws) for place in range(len(DESIGN))]
        for factor, rate in zip(DESIGN, rates, strict=True):
            if factor in design.factors_without_effect:
                holds &= is_within(rate, (0.0 if may_be_fewer else REJECTED[0], REJECTED[1]))
        units = f"{n_units:,} {'documents' if by_document else 'segments'}"
        cells = [kind, units, f"{of_segments:.2f}", f"{spread:g}", str(n_runs), *map(str, rates)]
        print("| " + " | ".join(cells) + " |", flush=True)
    return holds


def _arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, help="real texts, as calibration.py reads them")
    parser.add_argument("--segments", type=int, nargs="*", default=[500, 2000], help="segments in a draw")
    parser.add_argument("--documents", type=int, nargs="*", default=[30], help="documents in a draw")
    parser.add_argument("--draws", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
