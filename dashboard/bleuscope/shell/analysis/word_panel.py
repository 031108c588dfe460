"""Words of each kind: which system gets them better."""

import hashlib
from collections.abc import Mapping, Sequence
from urllib.parse import quote

import streamlit as st

from bleucore import InputError
from bleucore.analysis.given_words import GivenWords, LabelFile, read_lines
from bleucore.analysis.slices import SliceComparison
from bleucore.analysis.word_accuracy import LABEL, LIST, NOTHING_GIVEN, WORD_KINDS, WordBucket
from bleuscope.content.comparison import link_notes
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.ngrams.ngram_tables import ANYWHERE, of_address
from bleuscope.content.segments.phrase_examples import phrase_examples
from bleuscope.content.slices import word_sheets
from bleuscope.runtime import params
from bleuscope.shell.controls import row_links, widgets
from bleuscope.shell.controls.exports import export_menu
from bleuscope.shell.server import live_sessions
from bleuscope.shell.state import cached, kept_attachments, links, session, workspace_in_use

NUMBER_WIDTH, KIND_WIDTH, NAME_WIDTH = 64, 260, 150
WIDTHS = {"in_reference": 78, "difference_interval": 118, "won": 165, "lost": 165}
"""Pixels: of the columns together, which leaves nothing to scroll to on a common screen."""
MOST_ROWS = 20
UPLOADER_WIDTH, LIST_HEIGHT = 230, 110
MAX_IN_LINK = 2_000
"""Characters of a list that is part of the link, as the link writes it."""
LABEL_FILES = "_label_files"


def kind_choice() -> str:
    """By what words are divided."""
    return st.selectbox("Words by", list(WORD_KINDS), width=KIND_WIDTH, **params.WORDS_BY.bound())


def given_words(view: ComparisonContext, kind: str) -> GivenWords | None:
    """What the words are told apart by beside themselves; ``None`` until it is given."""
    if kind == LABEL:
        return _given_labels(view)
    if kind == LIST:
        return _given_list(view)
    links.write_given_words()
    return NOTHING_GIVEN


def words(view: ComparisonContext, kind: str, given: GivenWords) -> None:
    """The words of A and B by kind: verdict, test and table; a click on a row lists segments."""
    try:
        buckets = cached.word_buckets(view.test_set, view.pair, kind, view.options, given)
    except InputError as error:
        st.error(widgets.plain(str(error)), icon=":material/error:")
        return
    tested = _tested(view, kind, given)
    widgets.html(word_sheets.words_verdict(view, kind, buckets, tested))
    widgets.html(word_sheets.what_note(kind, tested))
    widgets.heading(f"Words by {kind}")
    sheet = word_sheets.words_sheet(view, kind, buckets, tested)
    row = row_links.chosen_row(
        sheet,
        f"words-{kind}",
        width_of=lambda column: WIDTHS.get(column, NUMBER_WIDTH),
        most_rows=MOST_ROWS,
        name_width=NAME_WIDTH,
        alt=f"Words by {kind}, with F1 of A and B",
    )
    if row is not None and (word := buckets[row].most_different) is not None:
        links.open_ngram(of_address(word), ANYWHERE)
    export_menu(lambda: sheet, "words")
    st.caption("Click a kind to read segments with the word that differs most.")
    _examples(view, [buckets[index] for index in word_sheets.telling_kinds(buckets, tested)])


def _examples(view: ComparisonContext, buckets: Sequence[WordBucket]) -> None:
    """A segment for each of these kinds, with the word in which A and B differ most."""
    if buckets:
        widgets.heading("Examples")
    for column, bucket in zip(st.columns(max(len(buckets), 1), gap="medium"), buckets, strict=False):
        with column:
            phrase = cached.phrase(view.test_set, view.options, view.pair, of_address(bucket.most_different or ""))
            widgets.html(word_sheets.example_title(bucket) + phrase_examples(view, phrase, most=1))


def _given_list(view: ComparisonContext) -> GivenWords | None:
    """The words that are typed, or those of the link: a short list is in it, a long one is kept by its digest."""
    if session.get(params.WORD_LIST) is None:
        linked = _linked().get(LIST)
        text = links.given(params.WORD_LIST) if linked is None else "\n".join(linked.lines)
        session.put(params.WORD_LIST, text or "")
    text = st.text_area(
        "Words and phrases, one per line",
        key=params.WORD_LIST,
        height=LIST_HEIGHT,
        max_chars=params.WORD_LIST.most,
        persist_state="session",
    )
    listed = tuple(line.strip() for line in (text or "").split("\n") if line.strip())
    if not listed:
        return None
    if len(quote(text or "")) <= MAX_IN_LINK:
        links.write_given_words(listed=text)
    else:
        links.write_given_words(key=_keep(view, {LIST: LabelFile(LIST, listed)}))
    return GivenWords(listed=listed)


def _linked() -> Mapping[str, LabelFile]:
    """What the address names, or that it is gone; the address goes on naming it, so that a reload finds it."""
    key = links.given(params.GIVEN_WORDS)
    found = (cached.GIVEN_WORDS.find(key) or kept_attachments.words(key)) if key else {}
    if found is None:
        st.warning(widgets.plain(link_notes.WORDS_GONE), icon=":material/link_off:")
    return found or {}


def _keep(view: ComparisonContext, given: Mapping[str, LabelFile]) -> str:
    """Hold for other sessions what was given, under the digest of its content."""
    digest = hashlib.sha256(view.test_set.digest.encode())
    for of, file in sorted(given.items()):
        digest.update("\n".join((of, file.name, *file.lines)).encode())
    key = digest.hexdigest()[: links.KEY_LENGTH]
    cached.GIVEN_WORDS.keep(key, given)
    kept_attachments.keep_words(key, given)
    return key


def _given_labels(view: ComparisonContext) -> GivenWords | None:
    """Labels of the tokens of each reference, and of both outputs if they have some."""
    if not session.get(LABEL_FILES):
        session.put(LABEL_FILES, _linked())
    st.caption(word_sheets.LABELS_ASKED)
    names = view.test_set.reference_names or ()
    with st.container(horizontal=True):
        references = [_label_file(name, f"reference {name}") for name in names]
        outputs = [_label_file(name, f"output {name}") for name in view.pair]
    kept: Mapping[str, LabelFile] = session.get(LABEL_FILES)
    if kept:
        links.write_given_words(key=_keep(view, kept))
    if not all(references):
        return None
    of_references, of_outputs = (tuple(one for one in found if one is not None) for found in (references, outputs))
    return GivenWords(of_references, of_outputs)


def _label_file(name: str, of: str) -> LabelFile | None:
    """The labels of a column; they are there still when another page was opened, which empties the uploader."""
    kept: Mapping[str, LabelFile] = session.get(LABEL_FILES)
    if workspace_in_use.is_by_link():
        return kept.get(of)
    with st.container(width=UPLOADER_WIDTH):
        file = st.file_uploader(f"Labels of {widgets.plain(name)}", key=f"labels-{of}")
        live_sessions.free_uploads(f"labels-{of}", [] if file is None else [file])
        if file is not None:
            try:
                kept = {**kept, of: LabelFile(file.name, read_lines(file.name, file.getvalue()))}
            except InputError as error:
                st.error(widgets.plain(str(error)), icon=":material/error:")
                return None
            session.put(LABEL_FILES, kept)
        elif of in kept and st.button(f"Remove {widgets.plain(kept[of].name)}", key=f"unlabel-{of}", type="tertiary"):
            session.put(LABEL_FILES, {name: one for name, one in kept.items() if name != of})
            links.write_given_words()
            st.rerun()
    return kept.get(of)


def _tested(view: ComparisonContext, kind: str, given: GivenWords) -> SliceComparison:
    """The tests of the kinds; long ones show how far they are."""
    work = cached.word_comparison(view.test_set, view.pair, kind, view.options, view.significance, given)
    return widgets.waited_for("Testing the words …", work)
