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
    "Δ": ("BLEU minus the baseline's, or the best system's if no baseline is chosen. Positive: better."),
    "1": "1-gram precision in %: words of the output that also occur in a reference.",
    "2": ("2-gram precision in %: sequences of 2 words of the output that also occur in a reference."),
    "3": ("3-gram precision in %: sequences of 3 words of the output that also occur in a reference."),
    "4": ("4-gram precision in %: sequences of 4 words of the output that also occur in a reference."),
    "BP": (
        "Brevity penalty, 0 to 1: the score is multiplied by it. Below 1: the output is shorter than the references."
    ),
    "hypothesis": "Tokens of the output (the hypothesis).",
    "reference": "Tokens of the references, for each segment the one closest in length.",
    "ratio": "Hypothesis length divided by reference length. Below 1: shorter than the references.",
    "variance": "Variance of the block scores (n − 1 in the denominator).",
    "t": "Mean difference between paired blocks, divided by its standard error.",
    "p": "Probability of a t at least this far from 0 by chance (two-sided). Small: significant.",
    "score interval": (
        "95 % interval of the score, from resampling whole units: how far it depends on the choice of segments."
    ),
    "interval of Δ": (
        "95 % interval of the difference. With max-T and Holm, it is simultaneous for all "
        "comparisons that p is corrected for."
    ),
    "p of Δ": (
        "Probability of a difference from the baseline at least this large by chance, corrected for "
        "the number of comparisons. * marks significance, which is not yet proof of better "
        "translations."
    ),
    "p corrected": (
        "Probability of a difference at least this large by chance, corrected for the number of "
        "comparisons. * marks significance, which is not yet proof of better translations."
    ),
    "cluster": (
        "Systems in one cluster are significantly better than every system in the clusters below (p "
        "corrected for all pairs)."
    ),
    "ranks": "The ranks a system can have, given the significant differences.",
    "Δ of two": "Score of the system minus the score of the baseline.",
    "raters agree": (
        "Raters agreed with this many of 100 differences of this size in recent WMT campaigns. Empty "
        "unless both systems are versions of one translation system, scored with the usual settings "
        "and one reference."
    ),
    "detectable": "The smallest true difference that this test set detects with 80 % power.",
    "needed": "The size of test set that detects the present difference with 80 % power.",
    "pairs_agree": ("Pairs of systems that the metric orders as the raters do. A tie agrees only with a tie."),
    "spa": "Soft pairwise accuracy: 1 if metric and raters are equally confident about every pair.",
    "spa_sentence_mean": "The same for the mean segment score, as mt-metrics-eval computes it.",
    "pearson": "Linear correlation between the metric and the raters over systems, −1 to 1.",
    "interval of r": "95 % interval of Pearson's r (Fisher transformation). It is wide with few systems.",
    "interval of accuracy": "95 % interval, from a jackknife over blocks of neighbouring segments.",
    "williams_p": (
        "Williams' test, one-sided: probability that Pearson's r exceeds the first metric's by this "
        "much by chance. Small: this metric agrees better."
    ),
    "pearson_without_outliers": (
        "The same without outliers: systems far from all others in the human ratings. One outlier "
        "can create a correlation."
    ),
    "spearman": "Correlation of ranks, −1 to 1.",
    "kendall": "Tau-b: concordant minus discordant pairs of systems, adjusted for ties, −1 to 1.",
    "segment_pearson": "Linear correlation over all judged segments of all systems.",
    "segment_kendall": "Tau-b over all judged segments of all systems.",
    "tied_accuracy": (
        "Share of output pairs per segment that the metric orders, or ties, as the raters do, "
        "averaged over segments. Scores within the best threshold count as tied."
    ),
    "tie_threshold": "Scores within this threshold count as tied. It maximises the accuracy.",
    "untied_accuracy": "The same share if only equal scores count as tied.",
    "pearson_within_segments": "Linear correlation over the systems within a segment, averaged over segments.",
    "pearson_of_differences": "Linear correlation between score differences of two systems in the same segment.",
    "tied_accuracy_chance": "The same share with the metric's scores permuted within each segment.",
    "metric rank": (
        "Rank by accuracy with ties. Metrics in a later rank are significantly worse (p < .05, "
        "permutation of segments)."
    ),
    "judged alone": "Outputs that no other rater judged, so nothing checks these ratings.",
    "spread": "Standard deviation of the rater's judgements.",
    "kendall of raters": (
        "Tau-b with the mean of the other raters, over outputs with several ratings. 1: same order, 0: no relation."
    ),
    "pairs of raters": "Pairs of outputs of one segment that the rater orders, or ties, as another rater does.",
    "individual": "The precision of this n-gram order alone, in %.",
    "cumulative": "BLEU with n-grams up to this order: brevity penalty × geometric mean of the precisions.",
}


IN_SENTENCES = {
    "BLEU": TERMS["BLEU"],
    "chrF2": METRICS[ChrfOptions].explanation(ChrfOptions()),
    "Δ": TERMS["Δ of two"],
    "95 % interval": TERMS["interval of Δ"],
    "p": "Probability of a difference at least this large by chance.",
    "segments": "The units of the test set that are scored, usually sentences.",
    "references": ("Translations assumed to be correct, usually by humans. Outputs are scored against them."),
    "n-grams": "Sequences of n words, including punctuation. 2-grams are pairs.",
    "precision": "Share of the output's 1- to 4-grams that also occur in a reference.",
    "brevity penalty": TERMS["BP"],
    "contribution to Δ": "How much a segment adds to the difference between the corpus scores.",
    "significant": "Unlikely by chance: p is below the significance level.",
    "clusters": TERMS["cluster"],
    "signature": (
        "All settings of the score in one line. Cite it with the score: the same settings give the same number."
    ),
    "Approximate randomisation": (
        "A test that exchanges the outputs of both systems at random, many times, to see which differences chance "
        "produces."
    ),
    "Exact randomisation": "A test that makes every possible exchange of whole units, so p is exact.",
    "trials": "The number of random exchanges.",
    "bootstrap": "Resamples test sets from this one to see how far the difference varies.",
    "resamples": "Test sets sampled at random from this one, with replacement.",
    "corrected": (
        "Among many comparisons, a few look large by chance. The correction makes each p larger to allow for that."
    ),
    "step-down max-T": "A correction that keeps the chance of even one false finding below α.",
    "Holm": "A correction that keeps the chance of even one false finding below α.",
    "Benjamini-Hochberg": "A correction that keeps the expected share of false findings below α.",
    "seed": "Start of the random numbers: the same seed gives the same results.",
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
