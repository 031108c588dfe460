"""What annotations come to: scores of systems, disagreements, attention checks, and the time that they took."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from bleucore.agreement.judged import HumanScores
from bleucore.annotation.agreement import span_overlap
from bleucore.annotation.held import Said, States, all_said, decisions, judgements_of, penalty_of, what_holds
from bleucore.annotation.tasks import Task
from bleucore.judgements.averaging import USUAL_AVERAGING, Averaging, MqmWeights, averaged, draws_of
from bleucore.judgements.records import Judgements
from bleucore.sampling.estimates import DrawnSegments
from bleucore.significance import TestSetUnits


@dataclass(frozen=True)
class SystemResult:
    """What annotators say of a system.

    Attributes:
        name: Of the system.
        score: The mean, higher is better: of scores, or of penalties below 0. Weighted where segments were sampled.
        interval: 95 %, by documents; ``None`` from too few.
        n_outputs: How many outputs were annotated.
        n_marks: By severity, the marks that hold.
    """

    name: str
    score: float
    interval: tuple[float, float] | None
    n_outputs: int
    n_marks: Mapping[str, int]


@dataclass(frozen=True)
class Disagreement:
    """An output of which annotators say different things.

    Attributes:
        said: What each of them says.
        decision: What was decided; ``None`` while nobody has.
        difference: Of the highest and the lowest score or penalty; ``None`` where one has none.
        span_f1: The lowest of two annotators; ``None`` where nobody marked a stretch.
    """

    said: tuple[Said, ...]
    decision: Said | None
    difference: float | None
    span_f1: float | None


@dataclass(frozen=True)
class Attention:
    """How many planted errors an annotator found.

    Attributes:
        annotator: Who.
        n_found: With a mark that overlaps the planted error.
        n_checks: Of so many that the annotator finished.
    """

    annotator: str
    n_found: int
    n_checks: int


def system_results(task: Task, states: States, weights: MqmWeights | None = None) -> tuple[SystemResult, ...]:
    """What annotators say of each system that was annotated, the best first.

    Args:
        task: The task.
        states: Of its items and annotators.
        weights: Of errors; those of the scheme unless given.

    Raises:
        InputError: Nobody has finished anything, or an error has no weight.
    """
    judgements = judgements_of(task, states, weights=weights)
    people = human_scores(task, judgements, Averaging(weights=weights) if weights else USUAL_AVERAGING)
    outputs: dict[str, set[str]] = {}
    marks: dict[str, Counter[str]] = {}
    for one in what_holds(task, states):
        if not (task.scheme.has_slider and one.state.score is None):
            outputs.setdefault(one.item.system, set()).add(one.item.id)
        of = marks.setdefault(one.item.system, Counter())
        of.update(mark.severity for mark in one.state.marks.values())
    rows = zip(people.systems, people.scores.tolist(), people.intervals, strict=True)
    found = [
        SystemResult(
            name,
            score,
            interval,
            len(outputs.get(name, ())),
            {one: marks[name][one] for one in task.scheme.severity_names},
        )
        for name, score, interval in rows
    ]
    return tuple(sorted(found, key=lambda one: -one.score))


def human_scores(task: Task, judgements: Judgements, averaging: Averaging = USUAL_AVERAGING) -> HumanScores:
    """What annotators say, by system and segment of the task, with the units that intervals leave out.

    Raises:
        InputError: As ``averaged``.
    """
    segments = sorted({item.segment for item in task.items if item.planted is None})
    places = {segment: place for place, segment in enumerate(segments)}
    rows = tuple(row._replace(number=places[row.number or 0]) for row in judgements.rows)
    compact = Judgements(
        judgements.name, judgements.file, judgements.protocol, rows, judgements.scale, judgements.first_number
    )
    judged = averaged(compact, task.systems, len(segments), averaging)
    documents = {item.segment: item.document for item in task.items}
    named = [documents[segment] for segment in segments]
    draws = draws_of(compact)
    return HumanScores.of(
        judgements.name,
        task.systems,
        judged,
        drawn=DrawnSegments.of(draws, len(segments)) if draws else None,
        known_units=TestSetUnits(len(segments), named) if all(named) else None,
    )


def disagreements(task: Task, states: States, weights: MqmWeights | None = None) -> tuple[Disagreement, ...]:
    """Outputs of which annotators say different things: undecided ones first, the widest apart first.

    Args:
        task: The task.
        states: Of its items and annotators.
        weights: Of errors; those of the scheme unless given.
    """
    decided, costs = decisions(task, states), weights or task.scheme.weights
    by_item: dict[str, list[Said]] = {}
    for one in all_said(task, states):
        if one.item.planted is None:
            by_item.setdefault(one.item.id, []).append(one)
    found = [
        Disagreement(tuple(said), decided.get(item), _difference(task, said, costs), _lowest_f1(task, said))
        for item, said in by_item.items()
        if len(said) > 1 and _differ(said)
    ]
    return tuple(
        sorted(
            found,
            key=lambda one: (
                one.decision is not None,
                -(one.difference or 0.0),
                1.0 if one.span_f1 is None else one.span_f1,
            ),
        )
    )


def attention(task: Task, states: States) -> tuple[Attention, ...]:
    """How many planted errors each annotator found; nobody where none were planted."""
    found: dict[str, list[bool]] = {}
    for one in all_said(task, states):
        if one.item.planted is not None:
            start, end = one.item.planted
            met = any(
                mark.side == "target" and mark.start < end and start < mark.end for mark in one.state.marks.values()
            )
            found.setdefault(one.annotator, []).append(met)
    return tuple(Attention(name, sum(met), len(met)) for name, met in found.items())


def seconds_by_annotator(task: Task, states: States, viewer: str | None = None) -> Mapping[str, float]:
    """The mean number of seconds that each annotator took for an output, where ``viewer`` may see it.

    Everybody sees their own. Others are seen once all annotators of the task let them.

    Args:
        task: The task.
        states: Of its items and annotators.
        viewer: Which annotator looks; ``None`` for anybody else.
    """
    all_agree = set(task.annotators) <= set(task.shares_time)
    times: dict[str, list[float]] = {}
    for one in all_said(task, states):
        if all_agree or one.annotator == viewer:
            times.setdefault(one.annotator, []).append(one.state.seconds)
    return {name: float(np.mean(of)) for name, of in times.items()}


def _differ(said: list[Said]) -> bool:
    ways = {
        (
            one.state.score,
            frozenset(
                (mark.start, mark.end, mark.severity, mark.category, mark.side) for mark in one.state.marks.values()
            ),
        )
        for one in said
    }
    return len(ways) > 1


def _difference(task: Task, said: list[Said], weights: MqmWeights) -> float | None:
    values = [one.state.score if task.scheme.has_slider else penalty_of(one.state, weights) for one in said]
    known = [value for value in values if value is not None]
    return max(known) - min(known) if len(known) == len(values) else None


def _lowest_f1(task: Task, said: list[Said]) -> float | None:
    found = [span_overlap(task, one, other) for one, other in combinations(said, 2)]
    return min((agreeing / marked for agreeing, marked in found if marked), default=None)
