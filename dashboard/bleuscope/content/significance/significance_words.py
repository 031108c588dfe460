"""What tests of differences say, in words."""

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from bleucore import Evaluation, MetricEvaluation
from bleucore.significance import (
    Comparison,
    Correction,
    PairComparison,
    SignificanceOptions,
    TestName,
    draws_needed,
)
from bleucore.significance.comparison import FEW_UNITS, MAX_TRIALS, SHARED_DRAWS
from bleucore.significance.dependence import WORTH_SAYING
from bleucore.significance.paired import Method
from bleuscope.content.significance.significance_people import people_note, people_words
from bleuscope.content.style import numbers
from bleuscope.content.style.sentences import (
    Sentence,
    Text,
    isolated,
    listed,
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
TOO_SMALL = (
    "sacreBLEU's paired bootstrap gives p-values that are too small: where systems do not differ, about 11 % of them "
    "fall below .05. It is here to compare with other reports."
)
DOCUMENTS_AS_BLOCKS = (
    "Every document is a block and weighs the same, long or short: this tests the mean of their differences, which is "
    "not the difference of the scores. Blocks of segments are of one size."
)
MAX_NAMED = 4
TWO = 2
_NEARLY_ONE = 0.9995
"""From which a p-value is no longer written in three digits."""
FEWEST_NEEDED, MOST_NEEDED = 20, 100_000
"""The normal approximation says nothing exact about fewer segments or documents, and nobody translates more."""

RANDOMISATION_CAPTION = (
    "If two systems are equally good, it does not matter which of them wrote a segment, or a document where documents "
    "are drawn. Each trial exchanges their outputs at random; p is the share of trials with a difference at least as "
    "large as the observed one, either way ([Riezler and Maxwell 2005](https://aclanthology.org/W05-0908/))."
)
RESAMPLES_CAPTION = (
    "The differences on resampled test sets, moved to a mean of 0, stand for those to expect if the systems are "
    "equally good; p is the share at least as large as the observed one, either way "
    "([Riezler and Maxwell 2005](https://aclanthology.org/W05-0908/))."
)
SACREBLEU_CAPTION = (
    "What sacreBLEU counts: sizes of the differences on resampled test sets, less their mean, beyond the size of the "
    "observed one. That looks at one side only, which makes p too small."
)
BOOTSTRAP_CAPTION = (
    "Each resample is a test set of as many segments or documents, drawn from this one with replacement. The middle "
    "95 % of the differences are the interval ([Koehn 2004](https://aclanthology.org/W04-3250/)), and a little more of "
    "them where few can be drawn (Hesterberg 2015). It says how much the choice of segments matters; how a system "
    "varies between training runs is another question ([Clark et al. 2011](https://aclanthology.org/P11-2031/))."
)
PAIRS_CAPTION = (
    "Score of the row minus score of the column, and p, corrected; * marks what is significant. Blue: the "
    "row scores higher; orange: the column does. The table to save says how often people agree with such differences."
)
NEIGHBOURS_CAPTION = (
    "No screen holds so many pairs: here each system stands beside the next one in rank, with p, corrected; "
    "* marks what is significant. The table to save holds every pair."
)
CLUSTERS_CAPTION = (
    "A line divides systems where each one above is significantly ahead of each one below, as in the tables of the "
    "Conference on Machine Translation. *Ranks* are the places that a system can have, given what is significant."
)
POWER_CAPTION = (
    "From the spread of each difference over resampled test sets, at the chosen level and without correction, for a "
    "difference that is found in 80 % of cases. A test set that cannot show a difference does not show that there is "
    "none ([Card et al. 2020](https://aclanthology.org/2020.emnlp-main.745/))."
)

NULL_CAPTIONS: dict[Method, str] = {
    "approximate-randomisation": RANDOMISATION_CAPTION,
    "paired-bootstrap": RESAMPLES_CAPTION,
    "sacrebleu-bs": SACREBLEU_CAPTION,
}
"""What the null distribution of a test is, as Markdown of ours."""


NOT_DRAWN = "The differences to expect by chance are drawn with the tests."
NO_DRAWS = "Tests over blocks draw nothing at random. What they rest on is under Blocks."


def first_words(test: TestName) -> str:
    """The name of a test at the beginning of a sentence, where sacreBLEU keeps its small letter."""
    label = TEST_LABELS[test]
    return label if test == "sacrebleu-bs" else label[0].upper() + label[1:]


def draws(test: TestName) -> str:
    """What the draws of a test are called."""
    return "trials" if test == "approximate-randomisation" else "resamples"


def standing(
    comparison: Comparison,
    ranked: Sequence[str],
    other: str,
    metric: MetricEvaluation | None = None,
    *,
    unit: str = "BLEU",
) -> Sentence:
    """How the best and one other stand, by how much and how surely; empty for a single system.

    The other is the baseline, or else the best itself, which then stands against the next.

    Of a metric that was judged, also how often people agree with a difference of this size.
    """
    if len(ranked) < TWO:
        return Sentence()
    against = comparison.against(other)
    rival = ranked[0] if ranked[0] != other else ranked[1]
    lead = pair_sentence(comparison, against[rival], unit=unit)
    lead += people_words(metric, against[rival].difference)
    level = [name for name in ranked if name in against and not comparison.is_significant(against[name])]
    others = [name for name in level if name != rival]
    lead += _wider(comparison, against[rival])
    if not others or not comparison.is_tested:
        return lead
    return lead + sentence(" Not told apart from {}: {}.", isolated(other), listed(others))


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
        return " No text has a word of its references."
    if n_matched < n_needed:
        return (
            f" BLEU is 0 because no text has more than {numbers.counted(n_matched, 'word')} of its references in a "
            "row: choose smoothing, or read chrF."
        )
    return " BLEU is 0 because the texts are so much shorter than their references."


def pair_sentence(comparison: Comparison, compared: PairComparison, *, unit: str = "BLEU") -> Sentence:
    """One system against another: direction, size with its interval, and how sure that is."""
    if compared.difference == 0:
        return sentence("{} and {} have the same score.", strong(compared.name), strong(compared.other))
    higher = (compared.difference > 0) == comparison.higher_is_better
    first, second = (compared.name, compared.other) if higher else (compared.other, compared.name)
    size = numbers.score(abs(compared.difference))
    lead = sentence("{} is ahead of {} by {} {}{}", strong(first), strong(second), size, unit, _details(compared))
    if compared.corrected_p_value is None:
        return sentence("{}. {}", lead, compared.remark or "")
    if comparison.is_significant(compared):
        return sentence("{}: more than chance would give.{}", lead, _overstated(compared, unit))
    return sentence("{}. {}", lead, undecided(comparison, compared))


def _overstated(compared: PairComparison, unit: str) -> str:
    """That a significant difference below what the test set can detect is likely too large; empty elsewhere."""
    detectable = compared.smallest_detectable
    if detectable is None or abs(compared.difference) >= detectable:
        return ""
    return (
        f" It is smaller than the {numbers.score(detectable)} {unit} that this test set shows in four of five cases: "
        "mostly those that came out too large are significant then, so the true one is probably smaller."
    )


def undecided(comparison: Comparison, compared: PairComparison) -> str:
    """Why a test does not show which system is better, in a sentence: only a test that could have may blame chance."""
    options, smallest = comparison.options, compared.smallest_p_value
    alone = 1.0 if compared.p_value is None else compared.p_value
    if comparison.is_out_of_reach(compared):
        return resolution_words(options, compared.n_comparisons)
    if alone < options.level:
        others = f"Among {numbers.counted(compared.n_comparisons, 'comparison')} chance could well give one like it"
        return f"{others}: it does not tell them apart."
    of_draws = 0.0 if options.n_draws is None else 1 / (options.n_draws + 1)
    if smallest is not None and smallest >= options.level and smallest > of_draws:
        least = numbers.p_value(smallest) if smallest <= _NEARLY_ONE else "1"
        return f"So little differs that p can hardly fall below {least}: the test shows nothing."
    if compared.interval is not None and compared.interval[0] * compared.interval[1] > 0:
        return "The interval leaves out 0, the test does not bear that out: take it for undecided."
    return "Chance alone could well give that: it does not tell them apart."


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


def pair_verdict(
    comparison: Comparison, compared: PairComparison, unit: str, metric: MetricEvaluation | None = None
) -> Text:
    """What the test of two systems says, with the p-value as it is without correction where that differs.

    Of a metric that was judged, also how often people agree with a difference of this size.
    """
    alone = ""
    if compared.p_value is not None and compared.corrected_p_value is not None:
        by_itself = p_phrase(compared.p_value)
        if by_itself != p_phrase(compared.corrected_p_value):
            alone = f" As the only comparison it would have {by_itself}."
    people = people_words(metric, compared.difference)
    said = verdict(
        "{}{}{}{}", pair_sentence(comparison, compared, unit=unit), alone, _wider(comparison, compared), people
    )
    said += people_note(metric, compared.difference)
    return said + note("{}", compared.remark) if compared.remark and comparison.is_tested else said


def selection_verdict(comparison: Comparison, sides: tuple[str, ...], unit: str = "BLEU") -> Text:
    """What the test of systems A and B says on a selection of segments."""
    if len(sides) == 1:
        return Text()
    first, second = sides
    return pair_verdict(comparison, comparison.pair(second, first), unit)


def clusters_verdict(comparison: Comparison) -> Text:
    """Into how many groups the systems fall."""
    pairs = [comparison.pair(*names) for names in comparison.pairs]
    significant, n_pairs = sum(map(comparison.is_significant, pairs)), len(pairs)
    if len(comparison.clusters) == 1:
        groups = "no line can be drawn between them"
    else:
        groups = f"they fall into {len(comparison.clusters)} clusters"
    if n_out_of_reach := sum(map(comparison.is_out_of_reach, pairs)):
        groups += f"; {numbers.count(n_out_of_reach)} could not be shown with so few draws"
    verb = "is" if significant == 1 else "are"
    return verdict(
        "Of {}, {} {} significant; {}.", numbers.counted(n_pairs, "pair"), numbers.count(significant), verb, groups
    )


def cluster_note(comparison: Comparison, other: str) -> Sentence:
    """Why systems share a system's cluster that are significantly apart from it; empty where none do."""
    cluster = next((names for names in comparison.clusters if other in names), ())
    against = comparison.against(other)
    apart = [name for name in cluster if name != other and comparison.is_significant(against[name])]
    if not apart:
        return Sentence()
    shares, are = ("shares", "is") if len(apart) == 1 else ("share", "are")
    return sentence(
        "{} {} the cluster of {} and yet {} significantly apart from it: a cluster ends only where every system "
        "above is significantly ahead of every one below, with p corrected for all {}. For one system against "
        "another, their own p counts.",
        listed(apart),
        shares,
        strong(other),
        are,
        numbers.counted(len(comparison.pairs), "pair"),
    )


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
    if not comparison.is_tested:
        resamples = numbers.counted(options.n_resamples, "resample")
        return f"95 % intervals by {resamples} over {_extent(comparison)}; seed {options.seed}; differences not tested"
    parts = [f"{_drawn(comparison)} over {_extent(comparison)}"]
    if of_family := _families(comparison, shown):
        correction = CORRECTION_LABELS[options.effective_correction]
        parts.append(
            f"p not corrected for {of_family}"
            if options.correction == "none"
            else f"p corrected for {of_family} ({correction})"
        )
    parts.append(f"significant below {options.level:g}".replace("0.", "."))
    parts.append(f"seed {options.seed}")
    return "; ".join(parts)


def _families(comparison: Comparison, shown: Collection[PairComparison]) -> str:
    """Among which comparisons the p-values are corrected; empty where each stands alone."""
    baseline, n_pairs = comparison.baseline, len(comparison.pairs)
    with_baseline = [one for one in shown if baseline in (one.name, one.other)]
    parts = []
    if with_baseline and len(comparison.names) > TWO:
        parts.append(f"{numbers.counted(len(comparison.names) - 1, 'comparison')} with the baseline {baseline}")
    if len(with_baseline) < len(shown) and n_pairs > 1:
        parts.append(f"all {numbers.counted(n_pairs, 'pair')}" + (" where it is not one of them" if parts else ""))
    return ", and ".join(parts)


def all_pairs_offer(baseline: str | None) -> str:
    """What the tests of all pairs add where, of very many, only those with one system are compared."""
    if baseline is None:
        return (
            "No p yet: without a baseline it is corrected for all pairs of systems. Choose a baseline, and the others "
            "are tested against it alone."
        )
    return f"Tested against the baseline {baseline} alone. Clusters, and p of other pairs, rest on the tests of all."


def warnings(comparison: Comparison, shown: Collection[PairComparison]) -> list[str]:
    """What casts doubt on the p-values of some pairs, in sentences."""
    if not comparison.is_tested:
        return [text for text in (comparison.warning, dependence_words(comparison)) if text]
    resolution = resolution_words(comparison.options, max((one.n_comparisons for one in shown), default=0))
    found = [text for text in (comparison.warning, dependence_words(comparison, shown), resolution) if text]
    found += [DOCUMENTS_AS_BLOCKS] if comparison.options.makes_blocks and comparison.drawn.unit == "document" else []
    return found + ([TOO_SMALL] if comparison.options.test == "sacrebleu-bs" else [])


def dependence_words(comparison: Comparison, shown: Collection[PairComparison] = ()) -> str:
    """That segments were taken for independent and are not, what that does, and a remedy; empty where it does little.

    Args:
        comparison: The tests.
        shown: Of which of them stars are counted.
    """
    found = comparison.dependence
    if found is None or not _understates(comparison):
        return ""
    wider = [f"{numbers.times(found.of_scores)} times as wide for scores"] if found.of_scores else []
    wider += [f"{numbers.times(found.of_differences)} times for differences"] if found.of_differences else []
    significant = [one for one in shown if comparison.is_significant(one)]
    lost = sum(not comparison.keeps_star(one) for one in significant) if comparison.options.n_draws else 0
    verb = "loses its star" if lost == 1 else "lose their star"
    stars = f"; {numbers.count(lost)} of {numbers.counted(len(significant), 'significant pair')} {verb}" if lost else ""
    if found.n_documents is None:
        return (
            f"Neighbouring segments resemble each other: in blocks of {numbers.count(found.n_neighbours or 0)}, "
            f"intervals are about {' and '.join(wider)}{stars}. Give the document of each segment to draw documents "
            "whole."
        )
    documents = numbers.counted(found.n_documents, "document")
    remedy = " Draw by document." if found.n_documents >= FEW_UNITS else ""
    return (
        f"Segments of a document resemble each other: with {documents} taken whole, intervals are about "
        f"{' and '.join(wider)}{stars}.{remedy}"
    )


def remarks(comparison: Comparison, compared: Sequence[PairComparison]) -> Text:
    """What to know beside p-values that are not significant, each remark once with the systems concerned."""
    by_remark: dict[str, list[str]] = {}
    for one in compared:
        if one.remark is not None and not comparison.is_significant(one):
            by_remark.setdefault(one.remark, []).append(f"{one.name} and {one.other}")
    return about_pairs(by_remark)


def power_sentence(comparison: Comparison, compared: PairComparison, *, unit: str = "BLEU") -> Sentence:
    """What the test set is able to show about two systems."""
    if compared.smallest_detectable is None:
        return sentence("Without variation between resamples nothing can be said about what the test set could detect.")
    drawn = comparison.options.unit
    detectable = sentence(
        "For {} and {}, this test set shows a true difference of {} {} or more in four of five cases; smaller ones "
        "are mostly missed.",
        strong(compared.name),
        strong(compared.other),
        numbers.score(compared.smallest_detectable),
        unit,
    )
    if compared.n_needed is None:
        return detectable
    size, n_units = numbers.score(abs(compared.difference)), numbers.count(comparison.n_units)
    needed = f"it takes {needed_words(compared.n_needed)} {drawn}s"
    return detectable + f" To show a difference of {size} as often, {needed}; there are {n_units}."


def needed_words(n_needed: int) -> str:
    """How many units it would take: an estimate from a few resamples has no more than two digits."""
    if n_needed < FEWEST_NEEDED:
        return f"fewer than {FEWEST_NEEDED}"
    return f"more than {numbers.count(MOST_NEEDED)}" if n_needed > MOST_NEEDED else f"about {numbers.about(n_needed)}"


def _understates(comparison: Comparison) -> bool:
    """Whether segments were drawn that clearly resemble each other."""
    return comparison.drawn.unit == "segment" and comparison.dependence is not None and comparison.dependence.matters


def _wider(comparison: Comparison, compared: PairComparison) -> str:
    """The same of one pair, a sentence behind its verdict; empty where its interval would hardly be wider."""
    factor = compared.design_factor
    if factor is None or factor < WORTH_SAYING or not _understates(comparison):
        return ""
    is_lost = comparison.options.n_draws and comparison.is_significant(compared) and not comparison.keeps_star(compared)
    lost = ", and the difference would not be significant" if is_lost else ""
    wide = f"about {numbers.times(factor)} times as wide{lost}"
    return f" Segments resemble each other here, which makes this interval too narrow: allowing for that, it is {wide}."


def p_phrase(p_value: float) -> str:
    """A p-value within a sentence, on one line: ``p = .012``, ``p < .001``."""
    text = numbers.p_value(p_value)
    sign, value = text.split() if text[0] in "<>" else ("=", text)
    return numbers.NO_BREAK.join(("p", sign, value))


def _details(compared: PairComparison) -> str:
    """The interval turned to the leading system, and p, in brackets; empty where there is neither."""
    parts = []
    if compared.interval is not None:
        low, high = compared.interval if compared.difference > 0 else [-end for end in compared.interval[::-1]]
        parts.append(f"95 % interval {numbers.interval(low, high)}")
    if compared.corrected_p_value is not None:
        parts.append(p_phrase(compared.corrected_p_value))
    return f" ({', '.join(parts)})" if parts else ""


def _drawn(comparison: Comparison) -> str:
    options, name = comparison.options, first_words(comparison.options.test)
    if options.n_draws is not None:
        return f"{name}, {numbers.count(options.n_draws)} {draws(options.test)}"
    n_blocks = comparison.n_units if options.unit == "document" else options.n_blocks_of(comparison.n_segments)
    return f"{name}, {numbers.counted(n_blocks, 'block')}"


def _extent(comparison: Comparison) -> str:
    segments = numbers.counted(comparison.n_segments, "segment")
    if comparison.n_documents is None:
        return segments
    documents = numbers.counted(comparison.n_documents, "document")
    if comparison.options.unit == "document":
        return f"{documents} taken whole ({segments})"
    return f"{segments} in {documents}"


def about_pairs(by_remark: Mapping[str, Sequence[str]]) -> Text:
    """Each remark once, behind the first of the pairs of systems concerned."""
    return Text(tuple(note("{}: {}", isolated(shortened(pairs)), remark) for remark, pairs in by_remark.items()))


def shortened(items: Sequence[str], separator: str = "; ") -> str:
    """The first of many names, and how many more there are."""
    rest = f" and {len(items) - MAX_NAMED} more" if len(items) > MAX_NAMED else ""
    return separator.join(items[:MAX_NAMED]) + rest
