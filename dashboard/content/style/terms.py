"""One-line explanations of the field's terms, for whoever meets them here first."""

from bleucore import BleuOptions
from bleucore.metrics import METRICS

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
    "p": "How often chance alone would give a t at least this far from 0 (two-sided). Small: more than chance.",
    "score interval": "95 % bootstrap interval: other test sets of this kind and size would mostly give scores in it.",
    "interval of Δ": "95 % bootstrap interval of the difference. If 0 is outside, the difference is hardly chance.",
    "p of Δ": "How often chance alone would give a difference from the baseline at least this large, corrected for the "
    "number of comparisons. Small, marked with *: more than chance, which is not yet better.",
    "p corrected": "How often chance alone would give a difference at least this large, corrected for the number of "
    "comparisons. Small, marked with *: more than chance, which is not yet better.",
    "cluster": "Systems of one cluster are significantly ahead of all of the clusters below, with p corrected "
    "for all pairs.",
    "ranks": "The places that a system can have: 1 + the number of systems significantly ahead, down to those behind.",
    "Δ of two": "Score of the system minus the score of the one that it is compared with.",
    "people agree": "Of 100 differences of this size, how many people agree with (Kocmi et al. 2024); none where the "
    "size says no more than a coin, or for other settings or several references. Systems that are not kin: fewer.",
    "detectable": "The smallest true difference that a test set like this one shows in four of five cases.",
    "needed": "How much it would take to show the present difference in four of five cases.",
    "design factor": "How many times as wide intervals are with whole documents as units (blocks of neighbours, where "
    "documents are not known) as with segments. 1: segments of a document have nothing in common.",
    "individual": "The precision of this n-gram order alone, in %.",
    "cumulative": "BLEU with n-grams up to this order: brevity penalty × geometric mean of the precisions.",
}


def term(name: str) -> str:
    """The explanation of a term; n-gram orders beyond 4 are put together."""
    return TERMS.get(name) or f"{name}-gram precision in %: sequences of {name} words of the output in a reference."
