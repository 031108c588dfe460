"""Texts of apps -> columns: catalogues of messages, and texts by their keys."""

import re
import string
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from bleucore.formats import decoding
from bleucore.formats.columns import Column
from bleucore.formats.line_reading import LineFormat, column_of, lines_in, nothing_in, odd_line

_FEW = 3
_PROPERTY = re.compile(r"([\w.$@/-]{1,200})[ \t]*=[ \t]*(.*)")
_ATTRIBUTE = re.compile(r"[ \t]{1,99}\.([\w-]{1,200})[ \t]*=[ \t]*(.*)")
"""Of a message of Fluent: ".label = text"."""
_LETTERS_OF_KEYS = frozenset(string.ascii_letters)
"""A key of letters alone may be a word of a text: "x = y"."""
_QUOTED = r'"((?:[^"\\]|\\.)*)"'
_STRINGS = re.compile(rf"\s*{_QUOTED}\s*=\s*{_QUOTED}\s*;\s*(?://.*)?")
_MESSAGE = re.compile(rf"(msgctxt|msgid_plural|msgid|msgstr(?:\[\d+\])?)\s+{_QUOTED}\s*")
_CONTINUED = re.compile(rf"\s*{_QUOTED}\s*")
_ESCAPED = re.compile(r"\\(?:U([0-9a-fA-F]{4})|u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_LETTERS = {"n": " ", "r": " ", "t": " "}


def _is_catalogue(head: str) -> bool:
    lines = lines_in(head)
    kept = [line for line in lines if not line.startswith("#")]
    is_known = [bool(_MESSAGE.fullmatch(line.rstrip()) or _CONTINUED.fullmatch(line)) for line in kept]
    starts = ("msgid", "msgstr")
    return bool(kept) and all(is_known) and all(any(line.startswith(one) for line in kept) for one in starts)


def _messages(file: str, text: str) -> Sequence[Column]:
    """Source and translation of each message; the header and messages that are out of use are left out."""
    ids: list[str] = []
    sources: list[str] = []
    texts: list[str] = []
    for entry in _entries(file, decoding.lines_of(file, text)):
        if not entry.get("msgid"):
            continue
        for key, translation in entry.items():
            if key.startswith("msgstr"):
                is_plural = key not in ("msgstr", "msgstr[0]")
                source = entry.get("msgid_plural", entry["msgid"]) if is_plural else entry["msgid"]
                ids.append("\x04".join([entry.get("msgctxt", ""), entry["msgid"], key]))
                sources.append(source)
                texts.append(translation)
    if not texts:
        raise nothing_in(file, "message catalogue", "msgstr")
    notices = [f"{file}: read as a message catalogue; the source is what stands under msgid."]
    n_empty = sum(not one for one in texts)
    notices += [f"{file}: {n_empty:,} of {len(texts):,} messages have no translation."] if n_empty else []
    source_column = column_of(file, sources, ids, name="source", role="source")
    return [source_column, replace(column_of(file, texts, ids, *notices), is_cell=False)]


def _entries(file: str, lines: Sequence[str]) -> Iterator[dict[str, str]]:
    entry: dict[str, str] = {}
    key = ""
    for number, line in enumerate(lines, start=1):
        stripped = line.strip()
        begun = _MESSAGE.fullmatch(stripped)
        continued = _CONTINUED.fullmatch(stripped)
        if begun is not None:
            if begun[1] in ("msgctxt", "msgid") and any(one.startswith("msgstr") for one in entry):
                yield entry
                entry = {}
            key = begun[1]
            entry[key] = _unescaped(begun[2])
        elif continued is not None and key:
            entry[key] = f"{entry[key]}{_unescaped(continued[1])}"
        elif stripped and not stripped.startswith("#"):
            raise odd_line(file, number, line, "msgid, msgstr or a text in quotes")
    if entry:
        yield entry


def _unescaped(text: str) -> str:
    def meant(match: re.Match[str]) -> str:
        code = match[1] or match[2]
        if code is None:
            return _LETTERS.get(match[3], match[3])
        found = chr(int(code, 16))
        return "\ufffd" if unicodedata.category(found) == "Cs" else found

    return _ESCAPED.sub(meant, text)


def _is_strings(head: str) -> bool:
    lines = _without_comments(lines_in(head))
    first = next(lines, None)
    return first is not None and all(_STRINGS.fullmatch(line) for _, line in chain([first], lines))


def _without_comments(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The lines with a text in Apple's form, with their numbers."""
    is_inside = False
    for number, line in enumerate(lines, start=1):
        stripped = line.strip()
        if is_inside or stripped.startswith("/*"):
            is_inside = "*/" not in stripped
        elif stripped and not stripped.startswith("//"):
            yield number, stripped


def _strings(file: str, text: str) -> Sequence[Column]:
    """The texts of an app in Apple's form, each with its key."""
    found: list[re.Match[str]] = []
    for number, line in _without_comments(decoding.lines_of(file, text)):
        match = _STRINGS.fullmatch(line)
        if match is None:
            raise odd_line(file, number, line, '"key" = "text";')
        found.append(match)
    if not found:
        raise nothing_in(file, "strings file", "text")
    said = f"{file}: read as texts of an app; {len(found):,} keys are no part of the texts."
    return [column_of(file, [_unescaped(one[2]) for one in found], [one[1] for one in found], said)]


def _is_properties(head: str) -> bool:
    """Whether all lines are keys and texts: keys without blanks, with a mark or a number in them, and all different."""
    lines = [line for line in lines_in(head) if not line.lstrip().startswith(("#", "!")) and not line[0].isspace()]
    found = [_PROPERTY.fullmatch(line) for line in lines]
    keys = [match[1] for match in found if match is not None]
    is_key = all(len(set(key) - _LETTERS_OF_KEYS) > 0 for key in keys)
    return len(keys) == len(lines) >= _FEW and len(set(keys)) == len(keys) and is_key


def _properties(file: str, text: str) -> Sequence[Column]:
    """The texts of Java's properties, of Fluent, and of other files with a key, "=" and a text in each line."""
    keys: list[str] = []
    texts: list[str] = []
    lines = decoding.lines_of(file, text)
    is_continued, message = False, ""
    for number, line in enumerate(lines, start=1):
        if is_continued:
            texts[-1] = f"{texts[-1]}{line.strip()}"
        elif not line.strip() or line.lstrip().startswith(("#", "!")):
            continue
        elif line[0].isspace() and texts and (attribute := _ATTRIBUTE.fullmatch(line)) is not None:
            keys.append(f"{message}.{attribute[1]}")
            texts.append(attribute[2].strip())
        elif line[0].isspace() and texts:
            texts[-1] = f"{texts[-1]} {line.strip()}"
        else:
            match = _PROPERTY.fullmatch(line)
            if match is None:
                raise odd_line(file, number, line, "key = text")
            message = match[1]
            keys.append(message)
            texts.append(match[2].strip())
        is_continued = (len(texts[-1]) - len(texts[-1].rstrip("\\"))) % 2 == 1
        texts[-1] = texts[-1][:-1] if is_continued else texts[-1]
    said = f"{file}: read as texts of an app; {len(keys):,} keys are no part of the texts."
    return [column_of(file, [_unescaped(one) for one in texts], keys, said)]


APP_TEXTS = (
    LineFormat("message catalogue", _is_catalogue, _messages),
    LineFormat("texts of an app", _is_strings, _strings),
    LineFormat("texts by keys", _is_properties, _properties),
)
