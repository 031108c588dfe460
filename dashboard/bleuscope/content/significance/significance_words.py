"""What significance tests say, in words."""

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from bleucore import Evaluation
from bleucore.significance import (
    Comparison,
    Correction,
    PairComparison,
    SignificanceOptions,
    TestName,
    draws_needed,
)
from bleucore.significance.paired import Method, exact_remark
from bleucore.significance.settings import MAX_TRIALS, SHARED_DRAWS
from bleuscope.content.comparison.unit_words import extent_words, units_words
from bleuscope.content.style import numbers
from bleuscope.content.style.sentences import (
    Sentence,
    Text,
    isolated,
    note,
    sentence,
    strong,
    verdict,
    warning,
)

TEST_LABELS: dict[TestName, str] = {
    "approximate-randomisation": "approximate randomisation",
    "paired-bootstrap": "paired bootstrap",
    "block-t": "paired t-test",
    "block-wilcoxon": "Wilcoxon signed-rank test",
    "block-sign": "sign test",
    "sacrebleu-bs": "sacreBLEU's paired bootstrap",
}
CORRECTION_LABELS: dict[Correction, str] = {
    "max-t": "step-down max-T",
    "holm": "Holm",
    "benjamini-hochberg": "Benjamini-Hochberg",
    "none": "none",
}
TOO_SMALL = "sacreBLEU's p-values are too small: about 11 % fall below .05 for equally good systems."
DOCUMENTS_AS_BLOCKS = (
    "Every document counts the same, long or short: the test concerns the mean of the block differences."
)
HOW_TESTED = (
    "Significant on both sides: each order is significant under its own setting, p not corrected. Test signature: {}."
)
MAX_NAMED = 4
TWO = 2
FEWEST_NEEDED, MOST_NEEDED = 20, 100_000
"""The normal approximation says nothing exact about fewer segments or documents, and nobody translates more."""

RANDOMISATION_CAPTION = (
    "Each trial exchanges the two systems' outputs of random units. p, before correction, is the share of trials with "
    "at least this difference, in either direction ([Riezler and Maxwell 2005](https://aclanthology.org/W05-0908/))."
)
RESAMPLES_CAPTION = (
    "Differences on resampled test sets, centred at 0. p, before correction, is the share at least "
    "as large as the observed difference, in either direction."
)
SACREBLEU_CAPTION = (
    "sacreBLEU subtracts the mean from the absolute resampled differences and counts those above the observed "
    "one, on one side only."
)
BOOTSTRAP_CAPTION = (
    "Each resample has the same number of units, sampled with replacement ([Koehn "
    "2004](https://aclanthology.org/W04-3250/)). The interval covers the choice of segments, not "
    "variation between training runs."
)
PAIRS_CAPTION = (
    "Row minus column, with corrected p; * marks significance. Blue: the row scores higher. Orange: the column does."
)
NEIGHBOURS_CAPTION = (
    "The table compares each system with the next one in rank (corrected p; * marks significance). "
    "The exported table has every pair."
)
CLUSTERS_CAPTION = "Each system above a line is significantly better than each one below."
POWER_CAPTION = (
    "Estimated from the standard error. A test set too small to detect a difference does not show that there is "
    "none ([Card et al. 2020](https://aclanthology.org/2020.emnlp-main.745/))."
)

NULL_CAPTIONS: dict[Method, str] = {
    "approximate-randomisation": RANDOMISATION_CAPTION,
    "paired-bootstrap": RESAMPLES_CAPTION,
    "sacrebleu-bs": SACREBLEU_CAPTION,
}
"""What the null distribution of a test is, as Markdown of ours."""


NOT_DRAWN = "The chart of differences by chance comes with the tests."
NO_DRAWS = "Block tests use no random trials. See Blocks."


def first_words(test: TestName) -> str:
    """The name of a test at the beginning of a sentence, where sacreBLEU keeps its small letter."""
    label = TEST_LABELS[test]
    return label if test == "sacrebleu-bs" else label[0].upper() + label[1:]


def draws(test: TestName) -> str:
    """What the draws of a test are called."""
    return "trials" if test == "approximate-randomisation" else "resamples"


def zero_words(evaluation: Evaluation) -> str:
    """Why every system has 0 BLEU, whatever it wrote; empty where one has more."""
    scores = [result.score for result in evaluation.systems.values()]
    if any(score.score for score in scores):
        return ""
    longest = max(scores, key=lambda score: int(np.count_nonzero(score.totals)))
    n_words, n_needed = int(np.count_nonzero(longest.totals)), len(longest.totals)
    if n_words < n_needed:
        what = "no text has a word" if not n_words else f"no text is longer than {numbers.counted(n_words, 'word')}"
        return (
            f" BLEU is 0 because {what}, and it counts sequences of up to {n_needed} words: choose a lower order "
            "or the effective one, or read chrF."
        )
    n_matched = max(int(np.count_nonzero(score.matches)) for score in scores)
    if not n_matched:
        return " No text shares a word with its references."
    if n_matched < n_needed:
        return (
            f" BLEU is 0 because no text has more than {numbers.counted(n_matched, 'word')} of its references in a "
            "row: choose smoothing, or read chrF."
        )
    return " BLEU is 0 because the texts are much shorter than their references."


def resolution_words(options: SignificanceOptions, n_comparisons: int, *, share_draws: bool = True) -> str:
    """That so many draws cannot show anything among so many comparisons, and what can; empty where they can.

    Args:
        options: How was tested.
        n_comparisons: How many comparisons p is corrected for.
        share_draws: Whether the comparisons could share their draws, as max-t needs it.
    """
    needed = draws_needed(n_comparisons, options.level, options.effective_correction)
    if options.n_draws is None or options.n_draws >= needed:
        return ""
    kind = draws(options.test)
    among = f" among {numbers.counted(n_comparisons, 'comparison')}" if n_comparisons > 1 else ""
    remedies = [f"{numbers.count(needed)} {kind}"] if needed <= MAX_TRIALS else []
    can_share = share_draws and options.test in SHARED_DRAWS and options.effective_correction != "max-t"
    remedies += ["the correction max-t"] if can_share else []
    remedy = f" It takes {' or '.join(remedies)}." if remedies else ""
    return (
        f"{numbers.count(options.n_draws)} {kind} are too few to show any difference{among}: even one that none of "
        f"them reaches is not significant.{remedy}"
    )


def clusters_verdict(comparison: Comparison) -> Text:
    """``clusters_sentence``, as a verdict."""
    return verdict("{}", clusters_sentence(comparison))


def clusters_sentence(comparison: Comparison) -> Sentence:
    """The number of significant pairs, and into how many groups the systems fall."""
    pairs = [comparison.pair(*names) for names in comparison.pairs]
    significant, n_pairs = sum(map(comparison.is_significant, pairs)), len(pairs)
    if len(comparison.clusters) == 1:
        groups = "all systems form one cluster"
    else:
        groups = f"the systems fall into {len(comparison.clusters)} clusters"
    if n_out_of_reach := sum(map(comparison.is_out_of_reach, pairs)):
        groups += f"; {numbers.count(n_out_of_reach)} could not be shown with so few draws"
    verb = "is" if significant == 1 else "are"
    of_all = f"{numbers.count(significant)} of {numbers.counted(n_pairs, 'difference')}"
    return sentence("{} {} significant; {}.", of_all, verb, groups)


def power_verdict(comparison: Comparison, compared: PairComparison, unit: str) -> Text:
    """``power_sentence``, and the range over all pairs."""
    known = [one.smallest_detectable for one in comparison.pairs.values() if one.smallest_detectable is not None]
    over_all = ""
    if len(known) > 1 and comparison.has_all_pairs:
        extent = f"{numbers.score(min(known))} to {numbers.score(max(known))}"
        over_all = f" Over all pairs, the smallest detectable difference is {extent}."
    return verdict("{}{}", power_sentence(comparison, compared, unit=unit), over_all)


def method_note(comparison: Comparison, shown: Collection[PairComparison]) -> Text:
    """By which test, over how much, with what correction; and what casts doubt on the p-values shown."""
    method = note("{}.", method_words(comparison, shown))
    return Text((method, *(warning("{}", text) for text in warnings(comparison, shown))))


def method_words(comparison: Comparison, shown: Collection[PairComparison]) -> str:
    """By which test, over how much, corrected among which comparisons: a sentence without its full stop."""
    options = comparison.options
    if comparison.why_untested is not None:
        return f"No test and no intervals over {extent_words(comparison)}"
    if not comparison.is_tested:
        resamples = numbers.counted(options.n_resamples, "resample")
        extent = extent_words(comparison)
        return f"95 % intervals by {resamples} over {extent}; seed {options.seed}. Differences are not tested"
    parts = [_drawn(comparison)]
    if of_family := _families(comparison, shown):
        correction = CORRECTION_LABELS[options.effective_correction]
        parts.append(
            f"p not corrected for {of_family}"
            if options.correction == "none"
            else f"p corrected for {of_family} ({correction})"
        )
    parts += [words] if (words := interval_words(comparison, shown)) else []
    level = f"{options.level:g}".replace("0.", ".")
    parts.append(f"Significant below {level}, seed {options.seed}")
    return ". ".join(parts)


def _families(comparison: Comparison, shown: Collection[PairComparison]) -> str:
    """Among which comparisons the p-values are corrected; empty where each stands alone."""
    n_of: dict[str, int] = {one.family: one.n_comparisons for one in shown if one.n_comparisons > 1}
    words: dict[str, str] = {
        "baseline": f"comparisons with the baseline {comparison.baseline}",
        "best": "comparisons with the best",
        "all": "pairs",
    }
    parts = [
        f"{'all ' if family == 'all' else ''}{numbers.count(n_of[family])} {what}"
        for family, what in words.items()
        if family in n_of
    ]
    return ", else for ".join(parts)


def interval_words(comparison: Comparison, shown: Collection[PairComparison]) -> str:
    """How the 95 % intervals of scores and of differences are made; empty where there are none."""
    options, drawn = comparison.options, comparison.drawn
    if options.test == "sacrebleu-bs":
        return "95 % intervals: percentiles" if drawn.n_units > 1 else ""
    if not drawn.has_intervals:
        return ""
    of_scores = "expanded percentiles" if drawn.of_scores is None else "CR2 for scores"
    if are_simultaneous(comparison, shown):
        return f"95 % intervals: {of_scores}, simultaneous for differences"
    if drawn.of_scores is None:
        return f"95 % intervals: {of_scores}"
    return f"95 % intervals: {of_scores}, expanded percentiles for differences"


def are_simultaneous(comparison: Comparison, shown: Collection[PairComparison]) -> bool:
    """Whether intervals of differences are simultaneous for the comparisons that p is corrected for."""
    is_corrected = comparison.options.effective_correction in ("max-t", "holm")
    return is_corrected and any(one.n_comparisons > 1 for one in shown)


def all_pairs_offer(baseline: str | None) -> str:
    """What the tests of all pairs add where, of very many, only those with one system are compared."""
    if baseline is None:
        return (
            "No p yet: without a baseline, p is corrected for all pairs of systems. Choose a "
            "baseline to test the others against it alone."
        )
    return f"Tested only against the baseline {baseline}. Clusters and p-values of other pairs need tests of all pairs."


def warnings(comparison: Comparison, shown: Collection[PairComparison]) -> list[str]:
    """What casts doubt on the p-values of some pairs, in sentences."""
    if not comparison.is_tested or comparison.why_untested is not None:
        return [text for text in (comparison.warning,) if text]
    resolution = resolution_words(comparison.options, max((one.n_comparisons for one in shown), default=0))
    found = [text for text in (comparison.warning, stars_words(comparison), resolution) if text]
    found += [DOCUMENTS_AS_BLOCKS] if comparison.options.makes_blocks and comparison.drawn.unit == "document" else []
    return found + ([TOO_SMALL] if comparison.options.test == "sacrebleu-bs" else [])


def stars_words(comparison: Comparison) -> str:
    """Why nothing is called significant where segments were tested one by one; empty elsewhere."""
    if comparison.has_stars:
        return ""
    of = "one document" if comparison.n_documents is not None else "one item"
    return f"Segments of {of} depend on each other, so no p-value of a segment test counts as significant here."


def remarks(comparison: Comparison, compared: Sequence[PairComparison]) -> Text:
    """What to know beside p-values that are not significant, each remark once with the systems concerned.

    That a test is exact holds for every pair: ``method_note`` says it.
    """
    by_remark: dict[str, list[str]] = {}
    said = set() if comparison.n_exchanges is None else {exact_remark(comparison.n_exchanges)}
    for one in compared:
        if one.remark is not None and one.remark not in said and not comparison.is_significant(one):
            by_remark.setdefault(one.remark, []).append(f"{one.name} and {one.other}")
    return about_pairs(by_remark)


def power_sentence(comparison: Comparison, compared: PairComparison, *, unit: str = "BLEU") -> Sentence:
    """``detectable_sentence``, and how many units the observed difference would take."""
    detectable = detectable_sentence(comparison, compared, unit=unit)
    if compared.n_needed is None or compared.smallest_detectable is None or comparison.why_untested is not None:
        return detectable
    size, n_units = numbers.score(abs(compared.difference)), numbers.count(comparison.n_units)
    needed = f"{needed_words(compared.n_needed)} {comparison.options.unit}s"
    return detectable + f" Detecting {size} takes {needed}; there are {n_units}."


def detectable_sentence(comparison: Comparison, compared: PairComparison, *, unit: str = "BLEU") -> Sentence:
    """The smallest true difference that the test set detects with 80 % power; or why it is not known."""
    among = numbers.counted(compared.n_comparisons, "comparison")
    if comparison.why_untested is not None:
        return sentence("{}", comparison.why_untested)
    if compared.smallest_detectable is None and compared.standard_error is not None:
        units = units_words(comparison)
        return sentence("With {}, no difference can be significant among {}.", units, among)
    if compared.smallest_detectable is None:
        return sentence("All resamples are equal, so power cannot be estimated.")
    corrected = "" if compared.n_comparisons < TWO else f" (p corrected for {among})"
    return sentence(
        "Between {} and {}, this test set detects true differences of {} {} or more with 80 % power{}.",
        strong(compared.name),
        strong(compared.other),
        numbers.score(compared.smallest_detectable),
        unit,
        corrected,
    )


def needed_words(n_needed: int) -> str:
    """How many units it would take: an estimate from a few resamples has no more than two digits."""
    if n_needed < FEWEST_NEEDED:
        return f"fewer than {FEWEST_NEEDED}"
    return f"more than {numbers.count(MOST_NEEDED)}" if n_needed > MOST_NEEDED else f"about {numbers.about(n_needed)}"


def _drawn(comparison: Comparison) -> str:
    """The test with its draws, and what it is over."""
    options, name = comparison.options, first_words(comparison.options.test)
    extent = extent_words(comparison)
    if comparison.n_exchanges is not None:
        return f"Exact randomisation, all {numbers.counted(comparison.n_exchanges, 'exchange')} of {extent}"
    if options.n_draws is not None:
        return f"{name}, {numbers.count(options.n_draws)} {draws(options.test)} over {extent}"
    if comparison.units.kind == "document":
        return f"{name} over {extent}"
    n_rows, row = comparison.n_segments, "segment"
    if comparison.n_items is not None:
        n_rows, row = comparison.n_items, "item"
    n_blocks = options.n_blocks_of(n_rows)
    size = numbers.counted(max(1, options.block_size_of(n_rows) or 0), row)
    return f"{name} over {numbers.counted(n_blocks, 'block')} of {size}. Intervals over {extent}"


def about_pairs(by_remark: Mapping[str, Sequence[str]]) -> Text:
    """Each remark once, behind the first of the pairs of systems concerned."""
    return Text(tuple(note("{}: {}", isolated(shortened(pairs)), remark) for remark, pairs in by_remark.items()))


def shortened(items: Sequence[str], separator: str = "; ") -> str:
    """The first of many names, and how many more there are."""
    rest = f" and {len(items) - MAX_NAMED} more" if len(items) > MAX_NAMED else ""
    return separator.join(items[:MAX_NAMED]) + rest


def flip_test_words(options: SignificanceOptions) -> str:
    """How reversed pairs are tested; that p is not corrected is said in words."""
    return HOW_TESTED.format(options.signature().removesuffix("|correction:none"))
