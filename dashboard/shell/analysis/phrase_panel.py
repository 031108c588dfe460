"""The phrases that make the difference of A and B, with examples; a click lists their segments."""

from collections.abc import Sequence

import streamlit as st

from bleucore.analysis.attribution import BleuAttribution
from bleucore.analysis.ngram_phrases import Phrase
from dashboard.content import commands
from dashboard.content.comparison.study import Study
from dashboard.content.ngrams import ngram_words, phrase_words, phrases
from dashboard.content.ngrams.ngram_tables import LABELS, Side
from dashboard.content.segments.phrase_examples import phrase_examples
from dashboard.content.sheets.sheet import Sheet
from dashboard.shell.controls import row_links, widgets
from dashboard.shell.controls.exports import export_menu
from dashboard.shell.page.reproduction import command_note
from dashboard.shell.state import cached, links

N_SHOWN = 3
"""Phrases of a system that are shown with examples; the others are listed."""
MOST_ROWS, NAME_WIDTH, NUMBER_WIDTH, PART_WIDTH = 10, 200, 55, 78


def phrase_panel(view: Study, attribution: BleuAttribution) -> None:
    """What the systems match more, of all lengths together."""
    with st.spinner("Finding phrases …", show_time=True):
        found = cached.phrases(view.test_set, view.evaluation, view.pair)
    widgets.html(phrase_words.phrases_verdict(found, attribution))
    has_parts = attribution.reason is None
    if not has_parts:
        st.caption(widgets.plain(ngram_words.NO_PARTS.format(attribution.reason)))
    sheet = phrases.phrases_sheet(view, found, has_parts=has_parts)
    listed, n_won = (*found.won, *found.lost, *found.folded), len(found.won)
    ranges: dict[Side, range] = {"B": range(n_won), "A": range(n_won, n_won + len(found.lost))}
    for column, (side, rows) in zip(st.columns(2, gap="large"), ranges.items(), strict=True):
        with column:
            widgets.html(phrase_words.side_title(side, view.pair["AB".index(side)]))
            if not rows:
                st.caption(phrase_words.NONE)
            for row in rows[:N_SHOWN]:
                _phrase(view, listed[row], f"phrase-{row}", has_parts=has_parts)
            _others(phrase_words.next_label(rows[N_SHOWN:]), sheet, listed, rows[N_SHOWN:])
    _others(phrase_words.folded_label(found), sheet, listed, range(len(listed))[n_won + len(found.lost) :])
    export_menu(lambda: sheet, "ngrams")
    st.caption(phrase_words.CAPTION)
    command_note(view, commands.phrases_command, with_metrics=False, of_two=True)


def _phrase(view: Study, phrase: Phrase, key: str, *, has_parts: bool) -> None:
    widgets.html(phrase_words.phrase_heading(phrase, has_parts=has_parts) + phrase_examples(view, phrase))
    if st.button(phrase_words.read_label(phrase), key=key, type="tertiary", icon=":material/arrow_forward:"):
        _open(phrase)


def _others(label: str, sheet: Sheet, listed: Sequence[Phrase], rows: range) -> None:
    """Phrases that are folded away, or do not lead, in a table to click."""
    if not rows:
        return
    with st.expander(widgets.plain(label)):
        chosen = row_links.chosen_row(
            phrases.clicked_sheet(sheet, rows),
            f"phrases-{rows.start}",
            width_of=lambda column: PART_WIDTH if column == "part" else NUMBER_WIDTH,
            most_rows=MOST_ROWS,
            name_width=NAME_WIDTH,
            alt=label,
        )
    if chosen is not None:
        _open(listed[rows[chosen]])


def _open(phrase: Phrase) -> None:
    links.open_ngram(phrase.tokens, LABELS[phrases.side_of(phrase), "matched more"])
