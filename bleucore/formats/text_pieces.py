"""Files that are pieces of one text: one for each segment, or for each process that wrote a part."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bleucore.formats import decoding
from bleucore.formats.best_of_blocks import with_first_answers
from bleucore.formats.item_files import with_joined_items
from bleucore.formats.names import stem
from bleucore.formats.pieces_alike import are_pieces, likeness_of_lines
from bleucore.formats.usual_names import role_of

Files = tuple[tuple[str, bytes], ...]
_LEAST_PIECES, _LEAST_SEGMENTS = 2, 3
_LONGEST_NAME = 300
_LIKE, _LIKER = 0.2, 0.05
_WORDS = "rank|shard|part|chunk|split|worker|piece|slice|gpu|proc|process|block|batch|job|device|node"
_SAID = re.compile(
    rf"(?P<before>.{{0,250}}?)(?P<word>(?<![A-Za-z])(?:{_WORDS}))[-_. ]?(?P<number>\d{{1,6}})"
    r"(?:[-_. ]?of[-_. ]?\d{1,6}|-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:-c\d{3})?)?(?P<after>(?![\w-]).{0,40})",
    re.IGNORECASE,
)
_FOLDER = re.compile(
    rf"(?P<before>(?:.{{0,250}}/)?)(?P<word>{_WORDS})[-_. ]?(?P<number>\d{{1,6}})"
    r"/(?P<name>[^/.]{1,80})(?P<after>[^/]{0,40})",
    re.IGNORECASE,
)
_LETTERED = re.compile(r"(?P<before>.{0,250}?)(?P<word>(?:part)?[._-]?)(?P<number>[a-z]{2})(?P<after>)", re.IGNORECASE)
_COUNTED = re.compile(r"(?P<before>.{0,250}?)(?P<word>)(?P<number>\d{1,9})(?P<after>(?!\d)\D{0,40})")
_NOT_LINES = (
    *(".xml", ".sgm", ".sgml", ".json", ".xlsx", ".xlsm", ".ods", ".parquet", ".arrow", ".feather", ".zip", ".eval"),
    *(".xlf", ".xliff", ".tmx", ".po", ".srt", ".vtt", ".yaml", ".yml", ".csv", ".tsv"),
)


@dataclass(frozen=True)
class _Pieces:
    """Files that count in their names.

    Attributes:
        name: Of the text.
        paths: The pieces in order.
        lines: How many each has.
        is_said: Whether a word says what they are.
    """

    name: str
    paths: tuple[str, ...]
    lines: tuple[int, ...]
    is_said: bool

    @property
    def is_single(self) -> bool:
        """Whether each holds one segment, or an empty one."""
        return max(self.lines) <= 1

    @property
    def n_lines(self) -> int:
        """How many segments they hold together."""
        return len(self.paths) if self.is_single else sum(self.lines)


def is_named_piece(file: str) -> bool:
    """Whether the name of a file says that it is a part of a text: "out.rank0.txt", "part-00000"."""
    base = file.rpartition("/")[2][:_LONGEST_NAME]
    return _SAID.fullmatch(base) is not None


def name_of_whole(files: Sequence[str]) -> str:
    """What to call a text by the names of its parts: "out/qwen.jsonl" for "out/qwen.rank0.jsonl" and so on.

    The first of the names, where they say nothing else or something else each.
    """
    called: set[str] = set()
    for file in files:
        folder, slash, base = file.rpartition("/")
        match = _SAID.fullmatch(base[:_LONGEST_NAME])
        stem = "" if match is None else match["before"].rstrip("._- ")
        called.add(f"{folder}{slash}{stem}{match['after']}" if match is not None and stem else file)
    return next(iter(called)) if len(called) == 1 else files[0]


def with_joined_pieces(files: Files) -> tuple[Files, tuple[str, ...]]:
    """The files, pieces of one text put together in the order of their numbers, and what to say of it.

    Pieces are put together only where their lines add up to those of another text, or of the pieces of other texts:
    numbers are those of runs or test sets otherwise.

    Args:
        files: Names with "/" between folders, and contents.

    """
    said: tuple[str, ...] = ()
    if len(files) > _LEAST_PIECES:
        files, said_of_items = with_joined_items(files)
        files, said_of_pieces = _with_joined_lines(files)
        said = (*said_of_items, *said_of_pieces)
    first = with_first_answers({name: data for name, data in files if _n_lines(name, data)})
    said += tuple(f"{name}: the first of {number} answers to each segment." for name, (_, number) in first.items())
    return tuple((name, first[name][0] if name in first else data) for name, data in files), said


def _with_joined_lines(files: Files) -> tuple[Files, tuple[str, ...]]:
    """The same of pieces of texts of a segment a line."""
    contents = dict(files)
    lines = {name: _n_lines(name, data) for name, data in files}
    groups = [group for group in _groups(lines) if all(lines[path] is not None for path in group.paths)]
    joined = _that_add_up(groups, lines) or _that_are_all(groups, contents, lines)
    if not joined:
        return files, ()
    gone = {path for group in joined for path in group.paths}
    named = _own_names(joined, [name for name in contents if name not in gone])
    texts = [data for name, data in files if lines[name] is not None and name not in gone]
    whole: dict[str, tuple[str, bytes]] = {}
    said: list[str] = []
    for group, name in zip(joined, named, strict=True):
        found, order = _in_order(group, contents, texts)
        whole[group.paths[0]] = (name, b"\n".join(found) + b"\n")
        said.append(_notice(name, group, order))
    kept = tuple(whole.get(name, (name, data)) for name, data in files if name in whole or name not in gone)
    return kept, tuple(said)


def _n_lines(name: str, data: bytes) -> int | None:
    """How many lines a plain text has; ``None`` for what no lines can be counted of."""
    if name.lower().endswith(_NOT_LINES) or data[:2] in (b"PK", decoding.GZIP) or b"\0" in data[:1000]:
        return None
    return data.count(b"\n") + (bool(data) and not data.endswith(b"\n"))


def _groups(lines: Mapping[str, int | None]) -> list[_Pieces]:
    """Files of one folder whose names count without a gap, by the first of the ways to count that fits."""
    found: list[_Pieces] = []
    taken = set[str]()
    n_inside = Counter(path.rpartition("/")[0] for path in lines)
    for pattern in (_SAID, _LETTERED, _COUNTED):
        by_rest: dict[tuple[str, str, str, str], dict[int, str]] = {}
        for path in lines:
            folder, _, base = path.rpartition("/")
            match = pattern.fullmatch(base) if path not in taken and len(base) <= _LONGEST_NAME else None
            if match is not None:
                key = (folder, match["before"], match["word"].casefold(), match["after"])
                by_rest.setdefault(key, {})[_place(match["number"])] = path
            elif pattern is _SAID and (inside := _FOLDER.fullmatch(path[-_LONGEST_NAME:])) is not None:
                start = path[: len(path) - len(inside[0])] + inside["before"]
                key = (start.rstrip("/"), inside["name"], inside["word"].casefold(), inside["after"])
                by_rest.setdefault(key, {})[_place(inside["number"])] = path
        for (folder, before, _, after), places in by_rest.items():
            first = min(places)
            if len(places) < _LEAST_PIECES or first > 1 or max(places) - first + 1 != len(places):
                continue
            stem = before.rstrip("._- ")
            is_folder = bool(folder) and (not stem or (pattern is _COUNTED and n_inside[folder] == len(places)))
            name = folder if is_folder else f"{folder}/{stem or 'text'}".lstrip("/")
            ending = after if after.startswith(".") else ".txt"
            name = name if name.lower().endswith(ending.lower()) else name + ending
            paths = tuple(places[number] for number in sorted(places))
            found.append(_Pieces(name, paths, tuple(lines[path] or 0 for path in paths), pattern is not _COUNTED))
            taken.update(paths)
    return found


def _place(number: str) -> int:
    """The place that a number, or letters from "aa" on, say."""
    if number.isdecimal():
        return int(number)
    place = 0
    for letter in number.lower():
        place = place * 26 + ord(letter) - ord("a")
    return place


def _that_add_up(groups: Sequence[_Pieces], lines: Mapping[str, int | None]) -> list[_Pieces]:
    """The groups whose lines add up to those of another text, or to those of other groups.

    Groups that only count are pieces where they add up to a text, or each file holds one segment.
    """
    pieces = {path for group in groups for path in group.paths}
    whole = Counter(number for path, number in lines.items() if path not in pieces and number)
    sums = Counter(group.n_lines for group in groups if group.is_single or (group.is_said and not whole))
    return [
        group
        for group in groups
        if group.n_lines >= _LEAST_SEGMENTS
        and not any(whole[number] for number in group.lines if number > 1)
        and (whole[group.n_lines] or (sums[group.n_lines] > 1 and (group.is_single or group.is_said)))
    ]


def _that_are_all(
    groups: Sequence[_Pieces], contents: Mapping[str, bytes], lines: Mapping[str, int | None]
) -> list[_Pieces]:
    """The groups where every text is in as many pieces, equally long in each, and one of them is the reference.

    What is alike in other places, too, are runs of a system and several references.
    """
    paths = {path for group in groups for path in group.paths}
    is_alike = len(groups) >= _LEAST_PIECES and len({group.lines for group in groups}) == 1
    is_named = [role_of(stem(group.name)) == "reference" for group in groups]
    others = [path for path, number in lines.items() if number and path not in paths]
    if not is_alike or others or not any(is_named) or all(is_named) or groups[0].is_single:
        return []
    lines_of = {path: contents[path].split(b"\n") for group in groups for path in group.paths}
    of_reference = [lines_of[path] for path in groups[is_named.index(True)].paths]
    if not all(are_pieces([lines_of[path] for path in group.paths], of_reference) for group in groups):
        return []
    return [*groups]


def _own_names(groups: Sequence[_Pieces], taken: Sequence[str]) -> list[str]:
    """A name for each text that no other file has."""
    names: list[str] = []
    known = {*taken}
    for group in groups:
        name, number = group.name, 1
        while name in known:
            number += 1
            stem, dot, ending = group.name.rpartition(".")
            name = f"{stem} ({number}){dot}{ending}"
        known.add(name)
        names.append(name)
    return names


def _together(group: _Pieces, contents: Mapping[str, bytes]) -> list[bytes]:
    """The lines of all pieces in their order; an empty piece of single segments is one, too."""
    found: list[bytes] = []
    for path in group.paths:
        own = contents[path].removeprefix(b"\xef\xbb\xbf").split(b"\n")
        found += own if not own[-1] and len(own) == 1 and group.is_single else own[: len(own) - (not own[-1])]
    return found


def _dealt(group: _Pieces, lines: Sequence[bytes]) -> list[bytes]:
    """The lines as processes have them that take one in turn; nothing where the pieces differ too much for that."""
    if group.is_single or max(group.lines) - min(group.lines) > 1 or list(group.lines) != sorted(group.lines)[::-1]:
        return []
    starts = [sum(group.lines[:place]) for place in range(len(group.lines))]
    return [lines[starts[place % len(starts)] + place // len(starts)] for place in range(len(lines))]


def _in_order(group: _Pieces, contents: Mapping[str, bytes], texts: Sequence[bytes]) -> tuple[list[bytes], str]:
    """The lines in the order of the other texts, and how that differs from one piece after the other."""
    lines = _together(group, contents)
    dealt = _dealt(group, lines)
    same = [other for text in texts if len(other := text.removesuffix(b"\n").split(b"\n")) == len(lines)]
    if not dealt or not same:
        return lines, ""
    in_turn = max(likeness_of_lines(dealt, other) for other in same)
    behind = max(likeness_of_lines(lines, other) for other in same)
    return (dealt, ", a line of each in turn") if in_turn > max(_LIKE, behind + _LIKER) else (lines, "")


def _notice(name: str, group: _Pieces, order: str) -> str:
    first, last = (path[:_LONGEST_NAME] for path in (group.paths[0], group.paths[-1]))
    return f"{name}: put together from {len(group.paths):,} files, {first} to {last}{order}."
