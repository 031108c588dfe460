"""A lost last sentence, and a line written twice, where texts share words by chance."""

import random

from bleucore.checks import CHECKS
from bleucore.checks.compared_texts import Columns
from bleucore.corpus import System, TestSet

N = 60
WORDS = ["".join(random.Random(number).choices("abdefgiklmnoprstu", k=6)) for number in range(2000)]
ONES = ["the", "a", "our", "this", "that", "of", "in", "to", "is", "was"]


def flagged(name, systems, reference):
    """System and segments of each finding."""
    test_set = TestSet([System(str(number), texts) for number, texts in enumerate(systems)], [reference])
    observations = CHECKS[name].observe(Columns.of(test_set))
    return {one.column.index: one.segments.nonzero()[0].tolist() for one in observations if one.column.kind == "system"}


def sentence(rng, n_pairs):
    return [word for _ in range(n_pairs) for word in (rng.choice(ONES), rng.choice(WORDS))]


def paragraph(number, translator, share=0.25):
    """Four sentences with a share of other words for each translator."""
    rng, own = random.Random(number), random.Random(f"{translator}-{number}")
    sentences = [sentence(rng, rng.randint(4, 8)) for _ in range(4)]
    kept = [[own.choice(WORDS) if len(w) > 4 and own.random() < share else w for w in words] for words in sentences]
    return ". ".join(" ".join(words).capitalize() for words in kept) + "."


PARAGRAPHS = [[paragraph(number, translator) for number in range(N)] for translator in "abcd"]
REFERENCE = [paragraph(number, "r") for number in range(N)]


def test_a_lost_last_sentence_of_a_paragraph_is_found_where_the_reference_joins_sentences_too():
    first, *others = PARAGRAPHS
    cut = [text.rsplit(". ", 1)[0] + "." if number in (30, 44) else text for number, text in enumerate(first)]
    joined = [text.replace(". ", ", ", 1) if number == 30 else text for number, text in enumerate(REFERENCE)]
    assert flagged("truncated-outputs", [cut, *others], joined) == {0: [30, 44]}


def test_a_paragraph_that_joins_or_splits_sentences_lacks_none():
    first, *others = PARAGRAPHS
    joined = [text.replace(". ", ", and ", 1 + number % 2) for number, text in enumerate(first)]
    assert flagged("truncated-outputs", [joined, *others], REFERENCE) == {}


def test_a_short_line_written_twice_is_found_though_it_shares_words_with_its_place():
    reference = [" ".join(sentence(random.Random(number), 3)).capitalize() + "." for number in range(N)]
    reference[21] = " ".join(reference[20].split()[:2] + reference[21].split()[2:])
    other = [" ".join([*text.split()[:-1], WORDS[number]]) + "." for number, text in enumerate(reference)]
    struck = [*reference[:21], reference[20], *reference[22:]]
    assert flagged("duplicated-lines", [other, struck], other) == {1: [21]}
    assert flagged("duplicated-lines", [other, reference], other) == {}
