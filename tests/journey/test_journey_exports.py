"""What leaves the dashboard by hand: a table as CSV and XLSX with the page's numbers, a chart as PNG and SVG."""

import csv
import io
import zipfile
from pathlib import Path

import pytest
from defusedxml import ElementTree
from PIL import Image

pytestmark = pytest.mark.browser

SPREADSHEET = {"s": "http://schemas.openxmlformats.org/spreadsheetml/2006/main"}
SVG = "{http://www.w3.org/2000/svg}"
IS_DARK = "getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor === 'rgb(20, 24, 28)'"
COLUMN = 321  # pixels: 85 mm at 96 to an inch


def saved(visitor, click):
    """The name and the bytes of the file that a click saves."""
    with visitor.page.expect_download() as waiting:
        click()
    return waiting.value.suggested_filename, Path(waiting.value.path()).read_bytes()


def worksheet(data):
    """The rows of the first worksheet, numbers as they are written."""
    with zipfile.ZipFile(io.BytesIO(data)) as book:
        strings, sheet = (
            ElementTree.fromstring(book.read(f"xl/{name}.xml")) for name in ("sharedStrings", "worksheets/sheet1")
        )
    texts = ["".join(part.text or "" for part in one.iter(f"{{{SPREADSHEET['s']}}}t")) for one in strings]
    rows = []
    for row in sheet.findall(".//s:row", SPREADSHEET):
        cells = [(cell.attrib["r"], cell.attrib.get("t"), cell.find("s:v", SPREADSHEET)) for cell in row]
        rows.append(
            {
                place.rstrip("0123456789"): texts[int(value.text)] if kind == "s" else value.text
                for place, kind, value in cells
                if value is not None
            }
        )
    return rows


@pytest.fixture
def visitor(visit, sample_server):
    """Somebody on the Scores page."""
    return visit(sample_server).open("/scores")


def test_a_table_is_saved_as_csv_and_xlsx_with_the_numbers_of_the_page(visitor):
    shown = {
        cells[0].split("\n")[-1].lstrip("0123456789"): (cells[1], cells[2])
        for cells in (
            row.locator("th, td").all_inner_texts()
            for row in visitor.page.locator(".bs-table").first.locator("tbody tr").all()
        )
    }
    visitor.page.locator(".st-key-export-systems").get_by_role("button", name="Export").click()
    files = visitor.page.locator(".st-key-export-files-systems")
    files.wait_for()
    name, data = saved(visitor, files.get_by_role("button", name="CSV").click)
    assert name == "systems.csv"
    rows = list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"))))
    as_shown = {
        row["system"]: (
            f"{float(row['bleu']):.2f}",
            f"{float(row['interval_low']):.2f} to {float(row['interval_high']):.2f}",
        )
        for row in rows
    }
    assert as_shown == shown
    name, data = saved(visitor, files.get_by_role("button", name="XLSX").click)
    assert name == "systems.xlsx"
    heading, *cells = worksheet(data)
    assert (heading["A"], heading["B"]) == ("system", "BLEU ↑")
    assert {row["A"]: f"{float(row['B']):.2f}" for row in cells} == {name: score for name, (score, _) in shown.items()}
    assert visitor.page_errors == []


def test_a_chart_is_saved_as_png_and_svg_for_the_column_of_a_paper(visitor):
    for scheme in ("light", "dark"):
        visitor.page.emulate_media(color_scheme=scheme)
        visitor.wait_until(f"({IS_DARK}) === {str(scheme == 'dark').lower()}")
        visitor.settle()
        assert_saved_for_paper(visitor)
    assert visitor.page_errors == []


def assert_saved_for_paper(visitor):
    """The chart is saved in the colours and the width of paper, and stays as it is on the page."""
    visitor.draw_charts()
    chart = visitor.page.locator("[class*='st-key-chart-scores'] .js-plotly-plot")
    chart.hover()
    before = chart.evaluate("chart => [chart._fullLayout.width, chart._fullLayout.paper_bgcolor]")
    name, data = saved(visitor, chart.get_by_role("button", name="Picture as PNG").click)
    assert name.endswith(".png")
    picture = Image.open(io.BytesIO(data)).convert("RGB")
    assert picture.width == 4 * COLUMN
    assert picture.getpixel((1, picture.height - 2)) == (255, 255, 255)
    name, data = saved(visitor, chart.get_by_role("button", name="Picture as SVG").click)
    assert name.endswith(".svg")
    drawing = ElementTree.fromstring(data)
    assert drawing.tag == f"{SVG}svg"
    assert float(drawing.attrib["width"]) == COLUMN
    assert "neural-40k" in "".join(drawing.itertext())
    assert chart.evaluate("chart => [chart._fullLayout.width, chart._fullLayout.paper_bgcolor]") == before


def test_the_command_of_a_page_is_copied_and_no_highlighter_is_loaded_for_it(visit, sample_server):
    visitor = visit(sample_server)
    loaded = []
    visitor.page.on("request", lambda request: loaded.append(request.url))
    visitor.open("/scores")
    context = visitor.page.context
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    visitor.page.get_by_text("The command that gives these numbers").click()
    visitor.page.locator(".bs-copy").last.click()
    visitor.page.get_by_role("button", name="Copied").wait_for()
    copied = visitor.page.evaluate("navigator.clipboard.readText()")
    context.clear_permissions()
    assert copied == visitor.page.locator(".bs-code pre").last.inner_text()
    assert copied.startswith("bleuscope ")
    assert not [url for url in loaded if "Highlighter" in url]
