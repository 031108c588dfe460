"""The first screen of many texts: they are checked while it is read, and the alarm moves nothing."""

import random
import re

import pytest

pytestmark = pytest.mark.browser

N_SEGMENTS = 5_000
WORDS = [f"{one}{two}" for one in ("ba", "le", "ni", "so", "tu", "ra", "ke", "mi") for two in "nrstmlkd"]
TABLE, CANCEL, ALARM = ".bs-table", ".st-key-cancel-checks", ".st-key-texts-kept .bs-warning"
MOST_EMPTY = 48
"""Pixels between the row of doors and what comes first."""
SCREENS = {"desktop": (1440, 900, "light"), "phone": (390, 844, "dark")}


@pytest.fixture
def files(tmp_path):
    """A reference, a system that is like it, and one of unrelated lines; other texts each time: findings are kept."""
    draw = random.Random(str(tmp_path))
    lines = [draw.choices(WORDS, k=draw.randint(6, 16)) for _ in range(N_SEGMENTS)]
    like = [[*line[1:], draw.choice(WORDS)] for line in lines]
    unrelated = [draw.choices(WORDS, k=draw.randint(6, 16)) for _ in range(N_SEGMENTS)]
    for name, texts in (("sys-like", like), ("sys-unrelated", unrelated), ("ref", lines)):
        (tmp_path / f"{name}.txt").write_text("".join(" ".join(words) + ".\n" for words in texts), encoding="utf-8")
    return sorted(tmp_path.glob("*.txt"))


def place_of_table(page):
    """Where the first table stands, as soon as it is drawn: a run of the page may just be drawing it anew."""
    for _ in range(100):
        place = page.locator(TABLE).first.bounding_box()
        if place is not None:
            return place
        page.wait_for_timeout(50)
    pytest.fail("no table is drawn")


@pytest.mark.parametrize("screen", SCREENS)
def test_the_table_stays_where_it_is_when_the_alarm_comes(visit, empty_server, files, screen):
    width, height, scheme = SCREENS[screen]
    visitor = visit(empty_server, width=width, height=height, scheme=scheme).open("/test-set")
    visitor.upload(*files)
    page = visitor.page
    page.get_by_role("button", name=re.compile("^Compare 2")).last.click()
    page.locator(TABLE).first.wait_for()
    page.locator(CANCEL).or_(page.locator(ALARM)).first.wait_for()
    before = place_of_table(page)
    page.locator(ALARM).wait_for()
    visitor.settle()
    after = place_of_table(page)
    assert (after["x"], after["y"]) == (before["x"], before["y"])
    room = page.locator(".st-key-texts-kept").bounding_box()
    button = page.locator(".st-key-findings button").bounding_box()
    assert button["y"] + button["height"] <= room["y"] + room["height"] + 1
    visitor.turn_to("Scores")
    assert page.locator(".st-key-texts-alarm .bs-warning").is_visible()
    assert not page.locator(".st-key-texts-kept").count()
    assert not visitor.page_errors


@pytest.mark.parametrize("screen", SCREENS)
def test_the_number_of_warnings_stands_at_the_door_of_the_data_and_nothing_above_the_verdict(
    visit, sample_server, screen
):
    width, height, scheme = SCREENS[screen]
    page = visit(sample_server, width=width, height=height, scheme=scheme).open("/overview").page
    assert page.locator(".st-key-pages").get_by_role("link", name="Data (6)").is_visible()
    row, offer = (page.locator(selector).bounding_box() for selector in (".st-key-row", ".st-key-tour-offer"))
    assert 0 <= offer["y"] - (row["y"] + row["height"]) < MOST_EMPTY
