"""What goes between the pen and the store: letters of events come in, what was saved and the next texts go out."""

import hashlib
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from bleucore.annotation.events import from_json, state_to_json
from bleucore.annotation.schemes import Scheme
from bleucore.annotation.tasks import Item, Task, shown_item
from bleucore.errors import InputError
from bleuscope.features.annotation.store import AnnotationStore, TaskEndedError
from bleuscope.workspace.errors import WorkspaceError

MOST_EVENTS = 200
"""Of one letter; the pen sends half as many."""
MOST_OF_NAME = 200
LARGEST_NUMBER = 10**9
AHEAD = 3
"""Items that the browser has before they are asked for, so that the next one is there at once."""
SUBCATEGORY_LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class Answer:
    """What became of a letter.

    Attributes:
        number: Of the letter; 0 before the first.
        acknowledged: The number of each stored event, by its client id.
        refused: Why an event was not stored and never will be, by its client id.
        asked: The item that the browser has opened; ``None`` for the next one that is not finished.
    """

    number: int = 0
    acknowledged: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    refused: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    asked: str | None = None


def answered(store: AnnotationStore, task_id: str, annotator: str, letter: object) -> Answer:
    """Store the events of a letter, as far as they are events of this annotator.

    What cannot be stored now, because the disk is full or the database is away, is neither acknowledged nor refused:
    the browser keeps it and sends it again.
    """
    if not isinstance(letter, Mapping):
        return Answer()
    number, events, asked = letter.get("number"), letter.get("events"), letter.get("open")
    if not isinstance(number, int) or not 0 <= number <= LARGEST_NUMBER or not isinstance(events, Sequence):
        return Answer()
    acknowledged: dict[str, int] = {}
    refused: dict[str, str] = {}
    for event in events[:MOST_EVENTS]:
        name = event.get("client_id") if isinstance(event, Mapping) else None
        if not isinstance(event, Mapping) or not isinstance(name, str) or len(name) > MOST_OF_NAME:
            continue
        item, base = event.get("item"), event.get("base")
        try:
            body = from_json(event.get("body"))
            base = base if isinstance(base, int) and 0 <= base <= LARGEST_NUMBER else 0
            acknowledged[name] = store.append(task_id, str(item), annotator, body, base, name)
        except (WorkspaceError, TaskEndedError):  # the browser keeps it, and sends it again
            break
        except InputError as error:
            refused[name] = str(error)
    return Answer(number, acknowledged, refused, asked if isinstance(asked, str) else None)


def for_browser(  # noqa: PLR0913  # what a pen shows
    store: AnnotationStore,
    task: Task,
    annotator: str,
    answer: Answer,
    *,
    items: Sequence[Item],
    is_alone: bool = False,
    is_read_only: bool = False,
) -> dict[str, object]:
    """What the browser draws: the open item, the one before and the next ones, each with its state.

    Args:
        store: Of the workspace.
        task: That is annotated.
        annotator: By whom.
        answer: To the last letter.
        items: That the annotator goes through, in order.
        is_alone: Whether the pen is a part of a page that has keys of its own, for one output.
        is_read_only: Whether nothing can be marked.
    """
    finished = store.finished_and_begun(task.id, annotator)[0] & {item.id for item in items}
    place = 0 if is_alone else _place(items, answer.asked, finished)
    if place is None and is_read_only:
        place = 0
    shown = [len(items) - 1] if place is None else _beside(items, place, finished)
    return {
        "place": hashlib.sha256(f"{task.id}\n{annotator}".encode(errors="surrogatepass")).hexdigest()[:16],
        "items": [_item(store, task, annotator, items[index], index) for index in shown],
        "open": None if place is None else items[place].id,
        "of": len(items),
        "n_finished": len(finished),
        "is_done": place is None,
        "scheme": scheme_for_browser(task.scheme),
        "is_read_only": is_read_only,
        "is_alone": is_alone,
        "answer": {
            "number": answer.number,
            "acknowledged": dict(answer.acknowledged),
            "refused": dict(answer.refused),
        },
    }


def scheme_for_browser(scheme: Scheme) -> dict[str, object]:
    """A scheme with a letter for each subcategory: the first of its name that is free, or any."""
    return {
        "severities": [{"name": one.name} for one in scheme.severities],
        "categories": [
            {"key": one.key, "name": one.name, "parts": _with_letters(one.subcategories)} for one in scheme.categories
        ],
        "has_slider": scheme.has_slider,
    }


def _with_letters(names: Sequence[str]) -> list[dict[str, str]]:
    taken: set[str] = set()
    found = []
    for name in names:
        own = [letter for letter in name.lower() if letter in SUBCATEGORY_LETTERS]
        letter = next((one for one in (*own, *SUBCATEGORY_LETTERS) if one not in taken), "")
        taken.add(letter)
        found.append({"key": letter, "name": name})
    return found


def _place(items: Sequence[Item], asked: str | None, finished: set[str]) -> int | None:
    """The item that is open: what was asked for, else the first that is not finished; ``None`` after the last."""
    places = {item.id: place for place, item in enumerate(items)}
    if asked in places:
        return places[asked]
    return next((place for place, item in enumerate(items) if item.id not in finished), None)


def _beside(items: Sequence[Item], place: int, finished: set[str]) -> list[int]:
    """The open item, the one before, the one after, and the next ones to do."""
    to_do = [index for index in range(place + 1, len(items)) if items[index].id not in finished][:AHEAD]
    near = [index for index in (place - 1, place, place + 1) if 0 <= index < len(items)]
    return sorted({*near, *to_do})


def _item(store: AnnotationStore, task: Task, annotator: str, item: Item, index: int) -> dict[str, object]:
    source, target = task.languages
    return {
        **shown_item(task, item),
        "number": index + 1,
        "lang": target or "",
        "source_lang": source or "",
        "direction": direction(item.text),
        "source_direction": direction(item.source),
        "state": state_to_json(store.state(task.id, item.id, annotator)),
    }


def direction(text: str) -> str:
    """How a text runs, by its first letter, as HTML's ``dir="auto"`` finds it: "ltr" or "rtl"."""
    kinds = (unicodedata.bidirectional(letter) for letter in text)
    return "rtl" if next((kind for kind in kinds if kind in ("L", "R", "AL")), "L") != "L" else "ltr"
