"""Which kind of error each unmatched token is: case, punctuation, number, repeat, word order, name, other form, other.

A token of an output that BLEU does not credit has exactly one kind, by the first rule that fits; it takes a token of
the reference along where it stands for that one. Reference tokens that nothing stands for are missing. Kinds divide
what an n-gram costs that no reference has, so each of these n-grams is charged to the tokens that break it, and to
the *joints* between two matched tokens that do not follow each other in the reference: words are in another order
there, or something is missing between them.
"""

import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

CASE, PUNCTUATION, NUMBER, REPEAT, ORDER, NAME, OTHER_FORM, OTHER_WORD, MISSING, LENGTH = range(10)
KINDS: Final = (
    "case",
    "punctuation",
    "number",
    "repeat",
    "word order",
    "name",
    "other form",
    "other word",
    "missing",
    "length",
)
"""What kinds are called, in the order in which the rules are tried; ``LENGTH`` is of no token."""
N_KINDS: Final = len(KINDS)
NO_KIND: Final = -1
SHORTEST_STEM, STEM_SHARE = 3, 0.5
"""Two words are forms of one where they begin alike: in so many letters, and this share of the longer one. Four letters
and 60 % miss a quarter of Czech and half of German forms; these find two in a thousand more words by chance."""
SHORTEST_BORROWED: Final = 4
"""Letters of a word of the source that is a name without a capital."""
MANY_CAPITALS: Final = 0.25
"""Where more of the words inside sentences begin with a capital, as nouns do in German, a capital tells no name."""
SENTENCE_ENDS: Final = frozenset(".!?:…。！？\"'“”„«»()[]–—-")
_UNSPACED = (("\u0e00", "\u0eff"), ("\u1000", "\u109f"), ("\u1780", "\u17ff"), ("\u3040", "\u9fff"))
"""Thai and Lao; Burmese; Khmer; Kana and Han."""
LONGEST_PAIRED = 1_000
"""Tokens: in a longer text none stands for one of the reference, which would take quadratic time."""
MOST_FACTS = 1 << 17
"""Tokens whose facts are saved."""


@dataclass(frozen=True)
class TokenFacts:
    """What a token is, by its characters alone.

    Attributes:
        is_punctuation: It has neither a letter nor a digit.
        has_digit: It has a digit.
        is_capitalised: It begins with a capital.
        is_word: It begins with a letter.
        folded: Without case.
        is_spaced: It is of a script that puts spaces between words.
    """

    is_punctuation: bool
    has_digit: bool
    is_capitalised: bool
    is_word: bool
    folded: str
    is_spaced: bool


@lru_cache(MOST_FACTS)
def facts_of(token: str) -> TokenFacts:
    """What a token is."""
    has_digit = any(map(str.isdigit, token)) or any(unicodedata.category(one)[0] == "N" for one in token)
    return TokenFacts(
        is_punctuation=not has_digit and not any(unicodedata.category(one)[0] in "LM" for one in token),
        has_digit=has_digit,
        is_capitalised=token[:1].isupper() or token[:1].istitle(),
        is_word=token[:1].isalpha(),
        folded=token.casefold(),
        is_spaced=not any(_is_unspaced(one) for one in token),
    )


def _is_unspaced(character: str) -> bool:
    """Whether it is of a script without spaces between words: Han, Kana, Thai, Lao, Khmer, Burmese."""
    return any(first <= character <= last for first, last in _UNSPACED)


@dataclass(frozen=True)
class SegmentKinds:
    """What is wrong with one output.

    Attributes:
        tokens: The kind of each of its tokens; ``NO_KIND`` where nothing is.
        joints: Between each token and the next: what breaks there that no token does, else ``NO_KIND``.
        missing: The places of reference tokens that nothing stands for.
        missing_kinds: What it is to leave each of these out.
    """

    tokens: list[int]
    joints: list[int]
    missing: list[int]
    missing_kinds: list[int]


def are_forms(first: str, second: str) -> bool:
    """Whether two words begin alike, or share a character where scripts put no spaces between words."""
    one, other = facts_of(first), facts_of(second)
    if one.folded[:1] != other.folded[:1] and (one.is_spaced or other.is_spaced):
        return False
    if not (one.is_word and other.is_word):
        return False
    if not one.is_spaced and not other.is_spaced:
        return not set(first).isdisjoint(second)
    n_shared = next(
        (place for place, (left, right) in enumerate(zip(one.folded, other.folded, strict=False)) if left != right),
        min(len(one.folded), len(other.folded)),
    )
    return n_shared >= SHORTEST_STEM and n_shared >= STEM_SHARE * max(len(one.folded), len(other.folded))
