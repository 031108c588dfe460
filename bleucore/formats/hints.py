"""What a column's name hints at: a role, and how plainly."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bleucore.formats.columns import Column, Role
from bleucore.formats.content_kinds import is_no_text, is_of_symbols
from bleucore.formats.name_parts import (
    Part,
    language_of,
    pair_of,
    parts_of,
    path_of,
    rank_of_word,
    role_of_word,
    role_word,
    without_endings,
    words_in_common,
)
from bleucore.formats.names import stem
from bleucore.formats.usual_names import WORDS_OF_SYSTEMS, role_of_whole

Strength = int
_LEAST_ROWS = 3
_TARGET_TEXTS = frozenset({"tgt_text", "target_text", "ref_text", "reference_text"})
"""Titles of columns with references in manifests of data sets."""
_SOLUTIONS = frozenset({"solution", "solutions"})
PLAIN, BESIDE_NAMES, OF_FOLDER, LIKE_A_NAME = 4, 3, 2, 1
"""A word alone between dots or beside known words; beside others; in a folder; as part of a name ("Gold-MT")."""


@dataclass(frozen=True)
class Hint:
    """What a name says.

    Attributes:
        role: The role.
        strength: From ``LIKE_A_NAME`` to ``PLAIN``.
    """

    role: Role
    strength: Strength


def hints_of(columns: Sequence[Column]) -> list[Hint | None]:
    """What each column's name says. A word that all names have says nothing of one of them.

    A folder of outputs says nothing of the other columns of a table that names its output.
    """
    names = [own_name(column) for column in columns]
    folders = [path_of(column.file)[:-1] for column in columns]
    common = words_in_common(names)
    common_folders = words_in_common([" ".join(folder) for folder in folders])
    with_output = {column.file for column in columns if column.is_cell and column.role == "hypothesis"}
    found = [
        _of_task(column)
        or _of_name(name, common)
        or _of_language(column)
        or _of_folders(folder, common_folders)
        or _of_people(column)
        for column, name, folder in zip(columns, names, folders, strict=True)
    ]
    solutions = _solutions_of_tasks(columns)
    return [
        Hint("reference", BESIDE_NAMES)
        if place in solutions and hint is None
        else None
        if hint == Hint("hypothesis", OF_FOLDER) and column.is_cell and column.file in with_output
        else hint
        for place, (column, hint) in enumerate(zip(columns, found, strict=True))
    ]


def _solutions_of_tasks(columns: Sequence[Column]) -> frozenset[int]:
    """Where the texts of a table called "solution" are, next to submissions, as shared tasks have them."""
    if not any(stem(column.file).casefold().startswith("submission") for column in columns):
        return frozenset()
    found = [
        place
        for place, column in enumerate(columns)
        if column.is_cell and stem(column.file).casefold() in _SOLUTIONS and column.role is None
    ]
    return frozenset(place for place in found if not is_no_text(columns[place]) and not is_of_symbols(columns[place]))


def named_by_file(columns: Sequence[Column]) -> tuple[Column, ...]:
    """The columns of one file; the only one of texts is called as the file, whose name may say what it is.

    Args:
        columns: With the roles that names of columns and formats say.
    """
    if not columns or len(columns[0].segments) < _LEAST_ROWS:
        return tuple(columns)
    if len(columns) == 1 and columns[0].role is None:
        only = columns[0]
        is_text = only.is_cell and _of_name(only.name, frozenset()) is not None
        return (replace(only, role="reference"),) if is_text and is_named_reference(only.file) else tuple(columns)
    texts = [one for one in columns if one.is_cell and one.role in (None, "hypothesis") and not is_no_text(one)]
    if is_named_reference(columns[0].file) and all(one.name.startswith("column ") for one in columns):
        return tuple(replace(one, role="reference") if one in texts else one for one in columns)
    others = [one for one in columns if one.role == "reference"]
    if len(texts) != 1 or others:
        return tuple(columns)
    only, file = texts[0], texts[0].file
    if role_of_whole(only.name) == "reference" or only.name.casefold() in _TARGET_TEXTS:
        return tuple(columns)
    said = _of_name(path_of(file)[-1], frozenset())
    is_other = said is not None and said.strength == PLAIN and said.role in ("reference", "source")
    role = None if is_other else only.role
    renamed = replace(only, name=stem(file), title=only.title or only.name, role=role)
    return tuple(renamed if one is only else one for one in columns)


def is_named_reference(file: str) -> bool:
    """Whether the name of a file says plainly that it holds a reference."""
    return _of_name(path_of(file)[-1], frozenset()) == Hint("reference", PLAIN)


def own_name(column: Column) -> str:
    """The file's name with its endings for a text of its own, the title of a column of several."""
    return path_of(column.file)[-1] if is_of_file(column) else column.name


def is_of_file(column: Column) -> bool:
    """Whether a column has its name from its file, as a plain text has."""
    return column.role is None and column.name == stem(column.file)


def role_of_folder(column: Column) -> Role | None:
    """The role that the folder of a file says."""
    hint = _of_folders(path_of(column.file)[:-1], frozenset())
    return None if hint is None else hint.role


def is_named_by_language(column: Column) -> bool:
    """Whether a column of a table has the name of a language that its file translates from or into: "en" of "ende"."""
    return column.is_cell and language_of(column.name) is not None and language_of(column.name) in _pair_of_file(column)


def is_named_by_task(column: Column) -> bool:
    """Whether a column of a table is called as in data sets of summaries, code or answers."""
    return column.is_cell and role_of_whole(column.name) is not None


def _pair_of_file(column: Column) -> tuple[str, ...]:
    parts = parts_of(without_endings(path_of(column.file)[-1]))
    return next((pair for part in parts if (pair := pair_of(part.text)) is not None), ())


def _of_language(column: Column) -> Hint | None:
    """The source where a column has the name of the language that its file translates from."""
    is_source = is_named_by_language(column) and language_of(column.name) == _pair_of_file(column)[0]
    return Hint("source", PLAIN) if is_source else None


def _of_task(column: Column) -> Hint | None:
    """What the whole name of a column of a table says: "expected_output" is no output; "input" is rather the source."""
    role = role_of_whole(column.name) if is_named_by_task(column) else None
    return None if role is None else Hint(role, BESIDE_NAMES if role == "source" else PLAIN)


def _of_people(column: Column) -> Hint | None:
    """The reference where a file or folder is called after people and nothing else: "human.txt", "human/news.txt"."""
    names = (column.name, *path_of(column.file)[:-1])
    is_named = not column.is_cell and is_of_file(column) and "reference" in map(role_of_whole, names)
    return Hint("reference", LIKE_A_NAME) if is_named else None


def _of_name(name: str, common: frozenset[str]) -> Hint | None:
    """The word that says most: one that stands alone, then one that outranks others, then the last."""
    found: list[tuple[Strength, int, int, Role]] = []
    parts = parts_of(name)
    for index, part in enumerate(parts):
        word = role_word(part.text)
        role = role_of_word(word) if word is not None else None
        if word is None or role is None:
            continue
        strength = 0 if part.text.casefold() in common else _strength(parts, index)
        found.append((strength, -rank_of_word(word), index, role))
    if not found and len(parts) > 1 and parts[-1].text == "pe" and parts[-1].before == ".":
        return Hint("reference", BESIDE_NAMES)  # what was post-edited: "test.pe" next to "test.mt"
    if not found:
        return _of_languages(parts)
    strength, _, _, role = max(found)
    return Hint(role, max(strength, LIKE_A_NAME))


def _strength(parts: Sequence[Part], index: int) -> Strength:
    """How plainly a word for a role stands there: what else is between the same two dots?"""
    first = last = index
    while first > 0 and "." not in parts[first].before:
        first -= 1
    while last + 1 < len(parts) and "." not in parts[last + 1].before:
        last += 1
    others = [part for place, part in enumerate(parts[first : last + 1], first) if place != index]
    if all(_is_known(part) for part in others):
        is_system = bool(WORDS_OF_SYSTEMS & {part.text.casefold() for part in others})
        return BESIDE_NAMES if is_system else PLAIN
    is_title = parts[index].text.istitle() and any("-" in part.before for part in parts[first + 1 : last + 1])
    return LIKE_A_NAME if is_title else BESIDE_NAMES


def _is_known(part: Part) -> bool:
    return bool(part.kinds) or len(part.text) == 1 or part.text.isdigit() or role_word(part.text) is not None


def _of_languages(parts: Sequence[Part]) -> Hint | None:
    """The source where a pair of languages stands before the first of them alone: "test.de-en.de"."""
    pair = next((pair for part in parts if (pair := pair_of(part.text)) is not None), None)
    codes = [code for part in parts if (code := language_of(part.text)) is not None]
    return Hint("source", BESIDE_NAMES) if pair is not None and codes and codes[-1] == pair[0] else None


def _of_folders(folders: Sequence[str], common: frozenset[str]) -> Hint | None:
    for folder in reversed(folders):
        for part in parts_of(without_endings(folder)):
            word = role_word(part.text)
            role = role_of_word(word) if word is not None else None
            if role is not None and part.text.casefold() not in common:
                return Hint(role, OF_FOLDER)
    return None
