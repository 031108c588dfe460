"""How often each test of a difference is wrong, and how often it is right: ``make calibration``.

The segments of two systems, made or read from a folder, are taken for everything there is to translate. A comparison
draws some of them with replacement and lets the outputs of the systems change places in a random share of them. One
half leaves no difference, whatever the systems are. With any share, the true scores and the true difference are those
of the counts to expect, and so they are known. Documents can be drawn and exchanged instead of segments.

Documents are drawn and exchanged in numbers as few as 20, and tested as what they are; and as their segments, to see
what that does. ``calibration_units.py`` measures what a comparison makes of documents.

Families of many systems are made in the same way: in every segment drawn, systems that are to be equal change places at
random, all of them or those of either half.

Metrics that know nothing are compared with each other on made judgements, and intervals of Pearson's r are made of few
systems. Segments and documents are drawn to be judged, by what says something of how far judgements spread, and
differences that are 0 in the whole test set are tested on those drawn.

Our tests have to hold ``judged``; the program ends with status 1 if one does not. sacreBLEU's test and its ends of
intervals, p-values of the bootstrap of fewer than 100 units, segments tested where documents were exchanged, and other
sizes are shown only.
"""

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import combinations
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from bleucore import BleuOptions, ChrfOptions, InputError, System, TestSet  # noqa: E402
from bleucore.agreement.correlations import fisher_interval  # noqa: E402
from bleucore.agreement.metric_comparison import Exchanged, Statistic, compare_metrics  # noqa: E402
from bleucore.agreement.tied_accuracy import permuted_within_segments  # noqa: E402
from bleucore.counts import group_sums  # noqa: E402
from bleucore.evaluation import evaluate_metric  # noqa: E402
from bleucore.metrics import METRICS  # noqa: E402
from bleucore.sampling.design import draw_documents, draw_segments  # noqa: E402
from bleucore.sampling.estimates import DrawnSegments, estimated_mean  # noqa: E402
from bleucore.significance import (  # noqa: E402
    TESTS,
    ComparedSystems,
    SignificanceOptions,
    approximate_randomisation,
    blocks_of_number,
    bootstrap,
    draws_needed,
    effective_number,
    holm,
    paired_bootstrap,
    paired_t_test,
    percentile_interval,
    randomise,
    sacrebleu_bootstrap,
    sign_test,
    summarise_blocks,
    wilcoxon_test,
)
from bleucore.significance import compare as compare_systems  # noqa: E402
from bleucore.significance.comparison import FEW_FOR_BOOTSTRAP  # noqa: E402

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Unit = Literal["segment", "document"]
Options: TypeAlias = BleuOptions | ChrfOptions
Verdict = Literal["yes", "by 3 s.e.", "no"]
VERDICTS: tuple[Verdict, ...] = ("yes", "by 3 s.e.", "no")
Map = Callable[[Callable[[range], Floats], Sequence[range]], Iterator[Floats]]

DRAWS = 1000
"""Resamples of the bootstrap, and trials of approximate randomisation."""
N_BLOCKS = 20
"""Where segments are tested; where documents are, each of them is a block."""
SEGMENTS = (100, 250, 500, 1000)
DOCUMENTS = (20, 50, 178)
LEVELS = (0.05, 0.01)
RATE_BAND = (0.04, 0.06)
"""Where the share of p < 0.05 should be."""
COVERAGE, COVERAGE_BAND = 0.95, (0.935, 0.965)
LINES_OF_A_DOCUMENT = 10
"""Where a folder does not say which line is of which document."""
CHUNK = 50
"""Comparisons that a process makes at a time."""
FAMILIES = (13, 40)
"""Numbers of systems of made text; of a folder there are as many as it has."""
CHUNK_OF_FAMILIES = 5
LEAST_TRIALS = 2000
COMPARISONS_OF_A_FAMILY = 0.1
SAMPLED, SAMPLED_OF = 150, 3000
"""Of the comparisons of two systems: one of 40 takes a second."""
JUDGED_SYSTEMS, JUDGED_SEGMENTS = 8, 60
METRIC_COMPARISONS: Mapping[tuple[Statistic, Exchanged], bool] = {
    ("pearson", "score"): True,
    ("pairs", "score"): False,  # has few values
    ("segment-pearson", "segment"): True,
    ("tied-accuracy", "segment"): True,
    ("segment-pearson", "score"): False,
    ("tied-accuracy", "score"): False,
}
"""Comparisons of two metrics, and whether they have to hold: exchanging scores of segments one by one does not."""
CORRELATED_SYSTEMS, CORRELATIONS = 10, (0.0, 0.5, 0.9)
METRIC_OPTIONS: Mapping[str, Options] = {"bleu": BleuOptions(), "chrf": ChrfOptions()}
TWO_SYSTEMS: Mapping[str, float] = {"better": 0.26, "worse": 0.23}
NOT_OURS = "sacrebleu-bs"
DIFFERENCE, SCORE = "difference of two systems", "score of one system"
PERCENTILES = {DIFFERENCE: "sacreBLEU's ends, difference", SCORE: "sacreBLEU's ends, score"}
INTERVALS = (DIFFERENCE, SCORE, "block-t", *PERCENTILES.values())
OURS = (*(test for test in TESTS if test != NOT_OURS), DIFFERENCE, SCORE)


@dataclass(frozen=True)
class Rate:
    """How often something happened in ``n`` independent comparisons, 0 to 1."""

    value: float
    n: int

    @property
    def standard_error(self) -> float:
        """Binomial, of the value as it was found."""
        return float(np.sqrt(self.value * (1 - self.value) / self.n))

    def __str__(self) -> str:
        """In percent."""
        return f"{100 * self.value:.1f} ± {100 * self.standard_error:.1f}"


@dataclass(frozen=True)
class Population:
    """Two systems, the better one first, as units that can be drawn.

    Attributes:
        title: Where the texts are from.
        names: Of the systems.
        counts: (2, U, C), of all segments and of all documents.
        segments_of: The segments of each document.
        score: Of counts (..., C): (...).
    """

    title: str
    names: tuple[str, str]
    counts: Mapping[Unit, Ints]
    segments_of: Sequence[Ints]
    score: Callable[[NDArray[Any]], Floats]

    def truth(self, share: float) -> tuple[float, float]:
        """The first system's score and its lead, where this share of the units is exchanged."""
        first, second = self.counts["segment"].sum(axis=1)
        scores = self.score(np.stack([first + share * (second - first), second + share * (first - second)]))
        return float(scores[0]), float(scores[0] - scores[1])


@dataclass(frozen=True)
class Family:
    """Many systems, those of the better half first.

    Attributes:
        counts: (K, S, C), of their segments.
        score: Of counts (..., C): (...).
        n_better: The first so many change places among each other, and so do the others; 0 for all with all.
        n_drawn: Segments of a comparison.
    """

    counts: Ints
    score: Callable[[NDArray[Any]], Floats]
    n_better: int
    n_drawn: int

    @property
    def n_trials(self) -> int:
        """As many as Holm's correction needs at least: the other one would do with 20."""
        n_systems = len(self.counts)
        return max(LEAST_TRIALS, draws_needed(n_systems * (n_systems - 1) // 2, LEVELS[0], "holm"))


@dataclass(frozen=True)
class Design:
    """How the texts of a comparison are drawn, and what the tests take for independent.

    Attributes:
        n_drawn: How many units.
        drawn: What is drawn and what is exchanged.
        tested: What is a row of counts for the tests.
        share: The probability with which a drawn unit is exchanged.
    """

    n_drawn: int
    drawn: Unit = "segment"
    tested: Unit = "segment"
    share: float = 0.5

    @property
    def n_blocks(self) -> int:
        """Of the tests over blocks."""
        return self.n_drawn if self.tested == "document" else N_BLOCKS

    @property
    def is_mistaken(self) -> bool:
        """Whether segments are tested that are not independent."""
        return self.drawn != self.tested

    @property
    def tests(self) -> tuple[str, ...]:
        """What has a p-value."""
        return TESTS

    @property
    def intervals(self) -> tuple[str, ...]:
        """What has an interval."""
        return INTERVALS

    @property
    def judged(self) -> tuple[str, ...]:
        """What has to hold."""
        if self.is_mistaken:
            return ()
        are_few = self.tested == "document" and self.n_drawn < FEW_FOR_BOOTSTRAP
        return tuple(name for name in OURS if not (are_few and name == "paired-bootstrap"))


@dataclass(frozen=True)
class Trials:
    """What n comparisons of one design gave.

    Attributes:
        design: How they were drawn.
        p_values: (n,) by test.
        intervals: (n, 2) by what the interval is of; not a number where there was none.
        true_values: What each interval should hold.
    """

    design: Design
    p_values: Mapping[str, Floats]
    intervals: Mapping[str, Floats]
    true_values: Mapping[str, float]

    def rate(self, test: str, level: float = LEVELS[0]) -> Rate:
        """How often the p-value was below the level."""
        p_values = self.p_values[test]
        return Rate(float((p_values < level).mean()), len(p_values))

    def coverage(self, interval: str) -> Rate:
        """How often the interval held the true value."""
        low, high = self.intervals[interval].T
        value = self.true_values[interval]
        return Rate(float(((low <= value) & (value <= high)).mean()), len(low))


Compare = Callable[[Design], Trials]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print every table; 1 if a test of ours does not hold what is expected of it."""
    given = _arguments(arguments)
    start, options = time.perf_counter(), METRIC_OPTIONS[given.metric]
    try:
        population = read_population(given.folder, options) if given.folder else made_population(options, given.seed)
    except (InputError, OSError, UnicodeDecodeError) as error:
        sys.exit(str(error))
    print(_heading(population, given), flush=True)
    with ExitStack() as stack:
        run: Any = map
        if given.processes > 1:
            run = stack.enter_context(ProcessPoolExecutor(given.processes)).map
        compared = cache(partial(compare, population, comparisons=given.comparisons, seed=given.seed, run=run))
        holds = print_calibration(compared, given.segments, given.documents)
        print_sizes(compared, population)
        texts = [read_texts(given.folder)] if given.folder else [made_family(given.seed, n) for n in given.families]
        comparisons = max(1, round(COMPARISONS_OF_A_FAMILY * given.comparisons))
        for each in texts:
            holds &= print_families(each, options, given.segments, comparisons=comparisons, seed=given.seed, run=run)
        holds &= print_agreement(comparisons=given.comparisons, seed=given.seed, run=run)
        holds &= print_samples(comparisons=given.comparisons, seed=given.seed, run=run)
    print(f"{time.perf_counter() - start:.0f} seconds. " + ("Every test of ours holds." if holds else "A TEST FAILS."))
    return 0 if holds else 1


def compare(population: Population, design: Design, *, comparisons: int, seed: int, run: Map = map) -> Trials:
    """The tests on independent comparisons; the same seed gives the same ones, whatever runs them."""
    chunks = [range(start, min(start + CHUNK, comparisons)) for start in range(0, comparisons, CHUNK)]
    found = np.concatenate(list(run(partial(_chunk, population, design, seed), chunks)))
    tests, intervals = design.tests, design.intervals
    p_values, ends = np.split(found, [len(tests)], axis=1)
    ends = ends.reshape(comparisons, len(intervals), 2)
    score, lead = population.truth(design.share)
    of_scores = (SCORE, PERCENTILES[SCORE])
    return Trials(
        design,
        {test: p_values[:, index] for index, test in enumerate(tests)},
        {interval: ends[:, index] for index, interval in enumerate(intervals)},
        {interval: score if interval in of_scores else lead for interval in intervals},
    )


def attainable(test: str, level: float, n_blocks: int) -> float:
    """The rate of p below the level where p is exact: the level itself unless p has few values."""
    if test == "block-t":
        return level
    if test not in ("block-sign", "block-wilcoxon"):
        return float((np.arange(1, DRAWS + 2) / (DRAWS + 1) < level).sum() / (DRAWS + 1))
    weights = [1] * n_blocks if test == "block-sign" else range(1, n_blocks + 1)
    chances = np.ones(1)
    for weight in weights:  # the sum of those weights whose sign is positive
        chances = np.convolve(chances, np.bincount([0, weight]) / 2)
    below = np.cumsum(chances)
    p_values = 2 * np.minimum(below, below[::-1])
    return float(chances[p_values < level].sum())


def judged(rate: Rate, expected: float, band: tuple[float, float]) -> Verdict:
    """``"yes"`` within the band; ``"by 3 s.e."`` outside, where chance explains it; else ``"no"``.

    Chance explains what is no more than three standard errors of the expected rate away from it.
    """
    if band[0] <= rate.value <= band[1]:
        return "yes"
    standard_error = Rate(expected, rate.n).standard_error
    return "by 3 s.e." if abs(rate.value - expected) <= 3 * standard_error else "no"


def verdict(trials: Trials, name: str) -> Verdict:
    """What is to be said of a test and of its interval: the worse of both."""
    found: list[Verdict] = []
    if name in trials.p_values:
        expected = attainable(name, LEVELS[0], trials.design.n_blocks)
        found.append(judged(trials.rate(name), expected, RATE_BAND))
    if name in trials.intervals:
        found.append(judged(trials.coverage(name), COVERAGE, COVERAGE_BAND))
    return max(found, key=VERDICTS.index)


def print_calibration(compared: Compare, n_segments: int, documents: Sequence[int]) -> bool:
    """Print what the tests do without a difference; whether all of ours hold what is expected."""
    designs = [Design(n_segments)]
    designs += [Design(number, "document", tested) for number in documents for tested in ("document", "segment")]
    holds = True
    for design in designs:
        trials, number = compared(design), f"{design.n_drawn:,}"
        if design.drawn == "segment":
            print(f"\nNo difference: {number} segments drawn, exchanged and tested, {N_BLOCKS} blocks\n")
        elif design.is_mistaken:
            print(f"\nWhy documents matter: {number} documents drawn and exchanged, their segments tested\n")
        else:
            print(f"\nNo difference: {number} documents drawn, exchanged and tested, each a block\n")
        _print_rates(trials)
        holds &= all(verdict(trials, name) != "no" for name in design.judged)
    return holds


def print_families(texts: TestSet, options: Options, n_segments: int, *, comparisons: int, seed: int, run: Map) -> bool:
    """Print how often a family of tests has a false finding, and how much of what is true it finds; whether it holds.

    No more than the level is to be expected; three standard errors above it are chance.
    """
    evaluated = evaluate_metric(texts, options)
    counts = np.stack([evaluated.systems[name].counts for name in evaluated.ranked()])
    n_systems, score = len(counts), partial(_scores, options)
    rows, holds = [], True
    for n_better in (0, n_systems // 2):
        family = Family(counts, score, n_better, n_segments)
        chunks = [
            range(start, min(start + CHUNK_OF_FAMILIES, comparisons))
            for start in range(0, comparisons, CHUNK_OF_FAMILIES)
        ]
        found = np.concatenate(list(run(partial(_family_chunk, family, seed), chunks)))
        for place, name in enumerate(("max-t", "holm")):
            error = Rate(float(found[:, place].mean()), comparisons)
            within = error.value <= LEVELS[0] + 3 * Rate(LEVELS[0], comparisons).standard_error
            holds &= within
            power = f"{100 * float(found[:, 2 + place].mean()):.1f}" if n_better else ""
            groups = f"{n_better} and {n_systems - n_better}" if n_better else f"{n_systems}"
            rows.append([groups, name, str(error), power, "yes" if within else "no"])
    print(
        f"\nFamilies: all pairs of {n_systems} systems, {n_segments:,} segments, {family.n_trials:,} trials, "
        f"{comparisons:,} comparisons\n"
    )
    _print_table(["equal systems", "correction", "any false finding", "true differences found", "it holds"], rows)
    print()
    return holds


def print_agreement(*, comparisons: int, seed: int, run: Map) -> bool:
    """Print how often a metric that knows nothing is found better, and how often Fisher's interval holds the truth."""
    chunks = [range(start, min(start + CHUNK, comparisons)) for start in range(0, comparisons, CHUNK)]
    rows, holds = [], True
    for (statistic, exchanged), has_to_hold in METRIC_COMPARISONS.items():
        rate = Rate(
            float(np.concatenate(list(run(partial(_null_chunk, statistic, exchanged, seed), chunks))).mean()),
            comparisons,
        )
        said = judged(rate, LEVELS[0], RATE_BAND) if has_to_hold else ""
        holds &= said != "no"
        rows.append([statistic, exchanged, str(rate), said])
    print(f"\nMetrics that know nothing: {JUDGED_SYSTEMS} systems, {JUDGED_SEGMENTS} segments\n")
    _print_table(["agreement", "exchanged", "p < 0.05", "it holds"], rows)
    rows = []
    for truth in CORRELATIONS:
        coverage = Rate(
            float(np.concatenate(list(run(partial(_fisher_chunk, truth, seed), chunks))).mean()), comparisons
        )
        said = judged(coverage, COVERAGE, COVERAGE_BAND)
        holds &= said != "no"
        rows.append([f"{truth}", str(coverage), said])
    print(f"\nFisher's interval of Pearson's r of {CORRELATED_SYSTEMS} systems\n")
    _print_table(["r", "95 % interval holds it", "it holds"], rows)
    print()
    return holds


def print_samples(*, comparisons: int, seed: int, run: Map) -> bool:
    """Print how often a difference is found on drawn segments that is none in the whole test set."""
    chunks = [range(start, min(start + CHUNK, comparisons)) for start in range(0, comparisons, CHUNK)]
    rows, holds = [], True
    for unit in get_args(Unit):
        found = np.concatenate(list(run(partial(_sample_chunk, unit, seed), chunks)))
        rate = Rate(float(found.mean()), comparisons)
        said = judged(rate, LEVELS[0], RATE_BAND)
        holds &= said != "no"
        rows.append([unit, str(rate), said])
    print(f"\nSamples of {SAMPLED} of {SAMPLED_OF} segments without a difference\n")
    _print_table(["drawn", "p < 0.05", "it holds"], rows)
    print()
    return holds


def print_sizes(compared: Compare, population: Population) -> None:
    """Print what the tests do at several sizes, with and without a difference."""
    same = [compared(Design(number)) for number in SEGMENTS]
    same += [compared(Design(number, "document", "document")) for number in DOCUMENTS]
    known = [compared(Design(number, share=0)) for number in SEGMENTS]
    segments = [f"{number:,} segments" for number in SEGMENTS]
    sizes = segments + [f"{number:,} documents" for number in DOCUMENTS]
    lead = population.truth(0)[1]
    print(f"\nPower: share of p < 0.05 in %, true difference {lead:.2f}\n")
    _print_table(["test", *segments], [[test, *(str(each.rate(test)) for each in known)] for test in TESTS])
    print("\nNo difference: share of p < 0.05 in %\n")
    _print_table(["test", *sizes], [[test, *(str(each.rate(test)) for each in same)] for test in TESTS])
    print("\nNo difference: share of 95 % intervals that hold the truth in %\n")
    _print_table(["interval", *sizes], [[name, *(str(each.coverage(name)) for each in same)] for name in INTERVALS])
    print(f"\nTrue difference {lead:.2f}: share of 95 % intervals that hold the truth in %\n")
    _print_table(["interval", *segments], [[name, *(str(each.coverage(name)) for each in known)] for name in INTERVALS])
    print()


def _arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "folder",
        nargs="?",
        type=Path,
        help="with systems/*.txt, reference.A.txt and maybe documents.txt; else made text",
    )
    parser.add_argument("--comparisons", type=_whole(1), default=2000, help="of each kind")
    parser.add_argument("--segments", type=_whole(N_BLOCKS), default=500, help="drawn in a comparison")
    parser.add_argument(
        "--documents",
        type=_whole(2),
        nargs="+",
        default=DOCUMENTS,
        metavar="DOCUMENTS",
        help="drawn in a comparison by document",
    )
    parser.add_argument(
        "--families",
        type=_whole(2),
        nargs="+",
        default=FAMILIES,
        metavar="SYSTEMS",
        help="of made text; those of a folder are its systems",
    )
    parser.add_argument("--seed", type=_whole(0), default=1)
    parser.add_argument("--metric", choices=METRIC_OPTIONS, default="bleu")
    parser.add_argument("--processes", type=_whole(1), default=os.cpu_count() or 1)
    return parser.parse_args(arguments)


def _whole(least: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        if int(text) < least:
            raise argparse.ArgumentTypeError(f"{text} is too small: the least is {least}")
        return int(text)

    return number


def _heading(population: Population, given: argparse.Namespace) -> str:
    score, lead = population.truth(0)
    n_segments, n_documents = (population.counts[unit].shape[1] for unit in ("segment", "document"))
    first, second = population.names
    return (
        f"{population.title}: {n_segments:,} segments in {n_documents:,} documents; "
        f"{given.metric} {score:.2f} of {first}, {score - lead:.2f} of {second}\n"
        f"{given.comparisons:,} comparisons of each kind, {DRAWS:,} resamples or trials in each, seed {given.seed}, "
        f"{os.cpu_count()} cores\n"
        "Shares in % ± standard error. 'if exact' is the share that an exact test with such p-values has. It holds: "
        "'yes' is p < 0.05 in 4 to 6 %\nand coverage of 93.5 to 96.5 %; 'by 3 s.e.' is outside, but no more than three "
        "standard errors from 'if exact', or 95 %."
    )


def _print_rates(trials: Trials) -> None:
    """Print a row for each test, and for each interval that belongs to none."""
    design, rows = trials.design, []
    for name in dict.fromkeys((*design.tests, *design.intervals)):
        cells = []
        for level in LEVELS:
            tested = name in trials.p_values
            cells.append(str(trials.rate(name, level)) if tested else "")
            cells.append(f"{100 * attainable(name, level, design.n_blocks):.1f}" if tested else "")
        cells.append(str(trials.coverage(name)) if name in trials.intervals else "")
        rows.append([name, *cells, verdict(trials, name) if name in design.judged else ""])
    _print_table(
        ["test", "p < 0.05", "if exact", "p < 0.01", "if exact", "95 % interval holds the truth", "it holds"], rows
    )


def _print_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """As Markdown, with columns of even width."""
    widths = [max(len(row[column]) for row in (header, *rows)) for column in range(len(header))]
    for row in (header, ["-" * width for width in widths], *rows):
        print("| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |", flush=True)


def _chunk(population: Population, design: Design, seed: int, indices: range) -> Floats:
    """A row for each comparison: its p-values and the ends of its intervals."""
    key = (seed, design.n_drawn, design.drawn == "document", round(1000 * design.share))
    return np.array([_tested(population, design, np.random.default_rng((*key, index))) for index in indices])


def _null_chunk(statistic: Statistic, exchanged: Exchanged, seed: int, indices: range) -> Floats:
    """Whether the first of two metrics is found better: one metric's scores, permuted within segments for each."""
    found = []
    for index in indices:
        rng = np.random.default_rng((seed, index))
        of_segments, shape = rng.normal(size=JUDGED_SEGMENTS), (JUDGED_SYSTEMS, JUDGED_SEGMENTS)
        people = np.round(3 * (of_segments + rng.normal(size=(JUDGED_SYSTEMS, 1)) + rng.normal(size=shape)))
        metric = of_segments + rng.normal(size=shape)
        first, second = (permuted_within_segments(metric, np.ones(shape, np.bool_), rng) for _ in range(2))
        if statistic in ("pearson", "pairs"):
            people, first, second = (values.mean(axis=1) for values in (people, first, second))
        test = compare_metrics(people, (first, second), statistic, exchanged=exchanged, trials=199, seed=index)
        found.append(test.p_value <= LEVELS[0])
    return np.array(found, np.float64)


def _fisher_chunk(truth: float, seed: int, indices: range) -> Floats:
    """Whether Fisher's interval holds the correlation that pairs of normal numbers are drawn with."""
    found = []
    for index in indices:
        drawn = np.random.default_rng((seed, index)).normal(size=(2, CORRELATED_SYSTEMS))
        drawn[1] = truth * drawn[0] + np.sqrt(1 - truth**2) * drawn[1]
        low, high = fisher_interval(float(np.corrcoef(drawn)[0, 1]), CORRELATED_SYSTEMS) or (-1.0, 1.0)
        found.append(low <= truth <= high)
    return np.array(found, np.float64)


def _sample_chunk(unit: Unit, seed: int, indices: range) -> Floats:
    """Whether a difference is found on a sample: by segment drawn by its spread, or in documents that hang together."""
    found = []
    for index in indices:
        rng = np.random.default_rng((seed, index))
        documents = np.repeat(np.arange(SAMPLED_OF // LINES_OF_A_DOCUMENT), LINES_OF_A_DOCUMENT)
        spread = rng.gamma(2, size=SAMPLED_OF)
        values = spread * rng.normal(size=SAMPLED_OF) + rng.normal(size=len(documents))[documents]
        values -= values.mean()
        if unit == "document":
            sample = draw_documents(list(map(str, documents)), SAMPLED, seed=index)
        else:
            sample = draw_segments(spread, SAMPLED, seed=index)
        drawn = np.isin(np.arange(SAMPLED_OF), sample.segments)
        units = np.where(drawn, documents if unit == "document" else np.arange(SAMPLED_OF), -1)
        of_segments = DrawnSegments(sample.weights * drawn, sample.strata * drawn, units)
        tested = estimated_mean(np.where(drawn, values, np.nan), of_segments)
        found.append(tested is not None and tested.p_value is not None and tested.p_value <= LEVELS[0])
    return np.array(found, np.float64)


def _tested(population: Population, design: Design, rng: np.random.Generator) -> list[float]:
    drawn, sizes = _drawn(population, design, rng)
    systems = list(zip(population.names, drawn, strict=True))
    seed = int(rng.integers(2**32))
    resampled = bootstrap(systems, population.score, resamples=DRAWS, seed=seed, unit=design.tested)
    if sizes is not None and not design.is_mistaken:
        resampled = replace(resampled, n_effective=effective_number(sizes))
    exchanged = randomise(systems, population.score, trials=DRAWS, seed=seed, unit=design.tested)
    layout = blocks_of_number(resampled.n_units, design.n_blocks, remainder="spread")
    blocks = [summarise_blocks(name, counts, layout, population.score) for name, counts in systems]
    # the second system is the baseline, so that differences are the lead of the first
    (randomisation,) = approximate_randomisation(exchanged, baseline=1)
    (centred,) = paired_bootstrap(resampled, baseline=1)
    (theirs,) = sacrebleu_bootstrap(resampled, baseline=1)
    t_test = paired_t_test(*blocks)
    p_values: dict[str, float | None] = {
        "approximate-randomisation": randomisation.p_value,
        "paired-bootstrap": centred.p_value,
        "block-t": t_test.p_value,
        "block-wilcoxon": wilcoxon_test(*blocks).p_value,
        "block-sign": sign_test(*blocks).p_value,
        "sacrebleu-bs": theirs.p_value,
    }
    scores, differences = resampled.resampled[0], resampled.resampled[0] - resampled.resampled[1]
    intervals: dict[str, tuple[float, float] | None] = {
        DIFFERENCE: centred.interval,
        SCORE: resampled.interval(scores),
        "block-t": t_test.interval,
        PERCENTILES[DIFFERENCE]: percentile_interval(differences),
        PERCENTILES[SCORE]: percentile_interval(scores),
    }
    ends = [end for name in design.intervals for end in intervals[name] or (np.nan, np.nan)]
    return [p_values[test] or 1.0 for test in design.tests] + ends  # no test finds nothing


def _family_chunk(family: Family, seed: int, indices: range) -> Floats:
    """A row for each comparison: whether max-t and Holm find what is false, and their shares of what is true."""
    key = (seed, len(family.counts), family.n_better)
    return np.array([_tested_family(family, np.random.default_rng((*key, index))) for index in indices])


def _tested_family(family: Family, rng: np.random.Generator) -> list[float]:
    drawn = family.counts[:, rng.integers(family.counts.shape[1], size=family.n_drawn)]
    places = rng.random(drawn.shape[:2])
    places[family.n_better :] += 1.0  # the halves stay apart
    changed = np.take_along_axis(drawn, places.argsort(axis=0)[:, :, None], axis=0)
    systems = [(str(place), counts) for place, counts in enumerate(changed)]
    options = SignificanceOptions(
        trials=family.n_trials, resamples=DRAWS, seed=int(rng.integers(2**32)), unit="segment"
    )
    pairs = compare_systems(ComparedSystems(systems, family.score), options).pairs
    by_max_t = np.array([pair.corrected_p_value for pair in pairs.values()]) < LEVELS[0]
    by_holm = holm([pair.p_value or 1.0 for pair in pairs.values()]) < LEVELS[0]
    is_true = np.array([(int(one) < family.n_better) != (int(other) < family.n_better) for one, other in pairs])
    shares = [float(by[is_true].mean()) if is_true.any() else np.nan for by in (by_max_t, by_holm)]
    return [float(by[~is_true].any()) for by in (by_max_t, by_holm)] + shares


def drawn_counts(population: Population, design: Design, rng: np.random.Generator) -> Ints:
    """The counts (2, U, C) of the units to test."""
    return _drawn(population, design, rng)[0]


def _drawn(population: Population, design: Design, rng: np.random.Generator) -> tuple[Ints, Ints | None]:
    """``drawn_counts``, and the segments in each document where documents were drawn."""
    units = rng.integers(population.counts[design.drawn].shape[1], size=design.n_drawn)
    exchanged, sizes = rng.random(design.n_drawn) < design.share, None
    if design.drawn == "document":
        segments = [population.segments_of[document] for document in units]
        sizes = np.array([len(each) for each in segments])
        if design.is_mistaken:
            exchanged, units = np.repeat(exchanged, sizes), np.concatenate(segments)
    counts = population.counts[design.tested][:, units]
    return np.where(exchanged[:, None], counts[::-1], counts), sizes


def read_population(folder: Path, options: Options) -> Population:
    """The two systems of a folder whose scores differ by the nearest to one point."""
    title = folder.name
    if not (folder / "documents.txt").is_file():
        title += f" ({LINES_OF_A_DOCUMENT} lines at a time are taken for a document)"
    return population_of(read_texts(folder), options, title)


def read_texts(folder: Path) -> TestSet:
    """All systems of a folder with reference A."""
    systems = [System(path.stem, _lines(path)) for path in sorted((folder / "systems").glob("*.txt"))]
    if len(systems) < 2:
        raise InputError("there are not two systems", where=str(folder), found=len(systems), expected="systems/*.txt")
    reference = _lines(folder / "reference.A.txt")
    if (folder / "documents.txt").is_file():
        documents = _lines(folder / "documents.txt")
    else:
        documents = [str(line // LINES_OF_A_DOCUMENT) for line in range(len(reference))]
    return TestSet(systems, [reference], documents=documents)


def made_population(options: Options, seed: int, n_documents: int = 400) -> Population:
    """Two systems on text that is made."""
    return population_of(made_texts(seed, n_documents), options, "made text")


def made_family(seed: int, n_systems: int, n_documents: int = 400) -> TestSet:
    """So many systems on text that is made, the first half of them better."""
    qualities = {f"s{place}": 0.27 if place < n_systems // 2 else 0.23 for place in range(n_systems)}
    return made_texts(seed, n_documents, qualities)


def population_of(test_set: TestSet, options: Options, title: str) -> Population:
    """The two systems of a test set whose scores differ by the nearest to one point."""
    evaluation = evaluate_metric(test_set, options)
    systems = evaluation.systems
    pair = min(
        combinations(evaluation.ranked(), 2), key=lambda pair: abs(systems[pair[0]].score - systems[pair[1]].score - 1)
    )
    _, documents = np.unique(np.array(test_set.documents), return_inverse=True)
    n_documents = int(documents.max()) + 1
    segments = np.stack([systems[name].counts for name in pair])
    return Population(
        title,
        (pair[0], pair[1]),
        {"segment": segments, "document": np.stack([group_sums(each, documents, n_documents) for each in segments])},
        [np.flatnonzero(documents == document) for document in range(n_documents)],
        partial(_scores, options),
    )


def _scores(options: Options, counts: NDArray[Any]) -> Floats:
    return METRICS[type(options)].scores(counts, options)


def made_texts(seed: int, n_documents: int, qualities: Mapping[str, float] = TWO_SYSTEMS) -> TestSet:
    """Documents of 4 to 20 lines, no two lines alike, and systems that get some of the words wrong.

    The sizes were chosen by BLEU on the WMT 2022 test sets: its level, its standard error over segments and over
    documents, and its correlation between systems.
    """
    rng = np.random.default_rng(seed)
    document_of_line = np.repeat(np.arange(n_documents), rng.integers(4, 21, n_documents))
    n_words = np.clip(rng.gamma(3, 6, len(document_of_line)).astype(int) + 3, 3, 80)
    line_of_word = np.repeat(np.arange(len(n_words)), n_words)
    starts = np.cumsum(n_words) - n_words
    groups = document_of_line[line_of_word], line_of_word
    words = _made_words(rng, groups[0])
    words[starts] = [f"Name{line}" for line in range(len(starts))]
    shared = _hardness(rng, *groups)
    systems = []
    for name, quality in qualities.items():
        written = _written(rng, words, shared + 0.45 * _hardness(rng, *groups) > quality)
        systems.append(System(name, _joined(written, starts)))
    return TestSet(systems, [_joined(words, starts)], documents=[str(document) for document in document_of_line])


def _made_words(rng: np.random.Generator, documents: Ints) -> NDArray[np.object_]:
    """A word for each of the documents (W,) given: some of a document's words are of its own topic."""
    ranks, topics = _zipf(rng, len(documents)), _zipf(rng, (documents.max() + 1, 15))
    is_topic = rng.random(len(ranks)) < 0.15
    ranks[is_topic] = topics[documents[is_topic], rng.integers(15, size=is_topic.sum())]
    return np.array([f"w{rank}{',' if rank % 17 == 5 else ''}" for rank in ranks], object)


def _zipf(rng: np.random.Generator, shape: int | tuple[int, int], n_words: int = 30_000) -> Ints:
    """Ranks from 0 of words whose frequency falls with the rank, as Zipf and Mandelbrot have it."""
    cumulated = np.cumsum((np.arange(n_words) + 2.7) ** -1.1)
    return np.asarray(np.searchsorted(cumulated, rng.random(shape) * cumulated[-1]))


def _hardness(rng: np.random.Generator, documents: Ints, lines: Ints) -> Floats:
    """How hard each word (W,) is: a part of its document, one of its line, and one of its own; 0 on average."""
    of_document = 0.15 * rng.normal(size=documents.max() + 1)[documents]
    of_line = 0.35 * rng.normal(size=lines.max() + 1)[lines]
    hardness = of_document + of_line + rng.normal(size=len(lines))
    return np.asarray(hardness - hardness.mean())


def _written(rng: np.random.Generator, words: NDArray[np.object_], is_wrong: NDArray[np.bool_]) -> NDArray[np.object_]:
    """The words of a system: a wrong one is replaced, left out, or followed by one too many."""
    kinds = np.where(is_wrong, rng.choice(4, size=len(words), p=(0, 0.7, 0.15, 0.15)), 0)
    others = np.array([f"w{rank}" for rank in _zipf(rng, len(words))], object)
    return np.choose(kinds, [words, others, "", words + " " + others])


def _joined(words: NDArray[np.object_], starts: Ints) -> list[str]:
    """The lines of words that start at these places, without the words that are empty."""
    return [" ".join(word for word in line if word) for line in np.split(words, starts[1:])]


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


if __name__ == "__main__":
    sys.exit(main())
