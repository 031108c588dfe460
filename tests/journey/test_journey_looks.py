"""Every page in both themes, wide and narrow: nothing sticks out, and axe finds no barrier.

How each page of the row opens on a phone is seen in ``test_journey_calm.py``.
"""

from pathlib import Path

import axe_playwright_python
import pytest

pytestmark = pytest.mark.browser

PAGES = {
    "/overview": "Overview",
    "/scores": "Scores",
    "/significance": "Significance",
    "/compare": "Compare",
    "/segments?segment=6": "Segments",
    "/ngrams?ngram_order=2": "N-grams",
    "/slices": "Slices",
    "/references": "References",
    "/sensitivity": "Sensitivity",
    "/runs": "Runs",
    "/validity": "Validity",
    "/report": "Report",
    "/test-set": "Test set",
}
OVER_TIME = {
    "/projects": "Projects",
    "/leaderboard?project=en-de&on=news": "Leaderboard",
    "/history?project=en-de&on=news&system=base": "History",
}
WITHOUT_DATA = {"/test-set": "Test set", "/scores": "Scores", "/campaign": "Campaign"}
AXE = next(Path(axe_playwright_python.__file__).parent.rglob("axe.min.js"))
ASKED = "axe.run(document, {resultTypes: ['violations', 'incomplete'], rules: {'color-contrast': {enabled: false}}})"
KNOWN = {"presentation-role-conflict"}  # Streamlit's drop zone
CONTRAST = (Path(__file__).parent / "contrast.js").read_text(encoding="utf-8")
MOST_LOOKS = 3
PHONE = {"width": 390, "height": 844}
IS_DARK = "getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor === 'rgb(20, 24, 28)'"
SMALL_TARGETS = """(() => {
  const targets = [...document.querySelectorAll('a[href], button, input, select, summary, .bs-table abbr[tabindex]')];
  const isSeen = (one) => one.checkVisibility({visibilityProperty: true, opacityProperty: true}) && !one.closest('p');
  const size = (one) => (one.matches('input') && one.closest('label') || one).getBoundingClientRect();
  const isSmall = (one) => size(one).width > 1 && Math.min(size(one).width, size(one).height) < 23.9;
  return targets.filter(isSeen).filter(isSmall).map((one) => one.ariaLabel ?? one.innerText);
})()"""
NOTHING_FADES = "document.getAnimations().every(one => !(one instanceof CSSTransition) || one.playState !== 'running')"


@pytest.mark.parametrize("path", PAGES)
def test_a_page_does_not_jump_and_keeps_nobody_out_in_either_theme(visit, sample_server, path):
    visitor = visit(sample_server)
    assert visitor.jumps_of(path) == 0
    assert_accessible_in_both_themes(visitor, PAGES[path])
    assert visitor.page.title() == f"{PAGES[path]} · Sample comparison · bleuscope"
    assert visitor.page.evaluate(SMALL_TARGETS) == []


@pytest.mark.parametrize("path", OVER_TIME)
def test_a_page_over_time_does_not_jump_keeps_nobody_out_and_fits_a_phone(visit, history_server, path):
    visitor = visit(history_server)
    assert visitor.jumps_of(path) == 0
    assert_accessible_in_both_themes(visitor, OVER_TIME[path])
    assert visitor.page.title().startswith(f"{OVER_TIME[path]} · ")
    assert visitor.page.evaluate(SMALL_TARGETS) == []
    visitor.page.set_viewport_size(PHONE)
    visitor.settle()
    assert sideways_excess(visitor) <= 1


@pytest.mark.parametrize("path", WITHOUT_DATA)
def test_a_page_without_data_keeps_nobody_out_in_either_theme(visit, empty_server, path):
    visitor = visit(empty_server).open(path)
    assert_accessible_in_both_themes(visitor, WITHOUT_DATA[path])
    assert visitor.page.title() == f"{WITHOUT_DATA[path]} · bleuscope"


def assert_accessible_in_both_themes(visitor, heading):
    """Axe finds no barrier in the light page, and its texts can be read there.

    So they can in the dark one, after the system's setting has changed, and in one with the system's own colours, where
    nothing else that axe looks at is different.
    """
    visitor.page.get_by_role("heading", name=heading, exact=True).wait_for()
    assert faint_texts(visitor) + barriers(visitor) == []
    visitor.page.emulate_media(color_scheme="dark")
    visitor.wait_until(IS_DARK)
    visitor.settle()
    assert faint_texts(visitor) == []
    visitor.page.emulate_media(forced_colors="active")
    visitor.settle()
    assert faint_texts(visitor) == []
    visitor.page.emulate_media(forced_colors="none")


def faint_texts(visitor):
    """Texts with too little contrast: all of them, where axe would leave some undecided."""
    visitor.wait_until(NOTHING_FADES)  # half-faded text has another contrast
    return visitor.page.evaluate(CONTRAST)


def barriers(visitor):
    """What axe finds, or cannot decide, with where; contrasts are ours. What goes as the page is drawn is none."""
    visitor.page.evaluate(AXE.read_text(encoding="utf-8"))
    for _ in range(MOST_LOOKS):
        result = visitor.page.evaluate(ASKED)
        found = [
            (rule["id"], [node["target"] for node in rule["nodes"]][:4])
            for rule in (*result["violations"], *result["incomplete"])
            if rule["id"] not in KNOWN
        ]
        if not found:
            break
        visitor.page.wait_for_timeout(1_000)
        visitor.settle()
    return found


def sideways_excess(visitor):
    """How many pixels of the page stick out at its side."""
    return visitor.page.get_by_test_id("stMain").evaluate("element => element.scrollWidth - element.clientWidth")


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
    tops = [
        one.evaluate("element => element.getBoundingClientRect().top")
        for one in (rows.first, phone.page.get_by_label("Find text"))
    ]
    assert tops[0] < tops[1]
    assert tops[0] < 400
