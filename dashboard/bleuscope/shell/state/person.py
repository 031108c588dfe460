"""Who is at the browser: a mark that the browser keeps, so that it finds again what was typed in it."""

import re
import secrets
from collections.abc import Mapping

import streamlit as st

COOKIE = "bleuscope_person"
MARK = re.compile(r"[0-9a-f]{32}")
SECONDS_KEPT = 400 * 24 * 60 * 60
"""As long as browsers keep a cookie at most."""


def person() -> str | None:
    """The mark of this session's browser; ``None`` where it does not keep one."""
    return mark_in(st.context.cookies)


def mark_in(cookies: Mapping[str, str]) -> str | None:
    """The mark among a browser's cookies; ``None`` where there is none, or one that we did not give."""
    mark = cookies.get(COOKIE)
    return mark if isinstance(mark, str) and MARK.fullmatch(mark) else None


def new_cookie() -> str:
    """A cookie with a mark that nobody guesses.

    It says who typed something and opens nothing. ``Lax``: a link from another site leads to the same person.
    """
    return f"{COOKIE}={secrets.token_hex(16)}; Path=/; Max-Age={SECONDS_KEPT}; HttpOnly; SameSite=Lax"
