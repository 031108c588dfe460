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
    points = page.locator(".js-plotly-plot .scatterlayer .point").all()
    box = min((point.bounding_box() for point in points), key=lambda one: one["x"])
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x - 3, y)
    page.wait_for_timeout(200)
    page.mouse.move(x, y)  # what is under the pointer is what is clicked
    page.wait_for_timeout(300)
    page.mouse.click(x, y)
    page.get_by_text("From v1 to v4").wait_for()
    visitor.settle()
    assert "older=v1" in page.url
    page.get_by_role("button", name="Read what changed").click()
    page.get_by_role("heading", name="Segments", exact=True).wait_for()
    page.get_by_text("segments where the texts differ").wait_for()
    visitor.settle()
    page.go_back()
    page.get_by_text("From v1 to v4").wait_for()
