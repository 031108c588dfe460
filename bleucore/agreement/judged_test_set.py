"""A test set with judgements and evaluated metrics -> what is compared."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from bleucore.agreement.agreement import Agreement
from bleucore.agreement.judged import HumanScores, ScoredSystems
from bleucore.agreement.judges import judges_of, said_own_systems
from bleucore.corpus import TestSet
from bleucore.counts import Floats
from bleucore.errors import InputError
from bleucore.evaluation import MetricEvaluation
from bleucore.judgements.averaging import USUAL_AVERAGING, Averaging, averaged, draws_of
from bleucore.judgements.records import Judgements
from bleucore.sampling.estimates import DrawnSegments
from bleucore.significance import TestSetUnits

SAME_NUMBER = 1e-3
"""A published score and a mean this close, relative to the spread of systems, are one number, rounded."""


def judged_people(
    test_set: TestSet,
    judgements: Judgements,
    averaging: Averaging = USUAL_AVERAGING,
    *,
    published: Mapping[str, float] | None = None,
) -> HumanScores:
    """What people said of the systems that were judged; one that is the reference is left out: it would score 100.

    Args:
        test_set: With the references that metrics are computed with.
        judgements: Aligned with it.
        averaging: How several judgements of an output become one.
        published: People's scores of whole systems; used where there is one of each judged system, and judgements are
            averaged as usual.

    Raises:
        InputError: No system was judged, or as ``averaged``.
    """
    systems = test_set.system_names
    judged = averaged(judgements, systems, test_set.n_segments, averaging)
    left_out = references_judged(test_set, judged)
    kept = np.array([one not in left_out for one in systems])
    judged = np.where(kept[:, None], judged, np.nan)
    found = [one for one, row in zip(systems, judged, strict=True) if not np.isnan(row).all()]
    if not found:
        raise InputError(
            "no system of the test set was judged",
            where=f"Judgements {judgements.name}",
            found=f"judgements of {', '.join(left_out)} alone" if left_out else "none",
            expected="judgements of at least two systems",
            remedy="Choose other judgements.",
        )
    scores = None
    if published is not None and averaging == USUAL_AVERAGING and all(one in published for one in found):
        scores = np.array([published.get(one, np.nan) for one in systems])
    draws = draws_of(judgements)
    drawn = DrawnSegments.of(draws, test_set.n_segments) if draws else None
    known_units = TestSetUnits(test_set.n_segments, test_set.documents, test_set.items)
    people = HumanScores.of(judgements.name, systems, judged, scores, drawn=drawn, known_units=known_units)
    return replace(people, averaging=averaging, left_out=left_out)


def scored_systems(
    metric: MetricEvaluation, systems: tuple[str, ...], *, published: Mapping[str, float] | None = None
) -> ScoredSystems:
    """What a metric says about some systems of its test set.

    Args:
        metric: Evaluated.
        systems: K of its systems.
        published: The metric's own scores of whole systems, which need not be the mean of its segments; those are
            reported where they are given, and have counts where they are that mean.
    """
    scores = np.array([metric.known_score(name) for name in systems])
    found = ScoredSystems(
        metric.name,
        systems,
        scores,
        np.stack([metric.known_segment_scores(name) for name in systems]),
        metric.higher_is_better,
        np.stack([metric.systems[name].counts for name in systems]),
        metric.draw_scores_of,
        metric.people,
    )
    if published is None:
        return found
    reported = np.array([published.get(name, np.nan) for name in systems])
    spread = float(np.nanmax(reported) - np.nanmin(reported)) if not np.isnan(reported).all() else 0.0
    apart = np.abs(reported - scores)
    if np.isnan(apart).any() or apart.max() > SAME_NUMBER * spread:
        return replace(found, scores=reported, counts=None, score=None)
    return replace(found, scores=reported)


def references_judged(test_set: TestSet, judged: Floats) -> tuple[str, ...]:
    """The systems, judged (K, S), that are a reference of the test set by name or word for word: they score 100."""
    references = dict(zip(test_set.reference_names or (), test_set.references, strict=True))
    return tuple(
        system.name
        for system, row in zip(test_set.systems, judged, strict=True)
        if not np.isnan(row).all()
        and (system.name in references or any(system.hypotheses == texts for texts in references.values()))
    )


def with_judges(
    found: Agreement,
    test_set: TestSet,
    models: Sequence[Judgements],
    metrics: Sequence[ScoredSystems],
    own_systems: Sequence[str] = (),
    *,
    are_people: bool,
) -> Agreement:
    """An agreement with what is known of judges that are models, next to its judgements if people made these.

    Args:
        found: How far metrics agree with judgements.
        test_set: What was judged.
        models: The judgements of models, each judge once.
        metrics: The first one stands next to the judges.
        own_systems: Which systems judges made, as ``said_own_systems`` reads it.
        are_people: Whether people made the judgements that metrics are held against.

    Raises:
        InputError: As ``judges_of`` and ``said_own_systems``.
    """
    raters = [rater for one in models for rater in one.raters]
    judges = judges_of(
        models,
        test_set.system_names,
        test_set.n_segments,
        groups=found.people.groups,
        people=found.people if are_people else None,
        metric=metrics[0] if are_people and metrics else None,
        own=said_own_systems(own_systems, tuple(dict.fromkeys(raters)), test_set.system_names),
    )
    return replace(found, judges=judges)
