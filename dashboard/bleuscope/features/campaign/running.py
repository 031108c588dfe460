"""A whole campaign: its sets are worked on side by side, and what fails is named at the end."""

from collections.abc import Callable, Generator, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, suppress
from pathlib import Path

from bleucore.counts import Progress
from bleucore.experiments.design import RunDesign, design_of
from bleucore.formats.campaign_plan import CampaignPlan, PlannedSet
from bleucore.metrics import MetricOptions
from bleucore.processes import n_processors, results, results_of_threads
from bleucore.significance import SignificanceOptions
from bleuscope.features.campaign.cluster import LOST, worked_on_cluster
from bleuscope.features.campaign.outcomes import CampaignRun, Outcomes
from bleuscope.features.campaign.set_work import SetOutcome, SetTask, options_of, work_on
from bleuscope.workspace.cache_files import CacheFiles

BYTES_FOR_PROCESSES = 40_000_000
"""Less text is done by threads before other processes, which take a second to start, would have made up for that."""
TIMES_TRIED = 3
"""So often work goes on in new processes where one was ended from outside."""
ENDED = (
    "The process was ended from outside, perhaps because memory ran out. Run the campaign again: "
    "finished test sets are saved."
)


def run_campaign(  # noqa: PLR0913  # what a campaign is made of
    plan: CampaignPlan,
    options: MetricOptions | None = None,
    tests: SignificanceOptions | None = None,
    *,
    own_tokenizers: bool = False,
    baseline: str | None = None,
    scheduler: str | None = None,
    kept: CacheFiles | None = None,
    n_processes: int | None = None,
    progress: Progress | None = None,
) -> CampaignRun:
    """Score and test every set of a campaign; sets that were finished before are found where they are kept.

    Args:
        plan: Which sets.
        options: The metric's; ``None`` for BLEU with the tokenizer that each set proposes.
        tests: How differences are tested.
        own_tokenizers: Whether each set has the tokenizer that it proposes in place of that of the options.
        baseline: The system, or the recipe of runs, whose pairs alone are held, or all.
        scheduler: The address of a Dask scheduler, whose workers do the work; ``None`` for this machine.
        kept: Where finished sets and counts are kept: ``caches`` of a workspace; ``None`` to keep nothing.
        n_processes: How many processes of this machine; as many as there are processors unless given, or threads of
            this one where there is little to do. 1 is this one, which takes the sets one after the other.
        progress: Called from time to time with the share of the sets that are done, 0 to 1. What it raises ends the
            work.

    Raises:
        InputError: Nobody answers at the scheduler's address, or no worker there can do the work; or a run that the
            plan names is no system.
    """
    asked, design = tests or SignificanceOptions(), design_of(plan.systems, recipes=dict(plan.runs))
    tasks = [
        SetTask(
            one,
            options_of(one, options, own=own_tokenizers),
            asked,
            baseline,
            recipes_of(design, one) if design.has_runs else (),
            caches=kept,
        )
        for one in plan.sets
    ]
    found = Outcomes(tasks, kept)

    def beat() -> None:
        if progress is not None:
            progress(found.share)

    if scheduler is not None:
        worked, otherwise = worked_on_cluster(found.tasks, scheduler, found.note), LOST
    elif n_processes is None and sum(map(_n_bytes, plan.sets)) <= BYTES_FOR_PROCESSES:
        worked, otherwise = results_of_threads(work_on, found.tasks, beat=beat), ENDED
    else:
        worked, otherwise = _worked(found.tasks, n_processes or n_processors(), beat), ENDED
    with closing(worked):
        for index, outcome in worked:
            found.take(index, outcome)
            beat()
    return found.run(otherwise)


def recipes_of(design: RunDesign, planned: PlannedSet) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The recipes of a set's systems, each with its runs there."""
    found = [(recipe, tuple(run for run in runs if run in planned.systems)) for recipe, runs in design.recipes.items()]
    return tuple((recipe, runs) for recipe, runs in found if runs)


def _worked(tasks: Sequence[SetTask], n_processes: int, beat: Callable[[], None]) -> Generator[tuple[int, SetOutcome]]:
    """The outcomes as they come; where a process is ended from outside, others go on with what it left."""
    left = dict(enumerate(tasks))
    for _ in range(TIMES_TRIED):
        places = list(left)
        begun = results(work_on, list(left.values()), n_processes, beat=beat)
        with suppress(BrokenProcessPool), closing(begun) as found:
            for index, outcome in found:
                left.pop(places[index])
                yield places[index], outcome
        if not left:
            return


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
