"""Text -> values of JSON: one document or one value a line, numbers as they are written, bounded in every direction."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from bleucore.errors import InputError
from bleucore.formats import decoding
from bleucore.formats.columns import MAX_COLUMNS, refuse_excess
from bleucore.values import shown

_FIRST_LINES = 20
_OBJECT_START = re.compile(r'\s*(?:\[\s*)?\{\s*"(?:[^"\\\n]|\\.)*"\s*:')
_BETWEEN = re.compile(r"[\s\x1e]*")
_ARRAY_START = re.compile(r'\s*\[\s*["\[]')
_STARTS_OF_LINES = ("{", "}", "[", "]", '"')


class Number(str):
    """A number as it is written, so that "1.50" and an integer of any length stay what they are."""

    __slots__ = ()


@dataclass(frozen=True)
class JsonPlace:
    """Where a value stands: in a line of JSON Lines, or as an item of an array."""

    line: int | None
    item: int | None = None

    def refusal(self, file: str, problem: str, *, found: object, expected: str, remedy: str) -> InputError:
        """The error that names this place."""
        where = file if self.item is None else f"{file}, item {self.item:,}"
        return InputError(problem, where=where, line=self.line, found=found, expected=expected, remedy=remedy)

    def __str__(self) -> str:
        """In words, for notices."""
        return f"line {self.line:,}" if self.item is None else f"item {self.item:,}"


@dataclass(frozen=True)
class Values:
    """What a file holds.

    Attributes:
        items: The values, of an array or one a line; a document of another kind is the only one.
        places: Where each stands.
        is_array: Whether the items are those of an array or of lines.
        blank_lines: How many blank lines stand between them.
    """

    items: tuple[object, ...]
    places: tuple[JsonPlace, ...]
    is_array: bool
    blank_lines: int = 0


def looks_like_json(text: str) -> bool:
    """Whether the text is JSON or JSON Lines of objects or arrays, whole or damaged.

    A text that merely begins with a bracket is a text: JSON has most of its first lines begin as values do.
    """
    if _OBJECT_START.match(text):
        lines = [line.strip() for line in text[: 1 << 16].split("\n")]
        first = [line for line in lines if line][:_FIRST_LINES]
        return 2 * sum(line.startswith(_STARTS_OF_LINES) for line in first) >= len(first)
    if not _ARRAY_START.match(text):
        return False
    try:
        _document(text)
    except json.JSONDecodeError as error:
        return error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string")
    except (RecursionError, ValueError):
        return True
    return True


def json_values(file: str, text: str) -> Values:
    """The values of a file.

    Raises:
        InputError: It is no JSON, an object has a name twice, or there is too much or too deep for any test set.
    """
    try:
        document = _document(text)
    except json.JSONDecodeError as error:
        if error.msg.startswith("Extra data") and error.lineno > 1:
            return _lines(file, text) if _is_value(text.lstrip().partition("\n")[0]) else _one_after_another(file, text)
        first = text.lstrip().partition("\n")[0]
        if "\n" in text.strip() and _is_value(first):
            return _lines(file, text)
        raise _broken(file, error, error.lineno) from error
    except (RecursionError, ValueError) as error:
        raise _unfit(file, error, None) from error
    if isinstance(document, list):
        refuse_excess(file, len(document))
        return Values(
            tuple(document), tuple(JsonPlace(None, number) for number in range(1, len(document) + 1)), is_array=True
        )
    return Values((document,), (JsonPlace(1),), is_array=False)


def json_value(file: str, text: str, line: int) -> object:
    """The one value that a line, or a part of it, holds.

    Raises:
        InputError: As ``json_values``.
    """
    try:
        return _document(text)
    except json.JSONDecodeError as error:
        raise _broken(file, error, line) from error
    except (RecursionError, ValueError) as error:
        raise _unfit(file, error, line) from error


def _lines(file: str, text: str) -> Values:
    items, places = list[object](), list[JsonPlace]()
    lines = decoding.lines_of(file, text)
    while lines and not lines[-1].strip():
        lines.pop()
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        items.append(json_value(file, line, number))
        places.append(JsonPlace(number))
    return Values(tuple(items), tuple(places), is_array=True, blank_lines=len(lines) - len(items))


def _one_after_another(file: str, text: str) -> Values:
    """Values that follow each other over several lines, as jq writes them.

    Raises:
        InputError: One is broken, or there are too many.
    """
    items, places = list[object](), list[JsonPlace]()
    position = line = 0
    while (start := _BETWEEN.match(text, position).end()) < len(text):  # type: ignore[union-attr]  # it matches nothing, too
        line += text.count("\n", position, start)
        try:
            value, end = _DECODER.raw_decode(text, start)
        except json.JSONDecodeError as error:
            raise _broken(file, error, error.lineno) from error
        except (RecursionError, ValueError) as error:
            raise _unfit(file, error, line + 1) from error
        items.append(value)
        places.append(JsonPlace(line + 1))
        refuse_excess(file, len(items))
        line += text.count("\n", start, end)
        position = end
    return Values(tuple(items), tuple(places), is_array=True)


def _is_value(line: str) -> bool:
    """Whether the line is a value of its own."""
    try:
        _document(line)
    except (RecursionError, ValueError):
        return False
    return True


def _document(text: str) -> object:
    return json.loads(text, object_pairs_hook=_fields, parse_int=Number, parse_float=Number, parse_constant=Number)


class _TooMuchError(ValueError):
    """An object that no reader here can use, with what is wrong with it."""

    def __init__(self, problem: str, found: str, expected: str) -> None:
        super().__init__(problem)
        self.problem, self.found, self.expected = problem, found, expected


def _fields(pairs: list[tuple[str, object]]) -> dict[str, object]:
    if len(pairs) > MAX_COLUMNS and not all(name.isdecimal() for name, _ in pairs):
        raise _TooMuchError("an object holds too many names", f"{len(pairs):,}", f"at most {MAX_COLUMNS:,}")
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(_repeated(names))
        raise _TooMuchError("an object has the same name twice", shown(twice), "each name once")
    return fields


def _repeated(names: list[str]) -> Iterator[str]:
    seen = set[str]()
    for name in names:
        if name in seen:
            yield name
        seen.add(name)


_DECODER = json.JSONDecoder(object_pairs_hook=_fields, parse_int=Number, parse_float=Number, parse_constant=Number)


def _broken(file: str, error: json.JSONDecodeError, line: int) -> InputError:
    return InputError(
        "the JSON is broken",
        where=file,
        line=line,
        found=f"something else at position {error.colno:,}: {error.msg[:1].lower()}{error.msg[1:]}",
        expected="one JSON value, or one a line",
        remedy="Write the file again with a program that writes JSON, or load it complete.",
    )


def _unfit(file: str, error: RecursionError | ValueError, line: int | None) -> InputError:
    remedy = "Keep source, reference and hypothesis of each segment, and leave out the rest."
    if isinstance(error, _TooMuchError):
        return InputError(
            error.problem, where=file, line=line, found=error.found, expected=error.expected, remedy=remedy
        )
    return InputError("the JSON is nested too deeply", where=file, line=line, expected="a few levels", remedy=remedy)
