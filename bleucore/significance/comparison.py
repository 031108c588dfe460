"""One call: the counts of several systems in, every interval and every test between them out."""

import math
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, groupby
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

import numpy as np
from scipy import special

from bleucore.counts import Floats, Progress, Score
from bleucore.declarations import Names, Number, Whole, declared, keep_accepted, signed_fields
from bleucore.errors import InputError
from bleucore.notebook_tables import NOT_KNOWN, decimals, html_table, p_cell
from bleucore.significance.block_tests import BlockTest, paired_t_test, sign_test, wilcoxon_test
from bleucore.significance.blocks import (
    BlockLayout,
    BlockSummary,
    Remainder,
    block_counts,
    blocks_of_documents,
    blocks_of_number,
    blocks_of_size,
    summarise_blocks,
)
from bleucore.significance.corrections import (
    CORRECTIONS,
    Correction,
    corrected,
    draws_needed,
    rank_clusters,
    smallest_corrected,
)
from bleucore.significance.dependence import Dependence, design_factors
from bleucore.significance.draws import NamedCounts, Unit
from bleucore.significance.max_t import step_down_max_t
from bleucore.significance.paired import PairedTestResult, rounding
from bleucore.significance.power import smallest_detectable_difference, units_needed
from bleucore.significance.randomisation import Randomisation, randomisation_tests, randomise
from bleucore.significance.resampling import (
    Bootstrap,
    bootstrap,
    bootstrap_tests,
    effective_number,
    percentile_interval,
    sacrebleu_tests,
)
from bleucore.values import not_accepted, positive_number, unknown_name
from bleucore.written_numbers import count

if TYPE_CHECKING:
    import pandas as pd

TestName = Literal[
    "approximate-randomisation", "paired-bootstrap", "block-t", "block-wilcoxon", "block-sign", "sacrebleu-bs"
]
TESTS: tuple[TestName, ...] = get_args(TestName)
BLOCK_TESTS: Mapping[str, Callable[[BlockSummary, BlockSummary], BlockTest]] = MappingProxyType(
    {"block-t": paired_t_test, "block-wilcoxon": wilcoxon_test, "block-sign": sign_test}
)
SHARED_DRAWS: tuple[TestName, ...] = ("approximate-randomisation", "paired-bootstrap")
"""Tests whose draws every pair shares, with null distributions that say how the pairs depend on each other."""
USUAL_TRIALS = 10_000
USUAL_RESAMPLES = 1_000
MAX_TRIALS = 100_000
USUAL_BLOCKS = 20
MAX_BLOCK_SIZE = 1_000_000_000
REMAINDERS: tuple[Remainder, ...] = get_args(Remainder)
MOST_GROWN = 50_000
"""More draws than these are made only for who asks for them: they take memory, and minutes with a hundred systems."""
SPARE_DRAWS = 4
"""So many times the fewest that a family needs: a pair can be significant though two or three draws reach it."""
SIGNATURE_ORDER = ("test", "ar", "blocks", "size", "rest", "shuffled", "bs", "seed", "unit", "level", "correction")
LARGEST_SEED = 2**32 - 1
LEVELS = "a number between 0 and 1"
UnitChoice = Literal["auto", "segment", "document"]
UNITS: tuple[UnitChoice, ...] = get_args(UnitChoice)
FEW_UNITS = 50
"""Fewer documents are drawn only for who asks for them."""
FEW_FOR_BOOTSTRAP = 100
"""With fewer units, p-values of the bootstrap are measurably too small (``make calibration``)."""
FEW_FOR_INTERVALS = 10
"""With fewer units, little is known of their spread."""
SHARE_OF_RESAMPLES, SHARE_OF_PAIRS = 0.2, 0.4
"""Of the work of a comparison, as its progress shows it; between them are the trials."""
PAIRS_BETWEEN_REPORTS = 50
NOT_TESTED = "Whether that is more than chance was not tested."

_Test: TypeAlias = tuple[float | None, str | None, float | None]
"""p, the remark beside it, and the smallest p that can be."""


@dataclass(frozen=True)
class SignificanceOptions:
    """How differences are tested; every one of these can change a p-value.

    Attributes:
        test: Which of ``TESTS``.
        level: A p-value below it is called significant, 0 to 1.
        trials: Of approximate randomisation; ``None`` for 10,000, or as many as the family needs (``of_family``).
        resamples: For the intervals, and for the tests that are bootstraps; ``None`` for 1,000, or as many as a family
            needs where the test is a bootstrap.
        seed: Of all draws.
        unit: What is drawn and exchanged: segments, or whole documents, whose segments are not independent of each
            other; see ``unit_of``.
        correction: For several comparisons at once; see ``effective_correction``.
        n_blocks: Of the tests over blocks of segments; ``None`` for 20.
        block_size: Segments in a block, which then says how many blocks there are.
        remainder: What becomes of segments that fill no block; see ``blocks_of_number``.
        shuffle_seed: Draws the segments of each block; ``None`` keeps their order.
    """

    test: TestName = declared(
        "approximate-randomisation", Names(TESTS), "tests", ("test", lambda options: options.test)
    )
    level: float = declared(
        0.05, Number(lambda value, _: _level(value)), "tests", ("level", lambda options: f"{options.level:g}")
    )
    trials: int | None = declared(
        None,
        Whole(1, MAX_TRIALS, USUAL_TRIALS),
        "tests",
        ("ar", lambda options: options.n_trials if options.test == "approximate-randomisation" else None),
    )
    resamples: int | None = declared(
        None, Whole(1, MAX_TRIALS, USUAL_RESAMPLES), "tests", ("bs", lambda options: options.n_resamples)
    )
    seed: int = declared(12345, Whole(0, LARGEST_SEED), "tests", ("seed", lambda options: options.seed))
    unit: UnitChoice = declared("auto", Names(UNITS), "tests", ("unit", lambda options: options.unit))
    correction: Correction = declared(
        "max-t", Names(CORRECTIONS), "tests", ("correction", lambda options: options.effective_correction)
    )
    n_blocks: int | None = declared(
        None,
        Whole(1, MAX_TRIALS, USUAL_BLOCKS),
        "tests",
        ("blocks", lambda options: options.n_blocks_made if options.block_size is None else None),
    )
    block_size: int | None = declared(
        None,
        Whole(1, MAX_BLOCK_SIZE, is_optional=True),
        "tests",
        ("size", lambda options: options.block_size if options.makes_blocks else None),
    )
    remainder: Remainder = declared(
        "drop",
        Names(REMAINDERS),
        "tests",
        ("rest", lambda options: "spread" if options.makes_blocks and options.remainder == "spread" else None),
    )
    shuffle_seed: int | None = declared(
        None,
        Whole(0, LARGEST_SEED, is_optional=True),
        "tests",
        ("shuffled", lambda options: options.shuffle_seed if options.makes_blocks else None),
    )

    def __post_init__(self) -> None:
        """Refuse what is no setting of a test; keep each in one form."""
        keep_accepted(self)

    @property
    def effective_correction(self) -> Correction:
        """The correction that is made: Holm's for max-t where the test has no draws that all pairs share."""
        return "holm" if self.correction == "max-t" and self.test not in SHARED_DRAWS else self.correction

    @property
    def n_trials(self) -> int:
        """The trials of approximate randomisation: those chosen, or as many as are usual."""
        return self.trials or USUAL_TRIALS

    @property
    def n_resamples(self) -> int:
        """The resamples: those chosen, or as many as are usual."""
        return self.resamples or USUAL_RESAMPLES

    def interval(self, drawn: Bootstrap, resampled: Floats) -> tuple[float, float] | None:
        """The 95 % interval of scores or differences (B,) on resamples, sacreBLEU's if its test is chosen.

        ``None`` for a single unit, which does not vary.
        """
        if drawn.n_units == 1:
            return None
        return percentile_interval(resampled) if self.test == "sacrebleu-bs" else drawn.interval(resampled)

    @property
    def makes_blocks(self) -> bool:
        """Whether the test is over blocks."""
        return self.test in BLOCK_TESTS

    @property
    def chooses_blocks(self) -> bool:
        """Whether the blocks of segments were chosen in any way."""
        chosen = self.n_blocks or self.block_size or self.remainder != "drop"
        return bool(chosen) or self.shuffle_seed is not None

    @property
    def n_blocks_made(self) -> int | None:
        """How many blocks of segments are asked for; ``None`` where a test makes none."""
        makes = self.makes_blocks and self.unit != "document"
        return (self.n_blocks or USUAL_BLOCKS) if makes else None

    def unit_of(self, n_documents: int | None) -> Unit:
        """What is drawn of a test set with so many documents, ``None`` where they are not known.

        Segments of a document resemble each other, so that documents are drawn unless a unit was chosen: where there
        are at least 50, with fewer the draws are few. sacreBLEU's own test and chosen blocks of segments keep to
        segments, which is what they are of.
        """
        if self.unit != "auto":
            return self.unit
        has_own = self.test == "sacrebleu-bs" or (self.makes_blocks and self.chooses_blocks)
        return "segment" if has_own or (n_documents or 0) < FEW_UNITS else "document"

    def block_layout(self, n_segments: int, documents: Sequence[str] | None) -> BlockLayout:
        """The blocks of tests over blocks; every document is one if documents are drawn and known."""
        if documents is not None and self.unit_of(len(set(documents))) == "document":
            return blocks_of_documents(documents)
        make, amount = (
            (blocks_of_number, self.n_blocks or USUAL_BLOCKS)
            if self.block_size is None
            else (blocks_of_size, self.block_size)
        )
        return make(n_segments, min(amount, n_segments), remainder=self.remainder, shuffle_seed=self.shuffle_seed)

    def block_size_of(self, n_segments: int) -> int | None:
        """The segments in a block; ``None`` for documents, which have no common size."""
        return None if self.unit == "document" else self.block_size or n_segments // (self.n_blocks or USUAL_BLOCKS)

    def n_blocks_of(self, n_segments: int) -> int:
        """How many blocks of segments there are, at most one of each segment."""
        if self.block_size is None:
            return min(self.n_blocks or USUAL_BLOCKS, n_segments)
        return n_segments // min(self.block_size, n_segments)

    @property
    def n_draws(self) -> int | None:
        """The trials or resamples behind each p-value; ``None`` for tests over blocks, which draw nothing."""
        if self.test in BLOCK_TESTS:
            return None
        return self.n_trials if self.test == "approximate-randomisation" else self.n_resamples

    def of_family(self, n_comparisons: int) -> "SignificanceOptions":
        """These settings with every number filled in, for so many comparisons that are corrected together.

        Draws that were not chosen become as many as the family needs, with some to spare (``SPARE_DRAWS``), unless
        even ``MOST_GROWN`` would not do. What was chosen stays, whether it can show anything or not.
        """
        needed = draws_needed(n_comparisons, self.level, self.effective_correction)
        grown = 0 if needed > MOST_GROWN else min(MOST_GROWN, SPARE_DRAWS * needed)
        is_bootstrap = self.test in ("paired-bootstrap", "sacrebleu-bs")
        return replace(
            self,
            trials=self.trials or max(USUAL_TRIALS, grown),
            resamples=self.resamples or max(USUAL_RESAMPLES, grown if is_bootstrap else 0),
            n_blocks=self.n_blocks or USUAL_BLOCKS,
        )

    def signature(self) -> str:
        """The settings in the style of sacreBLEU's signatures, to cite with a p-value."""
        return "|".join(f"{key}:{value}" for key, value in signed_fields(self, SIGNATURE_ORDER).items())


@dataclass(frozen=True)
class ComparedSystems:
    """What is compared: counts of several systems and what they mean.

    Attributes:
        systems: K names with counts (S, C) of the same segments; the rows of a subset are a test of the subset.
        score: Of counts (..., C): (...).
        higher_is_better: Which way the score points.
        documents: The document of each segment, where they are known.
        selected_by_score: Whether the segments are a selection that looked at the scores themselves.
        single_precision: Whether the score may be given counts in single precision; see ``Randomisation``.
    """

    systems: Sequence[NamedCounts]
    score: Score
    higher_is_better: bool = True
    documents: Sequence[str] | None = None
    selected_by_score: bool = False
    single_precision: bool = False

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
        layout = self._layout(unit)
        if layout is None:
            return self.systems
        return [(name, block_counts(counts, layout)) for name, counts in self.systems]

    def bootstrap(self, options: "SignificanceOptions", *, progress: Progress | None = None) -> Bootstrap:
        """The resamples that the options ask for, of their unit.

        Args:
            options: The number of resamples, their seed, and the unit; nothing else counts here.
            progress: Called with the share of the work done, 0 to 1, from time to time.

        Raises:
            InputError: There is no system, counts that do not fit, or documents are to be drawn and not known.
        """
        unit = options.unit_of(self.n_documents)
        drawn = bootstrap(
            self.units(unit),
            self.score,
            resamples=options.n_resamples,
            seed=options.seed,
            unit=unit,
            progress=progress,
        )
        layout = self._layout(unit)
        return replace(drawn, n_effective=None if layout is None else effective_number(layout.sizes))

    def _layout(self, unit: Unit) -> BlockLayout | None:
        """The documents, if they are drawn."""
        if unit == "segment":
            return None
        if self.documents is None:
            raise InputError(
                "the test set has no documents to draw",
                where="Option unit",
                remedy="Test by segment, or give the document of each segment.",
            )
        return blocks_of_documents(self.documents)


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
        smallest_p_value: What ``p_value`` cannot be expected to fall below, given the draws and how many segments or
            blocks differ; ``None`` where nothing holds it up.
        n_comparisons: How many comparisons the p-value is corrected for.
        design_factor: How many times as wide whole documents, or blocks of neighbours, make the interval of segments;
            ``None`` where that is not known. See ``Dependence``.
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
    smallest_p_value: float | None = None
    n_comparisons: int = 1
    design_factor: float | None = None

    def turned(self) -> "PairComparison":
        """The same with the roles exchanged."""
        interval = None if self.interval is None else (-self.interval[1], -self.interval[0])
        return replace(self, name=self.other, other=self.name, difference=-self.difference, interval=interval)


@dataclass(frozen=True)
class Comparison:
    """Several systems under one test.

    Attributes:
        options: The settings of the test, with the numbers of draws that were made and the unit that was drawn.
        names: K system names.
        intervals: 95 % bootstrap interval of each system's score; ``None`` for a single unit. Ends are expanded
            percentiles, and sacreBLEU's where its test is made.
        pairs: All pairs in the order of the names, corrected as one family: what clusters rest on. Those with the
            baseline alone where no others were asked for.
        clusters: The systems in groups, best first; each of a group is significantly better than all below. None where
            not all pairs were compared.
        higher_is_better: Which way the score points.
        n_segments: S, the segments that were scored.
        n_units: How many segments or documents were drawn from.
        n_documents: How many documents there are; ``None`` where they are not known.
        drawn: The resamples behind the intervals.
        trials: The trials of approximate randomisation, if that is the test.
        warning: What casts doubt on every p-value here, in words, or ``None``.
        dependence: How much segments of documents, or neighbours, resemble each other; ``None`` for a single segment.
        baseline: The system that was chosen beforehand for the others to be compared with; these comparisons are a
            family of their own. Without one all pairs are one family: which system is the best is known from the same
            scores, and comparisons with it have the chances of all pairs to come out large.
        is_tested: Whether the differences were tested; else they have intervals alone.
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
    dependence: Dependence | None = None
    baseline: str | None = None
    is_tested: bool = True
    _planned: dict[str, Mapping[str, PairComparison]] = field(default_factory=dict, repr=False, compare=False)

    @property
    def has_all_pairs(self) -> bool:
        """Whether all pairs were compared, which clusters and ranges of ranks rest on."""
        return bool(self.clusters)

    @property
    def n_bytes(self) -> int:
        """The memory that its draws take."""
        return self.drawn.resampled.nbytes + (0 if self.trials is None else self.trials.exchanged.nbytes)

    def named_as(self, names: Sequence[str]) -> "Comparison":
        """The same results under other names of the systems, in the same order."""
        if tuple(names) == self.names:
            return self
        new = dict(zip(self.names, names, strict=True))
        pairs = (replace(one, name=new[one.name], other=new[one.other]) for one in self.pairs.values())
        return replace(
            self,
            names=tuple(names),
            intervals=MappingProxyType({new[name]: interval for name, interval in self.intervals.items()}),
            pairs=MappingProxyType({(one.name, one.other): one for one in pairs}),
            clusters=tuple(tuple(new[name] for name in cluster) for cluster in self.clusters),
            drawn=replace(self.drawn, names=tuple(names)),
            trials=None if self.trials is None else replace(self.trials, names=tuple(names)),
            baseline=None if self.baseline is None else new[self.baseline],
            _planned={},
        )

    def with_baseline(self, baseline: str | None) -> "Comparison":
        """The same with another baseline, or with none; where not all pairs were compared, it stays as it is."""
        return self if baseline == self.baseline or not self.has_all_pairs else replace(self, baseline=baseline)

    def pair(self, name: str, other: str) -> PairComparison:
        """The first system compared with the second: the one verdict about them.

        Where one of them is the baseline, p is corrected among the comparisons with it, else among all pairs.
        """
        if self.baseline is not None and name == self.baseline:
            return self._planned_with(self.baseline)[other].turned()
        if self.baseline is not None and other == self.baseline:
            return self._planned_with(self.baseline)[name]
        return self._of_all(name, other)

    def against(self, other: str) -> Mapping[str, PairComparison]:
        """Each of the other systems compared with this one, as ``pair`` has it."""
        return {name: self.pair(name, other) for name in self.names if name != other}

    def _of_all(self, name: str, other: str) -> PairComparison:
        """The first system compared with the second, corrected among all pairs."""
        found = self.pairs.get((name, other))
        return self.pairs[other, name].turned() if found is None else found

    def _planned_with(self, baseline: str) -> Mapping[str, PairComparison]:
        if baseline not in self._planned:
            self._planned[baseline] = MappingProxyType(self._corrected_among(baseline))
        return self._planned[baseline]

    def _corrected_among(self, baseline: str) -> dict[str, PairComparison]:
        """Every other system compared with the baseline, corrected among these comparisons alone."""
        compared = [self._of_all(name, baseline) for name in self.names if name != baseline]
        if self.options.effective_correction == "max-t":
            compared.sort(key=_standard_errors)
            place = self.names.index(baseline)
            pairs = [(self.names.index(one.name), place) for one in compared]
            p_values: Sequence[float | None] = step_down_max_t(_tests(self.options, self.drawn, self.trials, pairs))
        else:
            p_values = corrected([one.p_value for one in compared], self.options.effective_correction)
        found = _with_corrected(compared, p_values)
        return {name: found[name] for name in self.names if name != baseline}

    def is_significant(self, compared: PairComparison) -> bool:
        """Whether the corrected p-value is below the level."""
        return compared.corrected_p_value is not None and compared.corrected_p_value < self.options.level

    def design_factor(self, name: str) -> float | None:
        """How many times as wide whole documents, or blocks of neighbours, make the interval of a score."""
        return None if self.dependence is None else _known(self.dependence.systems[self.names.index(name)])

    def keeps_star(self, compared: PairComparison) -> bool:
        """Whether a difference is significant with its design factor allowed for."""
        p_value = self.p_by_design(compared)
        return p_value is not None and p_value < self.options.level

    def p_by_design(self, compared: PairComparison) -> float | None:
        """The corrected p-value, with a standard error that is larger by the design factor of the difference.

        The p-value is taken for that of a normal distribution; where no draw reached the difference, its own standard
        errors may say more.
        """
        p_value, factor = compared.corrected_p_value, compared.design_factor
        if p_value is None or factor is None:
            return p_value
        errors = -float(special.ndtri(p_value / 2))
        if compared.p_value is not None and compared.p_value <= 1.5 * (compared.smallest_p_value or 0.0):
            unit = smallest_detectable_difference(1.0, level=self.options.level)
            errors = max(errors, unit * _standard_errors(compared))
        return float(2 * special.ndtr(-errors / factor))

    def is_out_of_reach(self, compared: PairComparison) -> bool:
        """Whether no draw gave as much, and there are too few draws to call that significant in its family."""
        options, n_draws = self.options, self.options.n_draws
        if n_draws is None or compared.p_value is None or self.is_significant(compared):
            return False
        smallest = 1 / (n_draws + 1)
        in_family = smallest_corrected(smallest, compared.n_comparisons, options.effective_correction)
        return in_family >= options.level and compared.p_value <= smallest * 1.5  # it comes in steps of the smallest

    def is_better(self, name: str, other: str) -> bool:
        """Whether the first system is significantly better than the second, among all pairs."""
        compared = self.pairs.get((name, other)) or self.pairs[other, name]
        difference = compared.difference if compared.name == name else -compared.difference
        return (difference > 0 if self.higher_is_better else difference < 0) and self.is_significant(compared)

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
        """The test with its null distribution; ``None`` where it has none, over blocks or without tests."""
        if self.options.test in BLOCK_TESTS or not self.is_tested:
            return None
        index, baseline = self.names.index(name), self.names.index(other)
        return next(_tests(self.options, self.drawn, self.trials, [(index, baseline)]))

    def to_frame(self) -> "pd.DataFrame":
        """One row per pair of systems, corrected as one family, unrounded; missing values are NaN.

        Returns:
            The columns ``system``, ``other``, ``difference`` (of the score of ``system`` minus that of ``other``),
            ``interval_low``, ``interval_high`` (its 95 % bootstrap interval), ``p_value``, ``corrected_p_value``,
            ``significant``, ``smallest_detectable``, ``n_needed``, ``design_factor`` and ``remark``; see
            ``PairComparison``.
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
                "design_factor": np.array([one.design_factor for one in pairs], np.float64),
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
                    p_cell(one.p_value),
                    p_cell(one.corrected_p_value),
                    "yes" if self.is_significant(one) else "no",
                ]
            )
        heads = ["system", "other", "Δ", "95 % interval", "p", "corrected p", "significant"]
        caption = f"{count(self.n_units)} {self.options.unit}s; {self.options.signature()}"
        return html_table(heads, rows, n_names=2, caption=caption)


def compare(
    compared: ComparedSystems,
    options: SignificanceOptions | None = None,
    *,
    only_with: str | None = None,
    is_tested: bool = True,
    each_test: Callable[[PairedTestResult], None] | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Intervals, tests of all pairs with their correction, clusters and power.

    Args:
        compared: The systems with their counts.
        options: How to test; approximate randomisation, by document where there are enough of them, unless given.
        only_with: A baseline that the others alone are compared with, as one family: of many systems nearly all pairs
            are of two others. Every number of these pairs is what it is among all: as many draws are made. There are no
            clusters.
        is_tested: Whether differences are tested, or have intervals alone, which take a hundredth of the time. The
            system of ``only_with`` is no baseline then: there are no p-values to be corrected.
        each_test: Given every test that draws, in an order of its own: who needs the null distributions of all pairs
            has them while they are there.
        progress: Called with the share of the work done, 0 to 1, from time to time.

    Raises:
        InputError: There is no system, counts that do not fit, or documents are to be drawn and not known.
    """
    options = options or SignificanceOptions()
    unit = options.unit_of(compared.n_documents)
    units = compared.units(unit)
    pairs_of = _places_of_pairs([name for name, _ in units], only_with)
    options = replace(options, unit=unit).of_family(math.comb(len(units), 2))
    report = progress or (lambda _: None)
    exchanges = is_tested and options.test == "approximate-randomisation" and len(units) > 1
    drawn = compared.bootstrap(
        options, progress=lambda done: report(done * (SHARE_OF_RESAMPLES if exchanges else 1 - SHARE_OF_PAIRS))
    )
    trials = None
    if exchanges:
        trials = randomise(
            units,
            compared.score,
            trials=options.n_trials,
            seed=options.seed,
            unit=unit,
            progress=lambda done: report(SHARE_OF_RESAMPLES + done * (1 - SHARE_OF_PAIRS - SHARE_OF_RESAMPLES)),
        )
        trials = replace(trials, single_precision=compared.single_precision)
    factors = design_factors(compared.systems, compared.score, compared.documents)
    by_itself = _without_tests(options, drawn, pairs_of)
    pairs: Iterable[PairComparison] = (replace(one, remark=NOT_TESTED) for one in by_itself.values())
    if is_tested:
        pairs = _tested(
            compared,
            by_itself,
            options,
            drawn,
            trials,
            each_test=each_test,
            report=lambda done: report(1 - SHARE_OF_PAIRS * (1 - done)),
        )
    pairs = _with_factors(pairs, drawn.names, factors)
    found = Comparison(
        options=options,
        names=drawn.names,
        intervals=MappingProxyType(_score_intervals(options, drawn)),
        pairs=MappingProxyType({(one.name, one.other): one for one in pairs}),
        clusters=(),
        higher_is_better=compared.higher_is_better,
        n_segments=compared.n_segments,
        n_units=drawn.n_units,
        n_documents=compared.n_documents,
        drawn=drawn,
        trials=trials,
        warning=_warning(options, drawn, selected_by_score=compared.selected_by_score),
        dependence=factors,
        baseline=only_with if is_tested else None,
        is_tested=is_tested,
    )
    if not is_tested:
        report(1.0)
        return found
    if only_with is None:
        return replace(found, clusters=rank_clusters(_ranked(found), found.is_better))
    planned = {name: found._of_all(name, only_with) for name in found.names if name != only_with}  # noqa: SLF001  # its own
    return replace(found, _planned={only_with: MappingProxyType(planned)})


def _places_of_pairs(names: Sequence[str], only_with: str | None) -> list[tuple[int, int]]:
    """The pairs that are compared, the earlier system first.

    Raises:
        InputError: There is no such baseline.
    """
    pairs = list(combinations(range(len(names)), 2))
    if only_with is None:
        return pairs
    if only_with not in names:
        raise unknown_name("system", only_with, names, where="Option only_with", remedy="Name one of the systems.")
    place = names.index(only_with)
    return [pair for pair in pairs if place in pair]


def _score_intervals(options: SignificanceOptions, drawn: Bootstrap) -> dict[str, tuple[float, float] | None]:
    return {name: options.interval(drawn, row) for name, row in zip(drawn.names, drawn.resampled, strict=True)}


def _with_factors(
    pairs: Iterable[PairComparison], names: Sequence[str], found: Dependence | None
) -> tuple[PairComparison, ...]:
    """The pairs with their design factors."""
    if found is None:
        return tuple(pairs)
    place = {name: index for index, name in enumerate(names)}
    return tuple(replace(one, design_factor=_known(found.pairs[place[one.name], place[one.other]])) for one in pairs)


def _known(factor: float) -> float | None:
    return None if math.isnan(factor) else float(factor)


def _tested(  # noqa: PLR0913  # what tests rest on
    compared: ComparedSystems,
    by_itself: Mapping[tuple[int, int], PairComparison],
    options: SignificanceOptions,
    drawn: Bootstrap,
    trials: Randomisation | None,
    *,
    each_test: Callable[[PairedTestResult], None] | None,
    report: Progress,
) -> tuple[PairComparison, ...]:
    """Pairs of systems with their tests, corrected as one family."""
    tested: dict[tuple[int, int], _Test] = {}
    by_max_t = None
    if options.test in BLOCK_TESTS:
        blocks = _blocks(compared, options)
        for index, other in by_itself:
            result = BLOCK_TESTS[options.test](blocks[index], blocks[other])
            tested[index, other] = result.p_value, result.reason or result.remark, result.smallest_p_value
    else:
        rising = sorted(by_itself, key=lambda place: _standard_errors(by_itself[place]))

        def tests() -> Iterator[PairedTestResult]:
            for place, test in zip(rising, _tests(options, drawn, trials, rising), strict=True):
                tested[place] = test.p_value, test.remark, test.smallest_p_value
                if each_test is not None:
                    each_test(test)
                yield test
                if len(tested) % PAIRS_BETWEEN_REPORTS == 0:
                    report(len(tested) / len(rising))

        if options.effective_correction == "max-t":
            by_max_t = dict(zip(rising, step_down_max_t(tests()), strict=True))
        else:
            deque(tests(), maxlen=0)
    report(1.0)
    p_values: Sequence[float | None] = (
        corrected([tested[place][0] for place in by_itself], options.effective_correction)
        if by_max_t is None
        else [by_max_t[place] for place in by_itself]
    )
    n_comparisons = sum(p is not None for p in p_values)
    return tuple(
        replace(
            one,
            p_value=tested[place][0],
            corrected_p_value=p,
            remark=tested[place][1],
            smallest_p_value=tested[place][2],
            n_comparisons=n_comparisons,
        )
        for (place, one), p in zip(by_itself.items(), p_values, strict=True)
    )


def _standard_errors(compared: PairComparison) -> float:
    """The size of a difference in what its power says of its standard error; 0 where there is none."""
    return abs(compared.difference) / compared.smallest_detectable if compared.smallest_detectable else 0.0


def _tests(
    options: SignificanceOptions, drawn: Bootstrap, trials: Randomisation | None, pairs: Iterable[tuple[int, int]]
) -> Iterator[PairedTestResult]:
    """Tests of pairs (system, baseline) on the draws, one after the other."""
    if trials is not None:
        return randomisation_tests(trials, pairs)
    return (sacrebleu_tests if options.test == "sacrebleu-bs" else bootstrap_tests)(drawn, pairs)


def _blocks(compared: ComparedSystems, options: SignificanceOptions) -> tuple[BlockSummary, ...]:
    """The block scores of every system."""
    layout = options.block_layout(compared.n_segments, compared.documents)
    return tuple(summarise_blocks(name, counts, layout, compared.score) for name, counts in compared.systems)


def _without_tests(
    options: SignificanceOptions, drawn: Bootstrap, pairs: Iterable[tuple[int, int]]
) -> dict[tuple[int, int], PairComparison]:
    """Pairs, in the order of their first systems, with interval and power; the test and the correction come later."""
    found = {}
    scores, resampled = drawn.scores.tolist(), drawn.resampled
    rounded_off = [rounding(row) for row in resampled]
    for index, of_first in groupby(pairs, key=lambda pair: pair[0]):
        name, places = drawn.names[index], [place for _, place in of_first]
        differences = resampled[index] - resampled[places]
        errors = differences.std(axis=1, ddof=1) if resampled.shape[1] > 1 else np.zeros(len(differences))
        spreads = np.ptp(differences, axis=1)
        rows = zip(places, differences, errors.tolist(), spreads.tolist(), strict=True)
        for place, row, error, spread in rows:
            pair, other = (index, place), drawn.names[place]
            difference = scores[index] - scores[place]
            interval = detectable = n_needed = None
            if drawn.n_units > 1 and spread > max(rounded_off[index], rounded_off[place]):
                interval = options.interval(drawn, row)
                detectable = smallest_detectable_difference(error, level=options.level)
                n_needed = units_needed(drawn.n_units, difference, detectable)
            found[pair] = PairComparison(
                name=name,
                other=other,
                difference=difference,
                interval=interval,
                p_value=None,
                corrected_p_value=None,
                smallest_detectable=detectable,
                n_needed=n_needed,
                remark=None,
            )
    return found


def _with_corrected(compared: Sequence[PairComparison], p_values: Sequence[float | None]) -> dict[str, PairComparison]:
    """Comparisons of a family with its corrected p-values, by the name of the first system."""
    n_comparisons = sum(p is not None for p in p_values)
    return {
        one.name: replace(one, corrected_p_value=p, n_comparisons=n_comparisons)
        for one, p in zip(compared, p_values, strict=True)
    }


def _level(value: object) -> float:
    level = positive_number("level", value, 1.0, LEVELS)
    if not 0 < level < 1:
        raise not_accepted("level", value, LEVELS)
    return level


def _ranked(compared: Comparison) -> list[str]:
    """The names, best score first; equal scores in the order given."""
    sign = -1 if compared.higher_is_better else 1
    return [compared.names[index] for index in np.argsort(sign * compared.drawn.scores, kind="stable")]


def _warning(options: SignificanceOptions, drawn: Bootstrap, *, selected_by_score: bool) -> str | None:
    if selected_by_score:
        return (
            "These segments were selected by their scores. A test of them does not say whether a difference is real: "
            "choose segments by what does not depend on the outputs."
        )
    if 1 < drawn.n_units < FEW_FOR_BOOTSTRAP and options.test == "paired-bootstrap":
        return (
            f"There are only {drawn.n_units} {drawn.unit}s to draw from. p-values of the bootstrap are a little too "
            "small then: where systems do not differ, up to 9 % of them fall below .05 with 20, and up to 7 % with 50. "
            "Approximate randomisation keeps its level."
        )
    if 1 < drawn.n_units < FEW_FOR_INTERVALS:
        return f"There are only {drawn.n_units} {drawn.unit}s to draw from: intervals may be too narrow then."
    return None
