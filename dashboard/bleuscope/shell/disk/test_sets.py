"""sacreBLEU's own test sets by name, through sacreBLEU and its cache: source and references as columns."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bleucore import InputError
from bleucore.formats import Column, Role, decoding
from bleucore.values import shown
from bleucore.written_numbers import counted
from bleuscope.shell.disk.bounded_reading import MAX_BYTES, read_at_most

CACHE_VARIABLE = "SACREBLEU"
LONGEST_DOWNLOAD = 900
"""Seconds. The largest archive has some 100 MB; a server that falls silent is given up much earlier."""
LONGEST_LOOK = 120
"""Seconds until the files of the cache are found, with those that sacreBLEU has to unpack from its archives."""
SCRIPT = Path(__file__).with_name("sacrebleu_files.py")
N_NEAR = 5

SINGLE_ROLES: Mapping[str, Role] = {"src": "source", "docid": "documents"}
LABELS = ("origlang", "domain", "genre")

Announce = Callable[[str], None]


@dataclass(frozen=True)
class CachedFiles:
    """Where the texts of a test set are.

    Attributes:
        fields: The path of each field as sacreBLEU names it: "src", "ref:A", "docid".
        references: The paths of those references that sacreBLEU scores against.
    """

    fields: Mapping[str, Path]
    references: tuple[Path, ...]


class NotHereError(InputError):
    """A test set would have to be downloaded, and must not be."""


def columns(
    name: str, pair: str | None, *, announce: Announce | None = None, may_download: bool = True
) -> tuple[Column, ...]:
    """The source, the references, the documents and the labels of one of sacreBLEU's test sets.

    Args:
        name: As ``sacrebleu --list`` shows it.
        pair: The language pair, as in "en-de".
        announce: Told in a sentence of what takes long.
        may_download: Whether what is not in the cache may be fetched.

    Raises:
        NotHereError: It is not in the cache, and may not be downloaded.
        InputError: There is no such test set or language pair, it is neither in the cache nor can it be downloaded, or
            what is in the cache is broken.
    """
    pair = _known_pair(name, pair)
    cache = _cache()
    files = _files(cache, name, pair, announce or (lambda _: None), may_download=may_download)
    folder = next(iter(files.fields.values())).parent
    languages = dict(zip(("source", "reference"), pair.split("-"), strict=False))
    found = [
        replace(_column(path, field, role, folder), language=languages.get(role)) for field, path, role in _roles(files)
    ]
    lengths = {len(column.segments): column for column in reversed(found)}
    if len(lengths) > 1:
        (n_some, some), (n_others, others) = sorted(lengths.items())[:2]
        raise _broken(
            folder, f"{counted(n_some, 'line')} in {some.file} and {n_others:,} in {others.file}", "as many in each"
        )
    return tuple(column for column in found if column.role in ("source", "reference") or _says_something(column))


def _known_pair(name: str, pair: str | None) -> str:
    """The language pair, if there is such a test set of it."""
    from sacrebleu.dataset import DATASETS  # noqa: PLC0415  # takes longer than all else that scoring imports

    if name not in DATASETS:
        from difflib import get_close_matches  # noqa: PLC0415  # only for a misspelt name

        near = [known for known in DATASETS if known.startswith(name)][:N_NEAR] if name else []
        near += [known for known in get_close_matches(name, DATASETS, N_NEAR) if known not in near]
        raise InputError(
            "sacreBLEU has no test set of this name",
            where="Option --test-set",
            found=shown(name),
            expected=f"perhaps {', '.join(near[:N_NEAR])}" if near else None,
            remedy="The command sacrebleu --list shows them all.",
        )
    pairs = list(DATASETS[name].langpairs)
    if pair is None or pair not in pairs:
        raise InputError(
            "the test set has no such language pair" if pair else "the test set needs a language pair",
            where=f"Test set {name}",
            found=shown(pair) if pair else "none",
            expected=f"one of {', '.join(pairs)}",
            remedy="Give it as in --language-pair en-de, source language first.",
        )
    return pair


def _cache() -> Path:
    """The folder of sacreBLEU."""
    named = os.environ.get(CACHE_VARIABLE)
    return Path(named).absolute() if named else Path.home() / ".sacrebleu"


def _files(cache: Path, name: str, pair: str, announce: Announce, *, may_download: bool) -> CachedFiles:
    """The files of a test set, downloaded if need be. A download that fails leaves nothing behind."""
    folder = cache / name
    answer: dict[str, Any] = {"is_absent": True}
    try:
        if folder.is_dir():
            answer = _ask(cache, name, pair, "cache", LONGEST_LOOK)
        if answer.get("is_absent") and not may_download:
            raise NotHereError(
                "this test set of sacreBLEU would have to be downloaded",
                where=f"Test set {name}",
                found="no files here",
            )
        if answer.get("is_absent"):
            announce(f"{name} is downloaded to {cache}")
            with _folder_that_stays_if_used(cache), TemporaryDirectory(prefix=".bleuscope-", dir=cache) as temporary:
                answer = _ask(Path(temporary), name, pair, "download", LONGEST_DOWNLOAD)
                if "error" not in answer:
                    _move_into(cache, Path(temporary))
                    answer = _ask(cache, name, pair, "cache", LONGEST_LOOK)
    except subprocess.TimeoutExpired as error:
        raise _no_download(name, cache, f"no end after {error.timeout:g} seconds") from error
    except OSError as error:
        raise _no_download(
            name, cache, f"{error.filename or cache}: {(error.strerror or str(error)).lower()}"
        ) from error
    if answer.get("is_of_network"):
        raise _no_download(name, cache, str(answer["error"]))
    if "error" in answer:
        raise _broken(folder, str(answer["error"]), "the files that sacreBLEU put there")
    if answer.get("is_absent"):
        raise _no_download(name, cache, "files that are not complete")
    fields = {field: Path(path) for field, path in answer["files"].items()}
    return CachedFiles(fields, tuple(map(Path, answer["references"])))


@contextmanager
def _folder_that_stays_if_used(folder: Path) -> Generator[None]:
    """Makes a folder that is not there, and removes it again if nothing came into it."""
    was_there = folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    try:
        yield
    finally:
        if not was_there:
            with suppress(OSError):
                folder.rmdir()


def _ask(cache: Path, name: str, pair: str, mode: str, seconds: float) -> dict[str, Any]:
    """What the other process says of a test set in a cache.

    Without ``-P`` a file of the working directory could stand in for a module.
    """
    done = subprocess.run(  # noqa: S603  # our own script; name and pair are known ones
        [sys.executable, "-P", str(SCRIPT), name, pair, mode],
        env=os.environ | {CACHE_VARIABLE: str(cache), "PYTHONIOENCODING": "utf-8"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=seconds,
        check=False,
    )
    try:
        answer: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        return {"error": f"sacreBLEU ended with code {done.returncode}"}
    return answer


def _move_into(cache: Path, temporary: Path) -> None:
    """Put a complete download into the cache, archives last: where there is one, everything else is there too."""
    files = [path for path in temporary.rglob("*") if path.is_file() and path.suffix != ".lock"]
    for path in sorted(files, key=lambda path: path.suffix in (".gz", ".tgz", ".zip")):
        target = cache / path.relative_to(temporary)
        target.parent.mkdir(parents=True, exist_ok=True)
        path.replace(target)


def _roles(files: CachedFiles) -> list[tuple[str, Path, Role]]:
    """The fields that become columns of the test set, each with its file and its role."""
    roles: list[tuple[str, Path, Role]] = []
    for field, path in files.fields.items():
        if field in SINGLE_ROLES:
            roles.append((field, path, SINGLE_ROLES[field]))
        elif path in files.references:
            roles.append((f"reference {field.removeprefix('ref').removeprefix(':')}".rstrip(), path, "reference"))
        elif field in LABELS:
            roles.append((field, path, "label"))
    return roles


def _column(path: Path, name: str, role: Role, folder: Path) -> Column:
    """The text of one field. Lines end as sacreBLEU's own do, and nothing is taken for markup."""
    try:
        if not path.is_file():
            raise _broken(folder, f"{path.name}: no file", "the files that sacreBLEU put there")
        with path.open("rb") as file:
            content = decoding.unpack(path.name, read_at_most(file), MAX_BYTES)
        segments = tuple(decoding.lines_of(path.name, decoding.decode(path.name, content)))
    except OSError as error:
        raise _broken(folder, f"{path.name}: {(error.strerror or str(error)).lower()}", "a file to read") from error
    except InputError as error:
        if error.where == str(folder):
            raise
        raise _broken(folder, str(error), "one text in UTF-8 a line") from error
    return Column(path.name, name, role, segments, None, 1)


def _says_something(column: Column) -> bool:
    """Whether any line of the column holds something: old test sets have fields that are empty throughout."""
    return any(text and text.strip() for text in column.segments)


def _no_download(name: str, cache: Path, found: str) -> InputError:
    return InputError(
        "it is not in sacreBLEU's cache and cannot be downloaded",
        where=f"Test set {name}",
        found=" ".join(found.split()),
        expected=f"its files in {cache}",
        remedy=f"Connect to the internet, or copy the cache of another machine and name it in {CACHE_VARIABLE}. "
        "Or name the files with --source and --reference.",
    )


def _broken(folder: Path, found: str, expected: str) -> InputError:
    return InputError(
        "the files in sacreBLEU's cache are broken",
        where=str(folder),
        found=" ".join(found.split()),
        expected=expected,
        remedy="Remove that folder, so that sacreBLEU downloads it again.",
    )
