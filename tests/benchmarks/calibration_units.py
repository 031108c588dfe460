"""What a comparison concludes from few and many documents, measured where the truth is known.

A part of ``make calibration``. The documents of a test set, real ones from a folder or made ones, are all there is to
translate. Each draw takes some documents with replacement, whole and of their own sizes. In each of them the outputs of
systems change places at random, so that the systems are equal and their true score is known; or every system keeps its
own, so that the true difference is known.

Parts: ``pairs`` (two systems, documents known), ``hidden`` (the same, documents unknown), ``families`` (many equal
systems: any star, and a claim that the best leads) and ``power`` (stated against observed). The program ends with
status 1 if a part misses what it has to hold by more than three standard errors.
"""

import argparse
import math
import os
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from scipy import special

sys.path.insert(0, str(Path(__file__).parent))

import calibration
from calibration import METRIC_OPTIONS, Floats, Ints, Map, Options, Rate

from bleucore import InputError, TestSet
from bleucore.evaluation import evaluate_metric
from bleucore.metrics import METRICS
from bleucore.significance import ComparedSystems, Comparison, SignificanceOptions, compare
from bleucore.significance.corrections import holm
from bleucore.significance.families import best_of
from bleucore.significance.paired import rounding
from bleucore.significance.power import USUAL_POWER

DOCUMENTS = (6, 8, 12, 20, 30, 49, 60, 150)
HIDDEN = (12, 20, 30, 49, 60, 150)
OF_FAMILIES = (12, 30, 100)
SYSTEMS = (13, 40)
OF_POWER = (2, 8, 15)
POWER_DOCUMENTS = 100
"""Documents in a draw for power."""
DRAWS, RESAMPLES = 999, 1000
"""Exchanges and resamples in each draw."""
MOST_EXACT = 14
"""Of so many units the tests make all exchanges, so that as many must be allowed."""
CHUNK = 25
PILOTS = 60
"""Draws from which power takes a difference that is found in four of five cases."""
RATE_BANDS = {0.05: (0.03, 0.06), 0.01: (0.0, 0.015)}
COVERAGE, COVERAGE_BAND, COVERAGE_OF_FEW = 0.95, (0.93, 0.97), (0.91, 1.0)
FEW_DOCUMENTS = 8
MOST_STARS, MOST_LEADERS = 0.06, 0.05
POWER_TOLERANCE = 0.05
PARTS = ("pairs", "hidden", "families", "power")


@dataclass(frozen=True)
class Population:
    """Everything there is to translate.

    Attributes:
        title: Where the texts are from.
        counts: (K, S, C), of all segments.
        segments_of: The segments of each of D documents.
        options: Of the metric.
    """

    title: str
    counts: Ints
    segments_of: Sequence[Ints]
    options: Options

    def score(self, counts: Floats) -> Floats:
        """The metric."""
        return METRICS[type(self.options)].draw_scores(counts, self.options)

    def true_scores(self, weights: Floats) -> Floats:
        """The scores (M,) of systems that take the output of each of K systems with such weights (M, K)."""
        return self.score(np.tensordot(weights, self.counts.sum(axis=1).astype(np.float64), axes=1))

    def drawn(self, documents: Ints, assigned: Ints, *, knows_documents: bool = True) -> ComparedSystems:
        """M systems on drawn documents (N,), each with the output of the assigned system (M, N) in each."""
        segments = [self.segments_of[document] for document in documents]
        rows, place = np.concatenate(segments), np.repeat(np.arange(len(documents)), [len(each) for each in segments])
        counts = self.counts[assigned[:, place], rows]
        return ComparedSystems(
            [(f"s{number}", each) for number, each in enumerate(counts)],
            self.score,
            documents=[f"d{number}" for number in place.tolist()] if knows_documents else None,
            single_precision=True,
        )


def population_of(texts: TestSet, options: Options, title: str) -> Population:
    """Of the systems of a test set with its documents."""
    evaluated = evaluate_metric(texts, options)
    _, numbers = np.unique(np.array(texts.documents), return_inverse=True)
    return Population(
        title,
        np.stack([evaluated.systems[name].counts for name in evaluated.ranked()]),
        [np.flatnonzero(numbers == number) for number in range(int(numbers.max()) + 1)],
        options,
    )


def _options(n_documents: int, rng: np.random.Generator, trials: int = DRAWS) -> SignificanceOptions:
    trials = 2**MOST_EXACT if n_documents <= MOST_EXACT else trials
    return SignificanceOptions(trials=trials, resamples=RESAMPLES, seed=int(rng.integers(2**32)))


def pair_chunk(
    population: Population, n_documents: int, seed: int, indices: range, *, share: float, knows_documents: bool
) -> Floats:
    """A row for each draw of two systems, of whose outputs this share changes places.

    p, then low, high and truth of the difference, of the first score and of the second.
    """
    rows = []
    for index in indices:
        rng = np.random.default_rng((seed, n_documents, index))
        documents = rng.integers(len(population.segments_of), size=n_documents)
        first, second = rng.choice(len(population.counts), 2, replace=False)
        changes = rng.random(n_documents) < share
        assigned = np.stack([np.where(changes, second, first), np.where(changes, first, second)])
        weights = np.zeros((2, len(population.counts)))
        weights[[0, 1], [first, second]], weights[[0, 1], [second, first]] = 1 - share, share
        truth = population.true_scores(weights)
        found = compare(
            population.drawn(documents, assigned, knows_documents=knows_documents), _options(n_documents, rng)
        )
        pair = found.pair("s0", "s1")
        none = (np.nan, np.nan)
        rows.append(
            [
                1.0 if pair.p_value is None else pair.p_value,
                *(pair.interval or none),
                truth[0] - truth[1],
                *(found.intervals["s0"] or none),
                truth[0],
                *(found.intervals["s1"] or none),
                truth[1],
            ]
        )
    return np.array(rows)


def family_chunk(population: Population, n_documents: int, n_systems: int, seed: int, indices: range) -> Floats:
    """A row for each draw of equal systems: any star, a leader claimed, stars, and stars by Holm's correction."""
    rows = []
    for index in indices:
        rng = np.random.default_rng((seed, n_documents, n_systems, index))
        documents = rng.integers(len(population.segments_of), size=n_documents)
        found = compare(
            population.drawn(documents, equal_systems(population, n_documents, n_systems, rng)),
            _options(n_documents, rng, 2 * DRAWS + 1),
        )
        stars = [found.is_significant(pair) for pair in found.pairs.values()]
        by_holm = holm([pair.p_value or 1.0 for pair in found.pairs.values()]) < found.options.level
        rows.append([any(stars), leads(found), sum(stars), by_holm.sum()])
    return np.array(rows, np.float64)


def equal_systems(population: Population, n_documents: int, n_systems: int, rng: np.random.Generator) -> Ints:
    """Which real system each of M equal ones is in each document, (M, N): each real one as often as can be."""
    available = np.resize(np.arange(len(population.counts)), n_systems)
    return rng.permuted(np.repeat(available[:, None], n_documents, axis=1), axis=0)


def leads(found: Comparison) -> bool:
    """Whether the best system is significantly better than every other."""
    best = best_of(
        found.drawn.scores.tolist(), higher_is_better=found.higher_is_better, rounding=rounding(found.drawn.scores)
    )
    if best is None:
        return False
    name = found.names[best]
    return all(found.is_better(name, other) for other in found.names if other != name)


def power_chunk(population: Population, n_systems: int, weight: float, seed: int, indices: range) -> Floats:
    """A row for each draw: observed and stated power, and the smallest detectable difference, over pairs with the best.

    The first system takes the best real system in this share of documents, where the others take any.
    """
    rows = []
    n_real = len(population.counts)
    for index in indices:
        rng = np.random.default_rng((seed, n_systems, round(1e6 * weight), index))
        documents = rng.integers(len(population.segments_of), size=POWER_DOCUMENTS)
        assigned = rng.integers(n_real, size=(n_systems, POWER_DOCUMENTS))
        assigned[0] = np.where(rng.random(POWER_DOCUMENTS) < weight, 0, assigned[0])
        found = compare(population.drawn(documents, assigned), _options(POWER_DOCUMENTS, rng, 2 * DRAWS + 1))
        lead = true_lead(population, weight)
        pairs = [found.pair("s0", name) for name in found.names[1:]]
        stated = []
        for pair in pairs:
            if pair.smallest_detectable is None or pair.standard_error is None:
                continue
            freedom = found.drawn.n_free
            critical = pair.smallest_detectable / pair.standard_error - special.stdtrit(freedom, USUAL_POWER)
            stated.append(float(special.stdtr(freedom, float(lead / pair.standard_error - critical))))
        observed = np.mean([found.is_significant(pair) and pair.difference > 0 for pair in pairs])
        sizes = [pair.smallest_detectable for pair in pairs if pair.smallest_detectable is not None]
        rows.append([observed, np.mean(stated or [0.0]), np.mean(sizes or [np.nan])])
    return np.array(rows, np.float64)


def true_lead(population: Population, weight: float) -> float:
    """The true difference between a system with this weight of the best real one, and one without."""
    n_real = len(population.counts)
    even = np.full(n_real, 1 / n_real)
    best = np.eye(n_real)[0]
    scores = population.true_scores(np.stack([weight * best + (1 - weight) * even, even]))
    return float(scores[0] - scores[1])


def print_pairs(
    population: Population, sizes: Sequence[int], draws: int, seed: int, run: Map, *, knows_documents: bool
) -> bool:
    """Print rejection and coverage by the number of documents; whether they hold."""
    header = ["documents", "p < .05", "p < .01", "difference 0", "true difference", "score, equal", "score", "it holds"]
    rows, holds = [], True
    for n_documents in sizes:
        equal, apart = (
            _made(
                partial(pair_chunk, population, n_documents, seed, share=share, knows_documents=knows_documents),
                draws,
                run,
            )
            for share in (0.5, 0.0)
        )
        rates = {level: Rate(float((equal[:, 0] < level).mean()), draws) for level in RATE_BANDS}
        covered = [
            coverage(equal[:, 1:4]),
            coverage(apart[:, 1:4]),
            *(coverage(each[:, 4:7], each[:, 7:10]) for each in (equal, apart)),
        ]
        band = COVERAGE_OF_FEW if n_documents <= FEW_DOCUMENTS else COVERAGE_BAND
        said = [
            calibration.judged(rates[level], attainable(level, n_documents if knows_documents else None), band_of_rate)
            for level, band_of_rate in RATE_BANDS.items()
        ]
        said += [calibration.judged(each, COVERAGE, band) for each in covered]
        worst = max(said, key=calibration.VERDICTS.index)
        holds &= worst != "no"
        rows.append([f"{n_documents}", *map(str, rates.values()), *map(str, covered), worst])
    known = "documents known" if knows_documents else "documents hidden: blocks of neighbours"
    print(f"\nTwo systems, {known}, {draws:,} draws; in % ± standard error\n")
    calibration._print_table(header, rows)
    return holds


def attainable(level: float, n_units: int | None) -> float:
    """The rate of p below the level where p is exact: with few units it has few values; ``None`` for many."""
    if n_units is None or n_units > MOST_EXACT:
        return level
    n_exchanges = 1 << (n_units - 1)
    return float(math.ceil(level * n_exchanges) - 1) / n_exchanges


def coverage(*columns: Floats) -> Rate:
    """How often low and high hold the truth, of such columns (n, 3); several from the same draws are no more draws."""
    shares = [((low <= truth) & (truth <= high)).mean() for low, high, truth in (each.T for each in columns)]
    return Rate(float(np.mean(shares)), len(columns[0]))


def print_families(
    population: Population, sizes: Sequence[int], systems: Sequence[int], draws: int, seed: int, run: Map
) -> bool:
    """Print how often equal systems have a star, and a leader; whether that is seldom enough."""
    rows, holds = [], True
    for n_systems in systems:
        for n_documents in sizes:
            found = _made(partial(family_chunk, population, n_documents, n_systems, seed), draws, run)
            stars, leaders = (Rate(float(found[:, place].mean()), draws) for place in (0, 1))
            within = all(
                rate.value <= most + 3 * Rate(most, draws).standard_error * (rate.value > most)
                for rate, most in ((stars, MOST_STARS), (leaders, MOST_LEADERS))
            )
            fewer = Rate(float((found[:, 2] < found[:, 3]).mean()), draws)
            holds &= within
            rows.append(
                [f"{n_systems}", f"{n_documents}", str(stars), str(leaders), str(fewer), "yes" if within else "no"]
            )
    print(f"\nEqual systems, {draws:,} draws; in % ± standard error\n")
    calibration._print_table(
        ["systems", "documents", "any star", "a leader", "fewer stars than Holm", "it holds"], rows
    )
    return holds


def print_power(population: Population, systems: Sequence[int], draws: int, seed: int, run: Map) -> bool:
    """Print stated and observed power where the stated one is near 80 %; whether they agree."""
    rows, holds = [], True
    for n_systems in systems:
        weight = _weight_of_usual_power(population, n_systems, seed)
        found = _made(partial(power_chunk, population, n_systems, weight, seed), draws, run)
        observed, stated = found[:, 0], found[:, 1]
        apart = float(observed.mean() - stated.mean())
        error = float((observed - stated).std(ddof=1) / np.sqrt(draws))
        within = abs(apart) <= POWER_TOLERANCE + 3 * error * (abs(apart) > POWER_TOLERANCE)
        holds &= within
        rows.append(
            [
                f"{n_systems}",
                f"{true_lead(population, weight):.2f}",
                f"{100 * stated.mean():.1f}",
                f"{100 * observed.mean():.1f} ± {100 * error:.1f}",
                "yes" if within else "no",
            ]
        )
    print(f"\nPower with {POWER_DOCUMENTS} documents, {draws:,} draws; in % ± standard error\n")
    calibration._print_table(["systems", "true difference", "stated", "observed", "it holds"], rows)
    return holds


def _weight_of_usual_power(population: Population, n_systems: int, seed: int) -> float:
    """The weight of the best real system with which the true difference is about the smallest detectable one."""
    sizes = power_chunk(population, n_systems, 0.5, seed + 1, range(PILOTS))[:, 2]
    wanted = float(np.nanmedian(sizes))
    weights = np.linspace(0.01, 0.99, 99)
    leads_of = np.array([true_lead(population, float(weight)) for weight in weights])
    place = int(np.abs(leads_of - wanted).argmin())
    return float(weights[place])


def _made(chunk: partial[Floats], draws: int, run: Map) -> Floats:
    return np.concatenate(
        list(run(chunk, [range(start, min(start + CHUNK, draws)) for start in range(0, draws, CHUNK)]))
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables of the parts asked for; 1 if one of them does not hold."""
    given = _arguments(arguments)
    start, options = time.perf_counter(), METRIC_OPTIONS[given.metric]
    try:
        texts = calibration.read_texts(given.folder) if given.folder else calibration.made_family(given.seed, 9)
        population = population_of(texts, options, given.folder.name if given.folder else "made text")
    except (InputError, OSError, UnicodeDecodeError) as error:
        sys.exit(str(error))
    print(
        f"{population.title}: {len(population.counts)} systems, {population.counts.shape[1]:,} segments in "
        f"{len(population.segments_of):,} documents; {given.metric}, seed {given.seed}",
        flush=True,
    )
    with ExitStack() as stack:
        run: Map = map
        if given.processes > 1:
            run = stack.enter_context(ProcessPoolExecutor(given.processes)).map
        made = {
            "pairs": lambda: print_pairs(
                population, given.documents, given.draws, given.seed, run, knows_documents=True
            ),
            "hidden": lambda: print_pairs(
                population,
                [number for number in given.documents if number >= min(HIDDEN)],
                given.draws,
                given.seed,
                run,
                knows_documents=False,
            ),
            "families": lambda: print_families(
                population, given.family_documents, given.systems, given.draws, given.seed, run
            ),
            "power": lambda: print_power(population, given.power_systems, given.draws, given.seed, run),
        }
        holds = [made[part]() for part in PARTS if part in given.parts]
    print(f"\n{time.perf_counter() - start:.0f} seconds. " + ("Every part holds." if all(holds) else "A PART FAILS."))
    return 0 if all(holds) else 1


def _arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    whole = calibration._whole
    parser.add_argument(
        "folder", nargs="?", type=Path, help="with systems/*.txt, reference.A.txt and documents.txt; else made text"
    )
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--draws", type=whole(2), default=2000, help="of each kind")
    parser.add_argument("--documents", type=whole(1), nargs="+", default=DOCUMENTS, help="in a draw of two systems")
    parser.add_argument("--family-documents", type=whole(1), nargs="+", default=OF_FAMILIES)
    parser.add_argument("--systems", type=whole(2), nargs="+", default=SYSTEMS, help="of a family of equal ones")
    parser.add_argument("--power-systems", type=whole(2), nargs="+", default=OF_POWER)
    parser.add_argument("--seed", type=whole(0), default=1)
    parser.add_argument("--metric", choices=METRIC_OPTIONS, default="bleu")
    parser.add_argument("--processes", type=whole(1), default=os.cpu_count() or 1)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
