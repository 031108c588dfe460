"""A column of text as it comes out of a file, and how large the content of a file may become."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from bleucore.errors import InputError

Role: TypeAlias = Literal["hypothesis", "reference", "source", "documents", "label", "ignore"]
ROLES: tuple[Role, ...] = get_args(Role)
Key: TypeAlias = tuple[str, str]

MAX_CELLS = 10_000_000  # a file of line ends alone takes sixteen times its size in memory
MAX_COLUMNS = 1_000


@dataclass(frozen=True)
class Column:
    """One text per segment, with what the file says about it.

    Attributes:
        file: The file's name as given.
        name: A name to show: system, reference, header cell, or the file's name without its ending.
        role: What the format itself says; ``None`` where it has to be guessed.
        segments: S strings; ``None`` only in an XML reference that lacks the segment.
        keys: S pairs (document id, segment id) of an XML file; ``None`` where position is all there is.
        first_line: The line of the file that holds segment 1; 1 for XML.
        notices: What was read in another way than it is written, in sentences to be shown.
        is_cell: Whether it comes from a table, so that its name is that of a column and not of a file.
        title: What the file calls the column, where ``name`` is a shorter one.
        language: Of the texts, as the file says it; ``None`` where it says nothing.
        ids: S names of the segments, each once, by which files that hold them in another order are joined; ``None``
            where the file has none.
        system: Whose output it is, where ``name`` says the run too; ``None`` for a system of its own.
        test_set: What the file calls the test set, where it names it apart from its texts.
        left_out: Why it is not used, in a sentence; ``None`` where it is, or where its role says it all.
        is_unordered: Whether the order of the segments says nothing, as in the results of a batch.
        is_quoted: Whether quotes stand around its texts as in an export, or in speech.
    """

    file: str
    name: str
    role: Role | None
    segments: tuple[str | None, ...]
    keys: tuple[Key, ...] | None
    first_line: int
    notices: tuple[str, ...] = ()
    is_cell: bool = False
    title: str | None = None
    language: str | None = None
    ids: tuple[str, ...] | None = None
    is_unordered: bool = False
    system: str | None = None
    left_out: str | None = None
    test_set: str | None = None
    is_quoted: bool = False


def refuse_excess(file: str, n_cells: int, n_columns: int = 1) -> None:
    """Refuse content that would not fit into memory.

    Raises:
        InputError: There are more segments, cells or columns than can be read.
    """
    for what, found, limit in (("segments or cells", n_cells, MAX_CELLS), ("columns", n_columns, MAX_COLUMNS)):
        if found > limit:
            raise InputError(
                f"the file holds too many {what}",
                where=file,
                found=f"{found:,}",
                expected=f"at most {limit:,}",
                remedy="Split the test set into smaller files.",
            )


def numbered_apart(names: Sequence[str]) -> list[str]:
    """The names, each one its own: "out", "out" become "out", "out (2)"."""
    taken, result = set(names), list[str]()
    numbers = dict[str, int]()
    for name in names:
        unique, number = name, numbers.get(name, 0) + 1
        if number > 1:
            while (unique := f"{name} ({number})") in taken:
                number += 1
        numbers[name] = number
        taken.add(unique)
        result.append(unique)
    return result
