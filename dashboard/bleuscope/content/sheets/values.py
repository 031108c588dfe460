"""The values of a sheet, as machines take them and as people read them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import Any

import numpy as np

from bleucore.optional_packages import pd
from bleuscope.content.sheets.sheet import Ends, Field, Kind, Sheet
from bleuscope.content.style import numbers

Raw = str | int | float | bool | None
"""A value for machines, with every digit; ``None`` where there is none."""

NOTHING = "–"
STAR = "*"
ENDS = ("low", "high")
SIGNED: tuple[Kind, ...] = ("difference", "part")
ROUNDED: tuple[Kind, ...] = ("score", "metric score", "interval", *SIGNED)
"""Kinds that have as many decimals as are asked for."""
FEW_DECIMALS, MOST_DECIMALS = 2, 4
SIZED: tuple[Kind, ...] = ("metric score", "part")
"""Kinds that have two decimals or four, as large as their values are: the same in all rows of a column."""


@dataclass(frozen=True)
class RawColumn:
    """One column for machines: an interval makes two of them.

    Attributes:
        key: Its name for machines.
        heading: What people read above it.
        kind: What its values are.
        cells: Its values, one a row.
        decimals: Of kinds in ``SIZED``, if all rows have the same.
    """

    key: str
    heading: str
    kind: Kind
    cells: tuple[Raw, ...]
    decimals: int | None = None


@dataclass(frozen=True)
class Cell:
    """One value for people.

    Attributes:
        text: As pages write it.
        is_best: Whether it is the best of its column, or reads the same as the best.
        is_marked: Whether it is marked as significant.
    """

    text: str
    is_best: bool = False
    is_marked: bool = False


def raw_columns(sheet: Sheet) -> tuple[RawColumn, ...]:
    """The columns of a sheet for machines."""
    return tuple(column for one in sheet.fields for column in _raw_columns(sheet, one))


def read_columns(sheet: Sheet) -> tuple[tuple[Cell, ...], ...]:
    """The columns of a sheet for people, one for each of ``read_fields``."""
    return tuple(read_column(sheet, one) for one in read_fields(sheet))


def read_column(sheet: Sheet, one: Field) -> tuple[Cell, ...]:
    """One column for people."""
    marks = [False] * len(sheet.frame)
    if one.marked_by is not None:
        marks = [_raw(value, "yes or no") is True for value in sheet.frame[one.marked_by]]
    return tuple(
        Cell(text, is_best, is_marked and text != NOTHING)
        for text, is_best, is_marked in zip(_texts(sheet, one), best_rows(sheet, one), marks, strict=True)
    )


def page_texts(sheet: Sheet, one: Field, *, mark: str) -> list[str]:
    """One column as pages write it, with this between a value and its mark."""
    texts = [f"{cell.text}{mark}{STAR}" if cell.is_marked else cell.text for cell in read_column(sheet, one)]
    return [one.notes[row].text if row in one.notes else text for row, text in enumerate(texts)]


def read_fields(sheet: Sheet) -> tuple[Field, ...]:
    """The fields that people read in files and on a terminal."""
    return tuple(one for one in sheet.fields if not one.for_machines)


def page_fields(sheet: Sheet) -> tuple[Field, ...]:
    """The fields that people read on pages."""
    return tuple(one for one in sheet.fields if not one.for_machines and not one.off_pages)


def is_text(one: Field) -> bool:
    """Whether a column is aligned as text."""
    return one.kind == "text"


def legend(sheet: Sheet, *, is_bold: bool) -> str:
    """What bold and the star mean, for people, after a blank; empty where there is neither.

    Args:
        sheet: The table.
        is_bold: Whether the best values are set in bold.
    """
    cells = [cell for column in read_columns(sheet) for cell in column]
    words = []
    if is_bold and any(cell.is_best for cell in cells):
        words.append("the best of a column is bold")
    if any(cell.is_marked for cell in cells):
        words.append(f"{STAR} marks what is significant")
    text = "; ".join(words)
    return f" {text[0].upper()}{text[1:]}." if text else ""


def best_rows(sheet: Sheet, one: Field) -> tuple[bool, ...]:
    """Which values of a column are the best, or read the same; none where there is nothing to be better than."""
    if one.best is None:
        return (False,) * len(sheet.frame)
    values = [_raw(value, one.kind) for value in sheet.frame[one.key]]
    known = [value for value in values if isinstance(value, int | float)]
    if len(known) < 2 or min(known) == max(known):  # noqa: PLR2004  # one value is not better than others
        return (False,) * len(values)
    write = writer(sheet, one)
    best = write(max(known) if one.best == "highest" else min(known))
    return tuple(value is not None and write(value) == best for value in values)


def with_decimals(sheet: Sheet, decimals: int) -> Sheet:
    """The sheet with so many decimals, at most ``MOST_DECIMALS``, of scores, differences and intervals for people."""
    return replace(
        sheet, fields=tuple(replace(one, decimals=decimals) if one.kind in ROUNDED else one for one in sheet.fields)
    )


def _raw_columns(sheet: Sheet, one: Field) -> tuple[RawColumn, ...]:
    if one.kind != "interval":
        cells = _raws(sheet.frame[one.key], one.kind)
        return (RawColumn(one.key, one.heading, one.kind, cells, _sized(one, sheet.frame[one.key])),)
    return tuple(
        RawColumn(
            f"{one.key}_{end}",
            f"{one.heading}, {end}",
            KIND_OF_ENDS[one.ends],
            _raws(sheet.frame[f"{one.key}_{end}"], KIND_OF_ENDS[one.ends]),
            MOST_DECIMALS if KIND_OF_ENDS[one.ends] in SIZED else None,
        )
        for end in ENDS
    )


def _raws(values: "pd.Series[Any]", kind: Kind) -> tuple[Raw, ...]:
    """``_raw`` of each; of millions of numbers in a third of the time."""
    is_plain = kind not in ("text", "count", "yes or no") and values.dtype == np.float64
    if is_plain and np.isfinite(values.to_numpy()).all():
        return tuple(values.tolist())
    return tuple(_raw(value, kind) for value in values)


def _raw(value: Any, kind: Kind) -> Raw:  # noqa: ANN401  # whatever a frame can hold
    """A value of Python's own; what is missing or no finite number is ``None``."""
    if value is None or value is pd.NA or value is pd.NaT:
        return None
    if kind == "text":
        return None if isinstance(value, float) and np.isnan(value) else str(value)
    number = float(value)
    if not np.isfinite(number):
        return None
    if kind == "yes or no":
        return bool(value)
    is_whole = kind == "count" or isinstance(value, int | np.integer)
    return int(value) if is_whole and number.is_integer() else number


def _texts(sheet: Sheet, one: Field) -> list[str]:
    columns, write = _raw_columns(sheet, one), writer(sheet, one)
    if one.kind != "interval":
        return [NOTHING if value is None else write(value) for value in columns[0].cells]
    return [
        NOTHING if low is None or high is None else f"{write(low)} to {write(high)}"
        for low, high in zip(*(column.cells for column in columns), strict=True)
    ]


def writer(sheet: Sheet, one: Field) -> Callable[[Any], str]:
    """How people read a value of a column; of an interval, one of its ends."""
    decimals = one.decimals
    if decimals is None and one.kind in SIZED:
        decimals = _sized(one, sheet.frame[one.key])
    if decimals is not None:
        return partial(numbers.difference if one.kind in SIGNED else numbers.score, decimals=decimals)
    if one.kind == "interval":
        return numbers.small if one.ends == "small difference" else numbers.score
    return WRITTEN[one.kind]


def _sized(one: Field, values: "pd.Series[Any]") -> int | None:
    """The decimals of all rows of a column; ``None`` where its kind, or each row, has its own.

    A score has four if all lie around 0 to 1, as COMET's do. A part has four unless one reaches 1 and two show each.
    """
    if one.kind not in SIZED or one.is_by_row:
        return None
    sizes = np.abs(values.to_numpy(np.float64, na_value=np.nan))
    known = sizes[np.isfinite(sizes) & (sizes > 0)]
    if one.kind == "metric score":
        is_small = known.size and known.max() < numbers.UNIT_SCALE
    else:
        is_small = not known.size or known.max() < 1 or known.min() < LEAST_SHOWN
    return MOST_DECIMALS if is_small else FEW_DECIMALS


LEAST_SHOWN = 0.005
"""What two decimals do not show as 0."""
WRITTEN: Mapping[Kind, Callable[[Any], str]] = MappingProxyType(
    {
        "text": str,
        "count": numbers.count,
        "score": numbers.score,
        "metric score": numbers.metric_score,
        "difference": numbers.difference,
        "part": numbers.part,
        "precision": numbers.precision,
        "ratio": numbers.ratio,
        "p": numbers.p_value,
        "statistic": numbers.statistic,
        "yes or no": lambda value: "yes" if value else "no",
    }
)
"""How people read each kind of value, as on the pages; an interval is two of its ends."""
KIND_OF_ENDS: Mapping[Ends, Kind] = MappingProxyType(
    {"score": "score", "difference": "difference", "small difference": "part"}
)
"""What the two columns of an interval hold for machines."""
