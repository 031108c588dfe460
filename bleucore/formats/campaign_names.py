"""Paths of a campaign's files -> test sets, by what folders and names say: language pair, test set, role."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from bleucore.formats.columns import Role
from bleucore.formats.name_parts import (
    LANGUAGES,
    Part,
    language_of,
    pair_of,
    parts_of,
    path_of,
    role_of_word,
    role_word,
    test_set_of,
    without_endings,
)
from bleucore.formats.usual_names import role_of_whole

Pair = tuple[str, str]
_TWO_CODES = 4
_BETWEEN_PARTS = " ._-"
_UNSAID = frozenset({"wmt", "all", "test"})
"""Words for test sets that say nothing beside the name of one."""
_PACKED = re.compile(r"\.(?:zip|tar|tgz|tbz2?|txz|tar\.(?:gz|bz2|xz))$", re.IGNORECASE)


@dataclass(frozen=True)
class Group:
    """Files that belong together by their names.

    Attributes:
        root: The folders that they share and that say nothing of languages, test sets or roles.
        pair: Their language pair.
        test_set: The words for a test set in their names ("newstest2021"), perhaps none.
        paths: Theirs.
        stem: What tells them from others of the same folders, where nothing else does ("news").
        roles: What some of them are that no name says: texts of one language, which several pairs share.
    """

    root: tuple[str, ...]
    pair: Pair | None
    test_set: tuple[str, ...]
    paths: tuple[str, ...]
    stem: str = ""
    roles: tuple[tuple[str, Role], ...] = ()

    @property
    def has_reference(self) -> bool:
        """Whether a name says that a reference is among them."""
        return bool(self.roles) or any(said_role(path) == "reference" for path in self.paths)

    def fits(self, other: "Group") -> bool:
        """Whether outputs named like this one can belong to the references of another."""
        pairs = {pair for pair in (self.pair, other.pair) if pair is not None}
        mine, others = set(self.test_set), set(other.test_set)
        is_inside = self.root[: len(other.root)] == other.root
        return is_inside and len(pairs) <= 1 and (mine <= others or others <= mine)

    def is_named_as(self, other: "Group") -> bool:
        """Whether these are outputs alone, in other folders, that are named for the references of another."""
        if self.pair is None or self.pair != other.pair or not set(self.test_set) <= set(other.test_set):
            return False
        return not any(said_role(path) == "source" for path in self.paths)


def grouped(paths: Iterable[str]) -> tuple[Group, ...]:
    """The files in groups, those without a reference with the nearest that has one for them."""
    found: dict[tuple[tuple[str, ...], Pair | None, tuple[str, ...]], list[str]] = {}
    paths = sorted(paths)
    inner = _inner_folders([path_of(path)[:-1] for path in paths])
    for path in paths:
        root, pair, test_set = _said(path)
        root = root[: len(root) - len(inner)] if inner and root[-len(inner) :] == inner else root
        found.setdefault((root, pair, test_set), []).append(path)
    groups = _of_twins([Group(root, pair, test_set, tuple(inside)) for (root, pair, test_set), inside in found.items()])
    merged = [one for group in _merged(_with_shared_texts(groups)) for one in _by_language(group)]
    return tuple(apart for group in merged for apart in _by_stem(group))


def said_role(path: str) -> Role | None:
    """What a file's own name says that it holds, else its folders, the innermost first."""
    *folders, base = path_of(path)
    for name in (without_endings(base), *reversed(folders)):
        words = [word for part in parts_of(name) if (word := role_word(part.text)) is not None]
        roles = [role for word in words if (role := role_of_word(word)) is not None]
        if roles:
            return next((role for role in roles if role != "hypothesis"), "hypothesis")
    return "reference" if "reference" in map(role_of_whole, folders) else None


def set_names(groups: Sequence[Group], title: str) -> tuple[str, ...]:
    """What to call the test sets, different ones: "WMT22 en-de", "medical en-de"; else as the campaign is called.

    Args:
        groups: Their files.
        title: Of the campaign.
    """
    shared = _in_common([group.root for group in groups])
    names = [_set_name(group, group.root[shared:]) or _PACKED.sub("", title) for group in groups]
    repeated = {name for name in names if names.count(name) > 1}
    paths = [[path_of(path)[:-1] for path in group.paths] for group in groups]
    names = [
        " ".join(["/".join(own[0][: _in_common(own)]), name]).strip() if name in repeated else name
        for name, own in zip(names, paths, strict=True)
    ]
    return tuple(
        f"{name} ({names[:index].count(name) + 1})" if name in names[:index] else name
        for index, name in enumerate(names)
    )


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


def natural(name: str) -> tuple[tuple[int, str], ...]:
    """What orders names as people do: "set 2" before "set 10"."""
    pieces = re.split(r"([0-9]{1,9})", name.casefold())
    return tuple((int(piece), "") if piece.isascii() and piece.isdigit() else (0, piece) for piece in pieces)


def _set_name(group: Group, folders: Sequence[str]) -> str:
    known = next((called for word in group.test_set if (called := test_set_of(word)) is not None), None)
    others = [word for word in group.test_set if test_set_of(word) is None]
    words = [known, *(word for word in others if word not in _UNSAID and not word.isdigit())] if known else others
    own = [_own_words(folder) for folder in folders]
    told = {part.text.casefold() for folder in own for part in parts_of(folder)}
    words = [word for word in words if word.casefold() not in told]
    pair = None if pair_in(group.stem) == group.pair else group.pair
    said = ["/".join(folder for folder in own if folder), group.stem, *words, "-".join(pair or ())]
    found = " ".join(word for word in said if word)
    if not found and len(group.paths) == 1:
        found = _own_words(without_endings(path_of(group.paths[0])[-1]))
    inside = [path_of(path)[:-1] for path in group.paths]
    innermost = inside[0][: _in_common(inside)][-1:]
    return found or _PACKED.sub("", "".join(innermost))


def _own_words(folder: str) -> str:
    """What a folder's name says beside languages, test sets and roles, as it is written."""
    name = _PACKED.sub("", folder)
    parts = every = [part for part in parts_of(name) if any(map(str.isalnum, part.text))]
    while parts and _is_known(parts[0]):
        parts = parts[1:]
    while parts and _is_known(parts[-1]):
        parts = parts[:-1]
    if not parts:
        return ""
    start = 0 if parts[0] is every[0] else parts[0].start
    end = len(name) if parts[-1] is every[-1] else parts[-1].end
    return name[start:end].strip(_BETWEEN_PARTS)


def _is_known(part: Part) -> bool:
    return bool(part.kinds) or role_word(part.text) is not None


def _in_common(sequences: Sequence[Sequence[str]]) -> int:
    """How many of the first folders all have."""
    return next(
        (depth for depth, folders in enumerate(zip(*sequences, strict=False)) if len(set(folders)) > 1),
        min(map(len, sequences), default=0),
    )


def _said(path: str) -> tuple[tuple[str, ...], Pair | None, tuple[str, ...]]:
    """The folders that are left, the language pair, and the words for the test set."""
    *folders, base = (_PACKED.sub("", folder) for folder in path_of(path))
    name = without_endings(base)
    pair = next((pair for one in (name, *reversed(folders)) if (pair := pair_in(one)) is not None), None)
    words = [part.text for one in (*folders, name) for part in parts_of(one) if "test set" in part.kinds]
    test_set = tuple(dict.fromkeys(word.casefold() for word in words))
    return tuple(folder for folder in folders if not _says_all(folder)), pair, test_set


def _says_all(folder: str) -> bool:
    """Whether a folder's name is made of words for roles, languages, test sets and endings alone."""
    parts = parts_of(folder)
    is_named = bool(parts) and role_of_word(role_word(parts[0].text) or "") == "documents"
    is_document = is_named and any(map(str.isdigit, folder))  # "doc1" is one of several
    return bool(parts) and all(map(_is_known, parts)) and not is_document


def _merged(groups: Sequence[Group]) -> tuple[Group, ...]:
    """Groups without a reference beside those that have one for them: the nearest in folders, then in what they say."""
    whole = [group for group in groups if group.has_reference]
    added: dict[int, list[str]] = {}
    left: list[Group] = []
    for group in groups:
        if group.has_reference:
            continue
        fitting = [index for index, other in enumerate(whole) if group.fits(other)]
        fitting = fitting or [index for index, other in enumerate(whole) if group.is_named_as(other)]
        nearest = max((_nearness(group, whole[index]) for index in fitting), default=None)
        best = [index for index in fitting if _nearness(group, whole[index]) == nearest]
        if len(best) == 1:
            added.setdefault(best[0], []).extend(group.paths)
        else:
            left.append(group)
    merged = [replace(one, paths=(*one.paths, *added.get(index, ()))) for index, one in enumerate(whole)]
    return (*merged, *_merged_by_pair(left))


def _merged_by_pair(groups: Sequence[Group]) -> list[Group]:
    """Groups that no name gives a reference; those of one language pair in one folder are one.

    So corpora of a folder for each pair are kept: "de-en/opus.de-en-test.en" next to "de-en/small.en".
    """
    found: dict[object, Group] = {}
    for place, group in enumerate(groups):
        key = place if group.pair is None else (group.root, group.pair)
        known = found.get(key)
        is_of_one = known is None or {*known.test_set} <= {*group.test_set} or {*group.test_set} <= {*known.test_set}
        if known is None or not is_of_one:
            found[key if known is None else place] = group
            continue
        longest = max(known.test_set, group.test_set, key=len)
        found[key] = replace(known, test_set=longest, paths=(*known.paths, *group.paths))
    return list(found.values())


def _nearness(group: Group, other: Group) -> tuple[int, bool, int]:
    return len(other.root), group.pair == other.pair, len(set(group.test_set) & set(other.test_set))


def _with_shared_texts(groups: Sequence[Group]) -> list[Group]:
    """The groups, and one for each pair of outputs whose languages have a text each, as FLORES has them.

    "eng_Latn.devtest" and "deu_Latn.devtest" are source and reference of "NAME/eng_Latn-deu_Latn.devtest".
    """
    found: list[Group] = []
    used = set[str]()
    n_shared = sum(group.pair is None and any(map(_only_language, group.paths)) for group in groups)
    for shared in groups:
        texts = {language: path for path in shared.paths if (language := _only_language(path)) is not None}
        references = {language for language, path in texts.items() if said_role(path) == "reference"}
        if shared.pair is not None or len(texts) < 2 or len(references) == 1:  # noqa: PLR2004  # a pair
            continue
        is_only = n_shared == 1
        pairs = {group.pair for group in groups if not group.has_reference and (is_only or _may_belong(group, shared))}
        for pair in sorted(pair for pair in pairs if pair is not None and set(pair) <= texts.keys()):
            source, reference = texts[pair[0]], texts[pair[1]]
            roles: tuple[tuple[str, Role], ...] = ((source, "source"), (reference, "reference"))
            found.append(replace(shared, pair=pair, paths=(source, reference), roles=roles))
            used |= {source, reference}
    left = [replace(group, paths=tuple(path for path in group.paths if path not in used)) for group in groups]
    return [*(group for group in left if group.paths), *found]


def _inner_folders(folders: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """The innermost folders that say nothing, as all files are in one of that name: "a/out/x" and "b/out/x"."""
    told = [tuple(name for name in one if not _says_all(name)) for one in folders]
    n_same = _in_common([one[::-1] for one in told])
    inner = told[0][len(told[0]) - n_same :] if n_same else ()
    return inner if len({one[: len(one) - n_same] for one in told}) > 1 else ()


def _of_twins(groups: list[Group]) -> list[Group]:
    """The groups, and one for each of several texts in two languages that have outputs in one of them.

    "test2016.en" and "test2016.de" are source and reference of "alpha.test2016.de", where nothing else says so.
    """
    paths = [path for group in groups for path in group.paths if group.pair is None]
    if any(group.has_reference for group in groups):
        return groups
    twins: dict[frozenset[str], dict[str, str]] = {}
    for path in paths:
        language = _told_language(path)
        if language is not None and said_role(path) is None:
            twins.setdefault(_words_but_languages(path, is_name=True), {})[language] = path
    twins = {words: texts for words, texts in twins.items() if words and len(texts) == 2}  # noqa: PLR2004  # languages
    told = {path for texts in twins.values() for path in texts.values()}
    outputs: dict[frozenset[str], list[str]] = {words: [] for words in twins}
    for path in paths:
        own = _words_but_languages(path, is_name=False)
        fitting = [words for words in twins if words <= own]
        if path not in told and fitting and _told_language(path) in twins[max(fitting, key=len)]:
            outputs[max(fitting, key=len)].append(path)
    found: list[Group] = []
    for words, texts in twins.items():
        languages = {_told_language(path) for path in outputs[words]}
        if len(languages) == 1:
            ((_, source),) = ((language, path) for language, path in texts.items() if language not in languages)
            ((_, reference),) = ((language, path) for language, path in texts.items() if language in languages)
            roles: tuple[tuple[str, Role], ...] = ((source, "source"), (reference, "reference"))
            inside = (source, reference, *outputs[words])
            _, _, test_set = _said(source)
            found.append(Group((), None, test_set, inside, " ".join(_stem(source)), roles))
    if len(found) < 2:  # noqa: PLR2004  # what a single text is, its words tell
        return groups
    used = {path for one in found for path in one.paths}
    left = [replace(group, paths=tuple(path for path in group.paths if path not in used)) for group in groups]
    return [*(group for group in left if group.paths), *found]


def _words_but_languages(path: str, *, is_name: bool) -> frozenset[str]:
    """The words of a file's name, and of its folders where asked, without languages."""
    parts = [part for name in path_of(path)[-1 if is_name else 0 :] for part in parts_of(without_endings(name))]
    return frozenset(part.text.casefold() for part in parts if language_of(part.text) is None)


def _may_belong(group: Group, shared: Group) -> bool:
    """Whether outputs can be translations of texts of one language each: beneath their folder, or of their test set."""
    words = set(group.test_set)
    return group.fits(shared) or (bool(words) and words <= set(shared.test_set))


def _only_language(path: str) -> str | None:
    """The language that is all of a file's name, beside words for a test set."""
    parts = parts_of(without_endings(path_of(path)[-1]))
    languages = [language for part in parts if (language := language_of(part.text)) is not None]
    is_bare = all(_is_known(part) or part.text.isdigit() for part in parts)
    return languages[0] if len(languages) == 1 and is_bare else None


def _by_language(group: Group) -> tuple[Group, ...]:
    """Several test sets of one group: languages with a reference and outputs each, "de/ref" and "fr/ref", or "ref.de".

    Sources in none of these languages, and texts that are named by a language alone, belong to all of them.
    """
    if group.pair is not None or group.roles:
        return (group,)
    inside: dict[str, list[str]] = {}
    for path in group.paths:
        inside.setdefault(_told_language(path) or "", []).append(path)
    wholes = {language: paths for language, paths in inside.items() if language and _is_whole(paths)}
    if len(wholes) < 2:  # noqa: PLR2004  # two test sets
        return (group,)
    others = [path for language, paths in inside.items() if language not in wholes for path in paths]
    shared = [path for path in others if said_role(path) == "source" or _only_language(path) is not None]
    left = tuple(path for path in others if path not in shared)
    sets = [
        replace(
            group,
            paths=(*paths, *_without_own_source(shared, paths)),
            stem=" ".join(filter(None, (group.stem, language))),
        )
        for language, paths in wholes.items()
    ]
    return (*sets, *([replace(group, paths=left)] if left else []))


def _told_language(path: str) -> str | None:
    """The language that is the whole name of a folder, the innermost such; else the only one in the file's name."""
    *folders, base = path_of(path)
    told = next(filter(None, map(language_of, reversed(folders))), None)
    own = {language for part in parts_of(without_endings(base)) if (language := language_of(part.text)) is not None}
    return told if told is not None or len(own) != 1 else next(iter(own))


def _is_whole(paths: Sequence[str]) -> bool:
    """Whether a reference is among these files, and something that may be an output."""
    roles = [said_role(path) for path in paths]
    return "reference" in roles and any(role in (None, "hypothesis") for role in roles)


def _without_own_source(shared: Sequence[str], paths: Sequence[str]) -> Sequence[str]:
    """The texts that sets share, for one that has no source of its own."""
    return () if any(said_role(path) == "source" for path in paths) else shared


def _by_stem(group: Group) -> tuple[Group, ...]:
    """Several test sets of one group: each reference has a name that begins or ends the names of other files.

    "news.ref" beside "news.one", or "references/news" beside "one/news".
    """
    if group.roles:
        return (group,)
    stems = {path: _stem(path) for path in group.paths}
    references = dict.fromkeys(stems[path] for path in group.paths if said_role(path) == "reference")
    if len(references) < 2 or not all(references):  # noqa: PLR2004  # two test sets
        return (group,)
    members: dict[tuple[str, ...], list[str]] = {stem: [] for stem in references}
    others: list[str] = []
    for path, stem in stems.items():
        fitting = [one for one in members if _begins_or_ends(stem, one)]
        longest = max(fitting, key=len, default=None)
        (others if longest is None else members[longest]).append(path)
    if not all(any(said_role(path) != "reference" for path in inside) for inside in members.values()):
        return (group,)
    sets = [replace(group, paths=tuple(inside), stem=" ".join(stem)) for stem, inside in members.items()]
    return (*sets, *([replace(group, paths=tuple(others))] if others else []))


def _begins_or_ends(stem: tuple[str, ...], one: tuple[str, ...]) -> bool:
    return stem[: len(one)] == one or stem[len(stem) - len(one) :] == one


def _stem(path: str) -> tuple[str, ...]:
    """The words of a file's name that are none for a role, a language, a test set or one of several references."""
    parts = parts_of(without_endings(path_of(path)[-1]))
    words = [part.text.casefold() for part in parts if not _is_known(part)]
    return tuple(word for word in words if len(word) > 1 or not word.isascii())
