"""What to call a test set: what its files' names have in common."""

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TypeVar

from bleucore.formats.columns import Column
from bleucore.formats.name_parts import (
    Part,
    language_of,
    pair_of,
    parts_of,
    path_of,
    role_word,
    test_set_of,
    without_endings,
)

Said = TypeVar("Said", bound=Hashable)
_SHARE_OF_FILES = 0.5
_MIN_LETTERS, _LONGEST = 3, 60
_EMPTY_WORDS = frozenset({"copy", "of", "the", "my", "new", "kopie", "von"})


def common_title(columns: Sequence[Column]) -> str | None:
    """The test set and the language pair that files name ("WMT22 cs-en"), else what all names have in common.

    ``None`` where there is nothing of the kind. Only plain names and roles are asked, never the texts.
    """
    used = [column for column in columns if column.role != "ignore"]
    files = list(dict.fromkeys(column.file for column in used))
    test_set = _most(files, _parted(files), test_set_of)
    if test_set is None:
        test_set = _common_words(files)
    pair = common_pair(columns)
    return " ".join(part for part in (test_set, pair and "-".join(pair)) if part) or None


def common_pair(columns: Sequence[Column]) -> tuple[str, str] | None:
    """The language pair that files name, source first; ``None`` where they name none."""
    used = [column for column in columns if column.role != "ignore"]
    files = list(dict.fromkeys(column.file for column in used))
    said = _most(files, _parted(files), pair_of)
    return None if said is not None and _is_contradicted(said, used) else said or _pair_of_roles(used)


def common_languages(columns: Sequence[Column]) -> tuple[str | None, str | None]:
    """The language pair that files name, else of source and target what one of them names: "ref.ja" beside "one"."""
    used = [column for column in columns if column.role != "ignore"]
    pair = common_pair(columns)
    if pair is not None:
        return pair
    source, target = _languages_of_roles(used)
    is_of_references = target in {_language(column, is_file=True) for column in used if column.role == "reference"}
    return source, target if is_of_references else None


def _parted(files: Sequence[str]) -> Mapping[str, Sequence[Part]]:
    return {file: parts_of(" ".join([*path_of(file)[:-1], without_endings(path_of(file)[-1])])) for file in files}


def _most(
    files: Sequence[str], parted: Mapping[str, Sequence[Part]], meaning: Callable[[str], Said | None]
) -> Said | None:
    """What most files say of themselves; of two things that as many say, the first."""
    times = Counter[Said]()
    for file in files:
        times.update(list(dict.fromkeys(said for part in parted[file] if (said := meaning(part.text)) is not None)))
    if not times:
        return None
    said, number = times.most_common(1)[0]
    return said if number > _SHARE_OF_FILES * len(files) or len(times) == 1 else None


def _is_contradicted(pair: tuple[str, str], columns: Sequence[Column]) -> bool:
    """Whether outputs alone name a pair, and every reference another target: one of them is of another test set."""
    references = [column for column in columns if column.role == "reference"]
    codes = [_language(column, is_file=True) or pair[1] for column in references]
    names_pair = any(pair_of(part.text) for column in references for part in parts_of(path_of(column.file)[-1]))
    is_other = all(len(code) == len(pair[1]) and code != pair[1] for code in codes)  # "eng" may be "en"
    return bool(references) and not names_pair and is_other


def _pair_of_roles(columns: Sequence[Column]) -> tuple[str, str] | None:
    """The language that the source's name ends with, and that of all references and outputs."""
    source, target = _languages_of_roles(columns)
    return (source, target) if source and target and source != target else None


def _languages_of_roles(columns: Sequence[Column]) -> tuple[str | None, str | None]:
    """The same, where one of them alone is named too, or both are one; ``None`` for what names do not agree on."""
    times = Counter(column.file for column in columns)
    codes = [(column.role, _language(column, is_file=times[column.file] == 1)) for column in columns]
    sources = {code for role, code in codes if role == "source"}
    targets = {code for role, code in codes if role in ("reference", "hypothesis")} - {None}
    source, target = (next(iter(named)) if len(named) == 1 else None for named in (sources, targets))
    return source, target


def _language(column: Column, *, is_file: bool) -> str | None:
    """The language code at the end of a name, or that is all of it."""
    parts = parts_of(without_endings(path_of(column.file)[-1]) if is_file else column.title or column.name)
    codes = [
        code
        for index, part in enumerate(parts)
        if (code := language_of(part.text)) is not None
        and role_word(part.text) is None
        and (len(parts) == 1 or (index > 0 and part.before in (".", "_")))
    ]
    return codes[-1] if codes else None


def _common_words(files: Sequence[str]) -> str | None:
    """The words that all names begin with; of a single file, its name."""
    names = [without_endings(path_of(file)[-1]) for file in files]
    if len(names) == 1:
        return names[0][:_LONGEST]
    common: list[Part] = []
    for parts in zip(*map(parts_of, names), strict=False):
        if len({part.text.casefold() for part in parts}) > 1:
            break
        common.append(parts[0])
    if common and common[-1].text.startswith("="):
        common = common[:-2]  # the name of a setting without its value
    while common and (common[-1].kinds or common[-1].text.casefold() in _EMPTY_WORDS):
        common.pop()
    text = names[0][common[0].start : common[-1].end] if common else ""
    text = text or _common_folder(files)
    return text[:_LONGEST] if sum(map(str.isalpha, text)) >= _MIN_LETTERS else None


def _common_folder(files: Sequence[str]) -> str:
    """The innermost folder that all files are in, if its name says something."""
    common = ""
    for folders in zip(*(path_of(file)[:-1] for file in files), strict=False):
        if len(set(folders)) > 1:
            break
        common = folders[0]
    return "" if all(part.kinds for part in parts_of(common)) else common
