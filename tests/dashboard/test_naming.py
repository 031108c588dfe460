"""Names given by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleucore import System, TestSet
from bleuscope.content.comparison.naming import MAX_NAME, Naming, fault_of, tidy

AS_READ = TestSet([System("one", ["a"]), System("two", ["b"])], [["a"], ["b"]], reference_names=["A", "B"])
HOSTILE = ["<script>alert(1)</script>", "**bold** [x](y)", "שלום", "=1+1", "s1=x", "a&names=s2=b", "n" * MAX_NAME]


@pytest.mark.parametrize("name", HOSTILE)
def test_any_text_can_be_a_name_and_comes_back_from_the_address(name):
    naming = Naming().with_name("s2", name, "two").with_name("t", name, "Upload")
    back = Naming.from_address(naming.in_address())
    assert back == naming
    assert back.system_names(AS_READ) == ("one", name)
    assert back.title("Upload") == name


@given(st.text())
def test_what_can_be_a_name_comes_back_from_the_address(text):
    name = tidy(text)
    naming = Naming.from_address([f"r1={text}"])
    assert naming.names == ({} if fault_of(name) else {"r1": name})
    assert Naming.from_address(naming.in_address()) == naming


@pytest.mark.parametrize(
    ("name", "others", "text"),
    [
        ("", (), "at least one character"),
        ("\u200b", (), "at least one character"),
        ("n" * 201, (), "at most 200"),
        ("\ud800", (), "cannot be written"),
        ("one", ("two", "one"), "Another one has this name"),
    ],
)
def test_what_cannot_be_a_name_is_refused_with_the_reason(name, others, text):
    assert text in fault_of(name, others)


@pytest.mark.parametrize("values", [["x=1"], ["s0=a"], ["s1="], ["s1"], ["s99999=a"], ["s1=\n "]])
def test_junk_in_an_address_is_dropped(values):
    assert Naming.from_address(values) == Naming()


def test_names_for_places_that_are_not_there_or_given_twice_do_not_fit():
    assert Naming({"s2": "three", "r2": "C", "t": "x"}).fits(AS_READ)
    assert Naming({"s1": "two", "s2": "one"}).fits(AS_READ)
    assert not Naming({"s3": "three"}).fits(AS_READ)
    assert not Naming({"s1": "two"}).fits(AS_READ)


def test_the_name_that_was_read_needs_no_mention():
    assert Naming({"s1": "x"}).with_name("s1", "one", "one") == Naming()


def test_names_are_applied_and_texts_stay():
    renamed = Naming({"s1": "uno", "r2": "zwei"}).applied(AS_READ)
    assert renamed.system_names == ("uno", "two")
    assert renamed.reference_names == ("A", "zwei")
    assert renamed.texts_digest == AS_READ.texts_digest
    assert Naming({"t": "x"}).applied(AS_READ) is AS_READ


def test_names_of_two_windows_join_place_by_place():
    before = Naming({"s1": "one", "s2": "two"})
    mine, others = Naming({"s1": "mine", "s2": "two"}), Naming({"s1": "one", "s2": "theirs", "t": "title"})
    assert mine.rejoined(before, others).names == {"s1": "mine", "s2": "theirs", "t": "title"}
    assert Naming().rejoined(before, others).names == {"t": "title"}
    assert before.rejoined(before, Naming()).names == {}
