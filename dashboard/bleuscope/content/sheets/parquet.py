"""Sheets as Parquet files: a type for each column, and what the numbers are in the file's metadata."""

import io
import json
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from bleuscope.content.sheets.sheet import Field, Kind, Sheet

METADATA = b"bleuscope"
"""The key of the file's metadata under which stands JSON: the sheet's name, its caption, its facts."""
COMPRESSION = "zstd"


def parquet_file(sheet: Sheet) -> bytes:
    """The sheet as a Parquet file, compressed with Zstandard; missing values are null.

    Texts are strings, counts 64-bit whole numbers, all other numbers double precision. Each column has its heading and
    its kind in its own metadata.
    """
    columns = [(field, key) for field in sheet.fields for key in _keys(field)]
    arrays = [pa.array(sheet.frame[key], type=_type(field.kind), from_pandas=True) for field, key in columns]
    told = {"name": sheet.name, "caption": sheet.caption, "facts": dict(sheet.facts)}
    schema = pa.schema(
        [
            pa.field(key, _type(field.kind), metadata={"heading": field.heading, "kind": field.kind})
            for field, key in columns
        ],
        metadata={METADATA: json.dumps(told, ensure_ascii=False)},
    )
    file = io.BytesIO()
    pq.write_table(pa.Table.from_arrays(arrays, schema=schema), file, compression=COMPRESSION)
    return file.getvalue()


def _keys(field: Field) -> tuple[str, ...]:
    """The columns of the frame that a field names."""
    return (f"{field.key}_low", f"{field.key}_high") if field.kind == "interval" else (field.key,)


def _type(kind: Kind) -> Any:  # noqa: ANN401  # pyarrow has no types of its own to mypy
    types: dict[str, Any] = {"text": pa.string(), "count": pa.int64(), "yes or no": pa.bool_()}
    return types.get(kind, pa.float64())
