"""Texts that lie next to others once more: tokenized, in subwords, in small letters, or compressed."""

import html
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from bleucore.formats.columns import Column, Role
from bleucore.formats.hints import is_of_file
from bleucore.formats.name_parts import MOST_REMEMBERED, parts_of, path_of, role_of_word, without_endings
from bleucore.formats.names import COMPRESSED, stem

_COPIED, _MOST_LINES, _FEW_LINES, _LONGEST_LINE, _LONGEST_NAME = 0.98, 1_000, 3, 5_000, 300
"""Share of lines with the letters and digits of the other text, from which on one text is a copy of the other."""
_FINISHED, _PLAIN, _TOKENS, _LETTERS, _SUBWORDS = range(5)
_WORDS: tuple[tuple[int, str, re.Pattern[str]], ...] = (
    (_FINISHED, "detokenized", re.compile(r"detok\w*|debpe\w*|desp|despm|unbpe\w*|words?|wrd")),
    (
        _TOKENS,
        "tokenized",
        re.compile(r"tok|tokenized|tokenised|tokens|pretok"),
    ),
    (_LETTERS, "lower-cased", re.compile(r"lc|lower|lowercased?|uncased")),
    (_LETTERS, "truecased", re.compile(r"tc|truecased?")),
    (
        _SUBWORDS,
        "subword",
        re.compile(
            r"bpe\d*k?|spm?\d*k?|sentencepiece|unigram|wordpiece|subwords?|pieces?|units?|letters?|chars?|ltr|phn"
        ),
    ),
)
"""What parts of names say of how a text is written; the first is what one scores."""
_MARKS = re.compile(
    r"(?:^| )[^\w\s](?= |$)|@@(?: |$)|@\S@|[\u2581\uffed]|&(?:quot|apos|#\d\d);| ##\w| (?:n't|'(?:s|re|ve|ll|d|m))\b"
)
_SUBWORD_MARKS = re.compile(r"@@(?: |$)|[\u2581\uffed]| ##\w")
_AGAIN = re.compile(
    r"^(?:copy of|kopie von|copie de|copia de) |(?: - (?:copy|kopie|copie|copia)| copy(?: \d{1,2})?| \(\d{1,2}\)"
    r"| \((?:copy|kopie|copie|copia)(?: \d{1,2})?\)"
    r"| \([^()]{0,60}conflicted copy[^()]{0,60}\))$",
    re.IGNORECASE,
)
"""What systems put around the name of a file that is there already."""
_MOST_PAIRS = 20_000
"""Pairs of names that are compared at most; of more files the others stay."""
_SIZE = re.compile(r"\d{1,6}k?")
_ARCHIVE = re.compile(r".{1,250}\.(?:zip|tar|tgz|tar\.\w{2,3})", re.IGNORECASE)

_TRUE = frozenset({"true", "truth", "gold", "tgt", "trg", "target", "targets"})
_WITHOUT_MEANING = frozenset({"txt", "text", "raw", "trn"})

Component = tuple[str, ...] | None
"""Words of a folder or a file; ``None`` for a folder that says no more than how its files are written."""


@dataclass(frozen=True)
class _Named:
    """What a name says: what the text is, and how it is written."""

    components: tuple[Component, ...]
    rank: int
    called: str
    is_again: bool
    is_reference: bool

    @property
    def without_open(self) -> tuple[Component, ...]:
        """The components but for folders that say no more than how files are written."""
        return tuple(part for part in self.components if part is not None)

    @property
    def order(self) -> tuple[int, bool]:
        """The place among texts of one name: the first one stays."""
        return (self.rank, self.is_again)


def leave_out_copies(columns: Sequence[Column], roles: list[Role | None]) -> dict[int, str]:
    """Leave out texts that hold another one once more, as their names and their lines say; why, by place.

    Args:
        columns: All that was read.
        roles: Of each column, which are changed.
    """
    found = copies_among(columns, [place for place, role in enumerate(roles) if role not in ("ignore", "documents")])
    for place in found:
        roles[place] = "ignore"
    return found


def copies_among(columns: Sequence[Column], places: Sequence[int]) -> dict[int, str]:
    """Why some of the columns at these places are copies of others of them, by place."""
    open_ones = [place for place in places if _may_be_text(columns[place])]
    names = {place: _named(columns[place]) for place in open_ones}
    by_base: dict[Component, list[int]] = {}
    for place, name in names.items():
        by_base.setdefault(name.components[-1], []).append(place)
    found: dict[int, str] = {}
    n_left = _MOST_PAIRS
    for same in by_base.values():
        if len(same) == 1:
            continue
        names |= {place: _as_written(columns[place], names[place]) for place in same}
        by_words: dict[tuple[Component, ...], list[int]] = {}
        by_texts: dict[tuple[str | None, ...], list[int]] = {}
        before: list[int] = []
        open_before: list[int] = []
        for place in sorted(same, key=lambda place: (names[place].order, place)):
            words, texts = names[place].without_open, columns[place].segments
            near = [*by_words.get(words, ()), *by_texts.get(texts, ())]
            near += before if None in names[place].components else open_before
            rank = {other: number for number, other in enumerate(before)} if near else {}
            for other in sorted({*near}, key=rank.__getitem__)[:n_left]:
                n_left -= 1
                reason = _reason_of_pair(columns[place], columns[other], names[place], names[other])
                if reason is not None:
                    found[place] = reason
                    break
            if place not in found:
                by_words.setdefault(words, []).append(place)
                by_texts.setdefault(texts, []).append(place)
                before.append(place)
                open_before += [place] if None in names[place].components else []
    return found


def _reason_of_pair(copy: Column, kept: Column, copied: _Named, name: _Named) -> str | None:
    """Why the first is a copy of the second; ``None`` where names or lines differ, or one is called a reference."""
    is_alike = _is_named_alike(copied, name) or _is_column_of_file(copy, kept)
    if not is_alike or copied.is_reference != name.is_reference:
        return None
    return _reason(copy, kept, copied, name)


def _may_be_text(column: Column) -> bool:
    """Whether a column can be left out: a file that somebody named for its role stays."""
    is_of_table = column.is_cell and column.role in ("hypothesis", "reference", "source")
    is_in_order = column.keys is None or not column.is_cell
    return len(column.segments) >= _FEW_LINES and is_in_order and (column.role is None or is_of_table)


def _named(column: Column) -> _Named:
    """What the path of a file, or the name of a column in it, says."""
    is_file = (is_of_file(column) and not column.is_cell) or column.name == stem(column.file)
    return _said_by(column.file, "" if is_file else column.title or column.name)


@lru_cache(maxsize=MOST_REMEMBERED)
def _said_by(file: str, title: str) -> _Named:
    *folders, base = path_of(file)
    parts = [*folders, base, title] if title else [*folders, base]
    components: list[Component] = []
    known: list[tuple[int, str]] = []
    is_again = base.lower().endswith(COMPRESSED)
    for number, part in enumerate(parts):
        name = without_endings(part[-_LONGEST_NAME:])
        own = _AGAIN.sub("", name)
        is_again |= own != name
        words, said = _words_of(own)
        is_open = number < len(parts) - 1 and ((not words and bool(said)) or _ARCHIVE.fullmatch(part) is not None)
        components.append(None if is_open else words)
        known += said
    rank, called = max((one for one in known if one[0] > _PLAIN), default=(_PLAIN, ""))
    rank = _FINISHED if known and rank == _PLAIN else rank
    said_words = {
        part.text.casefold().rstrip("0123456789") for name in parts for part in parts_of(name[-_LONGEST_NAME:])
    }
    is_reference = any(word in _TRUE or role_of_word(word) == "reference" for word in said_words)
    return _Named(tuple(components), rank, called, is_again, is_reference)


def _words_of(name: str) -> tuple[tuple[str, ...], list[tuple[int, str]]]:
    """The words of a name that do not say how a text is written, and what the others say of that."""
    words: list[str] = []
    known: list[tuple[int, str]] = []
    is_behind_subwords = False
    for part in parts_of(name):
        word = part.text.casefold()
        said = next(((rank, called) for rank, called, pattern in _WORDS if pattern.fullmatch(word)), None)
        is_output = role_of_word(word) == "hypothesis"
        if said is not None:
            known.append(said)
        elif word not in _WITHOUT_MEANING and not is_output and not (is_behind_subwords and _SIZE.fullmatch(word)):
            words.append(word)
        is_behind_subwords = said is not None and said[0] == _SUBWORDS
    return tuple(words), known


def _is_named_alike(one: _Named, other: _Named) -> bool:
    """Whether two names say the same but for how the texts are written."""
    pairs = (one.components, other.components)
    if len(pairs[0]) == len(pairs[1]) and all(
        None in (mine, its) or mine == its for mine, its in zip(*pairs, strict=True)
    ):
        return True
    return one.without_open == other.without_open


def _is_column_of_file(one: Column, other: Column) -> bool:
    """Whether a table holds a text once more that is a file of its own, too."""
    return one.is_cell != other.is_cell and one.segments == other.segments


def _reason(copy: Column, kept: Column, copied: _Named, name: _Named) -> str | None:
    """Why the first is a copy of the second; ``None`` where it is none."""
    if copy.segments == kept.segments:
        return f"the same texts as {_called(kept)}." if copy.file != kept.file else None
    if copied.rank == name.rank or len(copy.segments) != len(kept.segments):
        return None
    pairs = _sampled_pairs(copy, kept)
    same = sum(_letters(first) == _letters(second) for first, second in pairs) / len(pairs)
    other = [(first or "", second or "") for first, second in pairs if first != second]
    n_marked = sum(_is_marked(first, second, copied.rank, name.rank) for first, second in other)
    if same < _COPIED or 2 * n_marked <= len(other):
        return None
    return f"{same:.0%} of its lines have the letters of {_called(kept)}: a {copied.called or 'tokenized'} copy of it."


def _is_marked(text: str, kept: str, rank: int, rank_of_kept: int) -> bool:
    """Whether a line shows that it was tokenized, split into pieces or, where a name says so, put in small letters.

    So it is, too, next to what its name calls detokenized.
    """
    text, kept = text[:_LONGEST_LINE], kept[:_LONGEST_LINE]
    if len(_MARKS.findall(text)) > len(_MARKS.findall(kept)) or len(text.split()) >= 2 * len(kept.split()) > 0:
        return True
    is_of_one_case = text in (text.upper(), text.lower()) and text != kept
    is_told = rank == _LETTERS or rank_of_kept == _FINISHED
    return is_told and (is_of_one_case or sum(map(str.isupper, text)) < sum(map(str.isupper, kept)))


def _as_written(column: Column, name: _Named) -> _Named:
    """What the name says, or the text itself where it is in subwords and the name says nothing."""
    is_in_subwords = name.rank == _PLAIN and _has(_SUBWORD_MARKS, column)
    return replace(name, rank=_SUBWORDS, called="subword") if is_in_subwords else name


def _has(marks: re.Pattern[str], column: Column) -> bool:
    """Whether half of the lines have such marks."""
    lines = [text[:_LONGEST_LINE] for text in column.segments[:_MOST_LINES] if text]
    return 2 * sum(marks.search(line) is not None for line in lines) >= max(1, len(lines))


def _called(column: Column) -> str:
    return f"{column.file}, {column.title or column.name}" if column.is_cell else column.file


def _sampled_pairs(one: Column, other: Column) -> list[tuple[str | None, str | None]]:
    pairs = list(zip(one.segments, other.segments, strict=True))
    return pairs[:: max(1, len(pairs) // _MOST_LINES)]


def _letters(text: str | None) -> str:
    """The letters with their marks and the digits of a text in small letters, without marks of tokens and subwords."""
    whole = html.unescape((text or "")[:_LONGEST_LINE]).casefold()
    return "".join(char for char in whole if unicodedata.category(char)[0] in "LMN")
