"""Campaigns on a disk: which test sets a folder, an archive or a manifest holds, one look at each file."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from bleucore import InputError
from bleucore.formats.archives import passed_over_as
from bleucore.formats.campaign_harness import RESULTS
from bleucore.formats.campaign_looks import Look
from bleucore.formats.campaign_manifest import ENDINGS, NAMES, is_manifest, read_manifest
from bleucore.formats.campaign_names import Group, natural
from bleucore.formats.campaign_plan import CampaignPlan, PlannedFile, PlannedSet, with_named_runs
from bleucore.formats.campaign_planning import sorted_sets
from bleucore.formats.campaign_systems import with_common_names
from bleucore.formats.files_beside import files_beside, holds_outputs
from bleucore.formats.text_pieces import with_joined_pieces
from bleuscope.features.campaign.contents import (
    MAX_BYTES,
    MAX_FILES,
    content_of,
    opened,
    pieces_of,
    refuse_devices,
    without_content,
)
from bleuscope.features.campaign.looking import look_at, look_unless_scores
from bleuscope.features.campaign.manifests import ManifestPlace, manifest_title, set_of_manifest
from bleuscope.features.campaign.opened_places import files_beneath, is_address
from bleuscope.features.campaign.sets import domains_of
from bleuscope.features.campaign.tokenizers import tokenizer_for
from bleuscope.shell.disk import packed

MAX_SETS = 2_000

Left = list[tuple[str, str]]


def plan_campaign(path: str, *, aligns: bool = False) -> CampaignPlan:
    """The test sets that a folder, an archive or a manifest holds, and what in it belongs to none.

    A folder or a manifest may be at an address that fsspec knows. Links to folders are not followed, and nothing is
    kept of the texts.

    Args:
        path: Where it is.
        aligns: Whether outputs in other lines than the references are taken, to be cut anew at their segments.

    Raises:
        InputError: There is nothing of that name, it cannot be read or holds too much, or no test set is found in it.
    """
    if is_address(path):
        return _plan_at(path.rstrip("/"), aligns=aligns)
    title = Path(path).resolve().name or path
    file = PlannedFile(str(Path(path).absolute()), name=title)
    if os.path.isdir(path):  # noqa: PTH112  # false for what no file can be named
        files = _in_folder(path)
        links = packed.links_inside(path, [*files])
        files = {name: file for name, file in files.items() if name not in links}
        manifest = _manifest_among(files)
        if manifest is None:
            return _on_disk(plan_of_files(title, files, aligns=aligns))
        plan = _plan_of_manifest(ManifestPlace(files[manifest].path), content_of(files[manifest]), aligns=aligns)
        return _with_rest(plan, manifest, files)
    refuse_devices(file)
    data = content_of(file)
    if is_manifest(title, data):
        return _plan_of_manifest(ManifestPlace(path), data, aligns=aligns)
    members = opened(file)
    if members is None:
        return plan_of_files(title, {title: file}, aligns=aligns)
    inside = {name.removeprefix(f"{title}/"): one for name, one in members.items()}
    return _on_disk(
        _plan_of_many(title, {name: replace(one, name=name) for name, one in inside.items()}, aligns=aligns)
    )


def _plan_at(address: str, *, aligns: bool) -> CampaignPlan:
    """The same of a folder or a manifest at an address."""
    title = address.rpartition("/")[2] or address
    files = {
        name: PlannedFile(f"{address}/{name}", name=name)
        for name in files_beneath(address, MAX_FILES)
        if not any(part.startswith(".") for part in name.split("/"))
    }
    if files:
        return plan_of_files(title, files, aligns=aligns)
    file = PlannedFile(address, name=title)
    data = content_of(file)
    if is_manifest(title, data):
        return _plan_of_manifest(ManifestPlace(address), data, aligns=aligns)
    return plan_of_files(title, {title: file}, aligns=aligns)


def planned_of_uploads(
    files: Sequence[tuple[str, bytes]], *, title: str = "Campaign", may_download: bool = False, aligns: bool = False
) -> CampaignPlan:
    """The same of what was dropped: names, with "/" between folders, and bytes, which the plan holds.

    A manifest among them may name no other file than these.

    Args:
        files: What was dropped.
        title: What to call the campaign.
        may_download: Whether a manifest may have one of sacreBLEU's test sets downloaded that is not on this machine.
        aligns: Whether outputs in other lines than the references are taken, to be cut anew at their segments.

    Raises:
        InputError: No test set is found in it.
    """
    whole, _ = with_joined_pieces(tuple(files))
    named = {name: PlannedFile(name, name=name, content=data) for name, data in whole}
    return _plan_of_many(title, named, may_download=may_download, aligns=aligns)


def _plan_of_many(
    title: str, files: Mapping[str, PlannedFile], *, may_download: bool = True, aligns: bool = False
) -> CampaignPlan:
    """The plan of files that came together, by the manifest among them where there is one."""
    manifest = _manifest_among(files)
    if manifest is None:
        return plan_of_files(title, files, aligns=aligns)
    passed_over: Left = []
    left_out: Left = []
    members = _with_members(files, passed_over, left_out)
    if sum(len(one.content or b"") for one in members.values() if one.members) > MAX_BYTES:
        raise _too_much(title)
    plan = _plan_of_manifest(ManifestPlace(manifest, members, may_download), content_of(files[manifest]), aligns=aligns)
    plan = replace(plan, left_out=tuple(sorted((*plan.left_out, *left_out))))
    return _with_rest(plan, manifest, members)


def _on_disk(plan: CampaignPlan) -> CampaignPlan:
    """The plan without contents, which are read from the disk again."""
    return replace(plan, sets=tuple(one.mapped(without_content) for one in plan.sets))


def _manifest_among(files: Mapping[str, PlannedFile]) -> str | None:
    """The file called campaign or manifest that is nearest to the top, if it is one."""
    called = [name for name in files if is_called_manifest(name)]
    for name in sorted(called, key=lambda name: (name.count("/"), name)):
        file = files[name]
        if name.count("/") <= 1 and is_manifest(name, next(pieces_of(file), b"")):
            return name
    return None


def is_called_manifest(name: str) -> bool:
    """Whether a file is named as a manifest is."""
    stem, ending = os.path.splitext(name.rpartition("/")[2].lower())  # noqa: PTH122  # a name, no path
    return stem in NAMES and ending in ENDINGS


def _plan_of_manifest(place: ManifestPlace, data: bytes, *, aligns: bool) -> CampaignPlan:
    """The test sets that a manifest names; one that cannot be planned is left out."""
    manifest = read_manifest(place.manifest, data)
    sets: dict[str, PlannedSet] = {}
    unnamed: list[tuple[PlannedSet, Group]] = []
    left_out: Left = []
    for said in manifest.sets:
        where = f"{place.manifest}, {said.name}"
        try:
            found = set_of_manifest(said, place, look_at, aligns=aligns)
        except InputError as error:
            left_out.append((where, str(error)))
            continue
        left_out += found.sorted.left_out
        if found.sorted.planned is not None:
            planned = replace(found.sorted.planned, tokenizer=tokenizer_for(found.sorted.heads))
            sets[planned.name] = planned
            unnamed += [] if found.is_named else [(planned, found.group)]
    title = manifest_title(manifest, place.manifest)
    _refuse(title, len(manifest.sets), len(sets), left_out)
    sets |= {planned.name: planned for planned in with_common_names(unnamed)}
    plan = CampaignPlan(title, tuple(_completed(one, left_out) for one in sets.values()))
    runs = [(system, recipe) for system, recipe in manifest.runs if system in plan.systems]
    left_out += [
        (f"{place.manifest}, runs", f"{system} is no system of a test set.")
        for system, _ in manifest.runs
        if system not in plan.systems
    ]
    return with_named_runs(replace(plan, left_out=tuple(left_out)), runs)


def _with_rest(plan: CampaignPlan, manifest: str, files: Mapping[str, PlannedFile]) -> CampaignPlan:
    """The plan with the files that its manifest does not name."""
    told = {(file.path, file.members) for one in plan.sets for file in one.files}
    left = {path for path, _ in plan.left_out}
    rest = [
        (name, f"not named in {manifest}")
        for name, file in sorted(files.items())
        if (file.path, file.members) not in told and name not in left and name != manifest
    ]
    return replace(plan, passed_over=(*plan.passed_over, *rest))


def plan_of_files(title: str, files: Mapping[str, PlannedFile], *, aligns: bool = False) -> CampaignPlan:
    """The same of files by their paths inside a campaign.

    Raises:
        InputError: No test set is found in them, or there are too many.
    """
    left_out: Left = []
    passed_over: Left = []
    files, looks = _looked_at(files, passed_over, left_out)
    others = files_beside([*files], lambda name: _beginning_of(files[name]))
    left_out[:] = [*((path, said) for path, said in left_out if path not in others), *others.items()]
    looks = {path: look for path, look in looks.items() if path not in others}
    found = sorted_sets(title, files, looks, aligns=aligns)
    left_out += found.left_out
    _refuse(title, len(files), len(found.sets), left_out)
    done_sets = [
        _completed(replace(planned, tokenizer=tokenizer_for(heads)), left_out) for planned, heads in found.sets
    ]
    ordered = sorted(done_sets, key=lambda one: natural(one.name))
    return CampaignPlan(title, tuple(ordered), tuple(sorted(left_out)), tuple(sorted(passed_over)))


def _in_folder(path: str) -> dict[str, PlannedFile]:
    """The files in a folder and its folders by their paths in it."""
    found: dict[str, PlannedFile] = {}
    for place, folders, names in os.walk(path):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in names:
            file = Path(place) / name
            inside = file.relative_to(path).as_posix()
            found[inside] = PlannedFile(str(file.absolute()), name=inside)
        if len(found) > MAX_FILES:
            raise InputError(
                "the folder holds too many files",
                where=path,
                found=f"more than {MAX_FILES:,}",
                remedy="Name a folder of the campaign alone, or a manifest.",
            )
    return found


def _looked_at(
    files: Mapping[str, PlannedFile], passed_over: Left, left_out: Left
) -> tuple[dict[str, PlannedFile], dict[str, Look]]:
    """The files that may hold texts, and what was seen of each.

    Archives are opened one after the other. What is in those on a disk is forgotten once it takes too much room; of
    dropped ones, which nothing could read again, no more is opened then.
    """
    found: dict[str, PlannedFile] = {}
    looks: dict[str, Look] = {}
    n_held = 0
    for name, file in sorted(files.items()):
        inside = _with_members({name: file}, passed_over, left_out)
        n_inside = sum(len(one.content or b"") for one in inside.values() if one.members)
        if n_held + n_inside > MAX_BYTES and file.content is not None:
            left_out += [(path, str(_too_much(path))) for path in inside]
            continue
        looks |= _looks(inside, passed_over, left_out)
        if n_held + n_inside > MAX_BYTES:
            inside = {path: without_content(one) for path, one in inside.items()}
        else:
            n_held += n_inside
        found |= inside
    return found, looks


def _too_much(name: str) -> InputError:
    return InputError(
        "the archives hold too much together",
        where=name,
        expected=f"at most {MAX_BYTES:,} bytes when unpacked",
        remedy="Drop fewer at once, or compare them on the command line.",
    )


def _with_members(files: Mapping[str, PlannedFile], passed_over: Left, left_out: Left) -> dict[str, PlannedFile]:
    """The files that may hold texts by their names, archives unpacked."""
    found: dict[str, PlannedFile] = {}
    for name, file in sorted(files.items()):
        kind = _kind(name, file)
        if kind is not None:
            passed_over.append((name, kind))
            continue
        try:
            refuse_devices(file)
            members = opened(file) if file.content is None or not file.members else None
        except InputError as error:
            left_out.append((name, str(error)))
            continue
        found |= {name: file} if members is None else _with_members(members, passed_over, left_out)
    return found


def _kind(name: str, file: PlannedFile) -> str | None:
    if name.lower().endswith(".log") and not holds_outputs(_beginning_of(file)):
        return "settings or notes"
    if name.lower().endswith((".neon", ".yaml", ".yml", ".toml", ".ini", ".cfg", ".dtd", ".ipynb")):
        return "settings or notes"
    return "scores" if RESULTS.search(name) else passed_over_as(name)


def _looks(files: Mapping[str, PlannedFile], passed_over: Left, left_out: Left) -> dict[str, Look]:
    """What was seen of each file that can be read; the others are left out."""
    looks: dict[str, Look] = {}
    for name, file in files.items():
        try:
            look = look_unless_scores(file)
        except InputError as error:
            left_out.append((name, str(error)))
            continue
        if look is None:
            passed_over.append((name, "scores"))
        else:
            looks[name] = look
    return looks


def _beginning_of(file: PlannedFile) -> bytes:
    """The first piece of a file; nothing of one that cannot be read."""
    try:
        return next(pieces_of(file), b"")
    except InputError:
        return b""


def _completed(planned: PlannedSet, left_out: Left) -> PlannedSet:
    """The test set with what mt-metrics-eval's layout and its domains say; without documents that cannot be read."""
    documents = planned.documents
    if documents is not None and documents.name.removesuffix(".gz").endswith(".docs"):
        documents = replace(documents, column=None, form="documents of mt-metrics-eval")
        planned = replace(planned, documents=documents)
    try:
        return replace(planned, domain=planned.domain or domains_of(planned))
    except InputError as error:
        left_out += [(documents.name, str(error))] if documents is not None else []
        return replace(planned, documents=None)


def _refuse(title: str, n_files: int, n_sets: int, left_out: Left) -> None:
    """Refuse a campaign without a test set, or with too many."""
    if not n_sets:
        raise InputError(
            "no test set was found",
            where=title,
            found=f"{n_files:,} file{'s' * (n_files != 1)}",
            expected="references and outputs of systems",
            remedy=left_out[0][1] if left_out else "Name the folder that holds them, or a manifest.",
        )
    if n_sets > MAX_SETS:
        raise InputError(
            "there are too many test sets",
            where=title,
            found=f"{n_sets:,}",
            expected=f"at most {MAX_SETS:,}",
            remedy="Name a folder with some of them.",
        )
