"""Files by their paths and what was seen of each -> test sets, of a campaign or of one drop."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from bleucore.formats.campaign_harness import harness_of, is_harness, task_set
from bleucore.formats.campaign_looks import Look
from bleucore.formats.campaign_names import Group, grouped, pair_in, set_names
from bleucore.formats.campaign_plan import PlannedFile, PlannedSet
from bleucore.formats.campaign_repeats import repeated_sets
from bleucore.formats.campaign_roles import Reasons, Sorted, apart, joined_by_references, sorted_out
from bleucore.formats.campaign_systems import with_common_names
from bleucore.formats.copied_texts import copies_among

Heads = tuple[tuple[str | None, ...], ...]
"""How the references of a test set begin."""


@dataclass(frozen=True)
class SortedSets:
    """Test sets.

    Attributes:
        sets: Each with the beginnings of its references.
        left_out: Paths of files that could be read and are in none, with reasons.
    """

    sets: tuple[tuple[PlannedSet, Heads], ...]
    left_out: Reasons


def sorted_sets(
    title: str, files: Mapping[str, PlannedFile], looks: Mapping[str, Look], *, aligns: bool = False
) -> SortedSets:
    """The test sets of files: grouped by names and contents, each with roles, systems under the same names in all.

    Args:
        title: What the files came in.
        files: By their paths in it.
        looks: What was seen of those that could be read, by the same paths.
        aligns: Whether outputs may have other lines than the references, to be cut anew.
    """
    copies = _copies(looks)
    looks = {path: look for path, look in looks.items() if path not in copies}
    harness = harness_of(looks)
    pair = pair_in(title)
    groups = [*(part for group in grouped(harness.rest) for part in apart(group, looks)), *harness.groups]
    if not any(group.pair for group in groups):
        groups = [replace(group, pair=pair) for group in groups]
    left_out: list[tuple[str, str]] = []
    found = _planned(title, groups, files, looks, left_out, partial(sorted_out, aligns=aligns))
    named = with_common_names([(planned, group) for planned, group, _ in found])
    heads = [heads for _, _, heads in found]
    return SortedSets(tuple(zip(named, heads, strict=True)), (*copies.items(), *harness.left_out, *left_out))


def _copies(looks: Mapping[str, Look]) -> dict[str, str]:
    """Why files of one text are copies of others, by path."""
    plain = [path for path, look in looks.items() if look.is_plain]
    columns = [replace(looks[path].columns[0], file=path) for path in plain]
    return {plain[place]: reason for place, reason in copies_among(columns, range(len(columns))).items()}


def _planned(
    title: str,
    groups: Sequence[Group],
    files: Mapping[str, PlannedFile],
    looks: Mapping[str, Look],
    left_out: list[tuple[str, str]],
    sort_out: Callable[..., Sorted],
) -> list[tuple[PlannedSet, Group, Heads]]:
    """The test sets of groups; one that is there twice is taken once."""
    sorts: list[Callable[..., Sorted]] = [task_set if is_harness(group) else sort_out for group in groups]
    names = set_names(groups, title)
    done = [sort(name, group, files, looks, title) for sort, name, group in zip(sorts, names, groups, strict=True)]
    sets = [(one.planned, group, one.heads) for one, group in zip(done, groups, strict=True) if one.planned is not None]
    repeated = repeated_sets([(planned, group) for planned, group, _ in sets], looks)
    if not repeated:
        joined = joined_by_references(
            groups, [None if is_harness(one) else sort for one, sort in zip(groups, done, strict=True)]
        )
        if len(joined) < len(groups):
            return _planned(title, joined, files, looks, left_out, sort_out)
        left_out += [reason for one in done for reason in one.left_out]
        return sets
    for index, other in repeated.items():
        first = next(iter(sets[other][0].references.values())).name
        left_out += [
            (path, f"{path}: the same test set is read from {first} and the files next to it.")
            for path in sets[index][1].paths
            if path in looks
        ]
    twice = [sets[index][1] for index in repeated]
    return _planned(title, [group for group in groups if group not in twice], files, looks, left_out, sort_out)
