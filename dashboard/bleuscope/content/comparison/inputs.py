"""What a comparison starts from: where texts come from, the texts themselves, and how to score and test them.

Apart from studies: commands read files before they need any statistics.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from bleucore import BleuOptions, TestSet
from bleucore.experiments.design import NAMES_ALONE, RunsByHand
from bleucore.metrics import MetricOptions

if TYPE_CHECKING:
    from bleucore.significance import SignificanceOptions


@dataclass(frozen=True)
class Inputs:
    """Where a test set comes from, as a command names it.

    Attributes:
        systems: Files with hypotheses, or files whose roles are guessed.
        references: Files with references.
        source: The file with the source.
        documents: The file with document names.
        labels: Files with labels.
        test_set: A test set of sacreBLEU, by its name there.
        language_pair: Of the texts, as in "en-de", where it is told.
        encoding: What files are read in that are not UTF-8.
        is_sample: The sample comparison.
        is_complete: Whether these alone give the same test set; roles and names changed by hand are not in them.
        scores: Files with segment scores of other metrics.
        score_columns: Which of their columns; all where none is named.
        lower_is_better: Those of their columns where a lower score is better.
        judgements: Files with judgements of people, or with errors that a metric marked.
        system_names: What names of systems in files of scores and judgements mean, as ``said_systems`` reads it.
        moves_spans: Whether spans of judgements are moved to where they clearly fit better.
        aligns: Whether outputs in other lines than the references are cut anew.
    """

    systems: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    source: str | None = None
    documents: str | None = None
    labels: tuple[str, ...] = ()
    test_set: str | None = None
    language_pair: str | None = None
    encoding: str | None = None
    is_sample: bool = False
    is_complete: bool = True
    scores: tuple[str, ...] = ()
    score_columns: tuple[str, ...] = ()
    lower_is_better: tuple[str, ...] = ()
    judgements: tuple[str, ...] = ()
    system_names: tuple[str, ...] = ()
    moves_spans: bool = False
    aligns: bool = False

    @classmethod
    def of_json(cls, said: Mapping[str, Any]) -> "Inputs":
        """What ``dataclasses.asdict`` gave, when JSON has held it, which has no tuples.

        Raises:
            TypeError: It is something else, or of another version of the program.
        """
        values: dict[str, Any] = {name: tuple(one) if isinstance(one, list) else one for name, one in said.items()}
        return cls(**values)

    @property
    def of_texts(self) -> "Inputs":
        """The same without what is read beside texts, and without their language."""
        names = ("language_pair", "scores", "score_columns", "lower_is_better", "judgements", "system_names")
        return replace(self, **{name: getattr(Inputs, name) for name in names}, moves_spans=False)

    @property
    def paths(self) -> tuple[str, ...]:
        """Every file that is read."""
        singles = tuple(path for path in (self.source, self.documents) if path is not None)
        return (*self.systems, *self.references, *self.labels, *singles, *self.scores, *self.judgements)


@dataclass(frozen=True)
class FileBeside:
    """A file of scores or judgements.

    Attributes:
        name: Its name.
        data: Its bytes.
    """

    name: str
    data: bytes = field(repr=False)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the bytes."""
        return hashlib.sha256(self.data).hexdigest()


@dataclass(frozen=True)
class Loaded:
    """Texts that were read.

    Attributes:
        test_set: The texts.
        title: What to call them.
        origin: How a link names them: the sample, the files of the command line, or the beginning of the digest of an
            upload; empty where nothing links to them.
        inputs: Where they came from.
        notices: What to know beside every result, in sentences: what was read in another way than it is written.
        scores: Scores of other metrics from files that were named beside them.
        beside: Files of judgements that came with the texts.
        renamed_from: The same as it was read, where names were given by hand.
        project: The project that keeps the texts, by its name in addresses; ``None`` for anybody's own.
        opens_on: The systems A and B that pages compare unless others are chosen; ``None`` for ``usual_sides``.
    """

    test_set: TestSet
    title: str = "Comparison"
    origin: str = ""
    inputs: Inputs = field(default_factory=lambda: Inputs(is_complete=False))
    notices: tuple[str, ...] = ()
    scores: tuple[MetricOptions, ...] = ()
    beside: tuple[FileBeside, ...] = ()
    renamed_from: "Loaded | None" = None
    project: str | None = None
    opens_on: tuple[str, str] | None = None

    @property
    def as_read(self) -> "Loaded":
        """The same under the names that it was read with."""
        return self.renamed_from or self

    @property
    def called(self) -> Mapping[str, str]:
        """How a command knows each system: by its name, or by its file where names or roles were given by hand."""
        names = self.test_set.system_names
        if self.inputs.is_complete:
            return dict(zip(names, names, strict=True))
        if self.as_read.inputs.is_complete:
            return dict(zip(names, self.as_read.test_set.system_names, strict=True))
        return {system.name: system.file or system.name for system in self.test_set.systems}


@dataclass(frozen=True)
class Settings:
    """How texts are scored and tested, and which systems stand out.

    Attributes:
        options: BLEU's.
        metrics: Settings of more metrics.
        significance: How differences are tested; as usual unless given.
        baseline: The system that the others are measured against; none unless given, and then the best is.
        pair: A and B; ``usual_sides`` unless given.
        metric: What systems are compared in; BLEU unless given.
        by_hand: Which systems are runs of one recipe, besides what names tell.
    """

    options: BleuOptions = field(default_factory=BleuOptions)
    metrics: tuple[MetricOptions, ...] = ()
    significance: "SignificanceOptions | None" = None
    baseline: str | None = None
    pair: tuple[str, ...] | None = None
    metric: str | None = None
    by_hand: RunsByHand = NAMES_ALONE
