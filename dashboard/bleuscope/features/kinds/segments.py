"""Kinds of errors on the page Segments: what each segment loses to one, and which kind each token is of."""

from collections.abc import Mapping, Sequence

from bleucore.analysis.kinds import KindStudy, kinds_of_segments, study_kinds
from bleucore.analysis.token_kinds import KINDS, NO_KIND
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.segments.kind_points import KindPoints
from bleuscope.features.kinds.kept import MOST, tells_names
from bleuscope.features.kinds.kept import work as kept_work
from bleuscope.features.kinds.words import PLURALS
from bleuscope.runtime.kept import kept

MOST_UNASKED = 5_000
"""Segments of a test set whose kinds are found without being asked for: it takes half a second."""


def find(study: ComparisonContext) -> KindStudy:
    """What A and B lost to each kind."""
    return study_kinds(study.test_set, study.sides, study.options)


@kept(most=MOST * len(KINDS), key=lambda study, _, kind: (study.evaluation.digest, study.options, study.sides, kind))
def points(_study: ComparisonContext, kinds: KindStudy, kind: str) -> KindPoints:
    """What each segment loses to a kind."""
    place = KINDS.index(kind)
    lost = tuple(one.segments[:, place] for one in kinds.losses)
    return KindPoints(kind, PLURALS[kind], lost, kinds.gains[:, place] if kinds.compares else -lost[0])


def of_tokens(
    study: ComparisonContext, systems: tuple[str, ...], segments: tuple[int, ...]
) -> list[Mapping[str, Mapping[int, str]]]:
    """For each of the segments the kind of each token that has one, by system and place.

    What was divided already knows it; to sort out a few segments alone takes 5 ms each time, so the work begins.
    """
    divided = kept_work(study)
    if not divided.is_done and study.test_set.n_segments <= MOST_UNASKED:
        divided.begin()
    known = {one.system: one for one in divided.value().losses} if divided.is_done else {}
    if {*systems} <= {*known}:
        return [{name: _named(known[name].kinds_of(segment)) for name in systems} for segment in segments]
    capitals = tells_names(study.test_set, study.options)
    found = kinds_of_segments(study.test_set, systems, segments, study.options, capitals=capitals)
    return [dict(zip(systems, map(_named, one), strict=True)) for one in zip(*found, strict=True)]


def _named(kinds: Sequence[int]) -> Mapping[int, str]:
    return {place: KINDS[kind] for place, kind in enumerate(kinds) if kind != NO_KIND}
