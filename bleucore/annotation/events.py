"""Events of annotation: each thing that an annotator does to an item, and what all of them come to.

Nothing is overwritten. An event says which revision its window had seen; whatever another window did meanwhile is kept
next to it, and the state says so.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Literal, TypeAlias, cast

from bleucore.annotation.marks import (
    MOST_OF_COMMENT,
    Mark,
    json_object,
    json_text,
    mark_from_json,
    mark_to_json,
)
from bleucore.errors import InputError
from bleucore.values import shown

LOWEST_SCORE, HIGHEST_SCORE = 0.0, 100.0
MOST_SECONDS = 10.0**7
MARK_ID = re.compile(r"[A-Za-z0-9_-]{1,64}(?:~[0-9]{1,9})?")
WINDOW = re.compile(r"[A-Za-z0-9_-]{1,64}(?:\.[0-9]{1,12})?")
"""``WINDOW.NUMBER``: the events of one window are never in conflict with each other."""


@dataclass(frozen=True)
class Marked:
    """A new mark."""

    mark_id: str
    mark: Mark


@dataclass(frozen=True)
class Changed:
    """Another mark instead of the one of this id."""

    mark_id: str
    mark: Mark


@dataclass(frozen=True)
class Removed:
    """A mark taken away."""

    mark_id: str


@dataclass(frozen=True)
class Scored:
    """A score from 0 to 100; ``None`` takes it back."""

    score: float | None


@dataclass(frozen=True)
class Commented:
    """What the annotator says of the whole item."""

    comment: str


@dataclass(frozen=True)
class Finished:
    """The item is done; so many seconds since it was shown."""

    seconds: float


@dataclass(frozen=True)
class Reopened:
    """The item is not done after all."""


EventBody: TypeAlias = Marked | Changed | Removed | Scored | Commented | Finished | Reopened
Kind: TypeAlias = Literal["marked", "changed", "removed", "scored", "commented", "finished", "reopened"]
KINDS: Mapping[type, Kind] = MappingProxyType(
    {
        Marked: "marked",
        Changed: "changed",
        Removed: "removed",
        Scored: "scored",
        Commented: "commented",
        Finished: "finished",
        Reopened: "reopened",
    }
)


@dataclass(frozen=True)
class Event:
    """Something that an annotator did.

    Attributes:
        number: Its place among the annotator's events of the item, from 1: the revision that it makes.
        item: The item.
        annotator: Who.
        body: What.
        base: The revision that the window had seen; 0 for none.
        window: Which window; "" where nobody says.
    """

    number: int
    item: str
    annotator: str
    body: EventBody
    base: int
    window: str = ""


@dataclass(frozen=True)
class Conflict:
    """What two windows did to an item without seeing each other. Both are kept.

    Attributes:
        about: "marks" for two that were added, "mark" for one that both changed or one removed, "score", "comment".
        mark_ids: The marks concerned.
        number: The later event.
        unseen: The earlier ones.
    """

    about: Literal["marks", "mark", "score", "comment"]
    mark_ids: tuple[str, ...]
    number: int
    unseen: tuple[int, ...]


@dataclass(frozen=True)
class ItemState:
    """What an annotator says of an item.

    Attributes:
        marks: By their ids, in the order in which they were made.
        score: From 0 to 100; ``None`` without one.
        comment: Of the whole item.
        is_finished: Whether the annotator is done with it.
        seconds: That it took, all sittings added up.
        revision: The number of the last event; 0 before the first.
        conflicts: What two windows did at once and nobody has settled.
    """

    marks: Mapping[str, Mark] = field(default_factory=lambda: MappingProxyType({}))
    score: float | None = None
    comment: str = ""
    is_finished: bool = False
    seconds: float = 0.0
    revision: int = 0
    conflicts: tuple[Conflict, ...] = ()


def folded(events: Iterable[Event]) -> ItemState:
    """What the events of one item and annotator come to, in the order of their numbers.

    Of two windows that changed the same mark without seeing each other, the later change has its id, and the earlier
    one stays as ``ID~NUMBER``. A mark that one window changed and another removed stays. Whoever finishes the item, or
    touches a mark concerned, after having seen a conflict has settled it.
    """
    state = ItemState()
    past: list[Event] = []
    for event in sorted(events, key=lambda one: one.number):
        unseen = [one for one in past if one.number > event.base and not (one.window and one.window == event.window)]
        state = _after(state, event, unseen)
        past.append(event)
    return state


def _after(state: ItemState, event: Event, unseen: list[Event]) -> ItemState:
    body, marks = event.body, dict(state.marks)
    made = replace(state, revision=event.number, conflicts=_still_open(state.conflicts, event))
    conflict: Conflict | None = None
    match body:
        case Marked() | Changed():
            conflict = _on_mark(event, body, unseen, marks)
            marks[body.mark_id] = body.mark
            made = replace(made, marks=MappingProxyType(marks))
        case Removed():
            changes = [one for one in unseen if _touches(one, body.mark_id) and isinstance(one.body, Marked | Changed)]
            if changes:
                conflict = Conflict("mark", (body.mark_id,), event.number, _numbers(changes))
            else:
                marks.pop(body.mark_id, None)
            made = replace(made, marks=MappingProxyType(marks))
        case Scored():
            others = [one for one in unseen if isinstance(one.body, Scored) and one.body != body]
            conflict = Conflict("score", (), event.number, _numbers(others)) if others else None
            made = replace(made, score=body.score)
        case Commented():
            others = [one for one in unseen if isinstance(one.body, Commented) and one.body != body]
            conflict = Conflict("comment", (), event.number, _numbers(others)) if others else None
            earlier = f"{state.comment}\n" if others and state.comment else ""
            made = replace(made, comment=(earlier + body.comment)[:MOST_OF_COMMENT])
        case Finished():
            made = replace(made, is_finished=True, seconds=min(state.seconds + body.seconds, MOST_SECONDS))
        case Reopened():
            made = replace(made, is_finished=False)
    return made if conflict is None else replace(made, conflicts=(*made.conflicts, conflict))


def _on_mark(event: Event, body: Marked | Changed, unseen: list[Event], marks: dict[str, Mark]) -> Conflict | None:
    """The conflict of a mark with what its window had not seen; an earlier version of it stays next to it."""
    same = [one for one in unseen if _touches(one, body.mark_id)]
    if same:
        kept = marks.get(body.mark_id)
        if kept == body.mark:
            return None
        beside = f"{body.mark_id}~{same[-1].number}"
        if kept is not None:
            marks[beside] = kept
        both = (body.mark_id,) if kept is None else (body.mark_id, beside)
        return Conflict("mark", both, event.number, _numbers(same))
    added = [one for one in unseen if isinstance(one.body, Marked) and one.body.mark_id in marks]
    if isinstance(body, Marked) and added:
        names = tuple(cast("Marked", one.body).mark_id for one in added)
        return Conflict("marks", (*names, body.mark_id), event.number, _numbers(added))
    return None


def _touches(event: Event, mark_id: str) -> bool:
    return isinstance(event.body, Marked | Changed | Removed) and event.body.mark_id == mark_id


def _numbers(events: list[Event]) -> tuple[int, ...]:
    return tuple(one.number for one in events)


def _still_open(conflicts: tuple[Conflict, ...], event: Event) -> tuple[Conflict, ...]:
    """The conflicts that an event does not settle."""

    def is_settled(one: Conflict) -> bool:
        body = event.body
        if event.base < one.number:
            return False
        match body:
            case Finished():
                return True
            case Changed() | Removed():
                return body.mark_id in one.mark_ids
            case Scored():
                return one.about == "score"
            case Commented():
                return one.about == "comment"
        return False

    return tuple(one for one in conflicts if not is_settled(one))


def window_of(client_id: str) -> str:
    """The window that sent an event: what stands before the full stop of its id; "" without one.

    Raises:
        InputError: It is no such id.
    """
    if not WINDOW.fullmatch(client_id):
        raise _refusal("the id of an event is not accepted", client_id, "WINDOW.NUMBER, such as 3f2a-91.7")
    return client_id.rpartition(".")[0]


def to_json(body: EventBody) -> dict[str, object]:
    """What somebody did, as a JSON object."""
    said: dict[str, object] = {"kind": KINDS[type(body)]}
    match body:
        case Marked() | Changed():
            said |= {"mark_id": body.mark_id, "mark": mark_to_json(body.mark)}
        case Removed():
            said |= {"mark_id": body.mark_id}
        case Scored():
            said |= {"score": body.score}
        case Commented():
            said |= {"comment": body.comment}
        case Finished():
            said |= {"seconds": body.seconds}
        case Reopened():
            pass
    return said


def from_json(value: object) -> EventBody:
    """What somebody did, from a JSON object as a browser sends it.

    Raises:
        InputError: It is no such object, holds more than it should, or a value is out of bounds.
    """
    kind = value.get("kind") if isinstance(value, Mapping) else None
    if not isinstance(kind, str) or kind not in _READ:
        raise _refusal("this is no event of annotation", shown(kind), ", ".join(_READ))
    names, make = _READ[kind]
    return make(json_object(value, "event", ("kind", *names)))


def state_to_json(state: ItemState) -> dict[str, object]:
    """The state as a JSON object, for a browser."""
    return {
        "marks": {name: mark_to_json(mark) for name, mark in state.marks.items()},
        "score": state.score,
        "comment": state.comment,
        "is_finished": state.is_finished,
        "seconds": state.seconds,
        "revision": state.revision,
        "conflicts": [
            {
                "about": one.about,
                "mark_ids": list(one.mark_ids),
                "number": one.number,
                "unseen": list(one.unseen),
            }
            for one in state.conflicts
        ],
    }


def _mark_id(said: Mapping[str, object]) -> str:
    found = said.get("mark_id")
    if not isinstance(found, str) or not MARK_ID.fullmatch(found):
        raise _refusal("the id of a mark is not accepted", shown(found), "up to 64 letters, digits, - and _")
    return found


def _number(said: Mapping[str, object], name: str, most: float) -> float:
    found = said.get(name)
    if isinstance(found, bool) or not isinstance(found, int | float) or not 0 <= found <= most:
        raise _refusal(f"the value of {name} is not accepted", shown(found), f"a number from 0 to {most:g}")
    return float(found)


def _score(said: Mapping[str, object]) -> Scored:
    return Scored(None if said.get("score") is None else _number(said, "score", HIGHEST_SCORE))


_READ: Mapping[str, tuple[tuple[str, ...], Callable[[Mapping[str, object]], EventBody]]] = MappingProxyType(
    {
        "marked": (("mark_id", "mark"), lambda said: Marked(_mark_id(said), mark_from_json(said.get("mark")))),
        "changed": (("mark_id", "mark"), lambda said: Changed(_mark_id(said), mark_from_json(said.get("mark")))),
        "removed": (("mark_id",), lambda said: Removed(_mark_id(said))),
        "scored": (("score",), _score),
        "commented": (
            ("comment",),
            lambda said: Commented(json_text(said.get("comment"), "comment", MOST_OF_COMMENT)),
        ),
        "finished": (("seconds",), lambda said: Finished(_number(said, "seconds", MOST_SECONDS))),
        "reopened": ((), lambda _: Reopened()),
    }
)


def _refusal(problem: str, found: object, expected: str) -> InputError:
    return InputError(
        problem, where="Annotation", found=found, expected=expected, remedy="Load the page again, and try once more."
    )
