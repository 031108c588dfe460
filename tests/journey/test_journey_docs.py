"""The documentation as it was built, in a browser: axe finds nothing serious, and no page sticks out at its side."""

from pathlib import Path

import axe_playwright_python
import pytest

pytestmark = pytest.mark.browser

PAGES = ("index", "tutorial", "glossary", "about/comparison", "mathematics/robustness", "reference/api/partitions")
"""One of each kind: pictures and a list of pages, examples, terms, wide tables, formulas, signatures."""
AXE = next(Path(axe_playwright_python.__file__).parent.rglob("axe.min.js"))
CONTRAST = (Path(__file__).parent / "contrast.js").read_text(encoding="utf-8")
ALL_ELSE = "axe.run(document, {resultTypes: ['violations'], rules: {'color-contrast': {enabled: false}}})"
REACHED = "axe.run(document, {resultTypes: ['violations'], runOnly: ['scrollable-region-focusable']})"
SERIOUS = {"serious", "critical"}


@pytest.mark.parametrize("name", PAGES)
def test_a_page_keeps_nobody_out_in_either_theme_and_fits_a_phone(only_tab, built_docs, name):
    _, folder = built_docs
    page = only_tab(1280, 900, "light")
    page.goto((folder / f"{name}.html").as_uri())
    page.evaluate(AXE.read_text(encoding="utf-8"))
    assert barriers(page, ALL_ELSE) == []
    assert page.evaluate(CONTRAST) == []
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(CONTRAST) == []
    page.set_viewport_size({"width": 390, "height": 844})
    page.evaluate("new Promise(requestAnimationFrame)")  # the page has heard of its new size
    assert barriers(page, REACHED) == []
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") == 0


def barriers(page, asked):
    """What axe calls serious, with where."""
    found = page.evaluate(asked)["violations"]
    return [(one["id"], one["nodes"][0]["target"]) for one in found if one["impact"] in SERIOUS]
