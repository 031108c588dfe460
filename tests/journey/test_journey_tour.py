"""The tour of the sample: what each stop speaks of is in sight together with its card."""

import pytest

pytestmark = pytest.mark.browser

SCREENS = {"a laptop": ((1440, 900), 2), "a phone": ((390, 844), 1)}
"""Width and height, and how many segments are in sight from the first word to the last."""


def box(visitor, selector):
    """Where the first such element stands on the screen."""
    return visitor.page.locator(selector).first.bounding_box()


@pytest.mark.parametrize("screen", SCREENS)
def test_the_texts_of_the_stop_at_segments_are_in_sight_beneath_its_card(visit, sample_server, screen):
    visitor = visit(sample_server)
    (width, height), n_rows = SCREENS[screen]
    visitor.page.set_viewport_size({"width": width, "height": height})
    visitor.open("/overview")
    visitor.page.locator(".st-key-tour-begin button").click()
    visitor.settle()
    for page in ("Slices", "Compare", "Segments"):
        visitor.page.locator(".st-key-tour-next button").click()
        visitor.page.get_by_role("heading", name=page, exact=True).wait_for()
        visitor.settle()
    card = box(visitor, ".st-key-tour")
    rows = [row.bounding_box() for row in visitor.page.locator(".bs-row").all()[:n_rows]]
    assert 0 <= card["y"] < card["y"] + card["height"] <= rows[0]["y"]
    assert rows[-1]["y"] + rows[-1]["height"] <= height
    assert rows[0]["y"] <= 0.7 * height
    visitor.page.keyboard.press("j")
    visitor.settle()
    text = box(visitor, ".bs-card .bs-body")
    assert 0 <= text["y"] < text["y"] + text["height"] <= height
