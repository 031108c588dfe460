"""The versions of a system in their order: each with its score, and held against those before it and against the best.

A pair of versions has the p-value that ``significance.compare`` gives the two of them, of the same draws. Where one has
several runs, the pair is a claim about recipes: its p-value and interval include the variance of runs.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from bleucore.counts import Floats, Progress
from bleucore.experiments.recipe_contrast import Contrast
from bleucore.experiments.recipes import Recipes, pooled
from bleucore.history.alarms import AlarmKind, AlarmOptions
from bleucore.history.all_pairs import AllPairs, all_pairs
from bleucore.history.choice import BestVersion, best_version
from bleucore.optional_packages import pd
from bleucore.significance import (
    Bootstrap,
    ComparedSystems,
    PairedTestResult,
    SignificanceOptions,
    corrected,
    step_down_max_t,
)
from bleucore.significance.draws import NamedCounts
from bleucore.significance.exchanges import exchanges
from bleucore.significance.families import in_agreement, of_number, simultaneous_interval
from bleucore.significance.paired import TIE, rounding, sides
from bleucore.significance.randomisation import randomisation_tests
from bleucore.significance.settings import MOST_GROWN
from bleucore.significance.units import FEWEST_TESTED, Unit, too_few_words
from bleucore.written_numbers import count, count_of

VERSIONS_AT_ONCE = 64
"""Their trials are held at once: 25 MB of 10,000."""
SPARE = 1.5
"""So many times the trials with which a decline can be found at all."""
WITH_RUNS = "Some versions have several runs: how much of the best score is luck is not estimated."
SHARE_OF_BOOTSTRAP, SHARE_OF_TRIALS = 0.2, 0.7


@dataclass(frozen=True)
class HeldAgainst:
    """A version held against another one of the same history.

    Attributes:
        index: Of the other version, from 0.
        name: Of the other version.
        difference: The score of the version minus that of the other.
        interval: 95 % interval of the difference, simultaneous with those of the ``n_comparisons``; ``None`` where
            nothing varies, and from fewer than six units. It leaves out 0 where the corrected p-value is below .05.
        p_value: Two-sided, by approximate randomisation; 1 where there is nothing to test, ``None`` from fewer than
            six units.
        corrected_p_value: The same, corrected for ``n_comparisons``.
        n_comparisons: How many comparisons it is corrected for.
        worse_p_value: One-sided: how often chance alone makes the version as much worse as this; ``None`` as p.
        is_significant: Whether the corrected p-value is below the level, where that counts (``has_stars``).
        remark: What to know beside p, in words, or ``None``.
        n_runs: How many runs the two have, where one has several and runs vary in the test; ``None`` of two runs.
    """

    index: int
    name: str
    difference: float
    interval: tuple[float, float] | None
    p_value: float | None
    corrected_p_value: float | None
    n_comparisons: int
    worse_p_value: float | None
    is_significant: bool
    remark: str | None
    n_runs: tuple[int, int] | None = None


@dataclass(frozen=True)
class Version:
    """One version in a history.

    Attributes:
        index: Its place, from 0.
        name: As it was given.
        score: On the test set; the mean of several runs.
        interval: 95 % interval of the score; ``None`` from fewer than six units.
        before: Held against the version before, corrected for all such comparisons; ``None`` for the first.
        best_before: Held against the best of those before it within the window, corrected for their number; ``None``
            for the first.
        best: Held against the best of all, corrected for all pairs of versions; ``None`` for the best itself.
        alarm: ``"drop"`` where it is worse than the version before, ``"decline"`` where it is worse than the best
            before only; ``None`` where no alarm is raised, as where there is no test, or its p-values do not count.
        drop_level: Up to which ``before.worse_p_value`` is an alarm; ``None`` for the first.
        n_runs: How many runs it has.
    """

    index: int
    name: str
    score: float
    interval: tuple[float, float] | None
    before: HeldAgainst | None
    best_before: HeldAgainst | None
    best: HeldAgainst | None
    alarm: AlarmKind | None
    drop_level: float | None
    n_runs: int = 1


@dataclass(frozen=True, eq=False)
class VersionHistory:
    """The versions of a system in their order.

    Attributes:
        versions: In the order given.
        best: What is to be said of the one with the best score.
        options: The settings of the tests, with the numbers of draws that were made and the unit that was drawn.
        alarms: What alarms are allowed to be wrong.
        higher_is_better: Which way the score points.
        unit: What was exchanged and resampled.
        n_units: How many there are.
        n_items: How many items the rows are of, where they repeat; else ``None``.
        why_untested: Why no version can be tested, as a sentence, or ``None``.
        has_stars: Whether a small p-value counts as significant, and raises alarms; see
            ``SignificanceOptions.has_stars``.
    """

    versions: tuple[Version, ...]
    best: BestVersion
    options: SignificanceOptions
    alarms: AlarmOptions
    higher_is_better: bool
    unit: Unit
    n_units: int
    n_items: int | None = None
    why_untested: str | None = None
    has_stars: bool = True

    @property
    def alarmed(self) -> tuple[Version, ...]:
        """The versions that raise an alarm."""
        return tuple(version for version in self.versions if version.alarm is not None)

    @property
    def false_alarms(self) -> float | None:
        """How many alarms a history of so many equal versions has, on average, at most; ``None`` for a share."""
        return None if self.alarms.control == "share" else self.alarms.per_100 * (len(self.versions) - 1) / 100

    @property
    def remark(self) -> str | None:
        """Why no alarm, or no decline, can be found, in words, or ``None``: draws that were chosen can be too few."""
        if self.why_untested is not None:
            return self.why_untested
        if not self.has_stars:
            return "Segments depend on each other here: their p-values raise no alarm and count as no finding."
        n_before, n_trials = min(self.alarms.window, len(self.versions) - 1), self.options.n_trials
        if self.alarms.decline_level is None or n_before / (n_trials + 1) <= self.alarms.decline_level:
            return None
        needed = math.ceil(n_before / self.alarms.decline_level)
        return (
            f"With {count_of(n_trials, 'trial')} no decline against the best of {count_of(n_before, 'version')} can "
            f"raise an alarm: it takes {count(needed)}."
        )

    def to_frame(self) -> "pd.DataFrame":
        """One row per version, in order, unrounded; missing values are NaN.

        Returns:
            The columns ``version``, ``score``, ``interval_low``, ``interval_high``, ``alarm``, and for each of
            ``before``, ``best_before`` and ``best`` its name, and after an underscore ``difference``, ``low``,
            ``high``, ``p_value``, ``corrected_p_value`` and ``significant``.
        """
        return pd.DataFrame([_row(version) for version in self.versions])


def version_history(
    compared: ComparedSystems,
    options: SignificanceOptions | None = None,
    alarms: AlarmOptions | None = None,
    *,
    runs: Mapping[str, Sequence[str]] | None = None,
    progress: Progress | None = None,
) -> VersionHistory:
    """Every version with its interval, its differences from before and from the best, and its alarm.

    Tests are by approximate randomisation, whatever test is chosen: it keeps its level with few units, and says which
    side it is on. What each is corrected for:

    - against the version before: all such comparisons, by the chosen correction (step-down max-T unless given);
    - against the best before: the number of versions among which the best was, by Holm's first step (Bonferroni). One
      test for each version, so that its level holds version by version, as alarms need it;
    - against the best of all: all pairs of versions, since the largest difference of all is among those to the best.
      By single-step max-T (Westfall and Young 1993) on linearised scores (``all_pairs``).

    From fewer than six units there is no test, no interval and no alarm.

    With ``runs``, a pair in which a version has several is tested by Satterthwaite's t with the variance of items and
    runs (``experiments.recipes``). Comparisons with the version before are corrected by Holm's steps then, and those
    with the best by Bonferroni's inequality. How much of the best score is luck is not estimated.

    Args:
        compared: The versions in their order, with their counts; with ``runs``, their runs.
        options: How to test and to draw; as for ``significance.compare``.
        alarms: What alarms are allowed to be wrong.
        runs: The names of the runs of each version, the versions in their order; each is its only run unless given.
        progress: Called with the share of the work done, 0 to 1, from time to time.

    Raises:
        InputError: There is no version, counts that do not fit, or documents are the unit and not known.
    """
    given, alarms = options or SignificanceOptions(), alarms or AlarmOptions()
    recipes = None if runs is None else Recipes.of(compared, runs, given)
    recipes = recipes if recipes is not None and recipes.has_several(*recipes.runs) else None
    compared = compared if runs is None else pooled(compared, runs)
    report = progress or (lambda _: None)
    of_test = compared.units(given)
    unit = of_test.kind
    options = _with_draws(
        replace(given, test="approximate-randomisation", unit=unit, block_size=of_test.block_size),
        alarms,
        len(compared.systems),
    )
    units = compared.unit_counts(of_test)
    drawn = compared.bootstrap(options, progress=lambda done: report(done * SHARE_OF_BOOTSTRAP))
    drawn = drawn if recipes is None else replace(drawn, scores=recipes.means)
    every = all_pairs(units, compared.score, options, of_test)
    best = best_version(compared, options, drawn=drawn, pairs=every)
    best = best if recipes is None else _without_luck(best, recipes)
    gains = drawn.scores if compared.higher_is_better else -drawn.scores
    before_best = _best_before(gains, alarms.window)
    pairs = _pairs(before_best, best.chosen)
    has_stars = given.has_stars(compared.known_units)
    untested = too_few_words(of_test.n_units, unit) if of_test.n_units < FEWEST_TESTED else None
    tests = (
        dict.fromkeys(pairs, _Tested(None, None, untested, None))
        if untested is not None
        else _tested(
            compared, units, options, unit, pairs, lambda done: report(SHARE_OF_BOOTSTRAP + SHARE_OF_TRIALS * done)
        )
    )
    if recipes is not None and untested is None:
        tests |= _by_recipes(recipes, drawn.names, pairs, higher_is_better=compared.higher_is_better)
    found = _Held(compared.higher_is_better, given, drawn, tests, has_stars)
    befores = _against_before(found, options)
    bests = _against_best(found, best.chosen, every, options)
    n_before = [min(index, alarms.window) for index in range(len(units))]
    bests_before = {
        index: found.held(index, other, _times(tests[index, other].p_value, n_before[index]), n_before[index])
        for index, other in before_best.items()
    }
    levels = alarms.drop_levels(np.array([_or_one(held.worse_p_value) for held in befores]))
    raises_alarms = has_stars and untested is None
    report(1.0)
    return VersionHistory(
        versions=tuple(
            Version(
                index=index,
                name=name,
                score=float(drawn.scores[index]),
                interval=recipes.results[name].interval
                if recipes is not None and recipes.has_several(name)
                else given.score_interval(drawn, index),
                before=befores[index - 1] if index else None,
                best_before=bests_before.get(index),
                best=bests.get(index),
                alarm=_alarm(befores[index - 1], bests_before[index], levels[index - 1], alarms)
                if index and raises_alarms
                else None,
                drop_level=float(levels[index - 1]) if index else None,
                n_runs=1 if recipes is None else len(recipes.runs[name]),
            )
            for index, name in enumerate(drawn.names)
        ),
        best=best,
        options=options,
        alarms=alarms,
        higher_is_better=compared.higher_is_better,
        unit=unit,
        n_units=drawn.n_units,
        n_items=compared.known_units.n_items,
        why_untested=untested,
        has_stars=has_stars,
    )


@dataclass(frozen=True)
class _Held:
    """What makes a ``HeldAgainst`` of a pair of versions.

    Attributes:
        higher_is_better: Which way the score points.
        given: The settings as they were given: the level of p-values, and whose ends intervals have.
        drawn: The resamples.
        tests: Of pairs (version, other).
        has_stars: Whether small p-values count.
    """

    higher_is_better: bool
    given: SignificanceOptions
    drawn: Bootstrap
    tests: Mapping[tuple[int, int], "_Tested"]
    has_stars: bool

    def held(
        self, index: int, other: int, p_value: float | None, n_comparisons: int, *, is_simultaneous: bool = True
    ) -> HeldAgainst:
        """A pair with its corrected p-value, and an interval that holds together with the others of its family."""
        tested, scores = self.tests[index, other], self.drawn.scores
        return HeldAgainst(
            index=other,
            name=self.drawn.names[other],
            difference=float(scores[index] - scores[other]),
            interval=self._interval(index, other, p_value, n_comparisons if is_simultaneous else 1),
            p_value=tested.p_value,
            corrected_p_value=p_value,
            n_comparisons=n_comparisons,
            worse_p_value=tested.worse_p_value,
            is_significant=self.has_stars and p_value is not None and p_value < self.given.level,
            remark=tested.remark,
            n_runs=None if tested.contrast is None else tested.contrast.n_runs,
        )

    def _interval(
        self, index: int, other: int, p_value: float | None, n_comparisons: int
    ) -> tuple[float, float] | None:
        """The interval that belongs to the corrected p-value: simultaneous by Bonferroni's inequality."""
        resampled, drawn, contrast = self.drawn.resampled, self.drawn, self.tests[index, other].contrast
        if contrast is not None:
            if p_value is None:
                return None
            return contrast.interval(n_comparisons, p_value)
        difference = float(drawn.scores[index] - drawn.scores[other])
        differences = resampled[index] - resampled[other]
        if float(np.ptp(differences)) <= rounding(resampled[[index, other]]):
            return None
        interval = self.given.interval(drawn, differences)
        if interval is None or self.given.test == "sacrebleu-bs":
            return interval
        if n_comparisons > 1:
            error = float(differences.std(ddof=1)) * math.sqrt(drawn.n_units / (drawn.n_units - 1))
            critical = of_number(n_comparisons, drawn, self.given.level)
            interval = simultaneous_interval(difference, error, critical)
        return in_agreement(interval, difference, p_value)


@dataclass(frozen=True)
class _Tested:
    """What a test of a pair says; the test itself is kept only where its draws are needed again."""

    p_value: float | None
    worse_p_value: float | None
    remark: str | None
    test: PairedTestResult | None
    contrast: Contrast | None = None


def _without_luck(best: BestVersion, recipes: Recipes) -> BestVersion:
    """What is said of the best where versions have several runs: nothing of luck, which runs have their share in."""
    return replace(
        best,
        interval=recipes.results[best.name].interval if recipes.has_several(best.name) else best.interval,
        optimism=None,
        corrected_score=None,
        corrected_interval=None,
        chances_best=None,
        expected_loss=None,
        reason=WITH_RUNS,
        why_no_chances=WITH_RUNS,
    )


def _by_recipes(
    recipes: Recipes, names: Sequence[str], pairs: Sequence[tuple[int, int]], *, higher_is_better: bool
) -> dict[tuple[int, int], _Tested]:
    """The tests of pairs in which a version has several runs."""
    found = {}
    for index, other in pairs:
        contrast = recipes.contrast(names[index], names[other])
        if contrast is not None:
            worse = contrast.one_sided(is_less=higher_is_better)
            found[index, other] = _Tested(contrast.p_value, worse, contrast.remark, None, contrast)
    return found


def _with_draws(options: SignificanceOptions, alarms: AlarmOptions, n_versions: int) -> SignificanceOptions:
    """The settings with the number of draws filled in, enough for a decline to be found."""
    filled = options.of_family(max(1, n_versions - 1))
    if options.trials is not None or alarms.decline_level is None:
        return filled
    needed = math.ceil(SPARE * min(alarms.window, n_versions - 1) / alarms.decline_level)
    return replace(filled, trials=max(filled.n_trials, min(MOST_GROWN, needed)))


def _best_before(gains: Floats, window: int) -> dict[int, int]:
    """For each version but the first the best of so many before it; of equal ones the earliest."""
    tie, found = TIE * float(np.abs(gains).max()), {}
    for index in range(1, len(gains)):
        some = gains[max(0, index - window) : index]
        found[index] = max(0, index - window) + int(np.argmax(some >= some.max() - tie))
    return found


def _pairs(before_best: Mapping[int, int], best: int) -> list[tuple[int, int]]:
    """What is tested, each pair once, in the order of the versions."""
    found = []
    for index in range(len(before_best) + 1):
        others = {} if index == 0 else {index - 1: None, before_best[index]: None}
        found += [(index, other) for other in (others | {best: None}) if other != index]
    return found


def _tested(
    compared: ComparedSystems,
    units: Sequence[NamedCounts],
    options: SignificanceOptions,
    unit: Unit,
    pairs: Sequence[tuple[int, int]],
    report: Progress,
) -> dict[tuple[int, int], _Tested]:
    """The tests of pairs of versions; some versions at a time, whose draws are the same all the same."""
    found: dict[tuple[int, int], _Tested] = {}
    for start in range(0, len(units), VERSIONS_AT_ONCE):
        some = [pair for pair in pairs if start <= pair[0] < start + VERSIONS_AT_ONCE]
        if not some:
            continue
        of_block = sorted({index for pair in some for index in pair})
        trials = exchanges([units[index] for index in of_block], compared.score, options, unit)
        trials = replace(trials, single_precision=compared.single_precision)
        place = {index: number for number, index in enumerate(of_block)}
        made = randomisation_tests(trials, [(place[index], place[other]) for index, other in some])
        for (index, other), test in zip(some, made, strict=True):
            found[index, other] = _said(test, higher_is_better=compared.higher_is_better, is_kept=other == index - 1)
        report((start + len(of_block)) / len(units) if start + VERSIONS_AT_ONCE < len(units) else 1.0)
    return found


def _said(test: PairedTestResult, *, higher_is_better: bool, is_kept: bool) -> _Tested:
    _, worse = sides(test, higher_is_better=higher_is_better)
    return _Tested(test.p_value, worse, test.remark, test if is_kept else None)


def _against_before(found: _Held, options: SignificanceOptions) -> list[HeldAgainst]:
    """Each version but the first against the one before it."""
    places = [(index, index - 1) for index in range(1, len(found.drawn.resampled))]
    own = [found.tests[place].p_value for place in places]
    p_values: Sequence[float | None] = own
    has_runs = any(found.tests[place].contrast is not None for place in places)
    if options.effective_correction != "max-t" or has_runs:
        p_values = corrected(own, "holm" if options.effective_correction == "max-t" else options.effective_correction)
    elif None not in own:
        kept = (found.tests[place].test for place in places)
        p_values = step_down_max_t(test for test in kept if test is not None)
    is_simultaneous = options.effective_correction in ("max-t", "holm")
    return [
        found.held(*place, p_value, len(places), is_simultaneous=is_simultaneous)
        for place, p_value in zip(places, p_values, strict=True)
    ]


def _against_best(
    found: _Held, best: int, every: AllPairs | None, options: SignificanceOptions
) -> dict[int, HeldAgainst]:
    """Each version but the best against the best."""
    n_versions = len(found.drawn.resampled)
    others = [index for index in range(n_versions) if index != best]
    own = {index: found.tests[index, best].p_value for index in others}
    if options.effective_correction == "none":
        return {index: found.held(index, best, own[index], 1) for index in others}
    among = None if every is None else every.p_values_with(best)
    n_pairs = math.comb(n_versions, 2)
    made = {index: None if among is None or p is None else max(p, float(among[index])) for index, p in own.items()}
    for index in others:
        contrast = found.tests[index, best].contrast
        made[index] = made[index] if contrast is None else contrast.corrected(n_pairs)
    return {index: found.held(index, best, made[index], n_pairs) for index in others}


def _or_one(p_value: float | None) -> float:
    return 1.0 if p_value is None else p_value


def _times(p_value: float | None, number: int) -> float | None:
    """Bonferroni's correction."""
    return None if p_value is None else min(1.0, number * p_value)


def _alarm(before: HeldAgainst, best_before: HeldAgainst, drop_level: float, alarms: AlarmOptions) -> AlarmKind | None:
    if _or_one(before.worse_p_value) <= drop_level:
        return "drop"
    if alarms.decline_level is None:
        return None
    return "decline" if best_before.n_comparisons * _or_one(best_before.worse_p_value) <= alarms.decline_level else None


def _row(version: Version) -> dict[str, object]:
    low, high = version.interval or (math.nan, math.nan)
    row: dict[str, object] = {
        "version": version.name,
        "score": version.score,
        "interval_low": low,
        "interval_high": high,
        "alarm": version.alarm,
    }
    for name in ("before", "best_before", "best"):
        row |= _cells(name, getattr(version, name))
    return row


def _cells(name: str, held: HeldAgainst | None) -> Iterable[tuple[str, object]]:
    if held is None:
        numbers = dict.fromkeys(("difference", "low", "high", "p_value", "corrected_p_value"), math.nan)
        return (
            (name, None),
            *((f"{name}_{key}", value) for key, value in numbers.items()),
            (f"{name}_significant", False),
        )
    low, high = held.interval or (math.nan, math.nan)
    return (
        (name, held.name),
        (f"{name}_difference", held.difference),
        (f"{name}_low", low),
        (f"{name}_high", high),
        (f"{name}_p_value", math.nan if held.p_value is None else held.p_value),
        (f"{name}_corrected_p_value", math.nan if held.corrected_p_value is None else held.corrected_p_value),
        (f"{name}_significant", held.is_significant),
    )
