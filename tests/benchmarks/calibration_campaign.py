"""What is said of many test sets together, measured where the truth is known: a part of ``make calibration``.

Two systems on several texts, made or read from folders, are taken for everything there is to translate. A test set of a
campaign is drawn from one of them, whole documents with replacement, in its own size, and the outputs of the two change
places in a random share of the documents: in half of them where the systems are to be equal. So it is known on how many
sets one is better.

- The combined test: how often p is below the level where systems are equal on every set, and where they are not.
- Counting sets: how often more sets are counted than truly differ, how many are, and how often a set is named that does
  not differ; either way round.
- Contradictions: how often sets seem to point both ways that do not.
- Families of equal systems, of which some sets lack one: how often any pair is called different.
- Sets that translate the same sources, with segments that are hard in all of them.

The program ends with status 1 if a rate is above what is promised, by more than three standard errors.
"""

import argparse
import os
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))

import calibration
from calibration import METRIC_OPTIONS, Floats, Ints, Map, Options, Population, Rate

from bleucore import TestSet
from bleucore.campaign import PARTIAL_CONJUNCTIONS, SCALES, SetResult, combine, set_result
from bleucore.metrics import METRICS
from bleucore.significance import ComparedSystems, SignificanceOptions, UnitChoice

DRAWS, RESAMPLES = 999, 100
"""Trials of the combined test, and resamples for the standard errors."""
SIZES = (4, 12, 20, 40)
"""Documents of the sets of a campaign, in turn: the smallest sets are not tested by themselves."""
NUMBERS = (5, 15)
COUNTED, TRUE = 10, (0, 3, 7)
"""Sets of a campaign in which sets are counted, and on how many of them the systems differ."""
SMALL = 0.25
"""The share of documents exchanged where systems differ by half."""
FAMILY, FAMILY_SETS = 5, 5
QUALITIES = (0.15, 0.2, 0.3, 0.45)
"""How much of made text the worse system gets right."""
GAP, WIDE_GAP = 0.03, 0.2
"""How much more the better one does; where sets are counted, enough to be seen on each."""
SHARED, SHARED_SETS, SHARED_SEGMENTS = 0.7, 5, 150
"""Of the variance of differences, how much the sets have in common that share their sources."""
CHUNK = 10
LEVEL = 0.05


@dataclass(frozen=True)
class Design:
    """What a campaign is made of.

    Attributes:
        n_sets: How many sets.
        shares: Of each set, the share of documents whose outputs are exchanged.
        sizes: The documents of sets, in turn.
    """

    n_sets: int
    shares: tuple[float, ...]
    sizes: tuple[int, ...] = SIZES

    @classmethod
    def of(cls, n_sets: int, n_better: int = 0, share: float = 0.0, sizes: tuple[int, ...] = SIZES) -> "Design":
        """The systems are equal but on the first sets, where this share is exchanged."""
        return cls(n_sets, (share,) * n_better + (0.5,) * (n_sets - n_better), sizes)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print every table; 1 if something does not hold."""
    given = _arguments(arguments)
    start, options = time.perf_counter(), METRIC_OPTIONS[given.metric]
    populations = populations_of(given.folders, options, given.seed)
    wide = populations_of(given.folders, options, given.seed, WIDE_GAP)
    for one, other in zip(populations, wide, strict=True):
        scores = [f"{score:.2f} and {score - lead:.2f}" for score, lead in (one.truth(0), other.truth(0))]
        print(f"{one.title}: {one.counts['segment'].shape[1]:,} segments, {scores[0]}; to count sets {scores[1]}")
    print(
        f"{given.campaigns:,} campaigns of each kind, sets of {', '.join(map(str, given.sizes))} documents in turn, "
        f"{DRAWS} trials, seed {given.seed}; in % ± standard error",
        flush=True,
    )
    with ExitStack() as stack:
        run: Any = map
        if given.processes > 1:
            run = stack.enter_context(ProcessPoolExecutor(given.processes)).map
        settings = {"campaigns": given.campaigns, "seed": given.seed, "run": run}
        sizes = tuple(given.sizes)
        holds = print_combined(populations, sizes, **settings)
        holds &= print_counts(wide, sizes, **settings)
        holds &= print_families(options, sizes, **settings)
        holds &= print_shared(**settings)
    print(f"{time.perf_counter() - start:.0f} seconds. " + ("It holds." if holds else "SOMETHING DOES NOT HOLD."))
    return 0 if holds else 1


def populations_of(folders: Sequence[Path], options: Options, seed: int, gap: float = GAP) -> list[Population]:
    """Of folders, or of made text on which systems are better and worse in general."""
    if folders:
        texts = [(calibration.read_texts(folder), folder.name) for folder in folders]
    else:
        texts = [
            (
                calibration.made_texts(seed + place, 150, {"better": quality + gap, "worse": quality}),
                f"made text {place}",
            )
            for place, quality in enumerate(QUALITIES, 1)
        ]
    return [_population(text, options, title, is_wide=gap == WIDE_GAP) for text, title in texts]


def _population(texts: TestSet, options: Options, title: str, *, is_wide: bool) -> Population:
    """The two systems that are nearest to one point apart, or the best and the worst."""
    if is_wide:
        ranked = calibration.evaluate_metric(texts, options).ranked()
        texts = replace(texts, systems=[texts.system(ranked[0]), texts.system(ranked[-1])])
    return replace(calibration.population_of(texts, options, title), score=partial(_draw_scores, options))


def measured(
    populations: Sequence[Population], design: Design, *, campaigns: int, seed: int, run: Map = map
) -> dict[str, Floats]:
    """What each of so many campaigns says, a column for each of ``NAMES``."""
    found = _in_chunks(partial(_chunk, populations, design, seed), campaigns, run)
    return dict(zip(NAMES, found.T, strict=True))


NAMES = (
    *(f"p, {scale}" for scale in SCALES),
    "contradiction",
    *(f"{what}, {method}" for method in PARTIAL_CONJUNCTIONS for what in ("better", "worse")),
    "named wrongly",
)


def print_combined(
    populations: Sequence[Population], sizes: tuple[int, ...], *, campaigns: int, seed: int, run: Map
) -> bool:
    """The combined test where systems are equal everywhere, and where they differ."""
    rows, holds = [], True
    for n_sets in NUMBERS:
        for name, share in (("equal", 0.5), ("differ by half", SMALL))[: 1 + (n_sets == min(NUMBERS))]:
            design = Design(n_sets, (share,) * n_sets, sizes)
            found = measured(populations, design, campaigns=campaigns, seed=seed, run=run)
            row = [str(n_sets), name]
            for scale in SCALES:
                rates = [Rate(float((found[f"p, {scale}"] < level).mean()), campaigns) for level in calibration.LEVELS]
                row += map(str, rates)
                if share == 0.5:
                    holds &= all(is_kept(rate, level) for rate, level in zip(rates, calibration.LEVELS, strict=True))
            contradict = Rate(float((found["contradiction"] < LEVEL).mean()), campaigns)
            holds &= is_kept(contradict, LEVEL)
            row.append(str(contradict))
            rows.append(row)
    print("\nThe combined test")
    heads = [f"{scale}, p < {level}" for scale in SCALES for level in calibration.LEVELS]
    calibration._print_table(["sets", "systems", *heads, "sets contradict each other"], rows)
    return holds


def print_counts(
    populations: Sequence[Population], sizes: tuple[int, ...], *, campaigns: int, seed: int, run: Map
) -> bool:
    """Sets that are counted where some of ten differ."""
    rows, holds = [], True
    for n_better in TRUE:
        design = Design.of(COUNTED, n_better, sizes=sizes)
        found = measured(populations, design, campaigns=campaigns, seed=seed, run=run)
        named = Rate(float(found["named wrongly"].mean()), campaigns)
        for method in PARTIAL_CONJUNCTIONS:
            better, worse = found[f"better, {method}"], found[f"worse, {method}"]
            wrong = Rate(float(((better > n_better) | (worse > 0)).mean()), campaigns)
            contradict = Rate(float((found["contradiction"] < LEVEL).mean()), campaigns)
            holds &= is_kept(wrong, LEVEL) and is_kept(named, LEVEL) and is_kept(contradict, LEVEL)
            rows.append([str(n_better), method, str(wrong), f"{better.mean():.2f}", str(named), str(contradict)])
    print(f"\nCounting sets: of {COUNTED}")
    heads = ["truly better on", "method", "counted too many", "counted on average", "named wrongly", "contradict"]
    calibration._print_table(heads, rows)
    return holds


def print_families(options: Options, sizes: tuple[int, ...], *, campaigns: int, seed: int, run: Map) -> bool:
    """Any of the pairs of equal systems."""
    family = calibration.made_texts(seed, 150, {f"s{place}": 0.25 for place in range(FAMILY)})
    evaluated = calibration.evaluate_metric(family, options)
    counts = np.stack([result.counts for result in evaluated.systems.values()])
    _, groups = np.unique(np.array(family.documents), return_inverse=True)
    segments_of = [np.flatnonzero(groups == place) for place in range(groups.max() + 1)]
    population = Population("", ("", ""), {"segment": counts}, segments_of, partial(_draw_scores, options))
    found = _in_chunks(partial(_family_chunk, population, sizes, seed), max(1, campaigns // 2), run)
    rates = [Rate(float(column.mean()), len(column)) for column in found.T]
    print(f"\nFamilies: {FAMILY} equal systems, {FAMILY_SETS} sets, every other one lacks a system")
    calibration._print_table(
        ["correction", "scale", "any false finding"],
        [[*name, str(rate)] for name, rate in zip(FAMILY_NAMES, rates, strict=True)],
    )
    return all(is_kept(rate, LEVEL) for rate in rates)


FAMILY_NAMES = [(correction, scale) for correction in ("max-t", "holm") for scale in SCALES]


def print_shared(*, campaigns: int, seed: int, run: Map) -> bool:
    """Sets of the same sources, exchanged together and each by itself."""
    found = _in_chunks(partial(_shared_chunk, seed), campaigns, run)
    rates = [Rate(float((column < LEVEL).mean()), len(column)) for column in found.T]
    print(f"\n{SHARED_SETS} sets of the same {SHARED_SEGMENTS} sources, {SHARED:.0%} of the variance in common")
    names = ("the same units are exchanged", "each set by itself")
    calibration._print_table(["exchange", "p < 0.05"], [[n, str(rate)] for n, rate in zip(names, rates, strict=True)])
    return is_kept(rates[0], LEVEL)


def is_kept(rate: Rate, promised: float) -> bool:
    """Whether a rate is no more than is promised, or by no more than chance explains."""
    return rate.value <= promised + 2 * Rate(promised, rate.n).standard_error


def drawn_set(population: Population, name: str, n_documents: int, share: float, rng: np.random.Generator) -> SetResult:
    """A set of two systems, of which the first is better by what the share leaves of the difference."""
    counts = population.counts["segment"]
    segments, groups = drawn_documents(population, n_documents, rng)
    exchanged = (rng.random(n_documents) < share).astype(int)[groups]
    systems = [(name, counts[place ^ exchanged, segments]) for place, name in enumerate(("first", "second"))]
    return _result(name, systems, population.score, rng, documents=groups)


def drawn_documents(population: Population, n_documents: int, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """The segments of documents that are drawn with replacement, (S,), and which of these each is from."""
    chosen = [population.segments_of[place] for place in rng.integers(len(population.segments_of), size=n_documents)]
    return np.concatenate(chosen), np.repeat(np.arange(n_documents), [len(one) for one in chosen])


def _result(
    name: str,
    systems: Sequence[tuple[str, Any]],
    score: Any,
    rng: np.random.Generator,
    *,
    source: str | None = None,
    documents: Ints | None = None,
) -> SetResult:
    unit: UnitChoice = "segment" if documents is None else "document"
    options = SignificanceOptions(trials=DRAWS, resamples=RESAMPLES, seed=int(rng.integers(2**32)), unit=unit)
    return set_result(
        name,
        ComparedSystems(systems, score, documents=None if documents is None else documents.astype(str).tolist()),
        digest=name,
        metric="",
        signature="",
        options=options,
        source_digest=source,
    )


def _chunk(populations: Sequence[Population], design: Design, seed: int, indices: range) -> Floats:
    rows = []
    for index in indices:
        rng = np.random.default_rng((seed, sum(design.sizes), design.n_sets, round(1000 * sum(design.shares)), index))
        sizes = islice(zip(cycle(populations), cycle(np.repeat(design.sizes, len(populations)))), design.n_sets)
        sets = [
            drawn_set(population, str(number), int(size), share, rng)
            for number, ((population, size), share) in enumerate(zip(sizes, design.shares, strict=True))
        ]
        rows.append(_said(sets, design))
    return np.array(rows, np.float64)


def _said(sets: Sequence[SetResult], design: Design) -> list[float]:
    found = [combine(sets, scale=scale).pairs[0] for scale in SCALES]
    row = [1.0 if pair.p_value is None else pair.p_value for pair in found]
    contradiction = found[0].heterogeneity.p_value
    row.append(1.0 if contradiction is None else contradiction)
    for method in PARTIAL_CONJUNCTIONS:
        (pair,) = combine(sets, conjunction=method).pairs
        row += [pair.n_sets_better, pair.n_sets_worse]
    truly = {str(number) for number, share in enumerate(design.shares) if share < 0.5}
    return [*row, bool(set(found[0].sets_better) - truly or found[0].sets_worse)]


def _family_chunk(population: Population, sizes: tuple[int, ...], seed: int, indices: range) -> Floats:
    """Whether any pair is called different: a column for each correction and scale."""
    counts = population.counts["segment"]
    names, rows = [f"s{place}" for place in range(len(counts))], []
    for index in indices:
        rng, sets = np.random.default_rng((seed, 3, index)), []
        for number in range(FAMILY_SETS):
            segments, groups = drawn_documents(population, sizes[number % len(sizes)], rng)
            orders = rng.permuted(np.tile(np.arange(len(names)), (groups.max() + 1, 1)), axis=1)
            places = orders[groups].T
            systems = [(name, counts[place, segments]) for name, place in zip(names, places, strict=True)]
            if number % 2:
                del systems[number]
            sets.append(_result(str(number), systems, population.score, rng, documents=groups))
        found = (combine(sets, correction=correction, scale=scale).pairs for correction, scale in FAMILY_NAMES)
        rows.append([any(pair.is_significant for pair in pairs) for pairs in found])
    return np.array(rows, np.float64)


def _shared_chunk(seed: int, indices: range) -> Floats:
    """p-values of equal systems whose differences are alike in all sets: exchanged together, and each by itself."""
    rows = []
    for index in indices:
        rng = np.random.default_rng((seed, 4, index))
        common, signs = rng.normal(size=SHARED_SEGMENTS), rng.choice((-1, 1), SHARED_SEGMENTS)
        together, alone = [], []
        for number in range(SHARED_SETS):
            own = rng.normal(size=SHARED_SEGMENTS)
            apart = signs * (np.sqrt(SHARED) * common + np.sqrt(1 - SHARED) * own)
            ones = np.ones(SHARED_SEGMENTS)
            systems = [("first", np.stack([apart, ones], axis=1)), ("second", np.stack([0 * apart, ones], axis=1))]
            seeds = np.random.default_rng((seed, 5, index))
            together.append(_result(str(number), systems, _mean, seeds, source="the same"))
            alone.append(_result(str(number), systems, _mean, seeds))
        rows.append([combine(sets).pairs[0].p_value or 0.0 for sets in (together, alone)])
    return np.array(rows, np.float64)


def _draw_scores(options: Options, counts: Any) -> Floats:
    return METRICS[type(options)].draw_scores(counts, options)


def _mean(counts: Any) -> Floats:
    return np.asarray(counts[..., 0] / counts[..., 1])


def _in_chunks(work: Any, n: int, run: Map) -> Floats:
    return np.concatenate(list(run(work, [range(start, min(start + CHUNK, n)) for start in range(0, n, CHUNK)])))


def _arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path, help="each with systems/*.txt and reference.A.txt")
    parser.add_argument("--campaigns", type=calibration._whole(1), default=1000, help="of each kind")
    parser.add_argument("--sizes", type=calibration._whole(2), nargs="+", default=SIZES, help="documents of the sets")
    parser.add_argument("--seed", type=calibration._whole(0), default=1)
    parser.add_argument("--metric", choices=METRIC_OPTIONS, default="bleu")
    parser.add_argument("--processes", type=calibration._whole(1), default=os.cpu_count() or 1)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
