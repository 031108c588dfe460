"""What is said of a history of versions, measured where the truth is known: a part of ``make calibration``.

Two systems, made or read from a folder, are taken for everything there is to translate. A version takes the output of
the better one in a share of the documents, at random, so that its true score is known; a later version takes most of
its documents from the one before. A test set is drawn from the documents with replacement.

The best of n versions: how far its score is above its true one, as it is and corrected; how often intervals hold the
true one; how often a loss and a chance of being truly the best are said, and what is true then. Means are less what is
common to all versions, whose mean is 0.

Alarms: how many there are in 100 versions of the same quality, and how many true drops and declines are found. The
program ends with status 1 if alarms are more than stated, or if what is corrected does not hold.
"""

import argparse
import os
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))

import calibration
from calibration import METRIC_OPTIONS, Floats, Ints, Map, Options, Rate

from bleucore import TestSet
from bleucore.evaluation import evaluate_metric
from bleucore.history import AlarmOptions, VersionHistory, best_version, version_history
from bleucore.metrics import METRICS
from bleucore.significance import ComparedSystems, SignificanceOptions, bootstrap

POLES = {"better": 0.33, "worse": 0.17}
VERSIONS = (2, 10, 50, 200)
SPREADS: tuple[float | None, ...] = (0.0, 1.0, 2.0, None)
"""Standard deviations of true scores, in standard errors of the difference of a version from the mean of all; ``None``
for a training curve, which rises and then stays."""
RISE = 2.0
KEPT = (0.0, 0.8)
"""Of the documents of a version, how many are those of the one before."""
RATES = (1.0, 5.0)
NIGHTS = 100
DROPS = (0.5, 1.0)
STEPS_OF_DECLINE, DECLINE = 10, 1.0
SETTLED = 30
FAMILIES = (5, 20)
SHARES = (0.1,)
STEEP, TIMES_DOCUMENTS = 1.5, 4
POWER_HISTORIES = 5
"""For each of those without a change."""
CHUNK = 5
CORRECTED, N_FOLDS = 50, 10
CORRECTIONS = (
    "as it is",
    "less what choosing again loses out of bag",
    "less in the resample minus out of bag",
    "less in the resample minus on the test set",
    "less the best of each of ten folds minus the best of all",
)
BIAS = 0.05
"""Points that a corrected score of equal versions may be off, beside chance."""
COVERAGE = (0.93, 0.985)


@dataclass(frozen=True)
class Poles:
    """Two systems that versions are made of.

    Attributes:
        title: Where the texts are from.
        counts: (2, S, C), the worse one first.
        options: Of the metric.
        documents: The segments of each document.
    """

    title: str
    counts: Ints
    options: Options
    documents: Sequence[Ints]

    def score(self, counts: Any) -> Floats:
        """The scores (...) of counts (..., C)."""
        return METRICS[type(self.options)].draw_scores(counts, self.options)

    def truths(self, shares: Floats) -> Floats:
        """The true scores of versions that take these shares of the better system."""
        worse, better = self.counts.sum(axis=1)
        return self.score(worse + shares[:, None] * (better - worse))

    def shares(self, truths: Floats) -> Floats:
        """The shares of the better system that give these true scores, as near as may be."""
        grid = np.linspace(0, 1, 1001)
        return np.asarray(np.interp(truths, self.truths(grid), grid))

    def drawn(self, shares: Floats, kept: float, n_documents: int, rng: np.random.Generator) -> ComparedSystems:
        """Versions in order on a test set: each takes this part of its documents' sources from the one before."""
        chosen = [self.documents[place] for place in rng.integers(len(self.documents), size=n_documents).tolist()]
        segments, sizes = np.concatenate(chosen), [len(one) for one in chosen]
        places, found = rng.random(n_documents), []
        for number, share in enumerate(shares):
            places = np.where(rng.random(n_documents) < kept, places, rng.random(n_documents))
            found.append((f"v{number}", self.counts[np.repeat(places < share, sizes).astype(int), segments]))
        names = np.repeat(np.arange(n_documents), sizes).astype(str).tolist()
        return ComparedSystems(found, self.score, documents=names, single_precision=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print every table; 1 if something does not hold."""
    given = _arguments(arguments)
    start, options = time.perf_counter(), METRIC_OPTIONS[given.metric]
    texts = calibration.read_texts(given.folder) if given.folder else calibration.made_texts(given.seed, 400, POLES)
    poles = poles_of(texts, options, given.folder.name if given.folder else "made text")
    low, high = poles.truths(np.array([0.0, 1.0]))
    print(
        f"{poles.title}: {len(poles.documents):,} documents; versions between {low:.2f} and {high:.2f} {given.metric}; "
        f"{given.documents:,} documents drawn, seed {given.seed}",
        flush=True,
    )
    with ExitStack() as stack:
        run: Any = map
        if given.processes > 1:
            run = stack.enter_context(ProcessPoolExecutor(given.processes)).map
        holds = print_best(poles, given.documents, given.versions, histories=given.histories, seed=given.seed, run=run)
        print_corrections(poles, given.documents, histories=given.histories, seed=given.seed, run=run)
        holds &= print_alarms(poles, given.documents, nights=given.nights, seed=given.seed, run=run)
    print(f"{time.perf_counter() - start:.0f} seconds. " + ("It holds." if holds else "SOMETHING DOES NOT HOLD."))
    return 0 if holds else 1


def poles_of(texts: TestSet, options: Options, title: str) -> Poles:
    """The worst and the best system of a test set."""
    evaluated = evaluate_metric(texts, options)
    ranked = evaluated.ranked()
    counts = np.stack([evaluated.systems[name].counts for name in (ranked[-1], ranked[0])])
    _, groups = np.unique(np.array(texts.documents or range(texts.n_segments)), return_inverse=True)
    return Poles(title, counts, options, [np.flatnonzero(groups == place) for place in range(groups.max() + 1)])


def print_best(
    poles: Poles, n_documents: int, versions: Sequence[int], *, histories: int, seed: int, run: Map = map
) -> bool:
    """Print what is said of the best of n versions, and what is true; whether it holds."""
    rows, holds = [], True
    for kept in KEPT:
        for n_versions in versions:
            for spread in SPREADS:
                work = partial(_best_chunk, poles, n_documents, n_versions, spread, (seed, kept))
                found = np.concatenate(list(run(work, _chunks(histories))))
                means, errors = _means(found), found.std(axis=0) / np.sqrt(len(found))
                n_said = int(np.count_nonzero(~np.isnan(found[:, 6])))
                coverage = Rate(float(means[3]), histories)
                within = COVERAGE[0] - 2 * coverage.standard_error <= coverage.value
                if spread == 0:
                    within &= abs(means[1]) <= BIAS + 2 * errors[1]
                    within &= Rate(n_said / histories, histories).value <= most(0.05, histories)
                holds &= within
                rows.append(
                    [
                        f"{100 * kept:.0f} %",
                        str(n_versions),
                        "curve" if spread is None else f"{spread:g}",
                        f"{means[0]:+.2f} ± {errors[0]:.2f}",
                        f"{means[1]:+.2f} ± {errors[1]:.2f}",
                        str(Rate(float(means[2]), histories)),
                        str(coverage),
                        f"{100 * n_said / histories:.0f}",
                        *(f"{mean:.2f}" if n_said else "" for mean in means[4:6]),
                        *(f"{100 * mean:.0f}" if n_said else "" for mean in means[6:8]),
                        "yes" if within else "no",
                    ]
                )
    print(f"\nThe best of n versions: {histories:,} histories each\n")
    header = ["kept", "n", "spread", "best score", "corrected", "interval", "corrected interval"]
    header += ["chance said in (%)", "loss said", "loss", "best said", "best", "it holds"]
    calibration._print_table(header, rows)
    return bool(holds)


def print_corrections(poles: Poles, n_documents: int, *, histories: int, seed: int, run: Map = map) -> None:
    """Print how far several corrections of the best score of equal versions are off."""
    found = np.concatenate(list(run(partial(_corrections_chunk, poles, n_documents, seed), _chunks(histories))))
    errors = found.std(axis=0) / np.sqrt(len(found))
    cells = [f"{mean:+.2f} ± {error:.2f}" for mean, error in zip(found.mean(axis=0), errors, strict=True)]
    print(f"\nThe best of {CORRECTED} equal versions: how far scores are above the truth, {histories:,} histories\n")
    calibration._print_table(["score", "above the truth"], list(zip(CORRECTIONS, cells, strict=True)))


def print_alarms(poles: Poles, n_documents: int, *, nights: int, seed: int, run: Map = map) -> bool:
    """Print how many false alarms there are, and how many true ones; whether those are no more than stated."""
    rows, holds = [], True
    histories = max(1, round(nights / NIGHTS))
    for kept in KEPT:
        for per_100 in RATES:
            work = partial(_alarm_chunk, poles, n_documents, kept, AlarmOptions(per_100=per_100), seed)
            found = np.concatenate(list(run(work, _chunks(histories))))
            per_history = found.sum(axis=1)
            error = float(per_history.std() / np.sqrt(histories)) or np.sqrt(per_100 / histories)
            within = float(per_history.mean()) <= per_100 + 2 * error
            holds &= within
            drops, declines = found.mean(axis=0)
            rows.append(
                [
                    f"{100 * kept:.0f} %",
                    f"{per_100:g}",
                    f"{per_history.mean():.2f} ± {error:.2f}",
                    f"{drops:.2f}",
                    f"{declines:.2f}",
                    "yes" if within else "no",
                ]
            )
    print(f"\nAlarms in {NIGHTS} versions of the same quality: {histories * NIGHTS:,} versions each\n")
    header = ["kept", "stated", "alarms", "drops", "declines", "it holds"]
    calibration._print_table(header, rows)
    rows = []
    for kept in KEPT:
        for n_versions in FAMILIES:
            work = partial(_marks_chunk, poles, n_documents, n_versions, kept, seed)
            found = np.concatenate(list(run(work, _chunks(10 * histories))))
            rates = [Rate(float(mean), len(found)) for mean in found.mean(axis=0)]
            within = all(rate.value <= most(0.05, len(found)) for rate in rates)
            holds &= within
            rows.append([f"{100 * kept:.0f} %", str(n_versions), *map(str, rates), "yes" if within else "no"])
    print(f"\nMarks in histories of equal versions: {10 * histories:,} histories each\n")
    header = ["kept", "n", "any differs from the one before (%)", "any differs from the best (%)", "it holds"]
    calibration._print_table(header, rows)
    rows = []
    for kept in KEPT:
        for share in SHARES:
            options = AlarmOptions(control="share", share=share)
            found = np.concatenate(
                list(run(partial(_share_chunk, poles, n_documents, kept, options, seed), _chunks(histories)))
            )
            false, alarms, true = found.sum(axis=0)
            said = false / float(np.maximum(found[:, 1], 1).sum())
            within = said <= most(share, max(1, int(alarms)))
            holds &= within
            rows.append(
                [
                    f"{100 * kept:.0f} %",
                    f"{share:g}",
                    f"{said:.3f}",
                    f"{alarms:.0f}",
                    f"{100 * true / (histories * 5):.0f}",
                ]
            )
    print(
        f"\nA share of false alarms: {histories} histories of {NIGHTS} versions, 5 of which drop by {STEEP:g} points, "
        f"{TIMES_DOCUMENTS * n_documents:,} documents\n"
    )
    calibration._print_table(["kept", "stated", "false", "alarms", "drops found (%)"], rows)
    rows = []
    for kept in KEPT:
        for title, steps in (
            *((f"a drop of {drop:g}", [-drop]) for drop in DROPS),
            (
                f"{STEPS_OF_DECLINE} steps of {DECLINE / STEPS_OF_DECLINE:g}",
                [-DECLINE / STEPS_OF_DECLINE] * STEPS_OF_DECLINE,
            ),
        ):
            work = partial(_power_chunk, poles, n_documents, kept, steps, seed)
            found = np.concatenate(list(run(work, _chunks(POWER_HISTORIES * histories))))
            cells = [str(Rate(float(mean), len(found))) for mean in found.mean(axis=0)]
            rows.append([f"{100 * kept:.0f} %", title, *cells])
    n_each = POWER_HISTORIES * histories
    print(f"\nTrue alarms: after {SETTLED} equal versions, 1 in 100 stated, {n_each:,} histories each\n")
    header = ["kept", "what happens", "a drop, that version (%)", "any alarm, that version", "any alarm in 5 more"]
    calibration._print_table(header, rows)
    print()
    return bool(holds)


def most(promised: float, n: int) -> float:
    """What chance explains of a rate: two standard errors more than promised."""
    return promised + 2 * Rate(promised, n).standard_error


def _means(found: Floats) -> Floats:
    """The mean of each column of those rows that have it; NaN of none."""
    known = ~np.isnan(found)
    sums = np.where(known, found, 0.0).sum(axis=0)
    return np.divide(sums, known.sum(axis=0), out=np.full(found.shape[1], np.nan), where=known.any(axis=0))


def _chunks(number: int) -> list[range]:
    return [range(start, min(start + CHUNK, number)) for start in range(0, number, CHUNK)]


def _best_chunk(
    poles: Poles, n_documents: int, n_versions: int, spread: float | None, key: tuple[int, float], indices: range
) -> Floats:
    """A row for each history: errors of the best score and of the corrected one, whether intervals hold, and so on."""
    rows, (seed, kept) = [], key
    for index in indices:
        rng = np.random.default_rng((seed, n_versions, round(10 * (spread or 0)), round(10 * kept), index))
        middle = float(poles.truths(np.array([0.5]))[0])
        equal = poles.drawn(np.full(max(10, n_versions), 0.5), kept, n_documents, rng)
        drawn = equal.bootstrap(SignificanceOptions(resamples=100, seed=1))
        apart = drawn.resampled - drawn.resampled.mean(axis=0)
        chance = float(np.sqrt(apart.var(axis=1).mean()))
        if spread is None:
            wanted = middle + RISE / 2 - RISE * np.exp(-8 * np.arange(n_versions) / n_versions)
        else:
            wanted = middle + spread * chance * rng.normal(size=n_versions)
        shares = poles.shares(wanted)
        truths = poles.truths(shares)
        compared = poles.drawn(shares, kept, n_documents, rng)
        said = best_version(compared, SignificanceOptions(resamples=500, seed=int(rng.integers(2**32))))
        common, true = float((said.scores - truths).mean()), float(truths[said.chosen])
        (low, high), corrected = said.interval or (0, 0), said.corrected_interval or (0, 0)
        chance = None if said.chances_best is None else float(said.chances_best[said.chosen])
        is_best = float((truths >= truths.max() - 1e-9)[said.chosen] / (truths >= truths.max() - 1e-9).sum())
        rows.append(
            [
                said.score - true - common,
                (said.corrected_score or 0.0) - true - common,
                low <= true <= high,
                corrected[0] <= true <= corrected[1],
                np.nan if chance is None else said.expected_loss,
                np.nan if chance is None else float(truths.max()) - true,
                np.nan if chance is None else chance,
                np.nan if chance is None else is_best,
            ]
        )
    return np.array(rows, np.float64)


def _corrections_chunk(poles: Poles, n_documents: int, seed: int, indices: range) -> Floats:
    """A row for each history of equal versions: errors of ``CORRECTIONS``, less what is common to all versions."""
    rows = []
    for index in indices:
        rng = np.random.default_rng((seed, 55, index))
        compared = poles.drawn(np.full(CORRECTED, 0.5), 0.0, n_documents, rng)
        by_document = compared.unit_counts(compared.units(SignificanceOptions()))
        counts = np.stack([column for _, column in by_document])
        resampled = bootstrap(by_document, poles.score, resamples=300, seed=index)
        scores = resampled.scores
        best, again = int(scores.argmax()), resampled.resampled.argmax(axis=0)
        drawn = np.random.default_rng(index).integers(0, n_documents, size=(300, n_documents))
        outside = np.ones((300, n_documents))
        np.put_along_axis(outside, drawn, 0.0, axis=1)
        left = np.array([poles.score(row @ counts[place]) for row, place in zip(outside, again, strict=True)])
        inside = resampled.resampled.max(axis=0)
        folds = np.arange(n_documents) % N_FOLDS  # documents are in random order
        by_fold = poles.score(np.stack([counts[:, folds == fold].sum(axis=1) for fold in range(N_FOLDS)]))
        error = scores[best] - scores.mean()
        shifts = [
            0.0,
            float((poles.score(outside @ counts[best]) - left).mean()),
            float((inside - left).mean()),
            float((inside - scores[again]).mean()),
            float((by_fold.max(axis=1) - by_fold[:, best]).mean()),
        ]
        rows.append([error - shift for shift in shifts])
    return np.array(rows, np.float64)


def _history(
    poles: Poles, shares: Floats, kept: float, n_documents: int, alarms: AlarmOptions, rng: np.random.Generator
) -> VersionHistory:
    options = SignificanceOptions(resamples=100, seed=int(rng.integers(2**32)))
    return version_history(poles.drawn(shares, kept, n_documents, rng), options, alarms)


def _alarm_chunk(
    poles: Poles, n_documents: int, kept: float, alarms: AlarmOptions, seed: int, indices: range
) -> Floats:
    """A row for each history without a change: how many drops and declines are found in 100 versions."""
    rows = []
    for index in indices:
        rng = np.random.default_rng((seed, round(10 * kept), round(10 * alarms.per_100), index))
        found = _history(poles, np.full(NIGHTS + 1, 0.5), kept, n_documents, alarms, rng).alarmed
        rows.append([sum(version.alarm == kind for version in found) for kind in ("drop", "decline")])
    return np.array(rows, np.float64)


def _marks_chunk(poles: Poles, n_documents: int, n_versions: int, kept: float, seed: int, indices: range) -> Floats:
    """A row for each history of equal versions: whether any is marked beside the one before, and beside the best."""
    rows = []
    for index in indices:
        rng = np.random.default_rng((seed, n_versions, round(10 * kept), 77, index))
        drawn = poles.drawn(np.full(n_versions, 0.5), kept, n_documents, rng)
        options = SignificanceOptions(trials=1000, resamples=1000, seed=int(rng.integers(2**32)))
        versions = version_history(drawn, options).versions
        rows.append(
            [
                any(version.before is not None and version.before.is_significant for version in versions),
                any(version.best is not None and version.best.is_significant for version in versions),
            ]
        )
    return np.array(rows, np.float64)


def _share_chunk(
    poles: Poles, n_documents: int, kept: float, alarms: AlarmOptions, seed: int, indices: range
) -> Floats:
    """A row for each history: false alarms, alarms, and true drops that were found."""
    rows = []
    for index in indices:
        rng = np.random.default_rng((seed, round(10 * kept), 999, index))
        middle = float(poles.truths(np.array([0.5]))[0])
        truths = np.full(NIGHTS + 1, middle + STEEP / 2)
        for place in range(15, NIGHTS, 18):
            truths[place : place + 9] -= STEEP  # it drops, and is mended
        shares = poles.shares(truths)
        drops = {place + 1 for place, (one, next_one) in enumerate(pairwise(truths)) if next_one < one}
        found = {
            version.index
            for version in _history(poles, shares, kept, TIMES_DOCUMENTS * n_documents, alarms, rng).alarmed
        }
        rows.append([len(found - drops), len(found), len(found & drops)])
    return np.array(rows, np.float64)


def _power_chunk(
    poles: Poles, n_documents: int, kept: float, steps: Sequence[float], seed: int, indices: range
) -> Floats:
    """A row for each history: whether the last step is alarmed as a drop, at all, or within five versions after it."""
    rows = []
    for index in indices:
        rng = np.random.default_rng((seed, round(10 * kept), len(steps), round(-100 * steps[0]), index))
        middle = float(poles.truths(np.array([0.5]))[0])
        changes = np.concatenate([np.zeros(SETTLED), steps, np.zeros(5)])
        shares = poles.shares(middle + 0.5 + changes.cumsum())
        versions = _history(poles, shares, kept, n_documents, AlarmOptions(), rng).versions
        last = SETTLED + len(steps) - 1
        alarms = [version.alarm for version in versions[last:]]
        rows.append([alarms[0] == "drop", alarms[0] is not None, any(alarm is not None for alarm in alarms)])
    return np.array(rows, np.float64)


def _arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    whole = calibration._whole
    parser.add_argument("folder", nargs="?", type=Path, help="with systems/*.txt and reference.A.txt; else made text")
    parser.add_argument("--histories", type=whole(1), default=400, help="of each kind, for the best of n versions")
    parser.add_argument("--nights", type=whole(1), default=2000, help="versions without a change, of each kind")
    parser.add_argument("--versions", type=whole(2), nargs="+", default=VERSIONS, metavar="VERSIONS")
    parser.add_argument("--documents", type=whole(6), default=40, help="drawn for a history")
    parser.add_argument("--seed", type=whole(0), default=1)
    parser.add_argument("--metric", choices=METRIC_OPTIONS, default="bleu")
    parser.add_argument("--processes", type=whole(1), default=os.cpu_count() or 1)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
