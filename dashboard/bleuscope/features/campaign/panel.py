"""The pages of a campaign: verdict and cells, pairs, segments, what it depends on, test sets, what leaves it."""

import re

import streamlit as st

from bleucore import InputError
from bleucore.campaign import combine
from bleucore.counts import Progress
from bleuscope.content import commands
from bleuscope.content.style import markup, numbers
from bleuscope.content.style.sentences import note
from bleuscope.content.style.terms import explaining
from bleuscope.features.campaign import frame as campaign_frame
from bleuscope.features.campaign import kept as kept_campaigns
from bleuscope.features.campaign import panel_matrix as matrix_panel
from bleuscope.features.campaign import panel_opening as campaign_opening
from bleuscope.features.campaign import panel_over_all as over_all_panel
from bleuscope.features.campaign import params
from bleuscope.features.campaign import sheets as campaign_sheets
from bleuscope.features.campaign import sheets_plan as plan_sheets
from bleuscope.features.campaign import words as campaign_words
from bleuscope.features.campaign.frame import AskedCampaign
from bleuscope.features.campaign.opened_sets import open_comparison, pair_with, values_of
from bleuscope.features.campaign.panel_lost import lost_panel
from bleuscope.features.campaign.panel_paper import command_of, paper_panel, report_panel
from bleuscope.features.campaign.running import run_campaign
from bleuscope.features.campaign.view import CampaignView
from bleuscope.runtime import params as shared_params
from bleuscope.shell.controls import widgets
from bleuscope.shell.controls.exports import shown_table
from bleuscope.shell.page.reproduction import LABEL
from bleuscope.shell.state import links, session, workspace_in_use
from bleuscope.shell.state.page_list import PAGES

ASKED_CELL = "_cell"
"""Where the browser says which cell was pressed (``cells.js``)."""
MOST_PAIRS_UNASKED = 50_000
"""Of all test sets together; more take minutes."""
MOST_SETS = 60
ALL_PAIRS_ASKED = "_all_pairs_asked"
A_CELL = re.compile(r"(\d*)-(\d+)\.\d+")


def summary_page() -> None:
    """The verdict, every cell, and the systems over all test sets."""
    found = _opened()
    if found is None:
        return
    asked, view = found
    _go_where_it_is()
    _open_asked(asked, view)
    widgets.html(explaining(campaign_words.campaign_verdict(view), "clusters"))
    widgets.html(markup.facts(view.facts))
    widgets.html(campaign_words.left_out_note(view))
    _hidden_field()
    matrix_panel.matrix_panel(view)
    over_all_panel.systems_panel(view)


def _go_where_it_is() -> None:
    """Go on to the page that has what an older address opens: once the first page had everything."""
    for key, page in ((params.LOST, "campaign_segments"), (shared_params.PAPER, "campaign_share")):
        if list(session.asked().get(key, ())) == ["true"]:
            links.go_on_to(page)


def compare_page() -> None:
    """Systems two by two: over all test sets, and on each."""
    found = _opened()
    if found is None:
        return
    asked, view = found
    _open_asked(asked, view)
    _hidden_field()
    if len(view.systems) == 1:
        widgets.html(note("{}", campaign_words.ONE_SYSTEM))
    over_all_panel.pairs_panel(view)
    matrix_panel.differences_panel(view)


def segments_page() -> None:
    """Phrases and segments of all test sets; a test set opens its own."""
    found = _opened()
    if found is None:
        return
    asked, view = found
    lost_panel(asked, view)
    _sets_to_open(asked, view)


def trust_page() -> None:
    """Test sets against the rest, and how all were scored."""
    found = _opened()
    if found is None:
        return
    asked, view = found
    if len(view.sets) > 1 and view.pairs:
        over_all_panel.against_the_rest(view)
    else:
        widgets.html(note("{}", campaign_words.NOTHING_AGAINST))
    _signatures(asked, view)


def data_page() -> None:
    """The test sets, and the files that did not fit."""
    found = _opened()
    if found is None:
        return
    _, view = found
    st.header("Test sets", anchor=False)
    shown_table(campaign_sheets.sets_sheet(view), style="bs-narrow")
    _left_out(view)


def share_page() -> None:
    """What leaves the campaign."""
    found = _opened()
    if found is None:
        return
    asked, view = found
    paper_panel(view)
    report_panel(asked, view)
    _command(asked)


def _opened() -> tuple[AskedCampaign, CampaignView] | None:
    """The open campaign; without one, what a campaign is and how one is opened."""
    asked = campaign_frame.asked()
    if asked is None:
        campaign_opening.opening_panel(campaign_frame.problem())
        return None
    view = _view(asked)
    return None if view is None else (asked, view)


def _view(asked: AskedCampaign) -> CampaignView | None:
    """The campaign, scored, tested and combined; long work shows how far it is."""
    plan, kept = asked.opened.plan, workspace_in_use.workspace()

    def run(report: Progress | None) -> kept_campaigns.ScoredSets:
        done = run_campaign(
            plan,
            asked.options,
            asked.tests,
            own_tokenizers=asked.has_own_tokenizers,
            baseline=asked.compared_with,
            kept=None if kept is None else kept.caches,
            progress=report,
        )
        return done.results, done.failed

    work = kept_campaigns.campaign_results(asked.key, run)
    if not work.is_done and _waits_for_a_word(asked):
        return None
    found = widgets.made_by(f"Scoring {numbers.counted(len(plan.sets), 'test set')} …", work, is_asked_for=True)
    if found is None:
        return None
    results, failed = found
    left_out = plan.left_out
    if not results:
        st.error("No test set could be scored.")
        shown_table(plan_sheets.not_read_sheet((*failed, *left_out), "What did not fit"), style="bs-narrow")
        return None

    def make() -> CampaignView:
        campaign = combine(results, baseline=asked.baseline, level=asked.tests.level)
        return CampaignView(plan.title, campaign, left_out, failed, scoring=asked.options)

    key = (*asked.key, asked.baseline, plan.title, left_out)
    if kept_campaigns.is_campaign_known(key):
        return kept_campaigns.campaign(key, make)
    try:
        with st.spinner("Combining the test sets …"):
            return kept_campaigns.campaign(key, make)
    except InputError as error:
        st.error(widgets.plain(str(error)))
        return None


def _waits_for_a_word(asked: AskedCampaign) -> bool:
    """Whether there are so many pairs that they are compared only once somebody says so; asks for that."""
    if asked.n_pairs <= MOST_PAIRS_UNASKED or session.get(ALL_PAIRS_ASKED) == asked.opened.digest:
        return False
    plan = asked.opened.plan
    widgets.html(campaign_words.many_pairs_note(asked.n_pairs, len(plan.systems), len(plan.sets)))
    st.button(
        "Compare all with each other",
        key="compare-all-pairs",
        on_click=session.put,
        args=(ALL_PAIRS_ASKED, asked.opened.digest),
    )
    return True


def _hidden_field() -> None:
    """Where the browser says which cell was pressed; out of sight."""
    with st.container(key="cell-asked"):
        st.text_input("Cell", key=ASKED_CELL, max_chars=40, label_visibility="collapsed")


def _open_asked(asked: AskedCampaign, view: CampaignView) -> None:
    """Open the comparison of the cell that was pressed, or the test set of a column."""
    pressed = A_CELL.fullmatch(session.get(ASKED_CELL) or "")
    if pressed is None:
        return
    session.drop(ASKED_CELL)
    system, place = pressed[1], int(pressed[2])
    if place >= len(view.sets) or (system and int(system) >= len(view.systems)):
        return
    name = view.sets[place].name
    pair = pair_with(view, name, view.systems[int(system)]) if system else None
    if not open_comparison(asked, view, name, pair):
        return
    if pair is None:
        links.go_to("overview")
    elif _is_of_runs(view, name, view.systems[int(system)]) and "runs" in PAGES:
        links.go_to("runs", values_of(pair))  # of all runs of both
    else:
        links.go_to("compare", values_of(pair))


def _is_of_runs(view: CampaignView, set_name: str, system: str) -> bool:
    """Whether a cell is about a recipe that has several runs on its test set, or is measured against one."""
    one, pair = view.campaign.set_called(set_name), view.opened_pair(system, set_name)
    return pair is not None and any(len(one.runs_of(name)) > 1 for name in pair)


def _sets_to_open(asked: AskedCampaign, view: CampaignView) -> None:
    """A button for each test set, which opens its segments."""
    st.header("Segments of one test set", anchor=False)
    with st.container(horizontal=True, gap="small", key="sets-to-open"):
        for one in view.sets[:MOST_SETS]:
            is_pressed = st.button(widgets.plain(one.name), key=f"segments-of-{one.name}")
            if is_pressed and open_comparison(asked, view, one.name):
                links.go_to("segments")
    if len(view.sets) > MOST_SETS:
        widgets.html(
            note("The first {} of {} test sets; Summary opens the others.", str(MOST_SETS), str(len(view.sets)))
        )


def _left_out(view: CampaignView) -> None:
    found = (*view.failed, *view.left_out)
    if found:
        st.header("What did not fit", anchor=False)
        shown_table(plan_sheets.not_read_sheet(found, "What did not fit"), style="bs-reasons")


def _signatures(asked: AskedCampaign, view: CampaignView) -> None:
    widgets.heading("Signatures")
    by_signature: dict[str, list[str]] = {}
    for one in view.sets:
        by_signature.setdefault(one.signature, []).append(one.name)
    for signature in (*by_signature, asked.tests.signature()):
        widgets.copyable(signature)


def _command(asked: AskedCampaign) -> None:
    if asked.opened.project is not None:  # its texts lie in no folder that a command could be given
        return
    with st.expander(LABEL, icon=":material/terminal:"):
        widgets.copyable(command_of(asked))
        if asked.opened.path is None:
            st.caption(commands.IN_THEIR_FOLDER)
