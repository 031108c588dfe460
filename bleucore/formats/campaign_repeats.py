"""Test sets that a campaign holds twice, as text and as XML: counted twice, they would count too much."""

from collections.abc import Mapping, Sequence

from bleucore.formats.campaign_looks import Look
from bleucore.formats.campaign_names import Group
from bleucore.formats.campaign_plan import PlannedFile, PlannedSet
from bleucore.formats.name_parts import test_set_of

_LINES = 20


def repeated_sets(sets: Sequence[tuple[PlannedSet, Group]], looks: Mapping[str, Look]) -> dict[int, int]:
    """The places of test sets of which another one that says no other pair or name holds all texts; with its place.

    Where names say neither, both are in one folder.

    The one with documents stays before one without, and then the first.
    """
    beginnings = [_beginnings(planned, looks) for planned, _ in sets]
    order = sorted(
        range(len(sets)), key=lambda index: (sets[index][0].documents is None, not _has_keys(sets[index][0]))
    )
    by_name: dict[tuple[object, ...], list[int]] = {}
    found: dict[int, int] = {}
    for index in sorted(order, key=lambda index: -len(beginnings[index])):
        group = sets[index][1]
        if not beginnings[index]:
            continue
        called = {test_set_of(word) or word for word in group.test_set} - {"all"}
        is_told = group.pair is not None and bool(group.test_set)
        place = () if is_told else (group.root, group.stem, sets[index][0].n_segments)
        others = by_name.setdefault((group.pair, *place, *sorted(called)), [])
        same = next((other for other in others if beginnings[index] <= beginnings[other]), None)
        if same is None:
            others.append(index)
        else:
            found[index] = same
    return found


def _has_keys(planned: PlannedSet) -> bool:
    """Whether a format holds the texts, which tells documents by itself."""
    return any(file.column is not None for file in planned.systems.values())


def _beginnings(planned: PlannedSet, looks: Mapping[str, Look]) -> frozenset[tuple[str, ...]]:
    """How references and outputs begin, but for blanks."""
    files = (*planned.references.values(), *planned.systems.values())
    return frozenset(_beginning(file, looks[file.name]) for file in files if file.name in looks)


def _beginning(file: PlannedFile, look: Look) -> tuple[str, ...]:
    column = next(one for one in look.columns if file.column in (None, one.name))
    return tuple(" ".join((text or "").split()) for text in column.segments[:_LINES])
