"""What holds for every feature: its commands have a help text, and its pages run whatever is open."""

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

import click
from streamlit.testing.v1 import AppTest

import bleuscope
from bleucore.batteries import BrokenLawError, require
from bleuscope.content.comparison.inputs import Inputs
from bleuscope.registry import Feature
from bleuscope.shell.disk.files import OPENING_VARIABLE, to_environment
from bleuscope.streamlit_port import search_no_packages

TIMEOUT = 120
"""Seconds that a page may take."""
_SCRIPT = str(Path(bleuscope.__file__).parent / "app.py")
_OPEN = {"nothing": Inputs(), "the sample": Inputs(is_sample=True)}


@contextmanager
def _opened_on(inputs: Inputs) -> Iterator[None]:
    before = os.environ.get(OPENING_VARIABLE)
    to_environment(inputs)
    level = logging.root.manager.disable
    logging.disable(logging.WARNING)  # Streamlit warns of every call outside a server
    try:
        yield
    finally:
        logging.disable(level)
        os.environ.pop(OPENING_VARIABLE)
        if before is not None:
            os.environ[OPENING_VARIABLE] = before


def has_commands(feature: Feature) -> None:
    """Each of its commands is one of click's, and its help begins with a sentence."""
    for command in feature.commands:
        function = f"{command.name.replace('-', '_')}_command"
        found = getattr(import_module(command.module), function, None)
        require(isinstance(found, click.Command), f"no command {function}")
        first = (getattr(found, "help", None) or "").partition("\n\n")[0].strip()
        require(first.endswith((".", "!", "?")), f"{command.name}: {first!r}")


def has_titles(feature: Feature) -> None:
    """Each of its pages has a title of at most 20 characters in one line."""
    for page in feature.pages:
        require(0 < len(page.title) <= 20 and page.title.strip() == page.title, f"{page.title!r}")  # noqa: PLR2004


def runs_pages(feature: Feature) -> None:
    """Its pages run without an error, on the sample and where nothing is open."""
    search_no_packages()
    for what, inputs in _OPEN.items():
        with _opened_on(inputs):
            for page in feature.pages:
                app = AppTest.from_file(_SCRIPT, default_timeout=TIMEOUT).run()  # noqa: TID251  # a timeout of its own
                for _ in range(2):
                    app.switch_page(page.script).run()
                said = [one.message for one in app.exception]
                said += [one.value.replace("\\", "") for one in app.error if "from the package" in one.value]
                if said:
                    raise BrokenLawError(f"{page.title}, with {what} open: {said[0]}")


FEATURE_LAWS = (has_commands, has_titles, runs_pages)
