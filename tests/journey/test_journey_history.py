"""From a leaderboard to a history, to two versions, to what changed: by clicks, with the way back."""

import pytest

pytestmark = pytest.mark.browser


def test_a_leaderboard_leads_to_a_history_and_that_to_what_changed(visit, history_server):
    visitor = visit(history_server).open("/leaderboard?project=en-de&on=news")
    page = visitor.page
    page.get_by_role("link", name="History").click()
    page.get_by_role("heading", name="History", exact=True).wait_for()
    visitor.settle()
    assert "system=base" in page.url
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
