"""A run of a metric: batch by batch, each saved as it is done, so that the next run goes on where this one ended."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bleucore.corpus import TestSet
from bleucore.counts import Progress
from bleucore.errors import InputError
from bleuscope.neural.child import Child
from bleuscope.neural.environments import is_made, python_of
from bleuscope.neural.locks import only_one
from bleuscope.neural.manifest import NeuralMetric, digest_of, refused
from bleuscope.neural.metrics import refuse_unfit
from bleuscope.neural.saved import SavedScores, is_score, is_there

MOST_SEGMENTS = 32
"""Of a batch."""
MOST_CHARACTERS = 100_000
"""Of a batch, unless one segment has more."""
HARNESS = Path(__file__).with_name("harness.py")
_OFFLINE = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1"}

Row = Mapping[str, object]
Scores = Mapping[str, Sequence[float]]
"""By system, the score of each segment."""


@dataclass(frozen=True)
class Batch:
    """Segments of one system that are scored together.

    Attributes:
        system: Its name.
        rows: What the metric reads of each.
    """

    system: str
    rows: tuple[Row, ...]

    @property
    def digest(self) -> str:
        """Of the texts alone: systems with the same outputs share their scores."""
        return digest_of(self.rows)


class Run:
    """A metric on a test set.

    Args:
        metric: What scores.
        test_set: What is scored.
        folder: Where environments and scores are kept.

    Raises:
        InputError: The test set lacks what the metric needs.
    """

    def __init__(self, metric: NeuralMetric, test_set: TestSet, folder: Path) -> None:
        refuse_unfit(metric, test_set)
        self.metric, self._test_set, self._folder = metric, test_set, folder
        self._batches = [(batch.digest, batch) for batch in batches_of(metric, test_set)]
        self._saved = SavedScores(folder / "scores" / metric.digest)

    @property
    def n_batches(self) -> int:
        """All of them."""
        return len(self._batches)

    @property
    def n_saved(self) -> int:
        """The batches that are scored."""
        return sum(self._saved.has(digest) for digest, _ in self._batches)

    @property
    def needs_download(self) -> bool:
        """Whether the run downloads something: the metric did not run here yet, and there are texts to score."""
        return not self._was_here and self.n_saved < self.n_batches

    def scores(self, progress: Progress | None = None, *, may_download: bool = False) -> Scores:
        """All scores; those that are saved are read, and the others are made.

        Whoever asks for a run of the same folder meanwhile waits, and then finds what was scored.

        Args:
            progress: Told the share that is done, several times a second; what it raises ends the run.
            may_download: Whether a person agreed to the download.

        Raises:
            InputError: They did not, or the metric fails, or there is no room. What was scored stays saved.
        """
        found = self._found()
        if len(found) < len({digest for digest, _ in self._batches}):
            if not (may_download or self._was_here):
                raise refused(self.metric, "nobody agreed to its download", remedy="Agree with --yes.")
            with self._writing():
                self._folder.mkdir(0o700, parents=True, exist_ok=True)  # logs may quote texts
                self._score(found, progress or (lambda _: None), may_download=may_download)
        scores: dict[str, list[float]] = {name: [] for name in self._test_set.system_names}
        for digest, batch in self._batches:
            scores[batch.system] += found[digest]
        return scores

    def _found(self) -> dict[str, list[float]]:
        found = ((digest, self._saved.find(digest, len(batch.rows))) for digest, batch in self._batches)
        return {digest: scores for digest, scores in found if scores is not None}

    def _score(self, found: dict[str, list[float]], progress: Progress, *, may_download: bool) -> None:
        def beat() -> None:
            progress(self.n_saved / self.n_batches)

        with only_one(self._folder / "running.lock", beat) as lock:
            self._saved.clean()
            found |= self._found()
            left = {digest: batch for digest, batch in self._batches if digest not in found}
            if not left:
                return
            share = 1 - len(left) / self.n_batches
            progress(share)
            python = python_of(self.metric, self._folder, lambda: progress(share), lock)
            command = [str(python), "-I", str(HARNESS), str(self.metric.scorer.absolute()), self.metric.model]
            with Child(
                self.metric,
                [*command, str(self.metric.memory)],
                beat=lambda: progress(share),
                log=self._folder / f"{self.metric.name}.log",
                variables={} if may_download else _OFFLINE,
            ) as child:
                try:
                    _answered(child, "ready", self.metric.seconds_to_load)
                except InputError:
                    self._was_ready.unlink(missing_ok=True)  # what it downloaded may be gone
                    raise
                self._was_ready.write_bytes(b"")
                for n_done, (digest, batch) in enumerate(left.items(), start=1):
                    child.send(json.dumps(batch.rows).encode() + b"\n")
                    scores = _answered(child, "scores", self.metric.seconds_a_batch)
                    found[digest] = _checked(child, scores, len(batch.rows))
                    self._saved.keep(digest, found[digest])
                    share = 1 - (len(left) - n_done) / self.n_batches
                    progress(share)

    @property
    def _was_here(self) -> bool:
        """Whether the metric was loaded here, and its environment is still there."""
        return is_there(self._was_ready) and is_made(self.metric, self._folder)

    @property
    def _was_ready(self) -> Path:
        """A file that says that the metric was loaded here."""
        return self._folder / f"{self.metric.name}-{self.metric.digest}.ready"

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise refused(
                self.metric,
                f"its scores cannot be saved in {self._folder}",
                found=(error.strerror or type(error).__name__).lower(),
                remedy=f"Make room, and run it again: {self.n_saved} of {self.n_batches} batches stay saved.",
            ) from error


def batches_of(metric: NeuralMetric, test_set: TestSet) -> Iterator[Batch]:
    """The segments of each system in order, in batches."""
    for system in test_set.systems:
        rows: list[Row] = []
        size = 0
        for segment, hypothesis in enumerate(system.hypotheses):
            row, n_characters = _row(metric, test_set, segment, hypothesis)
            if rows and (len(rows) == MOST_SEGMENTS or size + n_characters > MOST_CHARACTERS):
                yield Batch(system.name, tuple(rows))
                rows, size = [], 0
            rows.append(row)
            size += n_characters
        yield Batch(system.name, tuple(rows))


def _row(metric: NeuralMetric, test_set: TestSet, segment: int, hypothesis: str) -> tuple[Row, int]:
    """What a metric reads of a segment, and how many characters that has; the first reference is the first there is."""
    source = test_set.source[segment] if metric.needs_source and test_set.source is not None else ""
    columns = test_set.references if metric.needs_reference else ()
    texts = [text for text in (column[segment] for column in columns) if text is not None]
    references = texts if metric.reads_all_references else texts[:1]
    row = {"hypothesis": hypothesis, "source": source, "references": references}
    return row, len(hypothesis) + len(source) + sum(map(len, references))


def scores_file(metric: NeuralMetric, scores: Scores) -> bytes:
    """The content of a file with scores, in JSON Lines, as every command and page reads it."""
    lines = [
        {"system": system, "segment": number, metric.name: score}
        for system, of_system in scores.items()
        for number, score in enumerate(of_system, start=1)
    ]
    return "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines).encode()


def _answered(child: Child, key: str, seconds: float) -> object:
    """What the process answers under a key.

    Raises:
        InputError: It answers something else, an error, or nothing.
    """
    line = child.answer(seconds)
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        said = None
    if isinstance(said, dict) and key in said:
        return said[key]
    if isinstance(said, dict) and isinstance(said.get("error"), str):
        raise child.failed(f"it failed: {said['error']}")
    raise child.failed("its process answered something that is no reply")


def _checked(child: Child, scores: object, n_rows: int) -> list[float]:
    """The scores of a batch.

    Raises:
        InputError: They are no finite numbers, or not one for each row.
    """
    if not isinstance(scores, list) or len(scores) != n_rows:
        n_found = len(scores) if isinstance(scores, list) else "no"
        raise child.failed(f"it gave {n_found} scores for {n_rows} segments")
    faulty = [one for one in scores if not is_score(one)]
    if faulty:
        raise child.failed(f"it gave a score that is no finite number ({str(faulty[0])[:40]})")
    return [float(one) for one in scores]
