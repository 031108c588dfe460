"""What people read: none of the words that we do not use, and no sentence too long to be read in one go."""

import re
from collections.abc import Iterable

from tests.page_texts import sentences, words

MOST_WORDS = 25
OTHER_WORDS = {
    r"(?:is|are|was|were) (?:ahead|behind|level)\b": "wins, loses, ties",
    r"ahead (?:first|of|here|in)\b": "better",
    r"parts? (?:in Δ|at least|at most)|the part in|parts of the segments|added up": "contribution to Δ",
    r"(?:told|tell|tells) (?:\w+ )?apart|chance alone": "significantly different, no significant difference",
    r"turn(?:ed|s)? (?:\w+ )?round": "reverse",
    r"(?:hangs?|rests?) on": "depends on",
    r"beside|in place of": "next to, with, instead of",
    r"mend(?:ed|s|ing)?": "fix",
    r"checks of the texts found": "in the texts",
    r"so many|as many as": "the number, up to",
    r"(?:for|of) who\b|who has": "people who, anyone with",
    r"what (?:is|was) read": "supported formats, loaded files",
    r"(?:is|are|was|were|each) drawn": "resampled, sampled",
    r"judgements of people|(?:as|than) people|people (?:judged|agree|are|do|did|marked)": "raters, human judges",
    r"a little|hardly|nearly": "a number, or nothing",
    r"than chance": "significant",
    r"compared with": "baseline",
    r"what is kept|(?:is|are|be) kept|kept (?:from|as)": "saved",
    r"copy or save": "export",
    r"further": "more",
    r"tests of differences": "significance tests",
    r"questions over|ask of": "conditions, filters",
    r"(?-i:Validity)": "human judgements",  # in small letters it is a word of commands and addresses
    r"level of (?:a test|significance)": "significance level",
    r"nothing to choose|stands? as now|people are (?:not )?sure": "see the table in the guide of contributors",
}
"""What we do not say, as patterns of whole words, and what we say instead."""
NO_SENTENCES = re.compile(r"nrefs:|^Longest match with a reference: 1 word|^\d+ of \d+ words? match")
"""Signatures, the legend of marks and the list of marked words are rows of items, however long."""


def faults_of(texts: Iterable[str]) -> list[str]:
    """What is wrong with what people read."""
    return [fault for text in texts for fault in _faults_of(text)]


def _faults_of(text: str) -> list[str]:
    found = [f"“{pattern}”: {better}" for pattern, better in OTHER_WORDS.items() if matches(pattern, text)]
    long = [one for one in sentences(text) if len(words(one)) > MOST_WORDS and not NO_SENTENCES.search(one)]
    return [*(f"{one} in: {text}" for one in found), *(f"{len(words(one))} words: {one}" for one in long)]


def matches(pattern: str, text: str) -> re.Match[str] | None:
    """Where a pattern stands in a text as whole words."""
    return re.search(rf"(?<![\w-])(?:{pattern})(?![\w-])", text, re.IGNORECASE)
