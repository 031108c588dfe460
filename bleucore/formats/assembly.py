"""Columns with roles -> one test set, aligned by key where the files have keys and by line where not."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import cast

from bleucore.corpus import System, TestSet
from bleucore.errors import InputError
from bleucore.formats.columns import Column, Key, Role
from bleucore.formats.foreign_texts import is_of_other_language
from bleucore.formats.item_ids import joined_by_ids
from bleucore.formats.languages import language_of_script, languages_of
from bleucore.formats.line_shifts import slip_words
from bleucore.formats.name_parts import Part, only_language_in, parts_of, path_of, without_endings
from bleucore.formats.text_pieces import is_named_piece
from bleucore.values import shown

_ONE_PER_LINE = "Every file needs one line per segment, in the same order."
_CUT_ANEW = f"{_ONE_PER_LINE} An output that is cut otherwise can be cut anew: --align, or the button on the page."
_NO_OUTPUTS = (
    "The names tell languages and test sets, and no system. Add the outputs, and name the reference in a command with "
    "-r FILE."
)
_ALL_PIECES = (
    "Parts of a text are put together where all of them are there: name the folder that holds them and the reference."
)
_MAX_FILES_NAMED = 5


def assemble(columns: Sequence[Column]) -> TestSet:
    """The test set of these columns, leaving out those to ignore.

    Keyed columns take the order of the keyed source, else of the first keyed reference, else of the
    first keyed column. Columns without keys are taken line by line.

    Raises:
        InputError: A role is missing, there is no hypothesis or no reference, two columns claim the same
            place, or the segments of a column are not those of the others.
    """
    _check_roles(columns)
    used = joined_by_ids([column for column in columns if column.role != "ignore"])
    _check_names(used)
    order = _keyed_yardstick(used)
    aligned = [_in_order(column, order) for column in used]
    _check_lengths(aligned, order)
    _check_references(_with_role(aligned, "reference"))
    hypotheses, references = _with_role(aligned, "hypothesis"), _with_role(aligned, "reference")
    documents = tuple(document for document, _ in order.keys) if order else None
    return TestSet(
        systems=[System(column.name, _texts(column), _origin(column)) for column in hypotheses],
        references=[column.segments for column in references],
        source=next((_texts(column) for column in _with_role(aligned, "source")), None),
        documents=next((_texts(column) for column in _with_role(aligned, "documents")), documents),
        labels={column.name: _texts(column) for column in _with_role(aligned, "label")},
        reference_names=[column.name for column in references],
        reference_files=[_origin(column) for column in references],
        languages=_spoken(used),
        are_lines=True,
    )


def _spoken(columns: Sequence[Column]) -> tuple[str | None, str | None]:
    """What files or their names say of the languages, else what the scripts of source and first reference tell."""
    said = languages_of(columns)
    texts = [next(iter(_with_role(columns, role)), None) for role in ("source", "reference")]
    source, target = (
        one or (None if column is None else language_of_script(column.segments))
        for one, column in zip(said, texts, strict=True)
    )
    return source, target


@dataclass(frozen=True)
class _Yardstick:
    """The keys that all keyed columns have to have, and the column they come from."""

    place: str
    keys: tuple[Key, ...]
    positions: Mapping[Key, int]


def _with_role(columns: Sequence[Column], role: Role) -> list[Column]:
    return [column for column in columns if column.role == role]


def _origin(column: Column) -> str:
    """The file, and the column of it where that has another name than is shown."""
    return column.file if column.title is None else f"{column.file}, {column.title}"


def _place(column: Column) -> str:
    """The file, and which of its columns, where it can have several."""
    if column.keys is not None:
        what = "system" if column.role == "hypothesis" else column.role
        return f"{column.file}, {what} {shown(column.name)}"
    return f"{column.file}, column {shown(column.title or column.name)}" if column.is_cell else column.file


def _check_roles(columns: Sequence[Column]) -> None:
    for column in columns:
        if column.role is None:
            raise InputError(
                "the column has no role",
                where=_place(column),
                found="none",
                expected="hypothesis, reference, source, documents, label or ignore",
                remedy="Say what the column holds.",
            )
    for role, remedy in (
        ("hypothesis", "Load the output of a system, or say which file holds it."),
        ("reference", "Load a reference translation. In a command, name it with -r FILE."),
    ):
        if not any(column.role == role for column in columns):
            is_table = bool(columns) and all(column.is_cell for column in columns)
            call_it = f"Give the column that holds it the title “{role}”, or load it as a file of its own."
            raise InputError(
                f"there is no {role}",
                where=_files(columns),
                found=_roles_found(columns, is_table=is_table),
                expected=f"at least one {role}",
                remedy=call_it if is_table else _NO_OUTPUTS if _are_sides_alone(columns) else remedy,
            )


def _are_sides_alone(columns: Sequence[Column]) -> bool:
    """Whether languages and test sets are all that names of files say, as those of corpora without outputs do."""
    names = [parts_of(path_of(one.file)[-1]) for one in columns if not one.is_cell and one.role != "ignore"]
    said = [{kind for part in parts for kind in part.kinds} for parts in names]
    return (
        len(names) > 1
        and all("language" in kinds for kinds in said)
        and all(part.kinds for parts in names for part in parts)
    )


def _roles_found(columns: Sequence[Column], *, is_table: bool) -> str:
    """What is there instead: of tables the columns with what they were taken for, else the roles of the files."""
    if not is_table:
        return ", ".join(sorted({str(column.role) for column in columns})) or "nothing"
    more = f" and {len(columns) - _MAX_FILES_NAMED:,} more" if len(columns) > _MAX_FILES_NAMED else ""
    named = [f"{shown(column.title or column.name)} as {column.role}" for column in columns[:_MAX_FILES_NAMED]]
    return ", ".join(named) + more


def _files(columns: Sequence[Column]) -> str:
    files = list(dict.fromkeys(column.file for column in columns))
    more = len(files) - _MAX_FILES_NAMED
    return ", ".join(files[:_MAX_FILES_NAMED]) + (f" and {more:,} more" if more > 0 else "") or "The files"


def _check_names(columns: Sequence[Column]) -> None:
    singles: tuple[Role, ...] = ("source", "documents")
    for role in singles:
        _refuse_second(_with_role(columns, role), f"there are two {role} columns", "Keep one of them.")
    named: tuple[tuple[Role, str], ...] = (("hypothesis", "systems"), ("label", "labels"))
    for role, what in named:
        by_name: dict[str, list[Column]] = {}
        for column in _with_role(columns, role):
            by_name.setdefault(column.name, []).append(column)
        for name, same in by_name.items():
            _refuse_second(same, f"two {what} have the same name {shown(name)}", "Give each a name of its own.")


def _refuse_second(columns: Sequence[Column], problem: str, remedy: str) -> None:
    if len(columns) > 1:
        raise InputError(
            problem,
            where=columns[1].file,
            found=f"one in {columns[0].file} and one in {columns[1].file}",
            expected="one",
            remedy=remedy,
        )


def _keyed_yardstick(columns: Sequence[Column]) -> _Yardstick | None:
    ranked = _with_role(columns, "source") + _with_role(columns, "reference") + list(columns)
    for column in ranked:
        if column.keys is not None:
            return _Yardstick(_place(column), column.keys, _positions(column, column.keys))
    return None


def _positions(column: Column, keys: tuple[Key, ...]) -> Mapping[Key, int]:
    positions: dict[Key, int] = {}
    for position, key in enumerate(keys):
        if key in positions:
            raise InputError(
                "a segment is there twice",
                where=_place(column),
                found=_named(key),
                expected="each segment id once per document",
                remedy="Give the segments of a document different ids.",
            )
        positions[key] = position
    return positions


def _in_order(column: Column, order: _Yardstick | None) -> Column:
    """The column with the keys of the yardstick, ``None`` for a segment that a reference lacks."""
    if column.keys is None or order is None or column.keys == order.keys:
        return column
    positions = _positions(column, column.keys)
    for key in column.keys:
        if key not in order.positions:
            raise InputError(
                "there is a segment too many",
                where=_place(column),
                found=_named(key),
                expected=f"only the segments of {order.place}",
                remedy="Load files of the same test set.",
            )
    segments = (column.segments[positions[key]] if key in positions else None for key in order.keys)
    return replace(column, segments=tuple(segments), keys=order.keys)


def _named(key: Key) -> str:
    return f"document {shown(key[0])}, segment {shown(key[1])}"


class UnequalLengthError(InputError):
    """A column with more or fewer segments than the others.

    Attributes:
        file: Its file.
    """

    def __init__(self, file: str, *, where: str, found: str, expected: str, remedy: str) -> None:
        super().__init__("the number of segments differs", where=where, found=found, expected=expected, remedy=remedy)
        self.file = file


def _check_lengths(columns: Sequence[Column], order: _Yardstick | None) -> None:
    yardstick = _of_usual_length(columns)
    expected, place = (len(order.keys), order.place) if order else (len(yardstick.segments), _place(yardstick))
    for column in columns:
        n_segments = len(column.segments)
        if n_segments != expected:
            raise UnequalLengthError(
                column.file,
                where=_place(column),
                found=f"{n_segments:,} line{'s' * (n_segments != 1)}",
                expected=f"{expected:,} as in {place}",
                remedy=_two_sets(column, yardstick)
                or _blocks(columns)
                or _slip(column, columns, expected) + _way_on(column),
            )


def _two_sets(column: Column, other: Column) -> str:
    """What to do where names say that two files are of different test sets; "" where they do not."""
    words = [
        list(dict.fromkeys(part.text for part in parts_of(without_endings(path_of(one.file)[-1])) if _names_set(part)))
        for one in (column, other)
    ]
    if not all(words) or {word.casefold() for word in words[0]} & {word.casefold() for word in words[1]}:
        return ""
    named = " and ".join(shown(" ".join(own)) for own in words)
    return f"The files look like two test sets, {named}. Open the files of each alone."


def _blocks(columns: Sequence[Column]) -> str:
    """What to do with a reference of blocks between empty lines, one for each of an output's lines; "" without one.

    An output of one line is rather of a whole talk, which is cut anew.
    """
    n_lines = {len(column.segments) for column in _with_role(columns, "hypothesis")}
    for column in _with_role(columns, "reference"):
        blocks = [
            list(run) for is_text, run in groupby(column.segments, lambda text: bool((text or "").strip())) if is_text
        ]
        if len(blocks) not in n_lines - {1} or len(column.segments) in n_lines or column.keys is not None:
            continue
        n_references = max(map(len, blocks))
        return (
            f"{column.file} has {len(blocks):,} blocks between empty lines, of up to {n_references:,} references each. "
            f"Write them to {n_references:,} files, one line per segment, with an empty line where a block is shorter."
        )
    return ""


def _names_set(part: Part) -> bool:
    return "test set" in part.kinds


def _way_on(column: Column) -> str:
    if is_named_piece(column.file):
        return _ALL_PIECES
    return _CUT_ANEW if column.role == "hypothesis" else _ONE_PER_LINE


def _of_usual_length(columns: Sequence[Column]) -> Column:
    """A column as long as most are, a reference if there is one of that length; the first reference where none is."""
    references = _with_role(columns, "reference")
    lengths = Counter(len(column.segments) for column in (*references[:1], *columns))
    usual = lengths.most_common(1)[0][0]
    return next(column for column in (*references, *columns) if len(column.segments) == usual)


def _slip(column: Column, columns: Sequence[Column], expected: int) -> str:
    """Where the column seems to slip, in a sentence, if its words tell."""
    if column.role not in ("hypothesis", "reference") or column.keys is not None:
        return ""
    alike = _with_role(columns, "reference") + _with_role(columns, "hypothesis")
    yardsticks = [other.segments for other in alike if len(other.segments) == expected]
    return slip_words(column.segments, yardsticks, first_line=column.first_line)


def _check_references(references: Sequence[Column]) -> None:
    _refuse_several_languages(references)
    if any(None not in column.segments for column in references):
        return
    for index, texts in enumerate(zip(*(column.segments for column in references), strict=True)):
        if all(text is None for text in texts):
            raise InputError(
                "a segment has no reference",
                where=_files(references),
                found=f"no reference for {_nth(references, index)}",
                expected="at least one reference for every segment",
                remedy="Add the reference, or take the segment out of all files.",
            )


def _refuse_several_languages(references: Sequence[Column]) -> None:
    """Refuse references whose files or titles are called after several languages, and that are in several.

    Raises:
        InputError: They are.
    """
    places = {column: column.title or column.name if column.is_cell else column.file for column in references}
    called = {column: code for column, place in places.items() if (code := only_language_in(place)) is not None}
    first = next((column for column in references if column in called), None)
    for column in references:
        is_named_apart = first is not None and called.get(column, called[first]) != called[first]
        if first is not None and is_named_apart and is_of_other_language(column, first):
            raise InputError(
                "the references are in several languages",
                where=_files(references),
                found=", ".join(sorted({*called.values()})),
                expected="references in one language",
                remedy="Write the columns of each language to a table of its own, in a folder of its own."
                if column.is_cell
                else "Name those of one language with -r FILE, or put each language into a folder of its own.",
            )


def _nth(columns: Sequence[Column], index: int) -> str:
    keys = next((column.keys for column in columns if column.keys is not None), None)
    return _named(keys[index]) if keys else f"segment {index + 1:,}"


def _texts(column: Column) -> tuple[str, ...]:
    """The column's strings, now that none may be missing."""
    if None in column.segments:
        index = column.segments.index(None)
        raise InputError(
            "a segment is missing",
            where=_place(column),
            found=f"no {_nth([column], index)}",
            expected="every segment of the test set",
            remedy="Add it, with an empty text where there is none.",
        )
    return cast("tuple[str, ...]", column.segments)
