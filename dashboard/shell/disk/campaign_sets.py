"""A planned test set -> its texts, one set at a time."""

from dataclasses import replace
from pathlib import Path

from bleucore import TestSet
from bleucore.formats import Budget, Column, Role, assemble, read
from bleucore.formats.campaign_plan import PlannedFile, PlannedSet
from dashboard.shell.disk.files import read_bytes

HEAD = 1 << 16


def open_set(planned: PlannedSet, *, budget: Budget | None = None) -> TestSet:
    """The texts of a test set.

    Args:
        planned: Which.
        budget: What the texts may cost; ``None`` for whatever fits into memory.

    Raises:
        InputError: A file cannot be read, or the files do not fit together.
    """
    roles: list[tuple[Role, str, PlannedFile]] = [("hypothesis", name, file) for name, file in planned.systems.items()]
    roles += [("reference", name, file) for name, file in planned.references.items()]
    roles += [("label", name, file) for name, file in planned.labels.items()]
    roles += [("source", "source", planned.source)] if planned.source is not None else []
    roles += [("documents", "documents", planned.documents)] if planned.documents is not None else []
    columns = [_column(role, name, file, planned, budget) for role, name, file in roles]
    if budget is not None:
        budget.refuse_test_set(columns)
    return assemble(columns)


def _column(role: Role, name: str, file: PlannedFile, planned: PlannedSet, budget: Budget | None) -> Column:
    found = read(file.name, content_of(file), encoding=planned.encoding, budget=budget)
    column = next(one for one in found if file.column is None or one.name == file.column)
    source, target = planned.languages
    return replace(column, role=role, name=name, language=source if role == "source" else target)


def content_of(file: PlannedFile) -> bytes:
    """The bytes of a file.

    Raises:
        InputError: It cannot be read.
    """
    return file.content if file.content is not None else read_bytes(Path(file.path))


def head_of(file: PlannedFile) -> tuple[bytes, bool]:
    """The first bytes of a file, and whether they are all of it.

    Raises:
        InputError: It cannot be read.
    """
    data = content_of(file)
    return data[:HEAD], len(data) <= HEAD
