"""One call: the counts of several systems in, every interval and every test between them out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

import numpy as np

from bleucore.bleu import Floats
from bleucore.errors import InputError
from bleucore.notebook_tables import NOT_KNOWN, decimals, html_table, p_value
from bleucore.significance.block_tests import BlockTest, paired_t_test, sign_test, wilcoxon_test
from bleucore.significance.blocks import (
    BlockSummary,
    block_counts,
    blocks_of_documents,
    blocks_of_number,
    summarise_blocks,
)
from bleucore.significance.corrections import CORRECTIONS, Correction, corrected, rank_clusters
from bleucore.significance.draws import NamedCounts, Progress, Score, Unit
from bleucore.significance.paired import PairedTestResult, rounding
from bleucore.significance.power import smallest_detectable_difference, units_needed
from bleucore.significance.randomisation import Randomisation, approximate_randomisation, randomise
from bleucore.significance.resampling import (
    Bootstrap,
    bootstrap,
    paired_bootstrap,
    percentile_interval,
    sacrebleu_bootstrap,
)
from bleucore.values import name_among, not_accepted, positive_number, whole_number

if TYPE_CHECKING:
    import pandas as pd

TestName = Literal[
    "approximate-randomisation", "paired-bootstrap", "block-t", "block-wilcoxon", "block-sign", "sacrebleu-bs"
]
TESTS: tuple[TestName, ...] = (
    "approximate-randomisation",
    "paired-bootstrap",
    "block-t",
    "block-wilcoxon",
    "block-sign",
    "sacrebleu-bs",
)
BLOCK_TESTS: Mapping[str, Callable[[BlockSummary, BlockSummary], BlockTest]] = MappingProxyType(
    {"block-t": paired_t_test, "block-wilcoxon": wilcoxon_test, "block-sign": sign_test}
)
MAX_TRIALS = 100_000
LARGEST_SEED = 2**32 - 1
LEVELS = "a number between 0 and 1"
UNITS: tuple[Unit, ...] = ("segment", "document")
FEW_UNITS = 50
"""With fewer, intervals from resamples are measurably too narrow (``make calibration``)."""
SHARE_OF_TRIALS = 0.75
"""Of the work of a comparison, as its progress shows it."""


@dataclass(frozen=True)
class SignificanceOptions:
    """How differences are tested; every one of these can change a p-value.

    Attributes:
        test: Which of ``TESTS``.
        level: A p-value below it is called significant, 0 to 1.
        trials: Of approximate randomisation.
        resamples: For the intervals, and for the tests that are bootstraps.
        seed: Of all draws.
        unit: What is drawn: segments, or whole documents, whose segments are not independent of each other.
        correction: For several comparisons at once.
        n_blocks: Of the tests over blocks of segments.
    """

    test: TestName = "approximate-randomisation"
    level: float = 0.05
    trials: int = 10_000
    resamples: int = 1_000
    seed: int = 12345
    unit: Unit = "segment"
    correction: Correction = "holm"
    n_blocks: int = 20

    def __post_init__(self) -> None:
        """Refuse what is no setting of a test; keep each in one form."""
        level = positive_number("level", self.level, 1.0, LEVELS)
        if not 0 < level < 1:
            raise not_accepted("level", self.level, LEVELS)
        checked = {
            "test": name_among("test", self.test, TESTS),
            "level": level,
            "trials": whole_number("trials", self.trials, 1, MAX_TRIALS),
            "resamples": whole_number("resamples", self.resamples, 1, MAX_TRIALS),
            "seed": whole_number("seed", self.seed, 0, LARGEST_SEED),
            "unit": name_among("unit", self.unit, UNITS),
            "correction": name_among("correction", self.correction, tuple(CORRECTIONS)),
            "n_blocks": whole_number("n_blocks", self.n_blocks, 1, MAX_TRIALS),
        }
        for name, value in checked.items():
            object.__setattr__(self, name, value)

    def signature(self) -> str:
        """The settings in the style of sacreBLEU's signatures, to cite with a p-value."""
        drawn = {
            "approximate-randomisation": f"ar:{self.trials}|bs:{self.resamples}|seed:{self.seed}",
            "paired-bootstrap": f"bs:{self.resamples}|seed:{self.seed}",
            "sacrebleu-bs": f"bs:{self.resamples}|seed:{self.seed}",
        }.get(self.test, f"blocks:{self.n_blocks}|bs:{self.resamples}|seed:{self.seed}")
        return f"test:{self.test}|{drawn}|unit:{self.unit}|level:{self.level:g}|correction:{self.correction}"


@dataclass(frozen=True)
class ComparedSystems:
    """What is compared: counts of several systems and what they mean.

    Attributes:
        systems: K names with counts (S, C) of the same segments; the rows of a subset are a test of the subset.
        score: Of counts (..., C): (...).
        higher_is_better: Which way the score points.
        documents: The document of each segment, where they are known.
        selected_by_score: Whether the segments are a selection that looked at the scores themselves.
    """

    systems: Sequence[NamedCounts]
    score: Score
    higher_is_better: bool = True
    documents: Sequence[str] | None = None
    selected_by_score: bool = False

    @property
    def n_segments(self) -> int:
        """S, the number of segments."""
        return len(self.systems[0][1]) if self.systems else 0

    @property
    def n_documents(self) -> int | None:
        """How many documents there are; ``None`` where they are not known."""
        return None if self.documents is None else len(set(self.documents))

    def units(self, unit: Unit) -> Sequence[NamedCounts]:
        """The counts of what is drawn: of segments or of documents.

        Raises:
            InputError: Documents are to be drawn and not known.
        """
        if unit == "segment":
            return self.systems
        if self.documents is None:
            raise InputError(
                "the test set has no documents to draw",
                where="Option unit",
                remedy="Test by segment, or give the document of each segment.",
            )
        layout = blocks_of_documents(self.documents)
        return [(name, block_counts(counts, layout)) for name, counts in self.systems]


@dataclass(frozen=True)
class PairComparison:
    """What one test says about two systems.

    Attributes:
        name: The system.
        other: The one that it is compared with.
        difference: The score of ``name`` minus that of ``other``.
        interval: 95 % bootstrap interval of the difference; ``None`` where there is none.
        p_value: Two-sided (but for sacreBLEU's own test); ``None`` where there is no test.
        corrected_p_value: The same, corrected for the family of comparisons that this one is reported in.
        smallest_detectable: The true difference that such a test set shows in 80 % of cases; ``None`` as the interval.
        n_needed: How many units it would take to show the present difference in 80 % of cases.
        remark: What to know beside the p-value, in words, or ``None``.
    """

    name: str
    other: str
    difference: float
    interval: tuple[float, float] | None
    p_value: float | None
    corrected_p_value: float | None
    smallest_detectable: float | None
    n_needed: int | None
    remark: str | None

    def turned(self) -> "PairComparison":
        """The same with the roles exchanged."""
        interval = None if self.interval is None else (-self.interval[1], -self.interval[0])
        return replace(self, name=self.other, other=self.name, difference=-self.difference, interval=interval)


@dataclass(frozen=True)
class Comparison:
    """Several systems under one test.

    Attributes:
        options: The settings of the test.
        names: K system names.
        intervals: 95 % bootstrap interval of each system's score; ``None`` for a single unit.
        pairs: All pairs in the order of the names, corrected as one family.
        clusters: The systems in groups, best first; each of a group is significantly better than all below.
        higher_is_better: Which way the score points.
        n_segments: S, the segments that were scored.
        n_units: How many segments or documents were drawn from.
        n_documents: How many documents there are; ``None`` where they are not known.
        drawn: The resamples behind the intervals.
        trials: The trials of approximate randomisation, if that is the test.
        warning: What casts doubt on every p-value here, in words, or ``None``.
    """

    options: SignificanceOptions
    names: tuple[str, ...]
    intervals: Mapping[str, tuple[float, float] | None]
    pairs: Mapping[tuple[str, str], PairComparison]
    clusters: tuple[tuple[str, ...], ...]
    higher_is_better: bool
    n_segments: int
    n_units: int
    n_documents: int | None
    drawn: Bootstrap
    trials: Randomisation | None
    warning: str | None

    def pair(self, name: str, other: str) -> PairComparison:
        """The first system compared with the second, corrected among all pairs."""
        found = self.pairs.get((name, other))
        return self.pairs[other, name].turned() if found is None else found

    def against(self, baseline: str) -> Mapping[str, PairComparison]:
        """Every other system compared with the baseline, corrected among these comparisons alone."""
        compared = [self.pair(name, baseline) for name in self.names if name != baseline]
        return MappingProxyType({one.name: one for one in _corrected(compared, self.options.correction)})

    def is_significant(self, compared: PairComparison) -> bool:
        """Whether the corrected p-value is below the level."""
        return compared.corrected_p_value is not None and compared.corrected_p_value < self.options.level

    def is_better(self, name: str, other: str) -> bool:
        """Whether the first system is significantly better than the second, among all pairs."""
        compared = self.pair(name, other)
        ahead = compared.difference > 0 if self.higher_is_better else compared.difference < 0
        return ahead and self.is_significant(compared)

    def rank_range(self, name: str) -> tuple[int, int]:
        """The ranks that a system can have, given what is significant: 1 + those better, K - those worse."""
        others = [other for other in self.names if other != name]
        n_better = sum(self.is_better(other, name) for other in others)
        n_worse = sum(self.is_better(name, other) for other in others)
        return 1 + n_better, len(self.names) - n_worse

    def resampled_differences(self, name: str, other: str) -> Floats:
        """The differences of two systems on resampled test sets, (B,)."""
        drawn = self.drawn.resampled
        differences: Floats = drawn[self.names.index(name)] - drawn[self.names.index(other)]
        return differences

    def null_test(self, name: str, other: str) -> PairedTestResult | None:
        """The test with its null distribution; ``None`` for tests over blocks, which have none."""
        if self.options.test in BLOCK_TESTS:
            return None
        index, baseline = self.names.index(name), self.names.index(other)
        return _null_test(self.options, self.drawn, self.trials, index, baseline)

    def to_frame(self) -> "pd.DataFrame":
        """One row per pair of systems, corrected as one family, unrounded; missing values are NaN.

        Returns:
            The columns ``system``, ``other``, ``difference`` (of the score of ``system`` minus that of ``other``),
            ``interval_low``, ``interval_high`` (its 95 % bootstrap interval), ``p_value``, ``corrected_p_value``,
            ``significant``, ``smallest_detectable``, ``n_needed`` and ``remark``; see ``PairComparison``.
        """
        import pandas as pd  # noqa: PLC0415  # half a second: only for those who want frames

        pairs = list(self.pairs.values())
        intervals = [one.interval or (None, None) for one in pairs]
        numbers = {
            "difference": [one.difference for one in pairs],
            "interval_low": [low for low, _ in intervals],
            "interval_high": [high for _, high in intervals],
            "p_value": [one.p_value for one in pairs],
            "corrected_p_value": [one.corrected_p_value for one in pairs],
        }
        return pd.DataFrame(
            {
                "system": [one.name for one in pairs],
                "other": [one.other for one in pairs],
                **{name: np.array(values, np.float64) for name, values in numbers.items()},
                "significant": np.array([self.is_significant(one) for one in pairs], np.bool_),
                "smallest_detectable": np.array([one.smallest_detectable for one in pairs], np.float64),
                "n_needed": pd.array([one.n_needed for one in pairs], "Int64"),
                "remark": [one.remark for one in pairs],
            }
        )

    def _repr_html_(self) -> str:
        """The pairs as notebooks show them."""
        rows = []
        for one in self.pairs.values():
            low, high = one.interval or (None, None)
            interval = NOT_KNOWN if low is None else f"{decimals(low, signed=True)} to {decimals(high, signed=True)}"
            rows.append(
                [
                    one.name,
                    one.other,
                    decimals(one.difference, signed=True),
                    interval,
                    p_value(one.p_value),
                    p_value(one.corrected_p_value),
                    "yes" if self.is_significant(one) else "no",
                ]
            )
        heads = ["system", "other", "Δ", "95 % interval", "p", "corrected p", "significant"]
        caption = f"{self.n_units:,} {self.options.unit}s; {self.options.signature()}"
        return html_table(heads, rows, n_names=2, caption=caption)


def compare(
    compared: ComparedSystems, options: SignificanceOptions | None = None, *, progress: Progress | None = None
) -> Comparison:
    """Intervals, tests of all pairs with their correction, clusters and power.

    Args:
        compared: The systems with their counts.
        options: How to test; approximate randomisation by segment unless given.
        progress: Called with the share of the work done, 0 to 1, from time to time.

    Raises:
        InputError: There is no system, counts that do not fit, or documents are to be drawn and not known.
    """
    options = options or SignificanceOptions()
    report = progress or (lambda _: None)
    units = compared.units(options.unit)
    share = SHARE_OF_TRIALS if options.test == "approximate-randomisation" and len(units) > 1 else 0.0
    drawn = bootstrap(
        units,
        compared.score,
        resamples=options.resamples,
        seed=options.seed,
        unit=options.unit,
        progress=lambda done: report(done * (1 - share)),
    )
    trials = None
    if share:
        trials = randomise(
            units,
            compared.score,
            trials=options.trials,
            seed=options.seed,
            unit=options.unit,
            progress=lambda done: report(1 - share * (1 - done)),
        )
    blocks = _blocks(compared, options) if options.test in BLOCK_TESTS else None
    pairs = _all_pairs(options, drawn, trials, blocks)
    found = Comparison(
        options=options,
        names=drawn.names,
        intervals=MappingProxyType(_score_intervals(drawn)),
        pairs=MappingProxyType({(one.name, one.other): one for one in pairs}),
        clusters=(),
        higher_is_better=compared.higher_is_better,
        n_segments=compared.n_segments,
        n_units=drawn.n_units,
        n_documents=compared.n_documents,
        drawn=drawn,
        trials=trials,
        warning=_warning(drawn, selected_by_score=compared.selected_by_score),
    )
    return replace(found, clusters=rank_clusters(_ranked(found), found.is_better))


def _score_intervals(drawn: Bootstrap) -> dict[str, tuple[float, float] | None]:
    if drawn.n_units == 1:
        return dict.fromkeys(drawn.names)
    return {name: percentile_interval(row) for name, row in zip(drawn.names, drawn.resampled, strict=True)}


def _all_pairs(
    options: SignificanceOptions,
    drawn: Bootstrap,
    trials: Randomisation | None,
    blocks: Sequence[BlockSummary] | None,
) -> tuple[PairComparison, ...]:
    """Every pair of systems once, the earlier name first, corrected as one family."""
    compared = []
    for index, other in combinations(range(len(drawn.names)), 2):
        if blocks is None:
            test = _drawn_test(options, drawn, trials, index, other)
        else:
            test = _block_test(options.test, blocks[index], blocks[other])
        compared.append(_compared(options, drawn, (index, other), *test))
    return _corrected(compared, options.correction)


def _drawn_test(
    options: SignificanceOptions, drawn: Bootstrap, trials: Randomisation | None, index: int, other: int
) -> tuple[float | None, str | None]:
    """The p-value of one pair, and what to know beside it."""
    test = _null_test(options, drawn, trials, index, other)
    return test.p_value, test.remark


def _null_test(
    options: SignificanceOptions, drawn: Bootstrap, trials: Randomisation | None, index: int, other: int
) -> PairedTestResult:
    if trials is not None:
        return approximate_randomisation(trials, baseline=other, systems=[index])[0]
    test = sacrebleu_bootstrap if options.test == "sacrebleu-bs" else paired_bootstrap
    return test(drawn, baseline=other, systems=[index])[0]


def _blocks(compared: ComparedSystems, options: SignificanceOptions) -> tuple[BlockSummary, ...]:
    """The block scores of every system; every document is a block if documents are drawn."""
    if options.unit == "document" and compared.documents is not None:
        layout = blocks_of_documents(compared.documents)
    else:
        layout = blocks_of_number(compared.n_segments, min(options.n_blocks, compared.n_segments))
    return tuple(summarise_blocks(name, counts, layout, compared.score) for name, counts in compared.systems)


def _block_test(test: TestName, system: BlockSummary, other: BlockSummary) -> tuple[float | None, str | None]:
    """The p-value of a test over blocks, and why there is none or what to know beside it."""
    result = BLOCK_TESTS[test](system, other)
    return result.p_value, result.reason or result.remark


def _compared(
    options: SignificanceOptions, drawn: Bootstrap, pair: tuple[int, int], p_value: float | None, remark: str | None
) -> PairComparison:
    """One pair with its interval and its power; the correction comes later."""
    index, other = pair
    difference = float(drawn.scores[index] - drawn.scores[other])
    differences = drawn.resampled[index] - drawn.resampled[other]
    interval = detectable = n_needed = None
    if drawn.n_units > 1 and float(np.ptp(differences)) > rounding(drawn.resampled[[index, other]]):
        interval = percentile_interval(differences)
        detectable = smallest_detectable_difference(float(differences.std(ddof=1)), level=options.level)
        n_needed = units_needed(drawn.n_units, difference, detectable)
    return PairComparison(
        name=drawn.names[index],
        other=drawn.names[other],
        difference=difference,
        interval=interval,
        p_value=p_value,
        corrected_p_value=p_value,
        smallest_detectable=detectable,
        n_needed=n_needed,
        remark=remark,
    )


def _corrected(compared: Sequence[PairComparison], correction: Correction) -> tuple[PairComparison, ...]:
    """The comparisons with their p-values corrected as one family."""
    p_values = corrected([one.p_value for one in compared], correction)
    return tuple(replace(one, corrected_p_value=p) for one, p in zip(compared, p_values, strict=True))


def _ranked(compared: Comparison) -> list[str]:
    """The names, best score first; equal scores in the order given."""
    sign = -1 if compared.higher_is_better else 1
    return [compared.names[index] for index in np.argsort(sign * compared.drawn.scores, kind="stable")]


def _warning(drawn: Bootstrap, *, selected_by_score: bool) -> str | None:
    if selected_by_score:
        return (
            "These segments were selected by their scores. A test of them does not say whether a difference is real: "
            "choose segments by what does not depend on the outputs."
        )
    if 1 < drawn.n_units < FEW_UNITS:
        return (
            f"There are only {drawn.n_units} {drawn.unit}s to draw from. Intervals are a little too narrow then (with "
            "20 they cover about 92 % instead of 95 %) and p-values of the bootstrap a little too small; approximate "
            "randomisation keeps its level."
        )
    return None
