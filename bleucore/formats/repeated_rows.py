"""Wide tables in which all items come several times: each time is a run of every system."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from bleucore.formats.columns import Column, refuse_excess
from bleucore.formats.content_kinds import is_no_text
from bleucore.formats.lines_in_turn import LIKE, liker, shares_with_next
from bleucore.formats.run_names import run_called
from bleucore.formats.usual_names import role_of
from bleucore.values import shown

_LEAST_ITEMS, _LEAST_OUTPUTS, _LEAST_TEXTS = 3, 2, 2
_MOST_ITEMS = 0.67
"""Of the rows, where rows are references of one item."""


def with_runs_of_rows(columns: Sequence[Column]) -> tuple[Column, ...]:
    """The columns of one file, those of outputs with one for each run where references come as often again.

    A table with ids of its own, with one output, or in which the outputs come again too, stays as it is.
    """
    if not columns or not all(column.is_cell and column.ids is None for column in columns):
        return tuple(columns)
    given = [column for column in columns if _role(column) in ("source", "reference")]
    if not any(_role(column) == "reference" for column in given):
        return tuple(columns)
    keys = list(zip(*(column.segments for column in given), strict=True))
    texts = [column for column in columns if _role(column) in (None, "hypothesis") and not is_no_text(column)]
    outputs = [column for column in texts if len({*zip(keys, column.segments, strict=True)}) > len({*keys})]
    if not outputs:
        return _rated_once(columns, [*given, *texts])
    if len(outputs) < _LEAST_OUTPUTS:
        return tuple(columns)
    times = Counter(keys)
    (n_times, *others) = set(times.values())
    answers = set(zip(*(column.segments for column in outputs), keys, strict=True))
    if others or n_times == 1 or len(times) < _LEAST_ITEMS or len(answers) < len(keys):
        return tuple(columns)
    rows: dict[tuple[str | None, ...], list[int]] = {}
    for row, key in enumerate(keys):
        rows.setdefault(key, []).append(row)
    runs = [[found[run] for found in rows.values()] for run in range(n_times)]
    said = f"{columns[0].file}: each item comes {n_times:,} times; these are runs of each system."
    found: list[Column] = []
    for column in columns:
        for run, order in enumerate(runs if column in outputs else runs[:1], start=1):
            segments = tuple(column.segments[row] for row in order)
            one = replace(column, segments=segments, notices=(*column.notices, said))
            is_run = column in outputs
            found.append(
                replace(
                    one,
                    name=run_called(column.name, str(run)),
                    title=column.title or column.name,
                    system=column.name,
                    role="hypothesis",
                )
                if is_run
                else one
            )
    return tuple(found)


def with_references_of_rows(columns: Sequence[Column]) -> tuple[Column, ...]:
    """The columns of a table without outputs, rows of one item joined where their references are like each other."""
    references = [column for column in columns if _role(column) == "reference"]
    others = [
        column for column in columns if column not in references and len({*column.segments}) < len(column.segments)
    ]
    is_open = all(column.is_cell and column.ids is None and _role(column) != "hypothesis" for column in columns)
    rest = [column for column in columns if column not in references and column not in others]
    is_open = is_open and len(references) == 1 and bool(others) and not any(map(_is_of_documents, others))
    if not is_open or not all(map(is_no_text, rest)):
        return tuple(columns)
    items: dict[tuple[str | None, ...], list[str]] = {}
    for text, *key in zip(references[0].segments, *(one.segments for one in others), strict=True):
        items.setdefault(tuple(key), []).append(text or "")
    shares = [share for texts in items.values() for share in shares_with_next(texts)]
    width = max(map(len, items.values()), default=0)
    across = shares_with_next([texts[0] for texts in items.values()])
    is_alike = sum(shares) >= LIKE * len(shares) and any(share < 1 for share in shares)
    is_alike = is_alike and liker(shares, across)
    if not _LEAST_ITEMS <= len(items) <= _MOST_ITEMS * len(references[0].segments) or not is_alike:
        return tuple(columns)
    refuse_excess(columns[0].file, width * len(items), width)
    (one,) = references
    said = f"{one.file}: rows with the same {shown(others[0].name)} are one item with several references."
    kept = [
        replace(column, segments=texts, notices=(*column.notices, said))
        for column, texts in zip(others, zip(*items, strict=True), strict=True)
    ]
    return (
        *kept,
        *(
            replace(
                one,
                name=f"{one.name} {place + 1}",
                role="reference",
                segments=tuple(texts[place] if place < len(texts) else None for texts in items.values()),
                notices=(*one.notices, said),
            )
            for place in range(width)
        ),
    )


def _is_of_documents(column: Column) -> bool:
    return _role(column) == "documents"


def _rated_once(columns: Sequence[Column], texts: Sequence[Column]) -> tuple[Column, ...]:
    """The columns with each item once, where all come several times with the same texts: a row for each rater.

    Another column has to tell these rows apart, as raters and their scores do: copies of a test set stay.
    """
    keys = list(zip(*(column.segments for column in texts), strict=True))
    times = Counter(keys)
    if len(times) < _LEAST_ITEMS or min(times.values()) == 1 or len(texts) < _LEAST_TEXTS:
        return tuple(columns)
    others = [column for column in columns if column not in texts and _role(column) != "documents"]
    if not any(len({*zip(keys, column.segments, strict=True)}) > len(times) for column in others):
        return tuple(columns)
    first = list({key: row for row, key in reversed(list(enumerate(keys)))}.values())
    rows = sorted(first)
    said = f"{columns[0].file}: {len(keys) - len(rows):,} rows left out, which have the texts of others."
    return tuple(
        replace(column, segments=tuple(column.segments[row] for row in rows), notices=(*column.notices, said))
        for column in columns
    )


def _role(column: Column) -> str | None:
    return column.role or role_of(column.name)
