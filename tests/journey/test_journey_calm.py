"""Nothing jumps while a page opens, nothing is asked for that is not there, and every page is one click away."""

from http import HTTPStatus

import pytest

from dashboard.shell.state.page_list import PAGES

MOST_SHIFT = 0.1
"""What web.dev calls good, of all shifts of a page together."""
SHIFTS = """() => new Promise((tell) => {
  const seen = [];
  new PerformanceObserver((list) => seen.push(...list.getEntries())).observe({ type: "layout-shift", buffered: true });
  setTimeout(() => tell(seen.filter((one) => !one.hadRecentInput).reduce((sum, one) => sum + one.value, 0)), 100);
})"""


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (390, 844)])
def test_no_page_jumps_while_it_opens_and_each_is_one_click_away(visit, sample_server, width, height):
    visitor = visit(sample_server, width=width, height=height)
    shifts, refused = {}, []

    def note(reply):
        if reply.status >= HTTPStatus.BAD_REQUEST:
            refused.append(reply.url)

    visitor.page.on("response", note)
    for page in PAGES.values():
        visitor.open(f"/{page.address}")
        shifts[page.title] = visitor.page.evaluate(SHIFTS)
        links = visitor.page.locator(".st-key-pages").get_by_role("link")
        assert links.all_inner_texts() == [each.title for each in PAGES.values()]
        current = visitor.page.locator(".st-key-pages [aria-current=page]")
        assert current.inner_text() == page.title
        box = current.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
    assert {title: shift for title, shift in shifts.items() if shift >= MOST_SHIFT} == {}
    visitor.page.remove_listener("response", note)
    assert refused == []
    visitor.page.locator(".st-key-pages").get_by_role("link", name="Scores").click()
    visitor.settle()
    assert visitor.page.locator(".st-key-pages [aria-current=page]").inner_text() == "Scores"


def test_the_first_page_does_not_jump_either(visit, empty_server):
    visitor = visit(empty_server).open("/test-set")
    assert visitor.page.evaluate(SHIFTS) < MOST_SHIFT
