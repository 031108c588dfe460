"""One test set of a campaign, from its files to what it says: the work that processes and machines are given.

What is asked and what comes back are small and travel between processes; the texts are read where the work is done.
"""

import hashlib
import os
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from typing import Any

from numpy.typing import NDArray

from bleucore import BleuOptions, InputError
from bleucore.campaign import SetFinding, SetResult, set_result
from bleucore.evaluation import metric_evaluation, resegmented_signature
from bleucore.formats.campaign_plan import PlannedSet
from bleucore.metrics import MetricOptions, metric_of
from bleucore.significance import ComparedSystems, SignificanceOptions
from bleucore.written_numbers import counted
from bleuscope.features.campaign.held_sets import HeldSet, planned_files, read_in
from bleuscope.features.campaign.store_findings import KeptFindings, findings_key
from bleuscope.workspace.cache_files import CacheFiles, DamagedError, caches_of
from bleuscope.workspace.counts import KeptCounts, counts_key
from bleuscope.workspace.errors import WorkspaceError
from bleuscope.workspace.place import PLACE_VARIABLE, place_of

FORMAT = 9
"""Of what is kept: raised when the same texts and settings give another result."""


def options_of(planned: PlannedSet, options: MetricOptions | None, *, own: bool = False) -> MetricOptions:
    """How a set is scored: BLEU with the tokenizer that the set proposes, unless options name another for all."""
    if options is None or (own and isinstance(options, BleuOptions)):
        asked = BleuOptions() if options is None else options
        return replace(asked, tokenizer=planned.tokenizer)  # type: ignore[arg-type]  # a proposal
    return options


@dataclass(frozen=True)
class SetTask:
    """What is to be done.

    Attributes:
        planned: Where the texts are.
        options: The metric's.
        tests: How differences are tested.
        baseline: The system whose pairs alone are held, or all.
        recipes: Each with its runs among the systems of the set; none where every system stands for itself.
        finished: What is kept of sets of this name and these settings, by the digests of their files.
        caches: Where counts are kept; ``None`` where that is for the machine to know that does the work.
    """

    planned: PlannedSet
    options: MetricOptions
    tests: SignificanceOptions
    baseline: str | None = None
    recipes: tuple[tuple[str, tuple[str, ...]], ...] = ()
    finished: frozenset[str] = frozenset()
    caches: CacheFiles | None = None

    @property
    def identity(self) -> str:
        """SHA-256 of all that decides on the result beside the content of files."""
        planned = self.planned
        roles = [
            (role, name, file.name, file.members, file.column, file.form) for role, name, file in planned_files(planned)
        ]
        told = (planned.name, planned.languages, planned.domain, planned.encoding, planned.test_set, roles)
        outputs = (planned.aligns, self.recipes)
        asked = (type(self.options).__name__, self.options, asdict(self.tests), self.baseline, outputs)
        return hashlib.sha256(repr((FORMAT, told, asked)).encode(errors="surrogateescape")).hexdigest()


@dataclass(frozen=True)
class SetOutcome:
    """What came of it: a result, the sentence why there is none, or that it is kept.

    Attributes:
        name: Of the set.
        files_digest: SHA-256 of the content of its files; "" where one cannot be read.
        result: What the set says; ``None`` where that is kept already, or there is none.
        fault: Why there is none.
        n_counted: How many systems were counted; the counts of the others were kept.
        remarks: What else is to be said, as sentences.
    """

    name: str
    files_digest: str
    result: SetResult | None = None
    fault: str | None = None
    n_counted: int = 0
    remarks: tuple[str, ...] = ()

    @property
    def is_finished(self) -> bool:
        """Whether a result is kept already."""
        return self.result is None and self.fault is None


def work_on(task: SetTask) -> SetOutcome:
    """What comes of a task; what is wrong with the set's files is said, not raised."""
    name, digest = task.planned.name, ""
    try:
        held = read_in(task.planned)
        digest = held.digest
        if digest in task.finished:
            return SetOutcome(name, digest)
        counted = _counted(held, task)
        return SetOutcome(
            name, digest, _result(task, held, counted), n_counted=counted.n_counted, remarks=counted.remarks
        )
    except InputError as error:
        return SetOutcome(name, digest, fault=str(error))


@dataclass(frozen=True)
class _Counted:
    """The counts (S, C) of each system, how many were counted now, and what is to be said of that."""

    counts: dict[str, NDArray[Any]]
    n_counted: int
    remarks: tuple[str, ...]


def _result(task: SetTask, held: HeldSet, counted: _Counted) -> SetResult:
    planned = task.planned
    found = metric_evaluation(counted.counts, task.options, held.numbers, list(planned.references))
    signature = resegmented_signature(found.signature) if held.is_resegmented else found.signature
    compared = ComparedSystems(
        systems=list(counted.counts.items()),
        score=found.draw_scores_of,
        higher_is_better=found.higher_is_better,
        documents=held.documents,
        items=held.items,
        single_precision=True,
    )
    return set_result(
        planned.name,
        compared,
        digest=held.texts_digest,
        metric=found.name,
        signature=signature,
        options=task.tests,
        baseline=task.baseline,
        languages=planned.languages,
        domain=planned.domain,
        source_digest=held.source_digest,
        score=found.score_of,
        remarks=(*found.remarks, *held.remarks),
        findings=_findings(held, task),
        recipes=dict(task.recipes) or None,
    )


def _findings(held: HeldSet, task: SetTask) -> tuple[SetFinding, ...] | None:
    """What the checks of the texts say; of texts that were checked before, what is kept of that."""
    tokenizer = task.options.tokenizer if isinstance(task.options, BleuOptions) else None
    caches = _caches(task)
    if caches is None:
        return held.findings(tokenizer)
    kept, key = KeptFindings(caches), findings_key(held.texts_digest, tokenizer)
    with suppress(DamagedError):
        if (known := kept.find(key)) is not None:
            return known
    found = held.findings(tokenizer)
    if found is not None:
        with suppress(WorkspaceError):  # they are made again
            kept.keep(key, found)
    return found


def _counted(held: HeldSet, task: SetTask) -> _Counted:
    """The counts of all systems: those that are kept, the others counted now and kept."""
    options, kept = task.options, _kept_counts(task)
    if kept is None:
        return _Counted(held.counts(held.names, options), len(held.names), ())
    numbers = held.numbers
    signature = metric_of(options).signature(options, next(iter(numbers)) if len(numbers) == 1 else "var")
    keys = {name: counts_key(held.system_digest(name), held.references_digest, signature) for name in held.names}
    found, remarks = _found(kept, keys, held.n_segments)
    missing = [name for name in held.names if name not in found]
    if missing:
        found |= held.counts(missing, options)
        remarks += _keep(kept, {keys[name]: found[name] for name in missing})
    return _Counted({name: found[name] for name in held.names}, len(missing), tuple(dict.fromkeys(remarks)))


def _found(kept: KeptCounts, keys: dict[str, str], n_segments: int | None) -> tuple[dict[str, NDArray[Any]], list[str]]:
    """The counts that are kept, by system."""
    found, n_damaged = dict[str, NDArray[Any]](), 0
    for name, key in keys.items():
        try:
            counts = kept.find(key, n_segments)
        except DamagedError:
            n_damaged += 1
        else:
            if counts is not None:
                found[name] = counts
    return found, [
        f"Kept counts of {counted(n_damaged, 'system')} were damaged and counted again."
    ] if n_damaged else []


def _keep(kept: KeptCounts, made: dict[str, NDArray[Any]]) -> list[str]:
    """Keep counts by their keys; what to say where that fails."""
    try:
        for key, counts in made.items():
            kept.keep(key, counts)
    except WorkspaceError as error:
        return [str(error)]
    return []


def _kept_counts(task: SetTask) -> KeptCounts | None:
    """Where counts are kept: as the task says, or in the workspace that the environment of this machine names."""
    caches = _caches(task)
    return None if caches is None else KeptCounts(caches)


def _caches(task: SetTask) -> CacheFiles | None:
    if task.caches is not None:
        return task.caches
    named = os.environ.get(PLACE_VARIABLE)
    return caches_of(place_of(named)) if named else None
