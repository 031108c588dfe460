"""XLSX workbooks, written by XlsxWriter or by hand."""

import io
import zipfile

import pytest
import xlsxwriter
from hypothesis import given
from hypothesis import strategies as st

from bleucore import InputError
from bleucore.formats import columns as limits
from bleucore.formats import is_table, read, unpacked

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\ufffe\uffff\r"), min_size=1)
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
STRINGS = f'<sst xmlns="{MAIN}"><si><t>mt</t></si><si><r><t>a </t></r><r><t>b</t></r><rPh><t>x</t></rPh></si></sst>'
ROWS = '<row r="1"><c r="A1" t="s"><v>0</v></c></row><row r="2"><c r="A2" t="s"><v>1</v></c></row>'


def written(*sheets, names=()):
    buffer = io.BytesIO()
    with xlsxwriter.Workbook(buffer, {"strings_to_formulas": False, "strings_to_urls": False}) as workbook:
        for index, rows in enumerate(sheets):
            sheet = workbook.add_worksheet(names[index] if names else None)
            for row, cells in enumerate(rows):
                for column, cell in enumerate(cells):
                    if isinstance(cell, str):
                        sheet.write_string(row, column, cell)
                    else:
                        sheet.write(row, column, cell)
    return buffer.getvalue()


def made(rows=ROWS, strings=STRINGS, sheet_end="", **parts):
    """A workbook of these parts, without what XlsxWriter would add or correct."""
    relation = f'<Relationship Id="r{{}}" Type="{OFFICE}/{{}}" Target="{{}}"/>'
    files = {
        "[Content_Types].xml": "<Types/>",
        "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets><sheet name="S" r:id="r1"/></sheets>'
        "</workbook>",
        "xl/_rels/workbook.xml.rels": "<Relationships>"
        + relation.format(1, "worksheet", "worksheets/sheet1.xml")
        + relation.format(2, "sharedStrings", "/xl/sharedStrings.xml")
        + "</Relationships>",
        "xl/sharedStrings.xml": strings,
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{MAIN}"><sheetData>{rows}</sheetData>{sheet_end}</worksheet>',
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in (files | parts).items():
            if content is not None:
                archive.writestr(path, content)
    return buffer.getvalue()


def columns(data, name="t.xlsx", **options):
    return {column.name: column.segments for column in read(name, data, **options)}


def notices(data):
    return read("t.xlsx", data)[0].notices


def refusal(data, name="t.xlsx", **options):
    with pytest.raises(InputError) as caught:
        read(name, data, **options)
    assert str(caught.value).startswith(name)
    assert len(str(caught.value)) < 1_000
    return str(caught.value)


class TestCells:
    TABLE = (("source", "ref", "mt"), ("eins", "one", "a"), ("zwei", "two", ""))

    def test_become_columns_with_the_titles_of_the_first_row(self):
        found = read("t.xlsx", written(self.TABLE))
        assert [(column.name, column.segments) for column in found] == [
            ("source", ("eins", "zwei")),
            ("ref", ("one", "two")),
            ("mt", ("a", "")),
        ]
        assert all(column.is_cell and column.first_line == 2 and column.role is None for column in found)

    def test_of_a_sheet_without_titles_are_numbered(self):
        assert columns(written((("x", "y"),))) == {"column 1": ("x",), "column 2": ("y",)}
        assert columns(written(self.TABLE), header=False)["column 1"] == ("source", "eins", "zwei")

    @given(st.lists(st.tuples(TEXT, TEXT, TEXT), min_size=1, max_size=6))
    def test_that_are_written_are_read_back(self, rows):
        assert columns(written(rows), header=False) == {
            f"column {number + 1}": tuple(row[number] for row in rows) for number in range(3)
        }

    @pytest.mark.parametrize("text", ["_x000D_", "x005F_", "a_x0041_", " a ", "=1+1", "a\nb", "\t", "🐈"])
    def test_keep_every_character(self, text):
        assert columns(written((("mt",), (text,)))) == {"mt": (text,)}

    def test_hold_numbers_as_they_are_shown(self):
        table = (("mt", "n"), ("a", 3.0), ("b", 0.1), ("c", True), ("d", 1e300))
        assert columns(written(table))["n"] == ("3", "0.1", "TRUE", "1e+300")

    def test_of_rich_text_are_joined_without_readings(self):
        assert columns(made()) == {"mt": ("a b",)}

    def test_may_hold_their_text_themselves_or_lack_their_place(self):
        rows = '<row><c t="inlineStr"><is><t>mt</t></is></c></row><row><c t="str"><f>A1</f><v>a</v></c></row>'
        assert columns(made(rows)) == {"mt": ("a",)}

    def test_that_are_missing_are_empty_and_empty_columns_are_none(self):
        rows = ROWS + '<row r="4"><c r="C4" t="inlineStr"><is><t>z</t></is></c></row>'
        assert columns(made(rows), header=False) == {"t": ("mt", "a b", "", ""), "column 2": ("", "", "", "z")}


class TestNotices:
    def test_name_the_sheets_that_were_not_read(self):
        data = written((), (("mt",), ("a",)), (("other",),), names=("Empty", "Texts", "More"))
        assert columns(data) == {"mt": ("a",)}
        assert notices(data) == ("t.xlsx: sheet 'Texts' was read; not read: 'Empty', 'More'.",)

    def test_tell_of_merged_cells_hidden_rows_and_formulas(self):
        rows = (
            ROWS + '<row r="3" hidden="1"><c r="A3"><f>A1</f></c></row><row r="4"><c r="A4" t="e"><v>#N/A</v></c></row>'
        )
        assert notices(made(rows, sheet_end='<mergeCells><mergeCell ref="A1:B1"/></mergeCells>')) == (
            "t.xlsx: hidden rows were read as well (1).",
            "t.xlsx: of merged cells the first alone holds the text (1).",
            "t.xlsx: formulas without a stored value were read as empty (1).",
            "t.xlsx: cells show an error of a formula (1), first #N/A in row 4.",
        )

    def test_are_none_for_a_plain_table(self):
        assert notices(made()) == ()


class TestRecognition:
    def test_is_by_content(self):
        assert columns(made(), "download") == {"mt": ("a b",)}
        assert unpacked("t.xlsx", made()).files == (("t.xlsx", made()),)
        assert is_table("t.XLSX")

    def test_refuses_other_content_under_the_name(self):
        assert "this is no XLSX workbook" in refusal(b"a\tb\n")
        assert "found a workbook that is no XLSX" in refusal(made().replace(b"xl/workbook.xml", b"xl/workbook.bin"))


class TestFaults:
    @pytest.mark.parametrize(
        ("parts", "found"),
        [
            ({"xl/sharedStrings.xml": None}, "no xl/sharedStrings.xml"),
            ({"xl/worksheets/sheet1.xml": None}, "no xl/worksheets/sheet1.xml"),
            ({"xl/_rels/workbook.xml.rels": None}, "no xl/_rels/workbook.xml.rels"),
            ({"xl/worksheets/sheet1.xml": "<worksheet>"}, "no element found"),
            ({"xl/sharedStrings.xml": '<!DOCTYPE x [<!ENTITY a "b">]><sst>&a;</sst>'}, "DTDForbidden"),
            ({"rows": '<row><c t="s"><v>9</v></c></row>'}, "shared string '9' in row 1"),
            ({"rows": '<row><c t="s"><v>x</v></c></row>'}, "shared string 'x' in row 1"),
            ({"rows": '<row><c r="A9999999" t="s"><v>1</v></c></row>'}, "a cell in row 9,999,999"),
        ],
    )
    def test_of_the_workbook_are_named(self, parts, found):
        message = refusal(made(**parts))
        assert "the workbook is damaged or no XLSX" in message
        assert found in message

    def test_of_content_are_named(self):
        assert "no sheet holds a text (found 'S'" in refusal(made('<row><c r="A1"><v>5</v></c></row>'))
        assert "no sheet holds a text" in refusal(written(()))
        assert "two columns have the same title" in refusal(written((("mt", "mt"), ("a", "b"))))

    @pytest.mark.parametrize("share", [0.2, 0.5, 0.9])
    def test_of_a_cut_file_are_named(self, share):
        data = written(tuple(("mt", str(number)) for number in range(500)))
        refusal(data[: int(len(data) * share)])

    def test_of_size_are_found_before_memory_is_taken(self, monkeypatch, without_hanging):
        strings = f'<sst xmlns="{MAIN}"><si><t>{"long text " * 10_000}</t></si></sst>'
        cells = '<c t="s"><v>0</v></c>' * 900
        corners = (
            '<row r="1"><c r="A1" t="s"><v>1</v></c></row><row r="1048576"><c r="XFD1048576" t="s"><v>1</v></c></row>'
        )
        monkeypatch.setattr(limits, "MAX_CELLS", 100_000)
        with without_hanging():
            assert "the sheet holds too much text" in refusal(
                made(f"<row>{cells}</row>", strings), max_bytes=50_000_000
            )
            assert "too many segments or cells" in refusal(made(corners))
            assert "compressed more than texts can be" in refusal(made(" " * 50_000_000))
            assert "too many columns" in refusal(made(f"<row>{cells}{cells}</row>"))

    @given(st.integers(0, 5_000), st.integers(0, 8), st.binary(max_size=6))
    def test_of_mutated_files_are_errors_of_input(self, place, length, replacement):
        data = made()
        place %= len(data)
        try:
            found = read("t.xlsx", data[:place] + replacement + data[place + length :])
        except InputError:
            return
        assert found
