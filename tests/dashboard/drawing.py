"""How tests draw pages: without what takes longer than a page and is no part of it.

``PATCHES`` names what is replaced: a fixture does so for each test, and ``draw_quickly`` in a program that a test runs.
"""

from pathlib import Path
from typing import Any

from streamlit.components.v2 import manifest_scanner
from streamlit.navigation.page import calc_hash
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest, local_script_runner
from streamlit.testing.v1.local_script_runner import LocalScriptRunner

from bleuscope.registry import Page
from bleuscope.streamlit_port import own_components, run_the_script_for_all_pages

SECONDS_TO_DRAW = 120
"""Streamlit's own are three, in which a busy machine draws no page."""

_prepare, _look = PagesManager.__init__, local_script_runner.require_widgets_deltas


def _prepare_as_served(self: PagesManager, *arguments: Any, **options: Any) -> None:
    """Run pages by the script of all pages, as ``make_app`` tells Streamlit; AppTest forgets it."""
    _prepare(self, *arguments, **options)
    run_the_script_for_all_pages()


def _wait(runner: LocalScriptRunner, timeout: float = SECONDS_TO_DRAW) -> None:
    """Wait for the end of a run: AppTest would look a thousand times a second, and each look stops the run."""
    thread = runner._script_thread
    if thread is not None:
        thread.join(timeout)
    if thread is None or thread.is_alive():
        _look(runner, 0)


PATCHES = (
    (PagesManager, "__init__", _prepare_as_served),
    (manifest_scanner, "scan_component_manifests", own_components),  # AppTest searches all packages for each page
    (local_script_runner, "require_widgets_deltas", _wait),
)


def draw_quickly() -> None:
    """Draw pages so from here on, in a program that a test runs."""
    for owner, name, replacement in PATCHES:
        setattr(owner, name, replacement)


def run_first(app: AppTest, page: Page) -> AppTest:
    """Run a page as the first of a session, as its address opens it: AppTest knows only files of that name so early."""
    app.switch_page(page.script)
    if Path(page.script).stem != page.address:
        vars(app)["_page_hash"] = calc_hash(page.address)
    return app.run()
