"""One test set of a campaign, from its files to what it says: the work that processes and machines are given.

What is asked and what comes back are small and travel between processes; the texts are read where the work is done.
"""

import hashlib
import os
from dataclasses import asdict, dataclass, replace
from itertools import count
from typing import Any

from numpy.typing import NDArray

from bleucore import BleuOptions, InputError, TestSet
from bleucore.campaign import SetResult, set_result
from bleucore.campaign.set_results import digest_of_sources
from bleucore.evaluation import metric_evaluation, numbers_of_references
from bleucore.formats.campaign_plan import PlannedFile, PlannedSet
from bleucore.metrics import MetricOptions, metric_of
from bleucore.significance import ComparedSystems, SignificanceOptions
from bleucore.written_numbers import counted
from dashboard.shell.disk.campaign_contents import content_of
from dashboard.shell.disk.campaign_sets import open_set
from workspace.cache_files import CacheFiles, DamagedError, caches_of
from workspace.counts import KeptCounts, counts_key, digest_of_columns
from workspace.errors import WorkspaceError
from workspace.place import PLACE_VARIABLE, place_of

FORMAT = 1
"""Of what is kept: raised when the same texts and settings give another result."""


@dataclass(frozen=True)
class SetTask:
    """What is to be done.

    Attributes:
        planned: Where the texts are.
        options: The metric's; ``None`` for BLEU with the tokenizer that is proposed for the set.
        tests: How differences are tested.
        baseline: The system whose pairs alone are held, or all.
        finished: What is kept of sets of this name and these settings, by the digests of their files.
        caches: Where counts are kept; ``None`` where that is for the machine to know that does the work.
    """

    planned: PlannedSet
    options: MetricOptions | None
    tests: SignificanceOptions
    baseline: str | None = None
    finished: frozenset[str] = frozenset()
    caches: CacheFiles | None = None

    @property
    def metric_options(self) -> MetricOptions:
        """The metric's."""
        return self.options or BleuOptions(tokenizer=self.planned.tokenizer)  # type: ignore[arg-type]  # a proposal

    @property
    def identity(self) -> str:
        """SHA-256 of all that decides on the result beside the content of files."""
        planned = self.planned
        roles = [(role, name, file.name, file.members, file.column) for role, name, file in _files(planned)]
        told = (planned.name, planned.languages, planned.domain, planned.encoding, planned.test_set, roles)
        asked = (type(self.metric_options).__name__, self.metric_options, asdict(self.tests), self.baseline)
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
        planned, digest = _read(task.planned)
        if digest in task.finished:
            return SetOutcome(name, digest)
        test_set = open_set(planned)
        found = _counts(test_set, task)
        result = _result(task, test_set, found.counts)
        return SetOutcome(name, digest, result, n_counted=found.n_counted, remarks=found.remarks)
    except InputError as error:
        return SetOutcome(name, digest, fault=str(error))


@dataclass(frozen=True)
class _Counted:
    """The counts (S, C) of each system, how many were counted now, and what is to be said of that."""

    counts: dict[str, NDArray[Any]]
    n_counted: int
    remarks: tuple[str, ...]


def _result(task: SetTask, test_set: TestSet, counts: dict[str, NDArray[Any]]) -> SetResult:
    options, planned = task.metric_options, task.planned
    found = metric_evaluation(counts, options, numbers_of_references(test_set), test_set.reference_names or ())
    compared = ComparedSystems(
        systems=list(counts.items()),
        score=found.draw_scores_of,
        higher_is_better=found.higher_is_better,
        documents=test_set.documents,
        single_precision=True,
    )
    source = test_set.source
    return set_result(
        planned.name,
        compared,
        digest=test_set.digest,
        metric=found.name,
        signature=found.signature,
        options=task.tests,
        baseline=task.baseline,
        languages=planned.languages,
        domain=planned.domain,
        source_digest=None if source is None else digest_of_sources(source, test_set.documents),
        remarks=found.remarks,
    )


def _counts(test_set: TestSet, task: SetTask) -> _Counted:
    """The counts of all systems: those that are kept, the others counted now and kept."""
    options, kept = task.metric_options, _kept_counts(task)
    metric, names = metric_of(options), test_set.system_names
    keys, found, remarks = dict[str, str](), dict[str, NDArray[Any]](), list[str]()
    if kept is not None:
        numbers = numbers_of_references(test_set)
        signature = metric.signature(options, next(iter(numbers)) if len(numbers) == 1 else "var")
        references = digest_of_columns(test_set.references)
        keys = {
            system.name: counts_key(digest_of_columns([system.hypotheses]), references, signature)
            for system in test_set.systems
        }
        found, remarks = _found(kept, keys, test_set.n_segments)
    missing = [system for system in test_set.systems if system.name not in found]
    if missing:
        columns = metric.statistics(replace(test_set, systems=missing), options, None)
        made = {system.name: column for system, column in zip(missing, columns, strict=True)}
        found |= made
        if kept is not None:
            remarks += _kept(kept, {keys[name]: counts for name, counts in made.items()})
    return _Counted({name: found[name] for name in names}, len(missing), tuple(dict.fromkeys(remarks)))


def _found(kept: KeptCounts, keys: dict[str, str], n_segments: int) -> tuple[dict[str, NDArray[Any]], list[str]]:
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


def _kept(kept: KeptCounts, made: dict[str, NDArray[Any]]) -> list[str]:
    """Keep counts by their keys; what to say where that fails."""
    try:
        for key, counts in made.items():
            kept.keep(key, counts)
    except WorkspaceError as error:
        return [str(error)]
    return []


def _kept_counts(task: SetTask) -> KeptCounts | None:
    """Where counts are kept: as the task says, or in the workspace that the environment of this machine names."""
    if task.caches is not None:
        return KeptCounts(task.caches)
    named = os.environ.get(PLACE_VARIABLE)
    return KeptCounts(caches_of(place_of(named))) if named else None


def _read(planned: PlannedSet) -> tuple[PlannedSet, str]:
    """The set with the content of its files, and a digest of all of them."""
    state, contents = hashlib.sha256(), dict[str, bytes]()

    def read(file: PlannedFile) -> PlannedFile:
        data = contents.get(file.path) if file.content is None else file.content
        if data is None:
            data = contents[file.path] = content_of(file)
        return replace(file, content=data)

    number = count()
    for role, name, file in _files(planned):
        data = read(file).content or b""
        digest = hashlib.sha256(data).hexdigest()
        state.update(f"{next(number)} {role} {name!r} {digest}\n".encode(errors="surrogateescape"))
    held = replace(
        planned,
        source=planned.source and read(planned.source),
        documents=planned.documents and read(planned.documents),
        references={name: read(file) for name, file in planned.references.items()},
        labels={name: read(file) for name, file in planned.labels.items()},
        systems={name: read(file) for name, file in planned.systems.items()},
    )
    return held, state.hexdigest()


def _files(planned: PlannedSet) -> list[tuple[str, str, PlannedFile]]:
    """Every file with what it is."""
    single = [("source", "", planned.source), ("documents", "", planned.documents)]
    named = (("reference", planned.references), ("label", planned.labels), ("system", planned.systems))
    found = [(role, name, file) for role, name, file in single if file is not None]
    return found + [(role, name, file) for role, several in named for name, file in several.items()]
