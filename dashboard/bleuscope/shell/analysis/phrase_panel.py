"""The phrases that tell most of each system, with examples; a click lists their segments."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from bleucore.analysis.attribution import BleuAttribution
from bleucore.analysis.differing_ngrams import Counted
from bleucore.analysis.ngram_phrases import Phrase, Phrases
from bleuscope.content import commands
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.ngrams import ngram_words, phrase_words, phrases
from bleuscope.content.ngrams.phrases import PhraseChoice, PhraseList
from bleuscope.content.segments.phrase_examples import phrase_examples
from bleuscope.shell.controls import row_links, widgets
from bleuscope.shell.controls.exports import export_menu
from bleuscope.shell.page.reproduction import command_note
from bleuscope.shell.state import cached, links

N_COLUMNS, N_SHOWN = 2, 3
"""Columns of phrases that are shown with examples, and how many of these in a column; the others are listed."""
MOST_ROWS, NAME_WIDTH, NUMBER_WIDTH, PART_WIDTH = 10, 190, 55, 94
WIDTHS = {"part": PART_WIDTH, "too_often": PART_WIDTH}


def phrase_panel(view: ComparisonContext, choice: PhraseChoice, attribution: BleuAttribution) -> None:
    """What the systems match more, have too often or miss, of all lengths together."""
    lists = phrases.phrase_lists(view, choice, partial(_found, view))
    widgets.html(phrase_words.phrases_verdict(view, lists, choice, attribution))
    has_parts = attribution.reason is None
    if not has_parts:
        st.caption(widgets.plain(ngram_words.NO_PARTS.format(attribution.reason)))
    shown = partial(_phrase, view, choice, has_parts=has_parts)
    columns = st.columns(N_COLUMNS, gap="large")
    for column, listed in zip(columns, lists, strict=False):
        with column:
            name = view.sides["AB".index(listed.side)]
            title = ngram_words.list_title(listed.side, name, choice.view, choice.against, names_side=view.compares)
            widgets.html(title)
            if not listed.leading:
                st.caption(phrase_words.NONE)
            for phrase in listed.leading[:N_SHOWN]:
                shown(listed, phrase)
    others = lists[0].leading[N_SHOWN : N_COLUMNS * N_SHOWN] if len(lists) == 1 else ()
    with columns[-1]:
        for phrase in others:
            shown(lists[0], phrase)
    for column, listed in zip(columns if len(lists) > 1 else [st.container()], lists, strict=True):
        with column:
            rest = listed.leading[N_SHOWN + len(others) :]
            _others(view, choice, listed, rest, phrase_words.next_label(rest), has_parts=has_parts)
            _others(view, choice, listed, listed.folded, phrase_words.folded_label(listed), has_parts=has_parts)
    export_menu(partial(phrases.phrases_sheet, view, lists, choice, has_parts=has_parts), "ngrams")
    st.caption(phrase_words.caption(choice))
    command_note(view, partial(commands.phrases_command, choice=choice), with_metrics=False, of_two=True)


def _found(view: ComparisonContext, pair: tuple[str, str], counted: Counted) -> Phrases:
    """The phrases of two systems, or of one that is named twice."""
    label = "Finding phrases …" if pair[0] != pair[1] else f"Finding phrases of {widgets.plain(pair[0])} …"
    return widgets.waited_for(label, cached.phrases(view.test_set, view.evaluation, pair, counted))


def _phrase(
    view: ComparisonContext, choice: PhraseChoice, listed: PhraseList, phrase: Phrase, *, has_parts: bool
) -> None:
    heading = phrase_words.phrase_heading(phrase, choice, has_parts=has_parts)
    widgets.html(heading + phrase_examples(view, phrase))
    key = f"phrase-{listed.side}-{' '.join(phrase.tokens)}"
    if st.button(phrase_words.read_label(phrase, choice), key=key, type="tertiary", icon=":material/arrow_forward:"):
        links.open_ngram(phrase.tokens, listed.where)


def _others(
    view: ComparisonContext,
    choice: PhraseChoice,
    listed: PhraseList,
    some: Sequence[Phrase],
    label: str,
    *,
    has_parts: bool,
) -> None:
    """Phrases that are folded away, or do not lead, in a table to click."""
    if not some:
        return
    with st.expander(widgets.plain(label)):
        chosen = row_links.chosen_row(
            phrases.clicked_sheet(view, listed, some, choice, has_parts=has_parts),
            f"phrases-{listed.side}-{some is listed.folded}",
            width_of=lambda column: WIDTHS.get(column, NUMBER_WIDTH),
            most_rows=MOST_ROWS,
            name_width=NAME_WIDTH,
            alt=label,
        )
    if chosen is not None:
        links.open_ngram(some[chosen].tokens, listed.where)
