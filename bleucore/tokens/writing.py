"""How texts are written: in which language's script, and whether that puts blanks between words."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import regex

UNSPACED = (
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Bopomofo}\p{Yi}\p{Tibetan}\p{Javanese}\p{Balinese}"
    r"\p{Line_Break=Complex_Context}]"
)
"""A character of a script without blanks between words: East Asian ones, and those whose line breaks need a dictionary
(Thai, Lao, Khmer, Burmese and their neighbours; Unicode Standard Annex 14)."""

SINGLY = rf"{UNSPACED}|\p{{Hangul}}"
"""A character that says something by itself: Korean ones too, which are syllables."""

LEAST_SHARE = 0.3
"""Of a text in a script without blanks, from which it is taken to be written so. Chinese outputs full of English terms
have .6 and more, English texts that quote Chinese .1 and less."""

_MAX_SEGMENTS, _MAX_CHARACTERS = 2_000, 500
_LEAST_LEADING = 0.8
"""Of the characters without blanks, from which one language is taken to be that of all of them."""

_LEAST_KANA = 0.05
"""Of the East Asian characters of a segment, from which it is Japanese; Chinese texts have a stray "の"."""

_MANY_BLANKS = 0.2
"""Between such characters, for each of them: Thai has one in 25, Burmese in 10, and texts that a program has cut into
words one in 2 to 5."""

SEVERAL = "several scripts"
"""What stands in place of the name of a language where there is none for the whole text."""

CHINESE, JAPANESE, KOREAN = "Chinese", "Japanese", "Korean"
_BY_SCRIPT = {
    "Thai": r"\p{Thai}",
    "Lao": r"\p{Lao}",
    "Khmer": r"\p{Khmer}",
    "Burmese": r"\p{Myanmar}",
    "Tibetan": r"\p{Tibetan}",
    "Javanese": r"\p{Javanese}",
    "Balinese": r"\p{Balinese}",
    "Yi": r"\p{Yi}",
}
_KANA, _HAN, _HANGUL = r"[\p{Hiragana}\p{Katakana}]", r"\p{Han}", r"\p{Hangul}"
_UNLISTED = r"(?V1)[[\p{L}\p{M}]--[\p{Latin}\p{Greek}\p{Cyrillic}\p{Arabic}]]{24,}"
"""Letters of other scripts without a blank: only what has no blanks has so many of them."""

_WORDS = r"[\p{L}\p{M}\p{N}]+"
_BLANKS = rf"{UNSPACED}\s+(?={UNSPACED})"

NOT_SURELY_LATIN = re.compile(
    "[^\0-\u00b4\u00b6-\u02af\u1e00-\u1eff\u2000-\u206f\u20a0-\u20bf\u2122\u2190-\u2bff\U0001f300-\U0001faff]"
)
"""All but characters whose letters are Latin: where there is nothing else, no other script needs to be looked for."""


@dataclass(frozen=True)
class Writing:
    """The writing of texts that are not, or not only, written as words with blanks between them; or of Korean ones.

    Attributes:
        language: By its script: "Chinese", "Japanese", "Korean", "Thai" and so on, or ``SEVERAL``.
        share: Of the text, 0 to 1: characters of such scripts against the words of all others.
        has_blanks: Whether there are blanks between words all the same: in Korean, or put there by a program.
    """

    language: str
    share: float
    has_blanks: bool


def writing_of(columns: Sequence[Sequence[str | None]]) -> Writing | None:
    """How the texts are written; ``None`` where they are words with blanks between them, or hold no letters.

    At most 2,000 segments, evenly spaced, and the first 500 characters of each are looked at.

    Args:
        columns: Columns of S strings, ``None`` for what is missing; references, say.
    """
    texts = list(_looked_at(columns))
    if NOT_SURELY_LATIN.search("\n".join(texts)) is None:
        return None
    found = _Counts.of(texts)
    if found.share < LEAST_SHARE:
        is_unknown = 2 * found.n_long > found.n_letters
        return Writing(SEVERAL, 1.0, has_blanks=False) if is_unknown else None
    (language, n_leading), *_ = found.characters.most_common(1)
    if n_leading < _LEAST_LEADING * found.n_characters:
        language = SEVERAL
    has_blanks = language == KOREAN or found.n_blanks > _MANY_BLANKS * found.n_characters
    return Writing(language, found.share, has_blanks)


@dataclass(frozen=True)
class _Counts:
    """What texts are made of.

    Attributes:
        characters: Of scripts without blanks and of Korean, by the language of their segment.
        n_words: Runs of all other letters.
        n_letters: In these.
        n_long: In runs that are too long for words, of scripts that no list here has.
        n_blanks: Between two characters of the first kind.
    """

    characters: Counter[str]
    n_words: int
    n_letters: int
    n_long: int
    n_blanks: int

    @classmethod
    def of(cls, texts: Iterable[str]) -> "_Counts":
        characters, n_words, n_letters, n_long, n_blanks = Counter[str](), 0, 0, 0, 0
        for text in texts:
            unspaced = "".join(_compiled(SINGLY).findall(text))
            lengths = [
                len(word) for word in _compiled(_WORDS).findall(_compiled(SINGLY).sub(" ", text) if unspaced else text)
            ]
            n_words += len(lengths)
            n_letters += sum(lengths)
            n_long += sum(map(len, _compiled(_UNLISTED).findall(text)))
            if unspaced:
                characters[_language(unspaced)] += len(unspaced)
                n_blanks += len(_compiled(_BLANKS).findall(text))
        return cls(characters, n_words, n_letters, n_long, n_blanks)

    @property
    def n_characters(self) -> int:
        """Of all languages together."""
        return self.characters.total()

    @property
    def share(self) -> float:
        """Of the characters among characters and words, 0 to 1."""
        return self.n_characters / max(1, self.n_characters + self.n_words)


def _looked_at(columns: Sequence[Sequence[str | None]]) -> Iterator[str]:
    """The beginnings of some segments of all columns."""
    n_segments = max(map(len, columns), default=0)
    step = max(1, -(-n_segments // _MAX_SEGMENTS))
    return (text[:_MAX_CHARACTERS] for column in columns for text in column[::step] if text)


def _language(text: str) -> str:
    """The language of one segment's characters of scripts without blanks and of Korean."""
    n_kana, n_han, n_hangul = (len(_compiled(script).findall(text)) for script in (_KANA, _HAN, _HANGUL))
    if 2 * (n_kana + n_han + n_hangul) >= len(text):
        if n_hangul >= max(n_kana, n_han):
            return KOREAN
        return JAPANESE if n_kana >= _LEAST_KANA * (n_kana + n_han) else CHINESE
    counts = {name: len(_compiled(script).findall(text)) for name, script in _BY_SCRIPT.items()}
    name = max(counts, key=counts.__getitem__)
    return name if counts[name] else SEVERAL


@cache
def _compiled(pattern: str) -> "regex.Pattern[str]":
    import regex  # noqa: PLC0415  # with its patterns it takes longer than a score, and Latin texts need none

    return regex.compile(pattern)
