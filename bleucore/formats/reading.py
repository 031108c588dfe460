"""One file -> its columns, by the reader of its format."""

from dataclasses import replace

from bleucore.formats.budget import Budget
from bleucore.formats.columns import Column
from bleucore.formats.hints import named_by_file
from bleucore.formats.instruction_columns import with_expected_outputs
from bleucore.formats.promptfoo_tables import without_verdicts
from bleucore.formats.rating_tables import without_ratings
from bleucore.formats.reasoning import without_reasoning
from bleucore.formats.records import by_system, with_ids
from bleucore.formats.registry import Content, Format, format_of
from bleucore.formats.repeated_rows import with_references_of_rows, with_runs_of_rows
from bleucore.formats.rows_of_one_set import of_one_set, refuse_several_pairs


def read(
    name: str,
    data: bytes,
    *,
    header: bool | None = None,
    encoding: str | None = None,
    max_bytes: int = 512 * 1024**2,
    budget: Budget | None = None,
) -> tuple[Column, ...]:
    """The columns of a file: one of a plain text, several of XML, JSON and tables.

    Args:
        name: The file's name; its ending tells tables and XML apart from plain text.
        data: The file's bytes, perhaps compressed with gzip.
        header: Whether the first row of a table names its columns; ``None`` to find out.
        encoding: What to read a text in that is neither UTF-8 nor has a byte-order mark; ``None`` to refuse it.
        max_bytes: The most that is read, after decompression.
        budget: What the texts may cost; ``None`` for whatever fits into memory.

    Raises:
        EncodingError: The text is not UTF-8; the error offers encodings that fit.
        InputError: The file cannot be read completely and without guessing.
    """
    content = Content(name, data, header, encoding, max_bytes, budget)
    return columns_of(format_of(content), content)


def columns_of(format_: Format, content: Content) -> tuple[Column, ...]:
    """The columns of a file of this format.

    Raises:
        EncodingError: The text is not UTF-8; the error offers encodings that fit.
        InputError: The file cannot be read completely and without guessing.
    """
    columns = without_reasoning(without_ratings(tuple(format_.columns(content))))
    refuse_several_pairs(columns)
    columns = without_verdicts(with_expected_outputs(columns))
    columns = named_by_file(with_runs_of_rows(with_references_of_rows(with_ids(of_one_set(by_system(columns))))))
    if format_.is_text:
        columns = tuple(replace(column, notices=(*content.notices, *column.notices)) for column in columns)
    if content.budget is not None:
        content.budget.refuse_columns(columns)
    return columns
