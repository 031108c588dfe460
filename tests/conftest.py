"""What all tests share: whether the journeys can run, what runs first, free ports, what is made once for all."""

import asyncio
import gc
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from filelock import FileLock
from hypothesis import HealthCheck, settings


def _module(path):
    """A file beside the tests: they are no package."""
    spec = importlib.util.spec_from_file_location(f"tests_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


browser, postgresql, ports_of_tests, programs_of_tests = (
    _module(Path(__file__).parent / name)
    for name in ("journey/browser.py", "workspace/postgresql.py", "ports.py", "programs.py")
)
PROGRAMS = programs_of_tests.Programs(
    {
        "browser": lambda: (found := browser.find()) and (found, "--version"),
        "PostgreSQL": lambda: (found := postgresql.find()) and (found / "initdb", "--version"),
        "Caddy": lambda: (found := shutil.which("caddy")) and (found, "version"),
    }
)
NEEDED_BY = {"browser": ("browser",), "team": ("PostgreSQL", "Caddy")}
"""What tests with a marker need."""

# How long an example takes says nothing of it.
for profile, max_examples in (("deep", 300), ("whole", 10), ("quick", 8)):
    settings.register_profile(
        profile, settings(), deadline=None, max_examples=max_examples, suppress_health_check=[HealthCheck.too_slow]
    )
settings.load_profile("whole")

# Before NumPy is imported: its threads wait for more work at full speed, on processors that other tests need.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

SELDOM = 10_000
"""Objects made before young ones are looked through."""
SPHINX = """
import gc, sys
from sphinx.cmd.build import main
gc.freeze()
gc.set_threshold(200_000)
sys.exit(main(sys.argv[1:]))
"""
"""What Sphinx makes it keeps to the end: to look through that again and again takes an eighth of its time."""

BEYOND_CONTENT = re.compile(
    r"^\s*(?:from|import) (?:bleuscope(?!(?:\.| import )content\b)|streamlit|subprocess)\b", re.MULTILINE
)
LONG, KILLED = {"thorough", "deep"}, "test_killed"
"""The markers, and the beginning of the names of files, of tests that take many seconds."""
RUNS_PAGES_OR_COMMANDS = {"open_page", "open_link", "bleuscope"}


@pytest.fixture(autouse=True)
def main_module():
    """The main module is put back: AppTest leaves its own there, which processes started later would run."""
    module = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = module


@pytest.fixture(autouse=True)
def no_loop_of_a_browser(request):
    """The event loop of Playwright, which runs on after a journey, is put aside: no test could start its own."""
    loop = None if request.node.get_closest_marker("browser") else asyncio._get_running_loop()
    if loop is None:
        yield
        return
    asyncio._set_running_loop(None)
    yield
    asyncio._set_running_loop(loop)


@pytest.fixture(scope="session", autouse=True)
def no_one_s_workspace(tmp_path_factory):
    """No test touches the workspace of whoever runs it."""
    os.environ["BLEUSCOPE_WORKSPACE"] = str(tmp_path_factory.getbasetemp() / "workspace")


@pytest.fixture(scope="session", autouse=True)
def no_width_of_a_terminal():
    """Nothing says how wide a terminal is; pytest-xdist tells its processes 80 columns."""
    os.environ.pop("COLUMNS", None)


@pytest.fixture(scope="session")
def goes_beyond_content():
    """Says whether lines of a test import what is not quick: ``goes_beyond_content(lines)``."""
    return lambda lines: BEYOND_CONTENT.search(lines) is not None


@pytest.fixture(scope="session")
def make_once(tmp_path_factory):
    """Makes a folder once, however many processes run the tests: ``make_once(name, make)``.

    ``make`` fills the folder that it is given and returns what JSON can hold. All get the folder and what was returned.
    """
    own = tmp_path_factory.getbasetemp()
    shared = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own

    def made(name, make):
        folder, told = shared / name, shared / f"{name}.json"
        with FileLock(shared / f"{name}.lock"):
            if not told.exists():
                folder.mkdir(exist_ok=True)
                told.write_text(json.dumps(make(folder)), encoding="utf-8")
        return folder, json.loads(told.read_text(encoding="utf-8"))

    return made


@pytest.fixture(scope="session")
def built_docs(make_once):
    """The documentation as ``make docs`` builds it, once for all processes: how Sphinx ended, and the folder."""
    folder, ended = make_once("docs", _build_docs)
    return ended, folder / "html"


def _build_docs(folder):
    root = Path(__file__).parents[1]
    command = [sys.executable, "-c", SPHINX, "-W", "--keep-going", "-n", "-q", "-b", "html"]
    done = subprocess.run(
        [*command, "-d", str(folder / "doctrees"), str(root / "docs"), str(folder / "html")],
        cwd=root,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    return [done.returncode, done.stderr]


@pytest.fixture(scope="session")
def programs():
    """The programs that tests need: ``programs(find)``."""
    return programs_of_tests.Programs


@pytest.fixture(scope="session")
def ports():
    """Gives so many ports that nobody has."""
    return ports_of_tests.Ports()


@pytest.fixture(scope="session")
def free_port(ports):
    """Gives a port that nobody has."""
    return lambda: ports()[0]


@pytest.fixture(scope="session")
def postgresql_server(free_port):
    """A PostgreSQL for the tests of this process."""
    PROGRAMS.need("PostgreSQL")
    server = postgresql.Server(free_port())
    yield server
    server.stop()


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory):
    """The file of an empty workspace's database, made once a process: its scripts take half a second."""
    from bleuscope.workspace import WorkspacePlace
    from bleuscope.workspace.database import Database

    folder = tmp_path_factory.mktemp("empty")
    database = Database(WorkspacePlace(folder))
    database.copy_to(folder / "copy")
    database.close()
    return folder / "copy"


@pytest.fixture
def empty_place(tmp_path, empty_database):
    """The place of an empty workspace in files."""
    from bleuscope.workspace import WorkspacePlace
    from bleuscope.workspace.database import FILE

    folder = tmp_path / "workspace"
    folder.mkdir(mode=0o700)
    shutil.copy(empty_database, folder / FILE)
    return WorkspacePlace(folder)


@pytest.fixture(scope="session")
def push_versions():
    """Fills a workspace: ``push_versions(place)``.

    Project en-de has two systems on test set news, and one on another one alone. System base has versions v1 to v4,
    better and better; nightly has v1; old has one on test set olds.
    """
    return _push_versions


@pytest.fixture(scope="session")
def pushed_versions(tmp_path_factory):
    """The folder of a workspace that ``push_versions`` filled, made once a process; nobody writes to it."""
    from bleuscope.workspace import WorkspacePlace

    place = WorkspacePlace(tmp_path_factory.mktemp("versions") / "workspace")
    _push_versions(place)
    return place.folder


@pytest.fixture
def versions_place(tmp_path, pushed_versions):
    """The place of a workspace that ``push_versions`` filled."""
    from bleuscope.workspace import WorkspacePlace

    return WorkspacePlace(shutil.copytree(pushed_versions, tmp_path / "workspace"))


def pytest_ignore_collect(collection_path, config):
    """With ``-m quick``, files without a quick test are not read: half of the time before the first test is theirs."""
    is_of_tests = collection_path.name.startswith("test_") and collection_path.suffix == ".py"
    return True if config.option.markexpr == "quick" and is_of_tests and not _may_be_quick(collection_path) else None


def pytest_collection_modifyitems(config, items):
    """What takes long begins first."""
    items.sort(key=_order)
    for item in items:
        if _is_quick(item):
            item.add_marker("quick")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    """Before servers start, ask for the programs that a test needs."""
    for marker, needed in NEEDED_BY.items():
        if item.get_closest_marker(marker) is not None:
            for name in needed:
                PROGRAMS.need(name)


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """What is collected stays: half a million objects are not looked through each time that garbage is collected."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.set_threshold(SELDOM)
        gc.enable()


def pytest_terminal_summary(terminalreporter):
    """List the tests that did not run, with the reason."""
    lines = programs_of_tests.not_run(terminalreporter.stats.get("skipped", ()))
    if lines:
        terminalreporter.section("Not run")
        for line in lines:
            terminalreporter.line(line)


def _order(item):
    """Journeys first, then what builds the project and its documentation, then other long tests, then all else.

    A process that has nothing left to take waits for the test that another one has begun: that is to be a short one.
    """
    if item.get_closest_marker("browser"):
        return 0
    if item.path.parent == Path(__file__).parent:
        return 1
    return 2 if LONG & {mark.name for mark in item.iter_markers()} or item.path.name.startswith(KILLED) else 3


def _is_quick(item):
    """Whether a test is of the engine or of content, and not marked as thorough."""
    if item.get_closest_marker("thorough") or RUNS_PAGES_OR_COMMANDS & set(item.fixturenames):
        return False
    return _may_be_quick(item.path)


def _may_be_quick(path):
    """Whether a file of tests is of the engine or of content."""
    folder = path.parent.name
    return folder in ("bleucore", "oracle") or (folder == "dashboard" and not _goes_beyond_content(path))


@cache
def _goes_beyond_content(path):
    return BEYOND_CONTENT.search(path.read_text(encoding="utf-8")) is not None


def _push_versions(place):
    from datetime import UTC, datetime, timedelta

    from bleucore import System, TestSet
    from bleuscope.workspace import open_workspace
    from bleuscope.workspace.people import LOCAL
    from bleuscope.workspace.projects import NewVersion

    lines = [f"the cat {number} sat on the mat near house {number % 7}" for number in range(40)]
    start = datetime(2026, 9, 1, 2, tzinfo=UTC)

    def outputs(every):
        return [line if number % every else line.replace("sat on", "is at") for number, line in enumerate(lines)]

    with open_workspace(place) as workspace:
        me = workspace.people.person(LOCAL)
        project = workspace.projects.make("en-de", me, "English <b>to</b> German")
        texts = TestSet([System("x", lines)], [lines], source=lines, languages=("en", "de"))
        news, olds = (workspace.projects.put_test_set(project, name, texts, me) for name in ("news", "olds"))
        for day, every in enumerate((2, 3, 3, 7)):
            new = NewVersion("base", f"v{day + 1}", outputs(every), 1000 * day, start + timedelta(days=day))
            workspace.projects.push(project, news, new, me)
        workspace.projects.push(project, news, NewVersion("nightly & <i>", "v1", outputs(5)), me)
        workspace.projects.push(project, olds, NewVersion("old", "v1", outputs(4)), me)
