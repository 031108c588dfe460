"""What a page is to whoever sees it in colours of their own, hears it, or moves by keyboard or finger."""

import pytest

pytestmark = pytest.mark.browser

LINES = """marks => marks.map(mark => {
  const style = getComputedStyle(mark);
  return [style.borderBottom, style.textDecorationLine, style.textDecorationStyle, style.outlineStyle].join(' ');
})"""
INKS = "all => [...new Set(all.map(one => getComputedStyle(one).color))]"
GROUNDS = "all => [...new Set(all.map(one => getComputedStyle(one).backgroundColor))]"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_in_forced_colours_marks_and_what_is_pressed_stay_apart(visit, sample_server, scheme):
    visitor = visit(sample_server, scheme=scheme).open("/segments?segment=6&eff=true")
    visitor.page.emulate_media(forced_colors="active")
    assert len(set(visitor.page.locator(".bs-legend .bs-token").evaluate_all(LINES))) == 7
    assert len(visitor.page.locator(".bs-body, .bs-body mark").evaluate_all(INKS)) == 1
    for pressed, other in (
        (".st-key-layers [aria-pressed=true]", ".st-key-layers [aria-pressed=false]"),
        ("[data-testid=stPaginationPageActive]", "[data-testid=stPaginationPage]"),
        (
            "label:has([role=switch]:checked) > div:first-of-type",
            "label:has([role=switch]:not(:checked)) > div:first-of-type",
        ),
    ):
        chosen, rest = (visitor.page.locator(which).evaluate_all(GROUNDS) for which in (pressed, other))
        assert len(chosen) == len(rest) == 1
        assert chosen != rest
