"""What leaves the page of a campaign: sentences for a paper, and one offline file."""

from typing import Literal

import streamlit as st

from bleuscope.content import commands
from bleuscope.content.report import html_report, markdown_report
from bleuscope.content.style.wordings import SIGNIFICANCE, words_of
from bleuscope.features.campaign import params
from bleuscope.features.campaign import words_methods as campaign_methods
from bleuscope.features.campaign.frame import AskedCampaign
from bleuscope.features.campaign.report import campaign_report
from bleuscope.features.campaign.view import CampaignView, Grouping
from bleuscope.runtime import params as shared_params
from bleuscope.shell.controls import widgets
from bleuscope.shell.page.reproduction import BIBLIOGRAPHY_HEIGHT
from bleuscope.shell.state import cached, links, session

Form = Literal["HTML", "Markdown"]
FORMS: tuple[Form, ...] = ("HTML", "Markdown")
FILES: dict[Form, tuple[str, str]] = {
    "HTML": ("campaign.html", "text/html"),
    "Markdown": ("campaign.md", "text/markdown"),
}
MAKING = "Making the report …"


def paper_panel(view: CampaignView) -> None:
    """What was computed in a few sentences, with the bibliography."""
    panel = st.expander("For your paper", icon=":material/article:", **shared_params.PAPER.panel())
    if not panel.open:
        return
    with panel:
        st.code(campaign_methods.methods_sentence(view), language=None, wrap_lines=True)
        st.code(campaign_methods.bibtex(view), language=None, wrap_lines=True, height=BIBLIOGRAPHY_HEIGHT)


def report_panel(asked: AskedCampaign, view: CampaignView) -> None:
    """One offline file with everything on this page, and its address."""
    panel = st.expander("Report", icon=":material/description:", key="campaign_report", on_change="rerun")
    if not panel.open:
        return
    with panel:
        address = links.address_without_texts()
        form = st.segmented_control("Format", FORMS, default="HTML", required=True, key="campaign_report_form")
        grouping = session.get(params.CAMPAIGN_GROUPS, "none")
        key = ("campaign", *asked.key, view.baseline, form, grouping, address)
        work = cached.report(key, lambda _: _made(asked, view, form, address, grouping))
        if not (widgets.is_asked_for(MAKING, work) or st.button("Make the report", key="make_campaign_report")):
            return
        made = widgets.made_by(MAKING, work, is_asked_for=True)
        if made is not None:
            name, media_type = FILES[form]
            st.download_button(
                f"Save {name}", lambda: made, name, media_type, on_click="ignore", key="save_campaign_report"
            )


def command_of(asked: AskedCampaign, *, report: str | None = None) -> str:
    """The command that gives the numbers of the page, or writes a report to a file.

    Files that were dropped are looked for in the folder where it runs.
    """
    words = ["campaign", *params.CAMPAIGN_BASELINE.said(asked.baseline)]
    words += commands.metric_words(asked.options, names_tokenizer=not asked.has_own_tokenizers)
    words += words_of(asked.tests, SIGNIFICANCE)
    words += ["--report", report] if report is not None else []
    return commands.written([*words, commands.path_word(asked.opened.path or ".")])


def _made(asked: AskedCampaign, view: CampaignView, form: Form, address: str, grouping: Grouping) -> bytes:
    opened, command = asked.opened, None
    if opened.project is None:
        command = command_of(asked, report=FILES[form][0])
    report = campaign_report(view, grouping=grouping, command=command, link=address)
    return (html_report(report) if form == "HTML" else markdown_report(report)).encode()
