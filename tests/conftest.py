"""Whether the journeys can run is decided here, and said in the summary."""

import importlib.util
import os
import sys
from pathlib import Path

import pytest

_spec = importlib.util.spec_from_file_location("journey_browser", Path(__file__).parent / "journey" / "browser.py")
browser = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(browser)

NOT_RUN = pytest.StashKey[int]()


@pytest.fixture(autouse=True)
def main_module():
    """The main module is put back: AppTest leaves its own there, which processes started later would run."""
    module = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = module


def pytest_collection_modifyitems(config, items):
    """Without a browser the journeys are left out; in CI that is a failure."""
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
