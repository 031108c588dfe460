"""The address holds the view: a copied link shows the same, and junk in it is dropped."""

import re
from urllib.parse import parse_qsl, urlsplit

import pytest

pytestmark = pytest.mark.browser


def bodies(visitor):
    """The texts of the open segment."""
    visitor.page.locator(".bs-card .bs-body").first.wait_for()
    return visitor.page.locator(".bs-card .bs-body").all_inner_texts()


@pytest.fixture
def comparing(visit, sample_server):
    """Somebody who compares two systems."""
    return visit(sample_server).open("/compare?a=fluent&b=neural-40k")


def test_a_click_on_a_document_lists_its_segments(comparing):
    comparing.click_bar("documents", 0)
    comparing.page.get_by_role("heading", name="Segments", exact=True).wait_for()
    assert "18 segments found" in comparing.text()
    assert "document=" in comparing.page.url


def test_a_click_on_the_histogram_lists_the_segments_of_its_bar(comparing):
    comparing.draw_charts()
    bars = comparing.page.locator("[class*='st-key-chart-histogram'] .barlayer .point path")
    bars.first.wait_for(state="attached")
    heights = [box["height"] for box in (bar.bounding_box() for bar in bars.all())]
    comparing.click_bar("histogram", heights.index(max(heights)))
    comparing.page.get_by_role("heading", name="Segments", exact=True).wait_for()
    assert "low=" in comparing.page.url
    assert "high=" in comparing.page.url
    assert "of 216 segments with Δ" in comparing.text()


def test_a_link_that_is_copied_shows_the_same_view_and_says_when_the_data_are_others(visit, sample_server):
    visitor = visit(sample_server).open("/segments?a=fluent&b=human&metrics=chrF%2B%2B&find=sea&layers=matches")
    visitor.page.keyboard.press("j")
    visitor.settle()
    visitor.press("Link to this view")
    link = visitor.page.get_by_test_id("stPopoverBody").locator("code").inner_text().replace("\n", "")
    assert link == visitor.page.url
    for part in ("a=fluent", "metrics=chrF%2B%2B", "find=sea", "layers=matches", "segment=", "data=sample", "digest="):
        assert part in link
    shown = bodies(visitor)
    other = visit(sample_server).open(link.removeprefix(sample_server))
    assert bodies(other) == shown
    assert other.page.get_by_test_id("stAlert").count() == 0
    digest = re.search(r"digest=([0-9a-f]{16})", link)[1]
    changed = visit(sample_server).open(link.removeprefix(sample_server).replace(digest, "0123456789abcdef"))
    assert f"the digest {digest} (the link: 0123456789abcdef)" in changed.page.get_by_test_id("stAlert").inner_text()
    assert bodies(changed) == shown
    assert "digest=0123456789abcdef" in changed.page.url
    changed.press("Link to this view")
    assert f"digest={digest}" in changed.page.get_by_test_id("stPopoverBody").locator("code").inner_text().replace(
        "\n", ""
    )
    changed.page.keyboard.press("Escape")
    changed.press("Go on with what is shown")
    assert changed.page.get_by_test_id("stAlert").count() == 0
    assert digest in changed.page.url


def test_a_link_that_nobody_can_read_says_so_and_shows_nothing_else(visit, sample_server):
    visitor = visit(sample_server).open("/?data=deadbeef")
    said = visitor.page.get_by_test_id("stAlert").inner_text()
    assert said.strip().endswith("Copy the whole link again, or start anew.")
    assert "neural-40k" not in visitor.text()
    assert visitor.page.get_by_test_id("stFileUploader").count() == 0
    assert "data=deadbeef" in visitor.page.url
    visitor.press("Start anew")
    visitor.settle()
    assert visitor.page.get_by_test_id("stAlert").count() == 0
    assert "data=sample" in visitor.page.url


def test_junk_in_an_address_is_dropped_without_an_error(visit, sample_server):
    junk = "order=1e999&seed=-1e999&trials=" + "9" * 400 + "&segment=inf&page=1e999&level=nan&low=-inf&resamples=1e308"
    junk += "&tok=zzz&lc=maybe&high=abc&sort=1&evil=1&mark=%3Cscript%3E"
    visitor = visit(sample_server).open("/segments?" + junk + "&a=%00&b=" + "x" * 5_000)
    assert visitor.page.locator(".bs-row").count() == 20
    assert visitor.page.get_by_test_id("stException").count() == 0
    said = visitor.page.get_by_test_id("stAlert").all_inner_texts()
    (missed,) = (one for one in said if "This link holds " in one)
    assert re.search(
        r"This link holds \d+ values that do not exist here or are not accepted: .*, and \d+ more\.", missed
    )
    kept = dict(parse_qsl(urlsplit(visitor.page.url).query))
    assert re.fullmatch("[0-9a-f]{16}", kept.pop("digest"))
    assert kept == {"data": "sample"}


def test_on_a_phone_the_fields_for_names_are_seen_in_their_order(visit, sample_server):
    visitor = visit(sample_server)
    visitor.page.set_viewport_size({"width": 390, "height": 844})
    visitor.open("/scores")
    visitor.page.get_by_test_id("stExpandSidebarButton").click()
    visitor.page.locator(".st-key-rename button").click()
    visitor.page.get_by_role("heading", name="Data", exact=True).wait_for()
    visitor.settle()
    first, second = (visitor.page.get_by_role("textbox", name=f"System {number}", exact=True) for number in (1, 2))
    first.click(timeout=5_000)  # where the sidebar lay over it, it could not be
    assert first.bounding_box()["y"] < second.bounding_box()["y"] < first.bounding_box()["y"] + 200


def test_names_are_changed_after_opening_or_refused_beside_their_field_and_a_link_carries_them(visit, sample_server):
    visitor = visit(sample_server).open("/compare?a=neural-10k&b=neural-40k")
    visitor.page.locator(".st-key-rename button").click()
    visitor.page.get_by_role("heading", name="Data", exact=True).wait_for()
    field = visitor.page.get_by_role("textbox", name="System 1", exact=True)
    named = field.input_value()
    for name, reason in (
        ("neural-40k", "Another one has this name already."),
        (" ", "A name needs at least one character"),
    ):
        field.fill(name)
        field.press("Enter")
        visitor.settle()
        assert reason in visitor.text()
    assert "names=" not in visitor.page.url
    field.fill(named)
    field.press("Enter")
    visitor.settle()
    for label, name in (("System 2", "GPT <b>4</b>"), ("Comparison", "My paper"), ("Reference 1", "house style")):
        field = visitor.page.get_by_role("textbox", name=label, exact=True)
        field.fill(name)
        field.press("Enter")
        visitor.settle()
    assert visitor.page.title() == "Data · My paper · bleuscope"
    visitor.turn_to("Compare")
    assert visitor.page.get_by_role("combobox", name="System A").input_value() == "GPT <b>4</b>"
    assert "neural" in visitor.text()
    other = visit(sample_server).open(visitor.page.url.removeprefix(sample_server))
    assert other.page.title() == "Compare · My paper · bleuscope"
    assert other.page.get_by_role("combobox", name="System A").input_value() == "GPT <b>4</b>"
    other.turn_to("Segments")
    other.page.keyboard.press("j")
    other.settle()
    assert "house style" in other.text()
    assert not other.page_errors
