r"""Texts to token ids, for all texts of a test set at once.

Every tokenizer here decides within a *chunk*, a run of characters without white space: the tokens of a text
are the tokens of its chunks in turn. A text repeats its chunks, so only the distinct ones are tokenized, joined
into one string by line feeds; the texts themselves are handled as arrays of chunk ids.

A tokenizer knows a character by its *kinds* alone. Patterns say which of the distinct characters are of a kind, a table
says so of all the others, and whole arrays of kinds say where tokens end.

``13a`` puts a blank before and after the text, so that a chunk is tokenized the same anywhere. ``intl`` and ``zh``
do not: "2024." keeps its full stop at the end of a text only. A chunk that touches an edge where that matters
is told from the same chunk elsewhere.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from string import ascii_uppercase
from types import MappingProxyType, ModuleType
from typing import Literal, TypeAlias

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from bleucore.arrow_arrays import as_arrow, as_numpy, dictionary_encoded
from bleucore.counts import Ints
from bleucore.options import EXTERNAL_TOKENIZER_NAMES, ExternalTokenizerName, Lowercase, TokenizerName
from bleucore.tokens.external_tokenizers import CUT_TEXTS, external_tokenizer

WhiteSpace: TypeAlias = Literal["Unicode", "ASCII"]

ALONE, STOP, DIGIT, HYPHEN = 1, 2, 4, 8
"""Kinds of characters: a token of its own; a token unless between digits; a digit; a token behind a digit."""


@dataclass(frozen=True)
class Tokenizer:
    """One tokenizer: how to split chunks, and whether the edges of a text matter to it.

    Attributes:
        kinds: A pattern for the characters of each kind. Where none fits, chunks are tokens.
        edges: ``"ignored"``, ``"as written"`` (white space before the text hides its first edge) or ``"stripped"``.
        deletions: Deleted from the whole text first, in this order, once white space at its end is off.
        entities: Replaced in turn after that, whatever a replacement makes of what stands around it.
        lowers: Whether lower-casing comes ``"first"`` or ``"last"``, after the entities.
        white_space: What separates chunks: that of Unicode (``str.isspace``), or blank, tab and line ends alone.
    """

    kinds: Mapping[int, str] = field(default_factory=dict)
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

    def all_tokens(self) -> list[list[str]]:
        """The tokens of every text as strings."""
        words, offsets = self.vocabulary.take(as_arrow(self.ids)).to_pylist(), self.offsets.tolist()
        return [words[start:end] for start, end in pairwise(offsets)]

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
    chunk_ids, marks = as_numpy(encoded.indices), None
    distinct_chunks = encoded.dictionary
    if rule.edges != "ignored":
        chunk_ids, distinct_chunks, marks = _mark_edges(chunk_ids, chunk_offsets, distinct_chunks, rule.edges)
    # a dictionary's strings lie end to end, each with its line feed
    joined = str(distinct_chunks.buffers()[2], "utf-8") if len(distinct_chunks) else ""
    return _expand(chunk_ids, chunk_offsets, *_split_chunks(joined, marks, rule, lowercase))


def lower(text: str, lowercase: Lowercase) -> str:
    """The text in lower case: as Python has it, or A to Z alone for ``"ascii"``; as it is for ``False``."""
    if lowercase == "ascii":
        return text.translate(_ASCII_LOWER)
    return text.lower() if lowercase else text


_ASCII_LOWER = {ord(letter): letter.lower() for letter in ascii_uppercase}


def _tokenized_outside(texts: Sequence[str], name: ExternalTokenizerName, lowercase: Lowercase) -> list[str]:
    """The texts with a blank between tokens, by a tokenizer that takes whole texts, one at a time."""
    outside = external_tokenizer(name, download=False)  # of this call alone: not to be shared between threads
    return CUT_TEXTS.of([lower(text, lowercase).rstrip() for text in texts], outside)


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
        for size, white_space_codes in _WIDE_WHITE_SPACE.items() if len(leads) else ():  # isin imports numpy.ma
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
    chunks: pa.LargeStringArray,
    edges: Literal["as written", "stripped"],
) -> tuple[NDArray[np.int64], pa.LargeStringArray, NDArray[np.int64]]:
    """Chunks told apart by the edges they touch: new ids, the distinct ones, and which edges each touches.

    1 stands for the first edge, 2 for the last. Trailing white space never hides the last edge, because every text
    loses it before it is tokenized.
    """
    is_chunk = np.diff(_offsets(chunks)).take(chunk_ids) > 1
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
    distinct, ids = _numbered(marked)
    return ids, chunks.take(as_arrow(distinct >> 2)), distinct & 3


def _numbered(values: NDArray[np.integer]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The distinct ones of whole numbers, in order, and which of them each is. ``numpy.unique`` sorts to find that."""
    is_there = np.zeros(int(values.max(initial=0)) + 1, np.bool_)
    is_there[values] = True
    return np.flatnonzero(is_there), (np.cumsum(is_there) - 1).take(values)


def _offsets(strings: pa.LargeStringArray) -> NDArray[np.int64]:
    """Where each string begins in bytes, and where the last one ends."""
    return np.frombuffer(strings.buffers()[1], np.int64)[strings.offset : strings.offset + len(strings) + 1]


def _split_chunks(
    chunks: str, marks: NDArray[np.int64] | None, rule: Tokenizer, lowercase: Lowercase
) -> tuple[Ints, Ints, pa.LargeStringArray]:
    """The tokens of chunks in turn as ids, how many each chunk has, and the vocabulary.

    Args:
        chunks: One on a line.
        marks: Which edges each touches; ``None`` where no edge matters.
        rule: The tokenizer.
        lowercase: What is left to lower.
    """
    if "&" in chunks:
        for entity, character in rule.entities:
            chunks = chunks.replace(entity, character)
    chunks = lower(chunks, lowercase)
    codes = np.frombuffer(chunks.encode("utf-32-le"), np.uint32)
    is_inside = codes != ord("\n")
    ends = np.flatnonzero(~is_inside)
    is_last = ~_of_next(is_inside)
    if rule.kinds:
        is_last |= _cuts(_kinds(codes, rule.kinds), ends, marks)
    is_last &= is_inside
    ids, vocabulary = _numbered_tokens(codes, is_inside, is_last)
    return ids, np.diff(np.cumsum(is_last).take(ends), prepend=0), vocabulary


def _kinds(codes: NDArray[np.uint32], patterns: Mapping[int, str]) -> NDArray[np.uint8]:
    """The kinds of each character. Patterns see each character once, however often a text has it."""
    places = codes.astype(np.intp)
    kinds = np.zeros(int(codes.max(initial=0)) + 1, np.uint8)
    kinds[places] = 1
    characters = "".join(map(chr, np.flatnonzero(kinds).tolist()))
    kinds[:] = 0
    for kind, pattern in patterns.items():
        found = _patterns_of(pattern).findall(pattern, characters)
        kinds[np.array([*map(ord, found)], np.intp)] |= kind
    return kinds.take(places)


def _patterns_of(pattern: str) -> ModuleType:
    """What knows the pattern."""
    if "\\p" not in pattern:
        return re
    import regex  # noqa: PLC0415  # only for those who choose a tokenizer with categories of Unicode

    return regex


def _numbered_tokens(
    codes: NDArray[np.uint32], is_inside: NDArray[np.bool_], is_last: NDArray[np.bool_]
) -> tuple[Ints, pa.LargeStringArray]:
    """An id for each token, and the vocabulary. Tokens of one character have theirs from a table, without hashing."""
    is_alone = is_last & ~_of_previous(is_inside & ~is_last)
    characters, ids_of_characters = _numbered(codes.take(np.flatnonzero(is_alone)))
    places = np.flatnonzero(is_inside & ~is_alone)
    longer = dictionary_encoded(_strings(codes.take(places), is_last.take(places)))
    is_of_one = is_alone.take(np.flatnonzero(is_last))
    ids = np.empty(len(is_of_one), np.int64)
    ids[is_of_one] = ids_of_characters
    ids[~is_of_one] = as_numpy(longer.indices) + np.int64(len(characters))
    singles = _strings(characters.astype(np.uint32), np.ones(len(characters), np.bool_))
    return ids, pa.concat_arrays([singles, longer.dictionary])


def _strings(codes: NDArray[np.uint32], is_last: NDArray[np.bool_]) -> pa.LargeStringArray:
    """Strings of characters in turn, each up to one that is the last."""
    n_bytes = np.ones(len(codes), np.uint8)
    for least in _LONGER_IN_UTF_8:
        n_bytes += codes >= least
    offsets = np.concatenate([[0], np.cumsum(n_bytes, dtype=np.int64).take(np.flatnonzero(is_last))])
    data = str(codes.data, "utf-32-le").encode()
    return pa.LargeStringArray.from_buffers(len(offsets) - 1, pa.py_buffer(offsets), pa.py_buffer(data))


_LONGER_IN_UTF_8 = (0x80, 0x800, 0x10000)
"""From each of these on, a character has one byte more."""


def _of_next(of_characters: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """What is true of the character behind each one. That behind the last is the first."""
    return np.roll(of_characters, -1)


def _of_previous(of_characters: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """What is true of the character before each one. That before the first is the last, a line feed."""
    return np.roll(of_characters, 1)


def _cuts(kinds: NDArray[np.uint8], ends: Ints, marks: NDArray[np.int64] | None) -> NDArray[np.bool_]:
    r"""Behind which characters a token ends, by the rules of NIST's mteval as sacreBLEU executes them.

    The four replacements of mteval-v13a's language-dependent part, one after the other, come to this:

    1. ``([{-~\[-` -&(-+:-@/])`` to ``" \1 "``: each of these marks is a token.
    2. ``([^0-9])([.,])`` to ``"\1 \2 "``: a full stop or comma behind anything but a digit is a token. As what was
       matched cannot be matched again, in a row of them it is every other one: the second, fourth, ... behind a digit.
    3. ``([.,])([^0-9])`` to ``" \1 \2"``: so is one before anything but a digit. With 2, all in a row are, except that
       the last, where 2 left it out, stays with a digit behind it.
    4. ``([0-9])(-)`` to ``"\1 \2 "``: so is a hyphen behind a digit.

    To 2 and 3 the edge of a text is like a digit. ``zh`` puts Chinese characters among the marks. mteval-v14 with
    ``--international-tokenization`` has 2 and 3 with ``\p{P}`` and ``\p{N}``, then 1 with ``\p{S}``.

    Args:
        kinds: Of all characters of all chunks.
        ends: Where the line feed behind each chunk is.
        marks: Which edges each chunk touches, 1 the first and 2 the last; ``None`` where no edge matters.
    """
    is_digit, is_stop = (kinds & DIGIT) > 0, (kinds & STOP) > 0
    follows_digit, precedes_digit = _of_previous(is_digit), _of_next(is_digit)
    is_alone = ((kinds & ALONE) > 0) | (((kinds & HYPHEN) > 0) & follows_digit)
    if marks is not None:
        follows_digit[np.concatenate([[0], ends + 1])[:-1][(marks & 1) > 0]] = True
        precedes_digit[ends[(marks & 2) > 0] - 1] = True
    is_before_digit = is_stop & precedes_digit
    begins = is_alone | (is_stop & ~(is_before_digit & follows_digit))
    token_ends = is_alone | (is_stop & ~is_before_digit)
    last = np.flatnonzero(is_before_digit)
    rows = np.flatnonzero(is_stop & ~_of_previous(is_stop))
    first = rows[np.searchsorted(rows, last, "right") - 1]
    token_ends[last] = (last - first + follows_digit[first]) % 2 == 0
    return np.asarray(token_ends | _of_next(begins))


def _expand(
    chunk_ids: NDArray[np.signedinteger],
    chunk_offsets: NDArray[np.int64],
    token_ids: Ints,
    tokens_per_chunk: Ints,
    vocabulary: pa.LargeStringArray,
) -> TokenizedTexts:
    """Replace every chunk of every text by its tokens."""
    n_tokens = tokens_per_chunk.take(chunk_ids)
    ends = np.cumsum(n_tokens)
    places = np.repeat(np.cumsum(tokens_per_chunk).take(chunk_ids) - ends, n_tokens)
    places += np.arange(len(places))
    return TokenizedTexts(token_ids.take(places), np.concatenate([[0], ends])[chunk_offsets], vocabulary)


def _nist_kinds(alone: str) -> Mapping[int, str]:
    return MappingProxyType({ALONE: f"[{alone}]", STOP: "[.,]", DIGIT: "[0-9]", HYPHEN: "-"})


_NIST_MARKS = r"{-~\[-` -&(-+:-@/"
"""What mteval-v13a splits off everywhere."""
_IBLEU_MARKS = r'{}~\[\]"`?&()+:;$@/'
"""What is left of that in iBLEU's bleu.js, where ranges of the rule were lost."""
# What sacreBLEU executes. Its ranges for Extension B and the compatibility supplement are written as
# four-digit escapes and so take in U+2001 to U+2A6D and U+2F80 to U+2FA1 instead (its issue 298); kept for parity.
_CHINESE = (
    "\u2001-\u2a6d\u2e80-\u2fdf\u2ff0-\u303f\u3100-\u312f\u31a0-\u31ef\u3200-\u4db5\u4e00-\u9fbb"
    "\uf900-\ufa2d\ufa30-\ufa6a\ufa70-\ufad9\ufe10-\ufe1f\ufe30-\ufe4f\uff00-\uffef"
)
_INTERNATIONAL_KINDS = MappingProxyType({ALONE: r"\p{S}", STOP: r"\p{P}", DIGIT: r"\p{N}"})
_NIST_DELETIONS = ("<skipped>", "-\n")
_NIST_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))

TOKENIZERS: Mapping[str, Tokenizer] = MappingProxyType(
    {
        "13a": Tokenizer(_nist_kinds(_NIST_MARKS), deletions=_NIST_DELETIONS, entities=_NIST_ENTITIES),
        "intl": Tokenizer(_INTERNATIONAL_KINDS, edges="as written"),
        "char": Tokenizer(MappingProxyType({ALONE: "(?s)."})),
        "zh": Tokenizer(_nist_kinds(_NIST_MARKS + _CHINESE), edges="stripped"),
        "none": Tokenizer(),
        "ibleu": Tokenizer(
            _nist_kinds(_IBLEU_MARKS), deletions=_NIST_DELETIONS, entities=_NIST_ENTITIES, lowers="last"
        ),
        "ascii-space": Tokenizer(white_space="ASCII"),
    }
)
