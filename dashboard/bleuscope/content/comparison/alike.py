"""Two systems that wrote the same in many segments, as checkpoints of one model do, and whom to compare instead."""

from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.style import numbers
from bleuscope.content.style.sentences import Text, note, strong

MANY = 1 / 3
"""Of the segments: with so many equal outputs it is worth saying."""


def alike_note(study: ComparisonContext) -> Text:
    """In how many segments A and B wrote the same; empty where that is seldom."""
    if not study.compares:
        return Text()
    n_segments, n_different = study.test_set.n_segments, _n_different(study, *study.pair)
    n_same = n_segments - n_different
    if n_same < MANY * n_segments:
        return Text()
    first, second = map(strong, study.pair)
    if not n_different:
        return note("{} and {} wrote the same in all segments.", first, second)
    return note(
        "{} and {} wrote the same in {} of {}: they differ only in the other {}.",
        first,
        second,
        numbers.count(n_same),
        numbers.counted(n_segments, "segment"),
        numbers.count(n_different),
    )


def other_pair(study: ComparisonContext) -> tuple[str, str] | None:
    """The better of A and B behind the best system whose outputs are seldom the same; ``None`` without one.

    Seldom: different in more of the segments than half way from how many of A and B are to all of them.
    """
    if not alike_note(study):
        return None
    ranked = study.evaluation.ranked()
    kept = next(name for name in ranked if name in study.pair)
    enough = (study.test_set.n_segments + _n_different(study, *study.pair)) / 2
    others = (name for name in ranked if name not in study.pair)
    found = next((name for name in others if _n_different(study, name, kept) > enough), None)
    return None if found is None else (found, kept)


def _n_different(study: ComparisonContext, first: str, second: str) -> int:
    """In how many segments two systems wrote something else."""
    texts = (study.test_set.system(name).hypotheses for name in (first, second))
    return sum(one != other for one, other in zip(*texts, strict=True))
