"""What a page is to whoever sees it in colours of their own, hears it, or moves by keyboard or finger."""

import re

import pytest

pytestmark = pytest.mark.browser

LINES = """marks => marks.map(mark => {
  const style = getComputedStyle(mark);
  return [style.borderBottom, style.textDecorationLine, style.textDecorationStyle, style.outlineStyle].join(' ');
})"""
INKS = "all => [...new Set(all.map(one => getComputedStyle(one).color))]"
GROUNDS = "all => [...new Set(all.map(one => getComputedStyle(one).backgroundColor))]"


def test_in_forced_colours_light_and_dark_marks_and_what_is_pressed_stay_apart(visit, sample_server):
    visitor = visit(sample_server).open("/segments?segment=6&eff=true")
    visitor.page.keyboard.press("o")
    visitor.page.locator(".st-key-layers [aria-pressed=true]").first.wait_for()
    visitor.settle()
    visitor.page.emulate_media(forced_colors="active")
    for scheme in ("light", "dark"):
        visitor.page.emulate_media(color_scheme=scheme, forced_colors="active")
        visitor.wait_until(f"matchMedia('(forced-colors: active) and (prefers-color-scheme: {scheme})').matches")
        visitor.settle()
        assert_marks_and_pressed_stay_apart(visitor, scheme)


def assert_marks_and_pressed_stay_apart(visitor, scheme):
    forms = visitor.page.locator(".bs-legend .bs-token").evaluate_all(LINES)
    assert len(set(forms)) == len(forms) == 10, scheme
    inks = visitor.page.locator(".bs-body, .bs-body mark").evaluate_all(INKS)
    assert len(inks) == 1, scheme
    assert visitor.page.locator(".bs-bars i").evaluate_all(GROUNDS) == inks, scheme
    for pressed, other in (
        (".st-key-layers [aria-pressed=true]", ".st-key-layers [aria-pressed=false]"),
        (
            "[data-testid=stSidebar] label:has([role=switch]:checked) > div:first-of-type",
            "[data-testid=stSidebar] label:has([role=switch]:not(:checked)) > div:first-of-type",
        ),
    ):
        chosen, rest = (visitor.page.locator(which).evaluate_all(GROUNDS) for which in (pressed, other))
        assert len(chosen) == len(rest) == 1, scheme
        assert chosen != rest, scheme


def test_charts_are_named_and_their_drawing_is_silent(visit, sample_server):
    visitor = visit(sample_server).open("/compare")
    waiting = visitor.page.locator(".bs-chart-ahead").evaluate_all("all => all.map(one => one.role + one.ariaLabel)")
    assert len(waiting) >= 2  # out of sight, Plotly draws nothing
    assert all(re.fullmatch("figure.+", one) for one in waiting)
    visitor.draw_charts()
    visitor.wait_until("document.querySelectorAll('.js-plotly-plot .main-svg').length >= 8")
    charts = visitor.page.get_by_test_id("stPlotlyChart")
    assert charts.count() >= 4
    assert all(charts.evaluate_all("all => all.map(one => one.role === 'figure' && one.ariaLabel)"))
    assert charts.locator(".main-svg").evaluate_all("all => all.every(one => one.ariaHidden === 'true')")


def test_texts_are_few_stops_away_help_opens_on_focus_and_an_action_is_said(visit, sample_server):
    visitor = visit(sample_server).open("/segments?segment=6")
    page = visitor.page
    said = page.locator("body > [role=status]")
    said.filter(has_text=re.compile(r"^Segment 6 of 216, Δ [+−]\d+\.\d\d\.$")).wait_for(state="attached")
    page.keyboard.press("j")
    said.filter(has_text=re.compile(r"^Segment (?!6 )\d+ of 216, Δ ")).wait_for(state="attached")

    page.reload()
    visitor.settle()
    stops = 0
    while not page.evaluate("document.activeElement.matches('.bs-segment')"):
        page.keyboard.press("Tab")
        stops += 1
        assert stops < 10
        if page.evaluate("/^Skip to/.test(document.activeElement.innerText)"):
            assert page.evaluate("document.activeElement.getBoundingClientRect().left") >= 0
            page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    help_text = page.evaluate("getComputedStyle(document.activeElement, '::after').content")
    assert help_text.startswith('"Score of this segment alone')
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.tagName") != "ABBR"


def test_the_verdict_is_at_most_ten_stops_away(visit, sample_server):
    visitor = visit(sample_server)
    for page in ("/overview", "/compare"):
        visitor.open(page)
        visitor.settle()
        stops = 0
        while not visitor.page.evaluate("document.activeElement.matches('[data-testid=stMain] abbr')"):
            visitor.page.keyboard.press("Tab")
            stops += 1
            assert stops <= 10, page
