"""What versions score: computed once for each outputs and settings, and found again at once.

A score rests on the texts of a test set, on outputs and on a signature, none of which ever changes; an interval on how
it was drawn, too. So a result is never out of date, and can always be made again.
"""

import zlib
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import sqlalchemy as sa
from numpy.typing import NDArray

from bleucore.counts import Progress
from bleucore.metrics import Metric, MetricOptions, metric_of
from bleucore.significance import ComparedSystems, SignificanceOptions, TestSetUnits
from bleuscope.workspace.columns import now
from bleuscope.workspace.database import Database
from bleuscope.workspace.errors import UnwritableError, WorkspaceError
from bleuscope.workspace.projects import KeptTestSet, KeptVersion, Projects
from bleuscope.workspace.schema import result

OUTPUTS_AT_ONCE = 600_000
"""Segments of all versions that are scored together: about 300 MB with their counts."""
VERSIONS_AT_ONCE = 64
ASKED_AT_ONCE = 500
"""Digests in one question: databases take so many values and not any number."""
MOST_BESIDE = 16
MOST_HELD = 500
"""Counts of versions that the workspace did not take."""
SHARE_OF_COUNTS = 0.7
"""Of the work; the others are the resamples."""
Counts = NDArray[np.int64]


@dataclass(frozen=True)
class Result:
    """What outputs score.

    Attributes:
        score: On the test set.
        interval: 95 % interval of the score; ``None`` where a single unit was scored.
    """

    score: float
    interval: tuple[float, float] | None


@dataclass(frozen=True)
class ScoredSet:
    """A test set under the settings of a metric: what results hold for.

    Attributes:
        test_set: The test set.
        options: The metric's.
        signature: To cite with the scores.
        known_units: What is known of the dependence between the segments.
    """

    test_set: KeptTestSet
    options: MetricOptions
    signature: str
    known_units: TestSetUnits

    @property
    def metric(self) -> Metric:
        """What is computed."""
        return metric_of(self.options)

    def compared(self, counts: Sequence[tuple[str, Counts]]) -> ComparedSystems:
        """What significance tests need, of versions by name."""
        options, metric = self.options, self.metric
        return ComparedSystems(
            systems=counts,
            score=lambda sums: metric.draw_scores(sums, options),
            higher_is_better=metric.higher_is_better(options),
            whole=self.known_units,
            single_precision=True,
        )


@dataclass(frozen=True)
class _Beside:
    """What of a test set's texts decides on a signature and on what is drawn."""

    n_references: int | None
    known_units: TestSetUnits


class Results:
    """All results of a workspace."""

    def __init__(self, database: Database, projects: Projects) -> None:
        """Of one workspace."""
        self._database = database
        self._projects = projects
        self._beside: OrderedDict[str, _Beside] = OrderedDict()
        self._held: OrderedDict[tuple[int, str, str], Counts] = OrderedDict()

    def scored_set(self, of: KeptTestSet, options: MetricOptions) -> ScoredSet:
        """A test set under settings, with its signature.

        Raises:
            WorkspaceError: A blob of it is gone or damaged.
        """
        beside = self._beside.get(of.digest)
        if beside is None:
            beside = self._beside[of.digest] = self._read_beside(of)
            while len(self._beside) > MOST_BESIDE:
                self._beside.popitem(last=False)
        signature = metric_of(options).signature(options, beside.n_references or "var")
        return ScoredSet(of, options, signature, beside.known_units)

    def find(self, of: ScoredSet, drawn: SignificanceOptions) -> Mapping[str, Result]:
        """The results that are kept, by the digest of the outputs."""
        columns = (result.c.digest, result.c.score, result.c.low, result.c.high)
        asked = sa.select(*columns).where(*_same(of), result.c.interval == how_drawn(of, drawn))
        with self._database.reading() as connection:
            return {
                digest: Result(score, None if low is None else (low, high))
                for digest, score, low, high in connection.execute(asked)
            }

    def score(
        self,
        of: ScoredSet,
        versions: Sequence[KeptVersion],
        drawn: SignificanceOptions,
        *,
        progress: Progress | None = None,
    ) -> Mapping[str, Result]:
        """The results of versions, by the digest of their outputs.

        Those that are not kept are made now, and kept if the workspace can be written.

        Args:
            of: The test set with the settings.
            versions: On this test set.
            drawn: The resamples, their seed, the unit, and whose ends intervals have.
            progress: Called with the share of the work done, 0 to 1, from time to time.

        Raises:
            InputError: What the metric needs is not installed, or documents are to be drawn and not known.
            WorkspaceError: A blob is gone or damaged.
        """
        found = dict(self.find(of, drawn))
        missing = list({one.digest: one for one in versions if one.digest not in found}.values())
        n_done = 0
        for some in _batches(missing, of.test_set.n_segments):
            start, share = n_done / len(missing), len(some) / len(missing)
            report = (lambda done, start=start, share=share: progress(start + share * done)) if progress else None
            found |= self._made(of, some, drawn, report)
            n_done += len(some)
        return {one.digest: found[one.digest] for one in versions}

    def counts(self, of: ScoredSet, versions: Sequence[KeptVersion]) -> Mapping[str, Counts]:
        """The counts (S, C) of versions that are scored, by the digest of their outputs.

        Raises:
            WorkspaceError: Those of a version are not kept, or damaged.
        """
        found = self._known_counts(of, [one.digest for one in versions])
        for one in versions:
            if one.digest not in found:
                raise _no_counts(one)
        return found

    def _made(
        self, of: ScoredSet, versions: Sequence[KeptVersion], drawn: SignificanceOptions, progress: Progress | None
    ) -> dict[str, Result]:
        counted = self._known_counts(of, [one.digest for one in versions])  # of other intervals
        to_count = [one for one in versions if one.digest not in counted]
        if to_count:
            texts = self._projects.texts(of.test_set, to_count, [one.digest for one in to_count])
            report = (lambda done: progress(SHARE_OF_COUNTS * done)) if progress else None
            columns = of.metric.statistics(texts, of.options, report)
            counted |= {one.digest: column for one, column in zip(to_count, columns, strict=True)}
        resampled = (
            (lambda done: progress(SHARE_OF_COUNTS + (1 - SHARE_OF_COUNTS) * done)) if progress is not None else None
        )
        made = _results(of, counted, drawn, resampled)
        try:
            self._keep(of, made, counted, how_drawn(of, drawn))
        except UnwritableError:
            self._hold(of, counted)
        return made

    def _hold(self, of: ScoredSet, counted: Mapping[str, Counts]) -> None:
        """Keep counts until this ends, where the workspace does not."""
        for digest, counts in counted.items():
            self._held[of.test_set.id, of.signature, digest] = counts
        while len(self._held) > MOST_HELD:
            self._held.popitem(last=False)

    def _known_counts(self, of: ScoredSet, digests: Sequence[str]) -> dict[str, Counts]:
        held = {digest: self._held.get((of.test_set.id, of.signature, digest)) for digest in digests}
        found = {digest: counts for digest, counts in held.items() if counts is not None}
        return self._kept_counts(of, digests) | found

    def _keep(self, of: ScoredSet, made: Mapping[str, Result], counted: Mapping[str, Counts], how: str) -> None:
        moment = now()
        rows = [
            {
                "test_set_id": of.test_set.id,
                "digest": digest,
                "signature": of.signature,
                "score": one.score,
                "low": one.interval and one.interval[0],
                "high": one.interval and one.interval[1],
                "interval": how,
                "counts": packed(counted[digest]),
                "made_at": moment,
            }
            for digest, one in made.items()
        ]
        keys = ["test_set_id", "digest", "signature", "interval"]
        with self._database.writing() as connection:
            connection.execute(self._database.insert(result).on_conflict_do_nothing(index_elements=keys), rows)

    def _kept_counts(self, of: ScoredSet, digests: Sequence[str]) -> dict[str, Counts]:
        found: dict[str, Counts] = {}
        with self._database.reading() as connection:
            for start in range(0, len(digests), ASKED_AT_ONCE):
                some = digests[start : start + ASKED_AT_ONCE]
                asked = sa.select(result.c.digest, result.c.counts).where(*_same(of), result.c.digest.in_(some))
                for digest, counts in connection.execute(asked):
                    if digest not in found:
                        found[digest] = unpacked(counts, of.test_set.n_segments)
        return found

    def _read_beside(self, of: KeptTestSet) -> _Beside:
        texts = self._projects.references(of)
        numbers = {sum(text is not None for text in segment) for segment in zip(*texts.columns, strict=True)}
        units = TestSetUnits(of.n_segments, texts.documents, texts.items)
        return _Beside(numbers.pop() if len(numbers) == 1 else None, units)


def how_drawn(of: ScoredSet, drawn: SignificanceOptions) -> str:
    """What an interval rests on beside the counts, in the style of a signature."""
    ends = "percentiles" if drawn.test == "sacrebleu-bs" else "expanded-or-cr2"
    unit = drawn.unit_of(of.known_units)
    size = f"|size:{drawn.block_size}" if unit == "block" and drawn.block_size and not drawn.makes_blocks else ""
    return f"bs:{drawn.n_resamples}|seed:{drawn.seed}|unit:{unit}{size}|ends:{ends}"


def packed(counts: NDArray[Any]) -> bytes:
    """Whole numbers (S, C), column by column, as compressed bytes; the first says how many bytes a number has."""
    width = 4 if np.abs(counts).max(initial=0) < 2**31 else 8
    return bytes([width]) + zlib.compress(np.ascontiguousarray(counts.T, f"<i{width}").tobytes(), 6)


def unpacked(data: bytes, n_segments: int) -> Counts:
    """The whole numbers (S, C) of ``packed``, read-only.

    Raises:
        WorkspaceError: They are not of so many segments.
    """
    try:
        width = data[0]
        numbers = np.frombuffer(zlib.decompress(data[1:]), f"<i{width}")
        counts = np.ascontiguousarray(numbers.reshape(-1, n_segments).T, np.int64)
    except (zlib.error, ValueError, TypeError, IndexError) as error:
        raise WorkspaceError(
            "kept counts are damaged", remedy="Restore the workspace from a backup, or push the version again."
        ) from error
    counts.setflags(write=False)
    return counts


def _results(
    of: ScoredSet, counted: Mapping[str, Counts], drawn: SignificanceOptions, progress: Progress | None
) -> dict[str, Result]:
    """Scores and intervals, as ``significance.compare`` gives them for the same systems."""
    compared = of.compared(list(counted.items()))
    made = compared.bootstrap(drawn, progress=progress)
    return {
        digest: Result(
            float(of.metric.scores(counted[digest].sum(axis=0), of.options)), drawn.score_interval(made, place)
        )
        for place, digest in enumerate(made.names)
    }


def _batches(versions: Sequence[KeptVersion], n_segments: int) -> Iterator[Sequence[KeptVersion]]:
    step = max(1, min(VERSIONS_AT_ONCE, OUTPUTS_AT_ONCE // max(1, n_segments)))
    for start in range(0, len(versions), step):
        yield versions[start : start + step]


def _same(of: ScoredSet) -> tuple[sa.ColumnElement[bool], ...]:
    return result.c.test_set_id == of.test_set.id, result.c.signature == of.signature


def _no_counts(one: KeptVersion) -> WorkspaceError:
    return WorkspaceError(
        "the counts of a version are not kept",
        where=f"{one.system} {one.called}",
        remedy="Open the page again: they are made anew.",
    )
