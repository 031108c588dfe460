"""Where no campaign is open: what one is, and how it is opened."""

import hashlib
from dataclasses import replace
from typing import cast

import streamlit as st
from markupsafe import Markup

from bleucore import InputError
from bleucore.formats import Column
from bleucore.formats.campaign_plan import CampaignPlan
from bleucore.formats.campaign_roles import OTHER_LENGTH
from bleuscope.content.comparison.plan import plan_of_campaign
from bleuscope.content.sheets.html import html_table
from bleuscope.content.style import numbers
from bleuscope.features.campaign import open_campaign
from bleuscope.features.campaign import words as campaign_words
from bleuscope.features.campaign.panel_switch import sample_button
from bleuscope.features.campaign.plan_files import planned_of_uploads
from bleuscope.features.campaign.projects import plan_of_project
from bleuscope.features.campaign.sets import columns_of_set
from bleuscope.features.campaign.sheets_plan import layouts_sheet, not_read_sheet, plan_sheet
from bleuscope.shell.controls import widgets
from bleuscope.shell.server import live_sessions
from bleuscope.shell.state import links, session, workspace_in_use
from bleuscope.shell.uploads.manifest_button import save_manifest_button

UPLOADS = "campaign-files"
PLANNED, ONLY_SET, ALIGNS = "_planned_campaign", "_only_set_of_drop", "_campaign_aligns"
MOST_PROJECTS = 24


def opening_panel(problem: str | None) -> None:
    """What a campaign is, which layouts are read, and the drop zone."""
    if problem is not None:
        st.error(widgets.plain(problem), icon=":material/error:")
    gone = open_campaign.gone()
    if gone is not None:
        st.warning(widgets.plain(gone), icon=":material/link_off:")
        st.button("Start anew", on_click=open_campaign.start_anew, key="_start_anew")
    st.markdown(f"**{campaign_words.NOTHING_OPEN}**")
    widgets.html(Markup("<p>{}</p>").format(campaign_words.WHAT_IT_IS))
    with st.container(key="first-upload"):
        files = st.file_uploader("Drop an archive, or all files at once", accept_multiple_files=True, key=UPLOADS)
    folder = st.file_uploader("Or a whole folder", accept_multiple_files="directory", key=f"{UPLOADS}-folder")
    dropped = [*files, *folder]
    live_sessions.free_uploads("campaign", dropped)
    if not dropped:
        session.drop(PLANNED, ALIGNS)
    if dropped and _open([(file.name, file.getvalue()) for file in dropped]):
        st.rerun()
    if not dropped:
        with st.container(key="nothing-open", horizontal=True):
            sample_button()
    _projects()
    st.header("Supported formats", anchor=False)
    widgets.html(html_table(layouts_sheet(), style="bs-reasons"))
    widgets.copyable(campaign_words.NAME_A_PATH)
    widgets.html(Markup("<p>{}</p>").format(campaign_words.PATH_HELP))


def offer(files: list[tuple[str, bytes]]) -> None:
    """What files come to that were dropped on the page for one test set, and the button that opens them here."""
    if _open(files):
        links.go_to("campaign")


def only_set(files: list[tuple[str, bytes]]) -> tuple[Column, ...]:
    """The columns of dropped files that are one test set after all, in their roles; none where they are not."""
    try:
        with st.spinner("Reading …"):
            plan = _planned(files)
            if len(plan.sets) != 1:
                return ()
            kept_for, columns = session.get(ONLY_SET, (None, ()))
            if kept_for is not plan:
                columns = tuple(columns_of_set(plan.sets[0]))
                session.put(ONLY_SET, (plan, columns))
    except InputError:
        return ()  # whoever offers the campaign says what is wrong
    said = tuple(reason for _, reason in plan.left_out)
    return tuple(replace(one, notices=(*one.notices, *said)) if not place else one for place, one in enumerate(columns))


def _open(files: list[tuple[str, bytes]]) -> bool:
    """What files come to, and the button; whether it was pressed."""
    try:
        with st.spinner("Reading …"):
            plan = _planned(files)
    except InputError as error:
        st.error(widgets.plain(str(error)), icon=":material/error:")
        return False
    _offer_cuts(plan)
    widgets.html(html_table(plan_sheet(plan), style="bs-narrow"))
    if plan.left_out:
        with st.expander(f"{numbers.counted(len(plan.left_out), 'file')} left out, with the reasons"):
            widgets.html(html_table(not_read_sheet(plan.left_out, "What did not fit"), style="bs-reasons"))
    sets, systems = numbers.counted(len(plan.sets), "test set"), numbers.counted(len(plan.systems), "system")
    words = f"Score {sets} with {systems}"
    with st.container(horizontal=True, gap="small"):
        is_pressed = st.button(words, type="primary", key="open-campaign")
        save_manifest_button(plan_of_campaign(plan))
    if is_pressed:
        open_campaign.show(plan)
        session.drop(PLANNED)
    return is_pressed


def _offer_cuts(plan: CampaignPlan) -> None:
    """The button that takes outputs in other lines than the references, to be cut anew; nothing without any."""
    n_others = sum(OTHER_LENGTH in reason for _, reason in plan.left_out)
    if n_others:
        st.button(
            f"Cut {numbers.counted(n_others, 'output')} at the segments of the reference",
            key="align-campaign",
            icon=":material/content_cut:",
            help="Minimises word edits, as in speech translation scoring, and marks doubtful cuts.",
            on_click=session.put,
            args=(ALIGNS, True),
        )


def _planned(files: list[tuple[str, bytes]]) -> CampaignPlan:
    """What files come to, looked up where the run before had the same ones.

    Raises:
        InputError: No test set is found in them.
    """
    aligns = bool(session.get(ALIGNS, False))
    state = hashlib.sha256(b"aligned" if aligns else b"")
    for name, data in files:
        state.update(f"{len(name)} {name} {len(data)} ".encode(errors="surrogatepass"))
        state.update(data)
    digest, plan = session.get(PLANNED, ("", None))
    if digest != state.hexdigest():
        session.drop(PLANNED)
        session.drop(ONLY_SET)
        plan = planned_of_uploads(files, may_download=workspace_in_use.may_download(), aligns=aligns)
        session.put(PLANNED, (state.hexdigest(), plan))
    return cast("CampaignPlan", plan)


def _projects() -> None:
    """The projects of the workspace, whose test sets are a campaign too."""
    workspace = workspace_in_use.workspace()
    try:
        projects = [] if workspace is None else list(workspace_in_use.projects())
    except InputError:  # the page of projects says what is wrong
        return
    if workspace is None or not projects:
        return
    st.markdown("**Or a project**, the newest version of each system on each of its test sets.")
    with st.container(horizontal=True, gap="small"):
        for project in projects[:MOST_PROJECTS]:
            if st.button(widgets.plain(project.title), key=f"campaign-of-{project.slug}"):
                try:
                    may_read = workspace_in_use.project(project.slug, "read texts")
                    open_campaign.show(plan_of_project(workspace, may_read), project.slug)
                except InputError as error:
                    st.error(widgets.plain(str(error)))
                else:
                    st.rerun()
