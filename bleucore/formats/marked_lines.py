"""Texts with a mark before each line (a number, a name, words of a treebank) -> columns without the marks."""

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from types import MappingProxyType

from bleucore.errors import InputError
from bleucore.formats import decoding
from bleucore.formats.columns import Column, Role
from bleucore.formats.line_reading import LineFormat, column_of, lines_in, odd_line
from bleucore.formats.object_cells import printed_texts
from bleucore.formats.usual_names import role_of
from bleucore.values import shown

_FEW, _LEAST_NUMBERED, _LEAST_ITEMS, _MOST_SAID = 3, 5, 2, 2
_MARKED = re.compile(r"\s{0,3}([\[(（#]?)(\d{1,9})(\]|[)）][.:]?|[.:、．]|\t|(?= ?\|\|\| ?))[ \t]*(?:\|\|\| ?)?")
_HEAD = re.compile(r"[\[(<*]{0,2}([A-Z][\w .-]{0,29}?|[\w.-]{1,30}?)[\])>*]{0,2}(?::(?:[ \t]|$)|[ \t]*\t)")
_RULE = re.compile(r"[\W_]{3,200}|\W{0,5}(?:[A-Za-z]{1,20}[ _#-]{0,2})?\d{1,9}\W{0,5}")
"""What stands between the lines of two items."""
_NAME_ALONE = re.compile(r"[\[(<*]{0,2}[A-Za-z][\w .-]{0,29}[\])>*]{0,2}:")
_FRAMES = {
    "times": re.compile(
        r"\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?Z?\]?[ \t]*(?:[|-][ \t]*)?"
        r"(?:\[?(?:DEBUG|INFO|WARNING|ERROR)\]?[ \t:|-]{1,3}(?:[\w.]{1,60}[:|][ \t]?)?)?(?P<text>.*)"
    ),
    "levels of a log": re.compile(r"(?:DEBUG|INFO|WARNING|ERROR|CRITICAL):[\w.]{0,60}:[ \t]?(?P<text>.*)"),
    "frames of subtitles": re.compile(r"\{\d{1,9}\}\{\d{1,9}\}(?P<text>.*)"),
    "scores": re.compile(r"-?\d{1,9}\.\d{1,20} \|\|\| (?P<text>.*)"),
    "marks of segments": re.compile(r"[ \t]{0,9}<seg(?: id=\"[^\"<>]{0,99}\")?>(?P<text>.*)</seg>[ \t]*"),
}
_OF_QUESTIONS: Mapping[str, Role] = MappingProxyType(
    {"q": "source", "question": "source", "a": "hypothesis", "answer": "hypothesis"}
)
_TREEBANK_TEXT = re.compile(r"# text = (.*)")
_WORD = re.compile(r"\d+(?:[-.]\d+)?\t\S")


def _numbers(lines: Sequence[str]) -> Iterator[tuple[tuple[str, str], int] | None]:
    """How each line's number is marked, and the number; ``None`` for a line without one."""
    for line in lines:
        match = _MARKED.match(line)
        yield None if match is None else ((match[1], match[3]), int(match[2]))


def _is_numbered(head: str) -> bool:
    """Whether lines carry their own numbers, marked alike, from 0 or 1 on; a tab more would be a table."""
    lines = lines_in(head)
    found = [*_numbers(lines)]
    if len(lines) < _LEAST_NUMBERED or None in found or any(line.count("\t") > 1 for line in lines):
        return False
    marks = {one[0] for one in found if one is not None}
    numbers = [one[1] for one in found if one is not None]
    return len(marks) == 1 and numbers[0] in (0, 1) and numbers == [*range(numbers[0], numbers[0] + len(numbers))]


def numbered_lines(text: str) -> list[str] | None:
    """The lines of a text without the numbers that they carry; ``None`` where they carry none.

    A model may say something before the first line and after the last.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    places = [place for place, line in enumerate(lines) if _MARKED.match(line)]
    if not places or len(lines) - len(places) > _MOST_SAID:
        return None
    lines = lines[places[0] : places[-1] + 1]
    if not _is_numbered("\n".join([*lines, ""])):
        return None
    return [_MARKED.sub("", line, count=1) for line in lines]


def _is_printed(head: str) -> bool:
    lines = lines_in(head)
    return len(lines) >= _LEAST_NUMBERED and bool(printed_texts(lines))


def _printed(file: str, text: str) -> Sequence[Column]:
    """The texts of lines that Python printed as bytes or in lists, or that are blocks of a web page."""
    lines = decoding.lines_of(file, text)
    filled = [(number, line) for number, line in enumerate(lines, start=1) if line.strip()]
    texts = printed_texts([line for _, line in filled])
    if texts is None:
        number, line = next(one for one in filled if not printed_texts([filled[0][1], one[1]]))
        raise odd_line(file, number, line, f"one text, as in {shown(filled[0][1])}")
    of_lines = dict(zip((number for number, _ in filled), texts, strict=True))
    said = f"{file}: each line holds one text with marks of a program around it, which are left out."
    return [column_of(file, [of_lines.get(number, "") for number in range(1, len(lines) + 1)], None, said)]


def _numbered(file: str, text: str) -> Sequence[Column]:
    """The lines without their numbers."""
    lines = decoding.lines_of(file, text)
    while lines and not lines[-1].strip():
        lines.pop()
    texts: list[str] = []
    ids: list[str] = []
    for place, line in enumerate(lines):
        match = _MARKED.match(line)
        first = ids[0] if ids else "" if match is None else match[2]
        expected = int(first or 0) + place
        if match is None or int(match[2]) != expected:
            raise InputError(
                "this line lacks the number that all earlier lines have",
                where=file,
                line=place + 1,
                found=shown(line),
                expected=f"the number {expected} before the text",
                remedy="Number every line, or take the numbers off all lines.",
            )
        ids.append(str(expected))  # "007" is 7
        texts.append(line[match.end() :])
    said = f"{file}: the numbers before the lines are no part of the texts; first “{lines[0][:20].strip()}”."
    return [column_of(file, texts, ids, said)]


def _head(line: str) -> str | None:
    match = _HEAD.match(line.strip())
    return None if match is None else match[1].strip()


def _heads(lines: Sequence[str]) -> list[str]:
    """The names before the lines of one item, where all items have the same in the same order; else nothing."""
    if not lines or _head(lines[0]) is None:
        return []
    heads = [_head(line) for line in lines]
    first = heads[0]
    if None in heads or first not in heads[1:]:
        return []
    names = heads[: heads.index(first, 1)]
    n_items = len(heads) // len(names)
    known = [name for name in names if name is not None]
    is_same = all(head == names[place % len(names)] for place, head in enumerate(heads))
    return known if is_same and n_items >= _LEAST_ITEMS and len(set(known)) == len(known) > 1 else []


def _without_rules(lines: Sequence[str]) -> list[tuple[int, str]]:
    """The lines with their numbers, without rules; a name alone in a line together with the text beneath it."""
    found: list[tuple[int, str]] = []
    alone = {line for line in map(str.strip, lines) if _NAME_ALONE.fullmatch(line) is not None}
    for number, line in enumerate(map(str.strip, lines), start=1):
        if not line or _RULE.fullmatch(line) is not None:
            continue
        if found and found[-1][1] in alone and not (line in alone or _begins_with_any(line, alone)):
            found[-1] = (found[-1][0], f"{found[-1][1]} {line}")
        else:
            found.append((number, line))
    return found


def _begins_with_any(line: str, names: AbstractSet[str]) -> bool:
    """Whether a line has one of these names before its text."""
    match = _HEAD.match(line)
    return match is not None and match[0].rstrip() in names


def _is_headed(head: str) -> bool:
    names = _heads([line for _, line in _without_rules(lines_in(head))])
    return len(names) >= _LEAST_ITEMS and any(_role_of(name) for name in names)


def _role_of(name: str) -> Role | None:
    return _OF_QUESTIONS.get(name.casefold()) or role_of(name)


def _headed(file: str, text: str) -> Sequence[Column]:
    """The texts of each item by the names before them: source, reference, systems."""
    lines = decoding.lines_of(file, text)
    filled = _without_rules(lines)
    names = _heads([line for _, line in _without_rules(lines[:400])])
    texts: dict[str, list[str]] = {name: [] for name in names}
    for place, (number, line) in enumerate(filled):
        expected = names[place % len(names)]
        match = _HEAD.match(line)
        if match is None or match[1].strip() != expected:
            raise odd_line(file, number, line, f"a line that begins with {shown(expected)}")
        texts[expected].append(line[match.end() :].strip())
    if len(filled) % len(names):
        raise odd_line(file, filled[-1][0], filled[-1][1], f"a line that begins with {names[len(filled) % len(names)]}")
    return _with_roles(file, names, texts)


def _with_roles(file: str, names: Sequence[str], texts: dict[str, list[str]]) -> list[Column]:
    roles = {name: _role_of(name) for name in names}
    is_open = "reference" in roles.values()  # other names are systems only beside a reference
    columns = []
    for name in names:
        known = roles[name]
        role: Role | None = "hypothesis" if known is None and is_open else known
        called = "" if role == "hypothesis" and list(roles.values()).count("hypothesis") == 1 and not is_open else name
        one = column_of(file, texts[name], None, name=called, role=role)
        columns.append(one)
    return columns


def _is_treebank(head: str) -> bool:
    lines = lines_in(head)
    words = [line for line in lines if not line.startswith("#")]
    return len(words) >= _FEW and all(map(_WORD.match, words)) and any(map(_TREEBANK_TEXT.fullmatch, lines))


def _treebank(file: str, text: str) -> Sequence[Column]:
    """The sentences of CoNLL-U, as "# text" has them."""
    texts = [match[1] for line in decoding.lines_of(file, text) if (match := _TREEBANK_TEXT.fullmatch(line))]
    return [column_of(file, texts, None, f"{file}: read as CoNLL-U; the texts are those of “# text”.")]


def _frame_of(lines: Sequence[str]) -> str | None:
    """What stands around the text of every line, if that is one of the usual frames."""
    if len(lines) < _FEW:
        return None
    for called, frame in _FRAMES.items():
        found = [match["text"] for line in lines if (match := frame.fullmatch(line)) is not None]
        if len(found) == len(lines) <= 2 * sum(map(bool, found)):  # times alone are no texts
            return called
    return None


def _is_framed(head: str) -> bool:
    return _frame_of(lines_in(head)) is not None


def _framed(file: str, text: str) -> Sequence[Column]:
    """The texts inside of what stands before, or around, every line."""
    lines = decoding.lines_of(file, text)
    called = _frame_of(lines_in("\n".join(lines[:400]))) or ""
    texts: list[str] = []
    for number, line in enumerate(lines, start=1):
        match = _FRAMES[called].fullmatch(line)
        if match is None and line.strip():
            raise odd_line(file, number, line, f"{called} before the text, as in all other lines")
        inside = "" if match is None else match["text"]
        texts.append(inside.replace("|", " ") if called == "frames of subtitles" else inside)
    return [column_of(file, texts, None, f"{file}: {called} before the lines are no part of the texts.")]


MARKED_LINES = (
    LineFormat("framed lines", _is_framed, _framed),
    LineFormat("CoNLL-U", _is_treebank, _treebank),
    LineFormat("printed lines", _is_printed, _printed),
    LineFormat("numbered lines", _is_numbered, _numbered),
    LineFormat("lines with names", _is_headed, _headed),
)
