"""What holds for every metric: counts of a segment that depend on nothing else, and scores that only need their sum."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bleucore.analysis.attribution import attribute
from bleucore.batteries.laws import require
from bleucore.batteries.texts import N_SEGMENTS, REFERENCES, SYSTEMS, faultless, whole
from bleucore.corpus import TestSet
from bleucore.counts import Floats, group_sums
from bleucore.evaluation import MetricEvaluation, evaluate_metric
from bleucore.metrics import Metric, MetricOptions, metric_of

_CLOSE, _NO_JUMP = 1e-11, 1e-9
_MOVED = (7, 2, 5, 0, 3, 6, 1, 4)


@dataclass(frozen=True)
class GivenMetric:
    """A metric with options for any test set.

    Attributes:
        options: Of a test set: the options.
    """

    options: Callable[[TestSet], MetricOptions]

    def evaluated(self, test_set: TestSet) -> MetricEvaluation:
        """A test set, scored by it."""
        return evaluate_metric(test_set, self.options(test_set))

    @property
    def metric(self) -> Metric:
        """The metric."""
        return metric_of(self.options(whole()))


def _are_close(found: object, expected: object) -> bool:
    return bool(np.allclose(found, expected, rtol=_CLOSE, atol=_CLOSE))  # type: ignore[arg-type]


def _sums(evaluation: MetricEvaluation) -> NDArray[np.generic]:
    return np.stack([result.counts.sum(axis=0) for result in evaluation.systems.values()])


def counts_are_rows(given: GivenMetric) -> None:
    """Counts are a row of finite numbers for each segment of each system."""
    test_set = whole()
    columns = [np.asarray(one) for one in given.metric.statistics(test_set, given.options(test_set), None)]
    require(len(columns) == len(SYSTEMS), f"counts of {len(columns)} of {len(SYSTEMS)} systems")
    shapes = {column.shape for column in columns}
    require(shapes == {(N_SEGMENTS, columns[0].shape[-1])}, f"shapes {sorted(shapes)}")
    kinds = {str(column.dtype) for column in columns}
    require(kinds <= {"int64", "float64"}, f"numbers of the kinds {', '.join(sorted(kinds))}")
    require(all(np.isfinite(column).all() for column in columns), "counts that are not finite")


def counts_of_a_part(given: GivenMetric) -> None:
    """Counts of a segment are the same whatever other segments there are."""
    everything = given.evaluated(whole())
    for rows in (range(3), range(3, N_SEGMENTS), [5], _MOVED):
        for name, result in given.evaluated(whole(rows=rows)).systems.items():
            expected = everything.systems[name].counts[list(rows)]
            require(np.array_equal(result.counts, expected), f"other counts when only segments {list(rows)} are there")


def counts_of_a_system(given: GivenMetric) -> None:
    """Counts of a system are the same whatever other systems there are."""
    everything = given.evaluated(whole())
    for names in (["mixed", "good", "poor"], ["poor"]):
        for name, result in given.evaluated(whole({name: SYSTEMS[name] for name in names})).systems.items():
            require(np.array_equal(result.counts, everything.systems[name].counts), f"other counts beside {names}")


def scores_of_groups(given: GivenMetric) -> None:
    """The score of some segments is that of the sum of their counts."""
    everything, groups = given.evaluated(whole()), np.array([0, 1, 0, 1, -1, 1, 0, 1])
    parts = [given.evaluated(whole(rows=np.flatnonzero(groups == group).tolist())) for group in (0, 1)]
    for name, result in everything.systems.items():
        expected = [part.systems[name].score for part in parts]
        found = everything.score_of(group_sums(result.counts, groups, 2))
        require(_are_close(found, expected), f"{found.tolist()} instead of {expected}")


def scores_of_any_shape(given: GivenMetric) -> None:
    """Scores take counts with any leading axes, and leave them as they are."""
    evaluation = given.evaluated(whole())
    rows = np.concatenate([result.counts for result in evaluation.systems.values()])
    rows = rows.reshape(2, -1, 3, rows.shape[-1])
    before = rows.copy()
    scorers: Sequence[Callable[[NDArray[np.generic]], Floats]] = (evaluation.score_of, evaluation.draw_scores_of)
    for score in scorers:
        scores = score(rows)
        require(scores.shape == rows.shape[:-1], f"the shape {scores.shape} for counts of {rows.shape}")
        require(scores.dtype == np.float64, f"scores of the kind {scores.dtype}")
        alone = [float(score(row)) for row in rows.reshape(-1, rows.shape[-1])]
        require(_are_close(scores.ravel(), alone), "another score when many are scored at once")
        require(np.array_equal(rows, before), "counts that are changed")


def scores_without_texts(given: GivenMetric) -> None:
    """Empty texts and no texts at all have a finite score."""
    systems = {"empty": [""] * 3, "texts": ["a", "", "b c"]}
    for evaluation in (
        given.evaluated(whole(systems, [["", "a", "b c"]], range(3))),
        given.evaluated(whole({"empty": [""]}, [[""]], range(1))),
    ):
        for result in evaluation.systems.values():
            require(np.isfinite(result.score), f"the score {result.score}")
            require(np.isfinite(result.segment_scores).all(), "scores of segments that are not finite")
    nothing = np.zeros_like(_sums(evaluation))
    require(np.isfinite(evaluation.score_of(nothing)).all(), "no finite score of counts that are all 0")


def scores_of_references(given: GivenMetric) -> None:
    """Texts that are equal to the reference score best, and the signature says how many references there are."""
    if given.metric.is_read:
        return
    texts = ["the cat sat on the mat", "今天 天气 很 好 不 是 吗", "Привет мир как дела сегодня"]
    evaluation = given.evaluated(whole({"poor": ["the cat", "今天", "мир"], "perfect": texts}, [texts], range(3)))
    require(evaluation.ranked() == ("perfect", "poor"), "the worse system first: does a higher score mean better?")
    found = evaluation.signature
    require(found.startswith("nrefs:1|"), f"the signature {found}, which does not begin with nrefs:1|")
    found = given.evaluated(whole()).signature
    require(
        found.startswith("nrefs:var|"), f'the signature {found} where some references are missing, not "nrefs:var|"'
    )


def missing_references(given: GivenMetric) -> None:
    """A reference that is missing everywhere changes nothing."""
    if given.metric.is_read:
        return
    more = given.evaluated(whole(references=[*REFERENCES, [None] * N_SEGMENTS]))
    require(np.array_equal(_sums(more), _sums(given.evaluated(whole()))), "other counts")


def names_are_lines(given: GivenMetric) -> None:
    """Name, signatures and explanation are lines of text, and equal options have one hash."""
    options = given.options(whole())
    evaluation = given.evaluated(whole())
    texts = (evaluation.name, evaluation.signature, evaluation.segment_signature, given.metric.explanation(options))
    for text in texts:
        require(text.strip() and text.splitlines() == [text], f"{text!r}")
    require(hash(options) == hash(given.options(whole())), "two hashes of the same options")


def progress_to_the_end(given: GivenMetric) -> None:
    """Progress rises to 1."""
    shares: list[float] = []
    given.metric.statistics(whole(), given.options(whole()), shares.append)
    require(shares and shares == sorted(shares) and shares[-1] == 1.0, f"{shares[-5:]}")


def parts_add_up(given: GivenMetric) -> None:
    """Parts of a difference add up to it, whichever system comes first."""
    evaluation = given.evaluated(whole())
    first, second = (evaluation.systems[name].counts for name in ("poor", "good"))
    found, back = (attribute(*both, evaluation.options) for both in ((first, second), (second, first)))
    difference = evaluation.systems["good"].score - evaluation.systems["poor"].score
    total = found.segments.sum() + found.jump
    require(np.isclose(total, difference, rtol=0, atol=1e-9), f"{total} instead of {difference}")
    require(np.allclose(back.segments, -found.segments, atol=1e-9), "other parts when the systems change places")
    texts = given.evaluated(faultless())
    one, two = (result.counts for result in texts.systems.values())
    smooth = attribute(one, two, texts.options)
    require(abs(smooth.jump) < _NO_JUMP, f"{smooth.jump} is no part of a segment, of texts that are much alike")
    n_factors = found.segment_factors.shape[1]
    require(len(set(found.factors)) == n_factors, f"{len(found.factors)} names of {n_factors} factors")
    same = attribute(first, first, evaluation.options)
    require(not same.segments.any() and same.difference == 0, "parts of a difference between equal texts")


METRIC_LAWS = (
    counts_are_rows,
    counts_of_a_part,
    counts_of_a_system,
    scores_of_groups,
    scores_of_any_shape,
    scores_without_texts,
    scores_of_references,
    missing_references,
    names_are_lines,
    progress_to_the_end,
    parts_add_up,
)
