"""Where the open comparison was opened from, a project or a campaign, and the way back there."""

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from bleuscope.content.style.cut_names import cut_names
from bleuscope.runtime.param import Param
from bleuscope.shell.controls import widgets
from bleuscope.shell.state import links, session

WHERE_FROM = "_where_from"
MOST_COLUMNS = 24


@dataclass(frozen=True)
class WhereFrom:
    """Where a comparison was opened from.

    Attributes:
        digest: Of the texts that were opened.
        title: What it is called.
        page: Its page.
        values: What that page is opened with.
    """

    digest: str
    title: str
    page: str
    values: Mapping[Param, str]


def note_where_from(found: WhereFrom) -> None:
    """Keep where a comparison is opened from, until another one is opened."""
    session.put(WHERE_FROM, found)


def way_back() -> None:
    """The button that leads back there, as long as that comparison is open."""
    found: WhereFrom | None = session.get(WHERE_FROM)
    loaded = session.loaded()
    if found is None or loaded is None or loaded.test_set.digest != found.digest:
        return
    words = widgets.plain(f"Back to {cut_names([found.title], MOST_COLUMNS)[0]}")
    if st.button(words, type="tertiary", icon=":material/arrow_back:", key="way-back"):
        links.go_to(found.page, found.values)
