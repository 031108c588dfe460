"""How a page looks: texts with too little contrast, what axe finds, small targets, and what sticks out."""

from pathlib import Path

import axe_playwright_python

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
