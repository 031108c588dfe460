"""What to open of files that hold several test sets: all of them, one, or everything as one after all."""

from collections.abc import Sequence

import streamlit as st

from bleucore.formats import Column
from bleucore.formats.several_sets import several_sets
from bleuscope.content.style import numbers
from bleuscope.registry import load, of_several_sets
from bleuscope.shell.state import session
from bleuscope.shell.uploads.dropped_files import Dropped
from bleuscope.streamlit_port import UploadedFile


def suits_several_sets(names: Sequence[str]) -> bool:
    """Whether files are several test sets by their names alone."""
    several = of_several_sets()
    return several is not None and bool(load(several.suits)(names))


def offer_several_sets(files: Sequence[UploadedFile]) -> None:
    """What files come to as several test sets, and the button that opens them."""
    several = of_several_sets()
    if several is not None:
        load(several.offer)([(file.name, file.getvalue()) for file in files])


def only_set(files: Sequence[UploadedFile]) -> Dropped | None:
    """Files that are planned before they are read, and are one test set after all; ``None`` where they are not."""
    several = of_several_sets()
    columns: tuple[Column, ...] = ()
    if several is not None:
        columns = load(several.only)([(file.name, file.getvalue()) for file in files])
    notices = tuple(dict.fromkeys(notice for column in columns for notice in column.notices))
    as_read = Dropped(columns, {}, notices, is_blocked=False, beside=(), encoding=None, is_as_dropped=False)
    return as_read if columns else None


def chosen_set(dropped: Dropped, files: Sequence[UploadedFile]) -> tuple[Column, ...]:
    """The columns of the test set that is to be opened; none where there are none, or several are to be opened.

    Args:
        dropped: What was read.
        files: What it was read from.
    """
    sets = several_sets(dropped.columns)
    if not sets or dropped.is_blocked:
        return dropped.columns
    all_of_them = f"{numbers.count(len(sets))} test sets, as a campaign"
    as_one = "Everything as one test set"
    has_campaign = of_several_sets() is not None and len(files) == len({file.name for file in files})
    by_name = {one.planned.name: one.columns for one in sets}
    options = [*([all_of_them] if has_campaign else []), *by_name, as_one]
    chosen = st.selectbox(
        f"These files hold {numbers.count(len(sets))} test sets: what to open",
        options,
        key=f"set-{session.upload_round()}",
    )
    if chosen == all_of_them:
        offer_several_sets(files)
        return ()
    return by_name.get(chosen, dropped.columns)
