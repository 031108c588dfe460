"""N-grams that two systems win and lose, or that a system has too often and misses: what to list, and the lists.

They are shown as phrases of all lengths, unless one length is chosen.
"""

from collections.abc import Sequence
from functools import partial
from typing import TypeVar

import streamlit as st

from bleucore.analysis.attribution import BleuAttribution
from bleucore.analysis.ngram_types import OrderTypes
from bleuscope.content import commands
from bleuscope.content.comparison.comparison_context import ComparisonContext
from bleuscope.content.ngrams import ngram_sheets, ngram_tables, ngram_words
from bleuscope.content.ngrams.ngram_tables import (
    AGAINST,
    PART,
    RATIO,
    VIEWS,
    WORTH,
    NgramChoice,
    NgramList,
    Side,
)
from bleuscope.content.ngrams.phrases import PhraseChoice
from bleuscope.runtime import params
from bleuscope.runtime.param import Param
from bleuscope.shell.analysis.phrase_panel import phrase_panel
from bleuscope.shell.controls import choices, row_links, widgets
from bleuscope.shell.controls.exports import export_menu
from bleuscope.shell.page.reproduction import command_note
from bleuscope.shell.state import cached, links

ALL_LENGTHS = "all"
MOST_ROWS = 14
LIST_WIDTH, FIND_WIDTH = 444, 180
"""Pixels: of the columns of a list together, which leaves nothing to scroll to on a common screen."""
WIDTHS = {"too_often": 64, "missed": 58, "part": 94, "worth": 70, "log_likelihood": 58}
COUNT_WIDTH = 48

Option = TypeVar("Option", bound=str)


def ngram_panel(view: ComparisonContext) -> None:
    """The choice of n-grams and their lists; a click on one opens its segments."""
    attribution = cached.bleu_attribution(view.evaluation, view.both)
    choice = _choice(view, attribution)
    if isinstance(choice, PhraseChoice):
        phrase_panel(view, choice, attribution)
        return
    work = cached.ngrams(view.test_set, view.evaluation, view.both)
    types = widgets.waited_for("Counting n-grams …", work)[choice.order - 1]
    if view.compares:
        widgets.html(ngram_words.totals_verdict(types, choice.view, attribution))
    else:
        widgets.html(ngram_words.one_system_verdict(types, choice.view, view.sides[0]))
    if attribution.reason is not None:
        st.caption(widgets.plain(ngram_words.NO_PARTS.format(attribution.reason)))
    lists = _lists(view, choice, types, attribution)
    for column, listed in zip(st.columns(len(lists), gap="medium"), lists, strict=True):
        with column:
            _list(view, choice, listed)
    export_menu(partial(ngram_sheets.ngrams_sheet, view, lists, choice), "ngrams")
    st.caption(ngram_words.CAPTION)
    command_note(view, partial(commands.ngrams_command, choice=choice), with_metrics=False, of_two=True)


def _choice(view: ComparisonContext, attribution: BleuAttribution) -> NgramChoice | PhraseChoice:
    """What to list."""
    against = AGAINST[0] if view.compares else AGAINST[1]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        kind = _control("Show", params.NGRAM_VIEW, VIEWS if view.compares else VIEWS[1:])
        orders = tuple(str(order) for order in range(1, view.evaluation.options.max_order + 1))
        order = _control("Tokens", params.NGRAM_ORDER, (ALL_LENGTHS, *orders))
        if kind != VIEWS[0] and view.compares:
            against = _control("Against", params.NGRAM_AGAINST, AGAINST, help_text=ngram_words.AGAINST_HELP)
        if order == ALL_LENGTHS:
            return PhraseChoice(kind, against)
        part = None if attribution.reason is not None else PART if against == AGAINST[0] else WORTH
        rank = _rank(part)
        find = st.text_input("Find in the n-grams", placeholder="any", width=FIND_WIDTH, **params.NGRAM_FIND.bound())
    return NgramChoice(kind, int(order), against, part, rank, (find or "").strip())


def _rank(part: str | None) -> str:
    """By parts or by G²; worth follows the counts alone, so that it does not come first."""
    if part == PART:
        return _control("Rank by", params.NGRAM_RANK, (PART, RATIO), help_text=ngram_words.rank_help(part))
    options = (RATIO,) if part is None else (RATIO, WORTH)
    return _control("Rank by", params.NGRAM_RANK_ALONE, options, help_text=ngram_words.rank_help(part))


def _control(label: str, key: Param, options: Sequence[Option], *, help_text: str | None = None) -> Option:
    return choices.segmented(key, label, options, help=help_text)


def _lists(
    view: ComparisonContext, choice: NgramChoice, types: OrderTypes, attribution: BleuAttribution
) -> Sequence[NgramList]:
    if choice.view == "won and lost":
        return ngram_tables.won_and_lost(types)
    if choice.against == "the other system":
        return ngram_tables.unmatched_by_system(types, choice.view, attribution)
    sides: tuple[Side, ...] = ("B", "A") if view.compares else ("A",)
    return [
        cached.unmatched_ngrams(view.test_set, view.evaluation, view.both, choice.view, choice.order, side)
        for side in sides
    ]


def _list(view: ComparisonContext, choice: NgramChoice, listed: NgramList) -> None:
    name = view.sides["AB".index(listed.side)]
    rows = listed.ranked(choice.rank, find=choice.find)
    title = ngram_words.list_title(listed.side, name, choice.view, choice.against, names_side=view.compares)
    widgets.html(title)
    if rows:
        sheet = ngram_sheets.ngram_list_sheet(view, listed, choice)
        chosen = row_links.chosen_row(
            sheet,
            f"ngrams-{listed.side}",
            width_of=_width,
            most_rows=MOST_ROWS,
            name_width=LIST_WIDTH - sum(_width(one.key) for one in sheet.fields[1:]),
            alt=f"{ngram_words.title_words(choice.view, choice.against)} {name}",
        )
        if chosen is not None:
            links.open_ngram(rows[chosen].tokens, listed.where)
    widgets.html(ngram_words.list_note(listed, rows, part=choice.part, find=choice.find))


def _width(column: str) -> int:
    return WIDTHS.get(column, COUNT_WIDTH)
