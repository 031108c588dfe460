"""One call: a test set and options in, every score out."""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np
from numpy.typing import NDArray

from bleucore.corpus import TestSet, refuse_other_texts
from bleucore.counts import Floats, Ints, Progress, Signed, group_sums, read_only, some_rows
from bleucore.errors import InputError
from bleucore.metrics import METRICS, Metric, MetricOptions, metric_of
from bleucore.metrics.bleu import BleuParts, BleuScore, bleu_score, parts, segment_options
from bleucore.metrics.human_agreement import AgreementCurve
from bleucore.notebook_tables import decimals, html_table
from bleucore.optional_packages import pd
from bleucore.options import BleuOptions
from bleucore.short_reprs import short_repr
from bleucore.values import shown
from bleucore.written_numbers import count_of

if TYPE_CHECKING:
    from bleucore.checks.kinship import Kinship

MAX_NAMED = 5
"""References that a remark names; it says how many more there are."""


@dataclass(frozen=True)
class SystemResult:
    """What BLEU says about one system.

    Attributes:
        name: The system's name.
        counts: (S, 2 + 2M), read-only; the layout is that of ``bleucore.metrics.bleu``.
        score: The corpus score.
        segment_scores: (S,), 0-100, read-only, with effective order as ``sacrebleu --sentence-level``.
        file: What its texts were read from, where that is known.
    """

    name: str
    counts: Ints
    score: BleuScore
    segment_scores: Floats
    file: str | None = None

    def __repr__(self) -> str:
        return short_repr(self)


@dataclass(frozen=True)
class MetricResult:
    """What any metric says about one system.

    Attributes:
        counts: (S, C), read-only; they add up over segments.
        sums: (C,), read-only: the counts of the whole test set.
        score: Of the whole test set.
        segment_scores: (S,), read-only.
    """

    counts: NDArray[Any]
    sums: NDArray[Any]
    score: float
    segment_scores: Floats

    def __repr__(self) -> str:
        return short_repr(self)


@dataclass(frozen=True)
class MetricEvaluation:
    """What one metric says about all systems.

    Attributes:
        name: As its field writes it: "BLEU", "chrF2++", "TER".
        options: The metric's settings.
        signature: To cite with the scores.
        segment_signature: To cite with scores of segments, which BLEU gives with effective order.
        higher_is_better: Which way the metric points.
        systems: By name, in the test set's order.
        remarks: What the signature does not say and whoever reads the scores has to know, as sentences.
        n_references: How many references every segment has; ``None`` where that differs.
    """

    name: str
    options: MetricOptions
    signature: str
    segment_signature: str
    higher_is_better: bool
    systems: Mapping[str, MetricResult]
    remarks: tuple[str, ...] = ()
    n_references: int | None = None

    def __repr__(self) -> str:
        return short_repr(self)

    def _repr_html_(self) -> str:
        """The scores as notebooks show them, best system first."""
        rows = [[name, decimals(self.known_score(name))] for name in self.ranked()]
        return html_table(["system", self.name], rows, n_names=1, caption="; ".join([self.signature, *self.remarks]))

    @property
    def metric(self) -> Metric:
        """What is computed, and what else the metric can do."""
        return metric_of(self.options)

    def named_as(self, test_set: TestSet) -> "MetricEvaluation":
        """The same results under the names of a test set of the same texts."""
        systems = dict(zip(test_set.system_names, self.systems.values(), strict=True))
        remarks = _remarks_on_order(self.metric, self.options, test_set.reference_names or ())
        return replace(self, systems=MappingProxyType(systems), remarks=remarks)

    def gain(self, differences: Signed) -> Signed:
        """Differences of scores as a gain: above 0 where the first is better, whichever way the metric points."""
        return differences if self.higher_is_better else -differences

    @property
    def people(self) -> AgreementCurve | None:
        """How often raters agree with a difference by its size, as published for such settings and one reference."""
        return self.metric.people(self.options) if self.n_references == 1 else None

    def ranked(self) -> tuple[str, ...]:
        """The system names, best first; equal scores keep the test set's order."""
        sign = -1 if self.higher_is_better else 1
        return tuple(sorted(self.systems, key=lambda name: sign * self.systems[name].score))

    def group_scores(self, name: str, groups: Ints, n_groups: int) -> Floats:
        """The score of each group of segments, (G,); a group of -1 leaves a segment out; NaN where there is none."""
        return self.known_score_of(group_sums(self.systems[name].counts, groups, n_groups))

    def score_of(self, counts: NDArray[Any]) -> Floats:
        """The scores (...) of summed counts (..., C)."""
        return self.metric.scores(counts, self.options)

    def draw_scores_of(self, counts: NDArray[Any]) -> Floats:
        """The scores (...) of very many sums of counts (..., C), as ``Metric.draw_scores`` has them."""
        return self.metric.draw_scores(counts, self.options)

    def has_score(self, name: str) -> bool:
        """Whether there is a corpus score of a system; a file of scores may have none of it."""
        return bool(self.metric.has_scores(self.systems[name].sums))

    def known_score_of(self, counts: NDArray[Any]) -> Floats:
        """``score_of`` summed counts; NaN where a file of scores has none of them."""
        return np.where(self.metric.has_scores(counts), self.score_of(counts), np.nan)

    def known_score(self, name: str) -> float:
        """The corpus score of a system; NaN where a file of scores has none of it."""
        return self.systems[name].score if self.has_score(name) else float("nan")

    def known_segment_scores(self, name: str) -> Floats:
        """The segment scores of a system, (S,); NaN where a file of scores has none."""
        result = self.systems[name]
        return np.where(self.metric.has_scores(result.counts), result.segment_scores, np.nan)


@dataclass(frozen=True)
class Evaluation:
    """The results of all systems of a test set under one set of options.

    Attributes:
        metrics: What every metric says, BLEU first, by the metric's name.
        test_set: What they are of.
        files: What the texts of each system were read from, by its name, where that is known.
    """

    metrics: Mapping[str, MetricEvaluation]
    test_set: TestSet = field(repr=False)
    files: Mapping[str, str | None]

    def __repr__(self) -> str:
        return short_repr(self)

    @classmethod
    def of(cls, test_set: TestSet, metrics: Sequence[MetricEvaluation]) -> "Evaluation":
        """What metrics, BLEU first, say about the systems of a test set."""
        by_name = MappingProxyType({metric.name: metric for metric in metrics})
        return cls(by_name, test_set, _files(test_set))

    @property
    def digest(self) -> str:
        """The test set's, made when it is first asked for."""
        return self.test_set.digest

    @property
    def texts_digest(self) -> str:
        """The test set's without names: results under other names have the same."""
        return self.test_set.texts_digest

    @property
    def bleu(self) -> MetricEvaluation:
        """What BLEU says, as every metric says it."""
        return next(iter(self.metrics.values()))

    @property
    def further_metrics(self) -> tuple[MetricEvaluation, ...]:
        """All but BLEU."""
        return tuple(self.metrics.values())[1:]

    @property
    def options(self) -> BleuOptions:
        """BLEU's settings."""
        return cast("BleuOptions", self.bleu.options)

    @property
    def signature(self) -> str:
        """To cite with the BLEU scores."""
        return self.bleu.signature

    @cached_property
    def systems(self) -> Mapping[str, SystemResult]:
        """What BLEU says, by system, with what its scores are made of."""
        return MappingProxyType(
            {
                name: SystemResult(
                    name,
                    result.counts,
                    bleu_score(result.sums, self.options),
                    result.segment_scores,
                    self.files[name],
                )
                for name, result in self.bleu.systems.items()
            }
        )

    @property
    def names(self) -> tuple[str, ...]:
        """The system names in the test set's order."""
        return tuple(self.bleu.systems)

    @property
    def n_segments(self) -> int:
        """S, the number of segments."""
        return len(next(iter(self.bleu.systems.values())).segment_scores)

    @property
    def remarks(self) -> tuple[str, ...]:
        """Those on all metrics."""
        return tuple(remark for metric in self.metrics.values() for remark in metric.remarks)

    def ranked(self) -> tuple[str, ...]:
        """The system names, best corpus score first; equal scores keep the test set's order."""
        return self.bleu.ranked()

    @cached_property
    def kinship(self) -> "Kinship":
        """Whether the texts are translations, and which systems are versions of one; looked at when asked for."""
        from bleucore.checks.kinship import Kinship  # noqa: PLC0415  # Arrow and patterns, which no score needs

        return Kinship.of(self.test_set)

    def segment_parts(self, name: str, segment: int) -> BleuParts:
        """Score, precisions (M,) and brevity penalty of one segment (counted from 0)."""
        return parts(self.bleu.systems[name].counts[segment], segment_options(self.options))

    def group_scores(self, name: str, groups: Ints, n_groups: int) -> Floats:
        """Corpus BLEU of each group of segments, (G,).

        Args:
            name: The system.
            groups: (S,), the group 0 to G - 1 of each segment; -1 leaves a segment out.
            n_groups: G.
        """
        return self.bleu.group_scores(name, groups, n_groups)

    def to_frame(self) -> "pd.DataFrame":
        """One row per system, in the test set's order, unrounded.

        Returns:
            The columns ``system``, ``BLEU``, ``precision_1`` to ``precision_M`` (0-100), ``brevity_penalty``,
            ``hypothesis_length``, ``reference_length`` (tokens), ``length_ratio``, and the corpus score in every
            other metric under its name, NaN where a system has none. If any system was read from a file, the last
            column is ``file``.
        """
        of_bleu = [result.score for result in self.systems.values()]
        found: dict[str, Sequence[Any]] = {"system": self.names, "BLEU": [score.score for score in of_bleu]}
        for order in range(self.options.max_order):
            found[f"precision_{order + 1}"] = [float(score.precisions[order]) for score in of_bleu]
        for part in ("brevity_penalty", "hypothesis_length", "reference_length", "length_ratio"):
            found[part] = [getattr(score, part) for score in of_bleu]
        for name, metric in self._named_metrics(found):
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
            the segment score in every other metric under its name, NaN where a segment has none.
        """
        n_systems = len(self.names)
        found: dict[str, Any] = {
            "system": pd.Categorical.from_codes(np.repeat(np.arange(n_systems), self.n_segments), pd.Index(self.names)),
            "segment": np.tile(np.arange(1, self.n_segments + 1), n_systems),
            "BLEU": np.concatenate([result.segment_scores for result in self.systems.values()]),
        }
        for name, metric in self._named_metrics(found):
            found[name] = np.concatenate([metric.known_segment_scores(system) for system in self.names])
        return pd.DataFrame(found)

    def _named_metrics(self, taken: Mapping[str, object]) -> list[tuple[str, MetricEvaluation]]:
        """The metrics after BLEU, by a name that no other column has: people name those that they bring."""
        return [
            (f"{metric.name} (metric)" if metric.name in taken else metric.name, metric)
            for metric in self.further_metrics
        ]

    def _repr_html_(self) -> str:
        """The scores as notebooks show them, best system first."""
        others = self._named_metrics({})
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
        told = [count_of(self.n_segments, "segment"), *signatures, *self.remarks]
        return html_table(heads, rows, n_names=1, caption="; ".join(told))


def evaluate(
    test_set: TestSet,
    options: BleuOptions | None = None,
    *,
    metrics: Sequence[MetricOptions] = (),
    progress: Progress | None = None,
) -> Evaluation:
    """Corpus and segment BLEU of every system, and what other metrics say.

    Strings score as in sacreBLEU's classes, lines of files (``TestSet.are_lines``) as in its command. They differ for
    chrF that counts white space: the command strips the end of each line.

    Args:
        test_set: K systems of S segments with R references.
        options: BLEU's; sacreBLEU's own unless given.
        metrics: The settings of more metrics, each with its own name.
        progress: Called with the share of the work done, 0 to 1, from time to time.

    Raises:
        InputError: It is no test set, two metrics have the same name, something is no settings of a metric, or what a
            metric needs is not installed.
    """
    refuse_other_texts(test_set)
    options = BleuOptions() if options is None else options
    refuse_other_settings(options, metrics)
    asked: list[MetricOptions] = [options, *metrics]
    _refuse_repeated([metric_of(one).name(one) for one in asked])
    shares = (_shared(progress, index, len(asked)) for index in range(len(asked)))
    return Evaluation.of(
        test_set, [evaluate_metric(test_set, one, progress=share) for one, share in zip(asked, shares, strict=True)]
    )


def evaluate_metric(test_set: TestSet, options: MetricOptions, *, progress: Progress | None = None) -> MetricEvaluation:
    """What one metric says about every system: corpus and segment scores.

    Raises:
        InputError: What the metric needs is not installed.
    """
    columns = metric_of(options).statistics(test_set, options, progress)
    counts = dict(zip(test_set.system_names, columns, strict=True))
    found = metric_evaluation(counts, options, numbers_of_references(test_set), test_set.reference_names or ())
    if not test_set.is_resegmented:
        return found
    signatures = [resegmented_signature(one) for one in (found.signature, found.segment_signature)]
    return replace(found, signature=signatures[0], segment_signature=signatures[1])


def resegmented_signature(signature: str) -> str:
    """The signature of scores of texts that were cut anew."""
    rest, version, number = signature.rpartition("|version:")
    return f"{rest}|seg:mwer{version}{number}" if version else f"{signature}|seg:mwer"


def metric_evaluation(
    counts: Mapping[str, NDArray[Any]],
    options: MetricOptions,
    numbers: AbstractSet[int],
    reference_names: Sequence[str],
) -> MetricEvaluation:
    """What one metric says of counts that are made.

    Args:
        counts: By system, each (S, C), which nobody may change any more.
        options: The metric's.
        numbers: As ``numbers_of_references`` of the segments.
        reference_names: Of all references, in their order.

    Raises:
        InputError: What the metric needs is not installed.
    """
    metric = metric_of(options)
    n_references: int | Literal["var"] = next(iter(numbers)) if len(numbers) == 1 else "var"
    return MetricEvaluation(
        metric.name(options),
        options,
        metric.signature(options, n_references),
        metric.signature(metric.segment_options(options), n_references),
        metric.higher_is_better(options),
        MappingProxyType({name: _metric_result(metric, column, options) for name, column in counts.items()}),
        _remarks_on_order(metric, options, reference_names),
        n_references if isinstance(n_references, int) else None,
    )


def numbers_of_references(test_set: TestSet) -> frozenset[int]:
    """How many references segments have: one number where all have as many."""
    if all(None not in column for column in test_set.references):
        return frozenset({len(test_set.references)})
    return frozenset(sum(text is not None for text in texts) for texts in zip(*test_set.references, strict=True))


def _files(test_set: TestSet) -> Mapping[str, str | None]:
    return MappingProxyType({system.name: system.file for system in test_set.systems})


def _metric_result(metric: Metric, counts: NDArray[Any], options: MetricOptions) -> MetricResult:
    if counts.dtype.kind == "i":  # whole numbers have the same sum in any order
        sums = read_only(np.sum([part.sum(axis=0) for part in some_rows(counts)], axis=0))
    else:
        sums = read_only(counts.sum(axis=0))
    segment_scores = read_only(np.concatenate([metric.segment_scores(part, options) for part in some_rows(counts)]))
    return MetricResult(read_only(counts), sums, float(metric.scores(sums, options)), segment_scores)


def refuse_other_settings(options: object, metrics: object) -> None:
    """Refuse what are no settings of BLEU, or no list of those of metrics.

    Raises:
        InputError: One is something else.
    """
    if not isinstance(options, BleuOptions):
        raise InputError(
            "these are not the settings of BLEU",
            where="The options",
            found=shown(options),
            expected="BleuOptions, with the tokenizer and all else in it",
        )
    if isinstance(metrics, str) or not isinstance(metrics, Iterable):
        raise InputError(
            "this is not a list",
            where="The metrics",
            found=shown(metrics),
            expected="a list of settings",
            remedy="Put them into a list, as in metrics=[ChrfOptions()].",
        )
    for one in metrics:
        if type(one) not in METRICS:
            raise InputError(
                "these are not the settings of a metric",
                where="The metrics",
                found=shown(one),
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


def _remarks_on_order(metric: Metric, options: MetricOptions, names: Sequence[str]) -> tuple[str, ...]:
    """That the order of several references counts, where it does, and which it is."""
    if len(names) == 1 or not metric.takes_first_of_ties(options):
        return ()
    more = f" and {len(names) - MAX_NAMED:,} more" if len(names) > MAX_NAMED else ""
    in_order = f"{', '.join(names[:MAX_NAMED])}{more}"
    return (
        f"{metric.name(options)} takes the first of equally good references, so their order counts: here {in_order}.",
    )
