"""Real work on the Segments page, most of it by keyboard: filters, layers, tags, charts, a blind comparison."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def press_key(visitor, key):
    """Press a key outside of all fields."""
    visitor.page.keyboard.press(key)
    visitor.settle()


def open_segment(visitor):
    """The number of the open segment."""
    return int(visitor.page.get_by_role("spinbutton", name="Segment", exact=True).input_value())


def chips(visitor):
    """What each visible filter says."""
    return [chip for chip in visitor.page.locator(".st-key-chips button:visible").all_inner_texts() if chip]


@pytest.fixture
def visitor(visit, sample_server):
    """Somebody who reads the segments of two systems and has the charts open."""
    return visit(sample_server).open("/segments?a=literal&b=fluent&charts=true")


def test_a_held_key_loses_no_segment_and_single_keys_can_be_switched_off(visit, sample_server):
    visitor = visit(sample_server).open("/segments?sort=as+given&segment=3")
    for key, expected in (("j", 13), ("j", 23), ("k", 13)):
        for _ in range(10):
            visitor.page.keyboard.press(key)
            visitor.page.wait_for_timeout(30)
        visitor.wait_until(f"document.querySelector('.bs-place').dataset.place === '{expected}'")
        visitor.settle()
        assert open_segment(visitor) == expected
        assert f"segment={expected}&" in f"{visitor.page.url}&"
    press_key(visitor, "?")
    visitor.page.get_by_role("table", name="Keys").wait_for()
    visitor.page.locator(".st-key-keys").get_by_text("Single keys").click()
    visitor.settle()
    press_key(visitor, "Escape")
    press_key(visitor, "j")
    assert open_segment(visitor) == 13
    assert "keys=false" in visitor.page.url


def test_the_next_segment_stands_there_before_the_page_has_drawn_it(visit, sample_server):
    visitor = visit(sample_server).open("/segments?sort=as+given&segment=3")
    pressed = """() => {
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "j", bubbles: true }));
        const [head, around] = [".bs-opened b", ".st-key-open-segment"].map((one) => document.querySelector(one));
        const { place } = document.querySelector(".bs-place").dataset;
        return [head.innerText, around.querySelector("h2").innerText, around.inert, place];
    }"""
    assert visitor.page.evaluate(pressed) == ["#4", "Segment 4", True, "3"]
    texts = visitor.page.locator(".bs-reading .bs-body").all_inner_texts()
    visitor.wait_until("document.querySelector('.bs-place').dataset.place === '4'")
    visitor.settle()
    assert visitor.page.locator(".bs-reading .bs-body").all_inner_texts() == texts
    assert visitor.page.locator(".bs-opened b").inner_text() == "#4"
    assert visitor.page.locator(".st-key-open-segment[inert], .bs-row[hidden]").count() == 0


READ = """() => [
    ...[...document.querySelectorAll(".st-key-reading .bs-row")].map((row) => {
        const lines = [...row.querySelectorAll(".bs-lines > *")].map((one, place) => ({ one, place }));
        lines.sort((x, y) => (x.one.style.order || 0) - (y.one.style.order || 0) || x.place - y.place);
        const written = lines.map(({ one }) => {
            const copy = one.cloneNode(true), side = copy.querySelector(".bs-side");
            copy.removeAttribute("style");
            side?.setAttribute("style", side.style.borderColor);
            return copy.outerHTML;
        });
        return [row.dataset.place, row.dataset.a, row.querySelector(".bs-head").innerHTML, ...written];
    }),
    document.querySelector(".st-key-reading .bs-reading")?.innerHTML,
]"""
"""Whatever stands on the screen of the list and the open segment, in the order in which it is seen."""


@pytest.mark.parametrize("opened", ["", "&segment=48&all=true"])
def test_swapped_systems_stand_there_as_the_page_then_draws_them(visit, sample_server, opened):
    visitor = visit(sample_server)
    lines = "source,reference,further+references,further+systems,other+metrics"
    visitor.open(f"/segments?a=neural-20k&b=neural-40k&lines={lines}{opened}")
    pressed = f"""() => {{
        const height = window.innerHeight, before = ({READ})();
        window.innerHeight = 1e6; // what is out of sight would follow
        document.body.dispatchEvent(new KeyboardEvent("keydown", {{ key: "x", bubbles: true }}));
        window.innerHeight = height;
        return [before, ({READ})()];
    }}"""
    before, shown = visitor.page.evaluate(pressed)
    assert len(before) == len(shown) == 21
    assert all(one != other for one, other in zip(before, shown, strict=True) if one is not None)
    visitor.wait_until("document.querySelector('[data-exchanged]') === null")
    visitor.settle()
    assert visitor.page.evaluate(READ) == shown
    lost = """() => {
        const swap = document.createElement("div");
        swap.className = "st-key-swap";
        document.body.append(swap);
        swap.append(document.createElement("button"));
        swap.firstChild.click();
        swap.remove();
        return document.querySelectorAll("[data-exchanged]").length;
    }"""
    assert visitor.page.evaluate(lost) > 0
    visitor.wait_until("document.querySelector('[data-exchanged]') === null")
    assert visitor.page.evaluate(READ) == shown, "what nobody draws is taken back"
    visitor.page.locator(".st-key-swap button").first.click()
    visitor.wait_until("document.querySelector('[data-exchanged]') === null")
    visitor.settle()
    assert visitor.page.evaluate(READ) == before


def test_keys_go_on_and_back_switch_layers_and_swap_the_systems_and_are_listed(visitor):
    press_key(visitor, "j")
    opened = open_segment(visitor)
    press_key(visitor, "j")
    assert open_segment(visitor) != opened
    assert f"segment={open_segment(visitor)}&" in f"{visitor.page.url}&"
    press_key(visitor, "k")
    assert open_segment(visitor) == opened
    marks = visitor.page.locator(".bs-card .bs-m1")
    assert marks.count()
    press_key(visitor, "1")
    assert marks.count() == 0
    assert visitor.page.locator(".bs-legend .bs-m1").count() == 0
    press_key(visitor, "1")
    assert marks.count()
    press_key(visitor, "x")
    assert visitor.page.locator(".bs-card .bs-system bdi").all_inner_texts() == ["fluent", "literal"]
    visitor.page.keyboard.press("x")
    press_key(visitor, "x")
    # On a busy machine the page can stand still between the two.
    expect(visitor.page.locator(".bs-card .bs-system bdi")).to_have_text(["fluent", "literal"], timeout=60_000)
    press_key(visitor, "x")
    press_key(visitor, "?")
    assert "swap A and B" in visitor.page.get_by_role("table", name="Keys").inner_text()
    press_key(visitor, "Escape")


def test_a_mark_is_said_to_a_reader_and_with_tab_stops_its_focus_says_which_reference_it_is_in(visit, sample_server):
    visitor = visit(sample_server).open("/segments?segment=6")
    session = visitor.page.context.new_cdp_session(visitor.page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    session.detach()
    assert "match of 4 or more:" in [node.get("name", {}).get("value") for node in nodes]
    marks = visitor.page.locator(".bs-cards").nth(1).locator("mark")
    assert marks.count()
    assert visitor.page.locator(".bs-card .bs-run[tabindex]").count() == 0
    press_key(visitor, "6")
    marks.first.scroll_into_view_if_needed()
    marks.first.focus()
    visitor.page.keyboard.press("Shift+Tab")
    visitor.page.keyboard.press("Tab")
    shown = marks.first.evaluate("element => getComputedStyle(element, '::after').content")
    assert re.search(r"reference \d", shown)


def test_a_bar_of_the_charts_narrows_the_list_down(visitor):
    visitor.draw_charts()
    bars = visitor.page.locator("[class*='st-key-chart-differences'] .barlayer .point path")
    bars.first.wait_for(state="attached")
    heights = [bar.bounding_box()["height"] for bar in bars.all()]
    visitor.click_bar("differences", heights.index(max(heights)))
    assert "low=" in visitor.page.url
    assert "charts=true" in visitor.page.url
    assert chips(visitor)[0].startswith("Δ ")


def test_bars_that_are_drawn_over_with_the_pointer_become_a_filter(visit, sample_server):
    visitor = visit(sample_server).open("/segments")
    bars = visitor.page.locator(".bs-brush").nth(1).locator(".bs-bars > span")
    first, last = (bars.nth(place).bounding_box() for place in (3, 6))
    mouse = visitor.page.mouse
    mouse.move(first["x"] + 2, first["y"] + 9)
    mouse.down()
    mouse.move(last["x"] + 2, last["y"] + 9, steps=5)
    mouse.up()
    visitor.page.locator(".st-key-chips").get_by_text("tokens").first.wait_for()
    visitor.settle()
    assert "tlow=6" in visitor.page.url
    assert "thigh=14" in visitor.page.url
    visitor.press("Clear")
    assert "tlow" not in visitor.page.url


def test_a_tag_and_a_note_outlive_a_change_of_page_and_can_be_saved(visit, sample_server):
    visitor = visit(sample_server).open("/segments?segment=8")
    tag = visitor.page.get_by_role("combobox", name="Tag of this segment")
    tag.click()
    tag.fill("odd")
    press_key(visitor, "Enter")
    note = visitor.page.get_by_role("textbox", name="Note on this segment")
    note.fill("=1+1")
    note.press("Enter")
    visitor.settle()
    visitor.turn_to("Scores")
    visitor.turn_to("Segments")
    assert (tag.input_value(), note.input_value()) == ("odd", "=1+1")
    with visitor.page.expect_download() as download:
        visitor.page.get_by_role("button", name="Save 1").last.click()
    assert "8\ttown-bridge\todd\t'=1+1\t" in download.value.path().read_text(encoding="utf-8")


def test_a_blind_comparison_by_keyboard_alone_ends_with_the_key(visit, sample_server):
    visitor = visit(sample_server).open("/segments?a=literal&b=human&blind=true")
    assert not {"literal", "human"} & set(re.findall(r"\w+", visitor.page.locator("body").inner_text()))
    judged = []
    for number, key in enumerate(("f", "g", "h"), start=1):
        judged.append(open_segment(visitor))
        press_key(visitor, key)
        visitor.page.get_by_text(re.compile(rf"{number} segments? judged")).wait_for()
        visitor.settle()
    assert len(set(judged)) == 3
    assert "3 segments judged" in visitor.text()
    visitor.press("End and show the key")
    assert re.search(r"was preferred in \d segments?, .* 1 tie", visitor.text())
    assert "sign test, p" in visitor.text()
    visitor.page.get_by_text("Key: which system was left or right").first.click()
    key = visitor.page.get_by_role("table", name="Key: which system was left or right").inner_text()
    assert all(str(number) in key for number in judged)


def test_a_segment_of_the_overview_opens_where_it_is_pressed(visit, sample_server):
    visitor = visit(sample_server).open("/overview")
    row = visitor.page.locator(".bs-row").first
    number = row.locator(".bs-head b").inner_text()
    row.locator(".bs-lines p").first.click()
    visitor.page.get_by_role("heading", name="Segments", exact=True).wait_for()
    visitor.page.locator(".bs-opened").wait_for()
    assert visitor.page.locator(".bs-opened .bs-head b").inner_text() == number
