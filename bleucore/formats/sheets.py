"""Sheets of one workbook -> the columns of one test set, where each holds the output of a system or another text."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from bleucore.errors import InputError
from bleucore.formats.columns import Column, Role, refuse_excess
from bleucore.formats.content_kinds import is_no_text
from bleucore.formats.usual_names import role_of
from bleucore.values import shown

MOST_SHEETS = 200
_LEAST_ROWS, _MOST_NAMED, _LONGEST_TITLE = 3, 5, 40
_GIVEN: tuple[Role, ...] = ("reference", "source")


def one_of_sheets(file: str, sheets: Mapping[str, tuple[Column, ...]], names: Sequence[str]) -> tuple[Column, ...]:
    """The columns of all sheets that belong together, else of one: the first with a reference, or the first.

    Args:
        file: The workbook.
        sheets: The columns of each sheet that could be read, at least one, by its name.
        names: Of all sheets.

    Raises:
        InputError: Several sheets hold a test set of their own.
    """
    joined = _joined(file, _with_titles(sheets), names)
    if joined is not None:
        return joined
    name = next((one for one, columns in sheets.items() if _of_role(columns, "reference")), next(iter(sheets)))
    others = [one for one in names if one != name]
    _refuse_several_sets(file, sheets)
    return _said(sheets[name], f"{file}: sheet {shown(name)} was read; not read: {_listed(others)}.", bool(others))


def _refuse_several_sets(file: str, sheets: Mapping[str, tuple[Column, ...]]) -> None:
    """Refuse sheets that each hold a whole test set, with references of their own.

    A sheet that has lines of the references of another one is a former state of it, and no other test set.

    Raises:
        InputError: There are several.
    """
    whole: dict[str, set[str]] = {}
    for name, columns in sheets.items():
        references = _of_role(columns, "reference")
        texts = [one for one in columns if not is_no_text(one) and one not in references]
        outputs = [one for one in texts if (one.role or role_of(one.name)) in (None, "hypothesis")]
        lines = {text for one in references for text in one.segments if text}
        if outputs and len(lines) >= _LEAST_ROWS and not any(lines & known for known in whole.values()):
            whole[name] = lines
    if len(whole) > 1:
        raise InputError(
            "several sheets hold a test set of their own",
            where=file,
            found=f"references in {_listed(list(whole))}",
            expected="sheets of one test set",
            remedy="Save each of these sheets as a file. Dropped together, they open as a campaign.",
        )


def _with_titles(sheets: Mapping[str, tuple[Column, ...]]) -> dict[str, tuple[Column, ...]]:
    """The sheets; where others have a row less under their titles, the same first cells of several are titles, too."""
    untitled = {name: columns for name, columns in sheets.items() if all(map(_has_no_title, columns))}
    titled = {len(columns[0].segments) for name, columns in sheets.items() if name not in untitled}
    heads = Counter(tuple(column.segments[0] for column in columns) for columns in untitled.values())
    found = dict(sheets)
    for name, columns in untitled.items():
        head = tuple(column.segments[0] for column in columns)
        is_short = all(cell and len(cell) <= _LONGEST_TITLE for cell in head) and len(set(head)) == len(head)
        if is_short and heads[head] > 1 and len(columns[0].segments) - 1 in titled:
            found[name] = tuple(
                replace(column, name=cell or "", segments=column.segments[1:], first_line=column.first_line + 1)
                for column, cell in zip(columns, head, strict=True)
            )
    return found


def _has_no_title(column: Column) -> bool:
    return column.name.startswith("column ")


def _joined(file: str, sheets: Mapping[str, tuple[Column, ...]], names: Sequence[str]) -> tuple[Column, ...] | None:
    """The columns of the sheets with as many rows as most; ``None`` where these are no texts of one test set.

    A column that several sheets hold is taken once. What sheets have alone is called as they are.
    """
    lengths = Counter(len(columns[0].segments) for columns in sheets.values())
    usual, times = lengths.most_common(1)[0]
    if times < 2 or usual < _LEAST_ROWS:  # noqa: PLR2004  # two sheets
        return None
    alike = {name: columns for name, columns in sheets.items() if len(columns[0].segments) == usual}
    alike = _in_one_order(alike)
    held = Counter((column.name, column.segments) for columns in alike.values() for column in columns)
    found: dict[tuple[str, tuple[str | None, ...]], Column] = {}
    for name, columns in alike.items():
        own = [one for one in columns if held[one.name, one.segments] < len(alike) and not is_no_text(one)]
        for column in columns:
            if column in own or is_no_text(column):
                is_only = len(own) == 1 and column in own
                called = _called(name, column, is_only=is_only)
                column = replace(column, name=called, title=f"{name}, {column.name}")  # noqa: PLW2901
                found.setdefault((called, column.segments), column)
            else:
                found.setdefault((column.name, column.segments), column)
    texts = [column for column in found.values() if not is_no_text(column)]
    references = _of_role(texts, "reference")
    if len(references) != 1 or len(_of_role(texts, "source")) > 1 or len(texts) < 2:  # noqa: PLR2004  # an output too
        return None
    refuse_excess(file, usual * len(found), len(found))
    others = [name for name in names if name not in alike]
    notice = f"{file}: {len(alike):,} sheets were read as one test set: {_listed(list(alike))}."
    columns = _said(tuple(found.values()), notice, is_said=True)
    return _said(columns, f"{file}: not read, having other rows: {_listed(others)}.", bool(others))


def _in_one_order(sheets: Mapping[str, tuple[Column, ...]]) -> dict[str, tuple[Column, ...]]:
    """The sheets with the rows of each in the order of the first, where all have the same ids in another order."""
    ids = {name: _ids_in(columns) for name, columns in sheets.items()}
    base = next(iter(ids.values()))
    if base is None or any(one is None or {*one} != {*base} for one in ids.values()):
        return dict(sheets)
    found: dict[str, tuple[Column, ...]] = {}
    for name, columns in sheets.items():
        places = {one: row for row, one in enumerate(ids[name] or ())}
        order = [places[one] for one in base]
        said = f"{columns[0].file}: the rows of sheet {shown(name)} were put into the order of the first by their ids."
        found[name] = tuple(
            column
            if ids[name] == base
            else replace(column, segments=tuple(column.segments[row] for row in order), notices=(*column.notices, said))
            for column in columns
        )
    return found


def _ids_in(columns: Sequence[Column]) -> tuple[str, ...] | None:
    """The ids of the rows of a sheet: a column of them, each once; ``None`` without one, or with several."""
    found = [
        tuple(map(str, column.segments))
        for column in columns
        if is_no_text(column) and len({*column.segments}) == len(column.segments) and all(column.segments)
    ]
    return found[0] if len(found) == 1 else None


def _called(sheet: str, column: Column, *, is_only: bool) -> str:
    """What a column is called that not all sheets hold: as its sheet, unless its title alone says more."""
    if role_of(column.name) in _GIVEN and role_of(sheet) is None:
        return column.name
    return sheet if is_only else f"{sheet} {column.name}"


def _of_role(columns: Sequence[Column], role: Role) -> list[Column]:
    return [column for column in columns if (column.role or role_of(column.name)) == role]


def _said(columns: tuple[Column, ...], notice: str, is_said: bool) -> tuple[Column, ...]:  # noqa: FBT001  # a condition
    return tuple(replace(column, notices=(*column.notices, notice)) for column in columns) if is_said else columns


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST_NAMED:,} more" if len(names) > _MOST_NAMED else ""
    return ", ".join(map(shown, names[:_MOST_NAMED])) + more
