"""Keys of the address: what one line declares."""

import re

import pytest

from bleuscope.runtime.param import Form, Param


class TestParam:
    def test_is_its_name(self):
        key = Param("tok", "whole", noun="system")
        assert {key: 1} == {"tok": 1}
        assert (f"{key}", key.kind, key.noun, key.scope) == ("tok", "whole", "system", "session")

    def test_gives_its_widget_what_keeps_the_value_in_the_address(self):
        assert Param("x").bound() == {"key": "x", "bind": "query-params", "persist_state": "session"}
        assert Param("x", scope="page").bound()["persist_state"] is None
        assert Param("x", "panel").panel() == {"key": "x", "on_change": "rerun", "bind": "query-params"}

    @pytest.mark.parametrize(
        ("key", "taken", "refused"),
        [
            (Param("x", "whole"), ("3", "nan", "few"), ("1e999", "-inf")),
            (Param("x", "number"), ("0.5",), ("1e999",)),
            (Param("x", "text", most=3), ("abc", ""), ("abcd",)),
            (Param("x", "text"), ("x" * 9_999,), ()),
            (Param("x"), ("1e999",), ()),
        ],
    )
    def test_takes_numbers_with_an_end_and_texts_of_its_length(self, key, taken, refused):
        assert all(map(key.takes, taken))
        assert not any(map(key.takes, refused))

    def test_fits_its_form_as_a_whole(self):
        key = Param("x", form=Form(re.compile("[0-9]{2}"), "two digits"))
        assert [key.fits(value) for value in ("12", "123", "1", "12\n")] == [True, False, False, False]
        assert Param("x").fits("anything")

    @pytest.mark.parametrize(
        ("value", "usual", "said"),
        [
            ("z", "mean", ["--x", "z"]),
            ("mean", "mean", []),
            (None, None, []),
            (0, None, ["--x", "0"]),
            (1, None, ["--x", "1"]),
            (True, None, ["--x"]),
            (False, None, []),
        ],
    )
    def test_says_what_is_not_usual(self, value, usual, said):
        assert Param("x", option="--x").said(value, usual) == said
        assert Param("x").said(value, usual) == []
