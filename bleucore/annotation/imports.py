"""Judgements that were read from a file -> a task with the events that come to the same."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from bleucore.annotation.events import Event, EventBody, Finished, Marked, Scored
from bleucore.annotation.marks import Mark, checked, long_clusters
from bleucore.annotation.schemes import ESA, MQM, Scheme, Severity
from bleucore.annotation.tasks import Item, Task, places_in_documents
from bleucore.corpus import TestSet
from bleucore.errors import InputError
from bleucore.judgements.averaging import PRESETS
from bleucore.judgements.records import Judgements, Row, Span
from bleucore.values import shown
from bleucore.written_numbers import counted

_HIGHEST = 100.0


@dataclass(frozen=True)
class Replayed:
    """A task with all that was said.

    Attributes:
        task: The task.
        events: What its annotators did.
        notices: What was read in another way than it is written, in sentences to be shown.
    """

    task: Task
    events: tuple[Event, ...]
    notices: tuple[str, ...] = ()


def replayed(
    judgements: Judgements,
    test_set: TestSet,
    *,
    name: str | None = None,
    scheme: Scheme | None = None,
    systems: Sequence[str] = (),
    widens: bool = False,
) -> Replayed:
    """The task whose annotators said what a file says.

    Args:
        judgements: Aligned with the test set.
        test_set: Its texts.
        name: Of the task; that of the judgements unless given.
        scheme: Of severities and categories; ESA or MQM unless given, with the severities and weights of the file.
        systems: All systems in the order of the file, those without a judgement included.
        widens: Whether a mark that lies beyond its text or splits a grapheme is moved to where it does not; else it is
            refused.

    Raises:
        InputError: A mark cannot be one of its text, a score is beyond 0 to 100, or an output has two texts.
    """
    used = scheme or _scheme_of(judgements)
    items: dict[tuple[str, int], Item] = {}
    events: list[Event] = []
    assigned: dict[str, dict[str, None]] = {}
    n_moved = 0
    columns = {system.name: system.hypotheses for system in test_set.systems}
    places = places_in_documents(test_set)
    for row in judgements.rows:
        if row.number is None or row.system not in columns:
            continue
        item = replace(_item(items, row, test_set, columns[row.system]), place=places[row.number])
        items[row.system, row.number] = item
        bodies: list[EventBody] = []
        for place, span in enumerate(row.spans):
            mark, is_moved = _mark(judgements.file, row, item, span, used, widens=widens)
            n_moved += is_moved
            bodies.append(Marked(f"m{place}", mark))
        if used.has_slider and row.value is not None:
            bodies.append(Scored(_score(judgements.file, row)))
        assigned.setdefault(row.rater, {})[item.id] = None
        events += _numbered(item.id, row.rater, [*bodies, Finished(0.0)])
    task = Task(
        name or judgements.name,
        used,
        tuple(items.values()),
        tuple(assigned),
        MappingProxyType({rater: tuple(of) for rater, of in assigned.items()}),
        test_set=test_set.texts_digest,
        languages=_languages(judgements, test_set),
        shows_reference=True,
        named_systems=tuple(systems),
        n_segments=test_set.n_segments,
    )
    moved = (f"{judgements.file}: moved: {counted(n_moved, 'mark')} to the next graphemes.",) if n_moved else ()
    return Replayed(task, tuple(events), (*judgements.notices, *moved))


def _numbered(item: str, annotator: str, bodies: Sequence[EventBody]) -> Iterator[Event]:
    for number, body in enumerate(bodies, start=1):
        yield Event(number, item, annotator, body, number - 1, "import")


def _item(items: dict[tuple[str, int], Item], row: Row, test_set: TestSet, hypotheses: Sequence[str]) -> Item:
    """The output that a row is about, as the annotator saw it."""
    segment = row.number or 0
    text = hypotheses[segment] if row.target is None else row.target
    of_set = "" if test_set.source is None else test_set.source[segment]
    made = Item(
        f"{len(items):05d}",
        segment,
        row.system,
        row.document or ("" if test_set.documents is None else test_set.documents[segment]),
        text,
        of_set if row.source is None else row.source,
        test_set.references[0][segment] if test_set.references else None,
        row.draw,
    )
    found = items.setdefault((row.system, segment), made)
    if found.text != text:
        raise InputError(
            "two annotators had different texts of one output",
            where=f"System {shown(row.system)}, segment {segment + 1:,}",
            line=row.line,
            found=shown(text),
            expected=shown(found.text),
            remedy="Load the file as it was written by its program.",
        )
    return found


def _mark(  # private
    file: str, row: Row, item: Item, span: Span, scheme: Scheme, *, widens: bool
) -> tuple[Mark, bool]:
    """A span as a mark, and whether it had to be moved."""
    text = item.text_of(span.side)
    if span.is_missing or (span.start == span.end and span.side == "target"):
        place = len(item.text) if span.is_missing else span.start
        mark = Mark(place, place, span.severity, span.category, "missing", span.comment)
    else:
        mark = Mark(span.start, span.end, span.severity, span.category, span.side, span.comment)
    moved = _widened(mark, text) if widens else mark
    try:
        return checked(moved, text, scheme), moved != mark
    except InputError as error:
        raise InputError(
            error.problem,
            where=f"{file}, system {shown(row.system)}, segment {item.segment + 1:,}",
            line=row.line,
            found=error.found,
            expected=error.expected,
            remedy="Load the texts that were annotated, or move such marks: --widen.",
        ) from error


def _widened(mark: Mark, text: str) -> Mark:
    """A mark within its text, whose ends are those of graphemes."""
    start, end = min(mark.start, len(text)), min(mark.end, len(text))
    for first, behind in long_clusters(text):
        start = first if first < start < behind else start
        end = behind if first < end < behind else end
    if mark.side == "missing":
        return replace(mark, start=start, end=start)
    if start == end:  # all of it lies beyond the text: it marks the last grapheme
        start = max((offset for offset in range(len(text)) if _starts(text, offset)), default=0)
    return replace(mark, start=start, end=end)


def _starts(text: str, offset: int) -> bool:
    return not any(first < offset < behind for first, behind in long_clusters(text))


def _score(file: str, row: Row) -> float:
    value = row.value or 0.0
    if not 0 <= value <= _HIGHEST:
        raise InputError(
            "the score is beyond the slider",
            where=f"{file}, system {shown(row.system)}",
            line=row.line,
            found=f"{value:g}",
            expected="0 to 100",
            remedy="Load judgements from 0 to 100.",
        )
    return value


def _scheme_of(judgements: Judgements) -> Scheme:
    """ESA or MQM, with the severities of the file, and the weights that it gives its errors."""
    has_scores = any(row.value is not None for row in judgements.rows)
    base = ESA if has_scores else MQM
    spans = [span for row in judgements.rows for span in row.spans]
    known = {one.name: one for one in base.severities}
    for name in dict.fromkeys(span.severity for span in spans):
        if name not in known:
            known[name] = Severity(name, PRESETS["wmt24"].penalty(name, "") or 0.0)
    scheme = replace(base, severities=tuple(known.values()))
    said: dict[str, float] = {}
    for span in spans:
        if span.weight is not None and scheme.weights.penalty(span.severity, span.category) != span.weight:
            said.setdefault(f"{span.severity}/{span.category}".lower() if span.category else span.severity, span.weight)
    return replace(scheme, exceptions=(*scheme.exceptions, *said.items())) if said else scheme


def _languages(judgements: Judgements, test_set: TestSet) -> tuple[str | None, str | None]:
    source, target = test_set.languages
    said = (judgements.languages or "").split("-")
    of_file: Mapping[bool, tuple[str | None, str | None]] = {True: (said[0], said[-1]), False: (None, None)}
    first, second = of_file[len(said) == 2]  # noqa: PLR2004  # source and target
    return first or source, second or target
