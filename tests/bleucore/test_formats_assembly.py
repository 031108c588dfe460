"""Columns -> a test set."""

from dataclasses import replace

import pytest

from bleucore.errors import InputError
from bleucore.formats import assemble, guess_roles, read
from bleucore.formats.columns import Column

KEYS = (("d", "1"), ("d", "2"), ("e", "1"))


def column(role, name, *segments, keys=None, file=None):
    return Column(file or f"{name}.txt", name, role, segments, keys, 1)


def keyed(role, name, *segments, keys=KEYS):
    return column(role, name, *segments, keys=keys, file=f"{name}.xml")


def refusal(*columns):
    with pytest.raises(InputError) as caught:
        assemble(columns)
    return str(caught.value)


def test_unkeyed_columns_are_aligned_by_line():
    test_set = assemble(
        [
            column("source", "src", "s1", "s2"),
            column("hypothesis", "A", "a1", "a2"),
            column("reference", "r", "r1", "r2"),
            column("ignore", "junk", "only one line"),
            column("documents", "docs", "d", "e"),
            column("label", "domain", "news", "chat"),
            column("hypothesis", "B", "b1", ""),
            column("reference", "q", "q1", "q2"),
        ]
    )
    assert test_set.system_names == ("A", "B")
    assert test_set.system("B").hypotheses == ("b1", "")
    assert test_set.references == (("r1", "r2"), ("q1", "q2"))
    assert test_set.reference_names == ("r", "q")
    assert test_set.source == ("s1", "s2")
    assert test_set.documents == ("d", "e")
    assert dict(test_set.labels) == {"domain": ("news", "chat")}


def test_source_documents_and_labels_may_be_absent():
    test_set = assemble([column("hypothesis", "A", "a"), column("reference", "r", "r")])
    assert (test_set.source, test_set.documents, dict(test_set.labels)) == (None, None, {})


def test_keyed_columns_take_the_order_of_the_source():
    test_set = assemble(
        [
            keyed("reference", "r", "r3", "r1", keys=(KEYS[2], KEYS[0])),
            keyed("hypothesis", "A", "a2", "a1", "a3", keys=(KEYS[1], KEYS[0], KEYS[2])),
            keyed("source", "src", "s1", "s2", "s3"),
            keyed("reference", "q", "q1", "q2", "q3"),
            keyed("label", "domain", "x", "y", "z"),
        ]
    )
    assert test_set.references == (("r1", None, "r3"), ("q1", "q2", "q3"))
    assert test_set.system("A").hypotheses == ("a1", "a2", "a3")
    assert test_set.documents == ("d", "d", "e")


def test_without_a_keyed_source_the_first_keyed_reference_then_the_first_keyed_column_gives_the_order():
    swapped = (KEYS[1], KEYS[0])
    by_reference = assemble(
        [keyed("hypothesis", "A", "a2", "a1", keys=swapped), keyed("reference", "r", "r1", "r2", keys=KEYS[:2])]
    )
    assert by_reference.system("A").hypotheses == ("a1", "a2")
    by_system = assemble(
        [
            column("reference", "r", "r2", "r1"),
            keyed("hypothesis", "A", "a2", "a1", keys=swapped),
            keyed("hypothesis", "B", "b1", "b2", keys=KEYS[:2]),
        ]
    )
    assert by_system.references == (("r2", "r1"),)
    assert by_system.system("B").hypotheses == ("b2", "b1")


def test_a_documents_column_stands_before_the_documents_of_the_keys():
    columns = [keyed("hypothesis", "A", "1", "2", "3"), column("reference", "r", "1", "2", "3")]
    assert assemble(columns).documents == ("d", "d", "e")
    assert assemble([*columns, column("documents", "docs", "x", "y", "y")]).documents == ("x", "y", "y")


def test_a_column_without_a_role_is_refused():
    assert refusal(column(None, "out", "a")) == (
        "out.txt: the column has no role (found none, expected hypothesis, reference, source, documents, label or "
        "ignore). Say what the column holds."
    )


def test_without_a_hypothesis_or_a_reference_there_is_nothing_to_score():
    assert refusal(column("reference", "r", "a"), column("source", "s", "a")) == (
        "r.txt, s.txt: there is no hypothesis (found reference, source, expected at least one hypothesis). "
        "Load the output of a system, or say which file holds it."
    )
    assert refusal(*(column("hypothesis", f"s{number}", "a") for number in range(7))) == (
        "s0.txt, s1.txt, s2.txt, s3.txt, s4.txt and 2 more: there is no reference (found hypothesis, expected at "
        "least one reference). Load a reference translation. In a command, name it with -r FILE."
    )
    assert refusal().startswith("The files: there is no hypothesis (found nothing, expected")


def test_unequal_lengths_name_both_files_and_numbers():
    message = refusal(column("hypothesis", "A", *"ab"), column("source", "s", *"abc"), column("reference", "r", *"abc"))
    assert message == (
        "A.txt: the number of segments differs (found 2 lines, expected 3 as in r.txt). "
        "Every file needs one line per segment, in the same order. An output that is cut otherwise "
        "can be cut anew: --align, or the button on the page."
    )


def test_columns_of_a_table_are_named_with_their_file():
    cells = replace(column("hypothesis", "mt", "a", file="t.tsv"), is_cell=True)
    message = refusal(cells, column("reference", "r", "a", "b"))
    assert message.startswith(
        "t.tsv, column 'mt': the number of segments differs (found 1 line, expected 2 as in r.txt)"
    )


def test_unkeyed_columns_must_have_as_many_segments_as_keyed_ones():
    message = refusal(column("reference", "r", "1", "2"), keyed("hypothesis", "A", "1", "2", "3"))
    assert message.startswith(
        "r.txt: the number of segments differs (found 2 lines, expected 3 as in A.xml, system 'A')"
    )


def test_a_segment_that_a_system_lacks_is_named():
    message = refusal(
        keyed("source", "s", *"abc"), keyed("hypothesis", "A", *"ab", keys=KEYS[:2]), keyed("reference", "r", *"abc")
    )
    assert message == (
        "A.xml, system 'A': a segment is missing (found no document 'e', segment '1', expected every segment of "
        "the test set). Add it, with an empty text where there is none."
    )


def test_a_segment_that_an_unkeyed_column_lacks_is_numbered():
    message = refusal(column("hypothesis", "A", "a", None), column("reference", "r", "a", "b"))
    assert message.startswith("A.txt: a segment is missing (found no segment 2, expected every segment")


def test_a_segment_too_many_is_named():
    message = refusal(keyed("hypothesis", "A", *"abc"), keyed("reference", "r", *"ab", keys=KEYS[:2]))
    assert message == (
        "A.xml, system 'A': there is a segment too many (found document 'e', segment '1', expected only the "
        "segments of r.xml, reference 'r'). Load files of the same test set."
    )


@pytest.mark.parametrize("role", ["source", "hypothesis"])
def test_a_key_that_is_there_twice_is_refused(role):
    columns = [keyed("hypothesis", "A", *"ab", keys=KEYS[:2]), keyed("reference", "r", *"ab", keys=KEYS[:2])]
    twice = keyed(role, "x", *"ab", keys=(KEYS[0], KEYS[0]))
    assert "a segment is there twice (found document 'd', segment '1', expected" in refusal(*columns, twice)


def test_a_segment_without_any_reference_is_named():
    columns = [
        keyed("hypothesis", "A", *"abc"),
        keyed("reference", "r", "a", None, "c"),
        keyed("reference", "q", "a", None, ""),
    ]
    assert refusal(*columns) == (
        "r.xml, q.xml: a segment has no reference (found no reference for document 'd', segment '2', expected at "
        "least one reference for every segment). Add the reference, or take the segment out of all files."
    )


@pytest.mark.parametrize("role", ["source", "documents"])
def test_a_second_source_or_documents_column_is_refused(role):
    columns = [
        column("hypothesis", "A", "a"),
        column("reference", "r", "a"),
        column(role, "x", "a"),
        column(role, "y", "a"),
    ]
    assert refusal(*columns) == (
        f"y.txt: there are two {role} columns (found one in x.txt and one in y.txt, expected one). Keep one of them."
    )


@pytest.mark.parametrize(("role", "what"), [("hypothesis", "systems"), ("label", "labels")])
def test_equal_names_are_refused_with_both_files(role, what):
    same = [column(role, "x", "a", file="one.txt"), column(role, "x", "a", file="two.txt")]
    assert refusal(column("hypothesis", "A", "a"), column("reference", "r", "a"), *same) == (
        f"two.txt: two {what} have the same name 'x' (found one in one.txt and one in two.txt, expected one). "
        "Give each a name of its own."
    )


def test_files_of_every_format_go_together():
    files = {
        "t.csv": b"source,mt-1\nein,one\nzwei,two\n",
        "mt-2.txt": b"a one\na two",
        "ref.xml": b'<refset refid="r"><doc docid="d"><seg id="1">one</seg><seg id="2">two</seg></doc></refset>',
    }
    columns = guess_roles([column for name, data in files.items() for column in read(name, data)])
    test_set = assemble(columns)
    assert test_set.system_names == ("mt-1", "mt-2")
    assert test_set.source == ("ein", "zwei")
    assert test_set.documents == ("d", "d")
    assert test_set.references == (("one", "two"),)


def test_what_the_test_set_itself_refuses_stays_an_input_error():
    blank = replace(column("hypothesis", "A", "a"), name=" ")
    assert "a system has no name" in refusal(blank, column("reference", "r", "a"))
    assert "there are no segments" in refusal(column("hypothesis", "A"), column("reference", "r"))
