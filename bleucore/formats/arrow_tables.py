"""Parquet, Feather and Arrow -> columns, by the same rules as records of JSON."""

import io
from collections.abc import Callable, Sequence
from typing import Any

from bleucore.errors import InputError
from bleucore.formats import decoding
from bleucore.formats.columns import Column, refuse_excess
from bleucore.formats.json_texts import columns_of_values
from bleucore.formats.json_values import JsonPlace, Number, Values

_PARQUET, _FILE, _STREAM = b"PAR1", b"ARROW1", b"\xff\xff\xff\xff"
_MOST_NAMED = 5


def is_arrow_table(data: bytes) -> bool:
    """Whether these are the bytes of Parquet, of Feather, or of an Arrow file or stream."""
    return data.startswith((_PARQUET, _FILE, _STREAM))


def arrow_columns(name: str, data: bytes, max_bytes: int) -> Sequence[Column]:
    """The columns that hold texts, lists or structs of them; numbers as they would be written.

    Raises:
        InputError: The table is damaged, is larger than ``max_bytes``, or holds no texts.
    """
    table = _table(name, data, max_bytes)
    kept = [one.name for one in table.schema if not _is_binary(str(one.type))]
    if not kept or table.num_rows == 0:
        raise InputError(
            "the table holds no texts",
            where=name,
            found=", ".join(table.schema.names[:_MOST_NAMED]) if table.num_rows else "no row",
            expected="a column of texts",
            remedy="Write the texts as strings, one a row.",
        )
    refuse_excess(name, table.num_rows * len(kept), len(kept))
    records = tuple(_written(record) for record in _rows(name, table.select(kept)))
    places = tuple(JsonPlace(None, number) for number in range(1, len(records) + 1))
    return columns_of_values(name, Values(records, places, is_array=True))


def _is_binary(kind: str) -> bool:
    return "binary" in kind


def _rows(name: str, table: Any) -> list[dict[str, object]]:  # noqa: ANN401  # pyarrow has no types
    """The rows of a table whose texts were checked before they are read: offsets of a damaged file lead anywhere."""
    import pyarrow as pa  # noqa: PLC0415

    try:
        table.validate(full=True)
        found: list[dict[str, object]] = table.to_pylist()
    except (pa.ArrowException, ValueError, OverflowError) as error:
        raise _damaged(name, error) from error
    return found


def _damaged(name: str, error: Exception) -> InputError:
    return InputError(
        "the table is damaged",
        where=name,
        found=" ".join(str(error).split())[:80],
        expected="a complete file",
        remedy="Write the file again.",
    )


def _table(name: str, data: bytes, max_bytes: int) -> Any:  # noqa: ANN401  # pyarrow has no types
    import pyarrow as pa  # noqa: PLC0415  # takes as long as a small test set: seldom needed

    read: Callable[[str, bytes, int], Any] = _parquet if data.startswith(_PARQUET) else _ipc
    try:
        return read(name, data, max_bytes)
    except (pa.ArrowException, OSError) as error:
        raise _damaged(name, error) from error


def _parquet(name: str, data: bytes, max_bytes: int) -> Any:  # noqa: ANN401
    from pyarrow import parquet  # noqa: PLC0415

    with parquet.ParquetFile(io.BytesIO(data)) as file:
        groups = range(file.metadata.num_row_groups)
        size = sum(file.metadata.row_group(group).total_byte_size for group in groups)
        if size > max_bytes:
            raise decoding.too_large(name, size, max_bytes)
        return file.read()


def _ipc(name: str, data: bytes, max_bytes: int) -> Any:  # noqa: ANN401
    import pyarrow as pa  # noqa: PLC0415

    reader = pa.ipc.open_file(data) if data.startswith(_FILE) else pa.ipc.open_stream(data)
    n_batches = reader.num_record_batches if data.startswith(_FILE) else None
    batches, size = [], 0
    with reader:
        following = (reader.get_batch(number) for number in range(n_batches)) if n_batches is not None else reader
        for batch in following:
            size += batch.nbytes
            if size > max_bytes:
                raise decoding.too_large(name, size, max_bytes)
            batches.append(batch)
        return pa.Table.from_batches(batches, schema=reader.schema)


def _written(value: object) -> object:
    """A value as JSON would hold it."""
    if isinstance(value, dict):
        return {str(key): _written(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_written(inner) for inner in value]
    if value is None or isinstance(value, bool | str):
        return value
    return Number(value)
