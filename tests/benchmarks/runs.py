"""How often recipes that do not differ are called different, and how often intervals hold the truth.

A part of ``make calibration``. A run takes each segment from one of two systems, the second with a probability that is
drawn anew for each run, so that runs have a known true spread. Each draw takes segments, or whole documents, with
replacement and draws new runs. *equal*: two groups of runs of one recipe. *recipes*: two recipes whose mean
probabilities differ, and whose true difference is known. *families*: many recipes, every other one of which differs,
compared with the variance of all runs, as the page Runs and leaderboards do it. *noisy*: the same where the runs of one
recipe vary three times as much. *histories*: versions of the same quality with several runs. *campaigns*:
recipes of the same quality on several test sets, each run with one probability on all of them. The program ends with
status 1 if a figure misses what it has to hold by more than three standard errors.
"""

import argparse
import os
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))

import calibration
from calibration import Floats, Ints, Map, Rate

from bleucore import BleuOptions, InputError, System, TestSet
from bleucore.campaign import combine, set_result
from bleucore.evaluation import evaluate_metric
from bleucore.experiments.contrasts import ScoredRuns, estimate, scales_of
from bleucore.experiments.recipe_contrast import contrast, mean_estimate
from bleucore.history import version_history
from bleucore.metrics import METRICS
from bleucore.significance import ComparedSystems, SignificanceOptions
from bleucore.significance.blocks import BlockLayout
from bleucore.significance.few_units import influences
from bleucore.significance.units import Units

SPREADS = (0.2, 0.35, 0.5, 0.7)
"""Standard deviations of the true scores of runs, in points of the metric."""
RUNS = (2, 3, 5)
APART = 0.2
"""How far the mean probabilities of two recipes are apart."""
LARGEST_DEVIATION = 0.25
"""Of the probability between runs: more would be cut off at 0 and 1."""
REJECTED, COVERED = (0.03, 0.07), (0.93, 0.97)
"""Where runs vary less than segments make two runs of one recipe differ, fewer may be rejected and more covered: the
variance of runs is not taken to be below 0."""
RECIPES = (5, 10)
"""In a family."""
TIMES_NOISY = 3.0
FAMILY_SPREAD, FAMILY_SEGMENTS = 0.5, 500
N_VERSIONS, N_SETS = 5, 4
LAYOUTS = (5, 2, 2, 2), (10, 10, 3, 3), (5, 1, 1, 1), (3, 3, 3, 1)
"""Runs of each recipe on each set, where some sets lack some."""
SAMPLE = Path(__file__).parents[2] / "sample_data"
SAMPLE_SYSTEMS = ("neural-10k", "neural-20k")
CHUNK = 50
OPTIONS = BleuOptions()


@dataclass(frozen=True)
class Ends:
    """Two systems that runs are made of: counts (2, S, C), and the segments of each document."""

    title: str
    counts: Ints
    documents: Sequence[Ints] = ()

    def score(self, counts: Floats) -> Floats:
        """BLEU."""
        return METRICS[BleuOptions].draw_scores(counts, OPTIONS)

    def truth(self, shares: Floats) -> Floats:
        """The scores of runs with these probabilities of the second system."""
        sums = self.counts.sum(axis=1).astype(np.float64)
        return self.score((1 - shares[..., None]) * sums[0] + shares[..., None] * sums[1])

    @property
    def slope(self) -> float:
        """By how much the true score rises with the probability, in the middle."""
        low, high = self.truth(np.array([0.4, 0.6]))
        return float(high - low) / 0.2


@dataclass(frozen=True)
class Cell:
    """What is drawn again and again: units, runs of each recipe, their s.d., and how far the recipes are apart."""

    n_units: int
    n_runs: int
    spread: float
    apart: float = 0.0
    by_document: bool = False


def ends_of(texts: TestSet, names: Sequence[str], title: str) -> Ends:
    """Two systems of a test set."""
    evaluated = evaluate_metric(texts, OPTIONS)
    _, groups = np.unique(np.array(texts.documents or range(texts.n_segments)), return_inverse=True)
    documents = [np.flatnonzero(groups == place) for place in range(int(groups.max()) + 1)]
    return Ends(title, np.stack([evaluated.systems[name].counts for name in names]), documents)


def sample_ends() -> Ends:
    """Two systems of the sample."""
    columns = {name: (SAMPLE / f"{name}.txt").read_text("utf-8").splitlines() for name in SAMPLE_SYSTEMS}
    references = [(SAMPLE / f"reference-{letter}.txt").read_text("utf-8").splitlines() for letter in "AB"]
    documents = (SAMPLE / "documents.txt").read_text("utf-8").splitlines()
    texts = TestSet([System(*one) for one in columns.items()], references, documents=documents)
    return ends_of(texts, SAMPLE_SYSTEMS, "the sample")


def drawn_counts(ends: Ends, cell: Cell, shares: Floats, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """Counts (K, N, C) of runs with these probabilities on segments, or on whole documents, and their sizes (N,)."""
    if cell.by_document:
        chosen = [ends.documents[place] for place in rng.integers(len(ends.documents), size=cell.n_units)]
        rows, sizes = np.concatenate(chosen), np.array([len(each) for each in chosen], np.int64)
    else:
        rows, sizes = rng.integers(ends.counts.shape[1], size=cell.n_units), np.ones(cell.n_units, np.int64)
    taken = (rng.random((shares.size, len(rows))) < shares.reshape(-1, 1)).astype(np.int64)
    return np.add.reduceat(ends.counts[taken, rows], np.cumsum(sizes) - sizes, axis=1), sizes


def drawn_runs(ends: Ends, cell: Cell, shares: Floats, rng: np.random.Generator) -> ScoredRuns:
    """Runs with these probabilities (K, r) of K recipes, on segments or whole documents drawn with replacement."""
    counts, sizes = drawn_counts(ends, cell, shares, rng)
    layout = BlockLayout(np.repeat(np.arange(cell.n_units), sizes), cell.n_units) if cell.by_document else None
    scales, n_free = scales_of(Units("document" if cell.by_document else "segment", layout, cell.n_units))
    return ScoredRuns(
        tuple(map(str, range(shares.size))),
        np.repeat(np.arange(len(shares)), shares.shape[1]),
        np.asarray(ends.score(counts.sum(axis=1))),
        np.stack([scales * influences(each, sizes, ends.score) for each in counts]),
        n_free,
        int(sizes.sum()),
        "document" if cell.by_document else "segment",
    )


def chunk(ends: Ends, cell: Cell, seed: int, indices: range) -> Floats:
    """A row for each draw.

    p of the recipes, whether the intervals of the difference and of the first mean hold the truth, whether two single
    runs compared as systems differ, the width of the interval, and the variance of a run's score that is interaction.
    """
    rows = []
    n_runs, deviation = cell.n_runs, cell.spread / ends.slope
    middles = np.array([[0.5 - cell.apart / 2], [0.5 + cell.apart / 2]])
    many = middles + deviation * np.random.default_rng(seed).standard_normal((2, 20_000))
    truth = ends.truth(np.clip(many, 0, 1)).mean(axis=1)
    contrast = np.repeat([1.0, -1.0], n_runs) / n_runs
    first, single = np.maximum(contrast, 0), np.zeros(2 * n_runs)
    single[0], single[n_runs] = 1, -1
    for index in indices:
        rng = np.random.default_rng((seed, cell.n_units, n_runs, int(1000 * cell.spread), index))
        shares = np.clip(middles + deviation * rng.standard_normal((2, n_runs)), 0, 1)
        runs = drawn_runs(ends, cell, shares, rng)
        found, mean = estimate(runs, contrast), estimate(runs, first)
        (low, high), (low_mean, high_mean) = found.interval(), mean.score_interval()
        error = float(np.sqrt(((single @ runs.errors) ** 2).sum()))
        rows.append(
            [
                1.0 if found.p_value is None else found.p_value,
                low <= truth[0] - truth[1] <= high,
                low_mean <= truth[0] <= high_mean,
                abs(float(single @ runs.scores)) > 1.96 * error,
                high - low,
                found.parts.interaction * n_runs / 2,
            ]
        )
    return np.array(rows, np.float64)


def family_chunk(ends: Ends, cell: Cell, n_recipes: int, times: float, seed: int, indices: range) -> Floats:
    """A row for each draw of a family of recipes.

    Of equal recipes: the share of pairs that differ, of the worst pair of the first recipe, and whether any pair has a
    star. Of recipes apart: the share of pairs, and of means, whose intervals hold the truth; and the mean width.
    """
    rows = []
    n_runs, deviation = cell.n_runs, np.full((n_recipes, 1), cell.spread / ends.slope)
    deviation[0] *= times
    pairs = list(combinations(range(n_recipes), 2))
    sides = np.where(np.arange(n_recipes) % 2, 0.5, -0.5)[:, None]
    many = np.random.default_rng(seed).standard_normal((1, 20_000))
    truths = ends.truth(np.clip(0.5 + cell.apart * sides + deviation * many, 0, 1)).mean(axis=1)
    for index in indices:
        rng = np.random.default_rng((seed, n_recipes, n_runs, int(10 * times), index))
        noise = deviation * rng.standard_normal((n_recipes, n_runs))
        equal = drawn_runs(ends, cell, np.clip(0.5 + noise, 0, 1), rng)
        claims = {pair: contrast(equal, *pair) for pair in pairs}
        p_values = {pair: 1.0 if one.p_value is None else one.p_value for pair, one in claims.items()}
        apart = drawn_runs(ends, cell, np.clip(0.5 + cell.apart * sides + noise, 0, 1), rng)
        intervals = [
            (contrast(apart, *pair).interval(1) or (0.0, 0.0), truths[pair[0]] - truths[pair[1]]) for pair in pairs
        ]
        means = [(mean_estimate(apart, place).score_interval(), truth) for place, truth in enumerate(truths)]
        rows.append(
            [
                np.mean([p < 0.05 for p in p_values.values()]),
                np.mean([p < 0.05 for pair, p in p_values.items() if 0 in pair]),
                min(p_values.values()) * len(pairs) < 0.05,
                *(np.mean([low <= true <= high for (low, high), true in held]) for held in (intervals, means)),
                np.mean([high - low for (low, high), _ in intervals]),
            ]
        )
    return np.array(rows, np.float64)


def history_chunk(ends: Ends, cell: Cell, seed: int, indices: range) -> Floats:
    """A row for each history of equal versions with runs: whether any has a star against the last, or the best."""
    rows = []
    for index in indices:
        rng = np.random.default_rng((seed, 77, cell.n_runs, index))
        noise = cell.spread / ends.slope * rng.standard_normal((N_VERSIONS, cell.n_runs))
        counts, _ = drawn_counts(ends, cell, np.clip(0.5 + noise, 0, 1), rng)
        names = [[f"v{version}-{run}" for run in range(cell.n_runs)] for version in range(N_VERSIONS)]
        systems = list(zip([name for each in names for name in each], counts, strict=True))
        runs = {f"v{version}": tuple(each) for version, each in enumerate(names)}
        options = SignificanceOptions(trials=100, resamples=100, unit="segment", seed=index)
        found = version_history(ComparedSystems(systems, ends.score), options, runs=runs).versions
        rows.append(
            [
                any(one.before is not None and one.before.is_significant for one in found),
                any(one.best is not None and one.best.is_significant for one in found),
            ]
        )
    return np.array(rows, np.float64)


def campaign_chunk(
    ends: Ends, cell: Cell, n_recipes: int, seed: int, indices: range, *, layout: Sequence[int] | None = None
) -> Floats:
    """A row for each campaign of equal recipes: p of the first two, and whether any pair has a star.

    Then whether the first run of the one is significantly different from the first run of the other, as systems. With a
    layout, each set has only the first so many runs of each recipe.
    """
    rows = []
    for index in indices:
        rng = np.random.default_rng((seed, 99, n_recipes, cell.n_runs, index))
        noise = cell.spread / ends.slope * rng.standard_normal((n_recipes, cell.n_runs))
        names = [[f"r{recipe}-{run}" for run in range(cell.n_runs)] for recipe in range(n_recipes)]
        recipes = {f"r{place}": tuple(each) for place, each in enumerate(names)}
        options = SignificanceOptions(trials=199, resamples=50, unit="segment", seed=index)
        found, single = [], []
        for place in range(N_SETS):
            counts, _ = drawn_counts(ends, cell, np.clip(0.5 + noise, 0, 1), rng)
            systems = dict(zip([name for each in names for name in each], counts, strict=True))
            told = {"digest": str(place), "metric": "BLEU", "signature": "", "options": options}
            both = {name: systems[name] for name in (names[0][0], names[1][0])}
            here = {name: runs[: layout[place] if layout else None] for name, runs in recipes.items()}
            held = [(run, systems[run]) for runs in here.values() for run in runs]
            found.append(set_result(str(place), ComparedSystems(held, ends.score), recipes=here, **told))
            single.append(set_result(str(place), ComparedSystems([*both.items()], ends.score), **told))
        pairs = combine(found).pairs
        as_systems = combine(single).pairs[0].p_value
        p_value = pairs[0].p_value
        rows.append(
            [
                1.0 if p_value is None else p_value,
                any(one.is_significant for one in pairs),
                (1.0 if as_systems is None else as_systems) < 0.05,
            ]
        )
    return np.array(rows, np.float64)


def print_campaigns(ends: Ends, *, draws: int, seed: int, run: Map = map) -> bool:
    """Print how often equal recipes differ over several test sets, and single runs as systems."""
    print(f"\nEqual recipes over {N_SETS} test sets of {FAMILY_SEGMENTS} segments: {draws:,} campaigns each\n")
    print("| recipes | runs | single runs as systems | recipes, p < .05 | any star |\n|---|---|---|---|---|")
    holds = True
    for n_recipes in (2, RECIPES[0]):
        for n_runs in RUNS:
            cell = Cell(FAMILY_SEGMENTS, n_runs, FAMILY_SPREAD)
            found = np.concatenate(list(run(partial(campaign_chunk, ends, cell, n_recipes, seed), _chunks(draws))))
            rejected, stars, single = (
                Rate(float(one.mean()), draws) for one in (found[:, 0] < 0.05, found[:, 1], found[:, 2])
            )
            holds &= is_within(rejected, (0.0, REJECTED[1])) and is_within(stars, (0.0, REJECTED[1]))
            cells = [str(n_recipes), str(n_runs), *map(str, (single, rejected, stars))]
            print("| " + " | ".join(cells) + " |", flush=True)
    return holds & print_layouts(ends, draws=draws, seed=seed, run=run)


def print_layouts(ends: Ends, *, draws: int, seed: int, run: Map = map) -> bool:
    """Print how often two equal recipes differ where sets lack runs; without two runs on all sets there is no p."""
    print("\n| runs on each set | recipes, p < .05 |\n|---|---|")
    holds = True
    for layout in LAYOUTS:
        cell = Cell(FAMILY_SEGMENTS, max(layout), FAMILY_SPREAD)
        chunk = partial(campaign_chunk, ends, cell, 2, seed, layout=layout)
        rejected = Rate(float((np.concatenate(list(run(chunk, _chunks(draws))))[:, 0] < 0.05).mean()), draws)
        holds &= is_within(rejected, (0.0, REJECTED[1]))
        print(f"| {', '.join(map(str, layout))} | {rejected} |", flush=True)
    return holds


def print_families(ends: Ends, recipes: Sequence[int], *, draws: int, seed: int, run: Map = map) -> bool:
    """Print a row for each number of recipes and of runs, with runs that vary alike and with a noisy recipe."""
    holds = True
    heads = [
        "recipes",
        "runs",
        "noisy",
        "pairs, p < .05",
        "of the noisy one",
        "any star",
        "difference",
        "mean",
        "width",
    ]
    print("\n| " + " | ".join(heads) + " |")
    print("|---" * len(heads) + "|")
    for n_recipes in recipes:
        for times in (1.0, TIMES_NOISY):
            for n_runs in RUNS:
                cell = Cell(FAMILY_SEGMENTS, n_runs, FAMILY_SPREAD / (max(1, times)), APART)
                found = np.concatenate(
                    list(run(partial(family_chunk, ends, cell, n_recipes, times, seed), _chunks(draws)))
                )
                rates = [Rate(float(mean), draws) for mean in found.mean(axis=0)[:5]]
                if times == 1:
                    holds &= is_within(rates[0], REJECTED) and rates[2].value <= 0.05 + 3 * rates[2].standard_error
                    holds &= all(is_within(one, COVERED) for one in rates[3:])
                cells = [str(n_recipes), str(n_runs), "yes" if times > 1 else "no", *map(str, rates)]
                print("| " + " | ".join([*cells, f"{np.median(found[:, 5]):.2f}"]) + " |", flush=True)
    return holds


def print_histories(ends: Ends, *, draws: int, seed: int, run: Map = map) -> bool:
    """Print how many histories of equal versions with runs have any star."""
    print(f"\nStars in histories of {N_VERSIONS} equal versions with runs: {draws:,} histories each\n")
    print("| runs | any against the one before | any against the best |\n|---|---|---|")
    holds = True
    for n_runs in RUNS:
        cell = Cell(FAMILY_SEGMENTS, n_runs, FAMILY_SPREAD)
        found = np.concatenate(list(run(partial(history_chunk, ends, cell, seed), _chunks(draws))))
        rates = [Rate(float(mean), draws) for mean in found.mean(axis=0)]
        holds &= all(is_within(rate, (0.0, REJECTED[1])) for rate in rates)
        print("| " + " | ".join([str(n_runs), *map(str, rates)]) + " |", flush=True)
    return holds


def _chunks(draws: int) -> list[range]:
    return [range(first, min(first + CHUNK, draws)) for first in range(0, draws, CHUNK)]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; 1 if something does not hold."""
    return printed(_arguments(arguments), _tables)


def _tables(ends: Ends, given: argparse.Namespace, run: Map) -> bool:
    holds = print_table(ends, given.segments, draws=given.draws, seed=given.seed, run=run)
    holds &= print_table(ends, given.documents, draws=given.draws, seed=given.seed, by_document=True, run=run)
    if given.families:
        holds &= print_families(ends, given.recipes, draws=given.families, seed=given.seed, run=run)
    if given.histories:
        holds &= print_histories(ends, draws=given.histories, seed=given.seed, run=run)
    return holds & (not given.campaigns or print_campaigns(ends, draws=given.campaigns, seed=given.seed, run=run))


def printed(given: argparse.Namespace, tables: Callable[[Ends, argparse.Namespace, Map], bool]) -> int:
    """Print tables of runs between two systems; 1 if something does not hold.

    Args:
        given: The options: a folder, draws, a seed and processes.
        tables: Prints them, by the two systems, the options and what maps work to processes.
    """
    start = time.perf_counter()
    try:
        ends = ends_of_folder(given.folder) if given.folder else sample_ends()
    except (InputError, OSError, UnicodeDecodeError) as error:
        sys.exit(str(error))
    low, high = ends.truth(np.array([0.0, 1.0]))
    print(f"Runs between {low:.2f} and {high:.2f} BLEU of {ends.title}; {given.draws:,} draws, seed {given.seed}")
    with ExitStack() as stack:
        run: Any = map
        if given.processes > 1:
            run = stack.enter_context(ProcessPoolExecutor(given.processes)).map
        holds = tables(ends, given, run)
    print(f"{time.perf_counter() - start:.0f} seconds. " + ("It holds." if holds else "SOMETHING DOES NOT HOLD."))
    return 0 if holds else 1


def print_table(  # what is drawn, how often, and where
    ends: Ends, units: Sequence[int], *, draws: int, seed: int, by_document: bool = False, run: Map = map
) -> bool:
    """Print a row for each number of units, spread of runs and number of runs; whether all holds."""
    if not units:
        return True
    heads = [
        "documents" if by_document else "segments",
        "s.d. by segments",
        "s.d. of runs",
        "runs",
        "single runs as systems",
        "recipes, p < .05",
    ]
    print("\n| " + " | ".join([*heads, "width", "difference", "mean"]) + " |")
    print("|---" * (len(heads) + 3) + "|")
    holds = True
    indices = _chunks(draws)
    for n_units in units:
        for spread in SPREADS:
            if spread / ends.slope > LARGEST_DEVIATION:
                continue
            for n_runs in RUNS:
                equal, apart = (
                    np.concatenate(
                        list(run(partial(chunk, ends, Cell(n_units, n_runs, spread, each, by_document), seed), indices))
                    )
                    for each in (0.0, APART)
                )
                rejected = Rate(float((equal[:, 0] < 0.05).mean()), draws)
                covered = [Rate(float(apart[:, place].mean()), draws) for place in (1, 2)]
                single = Rate(float(equal[:, 3].mean()), draws)
                of_segments = float(np.sqrt(equal[:, 5].mean()))
                fewest, least = (REJECTED[0], COVERED[1]) if spread >= of_segments else (0.0, 1.0)
                holds &= is_within(rejected, (fewest, REJECTED[1]))
                holds &= all(is_within(one, (COVERED[0], least)) for one in covered)
                width = f"{np.median(equal[:, 4]):.2f}"
                cells = [f"{n_units:,}", f"{of_segments:.2f}", f"{spread:g}", str(n_runs)]
                cells += [str(single), str(rejected), width]
                print("| " + " | ".join([*cells, *map(str, covered)]) + " |", flush=True)
    return holds


def is_within(rate: Rate, band: tuple[float, float]) -> bool:
    """Whether a rate may come of one within the band; its own error would be 0 where nothing was found."""
    low, high = (3 * Rate(end, rate.n).standard_error for end in band)
    return band[0] - low <= rate.value <= band[1] + high


def ends_of_folder(folder: Path) -> Ends:
    """The worst and the best system of a folder."""
    texts = calibration.read_texts(folder)
    ranked = evaluate_metric(texts, OPTIONS).ranked()
    return ends_of(texts, (ranked[-1], ranked[0]), folder.name)


def _arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, help="real texts, as calibration.py reads them")
    parser.add_argument("--segments", type=int, nargs="*", default=[500, 2000], help="segments in a draw")
    parser.add_argument("--documents", type=int, nargs="*", default=[12, 30, 100], help="documents in a draw")
    parser.add_argument("--draws", type=int, default=2000)
    parser.add_argument("--recipes", type=int, nargs="*", default=RECIPES, help="in a family")
    parser.add_argument("--families", type=int, default=300, help="draws of families of recipes")
    parser.add_argument("--histories", type=int, default=300, help="histories of versions with runs")
    parser.add_argument("--campaigns", type=int, default=150, help="campaigns of recipes with runs")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
