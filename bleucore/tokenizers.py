r"""Texts to token ids, for all texts of a test set at once.

Every tokenizer here decides within a *chunk*, a run of characters without white space: the tokens of a text
are the tokens of its chunks in turn. A text repeats its chunks, so only the distinct ones are tokenized, joined
into one string by line feeds; the texts themselves are handled as arrays of chunk ids.

``13a`` puts a blank before and after the text, so that a chunk is tokenized the same anywhere. ``intl`` and ``zh``
do not: "2024." keeps its full stop at the end of a text only. A chunk that touches an edge where that matters
is marked there with ``EDGE``, a code point that no valid text holds, and the rules look at it.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from types import MappingProxyType
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import regex
from numpy.typing import NDArray

from bleucore.external_tokenizers import external_tokenizer
from bleucore.options import EXTERNAL_TOKENIZER_NAMES, ExternalTokenizerName, Lowercase, TokenizerName

EDGE = "\udfff"


@dataclass(frozen=True)
class Tokenizer:
    """One tokenizer: how to split chunks, and whether the edges of a text matter to it.

    Attributes:
        split: Takes distinct chunks, each between two line feeds, puts blanks between the tokens of each.
        edges: ``"ignored"``, ``"as written"`` (white space before the text hides its first edge) or ``"stripped"``.
        deletions: Deleted from the whole text first, in this order, once white space at its end is off.
        entities: Replaced in turn after that, whatever a replacement makes of what stands around it.
        lowers: Whether lower-casing comes ``"first"`` or ``"last"``, after the entities.
        white_space: What separates chunks: that of Unicode (``str.isspace``), or blank, tab and line ends alone.
    """

    split: Callable[[str], str]
    edges: Literal["ignored", "as written", "stripped"] = "ignored"
    deletions: tuple[str, ...] = ()
    entities: tuple[tuple[str, str], ...] = ()
    lowers: Literal["first", "last"] = "first"
    white_space: Literal["Unicode", "ASCII"] = "Unicode"

    def lowers_first(self, lowercase: Lowercase) -> bool:
        """Whether lower-casing comes before deletions and entities; that of A to Z alone never does."""
        return bool(lowercase) and lowercase != "ascii" and self.lowers == "first"


@dataclass(frozen=True)
class TokenizedTexts:
    """Texts as token ids: text i is ``ids[offsets[i]:offsets[i + 1]]``, an id is an index into ``vocabulary``."""

    ids: NDArray[np.int64]
    offsets: NDArray[np.int64]
    vocabulary: pa.Array

    @property
    def lengths(self) -> NDArray[np.int64]:
        """The number of tokens of each text."""
        return np.diff(self.offsets)

    def tokens(self, index: int) -> list[str]:
        """The tokens of one text as strings."""
        ids = self.ids[self.offsets[index] : self.offsets[index + 1]]
        return self.vocabulary.take(pa.array(ids)).to_pylist()  # type: ignore[no-any-return]


def tokenize(
    texts: Sequence[str], tokenizer: TokenizerName | ExternalTokenizerName, *, lowercase: Lowercase = False
) -> TokenizedTexts:
    """Token ids of all texts over one vocabulary. ``None`` has no place here: give ``""`` and mask the result."""
    if tokenizer in EXTERNAL_TOKENIZER_NAMES:
        return tokenize(_tokenized_outside(texts, tokenizer, lowercase), "none")
    rule = TOKENIZERS[tokenizer]
    if rule.lowers_first(lowercase):
        texts = [lower(text, lowercase) for text in texts]
        lowercase = False
    everything = "\0".join(texts) if rule.deletions else ""
    if any(deletion in everything for deletion in rule.deletions):
        texts = [text.rstrip() for text in texts]
        for deletion in rule.deletions:
            texts = [text.replace(deletion, "") for text in texts]
    split = _split_at_white_space(texts, rule)
    chunks = split.flatten().dictionary_encode()
    chunk_offsets = split.offsets.to_numpy()
    chunk_ids = chunks.indices.to_numpy()
    chunk_texts = chunks.dictionary.to_pylist()
    if rule.edges != "ignored":
        chunk_ids, chunk_texts, marks = _mark_edges(chunk_ids, chunk_offsets, chunk_texts, rule.edges)
    else:
        marks = None
    tokens, tokens_per_chunk = _split_chunks(chunk_texts, marks, rule, lowercase)
    return _expand(chunk_ids, chunk_offsets, tokens, tokens_per_chunk)


def lower(text: str, lowercase: Lowercase) -> str:
    """The text in lower case: as Python has it, or A to Z alone for ``"ascii"``; as it is for ``False``."""
    if lowercase == "ascii":
        return text.translate(_ASCII_LOWER)
    return text.lower() if lowercase else text


_ASCII_LOWER = {ord(letter): letter.lower() for letter in ascii_uppercase}


def _tokenized_outside(texts: Sequence[str], name: ExternalTokenizerName, lowercase: Lowercase) -> list[str]:
    """The texts with a blank between tokens, by a tokenizer that takes whole texts, one at a time."""
    outside = external_tokenizer(name, download=False)  # of this call alone: not to be shared between threads
    prepared = [lower(text, lowercase).rstrip() for text in texts]
    tokenized = {text: outside(text) for text in dict.fromkeys(prepared)}
    return [tokenized[text] for text in prepared]


def _split_at_white_space(texts: Sequence[str], rule: Tokenizer) -> pa.Array:
    """The runs without white space of each text, and "" where white space stands at an end.

    Arrow looks one byte past its last text if that ends in white space, and what happens to lie there can change
    the result (apache/arrow issue 37757): so a further text stands at the end, and is cut off again.
    """
    split = pc.utf8_split_whitespace if rule.white_space == "Unicode" else pc.ascii_split_whitespace
    return split(pa.array([*texts, "end"], pa.large_string()))[:-1]


def _mark_edges(
    chunk_ids: NDArray[np.int32],
    chunk_offsets: NDArray[np.int64],
    chunk_texts: list[str],
    edges: Literal["as written", "stripped"],
) -> tuple[NDArray[np.int64], list[str], NDArray[np.int64]]:
    """Chunks told apart by the edges they touch: new ids, their texts, and marks (1 first, 2 last, 3 both).

    Trailing white space never hides the last edge, because every text loses it before it is tokenized.
    """
    empty = chunk_texts.index("") if "" in chunk_texts else -1
    is_chunk = chunk_ids != empty
    before = np.concatenate([[0], np.cumsum(is_chunk)])
    first = before[chunk_offsets[:-1]]
    last = before[chunk_offsets[1:]] - 1
    has_chunk = last >= first
    marks = np.zeros(before[-1], np.int64)
    shows_first = has_chunk
    if edges == "as written":
        shows_first = has_chunk & is_chunk[np.minimum(chunk_offsets[:-1], len(is_chunk) - 1)]
    marks[first[shows_first]] |= 1
    marks[last[has_chunk]] |= 2
    marked = chunk_ids.astype(np.int64) * 4
    marked[is_chunk] += marks
    distinct, ids = np.unique(marked, return_inverse=True)
    return ids, [chunk_texts[code] for code in distinct // 4], distinct % 4


def _split_chunks(
    chunk_texts: list[str], marks: NDArray[np.int64] | None, rule: Tokenizer, lowercase: Lowercase
) -> tuple[pa.Array, NDArray[np.int64]]:
    """The tokens of the distinct chunks in turn, and how many each chunk has."""
    if marks is not None:
        mark = ("", EDGE)
        chunk_texts = [
            mark[code & 1] + chunk + mark[code >> 1] for chunk, code in zip(chunk_texts, marks.tolist(), strict=True)
        ]
    joined = "\n".join(chunk_texts)
    if "&" in joined:
        for entity, character in rule.entities:
            joined = joined.replace(entity, character)
    joined = rule.split(f"\n{lower(joined, lowercase)}\n")[1:-1]
    if marks is not None:
        joined = joined.replace(EDGE, "")
    split = _split_at_white_space(joined.split("\n"), rule)
    tokens = split.flatten()
    is_token = pc.greater(pc.binary_length(tokens), 0)
    if not pc.all(is_token).as_py():
        before = np.concatenate([[0], np.cumsum(is_token.to_numpy(zero_copy_only=False))])
        return tokens.filter(is_token), np.diff(before[split.offsets.to_numpy()])
    return tokens, np.diff(split.offsets.to_numpy())


def _expand(
    chunk_ids: NDArray[np.signedinteger],
    chunk_offsets: NDArray[np.int64],
    tokens: pa.Array,
    tokens_per_chunk: NDArray[np.int64],
) -> TokenizedTexts:
    """Replace every chunk of every text by its tokens."""
    encoded = tokens.dictionary_encode()
    token_ids = encoded.indices.to_numpy().astype(np.int64)
    first_token = np.cumsum(tokens_per_chunk) - tokens_per_chunk
    repeats = tokens_per_chunk[chunk_ids]
    ends = np.concatenate([[0], np.cumsum(repeats)])
    positions = np.repeat(first_token[chunk_ids] - ends[:-1], repeats) + np.arange(ends[-1])
    return TokenizedTexts(token_ids[positions], ends[chunk_offsets], encoded.dictionary)


_WESTERN_RULES = (
    (r"([{-~\[-` -&(-+:-@/])", r" \1 "),
    (rf"([^0-9{EDGE}])([.,])", r"\1 \2 "),
    (rf"([.,])([^0-9{EDGE}])", r" \1 \2"),
    (r"([0-9])(-)", r"\1 \2 "),
)


_IBLEU_RULES = ((r'([{}~[\]"`?&()+:;$@/])', r" \1 "), *_WESTERN_RULES[1:])


def _split_western(joined: str) -> str:
    """``13a``: NIST mteval-v13a, language-dependent part, as in sacreBLEU.

    Arrow's regular expressions do this five times as fast as Python's; they take no text with edges in it.
    """
    if EDGE in joined:
        for pattern, replacement in _WESTERN_RULES:
            joined = re.sub(pattern, replacement, joined)
        return joined
    return _replaced_by_arrow(joined, _WESTERN_RULES)


def _split_ibleu(joined: str) -> str:
    r"""``ibleu``: the port of ``13a`` in iBLEU's bleu.js, where ranges of its first rule were lost.

    So ``! # % * < = > \ ^ _ |`` are not split off.
    """
    return _replaced_by_arrow(joined, _IBLEU_RULES)


def _replaced_by_arrow(joined: str, rules: Sequence[tuple[str, str]]) -> str:
    column = pa.array([joined], pa.large_string())
    for pattern, replacement in rules:
        column = pc.replace_substring_regex(column, pattern.replace(EDGE, ""), replacement)
    return str(column[0].as_py())


_NOT_NUMBER_THEN_PUNCTUATION = regex.compile(rf"([^\p{{N}}{EDGE}])(\p{{P}})")
_PUNCTUATION_THEN_NOT_NUMBER = regex.compile(rf"(\p{{P}})([^\p{{N}}{EDGE}])")
_SYMBOL = regex.compile(r"\p{S}")


def _split_international(joined: str) -> str:
    """``intl``: NIST mteval-v14 with ``--international-tokenization``, as in sacreBLEU (no entities)."""
    joined = _NOT_NUMBER_THEN_PUNCTUATION.sub(r"\1 \2 ", joined)
    joined = _PUNCTUATION_THEN_NOT_NUMBER.sub(r" \1 \2", joined)
    return _SYMBOL.sub(r" \g<0> ", joined)


# What sacreBLEU executes. Its ranges for Extension B and the compatibility supplement are written as
# four-digit escapes and so take in U+2001 to U+2A6D and U+2F80 to U+2FA1 instead (its issue 298); kept for parity.
_CHINESE = re.compile(
    "["
    "\u2001-\u2a6d\u2e80-\u2fdf\u2ff0-\u303f\u3100-\u312f\u31a0-\u31ef\u3200-\u4db5\u4e00-\u9fbb"
    "\uf900-\ufa2d\ufa30-\ufa6a\ufa70-\ufad9\ufe10-\ufe1f\ufe30-\ufe4f\uff00-\uffef"
    "]"
)


def _split_chinese(joined: str) -> str:
    """``zh``: every Chinese character is a token, the rest as in ``13a`` without its padding and entities."""
    return _split_western(_CHINESE.sub(r" \g<0> ", joined))


def _split_characters(joined: str) -> str:
    """``char``: every code point is a token."""
    return "\n".join(" ".join(chunk) for chunk in joined.split("\n"))


def _split_nothing(joined: str) -> str:
    """``none`` and ``ascii-space``: chunks are tokens."""
    return joined


_NIST_DELETIONS = ("<skipped>", "-\n")
_NIST_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))

TOKENIZERS: Mapping[str, Tokenizer] = MappingProxyType(
    {
        "13a": Tokenizer(_split_western, deletions=_NIST_DELETIONS, entities=_NIST_ENTITIES),
        "intl": Tokenizer(_split_international, edges="as written"),
        "char": Tokenizer(_split_characters),
        "zh": Tokenizer(_split_chinese, edges="stripped"),
        "none": Tokenizer(_split_nothing),
        "ibleu": Tokenizer(_split_ibleu, deletions=_NIST_DELETIONS, entities=_NIST_ENTITIES, lowers="last"),
        "ascii-space": Tokenizer(_split_nothing, white_space="ASCII"),
    }
)
