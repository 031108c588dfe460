"""A campaign on a Dask cluster: real schedulers and workers, some of which end in the middle."""

import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from distributed import LocalCluster

from bleucore import InputError
from bleucore.formats.campaign_plan import CampaignPlan, PlannedFile, PlannedSet
from bleucore.significance import SignificanceOptions
from bleuscope.features.campaign import cluster as campaign_cluster
from bleuscope.features.campaign.allocation import VARIABLE, memory_kept
from bleuscope.features.campaign.running import run_campaign
from bleuscope.features.campaign.set_work import SetOutcome, SetTask
from bleuscope.workspace.cache_files import CacheFiles

FEW = SignificanceOptions(trials=100, resamples=50)
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")


@pytest.fixture
def plan(tmp_path: Path) -> CampaignPlan:
    """Eight sets of two systems, the last without a file."""
    sets = []
    for number in range(8):
        files = {role: tmp_path / f"{number}-{role}.txt" for role in ("reference", "one", "two")}
        for step, file in enumerate(files.values(), start=1):
            words = (f"w{(row * (number + step)) % 7} w{row % 5} w{step} w3 w4" for row in range(20))
            file.write_text("\n".join(words) + "\n", encoding="utf-8")
        planned = {role: PlannedFile(str(file), name=file.name) for role, file in files.items()}
        references = {"A": planned.pop("reference")}
        sets.append(PlannedSet(f"set {number}", (None, None), None, None, references, None, {}, planned))
    Path(sets[-1].systems["one"].path).unlink()
    return CampaignPlan("made", tuple(sets))


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    """A scheduler and two workers, each a process."""
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=60) as made:
        yield made


def test_a_cluster_finds_the_same_though_a_worker_is_killed(plan: CampaignPlan, cluster: LocalCluster) -> None:
    """In the middle; a set that cannot be read is named at the end, after it was tried again."""
    killed = list[int]()

    def kill_one(share: float) -> None:
        if not killed:
            killed.append(next(iter(cluster.workers.values())).pid)
            os.kill(killed[0], signal.SIGKILL)

    there = run_campaign(plan, tests=FEW, scheduler=cluster.scheduler_address, progress=kill_one)
    here = run_campaign(plan, tests=FEW)
    assert killed
    assert [one.name for one in there.results] == [one.name for one in plan.sets[:-1]]
    for one, other in zip(there.results, here.results, strict=True):
        assert (one.scores, one.intervals, one.null.tobytes()) == (other.scores, other.intervals, other.null.tobytes())
    assert there.failed == here.failed
    assert "the file cannot be read" in there.failed[0][1]
    assert any(VARIABLE in remark for remark in there.remarks)


def test_a_lost_scheduler_leaves_what_is_finished(
    plan: CampaignPlan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others are named, and the next run goes on from there."""
    kept = CacheFiles(tmp_path / "caches", 10**8)
    work_on, begun = campaign_cluster.work_on, list[SetTask]()

    def all_but_the_first_once_it_is_lost(task: SetTask) -> SetOutcome:
        begun.append(task)
        while len(begun) > 1 and lost.status.name == "running":
            time.sleep(0.01)
        return work_on(task)

    monkeypatch.setattr(campaign_cluster, "work_on", all_but_the_first_once_it_is_lost)
    with LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, protocol="tcp://", dashboard_address=":0"
    ) as lost:
        run = run_campaign(
            plan,
            tests=FEW,
            scheduler=lost.scheduler_address,
            kept=kept,
            progress=lambda share: lost.close() if lost.status.name == "running" else None,
        )
    assert run.results
    assert run.failed
    assert {fault for _, fault in run.failed[:-1]} == {campaign_cluster.LOST}
    monkeypatch.undo()
    again = run_campaign(plan, tests=FEW, kept=kept)
    assert again.n_kept == len(run.results)
    assert len(again.results) == 7


def test_workers_of_another_version_are_refused(plan: CampaignPlan, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their numbers could be others."""
    with LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, protocol="tcp://", dashboard_address=":0"
    ) as other:
        about = campaign_cluster._about_worker
        monkeypatch.setattr(campaign_cluster, "_about_worker", lambda: ("0.0.9.1", about()[1]))
        with pytest.raises(
            InputError, match=r"^The cluster: a worker runs another version of bleuscope.*found 0\.0\.9"
        ):
            run_campaign(plan, tests=FEW, scheduler=other.scheduler_address)


@pytest.mark.parametrize(
    "address",
    ["", "cluster", "tcp://", "tcp://host", "http://host:8786", "tcp://user@host:1", "inproc://1/2/3", "tcp://h:1\n"],
)
def test_what_is_no_address_is_refused(plan: CampaignPlan, address: str) -> None:
    """Before anything is sent."""
    with pytest.raises(InputError, match=r"^Option --scheduler: this is not the address of a Dask scheduler"):
        run_campaign(plan, tests=FEW, scheduler=address)


def test_whoever_else_answers_is_told_from_a_scheduler(plan: CampaignPlan, monkeypatch: pytest.MonkeyPatch) -> None:
    """A port where something else is, and one where nothing is."""
    monkeypatch.setattr(campaign_cluster, "SECONDS_TO_CONNECT", 1)
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"

        def answer() -> None:
            with suppress(OSError), server.accept()[0] as one:  # which may have left by then
                one.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

        threading.Thread(target=answer, daemon=True).start()
        with pytest.raises(InputError, match="no Dask scheduler answers"):
            run_campaign(plan, tests=FEW, scheduler=address)
    with pytest.raises(InputError, match="no Dask scheduler answers"):
        run_campaign(plan, tests=FEW, scheduler=address)


def test_without_dask_it_is_said_what_to_install(plan: CampaignPlan, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the way in which bleuscope is installed."""
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    with pytest.raises(InputError, match=r"^Option --scheduler: Dask is not installed .*Install it: .*\"distributed"):
        run_campaign(plan, tests=FEW, scheduler="tcp://127.0.0.1:8786")


def test_memory_is_kept_only_where_it_was_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process without the setting is left alone; either way the work is done."""
    for value in (None, "65536", "junk"):
        monkeypatch.delenv(VARIABLE, raising=False)
        if value is not None:
            monkeypatch.setenv(VARIABLE, value)
        with memory_kept():
            assert bytearray(10**6)
