"""One call: the counts of several systems in, every interval and every test between them out."""

import math
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, groupby
from types import MappingProxyType
from typing import TypeAlias

import numpy as np

from bleucore.counts import Floats, Progress
from bleucore.notebook_tables import NOT_KNOWN, decimals, html_table, p_cell
from bleucore.optional_packages import pd
from bleucore.short_reprs import short_repr
from bleucore.significance.blocks import BlockSummary, summarise_blocks
from bleucore.significance.compared import ComparedSystems
from bleucore.significance.corrections import rank_clusters, smallest_corrected
from bleucore.significance.exchanges import exchanges
from bleucore.significance.families import (
    Corrected,
    CriticalValues,
    Family,
    best_of,
    correct,
    detectable,
    in_agreement,
    leader_p_value,
    of_a_star,
    of_draws,
    of_number,
    simultaneous_interval,
)
from bleucore.significance.paired import PairedTestResult, rounding
from bleucore.significance.power import units_needed
from bleucore.significance.randomisation import (
    Randomisation,
    n_exchanges,
    randomisation_tests,
)
from bleucore.significance.resampling import Bootstrap, bootstrap_tests, sacrebleu_tests
from bleucore.significance.settings import BLOCK_TESTS, SignificanceOptions
from bleucore.significance.units import Unit, Units, too_few_words
from bleucore.values import unknown_name
from bleucore.written_numbers import count

FEW_FOR_BOOTSTRAP = 100
"""With fewer units, p-values of the bootstrap are measurably too small (``make calibration``)."""
SHARE_OF_RESAMPLES, SHARE_OF_PAIRS = 0.2, 0.4
"""Of the work of a comparison, as its progress shows it; between them are the trials."""
PAIRS_BETWEEN_REPORTS = 50
NOT_TESTED = "This difference was not tested."

_Test: TypeAlias = tuple[float | None, str | None, float | None]
"""p, the remark next to it, and the smallest p that can be."""


@dataclass(frozen=True)
class PairComparison:
    """What one test says about two systems.

    Attributes:
        name: The system.
        other: The one that it is compared with.
        difference: The score of ``name`` minus that of ``other``.
        interval: 95 % interval of the difference, simultaneous with the others of its family; ``None`` where there is
            none. It leaves out 0 where the corrected p-value is below .05, and nowhere else.
        p_value: Two-sided (but for sacreBLEU's own test); ``None`` where there is no test.
        corrected_p_value: The same, corrected for the family of comparisons that this one is reported in.
        smallest_detectable: The true difference that is significant in its family in 80 % of such test sets; ``None``
            as the interval.
        n_needed: How many units it would take to show the present difference in 80 % of cases.
        remark: What to know beside the p-value, in words, or ``None``.
        smallest_p_value: What ``p_value`` cannot be expected to fall below, given the draws and how many segments or
            blocks differ; ``None`` where nothing holds it up.
        n_comparisons: How many comparisons the p-value is corrected for.
        family: Which comparisons these are.
        standard_error: Of the difference, from the resamples; ``None`` as the interval.
        n_runs: How many runs the two have, where they are recipes and runs vary in the test; ``None`` of two runs.
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
    family: Family = "pair"
    standard_error: float | None = None
    n_runs: tuple[int, int] | None = None

    def __repr__(self) -> str:
        return short_repr(self)

    def turned(self) -> "PairComparison":
        """The same with the roles exchanged."""
        interval = None if self.interval is None else (0.0 - self.interval[1], 0.0 - self.interval[0])  # never -0.0
        runs = None if self.n_runs is None else (self.n_runs[1], self.n_runs[0])
        return replace(
            self,
            name=self.other,
            other=self.name,
            difference=0.0 - self.difference,
            interval=interval,
            n_runs=runs,
        )


@dataclass(frozen=True)
class Comparison:
    """Several systems under one test.

    Attributes:
        options: The settings of the test, with the numbers of draws that were made and the unit that was drawn.
        names: K system names.
        intervals: 95 % interval of each system's score; ``None`` from fewer than six units. Ends are expanded
            percentiles, from up to 60 units those of ``few_units_interval``, and sacreBLEU's where its test is
            made.
        pairs: All pairs in the order of the names, corrected as one family: clusters follow from them. The best system
            with each other is a family of its own (``leader_p_value``). Those with the baseline alone where no others
            were asked for.
        clusters: The systems in groups, best first; each of a group is significantly better than all below. None where
            not all pairs were compared.
        higher_is_better: Which way the score points.
        n_segments: S, the segments that were scored.
        n_units: How many units were exchanged and resampled.
        n_documents: How many documents there are; ``None`` where they are not known.
        drawn: The resamples behind the intervals.
        trials: The trials of approximate randomisation, if that is the test.
        warning: What casts doubt on every p-value here, in words, or ``None``.
        units: What was exchanged and resampled.
        n_items: How many items there are, where rows repeat; else ``None``.
        has_stars: Whether a small p-value counts as significant; see ``SignificanceOptions.has_stars``.
        why_untested: Why no difference can be tested here, in words, or ``None``.
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
    units: Units
    n_items: int | None = None
    has_stars: bool = True
    why_untested: str | None = None
    baseline: str | None = None
    is_tested: bool = True
    _planned: dict[str, Mapping[str, PairComparison]] = field(default_factory=dict, repr=False, compare=False)

    def __repr__(self) -> str:
        return short_repr(self)

    @property
    def has_all_pairs(self) -> bool:
        """Whether all pairs were compared, which clusters and ranges of ranks rest on."""
        return bool(self.clusters)

    @property
    def unit(self) -> Unit:
        """What was exchanged and resampled."""
        return self.units.kind

    @property
    def scores(self) -> Mapping[str, float]:
        """The score of each system."""
        return dict(zip(self.names, self.drawn.scores.tolist(), strict=True))

    def has_pair(self, name: str, other: str) -> bool:
        """Whether the two were compared."""
        return self.has_all_pairs or (name, other) in self.pairs or (other, name) in self.pairs

    @property
    def n_exchanges(self) -> int | None:
        """How many exchanges of the units there are, if the test made all of them and p is exact."""
        is_complete = self.trials is not None and self.trials.is_complete
        return n_exchanges(self.n_units) if is_complete else None

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
            _planned={
                new[baseline]: MappingProxyType(
                    {new[name]: replace(one, name=new[one.name], other=new[one.other]) for name, one in found.items()}
                )
                for baseline, found in self._planned.items()
            },
        )

    def revised(
        self,
        scores: Floats,
        intervals: Mapping[str, tuple[float, float] | None],
        revise: Callable[[PairComparison, int], PairComparison],
        n_pairs: int,
    ) -> "Comparison":
        """The same with other scores, and with what else is known of pairs.

        Args:
            scores: (K,).
            intervals: Of the scores of some systems.
            revise: Gives a pair anew, from the pair and the number of comparisons in its family.
            n_pairs: In the family of all pairs.
        """
        pairs = [revise(one, n_pairs) for one in self.pairs.values()]
        found = replace(
            self,
            intervals=MappingProxyType({**self.intervals, **intervals}),
            pairs=MappingProxyType({(one.name, one.other): one for one in pairs}),
            drawn=replace(self.drawn, scores=scores),
            _planned={},
        )
        if not self.has_all_pairs:
            only = self.baseline
            planned = {} if only is None else {name: found._of_all(name, only) for name in self.names if name != only}  # noqa: SLF001  # its own
            return found if only is None else replace(found, _planned={only: MappingProxyType(planned)})
        families: dict[str, Mapping[str, PairComparison]] = {
            baseline: MappingProxyType(
                {name: revise(one, len(self.names) - 1) for name, one in self._corrected_among(baseline).items()}
            )
            for baseline in self.names
        }
        found = replace(found, _planned=families)
        return replace(found, clusters=rank_clusters(_ranked(found), found.is_better))

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
        if all(one.p_value is None for one in compared):
            return {one.name: replace(one, family="baseline") for one in compared}
        place = self.names.index(baseline)
        pairs = [(self.names.index(one.name), place) for one in compared]
        draws = self.options.test not in BLOCK_TESTS
        made = correct(
            pairs,
            lambda: [one.p_value for one in compared],
            (lambda some: _tests(self.options, self.drawn, self.trials, some)) if draws else None,
            self.options,
            self.drawn,
        )
        found = _in_family(compared, made, "baseline", self.drawn, self.options)
        return {one.name: one for one in found}

    def in_family_of(self, compared: PairComparison, p_value: float | None, n_comparisons: int) -> PairComparison:
        """A pair with a p-value that was corrected among comparisons elsewhere: with the interval and power for them.

        Args:
            compared: Of this comparison, by itself.
            p_value: Corrected; ``None`` without a test.
            n_comparisons: In that family, by Bonferroni's inequality.
        """
        is_alone = p_value is None or n_comparisons <= 1 or self.options.effective_correction not in ("max-t", "holm")
        critical = None if is_alone else of_number(n_comparisons, self.drawn, self.options.level)
        return _with_p_value(
            replace(compared, n_comparisons=n_comparisons), p_value, critical, self.drawn, self.options
        )

    def is_significant(self, compared: PairComparison) -> bool:
        """Whether the corrected p-value is below the significance level, where that counts (``has_stars``)."""
        p_value = compared.corrected_p_value
        return self.has_stars and p_value is not None and p_value < self.options.level

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
            ``significant``, ``smallest_detectable``, ``n_needed`` and ``remark``; see ``PairComparison``.
        """
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
        InputError: There is no system, counts that do not fit, or documents are the unit and not known.
    """
    options = options or SignificanceOptions()
    units = compared.units(options)
    columns = compared.unit_counts(units)
    pairs_of = _places_of_pairs([name for name, _ in columns], only_with)
    known = compared.known_units
    has_stars, can_test = options.has_stars(known), options.can_test(units.n_units)
    options = _of_units(options, units).of_family(math.comb(len(columns), 2))
    report = progress or (lambda _: None)
    makes_exchanges = is_tested and can_test and options.test == "approximate-randomisation" and len(columns) > 1
    drawn = compared.bootstrap(
        options, progress=lambda done: report(done * (SHARE_OF_RESAMPLES if makes_exchanges else 1 - SHARE_OF_PAIRS))
    )
    trials = None
    if makes_exchanges:
        trials = exchanges(
            columns,
            compared.score,
            options,
            units.kind,
            progress=lambda done: report(SHARE_OF_RESAMPLES + done * (1 - SHARE_OF_PAIRS - SHARE_OF_RESAMPLES)),
        )
        trials = replace(trials, single_precision=compared.single_precision)
    by_itself = _without_tests(options, drawn, pairs_of)
    why_untested = None if can_test or not is_tested else too_few_words(units.n_units, units.kind)
    pairs: Iterable[PairComparison] = (replace(one, remark=why_untested or NOT_TESTED) for one in by_itself.values())
    if is_tested and can_test:
        pairs = _tested(
            compared,
            by_itself,
            options,
            drawn,
            trials,
            each_test=each_test,
            report=lambda done: report(1 - SHARE_OF_PAIRS * (1 - done)),
        )
    found = Comparison(
        options=options,
        names=drawn.names,
        intervals=MappingProxyType(_score_intervals(options, drawn)),
        pairs=MappingProxyType({(one.name, one.other): one for one in pairs}),
        clusters=(),
        higher_is_better=compared.higher_is_better,
        n_segments=compared.n_segments,
        n_units=drawn.n_units,
        n_documents=known.n_documents,
        drawn=drawn,
        trials=trials,
        warning=_warning(options, drawn, selected_by_score=compared.selected_by_score),
        units=units,
        n_items=known.n_items,
        has_stars=has_stars,
        why_untested=why_untested,
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


def _of_units(options: SignificanceOptions, units: Units) -> SignificanceOptions:
    """The settings with what is exchanged written out."""
    size = options.block_size if options.makes_blocks else units.block_size
    return replace(options, unit=units.kind, block_size=size)


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
    return {name: options.score_interval(drawn, index) for index, name in enumerate(drawn.names)}


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
    """Pairs of systems with their tests, corrected as one family; the best with each other as a family of its own."""
    tested: dict[tuple[int, int], _Test] = {}
    pairs, compared_pairs = list(by_itself), list(by_itself.values())
    tests = None
    if options.test in BLOCK_TESTS:
        blocks = _blocks(compared, options)
        for index, other in pairs:
            result = BLOCK_TESTS[options.test](blocks[index], blocks[other])
            tested[index, other] = result.p_value, result.reason or result.remark, result.smallest_p_value
    else:

        def drawn_tests(some: Sequence[tuple[int, int]]) -> Iterator[PairedTestResult]:
            for place, test in zip(some, _tests(options, drawn, trials, some), strict=True):
                is_new = place not in tested
                tested[place] = test.p_value, test.remark, test.smallest_p_value
                if each_test is not None and is_new:
                    each_test(test)
                yield test
                if len(tested) % PAIRS_BETWEEN_REPORTS == 0:
                    report(len(tested) / len(pairs))

        tests = drawn_tests
        if options.effective_correction != "max-t":
            deque(tests(pairs), maxlen=0)
    made = correct(pairs, lambda: [tested[place][0] for place in pairs], tests, options, drawn)
    found = [
        replace(one, p_value=tested[place][0], remark=tested[place][1], smallest_p_value=tested[place][2])
        for place, one in zip(pairs, compared_pairs, strict=True)
    ]
    has_all = len(pairs) == math.comb(len(drawn.names), 2)
    family: Family = "pair" if len(pairs) == 1 else "all" if has_all else "baseline"
    corrected_pairs = _in_family(found, made, family, drawn, options)
    report(1.0)
    return _with_leader(corrected_pairs, pairs, made, drawn, options, compared) if family == "all" else corrected_pairs


def _in_family(
    compared: Sequence[PairComparison],
    made: Corrected,
    family: Family,
    drawn: Bootstrap,
    options: SignificanceOptions,
) -> tuple[PairComparison, ...]:
    """Comparisons with the p-values of their family, and the intervals and the power that belong to these."""
    n_comparisons = sum(p is not None for p in made.p_values)
    is_alone = n_comparisons <= 1 or options.effective_correction in ("none", "benjamini-hochberg")
    critical = of_number(1, drawn, options.level) if is_alone else made.critical
    return tuple(
        _with_p_value(
            replace(one, n_comparisons=n_comparisons, family=family), p, None if is_alone else critical, drawn, options
        )
        for one, p in zip(compared, made.p_values, strict=True)
    )


def _with_p_value(
    one: PairComparison,
    p_value: float | None,
    critical: CriticalValues | None,
    drawn: Bootstrap,
    options: SignificanceOptions,
) -> PairComparison:
    """A comparison with its corrected p-value, and the interval and power of the same family (``None``: alone)."""
    if one.standard_error is None:
        return replace(one, corrected_p_value=p_value)
    power = detectable(one.standard_error, critical or of_number(1, drawn, options.level), drawn)
    interval = one.interval
    if critical is not None and options.test != "sacrebleu-bs":
        interval = simultaneous_interval(one.difference, one.standard_error, critical)
    if options.test != "sacrebleu-bs":
        interval = in_agreement(interval, one.difference, p_value)
    n_needed = None if power is None else units_needed(drawn.n_units, one.difference, power)
    return replace(one, corrected_p_value=p_value, interval=interval, smallest_detectable=power, n_needed=n_needed)


def _with_leader(
    compared: Sequence[PairComparison],
    pairs: Sequence[tuple[int, int]],
    made: Corrected,
    drawn: Bootstrap,
    options: SignificanceOptions,
    systems: ComparedSystems,
) -> tuple[PairComparison, ...]:
    """The same, with the best system and each other corrected for what a claim about the best needs."""
    best = best_of(drawn.scores.tolist(), higher_is_better=systems.higher_is_better, rounding=rounding(drawn.scores))
    if best is None or options.effective_correction not in ("max-t", "holm"):
        return tuple(compared)
    leader_p = leader_p_value(best, pairs, [one.p_value for one in compared], made.draws)
    if leader_p is None:
        return tuple(compared)
    n_others, found = len(drawn.names) - 1, list[PairComparison]()
    for one, pair in zip(compared, pairs, strict=True):
        if best not in pair or one.corrected_p_value is None:
            found.append(one)
            continue
        of_others = (
            of_number(n_others, drawn, options.level)
            if made.draws is None
            else of_draws(made.draws, drawn, options, pair[0] + pair[1] - best)
        )
        critical = replace(of_others, of_test=of_a_star(made.critical.of_test, of_others.of_test))
        of_best = replace(one, n_comparisons=n_others, family="best")
        found.append(_with_p_value(of_best, min(one.corrected_p_value, leader_p), critical, drawn, options))
    return tuple(found)


def _tests(
    options: SignificanceOptions, drawn: Bootstrap, trials: Randomisation | None, pairs: Iterable[tuple[int, int]]
) -> Iterator[PairedTestResult]:
    """Tests of pairs (system, baseline) on the draws, one after the other."""
    if trials is not None:
        return randomisation_tests(trials, pairs)
    return (sacrebleu_tests if options.test == "sacrebleu-bs" else bootstrap_tests)(drawn, pairs)


def _blocks(compared: ComparedSystems, options: SignificanceOptions) -> tuple[BlockSummary, ...]:
    """The block scores of every system."""
    layout = options.block_layout(compared.known_units)
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
            interval = power = n_needed = standard_error = None
            if drawn.n_units > 1 and spread > max(rounded_off[index], rounded_off[place]):
                interval = options.interval(drawn, row)
                if drawn.has_intervals:
                    standard_error = error * math.sqrt(drawn.n_units / (drawn.n_units - 1))
                    power = detectable(standard_error, of_number(1, drawn, options.level), drawn)
                    n_needed = None if power is None else units_needed(drawn.n_units, difference, power)
            found[pair] = PairComparison(
                name=name,
                other=other,
                difference=difference,
                interval=interval,
                p_value=None,
                corrected_p_value=None,
                smallest_detectable=power,
                n_needed=n_needed,
                remark=None,
                standard_error=standard_error,
            )
    return found


def _ranked(compared: Comparison) -> list[str]:
    """The names, best score first; equal scores in the order given."""
    sign = -1 if compared.higher_is_better else 1
    return [compared.names[index] for index in np.argsort(sign * compared.drawn.scores, kind="stable")]


def _warning(options: SignificanceOptions, drawn: Bootstrap, *, selected_by_score: bool) -> str | None:
    if selected_by_score:
        return (
            "These segments were selected by their scores, so a test cannot show whether a difference is "
            "real. Choose segments by something that does not depend on the outputs."
        )
    if 1 < drawn.n_units < FEW_FOR_BOOTSTRAP and options.test == "paired-bootstrap":
        return (
            f"There are only {drawn.n_units} {drawn.unit}s to resample, so p-values of the bootstrap are too "
            "small. For equal systems, up to 9 % fall below .05 with 20 units, and up to 7 % with 50. "
            "Approximate randomisation keeps its level."
        )
    return None
