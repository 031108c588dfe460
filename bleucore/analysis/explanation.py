"""Why two settings give different scores: the part of each difference in the settings (Shapley 1953)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from math import comb
from types import MappingProxyType

import numpy as np

from bleucore.corpus import TestSet
from bleucore.counts import Floats, Ints, Progress
from bleucore.declarations import declarations, values_that_change
from bleucore.errors import InputError
from bleucore.metrics.bleu import scores
from bleucore.metrics.bleu_counts import BLOCK_TEXTS, block_counts
from bleucore.metrics.presets import preset
from bleucore.options import NEIGHBOUR_SMOOTHINGS, BleuOptions
from bleucore.short_reprs import short_repr

MAX_SETTINGS = 8


@dataclass(frozen=True)
class Setting:
    """Options that are switched together, and their values on either side."""

    options: tuple[str, ...]
    first: tuple[object, ...]
    second: tuple[object, ...]


@dataclass(frozen=True)
class SystemDifference:
    """The corpus scores of one system under two settings.

    Attributes:
        first: 0-100.
        second: 0-100.
        parts: What each setting adds from ``first`` to ``second``, in the order of ``DifferenceExplanation.settings``.
    """

    first: float
    second: float
    parts: tuple[float, ...]

    @property
    def difference(self) -> float:
        """``second - first``, the sum of the parts."""
        return self.second - self.first


@dataclass(frozen=True)
class DifferenceExplanation:
    """What makes the difference between the scores of two options."""

    first: BleuOptions
    second: BleuOptions
    settings: tuple[Setting, ...]
    systems: Mapping[str, SystemDifference]

    def __repr__(self) -> str:
        return short_repr(self)


def explain_difference(
    test_set: TestSet, preset_a: str | BleuOptions, preset_b: str | BleuOptions, *, progress: Progress | None = None
) -> DifferenceExplanation:
    """Which setting makes how much of the difference between the corpus scores of two options.

    A setting's part is the change that switching it makes, averaged over all orders in which the settings can be
    switched (Shapley value): the parts add up to the difference, a setting without any effect has a part of 0, and
    turning the two options round turns every sign.

    Args:
        test_set: The systems.
        preset_a: A name of ``PRESETS``, or options.
        preset_b: The same.
        progress: Called with the share of the work done, 0 to 1, from time to time.

    Raises:
        InputError: A name is not known, or more than ``MAX_SETTINGS`` settings differ.
    """
    first, second = (
        given if isinstance(given, BleuOptions) else preset(given).options for given in (preset_a, preset_b)
    )
    settings = _differing_settings(first, second)
    subsets = [chosen for size in range(len(settings) + 1) for chosen in combinations(range(len(settings)), size)]
    switched = {chosen: _switched(first, [settings[index] for index in chosen]) for chosen in subsets}
    found = _corpus_scores(test_set, list(dict.fromkeys(switched.values())), progress or (lambda _: None))
    worth = {chosen: found[options] for chosen, options in switched.items()}
    parts = [_average_change(index, len(settings), worth) for index in range(len(settings))]
    systems = {
        name: SystemDifference(
            float(found[first][place]),
            float(found[second][place]),
            tuple(float(part[place]) for part in parts),
        )
        for place, name in enumerate(test_set.system_names)
    }
    return DifferenceExplanation(first, second, settings, MappingProxyType(systems))


def _differing_settings(first: BleuOptions, second: BleuOptions) -> tuple[Setting, ...]:
    """The settings in which the options differ, in the order of their fields."""
    joins_all = bool({first.smoothing, second.smoothing} & NEIGHBOUR_SMOOTHINGS)
    groups: dict[str, list[str]] = {}
    for name in declarations(BleuOptions):
        if getattr(first, name) != getattr(second, name):
            groups.setdefault(_switched_with(name, joins_all=joins_all), []).append(name)
    if len(groups) > MAX_SETTINGS:
        raise InputError(
            "too many settings differ to try all orders of switching them",
            where="The two options",
            found=len(groups),
            expected=f"at most {MAX_SETTINGS}",
            remedy="Compare both with options in between.",
        )
    return tuple(
        Setting(
            tuple(names),
            tuple(getattr(first, name) for name in names),
            tuple(getattr(second, name) for name in names),
        )
        for names in groups.values()
    )


def _switched_with(name: str, *, joins_all: bool) -> str:
    """The setting with which one is switched, as it need not be valid without: itself, or what it belongs to.

    Args:
        name: The setting.
        joins_all: Whether all settings that belong together are switched with one of them.
    """
    belonging = {one: of.belongs_to for one, of in declarations(BleuOptions).items() if of.belongs_to is not None}
    if joins_all and name in (*belonging, *belonging.values()):
        return next(iter(belonging.values()))
    return belonging.get(name, name)


def _switched(first: BleuOptions, chosen: Sequence[Setting]) -> BleuOptions:
    values = {name: value for setting in chosen for name, value in zip(setting.options, setting.second, strict=True)}
    return replace(first, **values)  # type: ignore[arg-type]  # values of these very fields


def _average_change(index: int, n_settings: int, worth: Mapping[tuple[int, ...], Floats]) -> Floats:
    """What a setting adds to the scores (K,), averaged over all orders: every number of settings before it alike."""
    total = np.zeros_like(worth[()])
    for before in worth:
        if index not in before:
            after = tuple(sorted((*before, index)))
            total += (worth[after] - worth[before]) / (n_settings * comb(n_settings - 1, len(before)))
    return total


def _corpus_scores(
    test_set: TestSet, all_options: Sequence[BleuOptions], report: Progress
) -> dict[BleuOptions, Floats]:
    """Corpus scores (K,) under each of the options; texts are tokenized and counted once for all that agree on it."""
    by_texts: dict[tuple[object, ...], dict[tuple[object, ...], list[BleuOptions]]] = {}
    for options in all_options:
        texts, counted = (values_that_change(options, changes) for changes in ("texts", "counts"))
        by_texts.setdefault(texts, {}).setdefault(counted, []).append(options)
    found = {}
    for place, by_counts in enumerate(by_texts.values()):
        groups = list(by_counts.values())
        part = partial(_report_part, report, place, len(by_texts))
        all_counts = _corpus_counts(test_set, [group[0] for group in groups], part)
        for group, counts in zip(groups, all_counts, strict=True):
            found.update({options: scores(counts, options) for options in group})
    return found


def _report_part(report: Progress, place: int, number: int, share: float) -> None:
    report((place + share) / number)


def _corpus_counts(test_set: TestSet, all_options: Sequence[BleuOptions], report: Progress) -> list[Ints]:
    """Counts (K, 2 + 2M) of each of the options, which share tokenizer and case."""
    n_references, n_systems = len(test_set.references), len(test_set.systems)
    step = max(1, BLOCK_TEXTS // (n_references + n_systems))
    sums = [np.zeros((n_systems, 2 + 2 * options.max_order), np.int64) for options in all_options]
    for start in range(0, test_set.n_segments, step):
        for place, (counts,) in enumerate(block_counts(test_set, slice(start, start + step), all_options)):
            sums[place] += np.array([column.sum(axis=0) for column in counts])
        report(min(1.0, (start + step) / test_set.n_segments))
    return sums
