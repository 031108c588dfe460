"""BLEU's counts of a whole test set: its texts are tokenized and counted in blocks of segments."""

from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from itertools import pairwise
from typing import Literal, TypeAlias

import numpy as np

from bleucore.corpus import TestSet
from bleucore.counts import Ints, Progress, let_go, room
from bleucore.metrics.bleu import counts_by_choice
from bleucore.options import EXTERNAL_TOKENIZER_NAMES, BleuOptions
from bleucore.processes import n_processors, n_threads, results
from bleucore.tokens.external_tokenizers import external_tokenizer
from bleucore.tokens.matching import columns
from bleucore.tokens.tokenizers import tokenize

Block: TypeAlias = tuple[list[Sequence[str]], list[Sequence[str | None]]]
"""Some segments of the hypotheses of all systems, and of all references."""
BlockCounts: TypeAlias = list[list[list[Ints]]]
"""Counts (S, 2 + 2M) by options, choice of references and system."""

BLOCK_TEXTS = 12_000
"""Texts that a thread handles at once: bounds memory, and the time per segment stays the same in large test sets."""
TEXT_CHARACTERS = 1_000
"""So many of a block count for one text more: tokens and n-grams take thirty times the memory of their text."""
MIN_BLOCK_TEXTS = 2_000
"""Fewer texts than this are not worth a thread of their own."""
MOST_IN_MEMORY = 2**27
"""Bytes of the counts of all systems; more lie in temporary files."""
MIN_BLOCKS_OF_PROCESSES = 8
"""Fewer blocks than this are not worth processes where MeCab or SentencePiece cuts texts, one at a time."""


def statistics(test_set: TestSet, options: BleuOptions, progress: Progress | None = None) -> list[Ints]:
    """Counts of each system, each (S, 2 + 2M)."""
    return statistics_by_choice(test_set, [options], [range(len(test_set.references))], progress)[0][0]


def statistics_by_choice(
    test_set: TestSet,
    all_options: Sequence[BleuOptions],
    choices: Sequence[Sequence[int]],
    progress: Progress | None = None,
) -> BlockCounts:
    """Counts (S, 2 + 2M) by options, choice of references and system, from blocks that threads take in turn.

    Arrow and numpy let go of the interpreter's lock for much of the work. External tokenizers keep it, so processes
    take their blocks where there are many.

    Args:
        test_set: K systems, R references.
        all_options: They share tokenizer and case, so that texts are tokenized once.
        choices: Indices of references, at least one in each; a segment that has none of them counts nothing.
        progress: Called with the share of the work done, 0 to 1, from time to time.
    """
    texts = [system.hypotheses for system in test_set.systems] + list(test_set.references)
    blocks = _blocks(np.stack([_lengths(column) for column in texts]))
    counts: BlockCounts = []
    n_done = 0

    def report() -> None:
        if progress is not None:
            progress(n_done / len(blocks))

    with closing(_found(test_set, blocks, all_options, choices, report)) as found:
        for n_done, (index, block) in enumerate(found, start=1):  # noqa: B007  # the report says it
            counts = counts or _room(test_set.n_segments, block)
            for whole, part in zip(_flat(counts), _flat(block), strict=True):
                whole[blocks[index]] = part
                let_go(whole)
            report()
    return counts


def block_counts(
    test_set: TestSet,
    rows: slice,
    all_options: Sequence[BleuOptions],
) -> BlockCounts:
    """``statistics_by_choice`` of some segments; all references are one choice."""
    return _counts(_block(test_set, rows), all_options, [range(len(test_set.references))])


def _found(
    test_set: TestSet,
    blocks: Sequence[slice],
    all_options: Sequence[BleuOptions],
    choices: Sequence[Sequence[int]],
    beat: Callable[[], None],
) -> Generator[tuple[int, BlockCounts]]:
    """The number of each block and its counts, as threads or processes are done."""
    work = partial(_counts, all_options=all_options, choices=choices)
    if all_options[0].tokenizer in EXTERNAL_TOKENIZER_NAMES and len(blocks) >= MIN_BLOCKS_OF_PROCESSES:
        yield from results(work, [_block(test_set, rows) for rows in blocks], n_processors(), beat=beat)
        return
    with ThreadPoolExecutor(n_threads()) as pool:
        yield from enumerate(pool.map(lambda rows: work(_block(test_set, rows)), blocks))


def _block(test_set: TestSet, rows: slice) -> Block:
    return [system.hypotheses[rows] for system in test_set.systems], [column[rows] for column in test_set.references]


def _counts(block: Block, all_options: Sequence[BleuOptions], choices: Sequence[Sequence[int]]) -> BlockCounts:
    hypotheses, references = block
    present = np.array([[text is not None for text in column] for column in references])
    texts = [text or "" for column in (*references, *hypotheses) for text in column]
    tokenized = tokenize(texts, all_options[0].tokenizer, lowercase=all_options[0].lowercase)
    segments = columns(tokenized.ids, tokenized.offsets, len(references) + len(hypotheses))
    of_references, of_systems = segments[: len(references)], segments[len(references) :]
    return [counts_by_choice(of_systems, of_references, present, options, choices) for options in all_options]


def signature(options: BleuOptions, n_references: int | Literal["var"]) -> str:
    """The signature of the options, where an external tokenizer adds the version that it is of.

    Raises:
        InputError: The tokenizer is not installed.
    """
    of_options = options.signature(n_references)
    if options.tokenizer not in EXTERNAL_TOKENIZER_NAMES:
        return of_options
    tokenizer = external_tokenizer(options.tokenizer, download=False)
    return of_options.replace(f"|tok:{options.tokenizer}|", f"|tok:{tokenizer.signature}|")


def _blocks(sizes: Ints) -> list[slice]:
    """Blocks of at most ``BLOCK_TEXTS`` texts, as many for each thread unless there is too little to share.

    Args:
        sizes: The characters of each text, (columns, S). A long text counts for several.
    """
    weights = np.cumsum(len(sizes) + sizes.sum(axis=0) // TEXT_CHARACTERS)
    n_texts = int(weights[-1])
    n_blocks = -(-n_texts // BLOCK_TEXTS)
    n_shared = -(-n_blocks // n_threads()) * n_threads()
    n_blocks = max(n_blocks, min(n_shared, -(-n_texts // MIN_BLOCK_TEXTS)))
    ends = np.searchsorted(weights, n_texts * np.arange(1, n_blocks) // n_blocks, "right").tolist()
    edges = [0, *ends, sizes.shape[1]]
    return [slice(start, stop) for start, stop in pairwise(edges) if stop > start]


def _lengths(column: Sequence[str | None]) -> Ints:
    """The characters of each text, (S,)."""
    return np.fromiter((len(text) if text else 0 for text in column), np.int64, len(column))


def _room(n_segments: int, block: BlockCounts) -> BlockCounts:
    """Room for the counts of all segments, of the kind of those of a block: on disk from ``MOST_IN_MEMORY`` on."""
    n_bytes = n_segments * sum(part.shape[1] * part.itemsize for part in _flat(block))

    def of(part: Ints) -> Ints:
        return room(part.shape[1], n_segments, part.dtype, on_disk=n_bytes > MOST_IN_MEMORY)

    return [[[of(part) for part in each] for each in by_choice] for by_choice in block]


def _flat(counts: Sequence[Sequence[Sequence[Ints]]]) -> Iterator[Ints]:
    return (each for by_choice in counts for by_system in by_choice for each in by_system)
