"""Systems and test sets: what is accepted, what is refused and with which words, and the digest."""

import os
import re
import subprocess
import sys
from dataclasses import FrozenInstanceError
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleucore import InputError, System, TestSet

ROOT = Path(__file__).parents[2]


def systems(*columns):
    return [System("AB"[index], column) for index, column in enumerate(columns)]


class TestAccepted:
    def test_texts_are_kept_as_tuples_of_the_strings_given(self):
        test_set = TestSet(
            systems(["a", ""]),
            [["x", None], ["", "y"]],
            source=["s", "t"],
            documents=["d", "d"],
            labels={"domain": ["news", "chat"]},
        )
        assert test_set.systems[0].hypotheses == ("a", "")
        assert test_set.references == (("x", None), ("", "y"))
        assert test_set.reference_names == ("reference 1", "reference 2")
        assert (test_set.source, test_set.documents) == (("s", "t"), ("d", "d"))
        assert dict(test_set.labels) == {"domain": ("news", "chat")}
        assert test_set.n_segments == 2

    def test_systems_are_found_by_name_in_the_order_given(self):
        test_set = TestSet([System("B", ["1"]), System("A", ["2"])], [["r"]])
        assert test_set.system_names == ("B", "A")
        assert test_set.system("A").hypotheses == ("2",)

    @pytest.mark.parametrize(
        "column",
        [
            ("a", "b"),
            np.array(["a", "b"]),
            np.array(["a", "b"], dtype=object),
            pd.Series(["a", "b"], index=[5, 3]),
            pd.Series(["a", "b"], dtype=object),
            pd.Series(["a", "b"], dtype="category"),
            pd.Index(["a", "b"]),
        ],
        ids=["tuple", "array of str", "array of object", "series", "series of object", "category", "index"],
    )
    def test_any_sequence_of_strings_is_a_column_of_plain_strings(self, column):
        test_set = TestSet(systems(column), [column])
        texts = (*test_set.systems[0].hypotheses, *test_set.references[0])
        assert texts == ("a", "b", "a", "b")
        assert {type(text) for text in texts} == {str}

    def test_generators_are_used_up_once(self):
        test_set = TestSet((s for s in systems(iter(["a"]))), ((text for text in column) for column in (["x"], ["y"])))
        assert test_set.systems[0].hypotheses == ("a",)
        assert test_set.references == (("x",), ("y",))

    def test_an_array_of_two_dimensions_is_a_list_of_references(self):
        assert TestSet(systems(["a", "b"]), np.array([["x", "y"]])).references == (("x", "y"),)

    def test_names_and_texts_of_other_types_of_string_become_plain_ones(self):
        class Other(str):
            __slots__ = ()

            def __str__(self):
                return "other"

        test_set = TestSet(
            [System(Other("A"), [Other("a")])],
            [[Other("r")]],
            labels={Other("l"): ["x"]},
            reference_names=[Other("n")],
        )
        found = (*test_set.system_names, *test_set.systems[0].hypotheses, *test_set.references[0])
        found += (*test_set.labels, *(test_set.reference_names or ()))
        assert found == ("A", "a", "r", "l", "n")
        assert {type(text) for text in found} == {str}

    def test_references_can_be_named(self):
        test_set = TestSet(systems(["a"]), [["x"], ["y"]], reference_names=["human", "Reference B"])
        assert test_set.reference_names == ("human", "Reference B")

    def test_a_character_outside_the_basic_plane_is_no_surrogate(self):
        assert System("A", ["\U0001f600"]).hypotheses == ("\U0001f600",)

    def test_later_changes_of_the_lists_given_change_nothing(self):
        column, labels = ["a"], {"domain": ["news"]}
        test_set = TestSet(systems(column), [column], labels=labels)
        column[0], labels["domain"] = "b", ["chat"]
        assert test_set.systems[0].hypotheses == test_set.references[0] == ("a",)
        assert dict(test_set.labels) == {"domain": ("news",)}

    def test_nothing_can_be_assigned(self):
        test_set = TestSet(systems(["a"]), [["a"]])
        with pytest.raises(FrozenInstanceError):
            test_set.references = ()
        with pytest.raises(TypeError):
            test_set.labels["new"] = ("x",)


LIST_OF_TEXTS = "expected a list of strings, one per segment). Put the strings into a list."


class TestRefused:
    @pytest.mark.parametrize("name", ["", "  ", "\t\n", None, 3])
    def test_a_system_without_a_name(self, name):
        with pytest.raises(InputError) as caught:
            System(name, ["a"])
        assert str(caught.value) == f"a system has no name (found {name!r}). Give every system a name."

    @pytest.mark.parametrize(
        ("column", "kind"),
        [
            ("text", "str"),
            (b"text", "bytes"),
            ({"a", "b"}, "set"),
            ({"a": "b"}, "dict"),
            (7, "int"),
            (None, "NoneType"),
        ],
    )
    def test_a_column_that_is_not_a_list(self, column, kind):
        with pytest.raises(InputError) as caught:
            System("A", column)
        assert str(caught.value) == f"System 'A': this is not a list (found {kind}, {LIST_OF_TEXTS}"

    def test_a_string_for_the_list_of_references(self):
        with pytest.raises(InputError) as caught:
            TestSet(systems(["a"]), "a")
        assert str(caught.value) == (
            "The list of references: this is not a list (found str, expected a list of references, each a list of "
            "strings). Put the strings into a list."
        )

    def test_one_flat_list_for_the_list_of_references(self):
        with pytest.raises(InputError) as caught:
            TestSet(systems(["a", "b"]), ["a", "b"])
        assert str(caught.value) == f"Reference 1: this is not a list (found str, {LIST_OF_TEXTS}"

    @pytest.mark.parametrize(
        ("optional", "place"),
        [
            ({"source": "ab"}, "The source"),
            ({"documents": "ab"}, "The list of documents"),
            ({"labels": {"domain": "ab"}}, "Label 'domain'"),
        ],
    )
    def test_a_string_for_an_optional_column(self, optional, place):
        with pytest.raises(InputError) as caught:
            TestSet(systems(["a", "b"]), [["a", "b"]], **optional)
        assert str(caught.value) == f"{place}: this is not a list (found str, {LIST_OF_TEXTS}"

    def test_a_missing_hypothesis(self):
        with pytest.raises(InputError) as caught:
            System("A", ["a", None])
        assert str(caught.value) == (
            "System 'A', line 2: the segment is missing (found None, expected a string). "
            'Give an empty string "" where there is no text.'
        )

    @pytest.mark.parametrize(
        ("optional", "place"),
        [
            ({"source": ["a", None]}, "The source"),
            ({"documents": ["a", None]}, "The list of documents"),
            ({"labels": {"domain": ["a", None]}}, "Label 'domain'"),
        ],
    )
    def test_a_missing_text_in_an_optional_column(self, optional, place):
        with pytest.raises(InputError) as caught:
            TestSet(systems(["a", "b"]), [["a", "b"]], **optional)
        assert str(caught.value).startswith(f"{place}, line 2: the segment is missing (found None, expected a string).")

    @pytest.mark.parametrize(
        ("text", "kind"),
        [(1.5, "float"), (b"b", "bytes"), (float("nan"), "float"), (pd.NA, "NAType"), (["b"], "list"), (0, "int")],
    )
    def test_a_text_that_is_not_a_string(self, text, kind):
        with pytest.raises(InputError) as caught:
            TestSet(systems(["a", "b"]), [["a", "b"], ["a", text]])
        assert str(caught.value) == (
            f"Reference 2, line 2: a segment is not a string (found {kind}, expected a string). "
            "Convert it to text first."
        )

    def test_a_missing_value_of_pandas_which_is_not_none(self):
        with pytest.raises(InputError, match=r"^Reference 1, line 2: a segment is not a string \(found float"):
            TestSet(systems(["a", "b"]), [pd.Series(["a", float("nan")])])

    @pytest.mark.parametrize(
        ("texts", "line", "found"),
        [
            (["ok", "ab\ud83d"], 2, "U+D83D at position 3"),
            (["\udfff"], 1, "U+DFFF at position 1"),
            (["a\ud83d", "\ude00b"], 1, "U+D83D at position 2"),
            (["", "x", "\ud83d\ude00"], 3, "U+D83D at position 1"),
        ],
    )
    def test_half_a_surrogate_pair(self, texts, line, found):
        with pytest.raises(InputError) as caught:
            System("A", texts)
        assert str(caught.value) == (
            f"System 'A', line {line}: the text holds half of a surrogate pair, which is not a character "
            f"(found {found}, expected text that can be written as UTF-8). Save the file as UTF-8 and load it again."
        )

    def test_half_a_surrogate_pair_after_a_missing_reference(self):
        with pytest.raises(InputError, match=r"^Reference 1, line 2: the text holds half of a surrogate pair"):
            TestSet(systems(["a", "b"]), [[None, "\ud800"]])

    @pytest.mark.parametrize(
        ("given", "problem", "remedy"),
        [
            ("A", "a list (found str", "Put the systems into a list."),
            (System("A", ["a"]), "a list (found System", "Put the systems into a list."),
            ({"A": ["a"]}, "a list (found dict", "Put the systems into a list."),
            (None, "a list (found NoneType", "Put the systems into a list."),
            (["A"], "a system (found str", "Make a System of each name and its hypotheses."),
        ],
    )
    def test_what_is_no_list_of_systems(self, given, problem, remedy):
        with pytest.raises(InputError) as caught:
            TestSet(given, [["a"]])
        assert str(caught.value) == (
            f"The list of systems: this is not {problem}, expected a list of System objects). {remedy}"
        )

    @pytest.mark.parametrize(("labels", "kind"), [([["a"]], "list"), (None, "NoneType"), ("a", "str")])
    def test_labels_without_names(self, labels, kind):
        with pytest.raises(InputError) as caught:
            TestSet(systems(["a"]), [["a"]], labels=labels)
        assert str(caught.value) == (
            f"The labels: this is not a mapping (found {kind}, expected columns of strings by name). "
            "Put the columns into a dict."
        )

    @pytest.mark.parametrize(
        ("named", "place"), [({"labels": {3: ["a"]}}, "Label 3"), ({"reference_names": [None]}, "Reference None")]
    )
    def test_a_name_that_is_not_a_string(self, named, place):
        with pytest.raises(InputError) as caught:
            TestSet(systems(["a"]), [["a"]], **named)
        kind = "int" if "3" in place else "NoneType"
        assert str(caught.value) == (
            f"{place}: the name is not a string (found {kind}, expected a string). Convert it to text first."
        )

    def test_one_string_for_the_reference_names(self):
        with pytest.raises(InputError) as caught:
            TestSet(systems(["a"]), [["a"]], reference_names="r")
        assert str(caught.value) == (
            "The list of reference names: this is not a list (found str, expected a list of strings, one per "
            "reference). Put the strings into a list."
        )

    def test_no_system(self):
        with pytest.raises(InputError) as caught:
            TestSet([], [["a"]])
        assert str(caught.value) == "there is no system. Give the hypotheses of at least one system."

    def test_two_systems_of_one_name(self):
        with pytest.raises(InputError) as caught:
            TestSet([System("A", ["a"]), System("B", ["a"]), System("A", ["b"])], [["a"]])
        assert str(caught.value) == ("two systems have the same name (found 'A'). Give every system a name of its own.")

    def test_no_segment(self):
        with pytest.raises(InputError) as caught:
            TestSet(systems([]), [[]])
        assert str(caught.value) == "System 'A': there are no segments. Give at least one segment."

    def test_no_reference(self):
        with pytest.raises(InputError) as caught:
            TestSet(systems(["a"]), [])
        assert str(caught.value) == "there is no reference. Give at least one reference."

    @pytest.mark.parametrize(
        ("arguments", "place", "found"),
        [
            ({"systems": systems(["a", "b"], ["a"])}, "System 'B'", "1"),
            ({"systems": systems(["a"] * 1234)}, "System 'A'", "1,234"),
            ({"references": [["a", "b"], ["a"]]}, "Reference 2", "1"),
            ({"source": ["a"]}, "The source", "1"),
            ({"documents": ["a", "b", "c"]}, "The list of documents", "3"),
            ({"labels": {"domain": []}}, "Label 'domain'", "0"),
        ],
    )
    def test_a_column_of_another_length(self, arguments, place, found):
        with pytest.raises(InputError) as caught:
            TestSet(**({"systems": systems(["a", "b"]), "references": [["a", "b"]]} | arguments))
        assert str(caught.value) == (
            f"{place}: the number of segments differs (found {found}, expected 2 as in reference 1). "
            "Every file needs one line per segment, in the same order."
        )

    @pytest.mark.parametrize(("name", "shown"), [("human", "reference 'human'"), ("Reference A", "reference A")])
    def test_another_length_than_that_of_a_named_reference(self, name, shown):
        with pytest.raises(InputError, match=rf"^System 'A': .* expected 2 as in {shown}\)"):
            TestSet(systems(["a"]), [["a", "b"]], reference_names=[name])

    def test_references_by_segment_instead_of_by_column(self):
        with pytest.raises(InputError, match=r"^System 'A': the number of segments differs \(found 3, expected 1 as"):
            TestSet(systems(["a", "b", "c"]), [["a"], ["b"], ["c"]])

    def test_a_segment_without_any_reference(self):
        with pytest.raises(InputError) as caught:
            TestSet(systems(["a", "b"]), [["x", None], [None, None]])
        assert str(caught.value) == (
            "The references, line 2: the segment has no reference. Every segment needs at least one reference."
        )

    @pytest.mark.parametrize("names", [[], ["one"], ["one", "two", "three"]])
    def test_another_number_of_reference_names(self, names):
        with pytest.raises(InputError) as caught:
            TestSet(systems(["a"]), [["x"], ["y"]], reference_names=names)
        assert str(caught.value) == (
            "the number of reference names differs from the number of references "
            f"(found {len(names)}, expected 2). Name every reference, or none."
        )

    def test_an_unknown_system(self):
        with pytest.raises(InputError) as caught:
            TestSet(systems(["a"], ["b"]), [["x"]]).system("C")
        assert str(caught.value) == (
            "The test set: there is no system of this name (found 'C', expected A, B). Choose one of its systems."
        )


def whole_test_set(**changes):
    """A test set with everything in it, or with one thing changed."""
    content = {
        "systems": [System("A", ["a", "b"]), System("B", ["c", ""])],
        "references": [["x", None], ["", "y"]],
        "source": ["s", "t"],
        "documents": ["d", "e"],
        "labels": {"domain": ["news", "chat"], "length": ["1", "2"]},
    }
    return TestSet(**(content | changes))


CHANGES = {
    "a hypothesis": {"systems": [System("A", ["a", "B"]), System("B", ["c", ""])]},
    "a text moved to the next line": {"systems": [System("A", ["ab", ""]), System("B", ["c", ""])]},
    "a text moved to the next system": {"systems": [System("A", ["a", ""]), System("B", ["bc", ""])]},
    "white space at an end": {"systems": [System("A", ["a", "b "]), System("B", ["c", ""])]},
    "a name": {"systems": [System("A", ["a", "b"]), System("C", ["c", ""])]},
    "the names swapped": {"systems": [System("B", ["a", "b"]), System("A", ["c", ""])]},
    "the order of systems": {"systems": [System("B", ["c", ""]), System("A", ["a", "b"])]},
    "a system fewer": {"systems": [System("A", ["a", "b"])]},
    "an absent reference": {"references": [["x", ""], ["", "y"]]},
    "an empty reference": {"references": [["x", None], [None, "y"]]},
    "the order of references": {"references": [["", "y"], ["x", None]]},
    "a text moved to the next reference": {"references": [["", None], ["x", "y"]]},
    "a reference more": {"references": [["x", None], ["", "y"], ["", "y"]]},
    "a reference name": {"reference_names": ["reference 1", "human"]},
    "no source": {"source": None},
    "the source": {"source": ["s", "T"]},
    "no documents": {"documents": None},
    "the documents": {"documents": ["d", "d"]},
    "source and documents swapped": {"source": ["d", "e"], "documents": ["s", "t"]},
    "no labels": {"labels": {}},
    "a label": {"labels": {"domain": ["news", "news"], "length": ["1", "2"]}},
    "the name of a label": {"labels": {"genre": ["news", "chat"], "length": ["1", "2"]}},
    "the names of labels swapped": {"labels": {"length": ["news", "chat"], "domain": ["1", "2"]}},
}


class TestDigest:
    def test_equal_content_has_the_digest_of_equal_content(self):
        digest = whole_test_set().digest
        assert digest == whole_test_set().digest
        assert (len(digest), set(digest) <= set("0123456789abcdef")) == (64, True)

    def test_how_a_column_was_given_does_not_matter(self):
        given_otherwise = whole_test_set(
            systems=(System("A", np.array(["a", "b"])), System("B", iter(["c", ""]))),
            references=(("x", None), pd.Series(["", "y"])),
            reference_names=["reference 1", "reference 2"],
        )
        assert given_otherwise.digest == whole_test_set().digest

    def test_the_order_of_labels_does_not_matter(self):
        labels = {"length": ["1", "2"], "domain": ["news", "chat"]}
        assert whole_test_set(labels=labels).digest == whole_test_set().digest

    def test_every_change_changes_it(self):
        digests = [whole_test_set().digest, *(whole_test_set(**change).digest for change in CHANGES.values())]
        repeated = [name for name, digest in zip(CHANGES, digests[1:], strict=True) if digests.count(digest) > 1]
        assert repeated == []

    def test_a_text_that_imitates_the_next_column_changes_it(self):
        two = [System("s", ["5a"]), System("t", ["123456789"])]
        one = [System("s", ["a\n8 1\nsystem t9123456789"])]
        assert TestSet(two, [["r"]]).digest != TestSet(one, [["r"]]).digest

    @given(
        st.lists(
            st.lists(st.text("1,;-\nas", max_size=3), min_size=2, max_size=2),
            min_size=2,
            max_size=4,
            unique_by=tuple,
        )
    )
    def test_different_columns_in_the_same_place_never_share_it(self, columns):
        digests = {TestSet(systems(column), [["r", "r"]]).digest for column in columns}
        assert len(digests) == len(columns)

    def test_it_is_the_same_in_every_process(self):
        program = (
            "from bleucore import System, TestSet;"
            "print(TestSet([System('A', ['ä', '']), System('B', ['x', 'y'])], [['r', None], ['', 's']],"
            " labels={'k': ['1', '2'], 'j': ['3', '4']}).digest)"
        )
        digests = {
            subprocess.run(
                [sys.executable, "-c", program],
                env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
                capture_output=True,
                check=True,
                text=True,
            ).stdout.strip()
            for seed in ("1", "2")
        }
        here = TestSet(
            [System("A", ["ä", ""]), System("B", ["x", "y"])],
            [["r", None], ["", "s"]],
            labels={"k": ["1", "2"], "j": ["3", "4"]},
        ).digest
        assert digests == {here}


class TestFilesAndNames:
    def made(self, file=None, names=("one", "two")):
        systems = [System(name, [name]) for name in ("one", "two")]
        systems = [System(new, system.hypotheses, file) for new, system in zip(names, systems, strict=True)]
        return TestSet(systems, [["a"]], reference_files=[file])

    def test_a_file_is_no_part_of_what_is_equal(self):
        assert self.made("a/one.txt").digest == self.made().digest
        assert System("x", ["a"], "file.txt") == System("x", ["a"])

    def test_other_names_change_the_digest_but_not_that_of_the_texts(self):
        other = self.made(names=("eins", "two"))
        assert other.digest != self.made().digest
        assert other.texts_digest == self.made().texts_digest
        assert self.made().renamed(["eins", "two"], ["reference 1"]).digest == other.digest

    def test_other_texts_change_both(self):
        other = TestSet([System("one", ["x"]), System("two", ["two"])], [["a"]])
        assert other.digest != self.made().digest
        assert other.texts_digest != self.made().texts_digest

    def test_names_are_no_texts(self):
        first = TestSet([System("a", ["x"])], [["y"]], reference_names=["bc"])
        second = TestSet([System("ab", ["x"])], [["y"]], reference_names=["c"])
        assert first.digest != second.digest

    def test_renamed_systems_keep_texts_files_and_order(self):
        renamed = self.made("f.txt").renamed(["b", "a"], ["human"])
        assert [(one.name, one.file) for one in renamed.systems] == [("b", "f.txt"), ("a", "f.txt")]
        assert renamed.system("b").hypotheses == ("one",)
        assert renamed.reference_names == ("human",)
        assert renamed.reference_files == ("f.txt",)

    @pytest.mark.parametrize(
        ("systems", "references", "text"),
        [
            (["a", "a"], ["r"], "two systems have the same name"),
            (["a", " "], ["r"], "a system has no name"),
            (["a"], ["r"], "the number of names differs from the number of systems (found 1, expected 2)"),
            (["a", "b"], [], "the number of reference names differs"),
        ],
    )
    def test_names_that_cannot_be_are_refused(self, systems, references, text):
        with pytest.raises(InputError, match=re.escape(text)):
            self.made().renamed(systems, references)

    def test_a_file_for_every_reference_or_none(self):
        with pytest.raises(InputError, match="the number of files differs from the number of references"):
            TestSet([System("a", ["x"])], [["y"]], reference_files=["a", "b"])

    def test_a_system_is_found_by_its_name_or_file(self):
        texts = TestSet([System("W", ["x"], "out/set.hyp.W.en.gz"), System("set.hyp.W", ["y"], "b.txt")], [["y"]])
        assert [texts.system_called(given) for given in ("W", "out/set.hyp.W.en.gz", "set.hyp.W.en")] == ["W"] * 3
        assert texts.system_called("set.hyp.W") == "set.hyp.W"
        assert texts.system_called("b") == "set.hyp.W"
        assert texts.system_called("c") is None
