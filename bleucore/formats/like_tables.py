"""Tables with the same titles, a file for each translation: the column that differs is called as its file."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from bleucore.formats.columns import Column
from bleucore.formats.content_kinds import is_no_text, is_of_symbols
from bleucore.formats.hints import is_named_reference, role_of_folder
from bleucore.formats.names import stem
from bleucore.formats.usual_names import role_of_whole
from bleucore.values import shown

_LEAST_ROWS = 3


def named_by_like_tables(columns: Sequence[Column]) -> tuple[Column, ...]:
    """The columns; of tables with the same titles, the only one that differs from file to file is called as its file.

    It is the reference where the file's name says so, else an output. What all files share keeps its name.
    """
    by_file: dict[str, dict[str, Column]] = {}
    for column in columns:
        by_file.setdefault(column.file, {})[_called(column)] = column
    tables = {file: own for file, own in by_file.items() if all(column.is_cell for column in own.values())}
    titles = {tuple(own) for own in tables.values()}
    if len(tables) < 2 or len(titles) != 1 or len(next(iter(titles))) < 2:  # noqa: PLR2004  # two files, two columns
        return tuple(columns)
    (shared_titles,) = titles
    differing = [title for title in shared_titles if _differs([own[title] for own in tables.values()])]
    named = [title for title in differing if all(own[title].role == "hypothesis" for own in tables.values())]
    if len(named) == 1 < len(differing) and all(
        own[title].role is None for own in tables.values() for title in {*differing} - {*named}
    ):
        return tuple(_left_out(column, {*differing} - {*named}, named[0]) for column in columns)
    if len(differing) != 1:
        return tuple(columns)
    are_given = [title for title in shared_titles if title not in differing and _is_given([*tables.values()], title)]
    if not are_given or not all(_is_open(own[differing[0]]) for own in tables.values()):
        return tuple(columns)
    references = {file for file, own in tables.items() if _is_reference(own[differing[0]])}
    references = references if len(references) < len(tables) else set()
    return tuple(
        _named(column, is_reference=column.file in references)
        if column.file in tables and _called(column) == differing[0]
        else column
        for column in columns
    )


def _left_out(column: Column, titles: Collection[str], output: str) -> Column:
    """The column, left out where it stands next to the output of its file under one of these titles."""
    if not column.is_cell or _called(column) not in titles:
        return column
    said = f"{column.file}: {shown(_called(column))} left out, next to the output{output and f' in {shown(output)}'}."
    return replace(column, role="ignore", notices=(*column.notices, said))


def _called(column: Column) -> str:
    """The title of a column; "" for one that is called as its file."""
    return column.title or ("" if column.name == stem(column.file) else column.name)


def _differs(columns: Sequence[Column]) -> bool:
    """Whether columns hold texts that are others in each file."""
    texts = {column.segments for column in columns}
    return len(texts) == len(columns) and all(
        len(column.segments) >= _LEAST_ROWS and not is_no_text(column) and not is_of_symbols(column)
        for column in columns
    )


def _is_given(tables: Sequence[dict[str, Column]], title: str) -> bool:
    """Whether all files hold the same texts under a title: the source, or a reference."""
    first = tables[0][title]
    is_text = not is_no_text(first) and not is_of_symbols(first) and first.role in (None, "source", "reference")
    return is_text and all(own[title].segments == first.segments for own in tables)


def _is_open(column: Column) -> bool:
    """Whether a column was not called as its file before, and is no system of its own."""
    return column.role in (None, "hypothesis", "reference") and column.system is None


def _is_reference(column: Column) -> bool:
    """Whether the name of a file or of its folder says that it holds references."""
    is_named = is_named_reference(column.file) or role_of_whole(stem(column.file)) == "reference"
    return is_named or role_of_folder(column) == "reference"


def _named(column: Column, *, is_reference: bool) -> Column:
    return replace(
        column,
        name=stem(column.file),
        title=_called(column) or None,
        role="reference" if is_reference else "hypothesis",
    )
