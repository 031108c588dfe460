"""How often every n-gram of two systems differs, as a table that adds up over parts of a test set by what they are."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from bleucore.analysis.ngram_types import pair_tokens
from bleucore.analysis.type_counts import TypeCounts, count_types
from bleucore.corpus import TestSet
from bleucore.errors import InputError
from bleucore.options import BleuOptions

NGRAM_COUNTS = ("lost", "won", "too_often_a", "too_often_b", "missed_a", "missed_b")


@dataclass(frozen=True)
class NgramTable:
    """How often each n-gram of two systems differs, over some segments; tables are added with ``+``.

    Attributes:
        table: A row for each n-gram, in the order of ``order`` and ``ngram`` (its tokens with a blank between), with
            ``NGRAM_COUNTS``: matches that A has more and that B has more, n-grams of A and of B that match nothing,
            and n-grams of the references that A and B miss, as ``OrderTypes`` has them.
    """

    table: pa.Table

    def __add__(self, other: "NgramTable") -> "NgramTable":
        """Both together."""
        return added_ngrams((self, other))

    def rows(self) -> Iterator[dict[str, Any]]:
        """The rows as dictionaries."""
        return iter(self.table.to_pylist())


def partition_ngrams(part: TestSet, pair: tuple[str, str], options: BleuOptions) -> NgramTable:
    """The n-grams of one part, of the systems A and B.

    Raises:
        InputError: It has no such system.
    """
    tokens = pair_tokens(part, pair, options)
    counted = count_types(
        tokens.hypotheses, tokens.references, tokens.present, tokens.max_order, n_kept=np.iinfo(np.int64).max
    )
    tables = []
    for of_order in counted:
        for first, types in enumerate((of_order.matched, of_order.over_generated, of_order.missed)):
            tables.append(_ngram_rows(types, tokens.vocabulary, 2 * first))
    return _ngrams_of(pa.concat_tables(tables))


def added_ngrams(tables: Iterable[NgramTable]) -> NgramTable:
    """The n-grams of several parts together, added by what they are.

    Raises:
        InputError: There is no table.
    """
    listed = [one.table for one in tables]
    if not listed:
        raise InputError("there are no n-grams to add", where="The parts", remedy="Give at least one table.")
    return _ngrams_of(pa.concat_tables(listed))


def _ngram_rows(types: TypeCounts, vocabulary: pa.Array, first: int) -> pa.Table:
    """Types of one order and kind as rows: their counts with A and with B stand in two of the columns."""
    n_types, order = types.tokens.shape
    tokens = vocabulary.take(pa.array(types.tokens.ravel())).cast(pa.string())
    offsets = pa.array(np.arange(n_types + 1) * order, pa.int32())
    joined = pc.binary_join(pa.ListArray.from_arrays(offsets, tokens), " ")
    columns = {
        name: types.counts[:, index - first] if index - first in (0, 1) else np.zeros(n_types, np.int64)
        for index, name in enumerate(NGRAM_COUNTS)
    }
    return pa.table({"order": np.full(n_types, order), "ngram": joined.cast(pa.large_string()), **columns})


def _ngrams_of(table: pa.Table) -> NgramTable:
    """Rows of the same n-gram as one, in order."""
    keys = ["order", "ngram"]
    sums = table.group_by(keys, use_threads=False).aggregate([(name, "sum") for name in NGRAM_COUNTS])
    sums = sums.select([*keys, *(f"{name}_sum" for name in NGRAM_COUNTS)]).rename_columns([*keys, *NGRAM_COUNTS])
    return NgramTable(sums.sort_by([(key, "ascending") for key in keys]).combine_chunks())
