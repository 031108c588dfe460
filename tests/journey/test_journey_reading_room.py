"""The reading room: any number of segments without pages, a drawer next to the texts, keys, and the way back."""

import re

import pytest

pytestmark = pytest.mark.browser

PHONE = {"width": 390, "height": 844}
SCREEN_HEIGHT = 900
FIRST_TEXT = 260
"""Pixels, where the first text begins at the latest."""
ROWS = "[...document.querySelectorAll('.st-key-reading .bs-row')]"
PLACES = f"{ROWS}.map((row) => Number(row.dataset.place))"
IN_SIGHT = f"""{ROWS}.filter((row) => {{
    const box = row.getBoundingClientRect();
    return box.bottom > 60 && box.top < innerHeight;
}}).map((row) => Number(row.dataset.place))"""
SCROLL = "(way) => document.querySelector('[data-testid=stMain]').scrollBy(0, way)"
FOCUSED = "document.activeElement.closest('.st-key-segment-note') && document.activeElement.getAttribute('role')"


def open_place(visitor):
    """The place of the open segment among those found, 0 if there is none."""
    return int(visitor.page.locator(".bs-place").get_attribute("data-place"))


def press_key(visitor, key):
    """Press a key outside of all fields."""
    visitor.page.keyboard.press(key)
    visitor.settle()


@pytest.fixture
def visitor(visit, sample_server):
    """Somebody who reads the segments in the order of the files."""
    return visit(sample_server).open("/segments?sort=as+given")


@pytest.fixture(scope="module")
def long_server(tmp_path_factory, free_port, started):
    """The address of a server on 3,000 short segments of two systems."""
    folder = tmp_path_factory.mktemp("long")
    lines = [f"this is segment {number} of the long list" for number in range(3_000)]
    texts = {"reference": lines, "one": lines, "two": [line.replace("long", "other") for line in lines]}
    for name, written in texts.items():
        (folder / f"{name}.txt").write_text("\n".join(written) + "\n", encoding="utf-8")
    files = [str(folder / f"{name}.txt") for name in ("one", "two")]
    place = tmp_path_factory.mktemp("server")
    server = started(place, free_port(), "open", *files, "-r", str(folder / "reference.txt"), "--no-workspace")
    yield server.address
    server.stop()


def test_rows_come_as_one_scrolls_and_all_that_is_in_sight_has_its_texts(visit, long_server):
    visitor = visit(long_server).open("/segments?sort=as+given")
    visitor.wait_until(f"{PLACES}.length >= 20")
    assert visitor.page.evaluate(PLACES)[:20] == list(range(1, 21))
    assert len(visitor.page.evaluate(PLACES)) < 200
    seen = 0
    for _ in range(4):
        visitor.page.evaluate(SCROLL, 1_500)
        visitor.wait_until(f"Math.max(0, ...{IN_SIGHT}) > {seen}")
        places = visitor.page.evaluate(IN_SIGHT)
        assert places == list(range(places[0], places[0] + len(places)))
        seen = places[-1]
    assert seen > 20
    visitor.page.evaluate("document.querySelector('.bs-above').lastElementChild.scrollIntoView()")
    visitor.wait_until(f"{IN_SIGHT}.includes(3000) || {IN_SIGHT}.includes(2990)")
    assert len(visitor.page.evaluate(PLACES)) < 400, "what is far away is not kept"


def test_keys_cross_from_one_slice_to_the_next_and_the_open_segment_stays_where_it_is(visit, long_server):
    visitor = visit(long_server).open("/segments?sort=as+given&segment=19")
    top = "Math.round(document.querySelector('.bs-opened').getBoundingClientRect().top)"
    press_key(visitor, "j")
    before = visitor.page.evaluate(top)
    for place in (21, 22, 21, 20, 19):
        press_key(visitor, "j" if place > open_place(visitor) else "k")
        visitor.wait_until(f"document.querySelector('.bs-place').dataset.place === '{place}'")
        visitor.settle()
        around = [one for one in visitor.page.evaluate(PLACES) if abs(one - place) < 4]
        assert around == list(range(place - 3, place + 4))
        assert abs(visitor.page.evaluate(top) - before) <= 2
    field = visitor.page.get_by_role("spinbutton", name="Segment", exact=True)
    field.fill("2500")
    field.press("Enter")
    visitor.settle()
    visitor.wait_until(f"{PLACES}.includes(2499) && {PLACES}.includes(2501)")
    assert visitor.page.locator(".bs-opened b").inner_text() == "#2\u202f500"
    assert 0 < visitor.page.evaluate(top) < SCREEN_HEIGHT / 2


def test_a_link_to_a_page_of_the_list_of_before_shows_its_segments(visit, long_server):
    visitor = visit(long_server).open("/segments?sort=as+given&page=40")
    visitor.wait_until(f"{IN_SIGHT}.includes(781)")
    assert "page=" not in visitor.page.url


def test_back_takes_back_filters_the_open_segment_and_the_pair_and_forward_does_them_again(visitor):
    find = visitor.page.get_by_label("Find text")
    find.fill("the")
    find.press("Enter")
    visitor.settle()
    visitor.page.locator(".bs-row p").nth(4).click()
    visitor.wait_until("document.querySelector('.bs-place').dataset.place !== '0'")
    visitor.settle()
    opened = open_place(visitor)
    for _ in range(3):
        press_key(visitor, "j")
    press_key(visitor, "x")
    visitor.wait_until("/[?&]a=/.test(location.search)")
    visitor.settle()
    pair = visitor.page.locator(".bs-card .bs-system bdi")
    swapped = pair.all_inner_texts()

    visitor.page.go_back()
    visitor.wait_until("!/[?&]a=/.test(location.search)")
    visitor.settle()
    assert pair.all_inner_texts() == swapped[::-1]
    assert open_place(visitor) >= opened
    visitor.page.go_back()
    visitor.wait_until("document.querySelector('.bs-place').dataset.place === '0'")
    visitor.settle()
    assert find.input_value() == "the", "reading on is one step"
    visitor.page.go_back()
    visitor.wait_until("!location.search.includes('find')")
    visitor.settle()
    assert find.input_value() == ""
    assert "sort=" in visitor.page.url
    visitor.page.go_forward()
    visitor.wait_until("location.search.includes('find=the')")
    visitor.settle()
    assert find.input_value() == "the"
    assert "find “the”" in visitor.text() or "the" in visitor.page.locator(".st-key-chips").inner_text()

    here, places = visitor.page.url, visitor.page.evaluate("history.length")
    for step in ("forward", "forward", "back", "back"):  # faster than pages are drawn
        visitor.page.evaluate(f"history.{step}()")
        visitor.page.wait_for_timeout(80)
    visitor.settle()
    assert visitor.page.url == here
    assert visitor.page.evaluate("history.length") == places
    assert find.input_value() == "the"


def test_the_drawer_stands_next_to_the_texts_and_a_button_and_a_key_open_and_close_it(visitor):
    drawer, rows = visitor.page.locator(".st-key-drawer"), visitor.page.locator(".st-key-reading")
    button = visitor.page.get_by_role("button", name="Filters and view")
    assert not drawer.is_visible()
    button.first.click()
    assert drawer.is_visible()
    assert drawer.bounding_box()["x"] >= rows.bounding_box()["x"] + rows.bounding_box()["width"]
    assert visitor.page.get_by_label("Document").is_visible()
    visitor.page.get_by_role("button", name="Close filters and view").first.click()
    assert not drawer.is_visible()
    press_key(visitor, "o")
    assert drawer.is_visible()
    visitor.page.reload()
    visitor.settle()
    assert drawer.is_visible(), "it stays open in this tab"
    press_key(visitor, "o")
    assert not drawer.is_visible()
    press_key(visitor, "/")
    assert visitor.page.evaluate("document.activeElement.placeholder") == "Find text"


def test_on_a_phone_it_is_a_sheet_with_all_fields_that_can_be_closed(visit, sample_server):
    visitor = visit(sample_server, **PHONE).open("/segments")
    find = visitor.page.get_by_label("Find text")
    assert not find.is_visible()
    visitor.press("Filters and view")
    assert find.is_visible()
    assert visitor.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    visitor.page.locator(".bs-drawer-close:visible").click()
    assert not find.is_visible()
    assert not visitor.page.locator(".bs-key-line").is_visible()


def test_keys_tag_a_segment_write_its_note_and_mark_it_as_important(visitor):
    press_key(visitor, "i")
    visitor.wait_until("document.querySelector('.bs-head[data-tag=important]') !== null")
    visitor.settle()
    assert open_place(visitor) == 0
    press_key(visitor, "n")
    visitor.wait_until("document.activeElement.closest('.st-key-segment-note') !== null")
    assert open_place(visitor) == 1
    assert visitor.page.get_by_role("combobox", name="Tag of this segment").input_value() == "important"
    visitor.page.keyboard.type("look again")
    press_key(visitor, "Enter")
    press_key(visitor, "Escape")
    press_key(visitor, "j")
    visitor.wait_until("document.querySelector('.bs-place').dataset.place === '2'")
    visitor.settle()
    press_key(visitor, "t")
    visitor.wait_until(f"{FOCUSED} === 'combobox'")
    visitor.page.keyboard.type("odd")
    press_key(visitor, "Enter")
    press_key(visitor, "Escape")
    visitor.page.evaluate("document.activeElement.blur()")
    press_key(visitor, "k")
    visitor.wait_until("document.querySelector('.bs-place').dataset.place === '1'")
    visitor.settle()
    assert visitor.page.get_by_role("textbox", name="Note on this segment").input_value() == "look again"
    assert visitor.page.locator(".bs-head[data-tag]").last.get_attribute("data-tag") == "odd"
    press_key(visitor, "i")
    visitor.wait_until("document.querySelector('[data-tag=important]') === null")


def test_six_segments_are_read_beneath_one_row_of_fields_and_above_the_keys(visit, sample_server):
    visitor = visit(sample_server).open("/segments")
    line = visitor.page.locator(".bs-key-line")
    assert re.sub(r"\s+", " ", line.inner_text()).startswith("J K next, previous X swap A and B 1–7 marks T tag")
    assert line.bounding_box()["y"] + line.bounding_box()["height"] <= SCREEN_HEIGHT
    first = visitor.page.locator(".bs-row p").first.bounding_box()
    assert first["y"] < FIRST_TEXT
    sixth = visitor.page.locator(".bs-row").nth(5).bounding_box()
    assert sixth["y"] + sixth["height"] <= line.bounding_box()["y"]
    visitor.page.evaluate(SCROLL, 100_000)
    visitor.settle()
    assert line.is_visible()
    assert line.bounding_box()["y"] < SCREEN_HEIGHT
