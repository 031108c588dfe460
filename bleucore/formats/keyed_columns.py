"""Texts by document and segment id -> the columns of one file, all in the same order."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from bleucore.errors import InputError
from bleucore.formats.columns import Column, Key, refuse_excess
from bleucore.values import shown

KeyedRole: TypeAlias = Literal["source", "reference", "hypothesis"]
_ORDER: tuple[KeyedRole, ...] = ("source", "reference", "hypothesis")


@dataclass
class _Texts:
    role: KeyedRole
    name: str
    texts: dict[Key, str] = field(default_factory=dict)
    languages: set[str | None] = field(default_factory=set)


class KeyedColumns:
    """Collects the segments of an XML file, column by column, in any order."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._columns: dict[tuple[KeyedRole, Hashable], _Texts] = {}

    def add_column(self, role: KeyedRole, identity: Hashable, name: str, language: str | None = None) -> None:
        """Make sure there is such a column, even if no segment ever comes; its language may be said many times."""
        self._columns.setdefault((role, identity), _Texts(role, name)).languages.add(language)
        refuse_excess(self._file, 0, len(self._columns))

    def add_segment(self, role: KeyedRole, identity: Hashable, key: Key, text: str, line: int) -> None:
        """Add a segment to a column that is there.

        Raises:
            InputError: The column has a segment of this document and id already.
        """
        column = self._columns[role, identity]
        if key in column.texts:
            raise InputError(
                "a segment is there twice",
                where=f"{self._file}, {role} {shown(column.name)}",
                line=line,
                found=f"document {shown(key[0])}, segment {shown(key[1])} once more",
                expected="each segment id once per document",
                remedy="Give the segments of a document different ids.",
            )
        column.texts[key] = text

    def columns(self) -> tuple[Column, ...]:
        """Source, references, hypotheses, all with the same keys; ``None`` where a reference lacks one.

        Raises:
            InputError: There is no segment, or a source or hypothesis lacks one that others have.
        """
        columns = sorted(self._columns.values(), key=lambda column: _ORDER.index(column.role))
        for column in columns:
            self._refuse_empty(column)
        keys = _merged_keys(column.texts for column in columns)
        if not keys:
            raise InputError(
                "there are no segments",
                where=self._file,
                found="no <seg>",
                expected="at least one",
                remedy="Load the complete file.",
            )
        refuse_excess(self._file, len(keys) * len(columns))
        return tuple(self._column(column, keys) for column in columns)

    def _column(self, column: _Texts, keys: tuple[Key, ...]) -> Column:
        if column.role != "reference" and len(column.texts) < len(keys):
            document, segment = next(key for key in keys if key not in column.texts)
            raise InputError(
                "a segment is missing",
                where=f"{self._file}, {column.role} {shown(column.name)}",
                found=f"no segment {shown(segment)} in document {shown(document)}",
                expected="every segment that the other texts of the file have",
                remedy='Add it: <seg id="..."></seg> stands for an empty translation.',
            )
        texts = tuple(map(column.texts.get, keys))
        language = next(iter(column.languages)) if len(column.languages) == 1 else None
        return Column(self._file, column.name, column.role, texts, keys, 1, language=language)

    def _refuse_empty(self, column: _Texts) -> None:
        if not column.texts:
            raise InputError(
                f"a {column.role} has no segments",
                where=f"{self._file}, {column.role} {shown(column.name)}",
                found="no <seg>",
                expected="at least one",
                remedy="Take it out, or add its segments.",
            )


def _merged_keys(columns: Iterable[Iterable[Key]]) -> tuple[Key, ...]:
    """The keys in the order of the first column; those of later columns alone come last in their document."""
    keys: dict[Key, None] = {}
    n_first = None
    for column in columns:
        keys.update(dict.fromkeys(column))
        n_first = len(keys) if n_first is None else n_first
    if len(keys) == n_first:
        return tuple(keys)
    places: dict[str, int] = {}
    for document, _ in keys:
        places.setdefault(document, len(places))
    return tuple(sorted(keys, key=lambda key: places[key[0]]))
