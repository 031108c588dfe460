"""One-line explanations of the field's terms, for whoever meets them here first."""

import re
from collections.abc import Iterator
from dataclasses import replace

from markupsafe import escape

from bleucore import BleuOptions
from bleucore.metrics import METRICS
from bleucore.metrics.chrf import ChrfOptions
from bleuscope.content.style.sentences import Paragraph, Piece, Sentence, Text, Written, explained

TERMS = {
    "system": "What produced the text: a translation system, a model, a person.",
    "BLEU": METRICS[BleuOptions].explanation(BleuOptions()),
    "Δ": "BLEU minus that of the baseline, or of the best system where no baseline is chosen. Positive: ahead of it.",
    "1": "Unigram precision in %: words that stand in a reference, repeats only as often as there.",
    "2": "Bigram precision in %: sequences of 2 words of the output that stand in a reference.",
    "3": "Trigram precision in %: sequences of 3 words of the output that stand in a reference.",
    "4": "4-gram precision in %: sequences of 4 words of the output that stand in a reference.",
    "BP": "Brevity penalty, 0 to 1: 1 if the output is as long as the references, smaller if it is shorter.",
    "hypothesis": "Tokens of the output (the hypothesis).",
    "reference": "Tokens of the references, for each segment the one closest in length.",
    "ratio": "Hypothesis length divided by reference length. Below 1: shorter than the references.",
    "variance": "How much the block scores vary (divided by the number of blocks minus 1).",
    "t": "Mean of the paired block differences divided by its standard error. Far from 0: hard to explain by chance.",
    "p": "How often chance alone would give a t at least this far from 0 (two-sided). Small: significant.",
    "score interval": "95 % interval of the score, with whole units of the test set resampled: how far it depends on "
    "the choice of segments.",
    "interval of Δ": "95 % interval of the difference. With max-T and Holm it is simultaneous for the comparisons that "
    "p is corrected for.",
    "p of Δ": "How often chance alone would give a difference from the baseline at least this large, corrected for the "
    "number of comparisons. Small, marked with *: significant, which is not yet better.",
    "p corrected": "How often chance alone would give a difference at least this large, corrected for the number of "
    "comparisons. Small, marked with *: significant, which is not yet better.",
    "cluster": "Systems of one cluster are significantly better than all of the clusters below, with p corrected "
    "for all pairs.",
    "ranks": "The places that a system can have, given which systems are significantly better or worse.",
    "Δ of two": "Score of the system minus the score of the baseline.",
    "raters agree": "Of 100 differences of this size, how many raters agreed with in later campaigns of WMT: a range. "
    "Empty unless both systems are versions of one that translates, scored with usual settings and one reference.",
    "detectable": "The smallest true difference that a test set like this one shows in four of five cases.",
    "needed": "How much it would take to show the present difference in four of five cases.",
    "pairs_agree": "Pairs of systems that the metric orders as people do; a tie agrees with a tie alone.",
    "spa": "Soft pairwise accuracy of the reported number: 1 if the metric is as sure of each pair as people are.",
    "spa_sentence_mean": "The same of the mean segment score, as mt-metrics-eval computes it.",
    "pearson": "Linear correlation of systems' scores with people's, -1 to 1.",
    "interval of r": "95 % interval of Pearson's r by Fisher's transformation: with few systems it is wide.",
    "interval of accuracy": "95 % interval, from leaving out blocks of neighbouring segments one by one.",
    "williams_p": "Williams' test, one-sided: how often chance alone would put this Pearson's r so far above that of "
    "the first metric. Small: it agrees better.",
    "pearson_without_outliers": "The same without systems that people place far from all others: one of these alone "
    "can make a correlation.",
    "spearman": "Correlation of the ranks, -1 to 1.",
    "kendall": "Tau-b: concordant less discordant pairs of systems, ties allowed for, -1 to 1.",
    "segment_pearson": "Linear correlation over all judged segments of all systems.",
    "segment_kendall": "Tau-b over all judged segments of all systems.",
    "tied_accuracy": "Share of pairs of outputs of a segment that the metric orders, or ties, as people do, scores "
    "tied up to the best threshold; the mean over segments.",
    "tie_threshold": "Scores of the metric no further apart than this count as tied: what gives the best accuracy.",
    "untied_accuracy": "The same share if only equal scores are tied.",
    "pearson_within_segments": "Linear correlation over the systems of a segment; the mean over segments.",
    "pearson_of_differences": "Linear correlation of differences of two systems in one segment, over all of them.",
    "tied_accuracy_chance": "The same share if the metric's scores are exchanged at random within each segment.",
    "metric rank": "By the accuracy with ties; a metric of a later rank is significantly worse than one of the rank "
    "before (p < .05, segments exchanged at random).",
    "judged alone": "Outputs that no other rater judged: nothing checks what is said of them.",
    "spread": "Standard deviation: how widely the rater's judgements vary.",
    "kendall of raters": "Tau-b with the mean of the other raters, over outputs that others judged too: 1 for the same "
    "order, 0 for none.",
    "pairs of raters": "Pairs of outputs of one segment that the rater orders, or ties, as another rater does.",
    "individual": "The precision of this n-gram order alone, in %.",
    "cumulative": "BLEU with n-grams up to this order: brevity penalty × geometric mean of the precisions.",
}


IN_SENTENCES = {
    "BLEU": TERMS["BLEU"],
    "chrF2": METRICS[ChrfOptions].explanation(ChrfOptions()),
    "Δ": TERMS["Δ of two"],
    "95 % interval": TERMS["interval of Δ"],
    "p": "How often chance alone would give a difference at least this large.",
    "segments": "The pieces of the test set that are scored one by one, mostly a sentence each.",
    "references": "Translations that count as right, mostly by human translators. Outputs are scored against them.",
    "n-grams": "Sequences of n words in a row, signs of punctuation included: 2-grams are pairs.",
    "precision": "The share of the words, pairs, threes and fours of the output that stand in a reference too.",
    "brevity penalty": TERMS["BP"],
    "contribution to Δ": "What a segment adds to the difference of the scores of the whole test set.",
    "significant": "Chance alone would seldom give as much: p is below the chosen significance level.",
    "clusters": TERMS["cluster"],
    "signature": "All settings of the score in short, to cite with it: the same settings give the same number.",
    "Approximate randomisation": "A test: outputs of the two are exchanged at random, again and again, to see which "
    "differences chance gives.",
    "Exact randomisation": "A test: it makes every possible exchange of whole units, so its p is exact.",
    "trials": "How often outputs were exchanged at random.",
    "bootstrap": "Test sets are resampled from this one, to see how far the difference varies.",
    "resamples": "Test sets that were drawn at random from this one.",
    "corrected": "Of many comparisons a few look large by chance: to allow for that, each p is made larger.",
    "step-down max-T": "A correction: that even one star is wrong is no more likely than the level says.",
    "Holm": "A correction: that even one star is wrong is no more likely than the level says.",
    "Benjamini-Hochberg": "A correction: of all stars no larger share is wrong than the level says.",
    "seed": "Where random numbers begin: the same seed gives the same results.",
}
"""The same for terms as they stand in sentences."""
OF_RESULTS = ("BLEU", "95 % interval", "p", "chrF2")
OF_METHODS = (
    *("Approximate randomisation", "Exact randomisation", "trials", "bootstrap", "resamples"),
    *("corrected", "step-down max-T", "Holm", "Benjamini-Hochberg", "seed"),
)
"""What stands in the sentences that say who is ahead, and in those that say how that was tested."""
FORMS = {
    "n-grams": r"[n\d]-grams",
    "segments": "segments?",
    "references": "references?",
    "95 % interval": "95 % (?:interval|CI)",
}
"""Of a term, where it has more than one: 3-grams, 1 segment."""


def term(name: str) -> str:
    """The explanation of a term; n-gram orders beyond 4 are put together."""
    return TERMS.get(name) or f"{name}-gram precision in %: sequences of {name} words of the output in a reference."


def explaining(said: Text, *names: str) -> Text:
    """The same text with each of these terms of ``IN_SENTENCES`` explained where it first stands.

    Names of systems stay as they are, even where one is called as a term is.
    """
    return _explained_text(said, list(names))


def pattern_of(name: str) -> re.Pattern[str]:
    """How a term stands in a sentence."""
    return re.compile(rf"(?<![\w-]){FORMS.get(name, re.escape(name))}(?![\w-])")


def _explained_text(said: Text, missing: list[str]) -> Text:
    return replace(said, parts=tuple(_explained_part(part, missing) for part in said.parts))


def _explained_part(part: Written, missing: list[str]) -> Written:
    if isinstance(part, Text):
        return _explained_text(part, missing)
    if not isinstance(part, Paragraph):
        return part
    pieces = [new for piece in part.sentence.pieces for new in _split(piece, missing)]
    return replace(part, sentence=Sentence(tuple(pieces)))


def _split(piece: Piece, missing: list[str]) -> Iterator[Piece]:
    """A piece of plain words, parted at the terms that were not explained before."""
    found = [
        (match, name)
        for name in missing
        if piece.html == escape(piece.text) and (match := pattern_of(name).search(piece.text))
    ]
    if not found:
        yield piece
        return
    match, name = min(found, key=lambda one: one[0].start())
    missing.remove(name)
    before, after = piece.text[: match.start()], piece.text[match.end() :]
    yield from [Piece(before, escape(before))] if before else []
    yield from explained(match.group(), IN_SENTENCES[name]).pieces
    yield from _split(Piece(after, escape(after)), missing) if after else []
