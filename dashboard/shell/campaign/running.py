"""A whole campaign: its sets are worked on side by side, and what fails is named at the end."""

from collections.abc import Iterable, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from bleucore import InputError
from bleucore.campaign import SetResult
from bleucore.counts import Progress
from bleucore.formats.campaign_plan import CampaignPlan, PlannedSet
from bleucore.metrics import MetricOptions
from bleucore.processes import n_processors, results
from bleucore.significance import SignificanceOptions
from dashboard.shell.campaign.set_work import SetOutcome, SetTask, work_on

BYTES_FOR_PROCESSES = 4_000_000
"""Less text is done before other processes would have started."""
TIMES_TRIED = 3
"""So often work goes on in new processes where one was ended from outside."""


@dataclass(frozen=True)
class CampaignRun:
    """What came of a campaign.

    Attributes:
        results: Of the sets that were done, in the order of the plan.
        failed: The sets that were not, each with the sentence why.
        remarks: What else is to be said, as sentences.
    """

    results: tuple[SetResult, ...]
    failed: tuple[tuple[str, str], ...]
    remarks: tuple[str, ...] = ()


def run_campaign(
    plan: CampaignPlan,
    options: MetricOptions | None = None,
    tests: SignificanceOptions | None = None,
    *,
    baseline: str | None = None,
    n_processes: int | None = None,
    progress: Progress | None = None,
) -> CampaignRun:
    """Score and test every set of a campaign.

    Other processes import the caller's main module, as ``multiprocessing`` does.

    Args:
        plan: Which sets.
        options: The metric's; ``None`` for BLEU with the tokenizer that each set proposes.
        tests: How differences are tested.
        baseline: The system whose pairs alone are held, or all.
        n_processes: How many processes of this machine; as many as there are processors unless given, and this one
            alone where there is little to do.
        progress: Called with the share of the sets that are done, 0 to 1.
    """
    tasks = [SetTask(planned, options, tests or SignificanceOptions(), baseline) for planned in plan.sets]
    if n_processes is None:
        n_processes = n_processors() if sum(_n_bytes(planned) for planned in plan.sets) > BYTES_FOR_PROCESSES else 1
    outcomes = dict[int, SetOutcome]()
    for index, outcome in _worked(tasks, n_processes):
        outcomes[index] = outcome
        if progress is not None:
            progress(len(outcomes) / len(tasks))
    return _run_of(tasks, outcomes)


def _worked(tasks: Sequence[SetTask], n_processes: int) -> Iterable[tuple[int, SetOutcome]]:
    """The outcomes as they come; where a process is ended from outside, others go on with what it left."""
    left = dict(enumerate(tasks))
    for _ in range(TIMES_TRIED):
        places = list(left)
        with suppress(BrokenProcessPool), closing(results(work_on, list(left.values()), n_processes)) as found:
            for index, outcome in found:
                left.pop(places[index])
                yield places[index], outcome
        if not left:
            return


def _run_of(tasks: Sequence[SetTask], outcomes: dict[int, SetOutcome]) -> CampaignRun:
    done, failed = list[SetResult](), list[tuple[str, str]]()
    for index, task in enumerate(tasks):
        outcome = outcomes.get(index)
        if outcome is None:
            failed.append((task.planned.name, str(_ended(task.planned.name))))
        elif outcome.result is not None:
            done.append(outcome.result)
        else:
            failed.append((outcome.name, outcome.fault or ""))
    return CampaignRun(tuple(done), tuple(failed))


def _ended(name: str) -> InputError:
    return InputError(
        "the process that worked on it was ended from outside",
        where=name,
        remedy="It may have needed more memory than there is. Run the campaign again: what is finished is kept.",
    )


def _n_bytes(planned: PlannedSet) -> int:
    """How much there is to read; 0 of what is not there."""
    n_bytes = 0
    for file in planned.files:
        if file.content is not None:
            n_bytes += len(file.content)
        else:
            with suppress(OSError):
                n_bytes += Path(file.path).stat().st_size
    return n_bytes
