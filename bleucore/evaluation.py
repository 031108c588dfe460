"""One call: a test set and options in, every score out."""

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bleucore import chrf, segment_scores, ter
from bleucore.bleu import BleuParts, BleuScore, Floats, bleu_score, draw_scores, parts, scores, statistics
from bleucore.corpus import System, TestSet
from bleucore.errors import InputError
from bleucore.external_tokenizers import external_tokenizer
from bleucore.ngrams import Ints, columns
from bleucore.notebook_tables import decimals, html_table
from bleucore.options import EXTERNAL_TOKENIZER_NAMES, BleuOptions
from bleucore.tokenizers import tokenize
from bleucore.written_numbers import count

if TYPE_CHECKING:
    import pandas as pd

BLOCK_TEXTS = 12_000
"""Texts that a thread handles at once: bounds memory, and the time per segment stays the same in large test sets."""
TEXT_CHARACTERS = 1_000
"""So many of a block count for one text more: tokens and n-grams take thirty times the memory of their text."""
MIN_BLOCK_TEXTS = 2_000
"""Fewer texts than this are not worth a thread of their own."""
MAX_NAMED = 5
"""References that a remark names; it says how many more there are."""
N_THREADS = min(4, os.cpu_count() or 1)

Progress = Callable[[float], None]
MetricOptions: TypeAlias = BleuOptions | chrf.ChrfOptions | ter.TerOptions | segment_scores.SegmentScores


@dataclass(frozen=True)
class Metric:
    """One metric in its two halves; the options of its functions are of the metric's own type.

    Attributes:
        name: Of options: the metric's name under them.
        statistics: Of a test set and options: counts (S, C) of each system, additive over segments.
        scores: Of counts (..., C) and options: (...).
        segment_scores: The same for single segments, where a metric treats them differently.
        signature: Of options and the number of references: what to cite with the scores.
        higher_is_better: Of options: which way the metric points.
        draw_scores: ``scores`` of very many sums, in single or double precision, where that can be had faster.
        takes_first_of_ties: Of options: whether the first of equally good references counts.
    """

    name: Callable[[Any], str]
    statistics: Callable[[TestSet, Any, Progress], Sequence[NDArray[Any]]]
    scores: Callable[[NDArray[Any], Any], Floats]
    segment_scores: Callable[[NDArray[Any], Any], Floats]
    signature: Callable[[Any, int | Literal["var"]], str] = lambda options, n_references: options.signature(
        n_references
    )
    higher_is_better: Callable[[Any], bool] = lambda _: True
    draw_scores: Callable[[NDArray[Any], Any], Floats] | None = None
    takes_first_of_ties: Callable[[Any], bool] = lambda _: False


@dataclass(frozen=True)
class SystemResult:
    """What BLEU says about one system.

    Attributes:
        name: The system's name.
        counts: (S, 2 + 2M), read-only; the layout is that of ``bleucore.bleu``.
        score: The corpus score.
        segment_scores: (S,), 0-100, read-only, with effective order as ``sacrebleu --sentence-level``.
        file: What its texts were read from, where that is known.
    """

    name: str
    counts: Ints
    score: BleuScore
    segment_scores: Floats
    file: str | None = None


@dataclass(frozen=True)
class MetricResult:
    """What any metric says about one system.

    Attributes:
        counts: (S, C), read-only; they add up over segments.
        score: Of the whole test set.
        segment_scores: (S,), read-only.
    """

    counts: NDArray[Any]
    score: float
    segment_scores: Floats


@dataclass(frozen=True)
class MetricEvaluation:
    """What one metric says about all systems.

    Attributes:
        name: As its field writes it: "BLEU", "chrF2++", "TER".
        options: The metric's settings.
        signature: To cite with the scores.
        higher_is_better: Which way the metric points.
        systems: By name, in the test set's order.
        remarks: What the signature does not say and whoever reads the scores has to know, as sentences.
    """

    name: str
    options: MetricOptions
    signature: str
    higher_is_better: bool
    systems: Mapping[str, MetricResult]
    remarks: tuple[str, ...] = ()

    @property
    def segment_signature(self) -> str:
        """To cite with scores of segments, which BLEU gives with effective order."""
        is_bleu = isinstance(self.options, BleuOptions)
        return self.signature.replace("|eff:no|", "|eff:yes|") if is_bleu else self.signature

    def named_as(self, test_set: TestSet) -> "MetricEvaluation":
        """The same results under the names of a test set of the same texts."""
        systems = dict(zip(test_set.system_names, self.systems.values(), strict=True))
        remarks = _remarks_on_order(METRICS[type(self.options)], self.options, test_set)
        return replace(self, systems=MappingProxyType(systems), remarks=remarks)

    def ranked(self) -> tuple[str, ...]:
        """The system names, best first; equal scores keep the test set's order."""
        sign = -1 if self.higher_is_better else 1
        return tuple(sorted(self.systems, key=lambda name: sign * self.systems[name].score))

    def group_scores(self, name: str, groups: Ints, n_groups: int) -> Floats:
        """The score of each group of segments, (G,); the groups as in ``group_counts``."""
        return self.score_of(group_counts(self.systems[name].counts, groups, n_groups))

    def score_of(self, counts: NDArray[Any]) -> Floats:
        """The scores (...) of summed counts (..., C)."""
        return METRICS[type(self.options)].scores(counts, self.options)

    def draw_scores_of(self, counts: NDArray[Any]) -> Floats:
        """The scores (...) of very many sums of counts (..., C), as tests draw them; the last digits can differ.

        Whole numbers can be in single precision; the scores are of double precision all the same.
        """
        metric = METRICS[type(self.options)]
        if metric.draw_scores is not None:
            return metric.draw_scores(counts, self.options)
        return metric.scores(counts.astype(np.float64, copy=False), self.options)

    def known_score(self, name: str) -> float:
        """The corpus score of a system; NaN where a file of scores has none of it."""
        result = self.systems[name]
        return float(self._known(result.counts.sum(axis=0), np.float64(result.score)))

    def known_segment_scores(self, name: str) -> Floats:
        """The segment scores of a system, (S,); NaN where a file of scores has none."""
        result = self.systems[name]
        return self._known(result.counts, result.segment_scores)

    def _known(self, counts: NDArray[Any], values: Floats | np.float64) -> Floats:
        if not isinstance(self.options, segment_scores.SegmentScores):
            return np.asarray(values)
        return np.where(segment_scores.has_scores(counts), values, np.nan)


@dataclass(frozen=True)
class Evaluation:
    """The results of all systems of a test set under one set of options.

    Attributes:
        systems: What BLEU says, by system.
        options: BLEU's settings.
        signature: To cite with the BLEU scores.
        digest: The test set's.
        texts_digest: The test set's without names: results under other names have the same.
        metrics: What every metric says, BLEU first, by the metric's name.
    """

    systems: Mapping[str, SystemResult]
    options: BleuOptions
    signature: str
    digest: str
    texts_digest: str
    metrics: Mapping[str, MetricEvaluation]

    def named_as(self, test_set: TestSet) -> "Evaluation":
        """The same results under the names of a test set of the same texts."""
        if test_set.digest == self.digest:
            return self
        systems = {
            system.name: replace(result, name=system.name, file=system.file)
            for system, result in zip(test_set.systems, self.systems.values(), strict=True)
        }
        metrics = {name: metric.named_as(test_set) for name, metric in self.metrics.items()}
        return replace(
            self, systems=MappingProxyType(systems), digest=test_set.digest, metrics=MappingProxyType(metrics)
        )

    @property
    def names(self) -> tuple[str, ...]:
        """The system names in the test set's order."""
        return tuple(self.systems)

    @property
    def n_segments(self) -> int:
        """S, the number of segments."""
        return len(next(iter(self.systems.values())).segment_scores)

    @property
    def remarks(self) -> tuple[str, ...]:
        """Those on all metrics."""
        return tuple(remark for metric in self.metrics.values() for remark in metric.remarks)

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

    def to_frame(self) -> "pd.DataFrame":
        """One row per system, in the test set's order, unrounded.

        Returns:
            The columns ``system``, ``BLEU``, ``precision_1`` to ``precision_M`` (0-100), ``brevity_penalty``,
            ``hypothesis_length``, ``reference_length`` (tokens), ``length_ratio``, and the corpus score in every
            further metric under its name, NaN where a system has none. If any system was read from a file, the last
            column is ``file``.
        """
        import pandas as pd  # noqa: PLC0415  # half a second: only for those who want frames

        of_bleu = [result.score for result in self.systems.values()]
        found: dict[str, Sequence[Any]] = {"system": self.names, "BLEU": [score.score for score in of_bleu]}
        for order in range(self.options.max_order):
            found[f"precision_{order + 1}"] = [float(score.precisions[order]) for score in of_bleu]
        for part in ("brevity_penalty", "hypothesis_length", "reference_length", "length_ratio"):
            found[part] = [getattr(score, part) for score in of_bleu]
        for name, metric in self._further_metrics(found):
            found[name] = [metric.known_score(system) for system in self.names]
        if any(result.file is not None for result in self.systems.values()):
            key = next(key for key in ("file", "file (of system)") if key not in found)
            found[key] = [result.file for result in self.systems.values()]
        return pd.DataFrame(found)

    def segments_frame(self) -> "pd.DataFrame":
        """One row per system and segment: all segments of the first system, then those of the next.

        ``frame.pivot(index="segment", columns="system", values="BLEU")`` sets the systems side by side.

        Returns:
            The columns ``system`` (a category, in the test set's order), ``segment`` (counted from 1), ``BLEU``, and
            the segment score in every further metric under its name, NaN where a segment has none.
        """
        import pandas as pd  # noqa: PLC0415  # as above

        n_systems = len(self.names)
        found: dict[str, Any] = {
            "system": pd.Categorical.from_codes(np.repeat(np.arange(n_systems), self.n_segments), pd.Index(self.names)),
            "segment": np.tile(np.arange(1, self.n_segments + 1), n_systems),
            "BLEU": np.concatenate([result.segment_scores for result in self.systems.values()]),
        }
        for name, metric in self._further_metrics(found):
            found[name] = np.concatenate([metric.known_segment_scores(system) for system in self.names])
        return pd.DataFrame(found)

    def _further_metrics(self, taken: Mapping[str, object]) -> list[tuple[str, MetricEvaluation]]:
        """The metrics after BLEU, by a name that no other column has: people name those that they bring."""
        return [
            (f"{name} (metric)" if name in taken else name, metric) for name, metric in list(self.metrics.items())[1:]
        ]

    def _repr_html_(self) -> str:
        """The scores as notebooks show them, best system first."""
        others = self._further_metrics({})
        heads = ["system", "BLEU", *(f"p{order + 1}" for order in range(self.options.max_order)), "BP", "ratio"]
        rows = []
        for name in self.ranked():
            score = self.systems[name].score
            rows.append(
                [
                    name,
                    decimals(score.score),
                    *(decimals(precision, 1) for precision in score.precisions),
                    decimals(score.brevity_penalty, 3),
                    decimals(score.length_ratio, 3),
                    *(decimals(metric.known_score(name)) for _, metric in others),
                ]
            )
        signatures = [self.signature, *(f"{name}|{metric.signature}" for name, metric in others)]
        heads += [name for name, _ in others]
        told = [f"{count(self.n_segments)} segments", *signatures, *self.remarks]
        return html_table(heads, rows, n_names=1, caption="; ".join(told))


def evaluate(
    test_set: TestSet,
    options: BleuOptions | None = None,
    *,
    metrics: Sequence[MetricOptions] = (),
    progress: Progress | None = None,
) -> Evaluation:
    """Corpus and segment BLEU of every system, and what other metrics say.

    A segment is a line: as in sacreBLEU's command, no metric counts white space at its end.

    Args:
        test_set: K systems of S segments with R references.
        options: BLEU's; sacreBLEU's own unless given.
        metrics: The settings of further metrics, each of another name.
        progress: Called with the share of the work done, 0 to 1, from time to time.

    Raises:
        InputError: Two metrics have the same name, something is no settings of a metric, or what a metric needs is
            not installed.
    """
    options = BleuOptions() if options is None else options
    asked: list[MetricOptions] = [options, *metrics]
    _refuse_other_settings(options, metrics)
    _refuse_repeated([METRICS[type(one)].name(one) for one in asked])
    evaluations: dict[str, MetricEvaluation] = {}
    for index, one in enumerate(asked):
        evaluation = evaluate_metric(test_set, one, progress=_shared(progress, index, len(asked)))
        evaluations[evaluation.name] = evaluation
    bleu = next(iter(evaluations.values()))
    results = {system.name: _system_result(system, bleu.systems[system.name], options) for system in test_set.systems}
    return Evaluation(
        MappingProxyType(results),
        options,
        bleu.signature,
        test_set.digest,
        test_set.texts_digest,
        MappingProxyType(evaluations),
    )


def evaluate_metric(test_set: TestSet, options: MetricOptions, *, progress: Progress | None = None) -> MetricEvaluation:
    """What one metric says about every system: corpus and segment scores.

    Raises:
        InputError: What the metric needs is not installed.
    """
    metric = METRICS[type(options)]
    columns = metric.statistics(test_set, options, progress or (lambda _: None))
    systems = {
        system.name: _metric_result(metric, counts, options)
        for system, counts in zip(test_set.systems, columns, strict=True)
    }
    return MetricEvaluation(
        metric.name(options),
        options,
        metric.signature(options, _n_references(test_set)),
        metric.higher_is_better(options),
        MappingProxyType(systems),
        _remarks_on_order(metric, options, test_set),
    )


def segment_options(options: BleuOptions) -> BleuOptions:
    """The options of segment scores: always with effective order, or a short segment could only score 0."""
    return replace(options, effective_order=True)


def group_counts(counts: NDArray[Any], groups: Ints, n_groups: int) -> NDArray[Any]:
    """Counts (S, C) summed by group: (G, C). A group of -1 leaves the segment out."""
    inside = groups >= 0
    summed = np.zeros((n_groups, counts.shape[1]), counts.dtype)
    np.add.at(summed, groups[inside], counts[inside])
    return summed


def _system_result(system: System, result: MetricResult, options: BleuOptions) -> SystemResult:
    score = bleu_score(result.counts.sum(axis=0), options)
    return SystemResult(system.name, result.counts, score, result.segment_scores, system.file)


def _metric_result(metric: Metric, counts: NDArray[Any], options: MetricOptions) -> MetricResult:
    segment_scores = metric.segment_scores(counts, options)
    for array in (counts, segment_scores):
        array.flags.writeable = False
    return MetricResult(counts, float(metric.scores(counts.sum(axis=0), options)), segment_scores)


def _refuse_other_settings(options: object, metrics: Sequence[object]) -> None:
    if not isinstance(options, BleuOptions):
        raise InputError(
            "these are not the settings of BLEU",
            where="The options",
            found=repr(options),
            expected="BleuOptions, with the tokenizer and all else in it",
        )
    for one in metrics:
        if type(one) not in METRICS:
            raise InputError(
                "these are not the settings of a metric",
                where="The metrics",
                found=repr(one),
                expected=f"one of {', '.join(sorted(known.__name__ for known in METRICS))}",
            )


def _refuse_repeated(names: Sequence[str]) -> None:
    repeated = next((name for name in names if names.count(name) > 1), None)
    if repeated is not None:
        raise InputError(
            "a metric is asked for twice",
            where="The metrics",
            found=repeated,
            remedy="Ask for each metric once; evaluate again for other settings of it.",
        )


def _shared(progress: Progress | None, index: int, number: int) -> Progress:
    """The progress of one of several equal parts of the work."""
    return lambda share: progress((index + share) / number) if progress else None


def _counts(test_set: TestSet, options: BleuOptions, progress: Progress) -> list[Ints]:
    """Counts of each system, from blocks of segments that threads take in turn.

    Arrow and numpy let go of the interpreter's lock for much of the work.
    """
    texts = [system.hypotheses for system in test_set.systems] + list(test_set.references)
    blocks = _blocks(np.array([[len(text or "") for text in column] for column in texts], np.int64))
    counts: list[Ints] = []
    with ThreadPoolExecutor(N_THREADS) as pool:
        found = pool.map(lambda rows: _block_counts(test_set, rows, options), blocks)
        for done, (rows, block) in enumerate(zip(blocks, found, strict=True), start=1):
            counts = counts or [np.empty((test_set.n_segments, part.shape[1]), part.dtype) for part in block]
            for whole, part in zip(counts, block, strict=True):
                whole[rows] = part
            progress(done / len(blocks))
    return counts


def _blocks(sizes: Ints) -> list[slice]:
    """Blocks of at most ``BLOCK_TEXTS`` texts, as many for each thread unless there is too little to share.

    Args:
        sizes: The characters of each text, (columns, S). A long text counts for several.
    """
    weights = np.cumsum(len(sizes) + sizes.sum(axis=0) // TEXT_CHARACTERS)
    n_texts = int(weights[-1])
    n_blocks = -(-n_texts // BLOCK_TEXTS)
    n_shared = -(-n_blocks // N_THREADS) * N_THREADS
    n_blocks = max(n_blocks, min(n_shared, -(-n_texts // MIN_BLOCK_TEXTS)))
    ends = np.searchsorted(weights, n_texts * np.arange(1, n_blocks) // n_blocks, "right").tolist()
    edges = [0, *ends, sizes.shape[1]]
    return [slice(start, stop) for start, stop in pairwise(edges) if stop > start]


def _block_counts(test_set: TestSet, rows: slice, options: BleuOptions) -> list[Ints]:
    """Counts of each system for some segments."""
    hypotheses = [system.hypotheses[rows] for system in test_set.systems]
    references = [column[rows] for column in test_set.references]
    present = np.array([[text is not None for text in column] for column in references])
    texts = [text or "" for column in (*references, *hypotheses) for text in column]
    tokenized = tokenize(texts, options.tokenizer, lowercase=options.lowercase)
    segments = columns(tokenized.ids, tokenized.offsets, len(references) + len(hypotheses))
    return statistics(segments[len(references) :], segments[: len(references)], present, options)


def _n_references(test_set: TestSet) -> int | Literal["var"]:
    """How many references every segment has, or ``"var"`` where that differs, as sacreBLEU writes it."""
    numbers = {sum(text is not None for text in texts) for texts in zip(*test_set.references, strict=True)}
    return numbers.pop() if len(numbers) == 1 else "var"


def _remarks_on_order(metric: Metric, options: MetricOptions, test_set: TestSet) -> tuple[str, ...]:
    """That the order of several references counts, where it does, and which it is."""
    names = test_set.reference_names or ()
    if len(names) == 1 or not metric.takes_first_of_ties(options):
        return ()
    more = f" and {len(names) - MAX_NAMED:,} more" if len(names) > MAX_NAMED else ""
    in_order = f"{', '.join(names[:MAX_NAMED])}{more}"
    return (
        f"{metric.name(options)} takes the first of equally good references, so their order counts: here {in_order}.",
    )


def _bleu_signature(options: BleuOptions, n_references: int | Literal["var"]) -> str:
    """The signature of the options, where an external tokenizer adds the version that it is of."""
    signature = options.signature(n_references)
    if options.tokenizer not in EXTERNAL_TOKENIZER_NAMES:
        return signature
    tokenizer = external_tokenizer(options.tokenizer, download=False)
    return signature.replace(f"|tok:{options.tokenizer}|", f"|tok:{tokenizer.signature}|")


def _chrf_counts(test_set: TestSet, options: chrf.ChrfOptions, progress: Progress) -> list[Ints]:
    hypotheses, references = _texts_of(test_set)
    if options.whitespace:  # sacreBLEU's command takes that at the end of a line off, and nothing else would notice
        hypotheses = [[text.rstrip() for text in column] for column in hypotheses]
        references = [[text and text.rstrip() for text in column] for column in references]
    counts = chrf.statistics(hypotheses, references, options)
    progress(1.0)
    return counts


def _read_counts(test_set: TestSet, options: segment_scores.SegmentScores, progress: Progress) -> list[Floats]:
    counts = options.statistics(test_set)
    progress(1.0)
    return list(counts.values())


def _texts_of(test_set: TestSet) -> tuple[list[Sequence[str]], Sequence[Sequence[str | None]]]:
    return [system.hypotheses for system in test_set.systems], test_set.references


METRICS: Mapping[type, Metric] = MappingProxyType(
    {
        BleuOptions: Metric(
            name=lambda _: "BLEU",
            statistics=_counts,
            scores=scores,
            segment_scores=lambda counts, options: scores(counts, segment_options(options)),
            signature=_bleu_signature,
            draw_scores=draw_scores,
            takes_first_of_ties=lambda options: options.takes_first_of_ties,
        ),
        chrf.ChrfOptions: Metric(
            name=lambda options: options.name,
            statistics=_chrf_counts,
            scores=chrf.scores,
            segment_scores=chrf.scores,
            takes_first_of_ties=lambda _: True,
        ),
        ter.TerOptions: Metric(
            name=lambda options: options.name,
            statistics=lambda test_set, options, progress: ter.statistics(
                *_texts_of(test_set), options, progress=progress
            ),
            scores=ter.scores,
            segment_scores=ter.scores,
            higher_is_better=lambda _: False,
        ),
        segment_scores.SegmentScores: Metric(
            name=lambda options: options.name,
            statistics=_read_counts,
            scores=lambda counts, _: segment_scores.scores(counts),
            segment_scores=lambda counts, _: segment_scores.scores(counts),
            signature=lambda options, _: f"mean of the segment scores in {options.file}",
            higher_is_better=lambda options: options.higher_is_better,
        ),
    }
)
"""How each metric is computed, by the type of its settings: a new metric is a module and an entry here."""
