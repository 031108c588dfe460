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
from typing import Literal, TypeAlias

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from bleucore.arrow_arrays import as_arrow, as_numpy, dictionary_encoded
from bleucore.counts import Ints
from bleucore.options import EXTERNAL_TOKENIZER_NAMES, ExternalTokenizerName, Lowercase, TokenizerName
from bleucore.tokens.external_tokenizers import external_tokenizer

WhiteSpace: TypeAlias = Literal["Unicode", "ASCII"]

EDGE = "\udfff"
EDGE_BYTES = EDGE.encode(errors="surrogatepass")


@dataclass(frozen=True)
class Tokenizer:
    """One tokenizer: how to split chunks, and whether the edges of a text matter to it.

    Attributes:
        split: Takes distinct chunks, each between two line feeds, puts blanks between the tokens of each.
        marks: ASCII characters that are tokens of their own, if NIST's rules for full stops, commas and hyphens go with
            them, after ``split``; ``None`` without all that.
        edges: ``"ignored"``, ``"as written"`` (white space before the text hides its first edge) or ``"stripped"``.
        deletions: Deleted from the whole text first, in this order, once white space at its end is off.
        entities: Replaced in turn after that, whatever a replacement makes of what stands around it.
        lowers: Whether lower-casing comes ``"first"`` or ``"last"``, after the entities.
        white_space: What separates chunks: that of Unicode (``str.isspace``), or blank, tab and line ends alone.
    """

    split: Callable[[str], str] = str
    marks: str | None = None
    edges: Literal["ignored", "as written", "stripped"] = "ignored"
    deletions: tuple[str, ...] = ()
    entities: tuple[tuple[str, str], ...] = ()
    lowers: Literal["first", "last"] = "first"
    white_space: WhiteSpace = "Unicode"

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
        return self.vocabulary.take(as_arrow(ids)).to_pylist()  # type: ignore[no-any-return]


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
    lines = _lines(texts, rule.deletions)
    chunks, chunk_offsets = _split_at_white_space(lines, rule.white_space)
    encoded = dictionary_encoded(chunks)
    chunk_ids = as_numpy(encoded.indices)
    if rule.edges == "ignored":
        distinct_chunks = str(encoded.dictionary.buffers()[2], "utf-8")  # they lie end to end, each with its line feed
    else:
        chunk_ids, distinct_chunks = _mark_edges(chunk_ids, chunk_offsets, encoded.dictionary.to_pylist(), rule.edges)
    tokens, tokens_per_chunk = _split_chunks(distinct_chunks, rule, lowercase)
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


def _lines(texts: Sequence[str], deletions: Sequence[str]) -> bytes:
    """The texts after deletions in UTF-8, each with a line feed behind it and none in it."""
    lines = _joined(texts)
    has_line_feeds = np.count_nonzero(np.frombuffer(lines, np.uint8) == ord("\n")) > len(texts)
    if any(_has(lines, deletion) for deletion in deletions if has_line_feeds or "\n" not in deletion):
        texts = [text.rstrip() for text in texts]
        for deletion in deletions:
            texts = [text.replace(deletion, "") for text in texts]
    elif not has_line_feeds:
        return lines
    return _joined([text.replace("\n", " ") for text in texts])


def _joined(texts: Sequence[str]) -> bytes:
    return "\n".join([*texts, ""]).encode()


def _has(lines: bytes, deletion: str) -> bool:
    """Whether this is there; that its first character is not is said at a hundredth of the cost."""
    return deletion[0].encode() in lines and deletion.encode() in lines


def _split_at_white_space(lines: bytes, white_space: WhiteSpace) -> tuple[pa.LargeStringArray, NDArray[np.int64]]:
    """What stands before each byte of white space, with a line feed in its place, and where each line begins in that.

    White space that follows on white space, or begins a line, leaves a line feed alone. Arrow's own functions that
    split texts take three times as long.
    """
    data = np.frombuffer(bytearray(lines), np.uint8)
    ends = np.flatnonzero(_is_white_space(data, white_space))
    line_offsets = np.flatnonzero(np.concatenate([[True], data[ends] == ord("\n")]))
    data[ends] = ord("\n")
    offsets = np.concatenate([[0], ends + 1])
    return pa.LargeStringArray.from_buffers(len(ends), pa.py_buffer(offsets), pa.py_buffer(data)), line_offsets


def _is_white_space(data: NDArray[np.uint8], white_space: WhiteSpace) -> NDArray[np.bool_]:
    """Whether each byte of UTF-8 belongs to white space."""
    first_before_blank = "\x1c" if white_space == "Unicode" else " "
    is_white_space = _are_between(data, ord("\t"), ord("\r")) | _are_between(data, ord(first_before_blank), ord(" "))
    if white_space == "Unicode":
        leads = np.flatnonzero(_are_between(data, 0xC2, 0xC2) | _are_between(data, 0xE1, 0xE3))
        codes = data[leads].astype(np.int32)
        for size, white_space_codes in _WIDE_WHITE_SPACE.items():
            codes = codes << 8 | data[leads + size - 1]
            found = leads[np.isin(codes, white_space_codes)]
            is_white_space[found[:, None] + np.arange(size)] = True
    return is_white_space


def _are_between(data: NDArray[np.uint8], first: int, last: int) -> NDArray[np.bool_]:
    are_between: NDArray[np.bool_] = data - first <= last - first  # what is less than the first wraps around
    return are_between


_WIDE_WHITE_SPACE = {
    size: [int.from_bytes(character.encode()) for character in characters]
    for size, characters in (
        (2, "\x85\xa0"),
        (3, "\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))),
    )
}
"""White space of two and of three bytes of UTF-8, each read as one number. The first bytes are C2 and E1 to E3."""


def _mark_edges(
    chunk_ids: NDArray[np.int32],
    chunk_offsets: NDArray[np.int64],
    chunk_texts: list[str],
    edges: Literal["as written", "stripped"],
) -> tuple[NDArray[np.int64], str]:
    """Chunks told apart by the edges they touch: new ids, and the distinct ones with ``EDGE`` there, one on a line.

    Trailing white space never hides the last edge, because every text loses it before it is tokenized.
    """
    empty = chunk_texts.index("\n") if "\n" in chunk_texts else -1
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
    mark = ("", EDGE)
    return ids, "".join(
        mark[code & 1] + chunk_texts[code >> 2].removesuffix("\n") + mark[code >> 1 & 1] + "\n"
        for code in distinct.tolist()
    )


def _split_chunks(chunks: str, rule: Tokenizer, lowercase: Lowercase) -> tuple[pa.LargeStringArray, Ints]:
    """The tokens of chunks in turn, from one chunk on a line, and how many each chunk has."""
    if "&" in chunks:
        for entity, character in rule.entities:
            chunks = chunks.replace(entity, character)
    data = np.frombuffer(rule.split("\n" + lower(chunks, lowercase))[1:].encode(errors="surrogatepass"), np.uint8)
    is_edge = _is_surrogate(data) if rule.edges != "ignored" else np.zeros(len(data), np.bool_)
    is_inside = ~(_is_white_space(data, rule.white_space) | is_edge)
    is_last = ~_of_next(is_inside)
    if rule.marks is not None:
        is_last |= _western_cuts(data, is_edge, rule.marks)
    is_last &= is_inside
    offsets = np.concatenate([[0], np.cumsum(is_inside).take(np.flatnonzero(is_last))])
    tokens = pa.LargeStringArray.from_buffers(len(offsets) - 1, pa.py_buffer(offsets), pa.py_buffer(data[is_inside]))
    return tokens, np.diff(np.cumsum(is_last).take(np.flatnonzero(data == ord("\n"))), prepend=0)


def _of_next(of_bytes: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """What is true of the byte behind each one. That behind the last is the first: both stand beside a line feed."""
    return np.roll(of_bytes, -1)


def _of_previous(of_bytes: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """What is true of the byte before each one, as ``_of_next``."""
    return np.roll(of_bytes, 1)


def _is_surrogate(data: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Whether each byte of UTF-8 belongs to ``EDGE``, the only surrogate that there is."""
    leads = np.flatnonzero(data == EDGE_BYTES[0])
    leads = leads[data[leads + 1] >= EDGE_BYTES[1]]
    is_surrogate = np.zeros(len(data), np.bool_)
    is_surrogate[leads[:, None] + np.arange(len(EDGE_BYTES))] = True
    return is_surrogate


def _western_cuts(data: NDArray[np.uint8], is_edge: NDArray[np.bool_], marks: str) -> NDArray[np.bool_]:
    r"""Behind which bytes NIST's mteval-v13a, language-dependent part, ends a token; as sacreBLEU executes it.

    Its four replacements, one after the other, come to this, where the edge of a text is like a digit to 2 and 3:

    1. ``([{-~\[-` -&(-+:-@/])`` to ``" \1 "``: each of the ``marks`` is a token.
    2. ``([^0-9])([.,])`` to ``"\1 \2 "``: a full stop or comma behind anything but a digit is a token. As what was
       matched cannot be matched again, in a row of them it is every other one: the second, fourth, ... behind a digit.
    3. ``([.,])([^0-9])`` to ``" \1 \2"``: so is one before anything but a digit. With 2, all in a row are, except that
       the last, where 2 left it out, stays with a digit behind it.
    4. ``([0-9])(-)`` to ``"\1 \2 "``: so is a hyphen behind a digit.
    """
    is_mark = np.zeros(256, np.bool_)
    is_mark[np.frombuffer(marks.encode(), np.uint8)] = True
    is_alone = is_mark.take(data)
    is_digit = _are_between(data, ord("0"), ord("9"))
    is_alone |= (data == ord("-")) & _of_previous(is_digit)
    is_digit |= is_edge
    is_stop = (data == ord(".")) | (data == ord(","))
    is_before_digit = is_stop & _of_next(is_digit)
    begins = is_alone | (is_stop & ~(is_before_digit & _of_previous(is_digit)))
    ends = is_alone | (is_stop & ~is_before_digit)
    last = np.flatnonzero(is_before_digit)
    rows = np.flatnonzero(is_stop & ~_of_previous(is_stop))
    first = rows[np.searchsorted(rows, last, "right") - 1]
    ends[last] = (last - first + _of_previous(is_digit)[first]) % 2 == 0
    return np.asarray(ends | _of_next(begins))


def _expand(
    chunk_ids: NDArray[np.signedinteger],
    chunk_offsets: NDArray[np.int64],
    tokens: pa.LargeStringArray,
    tokens_per_chunk: NDArray[np.int64],
) -> TokenizedTexts:
    """Replace every chunk of every text by its tokens."""
    encoded = dictionary_encoded(tokens)
    n_tokens = tokens_per_chunk.take(chunk_ids)
    ends = np.cumsum(n_tokens)
    places = np.repeat(np.cumsum(tokens_per_chunk).take(chunk_ids) - ends, n_tokens)
    places += np.arange(len(places))
    ids = as_numpy(encoded.indices).take(places).astype(np.int64)
    return TokenizedTexts(ids, np.concatenate([[0], ends])[chunk_offsets], encoded.dictionary)


def _split_international(joined: str) -> str:
    """``intl``: NIST mteval-v14 with ``--international-tokenization``, as in sacreBLEU (no entities)."""
    import regex  # noqa: PLC0415  # only for those who choose this tokenizer

    joined = regex.sub(rf"([^\p{{N}}{EDGE}])(\p{{P}})", r"\1 \2 ", joined)
    joined = regex.sub(rf"(\p{{P}})([^\p{{N}}{EDGE}])", r" \1 \2", joined)
    return str(regex.sub(r"\p{S}", r" \g<0> ", joined))


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
    return _CHINESE.sub(r" \g<0> ", joined)


def _split_characters(joined: str) -> str:
    """``char``: every code point is a token."""
    return "\n".join(" ".join(chunk) for chunk in joined.split("\n"))


_NIST_MARKS = '{|}~[\\]^_`!"#$%&()*+:;<=>?@/'
"""What mteval-v13a splits off everywhere."""
_IBLEU_MARKS = '{}~[]"`?&()+:;$@/'
"""What is left of that in iBLEU's bleu.js, where ranges of the rule were lost."""
_NIST_DELETIONS = ("<skipped>", "-\n")
_NIST_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))

TOKENIZERS: Mapping[str, Tokenizer] = MappingProxyType(
    {
        "13a": Tokenizer(marks=_NIST_MARKS, deletions=_NIST_DELETIONS, entities=_NIST_ENTITIES),
        "intl": Tokenizer(_split_international, edges="as written"),
        "char": Tokenizer(_split_characters),
        "zh": Tokenizer(_split_chinese, marks=_NIST_MARKS, edges="stripped"),
        "none": Tokenizer(),
        "ibleu": Tokenizer(marks=_IBLEU_MARKS, deletions=_NIST_DELETIONS, entities=_NIST_ENTITIES, lowers="last"),
        "ascii-space": Tokenizer(white_space="ASCII"),
    }
)
