"""Paths of a campaign's files -> test sets, by what folders and names say: language pair, test set, role."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from bleucore.formats.columns import Role
from bleucore.formats.name_parts import (
    LANGUAGES,
    language_of,
    pair_of,
    parts_of,
    path_of,
    role_of_word,
    role_word,
    test_set_of,
    without_endings,
)

Pair = tuple[str, str]
_TWO_CODES = 4
_NOT_OF_A_SET = frozenset({"language", "ending", "processing"})


@dataclass(frozen=True)
class Group:
    """Files that belong together by their names.

    Attributes:
        root: The folders that they share and that say nothing of languages, test sets or roles.
        pair: Their language pair.
        test_set: The words for a test set in their names ("newstest2021"), perhaps none.
        paths: Theirs.
        stem: What tells them from others of the same folders, where nothing else does ("news").
    """

    root: tuple[str, ...]
    pair: Pair | None
    test_set: tuple[str, ...]
    paths: tuple[str, ...]
    stem: str = ""

    @property
    def has_reference(self) -> bool:
        """Whether a name says that a reference is among them."""
        return any(said_role(path) == "reference" for path in self.paths)

    def fits(self, other: "Group") -> bool:
        """Whether outputs named like this one can belong to the references of another."""
        pairs = {pair for pair in (self.pair, other.pair) if pair is not None}
        mine, others = set(self.test_set), set(other.test_set)
        is_inside = self.root[: len(other.root)] == other.root
        return is_inside and len(pairs) <= 1 and (mine <= others or others <= mine)


def grouped(paths: Iterable[str]) -> tuple[Group, ...]:
    """The files in groups, those without a reference with the nearest that has one for them."""
    found: dict[tuple[tuple[str, ...], Pair | None, tuple[str, ...]], list[str]] = {}
    for path in sorted(paths):
        root, pair, test_set = _said(path)
        found.setdefault((root, pair, test_set), []).append(path)
    groups = [Group(root, pair, test_set, tuple(inside)) for (root, pair, test_set), inside in found.items()]
    return _merged(groups)


def said_role(path: str) -> Role | None:
    """What a file's own name says that it holds, else its folders, the innermost first."""
    *folders, base = path_of(path)
    for name in (without_endings(base), *reversed(folders)):
        ranked = [
            (role, word)
            for part in parts_of(name)
            if (word := role_word(part.text)) is not None and (role := role_of_word(word)) is not None
        ]
        if ranked:
            return next((role for role, _ in ranked if role != "hypothesis"), "hypothesis")
    return None


def set_name(group: Group, *, n_folders: int = 0) -> str:
    """What to call a test set: "WMT22 en-de"; with some of its folders before it where others are called so too."""
    known = next((called for word in group.test_set if (called := test_set_of(word)) is not None), None)
    words = [known, *(word for word in group.test_set if test_set_of(word) is None)] if known else list(group.test_set)
    own = [group.stem, *words, "-".join(group.pair) if group.pair else ""]
    folders = group.root[len(group.root) - n_folders :] if n_folders else ()
    if not any(own):
        folders = folders or group.root[-1:]
    return " ".join([*(["/".join(folders)] if folders else []), *(word for word in own if word)])


def _said(path: str) -> tuple[tuple[str, ...], Pair | None, tuple[str, ...]]:
    """The folders that are left, the language pair, and the words for the test set."""
    *folders, base = path_of(path)
    name = without_endings(base)
    pair = next((pair for one in (name, *reversed(folders)) if (pair := pair_in(one)) is not None), None)
    words = [part.text for one in (*folders, name) for part in parts_of(one) if "test set" in part.kinds]
    test_set = tuple(dict.fromkeys(word.casefold() for word in words))
    return tuple(folder for folder in folders if not _says_all(folder)), pair, test_set


def pair_in(name: str) -> Pair | None:
    """The language pair in a name, in two codes without a mark too, where the language of a text ends the name."""
    parts = parts_of(name)
    pair = next((pair for part in parts if (pair := pair_of(part.text)) is not None), None)
    if pair is not None or len(parts) < 2:  # noqa: PLR2004  # a pair, and its language
        return pair
    for part in parts[:-1]:
        halves = part.text[:2], part.text[2:]
        if len(part.text) == _TWO_CODES and set(halves) <= LANGUAGES and language_of(parts[-1].text) in halves:
            return halves
    return None


def _says_all(folder: str) -> bool:
    """Whether a folder's name is made of words for roles, languages, test sets and endings alone."""
    parts = parts_of(folder)
    return bool(parts) and all(part.kinds or role_word(part.text) is not None for part in parts)


def _merged(groups: Sequence[Group]) -> tuple[Group, ...]:
    """Groups without a reference beside those that have one for them: the nearest in folders, then in what they say."""
    whole = [group for group in groups if group.has_reference]
    added: dict[int, list[str]] = {}
    left: list[Group] = []
    for group in groups:
        if group.has_reference:
            continue
        fitting = [index for index, other in enumerate(whole) if group.fits(other)]
        nearest = max((_nearness(group, whole[index]) for index in fitting), default=None)
        best = [index for index in fitting if _nearness(group, whole[index]) == nearest]
        if len(best) == 1:
            added.setdefault(best[0], []).extend(group.paths)
        else:
            left.append(group)
    merged = [replace(one, paths=(*one.paths, *added.get(index, ()))) for index, one in enumerate(whole)]
    return tuple(sorted([*merged, *left], key=lambda group: natural(set_name(group))))


def _nearness(group: Group, other: Group) -> tuple[int, bool, int]:
    return len(other.root), group.pair == other.pair, len(set(group.test_set) & set(other.test_set))


def natural(name: str) -> tuple[tuple[int, str], ...]:
    """What orders names as people do: "set 2" before "set 10"."""
    return tuple(
        (int(piece), "") if piece.isascii() and piece.isdigit() else (0, piece)
        for piece in re.split(r"([0-9]{1,9})", name.casefold())
    )
