"""Sheets in every form: what stands in the files, and that no text in them becomes anything else."""

import csv
import io
import json
import re
import unicodedata
import zipfile
from dataclasses import replace
from typing import get_args

import numpy as np
import pandas as pd
import pytest
from defusedxml import ElementTree
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from bleucore import InputError
from bleucore.formats.formula_cells import harmless
from bleuscope.content.sheets.forms import FORMS, TEXT_FORMS, FileForm
from bleuscope.content.sheets.latex import escaped as latex_escaped
from bleuscope.content.sheets.latex import keys_that_fit
from bleuscope.content.sheets.sheet import Field, Sheet
from bleuscope.content.sheets.values import read_columns, with_decimals
from bleuscope.content.sheets.workbooks import MAX_CELL, MAX_NAME, MAX_ROWS, cell_text, fits_workbook, worksheet_names
from bleuscope.content.sheets.writers import write, write_text
from bleuscope.content.style.invisible import without_controls
from bleuscope.content.style.markdown_escapes import escaped as markdown_escaped
from bleuscope.content.style.widths import n_columns

SPREADSHEET = {"s": "http://schemas.openxmlformats.org/spreadsheetml/2006/main"}
FORMULAS = (
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "\tx",
    "\rx",
    "\nx",
    "  =1",
    "\u00a0=1",
    "\u200b=1",
    "\ufeff=1",
    '"=1',
    "＝1",
    "＋1",
    "－1",
    "＠x",
    "﹦1",
    "'=1",
    "''-1",
)
HARMLESS = ("a=1", "1-2", "", " ", "− minus", "x@y", "12", "'a", "''1")
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)

SMALL = Sheet(
    "systems",
    "Two systems.",
    (
        Field("system", "system", "text"),
        Field("bleu", "BLEU ↑", "score", best="highest"),
        Field("interval", "95 % interval", "interval"),
        Field("difference", "Δ", "difference"),
        Field("p_value", "p", "p", marked_by="significant"),
        Field("significant", "significant", "yes or no", for_machines=True),
        Field("n", "segments", "count"),
    ),
    pd.DataFrame(
        {
            "system": ["one_1", "two"],
            "bleu": [12.345678901234567, 9.0],
            "interval_low": [11.0, np.nan],
            "interval_high": [13.25, np.nan],
            "difference": [-1.5, None],
            "p_value": [0.0004, None],
            "significant": [True, None],
            "n": [1234, None],
            "not_written": [1, 2],
        }
    ),
    {"seed": 7, "signature": "nrefs:1"},
)


def of_texts(texts, *, name="texts", heading="text"):
    """A sheet of one column of texts."""
    return Sheet(name, "", (Field("text", heading, "text"),), pd.DataFrame({"text": list(texts)}))


def of_column(values, kind, **how):
    """A sheet of one column of values."""
    return Sheet("one", "", (Field("x", "x", kind, **how),), pd.DataFrame({"x": values}))


def csv_rows(sheet):
    return list(csv.reader(io.StringIO(write_text(sheet, "csv"), newline="")))


class TestForms:
    def test_are_text_or_files(self):
        assert set(FORMS) == {*TEXT_FORMS, *get_args(FileForm)}
        for form in FORMS:
            assert (form in TEXT_FORMS) == (b"\0" not in write(SMALL, form)), form

    @pytest.mark.parametrize("form", TEXT_FORMS)
    def test_of_text_end_with_one_line_feed(self, form):
        text = write_text(SMALL, form)
        assert text.endswith("\n")
        assert not text.endswith("\n\n")

    @pytest.mark.parametrize("form", FORMS)
    def test_hold_a_sheet_without_rows(self, form):
        empty = Sheet(SMALL.name, "Nothing.", SMALL.fields, SMALL.frame.iloc[:0])
        assert write(empty, form)

    @pytest.mark.parametrize("form", ["csv", "tsv"])
    def test_of_one_sheet_refuse_several(self, form):
        with pytest.raises(ValueError, match="holds one sheet, not 2"):
            write_text([SMALL, SMALL], form)


class TestCsv:
    def test_has_keys_raw_values_and_both_ends_of_intervals(self):
        assert write_text(SMALL, "csv") == (
            "system,bleu,interval_low,interval_high,difference,p_value,significant,n\n"
            "one_1,12.345678901234567,11.0,13.25,-1.5,0.0004,true,1234\n"
            "two,9.0,,,,,,\n"
        )

    def test_begins_with_a_byte_order_mark_as_a_file(self):
        assert write(SMALL, "csv") == b"\xef\xbb\xbf" + write_text(SMALL, "csv").encode()

    def test_is_read_by_pandas_as_it_was(self):
        frame = pd.read_csv(io.BytesIO(write(SMALL, "csv")))
        assert frame["bleu"].tolist() == SMALL.frame["bleu"].tolist()
        assert frame["system"].tolist() == ["one_1", "two"]

    @pytest.mark.parametrize("text", FORMULAS)
    def test_text_that_could_be_a_formula_gets_an_apostrophe(self, text):
        assert csv_rows(of_texts([text]))[1] == ["'" + text]

    @pytest.mark.parametrize("text", HARMLESS)
    def test_other_text_stays(self, text):
        assert harmless(text) == text

    def test_heading_that_could_be_a_formula_gets_an_apostrophe(self):
        sheet = Sheet("x", "", (Field("=1+1", "x", "score"),), pd.DataFrame({"=1+1": [1.0]}))
        assert csv_rows(sheet)[0] == ["'=1+1"]

    def test_negative_numbers_stay_numbers(self):
        assert csv_rows(of_column([-1.5], "difference"))[1] == ["-1.5"]

    def test_keeps_an_empty_row_of_one_column(self):
        assert csv_rows(of_texts(["", None, "x"])) == [["text"], [""], [""], ["x"]]

    @pytest.mark.parametrize("form", ["csv", "tsv"])
    def test_and_tsv_hold_a_sign_for_every_control_character(self, form):
        assert write_text(of_texts(["a\x1b[31m\x07\x9bb"]), form) == "text\na␛[31m␇U+009Bb\n"

    @given(TEXTS)
    def test_cell_is_the_text_and_begins_no_formula(self, text):
        ((cell,),) = csv_rows(of_texts([text]))[1:]
        assert cell in (without_controls(text), "'" + without_controls(text))
        seen = [one for one in cell if unicodedata.category(one) not in ("Zs", "Zl", "Zp", "Cc", "Cf") and one != '"']
        assert not seen or unicodedata.normalize("NFKC", seen[0])[0] not in "=+-@"


class TestTsv:
    def test_has_one_line_a_row_whatever_the_texts_hold(self):
        assert write_text(of_texts(["a\tb", "c\nd", "e\u2028f"]), "tsv") == "text\na b\nc d\ne f\n"

    def test_quotes_what_begins_with_a_quote_so_that_rows_stay_apart(self):
        texts = ['"a', "b", '"', 'c "d"']
        text = write_text(of_texts(texts), "tsv")
        assert text == 'text\n"""a"\nb\n""""\nc "d"\n'
        assert pd.read_csv(io.StringIO(text), sep="\t")["text"].tolist() == texts

    @pytest.mark.parametrize("text", FORMULAS)
    def test_is_safe_as_csv_is(self, text):
        assert write_text(of_texts([text]), "tsv").split("\n")[1].startswith("'")


class TestJson:
    def test_holds_what_a_terminal_would_obey_by_its_number(self):
        text = "a\x1b[31m\x7f\x9b\u202eb\u2066\u2028\n✓ عربي 👩\u200d🚀"
        written = write_text(of_texts([text]), "json")
        assert not set("\x1b\x7f\x9b\u202e\u2066\u2028") & set(written)
        assert "✓ عربي 👩\u200d🚀" in written
        assert json.loads(written)["texts"] == [{"text": text}]

    def test_has_raw_values_and_null_for_what_is_missing(self):
        assert json.loads(write_text(SMALL, "json")) == {
            "facts": {"seed": 7, "signature": "nrefs:1"},
            "systems": [
                {
                    "system": "one_1",
                    "bleu": 12.345678901234567,
                    "interval_low": 11.0,
                    "interval_high": 13.25,
                    "difference": -1.5,
                    "p_value": 0.0004,
                    "significant": True,
                    "n": 1234,
                },
                {
                    "system": "two",
                    "bleu": 9.0,
                    "interval_low": None,
                    "interval_high": None,
                    "difference": None,
                    "p_value": None,
                    "significant": None,
                    "n": None,
                },
            ],
        }

    @given(TEXTS)
    def test_keeps_every_text_as_it_is(self, text):
        assert json.loads(write_text(of_texts([text]), "json"))["texts"] == [{"text": text}]

    def test_what_is_not_finite_is_null(self):
        values = [float("inf"), float("nan"), None, 1.5]
        assert [row["x"] for row in json.loads(write_text(of_column(values, "score"), "json"))["one"]] == [
            None,
            None,
            None,
            1.5,
        ]

    def test_of_several_sheets_says_where_their_facts_differ(self):
        other = Sheet("other", "", SMALL.fields[:1], SMALL.frame, {"seed": 8, "signature": "nrefs:1", "level": 0.05})
        document = json.loads(write_text([SMALL, other], "json"))
        assert list(document) == ["facts", "systems", "other"]
        assert document["facts"] == {"seed": 7, "signature": "nrefs:1", "other seed": 8, "level": 0.05}

    def test_refuses_two_sheets_of_one_name(self):
        with pytest.raises(ValueError, match="names are not different"):
            write_text([SMALL, SMALL], "json")


class TestMarkdown:
    def test_is_a_table_as_people_read_it_with_its_caption(self):
        assert write_text(SMALL, "markdown") == (
            "| system | BLEU ↑ | 95 % interval | Δ | p | segments |\n"
            "| :--- | ---: | ---: | ---: | ---: | ---: |\n"
            "| one\\_1 | **12.35** | 11.00 to 13.25 | −1.50 | \\< .001\\* | 1\u202f234 |\n"
            "| two | 9.00 | – | – | – | – |\n"
            "\n"
            "Two systems. The best of a column is bold; \\* marks what is significant.\n"
        ).replace("1\u202f234", "1 234")

    @given(st.lists(TEXTS, min_size=1, max_size=3))
    def test_reads_as_it_was_written(self, texts):
        """CommonMark's reference implementation in Python with tables is the oracle."""
        tokens = MarkdownIt("commonmark").enable("table").parse(write_text(of_texts(texts), "markdown"))
        cells = [token for token in tokens if token.type == "inline"]
        assert len(cells) == 1 + len(texts)
        for text, cell in zip(texts, cells[1:], strict=True):
            assert {child.type for child in cell.children} <= {"text", "text_special"}
            shown = "".join(child.content for child in cell.children)
            assert shown == markdown_escaped(text).replace("\\\\", "\0").replace("\\", "").replace("\0", "\\")

    @pytest.mark.parametrize("text", ["www.example.org", "https://example.org", "a@example.org", "`x`", "a|b", "<b>"])
    def test_escapes_what_would_become_a_link_or_markup(self, text):
        assert re.search(r"(?<!\\)[|<`@:]|www\.", markdown_escaped(text)) is None


class TestLatex:
    def test_is_a_table_with_rules_bold_best_and_stars(self):
        assert write_text(SMALL, "latex").split("\n")[1:] == [
            r"\begin{table*}",
            r"\centering",
            r"\caption{Two systems.}",
            r"\label{tab:systems}",
            r"\small\setlength{\tabcolsep}{4pt}",
            r"\begin{tabular}{lrrrrr}",
            r"\toprule",
            r"system & BLEU $\uparrow$ & 95 \% interval & $\Delta$ & p & segments \\",
            r"\midrule",
            r"one\_1 & \textbf{12.35} & 11.00 to 13.25 & $-$1.50 & \textless{} .001\rlap{$^{*}$} & 1\,234 \\",
            r"two & 9.00 & -- & -- & -- & -- \\",
            r"\bottomrule",
            r"\end{tabular}",
            r"\par\smallskip\parbox{\linewidth}"
            r"{\footnotesize The best of a column is bold; {*} marks what is significant.}",
            r"\end{table*}",
            "",
        ]

    @pytest.mark.parametrize(
        ("columns", "environment", "shrinks"), [(4, "table", 0), (8, "table*", 0), (20, "table*", 1)]
    )
    def test_takes_the_page_where_it_is_wider_than_a_column_and_shrinks_to_that(self, columns, environment, shrinks):
        fields = tuple(Field(f"n{place}", f"number {place:02}", "count") for place in range(columns))
        frame = pd.DataFrame({one.key: [1] for one in fields})
        written = write_text(Sheet("wide", "One.", fields, frame), "latex")
        assert f"\\begin{{{environment}}}" in written
        assert written.count("graphicx") == written.count(r"\resizebox{\linewidth}{!}{%") == shrinks
        assert written.count("{") == written.count("}")

    def test_knows_which_columns_fit_a_column_of_a_paper(self):
        assert keys_that_fit(SMALL) == ["system", "bleu", "interval", "difference", "p_value"]

    def test_has_the_decimals_that_were_chosen_and_compares_what_is_read(self):
        close = replace(SMALL, frame=SMALL.frame.assign(bleu=[12.345678901234567, 12.31], difference=[-0.02, -1.55]))
        written = write_text(with_decimals(close, 1), "latex")
        first, second = (line.split(" & ") for line in written.splitlines() if line.startswith((r"one\_1", "two")))
        assert first[1:4] == [r"\textbf{12.3}", "11.0 to 13.2", "0.0"]
        assert second[1:4] == [r"\textbf{12.3}", "--", "$-$1.6"]
        assert first[4:] == [r"\textless{} .001\rlap{$^{*}$}", r"1\,234 \\"]
        assert write_text(with_decimals(close, 1), "csv") == write_text(close, "csv")

    def test_long_texts_break_lines_and_share_the_room(self):
        frame = pd.DataFrame({"a": ["x " * 30], "b": ["y " * 30], "c": ["z"], "n": [1]})
        fields = (*(Field(one, one, "text") for one in "abc"), Field("n", "n", "count"))
        written = write_text(Sheet("texts", "One.", fields, frame), "latex")
        assert r"\begin{tabular}{p{0.30\linewidth}p{0.30\linewidth}lr}" in written

    def test_escapes_all_of_latex_signs(self):
        assert latex_escaped("a\\b{c}$d&e#f%g_h^i~j") == (
            r"a\textbackslash{}b\{c\}\$d\&e\#f\%g\_h\textasciicircum{}i\textasciitilde{}j"
        )

    def test_a_bracket_or_star_after_the_end_of_a_row_is_no_option_of_it(self):
        rows = write_text(of_texts(["[1cm]", "*x"]), "latex").split("\n")
        assert rows[10:12] == [r"{[}1cm{]} \\", r"{*}x \\"]

    def test_hyphens_and_quotes_stay_what_they_are(self):
        assert latex_escaped('a-b--c "d" \'e') == r"a-b-{}-c \char34{}d\char34{} {\char39}e"

    def test_what_cannot_be_seen_becomes_its_code_point(self):
        assert latex_escaped("a\x1b\u202eb") == "a{[}U+001B{]}{[}U+202E{]}b"

    @given(TEXTS)
    def test_every_group_is_closed_and_no_sign_stands_alone(self, text):
        escaped = latex_escaped(text)
        bare = re.sub(r"\\[a-z]+(?:\{\})?\d*|\\[^a-z]|\$[^$]*\$", "", escaped)
        depth = 0
        for character in bare:
            depth += (character == "{") - (character == "}")
            assert depth >= 0
        assert depth == 0
        assert not set(bare) & set('\\$&#%_^<>|"`')
        assert "\n" not in escaped


class TestTable:
    def test_is_aligned_with_stars_outside_the_numbers(self):
        assert write_text(SMALL, "table") == (
            "system  BLEU ↑   95 % interval      Δ       p   segments\n"
            "────────────────────────────────────────────────────────\n"
            "one_1    12.35  11.00 to 13.25  −1.50  < .001*     1\u202f234\n"
            "two       9.00               –      –       –          –\n"
            "\n"
            "Two systems. * marks what is significant.\n"
        )

    def test_wide_and_combining_characters_take_the_columns_of_a_terminal(self):
        sheet = Sheet(
            "x",
            "",
            (Field("a", "a", "text"), Field("b", "b", "text")),
            pd.DataFrame({"a": ["漢字", "e\u0301", "abcd"], "b": ["|"] * 3}),
        )
        lines = write_text(sheet, "table").split("\n")[2:5]
        assert [n_columns(line) for line in lines] == [7, 7, 7]
        assert lines == ["漢字  |", "e\u0301     |", "abcd  |"]

    def test_long_texts_of_a_wide_table_stand_beneath_their_rows(self):
        fields = tuple(
            Field(one, one, "count" if one == "segment" else "text") for one in ("segment", "A", "B", "source")
        )
        long = pd.DataFrame(
            {"segment": [1, 2], "A": ["word " * 29 + "end", "short"], "B": "x" * 130, "source": "y" * 61}
        )
        lines = write_text(Sheet("segments", "Two.", fields, long), "table").splitlines()
        assert lines[0] == "segment"
        assert lines[2:4] == ["      1", "    A       " + ("word " * 19).strip()]
        assert lines[-5:-3] == ["    B       " + "x" * 94, "            " + "x" * 36]
        assert lines[-3:] == ["    source  " + "y" * 61, "", "Two."]
        short = long.assign(A="a", B="b", source="c")
        heading = write_text(Sheet("segments", "Two.", fields, short), "table").splitlines()[0]
        assert heading.split() == ["segment", "A", "B", "source"]

    @pytest.mark.parametrize(
        ("text", "shown"),
        [
            ("\x1b[31mred", "␛[31mred"),
            ("a\nb\tc", "a b c"),
            ("\x9b2J", "U+009B2J"),
            ("\u202ex", "RLOx"),
            ("\x7f", "U+007F"),
        ],
    )
    def test_shows_a_sign_for_what_a_terminal_would_obey(self, text, shown):
        assert write_text(of_texts([text]), "table").split("\n")[2] == shown

    @given(TEXTS)
    def test_holds_no_control_character_but_line_feeds(self, text):
        written = write_text(of_texts([text], heading=text), "table")
        assert {one for one in written if unicodedata.category(one) in ("Cc", "Zl", "Zp")} <= {"\n"}
        assert not set(written) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")

    def test_goes_on_in_the_next_line_and_loses_nothing(self):
        words = [f"word{number}" for number in range(40)]
        lines = write_text(of_texts([" ".join(words), "漢" * 50]), "table").split("\n")[2:-2]
        assert max(map(n_columns, lines)) <= 60
        assert " ".join(lines).split()[:40] == words
        assert "".join(lines).count("漢") == 50


def worksheets(data):
    """The worksheets of a workbook by name: rows of values, strings told from numbers."""
    with zipfile.ZipFile(io.BytesIO(data)) as book:
        assert book.testzip() is None
        trees = {name: ElementTree.fromstring(book.read(name)) for name in book.namelist() if name.endswith(".xml")}
    strings = [
        "".join(text.text or "" for text in one.findall(".//s:t", SPREADSHEET))
        for one in trees["xl/sharedStrings.xml"].findall("s:si", SPREADSHEET)
    ]
    names = [one.attrib["name"] for one in trees["xl/workbook.xml"].findall(".//s:sheet", SPREADSHEET)]
    found = {}
    for number, name in enumerate(names, start=1):
        tree = trees[f"xl/worksheets/sheet{number}.xml"]
        assert tree.find(".//s:f", SPREADSHEET) is None
        found[name] = {
            cell.attrib["r"]: _value(cell, strings)
            for cell in tree.findall(".//s:c", SPREADSHEET)
            if cell.find("s:v", SPREADSHEET) is not None
        }
    return found


def _value(cell, strings):
    text = cell.find("s:v", SPREADSHEET).text
    kind = cell.attrib.get("t", "n")
    return {"s": lambda: strings[int(text)], "b": lambda: text == "1", "n": lambda: float(text)}[kind]()


def styles(data):
    """The number format and weight of every cell of the first worksheet."""
    with zipfile.ZipFile(io.BytesIO(data)) as book:
        style, sheet = (ElementTree.fromstring(book.read(f"xl/{name}.xml")) for name in ("styles", "worksheets/sheet1"))
    formats = {one.attrib["numFmtId"]: one.attrib["formatCode"] for one in style.findall(".//s:numFmt", SPREADSHEET)}
    bold = [one.find("s:b", SPREADSHEET) is not None for one in style.findall("s:fonts/s:font", SPREADSHEET)]
    kinds = [
        (formats.get(one.attrib["numFmtId"]), bold[int(one.attrib["fontId"])], one.attrib.get("quotePrefix") == "1")
        for one in style.findall("s:cellXfs/s:xf", SPREADSHEET)
    ]
    return {cell.attrib["r"]: kinds[int(cell.attrib.get("s", 0))] for cell in sheet.findall(".//s:c", SPREADSHEET)}


class TestXlsx:
    def test_has_headings_raw_numbers_and_the_caption_on_a_second_worksheet(self):
        found = worksheets(write(SMALL, "xlsx"))
        assert list(found) == ["systems", "about"]
        cells = found["systems"]
        heading = ["system", "BLEU ↑", "95 % interval, low", "95 % interval, high", "Δ", "p", "significant", "segments"]
        assert [cells[f"{column}1"] for column in "ABCDEFGH"] == heading
        assert [cells[f"{column}2"] for column in "ABCDEFGH"] == [
            "one_1",
            pytest.approx(12.345678901234567, rel=1e-15),
            11.0,
            13.25,
            -1.5,
            0.0004,
            True,
            1234.0,
        ]
        assert {place: value for place, value in cells.items() if place[1:] == "3"} == {"A3": "two", "B3": 9.0}
        assert found["about"] == {
            "A1": "systems",
            "B1": "Two systems.",
            "A2": "seed",
            "B2": 7.0,
            "A3": "signature",
            "B3": "nrefs:1",
        }

    def test_formats_numbers_by_kind_with_bold_heading_and_best(self):
        kinds = styles(write(SMALL, "xlsx"))
        assert kinds["A1"][1]
        assert kinds["B2"][:2] == ("0.00", True)
        assert kinds["B3"][:2] == ("0.00", False)
        assert kinds["E2"][0] == "+0.00;-0.00;0.00"
        assert kinds["H2"][0] == "#,##0"

    def test_of_several_sheets_has_a_worksheet_each(self):
        found = worksheets(write([SMALL, of_texts(["x"], name="SYSTEMS")], "xlsx"))
        assert list(found) == ["systems", "SYSTEMS 2", "about"]
        assert found["SYSTEMS 2"] == {"A1": "text", "A2": "x"}

    @pytest.mark.parametrize(
        "text", [*FORMULAS, "http://example.org", "12", "1/2", "<r>x</r>", "<r></r>", "<r><t>&", "_x0041_", "]]>"]
    )
    def test_text_is_a_string_as_it_was(self, text):
        """Excel's own escape ``_x0041_`` for a character is undone as Excel does it."""
        cell = worksheets(write(of_texts([text]), "xlsx"))["texts"]["A2"]
        assert re.sub("_x([0-9A-F]{4})_", lambda found: chr(int(found[1], 16)), cell) == text

    def test_text_that_could_be_a_formula_stays_text_when_edited(self):
        kinds = styles(write(of_texts(["=1", "x"]), "xlsx"))
        assert (kinds["A2"][2], kinds["A3"][2]) == (True, False)

    def test_shows_signs_for_characters_that_xml_forbids(self):
        assert worksheets(write(of_texts(["a\x00b\x1b\ufffe"]), "xlsx"))["texts"]["A2"] == "a␀b␛U+FFFE"

    @given(st.lists(TEXTS, min_size=1, max_size=4))
    def test_is_well_formed_whatever_the_texts_hold(self, texts):
        cells = worksheets(write(of_texts(texts, heading=texts[0], name=texts[0]), "xlsx"))
        assert len(cells) == 2

    def test_a_long_text_is_cut_with_a_note(self):
        assert cell_text("x" * MAX_CELL) == "x" * MAX_CELL
        cut = cell_text("x" * 40_000)
        assert len(cut) == MAX_CELL
        assert cut.endswith(" … [cut here: 40,000 characters in all]")
        wide = cell_text("😀" * 20_000)
        assert len(wide.encode("utf-16-le")) // 2 <= MAX_CELL
        assert wide.endswith("[cut here: 20,000 characters in all]")

    def test_too_many_rows_are_refused_before_anything_is_written(self):
        sheet = of_column(np.zeros(MAX_ROWS), "score")
        assert not fits_workbook(sheet)
        assert fits_workbook(SMALL)
        with pytest.raises(InputError, match=r"more rows than a worksheet of Excel holds .*1,048,576.*1,048,575"):
            write(sheet, "xlsx")

    def test_names_of_worksheets_fit_excel(self):
        long = "a" * 40
        assert worksheet_names(["a/b", "A-B", "'x'", "", "History", long, long]) == [
            "a-b",
            "A-B 2",
            "x",
            "sheet",
            "History 2",
            "a" * 31,
            "a" * 29 + " 2",
        ]

    @given(st.lists(TEXTS, max_size=6))
    def test_names_are_short_different_and_hold_no_sign_of_excel(self, names):
        accepted = worksheet_names(names)
        assert len({name.casefold() for name in accepted}) == len(names)
        for name in accepted:
            assert 1 <= len(name.encode("utf-16-le")) // 2 <= MAX_NAME
            assert not set(name) & set("[]:*?/\\")
            assert not name.startswith("'")
            assert not name.endswith("'")


class TestMarks:
    def test_what_reads_the_same_as_the_best_is_best_too(self):
        text = write_text(of_column([36.134, 36.1312, 12.0], "score", best="highest"), "markdown")
        assert text.count("**36.13**") == 2

    def test_the_lowest_can_be_best(self):
        assert "**1.00**" in write_text(of_column([3.0, 1.0, np.nan], "score", best="lowest"), "markdown")

    @pytest.mark.parametrize("values", [[1.0], [1.0, np.nan], [2.0, 2.0]])
    def test_nothing_is_best_without_anything_worse(self, values):
        assert "**" not in write_text(of_column(values, "score", best="highest"), "markdown")


class TestNotebooks:
    def test_show_the_first_rows_with_headings_and_marks_and_nothing_in_them_is_markup(self):
        fields = (
            Field("name", "system", "text"),
            Field("score", "BLEU", "score", marked_by="is_better"),
            Field("is_better", "better", "yes or no", for_machines=True),
        )
        frame = pd.DataFrame({"name": ["<b>", *"x" * 59], "score": [41.256, *[1.0] * 59], "is_better": [True] * 60})
        html = Sheet("systems", "Some <i>systems</i>.", fields, frame)._repr_html_()
        assert "<bdi>&lt;b&gt;</bdi>" in html
        assert "<bdi>41.26*</bdi>" in html
        assert "Some &lt;i&gt;systems&lt;/i&gt;. The first 50 of 60 rows." in html
        assert html.count("<tr>") == 51
        assert "better" not in html

    def test_show_a_sheet_without_rows(self):
        html = Sheet("none", "No system.", (Field("name", "system", "text"),), pd.DataFrame({"name": []}))._repr_html_()
        assert html.count("<tr>") == 1
        assert "No system.<" in html


def column_texts(kind, values, **settings):
    frame = pd.DataFrame({"x": values})
    (cells,) = read_columns(Sheet("one", "", (Field("x", "x", kind, **settings),), frame))
    return [cell.text for cell in cells]


class TestDecimals:
    @pytest.mark.parametrize(
        ("kind", "values", "written"),
        [
            ("part", [1.4713, 0.9718, -0.1104], ["+1.47", "+0.97", "−0.11"]),
            ("part", [0.9718, -0.1104], ["+0.9718", "−0.1104"]),
            ("part", [1.4713, 0.0031], ["+1.4713", "+0.0031"]),
            ("metric score", [45.971, 0.0004], ["45.97", "0.00"]),
            ("metric score", [0.8512, 0.0004], ["0.8512", "0.0004"]),
        ],
    )
    def test_are_as_large_as_a_column_needs(self, kind, values, written):
        assert column_texts(kind, values) == written

    def test_are_those_of_each_row_where_rows_have_their_own_scale(self):
        assert column_texts("metric score", [45.971, 0.8512], is_by_row=True) == ["45.97", "0.8512"]

    @given(
        kind=st.sampled_from(["part", "metric score"]),
        values=st.lists(st.floats(-100, 100) | st.just(float("nan")), min_size=1, max_size=12),
    )
    def test_are_the_same_in_all_rows_of_a_column(self, kind, values):
        texts = [text for text in column_texts(kind, values) if text != "–"]
        assert len({len(text.partition(".")[2]) for text in texts}) <= 1
