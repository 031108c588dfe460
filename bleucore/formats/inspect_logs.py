"""Logs of Inspect in their own form, a ZIP archive with a file for each sample -> columns."""

import io
import zipfile
import zlib
from collections.abc import Mapping

from bleucore.errors import InputError
from bleucore.formats.archives import is_inspect_log, read_zip
from bleucore.formats.columns import Column
from bleucore.formats.decoding import ZIP, decode
from bleucore.formats.item_ids import counted_order
from bleucore.formats.json_records import at
from bleucore.formats.json_texts import columns_of_values
from bleucore.formats.json_values import JsonPlace, Values, json_value

_HEADER, _SAMPLES = "header.json", "samples/"


def is_inspect_archive(data: bytes) -> bool:
    """Whether the data is a log of Inspect."""
    if not (data.startswith(ZIP) and _HEADER.encode() in data and _SAMPLES.encode() in data):
        return False
    try:
        return is_inspect_log(zipfile.ZipFile(io.BytesIO(data)).namelist())
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, UnicodeDecodeError):
        return False


def log_columns(file: str, data: bytes, *, max_bytes: int) -> tuple[Column, ...]:
    """The texts of the samples, in the order of their ids.

    Raises:
        InputError: The log is damaged, holds too much, or a sample has no answer.
    """
    try:
        parts = dict(read_zip(file, zipfile.ZipFile(io.BytesIO(data)), max_bytes))
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, zlib.error) as error:
        raise InputError(
            "the log is damaged or cut off",
            where=file,
            found=" ".join(str(error).split())[:80] or type(error).__name__,
            expected="a complete log of Inspect",
            remedy="Copy it again, or write it as JSON: inspect log convert --to json.",
        ) from error
    header = _value(file, parts, _HEADER)
    samples = [_value(file, parts, path) for path in parts if path.startswith(_SAMPLES) and path.endswith(".json")]
    ids = [f"{at(one, 'id')}" for one in samples]
    epochs = [str(at(one, "epoch")).zfill(9) for one in samples]
    order = counted_order(list(dict.fromkeys(ids)))
    distinct = list(dict.fromkeys(ids))
    ranks = {distinct[place]: rank for rank, place in enumerate(order)} if order is not None else {}
    places = sorted(range(len(samples)), key=lambda place: (epochs[place], ranks.get(ids[place], 0), place))
    log = {"eval": at(header, "eval"), "samples": [samples[place] for place in places]}
    return columns_of_values(file, Values((log,), (JsonPlace(1),), is_array=False))


def _value(file: str, parts: Mapping[str, bytes], path: str) -> object:
    where = f"{file}/{path}"
    return json_value(where, decode(where, parts[path]), 1)
