"""What BLEU credits against what people marked: numbers that conditions ask for, and tables whose rows are lists."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from bleucore.analysis.credited_and_marked import LEVELS, CreditedAndMarked
from bleucore.counts import Floats, Ints, read_only
from bleucore.judgements.records import Judgements
from bleucore.options import BleuOptions
from bleuscope.content.paper.citations import FREITAG, PAPINENI, cited
from bleuscope.content.paper.methods import Part
from bleuscope.content.sheets.builders import SYSTEM, sheet_of
from bleuscope.content.sheets.sheet import Field, Sheet
from bleuscope.content.style import numbers

MOST_ORDERS = 4
CREDITED: Mapping[str, tuple[str, slice]] = MappingProxyType(
    {
        "": ("all", slice(None)),
        "unmatched_": ("not credited", slice(0, 1)),
        "matched_": ("credited", slice(1, None)),
        **{f"matched{n}_": (f"in a matched {n}-gram", slice(n, None)) for n in range(2, MOST_ORDERS + 1)},
    }
)
"""What is asked of the longest match of a token: the beginning of the number's name, words, and orders."""
MARKED: Mapping[str, tuple[str, slice]] = MappingProxyType(
    {
        "marked": ("marked", slice(1, None)),
        "unmarked": (LEVELS[0], slice(0, 1)),
        **{level: (level, slice(place, place + 1)) for place, level in enumerate(LEVELS) if place},
    }
)
"""What is asked of its mark: the end of the number's name, words, and levels."""
NUMBER_NAMES = frozenset(f"{credited}{marked}_{side}" for credited in CREDITED for marked in MARKED for side in "ab")
"""How many tokens of A or B there are of each kind: ``matched_major_b``."""
TOLD = (
    "A token is marked if any of its characters stands in an error that anybody marked in the output; it is credited "
    "if it is part of a match. Only judged segments count."
)


@dataclass(frozen=True)
class Cell:
    """Some tokens of a system: a row of its table, and the segments that have any.

    Attributes:
        words: What they are.
        condition: That lists their segments.
    """

    words: str
    condition: str
    orders: slice
    levels: slice


@dataclass(frozen=True)
class MarkedTokens:
    """Judgements with error spans, and what they come to.

    Attributes:
        judgements: Aligned with the test set.
        systems: The tokens of each system that was judged, at least one.
    """

    judgements: Judgements
    systems: Mapping[str, CreditedAndMarked]


def numbers_of(sides: Mapping[str, CreditedAndMarked], n_segments: int) -> dict[str, Floats]:
    """How many tokens there are of each kind in every segment, (S,), by ``NUMBER_NAMES``; NaN where nobody judged.

    Args:
        sides: The counts of "a" and "b".
        n_segments: S.
    """
    found: dict[str, Floats] = {}
    for side, counted in sides.items():
        for credited, (_, orders) in CREDITED.items():
            for marked, (_, levels) in MARKED.items():
                values = np.full(n_segments, np.nan)
                values[counted.segments] = counted.counts[:, orders, levels].sum(axis=(1, 2))
                found[f"{credited}{marked}_{side}"] = read_only(values)
    return found


def systems_sheet(found: Mapping[str, CreditedAndMarked], file: str, signature: str) -> Sheet:
    """Of each system that was judged, at least one: how much of what is credited, and of what is not, is marked."""
    sums = np.array([one.sums for one in found.values()])
    columns: list[tuple[Field, object]] = [
        (SYSTEM, list(found)),
        (Field("segments", "segments", "count", explanation="judged"), [len(one.segments) for one in found.values()]),
        (Field("tokens", "tokens", "count"), sums.sum(axis=(1, 2))),
    ]
    for key, name, orders in (
        ("credited", "credited", slice(1, None)),
        ("uncredited", "not credited", slice(0, 1)),
        ("in_longest", "in longest matches", slice(-1, None)),
    ):
        of_part = sums[:, orders].sum(axis=1)
        columns += _marked_columns(key, name, of_part)
    return sheet_of(
        "credited-and-marked",
        (TOLD, f"Judgements: {file}.", f"Signature: {signature}."),
        columns,
        {"judgements": file, "signature": signature},
        title="BLEU credits and marked errors",
    )


def _marked_columns(key: str, name: str, counts: Ints) -> list[tuple[Field, object]]:
    """How many tokens, and the shares of them that are marked and gravely so; nothing where there are none."""
    n_tokens = counts.sum(axis=1)
    with np.errstate(invalid="ignore"):
        shares = [100 * counts[:, first:].sum(axis=1) / n_tokens for first in (1, 2)]
    return [
        (Field(key, name, "count"), n_tokens),
        (Field(f"{key}_marked", "% marked", "precision", explanation=f"Of the tokens {name}."), shares[0]),
        (
            Field(f"{key}_major", "% major", "precision", explanation=f"Major or worse, of the tokens {name}."),
            shares[1],
        ),
    ]


def cells_of(side: str, options: BleuOptions) -> tuple[Cell, ...]:
    """The cells of the table of one system, which stands in the place of "a" or "b"."""
    return tuple(
        Cell(f"{words}, {MARKED[marked][0]}", f"{credited}{marked}_{side} > 0", orders, MARKED[marked][1])
        for credited, (words, orders) in CREDITED.items()
        if credited and (orders.start or 0) <= options.max_order
        for marked in ("marked", "unmarked")
    )


def cells_sheet(name: str, counted: CreditedAndMarked, cells: Sequence[Cell]) -> Sheet:
    """The tokens of one system in each cell: how many, what share of their row, by severity, in how many segments."""
    sums = counted.sums
    n_tokens = np.array([sums[one.orders, one.levels].sum() for one in cells])
    of_row = np.array([sums[one.orders].sum() for one in cells])
    graver = [
        (Field(level, level, "count"), [_of_level(sums, one, place) for one in cells])
        for place, level in enumerate(LEVELS)
        if place
    ]
    return sheet_of(
        "marked-cells",
        (TOLD, "Longer matches are part of shorter ones.", f"The system is {name}."),
        [
            (Field("cell", "tokens that are", "text"), [one.words for one in cells]),
            (Field("tokens", "tokens", "count"), n_tokens),
            (
                Field("share", "%", "precision", explanation="Of the tokens that are credited alike."),
                100 * n_tokens / np.maximum(of_row, 1),
            ),
            *graver,
            (
                Field("segments", "segments", "count", explanation="That have such a token; a press lists them."),
                [len(counted.segments_with(one.orders, one.levels)) for one in cells],
            ),
        ],
        {"system": name},
        title=f"Credited and marked tokens of {name}",
    )


def _of_level(sums: Ints, cell: Cell, level: int) -> int:
    first, behind, _ = cell.levels.indices(len(LEVELS))
    return int(sums[cell.orders, level].sum()) if first <= level < behind else 0


def categories_sheet(name: str, counted: CreditedAndMarked) -> Sheet:
    """The marked tokens of one system by category, and how much of them BLEU credits."""
    sums = [counts.sum(axis=0)[:, 1:] for counts in counted.of_categories.values()]
    marked = np.array([one.sum() for one in sums], np.int64)
    credited = np.array([one[1:].sum() for one in sums], np.int64)
    major = np.array([one[:, 1:].sum() for one in sums], np.int64)
    order = [place for place in np.argsort(-marked, kind="stable") if marked[place]]
    names = [one or "no category" for one in counted.of_categories]
    return sheet_of(
        "marked-categories",
        (TOLD, "A token can be of several categories.", f"The system is {name}."),
        [
            (Field("category", "category", "text"), [names[place] for place in order]),
            (Field("tokens", "tokens", "count"), marked[order]),
            (Field("major", "major or worse", "count"), major[order]),
            (Field("credited", "credited", "count"), credited[order]),
            (
                Field("credited_share", "% credited", "precision"),
                (100 * credited / np.maximum(marked, 1))[order],
            ),
        ],
        {"system": name},
        title=f"Marked tokens of {name} by category",
    )


def marked_method(found: MarkedTokens) -> Part:
    """What to write into a paper: how much of what BLEU credits, and of what it does not, people marked."""
    sums = np.sum([one.sums for one in found.systems.values()], axis=0)
    shares = [
        numbers.percent(float(sums[orders, 1:].sum() / max(sums[orders].sum(), 1)))
        for orders in (slice(1, None), slice(0, 1))
    ]
    is_mqm = found.judgements.protocol == "MQM"
    words = (
        f"Of {numbers.counted(int(sums.sum()), 'token')} in the judged outputs of "
        f"{numbers.counted(len(found.systems), 'system')}, {shares[0]} of those that BLEU credits "
        f"({cited(PAPINENI)}) and {shares[1]} of those that it does not credit stand in an error that was marked "
        f"({found.judgements.name}{f', MQM, {cited(FREITAG)}' if is_mqm else ''})."
    )
    return words, (PAPINENI, FREITAG) if is_mqm else (PAPINENI,)
