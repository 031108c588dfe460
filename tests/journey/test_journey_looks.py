"""Every page in both themes, wide and narrow: nothing sticks out, and axe finds no serious barrier."""

from pathlib import Path

import axe_playwright_python
import pytest

pytestmark = pytest.mark.browser

PAGES = {
    "/scores": "Scores",
    "/significance": "Significance",
    "/compare": "Compare",
    "/segments?segment=6": "Segments",
    "/ngrams?ngram_order=2": "N-grams",
    "/slices": "Slices",
    "/report": "Report",
    "/test-set": "Test set",
}
AXE = next(Path(axe_playwright_python.__file__).parent.rglob("axe.min.js"))
KNOWN = {"presentation-role-conflict"}  # Streamlit's drop zone
NOTHING_FADES = "document.getAnimations().every(one => !(one instanceof CSSTransition) || one.playState !== 'running')"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", PAGES)
def test_a_page_has_no_serious_accessibility_violation(visit, sample_server, path, scheme):
    assert serious_violations(visit(sample_server, scheme=scheme).open(path), PAGES[path]) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", ["/test-set", "/scores"])
def test_a_page_without_data_has_no_serious_accessibility_violation(visit, empty_server, path, scheme):
    assert serious_violations(visit(empty_server, scheme=scheme).open(path), PAGES[path]) == []


def serious_violations(visitor, heading):
    """What axe finds that keeps people out, with where."""
    visitor.page.get_by_role("heading", name=heading, exact=True).wait_for()
    visitor.wait_until(NOTHING_FADES)  # half-faded text has another contrast
    visitor.page.evaluate(AXE.read_text(encoding="utf-8"))
    result = visitor.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        (violation["id"], [node["target"] for node in violation["nodes"]][:4])
        for violation in result["violations"]
        if violation["impact"] in ("serious", "critical") and violation["id"] not in KNOWN
    ]


@pytest.mark.parametrize("path", PAGES)
def test_a_narrow_page_does_not_scroll_sideways(visit, sample_server, path):
    visitor = visit(sample_server, width=390, height=844).open(path)
    visitor.page.get_by_role("heading", name=PAGES[path], exact=True).wait_for()
    main = visitor.page.get_by_test_id("stMain")
    excess = main.evaluate("element => element.scrollWidth - element.clientWidth")
    assert excess <= 1


def test_right_to_left_and_chinese_text_run_their_own_way(visit, serve, tmp_path):
    lines = ["القطة على السجادة .", "猫坐在垫子上。", "The cat sat ."]
    for name in ("ref", "one", "two"):
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    visitor = visit(serve("open", *(str(tmp_path / f"{name}.txt") for name in ("one", "two", "ref"))))
    directions = []
    for number in (1, 2, 3):
        visitor.open(f"/segments?segment={number}&tok=zh")
        body = visitor.page.locator(".bs-card .bs-body").last
        assert body.inner_text() == lines[number - 1]
        directions.append(body.evaluate("element => getComputedStyle(element).direction"))
    assert directions == ["rtl", "ltr", "ltr"]


def test_the_texts_of_the_open_segment_are_on_the_first_screen(visit, sample_server):
    visitor = visit(sample_server, width=1440, height=900).open("/segments")
    card = visitor.page.locator(".bs-card").first
    card.wait_for()
    visitor.wait_until(NOTHING_FADES)
    assert card.evaluate("element => element.getBoundingClientRect().top") < 800
