"""Slices of the test set in words."""

import numpy as np

from bleucore.analysis.slices import SMALL, SliceComparison
from bleucore.counts import Ints
from bleucore.significance.units import FEWEST_TESTED
from bleuscope.content.significance.significance_words import (
    CORRECTION_LABELS,
    TOO_SMALL,
    draws,
    first_words,
    resolution_words,
)
from bleuscope.content.slices.slice_tables import BY_DELTA, BY_PART, BY_SIZE, MAX_SLICES, SliceSummary
from bleuscope.content.style import numbers
from bleuscope.content.style.sentences import Sentence, Text, isolated, note, sentence, strong, warning
from bleuscope.content.style.sentences import verdict as verdict_of

CAPTION = (
    "Click a bar or a name to read its segments, or press Shift + Space in its row. Contributions to "
    "Δ add up; the slices' own differences do not."
)
NOT_DRAWN = "There are too many slices for a chart. The table lists them all."
P_HELP = "How often equal systems differ at least this much, corrected for all slices. * marks significance."
PART_HELP = (
    "Contribution of the slice to the difference between the corpus scores, in {} points. All contributions add up."
)
SMALL_HELP = (
    f"Fewer than {SMALL} segments: a few of them decide the score, so a difference of many points can be chance."
)


def rule_note(summary: SliceSummary) -> Text:
    """How the segments were divided, into how many slices, and how many of these are small."""
    n_small = int(summary.is_small.sum())
    which = "All" if n_small == summary.slicing.n_slices else f"{numbers.count(n_small)} of them"
    small = f" {which} have fewer than {SMALL} segments (hatched)." if n_small else ""
    if n_small == 1:
        only = "It" if summary.slicing.n_slices == 1 else "One of them"
        small = f" {only} has fewer than {SMALL} segments (hatched)."
    return note("{}: {}.{}", numbers.counted(summary.slicing.n_slices, "slice"), summary.slicing.rule, small)


def wins_sentence(summary: SliceSummary) -> Sentence:
    """How many slices B wins, loses and ties, and where it leads most; without tests."""
    names, gain = summary.slicing.names, summary.gain
    n_won, n_lost = int((gain > 0).sum()), int((gain < 0).sum())
    second, kind = isolated(summary.sides[1]), summary.slicing.kind
    counts = (numbers.count(n_won), numbers.count(n_lost), numbers.count(len(names) - n_won - n_lost))
    said = sentence("By {}, {} wins {}, loses {} and ties {}", kind, second, *counts)
    if not n_won:
        return sentence("{}.", said)
    best = int(np.nanargmax(gain))
    return sentence(
        "{}. Largest lead, scored alone: {} ({}).", said, isolated(names[best]), numbers.difference(float(gain[best]))
    )


def verdict(summary: SliceSummary, tested: SliceComparison) -> Text:
    """How many slices B wins, loses and ties against A, and how many differences are significant."""
    first, second = (strong(name) for name in summary.sides)
    n_second, n_first = int((summary.gain > 0).sum()), int((summary.gain < 0).sum())
    n_level = summary.slicing.n_slices - n_first - n_second
    clear = [index for index in tested.tests if tested.is_significant(index)]
    n_clear = {"B": sum(summary.metric.gain(tested.tests[index].difference) > 0 for index in clear)}
    n_clear["A"] = len(clear) - n_clear["B"]
    is_whole = len(tested.tests) == summary.slicing.n_slices
    if not tested.n_tests:
        sure = f"No slice has the {FEWEST_TESTED} {tested.options.unit}s that a test needs."
    elif not clear and resolution_words(tested.options, tested.n_tests, share_draws=False):
        sure = f"With so few {draws(tested.options.test)}, no difference can be significant."
    elif not clear:
        sure = f"None of the differences{'' if is_whole else ' shown'} is significant."
    else:
        of_shown = "" if is_whole else ", of those shown"
        sure = f"Significant{of_shown}: {n_clear['B']} for B, {n_clear['A']} for A."
    counts = (numbers.count(n_second), numbers.count(n_first), numbers.counted(n_level, "slice"))
    return verdict_of("{} wins {}, loses {} and ties {} against {}. {}", second, *counts, first, sure)


def method_note(summary: SliceSummary, tested: SliceComparison) -> Text:
    """By which test, corrected for how many slices, as ``method_words`` says it; and what is wrong with the test.

    The verdict says it where no slice has a test.
    """
    said = note("{}.", method_words(summary, tested)) if tested.n_tests else Text()
    if resolution := resolution_words(tested.options, tested.n_tests, share_draws=False):
        said += warning("{}", resolution)
    if tested.options.test == "sacrebleu-bs":
        said += warning("{}", TOO_SMALL)
    return said


def method_words(summary: SliceSummary, tested: SliceComparison) -> str:
    """By which test, corrected for how many slices, and how many have too few units for it."""
    hidden = "" if len(tested.tests) == summary.slicing.n_slices else ", shown or not"
    unit, n_slices = f"{tested.options.unit}s", summary.slicing.n_slices
    if not tested.n_tests:
        return f"No slice has the {FEWEST_TESTED} {unit} that a test needs"
    said = f"{family_words(tested, 'slices', hidden)}. Tests exchange and resample {unit} within each slice"
    n_untested = n_slices - tested.n_tests
    if not n_untested:
        return said
    few = "has" if n_untested == 1 else "have"
    share = f"{numbers.count(n_untested)} of {numbers.counted(n_slices, 'slice')}"
    return f"{said}. {share} {few} no test, which needs {FEWEST_TESTED} {unit}"


def family_words(tested: SliceComparison, members: str, hidden: str = "") -> str:
    """By which test, corrected for how many members of the family, shown or not."""
    options = tested.options
    parts = [_drawn(tested)]
    if tested.n_tests > 1:
        no, by = (
            ("not ", "")
            if options.correction == "none"
            else ("", f" ({CORRECTION_LABELS[options.effective_correction]})")
        )
        parts.append(f"p {no}corrected for {numbers.count(tested.n_tests)} {members}{hidden}{by}")
    parts.append(f"* Significant below {options.level:g}".replace("0.", "."))
    parts.append(f"95 % bootstrap intervals, {numbers.counted(options.n_resamples, 'resample')}")
    return ". ".join(parts)


def shown_note(summary: SliceSummary, shown: Ints, order: str) -> str:
    """Which of many slices are shown."""
    kind = {BY_DELTA: "differ most", BY_PART: "add most to Δ, either way", BY_SIZE: "are largest"}.get(
        order, "come first"
    )
    return f"The {numbers.count(len(shown))} slices that {kind}, of {numbers.count(summary.slicing.n_slices)}."


def all_slices_label(summary: SliceSummary) -> str:
    """The switch that shows more than the first ``MAX_SLICES``."""
    return f"Show all {numbers.count(summary.slicing.n_slices)} slices, not {MAX_SLICES}"


def _drawn(tested: SliceComparison) -> str:
    options = tested.options
    name = first_words(options.test)
    if options.n_draws is None:
        return f"{name} over blocks of each slice"
    return f"{name}, {numbers.count(options.n_draws)} {draws(options.test)}"
