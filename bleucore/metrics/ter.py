"""TER as edits and lengths that add up over segments, and as a score of such counts (Snover et al. 2006).

The edits are those of sacreBLEU, which also cuts the texts into words. Many segments are spread over processes.
"""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from bleucore.corpus import TestSet
from bleucore.counts import Floats, Progress
from bleucore.declarations import Truth, declared, keep_accepted, signed_fields, yes_or_no
from bleucore.errors import InputError
from bleucore.installing import how_to_add
from bleucore.processes import n_processors, results

if TYPE_CHECKING:
    from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer

Chunk = tuple[list[Sequence[str]], list[Sequence[str | None]]]

MAX_WORDS = 2_000
"""Words of the longest text that is taken: two such texts take about a second, and 0.1 GB."""
CHUNK_PAIRS = 1_024
"""Pairs of sentences handed over at once, some 0.1 s of work."""
SMALL_PAIRS = 8 * CHUNK_PAIRS
"""Up to here the work is done about as soon as other processes would have started."""
SENTENCE_CHARACTERS = 150
"""A longer text is handed over as several sentences."""
SMALL_CHARACTERS = SENTENCE_CHARACTERS * SMALL_PAIRS
"""Of all pairs' hypotheses: longer texts than sentences are worth other processes sooner."""


@dataclass(frozen=True)
class TerOptions:
    """How TER is computed. The defaults are sacreBLEU's.

    Attributes:
        normalized: Split punctuation off, undo entities (Tercom's normalization). sacreBLEU does it once to a
            hypothesis and twice to a reference, and so does this: "40's," is "40's ," in the one, "40 's ," in the
            other.
        no_punct: Delete punctuation.
        asian_support: With ``normalized``, make every Chinese character a word; with ``no_punct``, delete Asian
            punctuation too. Without effect alone.
        case_sensitive: Tell capitals apart; else every text is lower-cased first.

    Raises:
        InputError: A value that is neither True nor False.
    """

    normalized: bool = declared(False, Truth(), "texts", ("norm", yes_or_no("normalized")))
    no_punct: bool = declared(False, Truth(), "texts", ("punct", lambda options: "no" if options.no_punct else "yes"))
    asian_support: bool = declared(False, Truth(), "texts", ("asian", yes_or_no("asian_support")))
    case_sensitive: bool = declared(
        False, Truth(), "texts", ("case", lambda options: "mixed" if options.case_sensitive else "lc")
    )

    def __post_init__(self) -> None:
        keep_accepted(self)

    @property
    def name(self) -> str:
        """The name as sacreBLEU writes it."""
        return "TER"

    def signature(self, n_references: int | Literal["var"]) -> str:
        """The signature as sacreBLEU writes it, with the version of the sacreBLEU installed, which cuts the words.

        Raises:
            InputError: sacreBLEU is not installed.
        """
        signed = signed_fields(self, ("case",))
        fields = {"nrefs": n_references, "case": signed.pop("case"), "tok": "tercom", **signed}
        fields["version"] = _sacrebleu().version
        return "|".join(f"{key}:{value}" for key, value in fields.items())


def statistics(test_set: TestSet, options: TerOptions, progress: Progress | None = None) -> list[Floats]:
    """Counts of each system, each (S, 2): as ``counts_of_texts``, in as many processes as there are processors.

    Raises:
        InputError: sacreBLEU cannot be imported, or a text has more than ``MAX_WORDS`` words.
    """
    hypotheses = [system.hypotheses for system in test_set.systems]
    return counts_of_texts(hypotheses, test_set.references, options, progress=progress)


def counts_of_texts(
    hypotheses: Sequence[Sequence[str]],
    references: Sequence[Sequence[str | None]],
    options: TerOptions,
    *,
    progress: Progress | None = None,
    processes: int | None = None,
) -> list[Floats]:
    """Counts of each hypothesis column, each (S, 2): fewest edits to any reference, mean length of the references.

    Other processes do not import the caller's script; where none can start, this one does all of the work. When this
    is left in any way, or its process ends, they end too, in the middle of a text if need be.

    Args:
        hypotheses: K columns of S texts.
        references: R columns of S texts, ``None`` where absent; at least one in every segment.
        options: All of them change counts.
        progress: Called here with the share of the work done, 0 to 1, after each chunk of segments, and again and
            again while other processes work; what it raises ends them.
        processes: How many to use; 1 is this one. As many as there are processors unless given, and this one
            alone where there is little to do.

    Raises:
        InputError: sacreBLEU is not installed, or a text has more than ``MAX_WORDS`` words.
    """
    _refuse_long_texts(hypotheses, references, options)
    chunks = _chunks(hypotheses, references)
    if processes is None:
        processes = 1 if _is_small(hypotheses, len(references)) else n_processors()
    counts: list[Floats] = [np.empty(0)] * len(chunks)
    report, n_done = progress or (lambda _: None), 0
    work = results(
        partial(_chunk_counts, options=options), chunks, processes, beat=lambda: report(n_done / len(chunks))
    )
    with closing(work):  # at once, whatever progress raises
        for n_done, (index, chunk_counts) in enumerate(work, start=1):  # the beat says it
            counts[index] = chunk_counts
            report(n_done / len(chunks))
    return list(np.concatenate(counts, axis=1))


def scores(counts: NDArray[Any], options: TerOptions) -> Floats:  # noqa: ARG001  # the same two halves for every metric
    """TER of counts (..., 2): (...), in percent, lower is better; more than 100 is possible.

    Where the references are empty it is 100 if there are edits, else 0, as in sacreBLEU.
    """
    edits, lengths = counts[..., 0], counts[..., 1]
    rates = np.where(edits > 0, 1.0, 0.0)
    np.divide(edits, lengths, out=rates, where=lengths > 0)
    return 100.0 * rates


class _Words:
    """Cuts texts into words with sacreBLEU, as the options want it."""

    def __init__(self, options: TerOptions) -> None:
        tokenizer = _sacrebleu().tokenizer
        self._tokenizer = tokenizer(**asdict(options))
        self._cut = tokenizer.__call__.__wrapped__  # sacreBLEU's memory of texts would keep the long ones

    def of_hypothesis(self, text: str) -> list[str]:
        """The words of a hypothesis."""
        return self._treated(text).split()

    def of_reference(self, text: str) -> list[str]:
        """The words of a reference, which sacreBLEU treats when it caches it and again when it splits it."""
        return self._treated(self._treated(text)).split()

    def _treated(self, text: str) -> str:
        return self._cut(self._tokenizer, text.rstrip())


@dataclass(frozen=True)
class _Sacrebleu:
    """The parts of sacreBLEU that are used here."""

    tokenizer: "type[TercomTokenizer]"
    version: str


def _sacrebleu() -> _Sacrebleu:
    """What is used of sacreBLEU, imported only where edits are counted: it takes a third of a second."""
    try:
        from sacrebleu import __version__  # noqa: PLC0415
        from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer  # noqa: PLC0415
    except ImportError as error:
        raise InputError(
            "the package sacrebleu cannot be imported",
            where="TER",
            found=str(error),
            expected="sacrebleu 2.6",
            remedy=f"Install it with: {how_to_add('sacrebleu')}",
        ) from error
    return _Sacrebleu(TercomTokenizer, __version__)


def _refuse_long_texts(
    hypotheses: Sequence[Sequence[str]], references: Sequence[Sequence[str | None]], options: TerOptions
) -> None:
    words = _Words(options)
    columns = [(f"reference {number}", column, words.of_reference) for number, column in enumerate(references, start=1)]
    columns += [(f"system {number}", column, words.of_hypothesis) for number, column in enumerate(hypotheses, start=1)]
    for name, column, cut in columns:
        for line, text in enumerate(column, start=1):
            if text is None or len(text) <= MAX_WORDS:  # a text has no more words than characters
                continue
            n_words = len(cut(text))
            if n_words > MAX_WORDS:
                raise InputError(
                    "the text is too long for TER",
                    where=f"TER, {name}",
                    line=line,
                    found=f"{n_words:,} words",
                    expected=f"at most {MAX_WORDS:,}",
                    remedy="Split the segment, or leave TER out.",
                )


def _is_small(hypotheses: Sequence[Sequence[str]], n_references: int) -> bool:
    n_pairs = n_references * sum(map(len, hypotheses))
    return (
        n_pairs <= SMALL_PAIRS
        and n_references * sum(len(text) for column in hypotheses for text in column) <= SMALL_CHARACTERS
    )


def _chunks(hypotheses: Sequence[Sequence[str]], references: Sequence[Sequence[str | None]]) -> list[Chunk]:
    """Segments in their order, in parts of about the same work."""
    longest = [max(map(len, texts)) for texts in zip(*hypotheses, strict=True)]
    sentences = np.maximum(1, np.array(longest) / SENTENCE_CHARACTERS)
    work = len(hypotheses) * len(references) * sentences
    number = (work.cumsum() - work) // CHUNK_PAIRS
    begins = [0, *(np.flatnonzero(np.diff(number)) + 1).tolist(), len(longest)]
    rows = [slice(*ends) for ends in pairwise(begins)]
    return [([column[part] for column in hypotheses], [column[part] for column in references]) for part in rows]


def _chunk_counts(chunk: Chunk, options: TerOptions) -> Floats:
    """Counts of some segments: (K, S, 2)."""
    from bleucore.metrics.ter_edits import edits  # noqa: PLC0415  # nobody else waits for it

    hypotheses, references = chunk
    words = _Words(options)
    found = np.full((len(references), len(hypotheses), len(hypotheses[0])), np.inf)
    lengths = np.full((len(references), len(hypotheses[0])), np.nan)
    cut = [[words.of_hypothesis(text) for text in column] for column in hypotheses]
    pairs, places = [], []
    for reference, column in enumerate(references):
        for row, text in enumerate(column):
            if text is None:
                continue
            other = words.of_reference(text)
            lengths[reference, row] = len(other)
            pairs += [(texts[row], other) for texts in cut]
            places += [(reference, system, row) for system in range(len(cut))]
    found[tuple(np.array(places).T)] = edits(pairs)
    means = np.nansum(lengths, axis=0) / np.count_nonzero(~np.isnan(lengths), axis=0)
    return np.stack([found.min(axis=0), np.broadcast_to(means, found.shape[1:])], axis=-1)
