"""The parcels that a push is made of: outputs, and what is told of their test set."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bleucore.corpus import System, TestSet
from bleucore.errors import InputError
from bleucore.formats import ROLES, Column, assemble
from bleucore.segmentation.resegmenting import realigned
from bleuscope.cli.streams import notice, notice_on_terminal
from bleuscope.cli.texts import reader
from bleuscope.content.comparison.inputs import Inputs
from bleuscope.shell.disk import files

if TYPE_CHECKING:
    from bleuscope.workspace.manifests import References
    from bleuscope.workspace.push_payload import GivenTexts

KEPT = "the test set"
"""What messages call references that are kept already."""


@dataclass(frozen=True)
class Outputs:
    """Outputs of one system.

    Attributes:
        name: Of the system, as its file is called.
        file: That holds them.
        segments: S texts.
        is_cut: Whether they were cut anew at the segments of the references.
    """

    name: str
    file: str
    segments: Sequence[str]
    is_cut: bool = False


def read_pushed(
    asked: Inputs, *, aligns: bool = False, kept: "References | None" = None
) -> tuple[tuple[Outputs, ...], "GivenTexts"]:
    """The outputs that a command line names, and what it tells of their test set.

    Args:
        asked: What to read; with references, or a test set of sacreBLEU, all of the test set is told.
        aligns: Whether outputs in other lines are cut anew at the segments of the references.
        kept: The references that the test set has already, where they are at hand.

    Raises:
        InputError: A file cannot be read, or the files do not fit together.
    """
    read_data = reader(asked.paths)
    if asked.references or asked.test_set is not None:
        columns = files.read_inputs(asked, announce=notice_on_terminal, read_data=read_data)
    else:
        columns = files.read_outputs(asked, read_data=read_data)
    columns, cut = _cut(columns, kept) if aligns else (columns, frozenset[str]())
    for said in files.notices_of(columns):
        notice(said)
    outputs, told = _told(asked, columns)
    return tuple(replace(one, is_cut=one.name in cut) for one in outputs), told


def _told(asked: Inputs, columns: Sequence[Column]) -> tuple[tuple[Outputs, ...], "GivenTexts"]:
    """The outputs of columns, and what these tell of the test set."""
    from bleuscope.workspace.push_payload import GivenTexts, given_texts  # noqa: PLC0415  # as above

    if any(column.role == "reference" for column in columns):
        test_set = assemble(columns)
        return _outputs(test_set), given_texts(test_set, _languages(asked.language_pair))
    if all(column.keys is None for column in columns):
        return _as_they_are(columns)
    test_set = assemble([*columns, _in_place_of_references(columns)])
    return _outputs(test_set), GivenTexts(
        source=test_set.source, documents=test_set.documents, labels=dict(test_set.labels)
    )


def _cut(columns: Sequence[Column], kept: "References | None") -> tuple[tuple[Column, ...], frozenset[str]]:
    """The columns with outputs in other lines cut anew, and the names of these.

    Raises:
        InputError: No references are known, or a text is too long.
    """
    own = any(column.role == "reference" for column in columns)
    if not own and kept is None:
        raise InputError(
            "there are no references to cut the outputs at",
            where="Option --align",
            expected="the references of the test set",
            remedy="Name them with --reference.",
        )
    beside = [] if own or kept is None else _columns_of(kept)
    made = realigned([*columns, *beside])[: len(columns)]
    cut = frozenset(new.name for old, new in zip(columns, made, strict=True) if old.segments != new.segments)
    return made, cut


def _columns_of(kept: "References") -> list[Column]:
    found = [
        Column(KEPT, f"reference {number}", "reference", column, None, 1)
        for number, column in enumerate(kept.columns, start=1)
    ]
    documents = kept.documents
    return found if documents is None else [*found, Column(KEPT, "documents", "documents", documents, None, 1)]


def _outputs(test_set: TestSet) -> tuple[Outputs, ...]:
    return tuple(Outputs(one.name, one.file or one.name, one.hypotheses) for one in test_set.systems)


def _as_they_are(columns: Sequence[Column]) -> "tuple[tuple[Outputs, ...], GivenTexts]":
    """Outputs and the rest line by line, of any length: the workspace knows better than they what is missing."""
    from bleuscope.workspace.push_payload import GivenTexts  # noqa: PLC0415  # as above

    used: dict[str, list[Column]] = {role: [] for role in ROLES}
    for column in columns:
        used[column.role or "ignore"].append(column)
    _refuse_no_outputs(columns)
    for role in ("source", "documents"):
        if len(used[role]) > 1:
            raise InputError(
                f"there are two {role} columns",
                where=used[role][1].file,
                found=f"one in {used[role][0].file} and one in {used[role][1].file}",
                expected="one",
                remedy="Keep one of them.",
            )
    outputs = tuple(Outputs(one.name, one.file, _whole(one)) for one in used["hypothesis"])
    source, documents = (next(map(_whole, used[role]), None) for role in ("source", "documents"))
    labels = {one.name: _whole(one) for one in used["label"]}
    return outputs, GivenTexts(source=source, documents=documents, labels=labels)


def _whole(column: Column) -> Sequence[str]:
    """The texts of a column that lacks none.

    Raises:
        InputError: It lacks one.
    """
    return System(column.name, column.segments).hypotheses  # type: ignore[arg-type]  # says which is missing


def _in_place_of_references(columns: Sequence[Column]) -> Column:
    """A reference that says nothing, as long as the first outputs."""
    _refuse_no_outputs(columns)
    first = next(column for column in columns if column.role == "hypothesis")
    return replace(
        first, role="reference", name="reference", title=None, segments=("",) * len(first.segments), notices=()
    )


def _refuse_no_outputs(columns: Sequence[Column]) -> None:
    if not any(column.role == "hypothesis" for column in columns):
        raise InputError(
            "there are no outputs",
            where=", ".join(dict.fromkeys(column.file for column in columns)) or "The files",
            expected="a file with a line per segment",
            remedy="Name the file with the outputs of the system.",
        )


def _languages(pair: str | None) -> tuple[str | None, str | None]:
    source, _, target = (pair or "").partition("-")
    return source or None, target or None
