"""Finds a browser for the journeys, or gets one: ``python tests/journey/browser.py --install``."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
"""The one without windows first: its pages take a fifth less computing."""
PACKAGES = ("chromium-headless-shell", "libatomic1")
"""Debian's browser, and a library that Playwright's driver needs."""
INSTALL_SECONDS = 600


def find() -> str | None:
    """The path of a Chromium: named in BLEUSCOPE_BROWSER, on the PATH, or Playwright's own."""
    named = os.environ.get("BLEUSCOPE_BROWSER")
    if named:
        return named
    on_path = next((path for path in map(shutil.which, NAMES) if path), None)
    return on_path or _playwrights_own()


def install() -> str | None:
    """Get a browser: Debian's package where that is allowed, else Playwright's download."""
    if hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get"):
        _run("apt-get", "update", "-qq")
        _run("apt-get", "install", "-y", "-qq", "--no-install-recommends", *PACKAGES)
    if find() is None:
        _run(sys.executable, "-m", "playwright", "install", "chromium")
    return find()


def _playwrights_own() -> str | None:
    from playwright.sync_api import sync_playwright  # here: most runs of tests need no Playwright

    try:
        with sync_playwright() as playwright:
            path = playwright.chromium.executable_path
    except Exception:  # noqa: BLE001  Playwright raises nothing narrower if its driver does not start
        return None
    return path if Path(path).exists() else None


def _run(*command: str) -> None:
    print("+", *command, flush=True)
    try:
        subprocess.run(command, check=False, timeout=INSTALL_SECONDS, stdout=subprocess.DEVNULL)
    except (OSError, subprocess.TimeoutExpired) as error:
        print(f"  did not work: {error}")


if __name__ == "__main__":
    browser = find() or (install() if "--install" in sys.argv else None)
    print(f"browser for the journeys: {browser or 'none found, they will not run'}")
