"""How far texts and tables move above the fold once a page has shown its answer.

A browser notes where every visible block of text stands, each 50 ms from the first verdict, or the first segment of a
list, until five seconds later. The largest way that one block goes is printed, in pixels, and the layout shift of the
whole page (CLS).

    python tests/benchmarks/layout_shift.py
    python tests/benchmarks/layout_shift.py SYSTEMS_AND_REFERENCES/ --phone
"""

import argparse
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

from in_browser import FLAGS, MOST_SECONDS, is_done, journey_browser, wait
from playwright.sync_api import Browser, Page, sync_playwright

Size = dict[str, int]
Found = dict[str, Any]
SCREEN, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}
ANSWERS: Mapping[str, str] = {
    "overview": ".st-key-answer .bs-verdict",
    "compare": ".bs-verdict, .bs-answer-line",
    "segments": ".st-key-reading .bs-row",
}
"""What a page is there for; from then on nothing moves."""
DOORS: Mapping[str, str] = {"overview": "Summary", "compare": "Compare", "segments": "Segments"}
MOST_PIXELS, MOST_SHIFT = 8, 0.05
WATCHED_SECONDS = 5
MOST_SHOWN = 6
ADDRESS = re.compile(r"https?://\S+")
WATCH = """(() => {
  if (!location.protocol.startsWith("http")) return;
  const EVERY = 50, LASTS = __LASTS__;
  const SKIPPED = "script, style, template, noscript, [data-testid=stStatusWidget], [role=progressbar]";
  const blocks = new WeakMap();
  let noted, told, timer, answerOf, titleOf;
  window.watchLayout = (selector, title) => {
    [noted, answerOf, titleOf] = [new Map(), selector, title];
    told = window.layoutShift = { shift: 0, isOver: false, moved: [], begun: null, sources: [] };
    clearInterval(timer);
    timer = setInterval(look, EVERY);
  };
  const nameOf = (node) => {
    const one = node?.nodeType === 1 ? node : node?.parentElement;
    const named = one?.closest("[class*=st-key-]");
    const key = [...named?.classList ?? []].find((name) => name.startsWith("st-key-")) ?? "";
    return `${key} ${one?.dataset?.testid ?? one?.className ?? ""} ${(one?.textContent ?? "").trim().slice(0, 30)}`;
  };
  new PerformanceObserver((list) => {
    for (const one of list.getEntries()) {
      if (one.hadRecentInput) continue;
      if (!told) continue;
      told.shift += one.value;
      if (one.value > 0.002) {
        told.sources.push([Math.round(one.startTime), one.value, ...one.sources.slice(0, 3).map((source) =>
          `${nameOf(source.node)} ${Math.round(source.previousRect.top)}→${Math.round(source.currentRect.top)}`)]);
      }
    }
  }).observe({ type: "layout-shift", buffered: true });
  const isBlock = (one) => one.matches("svg text") || !/^(inline|contents)/.test(getComputedStyle(one).display);
  const blockOf = (one) => {
    if (!blocks.has(one)) {
      let block = one;
      while (block !== document.body && !isBlock(block)) block = block.parentElement;
      blocks.set(one, block);
    }
    return blocks.get(one);
  };
  const isStale = () => document.querySelector("[data-stale=true]") !== null;
  const isThere = (one) => isShown(one) && !isStale() && document.querySelector("h1")?.textContent === titleOf;
  const isShown = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const look = () => {
    const answer = document.querySelector(answerOf), now = performance.now();
    if (told.begun === null && answer !== null && isThere(answer)) told.begun = now;
    if (told.begun === null) return;
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = new Set();
    while (texts.nextNode()) {
      const one = texts.currentNode.parentElement;
      if (!texts.currentNode.data.trim() || one.closest(SKIPPED)) continue;
      found.add(blockOf(one));
    }
    const times = new Map();
    for (const block of found) {
      const box = block.getBoundingClientRect(), text = block.textContent.trim().slice(0, 120);
      const around = block.closest("[class*=st-key-]")?.className ?? "", asked = `${around} ${text}`;
      const nth = (times.get(asked) ?? 0) + 1, name = `${asked} ${nth}`;
      times.set(asked, nth);
      if (box.width < 2 || box.height < 2 || !isShown(block)) continue;
      const first = noted.get(name);
      if (first === undefined) {
        const isSeen = box.top < innerHeight && box.bottom > 0, since = now - told.begun;
        if (isSeen) noted.set(name, { text, left: box.left, top: box.top, most: 0, since });
        continue;
      }
      const way = Math.max(Math.abs(box.left - first.left), Math.abs(box.top - first.top));
      if (way > first.most) Object.assign(first, { most: way, to: [box.left, box.top], after: now - told.begun });
    }
    if (now - told.begun > LASTS) {
      clearInterval(timer);
      told.moved = [...noted.values()].filter((one) => one.most > 0).sort((one, other) => other.most - one.most);
      told.came = [...noted.values()].filter((one) => one.since > 0).sort((one, other) => one.top - other.top);
      told.blocks = noted.size;
      told.isOver = true;
    }
  };
  const asked = new URL(location.href).hash.slice(1);
  if (asked) watchLayout(...JSON.parse(decodeURIComponent(asked)));
})()""".replace("__LASTS__", str(1_000 * WATCHED_SECONDS))


@contextmanager
def dashboard(arguments: Sequence[str] | None) -> Iterator[str]:
    """A server on files, or on the sample; its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        command = [sys.executable, "-m", "bleuscope", *(("open", *arguments) if arguments is not None else ("demo",))]
        environment = os.environ | {"BLEUSCOPE_WORKSPACE": str(Path(folder) / "workspace")}
        with log.open("w", encoding="utf-8") as file:
            process = subprocess.Popen(
                [*command, "--no-browser", "--no-workspace", "--no-token", "--port", str(port)],
                env=environment,
                stdout=file,
                stderr=subprocess.STDOUT,
            )
        try:
            while (found := ADDRESS.search(log.read_text(encoding="utf-8"))) is None:
                assert process.poll() is None, log.read_text(encoding="utf-8")
            yield found.group().rstrip("/")
        finally:
            process.terminate()
            process.wait(60)


def at_once(browser: Browser, address: str, name: str, size: Size) -> Found:
    """What moves on a page that is opened by its address."""
    page = new_page(browser, size)
    page.goto(f"{address}/{name}#{quote(json.dumps([ANSWERS[name], DOORS[name]]))}")
    return seen(page)


def by_door(page: Page, name: str) -> Found:
    """What moves on a page that one comes to from another."""
    wait(page, lambda: is_done(page))
    page.evaluate("(page) => watchLayout(...page)", [ANSWERS[name], DOORS[name]])
    page.locator(".st-key-pages").get_by_text(DOORS[name], exact=True).click()
    return seen(page)


def after_drop(page: Page, address: str, files: Sequence[Path]) -> Found:
    """What moves on the page that opens once files were dropped."""
    page.goto(f"{address}/test-set")
    page.wait_for_selector("input[type=file]", state="attached")
    wait(page, lambda: is_done(page))
    page.locator("[class*=st-key-upload-] input[type=file]").set_input_files(list(files))
    button = page.locator(".st-key-compare button")
    button.wait_for(timeout=1_000 * MOST_SECONDS)
    wait(page, lambda: is_done(page))
    page.evaluate("(page) => watchLayout(...page)", [ANSWERS["overview"], DOORS["overview"]])
    button.click()
    return seen(page)


def new_page(browser: Browser, size: Size) -> Page:
    """A page that nobody has seen, and whose blocks are watched once that is asked for."""
    context = browser.new_context(viewport=size)  # type: ignore[arg-type]
    context.add_init_script(WATCH)
    return context.new_page()


def seen(page: Page) -> Found:
    """What was noted until the end of the watch."""
    wait(page, lambda: bool(page.evaluate("window.layoutShift?.isOver ?? false")))
    found: Found = page.evaluate("window.layoutShift")
    return found


def report(name: str, found: Found, *, has_details: bool) -> bool:
    """Print a line about a page; whether it is calm."""
    far = [one for one in found["moved"] if one["most"] > MOST_PIXELS]
    most = found["moved"][0]["most"] if found["moved"] else 0
    print(f"{name:<24}{found['blocks']:>8}{most:>9.0f}{len(far):>7}{found['shift']:>9.3f}", flush=True)
    if has_details:
        for one in far[:MOST_SHOWN]:
            to = ", ".join(f"{value:.0f}" for value in one["to"])
            print(f"    {one['left']:.0f}, {one['top']:.0f} → {to} {one['after']:.0f} ms: {one['text'][:70]}")
        for one in found["came"][:MOST_SHOWN] if far else ():
            print(f"    came {one['left']:.0f}, {one['top']:.0f} after {one['since']:.0f} ms: {one['text'][:70]}")
        for source in found["sources"]:
            print("    shift", *source)
    return not far and found["shift"] < MOST_SHIFT


def main() -> None:
    """Measure, and print a line a page; ends with 1 where something moves too far."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("systems", nargs="*", help="folders, as `bleuscope open` takes them; else the sample")
    parser.add_argument("--phone", action="store_true", help="on 390 × 844 pixels")
    parser.add_argument("--details", action="store_true", help="list what moved")
    arguments = parser.parse_args()
    path = journey_browser().find() or sys.exit("There is no browser.")
    size, are_calm = PHONE if arguments.phone else SCREEN, []
    print(f"{'':<24}{'blocks':>8}{'most px':>9}{'moved':>7}{'CLS':>9}")
    tell = partial(report, has_details=arguments.details)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        with dashboard(arguments.systems or None) as address:
            are_calm += [tell(name, at_once(browser, address, name, size)) for name in ANSWERS]
            page = new_page(browser, size)
            page.goto(f"{address}/test-set")
            are_calm += [tell(f"{name}, by its door", by_door(page, name)) for name in DOORS]
        files = [file for name in arguments.systems for file in sorted(Path(name).iterdir())]
        if files:
            with dashboard(()) as address:
                are_calm.append(tell("overview, after a drop", after_drop(new_page(browser, size), address, files)))
        browser.close()
    sys.exit(not all(are_calm))


if __name__ == "__main__":
    main()
