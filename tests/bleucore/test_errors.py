"""The one error: its text is put together from what is known."""

import ast
from pathlib import Path

import pytest

from bleucore import InputError


def test_a_bare_problem_is_a_sentence():
    assert str(InputError("there is no system")) == "there is no system."


def test_everything_known_reads_where_what_and_what_to_do():
    error = InputError(
        "the number of segments differs",
        where="System 'A'",
        line=1234,
        found="1,999",
        expected="2,000",
        remedy="Provide one line per segment.",
    )
    assert str(error) == (
        "System 'A', line 1,234: the number of segments differs (found 1,999, expected 2,000). "
        "Provide one line per segment."
    )


@pytest.mark.parametrize(
    ("known", "text"),
    [
        ({"where": "hyp.txt"}, "hyp.txt: it is empty."),
        ({"line": 3}, "line 3: it is empty."),
        ({"found": "x"}, "it is empty (found x)."),
        ({"expected": "y"}, "it is empty (expected y)."),
        ({"remedy": "Fill it."}, "it is empty. Fill it."),
        ({"found": 0, "expected": 4}, "it is empty (found 0, expected 4)."),
        ({"found": "", "line": 1}, "line 1: it is empty (found )."),
    ],
)
def test_what_is_not_known_is_left_out(known, text):
    assert str(InputError("it is empty", **known)) == text


def test_the_parts_stay_available_with_found_and_expected_as_text():
    error = InputError("too long", where="a", line=2, found=3, expected=None, remedy="Cut it.")
    parts = (error.problem, error.where, error.line, error.found, error.expected, error.remedy)
    assert parts == ("too long", "a", 2, "3", None, "Cut it.")


def test_it_is_no_value_error_so_that_nothing_else_is_caught_with_it():
    assert InputError.__mro__[1] is Exception


@pytest.mark.parametrize("part", ["where", "found", "expected"])
def test_a_text_that_utf8_cannot_write_stands_in_it_escaped(part):
    error = InputError("it is empty", **{part: "caf\udce9 é"})
    assert "caf\\udce9 é" in str(error)
    assert str(error).encode()
    assert getattr(error, part) == "caf\\udce9 é"


OF_FILES_AND_OPTIONS = ("bleucore/formats", "bleucore/judgements", "dashboard")
PLACED_BY_OTHERS = ("/projects/api/", "bleuscope/notebook.py")
"""A request, and a call in a notebook, say where."""


def test_an_error_of_a_file_or_an_option_says_where_it_is_and_what_to_do():
    root = Path(__file__).parents[2]
    for path in (one for folder in OF_FILES_AND_OPTIONS for one in (root / folder).rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)) if "InputError(" in text else ():
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "InputError":
                said = {one.arg for one in node.keywords}
                says_where = "where" in said or any(part in path.as_posix() for part in PLACED_BY_OTHERS)
                assert says_where or None in said, f"{path.relative_to(root)}:{node.lineno}"
                is_told = "notebook" in path.name or said & {None, "expected", "remedy"}
                assert is_told, f"{path.relative_to(root)}:{node.lineno}"
