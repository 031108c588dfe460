"""What people's judgements come to, computed once and kept for all sessions of this server."""

from collections.abc import Sequence

from bleucore import TestSet
from bleucore.agreement.agreement import Agreement, agreement
from bleucore.agreement.judged_test_set import judged_people, scored_systems
from bleucore.agreement.judges import ModelJudges, judges_of
from bleucore.agreement.raters import Raters
from bleucore.agreement.raters import raters_of as who_judged
from bleucore.counts import Floats, Progress
from bleucore.sampling.criteria import diversity
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.segments.error_marks import MarkedErrors
from bleuscope.features.judgements.choice import AgreementChoice
from bleuscope.runtime.kept import in_background, kept

MAX_AGREEMENTS = 8
MAX_DIVERSITIES = 16


@in_background(
    most=MAX_AGREEMENTS,
    key=lambda view, choice: (
        view.evaluation.digest,
        choice,
        tuple(one.options for one in choice.metrics(view.evaluation)),
    ),
)
def agreement_with(report: Progress | None, view: ComparisonContext, choice: AgreementChoice) -> Agreement:
    """How far each metric agrees with judgements.

    It cannot be made where fewer than two systems were judged, or an error of theirs has no weight.
    """
    people = judged_people(view.test_set, choice.judgements, choice.averaging)
    scored = [scored_systems(one, people.systems) for one in choice.metrics(view.evaluation)]
    return agreement(people, scored, choice.options, progress=report)


@kept(most=MAX_AGREEMENTS, key=lambda view, choice, systems: (view.test_set.digest, choice, systems))
def raters(view: ComparisonContext, choice: AgreementChoice, systems: tuple[str, ...]) -> Raters:
    """Who judged the systems that are compared.

    Raises:
        InputError: Where ``agreement_with`` cannot be made.
    """
    return who_judged(choice.judgements, systems, view.test_set.n_segments, choice.averaging)


@kept(
    most=MAX_AGREEMENTS,
    key=lambda view, choice, models, found: (
        view.evaluation.digest,
        choice,
        tuple(one.key for one in models),
        tuple(one.name for one in found.metrics[:1]),
    ),
)
def judges(
    view: ComparisonContext, choice: AgreementChoice, models: Sequence[MarkedErrors], found: Agreement
) -> ModelJudges:
    """What is known of all judges that are models, next to the chosen judgements if people made them.

    Raises:
        InputError: As ``judges_of``.
    """
    people = None if choice.judgements.are_of_models else found.people
    metric = None
    if people is not None and found.metrics:
        metric = scored_systems(view.evaluation.metrics[found.metrics[0].name], people.systems)
    return judges_of(
        [one.judgements for one in models],
        view.test_set.system_names,
        view.test_set.n_segments,
        groups=found.people.groups,
        people=people,
        metric=metric,
    )


@in_background(most=MAX_DIVERSITIES, key=lambda test_set, systems: (test_set.digest, tuple(systems)))
def diversity_of(report: Progress | None, test_set: TestSet, systems: Sequence[str]) -> Floats:
    """How unlike each other the outputs of some systems are in each segment, (S,)."""
    return diversity([test_set.system(name) for name in systems], report)
