"""JSON Lines -> the documents that JSON holds in one: a version, a test set."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from bleucore.errors import InputError
from bleucore.values import shown
from bleuscope.features.projects.api.problems import ProblemError

SINGLE = (("source", "source"), ("document", "documents"))
"""Fields of a segment, and of the test set."""


def version_of_lines(values: Sequence[Any]) -> dict[str, Any]:
    """A version: an object with all but its outputs, then an output a line.

    Raises:
        ProblemError: The first line is something else.
    """
    if not values or not isinstance(values[0], dict) or "outputs" in values[0]:
        found = "nothing" if not values else shown(values[0])
        raise _broken("the first line is no version", 1, found, "an object with system, version and so on")
    return {**values[0], "outputs": list(values[1:])}


def new_test_set_of_lines(values: Sequence[Any]) -> dict[str, Any]:
    """A test set: an object for each segment, with the same fields in all of them.

    Raises:
        ProblemError: A line is something else.
    """
    names = ("references", "source", "document", "labels")
    for line, value in enumerate(values, 1):
        if not isinstance(value, dict) or set(value) - set(names):
            raise _broken("the line is no segment", line, shown(value), f"an object with {', '.join(names)}")
        if not isinstance(value.get("references", []), list) or not isinstance(value.get("labels", {}), dict):
            raise _broken("the line is no segment", line, shown(value), "references in a list, labels in an object")
        if set(value) != set(values[0]) or _shape(value) != _shape(values[0]):
            raise _broken("the segment has other fields than the first", line, shown(value), shown(values[0]))
    first: dict[str, Any] = values[0] if values else {}
    n_references, labels = _shape(first)
    found: dict[str, Any] = {}
    if n_references:
        columns = [[value["references"][number] for value in values] for number in range(n_references)]
        found["references"] = [{"segments": column} for column in columns]
    for name, column in SINGLE:
        found |= {column: [value[name] for value in values]} if name in first else {}
    return found | (
        {"labels": {name: [value["labels"][name] for value in values] for name in labels}} if labels else {}
    )


def _shape(value: dict[str, Any]) -> tuple[int, tuple[str, ...]]:
    """How many references a segment has, and which labels."""
    return len(value.get("references", [])), tuple(sorted(value.get("labels", {})))


def _broken(problem: str, line: int, found: str, expected: str) -> ProblemError:
    error = InputError(
        problem, where="The body", line=line, found=found, expected=expected, remedy="Look at what makes it."
    )
    return ProblemError(HTTPStatus.BAD_REQUEST, error)
