"""A mark: a stretch of a text that somebody calls an error, or a place where something is missing."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias, get_args

import regex

from bleucore.annotation.schemes import Scheme
from bleucore.errors import InputError
from bleucore.values import HALF_A_PAIR, lone_surrogate, shown

MarkSide: TypeAlias = Literal["target", "source", "missing"]
SIDES: tuple[MarkSide, ...] = get_args(MarkSide)
MOST_OF_CATEGORY, MOST_OF_COMMENT = 200, 10_000
"""Characters."""
LARGEST_OFFSET = 10**9
_CLUSTER = regex.compile(r"\X")
_FIELDS = ("start", "end", "severity", "category", "side", "comment")


@dataclass(frozen=True)
class Mark:
    """A mark. Offsets are code points of the text, the end one behind the last.

    Attributes:
        start: Its first character, from 0.
        end: One behind its last; ``start`` for a place where something is missing.
        severity: As the scheme names it.
        category: "category" or "category/subcategory"; "" without one.
        side: "target" and "source" are stretches of these texts; "missing" is a place in the target, whose end is the
            length of the text.
        comment: What the annotator says of it.
    """

    start: int
    end: int
    severity: str
    category: str = ""
    side: MarkSide = "target"
    comment: str = ""


@lru_cache(maxsize=4096)
def long_clusters(text: str) -> tuple[tuple[int, int], ...]:
    """The extended grapheme clusters of more than one code point, as starts and ends: no offset lies within one."""
    if text.isascii() and "\r" not in text:
        return ()
    return tuple(found.span() for found in _CLUSTER.finditer(text) if found.end() - found.start() > 1)


def is_boundary(text: str, offset: int) -> bool:
    """Whether an offset lies in a text, or at its end, and splits no grapheme."""
    return 0 <= offset <= len(text) and not any(start < offset < end for start, end in long_clusters(text))


def checked(mark: Mark, text: str, scheme: Scheme) -> Mark:
    """The mark, if it can be one of this text.

    Args:
        mark: As somebody sent it.
        text: The target, or the source for a mark on the source.
        scheme: Whose severities there are.

    Raises:
        InputError: It lies outside the text or splits a grapheme; it is empty, or the place of what is missing has a
            length; its severity is unknown; or its category or comment is too long.
    """
    for offset in (mark.start, mark.end):
        if not is_boundary(text, offset):
            split = next((text[start:end] for start, end in long_clusters(text) if start < offset < end), None)
            raise _refusal(
                "a mark lies outside the text" if split is None else "a mark splits a grapheme",
                found=f"{offset:,}" if split is None else f"{offset:,}, within {shown(split)}",
                expected=f"0 to {len(text):,}" if split is None else "a place between graphemes",
            )
    if mark.end < mark.start or (mark.side == "missing") != (mark.start == mark.end):
        raise _refusal(
            "a mark has the wrong length",
            found=f"{mark.start:,} to {mark.end:,}, {mark.side}",
            expected="a stretch with a length, or the place of what is missing",
        )
    if mark.severity not in scheme.severity_names:
        raise _refusal("the severity is unknown", found=shown(mark.severity), expected=", ".join(scheme.severity_names))
    refuse_long(mark.category, MOST_OF_CATEGORY, "category")
    refuse_long(mark.comment, MOST_OF_COMMENT, "comment")
    return mark


def mark_to_json(mark: Mark) -> dict[str, object]:
    """The mark as a JSON object."""
    return {name: getattr(mark, name) for name in _FIELDS}


def mark_from_json(value: object) -> Mark:
    """The mark of a JSON object; fields that it lacks are as in ``Mark``.

    Raises:
        InputError: It has another field, or a field holds something else than it should.
    """
    fields = json_object(value, "mark", _FIELDS)
    start, end = (_offset(fields, name) for name in ("start", "end"))
    severity, category, comment = (
        json_text(fields.get(name, ""), name, most)
        for name, most in (("severity", 200), ("category", MOST_OF_CATEGORY), ("comment", MOST_OF_COMMENT))
    )
    side = fields.get("side", "target")
    known = next((one for one in SIDES if one == side), None)
    if known is None:
        raise _refusal("a side is unknown", found=shown(side), expected=", ".join(SIDES))
    return Mark(start, end, severity, category, known, comment)


def json_object(value: object, what: str, accepted: tuple[str, ...]) -> Mapping[str, object]:
    """A JSON object with these names at most.

    Raises:
        InputError: It is something else, or has another name.
    """
    if not isinstance(value, Mapping):
        raise _refusal(f"the {what} is no JSON object", found=shown(value), expected="an object")
    unknown = [name for name in value if name not in accepted]
    if unknown:
        raise _refusal(f"the {what} has an unknown field", found=shown(unknown[0]), expected=", ".join(accepted))
    return value


def json_text(value: object, what: str, most: int) -> str:
    """A text of JSON, with up to so many characters.

    Raises:
        InputError: It is something else, too long, or holds half of a character.
    """
    if not isinstance(value, str):
        raise _refusal(f"the {what} is no text", found=shown(value), expected="a text")
    if lone_surrogate(value) is not None:
        raise _refusal(f"the {what} holds {HALF_A_PAIR}", found=lone_surrogate(value), expected="a text")
    refuse_long(value, most, what)
    return value


def refuse_long(text: str, most: int, what: str) -> None:
    """Refuse a text that is too long.

    Raises:
        InputError: It is.
    """
    if len(text) > most:
        raise _refusal(f"the {what} is too long", found=f"{len(text):,} characters", expected=f"up to {most:,}")


def _offset(fields: Mapping[str, object], name: str) -> int:
    value = fields.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= LARGEST_OFFSET:
        raise _refusal(f"the {name} of a mark is no offset", found=shown(value), expected="a whole number from 0")
    return value


def _refusal(problem: str, *, found: object, expected: str) -> InputError:
    return InputError(
        problem,
        where="Annotation",
        found=found,
        expected=expected,
        remedy="Load the page again, and mark it once more.",
    )
