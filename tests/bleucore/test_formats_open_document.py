"""Sheets of OpenDocument: their rows, other sheets, and what is refused."""

import io
import zipfile

import pytest

from bleucore import InputError
from bleucore.formats import read

NAMES = "urn:oasis:names:tc:opendocument:xmlns"
PROLOGUE = (
    f'<office:document-content xmlns:office="{NAMES}:office:1.0" xmlns:table="{NAMES}:table:1.0" '
    f'xmlns:text="{NAMES}:text:1.0"><office:body><office:spreadsheet>'
)


def row(*cells, times=1):
    written = "".join(f"<table:table-cell><text:p>{cell}</text:p></table:table-cell>" for cell in cells)
    return f'<table:table-row table:number-rows-repeated="{times}">{written}</table:table-row>'


def packed(*sheets, content=None):
    tables = "".join(f'<table:table table:name="{name}">{rows}</table:table>' for name, rows in sheets)
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        ends = "</office:spreadsheet></office:body></office:document-content>"
        archive.writestr("content.xml", content or f"{PROLOGUE}{tables}{ends}")
    return written.getvalue()


def test_the_first_sheet_with_texts_is_read_and_the_others_are_named():
    data = packed(("Empty", ""), ("Texts", row("source", "mt") + row("ein Hund", "a dog")), ("Notes", row("x")))
    columns = read("t.ods", data)
    assert {column.name: column.segments for column in columns} == {"source": ("ein Hund",), "mt": ("a dog",)}
    assert columns[0].notices == ("t.ods: sheet 'Texts' was read; not read: 'Empty', 'Notes'.",)


def test_rows_that_are_repeated_are_all_there_and_empty_ones_at_the_end_are_not():
    data = packed(("S", row("mt") + row("a", times=2) + row("", times=2) + row("b") + row("", times=1_000_000)))
    assert read("t.ods", data)[0].segments == ("a", "a", "", "", "b")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (packed(("S", row("mt") + row("a", times=99_999_999))), "the file holds too many segments or cells"),
        (packed(("S", "")), "no sheet holds a text"),
        (packed(content="<broken"), "the OpenDocument sheet is damaged"),
        (packed(content='<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>'), "the OpenDocument sheet is damaged"),
    ],
)
def test_what_is_refused(data, said):
    with pytest.raises(InputError, match=said):
        read("t.ods", data)
