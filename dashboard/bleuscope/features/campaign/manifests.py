"""The test sets that a manifest names: its patterns looked up, its files looked at."""

import glob
import os
import posixpath
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from bleucore import InputError
from bleucore.formats import Role
from bleucore.formats.campaign_looks import Look
from bleucore.formats.campaign_manifest import Manifest, ManifestSet, Named, NamedFile, has_wildcards, matched
from bleucore.formats.campaign_names import Group, pair_in
from bleucore.formats.campaign_plan import PlannedFile, PlannedSet
from bleucore.formats.campaign_roles import Sorted, sorted_out
from bleucore.formats.languages import language_tag
from bleuscope.features.campaign.contents import MAX_FILES
from bleuscope.features.campaign.opened_places import is_address, matching
from bleuscope.shell.disk import test_sets

LookAt = Callable[[PlannedFile, str | None], Look]
"""Looks at a file that may have another encoding than UTF-8."""
_Text = tuple[str, str | None]
"""A file and its column; ``None`` for a text of its own."""
_MOST_COLUMNS = 20


@dataclass(frozen=True)
class ManifestPlace:
    """Where the paths of a manifest begin.

    Attributes:
        manifest: Its path: on the disk, or inside what was dropped or packed.
        files: What was dropped or packed; ``None`` for a manifest on the disk, which may name any file of it.
        may_download: Whether it may have one of sacreBLEU's test sets fetched from where that has it.
    """

    manifest: str
    files: Mapping[str, PlannedFile] | None = None
    may_download: bool = True

    def found(self, path: str, line: int | None = None) -> dict[str, PlannedFile]:
        """The files of a path or pattern, by their paths.

        Args:
            path: As the manifest has it.
            line: Where it says so.

        Raises:
            InputError: There is none, or it is outside of what was dropped or packed.
        """
        found = self._on_disk(path) if self.files is None else self._inside(path, self.files, line)
        if not found:
            raise InputError(
                "the manifest names a file that is not there",
                where=self.manifest,
                line=line,
                found=path,
                expected="a path from the folder of the manifest",
                remedy="Correct the path, or put quotes around it where it holds a colon.",
            )
        return found

    def _on_disk(self, path: str) -> dict[str, PlannedFile]:
        if is_address(path):
            return {one: PlannedFile(one, name=one) for one in _at_address(path)}
        if is_address(self.manifest):
            root = f"{self.manifest.rpartition('/')[0]}/"
            names = {one: one.removeprefix(root) for one in _at_address(root + path)}
            return {name: PlannedFile(one, name=name) for one, name in names.items()}
        folder = Path(self.manifest).absolute().parent
        if not has_wildcards(path):
            exists = os.path.isfile(folder / path)  # noqa: PTH113  # false for what no file can be named
            listed = [path] if exists else []
        else:
            matches = glob.iglob(path, root_dir=folder, recursive=True, include_hidden=False)  # noqa: PTH207  # paths as written
            listed = sorted(islice((one for one in matches if (folder / one).is_file()), MAX_FILES))
        return {
            one.replace(os.sep, "/"): PlannedFile(str(folder / one), name=one.replace(os.sep, "/")) for one in listed
        }

    def _inside(self, path: str, files: Mapping[str, PlannedFile], line: int | None) -> dict[str, PlannedFile]:
        if is_address(path):
            raise InputError(
                "a manifest that was dropped or packed names no addresses",
                where=self.manifest,
                line=line,
                found=path[:200],
                expected="a path from the folder of the manifest",
                remedy="Drop or pack the file with it, or name the manifest on the command line.",
            )
        whole = posixpath.normpath(posixpath.join(posixpath.dirname(self.manifest), path))
        if path.startswith(("/", "\\", "~")) or whole.startswith("../") or ":" in path.split("/", maxsplit=1)[0]:
            raise InputError(
                "the manifest names a file outside of what came with it",
                where=self.manifest,
                line=line,
                found=path,
                expected="a path from the folder of the manifest",
                remedy="Drop or pack the file with it.",
            )
        if not has_wildcards(whole):
            return {whole: files[whole]} if whole in files else {}
        return {name: files[name] for name in matched(whole, list(files))}


@dataclass(frozen=True)
class FromManifest:
    """A test set of a manifest.

    Attributes:
        sorted: With what was left out.
        group: Its files.
        is_named: Whether the manifest names systems itself, by a wildcard or a name for each.
    """

    sorted: Sorted
    group: Group
    is_named: bool = False


def set_of_manifest(said: ManifestSet, place: ManifestPlace, look_at: LookAt, *, aligns: bool = False) -> FromManifest:
    """One test set of a manifest; files that do not fit are left out.

    Args:
        said: What the manifest says of it.
        place: Where its paths begin.
        look_at: Looks at a file.
        aligns: Whether outputs may have other lines than the references, to be cut anew.

    Raises:
        InputError: A file that it names is not there.
    """
    files, looks, names = dict[str, PlannedFile](), dict[str, Look](), dict[_Text, str]()
    columns: dict[str, dict[str, Role]] = {}
    left_out: list[tuple[str, str]] = []
    for role, named in _roles(said):
        for one in named:
            for name, file in place.found(one.path, said.line).items():
                if one.column is not None:
                    columns.setdefault(name, {})[one.column] = role
                try:
                    look = looks[name] if name in columns and name in looks else look_at(file, said.encoding)
                except InputError as error:
                    left_out.append((name, str(error)))
                    continue
                looks[name] = _in_role(look, role)
                files[name] = file
                names[name, one.column] = one.called or _captured(one.path, place, name)
    looks |= {name: _with_columns(name, looks[name], told) for name, told in columns.items() if name in looks}
    if said.sacrebleu is not None:
        origin, look = _of_sacrebleu(said, place)
        files[origin], looks[origin] = PlannedFile(origin, name=origin), look
    pair = pair_in(said.languages or said.name)
    group = Group((), pair, (), tuple(files))
    done = sorted_out(said.name, group, files, looks, aligns=aligns)
    done = replace(done, left_out=(*left_out, *done.left_out))
    if done.planned is None:
        return FromManifest(done, group)
    planned = _named(done.planned, names)
    source, _, target = (said.languages or "").partition("-")
    if said.languages:
        planned = replace(planned, languages=(language_tag(source), language_tag(target)))
    if said.sacrebleu is not None:
        planned = _without(planned, f"sacrebleu:{said.sacrebleu}")
        planned = replace(planned, test_set=(said.sacrebleu, said.languages or ""), may_download=place.may_download)
    planned = replace(planned, domain=said.domain or planned.domain, encoding=said.encoding)
    is_named = all(
        names.get((file.name, file.column)) or names.get((file.name, None)) for file in planned.systems.values()
    )
    return FromManifest(replace(done, planned=planned), group, is_named)


def manifest_title(manifest: Manifest, path: str) -> str:
    """What to call its campaign: as it says, else as its file or folder is called."""
    stem = Path(path).stem
    return manifest.title or (Path(path).absolute().parent.name if stem in ("campaign", "manifest") else stem)


def _at_address(address: str) -> list[str]:
    """An address, or what its wildcards stand for."""
    is_plain = "*" not in address  # a question mark has a meaning of its own there
    return [address] if is_plain else matching(address, MAX_FILES)


def _with_columns(name: str, look: Look, told: Mapping[str, Role]) -> Look:
    """What was seen of a file of which some columns are named: these in their roles, and nothing else.

    Raises:
        InputError: It has no such column.
    """
    held = {one: column for column in look.columns for one in (column.name, column.title) if one is not None}
    missing = next((column for column in told if column not in held), None)
    if missing is not None:
        raise InputError(
            "the manifest names a column that is not there",
            where=name,
            found=", ".join(column.name for column in look.columns[:_MOST_COLUMNS]),
            expected=missing,
            remedy="Correct its name.",
        )
    roles = {held[column].name: role for column, role in told.items()}
    columns = tuple(replace(column, role=roles.get(column.name, "ignore")) for column in look.columns)
    return replace(look, columns=columns)


def _roles(said: ManifestSet) -> list[tuple[Role, Named]]:
    single: list[tuple[Role, NamedFile | None]] = [("source", said.source), ("documents", said.documents)]
    found: list[tuple[Role, Named]] = [(role, (one,)) for role, one in single if one is not None]
    return [*found, ("reference", said.references), ("label", said.labels), ("hypothesis", said.systems)]


def _in_role(look: Look, role: Role | None) -> Look:
    """What was seen, a plain text in the role that it was named for."""
    if not look.is_plain:
        return look
    return replace(look, columns=tuple(replace(column, role=role) for column in look.columns))


def _captured(path: str, place: ManifestPlace, name: str) -> str:
    """What the wildcards of a pattern stand for in a path; empty without any."""
    whole = path if place.files is None else posixpath.normpath(posixpath.join(posixpath.dirname(place.manifest), path))
    parts = matched(whole, [name]).get(name, ()) if has_wildcards(whole) else ()
    return "/".join(one.strip("/") for one in parts if one.strip("/"))


def _named(planned: PlannedSet, names: Mapping[_Text, str]) -> PlannedSet:
    """The test set with the names that the manifest gives, where they are different."""

    def called(files: Mapping[str, PlannedFile]) -> Mapping[str, PlannedFile]:
        found = {names.get((file.name, file.column)) or name: file for name, file in files.items()}
        return found if len(found) == len(files) else files

    return replace(
        planned,
        references=called(planned.references),
        labels=called(planned.labels),
        systems=called(planned.systems),
    )


def _of_sacrebleu(said: ManifestSet, place: ManifestPlace) -> tuple[str, Look]:
    """The texts of one of sacreBLEU's test sets, as if they were columns of one file.

    Raises:
        InputError: There is none of that name, or it is not here and cannot or must not be downloaded.
    """
    try:
        columns = test_sets.columns(said.sacrebleu or "", said.languages, may_download=place.may_download)
    except test_sets.NotHereError as error:
        raise InputError(
            "on this server nothing is downloaded for what was dropped",
            where=place.manifest,
            line=said.line,
            found=f"sacrebleu: {said.sacrebleu}",
            expected="a test set of sacreBLEU that the server has, or files that come with the manifest",
            remedy="Also drop its source and references and name them in the manifest, or ask the operator for "
            "--download-test-sets.",
        ) from error
    origin = f"sacrebleu:{said.sacrebleu}"
    named = tuple(replace(column, file=origin, is_cell=True) for column in columns)
    return origin, Look(named, len(columns[0].segments), is_plain=False)


def _without(planned: PlannedSet, origin: str) -> PlannedSet:
    """The test set without the files that sacreBLEU has."""

    def kept(files: Mapping[str, PlannedFile]) -> dict[str, PlannedFile]:
        return {name: file for name, file in files.items() if file.path != origin}

    return replace(
        planned,
        source=None if planned.source is not None and planned.source.path == origin else planned.source,
        documents=None if planned.documents is not None and planned.documents.path == origin else planned.documents,
        references=kept(planned.references),
        labels=kept(planned.labels),
        systems=kept(planned.systems),
    )
