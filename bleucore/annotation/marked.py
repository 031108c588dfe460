"""Which kinds of errors the annotators of a task marked, next to what BLEU loses to each kind on the same outputs."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from bleucore.analysis.kinds import study_kinds
from bleucore.analysis.marked_kinds import MarkedKinds, marked_kinds
from bleucore.annotation.held import Said, States, spans_of, what_holds
from bleucore.annotation.tasks import Task
from bleucore.corpus import System, TestSet
from bleucore.counts import read_only
from bleucore.judgements.records import Judgements, Row, Span
from bleucore.options import BleuOptions


def rows_of(task: Task, states: States) -> tuple[Row, ...]:
    """What holds of the outputs of a task, as rows with error spans by segment."""
    return tuple(
        Row(line, one.item.system, one.item.segment, one.annotator, None, _spans(task, one), one.item.text)
        for line, one in enumerate(what_holds(task, states), start=1)
    )


def at_their_outputs(rows: Sequence[Row], test_set: TestSet, names: Mapping[str, str]) -> tuple[Row, ...]:
    """The rows of outputs that are in a test set, with the systems' names there; the others are left out.

    Systems may have had other names when somebody marked their outputs, also each other's. So the text decides.

    Args:
        rows: As ``rows_of`` gives them, of these texts.
        test_set: The texts.
        names: New names by those at the time of marking, as far as they are known.
    """
    columns = {system.name: system.hypotheses for system in test_set.systems}
    found = []
    for row in rows:
        likely = (names.get(row.system, row.system), row.system)
        order = [*(name for name in likely if name in columns), *columns]
        place = row.number or 0
        name = next((one for one in order if list(columns[one][place : place + 1]) == [row.target]), None)
        if name is not None:
            found.append(row._replace(system=name))
    return tuple(found)


def marked_of_task(task: Task, states: States, options: BleuOptions) -> MarkedKinds | None:
    """The tokens of finished outputs by kind, and how many of each are marked; ``None`` where no output counts.

    Outputs are compared with the one reference that the task has of them, and those without any are left out.

    Args:
        task: The task.
        states: Of its items and annotators.
        options: BLEU's.
    """
    said = [one for one in what_holds(task, states) if one.item.reference is not None]
    found = [_of_system(task, [one for one in said if one.item.system == name], name, options) for name in task.systems]
    known = [one for one in found if one is not None]
    if not known:
        return None
    return MarkedKinds(
        sum(one.n_outputs for one in known),
        read_only(np.sum([one.tokens for one in known], axis=0)),
        read_only(np.sum([one.marked for one in known], axis=0)),
        read_only(np.mean([one.losses for one in known if one.losses is not None], axis=0)),
    )


def _of_system(task: Task, said: list[Said], name: str, options: BleuOptions) -> MarkedKinds | None:
    items = {one.item.id: one.item for one in said}
    if not items:
        return None
    places = {item: place for place, item in enumerate(items)}
    source = [item.source for item in items.values()]
    texts = TestSet(
        [System(name, [item.text for item in items.values()])],
        [[item.reference for item in items.values()]],
        source=source if any(source) else None,
        languages=task.languages,
    )
    rows = [
        Row(line, name, places[one.item.id], one.annotator, spans=_spans(task, one))
        for line, one in enumerate(said, start=1)
    ]
    losses = study_kinds(texts, [name], options).losses
    found = marked_kinds(texts, losses, Judgements(task.name, task.name, "MQM", tuple(rows)), options)
    return replace(found, losses=losses[0].losses)


def _spans(task: Task, one: Said) -> tuple[Span, ...]:
    return spans_of(one.item, list(one.state.marks.values()), task.scheme.weights)
