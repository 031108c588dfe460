"""Files that hold an answer or a document each, in a folder for each system -> one file for each folder."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from bleucore.errors import InputError
from bleucore.formats.line_formats import is_of
from bleucore.formats.pieces_alike import are_pieces
from bleucore.formats.subtitles import SUBTITLES
from bleucore.formats.usual_names import role_of

Files = tuple[tuple[str, bytes], ...]
_NAME = re.compile(r"(?P<before>[^/]{0,100}?)(?P<number>\d{1,9})\.(?:json|srt|vtt|sbv|ass|lrc)", re.IGNORECASE)
_LEAST_FILES, _LONGEST = 3, 1_000_000


@dataclass(frozen=True)
class _Document:
    """The texts of a file, and what tells each: its place, or the time of its cue."""

    texts: list[str]
    ids: tuple[str, ...]


def with_joined_items(files: Files) -> tuple[Files, tuple[str, ...]]:
    """The files, those of one folder that hold a record each as one, in the order of their numbers; and what to say.

    Args:
        files: Names with "/" between folders, and contents.
    """
    by_folder: dict[tuple[str, str], dict[int, str]] = {}
    for name, _ in files:
        folder, _, base = name.rpartition("/")
        match = _NAME.fullmatch(base)
        if match is not None:
            by_folder.setdefault((folder, match["before"]), {})[int(match["number"])] = name
    contents = dict(files)
    joined: dict[str, tuple[str, bytes]] = {}
    said: list[str] = []
    gone = set[str]()
    groups = {key: [numbered[number] for number in sorted(numbered)] for key, numbered in by_folder.items()}
    documents = _lists_of_documents({key: paths for key, paths in by_folder.items() if len(paths) > 1}, contents)
    for (folder, before), paths in groups.items():
        name = f"{folder or before.rstrip('._- ') or 'items'}.json"
        texts = documents.get((folder, before))
        is_of_items = len(paths) >= _LEAST_FILES and texts is None and _are_items([contents[path] for path in paths])
        is_of_items = is_of_items and not _lack_others(by_folder[folder, before].keys(), by_folder.values())
        if name in contents or (texts is None and not is_of_items):
            continue
        whole = b"[" + b",\n".join(contents[path] for path in paths) + b"]" if texts is None else _in_json(texts)
        joined[paths[0]] = (name, whole)
        gone.update(paths[1:])
        said.append(f"{name}: put together from {len(paths):,} files, {paths[0]} to {paths[-1]}.")
    return tuple(joined.get(name, (name, data)) for name, data in files if name not in gone), tuple(said)


def _lack_others(numbers: AbstractSet[int], groups: Iterable[Mapping[int, str]]) -> bool:
    """Whether as many files elsewhere have other numbers, and some are left out: the same places are other items."""
    return any(
        len(one) == len(numbers) and one.keys() != numbers and not (_is_row(numbers) and _is_row(one.keys()))
        for one in groups
    )


def _is_row(numbers: AbstractSet[int]) -> bool:
    return max(numbers) - min(numbers) < len(numbers)


def _lists_of_documents(
    groups: Mapping[tuple[str, str], Mapping[int, str]], contents: Mapping[str, bytes]
) -> dict[tuple[str, str], list[str]]:
    """The texts of folders in which each file is a list, where files of the same numbers elsewhere have as many."""
    lists: dict[tuple[str, str], dict[int, _Document]] = {}
    for key, numbered in groups.items():
        found = {
            number: texts
            for number in sorted(numbered)
            if (texts := _texts_in(numbered[number], contents[numbered[number]])) is not None
        }
        if len(found) == len(numbered):
            lists[key] = found
    by_cuts: dict[tuple[tuple[int, tuple[str, ...]], ...], list[tuple[str, str]]] = {}
    for key, documents in lists.items():
        by_cuts.setdefault(tuple((number, one.ids) for number, one in documents.items()), []).append(key)
    joined: dict[tuple[str, str], list[str]] = {}
    for keys in by_cuts.values():
        lines = [[[text.encode() for text in one.texts] for one in lists[key].values()] for key in keys]
        if len(keys) > 1 and all(are_pieces(one, lines[0]) for one in lines[1:]):
            joined.update({key: [text for one in lists[key].values() for text in one.texts] for key in keys})
    return joined


def _texts_in(name: str, data: bytes) -> _Document | None:
    """The texts of a list or of subtitles; ``None`` for anything else."""
    if len(data) > _LONGEST:
        return None
    if not name.lower().endswith(".json"):
        return _cues_in(name, data)
    if not data.lstrip().startswith(b"["):
        return None
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return None
    is_of_texts = all(isinstance(one, str) for one in found)
    return _Document(found, tuple(map(str, range(len(found))))) if is_of_texts else None


def _cues_in(name: str, data: bytes) -> _Document | None:
    try:
        text = data.decode("utf-8-sig")
        format_ = next((one for one in SUBTITLES if is_of(text, one)), None)
        columns = () if format_ is None else format_.columns(name, text)
    except (InputError, UnicodeDecodeError):
        return None
    if len(columns) != 1:
        return None
    return _Document([segment or "" for segment in columns[0].segments], columns[0].ids or ())


def _in_json(texts: Sequence[str]) -> bytes:
    return json.dumps(texts).encode()


def _are_items(contents: list[bytes]) -> bool:
    """Whether each is an object of the same names with an output, and none holds records of its own."""
    records: list[Mapping[str, object]] = []
    for data in contents:
        if len(data) > _LONGEST or not data.lstrip().startswith(b"{"):
            return False
        try:
            record = json.loads(data)
        except (ValueError, RecursionError):
            return False
        if not isinstance(record, dict) or (records and record.keys() != records[0].keys()):
            return False
        records.append(record)
    return any(_is_output(name, value) for name, value in records[0].items()) and not any(map(_holds_records, records))


def _is_output(name: str, value: object) -> bool:
    return isinstance(value, str) and role_of(name) in ("hypothesis", "reference")


def _holds_records(record: Mapping[str, object]) -> bool:
    return any(
        isinstance(value, list) and len(value) > 1 and all(isinstance(one, dict) for one in value)
        for value in record.values()
    )
