"""What the annotations of a task come to, found once for all tables."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from bleucore import BleuOptions, InputError
from bleucore.analysis.marked_kinds import MarkedKinds
from bleucore.annotation.agreement import AnnotatorAgreement, annotator_agreement
from bleucore.annotation.held import States, is_done
from bleucore.annotation.marked import marked_of_task
from bleucore.annotation.results import (
    Attention,
    Disagreement,
    SystemResult,
    attention,
    disagreements,
    seconds_by_annotator,
    system_results,
)
from bleucore.annotation.tasks import Task
from bleucore.judgements.averaging import MqmWeights
from bleucore.tokens.tokenizer_choice import proposed_tokenizer


@dataclass(frozen=True, eq=False)
class Outcome:
    """What the annotations of a task come to. Equal to itself alone.

    Attributes:
        task: The task.
        states: What its annotators said.
        weights: Of errors; ``None`` for those of the scheme.
    """

    task: Task
    states: States
    weights: MqmWeights | None = None

    @property
    def n_finished(self) -> Mapping[str, int]:
        """By annotator, how many of their items are finished."""
        return {
            name: sum(1 for item in items if (state := self.states.get((item, name))) and is_done(self.task, state))
            for name, items in self.task.assigned.items()
        }

    @property
    def n_marks(self) -> Mapping[str, int]:
        """By annotator, how many marks their finished items have."""
        return {
            name: sum(
                len(state.marks)
                for (_, annotator), state in self.states.items()
                if annotator == name and is_done(self.task, state)
            )
            for name in self.task.annotators
        }

    @property
    def n_conflicts(self) -> int:
        """How many items two windows changed at once, and nobody has settled that."""
        return sum(1 for state in self.states.values() if state.conflicts)

    @cached_property
    def agreement(self) -> AnnotatorAgreement:
        """How far annotators agree."""
        return annotator_agreement(self.task, self.states, self.weights)

    @cached_property
    def systems(self) -> tuple[SystemResult, ...]:
        """Scores of systems; none while nobody has finished anything.

        Raises:
            InputError: An error has no weight.
        """
        if not any(is_done(self.task, state) for state in self.states.values()):
            return ()
        try:
            return system_results(self.task, self.states, self.weights)
        except InputError as error:
            if error.problem == "nobody has judged anything":  # only attention checks, or no score
                return ()
            raise

    @cached_property
    def disagreements(self) -> tuple[Disagreement, ...]:
        """Outputs of which annotators say different things."""
        return disagreements(self.task, self.states, self.weights)

    @cached_property
    def kinds(self) -> MarkedKinds | None:
        """Which kinds of errors are marked, by the rules that divide BLEU; ``None`` where no output counts."""
        reference = [[item.reference for item in self.task.items]]
        proposed = proposed_tokenizer(reference) if any(map(bool, reference[0])) else None
        options = BleuOptions() if proposed is None else BleuOptions(proposed.tokenizer)
        return marked_of_task(self.task, self.states, options)

    @cached_property
    def attention(self) -> tuple[Attention, ...]:
        """How many planted errors each annotator found."""
        return attention(self.task, self.states)

    @cached_property
    def seconds(self) -> Mapping[str, float]:
        """Seconds for an output, by annotator; none unless all annotators let others see them."""
        return seconds_by_annotator(self.task, self.states)
