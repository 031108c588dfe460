"""Columns that hold no texts: numbers, times, ids, alignments, tags, addresses."""

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from bleucore.formats.columns import Column

_MOST_LOOKED_AT = 2_000
_NEARLY_ALL, _LEAST_LINES = 0.98, 3
_FEW, _MOST = 20, 0.75
"""Lines that are looked at first, and the share of them below which a column is not of a kind."""
_WORDS_OF_A_LABEL, _LINES_A_LABEL, _FEWEST_SYMBOLS, _MOST_SYMBOLS, _SHARE_OF_SYMBOLS = 2, 8, 60, 120, 0.15
_TAGS = (
    "ADJ|ADP|ADV|AUX|CCONJ|DET|INTJ|NOUN|NUM|PART|PRON|PROPN|PUNCT|SCONJ|SYM|VERB|CC|CD|DT|EX|FW|IN|JJ[RS]?|LS|MD|"
    r"NNP?S?|PDT|POS|PRP\$?|RB[RS]?|RP|TO|UH|VB[DGNPZ]?|WDT|WP\$?|WRB|-LRB-|-RRB-|[.,:]|''|``|O|OK|BAD|[BI]-[A-Z]{2,6}"
)
KINDS: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {
        "times": re.compile(
            r"(?=.*\d)(?:\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{2,4})?[T ]?"
            r"(?:\d{1,3}:)?(?:\d{1,2}:\d{2})?(?:[.,]\d+)?"
            r"(?:\s*(?:Z|UTC|[AaPp][Mm]|[-+]\d{2}:?\d{2}))?"
            r"(?:\s*(?:-->|-|–)\s*(?:\d{1,2}:)?\d{1,2}:\d{2}(?:[.,]\d+)?)?"
        ),
        "alignments": re.compile(r"\d+[-–:?p]\d+(?:\s+\d+[-–:?p]\d+)*"),
        "numbers": re.compile(r"[\[(]?[-+−.\s]*\d[-+−\d.,;:|_%eE/\s]*[\])]?"),
        "tags": re.compile(rf"(?:{_TAGS})(?:\s+(?:{_TAGS}))*"),
        "addresses": re.compile(r"(?:https?|ftp|file)://\S+|www\.\S+|[\w./\\-]+\.(?:wav|mp3|flac|txt|png|jpe?g|html?)"),
        "ids": re.compile(
            r"[A-Za-z_#@/.:+=-]*\d[\w#@/.:+=-]*|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
            r"|[A-Za-z]{1,20} #?\d{1,9}|[1-4]?[A-Z]{2,3} \d{1,3}:\d{1,3}(?:-\d{1,3})?"
        ),
        "checksums": re.compile(r"[0-9a-fA-F]{32,128}\s{1,3}\*?\S+"),
        "records": re.compile(r"-?\s{0,9}[\[{](?=[^:=]*[:=]).*[\]}]"),
        "remarks": re.compile(r"(?:#|//|;;|%%) ?\w.*"),
        "language pairs": re.compile(r"[a-z]{2,3}[-_][a-z]{2,3}"),
        "measurements": re.compile(
            r"(?:[A-Za-z_][\w/]{0,30}(?: [A-Za-z_]\w{0,30})?[ =:]{1,3}[-+]?\d[\d.,e%+-]{0,30}[a-z]{0,3}"
            r"(?:\s?[|,;]\s?|\s?$))+"
        ),
        "truth values": re.compile(r"true|false|yes|no|none|null|nan", re.IGNORECASE),
    }
)
"""What a whole line of each kind looks like, in patterns that take a time in proportion to the line."""


def kind_of(column: Column) -> str | None:
    """What a column holds instead of texts; ``None`` for texts, and where there is nothing at all."""
    few = _lines(column, _FEW)
    kinds = [kind for kind, pattern in KINDS.items() if _are_mostly(few, pattern)] if few else []
    lines = _lines(column, _MOST_LOOKED_AT) if kinds else []
    if len(lines) < _LEAST_LINES:
        return None
    return next((kind for kind in kinds if _share(lines, KINDS[kind]) >= _NEARLY_ALL), None)


def is_of_symbols(column: Column) -> bool:
    """Whether a column holds a few symbols again and again: tags, phonemes, labels of a language or a rating.

    Prose that is long enough to tell has more different words.
    """
    lines = _lines(column, _MOST_LOOKED_AT)
    words = [word for line in lines for word in line.split()]
    n_distinct = len({*words})
    if len(lines) < _LEAST_LINES or not lines:
        return False
    if is_of_labels(lines):
        return len({*lines}) <= max(1, len(lines) // _LINES_A_LABEL)
    return len(words) >= _FEWEST_SYMBOLS and n_distinct <= min(_MOST_SYMBOLS, _SHARE_OF_SYMBOLS * len(words))


def is_of_labels(lines: Sequence[str]) -> bool:
    """Whether each line has no more words than a label has."""
    return all(len(line.split()) <= _WORDS_OF_A_LABEL for line in lines)


def _lines(column: Column, most: int) -> list[str]:
    """Some lines that are not empty, from everywhere in a column."""
    filled = [text for text in column.segments[:: max(1, len(column.segments) // (2 * most))] if text]
    lines = [text.strip() for text in filled[:: max(1, len(filled) // most)]]
    return [line for line in lines if line]


def _are_mostly(lines: Sequence[str], pattern: re.Pattern[str]) -> bool:
    """Whether most lines match; lines of a text are no longer looked at once too many do not."""
    n_left = int((1 - _MOST) * len(lines))
    for line in lines:
        n_left -= pattern.fullmatch(line) is None
        if n_left < 0:
            return False
    return True


def _share(lines: Sequence[str], pattern: re.Pattern[str]) -> float:
    return sum(pattern.fullmatch(line) is not None for line in lines) / len(lines)


def is_no_text(column: Column) -> bool:
    """Whether a column holds numbers, times, ids or the like instead of texts, or single words without a blank."""
    lines = [text for text in column.segments[:_MOST_LOOKED_AT] if text]
    return kind_of(column) is not None or not lines or all(line.isascii() and len(line.split()) == 1 for line in lines)
