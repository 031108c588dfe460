"""Takes the pictures of the documentation, from the program as it is: ``make pictures``.

Starts a server on the sample comparison, opens each page in Chromium at 1440 × 900, light, and writes small PNG files
into ``docs/pictures``. Names of pictures as arguments take those alone.
"""

import argparse
import importlib.util
import io
import random
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from bleucore import BleuOptions, TestSet
from bleucore.annotation.events import Event, Finished, Marked, Scored
from bleucore.annotation.marks import Mark
from bleucore.annotation.schemes import ESA, MQM
from bleucore.annotation.tasks import planned
from bleucore.significance import SignificanceOptions
from bleuscope.features.annotation.store import AnnotationStore
from bleuscope.shell.disk.files import load_sample
from bleuscope.workspace import WorkspacePlace, open_workspace
from bleuscope.workspace.people import LOCAL
from bleuscope.workspace.projects import NewVersion

ROOT = Path(__file__).parents[1]
FOLDER = Path(__file__).parent / "pictures"
WIDTH, HEIGHT = 1440, 900
COLOURS = 256
START_SECONDS = 60
CAMPAIGN_PORT, SHIFTED_PORT, RUNS_PORT, RATER_PORT = 8616, 8617, 8618, 8619
N_VERSIONS = 13
FLAGS = ("--disable-gpu", "--no-sandbox", "--no-first-run", "--disable-background-networking", "--hide-scrollbars")
PAIR = "a=online&b=neural-40k"
REPORTED = ("--pair", "online", "neural-40k", "--title", "Sample comparison")
PROGRAM = (sys.executable, "-m", "bleuscope")
IS_READY = "[data-testid=stApp][data-test-connection-state=CONNECTED][data-test-script-state=notRunning]"


@dataclass(frozen=True)
class Picture:
    """What is shown.

    Attributes:
        address: Of the page, with its view.
        scrolls_to: A text that is brought to the top of the window.
        is_report: Whether it is of the report that the command makes of the sample, opened from disk.
        is_campaign: Whether it is of a server whose campaign is the documents of the sample.
        is_shifted: Whether it is of a server on two systems of the sample, the second without its 58th line.
        is_of_runs: Whether it is of a server on three runs each of two recipes, mixed from systems of the sample.
        is_of_rater: Whether it is of what a rater sees, who has marked two errors.
    """

    address: str
    scrolls_to: str | None = None
    is_report: bool = False
    is_campaign: bool = False
    is_shifted: bool = False
    is_of_runs: bool = False
    is_of_rater: bool = False


PICTURES: Mapping[str, Picture] = {
    "test-set": Picture("/test-set"),
    "overview": Picture("/overview?baseline=online"),
    "overview-shifted": Picture("/overview?baseline=online", is_shifted=True),
    "scores": Picture("/scores"),
    "significance-two-systems": Picture(f"/significance?{PAIR}"),
    "compare": Picture(f"/compare?{PAIR}"),
    "segments": Picture(f"/segments?{PAIR}"),
    "segments-reading": Picture(f"/segments?{PAIR}&segment=30", scrolls_to="Next"),
    "annotate": Picture("/annotate", is_of_rater=True),
    "kinds": Picture(f"/kinds?{PAIR}"),
    "ngrams": Picture(f"/ngrams?{PAIR}"),
    "slices": Picture(f"/slices?{PAIR}"),
    "trust": Picture(f"/trust?{PAIR}"),
    "references": Picture("/references"),
    "sensitivity": Picture("/sensitivity"),
    "runs": Picture("/runs", is_of_runs=True),
    "validity": Picture(f"/validity?{PAIR}"),
    "annotation": Picture("/annotation-results", scrolls_to="Agreement"),
    "campaign": Picture("/campaign", is_campaign=True),
    "history": Picture("/history?project=de-en&on=sample&system=neural"),
    "report-file": Picture("", is_report=True),
}


def main() -> None:
    """Take the pictures asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", choices=[[], *PICTURES], metavar="NAME", help="a picture; all unless given")
    parser.add_argument("--port", type=int, default=8615, help="of the server that is started")
    asked = parser.parse_args()
    FOLDER.mkdir(exist_ok=True)
    with _server(asked.port) as address, _window() as page:
        for name in asked.names or PICTURES:
            size = _write(name, _taken(page, address, PICTURES[name]))
            sys.stdout.write(f"{name}.png  {size / 1000:.0f} kB\n")


def _taken(page: Page, address: str, picture: Picture) -> bytes:
    if picture.is_report:
        return _report(page)
    if picture.is_campaign:
        return _campaign(page, picture)
    if picture.is_shifted:
        return _shifted(page, picture)
    if picture.is_of_runs:
        return _runs(page, picture)
    if picture.is_of_rater:
        return _rater(page, picture)
    page.goto(address + picture.address)
    _settle(page)
    if picture.scrolls_to is not None:
        place = page.get_by_text(picture.scrolls_to, exact=False).first
        place.evaluate("element => element.scrollIntoView({block: 'start'})")
        page.get_by_test_id("stMain").evaluate("main => main.scrollBy(0, -80)")
        _settle(page)
    return page.screenshot()


def _rater(page: Page, picture: Picture) -> bytes:
    """Outputs of the sample, of which the first has two marks."""
    sample = load_sample().test_set
    with TemporaryDirectory() as folder:
        with open_workspace(WorkspacePlace(Path(folder))) as workspace:
            store = AnnotationStore(workspace)
            task = planned(sample, None, ["ann"], scheme=MQM, systems=["neural-20k"])
            link = store.link_for(store.create(task, workspace.people.person(LOCAL)), "ann")
        with _started("demo", "--workspace", folder, port=RATER_PORT) as address:
            page.goto(f"{address}{picture.address}?rater={link}")
            page.wait_for_selector(".bs-pen-text")
            _settle(page)
            for key in ("End", "Shift+ArrowLeft", "1", "f", "g", "Home", "Shift+ArrowRight", "2", "a", "m"):
                page.keyboard.press(key)
            _settle(page)
            return page.screenshot()


def _report(page: Page) -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "report.html"
        subprocess.run([*PROGRAM, "report", "--sample", *REPORTED, "-o", str(path)], cwd=ROOT, check=True)  # noqa: S603
        page.goto(path.as_uri())
        page.wait_for_timeout(2_000)
        return page.screenshot()


def _campaign(page: Page, picture: Picture) -> bytes:
    """The documents of the sample as test sets."""
    test_set = load_sample().test_set
    with TemporaryDirectory() as temporary:
        folder = str(Path(temporary) / "sample")
        for document in dict.fromkeys(test_set.documents or ()):
            chosen = [place for place, one in enumerate(test_set.documents or ()) if one == document]
            columns = {f"{system.name}.en": system.hypotheses for system in test_set.systems}
            columns |= {"ref.en": test_set.references[0], "src.de": test_set.source or ()}
            (Path(folder) / document).mkdir(parents=True)
            for name, texts in columns.items():
                lines = "".join(f"{texts[place]}\n" for place in chosen)
                (Path(folder) / document / name).write_text(lines, encoding="utf-8")
        with _started("open", "--campaign", folder, "--no-workspace", port=CAMPAIGN_PORT) as address:
            page.goto(address + picture.address)
            _settle(page)
            page.get_by_text("Systems by test sets").wait_for(timeout=60_000)
            _settle(page)
            return page.screenshot()


def _shifted(page: Page, picture: Picture) -> bytes:
    """Two systems of the sample, of which one lost a line and got an empty one at its end."""
    sample = ROOT / "sample_data"
    lines = (sample / "neural-40k.txt").read_text(encoding="utf-8").split("\n")
    with TemporaryDirectory() as folder:
        damaged = Path(folder) / "damaged.txt"
        damaged.write_text("\n".join([*lines[:57], *lines[58:], ""]), encoding="utf-8")
        references = [word for name in "AB" for word in ("-r", str(sample / f"reference-{name}.txt"))]
        beside = ("-s", str(sample / "source.txt"), "--documents", str(sample / "documents.txt"))
        opened = ("open", str(sample / "online.txt"), str(damaged), *references, *beside, "--no-workspace")
        with _started(*opened, port=SHIFTED_PORT) as address:
            page.goto(address + picture.address)
            _settle(page)
            return page.screenshot()


def _runs(page: Page, picture: Picture) -> bytes:
    """Three runs each of two recipes: in each segment the output of one of two checkpoints of the sample."""
    sample, test_set = ROOT / "sample_data", load_sample().test_set
    with TemporaryDirectory() as folder:
        files = []
        for recipe, step in (("base", 14_000.0), ("big", 17_000.0)):
            for seed in (1, 2, 3):
                path = Path(folder) / f"{recipe}-seed{seed}.txt"
                path.write_text("".join(f"{one}\n" for one in _mixed(test_set, step, seed)), encoding="utf-8")
                files.append(str(path))
        beside = ("-r", str(sample / "reference-A.txt"), "--documents", str(sample / "documents.txt"))
        with _started("open", *files, *beside, "--no-workspace", port=RUNS_PORT) as address:
            page.goto(address + picture.address)
            _settle(page)
            return page.screenshot()


def _settle(page: Page) -> None:
    """Wait until the page and its charts have been drawn."""
    page.wait_for_timeout(500)
    page.wait_for_selector(IS_READY, timeout=60_000)
    page.wait_for_selector("[data-testid=stSkeleton]", state="detached", timeout=60_000)  # the code of charts is loaded
    page.wait_for_timeout(1_200)


def _write(name: str, taken: bytes) -> int:
    """Write the picture with few colours, which a page of text and charts has anyway; its size in bytes."""
    image = Image.open(io.BytesIO(taken)).convert("RGB")
    few = image.quantize(COLOURS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    path = FOLDER / f"{name}.png"
    few.save(path, optimize=True)
    return path.stat().st_size


@contextmanager
def _window() -> Iterator[Page]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=_finder().find(), args=list(FLAGS))
        context = browser.new_context(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
        yield context.new_page()
        browser.close()


@contextmanager
def _server(port: int) -> Iterator[str]:
    """The dashboard on the sample comparison, with some of its systems as versions, until the pictures are taken."""
    with TemporaryDirectory() as folder:
        _push_versions(Path(folder))
        _annotate(Path(folder))
        with _started("demo", "--workspace", folder, port=port) as address:
            yield address


@contextmanager
def _started(*arguments: str, port: int) -> Iterator[str]:
    """The dashboard with arguments, as long as it is needed."""
    command = [*PROGRAM, *arguments, "--no-browser", "--no-token", "--port", str(port)]
    address = f"http://127.0.0.1:{port}"
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)  # noqa: S603  our own command
    try:
        _wait_until_it_answers(address)
        yield address
    finally:
        process.terminate()
        process.wait()


def _push_versions(folder: Path) -> None:
    """Keep the systems of the sample in a project; what lies between checkpoints is a mixture of their outputs."""
    sample = load_sample().test_set
    first = datetime(2026, 3, 1, 2, tzinfo=UTC)
    with open_workspace(WorkspacePlace(folder)) as workspace:
        me = workspace.people.person(LOCAL)
        project = workspace.projects.make("de-en", me, "German to English")
        kept = workspace.projects.put_test_set(project, "sample", sample, me)
        for name in ("online", "assistant", "fluent"):
            new = NewVersion(name, "1.0", sample.system(name).hypotheses, made_at=first)
            workspace.projects.push(project, kept, new, me)
        for night in range(N_VERSIONS):
            texts = _mixed(sample, 10_000 + 30_000 * night / (N_VERSIONS - 1), night)
            step = 10_000 + 30_000 * night // (N_VERSIONS - 1)
            new = NewVersion("neural", f"{step // 1000}k", texts, step, first + timedelta(days=night))
            workspace.projects.push(project, kept, new, me)
        of = workspace.results.scored_set(kept, BleuOptions())
        workspace.results.score(of, workspace.projects.versions(project, kept), SignificanceOptions())


def _annotate(folder: Path) -> None:
    """Have two annotators mark outputs of two systems: they agree on most."""
    sample = load_sample().test_set
    plan = planned(sample, None, ["ann", "bob"], scheme=ESA, systems=["online", "neural-40k"], overlap=1)
    drawn = random.Random(3)  # noqa: S311  a picture, no secret
    events = []
    for item in plan.items:
        words = [found.span() for found in re.finditer(r"\w+", item.text)] or [(0, len(item.text))]
        start, end = drawn.choice(words)
        quality = drawn.gauss(75, 12)
        for annotator in plan.annotators:
            is_marked = quality < 80 and drawn.random() < 0.85  # noqa: PLR2004  a picture
            mark = Mark(start, end, "major" if quality < 65 else "minor")  # noqa: PLR2004  a picture
            score = float(round(min(100.0, max(0.0, drawn.gauss(quality, 7)))))
            bodies = [*([Marked("m", mark)] if is_marked else []), Scored(score), Finished(30.0)]
            events += [Event(n, item.id, annotator, body, n - 1, "w") for n, body in enumerate(bodies, start=1)]
    with open_workspace(WorkspacePlace(folder)) as workspace:
        store = AnnotationStore(workspace)
        store.append_all(store.create(plan, workspace.people.person(LOCAL)), events)


def _mixed(sample: TestSet, step: float, seed: int) -> list[str]:
    """Outputs between those of two checkpoints, segment by segment one or the other."""
    steps = (10_000, 20_000, 40_000)
    after = next(place for place, one in enumerate(steps) if step <= one)
    before = max(0, after - 1)
    share = 1.0 if after == before else (step - steps[before]) / (steps[after] - steps[before])
    drawn = random.Random(seed)  # noqa: S311  a picture, no secret
    columns = [sample.system(f"neural-{steps[place] // 1000}k").hypotheses for place in (before, after)]
    return [new if drawn.random() < share else old for old, new in zip(*columns, strict=True)]


def _wait_until_it_answers(address: str) -> None:
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=1):  # noqa: S310  our own server
                return
        except (urllib.error.URLError, OSError):
            if time.monotonic() > deadline:
                raise
            time.sleep(0.2)


def _finder() -> ModuleType:
    """The module that finds a browser for the tests."""
    spec = importlib.util.spec_from_file_location("journey_browser", ROOT / "tests" / "journey" / "browser.py")
    if spec is None or spec.loader is None:
        raise ImportError("tests/journey/browser.py is missing")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    main()
