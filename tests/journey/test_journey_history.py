"""From a leaderboard to a history, to two versions, to what changed: by clicks, with the way back; how they look."""

import pytest

from tests.journey.looks import PHONE, SMALL_TARGETS, assert_accessible_in_both_themes, sideways_excess

pytestmark = pytest.mark.browser

PAGES = {
    "/projects": "Projects",
    "/leaderboard?project=en-de&on=news": "Leaderboard",
    "/history?project=en-de&on=news&system=base": "History",
}


def test_a_leaderboard_leads_to_a_history_and_that_to_what_changed(visit, history_server):
    visitor = visit(history_server).open("/leaderboard?project=en-de&on=news")
    page = visitor.page
    page.get_by_role("link", name="History").click()
    page.get_by_role("heading", name="History", exact=True).wait_for()
    visitor.settle()
    assert "system=base" in page.url
    visitor.draw_charts()
    points = page.locator(".js-plotly-plot .scatterlayer .point")
    points.first.wait_for(state="attached")
    visitor.click_mark(min(points.all(), key=lambda point: point.bounding_box()["x"]))
    page.get_by_text("From v1 to v4").wait_for()
    visitor.settle()
    assert "older=v1" in page.url
    page.get_by_role("button", name="Read what changed").click()
    page.get_by_role("heading", name="Segments", exact=True).wait_for()
    page.get_by_text("segments where the texts differ").wait_for()
    visitor.settle()
    page.go_back()
    page.get_by_text("From v1 to v4").wait_for()


@pytest.mark.parametrize("path", PAGES)
def test_a_page_over_time_does_not_jump_keeps_nobody_out_and_fits_a_phone(visit, history_server, path):
    visitor = visit(history_server)
    assert visitor.jumps_of(path) == 0
    assert_accessible_in_both_themes(visitor, PAGES[path])
    assert visitor.page.title().startswith(f"{PAGES[path]} · ")
    assert visitor.page.evaluate(SMALL_TARGETS) == []
    visitor.page.set_viewport_size(PHONE)
    visitor.settle()
    assert sideways_excess(visitor) <= 1
