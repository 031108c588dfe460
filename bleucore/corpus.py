"""Systems and test sets: aligned texts, checked once when they are made."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from types import MappingProxyType
from typing import Any, TypeAlias, cast

import numpy as np

from bleucore.counts import Ints, read_only
from bleucore.errors import InputError
from bleucore.notebook_tables import NOT_KNOWN, html_table
from bleucore.short_reprs import cut, short_repr
from bleucore.values import HALF_A_PAIR, lone_surrogate, name_of, shown, system_words, unknown_name
from bleucore.written_numbers import count_of

Texts: TypeAlias = tuple[str, ...]
OptionalTexts: TypeAlias = tuple[str | None, ...]


ITEM_LABEL = "item"
"""The label that says which rows are of one item."""
CUT_LABEL = "re-segmented (mwer)"
"""The label that says that outputs were cut anew, and at which segments a cut is doubtful."""
MOST_DIFFERENT = 0.8
"""Rows repeat where there are at most this many different items for each row."""
_SHOWN_SEGMENTS = 5
"""Of a system, in a notebook."""
TEXTS_AT_ONCE = 100_000
"""Of a digest: more are not put together, which takes their room once more."""


@dataclass(frozen=True)
class System:
    """One system and its hypotheses, one string per segment.

    Attributes:
        name: To show.
        hypotheses: S strings.
        file: What the texts were read from, where that says more than the name; ``None`` where it is not known. It is
            no part of a system's identity: the same texts under the same name are the same system.
    """

    name: str
    hypotheses: Sequence[str]
    file: str | None = field(default=None, compare=False)

    def __repr__(self) -> str:
        return short_repr(self)

    def _repr_html_(self) -> str:
        """The first hypotheses as notebooks show them."""
        shown_ones = [cut(text) for text in self.hypotheses[:_SHOWN_SEGMENTS]]
        rows = [[str(number), text] for number, text in enumerate(shown_ones, start=1)]
        n_segments = len(self.hypotheses)
        more = f", the first {len(rows)} shown" if n_segments > len(rows) else ""
        caption = f"{self.name}: {count_of(n_segments, 'segment')}{more}"
        return html_table(["segment", "hypothesis"], rows, n_names=2, caption=caption)

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name.strip():
            raise InputError("a system has no name", found=shown(self.name), remedy="Give every system a name.")
        object.__setattr__(self, "name", name_of("System", self.name))
        object.__setattr__(self, "hypotheses", _texts(self.hypotheses, system_words(self.name)))
        if self.file is not None:
            object.__setattr__(self, "file", name_of("File", self.file))


@dataclass(frozen=True)
class TestSet:
    """Hypotheses of one or more systems with their references, aligned by segment.

    Attributes:
        systems: K systems with different names.
        references: R reference columns of S strings; ``None`` where a segment lacks that reference,
            ``""`` where the reference is really empty.
        source: S strings, or ``None``.
        documents: The document of each segment, S strings, or ``None``.
        labels: Further columns of S strings by name (a domain, say).
        reference_names: R names to show; "reference 1" and so on unless given.
        reference_files: What each of the R references was read from, ``None`` where that is not known; no part of the
            digest, as the files of systems.
        languages: Of the source, and of references and hypotheses, as the web writes them ("de", "pt-BR"); ``None``
            where they are not known. No part of the digest: they say how texts are read aloud, and change no number.
        are_lines: Whether the texts are lines of files. As in sacreBLEU's command, no metric counts the white space at
            the end of a line; in other strings chrF counts it if told to count white space, as sacreBLEU's class does.
            No part of the digest.

    Raises:
        InputError: Lengths differ, names repeat, there is nothing to score, or a text or name is not a string or
            holds half of a surrogate pair.
    """

    __test__ = False  # not a test class, whatever pytest makes of the name

    systems: Sequence[System]
    references: Sequence[Sequence[str | None]]
    source: Sequence[str] | None = None
    documents: Sequence[str] | None = None
    labels: Mapping[str, Sequence[str]] = field(default_factory=dict)
    reference_names: Sequence[str] | None = None
    reference_files: Sequence[str | None] | None = field(default=None, compare=False)
    languages: tuple[str | None, str | None] = field(default=(None, None), compare=False)
    are_lines: bool = False

    def __repr__(self) -> str:
        return short_repr(self)

    def _repr_html_(self) -> str:
        """Its systems and references as notebooks show them."""
        references = zip(self.reference_names or (), self.reference_files or (), strict=True)
        rows = [
            *([system.name, "system", system.file or NOT_KNOWN] for system in self.systems),
            *([name, "reference", file or NOT_KNOWN] for name, file in references),
        ]
        documents = [count_of(len(set(self.documents)), "document")] if self.documents is not None else []
        source = ["with the source"] if self.source is not None else ["without a source"]
        told = [count_of(self.n_segments, "segment"), *documents, *source]
        return html_table(["name", "role", "file"], rows, n_names=3, caption=", ".join(told))

    def __post_init__(self) -> None:
        _refuse_string(self.references, "The list of references", "a list of references, each a list of strings")
        freeze = object.__setattr__
        freeze(self, "systems", _systems(self.systems))
        freeze(self, "references", tuple(self.references))
        freeze(self, "reference_names", _reference_names(self.reference_names, len(self.references)))
        freeze(self, "reference_files", _reference_files(self.reference_files, len(self.references)))
        freeze(
            self,
            "references",
            tuple(
                _optional_texts(column, _reference_place(name))
                for column, name in zip(self.references, self.reference_names or (), strict=True)
            ),
        )
        if self.source is not None:
            freeze(self, "source", _texts(self.source, "The source"))
        if self.documents is not None:
            freeze(self, "documents", _texts(self.documents, "The list of documents"))
        freeze(self, "labels", MappingProxyType(_labels(self.labels)))
        self._check_systems()
        self._check_lengths()
        self._check_references()

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "labels": dict(self.labels)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, labels=MappingProxyType(state["labels"]))

    @property
    def n_segments(self) -> int:
        """S, the number of segments."""
        return len(self.systems[0].hypotheses)

    @property
    def system_names(self) -> tuple[str, ...]:
        """The K system names in the order given."""
        return tuple(system.name for system in self.systems)

    def system(self, name: str) -> System:
        """The system of that name.

        Raises:
            InputError: There is none.
        """
        for system in self.systems:
            if system.name == name:
                return system
        raise unknown_name("system", name, self.system_names, where="The test set", remedy="Choose one of its systems.")

    def system_called(self, given: str) -> str | None:
        """The name of the system that is meant: by its name, its file, or the file's name without folder or ending."""
        if given in self.system_names:
            return given
        called = [system.name for system in self.systems if system.file is not None and given in _calls_of(system.file)]
        return called[0] if len(called) == 1 else None

    def reference_called(self, given: str) -> str | None:
        """The name of the reference that is meant: as ``system_called``, or its name without the word "reference"."""
        names = self.reference_names or ()
        if given in names:
            return given
        files = self.reference_files or ()
        called = [
            name
            for name, file in zip(names, files, strict=True)
            if name == f"reference {given}" or (file is not None and given in _calls_of(file))
        ]
        return called[0] if len(called) == 1 else None

    @cached_property
    def digest(self) -> str:
        """SHA-256 of all texts and names in the test set, in hexadecimal: equal digests mean equal content."""
        return _digest((*self.system_names, *(self.reference_names or ())), self.texts_digest)

    @cached_property
    def texts_digest(self) -> str:
        """The same without the names of systems and references: what scores and tests depend on."""
        return _texts_digest(
            [system.hypotheses for system in self.systems],
            self.references,
            {"source": self.source, "documents": self.documents},
            self.labels,
        )

    @property
    def is_resegmented(self) -> bool:
        """Whether outputs were cut anew at the segments of the references."""
        return CUT_LABEL in self.labels

    @cached_property
    def items(self) -> Ints | None:
        """The item of each segment, as ``repeated_items`` has it."""
        return repeated_items(self.references, self.source, self.labels.get(ITEM_LABEL))

    def renamed(self, system_names: Sequence[str], reference_names: Sequence[str]) -> "TestSet":
        """The same texts under other names, in the same order; no text is looked at again.

        Raises:
            InputError: Two systems have the same name, a name is empty or no text, or their number differs.
        """
        if len(system_names) != len(self.systems):
            raise InputError(
                "the number of names differs from the number of systems",
                where="The list of system names",
                found=len(system_names),
                expected=len(self.systems),
                remedy="Name every system.",
            )
        systems = tuple(_renamed_system(system, name) for system, name in zip(self.systems, system_names, strict=True))
        names = _reference_names(reference_names, len(self.references))
        texts_digest, made = self.texts_digest, copy(self)
        made.__dict__.pop("digest", None)  # what is cached of the old names
        made.__dict__.update(systems=systems, reference_names=names, texts_digest=texts_digest)
        made._check_systems()  # noqa: SLF001  # of the same class
        return made

    def _check_systems(self) -> None:
        if not self.systems:
            raise InputError("there is no system", remedy="Give the hypotheses of at least one system.")
        repeated = [name for name, times in Counter(self.system_names).items() if times > 1]
        if repeated:
            raise InputError(
                "two systems have the same name",
                found=shown(repeated[0]),
                remedy="Give every system a name of its own.",
            )
        if self.n_segments == 0:
            raise InputError(
                "there are no segments",
                where=system_words(self.systems[0].name),
                remedy="Give at least one segment.",
            )

    def _check_lengths(self) -> None:
        if not self.references:
            raise InputError("there is no reference", remedy="Give at least one reference.")
        expected, yardstick = len(self.references[0]), _reference_place((self.reference_names or ("",))[0])
        columns: list[tuple[str, Sequence[str | None]]] = [
            (_reference_place(name), column)
            for name, column in zip(self.reference_names or (), self.references, strict=True)
        ]
        columns += [(system_words(system.name), system.hypotheses) for system in self.systems]
        columns += [("The source", self.source)] if self.source is not None else []
        columns += [("The list of documents", self.documents)] if self.documents is not None else []
        columns += [(f"Label {shown(name)}", column) for name, column in self.labels.items()]
        for place, column in columns:
            if len(column) != expected:
                raise InputError(
                    "the number of segments differs",
                    where=place,
                    found=f"{len(column):,}",
                    expected=f"{expected:,} as in {yardstick[0].lower() + yardstick[1:]}",
                    remedy="Every file needs one line per segment, in the same order.",
                )

    def _check_references(self) -> None:
        if any(None not in column for column in self.references):
            return
        for index, references in enumerate(zip(*self.references, strict=True)):
            if all(reference is None for reference in references):
                raise InputError(
                    "the segment has no reference",
                    where="The references",
                    line=index + 1,
                    remedy="Every segment needs at least one reference.",
                )


def refuse_other_texts(test_set: object) -> None:
    """Refuse what is no test set, such as the lists that sacreBLEU takes.

    Raises:
        InputError: It is none.
    """
    if not isinstance(test_set, TestSet):
        raise InputError(
            "this is not a test set",
            where="The test set",
            found=shown(test_set),
            expected='TestSet([System("A", hypotheses)], [references])',
            remedy="For lists alone there is corpus_bleu(hypotheses, [references]).",
        )


def repeated_items(
    references: Sequence[Sequence[str | None]],
    source: Sequence[str] | None = None,
    given: Sequence[str] | None = None,
) -> Ints | None:
    """The item of each row, (S,), 0 to I - 1; ``None`` where rows do not repeat.

    An item is what the user gives, else the source with the references: several outputs for one prompt, or a test set
    written several times, are rows of the same items and no more evidence. Without given items at least a fifth of
    the rows must repeat: a few short sentences occur twice in every test set.

    Args:
        references: R columns of S texts.
        source: S texts, where they are known.
        given: The item of each row, where the user names it: any that repeats counts.
    """
    columns = [given] if given else [*([] if source is None else [source]), *references]
    index: dict[tuple[str | None, ...], int] = {}
    numbers = [index.setdefault(key, len(index)) for key in zip(*columns, strict=True)]
    most = len(numbers) - 1 if given else MOST_DIFFERENT * len(numbers)
    return read_only(np.array(numbers, np.int64)) if len(index) <= most else None


def _systems(systems: Sequence[System]) -> tuple[System, ...]:
    expected = "a list of System objects"
    _refuse_string(systems, "The list of systems", expected, remedy="Put the systems into a list.")
    listed = tuple(systems)
    for system in listed:
        if not isinstance(system, System):
            raise InputError(
                "this is not a system",
                where="The list of systems",
                found=type(system).__name__,
                expected=expected,
                remedy="Make a System of each name and its hypotheses.",
            )
    return listed


def _reference_names(names: Sequence[str] | None, n_references: int) -> tuple[str, ...]:
    if names is None:
        return tuple(f"reference {number + 1}" for number in range(n_references))
    place = "The list of reference names"
    _refuse_string(names, place, "a list of strings, one per reference")
    listed = tuple(names)
    if len(listed) != n_references:
        raise InputError(
            "the number of reference names differs from the number of references",
            found=len(listed),
            expected=n_references,
            remedy="Name every reference, or none.",
        )
    return tuple(name_of("Reference", name) for name in listed)


def _reference_files(files: Sequence[str | None] | None, n_references: int) -> tuple[str | None, ...]:
    if files is None:
        return (None,) * n_references
    listed = tuple(files)
    if len(listed) != n_references:
        raise InputError(
            "the number of files differs from the number of references",
            found=len(listed),
            expected=n_references,
            remedy="Give the file of every reference, None where it is not known.",
        )
    return tuple(None if name is None else name_of("File", name) for name in listed)


def _renamed_system(system: System, name: str) -> System:
    """The system under another name, its texts not checked again."""
    checked = System(name, (), system.file)
    object.__setattr__(checked, "hypotheses", system.hypotheses)
    return checked


def _calls_of(file: str) -> frozenset[str]:
    """How a person may call a file: in full, without folders, without one ending or ".gz" and one."""
    base = re.split(r"[/\\]", file)[-1]
    unzipped = base.removesuffix(".gz")
    return frozenset({file, base, unzipped, unzipped.rpartition(".")[0] or unzipped})


def _labels(labels: Mapping[str, Sequence[str]]) -> dict[str, Texts]:
    if not isinstance(labels, Mapping):
        raise InputError(
            "this is not a mapping",
            where="The labels",
            found=type(labels).__name__,
            expected="columns of strings by name",
            remedy="Put the columns into a dict.",
        )
    columns = {name_of("Label", name): column for name, column in labels.items()}
    return {name: _texts(column, f"Label {shown(name)}") for name, column in columns.items()}


def _reference_place(name: str) -> str:
    return name[:1].upper() + name[1:] if name.lower().startswith("reference") else f"Reference {shown(name)}"


def _texts(column: Sequence[str], place: str) -> Texts:
    texts = _optional_texts(column, place)
    if {str}.issuperset(map(type, texts)):
        return cast("Texts", texts)
    raise InputError(
        "the segment is missing",
        where=place,
        line=texts.index(None) + 1,
        found="None",
        expected="a string",
        remedy='Give an empty string "" where there is no text.',
    )


def _optional_texts(column: Sequence[str | None], place: str) -> OptionalTexts:
    _refuse_string(column, place, "a list of strings, one per segment")
    texts = tuple(column)
    if not {str, type(None)}.issuperset(map(type, texts)):
        texts = tuple(_plain_string(text, place, index) for index, text in enumerate(texts))
    try:
        "".join(filter(None, texts)).encode("utf-16-le")  # finds half a pair as UTF-8 does, in half the time
    except UnicodeEncodeError:
        _refuse_surrogates(texts, place)
    return texts


def _refuse_string(column: object, place: str, expected: str, *, remedy: str = "Put the strings into a list.") -> None:
    if isinstance(column, str | bytes | AbstractSet | Mapping) or not isinstance(column, Iterable):
        raise InputError(
            "this is not a list",
            where=place,
            found=type(column).__name__,
            expected=expected,
            remedy=remedy,
        )


def _plain_string(text: object, place: str, index: int) -> str | None:
    if text is None or isinstance(text, str):
        return None if text is None else str.__str__(text)
    raise InputError(
        "a segment is not a string",
        where=place,
        line=index + 1,
        found=type(text).__name__,
        expected="a string",
        remedy="Convert it to text first.",
    )


def _refuse_surrogates(texts: OptionalTexts, place: str) -> None:
    for index, text in enumerate(texts):
        surrogate = lone_surrogate(text or "")
        if surrogate is not None:
            raise InputError(
                f"the text holds {HALF_A_PAIR}",
                where=place,
                line=index + 1,
                found=surrogate,
                expected="text that can be written as UTF-8",
                remedy="Save the file as UTF-8 and load it again.",
            )


def digest_of_columns(
    systems: Mapping[str, Iterable[str | None]],
    references: Mapping[str, Iterable[str | None]],
    *,
    source: Iterable[str | None] | None = None,
    documents: Iterable[str | None] | None = None,
    labels: Mapping[str, Iterable[str | None]] | None = None,
) -> str:
    """``TestSet.digest`` of texts that are not held: each column is gone through twice, one after the other.

    Args:
        systems: The outputs by the systems' names.
        references: Each by its name.
        source: As in ``TestSet``.
        documents: As in ``TestSet``.
        labels: As in ``TestSet``.
    """
    optional = {"source": source, "documents": documents}
    texts = _texts_digest(systems.values(), references.values(), optional, labels or {})
    return _digest((*systems, *references), texts)


def _digest(names: Iterable[str], texts_digest: str) -> str:
    state = hashlib.sha256(b"bleuscope test set 2")
    for name in names:
        state.update(f"\n{len(name.encode())}\n{name}".encode())
    state.update(texts_digest.encode())
    return state.hexdigest()


def _texts_digest(
    systems: Iterable[Iterable[str | None]],
    references: Iterable[Iterable[str | None]],
    optional: Mapping[str, Iterable[str | None] | None],
    labels: Mapping[str, Iterable[str | None]],
) -> str:
    state = hashlib.sha256(b"bleuscope texts")
    for system in systems:
        _hash_column(state, "system", system)
    for column in references:
        _hash_column(state, "reference", column)
    for title, one in optional.items():
        if one is not None:
            _hash_column(state, title, one)
    for name, label in sorted(labels.items()):
        _hash_column(state, f"label {name}", label)
    return state.hexdigest()


def _hash_column(state: "hashlib._Hash", title: str, column: Iterable[str | None]) -> None:
    """Add a column unambiguously: its title, its size, the length of every text, then the texts."""
    lengths = ["-1" if text is None else str(len(text)) for text in column]
    name = title.encode()
    state.update(f"\n{len(name)} {len(lengths)}\n".encode() + name)
    state.update(f"{','.join(lengths)};".encode())
    texts = iter(column)
    while some := list(islice(texts, TEXTS_AT_ONCE)):
        state.update(_encoded(some))


def _encoded(texts: Sequence[str | None]) -> bytes:
    return "".join(filter(None, texts)).encode()
