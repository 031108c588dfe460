"""What annotators said of the outputs of a task, and what holds where somebody has decided between them."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bleucore.annotation.events import ItemState
from bleucore.annotation.marks import Mark
from bleucore.annotation.tasks import ADJUDICATOR, Item, Task
from bleucore.errors import InputError
from bleucore.judgements.averaging import MqmWeights
from bleucore.judgements.records import UNPLACED, Judgements, Protocol, Row, Scale, Side, Span
from bleucore.values import shown
from bleucore.written_numbers import counted

States = Mapping[tuple[str, str], ItemState]
"""By item and annotator."""
OF_SLIDER = Scale("0 to 100", 0.0, 100.0)
OF_MARKS = Scale("penalties, negative", high=0.0)


@dataclass(frozen=True)
class Said:
    """What one annotator said of one output.

    Attributes:
        item: The output.
        annotator: Who.
        state: What.
        is_decision: Whether it was decided so after several annotators had differed.
    """

    item: Item
    annotator: str
    state: ItemState
    is_decision: bool = False


def adjudicator_of(person: int, name: str) -> str:
    """The annotator under whom the decisions of a person are stored: people of one name are several adjudicators.

    Args:
        person: Their id in the workspace.
        name: As they are called now.
    """
    return f"{ADJUDICATOR}{person}:{name}"


def is_adjudicator(annotator: str, person: int) -> bool:
    """Whether the decisions of a person are stored under this annotator, by whatever name they went then."""
    return annotator.startswith(f"{ADJUDICATOR}{person}:")


def all_said(task: Task, states: States) -> tuple[Said, ...]:
    """What annotators said of items that they finished, in the order of the items; decisions are left out."""
    return tuple(one for one in _finished(task, states) if not one.is_decision)


def decisions(task: Task, states: States) -> Mapping[str, Said]:
    """What was decided, by item; of several decisions that are finished the last in the order of adjudicators."""
    return {one.item.id: one for one in _finished(task, states) if one.is_decision}


def what_holds(task: Task, states: States) -> tuple[Said, ...]:
    """What holds of each output: the decision where there is one, else what each annotator said.

    Outputs with a planted error are left out.
    """
    decided = decisions(task, states)
    found: list[Said] = []
    for one in _finished(task, states):
        if one.item.planted is None and (one.is_decision or one.item.id not in decided):
            found += [] if one.is_decision and one.annotator != decided[one.item.id].annotator else [one]
    return tuple(found)


def judgements_of(task: Task, states: States, name: str | None = None, weights: MqmWeights | None = None) -> Judgements:
    """What holds, as judgements that are aligned with the test set of the task.

    Where the scheme has a slider, an output counts that has a score. Else the value follows from the marks.

    Args:
        task: The task.
        states: Of its items and annotators.
        name: Of the judgements; that of the task unless given.
        weights: Of errors; those of the scheme unless given.

    Raises:
        InputError: Nobody has finished anything.
    """
    has_slider = task.scheme.has_slider
    costs = weights or task.scheme.weights
    holding = what_holds(task, states)
    called_by = shown_annotators(holding)
    rated = [one for one in holding if one.state.score is not None] if has_slider else list(holding)
    protocol: Protocol = "ESA" if has_slider else "MQM"
    n_without = len(holding) - len(rated)
    notices = (f"{task.name}: left out: {counted(n_without, 'output')} without a score.",) if n_without else ()
    rows = tuple(
        Row(
            line,
            one.item.system,
            one.item.segment,
            called_by[one.annotator],
            one.state.score if has_slider else None,
            spans_of(one.item, list(one.state.marks.values()), costs),
            one.item.text,
            one.item.source or None,
            one.item.document or None,
            one.item.draw,
        )
        for line, one in enumerate(rated, start=1)
    )
    called = name or task.name
    return Judgements(
        called, called, protocol, rows, OF_SLIDER if has_slider else OF_MARKS, first_number=0, notices=notices
    )


def spans_of(item: Item, marks: Sequence[Mark], weights: MqmWeights) -> tuple[Span, ...]:
    """Marks as spans of judgements; what is missing at the end of a text has no place there."""
    return tuple(_span(item, mark, weights) for mark in marks)


def shown_annotator(annotator: str) -> str:
    """An annotator's name to show: of a decision, who decided."""
    if not annotator.startswith(ADJUDICATOR):
        return annotator
    found = _OF_PERSON.fullmatch(annotator)
    return f"{annotator.removeprefix(ADJUDICATOR) if found is None else found[1]} (decided)"


def shown_annotators(said: Iterable[Said]) -> Mapping[str, str]:
    """The names to show of the annotators who said something; a number follows where two people are called the same."""
    found: dict[str, str] = {}
    for annotator in sorted({one.annotator for one in said}):
        name = shown_annotator(annotator)
        n_alike = sum(shown_annotator(other) == name for other in found)
        found[annotator] = f"{name} {n_alike + 1}" if n_alike else name
    return found


def is_done(task: Task, state: ItemState) -> bool:
    """Whether what an annotator said of an item counts."""
    return state.is_finished or task.counts_unfinished


def refuse_without_weight(said: Sequence[Said], weights: MqmWeights) -> None:
    """Refuse weights that an error has none of.

    Args:
        said: What annotators said.
        weights: Of errors.

    Raises:
        InputError: An error has no weight.
    """
    for one in said:
        for mark in one.state.marks.values():
            if weights.penalty(mark.severity, mark.category) is None:
                raise InputError(
                    "there is no weight for this error",
                    where=f"Weights {shown(weights.name)}",
                    found=shown(f"{mark.severity}/{mark.category}".rstrip("/")),
                    remedy="Give every severity a weight, as in minor=1,major=5,critical=25.",
                )


def penalty_of(state: ItemState, weights: MqmWeights) -> float:
    """The sum of what the marks cost, negative; a mark without a weight costs nothing."""
    costs = (weights.penalty(mark.severity, mark.category) or 0.0 for mark in state.marks.values())
    total = sum(costs)
    return -(total if weights.most is None else min(total, weights.most)) + 0.0


def _span(item: Item, mark: Mark, weights: MqmWeights) -> Span:
    is_at_end = mark.side == "missing" and mark.start == len(item.text)
    start, end = (UNPLACED, UNPLACED) if is_at_end else (mark.start, mark.end)
    side: Side = "source" if mark.side == "source" else "target"
    text = None if is_at_end else item.text_of(mark.side)[start:end]
    weight = weights.penalty(mark.severity, mark.category)
    return Span(start, end, mark.severity, mark.category, side, weight, text, mark.comment)


_OF_PERSON = re.compile(rf"{ADJUDICATOR}\d+:(.*)", re.DOTALL)
"""How the annotator of a person's decisions begins; older decisions have the name alone."""


def _finished(task: Task, states: States) -> list[Said]:
    names = sorted({annotator for _, annotator in states if annotator.startswith(ADJUDICATOR)})
    order = [*sorted(task.annotators), *names]  # by name, as a file that is read again gives them in any order
    return [
        Said(item, annotator, state, annotator.startswith(ADJUDICATOR))
        for item in task.items
        for annotator in order
        if (state := states.get((item.id, annotator))) is not None and is_done(task, state)
    ]
