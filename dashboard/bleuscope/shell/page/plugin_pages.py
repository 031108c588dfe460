"""Pages of other packages: one that fails is named with its package, and the others stay as they are."""

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from bleucore.errors import InputError
from bleucore.values import shown
from bleuscope.content.style.markdown_escapes import escaped
from bleuscope.registry import Page, added_features, plugin_of
from bleuscope.shell.state.page_end import PageEnded


@contextmanager
def naming_plugin(page: Page | None) -> Iterator[None]:
    """Say which package a page is of, if it is not of the program and fails."""
    try:
        yield
    except (PageEnded, InputError):
        raise
    except Exception as error:
        plugin = next((plugin_of(one.name) for one in added_features() if page in one.pages), None)
        if plugin is None:
            raise
        found = f"{type(error).__name__}: {shown(str(error))}"
        st.error(escaped(f"This page is of the package {plugin.package}, and it failed ({found})."))
