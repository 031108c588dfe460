"""What readers of dumps in JSON share: flat records with usual names, and how parts of a document are found."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bleucore.errors import InputError
from bleucore.formats.item_ids import counted_order
from bleucore.formats.json_values import JsonPlace, Number
from bleucore.values import shown

Record = dict[str, object]
ID, SYSTEM, RUN, SOURCE, REFERENCE, OUTPUT = "custom_id", "system", "run", "source", "reference", "hypothesis"


@dataclass(frozen=True)
class Dump:
    """What a program wrote.

    Attributes:
        records: One for each answer.
        notice: What it was taken for, in a sentence.
        is_unordered: Whether the order of the records says nothing.
        is_counted: Whether ids that count tell the order, where that of the records does not.
        outputs: The names under which outputs of systems stand, where no usual name says it.
        system: Whose answers all are, where the name of the file says no more than when it was written; else "".
    """

    records: Sequence[Record]
    notice: str
    is_unordered: bool = False
    is_counted: bool = True
    outputs: tuple[str, ...] = ()
    system: str = ""

    def in_order(self) -> "Dump":
        """The same, in the order of ids that count, where the order says nothing."""
        ids = [str(record[ID]) for record in self.records] if self.is_unordered and self.is_counted else []
        distinct = list(dict.fromkeys(ids))
        order = counted_order(distinct)
        if not ids or order is None:
            return self
        places = {distinct[place]: number for number, place in enumerate(order)}
        rows = sorted(range(len(ids)), key=lambda row: places[ids[row]])
        return replace(self, records=[self.records[row] for row in rows], is_unordered=False)


def all_have(items: Sequence[Record], *names: str) -> bool:
    """Whether every record has all of these names."""
    return all(all(name in item for name in names) for item in items)


def at(value: object, *path: str | int) -> object:
    """What stands at a path; ``None`` where there is nothing."""
    for step in path:
        if isinstance(step, str) and isinstance(value, dict):
            value = value.get(step)
        elif isinstance(step, int) and isinstance(value, list) and len(value) > step:
            value = value[step]
        else:
            return None
    return value


def text_of(content: object) -> str | None:
    """A message's text: as it is, or of parts that hold text each."""
    if isinstance(content, str) and not isinstance(content, Number):
        return content
    if isinstance(content, list):
        parts = [
            text_of(at(part, "text")) or text_of(at(part, "content")) for part in content if isinstance(part, dict)
        ]
        known = [part for part in parts if part is not None]
        return "".join(known) if known else None
    return None


def last_message(messages: object, *roles: str) -> str | None:
    """The last message of somebody."""
    found = None
    for one in messages if isinstance(messages, list) else ():
        role = str(at(one, "role") or at(one, "from") or "")
        text = text_of(at(one, "content") or at(one, "value"))
        if role in roles and text is not None:
            found = text
    return found


def missing(file: str, place: JsonPlace, what: str, found: object) -> InputError:
    """How a file is refused in which an answer is missing."""
    return place.refusal(
        file,
        f"{what} without an answer",
        found=shown(str(found)) if found else "none",
        expected="an answer in each line",
        remedy='Ask for it again, or write "" as its answer in a table of your own.',
    )
