"""How long a person waits in the browser, beside an empty page of Streamlit with one field in the same run.

Everything is measured as it is seen: from the press to the new text on screen (*seen*), and to the end of the run with
all elements drawn (*done*), in Chromium with servers of this program's own. Ratios are to a click on the empty page.

    python tests/benchmarks/in_browser.py
    python tests/benchmarks/in_browser.py --systems 20 --segments 50000 --repeats 3
"""

import argparse
import importlib.util
import os
import statistics
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType

from load import server, write_files
from playwright.sync_api import Browser, Locator, Page, sync_playwright

WIDTH, HEIGHT = 1440, 900
FLAGS = ("--disable-gpu", "--no-sandbox", "--no-first-run", "--disable-background-networking")
MOST_SECONDS = 900
STEP = 5  # milliseconds between two looks
STARTS = 3
CHARTS_SECONDS = 4
"""How long charts in sight take at most once the rest of a page is drawn."""
EMPTY_SELECTOR, VERDICT = "[data-testid=stNumberInputStepUp]", ".st-key-answer .bs-verdict"
IS_DONE = """() => document.querySelector(
  "[data-testid=stApp][data-test-connection-state=CONNECTED][data-test-script-state=notRunning]"
) !== null && document.querySelector("[data-testid=stSkeleton]") === null"""
EMPTY_CLICK = "click on the empty page"
TARGETS: Mapping[str, float] = {"next segment": 3, "swap": 3, "change of page": 5}


@dataclass(frozen=True)
class Action:
    """Something a person does.

    Attributes:
        name: What it is called.
        page: Where it is done.
        does: The deed.
        shows: What changes on screen, as JavaScript that gives a text.
        draws: What changes once the server has answered, where something is shown before.
    """

    name: str
    page: str
    does: Callable[[Page], None]
    shows: str
    draws: str | None = None


def text_of(selector: str) -> str:
    """JavaScript for the text of an element."""
    return f'() => document.querySelector("{selector}")?.textContent ?? ""'


def other_page(page: Page) -> None:
    """Go to and fro between two pages."""
    wanted = "Compare" if page.locator("h1").inner_text() == "Segments" else "Segments"
    page.locator(".st-key-pages").get_by_text(wanted, exact=True).click()


def another_word(page: Page) -> None:
    """Look for another text than before."""
    field: Locator = page.locator(".st-key-find input")
    field.fill("1" if field.input_value() == "2" else "2")
    field.press("Enter")


ACTIONS = (
    Action(
        "next segment",
        "segments",
        lambda page: page.keyboard.press("j"),
        text_of(".bs-opened .bs-head b"),
        '() => document.querySelector(".bs-place").dataset.place',
    ),
    Action(
        "swap", "segments", lambda page: page.locator(".st-key-swap button").first.click(), text_of(".st-key-reading")
    ),
    Action("search", "segments", another_word, text_of(".st-key-found")),
    Action("change of page", "segments", other_page, text_of("h1")),
    Action(
        "change of option", "overview", lambda page: page.locator(".st-key-lc label").first.click(), text_of(".stMain")
    ),
)
EMPTY = Action(EMPTY_CLICK, "", lambda page: page.locator(EMPTY_SELECTOR).click(), text_of(".stMain"))


def wait(page: Page, is_so: Callable[[], bool]) -> float:
    """Seconds until something is so; a page forbids Playwright's own way, which needs ``eval``."""
    start = time.perf_counter()
    while not is_so():
        assert time.perf_counter() - start < MOST_SECONDS, "this takes too long"
        page.wait_for_timeout(STEP)
    return time.perf_counter() - start


def is_done(page: Page) -> bool:
    """Whether all is drawn."""
    return bool(page.evaluate(IS_DONE))


def measured(page: Page, action: Action, repeats: int) -> tuple[float, float]:
    """Median seconds until an action is seen and until its run is done; the first time is not counted."""
    draws = action.draws or action.shows
    seen, done = [], []
    for _ in range(repeats + 1):
        wait(page, lambda: is_done(page))
        page.wait_for_timeout(400)
        shown, drawn = (page.evaluate(look) for look in (action.shows, draws))
        start = time.perf_counter()
        action.does(page)
        wait(page, lambda shown=shown: page.evaluate(action.shows) != shown)  # type: ignore[misc]
        seen.append(time.perf_counter() - start)
        page.wait_for_timeout(STEP)
        wait(page, lambda drawn=drawn: page.evaluate(draws) != drawn)  # type: ignore[misc]
        wait(page, lambda: is_done(page))
        done.append(time.perf_counter() - start)
    return statistics.median(seen[1:]), statistics.median(done[1:])


def first_paint(browser: Browser, address: str, selector: str) -> float:
    """Seconds from an empty cache to the first thing that says something."""
    context = browser.new_context(viewport={"width": WIDTH, "height": HEIGHT})
    page = context.new_page()
    start = time.perf_counter()
    page.goto(address)
    page.wait_for_selector(selector, timeout=1_000 * MOST_SECONDS)
    seconds = time.perf_counter() - start
    context.close()
    return seconds


def first_visit(browser: Browser, address: str) -> tuple[float, float, float]:
    """Seconds until all is drawn but charts, what the browser's main thread worked until then, and with charts."""
    context = browser.new_context(viewport={"width": WIDTH, "height": HEIGHT})
    page = context.new_page()
    tools = context.new_cdp_session(page)
    tools.send("Performance.enable", {"timeDomain": "threadTicks"})

    def worked() -> float:
        metrics = tools.send("Performance.getMetrics")["metrics"]
        return float(next(one["value"] for one in metrics if one["name"] == "TaskDuration"))

    start = time.perf_counter()
    page.goto(address)
    page.wait_for_selector("h1", timeout=1_000 * MOST_SECONDS)
    while not is_done(page):
        page.wait_for_timeout(10 * STEP)  # a look is work of the main thread, too
    seconds, until_then = time.perf_counter() - start, worked()
    page.wait_for_timeout(1_000 * CHARTS_SECONDS)
    found = seconds, until_then, worked()
    context.close()
    return found


def from_start(browser: Browser, kind: str, folder: Path, path: str, selector: str) -> float:
    """Seconds from the start of the program to the first thing that says something."""
    start = time.perf_counter()
    with server(kind, folder) as (address, _):
        first_paint(browser, f"http://{address}{path}", selector)
        return time.perf_counter() - start


def drop(browser: Browser, address: str, folder: Path) -> float:
    """Seconds from the press on Compare to the verdict."""
    context = browser.new_context(viewport={"width": WIDTH, "height": HEIGHT})
    page = context.new_page()
    page.goto(f"{address}/test-set")
    page.wait_for_selector("input[type=file]", state="attached", timeout=1_000 * MOST_SECONDS)
    wait(page, lambda: is_done(page))
    page.locator("[class*=st-key-upload-] input[type=file]").set_input_files(sorted(folder.glob("*.txt")))
    button = page.locator(".st-key-compare button")
    button.wait_for(timeout=1_000 * MOST_SECONDS)
    wait(page, lambda: is_done(page))
    start = time.perf_counter()
    button.click()
    page.wait_for_selector(VERDICT, timeout=1_000 * MOST_SECONDS)
    seconds = time.perf_counter() - start
    context.close()
    return seconds


def journey_browser() -> ModuleType:
    """The program that finds a browser."""
    path = Path(__file__).parents[1] / "journey" / "browser.py"
    spec = importlib.util.spec_from_file_location("journey_browser", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def report(name: str, seen: float, done: float | None, base: tuple[float, float]) -> None:
    """One line of the table."""
    of_done = "" if done is None else f"{1_000 * done:>9.0f}{done / base[1]:>8.1f}"
    target = f"   goal {TARGETS[name]:g}" if name in TARGETS else ""
    print(f"{name:<26}{1_000 * seen:>9.0f}{seen / base[0]:>8.1f}{of_done}{target}", flush=True)


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--systems", type=int, default=13)
    parser.add_argument("--segments", type=int, default=2_037)
    parser.add_argument("--repeats", type=int, default=9)
    names = [action.name for action in ACTIONS]
    parser.add_argument("--actions", nargs="*", choices=names, default=names, metavar="NAME", help="all unless given")
    arguments = parser.parse_args()
    path = journey_browser().find() or sys.exit("There is no browser.")
    print(f"{arguments.systems} systems × {arguments.segments:,} segments, {os.cpu_count()} cores\n")
    print(f"{'':<26}{'seen ms':>9}{'times':>8}{'done ms':>9}{'times':>8}")
    with TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        write_files(folder, n_systems=arguments.systems, n_segments=arguments.segments)
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        starts = [
            statistics.median(from_start(browser, *what) for _ in range(STARTS))
            for what in (("empty", folder, "/", EMPTY_SELECTOR), ("dashboard", folder, "/overview", VERDICT))
        ]
        print(f"{'start, empty page':<26}{1_000 * starts[0]:>9.0f}")
        print(f"{'start, to the verdict':<26}{1_000 * starts[1]:>9.0f}{starts[1] / starts[0]:>8.1f}   goal 1.5")
        with server("empty", folder) as (address, _):
            first = first_paint(browser, f"http://{address}", EMPTY_SELECTOR)
            page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
            page.goto(f"http://{address}")
            base = measured(page, EMPTY, arguments.repeats)
            page.close()
        report(EMPTY_CLICK, *base, base)
        print(f"{'first paint, empty page':<26}{1_000 * first:>9.0f}")
        with server("dashboard", folder) as (address, _):
            scores = first_paint(browser, f"http://{address}/overview", VERDICT)
            again = first_paint(browser, f"http://{address}/overview", VERDICT)
            print(
                f"{'first paint, from start':<26}{1_000 * scores:>9.0f}   {scores / first:.1f} times the empty page's"
            )
            print(f"{'first paint, again':<26}{1_000 * again:>9.0f}   {again / first:.1f} times the empty page's")
            seen, text, charts = (1_000 * one for one in first_visit(browser, f"http://{address}/compare"))
            print(f"{'first visit of Compare':<26}{seen:>9.0f}   main thread {text:.0f} ms, with charts {charts:.0f}")
            page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
            for action in (one for one in ACTIONS if one.name in arguments.actions):
                page.goto(f"http://{address}/{action.page}")
                wait(page, lambda: is_done(page))
                if action.page == "overview":
                    page.get_by_text("Scoring options", exact=True).click()
                report(action.name, *measured(page, action, arguments.repeats), base)
            page.close()
            shown = drop(browser, f"http://{address}", folder)
            print(f"{'verdict after Compare':<26}{1_000 * shown:>9.0f}   goal 1 500 with 13 × 2 037")
        browser.close()


if __name__ == "__main__":
    main()
