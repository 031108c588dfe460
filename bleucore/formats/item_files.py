"""Files that hold one answer each as JSON, in a folder for each system -> one file for each folder."""

import json
import re
from collections.abc import Mapping

from bleucore.formats.usual_names import role_of

Files = tuple[tuple[str, bytes], ...]
_NAME = re.compile(r"(?P<before>[^/]{0,100}?)(?P<number>\d{1,9})\.json", re.IGNORECASE)
_LEAST_FILES, _LONGEST = 3, 1_000_000


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
    for (folder, before), numbered in by_folder.items():
        paths = [numbered[number] for number in sorted(numbered)]
        name = f"{folder or before.rstrip('._- ') or 'items'}.json"
        if len(paths) < _LEAST_FILES or name in contents or not _are_items([contents[path] for path in paths]):
            continue
        joined[paths[0]] = (name, b"[" + b",\n".join(contents[path] for path in paths) + b"]")
        gone.update(paths[1:])
        said.append(f"{name}: put together from {len(paths):,} files, {paths[0]} to {paths[-1]}.")
    return tuple(joined.get(name, (name, data)) for name, data in files if name not in gone), tuple(said)


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
