"""One call: a test set and options in, every score out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from bleucore.bleu import BleuParts, BleuScore, Floats, bleu_score, parts, scores, statistics
from bleucore.corpus import TestSet
from bleucore.ngrams import Ints, SegmentTokens
from bleucore.options import BleuOptions
from bleucore.tokenizers import TokenizedTexts, tokenize

BLOCK_TEXTS = 100_000
"""Texts handled at once: bounds memory, and keeps the time per segment the same however many there are."""

Progress = Callable[[float], None]


@dataclass(frozen=True)
class SystemResult:
    """What BLEU says about one system.

    Attributes:
        name: The system's name.
        counts: (S, 2 + 2M), read-only; the layout is that of ``bleucore.bleu``.
        score: The corpus score.
        segment_scores: (S,), 0-100, read-only, with effective order as ``sacrebleu --sentence-level``.
    """

    name: str
    counts: Ints
    score: BleuScore
    segment_scores: Floats


@dataclass(frozen=True)
class Evaluation:
    """The results of all systems of a test set under one set of options."""

    systems: Mapping[str, SystemResult]
    options: BleuOptions
    signature: str
    digest: str

    @property
    def names(self) -> tuple[str, ...]:
        """The system names in the test set's order."""
        return tuple(self.systems)

    @property
    def n_segments(self) -> int:
        """S, the number of segments."""
        return len(next(iter(self.systems.values())).segment_scores)

    def ranked(self) -> tuple[str, ...]:
        """The system names, best corpus score first; equal scores keep the test set's order."""
        return tuple(sorted(self.systems, key=lambda name: -self.systems[name].score.score))

    def segment_parts(self, name: str, segment: int) -> BleuParts:
        """Score, precisions (M,) and brevity penalty of one segment (counted from 0)."""
        return parts(self.systems[name].counts[segment], segment_options(self.options))

    def group_scores(self, name: str, groups: Ints, n_groups: int) -> Floats:
        """Corpus BLEU of each group of segments, (G,).

        Args:
            name: The system.
            groups: (S,), the group 0 to G - 1 of each segment; -1 leaves a segment out.
            n_groups: G.
        """
        return scores(group_counts(self.systems[name].counts, groups, n_groups), self.options)


def evaluate(test_set: TestSet, options: BleuOptions | None = None, *, progress: Progress | None = None) -> Evaluation:
    """Corpus and segment BLEU of every system.

    Args:
        test_set: K systems of S segments with R references.
        options: sacreBLEU's own unless given.
        progress: Called with the share of the work done, 0 to 1, from time to time.
    """
    options = options or BleuOptions()
    counts = _counts(test_set, options, progress or (lambda _: None))
    results = {
        system.name: _system_result(system.name, column, options)
        for system, column in zip(test_set.systems, counts, strict=True)
    }
    return Evaluation(MappingProxyType(results), options, options.signature(_n_references(test_set)), test_set.digest)


def segment_options(options: BleuOptions) -> BleuOptions:
    """The options of segment scores: always with effective order, or a short segment could only score 0."""
    return replace(options, effective_order=True)


def group_counts(counts: Ints, groups: Ints, n_groups: int) -> Ints:
    """Counts (S, C) summed by group: (G, C). A group of -1 leaves the segment out."""
    inside = groups >= 0
    summed = np.zeros((n_groups, counts.shape[1]), np.int64)
    np.add.at(summed, groups[inside], counts[inside])
    return summed


def _system_result(name: str, counts: Ints, options: BleuOptions) -> SystemResult:
    segment_scores = scores(counts, segment_options(options))
    for array in (counts, segment_scores):
        array.flags.writeable = False
    return SystemResult(name, counts, bleu_score(counts.sum(axis=0), options), segment_scores)


def _counts(test_set: TestSet, options: BleuOptions, progress: Progress) -> list[Ints]:
    n_columns = len(test_set.systems) + len(test_set.references)
    step = max(1, BLOCK_TEXTS // n_columns)
    blocks = []
    for start in range(0, test_set.n_segments, step):
        stop = min(start + step, test_set.n_segments)
        blocks.append(_block_counts(test_set, slice(start, stop), options))
        progress(stop / test_set.n_segments)
    return [np.concatenate(columns) for columns in zip(*blocks, strict=True)]


def _block_counts(test_set: TestSet, rows: slice, options: BleuOptions) -> list[Ints]:
    """Counts of each system for some segments."""
    hypotheses = [system.hypotheses[rows] for system in test_set.systems]
    references = [column[rows] for column in test_set.references]
    present = np.array([[text is not None for text in column] for column in references])
    texts = [text or "" for column in (*references, *hypotheses) for text in column]
    tokenized = tokenize(texts, options.tokenizer, lowercase=options.lowercase)
    columns = _columns(tokenized, len(references) + len(hypotheses))
    return statistics(columns[len(references) :], columns[: len(references)], present, options.max_order)


def _columns(tokenized: TokenizedTexts, n_columns: int) -> Sequence[SegmentTokens]:
    """Cut texts laid end to end into columns of equal numbers of texts."""
    n_texts = (len(tokenized.offsets) - 1) // n_columns
    columns = []
    for index in range(n_columns):
        offsets = tokenized.offsets[index * n_texts : (index + 1) * n_texts + 1]
        columns.append(SegmentTokens(tokenized.ids[offsets[0] : offsets[-1]], offsets - offsets[0]))
    return columns


def _n_references(test_set: TestSet) -> int | Literal["var"]:
    """How many references every segment has, or ``"var"`` where that differs, as sacreBLEU writes it."""
    numbers = {sum(text is not None for text in texts) for texts in zip(*test_set.references, strict=True)}
    return numbers.pop() if len(numbers) == 1 else "var"


def rows_by_group(groups: NDArray[np.int64], n_groups: int) -> list[Ints]:
    """The segments of each group, in order."""
    order = np.argsort(groups, kind="stable")
    edges = np.searchsorted(groups[order], np.arange(n_groups + 1))
    return [order[edges[group] : edges[group + 1]] for group in range(n_groups)]
