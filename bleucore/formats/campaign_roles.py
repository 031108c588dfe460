"""A group of files and what was seen of each -> planned test sets: roles and names as of a single test set."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from bleucore.errors import InputError
from bleucore.formats.campaign_looks import Look, beginning_of
from bleucore.formats.campaign_names import Group, natural
from bleucore.formats.campaign_plan import PlannedFile, PlannedSet
from bleucore.formats.columns import Column, Role
from bleucore.formats.languages import language_tag, languages_of
from bleucore.formats.like_tables import named_by_like_tables
from bleucore.formats.name_parts import parts_of, without_endings
from bleucore.formats.names import stem
from bleucore.formats.roles import guess_roles
from bleucore.values import shown
from bleucore.written_numbers import counted

Reasons = tuple[tuple[str, str], ...]
DOMAINS = frozenset({"domain", "domains", "genre", "genres", "category", "topic"})
"""Labels that name domains."""
_LEAST_SHARED, _MOST_COMPARED = 3, 200
OTHER_LENGTH = "the number of segments differs"
"""What is said of texts that have more or fewer lines than most."""
_ONE_PER_LINE = "Every file needs one line per segment, in the same order."


@dataclass(frozen=True)
class Sorted:
    """A group with roles.

    Attributes:
        planned: The test set; ``None`` where there is none.
        left_out: The files that are in none, with reasons.
        heads: The beginnings of its references.
        source: That of its source; ``None`` without one.
        outputs: Those of its outputs.
    """

    planned: PlannedSet | None
    left_out: Reasons
    heads: tuple[tuple[str | None, ...], ...] = ()
    source: tuple[str | None, ...] | None = None
    outputs: tuple[tuple[str | None, ...], ...] = ()


def apart(group: Group, looks: Mapping[str, Look]) -> tuple[Group, ...]:
    """The group without files that are test sets of their own, and each of these: tables, XML and JSON with all texts.

    A file with references and outputs that is the only one with references stays with the outputs beside it. Files
    that hold the same references, each beside the output of one system, are one test set.
    """
    ids = {path: looks[path].set_id for path in group.paths if path in looks}
    if len(set(ids.values()) - {None}) > 1:
        return tuple(
            replace(group, paths=tuple(path for path in group.paths if ids.get(path) == one), stem=one or "")
            for one in dict.fromkeys(ids.get(path) for path in group.paths)
        )
    whole = _whole_by_references(group, looks)
    paths = {path for same in whole for path in same}
    others = tuple(path for path in group.paths if path not in paths)
    is_alone = len(whole) == 1 and not replace(group, paths=others).has_reference
    if not whole or is_alone:
        return (group,)
    sets = [replace(group, paths=same, stem=_rest_of_name(same[0]) if len(whole) > 1 else "") for same in whole]
    return (*([replace(group, paths=others)] if others else []), *sets)


def sorted_out(  # what is known of a group, and how outputs are taken
    name: str,
    group: Group,
    files: Mapping[str, PlannedFile],
    looks: Mapping[str, Look],
    title: str = "",
    *,
    aligns: bool = False,
) -> Sorted:
    """The test set of a group; what does not fit is left out, and all of it where no reference or output is left.

    Args:
        name: What to call it.
        group: The paths.
        files: By path.
        looks: By path, of those that could be read.
        title: What the files came in.
        aligns: Whether outputs may have other lines than the references, to be cut anew.
    """
    paths = [path for path in group.paths if path in looks]
    looks = {path: _in_role(looks[path], dict(group.roles).get(path)) for path in paths}
    kept, left_out = _without_other_tables(name, paths, looks)
    guessed = _guessed(kept, looks, title)
    guessed = _without_repeated(guessed)
    unequal = _unequal(guessed, looks, aligns=aligns)
    if unequal:
        left_out += tuple(unequal.items())
        kept = [path for path in kept if path not in unequal]
        guessed = _without_repeated(_guessed(kept, looks, title))
    roles = {column.role for column in guessed}
    if not {"hypothesis", "reference"} <= roles:
        return Sorted(None, (*left_out, *((path, _lacking(name, path, guessed)) for path in kept)))
    used = {column.file for column in guessed if column.role != "ignore"}
    left_out += tuple((path, _unused(name, path, looks, guessed)) for path in kept if path not in used)
    planned = _planned(name, group, files, looks, guessed)
    others = {looks[file.name].n_segments for file in planned.systems.values()} - {planned.n_segments}
    planned = replace(planned, aligns=bool(aligns and others))
    source = next((column.segments for column in guessed if column.role == "source"), None)
    return Sorted(planned, left_out, _in(guessed, "reference"), source, _in(guessed, "hypothesis"))


def _in(columns: Iterable[Column], role: Role) -> tuple[tuple[str | None, ...], ...]:
    return tuple(column.segments for column in columns if column.role == role)


def joined_by_references(groups: Sequence[Group], done: Sequence[Sorted | None]) -> list[Group]:
    """The groups, those joined that hold other outputs for the same references: a folder for each system.

    References that two language pairs share, or texts of two sources, are those of two test sets.

    Args:
        groups: Files.
        done: What each was found to be; ``None`` for groups that stay as they are.
    """
    places: dict[object, list[int]] = {}
    for place, (group, found) in enumerate(zip(groups, done, strict=True)):
        if found is None or found.planned is None:
            continue
        held = (frozenset(found.heads), found.source, found.planned.n_segments, group.pair)
        same = places.setdefault(held, [])
        before = {text for other in same for text in (done[other] or found).outputs}
        if not before & {*found.outputs}:
            same.append(place)
    joined = {members[0]: members for members in places.values() if len(members) > 1}
    gone = {place for members in joined.values() for place in members[1:]}
    return [
        _joined([groups[member] for member in joined[place]]) if place in joined else group
        for place, group in enumerate(groups)
        if place not in gone
    ]


def _joined(groups: Sequence[Group]) -> Group:
    roots = [group.root for group in groups]
    n_shared = next(
        (depth for depth, names in enumerate(zip(*roots, strict=False)) if len(set(names)) > 1),
        min(map(len, roots)),
    )
    paths = tuple(path for group in groups for path in group.paths)
    is_of_one = len({group.stem for group in groups}) == 1
    return replace(groups[0], root=roots[0][:n_shared], paths=paths, stem=groups[0].stem if is_of_one else "")


def _in_role(look: Look, role: Role | None) -> Look:
    """What was seen, a plain text in a role that is known."""
    if role is None or not look.is_plain:
        return look
    return replace(look, columns=tuple(replace(column, role=role) for column in look.columns))


def _whole_by_references(group: Group, looks: Mapping[str, Look]) -> list[tuple[str, ...]]:
    """The files that have references and outputs of their own, those with the same references together."""
    found: dict[tuple[object, ...], list[str]] = {}
    by_ids: dict[str, tuple[dict[str, str | None], list[str]]] = {}
    tables = [path for path in group.paths if path in looks and not looks[path].is_plain and looks[path].n_segments > 1]
    together = iter(named_by_like_tables([column for path in tables for column in looks[path].columns]))
    for path in tables:
        columns = guess_roles(list(islice(together, len(looks[path].columns))))
        if {"hypothesis", "reference"} <= {column.role for column in columns}:
            held = frozenset((column.segments, column.keys) for column in columns if column.role == "reference")
            is_of_one = sum(column.role == "hypothesis" for column in columns) == 1
            named = _references_by_ids(columns) if is_of_one and len(by_ids) < _MOST_COMPARED else {}
            same = next((paths for texts, paths in by_ids.values() if _are_same(named, texts)), None)
            paths = (
                found.setdefault((held, looks[path].n_segments, "" if is_of_one else path), [])
                if same is None
                else same
            )
            paths.append(path)
            by_ids[path] = (named, paths)
    return [tuple(paths) for paths in found.values()]


def _references_by_ids(columns: Sequence[Column]) -> dict[str, str | None]:
    """The texts of the first reference by the ids of its segments; nothing where it has none."""
    one = next(column for column in columns if column.role == "reference")
    return dict(zip(one.ids or (), one.segments, strict=False))


def _are_same(one: Mapping[str, str | None], other: Mapping[str, str | None]) -> bool:
    """Whether references that are named alike are the same texts, as far as was looked: a few at least."""
    shared = one.keys() & other.keys()
    return len(shared) >= _LEAST_SHARED and all(one[name] == other[name] for name in shared)


def _rest_of_name(path: str) -> str:
    """The words of a file's name that tell nothing else of its test set."""
    parts = parts_of(without_endings(stem(path)))
    return " ".join(part.text for part in parts if not part.kinds) or ""


def _without_other_tables(name: str, paths: Sequence[str], looks: Mapping[str, Look]) -> tuple[list[str], Reasons]:
    """Without tables and the like that have other rows than the texts beside them have lines."""
    plain = Counter(looks[path].n_segments for path in paths if looks[path].is_plain)
    if len(plain) == 0 or plain.total() == 1:
        return list(paths), ()
    usual = plain.most_common(1)[0][0]
    others = [path for path in paths if not looks[path].is_plain and looks[path].n_segments != usual]
    reasons = tuple((path, _other_rows(name, path, looks[path].n_segments, usual)) for path in others)
    return [path for path in paths if path not in others], reasons


def _guessed(paths: Sequence[str], looks: Mapping[str, Look], title: str) -> tuple[Column, ...]:
    """The beginnings in roles and under short names, equally long as far as they go, so that they can be compared."""
    columns = [column for path in paths for column in looks[path].columns]
    if not columns:
        return ()
    lengths = sorted(len(column.segments) for column in columns)
    return guess_roles([beginning_of(column, lengths[len(lengths) // 4]) for column in columns], title=title)


def _without_repeated(columns: Sequence[Column]) -> tuple[Column, ...]:
    """The columns; a reference that another file holds as well, as far as was looked, is left out."""
    first: dict[tuple[object, ...], str] = {}
    return tuple(
        replace(column, role="ignore")
        if column.role == "reference" and first.setdefault((column.segments, column.keys), column.file) != column.file
        else column
        for column in columns
    )


def _unequal(columns: Sequence[Column], looks: Mapping[str, Look], *, aligns: bool) -> dict[str, str]:
    """The texts that have more or fewer lines than most, with sentences; of outputs that can be cut anew none."""
    texts = [column for column in columns if column.role != "ignore" and column.keys is None]
    if not texts or len(texts) < len([column for column in columns if column.role != "ignore"]):
        return {}
    references = [column for column in texts if column.role == "reference"]
    texts = [column for column in texts if not (aligns and references and column.role == "hypothesis")]
    lengths = Counter(looks[column.file].n_segments for column in (*references[:1], *texts))
    usual = lengths.most_common(1)[0][0]
    yardstick = next(column.file for column in (*references, *texts) if looks[column.file].n_segments == usual)
    return {
        column.file: _other_length(column.file, looks[column.file].n_segments, usual, yardstick)
        for column in texts
        if looks[column.file].n_segments != usual
    }


def _planned(
    name: str,
    group: Group,
    files: Mapping[str, PlannedFile],
    looks: Mapping[str, Look],
    columns: Sequence[Column],
) -> PlannedSet:
    read = [column for path in dict.fromkeys(one.file for one in columns) for column in looks[path].columns]
    by_role: dict[str, dict[str, PlannedFile]] = {}
    for column, own in zip(columns, read, strict=True):
        is_plain = looks[column.file].is_plain
        file = replace(files[column.file], column=None if is_plain else own.name)
        by_role.setdefault(str(column.role), {})[column.name] = file
    labels = by_role.get("label", {})
    said = {looks[file.name].uniform.get(file.column or "") for label, file in labels.items() if label in DOMAINS}
    pair = group.pair
    references = {_without_pair(called, group): file for called, file in by_role["reference"].items()}
    is_apart = len(references) == len(by_role["reference"])
    systems = by_role["hypothesis"]
    return PlannedSet(
        name,
        languages_of(columns) if pair is None else (language_tag(pair[0]), language_tag(pair[1])),
        next(iter(said - {None}), None),
        next(iter(by_role.get("source", {}).values()), None),
        references if is_apart else by_role["reference"],
        next(iter(by_role.get("documents", {}).values()), None),
        labels,
        {called: systems[called] for called in sorted(systems, key=natural)},
        n_segments=looks[next(iter(by_role["reference"].values())).name].n_segments,
    )


def _without_pair(called: str, group: Group) -> str:
    """The name of a reference without a pair in two codes without a mark: "reference decs"."""
    return called if group.pair is None else called.removesuffix(" " + "".join(group.pair))


def _other_length(path: str, found: int, usual: int, yardstick: str) -> str:
    return str(
        InputError(
            OTHER_LENGTH,
            where=path,
            found=f"{found:,} line{'s' * (found != 1)}",
            expected=f"{usual:,} as in {yardstick}",
            remedy=f"{_ONE_PER_LINE} Or cut outputs at the segments of the references: --align.",
        )
    )


def _other_rows(name: str, path: str, found: int, usual: int) -> str:
    return str(
        InputError(
            "it does not hold a text for each segment",
            where=path,
            found=counted(found, "row"),
            expected=f"{usual:,}, as {name} has segments",
            remedy="Scores and notes are not needed here.",
        )
    )


def _unused(name: str, path: str, looks: Mapping[str, Look], columns: Sequence[Column]) -> str:
    """Why a file of a test set has no role in it."""
    said = next((column.left_out for column in columns if column.file == path and column.left_out), None)
    if said is not None:
        return f"{path}: {said}"
    own = [column.segments for column in looks[path].columns]
    same = [
        column.file
        for column in columns
        if column.role == "reference" and any(column.segments[:20] == one[:20] for one in own)
    ]
    if same:
        return (
            f"{path}: it holds the same as {same[0]}, a reference of {name}. As a system it would score 100, and as "
            "another reference it would add nothing."
        )
    return f"{path}: bleuscope does not use it for {name}. If it belongs there, name it in a manifest."


def _lacking(name: str, path: str, columns: Iterable[Column]) -> str:
    roles = Counter(column.role for column in columns)
    n_systems, n_references = roles["hypothesis"], roles["reference"]
    lacking = "reference" if n_references == 0 else "output of a system"
    return str(
        InputError(
            f"its test set, {shown(name)}, has no {lacking}",
            where=path,
            found=f"{n_systems} output{'s' * (n_systems != 1)}, {counted(n_references, 'reference')}",
            expected="at least one of each",
            remedy=f'Add a file with "{"ref" if n_references == 0 else "hyp"}" in its name, or name the files in a '
            "manifest.",
        )
    )
