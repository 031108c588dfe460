"""The early end of a page, behind which the script of all pages goes on."""

from typing import NoReturn


class PageEnded(Exception):  # noqa: N818  # no error
    """A page has nothing more to show."""


def end_page() -> NoReturn:
    """End the page, but not what the script of all pages draws behind it, as ``st.stop`` would.

    Not for fragments, which run without that script.

    Raises:
        PageEnded: Always.
    """
    raise PageEnded
