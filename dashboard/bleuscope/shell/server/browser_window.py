"""The browser that opens on the dashboard.

A browser is told where to go on its command line, which every user of the machine can read. So it is sent to a page of
this user alone, which sends it on to the address with the token.
"""

import contextlib
import os
import sys
import threading
import webbrowser
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from markupsafe import Markup

SENDS_ON = Markup(
    '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>bleuscope</title>'
    '<meta http-equiv="refresh" content="0; url={address}"></head>\n'
    '<body><p>bleuscope is at <a href="{address}">this address</a>.</p></body></html>\n'
)


@contextlib.contextmanager
def open_browser(address: str, *, is_wanted: bool) -> Iterator[Callable[[], None]]:
    """What opens a window on the address; the page that sends it there is kept as long as the context is."""
    if not is_wanted or not _has_screen():
        yield lambda: None
        return
    with TemporaryDirectory(prefix="bleuscope-", ignore_cleanup_errors=True) as folder:
        page = Path(folder) / "open.html"  # in a folder that only this user can enter
        page.write_text(SENDS_ON.format(address=address), encoding="utf-8")
        yield threading.Thread(target=webbrowser.open, args=[page.as_uri()], daemon=True).start


def _has_screen() -> bool:
    """Whether there is a screen to show a window on; without one, browsers for the terminal would take it over."""
    named = ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY")
    return sys.platform in ("win32", "darwin") or any(os.environ.get(name) for name in named)
