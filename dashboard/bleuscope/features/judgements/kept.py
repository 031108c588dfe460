"""What people's judgements come to, computed once and kept for all sessions of this server."""

from collections.abc import Sequence
from dataclasses import replace

from bleucore import TestSet
from bleucore.agreement.agreement import Agreement, agreement
from bleucore.agreement.judged_test_set import judged_people, scored_systems, with_judges
from bleucore.agreement.raters import Raters
from bleucore.agreement.raters import raters_of as who_judged
from bleucore.counts import Floats, Progress
from bleucore.sampling.criteria import diversity
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.features.judgements.choice import AgreementChoice
from bleuscope.runtime.kept import in_background, kept

MAX_AGREEMENTS = 8
MAX_DIVERSITIES = 16


@in_background(
    most=MAX_AGREEMENTS,
    key=lambda view, choice: (
        view.evaluation.digest,
        replace(choice, models=(), own_systems=()),
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


@in_background(
    most=MAX_AGREEMENTS,
    key=lambda view, choice: (
        view.evaluation.digest,
        choice,
        tuple(one.options for one in choice.metrics(view.evaluation)),
    ),
)
def agreement_and_judges(report: Progress | None, view: ComparisonContext, choice: AgreementChoice) -> Agreement:
    """The same, with what is known of judges that are models.

    It cannot be made either where own systems are said of a judge that is not there.
    """
    found = agreement_with(view, choice).part_of_other(report or (lambda _: None))
    if not choice.models:
        return found
    metrics = [scored_systems(view.evaluation.metrics[one.name], found.people.systems) for one in found.metrics[:1]]
    models = [one.judgements for one in choice.models]
    are_people = not choice.judgements.are_of_models
    return with_judges(found, view.test_set, models, metrics, choice.own_systems, are_people=are_people)


@kept(most=MAX_AGREEMENTS, key=lambda view, choice, systems: (view.test_set.digest, choice, systems))
def raters(view: ComparisonContext, choice: AgreementChoice, systems: tuple[str, ...]) -> Raters:
    """Who judged the systems that are compared.

    Raises:
        InputError: Where ``agreement_with`` cannot be made.
    """
    return who_judged(choice.judgements, systems, view.test_set.n_segments, choice.averaging)


@in_background(most=MAX_DIVERSITIES, key=lambda test_set, systems: (test_set.digest, tuple(systems)))
def diversity_of(report: Progress | None, test_set: TestSet, systems: Sequence[str]) -> Floats:
    """How unlike each other the outputs of some systems are in each segment, (S,)."""
    return diversity([test_set.system(name) for name in systems], report)
