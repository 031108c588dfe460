"""Columns of texts in Parquet files, within bounds."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from itertools import islice
from typing import Any

from bleucore import InputError
from bleucore.formats import Column
from bleucore.formats.campaign_looks import Look
from bleucore.formats.campaign_plan import PlannedFile
from bleucore.formats.columns import refuse_excess
from bleucore.formats.names import stem
from bleuscope.features.campaign.contents import MAX_BYTES, content_of
from bleuscope.features.campaign.opened_places import opened

MAGIC = b"PAR1"
_ROWS = 200
_BATCH = 10_000
_TEXTS = ("string", "large_string", "string_view")


def look_at_parquet(file: PlannedFile) -> Look:
    """The beginning of each column of texts, and the number of rows; a file with one such column is a plain text.

    Raises:
        InputError: It is damaged, or holds no texts.
    """
    with _table(file) as table:
        texts = _texts(file, table)
        n_rows = int(table.metadata.num_rows)
        first = next(table.iter_batches(_ROWS, columns=texts), None)
        heads = first.to_pydict() if first is not None else {}
    is_plain = len(texts) == 1
    columns = tuple(
        Column(
            file.name, stem(file.name) if is_plain else name, None, tuple(heads[name]), None, 1, is_cell=not is_plain
        )
        for name in texts
        if name in heads
    )
    if not columns:
        raise InputError("the file is empty", where=file.name, found="no row", expected="one segment a row")
    return Look(columns, n_rows, is_plain=is_plain)


def parquet_column(file: PlannedFile) -> Column:
    """All texts of a column; of the only one where none is named.

    Raises:
        InputError: It is damaged, is too large, or has no such column.
    """
    segments: list[str | None] = []
    size = 0
    for batch in parquet_batches(file, refuse_excess):
        size += batch.nbytes
        if size > MAX_BYTES:
            raise InputError("the column is too large", where=file.name, expected=f"at most {MAX_BYTES:,} bytes")
        segments += batch.to_pylist()
    return Column(file.name, file.column or stem(file.name), None, tuple(segments), None, 1)


def parquet_batches(file: PlannedFile, refuse_rows: Callable[[str, int], None] | None = None) -> Iterator[Any]:
    """The texts of a column some rows at a time, as arrays of Arrow; of the only column where none is named.

    Args:
        file: Which.
        refuse_rows: Refuses a file of that name with that number of rows.

    Raises:
        InputError: It is damaged, has no such column, or too many rows.
    """
    with _table(file) as table:
        texts = _texts(file, table)
        chosen = [file.column] if file.column is not None else texts
        if len(chosen) != 1 or chosen[0] not in texts:
            raise InputError(
                "it is not clear which column holds the segments",
                where=file.name,
                found=", ".join(texts),
                expected=file.column or "one column of texts",
                remedy="Name the column.",
            )
        if refuse_rows is not None:
            refuse_rows(file.name, int(table.metadata.num_rows))
        for batch in table.iter_batches(_BATCH, columns=chosen):
            yield batch.column(0)


@contextmanager
def _table(file: PlannedFile) -> Iterator[Any]:
    import pyarrow as pa  # noqa: PLC0415  # for those who have Parquet
    from pyarrow import parquet  # noqa: PLC0415

    is_on_disk = file.content is None and not file.members
    raw = opened(file.path) if is_on_disk else BytesIO(content_of(file))
    try:
        with raw, parquet.ParquetFile(raw) as table:
            yield table
    except (pa.ArrowException, OSError) as error:
        found = " ".join(str(error).split())[:80]
        remedy = "Write the file again."
        raise InputError("the Parquet file is damaged", where=file.name, found=found, remedy=remedy) from error


def _texts(file: PlannedFile, table: Any) -> list[str]:  # noqa: ANN401  # pyarrow has no types
    """The names of the columns that hold texts."""
    found = [one.name for one in islice(table.schema_arrow, 1_000) if str(one.type) in _TEXTS]
    if not found:
        raise InputError(
            "the Parquet file holds no texts",
            where=file.name,
            found=", ".join(table.schema_arrow.names[:5]) or "no column",
            expected="a column of texts",
            remedy="Write the texts as strings, one a row.",
        )
    return found
