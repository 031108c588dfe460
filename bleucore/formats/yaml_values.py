"""YAML -> lists, mappings and strings, nothing else: without tags and parts that are repeated, bounded in every way."""

from collections.abc import Iterator
from typing import Any

import yaml

from bleucore.errors import InputError
from bleucore.formats.json_values import JsonPlace, Number, Values

MAX_NODES, MAX_DEPTH = 200_000, 12
_BASE = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
"""Strings, lists and mappings alone, by the parser in C where PyYAML has it."""
_MOST_CHARACTERS = 4 * 1024**2 if _BASE is not yaml.BaseLoader else 1 << 17
"""The parser in Python takes seven times as long, and the square of the length for a folded text."""
_PLAIN = "plain"
_IN_BASE64 = ("tag:yaml.org,2002:binary", "tag:yaml.org,2002:python/bytes")
"""The tags of what is not the text that stands there; all others are passed over."""
_NOTHING = ("~", "null", "Null", "NULL")


class Loader(_BASE):  # type: ignore[misc,valid-type]  # PyYAML has no types
    """Makes strings, lists and mappings, and nothing else: "no" is a language."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:  # noqa: FBT001, FBT002  # PyYAML's own
        """Refuse a key that is there twice, of which YAML's readers take the last."""
        keys = [key.value for key, _ in node.value if isinstance(key.value, str)]
        if len(set(keys)) < len(keys):
            raise yaml.constructor.ConstructorError(None, None, "a key is there twice", node.start_mark)
        found: dict[Any, Any] = super().construct_mapping(node, deep)
        return found


class _ValueLoader(Loader):
    """The same, with numbers and empty texts for digits and nulls that stand without quotation marks."""

    def resolve(self, kind: type[yaml.Node], value: str | None, implicit: object) -> str:
        """The tag of what has none of its own."""
        is_plain = kind is yaml.ScalarNode and isinstance(implicit, tuple) and implicit[0]
        return _PLAIN if is_plain else str(super().resolve(kind, value, implicit))

    def construct_scalar(self, node: yaml.ScalarNode) -> str:
        """A text, or a ``Number`` of digits."""
        value: str = super().construct_scalar(node)
        if node.tag != _PLAIN:
            return value
        return "" if value in _NOTHING else Number(value) if value.isascii() and value.isdecimal() else value


def checked_events(name: str, text: str, called: str) -> Iterator[tuple[yaml.Event, int]]:
    """What the text consists of, and how deep each is.

    Args:
        name: Of the file.
        text: Its content.
        called: What it is, in a refusal.

    Raises:
        InputError: It repeats a part of itself, or is too deep or too large.
    """
    depth = 0
    for n_nodes, event in enumerate(yaml.parse(text, Loader=_BASE)):
        line = event.start_mark.line + 1
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
            raise InputError(
                f"{called} repeats a part of itself",
                where=name,
                line=line,
                found="an anchor or an alias",
                expected="YAML without & and *",
                remedy='Write it out, and put quotes around a pattern that begins with "*".',
            )
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > MAX_DEPTH or n_nodes > MAX_NODES:
            raise InputError(f"{called} is too deep or too large", where=name, line=line, remedy="Split it.")
        yield event, depth


def no_yaml(name: str, error: yaml.YAMLError | RecursionError, remedy: str) -> InputError:
    """How a broken file is refused."""
    mark = getattr(error, "problem_mark", None)
    return InputError(
        "this is no YAML",
        where=name,
        line=None if mark is None else mark.line + 1,
        found=getattr(error, "problem", None) or type(error).__name__,
        remedy=remedy,
    )


def yaml_values(name: str, text: str) -> Values:
    """The values of a file with texts, as those of JSON.

    Raises:
        InputError: It is broken, repeats a part of itself, holds binary data, or is too deep or too large.
    """
    if len(text) > _MOST_CHARACTERS:
        raise InputError(
            "the YAML is too large",
            where=name,
            found=f"{len(text):,} characters",
            expected=f"at most {_MOST_CHARACTERS:,}",
            remedy="Save the texts as JSON.",
        )
    try:
        for event, _ in checked_events(name, text, "the file"):
            if getattr(event, "tag", None) in _IN_BASE64:
                raise InputError(
                    "a text is written in Base64",
                    where=name,
                    line=event.start_mark.line + 1,
                    found="a tag for binary data",
                    expected="a text",
                    remedy="Write the text itself.",
                )
        found = yaml.load(text, Loader=_ValueLoader)  # noqa: S506  # a safe one
    except (yaml.YAMLError, RecursionError, TypeError) as error:
        raise no_yaml(name, error, "Correct the line, or save the texts as JSON.") from error
    items = tuple(found) if isinstance(found, list) else (found,)
    places = tuple(JsonPlace(None, number) for number in range(1, len(items) + 1))
    return Values(items, places, is_array=isinstance(found, list))
