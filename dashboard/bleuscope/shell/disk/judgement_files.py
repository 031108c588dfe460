"""Files with judgements from disk: single ones, and whole test sets in the layout of mt-metrics-eval."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from bleucore import InputError, TestSet
from bleucore.formats.archives import archive_files
from bleucore.formats.columns import numbered_apart
from bleucore.judgements.batches import with_requests
from bleucore.judgements.mtme_tree import EvalSet, read_tree
from bleucore.judgements.reading import read_judgements
from bleucore.judgements.records import Judgements
from bleucore.judgements.system_names import said_systems
from bleuscope.content.comparison.inputs import Inputs
from bleuscope.shell.disk.files import judgements_path, read_bytes
from bleuscope.shell.disk.packed import STANDARD_INPUT, STANDARD_INPUT_NAME, paths_in

MOST_IN_TREE = 50_000
"""Files of one test set; those of one language pair are read."""


class _Folder(Mapping[str, bytes]):
    """The files of a folder by their paths in it, each read when it is asked for."""

    def __init__(self, folder: Path, paths: Sequence[str]) -> None:
        self._folder, self._paths = folder, dict.fromkeys(paths)

    def __getitem__(self, path: str) -> bytes:
        return read_bytes(self._folder / path)

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)


def read_eval_set(path: str, languages: str | None = None) -> EvalSet:
    """A test set with its judgements and scores, from a folder or an archive.

    Args:
        path: The folder or archive.
        languages: The language pair; ``None`` for the only one.

    Raises:
        InputError: It cannot be read, or as ``read_tree``.
    """
    if os.path.isdir(path):  # noqa: PTH112  # false for what no file can be named
        return read_tree(Path(path).resolve().name, _Folder(Path(path), paths_in(path, MOST_IN_TREE)), languages)
    contents = archive_files(Path(path).name, read_bytes(Path(path)), max_entries=MOST_IN_TREE)
    if contents is None:
        raise InputError(
            "this is neither a folder nor an archive",
            where=path,
            expected="a test set in the layout of mt-metrics-eval",
            remedy="Name its folder, or a zip or tar archive of it.",
        )
    return read_tree(Path(path).name, contents, languages)


def judgements_of(
    inputs: Inputs, test_set: TestSet, *, read_data: Callable[[str], bytes] = lambda path: read_bytes(Path(path))
) -> tuple[Judgements, ...]:
    """The judgements in the files of a command, aligned with the test set, each with a name of its own.

    Args:
        inputs: Which files, and what people said of their names and spans.
        test_set: What they are about.
        read_data: Gives the content of a file that is named.

    Raises:
        InputError: A file cannot be read, or as ``read_judgements`` and ``said_systems``.
    """
    aliases = said_systems(inputs.system_names, test_set)
    files = [
        (STANDARD_INPUT_NAME if path == STANDARD_INPUT else path, read_data(str(judgements_path(inputs, path))))
        for path in inputs.judgements
    ]
    found = [
        judgements
        for name, data in with_requests(files)
        for judgements in read_judgements(name, data, test_set, aliases=aliases, moves_spans=inputs.moves_spans)
    ]
    names = numbered_apart([judgements.name for judgements in found])
    return tuple(replace(one, name=name) for one, name in zip(found, names, strict=True))
