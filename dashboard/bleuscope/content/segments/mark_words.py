"""The marks of an output in words: how much of it matches, and which words are repeated, missed or different."""

from collections import Counter
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from difflib import SequenceMatcher

from bleucore.analysis.matches import SegmentMatches, TokenMatch
from bleuscope.content.style import numbers
from bleuscope.content.style.sentences import Sentence, isolated, joined, sentence

MAX_NAMED_WORDS = 8
"""So many words of a kind are named; the others are counted."""
MAX_COMPARED_TOKENS = 1_500
"""Longer texts are not compared word for word with another: that takes quadratic time."""

Reference = tuple[str, str, SegmentMatches]
"""Name, text and tokens of a reference."""


def marks_in_words(
    text: str,
    tokens: Sequence[TokenMatch],
    references: Sequence[Reference],
    differing: AbstractSet[int],
    layers: AbstractSet[str],
) -> Sentence:
    """What the layers mark in an output, in a sentence: "21 of 23 words match, longest 9; missed: drawn, up".

    Args:
        text: The output as written.
        tokens: Of the output.
        references: That the segment has. Words are missed of the one that most words are shared with.
        differing: The places of tokens that the other output does not have.
        layers: What is marked.
    """
    said = [_matching(tokens, references)] if "matches" in layers and tokens else []
    if "clipped" in layers:
        said += _named("repeated", [_written(text, token) for token in tokens if token.clipped])
    if "missed" in layers and references:
        said += _missed(tokens, references)
    said += _named("differ", [_written(text, token) for place, token in enumerate(tokens) if place in differing])
    return joined("; ", said)


def _matching(tokens: Sequence[TokenMatch], references: Sequence[Reference]) -> Sentence:
    n_matching = sum(token.order > 0 for token in tokens)
    words = f"{numbers.count(n_matching)} of {numbers.counted(len(tokens), 'word')}"
    words += " matches" if n_matching == 1 else " match"
    longest = max((_longest_shared(tokens, found.tokens) for _, _, found in references), default=0)
    return sentence(words + (f", longest {numbers.count(longest)}" if longest > 1 else ""))


def _longest_shared(tokens: Sequence[TokenMatch], others: Sequence[TokenMatch]) -> int:
    """How many tokens in a row both have; 0 where they are too long to be compared."""
    if max(len(tokens), len(others)) > MAX_COMPARED_TOKENS:
        return 0
    first, second = ([token.token for token in side] for side in (tokens, others))
    return SequenceMatcher(None, first, second, autojunk=False).find_longest_match().size


def _missed(tokens: Sequence[TokenMatch], references: Sequence[Reference]) -> list[Sentence]:
    """The words that the nearest reference has beyond those of the output."""
    lacking = [(_lacking(text, found.tokens, tokens), found, name) for name, text, found in references]
    words, _, name = max(lacking, key=lambda one: len(one[1].tokens) - len(one[0]))
    return _named("missed" if len(references) == 1 else sentence("missed from {}", isolated(name)), words)


def _lacking(text: str, tokens: Sequence[TokenMatch], others: Sequence[TokenMatch]) -> list[str]:
    """The words of a text that another one does not have, or not as often."""
    left, lacking = Counter(token.token for token in others), list[str]()
    for token in tokens:
        if left[token.token]:
            left[token.token] -= 1
        else:
            lacking.append(_written(text, token))
    return lacking


def _written(text: str, token: TokenMatch) -> str:
    return text[slice(*token.span)]


def _named(what: str | Sentence, words: Sequence[str]) -> list[Sentence]:
    """The words, each once, without signs of punctuation; nothing where there are none."""
    different = list(dict.fromkeys(word for word in words if any(map(str.isalnum, word))))
    if not different:
        return []
    shown = [isolated(word) for word in different[:MAX_NAMED_WORDS]]
    n_more = len(different) - len(shown)
    shown += [sentence(f"{numbers.count(n_more)} more")] if n_more else []
    return [sentence("{}: {}", what, joined(", ", shown))]
