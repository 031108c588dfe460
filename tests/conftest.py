"""What all tests share: whether the journeys can run, what runs first, and what is made once for all processes."""

import importlib.util
import json
import os
import re
import sys
from functools import cache
from pathlib import Path

import pytest
from filelock import FileLock
from hypothesis import settings

_spec = importlib.util.spec_from_file_location("journey_browser", Path(__file__).parent / "journey" / "browser.py")
browser = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(browser)

for profile, max_examples in (("whole", 30), ("quick", 8)):  # how long an example takes says nothing of it
    settings.register_profile(profile, settings(), deadline=None, max_examples=max_examples)
settings.load_profile("whole")

NOT_RUN = pytest.StashKey[int]()
BEYOND_CONTENT = re.compile(
    r"^\s*(?:from|import) (?:dashboard(?:\.| import )(?:shell|cli|pages|app)\b|streamlit|subprocess)", re.MULTILINE
)
RUNS_PAGES_OR_COMMANDS = {"open_page", "open_link", "bleuscope"}


@pytest.fixture(autouse=True)
def main_module():
    """The main module is put back: AppTest leaves its own there, which processes started later would run."""
    module = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = module


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


def pytest_collection_modifyitems(config, items):
    """What takes long begins first. Without a browser the journeys are left out; in CI that is a failure."""
    items.sort(key=_order)
    for item in items:
        if _is_quick(item):
            item.add_marker("quick")
    journeys = [item for item in items if item.get_closest_marker("browser")]
    if not journeys or browser.find() is not None:
        return
    if os.environ.get("CI"):
        raise pytest.UsageError("no browser was found for the journeys, and CI must run them")
    config.stash[NOT_RUN] = len(journeys)
    config.hook.pytest_deselected(items=journeys)
    items[:] = [item for item in items if item not in journeys]


def pytest_terminal_summary(terminalreporter, config):
    """Say when the journeys did not run."""
    number = config.stash.get(NOT_RUN, 0)
    if number:
        terminalreporter.section("browser tests did not run")
        terminalreporter.line(
            f"{number} browser tests did not run: no Chromium was found. Install one, or name it in BLEUSCOPE_BROWSER."
        )


def _order(item):
    """Journeys first, then what builds the project and its documentation, then all else as it is collected."""
    return 0 if item.get_closest_marker("browser") else 1 if item.path.parent == Path(__file__).parent else 2


def _is_quick(item):
    """Whether a test is of the engine or of content, and not marked as thorough."""
    if item.get_closest_marker("thorough") or RUNS_PAGES_OR_COMMANDS & set(item.fixturenames):
        return False
    folder = item.path.parent.name
    return folder in ("bleucore", "oracle") or (folder == "dashboard" and not _goes_beyond_content(item.path))


@cache
def _goes_beyond_content(path):
    return BEYOND_CONTENT.search(path.read_text(encoding="utf-8")) is not None
