"""Which tokenizer texts need, by how they are written, and which tokenizers do not cut them into words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import invalidate_caches
from types import MappingProxyType
from typing import TypeAlias

from bleucore.errors import InputError
from bleucore.installing import how_to_add
from bleucore.options import EXTERNAL_TOKENIZER_NAMES, BleuOptions, ExternalTokenizerName, TokenizerName
from bleucore.tokens.external_tokenizers import EXTERNAL_TOKENIZERS, Requirements, external_tokenizer
from bleucore.tokens.writing import CHINESE, JAPANESE, KOREAN, Writing, writing_of

AnyTokenizerName: TypeAlias = TokenizerName | ExternalTokenizerName

TOKENIZERS_OF_LANGUAGES: Mapping[str, AnyTokenizerName] = MappingProxyType(
    {CHINESE: "zh", JAPANESE: "ja-mecab", KOREAN: "ko-mecab"}
)
"""sacreBLEU's own tokenizers of a language; for all others that put no blanks between words it has ``char``."""
_LANGUAGES_OF_CODES: Mapping[str, str] = MappingProxyType({"zh": CHINESE, "ja": JAPANESE, "ko": KOREAN})
CUT_AT_BLANKS: frozenset[AnyTokenizerName] = frozenset({"13a", "intl", "none", "ibleu", "ascii-space"})
"""Tokenizers that find words between blanks and punctuation."""
WITHOUT_WORDS: AnyTokenizerName = "char"


@dataclass(frozen=True)
class TokenizerProposal:
    """The tokenizer to score texts with.

    Attributes:
        writing: How the texts are written.
        suitable: The tokenizer that they need.
        tokenizer: That one if what it needs is installed here, else ``char``.
    """

    writing: Writing
    suitable: AnyTokenizerName
    tokenizer: AnyTokenizerName

    @property
    def missing_packages(self) -> tuple[str, ...]:
        """The packages that the suitable tokenizer needs beside sacreBLEU, if it is not to be had here."""
        return () if self._lacks is None else tuple(one for one in self._lacks.packages.values() if one != "sacrebleu")

    @property
    def how_to_install(self) -> str:
        """The command that installs the missing packages; "" if none is missing."""
        return "" if self._lacks is None else how_to_add(self._lacks.extra)

    @property
    def _lacks(self) -> Requirements | None:
        """What the suitable tokenizer needs, if it is not to be had here."""
        needs = next((one for name, one in EXTERNAL_TOKENIZERS.items() if name == self.suitable), None)
        return None if self.suitable == self.tokenizer else needs

    def accepts(self, tokenizer: AnyTokenizerName) -> bool:
        """Whether the tokenizer cuts such texts into words or characters; Korean words stand between blanks."""
        if self.writing.has_blanks:
            return True
        return tokenizer not in CUT_AT_BLANKS and (tokenizer != "zh" or self.suitable == "zh")


def usual_tokenizer(target: str) -> AnyTokenizerName:
    """What sacreBLEU takes for a target language, by its code, unless it is told."""
    return TOKENIZERS_OF_LANGUAGES.get(_LANGUAGES_OF_CODES.get(target, ""), BleuOptions.tokenizer)


def proposed_tokenizer(references: Sequence[Sequence[str | None]]) -> TokenizerProposal | None:
    """What to score against these references with; ``None`` where nothing speaks against sacreBLEU's ``13a``.

    Args:
        references: R columns of S strings, ``None`` where a segment lacks that reference.
    """
    writing = writing_of(references)
    if writing is None:
        return None
    suitable = TOKENIZERS_OF_LANGUAGES.get(writing.language, WITHOUT_WORDS)
    if suitable == WITHOUT_WORDS and writing.has_blanks:
        return None
    return TokenizerProposal(writing, suitable, suitable if is_installed(suitable) else WITHOUT_WORDS)


def look_again() -> None:
    """Find tokenizers that were installed while the program runs."""
    invalidate_caches()
    is_installed.cache_clear()


@cache
def is_installed(tokenizer: AnyTokenizerName) -> bool:
    """Whether the tokenizer works here, as far as is known since ``look_again``."""
    if tokenizer not in EXTERNAL_TOKENIZER_NAMES:
        return True
    try:
        external_tokenizer(tokenizer, download=False)
    except InputError:
        return False
    return True
