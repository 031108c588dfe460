"""Words of each kind: which system gets them better."""

import streamlit as st

from bleucore.analysis.slices import SliceComparison
from bleucore.analysis.word_accuracy import GIVEN_KINDS, WORD_KINDS
from dashboard.content.comparison.study import Study
from dashboard.content.ngrams.ngram_tables import ANYWHERE
from dashboard.content.slices import word_sheets
from dashboard.shell.controls import row_links, widgets
from dashboard.shell.controls.exports import export_menu
from dashboard.shell.state import cached, links

NUMBER_WIDTH, EXAMPLES_WIDTH, KIND_WIDTH = 90, 230, 260
MOST_ROWS = 20


def kind_choice() -> str:
    """By what words are divided, of what needs no further file."""
    kinds = [kind for kind in WORD_KINDS if kind not in GIVEN_KINDS]
    return st.selectbox(
        "Words by", kinds, key="words_by", width=KIND_WIDTH, bind="query-params", persist_state="session"
    )


def words(view: Study, kind: str) -> None:
    """The words of A and B by kind: verdict, test and table; a click on a row lists segments."""
    buckets = cached.word_buckets(view.test_set, view.pair, kind, view.options)
    tested = _tested(view, kind)
    widgets.html(word_sheets.words_verdict(view, kind, buckets, tested))
    widgets.html(word_sheets.what_note(kind, tested))
    sheet = word_sheets.words_sheet(view, kind, buckets, tested)
    row = row_links.chosen_row(
        sheet,
        f"words-{kind}",
        width_of=lambda column: EXAMPLES_WIDTH if column in ("won", "lost") else NUMBER_WIDTH,
        most_rows=MOST_ROWS,
        alt=f"Words by {kind}, with F1 of A and B",
    )
    if row is not None and (word := buckets[row].most_different) is not None:
        links.open_ngram((word,), ANYWHERE)
    export_menu(lambda: sheet, "words")
    st.caption("Click a kind to read the segments with the word in which A and B differ most.")


def _tested(view: Study, kind: str) -> SliceComparison:
    """The tests of the kinds; long ones show how far they are."""
    report, finish = widgets.progress_reporter(
        "Testing the words …", (view.test_set.digest, view.pair, kind, view.options, view.significance)
    )
    try:
        return cached.word_comparison(view.test_set, view.pair, kind, view.options, view.significance, progress=report)
    finally:
        finish()
