"""Fields of one line or item of a file -> texts, numbers and lists, each checked where it stands."""

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from bleucore.errors import InputError
from bleucore.formats.columns import refuse_excess
from bleucore.formats.json_values import Number
from bleucore.formats.names import stem
from bleucore.metrics.segment_scores import LARGEST_SCORE
from bleucore.values import HALF_A_PAIR, lone_surrogate, shown

LARGEST_PLACE = 10**9
"""No text is as long, and no test set has as many segments."""
_NUMBER = re.compile(r"[-+]?(?:[0-9]{1,400}\.?[0-9]{0,400}|\.[0-9]{1,400})(?:[eE][-+]?[0-9]{1,4})?")
_WHOLE = re.compile(r"-?[0-9]{1,18}")
_MOST_NAMED = 8
_BREAKS = re.compile(r"<br\s*/?>", re.IGNORECASE)
_MARK = "\ufeff"
_MODEL = re.compile(
    r"wmt[0-9]{2}-(?:comet|cometkiwi)-da(?:-xx?l)?|XCOMET-XX?L|metricx-[0-9]{2}(?:-[a-z0-9]{1,16}){1,3}"
)


@dataclass(frozen=True)
class Place:
    """Where something stands.

    Attributes:
        file: The file's name.
        line: Counted from 1.
        system: The name of the system that it is about, "" where there is none or not yet.
        is_item: Whether an item of an array is counted, and not a line.
    """

    file: str
    line: int
    system: str = ""
    is_item: bool = False

    def refusal(self, problem: str, *, found: object, expected: str, remedy: str) -> InputError:
        """The error that names this place."""
        where = f"{self.file}, item {self.line:,}" if self.is_item else self.file
        where += f", system {shown(self.system)}" if self.system else ""
        line = None if self.is_item else self.line
        return InputError(problem, where=where, line=line, found=found, expected=expected, remedy=remedy)


def evened(text: str | None) -> str:
    """The text with blanks and breaks evened out, in Unicode's composed form, without a byte-order mark in front."""
    return " ".join(unicodedata.normalize("NFC", _BREAKS.sub(" ", (text or "").removeprefix(_MARK))).split())


def number(place: Place, title: str, value: object) -> float:
    """The number that is written there.

    Raises:
        InputError: It is none, is not finite, or too large to be added up.
    """
    written = value.strip() if isinstance(value, str) else ""
    found = float(written) if _NUMBER.fullmatch(written) else float("nan")
    if not abs(found) <= LARGEST_SCORE:
        raise place.refusal(
            f"the {title} is not a number",
            found=_written(value),
            expected=f"a number from -{LARGEST_SCORE:g} to {LARGEST_SCORE:g}, such as 0.75",
            remedy="Write a number with a decimal point, or take the line out if nothing was judged.",
        )
    return found


def whole(place: Place, title: str, value: object, least: int = 0) -> int:
    """The whole number that is written there.

    Raises:
        InputError: It is none, or lower than ``least``.
    """
    written = value.strip() if isinstance(value, str) else ""
    if not _WHOLE.fullmatch(written) or not least <= int(written) <= LARGEST_PLACE:
        raise place.refusal(
            f"the {title} is not a whole number",
            found=_written(value),
            expected=f"a whole number from {least}",
            remedy="Load the file as it was written by its program.",
        )
    return int(written)


def text(place: Place, title: str, value: object, *, may_be_empty: bool = False) -> str:
    """The text that is written there, or the digits of a number.

    Raises:
        InputError: It is something else, empty, or holds half of a character.
    """
    surrogate = lone_surrogate(value) if isinstance(value, str) else None
    if not isinstance(value, str) or surrogate is not None or not (may_be_empty or value.strip()):
        raise place.refusal(
            f"the {title} is no text" if surrogate is None else f"the {title} holds {HALF_A_PAIR}",
            found=_written(value) if surrogate is None else surrogate,
            expected="a text",
            remedy="Load the file as it was written by its program.",
        )
    return str(value)


def mapping(place: Place, title: str, value: object) -> Mapping[str, object]:
    """The JSON object that is there.

    Raises:
        InputError: It is something else.
    """
    if not isinstance(value, dict):
        raise _no(place, title, value, "a JSON object")
    return value


def items(place: Place, title: str, value: object) -> Sequence[object]:
    """The JSON array that is there.

    Raises:
        InputError: It is something else.
    """
    if not isinstance(value, list):
        raise _no(place, title, value, "a JSON array")
    return value


def model_of(file: str, otherwise: str) -> str:
    """The neural model that a file is named after ("wmt22-comet-da.json"); else another name."""
    found = stem(file)
    return found if _MODEL.fullmatch(found) else otherwise


def field(place: Place, fields: Mapping[str, object], title: str) -> object:
    """What an object has under this name.

    Raises:
        InputError: It has nothing.
    """
    if title not in fields:
        raise place.refusal(
            f"there is no field {title!r}",
            found=", ".join(shown(name) for name in list(fields)[:_MOST_NAMED]) or "an empty object",
            expected=f"{title!r} among them",
            remedy="Load the file as it was written by its program.",
        )
    return fields[title]


def titled(file: str, lines: Sequence[str], separator: str | None = None) -> Iterator[tuple[Place, Mapping[str, str]]]:
    """The cells of each line of a table but the first, by the titles of that in lower case.

    Args:
        file: The table's name.
        lines: Its lines.
        separator: What stands between cells; ``None`` for any blanks.

    Raises:
        InputError: A line has another number of cells.
    """
    titles = [title.strip().lower() for title in lines[0].split(separator)]
    refuse_excess(file, len(lines) * len(titles), len(titles))
    refuse_repeated(Place(file, 1), titles)
    for number, line in enumerate(lines[1:], start=2):
        cells = line.split(separator)
        if len(cells) != len(titles):
            raise Place(file, number).refusal(
                "the line has another number of columns than the first",
                found=f"{len(cells):,}",
                expected=f"{len(titles):,}: {lines[0].strip()}",
                remedy="Load the table as it was published.",
            )
        yield Place(file, number), dict(zip(titles, cells, strict=True))


def names_columns(text: str, titles: Collection[str]) -> bool:
    """Whether the first line of a table names at least these columns."""
    first = text.partition("\n")[0].strip().replace('"', "").removeprefix("\ufeff")
    return any(set(titles) <= set(first.split(separator)) for separator in "\t,;")


def refuse_repeated(place: Place, titles: Sequence[str]) -> None:
    """Refuse two columns of one name: nobody knows which of them is meant.

    Raises:
        InputError: There are some.
    """
    title = next((title for index, title in enumerate(titles) if title and title in titles[:index]), None)
    if title is not None:
        raise place.refusal(
            "two columns have the same name",
            found=f"{shown(title)} twice",
            expected="columns with different names",
            remedy="Take one of the two columns out, or rename it.",
        )


def refuse_lacking(place: Place, titles: Collection[str], needed: Collection[str]) -> None:
    """Refuse a table that lacks one of these columns.

    Raises:
        InputError: It does.
    """
    lacking = [title for title in needed if title not in titles]
    if lacking:
        raise place.refusal(
            f"there is no column {shown(lacking[0])}",
            found=", ".join(shown(title) for title in list(titles)[:_MOST_NAMED]),
            expected=", ".join(needed),
            remedy="Check the first line: quotes, and the tabs or commas between the titles.",
        )


def score_once(scores: dict[str, float], place: Place, of_what: str, value: object) -> None:
    """Put the score of the system of a place among the others.

    Raises:
        InputError: It is no number, or the system has one already.
    """
    if place.system in scores:
        raise place.refusal(
            "a system is scored twice",
            found=f"{of_what} once more",
            expected="one score for each system and metric",
            remedy="Keep one of them.",
        )
    scores[place.system] = number(place, "score", value)


def _no(place: Place, title: str, value: object, expected: str) -> InputError:
    return place.refusal(
        f"the {title} is something else",
        found=_written(value),
        expected=expected,
        remedy="Load the file as it was written by its program.",
    )


def _written(value: object) -> str:
    """The value as a file has it."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, Number):
        return shown(str(value))[1:-1]
    if isinstance(value, str):
        return shown(str(value)) if value else "nothing"
    return f"a JSON {'object' if isinstance(value, dict) else 'array'}"
