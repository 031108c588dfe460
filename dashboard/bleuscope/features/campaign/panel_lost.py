"""Phrases on which one system is worse than another in every test set of a language, and links to their segments."""

from dataclasses import replace
from typing import cast

import streamlit as st

from bleucore import BleuOptions, evaluate
from bleucore.analysis.token_kinds import KINDS
from bleucore.campaign import SetResult
from bleucore.campaign.lost_everywhere import LostEverywhere, LostPhrase, ScoredTexts, lost_everywhere
from bleucore.campaign.set_kinds import SetKinds, set_kinds
from bleucore.counts import Progress
from bleucore.formats.campaign_plan import PlannedSet
from bleuscope.content.ngrams.ngram_tables import as_read
from bleuscope.content.sheets.sheet import Sheet
from bleuscope.features.campaign import kept as kept_campaigns
from bleuscope.features.campaign import params
from bleuscope.features.campaign import sheets_lost as lost_sheets
from bleuscope.features.campaign.frame import AskedCampaign
from bleuscope.features.campaign.opened_sets import open_comparison
from bleuscope.features.campaign.set_work import options_of
from bleuscope.features.campaign.sets import open_set
from bleuscope.features.campaign.sheets_kinds import kinds_of_sets_sheet
from bleuscope.features.campaign.view import CampaignView
from bleuscope.shell.controls import choices, row_links, widgets
from bleuscope.shell.controls.exports import part_of_fragment
from bleuscope.shell.state import links, session

CHOSEN = "_lost_phrase"
MOST_ROWS, NUMBER_WIDTH, NAME_WIDTH = 8, 110, 260
MOST_SEGMENTS_UNASKED = 5_000
"""Of all test sets together."""
WIDTHS = {"segments": 420}


def lost_panel(asked: AskedCampaign, view: CampaignView) -> None:
    """Closed at first where there are many texts, because all are read for it; nothing of one system."""
    if len(view.systems) == 1:
        return
    st.header("Worse on every test set", anchor=False)
    panel = st.expander(
        "Phrases and segments on which one system is worse than another, in every test set",
        sum(one.n_segments for one in view.sets) <= MOST_SEGMENTS_UNASKED,
        **params.LOST.panel(),
    )
    if not panel.open:
        return
    with panel:
        if not asked.is_in_bleu:
            widgets.html(lost_sheets.counted_in_bleu(view.metric))
        loser, winner, sets = _choices(asked, view)
        if not sets:
            st.info("No test set has both systems: choose others.", icon=":material/info:")
            return
        if any(one.n_runs(loser, winner) for one in sets):
            st.caption("The texts are those of each recipe's first run.")
        found = _found(asked, loser, winner, sets)
        if found is not None:
            lost, kinds = found
            _shown(asked, view, lost)
            _kinds(asked, view, kinds, (loser, winner))


def _choices(asked: AskedCampaign, view: CampaignView) -> tuple[str, str, tuple[SetResult, ...]]:
    """Who loses against whom, and the sets of a language that have both."""
    order = list(view.order())
    first = view.baseline or order[1]
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        loser = widgets.system_choice("Where is this system worse", params.LOST_BY, order, index=order.index(first))
        others = [name for name in order if name != loser]
        winner = widgets.system_choice("than", params.LOST_AGAINST, others)
        tokenizers = (
            None if asked.is_in_bleu else {one.name: _options(asked, one).tokenizer for one in asked.opened.plan.sets}
        )
        languages = lost_sheets.languages_with_both(view, loser, winner, tokenizers)
        if not languages:
            return loser, winner, ()
        language = choices.selected(params.LOST_IN, "in all test sets into", languages)
    return loser, winner, languages[language]


def _options(asked: AskedCampaign, planned: PlannedSet) -> BleuOptions:
    """Those of BLEU for a test set, whatever metric the campaign is scored in."""
    return cast("BleuOptions", options_of(planned, asked.bleu, own=asked.has_own_tokenizers))


def _found(
    asked: AskedCampaign, loser: str, winner: str, sets: tuple[SetResult, ...]
) -> tuple[LostEverywhere, tuple[SetKinds, ...]] | None:
    names = tuple(one.name for one in sets)
    planned = {one.name: one for one in asked.opened.plan.sets}
    runs = {(system, one.name): one.runs_of(system)[0][0] for one in sets for system in (loser, winner)}

    def make(report: Progress | None) -> tuple[LostEverywhere, tuple[SetKinds, ...]]:
        texts, kinds = [], []
        for done, name in enumerate(names, start=1):
            of_both = {system: planned[name].systems[runs[system, name]] for system in (loser, winner)}
            test_set = open_set(replace(planned[name], systems=of_both))
            options = _options(asked, planned[name])
            texts.append(ScoredTexts(name, test_set, evaluate(test_set, options)))
            kinds.append(set_kinds(name, test_set, (loser, winner), options))
            if report is not None:
                report(done / (len(names) + 1))
        return lost_everywhere(texts, loser, winner), tuple(kinds)

    key = ("lost", *asked.key_of_texts, loser, winner, names, tuple(runs.items()))
    return widgets.made_by("Reading the texts …", kept_campaigns.lost_everywhere(key, make))


def _shown(asked: AskedCampaign, view: CampaignView, lost: LostEverywhere) -> None:
    widgets.html(lost_sheets.lost_verdict(lost) + lost_sheets.left_out_words(lost))
    if lost.phrases:
        sheet = lost_sheets.phrases_sheet(lost, lost.phrases)
        row = row_links.chosen_row(
            sheet,
            "lost-phrases",
            width_of=lambda _: NUMBER_WIDTH,
            most_rows=MOST_ROWS,
            alt=sheet.title,
            name_width=NAME_WIDTH,
        )
        if row is not None:
            session.put(CHOSEN, lost.phrases[row].tokens)
        part_of_fragment(lambda: sheet, "lost_phrases")
        chosen = next((one for one in lost.phrases if one.tokens == session.get(CHOSEN)), lost.phrases[0])
        _phrase(asked, view, lost, chosen)
    costly = lost_sheets.costly_segments_sheet(lost)
    st.markdown(f"**Segments that cost {widgets.plain(lost.loser)} most.** Click a test set to open them.")
    place = _chosen_row(costly, "lost-segments")
    if place is not None:
        name = lost.segments[place].name
        if open_comparison(asked, view, name, (lost.loser, lost.winner), led_by=asked.bleu):
            links.go_to("segments")


def _kinds(asked: AskedCampaign, view: CampaignView, kinds: tuple[SetKinds, ...], pair: tuple[str, str]) -> None:
    """What the lead consists of on each set, or what one kind does; the name of a set opens its systems or segments."""
    st.markdown(f"**What {widgets.plain(pair[1])} gains, by kind of error.** Click a test set to open it.")
    kind = st.pills("Kind of error", KINDS, label_visibility="collapsed", **params.LOST_TO_KIND.bound())
    if kind is not None:
        of_kind = KINDS.index(kind)
        kinds = tuple(sorted(kinds, key=lambda one: -abs(one.gains[of_kind])))
    sheet = kinds_of_sets_sheet(kinds, pair, kind)
    place = _chosen_row(sheet, "kinds-of-sets")
    part_of_fragment(lambda: sheet, sheet.name)
    if place is not None and open_comparison(asked, view, kinds[place].name, pair, led_by=asked.bleu):
        if kind is None:
            links.go_to("compare")
        else:
            links.open_kind(kind, compares=True)


def _chosen_row(sheet: Sheet, key: str) -> int | None:
    """A table to click, and the row that was."""
    return row_links.chosen_row(
        sheet,
        key,
        width_of=lambda column: WIDTHS.get(column, NUMBER_WIDTH),
        most_rows=MOST_ROWS,
        alt=sheet.title,
        name_width=NAME_WIDTH,
    )


def _phrase(asked: AskedCampaign, view: CampaignView, lost: LostEverywhere, phrase: LostPhrase) -> None:
    """A phrase on each set; the name of a set opens the segments where it is lost."""
    by_set = lost_sheets.phrase_by_set_sheet(lost, phrase)
    st.markdown(f"**{widgets.plain(as_read(phrase.tokens))}**: the name of a test set opens its segments.")
    place = _chosen_row(by_set, "lost-phrase")
    pair = (lost.loser, lost.winner)
    if place is not None and open_comparison(asked, view, lost.sets[place], pair, led_by=asked.bleu):
        links.open_ngram(phrase.tokens, lost_sheets.WHERE_LOST)
