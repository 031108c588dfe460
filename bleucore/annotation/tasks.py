"""Tasks: which outputs are to be annotated, by whom and in which order, so that nobody sees whose output it is."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np

from bleucore.annotation.marks import long_clusters
from bleucore.annotation.schemes import Scheme, scheme_from_json, scheme_to_json
from bleucore.corpus import TestSet
from bleucore.errors import InputError
from bleucore.judgements.records import Draw
from bleucore.sampling.design import Sample
from bleucore.values import lone_surrogate, shown, system_words, unknown_name
from bleucore.written_numbers import counted

USUAL_OVERLAP, USUAL_SEED = 0.15, 12345
MOST_ITEMS, MOST_ANNOTATORS, MOST_ATTENTION = 100_000, 200, 100
MOST_OF_NAME = 100
"""Characters of the name of a task or an annotator."""
ADJUDICATOR = "adjudicator:"
"""What the name of an annotator begins with who decides between others."""
FEWEST_TO_SPOIL = 12
"""Characters of an output in which an attention check can plant an error."""
SPOILED_SHARE = 0.3


@dataclass(frozen=True)
class Item:
    """An output to annotate.

    Attributes:
        id: Within the task; it says nothing about the system.
        segment: From 0.
        system: Whose output it is; annotators never see it.
        document: Of the segment; "" where it is unknown.
        text: The output.
        source: Of the segment; "" where it is unknown.
        reference: The first one; ``None`` without one.
        draw: How the segment was sampled; ``None`` where all were taken.
        planted: The characters of an error that an attention check planted; ``None`` for a real output.
        place: The number of the segment within its document, from 1; of the whole test set where documents are unknown.
    """

    id: str
    segment: int
    system: str
    document: str
    text: str
    source: str = ""
    reference: str | None = None
    draw: Draw | None = None
    planted: tuple[int, int] | None = None
    place: int = 0

    def text_of(self, side: str) -> str:
        """The text that marks of a side lie in."""
        return self.source if side == "source" else self.text


@dataclass(frozen=True)
class Task:
    """Items, and who annotates which of them.

    Attributes:
        name: To show.
        scheme: Of severities and categories.
        items: All of them.
        annotators: Their names.
        assigned: By annotator the ids of items, in the order in which they are shown.
        overlap: The share of items that two annotators were to get.
        seed: Of orders and shares.
        test_set: The digest of the texts; "" where it is unknown.
        languages: Of source and target; ``None`` where they are not known.
        id: In a workspace; "" before it is stored.
        shows_reference: Whether annotators see the reference.
        shares_time: Annotators who let others see the time that they took; times are shown once all do.
        named_systems: Systems in the order of exported files; those of the items unless given.
        n_segments: Of the whole test set.
        counts_unfinished: Whether outputs count that nobody has finished: of marks that somebody makes while reading.
    """

    name: str
    scheme: Scheme
    items: tuple[Item, ...]
    annotators: tuple[str, ...]
    assigned: Mapping[str, tuple[str, ...]]
    overlap: float = 0.0
    seed: int = USUAL_SEED
    test_set: str = ""
    languages: tuple[str | None, str | None] = (None, None)
    id: str = ""
    shows_reference: bool = False
    shares_time: tuple[str, ...] = ()
    named_systems: tuple[str, ...] = ()
    n_segments: int = 0
    counts_unfinished: bool = False

    @cached_property
    def by_id(self) -> Mapping[str, Item]:
        """The items by their ids."""
        return MappingProxyType({item.id: item for item in self.items})

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems of real outputs, in the order of the items."""
        return tuple(dict.fromkeys(item.system for item in self.items if item.planted is None))

    def item(self, item_id: str) -> Item:
        """The item of an id.

        Raises:
            InputError: There is none.
        """
        found = self.by_id.get(item_id)
        if found is None:
            raise InputError(
                "there is no such item",
                where=f"Task {shown(self.name)}",
                found=shown(item_id),
                remedy="Open the link to the task again.",
            )
        return found

    def items_of(self, annotator: str) -> tuple[Item, ...]:
        """What an annotator is to annotate, in order."""
        return tuple(self.by_id[name] for name in self.assigned.get(annotator, ()))


def planned(  # noqa: PLR0913  # a plan has as many choices
    test_set: TestSet,
    draw: Sample | None,
    annotators: Sequence[str],
    *,
    scheme: Scheme,
    name: str = "Annotation",
    systems: Sequence[str] | None = None,
    overlap: float = USUAL_OVERLAP,
    seed: int = USUAL_SEED,
    attention: int = 0,
    shows_reference: bool = False,
) -> Task:
    """A task: who annotates what.

    A unit is a document, or a segment where documents are unknown, with the outputs of all systems: differences between
    systems are then not differences between annotators. Units are shared out so that all have about the same number of
    items. The share ``overlap`` of items goes to two annotators. Each annotator has an order of documents of their own,
    and in each document another order of systems; a system's segments of a document stay together, in their order.

    Args:
        test_set: With the outputs.
        draw: Which segments; ``None`` for all.
        annotators: Their names, each once.
        scheme: Of severities and categories.
        name: Of the task.
        systems: Whose outputs; all unless given.
        overlap: From 0 to 1.
        seed: Of all that is random.
        attention: So many outputs with a planted error for each annotator.
        shows_reference: Whether annotators see the reference.

    Raises:
        InputError: There are no annotators, too many of anything, a name is unknown or there twice, or overlap and
            attention are out of bounds.
    """
    names = _checked_names(annotators)
    _refuse_bounds(overlap, attention)
    chosen = tuple(dict.fromkeys(test_set.system_names if systems is None else systems))
    columns = {system.name: system.hypotheses for system in test_set.systems}
    for system in chosen:
        if system not in columns:
            raise unknown_name("system", system, columns, where="Annotation", remedy="Choose one of these systems.")
    segments = sorted(range(test_set.n_segments) if draw is None else draw.segments.tolist())
    _refuse_many(len(segments) * len(chosen))
    random = np.random.default_rng(seed)
    items = _items(test_set, columns, chosen, segments, draw)
    units = _units(items)
    shares = _shared_out(units, names, overlap, random)
    planted = [_planted(items, attention, random, place) for place in range(len(shares))] if attention else []
    all_items = (*items, *(item for of in planted for item in of))
    renamed = dict(zip((item.id for item in all_items), _opaque_ids(len(all_items), random), strict=True))
    final = tuple(replace(item, id=renamed[item.id]) for item in all_items)
    orders: dict[str, tuple[str, ...]] = {}
    for place, (annotator, of) in enumerate(shares.items()):
        order = _ordered(units, of, random)
        for item in planted[place] if planted else ():
            order.insert(int(random.integers(len(order) + 1)), item.id)
        orders[annotator] = tuple(renamed[item] for item in order)
    return Task(
        _tidy_name(name, "task"),
        scheme,
        final,
        names,
        MappingProxyType(orders),
        overlap,
        seed,
        test_set.texts_digest,
        test_set.languages,
        shows_reference=shows_reference,
        n_segments=test_set.n_segments,
    )


def shown_item(task: Task, item: Item) -> dict[str, object]:
    """What an annotator's browser gets of an item: nothing of it names a system, a segment or a document.

    ``clusters`` are the stretches of several code points that no mark may split: of text, source and reference.
    """
    reference = item.reference if task.shows_reference else None
    return {
        "item": item.id,
        "text": item.text,
        "source": item.source,
        "reference": reference,
        "clusters": {
            "text": [list(span) for span in long_clusters(item.text)],
            "source": [list(span) for span in long_clusters(item.source)],
        },
    }


def places_in_documents(test_set: TestSet) -> tuple[int, ...]:
    """The number of each segment within its document, from 1; within the test set where documents are unknown."""
    counts: dict[str, int] = {}
    found = []
    for document in test_set.documents or ("",) * test_set.n_segments:
        counts[document] = counts.get(document, 0) + 1
        found.append(counts[document])
    return tuple(found)


def task_to_json(task: Task) -> bytes:
    """The task as a file that ``task_from_json`` reads."""
    said = {
        "name": task.name,
        "scheme": scheme_to_json(task.scheme),
        "items": [_item_to_json(item) for item in task.items],
        "annotators": list(task.annotators),
        "assigned": {name: list(items) for name, items in task.assigned.items()},
        "overlap": task.overlap,
        "seed": task.seed,
        "test_set": task.test_set,
        "languages": list(task.languages),
        "shows_reference": task.shows_reference,
        "shares_time": list(task.shares_time),
        "named_systems": list(task.named_systems),
        "n_segments": task.n_segments,
        "counts_unfinished": task.counts_unfinished,
    }
    return json.dumps(said, ensure_ascii=False, sort_keys=True).encode()


def task_from_json(data: bytes) -> Task:
    """The task of a file that ``task_to_json`` wrote.

    Raises:
        InputError: It is no such file.
    """
    try:
        said = json.loads(data)
        items = tuple(_item_from_json(one) for one in said["items"])
        source, target = said["languages"]
        task = Task(
            str(said["name"]),
            scheme_from_json(said["scheme"]),
            items,
            tuple(map(str, said["annotators"])),
            MappingProxyType({str(name): tuple(map(str, of)) for name, of in said["assigned"].items()}),
            float(said["overlap"]),
            int(said["seed"]),
            str(said["test_set"]),
            (None if source is None else str(source), None if target is None else str(target)),
            shows_reference=said["shows_reference"] is True,
            shares_time=tuple(map(str, said["shares_time"])),
            named_systems=tuple(map(str, said.get("named_systems", ()))),
            n_segments=int(said.get("n_segments", 0)),
            counts_unfinished=said.get("counts_unfinished") is True,
        )
        lost = [name for of in task.assigned.values() for name in of if name not in task.by_id]
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise _no_task(shown(error)) from error
    if lost or len(task.by_id) < len(items) or len(items) > MOST_ITEMS:
        raise _no_task(f"the item {shown(lost[0])}, which it does not have" if lost else counted(len(items), "item"))
    return task


def _no_task(found: str) -> InputError:
    return InputError("this is no task of annotation", found=found, expected="a task as bleuscope wrote it")


def _item_to_json(item: Item) -> list[object]:
    return [
        item.id,
        item.segment,
        item.system,
        item.document,
        item.text,
        item.source,
        item.reference,
        None if item.draw is None else list(item.draw),
        None if item.planted is None else list(item.planted),
        item.place,
    ]


def _item_from_json(said: Sequence[Any]) -> Item:
    name, segment, system, document, text, source, reference, draw, planted, place = said
    return Item(
        str(name),
        int(segment),
        str(system),
        str(document),
        str(text),
        str(source),
        None if reference is None else str(reference),
        None if draw is None else Draw(float(draw[0]), int(draw[1]), str(draw[2])),
        None if planted is None else (int(planted[0]), int(planted[1])),
        int(place),
    )


def _checked_names(annotators: Sequence[str]) -> tuple[str, ...]:
    names = tuple(_tidy_name(name, "annotator") for name in annotators)
    if not 0 < len(names) <= MOST_ANNOTATORS or len(set(names)) < len(names):
        twice = next((name for name in names if names.count(name) > 1), None)
        raise InputError(
            "the annotators cannot be used",
            where="Annotation",
            found=f"{shown(twice)} twice" if twice else counted(len(names), "annotator"),
            expected=f"1 to {MOST_ANNOTATORS} different names",
            remedy="Give each annotator a name of their own.",
        )
    return names


def _tidy_name(name: str, what: str) -> str:
    tidy = " ".join(name.split())
    if (
        not 0 < len(tidy) <= MOST_OF_NAME
        or tidy.startswith(ADJUDICATOR)
        or lone_surrogate(tidy) is not None
        or not tidy.isprintable()
    ):
        raise InputError(
            f"the name of the {what} cannot be used",
            where="Annotation",
            found=shown(name),
            expected=f"1 to {MOST_OF_NAME} characters that can be printed",
            remedy="Choose another name.",
        )
    return tidy


def _refuse_bounds(overlap: float, attention: int) -> None:
    if not 0 <= overlap <= 1 or not 0 <= attention <= MOST_ATTENTION:
        is_overlap = not 0 <= overlap <= 1
        raise InputError(
            "the share of overlap is not accepted" if is_overlap else "the number of attention checks is not accepted",
            where="Annotation",
            found=shown(overlap if is_overlap else attention),
            expected="0 to 1" if is_overlap else f"0 to {MOST_ATTENTION}",
            remedy="Choose another value.",
        )


def _refuse_many(n_items: int) -> None:
    if not 0 < n_items <= MOST_ITEMS:
        raise InputError(
            "there is nothing to annotate" if not n_items else "there is too much to annotate",
            where="Annotation",
            found=counted(n_items, "output"),
            expected=f"1 to {MOST_ITEMS:,}",
            remedy="Sample segments, or choose systems.",
        )


def _items(
    test_set: TestSet,
    columns: Mapping[str, Sequence[str]],
    systems: Sequence[str],
    segments: Sequence[int],
    draw: Sample | None,
) -> list[Item]:
    """The outputs, under ids that are replaced later."""
    references = test_set.references[0] if test_set.references else None
    places = places_in_documents(test_set)
    return [
        Item(
            f"{system_words(system)} {segment}",
            segment,
            system,
            "" if test_set.documents is None else test_set.documents[segment],
            columns[system][segment],
            "" if test_set.source is None else test_set.source[segment],
            None if references is None else references[segment],
            None if draw is None else _draw_of(test_set, draw, segment),
            place=places[segment],
        )
        for segment in segments
        for system in systems
    ]


def _draw_of(test_set: TestSet, draw: Sample, segment: int) -> Draw:
    is_document = draw.unit == "document" and test_set.documents is not None
    unit = test_set.documents[segment] if is_document and test_set.documents is not None else str(segment + 1)
    return Draw(float(draw.weights[segment]), int(draw.strata[segment]), unit)


def _units(items: Iterable[Item]) -> list[list[Item]]:
    """Items of one document, or of one segment where documents are unknown."""
    units: dict[str | int, list[Item]] = {}
    for item in items:
        units.setdefault(item.document or item.segment, []).append(item)
    return list(units.values())


def _shared_out(
    units: Sequence[Sequence[Item]], names: Sequence[str], overlap: float, random: np.random.Generator
) -> dict[str, list[int]]:
    """The units of each annotator: each goes to whoever has the least; some go to a second one."""
    shares: dict[str, list[int]] = {name: [] for name in names}
    loads = np.zeros(len(names))
    order = random.permutation(len(units)).tolist()
    n_twice, wanted = 0, overlap * sum(map(len, units)) if len(names) > 1 else 0.0
    for unit in order:
        first = _least(loads, random)
        shares[names[first]].append(unit)
        loads[first] += len(units[unit])
        if n_twice < wanted - 1e-9:
            held = loads.copy()
            held[first] = np.inf
            second = _least(held, random)
            shares[names[second]].append(unit)
            loads[second] += len(units[unit])
            n_twice += len(units[unit])
    return shares


def _least(loads: np.ndarray[Any, np.dtype[np.float64]], random: np.random.Generator) -> int:
    return int(random.choice(np.flatnonzero(loads == loads.min())))


def _ordered(units: Sequence[Sequence[Item]], of: Sequence[int], random: np.random.Generator) -> list[str]:
    """The ids of these units: units in a drawn order, in each of them systems in a drawn order."""
    ids: list[str] = []
    for unit in random.permutation(np.array(of, np.int64)).tolist():
        systems = list(dict.fromkeys(item.system for item in units[unit]))
        for place in random.permutation(len(systems)).tolist():
            ids += [item.id for item in units[unit] if item.system == systems[place]]
    return ids


def _planted(items: Sequence[Item], attention: int, random: np.random.Generator, annotator: int) -> list[Item]:
    """Outputs in which a stretch is replaced by one of another output."""
    long = [item for item in items if len(item.text) >= FEWEST_TO_SPOIL]
    if not long:
        return []
    found = []
    for number in range(attention):
        one, other = (long[int(random.integers(len(long)))] for _ in range(2))
        text, planted = _spoiled(one.text, other.text)
        found.append(replace(one, id=f"attention {annotator} {number}", text=text, planted=planted, draw=None))
    return found


def _spoiled(text: str, other: str) -> tuple[str, tuple[int, int]]:
    """A text whose middle is the beginning of another one, and where that is."""
    length = max(1, int(len(text) * SPOILED_SHARE))
    start, end = _cut(text, (len(text) - length) // 2), _cut(text, (len(text) + length) // 2)
    piece = other[: _cut(other, min(len(other), max(length, 4)))][::-1] or "?"
    piece = piece if not long_clusters(piece) else "?" * length
    return text[:start] + piece + text[end:], (start, start + len(piece))


def _cut(text: str, offset: int) -> int:
    """The nearest place before an offset that splits no grapheme."""
    return next((start for start, end in long_clusters(text) if start < offset < end), offset)


def _opaque_ids(number: int, random: np.random.Generator) -> list[str]:
    width = len(str(max(number - 1, 1)))
    return [f"{place:0{width}d}" for place in random.permutation(number).tolist()]
