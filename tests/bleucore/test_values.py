"""What is accepted as a value, in which form it comes back, and how the rest is named in messages."""

from fractions import Fraction

import numpy as np
import pytest

from bleucore import InputError
from bleucore.values import (
    lone_surrogate,
    name_among,
    name_of,
    positive_number,
    shown,
    truth,
    unknown_name,
    whole_number,
)


class Lazy(str):
    """A name of a type of its own that is written in another way."""

    __slots__ = ()

    def __str__(self):
        return "lazy"


class TestForms:
    def test_a_name_is_the_accepted_one_and_of_its_type(self):
        found = name_among("colour", Lazy("red"), ("blue", "red"))
        assert (found, type(found)) == ("red", str)

    @pytest.mark.parametrize("value", [True, np.True_])
    def test_truth_is_pythons(self, value):
        assert truth("wide", value) is True

    @pytest.mark.parametrize("value", [3, np.int8(3), np.uint64(3)])
    def test_a_whole_number_is_an_int(self, value):
        found = whole_number("size", value, 3, 3)
        assert (found, type(found)) == (3, int)

    @pytest.mark.parametrize("value", [2, 2.0, np.float32(2), np.int64(2), Fraction(4, 2)])
    def test_a_number_is_a_float(self, value):
        found = positive_number("weight", value, 2, "a number")
        assert (found, type(found)) == (2.0, float)

    @pytest.mark.parametrize("value", [0, -0.0, np.float64(-0.0), 1e-320])
    def test_a_number_is_never_below_nought_by_its_sign_alone(self, value):
        assert not np.signbit(positive_number("weight", value, 1, "a number"))

    def test_a_name_of_a_thing_is_a_plain_string(self):
        found = name_of("System", Lazy("A"))
        assert (found, type(found)) == ("A", str)


class TestRefused:
    @pytest.mark.parametrize(
        ("check", "value", "expected"),
        [
            (lambda value: name_among("x", value, ("a", "b")), "c", "a, b"),
            (lambda value: name_among("x", value, ("a", "b")), ["a"], "a, b"),
            (lambda value: name_among("x", value, ("a", "b")), b"a", "a, b"),
            (lambda value: truth("x", value), 1, "True or False"),
            (lambda value: truth("x", value), None, "True or False"),
            (lambda value: whole_number("x", value, 1, 9), 0, "a whole number from 1 to 9"),
            (lambda value: whole_number("x", value, 1, 9), 10, "a whole number from 1 to 9"),
            (lambda value: whole_number("x", value, 1, 9), 2.0, "a whole number from 1 to 9"),
            (lambda value: whole_number("x", value, 1, 9), True, "a whole number from 1 to 9"),
            (lambda value: whole_number("x", value, 1, 9), np.array(2), "a whole number from 1 to 9"),
            (lambda value: positive_number("x", value, 9, "so much"), -1e-9, "so much"),
            (lambda value: positive_number("x", value, 9, "so much"), 9.1, "so much"),
            (lambda value: positive_number("x", value, 9, "so much"), float("nan"), "so much"),
            (lambda value: positive_number("x", value, 9, "so much"), float("inf"), "so much"),
            (lambda value: positive_number("x", value, 9, "so much"), False, "so much"),
            (lambda value: positive_number("x", value, 9, "so much"), "1", "so much"),
            (lambda value: positive_number("x", value, 9, "so much"), 10**400, "so much"),
        ],
    )
    def test_a_value_is_named_with_what_is_accepted(self, check, value, expected):
        with pytest.raises(InputError) as caught:
            check(value)
        assert str(caught.value) == (
            f"Option x: this value is not accepted (found {shown(value)}, expected {expected}). "
            "Choose one of the accepted values."
        )

    @pytest.mark.parametrize(
        ("name", "message"),
        [
            (3, "Label 3: the name is not a string (found int, expected a string). Convert it to text first."),
            (
                "ab\udfff",
                "Label 'ab\\udfff': the name holds half of a surrogate pair, which is not a character (found U+DFFF "
                "at position 3, expected a name that can be written as UTF-8). Choose another name.",
            ),
        ],
    )
    def test_a_name_of_a_thing_says_of_what(self, name, message):
        with pytest.raises(InputError) as caught:
            name_of("Label", name)
        assert str(caught.value) == message

    def test_an_unknown_name_stands_beside_those_that_are_known(self):
        error = unknown_name("fruit", "plum", ["fig", "pear"], where="The bowl", remedy="Take one of these.")
        assert str(error) == (
            "The bowl: there is no fruit of this name (found 'plum', expected fig, pear). Take one of these."
        )


class TestShown:
    @pytest.mark.parametrize(
        ("value", "text"),
        [
            ("a'b", '"a\'b"'),
            ("x" * 80, f"'{'x' * 80}'"),
            ("x" * 81, f"'{'x' * 80}…'"),
            ("\ud800", "'\\ud800'"),
            (1.5, "1.5"),
            ([0] * 40, f"[{'0, ' * 26}0…"),
            (10**79, f"1{'0' * 79}"),
            (10**80, f"1{'0' * 79}…"),
        ],
    )
    def test_a_value_reads_as_python_writes_it_up_to_80_characters(self, value, text):
        assert shown(value) == text

    def test_a_number_that_python_does_not_write_is_named_by_its_type(self):
        assert shown(10**5000) == "a value of type int"


class TestLoneSurrogate:
    @pytest.mark.parametrize(
        ("text", "found"),
        [
            ("", None),
            ("é\U0001f600\uffff\U0010ffff", None),
            ("\ud7ff\ue000", None),
            ("\ud800", "U+D800 at position 1"),
            ("ab\udfff\ud800", "U+DFFF at position 3"),
            ("\ud83d\ude00", "U+D83D at position 1"),
            ("x" * 1233 + "\udc00", "U+DC00 at position 1,234"),
        ],
    )
    def test_the_first_is_named_with_its_place(self, text, found):
        assert lone_surrogate(text) == found

    def test_every_surrogate_is_one_and_nothing_else_is(self):
        found = [code for code in range(0xD000, 0xF000) if lone_surrogate(chr(code)) is not None]
        assert found == list(range(0xD800, 0xE000))
