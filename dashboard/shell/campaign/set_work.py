"""One test set of a campaign, from its files to what it says: the work that processes and machines are given.

What is asked and what comes back are small and travel between processes; the texts are read where the work is done.
"""

import hashlib
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
from dashboard.shell.disk.campaign_sets import content_of, open_set

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
    """

    planned: PlannedSet
    options: MetricOptions | None
    tests: SignificanceOptions
    baseline: str | None = None
    finished: frozenset[str] = frozenset()

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
        files_digest: SHA-256 of the content of its files; ``None`` where one cannot be read.
        result: What the set says; ``None`` where that is kept already, or there is none.
        fault: Why there is none.
    """

    name: str
    files_digest: str | None
    result: SetResult | None = None
    fault: str | None = None


def work_on(task: SetTask) -> SetOutcome:
    """What comes of a task; what is wrong with the set's files is said, not raised."""
    name, digest = task.planned.name, None
    try:
        planned, digest = _read(task.planned)
        if digest in task.finished:
            return SetOutcome(name, digest)
        return SetOutcome(name, digest, result=_result(task, open_set(planned)))
    except InputError as error:
        return SetOutcome(name, digest, fault=str(error))


def _result(task: SetTask, test_set: TestSet) -> SetResult:
    options, planned = task.metric_options, task.planned
    counts = _counts(test_set, options)
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


def _counts(test_set: TestSet, options: MetricOptions) -> dict[str, NDArray[Any]]:
    columns = metric_of(options).statistics(test_set, options, None)
    return dict(zip(test_set.system_names, columns, strict=True))


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
