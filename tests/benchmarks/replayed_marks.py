"""Published annotations made once more, in a browser by keys and mouse, and what they come to next to those published.

The marks and scores of a file with judgements are replayed with the pen: a task with its outputs, a server, Chromium.
Then the store is asked for spans, severities, categories and scores. Every action is timed from the key or button to
the frame that shows it, next to a click on an empty place of the same page.

    python tests/benchmarks/replayed_marks.py MTME-FOLDER JUDGEMENTS --pair en-de --items 60 --by keys
    python tests/benchmarks/replayed_marks.py MTME-FOLDER JUDGEMENTS --pair en-de --items 60 --by mouse
"""

import argparse
import os
import random
import statistics
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.error import URLError
from urllib.request import Request, urlopen

from playwright.sync_api import Page, sync_playwright

from bleucore import System, TestSet
from bleucore.annotation.events import ItemState
from bleucore.annotation.marks import Mark, is_boundary
from bleucore.annotation.schemes import ESA, MQM, Category, Scheme
from bleucore.annotation.tasks import Item, Task
from bleucore.judgements.reading import read_judgements
from bleucore.judgements.records import UNPLACED, Judgements
from bleuscope.features.annotation.pen_letters import scheme_for_browser
from bleuscope.features.annotation.store import AnnotationStore
from bleuscope.workspace import WorkspacePlace, open_workspace
from bleuscope.workspace.people import LOCAL

FLAGS = ("--disable-gpu", "--no-sandbox", "--no-first-run", "--disable-background-networking")
TOKEN, RATER, PORT = "a-token-for-replayed-marks", "rater", 8_937
START_SECONDS = 60
WIDTH, HEIGHT, HEAD, FOOT = 1440, 900, 90, 20  # pixels
TIMER = """() => {
  window.times = [];
  const take = (event) => {
    const began = event.timeStamp;
    requestAnimationFrame(() => setTimeout(() => window.times.push(performance.now() - began)));
  };
  for (const name of ["keydown", "pointerup"]) addEventListener(name, take, true);
}"""
STEPS = """async ([side, start, end]) => {
  const { graphemeBeside, readText, toUnits, tokenBeside } =
    await import("/_stcore/bidi-components/bleuscope.annotation/text.js");
  const shown = document.querySelector(`.bs-pen-side.is-${side} .bs-pen-text`);
  const read = readText(shown.textContent, shown.lang);
  const wanted = toUnits(read, { start, end }), keys = [], at = { ...read.tokens[0] };
  const go = (key, to) => { keys.push(key); Object.assign(at, to); };
  keys.push("Home");
  for (;;) {
    const next = tokenBeside(read, at, true);
    if (next.start > wanted.start || next.start === read.length) break;
    go("ArrowRight", next);
  }
  const endsOf = [at.end];
  if (at.start === wanted.start) {
    for (let last = { ...at }; last.end < wanted.end;) {
      last = tokenBeside(read, last, true);
      endsOf.push(last.end);
    }
    const isWhole = endsOf.at(-1) === wanted.end;
    if (isWhole && endsOf.length > 1) return [...keys, ...endsOf.slice(1).map(() => "Shift+ArrowRight")];
    if (isWhole) return [...keys, "Shift+ArrowRight", "Shift+ArrowLeft"];
  }
  if (at.start > wanted.start) return null;
  if (graphemeBeside(read, at.start, true) < at.end) keys.push("Alt+ArrowRight");
  let letter = at.start;
  for (; letter < wanted.start; letter = graphemeBeside(read, letter, true)) keys.push("Alt+ArrowRight");
  for (;;) {
    letter = graphemeBeside(read, letter, true);
    if (letter >= wanted.end) return keys;
    keys.push("Alt+Shift+ArrowRight");
  }
}"""
PLACES = """([side, start, end]) => {
  const text = document.querySelector(`.bs-pen-side.is-${side} .bs-pen-text`), letters = [...text.textContent];
  const unit = (point) => letters.slice(0, point).join("").length;
  const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT), nodes = [];
  while (walker.nextNode()) nodes.push(walker.currentNode);
  const box = (from, to) => {
    const range = document.createRange();
    let before = 0;
    for (const node of nodes) {
      if (from >= before && from < before + node.length) range.setStart(node, from - before);
      if (to > before && to <= before + node.length) range.setEnd(node, to - before);
      before += node.length;
    }
    const found = [...range.getClientRects()];
    return found;
  };
  const first = box(unit(start), unit(start + 1))[0], last = box(unit(end - 1), unit(end)).at(-1);
  if (!first || !last) return null;
  return [first.left + 0.2, first.top + first.height / 2, last.right - 0.2, last.top + last.height / 2];
}"""


def test_set_of(folder: Path, pair: str) -> TestSet:
    """The texts of a folder of mt-metrics-eval."""
    lines = {
        path.stem: path.read_text(encoding="utf-8").split("\n")[:-1]
        for path in sorted((folder / "system-outputs" / pair).glob("*.txt"))
    }
    reference = folder / "references" / f"{pair}.refA.txt"
    documents = [line.split("\t")[1] for line in (folder / "documents" / f"{pair}.docs").read_text().splitlines()]
    return TestSet(
        [System(name, texts) for name, texts in lines.items()],
        [reference.read_text(encoding="utf-8").split("\n")[:-1]],
        source=(folder / "sources" / f"{pair}.txt").read_text(encoding="utf-8").split("\n")[:-1],
        documents=documents,
        languages=tuple(pair.split("-")),
    )


def marks_of(judgements: Judgements, index: int, item: Item, names: Mapping[str, str]) -> list[Mark] | None:
    """What was published of an output, as the pen makes it; ``None`` where a span is none of its text."""
    found = []
    for span in judgements.spans.of(index):
        text = item.source if span.side == "source" else item.text
        is_missing = span.start == UNPLACED
        start, end = (len(text), len(text)) if is_missing else (span.start, span.end)
        fits = is_missing or (start < end and is_boundary(text, start) and is_boundary(text, end))
        if not fits or span.severity not in ("minor", "major", "critical"):
            return None
        category = names.get(span.category, "")
        found.append(Mark(start, end, span.severity, category, "missing" if is_missing else span.side))
    return found


def scheme_of(judgements: Judgements) -> Scheme:
    """MQM with all kinds that were published, or ESA where there are none."""
    kinds = Counter(kind for kind in judgements.spans.categories if kind)
    if judgements.protocol == "ESA" or not kinds:
        return ESA
    parts: dict[str, list[str]] = defaultdict(list)
    for kind in sorted(kinds):
        name, _, part = kind.partition("/")
        parts[name] += [part] if part else []
    keys = {category.name: category.key for category in MQM.categories}
    weights = {
        f"{span.severity}/{span.category}": span.weight
        for span in map(judgements.spans.__getitem__, range(len(judgements.spans)))
        if span.weight is not None and MQM.weights.penalty(span.severity, span.category) != span.weight
    }
    exceptions = (*MQM.exceptions, *weights.items())
    return replace(
        MQM,
        exceptions=exceptions,
        categories=tuple(Category(keys[name], name, tuple(parts[name])) for name in sorted(parts)),
    )


class Writer:
    """Makes marks in the browser."""

    def __init__(self, page: Page, scheme: Scheme, *, by_keys: bool) -> None:
        self.page, self.scheme, self.by_keys = page, scheme, by_keys
        self.times: dict[str, list[float]] = defaultdict(list)
        said = scheme_for_browser(scheme)["categories"]
        assert isinstance(said, list)
        self.letters = {one["name"]: (one["key"], {part["name"]: part["key"] for part in one["parts"]}) for one in said}

    def timed(self, name: str, does: str | tuple[float, float]) -> None:
        """Do something, and note how long it took until it was on the screen."""
        self.page.evaluate("window.times.length = 0")
        if isinstance(does, str):
            self.page.keyboard.press(does)
        else:
            self.page.mouse.click(*does)
        found = self.page.evaluate(
            "() => new Promise((tell) => {"
            " const look = () => times.length ? tell(times[0]) : setTimeout(look, 2); look(); })"
        )
        self.times[name].append(found)

    def mark(self, mark: Mark) -> None:
        """Make one mark."""
        side = "source" if mark.side == "source" else "target"
        field = self.page.locator(f".bs-pen-side.is-{side} .bs-pen-text")
        if mark.side == "missing":
            field.focus()
            self.timed("missing", "Shift+M")
        elif self.by_keys:
            field.focus()
            keys = self.page.evaluate(STEPS, [side, mark.start, mark.end])
            assert keys is not None, mark
            for key in keys[:-1]:
                self.page.keyboard.press(key)
            self.timed("select by keys", keys[-1])
        else:
            field.scroll_into_view_if_needed()
            _, top, _, bottom = self.page.evaluate(PLACES, [side, mark.start, mark.end])
            if top < HEAD or bottom > HEIGHT - FOOT:
                self.page.get_by_test_id("stMain").evaluate("(main, by) => main.scrollBy(0, by)", top - 2 * HEAD)
            left, top, right, bottom = self.page.evaluate(PLACES, [side, mark.start, mark.end])
            self.page.mouse.move(left, top)
            self.page.mouse.down()
            self.page.mouse.move((left + right) / 2, (top + bottom) / 2 + 1)
            self.page.mouse.move(right, bottom)
            self.page.mouse.up()
        number = self.scheme.severity_names.index(mark.severity) + 1
        if self.by_keys:
            self.timed("severity", str(number))
        else:
            box = self.page.locator(".bs-pen-severity").nth(number - 1).bounding_box()
            assert box is not None
            self.timed("severity", (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2))
        name, _, part = mark.category.partition("/")
        if name:
            self.timed("category", self.letters[name][0])
        if part:
            self.timed("subcategory", self.letters[name][1][part])

    def annotate(self, marks: Sequence[Mark], score: float | None) -> None:
        """Do one item, and go on."""
        box = self.page.locator("#bs-pen-source").bounding_box()
        assert box is not None
        self.timed("empty click", (box["x"] + box["width"] - 3, box["y"] + 3))
        for mark in marks:
            self.mark(mark)
        if self.scheme.has_slider and score is not None:
            self.page.locator(".bs-pen-side.is-target .bs-pen-text").focus()
            self.page.keyboard.press("Enter")
            for digit in f"{score:g}":
                self.timed("score", digit)
        else:
            self.page.locator(".bs-pen-side.is-target .bs-pen-text").focus()
        self.timed("finish and next", "Enter")
        if self.page.locator(".bs-pen-said.is-warning").count():  # a mark without a kind is asked for once
            self.page.keyboard.press("Enter")


def chosen(
    judgements: Judgements, test_set: TestSet, names: Mapping[str, str], n: int, seed: int
) -> Iterator[tuple[Item, list[Mark], float | None]]:
    """Judged outputs with the marks and the score that were published of them, three in four with marks.

    The score of an item without a value is the sum of the published penalties.
    """
    assert test_set.source is not None
    outputs = {system.name: system.hypotheses for system in test_set.systems}
    places = [index for index, row in enumerate(judgements.rows) if row.system in outputs]
    random.Random(seed).shuffle(places)
    n_found = n_empty = 0
    for index in places:
        row = judgements.rows[index]
        assert row.number is not None
        item = Item(
            f"i{index}", row.number, row.system, "", outputs[row.system][row.number], test_set.source[row.number]
        )
        marks = marks_of(judgements, index, item, names)
        if marks is None or (not marks and n_empty * 4 > n):
            continue
        n_empty += not marks
        penalties = sum(span.weight or 0.0 for span in judgements.spans.of(index))
        yield item, marks, penalties if row.value is None else row.value
        n_found += 1
        if n_found == n:
            return


def compared(state: ItemState, marks: Sequence[Mark], score: float | None, scheme: Scheme) -> dict[str, int]:
    """What is as published: 1 for each, 0 for what is not."""
    got, wanted = (Counter(found) for found in (state.marks.values(), marks))
    spans = [Counter((one.side, one.start, one.end) for one in found.elements()) for found in (got, wanted)]
    severities = [Counter((one.start, one.severity) for one in found.elements()) for found in (got, wanted)]
    of_scheme = scheme.weights
    penalties = [of_scheme.penalty(one.severity, one.category) or 0.0 for one in got.elements()]
    return {
        "spans": int(spans[0] == spans[1]),
        "severities": int(severities[0] == severities[1]),
        "everything": int(got == wanted),
        "score": int(state.score == score if scheme.has_slider else abs(sum(penalties) - (score or 0.0)) < 1e-9),
        "finished": int(state.is_finished),
    }


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a server with a workspace."""
    environment = os.environ | {"BLEUSCOPE_TOKEN": TOKEN, "BLEUSCOPE_WORKSPACE": str(folder)}
    command = [sys.executable, "-m", "bleuscope", "open", "--no-browser", "--port", str(PORT)]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    address, end = f"http://127.0.0.1:{PORT}", time.monotonic() + START_SECONDS
    try:
        while True:
            assert time.monotonic() < end, "the server does not start"
            try:
                urlopen(
                    Request(f"{address}/_stcore/health", headers={"Authorization": f"Bearer {TOKEN}"}), timeout=1
                ).close()
                break
            except (URLError, OSError):
                time.sleep(0.2)
        yield address
    finally:
        process.terminate()
        process.wait(START_SECONDS)


def main() -> None:
    """Replay, compare, say."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("judgements", type=Path)
    parser.add_argument("--pair", default="en-de")
    parser.add_argument("--items", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=3_600, help="after which no new item is begun")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--by", choices=("keys", "mouse"), default="keys")
    parser.add_argument("--browser", default="/usr/bin/chromium")
    asked = parser.parse_args()
    test_set = test_set_of(asked.folder, asked.pair)
    judgements = read_judgements(asked.judgements.name, asked.judgements.read_bytes(), test_set)[0]
    scheme = scheme_of(judgements)
    names = {f"{one.name}/{part}": f"{one.name}/{part}" for one in scheme.categories for part in one.subcategories}
    names |= {one.name: one.name for one in scheme.categories}
    found = list(chosen(judgements, test_set, names, asked.items, asked.seed))
    with TemporaryDirectory() as name:
        place = WorkspacePlace(Path(name) / "workspace")
        workspace = open_workspace(place)
        store = AnnotationStore(workspace)
        items = tuple(item for item, _, _ in found)
        task = Task(
            "Replayed", scheme, items, (RATER,), {RATER: tuple(item.id for item in items)}, languages=test_set.languages
        )
        task_id = store.create(task, workspace.people.person(LOCAL))
        link = store.link_for(task_id, RATER)
        began = time.monotonic()
        with served(Path(name) / "workspace") as address, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=asked.browser, args=FLAGS)
            page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
            page.goto(f"{address}/?token={TOKEN}")
            page.goto(f"{address}/annotate?rater={link}")
            page.wait_for_selector(".bs-pen-text", timeout=60_000)
            page.evaluate(TIMER)
            writer = Writer(page, scheme, by_keys=asked.by == "keys")
            n_done = 0
            for _, marks, score in found:
                writer.annotate(marks, score)
                n_done += 1
                if time.monotonic() - began > asked.seconds:
                    break
            page.locator(".bs-pen-saved", has_text="Saved").wait_for(timeout=60_000)
            browser.close()
        states, found = store.states(task_id), found[:n_done]
        workspace.close()
    print(f"{judgements.name}, {scheme.name}, by {asked.by}, {time.monotonic() - began:.0f} s")
    told(found, states, scheme, writer.times)


def told(
    found: Sequence[tuple[Item, list[Mark], float | None]],
    states: Mapping[tuple[str, str], ItemState],
    scheme: Scheme,
    all_times: Mapping[str, Sequence[float]],
) -> None:
    """Say how many items are as published, and how long actions took."""
    said = [compared(states.get((item.id, RATER), ItemState()), marks, score, scheme) for item, marks, score in found]
    print(f"  {len(found)} items, {sum(len(marks) for _, marks, _ in found)} marks")
    for (item, marks, _), one in zip(found, said, strict=True):
        if not one["everything"]:
            state = states.get((item.id, RATER), ItemState())
            print(f"  {item.id}: published {sorted(map(repr, marks))}, made {sorted(map(repr, state.marks.values()))}")
    for title in said[0]:
        print(f"  {title} as published: {sum(one[title] for one in said)} of {len(said)} items")
    empty = statistics.median(all_times["empty click"])
    for title, times in all_times.items():
        ordered = sorted(times)
        median, high = statistics.median(times), ordered[int(0.95 * (len(ordered) - 1))]
        ratio = f"{median / empty:.2f} of an empty click, {len(times)} times"
        print(f"  {title}: median {median:.1f} ms, 95 % {high:.1f}, most {ordered[-1]:.1f} ({ratio})")


if __name__ == "__main__":
    main()
