"""A real server and a real browser for the journeys."""

import contextlib
import importlib.util
import json
import os
import re
import signal
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from filelock import FileLock
from playwright.sync_api import Error, Page, sync_playwright

from bleuscope.shell.server.auth_middleware import cookie_value
from bleuscope.shell.state.page_list import PAGES, doors_of
from tests.dashboard.feature_parts import own_names
from tests.warm_python import warm_python

OF_FEATURES = (
    "annotation.test_journey_pen.py",
    "annotation.test_journey_annotate.py",
    "campaign.test_journey_campaign.py",
    "projects.test_journey_history.py",
)
"""Journeys through pages of one feature."""
collect_ignore = sorted({name.partition(".")[2] for name in OF_FEATURES} - {*own_names(*OF_FEATURES)})
ROOT = Path(__file__).parents[2]
START_SECONDS = 180
MOST_WAIT = 60_000
"""Milliseconds for whatever a page is to show, on a machine that has other work too."""
TOKEN = "the-token-of-the-journeys"
FLAGS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--js-flags=--no-opt --no-maglev",  # a page is there before what is compiled for speed pays
)
MOST_SHIFT, MOST_TRIES = 0.1, 3
"""What web.dev calls good, of all shifts of a page together."""
SHIFTS = """() => new Promise((tell) => {
  const seen = [];
  new PerformanceObserver((list) => seen.push(...list.getEntries())).observe({ type: "layout-shift", buffered: true });
  setTimeout(() => tell(seen.filter((one) => !one.hadRecentInput).reduce((sum, one) => sum + one.value, 0)), 100);
})"""
RUNS = (Path(__file__).parent / "runs.js").read_text(encoding="utf-8")
TO_SCORES = "All about the scores"
FORGET = "if (location.protocol === 'http:') { localStorage.clear(); sessionStorage.clear(); }"


def _finder():
    spec = importlib.util.spec_from_file_location("journey_browser", Path(__file__).parent / "browser.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@dataclass
class Visitor:
    """A person at the browser: goes, clicks, reads; and notes what a page must not do."""

    page: Page
    address: str
    foreign_requests: list[str] = field(default_factory=list)
    dialogs: list[str] = field(default_factory=list)
    page_errors: list[str] = field(default_factory=list)
    _watched: dict = field(default_factory=dict, init=False, repr=False)
    _has_entered: bool = field(default=False, init=False, repr=False)

    def watch(self):
        """Note foreign requests, dialogs and script errors from the first page on; what was in the tab may go on."""
        self._watched = {
            "request": self._note,
            "dialog": self._answer,
            "framenavigated": lambda _: setattr(self, "_has_entered", True),
            "pageerror": lambda e: self.page_errors.append(str(e)),
        }
        for event, note in self._watched.items():
            self.page.on(event, note)
        return self

    def _note(self, request):
        """Note a request that goes elsewhere, but not that a page of before still looks for its server."""
        own = (self.address, self.address.replace("http", "ws", 1), "data:", "blob:")
        if self._has_entered and not request.url.startswith(own):
            self.foreign_requests.append(request.url)

    def _answer(self, dialog):
        """Note it and stay, but let the page of whoever was here before go."""
        if self._has_entered:
            self.dialogs.append(dialog.message)
            dialog.dismiss()
        else:
            dialog.accept()

    def leave(self):
        """Leave the tab to the next person: nothing is kept in it or noted of it any more."""
        while self._watched:
            self.page.remove_listener(*self._watched.popitem())
        self.page.evaluate(FORGET)

    def open(self, path="/"):
        """Go to an address of the dashboard."""
        self.page.goto(self.address + path)
        self.settle()
        return self

    def settle(self):
        """Wait until the page has been drawn (as Streamlit's own browser tests do)."""
        self.page.wait_for_timeout(210)
        self.page.wait_for_selector("[data-testid=stApp][data-test-connection-state=CONNECTED]", timeout=MOST_WAIT)
        end = time.monotonic() + MOST_WAIT / 1000
        while self.page.evaluate("window.awaitsRun?.()") and time.monotonic() < end:
            self.page.wait_for_timeout(50)
        self.page.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]", timeout=MOST_WAIT)
        self.page.wait_for_selector("[data-testid=stSkeleton]", state="detached")  # the code of widgets is loaded
        self.page.wait_for_timeout(150)

    def jumps_of(self, path):
        """Go to an address: all layout shifts of the page, together; 0 where they are small enough to be good.

        A page that jumps is opened again: on a busy machine parts of it come one by one that come at once elsewhere.
        """
        for _ in range(MOST_TRIES):
            shift = self.open(path).page.evaluate(SHIFTS)
            if shift < MOST_SHIFT:
                return 0
        return shift

    def wait_until(self, expression):
        """Wait until an expression in JavaScript holds; Playwright's way needs eval, which the page forbids."""
        self._wait_for(lambda: self.page.evaluate(expression), expression)

    def wait_for_dialog(self):
        """Wait until the browser has asked something."""
        self._wait_for(lambda: self.dialogs, "a dialog was opened")

    def _wait_for(self, holds, what):
        end = time.monotonic() + MOST_WAIT / 1000
        while not holds():
            assert time.monotonic() < end, f"this does not come to hold: {what}"
            self.page.wait_for_timeout(50)

    def upload(self, *paths):
        """Put files into the drop zone, all at once."""
        self.page.locator("[class*=st-key-upload-] input[type=file]").set_input_files([str(path) for path in paths])
        self.page.get_by_text("What is what?").or_(self.page.get_by_test_id("stAlert")).first.wait_for()
        self.settle()

    def press(self, name):
        """Press a button."""
        self.page.get_by_role("button", name=re.compile(f"^{name}")).last.click()
        self.settle()

    def show_panel(self, name):
        """Choose a panel of the page."""
        self.page.locator(".st-key-panel").get_by_text(name, exact=True).click()
        self.settle()

    def turn_to(self, title):
        """Choose a page in the navigation: by its door, and then among the pages behind it."""
        page = next(page for page in PAGES.values() if page.title == title)
        door = PAGES[page.door_name]
        if page.subject:
            self.switch_to(page.subject)
        title_of_door = next((title for title, one in doors_of(page.subject).items() if one == door), door.title)
        self.follow(".st-key-row", title_of_door)
        if page.name == "scores":
            self.press(TO_SCORES)
        elif page is not door:
            self.follow(".st-key-sections", page.section_title)
        self.page.get_by_role("heading", name=title, exact=True).wait_for()

    def switch_to(self, subject):
        """Go to a page of a feature by the switch of workspaces."""
        self.page.locator(".st-key-switch button").first.click()
        words = {"projects": "All projects", "campaign": "Open a campaign"}[subject]
        self.page.get_by_role("button", name=words, exact=True).click()
        self.settle()

    def follow(self, row, title):
        """Follow a link of a row of pages; the number of findings may stand at the door of the data."""
        name = re.compile(rf"^{title}( \(\d+\))?$")
        self.page.locator(row).get_by_role("link", name=name).click()
        self.settle()

    def text(self):
        """What can be read on the page."""
        return self.page.get_by_test_id("stMain").inner_text()

    def draw_charts(self):
        """Have all charts drawn, also those out of sight."""
        self.page.locator("[class*='st-key-chart-'] [role=figure]").first.wait_for(state="attached")
        self.page.evaluate("dispatchEvent(new Event('beforeprint'))")
        self.page.locator(".bs-chart-ahead").first.wait_for(state="detached")
        self.page.locator(".js-plotly-plot .main-svg").first.wait_for(state="attached")

    def click_bar(self, key, index):
        """Click a bar of a chart."""
        self.page.locator(f"[class*='st-key-chart-{key}']").first.scroll_into_view_if_needed()
        bars = self.page.locator(f"[class*='st-key-chart-{key}'] .barlayer .point path")
        bars.first.wait_for(state="attached")
        self.page.wait_for_timeout(300)
        self.click_mark(bars.nth(index))
        self.settle()

    def click_mark(self, mark):
        """Click a bar or a point of a chart, once it rests and Plotly knows that it is under the pointer."""
        mark.scroll_into_view_if_needed()
        box = self.at_rest(mark)
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        chart = mark.locator("xpath=ancestor::*[contains(@class, 'js-plotly-plot')]")
        self.page.mouse.move(x - 2, y)
        self.page.wait_for_timeout(150)
        self.page.mouse.move(x, y)
        self._wait_for(lambda: chart.evaluate("chart => chart._hoverdata?.length > 0"), "the pointer is over a mark")
        self.page.wait_for_timeout(100)
        self.page.mouse.click(x, y)
        self.settle()

    def at_rest(self, element):
        """Where an element is once it has stayed there for a while."""
        places = []

        def has_stayed():
            places.append(element.bounding_box())
            self.page.wait_for_timeout(200)
            return element.bounding_box() == places[-1]

        self._wait_for(has_stayed, "the element rests")
        return places[-1]


@pytest.fixture(scope="session")
def playwright():
    """Playwright."""
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def chromium(playwright):
    """A browser whose windows know nothing of each other."""
    browser = playwright.chromium.launch(**_browser())
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def own_browser(playwright, tmp_path_factory):
    """A browser that somebody keeps, with one tab open: what it has compiled and fetched serves the next journey."""
    folder = tmp_path_factory.mktemp("browser")
    looks = {"reduced_motion": "reduce"}  # nothing is drawn sixty times a second
    browser = playwright.chromium.launch_persistent_context(folder, **_browser(), **looks)
    browser.set_default_timeout(MOST_WAIT)
    browser.add_init_script(RUNS)
    yield browser
    browser.close()


def _browser():
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    return {"executable_path": _finder().find(), "args": [*FLAGS, *(["--no-sandbox"] if root else [])]}


class Server:
    """``bleuscope`` with arguments, at one address whenever it runs; what is typed is kept in a folder of its own.

    Whoever asks the system about its process starts it with ``sys.executable``.
    """

    def __init__(self, folder, port, *arguments, token=TOKEN, python=None):
        self._folder, self._port, self._arguments, self._token = folder, port, arguments, token
        self._python = python or warm_python()
        self.address = f"http://127.0.0.1:{self._port}"
        self.start()

    def start(self):
        """Start it, and wait until it answers."""
        command = [self._python, "-m", "bleuscope", *self._arguments, "--no-browser", "--port", str(self._port)]
        workspace = str(self._folder / "workspace")
        environment = os.environ | {"BLEUSCOPE_TOKEN": self._token, "BLEUSCOPE_WORKSPACE": workspace}
        log = self._folder / "log"
        with log.open("w") as file:
            self._process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=file, stderr=subprocess.STDOUT)
        _wait_until_healthy(self._process, self.address, self._token, log)

    @property
    def pid(self):
        """The number of its process."""
        return self._process.pid

    def stop(self):
        """End it."""
        self._process.terminate()
        self._process.wait(60)

    def leave(self):
        """Leave it to other processes of tests, one of which ends it."""
        self._process.returncode = 0  # nobody waits for it here any more

    def restart(self, meanwhile=lambda: None):
        """End it and start it anew at the same address."""
        self.stop()
        meanwhile()
        self.start()


class SharedServers:
    """Servers that all processes of tests visit: who comes first starts one, who leaves last ends it."""

    def __init__(self, folder, free_port):
        self._folder, self._free_port = folder, free_port
        self._started = {}
        self._visited = []

    def __call__(self, name, *arguments, prepare=lambda folder: None):
        """The address of ``bleuscope`` with arguments; ``prepare`` fills its folder before it starts."""
        with self._told(name) as told:
            if not told:
                folder = Path(tempfile.mkdtemp(prefix=name, dir=self._folder))
                prepare(folder)
                self._started[name] = server = Server(folder, self._free_port(), *arguments)
                told |= {"address": server.address, "process": server.pid, "visitors": 0}
            told["visitors"] += 1
        self._visited.append(name)
        return told["address"]

    def leave(self):
        """Leave every server."""
        for name in self._visited:
            with self._told(name) as told:
                told["visitors"] -= 1
                server = self._started.get(name)
                if not told["visitors"]:
                    server.stop() if server else os.kill(told["process"], signal.SIGTERM)
                    told.clear()
                elif server:
                    server.leave()

    @contextlib.contextmanager
    def _told(self, name):
        """What is known of a server, nothing if there is none: one process at a time reads and changes it."""
        file = self._folder / f"{name}.json"
        with FileLock(self._folder / f"{name}.lock"):
            told = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
            yield told
            file.write_text(json.dumps(told), encoding="utf-8")


class Servers:
    """Every server that runs, by its address."""

    def __init__(self, make_folder, free_port):
        self._make_folder, self._free_port = make_folder, free_port
        self._running = {}

    def __call__(self, *arguments, port=None, token=TOKEN):
        """Start ``bleuscope`` with arguments; its address. It keeps nothing: many people visit it, each a new one."""
        port = port or self._free_port()
        server = Server(self._make_folder("server"), port, *arguments, "--no-workspace", token=token)
        self._running[server.address] = server
        return server.address

    def stop(self, address):
        """Stop the server at an address."""
        self._running.pop(address).stop()

    def stop_all(self):
        """Stop every server."""
        for address in list(self._running):
            self.stop(address)


@pytest.fixture(scope="session")
def new_visitor():
    """A person at a page: ``new_visitor(page, address)``."""

    def make(page, address):
        page.add_init_script(RUNS)
        return Visitor(page, address).watch()

    return make


@pytest.fixture(scope="session")
def started():
    """Starts ``bleuscope`` in a folder, where it keeps what is done, at a port and with arguments."""
    return Server


@pytest.fixture(scope="session")
def serve(tmp_path_factory, free_port):
    """Starts ``bleuscope`` with arguments and gives its address."""
    servers = Servers(tmp_path_factory.mktemp, free_port)
    yield servers
    servers.stop_all()


@pytest.fixture(scope="module")
def restartable(tmp_path_factory, free_port):
    """``bleuscope demo`` that ends and begins anew when a test asks for it."""
    server = Server(tmp_path_factory.mktemp("server"), free_port(), "demo")
    yield server
    server.stop()


@pytest.fixture(scope="session")
def shared(tmp_path_factory, free_port):
    """Gives the address of a server that all processes of tests visit."""
    own = tmp_path_factory.getbasetemp()
    servers = SharedServers(own.parent if "PYTEST_XDIST_WORKER" in os.environ else own, free_port)
    yield servers
    servers.leave()


@pytest.fixture(scope="session")
def history_server(shared, push_versions):
    """The address of ``bleuscope demo`` with a workspace that ``push_versions`` filled."""
    from bleuscope.workspace import WorkspacePlace

    return shared("history-server", "demo", prepare=lambda folder: push_versions(WorkspacePlace(folder / "workspace")))


@pytest.fixture(scope="session")
def sample_server(shared):
    """``bleuscope demo``. Nothing is kept: many people visit it, each a new one."""
    return shared("sample-server", "demo", "--no-workspace")


@pytest.fixture(scope="session")
def empty_server(shared):
    """``bleuscope`` without files, where nothing is kept either; a session may upload one megabyte."""
    return shared("empty-server", "open", "--no-workspace", "--session-uploads", "1")


@pytest.fixture
def only_tab(own_browser):
    """The tab that all journeys share: ``only_tab(width, height, scheme)``."""

    def take(width, height, scheme):
        page = own_browser.pages[0] if own_browser.pages else own_browser.new_page()
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(media="screen", color_scheme=scheme, forced_colors="none")
        return page

    return take


@pytest.fixture
def visit(own_browser, only_tab):
    """A new person at the only tab, whoever was there before leaves: ``visit(address, width=…, scheme=…)``.

    A page in a tab that has shown others takes half the computing of one in a new tab.
    """
    visitors = []

    def go(address, *, width=1440, height=900, scheme="light", knows_token=True):
        if visitors:
            visitors[-1].leave()
        own_browser.clear_cookies()
        if knows_token:
            name = f"bleuscope-{address.rpartition(':')[2]}"
            cookie = {"name": name, "value": cookie_value(TOKEN), "url": address, "sameSite": "Strict"}
            own_browser.add_cookies([cookie])
        visitors.append(Visitor(only_tab(width, height, scheme), address).watch())
        return visitors[-1]

    yield go
    if visitors:
        visitors[-1].leave()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Keep the last screen of every window when a journey fails."""
    report = yield
    contexts = [item.funcargs["own_browser"]] if "own_browser" in item.funcargs else []
    contexts += item.funcargs["chromium"].contexts if "chromium" in item.funcargs else []
    if report.failed and contexts:
        folder = ROOT / "screenshots" / re.sub(r"[^\w.-]+", "_", item.name)
        folder.mkdir(parents=True, exist_ok=True)
        pages = [page for context in contexts for page in context.pages]
        for number, page in enumerate(pages):
            with contextlib.suppress(Error):  # of a page that does not come to rest; the other tests go on
                page.screenshot(path=folder / f"{number}.png", full_page=True)
    return report


def _wait_until_healthy(process, address, token, log):
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        assert process.poll() is None, f"the server stopped: {log.read_text()}"
        try:
            asked = urllib.request.Request(f"{address}/_stcore/health", headers={"authorization": f"Bearer {token}"})
            with urllib.request.urlopen(asked, timeout=1) as answer:
                if answer.status == 200:
                    return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    pytest.fail(f"the server did not start within {START_SECONDS} s: {log.read_text()}")
