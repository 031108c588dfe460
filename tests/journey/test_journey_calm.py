"""Calm pages: nothing jumps or is asked for in vain, every page is one click away, charts and paper can be read."""

from http import HTTPStatus

import pytest

from bleuscope.shell.state.page_list import PAGES, SHARE, doors_of, further_pages, sections_of

pytestmark = pytest.mark.browser

PHONE = {"width": 390, "height": 844}
LEAST_BELOW = 120
"""Pixels: the doors stand in the last of a phone's screen, and what is next to them in the first."""
WITH_DATA = [page.name for page in PAGES.values() if not page.subject]
FIRST_OF_SUBJECTS = list({page.subject: page.name for page in reversed(PAGES.values()) if page.subject}.values())
"""Pages that are opened by their address. The others of a subject have no data and are one click from its first."""
CURRENT = ":is(.st-key-row, .st-key-sections) [aria-current=page]"
GROUND_IS = "getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor === '%s'"


def _without_number(name):
    return name.partition(" (")[0]


def test_on_a_phone_no_page_jumps_or_scrolls_sideways_and_every_door_is_one_click_away(visit, sample_server):
    visitor = visit(sample_server, **PHONE)
    jumps, refused, excess = {}, [], {}

    def note(reply):
        if reply.status >= HTTPStatus.BAD_REQUEST:
            refused.append(reply.url)

    visitor.page.on("response", note)
    for page in PAGES.values():
        doors = {each: title for title, each in doors_of(page.subject).items()}
        door = PAGES[page.door_name]
        if page.name in (*WITH_DATA, *FIRST_OF_SUBJECTS):
            jumps[page.title] = visitor.jumps_of(f"/{page.address}")
        elif page is door:
            visitor.follow(".st-key-row", doors.get(door, SHARE.title))
        else:
            visitor.follow(".st-key-sections", page.section_title)
        assert page.address in visitor.page.url
        row = [_without_number(name) for name in visitor.page.locator(".st-key-row a").all_inner_texts()]
        further = [SHARE.title if each.place == SHARE.name else each.title for each in further_pages(page.subject)]
        assert row == [*doors.values(), *further]
        current = [_without_number(name) for name in visitor.page.locator(CURRENT).all_inner_texts() if name]
        behind = [] if page.name == "overview" or not sections_of(page) else [page.section_title]
        assert current == [doors.get(door, SHARE.title), *behind]
        box = visitor.page.locator(".st-key-row [aria-current=page]").bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PHONE["width"]
        is_at_bottom = door in doors
        assert box["y"] > PHONE["height"] - LEAST_BELOW if is_at_bottom else box["y"] < LEAST_BELOW
        main = visitor.page.get_by_test_id("stMain")
        excess[page.title] = main.evaluate("element => element.scrollWidth - element.clientWidth")
    assert {title: shift for title, shift in jumps.items() if shift} == {}
    assert {title: pixels for title, pixels in excess.items() if pixels > 1} == {}
    visitor.page.remove_listener("response", note)
    assert refused == []
    visitor.page.locator(".st-key-switch button").first.click()  # the last page has doors of its own
    visitor.press("Sample comparison")
    visitor.page.get_by_role("heading", name="Summary", exact=True).wait_for()
    visitor.turn_to("Compare")
    assert visitor.page.locator(".st-key-pages [aria-current=page]").inner_text() == "Compare"


def test_the_first_page_does_not_jump_either(visit, empty_server):
    assert visit(empty_server).jumps_of("/test-set") == 0


def test_paper_gets_what_is_on_the_page_dark_on_white_and_nothing_to_press(visit, sample_server):
    visitor = visit(sample_server, scheme="dark").open("/scores")
    visitor.draw_charts()
    visitor.page.emulate_media(media="print", color_scheme="dark")
    shown = visitor.page.evaluate(
        """() => {
          const style = (selector) => getComputedStyle(document.querySelector(selector));
          const height = document.querySelector("[data-testid=stMain]").getBoundingClientRect().height;
          return {
            paper: style("[data-testid=stApp]").backgroundColor,
            ink: [".bs-table td", ".bs-verdict"].map((one) => style(one).color),
            axis: style(".js-plotly-plot .ytick text").fill,
            hidden: ["[data-testid=stSidebar]", "[data-testid=stHeader]", "[class*=st-key-export-]"]
              .map((one) => style(one).display),
            isWhole: height >= document.querySelector("[data-testid=stMainBlockContainer]").scrollHeight * 0.6,
          };
        }"""
    )
    assert shown == {
        "paper": "rgb(255, 255, 255)",
        "ink": ["rgb(28, 35, 41)"] * 2,
        "axis": "rgb(84, 92, 100)",
        "hidden": ["none"] * 3,
        "isWhole": True,
    }
    assert not visitor.page.locator(".st-key-pages").is_visible()


def test_axes_and_whiskers_can_be_seen_in_either_theme_and_no_menu_covers_a_title(visit, sample_server):
    visitor = visit(sample_server, **PHONE).open("/slices")
    visitor.draw_charts()
    chart = visitor.page.locator(".js-plotly-plot").first
    for scheme, behind in (("light", (255, 255, 255)), ("dark", (20, 24, 28))):
        visitor.page.emulate_media(color_scheme=scheme)
        visitor.wait_until(GROUND_IS % f"rgb({', '.join(map(str, behind))})")
        visitor.settle()
        chart.locator(".xtick text").first.wait_for(state="attached")
        inks = chart.evaluate(
            """(chart) => [".xtick text", ".ytick text", ".xtitle", ".xerror"].map((one) => {
              const style = getComputedStyle(chart.querySelector(one));
              return (one === ".xerror" ? style.stroke : style.fill).match(/[0-9.]+/g).slice(0, 3).map(Number);
            })"""
        )
        assert min(contrast(ink, behind) for ink in inks) >= 4.5, scheme
        title, menu = (chart.locator(one).first.bounding_box() for one in (".gtitle", ".modebar"))
        assert menu["y"] > title["y"] + title["height"] or menu["x"] > title["x"] + title["width"], scheme


def test_a_finger_gets_the_menu_of_a_chart_beneath_it_on_a_wide_screen_too(visit, sample_server):
    visitor = visit(sample_server).open("/scores")
    visitor.draw_charts()
    chart = visitor.page.locator(".js-plotly-plot").first
    title, menu = chart.locator(".gtitle"), chart.locator(".modebar-container")
    menu.wait_for(state="attached")
    assert menu.bounding_box()["y"] < title.bounding_box()["y"] + title.bounding_box()["height"]
    touch = visitor.page.context.new_cdp_session(visitor.page)
    touch.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    try:
        visitor.wait_until("matchMedia('(hover: none)').matches")
        box = chart.bounding_box()
        assert menu.bounding_box()["y"] > title.bounding_box()["y"] + title.bounding_box()["height"]
        assert menu.bounding_box()["y"] > box["y"] + box["height"] / 2
        assert (
            chart.locator(".modebar-btn:visible").count() == chart.locator(".modebar-btn:has(.bs-picture)").count() > 0
        )
    finally:
        touch.send("Emulation.setTouchEmulationEnabled", {"enabled": False})
        touch.detach()


def test_the_heads_of_the_matrix_of_all_pairs_stay_while_it_scrolls_and_paper_has_it_whole(visit, sample_server):
    visitor = visit(sample_server, width=390, height=240).open("/significance?panel=All+pairs")
    matrix = visitor.page.locator(".bs-scroll:has(> .bs-pairs)")
    places = """(box) => {
      const from = box.getBoundingClientRect();
      const at = (selector) => {
        const one = box.querySelector(selector).getBoundingClientRect();
        return [one.left - from.left, one.top - from.top].map(Math.round);
      };
      return { corner: at("thead th"), column: at("thead th:last-child"), row: at("tbody tr:last-child th"),
               pair: at("tbody tr:last-child td:last-child") };
    }"""
    before = matrix.evaluate(places)
    moved = matrix.evaluate("(box) => { box.scrollTo(70, 30); return [box.scrollLeft, box.scrollTop]; }")
    assert moved == [70, 30]
    after = matrix.evaluate(places)
    assert after["corner"] == before["corner"]
    assert after["column"] == [before["column"][0] - 70, before["column"][1]]
    assert after["row"] == [before["row"][0], before["row"][1] - 30]
    assert after["pair"] == [before["pair"][0] - 70, before["pair"][1] - 30]
    assert visitor.page.evaluate("document.documentElement.scrollWidth") <= 390
    visitor.page.emulate_media(media="print")
    assert matrix.evaluate("(box) => [getComputedStyle(box).overflow, getComputedStyle(box).maxHeight]") == [
        "visible",
        "none",
    ]


def contrast(*colours):
    """The ratio of two colours, as WCAG 2 defines it."""
    darker, lighter = sorted(
        sum(
            weight * (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4)
            for weight, part in zip((0.2126, 0.7152, 0.0722), (value / 255 for value in colour), strict=True)
        )
        for colour in colours
    )
    return (lighter + 0.05) / (darker + 0.05)
