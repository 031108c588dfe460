"""Every page in both themes, wide and narrow: nothing sticks out, and axe finds no barrier.

How each page of the row opens on a phone is seen in ``test_journey_calm.py``.
"""

import pytest

from tests.dashboard.feature_parts import by_own_names
from tests.journey.looks import (
    NOTHING_FADES,
    PHONE,
    SMALL_TARGETS,
    assert_accessible_in_both_themes,
    sideways_excess,
)

pytestmark = pytest.mark.browser

_PAGES = {
    "/overview": "Summary",
    "/scores": "Scores",
    "/significance": "Significance",
    "/compare": "Compare",
    "/segments?segment=6": "Segments",
    "/ngrams?ngram_order=2": "N-grams",
    "/slices": "Slices",
    "references./references": "References",
    "sensitivity./sensitivity": "Sensitivity",
    "runs./runs": "Runs",
    "judgements./validity": "Human judgements",
    "/report": "Share",
    "/test-set": "Data",
}
_WITHOUT_DATA = {"/test-set": "Data", "/scores": "Scores", "campaign./campaign": "Campaign"}
PAGES, WITHOUT_DATA = by_own_names(_PAGES), by_own_names(_WITHOUT_DATA)


@pytest.mark.parametrize("path", PAGES)
def test_a_page_does_not_jump_and_keeps_nobody_out_in_either_theme(visit, sample_server, path):
    visitor = visit(sample_server)
    assert visitor.jumps_of(path) == 0
    assert_accessible_in_both_themes(visitor, PAGES[path])
    assert visitor.page.title() == f"{PAGES[path]} · Sample comparison · bleuscope"
    assert visitor.page.evaluate(SMALL_TARGETS) == []


@pytest.mark.parametrize("path", WITHOUT_DATA)
def test_a_page_without_data_keeps_nobody_out_in_either_theme(visit, empty_server, path):
    visitor = visit(empty_server).open(path)
    assert_accessible_in_both_themes(visitor, WITHOUT_DATA[path])
    assert visitor.page.title() == f"{WITHOUT_DATA[path]} · bleuscope"


def test_right_to_left_and_chinese_text_run_their_own_way(visit, serve, tmp_path):
    lines = ["القطة على السجادة .", "猫坐在垫子上。", "The cat sat ."]
    for name in ("ref", "one", "two"):
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    visitor = visit(serve("open", *(str(tmp_path / f"{name}.txt") for name in ("one", "two", "ref"))))
    visitor.open("/segments?segment=1&tok=zh&sort=as+given")
    directions = []
    for number in (1, 2, 3):
        visitor.page.get_by_label("Segment", exact=True).fill(str(number))
        visitor.page.get_by_label("Segment", exact=True).press("Enter")
        visitor.settle()
        body = visitor.page.locator(".bs-card .bs-body").last
        assert body.inner_text() == lines[number - 1]
        directions.append(body.evaluate("element => getComputedStyle(element).direction"))
    assert directions == ["rtl", "ltr", "ltr"]


def test_six_short_segments_are_read_without_a_scroll_narrow_ones_fit_and_on_a_phone_texts_come_first(
    visit, sample_server
):
    visitor = visit(sample_server).open("/segments?sort=tokens+A%3A+fewest+first")
    rows = visitor.page.locator(".bs-row")
    rows.first.wait_for()
    visitor.wait_until(NOTHING_FADES)
    assert rows.nth(5).evaluate("element => element.getBoundingClientRect().bottom") < 900
    visitor.page.set_viewport_size(PHONE)
    visitor.settle()
    assert sideways_excess(visitor) <= 1
    phone = visit(sample_server, **PHONE).open("/segments?segment=6")
    rows.first.wait_for()
    assert sideways_excess(phone) <= 1
    assert rows.first.evaluate("element => element.getBoundingClientRect().top") < 400
    find = phone.page.get_by_label("Find text")
    assert not find.is_visible()
    phone.press("Filters and view")
    assert find.is_visible()
