"""Answers of the page Trust, one line each."""

from bleucore.significance import Comparison, PairComparison
from bleucore.significance.verdict import Verdict
from bleuscope.content.significance.verdict_words import verdict_sentence
from bleuscope.content.style import numbers
from bleuscope.content.style.sentences import Sentence, Text, note, paragraph, sentence


def line(answer: Sentence | None, about: str) -> Text:
    """An answer next to its question, or what its page finds out."""
    return note("{}", about) if answer is None else paragraph("bs-answer-line", "{}", answer)


def pair_answer(found: Verdict) -> Sentence:
    """Whether A and B differ significantly."""
    return verdict_sentence(found)


def pairs_answer(comparison: Comparison) -> Sentence:
    """How many pairs differ significantly, and how many clusters they form."""
    pairs = [comparison.pair(*names) for names in comparison.pairs]
    significant = sum(map(comparison.is_significant, pairs))
    verb = "differs" if significant == 1 else "differ"
    told = f"{numbers.count(significant)} of {numbers.counted(len(pairs), 'pair')} {verb} significantly."
    if len(comparison.clusters) > 1:
        told += f" The systems form {numbers.count(len(comparison.clusters))} clusters."
    return sentence(told)


def power_answer(compared: PairComparison, metric: str) -> Sentence:
    """The smallest difference that a test would find in four of five cases."""
    if compared.smallest_detectable is None:
        return sentence("It cannot show any difference between A and B.")
    detectable = numbers.score(compared.smallest_detectable)
    return sentence(f"It shows differences of at least {detectable} {{}} between A and B.", metric)
