"""Texts and names that try to run, navigate, load or break out are shown as what they are: text."""

from pathlib import Path
from urllib.parse import urlencode

import pytest
from defusedxml import ElementTree

pytestmark = pytest.mark.browser

ATTACKS = [
    "<script>window.pwned = 1</script>",
    "<img src=x onerror='window.pwned = 2'>",
    "<svg onload='window.pwned = 3'></svg>",
    '<a href="javascript:window.pwned=4">click</a>',
    '<iframe srcdoc="<script>parent.pwned = 5</script>"></iframe>',
    "<meta http-equiv=refresh content='0;url=http://attack.example/'>",
    "<img src=http://attack.example/beacon.png>",
    "![beacon](http://attack.example/beacon.png)",
    "<form action=http://attack.example/><input name=password></form>",
    "<style>* { display: none }</style>",
    "<div style='position:fixed;inset:0;background:red'>overlay</div>",
    "*bold* _it_ `code` :red[colour] :smile: $x^2$ [link](http://attack.example)",
    "&lt;b&gt; &amp; \"quoted\" 'single' </span></article>",
    "{{ 7 * 7 }} ${alert(1)} <b>{0}</b> %s",
    "\u202egnp.exe \u0000 \u2028 end",
]
LINES = [*ATTACKS, " ".join(ATTACKS)]
NAME = "<img src=x onerror=window.pwned=6> *a* ![n](http://attack.example/n.png)"


@pytest.fixture
def hostile_files(tmp_path):
    """A test set whose texts and names are attacks."""
    text = "\n".join(LINES) + "\n"
    paths = []
    for name in ("ref.txt", "source.txt", "<b>one</b>.txt".replace("/", "∕"), "![n](x) *two*.txt"):
        paths.append(tmp_path / name)
        paths[-1].write_text(text if "two" not in name else text.replace("window", "windows"), encoding="utf-8")
    documents = tmp_path / "documents.txt"
    documents.write_text("".join(f"<img src=x onerror=window.pwned=7>{index // 5}\n" for index in range(len(LINES))))
    return [*paths, documents]


def test_no_attack_runs_navigates_or_calls_out_and_every_text_is_shown_verbatim(visit, empty_server, hostile_files):
    visitor = visit(empty_server).open()
    visitor.upload(*hostile_files)
    inputs = visitor.page.get_by_test_id("stTextInput").locator("input:visible")
    inputs.nth(2).fill(NAME)
    inputs.nth(2).press("Enter")
    visitor.settle()
    visitor.press("Compare 2 systems with 1 reference")
    for title in ("Scores", "Significance", "Compare", "N-grams", "Slices", "Segments", "Data"):
        visitor.turn_to(title)
        assert visitor.page.get_by_test_id("stException").count() == 0
        unharmed(visitor)
    visitor.turn_to("Segments")
    for number in (1, len(LINES)):
        visitor.page.get_by_label("Segment", exact=True).fill(str(number))
        visitor.page.get_by_label("Segment", exact=True).press("Enter")
        visitor.settle()
        body = visitor.page.locator(".bs-card .bs-body").first
        assert body.evaluate("element => element.textContent") == LINES[number - 1].replace("\0", "␀")
        assert body.locator("script, img, svg, iframe, a, form, input, style, b, div").count() == 0
        assert NAME in visitor.text()
        unharmed(visitor)


def test_a_chart_with_hostile_names_is_saved_as_a_drawing_and_nothing_else(visit, sample_server):
    name = "<svg onload='window.pwned = 3'>"
    names = urlencode({"names": [f"s1={ATTACKS[1]}", f"s2={ATTACKS[3]}", f"t={name}"]}, doseq=True)
    visitor = visit(sample_server).open(f"/scores?{names}")
    assert ATTACKS[1] in visitor.text()
    visitor.draw_charts()
    chart = visitor.page.locator("[class*='st-key-chart-scores'] .js-plotly-plot")
    chart.hover()
    with visitor.page.expect_download() as waiting:
        chart.get_by_role("button", name="Picture as SVG").click()
    drawing = ElementTree.fromstring(Path(waiting.value.path()).read_bytes())
    assert "<img src=x" in "".join(drawing.itertext())
    for element in drawing.iter():
        assert element.tag.rpartition("}")[2].lower() not in (
            "script",
            "foreignobject",
            "a",
            "iframe",
            "image",
            "style",
        )
        for attribute, value in element.attrib.items():
            assert not attribute.rpartition("}")[2].lower().startswith("on")
            if attribute.endswith("href") or "url(" in value:
                assert value.startswith("#") or "url('#" in value or "url(#" in value
            assert "attack.example" not in value
            assert "javascript:" not in value
    unharmed(visitor)


def unharmed(visitor):
    """Nothing ran, nothing was called, the page is still ours."""
    assert visitor.page.evaluate("window.pwned") is None
    assert visitor.page.url.startswith(visitor.address)
    assert visitor.foreign_requests == []
    assert visitor.dialogs == []
