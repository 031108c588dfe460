"""Campaigns, measured side by side in one run: ``python tests/benchmarks/campaign.py [PART …]``.

Parts: ``loop`` (against a loop over sacreBLEU), ``workers`` (one process, then two), ``kept`` (a second run, a new
checkpoint), ``memory`` (5 systems of a million segments), ``many`` (200 systems on one set), ``dask`` (its workers
against plain processes). Texts are made, the same everywhere. Tools take turns; the least of the times counts, because
whatever else a machine does only adds to it.
"""

import argparse
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from bleucore import evaluate_parts, processes  # noqa: E402
from bleucore.formats.campaign_plan import CampaignPlan, PlannedFile, PlannedSet  # noqa: E402
from bleucore.significance import SignificanceOptions  # noqa: E402
from bleuscope.features.campaign.running import run_campaign  # noqa: E402
from bleuscope.features.campaign.text_batches import text_batches  # noqa: E402
from bleuscope.workspace.cache_files import CacheFiles  # noqa: E402

PARTS = ("loop", "workers", "kept", "memory", "many", "dask")
WORDS = 20_000
TESTS = SignificanceOptions(test="paired-bootstrap", resamples=1_000)


def made_lines(n_segments: int, seed: int) -> list[list[str]]:
    """Lines of 5 to 35 words that are as frequent as words are (Zipf)."""
    chance = random.Random(seed)
    pool = [f"w{int(WORDS ** chance.random()) - 1}" for _ in range(200_000)]
    starts = [(chance.randrange(len(pool) - 40), chance.randrange(5, 36)) for _ in range(n_segments)]
    return [pool[start : start + length] for start, length in starts]


def spoilt(lines: list[list[str]], share: float, seed: int) -> str:
    """The lines with so large a share of words changed."""
    chance = random.Random(seed)
    rows = (" ".join(f"x{seed}" if chance.random() < share else word for word in line) for line in lines)
    return "".join(f"{row} .\n" for row in rows)


def made_set(folder: Path, name: str, n_systems: int, n_segments: int, seed: int, *, times: int = 1) -> PlannedSet:
    """A set on the disk, its segments so many times."""
    lines = made_lines(n_segments, seed)
    texts = {f"system {index}": spoilt(lines, 0.2 + 0.02 * (index % 10), 1 + index) for index in range(n_systems)}
    files = {}
    for called, text in ({"reference": spoilt(lines, 0, 0)} | texts).items():
        path = folder / f"{name}-{called}.txt"
        path.write_text(text * times, encoding="utf-8")
        files[called] = PlannedFile(str(path), name=path.name)
    references = {"A": files.pop("reference")}
    return PlannedSet(name, (None, None), None, None, references, None, {}, files)


def made_campaign(folder: Path, n_sets: int, n_systems: int, n_segments: int) -> CampaignPlan:
    """A campaign on the disk."""
    sets = [made_set(folder, f"set {index}", n_systems, n_segments, index) for index in range(n_sets)]
    return CampaignPlan("made", tuple(sets))


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Seconds of the clock, and of processors, those of other processes included."""
    started, used = time.perf_counter(), _used()
    work()
    return time.perf_counter() - started, _used() - used


def _used() -> float:
    parts = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(part.ru_utime + part.ru_stime for part in parts)


def least(repeats: int, *works: Callable[[], object]) -> list[tuple[float, float]]:
    """The least of each time of each work, which take turns."""
    times = [[timed(work) for work in works] for _ in range(repeats)]
    return [(min(row[i][0] for row in times), min(row[i][1] for row in times)) for i in range(len(works))]


def loop(arguments: argparse.Namespace, folder: Path) -> None:
    """Against sacreBLEU's own paired bootstrap, set by set."""
    plan = made_campaign(folder, 20, 10, arguments.segments)

    def sacrebleu() -> None:
        from sacrebleu.metrics.bleu import BLEU
        from sacrebleu.significance import PairedTest

        for planned in plan.sets[: arguments.sets]:
            read = {name: Path(file.path).read_text("utf-8").split("\n")[:-1] for name, file in planned.systems.items()}
            reference = Path(planned.references["A"].path).read_text("utf-8").split("\n")[:-1]
            PairedTest(list(read.items()), {"BLEU": BLEU(references=[reference])}, [reference], "bs", 1_000)()

    ours = partial(run_campaign, plan, tests=TESTS, baseline="system 0")
    (clock, used), (alone, used_alone), (other_clock, other_used) = least(
        arguments.repeats, ours, partial(ours, n_processes=1), sacrebleu
    )
    share = len(plan.sets) / arguments.sets
    print(f"20 sets x 10 systems x {arguments.segments:,} segments, 1,000 resamples, each against the first")
    print(f"  bleuscope      {clock:8.1f} s, {used:8.1f} s of a processor, as it starts by itself")
    print(f"  set by set     {alone:8.1f} s, {used_alone:8.1f} s")
    print(
        f"  sacreBLEU      {other_clock * share:8.1f} s, {other_used * share:8.1f} s, from {arguments.sets} of 20 sets"
    )
    print(f"  ratio          {other_clock * share / clock:8.1f},   {other_used * share / used:8.1f}")
    print(f"  set by set     {other_clock * share / alone:8.1f},   {other_used * share / used_alone:8.1f}")


def workers(arguments: argparse.Namespace, folder: Path) -> None:
    """One process with all threads that it takes, one with a single thread, and two of those."""
    plan = made_campaign(folder, 20, 10, arguments.segments)

    def alone() -> None:
        usual, processes.MAX_THREADS = processes.MAX_THREADS, 1
        try:
            run_campaign(plan, n_processes=1)
        finally:
            processes.MAX_THREADS = usual

    (threads, used), (one, used_by_one), (two, used_by_two) = least(
        arguments.repeats,
        lambda: run_campaign(plan, n_processes=1),
        alone,
        lambda: run_campaign(plan, n_processes=2),
    )
    print(f"20 sets x 10 systems x {arguments.segments:,} segments, with the start of processes")
    print(f"  one process, {processes.n_threads()} threads {threads:.1f} s ({used:.1f} s of a processor)")
    print(f"  one process, one thread {one:.1f} s ({used_by_one:.1f} s), two of them {two:.1f} s ({used_by_two:.1f} s)")
    print(f"  ratio of one such worker to two {one / two:.2f}, of threads to two {threads / two:.2f}")
    print(f"  load of the machine {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")


def kept(arguments: argparse.Namespace, folder: Path) -> None:
    """A first run, a second one, and one with a new checkpoint in every set."""
    plan = made_campaign(folder, 5, 40, 2_000)
    times = []
    for repeat in range(arguments.repeats):
        caches = CacheFiles(folder / f"caches {repeat}", 10**9)
        with_kept = partial(run_campaign, plan, baseline="system 0", kept=caches, n_processes=1)
        times.append([timed(with_kept)[1] for _ in range(2)])
        for number, planned in enumerate(plan.sets):
            text = spoilt(made_lines(2_000, number), 0.25, 1_000 + repeat)
            Path(planned.systems["system 39"].path).write_text(text, "utf-8")
        times[-1].append(timed(with_kept)[1])
        times[-1].append(timed(partial(run_campaign, plan, baseline="system 0", n_processes=1))[1])
    first, second, new, without = (min(column) for column in zip(*times, strict=True))
    print("5 sets x 40 checkpoints x 2,000 segments against a baseline, seconds of a processor")
    print(f"  first {first:.2f}, again {second:.2f}, with a new checkpoint each {new:.2f}, nothing kept {without:.2f}")


def memory(_: argparse.Namespace, folder: Path) -> None:
    """5 systems of 200,000 and of 1,000,000 segments, 100,000 of them again and again, each in its own process."""
    print("5 systems, peak of one process")
    for n_segments in (200_000, 1_000_000):
        planned = made_set(folder, f"large {n_segments}", 5, 100_000, 1, times=n_segments // 100_000)
        for keeps in (False, True):
            asked = [sys.executable, __file__, "--peak", str(folder), str(n_segments), str(int(keeps))]
            said = subprocess.run(asked, check=True, capture_output=True, text=True).stdout.strip()
            print(
                f"  {n_segments:>9,} segments, {'counts of segments' if keeps else 'sums alone':18}: {said}", flush=True
            )
        for file in planned.files:
            Path(file.path).unlink()


def peak(folder: str, n_segments: str, keeps: str) -> None:
    """What one process needs."""
    place = Path(folder)

    def file(called: str) -> PlannedFile:
        path = place / f"large {n_segments}-{called}.txt"
        return PlannedFile(str(path), name=path.name)

    systems = {f"system {index}": file(f"system {index}") for index in range(5)}
    parts = text_batches(systems, {"A": file("reference")})
    started = time.process_time()
    counts = evaluate_parts(parts, at_once=1, keeps_segments=keeps == "1")
    scores = counts.evaluation().systems if keeps == "1" else counts.scores
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
    print(f"{most:.2f} GB, {time.process_time() - started:.0f} s of a processor, {len(scores)} systems")


def many(arguments: argparse.Namespace, folder: Path) -> None:
    """200 systems against a baseline."""
    plan = CampaignPlan("many", (made_set(folder, "many", 200, 2_037, 1),))
    (found,) = least(arguments.repeats, lambda: run_campaign(plan, baseline="system 0", n_processes=1))
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
    print("200 systems x 2,037 segments against a baseline")
    print(f"  {found[0]:.1f} s, {found[1]:.1f} s of a processor, {most:.2f} GB")


def dask(arguments: argparse.Namespace, folder: Path) -> None:
    """The same sets in two plain processes and on two of Dask's workers, all of them warm."""
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    from distributed import Client, LocalCluster

    from bleuscope.features.campaign.cluster import _attempt, own_version
    from bleuscope.features.campaign.set_work import SetTask, options_of, work_on

    plan = made_campaign(folder, 12, 10, 2_000)
    tasks = [
        SetTask(planned, options_of(planned, None), SignificanceOptions(trials=500, resamples=200))
        for planned in plan.sets
    ]
    with (
        ProcessPoolExecutor(2, get_context("spawn")) as pool,
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=50) as cluster,
        Client(cluster) as client,
    ):

        def in_dask(work: Callable[..., object], *more: object) -> object:
            return client.gather([client.submit(work, task, *more, pure=False) for task in tasks])

        works = {
            "plain processes": lambda: list(pool.map(work_on, tasks)),
            "Dask's workers": lambda: in_dask(_attempt, own_version()),
            "Dask's, as they are": lambda: in_dask(work_on),
        }
        least(1, *works.values())
        times = dict(zip(works, least(arguments.repeats, *works.values()), strict=True))
    plain = times["plain processes"][0]
    print("12 sets x 10 systems x 2,000 segments, two workers each, seconds of the clock")
    for name, (clock, _) in times.items():
        print(f"  {name:20} {clock:6.2f} s, {clock / plain:.2f} times")


def main() -> None:
    """Measure what is asked for."""
    if sys.argv[1:2] == ["--peak"]:
        peak(*sys.argv[2:])
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--segments", type=int, default=2_000, help="of each set of the loop")
    parser.add_argument("--sets", type=int, default=20, help="of these 20, how many sacreBLEU does")
    arguments = parser.parse_args()
    print(f"made texts; {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}\n")
    for part in arguments.parts or PARTS:
        with tempfile.TemporaryDirectory() as folder:
            globals()[part](arguments, Path(folder))
        print(flush=True)


if __name__ == "__main__":
    main()
