"""What comes of a campaign, set by set: kept as it comes, put in the plan's order at the end."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

from bleucore.campaign import SetResult
from bleuscope.features.campaign.set_work import SetOutcome, SetTask, work_on
from bleuscope.features.campaign.store import FinishedSets
from bleuscope.workspace.cache_files import CacheFiles, DamagedError
from bleuscope.workspace.errors import WorkspaceError


@dataclass(frozen=True)
class CampaignRun:
    """What came of a campaign.

    Attributes:
        results: Of the sets that were done, in the order of the plan.
        failed: The sets that were not, each with the sentence why.
        remarks: What else is to be said, as sentences.
        n_kept: How many of the results were kept from before.
        n_counted: How many outputs were counted; the counts of the others were kept from before.
    """

    results: tuple[SetResult, ...]
    failed: tuple[tuple[str, str], ...]
    remarks: tuple[str, ...] = ()
    n_kept: int = 0
    n_counted: int = 0


class Outcomes:
    """What has come so far."""

    def __init__(self, tasks: Sequence[SetTask], kept: CacheFiles | None) -> None:
        """Of these tasks.

        Args:
            tasks: In the order of the plan.
            kept: Where finished sets are kept, or nowhere.
        """
        self._finished = None if kept is None else FinishedSets(kept)
        self.tasks = tuple(self._knowing(task) for task in tasks)
        self._results: dict[int, SetResult] = {}
        self._faults: dict[int, str] = {}
        self._remarks: dict[int, list[str]] = {}
        self._remarks_on_all: list[str] = []
        self._n_kept = self._n_counted = 0

    @property
    def share(self) -> float:
        """Of the sets that came to an end, good or bad, 0 to 1."""
        return (len(self._results) + len(self._faults)) / len(self.tasks)

    def take(self, index: int, outcome: SetOutcome) -> None:
        """Take what came of a task."""
        result = outcome.result
        if outcome.is_finished:
            result = self._find(index, outcome.files_digest)
            if result is None:  # it is gone, or damaged
                self.take(index, work_on(replace(self.tasks[index], finished=frozenset())))
                return
        elif result is not None:
            self._keep(index, outcome.files_digest, result)
        self._remark(index, *outcome.remarks)
        self._n_counted += outcome.n_counted
        if result is None:
            self._faults[index] = outcome.fault or ""
        else:
            self._results[index] = result

    def note(self, remark: str) -> None:
        """Say something of the whole campaign."""
        self._remarks_on_all.append(remark)

    def run(self, otherwise: str) -> CampaignRun:
        """All of it.

        Args:
            otherwise: Why sets came to no end at all, a sentence.
        """
        missing = [index for index in range(len(self.tasks)) if index not in self._results]
        return CampaignRun(
            tuple(self._results[index] for index in sorted(self._results)),
            tuple((self.tasks[index].planned.name, self._faults.get(index, otherwise)) for index in missing),
            tuple(
                dict.fromkeys(
                    chain.from_iterable(
                        [*(self._remarks[place] for place in sorted(self._remarks)), self._remarks_on_all]
                    )
                )
            ),
            self._n_kept,
            self._n_counted,
        )

    def _remark(self, index: int, *remarks: str) -> None:
        """Say something of a set; in the plan's order at the end, whatever came first."""
        name = self.tasks[index].planned.name
        self._remarks.setdefault(index, []).extend(f"{name}: {remark}" for remark in remarks)

    def _knowing(self, task: SetTask) -> SetTask:
        return task if self._finished is None else replace(task, finished=self._finished.known(task.identity))

    def _find(self, index: int, digest: str) -> SetResult | None:
        if self._finished is None:
            return None
        try:
            result = self._finished.find(self.tasks[index].identity, digest)
        except DamagedError:
            self._remark(index, "its kept result was damaged and is made anew.")
            return None
        self._n_kept += result is not None
        return result

    def _keep(self, index: int, digest: str, result: SetResult) -> None:
        if self._finished is None:
            return
        try:
            self._finished.keep(self.tasks[index].identity, digest, result)
        except WorkspaceError as error:
            self.note(str(error))
