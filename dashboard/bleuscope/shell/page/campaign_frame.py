"""What surrounds the page of many test sets: which campaign is open, how it is scored, what it is measured against."""

from dataclasses import dataclass, replace

import streamlit as st
from markupsafe import Markup

from bleucore import BleuOptions, InputError
from bleucore.declarations import declarations
from bleucore.significance import SignificanceOptions
from bleuscope.content.style import markup, numbers
from bleuscope.shell.controls import widgets
from bleuscope.shell.page import new_session
from bleuscope.shell.state import open_campaign, session
from bleuscope.shell.state.open_campaign import OpenCampaign
from bleuscope.shell.state.page_list import Page

VIEW, PROBLEM = "_campaign_view", "_campaign_problem"
BASELINE, TOKENIZER = "campaign_baseline", "campaign_tok"
TESTS = SignificanceOptions()
"""As usual: the command takes others."""


@dataclass(frozen=True)
class AskedCampaign:
    """The open campaign, as it is to be scored.

    Attributes:
        opened: Its sets.
        options: How all sets are scored; ``None`` for BLEU with the tokenizer of each set.
        baseline: The system that all others are measured against.
    """

    opened: OpenCampaign
    options: BleuOptions | None
    baseline: str | None

    @property
    def key(self) -> tuple[object, ...]:
        """What its results rest on, without the baseline."""
        return (self.opened.digest, self.options, TESTS)


def draw(page: Page) -> None:
    """The title, and the sidebar of the open campaign."""
    st.title(page.title, anchor=False)
    new_session.note(None)
    st.set_page_config(page_title=f"{page.title} · bleuscope")
    session.drop(VIEW, PROBLEM)
    try:
        opened = open_campaign.current()
    except InputError as error:  # what was named at the start cannot be read
        session.put(PROBLEM, str(error))
        return
    open_campaign.write_address()
    if opened is None:
        return
    st.set_page_config(page_title=f"{page.title} · {opened.plan.title} · bleuscope")
    with st.sidebar:
        _card(opened)
        if st.button("Open another campaign", type="tertiary", icon=":material/folder_open:", key="other-campaign"):
            open_campaign.close()
            st.rerun()
        session.put(VIEW, AskedCampaign(opened, _options(), _baseline(opened)))


def asked() -> AskedCampaign | None:
    """What the page is about; ``None`` where no campaign is open."""
    found: AskedCampaign | None = session.get(VIEW)
    return found


def problem() -> str | None:
    """Why the campaign that was named at the start cannot be opened."""
    found: str | None = session.get(PROBLEM)
    return found


def _card(opened: OpenCampaign) -> None:
    facts = [
        ("test sets", numbers.count(len(opened.plan.sets))),
        ("systems", numbers.count(len(opened.plan.systems))),
    ]
    widgets.html(
        Markup('<div class="bs-open"><p class="bs-title"><bdi>{}</bdi></p>{}</div>').format(
            opened.plan.title, markup.facts([(value, name) for name, value in facts])
        )
    )


def _baseline(opened: OpenCampaign) -> str | None:
    names = sorted(opened.plan.systems, key=str.casefold)
    session.keep_valid(BASELINE, (None, *names))
    return st.selectbox(
        "Compared with",
        names,
        index=None,
        placeholder="all with each other",
        key=BASELINE,
        help="A baseline that was chosen before looking: the others are tested against it alone, p is corrected for "
        "these pairs. Without one, p is corrected for all pairs.",
        bind="query-params",
        persist_state="session",
    )


def _options() -> BleuOptions | None:
    """The options of BLEU; ``None`` for those of each set."""
    names = declarations(BleuOptions)["tokenizer"].accepts.choices  # type: ignore[union-attr]  # names
    session.keep_valid(TOKENIZER, (None, *names))
    tokenizer = st.selectbox(
        "Tokenizer",
        names,
        index=None,
        placeholder="of each target language",
        key=TOKENIZER,
        help="Unless chosen, every test set has the tokenizer that its target language needs. All other settings are "
        "sacreBLEU's; the command takes others.",
        bind="query-params",
        persist_state="session",
    )
    return None if tokenizer is None else replace(BleuOptions(), tokenizer=tokenizer)
