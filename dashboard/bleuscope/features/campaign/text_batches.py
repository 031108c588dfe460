"""Texts too large to be held: some segments at a time, from plain text, gzip or Parquet.

A line is what it is in ``formats.decoding``; lines of all files are read side by side, and what was read is forgotten.
"""

import codecs
import gzip
import zlib
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from itertools import islice
from typing import BinaryIO

from bleucore import InputError, System, TestSet
from bleucore.formats import decoding
from bleucore.formats.campaign_plan import PlannedFile
from bleuscope.features.campaign.opened_places import opened
from bleuscope.features.campaign.parquet_columns import MAGIC, parquet_batches

SEGMENTS_AT_ONCE = 10_000
MOST_LINE = 1 << 24
"""Bytes of a line: a file without line ends is none of segments."""
_PIECE = 1 << 20
_WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, b"\0")


def text_batches(
    systems: Mapping[str, PlannedFile],
    references: Mapping[str, PlannedFile],
    *,
    n_segments: int = SEGMENTS_AT_ONCE,
) -> Generator[TestSet]:
    """A test set in parts of so many segments.

    Args:
        systems: Files of outputs by the systems' names.
        references: Files of references by their names.
        n_segments: Of each part but the last.

    Raises:
        InputError: A file cannot be read, is no text in UTF-8, or has more or fewer segments than the others.
    """
    files = [*references.values(), *systems.values()]
    with ExitStack() as stack:
        columns = [stack.enter_context(closing(segments_of(file))) for file in files]
        start = 0
        while True:
            batch = [list(islice(column, n_segments)) for column in columns]
            _refuse_other_lengths(files, [len(column) for column in batch], start)
            if not batch[0]:
                return
            yield _part(systems, references, batch, start)
            start += len(batch[0])


def segments_of(file: PlannedFile) -> Generator[str | None]:
    """The segments of one file, read as they are asked for; ``None`` only where Parquet has no value.

    Raises:
        InputError: It cannot be read, or is no text in UTF-8.
    """
    with opened(file.path) as raw:
        head = raw.read(len(MAGIC))
        raw.seek(0)
        if head == MAGIC:
            for batch in parquet_batches(file):
                yield from batch.to_pylist()
            return
        lines = _lines(file, _unzipped(file, raw) if head.startswith(decoding.GZIP) else _pieces(raw))
        for number, line in enumerate(lines, start=1):
            try:
                yield line.decode()
            except UnicodeDecodeError as error:
                raise InputError(
                    "the text is not valid in its encoding",
                    where=file.name,
                    line=number,
                    found=f"byte 0x{line[error.start]:02X}",
                    expected="UTF-8",
                    remedy="Save the file as UTF-8 and load it again.",
                ) from error


def _pieces(raw: BinaryIO | gzip.GzipFile) -> Iterator[bytes]:
    return iter(lambda: raw.read(_PIECE), b"")


def _unzipped(file: PlannedFile, raw: BinaryIO) -> Iterator[bytes]:
    try:
        with gzip.open(raw) as content:
            yield from _pieces(content)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise decoding.damaged_gzip(file.name, str(error)) from error


def _lines(file: PlannedFile, pieces: Iterator[bytes]) -> Iterator[bytes]:
    """The lines without their ends and without a byte-order mark."""
    left, is_first = b"", True
    for piece in pieces:
        if is_first:
            _refuse_wide(file, piece)
            is_first = False
            piece = piece.removeprefix(codecs.BOM_UTF8)  # noqa: PLW2901  # it is no part of the text
        *lines, left = (left + piece).split(b"\n")
        yield from (line.removesuffix(b"\r") for line in lines)
        if len(left) > MOST_LINE:
            raise InputError(
                "a line is too long",
                where=file.name,
                found=f"more than {MOST_LINE:,} bytes",
                expected="one segment per line, with a line feed after each",
                remedy="Save the file with Unix or Windows line ends.",
            )
    if left:
        yield left.removesuffix(b"\r")


def _part(
    systems: Mapping[str, PlannedFile],
    references: Mapping[str, PlannedFile],
    batch: Sequence[list[str | None]],
    start: int,
) -> TestSet:
    columns = batch[len(references) :]
    try:
        return TestSet(
            [System(name, column) for name, column in zip(systems, columns, strict=True)],  # type: ignore[arg-type]
            batch[: len(references)],
            reference_names=list(references),
            are_lines=True,
        )
    except InputError as error:
        raise InputError(
            error.problem,
            where=error.where,
            line=None if error.line is None else start + error.line,
            found=error.found,
            expected=error.expected,
            remedy=error.remedy,
        ) from error


def _refuse_other_lengths(files: Sequence[PlannedFile], lengths: Sequence[int], start: int) -> None:
    if len(set(lengths)) == 1:
        return
    most = max(lengths)
    short = lengths.index(min(lengths))
    raise InputError(
        "the number of segments differs",
        where=files[short].name,
        found=f"{start + lengths[short]:,}",
        expected=f"at least {start + most:,} as in {files[lengths.index(most)].name}",
        remedy="Every file needs one line per segment, in the same order.",
    )


def _refuse_wide(file: PlannedFile, piece: bytes) -> None:
    if piece.startswith(_WIDE[:2]) or _WIDE[2] in piece[:_PIECE]:
        raise InputError(
            "a file as large as this is read as UTF-8 alone",
            where=file.name,
            found="bytes of UTF-16 or of a program",
            expected="UTF-8",
            remedy="Save the file as UTF-8 and load it again.",
        )
