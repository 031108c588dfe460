"""Texts in which lines mean something: subtitles, catalogues of messages, logs of toolkits, transcripts, Markdown."""

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby

from bleucore.errors import InputError
from bleucore.formats import decoding, tables
from bleucore.formats.columns import Column, Role, refuse_excess
from bleucore.formats.names import stem
from bleucore.values import shown

_HEAD = 1 << 16
_MOST_LINES = 400
"""Of a file, that are looked at to see what it is."""
_FEW = 3

_TIME = r"(?:\d{1,3}:)?\d{1,2}:\d{2}[,.]\d{1,3}"
_CUE = re.compile(rf"\s*({_TIME})\s*-->\s*{_TIME}")
_SRT = re.compile(rf"\s*\d+[ \t]*\r?\n\s*{_TIME}\s*-->\s*{_TIME}")
_QUOTED = r'"((?:[^"\\]|\\.)*)"'
_STRINGS = re.compile(rf"\s*{_QUOTED}\s*=\s*{_QUOTED}\s*;\s*(?://.*)?")
_MESSAGE = re.compile(rf"(msgctxt|msgid_plural|msgid|msgstr(?:\[\d+\])?)\s+{_QUOTED}\s*")
_CONTINUED = re.compile(rf"\s*{_QUOTED}\s*")
_TOOLKIT = re.compile(r"([STHDPAEIR])-(\d+)\t(.*)", re.DOTALL)
_NBEST = re.compile(r"\s*(\d+) \|\|\| (.*?) ?\|\|\|(?: |$)")
_RULE = re.compile(r":?-+:?")
_ESCAPED = re.compile(r"\\(?:U([0-9a-fA-F]{4})|u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_LETTERS = {"n": " ", "r": " ", "t": " "}


@dataclass(frozen=True)
class LineFormat:
    """A format that its lines tell.

    Attributes:
        called: Its name among the formats.
        recognises: Of the beginning of a text: whether it is of this format.
        columns: Of a file's name and its text: the columns.
    """

    called: str
    recognises: Callable[[str], bool]
    columns: Callable[[str, str], Sequence[Column]]

    def is_of(self, text: str) -> bool:
        """Whether a text is of this format, by its beginning."""
        return self.called in _formats_of(_head(text))


def is_of_lines(text: str) -> bool:
    """Whether a text is of any of these formats, and not one segment a line."""
    return bool(_formats_of(_head(text)))


def _head(text: str) -> str:
    head = text[:_HEAD]
    return head[: head.rfind("\n") + 1] if len(text) > _HEAD else head


@lru_cache(maxsize=64)
def _formats_of(head: str) -> frozenset[str]:
    """The formats that a beginning is of; the same one is asked about for each format, and again when it is read."""
    return frozenset(one.called for one in LINE_FORMATS if one.recognises(head))


def _lines(head: str) -> list[str]:
    return [line for line in head.split("\n", _MOST_LINES)[:_MOST_LINES] if line.strip()]


def _column(
    file: str, texts: Sequence[str], ids: Sequence[str] | None, *notices: str, name: str = "", role: Role | None = None
) -> Column:
    refuse_excess(file, len(texts))
    return Column(
        file,
        name or stem(file),
        role,
        tuple(texts),
        None,
        1,
        notices,
        is_cell=role is not None,
        ids=None if ids is None or len(set(ids)) < len(ids) else tuple(ids),
    )


def _nothing_in(file: str, called: str, what: str) -> InputError:
    return InputError(
        f"this {called} holds no texts",
        where=file,
        found=f"no {what}",
        expected=f"a {what} for each segment",
        remedy="Load the complete file.",
    )


def _is_subtitles(head: str) -> bool:
    return head.startswith("WEBVTT") or _SRT.match(head) is not None


def _cues(file: str, text: str) -> Sequence[Column]:
    """The text of each cue in one line; cues of several files belong together by the time at which they begin."""
    texts: list[str] = []
    begins: list[str] = []
    lines, is_of_web = decoding.lines_of(file, text), text.startswith("WEBVTT")
    places = [number for number, line in enumerate(lines) if _CUE.match(line)]
    for place, following in zip(places, [*places[1:], len(lines)], strict=True):
        body = lines[place + 1 : following]
        if is_of_web:  # remarks, styles and names of cues stand behind a blank line
            body = body[: next((number for number, line in enumerate(body) if not line.strip()), None)]
        elif following < len(lines) and body and body[-1].strip().isdecimal():
            body.pop()  # the number of the next cue
        begin = _CUE.match(lines[place])
        begins.append("" if begin is None else _milliseconds(begin[1]))
        texts.append(" ".join(line.strip() for line in body if line.strip()))
    if not texts:
        raise _nothing_in(file, "subtitle file", "cue")
    said = f"{file}: read as subtitles; times and numbers of {len(texts):,} cues are no part of the texts."
    return [_column(file, texts, begins, said)]


def _milliseconds(written: str) -> str:
    *larger, seconds = written.replace(",", ".").split(":")
    total = 0
    for part in larger:
        total = 60 * total + int(part)
    whole, _, rest = seconds.partition(".")
    return str((60 * total + int(whole)) * 1000 + int(rest.ljust(3, "0")[:3]))


def _is_catalogue(head: str) -> bool:
    lines = _lines(head)
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
        raise _nothing_in(file, "message catalogue", "msgstr")
    notices = [f"{file}: read as a message catalogue; the source is what stands under msgid."]
    n_empty = sum(not one for one in texts)
    notices += [f"{file}: {n_empty:,} of {len(texts):,} messages have no translation."] if n_empty else []
    source_column = _column(file, sources, ids, name="source", role="source")
    return [source_column, replace(_column(file, texts, ids, *notices), is_cell=False)]


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
            raise _odd_line(file, number, line, "msgid, msgstr or a text in quotes")
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
    lines = list(_without_comments(_lines(head)))
    return bool(lines) and all(_STRINGS.fullmatch(line) for _, line in lines)


def _without_comments(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The lines with a text in Apple's form, with their numbers."""
    is_inside = False
    for number, line in enumerate(lines, start=1):
        stripped = line.strip()
        if is_inside or stripped.startswith("/*"):
            is_inside = "*/" not in stripped
        elif stripped and not stripped.startswith("//"):
            yield number, stripped


def _odd_line(file: str, number: int, line: str, expected: str) -> InputError:
    return InputError(
        "this line is none of the format",
        where=file,
        line=number,
        found=shown(line),
        expected=expected,
        remedy="Load the file as the program wrote it.",
    )


def _strings(file: str, text: str) -> Sequence[Column]:
    """The texts of an app in Apple's form, each with its key."""
    found: list[re.Match[str]] = []
    for number, line in _without_comments(decoding.lines_of(file, text)):
        match = _STRINGS.fullmatch(line)
        if match is None:
            raise _odd_line(file, number, line, '"key" = "text";')
        found.append(match)
    if not found:
        raise _nothing_in(file, "strings file", "text")
    said = f"{file}: read as texts of an app; {len(found):,} keys are no part of the texts."
    return [_column(file, [_unescaped(one[2]) for one in found], [one[1] for one in found], said)]


def _is_toolkit(head: str) -> bool:
    lines = _lines(head)
    letters = [match[1] for line in lines if (match := _TOOLKIT.fullmatch(line))]
    is_whole = {"H", "D"} & {*letters} and {"S", "T", "P"} & {*letters}
    return len(letters) >= min(_FEW, max(1, len(lines))) and bool(
        is_whole or ({*letters} <= {"H", "D"} and len(letters) == len(lines))
    )


def _toolkit(file: str, text: str) -> Sequence[Column]:
    """What fairseq wrote: sources, references and outputs, in the order of their numbers."""
    by_letter: dict[str, dict[int, str]] = {}
    n_further = 0
    for number, line in enumerate(decoding.lines_of(file, text), start=1):
        match = _TOOLKIT.fullmatch(line)
        if match is None or match[1] in "PAEIR":
            continue
        letter, index, rest = match[1], int(match[2]), match[3]
        if letter in "HD":
            score, tab, rest = rest.partition("\t")
            if not tab:
                raise InputError(
                    "an output has no score before it",
                    where=file,
                    line=number,
                    found=shown(score),
                    expected="H-0, a score and the text, with tabs between them",
                    remedy="Load the file as fairseq-generate wrote it.",
                )
        found = by_letter.setdefault(letter, {})
        n_further += index in found and letter in "HD"
        found.setdefault(index, rest)
    outputs = by_letter.get("D") or by_letter.get("H") or {}
    ids = sorted({index for found in by_letter.values() for index in found})
    columns: list[Column] = []
    notices = [f"{file}: read as the log of fairseq-generate, put into the order of its numbers."]
    notices += [f"{file}: of several outputs of a segment the first is kept; {n_further:,} more."] if n_further else []
    parts: tuple[tuple[dict[int, str], str, Role], ...] = (
        (by_letter.get("S", {}), "source", "source"),
        (by_letter.get("T", {}), "reference", "reference"),
        (outputs, stem(file), "hypothesis"),
    )
    for part, name, role in parts:
        if not part:
            continue
        missing = next((index for index in ids if index not in part), None)
        if missing is not None:
            raise InputError(
                "a line is missing",
                where=file,
                found=f"no {name} number {missing:,}",
                expected="each number once for source, reference and output",
                remedy="Load the complete log.",
            )
        said = notices if role == "hypothesis" else []
        columns.append(_column(file, [part[index] for index in ids], [*map(str, ids)], *said, name=name, role=role))
    return columns


def _is_nbest(head: str) -> bool:
    lines = _lines(head)
    numbers = [int(match[1]) for line in lines if (match := _NBEST.match(line))]
    return len(numbers) == len(lines) > 0 and numbers == sorted(numbers)


def _nbest(file: str, text: str) -> Sequence[Column]:
    """The best of each list; scores and features are no texts."""
    best: dict[int, str] = {}
    n_lines = 0
    for number, line in enumerate(decoding.lines_of(file, text), start=1):
        if not line.strip():
            continue
        match = _NBEST.match(line)
        if match is None:
            raise _odd_line(file, number, line, "number ||| text ||| features ||| score")
        best.setdefault(int(match[1]), match[2])
        n_lines += 1
    numbers = sorted(best)
    said = f"{file}: read as n-best lists; the first of {n_lines / len(best):.0f} outputs of each segment is kept."
    return [_column(file, [best[number] for number in numbers], [*map(str, numbers)], said)]


def _shape(key: str) -> str:
    """What a key looks like: letters and digits by kind, each run once."""
    kinds = ("9" if char.isdigit() else "a" if char.isalpha() else char for char in key)
    return "".join(kind for kind, _ in groupby(kinds))


def _are_keys(keys: Sequence[str]) -> bool:
    """Whether these are the keys of utterances: each once, with letters and digits, and all alike."""
    is_mixed = all(any(char.isdigit() for char in key) and any(char.isalpha() for char in key) for key in keys)
    return len(keys) >= _FEW and is_mixed and len(set(keys)) == len(keys) and len({*map(_shape, keys)}) == 1


def _refuse_odd_key(file: str, keys: Sequence[str]) -> None:
    """Refuse a file of which most lines have keys, and one has none or another one's."""
    seen = set[str]()
    for number, key in enumerate(keys, start=1):
        if key in seen or _shape(key) != _shape(keys[0]):
            raise InputError(
                "most lines have a key, and this one has none of its own",
                where=file,
                line=number,
                found=shown(key) if key else "no key",
                expected=f"a key like {shown(keys[0])} on each line, each once",
                remedy="Give every line its key, or take the keys off all lines.",
            )
        seen.add(key)


def _is_keyed(head: str) -> bool:
    found = [line.split() for line in _lines(head)]
    keys = [words[0] for words in found]
    if any("://" in key or key[-1] in ".,:;!?)" for key in keys) or not _are_keys(keys):
        return False
    if 2 * sum(len(words) > 1 for words in found) < len(found):
        return False
    is_made = len({*map(len, keys)}) == 1 or all("-" in key or "_" in key for key in keys)
    return is_made and _shape(keys[0]) not in {_shape(word) for words in found for word in words[1:]}


def _keyed(file: str, text: str) -> Sequence[Column]:
    """A text of Kaldi: a key before each line."""
    pairs = [line.split(None, 1) for line in decoding.lines_of(file, text) if line.strip()]
    keys, texts = [pair[0] for pair in pairs], ["".join(pair[1:]) for pair in pairs]
    _refuse_odd_key(file, keys)
    said = f"{file}: read as a text of Kaldi; {shown(keys[0])} and the other keys are no part of the texts."
    return [_column(file, texts, keys, said)]


def _is_transcript(head: str) -> bool:
    return _are_keys([_said_by(line)[1] for line in _lines(head)])


def _said_by(line: str) -> tuple[str, str]:
    """A text, and the key in brackets behind it; "" where there is none."""
    text, _, key = line.rstrip().removesuffix(")").rpartition("(")
    is_key = line.rstrip().endswith(")") and len(key.split()) == 1
    return (text.rstrip(), key) if is_key else (line, "")


def _transcript(file: str, text: str) -> Sequence[Column]:
    """A transcript of sclite: a key in brackets behind each line."""
    texts, keys = zip(*(_said_by(line) for line in decoding.lines_of(file, text) if line.strip()), strict=True)
    _refuse_odd_key(file, keys)
    said = f"{file}: read as a transcript; {shown(f'({keys[0]})')} and the other keys are no part of the texts."
    return [_column(file, texts, keys, said)]


def _is_markdown(head: str) -> bool:
    lines = _lines(head)
    return len(lines) >= _FEW and all("|" in line for line in lines[:_FEW]) and _is_rule(lines[1])


def _is_rule(line: str) -> bool:
    """Whether a line parts the titles of a table from its rows."""
    return all(_RULE.fullmatch(cell.strip()) for cell in line.strip().strip("|").split("|"))


def _markdown(file: str, text: str) -> Sequence[Column]:
    """A table of Markdown."""
    rows: list[tables.Row] = []
    for number, line in enumerate(decoding.lines_of(file, text), start=1):
        if line.strip() and not (len(rows) == 1 and _is_rule(line)):
            inside = line.strip().removeprefix("|")
            inside = inside[:-1] if inside.endswith("|") and not inside.endswith(r"\|") else inside
            cells = [cell.strip().replace(r"\|", "|") for cell in re.split(r"(?<!\\)\|", inside)]
            rows.append(tables.Row(number, number + 1, cells))
    return tables.columns_of_rows(file, iter(rows), header=True)


LINE_FORMATS: tuple[LineFormat, ...] = (
    LineFormat("subtitles", _is_subtitles, _cues),
    LineFormat("message catalogue", _is_catalogue, _messages),
    LineFormat("texts of an app", _is_strings, _strings),
    LineFormat("log of fairseq", _is_toolkit, _toolkit),
    LineFormat("n-best lists", _is_nbest, _nbest),
    LineFormat("text of Kaldi", _is_keyed, _keyed),
    LineFormat("transcript", _is_transcript, _transcript),
    LineFormat("table of Markdown", _is_markdown, _markdown),
)
"""In the order in which a text is looked at."""
