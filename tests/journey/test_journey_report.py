"""A report is made on its page, saved, and opened from disk: no host is asked, nothing fails, all of it can be used."""

import json
import re
from pathlib import Path

import axe_playwright_python
import pytest

from bleucore.significance import SignificanceOptions
from bleuscope.content.comparison.comparison_context import Settings, make_study
from bleuscope.content.report import ReportOptions, html_report, make_report
from bleuscope.shell.disk.files import load_sample

pytestmark = pytest.mark.browser

AXE = next(Path(axe_playwright_python.__file__).parent.rglob("axe.min.js"))
CONTRAST = (Path(__file__).parent / "contrast.js").read_text(encoding="utf-8")
QUICK = Settings(significance=SignificanceOptions(trials=199, resamples=200))
N_CHARTS = 6
HOSTILE = "</script><img src='https://example.org/x.png' onerror=alert(1)><script>alert(2)</script>"


@pytest.fixture(scope="module")
def full_report(tmp_path_factory):
    """The sample's report with all segments, on disk."""
    study = make_study(load_sample().test_set, QUICK, title="Sample comparison")
    html = html_report(make_report(study, ReportOptions(n_segments=2, is_full=True)))
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(html, encoding="utf-8", newline="")
    return path


class Reader:
    """Somebody with a file and a browser."""

    def __init__(self, page):
        self.page, self.requests, self.troubles = page, [], []
        own = ("file:", "data:", "blob:")
        self._watched = {
            "request": lambda one: None if one.url.startswith(own) else self.requests.append(one.url),
            "console": lambda one: self.troubles.append(one.text) if one.type in ("error", "warning") else None,
            "pageerror": lambda one: self.troubles.append(str(one)),
            "dialog": lambda one: one.accept() if one.type == "beforeunload" else self._note(one),
        }
        for event, note in self._watched.items():
            page.on(event, note)

    def _note(self, dialog):
        self.troubles.append(dialog.message)
        dialog.dismiss()

    def leave(self):
        """Note nothing more."""
        for event, note in self._watched.items():
            self.page.remove_listener(event, note)

    def open(self, path, *, has_list=False):
        """Open a file and wait until its scripts are done."""
        self.page.goto(Path(path).as_uri())
        self.page.locator("html[data-charts=ready]").wait_for(state="attached")
        if has_list:
            self.page.locator("html[data-list=ready]").wait_for(state="attached")
        return self


@pytest.fixture
def read(only_tab):
    """Somebody at the tab of all journeys who reads a file: ``read(width=…, scheme=…)``."""
    readers = []

    def start(*, width=1440, height=900, scheme="light"):
        readers.append(Reader(only_tab(width, height, scheme)))
        return readers[-1]

    yield start
    for reader in readers:
        reader.leave()


def test_a_report_is_made_on_the_page_saved_and_read_offline(visit, sample_server, read, tmp_path):
    visitor = visit(sample_server).open("/report?report_title=For+Monday&trials=199&resamples=200")
    visitor.press("Make the report")
    save = visitor.page.get_by_role("button", name=re.compile(r"^Save report\.html"))
    save.wait_for()
    with visitor.page.expect_download() as caught:
        save.click()
    path = tmp_path / caught.value.suggested_filename
    caught.value.save_as(path)
    assert (visitor.foreign_requests, visitor.page_errors) == ([], [])
    visitor.leave()
    reader = read().open(path)
    assert reader.page.title() == "For Monday"
    assert reader.page.locator(".rp-plot .main-svg").count() >= N_CHARTS
    assert "No clear winner" in reader.page.locator("#verdict").inner_text()
    assert "bleuscope report --output report.html --title 'For Monday'" in reader.page.locator("#settings").inner_text()
    assert (reader.requests, reader.troubles) == ([], [])


def test_a_report_has_no_serious_accessibility_violation(read, full_report):
    reader = read().open(full_report, has_list=True)
    reader.page.evaluate(AXE.read_text(encoding="utf-8"))
    assert reader.page.evaluate(CONTRAST) == []
    assert_accessible(reader)
    reader.page.emulate_media(color_scheme="dark")
    reader.page.locator("[data-chart=scores] .gtitle:not([style*='39, 49, 63'])").first.wait_for()
    assert reader.page.evaluate(CONTRAST) == []
    reader.page.set_viewport_size({"width": 390, "height": 900})
    assert_accessible(reader)


def assert_accessible(reader):
    """Axe finds no serious barrier, nothing sticks out at the side, and nothing failed; contrasts are ours."""
    result = reader.page.evaluate(
        "axe.run(document, {resultTypes: ['violations'], rules: {'color-contrast': {enabled: false}}})"
    )
    serious = [
        (violation["id"], [node["target"] for node in violation["nodes"]][:4])
        for violation in result["violations"]
        if violation["impact"] in ("serious", "critical")
    ]
    assert serious == []
    assert reader.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert (reader.requests, reader.troubles) == ([], [])


def test_charts_follow_the_colours_of_the_page(read, full_report):
    reader = read(scheme="light").open(full_report)
    text = reader.page.locator("[data-chart=scores] .gtitle").first
    in_light = text.evaluate("element => getComputedStyle(element).fill")
    reader.page.emulate_media(color_scheme="dark")
    in_dark = reader.page.locator("[data-chart=scores] .gtitle").first
    in_dark.and_(reader.page.locator(":not([style*='39, 49, 63'])")).wait_for()
    assert in_dark.evaluate("element => getComputedStyle(element).fill") != in_light
    assert reader.troubles == []


def test_a_chart_is_saved_as_a_picture_and_has_its_data_beneath(read, full_report):
    reader = read(scheme="dark").open(full_report)
    chart = reader.page.locator("[data-chart=waterfall]")
    for form, beginning in (("svg", b"<svg"), ("png", b"\x89PNG")):
        with reader.page.expect_download() as caught:
            chart.locator(f"button[data-save={form}]").click()
        assert caught.value.suggested_filename == f"waterfall.{form}"
        assert Path(caught.value.path()).read_bytes().startswith(beginning)
    assert not chart.locator("table").is_visible()
    chart.locator("summary").click()
    assert "brevity penalty" in chart.locator("table").inner_text()
    assert (reader.requests, reader.troubles) == ([], [])


def test_the_list_is_searched_ordered_and_read_by_key(read, full_report):
    reader = read().open(full_report, has_list=True)
    page, test_set = reader.page, load_sample().test_set
    state, title = page.locator("#list-state"), page.locator(".rp-opened h3")
    assert state.inner_text() == f"{test_set.n_segments} segments"
    assert page.locator(".rp-spacer .rp-row").count() < 40  # only what is in sight
    page.locator(".rp-scroller").focus()
    page.keyboard.press("ArrowDown")
    assert title.inner_text() == f"Segment 2, {test_set.documents[1]}"
    page.keyboard.press("End")
    assert title.inner_text().startswith(f"Segment {test_set.n_segments},")
    assert page.locator(".rp-row[aria-selected=true]").is_visible()
    page.get_by_role("searchbox").fill("#7")
    state.filter(has_text="1 of").wait_for()
    assert title.inner_text().startswith("Segment 7,")
    word = max(test_set.source[20].split(), key=len)
    page.get_by_role("searchbox").fill(word.upper())
    columns = [test_set.source, *test_set.references, *(system.hypotheses for system in test_set.systems)]
    n_found = sum(any(word.lower() in (text or "").lower() for text in texts) for texts in zip(*columns, strict=True))
    state.filter(has_text=re.compile(rf"^{n_found} of ")).wait_for()
    page.get_by_role("searchbox").fill("no text of all holds this")
    page.get_by_text("No segment has this text.").wait_for()
    page.get_by_role("searchbox").fill("")
    state.filter(has_text=re.compile(rf"^{test_set.n_segments} ")).wait_for()
    page.locator(".rp-tools select").select_option("BLEU of A, lowest first")
    scores = [float(text) for text in page.locator(".rp-spacer .rp-row .rp-score:nth-child(3)").all_inner_texts()]
    assert scores == sorted(scores)
    assert (reader.requests, reader.troubles) == ([], [])


def test_an_opened_segment_is_marked_as_in_the_section_of_segments(read, full_report):
    reader = read().open(full_report, has_list=True)
    page = reader.page
    section = page.locator(".rp-segment").first
    number = re.match(r"Segment (\d+)", section.locator("h4").inner_text()).group(1)
    page.get_by_role("searchbox").fill(f"#{number}")
    page.locator("#list-state").filter(has_text="1 of").wait_for()
    marks = (
        "cards => cards.map(card => [...card.querySelectorAll('.bs-token')].map(one => "
        "[one.className, one.innerText, one.parentElement.tagName, one.parentElement.dataset.said]))"
    )
    written = section.locator(".bs-cards").last.locator(".bs-card").evaluate_all(marks)
    listed = page.locator(".rp-opened .bs-cards").last.locator(".bs-card").evaluate_all(marks)
    assert [len(tokens) > 0 for tokens in written] == [True, True]
    assert listed[:2] == written
    in_words = [
        cards.last.locator(".bs-in-words").all_inner_texts()
        for cards in (section.locator(".bs-cards"), page.locator(".rp-opened .bs-cards"))
    ]
    assert [len(words) for words in in_words] == [2, 2]
    for whole, listed_words in zip(*in_words, strict=True):
        assert set(listed_words.split("; ")[1:]) <= set(whole.split("; "))


def test_in_forced_colours_the_marks_and_the_open_row_stay_apart(read, full_report):
    page = read().open(full_report, has_list=True).page
    page.emulate_media(forced_colors="active")
    line = "all => all.map(one => getComputedStyle(one).borderBottomStyle)"
    assert len(set(page.locator("#every-segment .bs-legend [class*=bs-m]:not(.bs-missed)").evaluate_all(line))) == 4
    ground = "all => [...new Set(all.map(one => getComputedStyle(one).backgroundColor))]"
    rows = [page.locator(f".rp-row[aria-selected={chosen}]").evaluate_all(ground) for chosen in ("true", "false")]
    assert [len(grounds) for grounds in rows] == [1, 1]
    assert rows[0] != rows[1]


def test_hostile_texts_do_nothing_in_a_browser(read, tmp_path):
    test_set = load_sample().test_set
    systems = [type(one)(HOSTILE + one.name, [HOSTILE, *one.hypotheses[1:]]) for one in test_set.systems[:2]]
    hostile = type(test_set)(
        systems, [[HOSTILE, *column[1:]] for column in test_set.references], documents=[HOSTILE] * 216
    )
    study = make_study(hostile, QUICK, title=HOSTILE)
    path = tmp_path / "hostile.html"
    path.write_text(html_report(make_report(study, ReportOptions(remarks=HOSTILE, is_full=True))), encoding="utf-8")
    reader = read().open(path, has_list=True)
    assert reader.page.locator("h1").inner_text() == HOSTILE
    assert reader.page.locator(".rp-opened .bs-body").first.inner_text() == HOSTILE
    assert reader.page.locator("img:not(.rp-printed)").count() == 0
    assert (reader.requests, reader.troubles) == ([], [])


def test_what_became_markup_could_still_do_nothing(read, full_report, tmp_path):
    path = tmp_path / "broken.html"
    smuggled = "<script>window.ran = true</script><img src='https://example.org/x.png' onerror='window.ran = true'>"
    path.write_text(full_report.read_text(encoding="utf-8").replace("<main", smuggled + "<main"), encoding="utf-8")
    reader, failures, answers = read(), [], []
    reader.page.on("requestfailed", lambda one: failures.append(one.failure))
    reader.page.on("response", lambda one: answers.append(one.url))
    reader.open(path)
    assert reader.page.evaluate("window.ran") is None
    assert failures == ["csp"]
    assert [url for url in answers if "example.org" in url] == []


def test_on_paper_no_table_is_cut_and_charts_are_pictures(read, full_report):
    reader = read(scheme="dark", width=1000).open(full_report, has_list=True)
    page = reader.page
    page.set_viewport_size({"width": 688, "height": 1000})  # A4 less its margins
    page.emulate_media(media="print")
    wide = "all => all.filter(one => one.offsetParent && one.scrollWidth > document.documentElement.clientWidth).length"
    assert page.locator(".bs-table").evaluate_all(wide) == 0
    assert page.locator(".rp-printed:visible").count() == N_CHARTS
    assert page.locator(".rp-plot:visible").count() == 0
    assert page.locator(".rp-contents:visible, button:visible, #list:visible, summary:visible").count() == 0
    assert page.locator("body").evaluate("element => getComputedStyle(element).backgroundColor") == "rgb(255, 255, 255)"
    assert page.pdf().startswith(b"%PDF")
    page.goto(full_report.as_uri(), wait_until="domcontentloaded")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")  # no chart is drawn yet, and the browser waits for none
    assert page.locator(":is(.rp-has-printed, .rp-late:has(details[open]))").count() == N_CHARTS
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator(".rp-late").count() == 0
    page.locator("html[data-charts=ready]").wait_for(state="attached")
    assert page.locator(".rp-has-printed .rp-printed").count() == N_CHARTS
    assert reader.troubles == []


def test_without_scripts_words_tables_and_segments_are_there(chromium, full_report):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(full_report.as_uri())
    assert "No clear winner" in page.locator("#verdict").inner_text()
    assert page.locator(".rp-segment .bs-m4").count() > 0
    assert "The chart needs JavaScript; its data are beneath." in page.locator(".rp-plot").first.inner_text()
    page.locator("[data-chart=scores] summary").click()
    assert page.locator("[data-chart=scores] table").is_visible()
    context.close()


def test_figures_are_data_and_not_script(full_report):
    html = full_report.read_text(encoding="utf-8")
    data = re.search(r'<script type="application/json" id="chart-data">(.*?)</script>', html, re.DOTALL).group(1)
    assert len(json.loads(data)) == N_CHARTS


def test_the_sample_takes_ten_pages_and_its_first_page_stands_alone(read, tmp_path):
    path = tmp_path / "report.html"
    study = make_study(load_sample().test_set, QUICK, title="Sample comparison")
    path.write_text(html_report(make_report(study)), encoding="utf-8", newline="")
    page = read().open(path).page
    page.set_viewport_size({"width": 688, "height": 1031})  # A4 less its margins
    page.emulate_media(media="print")
    assert page.locator("#systems").evaluate("section => section.getBoundingClientRect().bottom + scrollY") <= 1031
    printed = page.pdf(prefer_css_page_size=True, print_background=True)
    assert 5 < len(re.findall(rb"/Type\s*/Page\b", printed)) <= 10
