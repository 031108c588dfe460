"""Errors that people or a metric marked: found for the open test set, to be drawn on the texts."""

import hashlib
from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from bleucore import InputError, TestSet
from bleucore.judgements.alignment import aligned
from bleucore.judgements.reading import judgements_in
from bleucore.judgements.records import Judgements
from bleucore.metrics.segment_scores import SegmentScores
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.segments.error_marks import MarkedErrors
from bleuscope.runtime import params
from bleuscope.shell.page.file_overrides import aliases_of
from bleuscope.shell.state import cached, kept_attachments, links, session
from bleuscope.shell.state.kept_attachments import Reading

JUDGEMENTS = "_judgements"


def marked_errors(view: ComparisonContext) -> MarkedErrors | None:
    """The errors that were read for the open test set, or came with it, under the names shown."""
    key, as_read = _kept()
    if as_read is None:
        return next((one for one in judgements_beside(view) if len(one.judgements.spans)), None)
    if not set(as_read.systems) & set(view.loaded.as_read.test_set.system_names):  # it is of another test set
        return None
    return _shown(view, key, partial(_itself, as_read))


def judgements_beside(view: ComparisonContext) -> tuple[MarkedErrors, ...]:
    """The judgements that came with the texts, with errors or without; what is wrong with them is said on Test set.

    What a metric wrote is none, unless it was named as judgements.
    """
    loaded, found = view.loaded, list[MarkedErrors]()
    test_set = loaded.as_read.test_set
    for file in loaded.beside:
        try:
            scores = cached.aligned_beside(file, test_set, aliases_of(loaded), moves_spans=links.moves_spans())
        except InputError:
            continue
        ways = [(one.name, partial(_itself, one)) for one in scores.judgements] or [
            (one.name, partial(_of_table, one, test_set)) for one in scores.columns
        ]
        for name, make in ways:
            key = _digest(test_set, [file.digest], file.name, name)
            one = _shown(view, key, make)
            if one.judgements.protocol != "scores" or loaded.inputs.judgements:
                found.append(one)
    return tuple(found)


def _itself(judgements: Judgements) -> Judgements:
    return judgements


def _of_table(column: SegmentScores, test_set: TestSet) -> Judgements:
    return aligned(judgements_in(column), test_set)


def _shown(view: ComparisonContext, key: str, make: Callable[[], Judgements]) -> MarkedErrors:
    """Judgements under the names that are shown."""
    old, new = view.loaded.as_read.test_set.system_names, view.test_set.system_names
    names = dict(zip(old, new, strict=True))
    return cached.marked_errors((key, new), lambda: MarkedErrors(key, make().named_as(names)))


def draw_errors(key: str) -> None:
    """Draw judgements that are kept under this key on the texts from now on; the address names them."""
    session.put(JUDGEMENTS, key)
    links.write(params.JUDGEMENTS, key)


def take_off_button() -> None:
    """Takes errors off the texts that were read from files."""
    if _kept()[0]:
        st.button("Take the errors off the texts", on_click=session.put, args=(JUDGEMENTS, ""), key="_no_errors")


def keep_errors(test_set: TestSet, reading: Reading, judgements: Judgements) -> None:
    """Draw the errors from now on, and find them again after a reload under the digest of their content."""
    key = _digest(test_set, reading.digests, judgements.file, judgements.name)
    cached.JUDGEMENTS.keep(key, judgements)
    kept_attachments.keep("judgements", key, reading, [[judgements.file, judgements.name]])
    draw_errors(key)


def _kept() -> tuple[str, Judgements | None]:
    """The judgements that the session has, or the address names, by their key; "" and ``None`` without any."""
    key = session.get(JUDGEMENTS)
    if key is None:
        key = links.given(params.JUDGEMENTS) or ""
    as_read = (cached.JUDGEMENTS.find(key) or _found_again(key)) if key else None
    key = key if as_read else ""
    session.put(JUDGEMENTS, key)
    links.write(params.JUDGEMENTS, key or None)
    return key, as_read


def _found_again(key: str) -> Judgements | None:
    """The judgements of an earlier session, where they are kept."""
    loaded = session.loaded()
    found = None if loaded is None else kept_attachments.judgements_shown(key, loaded.as_read.test_set)
    if found is not None:
        cached.JUDGEMENTS.keep(key, found)
    return found


def _digest(test_set: TestSet, digests: Sequence[str], *names: str) -> str:
    """The key of judgements: what they are read from, and what was said of it."""
    content = (test_set.digest, tuple(digests), names, links.values(params.SYSTEM_NAMES), links.moves_spans())
    return hashlib.sha256(repr(content).encode()).hexdigest()[: links.KEY_LENGTH]
