"""What systems are called in all test sets: their names without what belongs to one set."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from bleucore.formats.campaign_names import Group, natural
from bleucore.formats.campaign_plan import PlannedFile, PlannedSet
from bleucore.formats.name_parts import Part, parts_of, path_of, role_of_word, role_word, without_endings

_MIN_LETTERS = 2
_MIN_DIGITS = 2


def with_common_names(sets: Sequence[tuple[PlannedSet, Group]]) -> tuple[PlannedSet, ...]:
    """The test sets with the same name for a system in each: "CUNI-DocTransformer" of files that name pairs.

    What a format names stays, and so does everything in a set whose names would not be different any more.
    """
    names = [{given: _of_file(file, group) for given, file in planned.systems.items()} for planned, group in sets]
    names = _without_numbers(names)
    return tuple(_renamed(planned, called) for (planned, _), called in zip(sets, names, strict=True))


def _renamed(planned: PlannedSet, called: Mapping[str, str | None]) -> PlannedSet:
    systems: dict[str, PlannedFile] = {called[given] or given: file for given, file in planned.systems.items()}
    is_whole = len(systems) == len(planned.systems) and (all(called.values()) or not any(called.values()))
    ordered = {name: systems[name] for name in sorted(systems, key=natural)}
    return replace(planned, systems=ordered) if is_whole else planned


def _of_file(file: PlannedFile, group: Group) -> str | None:
    """The first of a file's name and its folders, the innermost first, that says more than the set does."""
    if file.column is not None:
        return None
    *folders, base = path_of(file.name)
    stem = frozenset(group.stem.casefold().split())
    for name in (without_endings(base), *reversed(folders[len(group.root) :])):
        parts = _own(list(parts_of(name)), stem)
        if parts:
            whole = parts_of(name)
            end = parts[-1].end if parts[-1] != whole[-1] else len(name)
            return name[(parts[0].start if parts[0] != whole[0] else 0) : end]
    return None


def _own(parts: list[Part], stem: frozenset[str]) -> list[Part]:
    """The parts of a name between those that say a test set, a pair, a language, a role or the stem of a set."""
    while parts and _can_begin(parts, stem):
        parts = parts[1:]
    while parts and _can_end(parts, stem):
        parts = parts[:-1]
    letters = "".join(part.text for part in parts if not part.kinds and part.text.casefold() not in stem)
    is_name = sum(map(str.isalpha, letters)) >= _MIN_LETTERS or (bool(letters) and not letters.isascii())
    return parts if is_name else []


def _can_begin(parts: Sequence[Part], stem: frozenset[str]) -> bool:
    first = parts[0]
    is_dotted = len(parts) == 1 or not parts[1].before.strip("._ ")
    says_set = bool(first.kinds & {"pair", "test set"}) or first.text.casefold() in stem
    return says_set or (is_dotted and _is_output(first))


def _can_end(parts: Sequence[Part], stem: frozenset[str]) -> bool:
    last = parts[-1]
    if "pair" in last.kinds or last.text.casefold() in stem:
        return True
    is_dotted = len(parts) == 1 or "." in last.before
    return is_dotted and (bool(last.kinds & {"language", "processing", "ending", "test set"}) or _is_output(last))


def _is_output(part: Part) -> bool:
    return role_of_word(role_word(part.text) or "") == "hypothesis"


def _without_numbers(names: Sequence[Mapping[str, str | None]]) -> list[dict[str, str | None]]:
    """Names without the numbers of submissions, which differ from set to set: "Facebook_FAIR.6750"."""
    all_names = [name for one in names for name in one.values() if name is not None]
    short = [{given: _without_number(name) for given, name in one.items()} for one in names]
    are_numbered = bool(all_names) and all(name != _without_number(name) for name in all_names)
    are_different = all(len(set(one.values())) == len(one) for one in short if any(one.values()))
    return short if are_numbered and are_different else [dict(one) for one in names]


def _without_number(name: str | None) -> str | None:
    if name is None:
        return None
    rest, dot, number = name.rpartition(".")
    return rest if dot and number.isdigit() and len(number) >= _MIN_DIGITS else name
