"""Pages of other packages: one that fails is named with its package, and the others stay as they are."""

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from bleucore.values import shown
from bleuscope.content.style.markdown_escapes import escaped
from bleuscope.registry import Page, added_features, plugin_of
from bleuscope.shell.state.page_end import PageEnded


@contextmanager
def naming_plugin(page: Page | None) -> Iterator[None]:
    """Say which package a page comes from if it fails, unless it is the program's own."""
    try:
        yield
    except PageEnded:
        raise
    except Exception as error:
        plugin = next((plugin_of(one.name) for one in added_features() if page in one.pages), None)
        if plugin is None:
            raise
        found = f"{type(error).__name__}: {shown(str(error))}"
        st.error(escaped(f"This page comes from the package {plugin.package}, and it failed ({found})."))
