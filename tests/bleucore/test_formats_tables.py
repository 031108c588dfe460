"""TSV and CSV tables."""

import csv
import gzip

import pytest

from bleucore.errors import InputError
from bleucore.formats import columns as limits
from bleucore.formats import read
from bleucore.formats.columns import Column


def columns(data, name="t.tsv", **options):
    data = data.encode() if isinstance(data, str) else data
    return {column.name: column.segments for column in read(name, data, **options)}


def refusal(data, name="t.tsv", **options):
    with pytest.raises(InputError) as caught:
        read(name, data.encode(), **options)
    return str(caught.value)


def test_a_table_becomes_one_column_per_column():
    assert read("t.tsv", b"source\tref\nein\tone\nzwei\ttwo\n") == (
        Column("t.tsv", "source", None, ("ein", "zwei"), None, 2, is_cell=True),
        Column("t.tsv", "ref", None, ("one", "two"), None, 2, is_cell=True),
    )


def test_without_a_header_columns_are_numbered():
    assert read("t.tsv", b"ein\tone\r\nzwei\ttwo") == (
        Column("t.tsv", "column 1", None, ("ein", "zwei"), None, 1, is_cell=True),
        Column("t.tsv", "column 2", None, ("one", "two"), None, 1, is_cell=True),
    )


@pytest.mark.parametrize(
    "word", ["source", "SRC", "ref1", "refA", "Reference 2", "hyp", "mt", "doc_id", " target ", "seg id"]
)
def test_a_known_word_in_the_first_row_makes_it_a_header(word):
    assert list(columns(f"online-A\t{word}\na\tb\n")) == ["online-A", word.strip()]


@pytest.mark.parametrize("word", ["The source.", "doc1", "reference translations", "sources say", "refABC"])
def test_a_text_that_contains_a_known_word_does_not(word):
    assert list(columns(f"x\t{word}\na\tb\n")) == ["column 1", "column 2"]


def test_the_header_can_be_forced_and_forbidden():
    assert columns("a\tb\nc\td\n", header=True) == {"a": ("c",), "b": ("d",)}
    assert columns("source\tref\nc\td\n", header=False) == {"column 1": ("source", "c"), "column 2": ("ref", "d")}


def test_tsv_takes_quotes_as_ordinary_characters():
    assert columns('"a\tb""\n\u2028,;\t\n') == {"column 1": ('"a', "\u2028,;"), "column 2": ('b""', "")}


def test_csv_cells_in_quotes_hold_delimiters_quotes_and_line_ends():
    data = 'source,mt\r\n"a, ""b""","c\r\nd"\r\n\u2028,"e\rf"\r\n'
    assert columns(data, "t.csv") == {"source": ('a, "b"', "\u2028"), "mt": ("c\r\nd", "e\rf")}


def test_a_header_over_several_lines_shifts_the_first_line():
    assert read("t.csv", b'"on\nline",mt\na,b\n')[0].first_line == 3


@pytest.mark.parametrize(
    ("data", "names"),
    [
        ("source;a,b\nx;y\n", ["source", "a,b"]),
        ('source,"a;b;c"\nx,y\n', ["source", "a;b;c"]),
        ("source\nx\n", ["source"]),
    ],
)
def test_csv_finds_commas_or_semicolons(data, names):
    if data.startswith("source;"):
        data = data.replace("a,b", '"a,b"')
    assert list(columns(data, "t.csv")) == names


def test_compressed_tables_read_like_others():
    assert columns(gzip.compress(b"source,mt\na,b\n"), "t.csv.gz") == {"source": ("a",), "mt": ("b",)}


@pytest.mark.parametrize("name", ["t.tsv", "t.csv"])
def test_in_a_single_column_blank_lines_are_empty_segments(name):
    assert columns("a\n\nb\n\n", name) == {"column 1": ("a", "", "b", "")}
    assert columns("\n", name) == {"column 1": ("",)}


@pytest.mark.parametrize(("name", "mark"), [("t.tsv", "\t"), ("t.csv", ",")])
def test_rows_of_differing_width_are_refused(name, mark):
    assert refusal(f"a{mark}b\nc{mark}d\ne\n", name) == (
        f"{name}, line 3: the row differs in width from the first one (found 1 cell, expected 2 cells). "
        "Give every row the same number of cells."
    )


def test_a_csv_row_is_counted_by_lines_of_the_file():
    assert "t.csv, line 4: the row differs in width" in refusal('a,b\n"c\nd",e\nf\n', "t.csv")


@pytest.mark.parametrize(
    ("data", "line"), [('a,b\n"c,d\n', 2), ('a,b\n"c"x,d\n', 2), ("a,b\nc\rd,e\n", 2), ('"a\nb', 1)]
)
def test_broken_csv_is_refused(data, line):
    message = refusal(data, "t.csv")
    assert message.startswith(f"t.csv, line {line}: the table does not follow the rules of CSV (found ")
    assert message.endswith("Save the table again as CSV, or as TSV, where quotes are ordinary characters.")


def test_a_cell_may_be_longer_than_the_csv_modules_own_limit():
    usual = csv.field_size_limit()
    cell = "x" * (usual + 1)
    assert columns(f"source,mt\n{cell},b\n", "t.csv")["source"] == (cell,)
    refusal(f'source,mt\n"{cell}', "t.csv")
    assert csv.field_size_limit() == usual


@pytest.mark.parametrize(
    ("data", "problem", "found"),
    [
        ("source\tref\tsource \na\tb\tc\n", "two columns have the same title", "'source'"),
        ("source\t\tref\na\tb\tc\n", "a column has no title", "an empty cell in column 2"),
        ("source\t\t \na\tb\tc\n", "a column has no title", "an empty cell in column 2"),
    ],
)
def test_a_header_that_does_not_name_every_column_is_refused(data, problem, found):
    assert refusal(data) == (
        f"t.tsv, line 1: {problem} (found {found}, expected a title of its own for each column). "
        "Correct the header, or say that the first row is no header."
    )


def test_a_header_without_rows_is_refused():
    assert refusal("source\tref\n") == (
        "t.tsv, line 1: the table has a header and no rows (found 'source', 'ref', expected one row per segment under "
        "the header). Load the complete table, or say that its first row is no header."
    )


@pytest.mark.parametrize(("name", "mark"), [("t.tsv", "\t"), ("t.csv", ",")])
def test_tables_with_too_many_columns_or_cells_are_refused(monkeypatch, name, mark):
    monkeypatch.setattr(limits, "MAX_COLUMNS", 3)
    assert "too many columns (found 4, expected at most 3)" in refusal(mark * 3, name)
    monkeypatch.setattr(limits, "MAX_CELLS", 5)
    assert "too many segments or cells (found 6, expected at most 5)" in refusal(mark * 6, name)


@pytest.mark.parametrize(
    ("header", "has_one"),
    [
        ("番号,原文,参照訳,システムA", True),
        ("prompt,completion,answer", True),
        ("article,highlights,BART", True),
        ("de,en,opus", True),
        ("स्रोत,संदर्भ,IndicTrans2", True),
        ("translation memory,at once,yes", False),
        ("Hallo,Hello,Salut", False),
        ("it is,no,well", False),
    ],
)
def test_titles_in_any_language_are_no_segment(header, has_one):
    body = ",".join(["eins"] * (header.count(",") + 1))
    columns = read("t.csv", f"{header}\n{body}".encode())
    assert {len(column.segments) for column in columns} == {1 if has_one else 2}


def test_two_tables_in_a_text_of_markdown_are_refused():
    one = "| source | reference |\n|---|---|\n| eins und | one and |\n| zwei und | two and |\n"
    (source, reference) = read("t.md", f"# Title\n\n{one}\nThe end.\n".encode())
    assert source.segments == ("eins und", "zwei und")
    assert any("2 lines around the table left out" in notice for notice in reference.notices)
    with pytest.raises(InputError, match="several tables"):
        read("t.md", f"# Title\n\n{one}\nMore.\n\n{one}".encode())
