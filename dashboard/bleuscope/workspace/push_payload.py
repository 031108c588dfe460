"""What is pushed: outputs, and what was told of their test set; as values, and as JSON on the way to a server.

The two JSON documents are those of the HTTP API: one of a test set, one of a version.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from bleucore.corpus import System, TestSet
from bleucore.errors import InputError
from bleucore.formats.run_names import run_called
from bleucore.values import shown
from bleucore.written_numbers import counted
from bleuscope.workspace.projects import NewVersion

MOST_BYTES = 64 * 1024**2
"""Of a document on the way to a server, packed; gzip makes about a third of texts."""
MOST_UNPACKED = 128 * 1024**2
Document = Mapping[str, Any]


@dataclass(frozen=True)
class GivenTexts:
    """What somebody tells of a test set: all of it at the first push, and then what is to be compared with it.

    Attributes:
        references: R columns of S texts, ``None`` where a segment lacks that reference; none where it is known already.
        reference_names: R names; "reference 1" and so on unless given.
        reference_files: What each was read from, where that is known.
        source: S texts.
        documents: The document of each segment.
        labels: Further columns of S texts by name.
        languages: Of source and target, where known.
    """

    references: Sequence[Sequence[str | None]] = field(default=(), repr=False)
    reference_names: Sequence[str] | None = None
    reference_files: Sequence[str | None] | None = None
    source: Sequence[str] | None = field(default=None, repr=False)
    documents: Sequence[str] | None = field(default=None, repr=False)
    labels: Mapping[str, Sequence[str]] = field(default_factory=dict, repr=False)
    languages: tuple[str | None, str | None] = (None, None)

    @property
    def is_nothing(self) -> bool:
        """Whether no text is given."""
        return not (self.references or self.source is not None or self.documents is not None or self.labels)

    def test_set(self) -> TestSet:
        """The same with one system that says nothing, which is not kept.

        Raises:
            InputError: Lengths differ, there is no reference, or a text is none.
        """
        n_segments = len(self.references[0]) if self.references else 1
        return TestSet(
            [System("outputs", [""] * n_segments)],
            self.references,
            self.source,
            self.documents,
            self.labels,
            self.reference_names,
            self.reference_files,
            self.languages,
        )


def given_texts(test_set: TestSet, languages: tuple[str | None, str | None] = (None, None)) -> GivenTexts:
    """What a test set with systems tells of itself.

    Args:
        test_set: That was read.
        languages: Of source and target, where the files do not tell.
    """
    told = tuple(said or asked for said, asked in zip(test_set.languages, languages, strict=True))
    return GivenTexts(
        test_set.references,
        test_set.reference_names,
        test_set.reference_files,
        test_set.source,
        test_set.documents,
        test_set.labels,
        (told[0], told[1]),
    )


@dataclass(frozen=True)
class Parcel:
    """A push.

    Attributes:
        project: Its slug.
        test_set: The name of the test set in it.
        version: The outputs under their names.
        texts: What is told of the test set.
    """

    project: str
    test_set: str
    version: NewVersion
    texts: GivenTexts = field(default_factory=GivenTexts)


@dataclass(frozen=True)
class Pushed:
    """What came of a push.

    Attributes:
        project: Its slug.
        test_set: The name of the test set.
        system: The name of the system.
        version: The label.
        digest: Of the outputs.
        n_segments: How many there are.
        is_new: Whether it was not there before.
        is_kept: Whether it is there now: not after a dry run.
        run: Of which run of the version the outputs are; ``None`` where it is not told.
    """

    project: str
    test_set: str
    system: str
    version: str
    digest: str
    n_segments: int
    is_new: bool
    is_kept: bool = True
    run: str | None = None

    def undone(self) -> "Pushed":
        """What came of a push that was rehearsed."""
        return replace(self, is_kept=not self.is_new)

    def __str__(self) -> str:
        """In a line."""
        said = "kept" if self.is_new else "already there"
        if not self.is_kept:
            said = "would be kept" if self.is_new else said
        where = f"{self.system} {run_called(self.version, self.run)} on {self.test_set}, project {self.project}"
        return f"{where}: {said} ({counted(self.n_segments, 'segment')}, digest {self.digest[:12]})"


def texts_document(texts: GivenTexts) -> dict[str, Any]:
    """What JSON holds of the texts of a test set."""
    n_references = len(texts.references)
    nothing: Sequence[str | None] = [None] * n_references
    names, files = texts.reference_names or nothing, texts.reference_files or nothing
    references = [
        {
            "segments": list(column),
            **({} if name is None else {"name": name}),
            **({} if file is None else {"file": file}),
        }
        for column, name, file in zip(texts.references, names, files, strict=True)
    ]
    found: dict[str, Any] = {"references": references} if references else {}
    for name, column in (("source", texts.source), ("documents", texts.documents)):
        found |= {} if column is None else {name: list(column)}
    found |= {"labels": {name: list(column) for name, column in texts.labels.items()}} if texts.labels else {}
    return found | ({"languages": list(texts.languages)} if any(texts.languages) else {})


def version_document(version: NewVersion) -> dict[str, Any]:
    """What JSON holds of a version."""
    found: dict[str, Any] = {"system": version.system, "version": version.label, "outputs": list(version.outputs)}
    found |= {} if version.step is None else {"step": version.step}
    found |= {} if version.made_at is None else {"made_at": version.made_at.isoformat()}
    found |= {} if version.file is None else {"file": version.file}
    found |= {} if version.run is None else {"run": version.run}
    return found | {"config": dict(version.config), "tags": list(version.tags)}


def texts_of(document: object) -> GivenTexts:
    """The texts of what ``texts_document`` gave, or somebody wrote.

    Raises:
        InputError: It is something else.
    """
    fields = _Fields(document, "The test set", ("references", "source", "documents", "labels", "languages"))
    references = [
        _Fields(one, f"Reference {number}", ("name", "file", "segments"))
        for number, one in enumerate(fields.of_kind("references", list, []), 1)
    ]
    names = [one.of_kind("name", str, f"reference {number}") for number, one in enumerate(references, 1)]
    languages = fields.of_kind("languages", list, [None, None])
    if len(languages) != 2 or not all(one is None or _is_language(one) for one in languages):  # noqa: PLR2004
        raise fields.refusal("languages", languages, '["en", "de"], null where it is not known')
    return GivenTexts(
        [one.texts("segments", is_optional=True) for one in references],
        names,
        [one.of_kind("file", str, None) for one in references],
        fields.texts("source") if fields.has("source") else None,
        fields.texts("documents") if fields.has("documents") else None,
        {
            name: _Fields({name: column}, "The labels", (name,)).texts(name)
            for name, column in fields.of_kind("labels", dict, {}).items()
        },
        (languages[0], languages[1]),
    )


def version_of(document: object) -> NewVersion:
    """The version of what ``version_document`` gave, or somebody wrote.

    Raises:
        InputError: It is something else.
    """
    names = ("system", "version", "outputs", "step", "made_at", "config", "tags", "file", "run")
    fields = _Fields(document, "The version", names)
    return NewVersion(
        fields.of_kind("system", str),
        fields.of_kind("version", str),
        fields.texts("outputs"),
        fields.of_kind("step", int, None),
        fields.moment("made_at"),
        fields.of_kind("config", dict, {}),
        tuple(fields.texts("tags")) if fields.has("tags") else (),
        fields.of_kind("file", str, None),
        fields.of_kind("run", str, None),
    )


_REQUIRED = object()
_KINDS = {str: "a string", int: "a whole number", list: "a list", dict: "an object"}
_LONGEST_LANGUAGE = 35
"""Letters: as long as RFC 5646 has every program take."""


class _Fields:
    """The fields of an object, each looked at as it is taken."""

    def __init__(self, document: object, place: str, names: Sequence[str]) -> None:
        self._place = place
        if not isinstance(document, Mapping):
            raise InputError(
                "this is no object",
                where=place,
                found=shown(document),
                expected=f"an object with {', '.join(names)}",
                remedy="Look at the documentation: Versions of a system.",
            )
        for name in document:
            if name not in names:
                raise InputError(
                    "there is no field of this name",
                    where=place,
                    found=shown(name),
                    expected=f"any of {', '.join(names)}",
                    remedy="Take it out, or fix its name.",
                )
        self._document = document

    def has(self, name: str) -> bool:
        return self._document.get(name) is not None

    def of_kind(self, name: str, kind: type, default: object = _REQUIRED) -> Any:  # noqa: ANN401  # what JSON holds
        value = self._document.get(name)
        if value is None and default is not _REQUIRED:
            return default
        if not isinstance(value, kind) or isinstance(value, bool):
            raise self.refusal(name, value, _KINDS[kind])
        return value

    def texts(self, name: str, *, is_optional: bool = False) -> tuple[Any, ...]:
        column = self.of_kind(name, list)
        for number, text in enumerate(column, 1):
            if not isinstance(text, str) and not (is_optional and text is None):
                raise InputError(
                    "this is no text",
                    where=f"{self._place}, {name}",
                    line=number,
                    found=shown(text),
                    expected="a string",
                    remedy="Give one string per segment.",
                )
        return tuple(column)

    def moment(self, name: str) -> datetime | None:
        text = self.of_kind(name, str, None)
        try:
            found = None if text is None else datetime.fromisoformat(text)
            return found if found is None or found.tzinfo is None else found.astimezone(UTC)
        except (ValueError, OverflowError) as error:
            raise self.refusal(name, text, "as in 2026-11-23T08:00:00+00:00") from error

    def refusal(self, name: str, value: object, expected: str) -> InputError:
        return InputError(
            f"the field {name} holds something else",
            where=self._place,
            found="nothing" if value is None else shown(value),
            expected=expected,
            remedy="Fix it and push again.",
        )


def _is_language(value: object) -> bool:
    return (
        isinstance(value, str)
        and 0 < len(value) <= _LONGEST_LANGUAGE
        and value.isascii()
        and value.replace("-", "").replace("_", "").isalnum()
    )
