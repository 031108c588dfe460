"""What blocks and their tests say, in words."""

import numpy as np

from bleucore import BleuOptions
from bleucore.significance import BlockLayout, BlockTest, LayoutStudy, SizeStudy, Verdict, critical_t
from bleuscope.content.blocks.block_analysis import BlockAnalysis, Tests
from bleuscope.content.significance.significance_words import TEST_LABELS, about_pairs, shortened
from bleuscope.content.significance.verdict_words import p_phrase
from bleuscope.content.style import numbers
from bleuscope.content.style.sentences import (
    Sentence,
    Text,
    isolated,
    note,
    sentence,
    strong,
    warning,
)

SAME_T = 1e-9
"""A smaller difference of t is rounding: blocks of one segment are the same whatever their order."""

INTRODUCTION = (
    "The paired t-test compares two systems block by block ([Papineni et al. "
    "2002](https://aclanthology.org/P02-1040/), section 3)."
)
NOT_INDEPENDENT = "Shuffled segments depend on each other, so this p-value does not count as significant."
TABLE_CAPTION = "p-values are not corrected. For conclusions about all systems, use *All pairs*."
DIFFERENCES_CAPTION = "Dashed: the mean. Band: its 95 % interval, not corrected. If it excludes 0, p is below .05."
SCORES_CAPTION = (
    "Where lines rise and fall together, blocks are hard or easy for every system. The test compares only their "
    "distance."
)
LAYOUTS_CAPTION = "Each layout puts random segments into its blocks. "
SIZES_CAPTION = (
    "In the band, p is above the significance level. Blocks smaller than a document split it, which "
    "makes t too large. In very small blocks, smoothing dominates the scores."
)


DECIDES = "If tests disagree, the paired t-test counts: it was chosen in advance. p and interval are not corrected."
NOT_STUDIED = (
    "bleuscope cannot vary the blocks: the score file does not cover every segment, so some blocks would have no score."
)


def layout_words(layout: BlockLayout) -> str:
    """How many blocks of which size, which segments are in them, and what was left over."""
    smallest, largest = int(layout.sizes.min()), int(layout.sizes.max())
    size = numbers.counted(largest, "segment")
    if smallest != largest:
        size = f"{numbers.count(smallest)} to {size}"
    if layout.documents is not None:
        return f"Every document is a block: {numbers.counted(layout.n_blocks, 'document')} of {size}."
    shuffled = layout.shuffle_seed is not None
    order = f" Each has segments sampled at random with seed {layout.shuffle_seed}." if shuffled else ""
    left_out = ""
    if layout.n_dropped:
        place = "chosen at random" if shuffled else "at the end"
        verb = "is" if layout.n_dropped == 1 else "are"
        left_out = f" {numbers.counted(layout.n_dropped, 'segment')} {place} {verb} left out."
    return f"{numbers.counted(layout.n_blocks, 'block')} of {size} each.{order}{left_out}"


def pair_test(analysis: BlockAnalysis, tests: Tests, level: float, *, has_stars: bool = True) -> Text:
    """What the paired t-test of two systems gives, the better one named first; empty for one system.

    It is a test by its name: which system is better, the verdict alone says.

    Args:
        analysis: All systems over the blocks.
        tests: Of the two systems.
        level: Of significance.
        has_stars: Whether a small p-value counts as significant over these blocks.
    """
    test = tests[0]
    if test.name == test.other:
        return Text()
    names = test.name, test.other
    is_better = _is_better(analysis, test)
    better, other = (strong(name) for name in (names if is_better else names[::-1]))
    wins = _wins(analysis, test)
    if test.p_value is None or test.statistic is None or test.interval is None:
        said = sentence("{} against {}: {} ", better, other, f"it{wins[2:]}") if test.differences.any() else Sentence()
        return note("{}{}", said, test.reason or "")
    sign = 1 if is_better else -1
    low, high = sorted((sign * test.interval[0], sign * test.interval[1]))
    effect = (
        f"{analysis.scale.difference(sign * test.mean_difference)} {analysis.scale.unit} per {test.unit} on average "
        f"(95 % CI {analysis.scale.interval(low, high)}, {p_phrase(test.p_value)})"
    )
    is_apart = test.p_value < level and not has_stars
    remark = f" {NOT_INDEPENDENT}" if is_apart else ""
    form = "Paired t-test over {}, {} against {}: {}. {}{}"
    return note(form, _plural(test), better, other, effect, wins, remark)


def verdict_note(
    analysis: BlockAnalysis, tests: Tests, found: Verdict, level: float, *, has_stars: bool = True
) -> Text:
    """Where the paired t-test and the verdict differ: in what, and that the verdict counts; else empty.

    Args:
        analysis: All systems over the blocks.
        tests: Of the two systems.
        found: The verdict about the same two.
        level: Of significance.
        has_stars: Whether a small p-value counts as significant over these blocks.
    """
    test = tests[0]
    if test.p_value is None:
        return Text()
    better = test.name if _is_better(analysis, test) else test.other
    of_blocks = better if has_stars and test.p_value < level else None
    if of_blocks == (found.compared.name if found.state == "leads" else None):
        return Text()
    here = NOT_SIGNIFICANT if of_blocks is None else sentence(SIGNIFICANT, strong(of_blocks))
    said = OF_STATES.get(found.state) or sentence(SIGNIFICANT, strong(found.compared.name))
    return note("The verdict counts: {}. Over these {}, {}.", said, _plural(test), here)


SIGNIFICANT, NOT_SIGNIFICANT = "{} is significantly better", "the difference is not significant"
OF_STATES = {
    "no-winner": NOT_SIGNIFICANT,
    "untested": "the difference cannot be tested",
    "equal": "the scores are the same",
    "check-texts": "the texts need a check first",
}
"""What a verdict without a winner says, by its state."""


def decision_note(tests: Tests) -> Text:
    """Which test decides, and why others say something else; empty where there is no t."""
    return note(DECIDES) if tests[0].p_value is not None else Text()


def pair_remarks(tests: Tests) -> Text:
    """What to know of the p-values of the rank and sign tests; the verdict says why there is no t."""
    remarks: dict[str, list[str]] = {}
    for test in tests[1:]:
        if test.remark is not None:
            remarks.setdefault(test.remark, []).append(TEST_LABELS[test.method])
    return Text(
        tuple(note("{}: {}", _capitalised(" and ".join(methods)), remark) for remark, methods in remarks.items())
    )


def missing_tests_note(analysis: BlockAnalysis, neighbour: str) -> Text:
    """Why some systems have no t, each reason once with the systems concerned."""
    reasons: dict[str, list[str]] = {}
    for row in analysis.rows:
        tests = row.against_left if neighbour == "row above" else row.against_baseline
        if tests is not None and tests[0].reason is not None:
            reasons.setdefault(tests[0].reason, []).append(f"{tests[0].other} and {tests[0].name}")
    return about_pairs(reasons)


def unmatched_note(analysis: BlockAnalysis) -> Text:
    """In how many blocks of which system an n-gram order has no match, and what stands in for it."""
    found = [(row.summary.name, row.n_unmatched) for row in analysis.rows if row.n_unmatched]
    options = analysis.metric.options
    if not found or not isinstance(options, BleuOptions):
        return Text()
    if options.smoothing == "none":
        effect = "BLEU without smoothing is 0 there."
    else:
        effect = f"There BLEU depends on smoothing ({options.smoothing}), or is 0 without any match."
    return note(
        "Of {}, some n-gram order has no match in {}. {} Larger blocks avoid that.",
        numbers.counted(analysis.layout.n_blocks, analysis.layout.unit),
        isolated(shortened([f"{numbers.count(number)} of {name}" for name, number in found], ", ")),
        effect,
    )


def layouts_verdict(study: LayoutStudy, observed: BlockTest, level: float) -> Text:
    """How many random layouts would have called the difference significant, and where the observed t lies."""
    if study.reason is not None:
        return note("t over random layouts: {}", study.reason)
    if float(np.ptp(study.statistics)) <= SAME_T:
        return note("Every random layout has the same t, {}.", numbers.statistic(float(study.statistics[0])))
    n_layouts, n_beyond = len(study.statistics), study.n_beyond(level)
    low, middle, high = (numbers.statistic(float(value)) for value in np.quantile(study.statistics, (0.1, 0.5, 0.9)))
    critical = numbers.statistic(float(critical_t(study.n_blocks, level)))
    said = (
        f"In {numbers.count(n_beyond)} of {numbers.count(n_layouts)} random layouts, t is beyond ±{critical}, where p "
        f"is {_level(level)}. The median t is {middle}, and 80 % of layouts lie between {low} and {high}."
    )
    if observed.statistic is not None:
        n_below = int((study.statistics < observed.statistic - SAME_T).sum())
        observed_t = numbers.statistic(observed.statistic)
        said += f" The blocks above have t\u00a0=\u00a0{observed_t}, {_place(n_below, n_layouts)}."
    n_without = study.n_layouts - n_layouts
    if n_without:
        said += f" {numbers.counted(n_without, 'more layout')} {'has' if n_without == 1 else 'have'} no t."
    return note("{}", said)


def layouts_caption(layout: BlockLayout) -> str:
    """What it means if the blocks in use lie outside of the random ones, as Markdown of ours."""
    if layout.shuffle_seed is not None:
        return LAYOUTS_CAPTION + "The blocks above are one more such layout."
    if layout.documents is not None:
        return LAYOUTS_CAPTION + (
            "If the documents' t is far outside this range, segments of a document depend on each other."
        )
    return LAYOUTS_CAPTION + (
        "If the t of the blocks above is far outside this range, neighbouring segments depend on each other."
    )


def sizes_verdict(study: SizeStudy, level: float) -> Text:
    """At how many block sizes the difference is significant."""
    if study.reason is not None:
        return note("t over block sizes: {}", study.reason)
    n_beyond = int((np.abs(study.statistics) > study.critical_values(level)).sum())
    smallest, largest = int(study.sizes[0]), int(study.sizes[-1])
    extent = "of" if smallest == largest else f"from {numbers.count(smallest)} to"
    return note(
        "p is below {} at {} of {} {} {}.",
        _level(level),
        numbers.count(n_beyond),
        numbers.counted(len(study.sizes), "block size"),
        extent,
        numbers.counted(largest, "segment"),
    )


def unscored_note(analysis: BlockAnalysis) -> Text:
    """That some blocks cannot be compared, and what to do."""
    return warning(
        (
            "In {} of {}, a system has no {} score because the file does not cover these segments. "
            "Choose larger blocks or another metric."
        ),
        numbers.count(analysis.n_unscored),
        numbers.counted(analysis.layout.n_blocks, analysis.layout.unit),
        isolated(analysis.scale.unit),
    )


def _is_better(analysis: BlockAnalysis, test: BlockTest) -> bool:
    """Whether the tested system is better on average, or in more blocks where the mean says nothing."""
    better = test.mean_difference or test.n_positive - test.n_negative
    return better >= 0 if analysis.scale.higher_is_better else better < 0


def _wins(analysis: BlockAnalysis, test: BlockTest) -> str:
    """How many blocks the better system wins."""
    is_first_positive = _is_better(analysis, test) == analysis.scale.higher_is_better
    n_wins, n_losses = (test.n_positive, test.n_negative) if is_first_positive else (test.n_negative, test.n_positive)
    n_ties = test.n_blocks - n_wins - n_losses
    return (
        f"It wins {numbers.count(n_wins)}, loses {numbers.count(n_losses)} and ties "
        f"{numbers.counted(n_ties, test.unit)}."
    )


def _plural(test: BlockTest) -> str:
    return f"{test.unit}s"


def _place(n_below: int, n_layouts: int) -> str:
    if n_below in (0, n_layouts):
        return f"{'higher' if n_below else 'lower'} than all of them"
    return f"higher than {numbers.count(n_below)} of them"


def _level(level: float) -> str:
    return f"{level:g}".removeprefix("0")


def _capitalised(text: str) -> str:
    return text[0].upper() + text[1:]
