"""Names to show: those of files without what they have in common, never equal, never empty."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from bleucore.formats.columns import ROLES, Column, Role, numbered_apart
from bleucore.formats.hints import is_of_file
from bleucore.formats.name_parts import (
    Part,
    parts_of,
    path_of,
    role_of_word,
    role_word,
    without_endings,
    words_in_common,
)

_MIN_LETTERS = 2
_MIN_DOTTED = 3
_AT_ENDS = frozenset({"language", "pair", "processing", "ending"})
_TEXTS = ("hypothesis", "reference", "source")
_MIN_SETTINGS = 2
_BETWEEN_SETTINGS = re.compile(r"[.,;&_\s]+(?=[^\W\d_]\w*=)")
_TIMES = frozenset({"timestamp", "time", "date"})


def with_short_names(columns: Sequence[Column]) -> tuple[Column, ...]:
    """The columns, which have roles, with names that are short and different within each role.

    A common beginning or end goes where it names a test set, a role, a language or a way of writing, where the source
    and the references have it too, or where it stands between dots; and only if a name with letters is left.
    """
    names = [column.name for column in columns]
    systems = _with_role(columns, "hypothesis")
    references = _with_role(columns, "reference")
    common = words_in_common([_full_name(column) for column in columns if column.role in _TEXTS])
    others = [own for column in columns if column.role in ("reference", "source") and (own := _full_name(column))]
    for index, name in zip(systems, _system_names([columns[index] for index in systems], others), strict=True):
        names[index] = name
    for index in references:
        names[index] = _reference_name(columns[index], common)
    for role in ROLES:
        places = _with_role(columns, role)
        for index, name in zip(places, numbered_apart([names[index] for index in places]), strict=True):
            names[index] = name
    return tuple(
        replace(column, name=name, title=_title(column, name)) for column, name in zip(columns, names, strict=True)
    )


def _title(column: Column, name: str) -> str | None:
    """What the file calls a column whose name is another one; a file that is one text has no title."""
    return None if _is_file(column) or column.name == name else column.name


def _with_role(columns: Sequence[Column], role: Role) -> list[int]:
    return [index for index, column in enumerate(columns) if column.role == role]


def _is_file(column: Column) -> bool:
    """Whether a column is a file of its own, that its name comes from."""
    return column.keys is None and is_of_file(replace(column, role=None))


def _full_name(column: Column) -> str:
    return without_endings(path_of(column.file)[-1]) if _is_file(column) else column.name


def _system_names(systems: Sequence[Column], others: Sequence[str]) -> list[str]:
    given = [column.name for column in systems]
    if any(column.keys is not None for column in systems):
        return given  # formats with keys name systems themselves
    full = [_full_name(column) for column in systems]
    if not _are_different(full) and _are_different(given):
        full = given  # "one.txt" beside "one.gz.txt"
    full = _apart(full, systems)
    if not _are_different(full):
        return full
    short = _differing_settings(full) or _shortened(full, others)
    return short if _are_different(short) else full


def _differing_settings(names: Sequence[str]) -> list[str] | None:
    """What differs between names that list settings: "t0" of "model=t0.seed=1"; ``None`` where they do not."""
    settings = [dict(part.split("=", 1) for part in _BETWEEN_SETTINGS.split(name) if "=" in part) for name in names]
    keys = [key for key in settings[0] if all(key in one for one in settings)] if settings else []
    differing = [key for key in keys if len({one[key] for one in settings}) > 1]
    told = [key for key in differing if key.casefold() not in _TIMES] or differing
    if len(keys) < _MIN_SETTINGS or not told:
        return None
    short = [" ".join(f"{key}={one[key]}" if len(told) > 1 else one[key] for key in told) for one in settings]
    return short if all(short) and _are_different(short) else None


def _are_different(names: Sequence[str]) -> bool:
    return len({name.casefold() for name in names}) == len(names)


def _apart(names: list[str], systems: Sequence[Column]) -> list[str]:
    """The names; where some are equal, with the folders or files that tell them apart."""
    if len(set(names)) == len(names):
        return names
    stems = [_file_stem(column) for column in systems]
    if len(set(names)) == 1 and _are_different(stems):
        return stems  # one column of each file
    paths = [[*path_of(column.file)[:-1], *([] if _is_file(column) else [_file_stem(column)])] for column in systems]
    while paths and all(paths) and len({path[0] for path in paths}) == 1:
        paths = [path[1:] for path in paths]
    while paths and all(paths) and len({path[-1] for path in paths}) == 1:
        paths = [path[:-1] for path in paths]
    folders = ["/".join(path) for path in paths]
    if len(set(names)) == 1 and all(folders) and len(set(folders)) == len(folders):
        return folders
    return [f"{folder}/{name}" if folder else name for folder, name in zip(folders, names, strict=True)]


def _file_stem(column: Column) -> str:
    return without_endings(path_of(column.file)[-1])


def _shortened(names: Sequence[str], others: Sequence[str]) -> list[str]:
    """The names without common parts, as long as all of them stay names."""
    parted = [_without_language(list(parts_of(name))) for name in names]
    of_others = [list(parts_of(name)) for name in others]
    while _drops(parted, lambda parts: parts[-1], lambda parts: parts[:-1], _can_end(parted)):
        parted = [parts[:-1] for parts in parted]
    while _drops(parted, lambda parts: parts[0], lambda parts: parts[1:], _can_begin(parted, of_others)):
        parted = [parts[1:] for parts in parted]
        of_others = [parts[1:] for parts in of_others]
    return [_left_of(name, parts) for name, parts in zip(names, parted, strict=True)]


def _left_of(name: str, left: Sequence[Part]) -> str:
    """What is left of a name; where nothing was taken away, marks at its ends stay too."""
    whole = parts_of(name)
    if not left:
        return name
    start = 0 if left[0] == whole[0] else left[0].start
    if start and not name[start].isalnum():
        start += len(name[start:]) - len(name[start:].lstrip(" :;,._-|/")) if any(map(str.isalnum, name[start:])) else 0
    return name[start:] if left[-1] == whole[-1] else name[start : left[-1].end]


def _without_language(parts: list[Part]) -> list[Part]:
    """The parts of one name without the language that it ends with behind a dot, as file names do."""
    is_at_end = len(parts) > 1 and parts[-1].before == "." and "language" in parts[-1].kinds
    return parts[:-1] if is_at_end and _is_name(parts[:-1], parts) else parts


def _drops(
    parted: Sequence[list[Part]],
    taken: Callable[[list[Part]], Part],
    left: Callable[[list[Part]], list[Part]],
    can_go: Callable[[Sequence[Part]], bool],
) -> bool:
    """Whether the same end of all names can go, and what is left of each still is one."""
    return (
        bool(parted)
        and all(len(parts) > 1 for parts in parted)
        and all(_is_name(left(parts), parts) for parts in parted)
        and not any(_begins_with_digit(left(parts)) and not _begins_with_digit(parts) for parts in parted)
        and can_go([taken(parts) for parts in parted])
    )


def _begins_with_digit(parts: Sequence[Part]) -> bool:
    """Whether this reads like a number: of "system-10-base" nothing is taken away."""
    return parts[0].text[0].isdigit()


def _is_name(left: Sequence[Part], whole: Sequence[Part]) -> bool:
    """Whether what is left says which system: words of its own, or a word for a role if there never was more."""
    return _has_own_words(left) or (not _has_own_words(whole) and any("role" in part.kinds for part in left))


def _has_own_words(parts: Sequence[Part]) -> bool:
    """Whether there are letters in parts that say more than a role, a language or a test set."""
    own = "".join(part.text for part in parts if not part.kinds)
    return sum(map(str.isalpha, own)) >= _MIN_LETTERS or _is_ideographic(own)


def _is_ideographic(text: str) -> bool:
    return re.search(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]", text) is not None


def _can_end(parted: Sequence[list[Part]]) -> Callable[[Sequence[Part]], bool]:
    """Whether last parts say nothing of a system: a language, a way of writing, or a role or test set that all have."""

    def can_go(ends: Sequence[Part]) -> bool:
        is_common = _are_one(ends)
        is_of_all = is_common and len(parted) > 1
        if all(part.kinds & _AT_ENDS and ("pair" in part.kinds or _is_ending(part)) for part in ends):
            return True
        is_dotted = len(ends) >= _MIN_DOTTED and all(part.before == "." for part in ends)
        says_nothing = _is_output_word(ends[0]) or bool(ends[0].kinds - {"role"}) or is_dotted
        return (is_of_all and says_nothing) or (is_common and (_is_output_word(ends[0]) or "test set" in ends[0].kinds))

    return can_go


def _is_output_word(part: Part) -> bool:
    """Whether a part is a word for outputs of systems, alone: "hyp", "output"."""
    return role_of_word(part.text.casefold()) == "hypothesis"


def _is_ending(part: Part) -> bool:
    return part.before.endswith(".") or ("language" in part.kinds and part.before == "_")


def _can_begin(parted: Sequence[list[Part]], others: Sequence[list[Part]]) -> Callable[[Sequence[Part]], bool]:
    """Whether first parts say nothing of a system: see ``with_short_names``."""

    def can_go(starts: Sequence[Part]) -> bool:
        if all(map(_is_output_word, starts)):
            return True
        if not _are_one(starts):
            return False
        is_dotted = all(parts[1].before.startswith(".") for parts in parted)
        if starts[0].kinds - {"language", "role"} and not starts[0].text.isdigit():
            return True
        word = starts[0].text.casefold()
        is_of_all = bool(others) and all(parts and parts[0].text.casefold() == word for parts in others)
        return (is_of_all and len(parted) + len(others) >= _MIN_DOTTED) or (
            is_dotted and (bool(starts[0].kinds) or starts[0].text.isdigit() or len(starts) >= _MIN_DOTTED)
        )

    return can_go


def _are_one(parts: Sequence[Part]) -> bool:
    return len({part.text.casefold() for part in parts}) == 1


def _text(name: str, parts: Sequence[Part]) -> str:
    return name[parts[0].start : parts[-1].end] if parts else name


def _reference_name(column: Column, common: frozenset[str]) -> str:
    """The name "reference", with what tells it apart from others: "reference A"."""
    full = _full_name(column)
    parts = [part for part in parts_of(full) if not _says_nothing(part, common)]
    places = [index for index, part in enumerate(parts) if _is_reference_word(part)]
    if not places:
        is_letter = len(full) == 1 and full.isalnum()
        own = (_text(full, parts) if parts else "") if column.keys is None else full
        return f"reference {full}" if is_letter else own or "reference"
    index = places[-1]
    word = role_word(parts[index].text) or ""
    inside = parts[index].text[len(word) :] if parts[index].text.casefold().startswith(word) else ""
    inside = inside if inside.isdigit() or len(inside) == 1 else ""  # "refA", but not "refText"
    after = parts[index + 1 :]
    before = [part for part in parts[:index] if not part.kinds]
    rest = [inside, _text(full, after) if after else "", _text(full, before) if before and not after else ""]
    return " ".join(["reference", *(text for text in rest if text)])


def _says_nothing(part: Part, common: frozenset[str]) -> bool:
    """Whether a part of a reference's name is a mark, a language or test set, or stands in every other name too."""
    if not any(map(str.isalnum, part.text)):
        return True
    is_known = bool(part.kinds & (_AT_ENDS | {"test set"})) or part.text.casefold() in common
    return is_known and role_word(part.text) is None


def _is_reference_word(part: Part) -> bool:
    word = role_word(part.text)
    return word is not None and role_of_word(word) == "reference"
