"""Functions whose values are kept: keys of content, refusals, tasks in the background."""

import pytest

from bleucore import InputError
from bleuscope.runtime.kept import in_background, kept, kept_or_refused


class PassingError(InputError):
    """A refusal that another try may overcome."""


def test_a_value_is_made_once_for_each_key_and_named_for_each_caller():
    made = []

    @kept(most=2, key=lambda text, _name: text.lower(), of=lambda found, _text, name: f"{name}: {found}")
    def length(text, _name):
        made.append(text)
        return len(text)

    assert [length("abc", "first"), length("ABC", "second")] == ["first: 3", "second: 3"]
    assert made == ["abc"]
    assert (length.is_kept("AbC", "third"), length.is_kept("d", "third")) == (True, False)


def test_the_key_takes_the_arguments_by_place_or_by_name_as_the_function_does():
    @kept(most=4, key=lambda text, *, times=1: (text, times))
    def repeated(text, *, times=1):
        return text * times

    assert (repeated("a"), repeated("a", times=2), repeated("a", times=1)) == ("a", "aa", "a")


def test_the_value_not_used_for_longest_makes_room():
    made = []

    @kept(most=1, key=lambda text: text)
    def copied(text):
        made.append(text)
        return text

    for text in "aba":
        copied(text)
    assert made == ["a", "b", "a"]


class TestRefusals:
    def test_are_kept_and_raised_again_without_another_try(self):
        tried = []

        @kept_or_refused(most=2, key=lambda text: text)
        def number(text):
            tried.append(text)
            raise InputError("this is no number", found=text)

        for _ in range(2):
            with pytest.raises(InputError, match="this is no number"):
                number("x")
        assert tried == ["x"]

    def test_that_may_pass_are_tried_again(self):
        tried = []

        @kept_or_refused(most=2, key=lambda text: text, retried=(PassingError,))
        def searched(text):
            tried.append(text)
            if len(tried) == 1:
                raise PassingError("no process is free")
            return text

        with pytest.raises(PassingError):
            searched("x")
        assert searched("x") == "x"
        assert tried == ["x", "x"]

    def test_without_keeping_them_each_call_tries(self):
        tried = []

        @kept(most=2, key=lambda text: text)
        def number(text):
            tried.append(text)
            raise InputError("this is no number")

        for _ in range(2):
            with pytest.raises(InputError):
                number("x")
        assert tried == ["x", "x"]


class TestInTheBackground:
    def test_a_call_is_a_task_with_the_value_for_its_caller(self):
        told = []

        @in_background(most=2, key=lambda text, _name: text, of=lambda found, _text, name: f"{name}: {found}")
        def length(report, text, _name):
            told.append(report)
            return len(text)

        first, second = length("abc", "first"), length("abc", "second")
        assert not first.is_done
        assert first.value() == "first: 3"
        assert (second.is_done, second.value()) == (True, "second: 3")
        assert told == [None]

    def test_progress_reaches_whoever_looks_on(self):
        shares = []

        @in_background(most=2, key=lambda text: text)
        def length(report, text):
            report(0.5)
            return len(text)

        assert length("abc").value(shares.append) == 3
        assert shares[-1] == 0.5
