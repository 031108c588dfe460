"""Addresses of pages that moved: each leads on to where its text is now, so that old links still work."""

from collections.abc import Iterator, Mapping
from typing import Any

from markupsafe import Markup
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util.typing import ExtensionMetadata

MOVED: Mapping[str, str] = {
    "extending": "contributing/extending",
    "gallery": "guide/index",
    "guide/history": "howto/projects",
    "guide/leaderboard": "howto/projects",
    "guide/projects": "howto/projects",
    "howto/checkpoints": "howto/projects",
    "howto/cluster": "operating",
    "howto/demo": "operating",
    "howto/docker": "operating",
    "howto/serving": "operating",
    "howto/sharing": "howto/export",
    "howto/versions": "howto/projects",
    "reference/releases": "contributing/releases",
}
"""Old page: new page."""


def moved_pages(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """A page for each old address, which leads on by itself and has a link."""
    for old, new in MOVED.items():
        if old in app.env.found_docs or new not in app.env.found_docs:
            raise ExtensionError(f"docs/extensions/moved.py: {old} cannot lead to {new}")
        address = app.builder.get_relative_uri(old, new)
        yield (
            old,
            {
                "title": "This page moved",
                "body": Markup('<h1>This page moved</h1><p><a href="{}">Read it here.</a></p>').format(address),
                "metatags": Markup('<meta http-equiv="refresh" content="0; url={}">').format(address),
            },
            "page.html",
        )


def setup(app: Sphinx) -> ExtensionMetadata:
    """Write the pages with all others."""
    app.connect("html-collect-pages", moved_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
