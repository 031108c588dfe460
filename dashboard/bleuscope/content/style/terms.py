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
    "system": "A translation system, model or person.",
    "BLEU": METRICS[BleuOptions].explanation(BleuOptions()),
    "Δ": ("BLEU minus the baseline's, or else the best system's."),
    "n-gram precision": "n-gram precision in %: the share of the output's n-grams that a reference also has.",
    "BP": ("Factor of the score, 0 to 1. Below 1: the output is shorter than the references."),
    "hypothesis": "Tokens of the output (the hypothesis).",
    "reference": "Tokens of the references, for each segment the one closest in length.",
    "ratio": "Output length divided by reference length.",
    "variance": "Variance of the block scores (n − 1 in the denominator).",
    "t": "Mean difference between paired blocks, divided by its standard error.",
    "p": "Two-sided: how often equal systems have a t at least this far from 0.",
    "score interval": ("How far the score depends on the choice of segments."),
    "interval of Δ": ("With max-T and Holm, all corrected intervals hold at once."),
    "p of Δ": (
        "How often equal systems differ at least this much, corrected for the number of comparisons. *: significant."
    ),
    "p corrected": (
        "How often equal systems differ at least this much, corrected for the number of comparisons. *: significant."
    ),
    "cluster": (
        "Systems of a cluster are significantly better than all in the clusters below (p corrected for all pairs)."
    ),
    "ranks": "The ranks a system can have, given the significant differences.",
    "Δ of two": "Its score minus the other system's. For A and B: B minus A.",
    "raters agree": (
        "Raters agreed with this many of 100 differences of this size in recent WMT campaigns. Only for "
        "versions of one translation system, with usual settings and one reference."
    ),
    "detectable": "The smallest true difference detected with 80 % power.",
    "needed": "To detect the observed difference with 80 % power.",
    "pairs_agree": ("Pairs in the same order for metric and raters. A tie agrees only with a tie."),
    "spa": "Soft pairwise accuracy: 1 if metric and raters are equally confident about every pair.",
    "spa_sentence_mean": "The same for the mean segment score, as mt-metrics-eval computes it.",
    "pearson": "Linear correlation over systems, −1 to 1.",
    "interval of r": "By the Fisher transformation. Wide with few systems.",
    "interval of accuracy": "From a jackknife over blocks of neighbouring segments.",
    "williams_p": ("Williams' test, one-sided, against the first metric. Small: this metric agrees better."),
    "pearson_without_outliers": (
        "Without systems whose judgements are far from all others. One outlier can create a correlation."
    ),
    "spearman": "Correlation of ranks, −1 to 1.",
    "kendall": "Tau-b over pairs of systems, adjusted for ties, −1 to 1.",
    "segment_pearson": "Linear correlation over all judged segments of all systems.",
    "segment_kendall": "Tau-b over all judged segments of all systems.",
    "tied_accuracy": (
        "How often metric and raters order, or tie, two outputs of a segment alike, with the best threshold."
    ),
    "tie_threshold": "The threshold with the highest accuracy.",
    "untied_accuracy": "The same if only equal scores count as tied.",
    "pearson_within_segments": "Within each segment, averaged over segments.",
    "pearson_of_differences": "Of score differences between two systems in the same segment.",
    "tied_accuracy_chance": "The same with the metric's scores permuted within each segment.",
    "metric rank": (
        "By accuracy with ties. Metrics of a later rank are significantly worse (p < .05, permutation of segments)."
    ),
    "judged alone": "Outputs that no other rater judged.",
    "spread": "Standard deviation of the rater's judgements.",
    "kendall of raters": ("Tau-b with the mean of the other raters of the same outputs. 0: no relation."),
    "pairs of raters": "Pairs of outputs of a segment that another rater orders alike.",
    "individual": "The precision of this n-gram order alone, in %.",
    "cumulative": "BLEU with n-grams up to this order.",
}


IN_SENTENCES = {
    "BLEU": TERMS["BLEU"],
    "chrF2": METRICS[ChrfOptions].explanation(ChrfOptions()),
    "Δ": TERMS["Δ of two"],
    "95 % interval": TERMS["interval of Δ"],
    "p": "How often equal systems differ at least this much.",
    "segments": "The units of the test set that are scored, usually sentences.",
    "references": ("Translations assumed to be correct, usually by humans."),
    "n-grams": "Sequences of n words, including punctuation. 2-grams are pairs.",
    "precision": "Share of the output's 1- to 4-grams that also occur in a reference.",
    "brevity penalty": TERMS["BP"],
    "contribution to Δ": "What a segment adds to the difference between the corpus scores.",
    "significant": "Unlikely by chance: p is below the significance level.",
    "clusters": TERMS["cluster"],
    "signature": ("All settings in one line."),
    "Approximate randomisation": (
        "Exchanges the outputs of both systems at random to see which differences chance produces."
    ),
    "Exact randomisation": "Makes every possible exchange of whole units, so p is exact.",
    "trials": "The number of random exchanges.",
    "bootstrap": "Resamples the test set to see how far the difference varies.",
    "resamples": "Test sets sampled at random from this one, with replacement.",
    "corrected": ("Larger p, because among many comparisons some differences look large by chance."),
    "step-down max-T": "A correction that keeps the chance of even one false finding below α.",
    "Holm": "A correction that keeps the chance of even one false finding below α.",
    "Benjamini-Hochberg": "A correction that keeps the expected share of false findings below α.",
    "seed": "The same seed gives the same numbers.",
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
    """The explanation of a term; every n-gram order has the same."""
    return TERMS.get(name, TERMS["n-gram precision"])


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
