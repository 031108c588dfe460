"""A planned test set, read in: in memory, or some segments at a time where it is large."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol, cast

from numpy.typing import NDArray

from bleucore import TestSet
from bleucore.campaign.set_results import SetFinding, digest_of_sources, set_findings
from bleucore.checks import check
from bleucore.corpus import CUT_LABEL, ITEM_LABEL, digest_of_columns, repeated_items
from bleucore.counts import Ints
from bleucore.evaluation import numbers_of_references
from bleucore.formats.campaign_plan import PlannedFile, PlannedSet
from bleucore.metrics import MetricOptions, metric_of
from bleucore.partitions import evaluate_parts
from bleucore.segmentation.resegmenting import DOUBTFUL
from bleucore.tokens.tokenizer_choice import AnyTokenizerName
from bleucore.written_numbers import count, count_of
from bleuscope.features.campaign.contents import content_of, digest_of_pieces, with_contents
from bleuscope.features.campaign.opened_places import size_of
from bleuscope.features.campaign.sets import open_set
from bleuscope.features.campaign.text_batches import segments_of, text_batches
from bleuscope.workspace.counts import digest_of_columns as digest_for_counts

LARGE = 300_000_000
"""Bytes of all outputs and references: more are not held as texts, which take four times the room."""
PARQUET = ".parquet"
_STRUCTURED = (".json", ".jsonl", ".xml", ".sgm", ".tsv", ".csv", ".xlsx")


class HeldSet(Protocol):
    """What work on a set needs of it.

    Attributes:
        digest: SHA-256 of the content of all files.
        names: Its systems.
    """

    digest: str
    names: tuple[str, ...]

    @property
    def n_segments(self) -> int | None:
        """S, where it is known before anything is counted."""

    @property
    def is_resegmented(self) -> bool:
        """Whether outputs were cut anew at the segments of the references."""

    @property
    def remarks(self) -> Sequence[str]:
        """What is to be said of how its texts were read."""

    @property
    def numbers(self) -> AbstractSet[int]:
        """How many references segments have."""

    @property
    def documents(self) -> Sequence[str] | None:
        """The document of each segment, where they are known."""

    @property
    def items(self) -> Ints | None:
        """The item of each segment, where rows repeat; as ``TestSet.items``."""

    @property
    def texts_digest(self) -> str:
        """What the seed of the set is made of."""

    @property
    def source_digest(self) -> str | None:
        """Equal in sets of the same sources; ``None`` where they are not known."""

    @property
    def references_digest(self) -> str:
        """Of all references in their order."""

    def system_digest(self, name: str) -> str:
        """Of the outputs of a system."""

    def counts(self, names: Sequence[str], options: MetricOptions) -> dict[str, NDArray[Any]]:
        """The counts (S, C) of some systems."""

    def findings(self, tokenizer: AnyTokenizerName | None) -> tuple[SetFinding, ...] | None:
        """What the checks say of the texts and of scoring them so; ``None`` where there are too many to hold."""


def read_in(planned: PlannedSet) -> HeldSet:
    """The set, with a digest of its files.

    Raises:
        InputError: A file cannot be read, or the files do not fit together.
    """
    texts = [*planned.references.values(), *planned.systems.values()]
    is_large = all(_is_plain(file) for file in texts) and sum(map(_size, texts)) > LARGE
    return LargeSet(planned) if is_large and not planned.aligns else SmallSet(planned)


class SmallSet:
    """A set whose texts are held."""

    def __init__(self, planned: PlannedSet) -> None:
        """Read its files.

        Raises:
            InputError: One cannot be read.
        """
        held = with_contents(planned.files)
        held = {file: replace(one, content=content_of(one)) for file, one in held.items()}
        told = {file: hashlib.sha256(one.content or b"").hexdigest() for file, one in held.items()}
        self.digest = _digest(planned, told)
        self.names = tuple(planned.systems)
        self._planned = planned.mapped(held.__getitem__)

    @cached_property
    def texts(self) -> TestSet:
        """Its texts."""
        return open_set(self._planned)

    @property
    def n_segments(self) -> int:
        """S."""
        return self.texts.n_segments

    @property
    def is_resegmented(self) -> bool:
        """Whether outputs were cut anew."""
        return self.texts.is_resegmented

    @property
    def remarks(self) -> Sequence[str]:
        """How many segments begin or end at a doubtful cut, where outputs were cut anew."""
        if not self.is_resegmented:
            return ()
        n_doubtful = sum(mark == DOUBTFUL for mark in self.texts.labels[CUT_LABEL])
        return (
            "Outputs in other lines than the references were cut anew at their segments. "
            f"{count_of(n_doubtful, 'segment')} of {count(self.n_segments)} begin or end at a doubtful cut.",
        )

    @cached_property
    def numbers(self) -> AbstractSet[int]:
        """How many references segments have."""
        return numbers_of_references(self.texts)

    @property
    def documents(self) -> Sequence[str] | None:
        """The document of each segment, where they are known."""
        return self.texts.documents

    @property
    def items(self) -> Ints | None:
        """The item of each segment, where rows repeat."""
        return self.texts.items

    @property
    def texts_digest(self) -> str:
        """The test set's."""
        return self.texts.digest

    @property
    def source_digest(self) -> str | None:
        """Of the sources with their documents."""
        source = self.texts.source
        return None if source is None else digest_of_sources(source, self.texts.documents)

    @cached_property
    def references_digest(self) -> str:
        """Of all references in their order."""
        return digest_for_counts(self.texts.references)

    def system_digest(self, name: str) -> str:
        """Of the outputs of a system."""
        return digest_for_counts([self.texts.system(name).hypotheses])

    def counts(self, names: Sequence[str], options: MetricOptions) -> dict[str, NDArray[Any]]:
        """The counts (S, C) of some systems."""
        some = replace(self.texts, systems=[self.texts.system(name) for name in names])
        return dict(zip(names, metric_of(options).statistics(some, options, None), strict=True))

    def findings(self, tokenizer: AnyTokenizerName | None) -> tuple[SetFinding, ...]:
        """What the checks say of the texts and of scoring them with a tokenizer."""
        return set_findings(check(self.texts, tokenizer=tokenizer), [one.name for one in self.texts.systems])


class LargeSet:
    """A set whose files are read some segments at a time, each time they are needed.

    Its counts are kept by its files: the same texts in another form are counted anew. What is drawn follows from its
    texts, as in ``SmallSet``, where each of its files holds one column.
    """

    def __init__(self, planned: PlannedSet) -> None:
        """Look at its files.

        Raises:
            InputError: One cannot be read.
        """
        self._planned = planned
        self._told = {file: digest_of_pieces(file) for file in planned.files}
        self.digest = _digest(planned, self._told)
        self.names = tuple(planned.systems)
        self.n_segments = None
        self.is_resegmented = False
        self.remarks = ()

    @cached_property
    def numbers(self) -> AbstractSet[int]:
        """How many references segments have, which differs in Parquet alone."""
        files = list(self._planned.references.values())
        if not any(_are_parquet([file]) for file in files):
            return {len(files)}
        columns = (segments_of(file) for file in files)
        return {sum(text is not None for text in segment) for segment in zip(*columns, strict=False)}

    @cached_property
    def documents(self) -> Sequence[str] | None:
        """The document of each segment, where they are known."""
        file = self._planned.documents
        return None if file is None or not _is_plain(file) else [text or "" for text in segments_of(file)]

    @cached_property
    def items(self) -> Ints | None:
        """The item of each segment, where rows repeat; texts are known by their digests."""
        planned = self._planned
        given = planned.labels.get(ITEM_LABEL)
        if given is not None and _is_plain(given):
            return repeated_items([], given=list(SegmentsOf(given)))
        source = [planned.source] if planned.source is not None and _is_plain(planned.source) else []
        columns = [SegmentsOf(file) for file in source]
        columns += [SegmentsOf(file, keeps_none=True) for file in planned.references.values()]
        return repeated_items([[_digest_of_row(row) for row in zip(*columns, strict=False)]])

    @cached_property
    def texts_digest(self) -> str:
        """The test set's, or that of its files where not each of them holds one column."""
        planned = self._planned
        if planned.test_set is not None or not all(map(_is_plain, planned.files)):
            return self.digest
        return digest_of_columns(
            _columns(planned.systems),
            {name: SegmentsOf(file, keeps_none=True) for name, file in planned.references.items()},
            source=None if planned.source is None else SegmentsOf(planned.source),
            documents=None if planned.documents is None else SegmentsOf(planned.documents),
            labels=_columns(planned.labels),
        )

    @cached_property
    def source_digest(self) -> str | None:
        """Of the sources with their documents, or of their file where that holds more."""
        source = self._planned.source
        if source is None or not _is_plain(source):
            return None if source is None else self._told[source]
        return digest_of_sources(list(SegmentsOf(source)), self.documents)

    @property
    def references_digest(self) -> str:
        """Of the files of the references."""
        return "file " + " ".join(self._told[file] for file in self._planned.references.values())

    def system_digest(self, name: str) -> str:
        """Of the file of a system."""
        return "file " + self._told[self._planned.systems[name]]

    def counts(self, names: Sequence[str], options: MetricOptions) -> dict[str, NDArray[Any]]:
        """The counts (S, C) of some systems."""
        some = {name: self._planned.systems[name] for name in names}
        parts = text_batches(some, self._planned.references)
        return dict(evaluate_parts(parts, options, at_once=1).counts())

    def findings(self, tokenizer: AnyTokenizerName | None) -> None:
        """None: the checks hold all texts side by side."""


@dataclass(frozen=True)
class SegmentsOf:
    """The segments of a file, read anew each time they are gone through.

    Attributes:
        file: The file.
        keeps_none: Whether what Parquet has no value for is none; else it is empty.
    """

    file: PlannedFile
    keeps_none: bool = False

    def __iter__(self) -> Iterator[str]:
        """From the first to the last."""
        for text in segments_of(self.file):
            yield cast("str", text) if self.keeps_none else text or ""


def _columns(files: Mapping[str, PlannedFile]) -> dict[str, SegmentsOf]:
    return {name: SegmentsOf(file) for name, file in files.items()}


def _digest_of_row(texts: Iterable[str | None]) -> str:
    """SHA-256 of texts of one segment, some of which may be missing."""
    state = hashlib.sha256()
    for text in texts:
        state.update(b"-" if text is None else f"{len(text)} {text}".encode(errors="surrogateescape"))
    return state.hexdigest()


def _digest(planned: PlannedSet, told: dict[PlannedFile, str]) -> str:
    state = hashlib.sha256()
    for role, name, file in planned_files(planned):
        state.update(f"{role} {name!r} {file.column!r} {told[file]}\n".encode(errors="surrogateescape"))
    return state.hexdigest()


def _is_plain(file: PlannedFile) -> bool:
    """Whether a file is read line by line, or is Parquet."""
    plain = file.name.lower().removesuffix(".gz")
    is_alone = file.form == "texts" and file.content is None and not file.members
    return is_alone and (plain.endswith(PARQUET) or (file.column is None and not plain.endswith(_STRUCTURED)))


def _are_parquet(files: Sequence[PlannedFile]) -> bool:
    return any(file.name.lower().endswith(PARQUET) for file in files)


def _size(file: PlannedFile) -> int:
    with suppress(OSError):
        return size_of(file.path)
    return 0


def planned_files(planned: PlannedSet) -> list[tuple[str, str, PlannedFile]]:
    """Every file with what it is."""
    single = [("source", "", planned.source), ("documents", "", planned.documents)]
    named = (("reference", planned.references), ("label", planned.labels), ("system", planned.systems))
    found = [(role, name, file) for role, name, file in single if file is not None]
    return found + [(role, name, file) for role, several in named for name, file in several.items()]
