"""Whatever names, documents, labels and texts hold: every table leaves as data, in every form."""

import io
import json
import re
import shutil
import subprocess
import zipfile

import numpy as np
import pyarrow.parquet as pq
import pytest
from defusedxml import ElementTree

from bleucore.analysis.slices import slice_kinds, slice_segments
from bleucore.checks import check
from bleuscope.content.attribution import attribution_sheets
from bleuscope.content.comparison import difference_sheets, text_sheets
from bleuscope.content.comparison.comparison_context import Loaded, Settings, study_of
from bleuscope.content.findings import finding_sheets
from bleuscope.content.scores import score_sheets
from bleuscope.content.segments import segment_sheets
from bleuscope.content.sheets.parquet import parquet_file
from bleuscope.content.sheets.writers import write, write_text
from bleuscope.content.significance import significance_sheets
from bleuscope.content.slices import slice_sheets, slice_tables
from bleuscope.content.style.invisible import sign

NAMES = (
    "<script>alert(1)</script>",
    "=cmd|' /C calc'!A0",
    '=HYPERLINK("http://attack.example/","x")',
    r"\input{/etc/passwd} \write18{touch pwned} \openout",
    r"\end{tabular}\end{document}",
    "} { $x^2_i$ #1 ## %comment ^^5cinput & \\\\[9cm] ~",
    "*} [b] \\\\*[1cm] ``quoted'' \"a ?` !`",
    "-- --- << >> ,, | < >",
    "<r><t>rich</t></r>",
    "]]><![CDATA[ &amp; &#0;",
    "{{ 7 * 7 }} ${x} {0} %s %(x)s",
    "é ß ø ž “quotes” – — … × Δ ↑",
)
NOT_OF_EUROPE = ("\u202eexe.png\u2066", "\x1b[2J\x07\x00", "中文 عربى हिन्दी 🙂", "line\nline\r\n\u2028end", "a\tb")
ALL_NAMES = NAMES + NOT_OF_EUROPE
FORBIDDEN_PARTS = ("vba", "externallink", "activex", "embeddings", "customxml", "drawing", "connections", "query")
MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def sheets_of(score_texts, names):
    """A table of every kind, of systems, references, documents, labels and texts with these names."""
    words = [f"{name} word" for name in names]
    scored = score_texts(
        {name: [*words[place:], *words[:place]] for place, name in enumerate(names)},
        [words, words[::-1]],
        documents=list(names),
        source=words,
        labels={names[0]: list(names), names[1]: list(reversed(names))},
        reference_names=names[:2],
    )
    test_set, evaluation, comparison = scored.test_set, scored.evaluation, scored.comparison
    two = study_of(Loaded(test_set), evaluation, Settings(pair=(names[1], names[0])))
    attribution = two.attribution
    kind = slice_kinds(test_set)[-1]
    slicing = slice_segments(test_set, kind, evaluation.options)
    rows = np.arange(test_set.n_segments)
    return [
        score_sheets.scores_sheet(evaluation),
        score_sheets.tested_systems_sheet(evaluation, comparison, names[0], others={}),
        score_sheets.orders_sheet(evaluation),
        significance_sheets.pairs_sheet(comparison, evaluation),
        significance_sheets.clusters_sheet(comparison, evaluation),
        significance_sheets.power_sheet(comparison, evaluation, names[0]),
        finding_sheets.findings_sheet(check(test_set), test_set, evaluation),
        text_sheets.texts_sheet(test_set),
        attribution_sheets.attribution_sheet(attribution, evaluation),
        difference_sheets.documents_sheet(two, attribution),
        segment_sheets.segments_sheet(two, rows, attribution.segments, chosen=names[0]),
        segment_sheets.segment_scores_sheet(test_set, evaluation),
        segment_sheets.one_segment_sheet(two, 0, names),
        segment_sheets.example_sheet(two, 0, names),
        slice_sheets.slices_sheet(two, slice_tables.summarise(evaluation, slicing, two.pair, attribution), None),
    ]


@pytest.fixture(scope="module")
def sheets(score_texts):
    return sheets_of(score_texts, ALL_NAMES)


def test_json_holds_every_name_as_it_is_and_nothing_that_is_not_ascii_control(sheets):
    text = write_text(sheets, "json")
    document = json.loads(text)
    assert {row["system"] for row in document["scores"]} == set(ALL_NAMES)
    assert {row["document"] for row in document["documents"]} == set(ALL_NAMES)
    assert not any(character < " " and character != "\n" for character in text)
    assert "NaN" not in text
    assert "Infinity" not in text


def test_xlsx_holds_texts_alone_no_formula_link_macro_or_call_outside(sheets):
    with zipfile.ZipFile(io.BytesIO(write(sheets, "xlsx"))) as book:
        parts = {name: book.read(name) for name in book.namelist()}
    assert not [name for name in parts for word in FORBIDDEN_PARTS if word in name.lower()]
    trees = {name: ElementTree.fromstring(data) for name, data in parts.items()}
    for name, tree in trees.items():
        tags = {element.tag.rpartition("}")[2] for element in tree.iter()}
        assert not tags & {"f", "hyperlink", "hyperlinks", "oleObject", "dataConsolidate"}, name
        assert not any(element.get("TargetMode") for element in tree.iter()), name
    strings = ["".join(one.itertext()) for one in trees["xl/sharedStrings.xml"].iter(f"{MAIN}si")]
    texts = {
        text.replace("_x000D_", "\r") for text in strings
    }  # as workbooks write what XML would take for a line feed
    for name in ALL_NAMES:
        assert "".join(sign(letter) if ord(letter) in (0, 7, 27) else letter for letter in name) in texts


def test_parquet_holds_every_name_as_it_is(sheets):
    table = pq.read_table(io.BytesIO(parquet_file(sheets[0])))
    assert set(table.column("system").to_pylist()) == set(ALL_NAMES)


@pytest.mark.parametrize("form", ["tsv", "csv", "markdown", "table", "latex"])
def test_text_forms_hold_no_sign_that_a_terminal_or_an_editor_obeys(sheets, form):
    for sheet in sheets:
        text = write_text(sheet, form)
        if form in ("table", "latex"):
            assert not set(text) & {"\x1b", "\x00", "\x07", "\u202e", "\u2066"}
        assert not text.lstrip("\ufeff").startswith(("=", "+", "-", "@"))


def test_latex_is_balanced_and_has_no_command_of_a_user(sheets):
    for sheet in sheets:
        text = write_text(sheet, "latex").replace(r"\{", "").replace(r"\}", "")
        assert text.count("{") == text.count("}")
        assert not any(command in text for command in (r"\input", r"\write", r"\openout", "^^", r"\end{document}"))
        assert text.count(r"\end{tabular}") == 1


def test_latex_is_set_by_a_real_tex_where_there_is_one(score_texts, tmp_path):
    tables = "\n".join(write_text(sheet, "latex") for sheet in sheets_of(score_texts, NAMES))
    document = "\n".join(
        [
            r"\documentclass[landscape]{article}\usepackage[T1]{fontenc}\usepackage{booktabs,graphicx}\usepackage{textcomp}",
            r"\extrafloats{50}\begin{document}",
            re.sub(r"(\\end\{table\*?\})", r"\1\\clearpage", tables),
            r"\end{document}",
        ]
    )
    (tmp_path / "tables.tex").write_text(document, encoding="utf-8")
    assert document.count(r"\begin{table") == document.count(r"\clearpage") == 15
    tex = shutil.which("pdflatex")
    if tex is None:
        return
    done = subprocess.run(
        [tex, "-no-shell-escape", "-interaction=nonstopmode", "-halt-on-error", "-recorder", "tables.tex"],
        cwd=tmp_path,
        capture_output=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout.decode(errors="replace")[-1500:]
    assert "passwd" not in (tmp_path / "tables.fls").read_text()
    assert not (tmp_path / "pwned").exists()
