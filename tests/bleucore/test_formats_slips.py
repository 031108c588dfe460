"""Where lines are missing or added: the first line that looks shifted."""

import random

import pytest

from bleucore import InputError
from bleucore.formats import assemble
from bleucore.formats.columns import Column
from bleucore.formats.line_shifts import first_shifted_line

WORDS = [f"word{number}" for number in range(300)]


def sentences(n_lines, seed=1):
    chance = random.Random(seed)
    return [" ".join(["the", *chance.choices(WORDS, k=chance.randint(4, 20)), "."]) for _ in range(n_lines)]


def translated(lines, seed=2):
    """Texts that share two words of three with these."""
    chance = random.Random(seed)
    return [
        " ".join(word if chance.random() < 0.66 else chance.choice(WORDS) for word in line.split()) for line in lines
    ]


REFERENCE = sentences(500)
SYSTEM = translated(REFERENCE)


def changed(change):
    lines = list(SYSTEM)
    change(lines)
    return lines


def test_of_four_lines_a_missing_second_one_is_found_by_hand():
    reference = ["a house", "blue birds", "some cats", "two dogs"]
    assert first_shifted_line(["a house", "some cats", "two dogs"], [reference]) == 2


@pytest.mark.parametrize("place", [0, 1, 2, 100, 411, 480])
@pytest.mark.parametrize("n_lines", [1, 2, 7])
def test_missing_lines_are_found(place, n_lines):
    lines = changed(lambda lines: lines.__delitem__(slice(place, place + n_lines)))
    assert abs(first_shifted_line(lines, [REFERENCE]) - (place + 1)) <= 1


@pytest.mark.parametrize("place", [0, 1, 100, 411, 480])
@pytest.mark.parametrize("added", ["", "word1 word2 and something else"])
def test_an_added_line_is_found(place, added):
    lines = changed(lambda lines: lines.insert(place, added))
    assert first_shifted_line(lines, [REFERENCE]) == place + 1


@pytest.mark.parametrize("place", [3, 250, 450])
def test_a_line_that_is_split_in_two_is_found(place):
    words = SYSTEM[place].split()
    lines = [
        *SYSTEM[:place],
        " ".join(words[: len(words) // 2]),
        " ".join(words[len(words) // 2 :]),
        *SYSTEM[place + 1 :],
    ]
    assert first_shifted_line(lines, [REFERENCE]) in (place + 1, place + 2)


def test_several_yardsticks_are_taken_together():
    lines = changed(lambda lines: lines.__delitem__(411))
    assert first_shifted_line(lines, [REFERENCE, translated(REFERENCE, 3), translated(REFERENCE, 4)]) == 412


def test_a_missing_end_is_told_from_a_slip():
    assert first_shifted_line(SYSTEM[:-3], [REFERENCE]) == 498


@pytest.mark.parametrize(
    ("lines", "yardsticks"),
    [
        (sentences(499, seed=9), [REFERENCE]),
        (["", "x"], [["a", "b", "c"]]),
        ([""] * 499, [REFERENCE]),
        (SYSTEM, [REFERENCE]),
        (SYSTEM, []),
        (changed(lambda lines: lines.reverse())[1:], [REFERENCE]),
    ],
    ids=["other texts", "too few", "empty", "as many", "no yardstick", "another order"],
)
def test_where_the_words_do_not_say_it_nothing_is_said(lines, yardsticks):
    assert first_shifted_line(lines, yardsticks) is None


def refusal(*columns):
    with pytest.raises(InputError) as caught:
        assemble(columns)
    return caught.value


def column(role, name, segments):
    return Column(f"{name}.txt", name, role, tuple(segments), None, 1)


def test_the_error_names_the_line():
    lines = changed(lambda lines: lines.__delitem__(411))
    error = refusal(column("hypothesis", "A", lines), column("reference", "r", REFERENCE))
    assert error.file == "A.txt"
    assert str(error) == (
        "A.txt: the number of segments differs (found 499 lines, expected 500 as in r.txt). The first line that looks "
        "shifted is 412. Every file needs one line per segment, in the same order. An output that is cut otherwise "
        "can be cut anew: --align, or the button on the page."
    )


def test_the_error_names_a_missing_end():
    error = refusal(column("hypothesis", "A", SYSTEM[:-1]), column("reference", "r", REFERENCE))
    assert "Its lines look right up to the end, where some are missing." in str(error)


def test_the_column_that_differs_from_all_others_is_named_even_if_it_is_the_reference():
    systems = [column("hypothesis", name, translated(REFERENCE, seed)) for seed, name in enumerate("ABC")]
    error = refusal(*systems, column("reference", "r", REFERENCE[:99] + REFERENCE[100:]))
    assert error.file == "r.txt"
    assert "expected 500 as in A.txt). The first line that looks shifted is 100." in str(error)
