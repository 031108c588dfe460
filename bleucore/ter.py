"""TER as edits and lengths that add up over segments, and as a score of such counts (Snover et al. 2006).

The edits are those of sacreBLEU, which searches for shifts the way Tercom does, word by word in Python: some
hundredth of a second a text. So the segments are spread over processes, each with an interpreter of its own.
"""

import os
import signal
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from contextlib import closing, suppress
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from threading import Thread
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from bleucore.errors import InputError

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from sacrebleu.metrics.ter import TER

Floats = NDArray[np.float64]
Progress = Callable[[float], None]
Chunk = tuple[list[Sequence[str]], list[Sequence[str | None]]]

CHUNK_PAIRS = 64
"""Pairs of a hypothesis and a reference handed over at once, some 0.8 s of work."""
SMALL_PAIRS = 4 * CHUNK_PAIRS
"""Up to here the work is done before other processes would have started."""
MAX_PROCESSES = 61
"""What Windows can wait for."""


@dataclass(frozen=True)
class TerOptions:
    """How TER is computed. The defaults are sacreBLEU's.

    Attributes:
        normalized: Split punctuation off, undo entities (Tercom's normalization).
        no_punct: Delete punctuation.
        asian_support: With ``normalized``, make every Chinese character a word; with ``no_punct``, delete Asian
            punctuation too. Without effect alone.
        case_sensitive: Tell capitals apart; else every text is lower-cased first.
    """

    normalized: bool = False
    no_punct: bool = False
    asian_support: bool = False
    case_sensitive: bool = False

    @property
    def name(self) -> str:
        """The name as sacreBLEU writes it."""
        return "TER"

    def signature(self, n_references: int | Literal["var"]) -> str:
        """The signature as sacreBLEU writes it, with the version of the sacreBLEU installed, which counts the edits.

        Raises:
            InputError: sacreBLEU is not installed.
        """
        fields = {
            "nrefs": n_references,
            "case": "mixed" if self.case_sensitive else "lc",
            "tok": "tercom",
            "norm": _yes_or_no(self.normalized),
            "punct": _yes_or_no(not self.no_punct),
            "asian": _yes_or_no(self.asian_support),
            "version": _sacrebleu()[1],
        }
        return "|".join(f"{key}:{value}" for key, value in fields.items())


def statistics(
    hypotheses: Sequence[Sequence[str]],
    references: Sequence[Sequence[str | None]],
    options: TerOptions,
    *,
    progress: Progress | None = None,
    processes: int | None = None,
) -> list[Floats]:
    """Counts of each hypothesis column, each (S, 2): fewest edits to any reference, mean length of the references.

    Other processes import the caller's main module, as ``multiprocessing`` does: a script that calls this has
    to begin its work under ``if __name__ == "__main__":``. When this is left in any way, or its process ends,
    they end too, in the middle of a text if need be.

    Args:
        hypotheses: K columns of S texts.
        references: R columns of S texts, ``None`` where absent; at least one in every segment.
        options: All of them change counts.
        progress: Called here with the share of the work done, 0 to 1, after each chunk of segments.
        processes: How many to use; 1 is this one. As many as there are processors unless given, and this one
            alone where there is little to do.

    Raises:
        InputError: sacreBLEU is not installed.
    """
    _sacrebleu()
    chunks = _chunks(hypotheses, references)
    n_pairs = len(hypotheses) * len(references) * len(hypotheses[0])
    if processes is None:
        processes = 1 if n_pairs <= SMALL_PAIRS else _n_processors()
    processes = min(processes, len(chunks), MAX_PROCESSES)
    work = _count_elsewhere(chunks, options, processes) if processes > 1 else _count_here(chunks, options)
    counts: list[Floats] = [np.empty(0)] * len(chunks)
    with closing(work):  # at once, whatever progress raises
        for n_done, (index, chunk_counts) in enumerate(work, start=1):
            counts[index] = chunk_counts
            if progress:
                progress(n_done / len(chunks))
    return list(np.concatenate(counts, axis=1))


def scores(counts: NDArray[Any], options: TerOptions) -> Floats:  # noqa: ARG001  # the same two halves for every metric
    """TER of counts (..., 2): (...), in percent, lower is better; more than 100 is possible.

    Where the references are empty it is 100 if there are edits, else 0, as in sacreBLEU.
    """
    edits, lengths = counts[..., 0], counts[..., 1]
    rates = np.where(edits > 0, 1.0, 0.0)
    np.divide(edits, lengths, out=rates, where=lengths > 0)
    return 100.0 * rates


def _yes_or_no(is_so: bool) -> str:  # noqa: FBT001
    return "yes" if is_so else "no"


def _sacrebleu() -> "tuple[type[TER], str]":
    """SacreBLEU's TER and sacreBLEU's version, imported only here because it is optional."""
    try:
        from sacrebleu import __version__  # noqa: PLC0415
        from sacrebleu.metrics.ter import TER  # noqa: PLC0415
    except ImportError as error:
        raise InputError(
            "the package sacrebleu cannot be imported",
            where="TER",
            found=str(error),
            expected="sacrebleu 2.6",
            remedy="Install it with: pip install 'sacrebleu>=2.6,<2.7'",
        ) from error
    return TER, __version__


def _chunks(hypotheses: Sequence[Sequence[str]], references: Sequence[Sequence[str | None]]) -> list[Chunk]:
    n_segments = len(hypotheses[0])
    step = max(1, CHUNK_PAIRS // (len(hypotheses) * len(references)))
    rows = [slice(start, start + step) for start in range(0, n_segments, step)]
    return [([column[part] for column in hypotheses], [column[part] for column in references]) for part in rows]


def _n_processors() -> int:
    """The processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _chunk_counts(chunk: Chunk, options: TerOptions) -> Floats:
    """Counts of some segments: (K, S, 2)."""
    hypotheses, references = chunk
    metric = _sacrebleu()[0](**asdict(options))
    counts = np.empty((len(hypotheses), len(hypotheses[0]), 2))
    rows = zip(zip(*hypotheses, strict=True), zip(*references, strict=True), strict=True)
    for row, (texts, row_references) in enumerate(rows):
        present = [text for text in row_references if text is not None]
        for column, text in enumerate(texts):
            score = metric.sentence_score(text, present)
            counts[column, row] = score.num_edits, score.ref_length
    return counts


def _count_here(chunks: Sequence[Chunk], options: TerOptions) -> Generator[tuple[int, Floats]]:
    for index, chunk in enumerate(chunks):
        yield index, _chunk_counts(chunk, options)


def _count_elsewhere(chunks: Sequence[Chunk], options: TerOptions, n_processes: int) -> Generator[tuple[int, Floats]]:
    """The number and counts of each chunk as it is done.

    The workers live as long as a pipe that only this process holds open. It is closed first on the way out, so
    that an interrupt need not wait for them, and by the system if this process is killed.
    """
    context = get_context("spawn")
    lifeline, holder = context.Pipe(duplex=False)
    executor = ProcessPoolExecutor(n_processes, context, initializer=_live_with, initargs=(lifeline,))
    with lifeline, executor, holder:
        futures: dict[Future[Floats], int] = {
            executor.submit(_chunk_counts, chunk, options): index for index, chunk in enumerate(chunks)
        }
        for future in as_completed(futures):
            yield futures[future], future.result()
        executor.shutdown()


def _live_with(lifeline: "Connection[Any, Any]") -> None:
    """Leave interrupts to the process that started this one, and end when it closes its end of the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with, args=(lifeline,), daemon=True).start()


def _end_with(lifeline: "Connection[Any, Any]") -> None:
    with suppress(EOFError, OSError):
        lifeline.recv()
    os._exit(0)
