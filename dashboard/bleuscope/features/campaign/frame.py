"""What surrounds the page of many test sets: which campaign is open, how it is scored, what it is measured against."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

import streamlit as st
from markupsafe import Markup

from bleucore import BleuOptions, InputError
from bleucore.campaign import HELD_PAIRS
from bleucore.declarations import declarations
from bleucore.experiments.design import design_of
from bleucore.metrics import MetricOptions, metric_of
from bleucore.significance import SignificanceOptions
from bleucore.tokens.tokenizer_choice import AnyTokenizerName
from bleuscope.content.comparison import link_notes
from bleuscope.content.style import markup
from bleuscope.features.campaign import open_campaign, params
from bleuscope.features.campaign import words as campaign_words
from bleuscope.features.campaign.open_campaign import OpenCampaign
from bleuscope.registry import Page
from bleuscope.shell.controls import choices, widgets
from bleuscope.shell.page import named_views, new_session
from bleuscope.shell.page.share_panel import share_panel
from bleuscope.shell.page.significance_settings import significance_options
from bleuscope.shell.state import links, session

VIEW, PROBLEM = "_campaign_view", "_campaign_problem"


@dataclass(frozen=True)
class AskedCampaign:
    """The open campaign, as it is to be scored.

    Attributes:
        opened: Its sets.
        options: How all sets are scored: ``bleu``, or another metric's.
        bleu: The settings of BLEU, which cut texts into phrases whatever the metric.
        has_own_tokenizers: Whether each set has the tokenizer that it proposes, not that of ``bleu``.
        tests: How differences are tested.
        baseline: The system that all others are measured against.
    """

    opened: OpenCampaign
    options: MetricOptions
    bleu: BleuOptions
    has_own_tokenizers: bool
    tests: SignificanceOptions
    baseline: str | None

    @property
    def compared_with(self) -> str | None:
        """The system that all others are compared with alone; ``None`` where all are compared with each other.

        Of few systems all pairs are made at once, so that another baseline takes no new scoring.
        """
        most = max((len(one.systems) for one in self.opened.plan.sets), default=0)
        return self.baseline if comb(most, 2) > HELD_PAIRS else None

    @property
    def n_pairs(self) -> int:
        """How many pairs of systems are compared, on all sets together."""
        return sum(self._n_pairs_of(list(one.systems)) for one in self.opened.plan.sets)

    def _n_pairs_of(self, systems: Sequence[str]) -> int:
        """Those of a test set: of many systems the ones with the baseline, which are none where it is missing."""
        n_all = comb(len(systems), 2)
        if self.compared_with is None or n_all <= HELD_PAIRS:
            return n_all
        return len(systems) - 1 if self.compared_with in systems else 0

    @property
    def is_in_bleu(self) -> bool:
        """Whether BLEU is what all sets are scored in."""
        return self.options == self.bleu

    @property
    def key(self) -> tuple[object, ...]:
        """What its results rest on."""
        has_own = self.is_in_bleu and self.has_own_tokenizers
        return (self.opened.digest, self.options, has_own, self.tests, self.compared_with)

    @property
    def key_of_texts(self) -> tuple[object, ...]:
        """What its phrases rest on."""
        return (self.opened.digest, self.bleu, self.has_own_tokenizers)


def draw(page: Page) -> None:
    """The title, and the sidebar of the open campaign."""
    with st.container(key="head"):
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
    _changed_note(opened)
    st.set_page_config(page_title=f"{page.title} · {opened.plan.title} · bleuscope")
    with st.sidebar:
        _card(opened)
        _link_popover(opened, page)
        if st.button("Open another campaign", type="tertiary", icon=":material/folder_open:", key="other-campaign"):
            open_campaign.close()
            st.rerun()
        baseline = _baseline(opened)
        bleu, options = widgets.metric_of_all(params.CAMPAIGN_METRIC, _bleu)
        if options != bleu:
            st.caption(widgets.plain(campaign_words.settings_of(metric_of(options).name(options))))
        has_documents = any(one.documents is not None for one in opened.plan.sets)
        tests = significance_options(has_documents=has_documents, seed_key=params.CAMPAIGN_SEED)
        session.put(
            VIEW, AskedCampaign(opened, options, bleu, session.get(params.CAMPAIGN_TOKENIZER) is None, tests, baseline)
        )


def asked() -> AskedCampaign | None:
    """What the page is about; ``None`` where no campaign is open."""
    found: AskedCampaign | None = session.get(VIEW)
    return found


def problem() -> str | None:
    """Why the campaign that was named at the start cannot be opened."""
    found: str | None = session.get(PROBLEM)
    return found


def _changed_note(opened: OpenCampaign) -> None:
    """Say where a link is opened on other files than it was made for, until it is seen to."""
    expected = open_campaign.changed()
    if expected is not None:
        said = campaign_words.link_changed(opened.plan.title, opened.digest, expected)
        st.warning(widgets.plain(said), icon=":material/link_off:")
        st.button("Go on with what is shown", on_click=open_campaign.go_on, key="_go_on")


def _link_popover(opened: OpenCampaign, page: Page) -> None:
    """The address to copy, and to keep under a name."""
    popover = st.popover("Link to this view", type="tertiary", icon=":material/link:", key="link", on_change="rerun")
    if not popover.open:
        return
    with popover:
        address = links.address_without_texts()
        st.code(address, language=None, wrap_lines=True)
        st.caption(campaign_words.OF_LINK)
        of_files = campaign_words.LINK_OF_NAMED if opened.path is not None else campaign_words.LINK_OF_DROPPED
        st.caption(of_files if opened.project is None else link_notes.FOR_PROJECT)
        named_views.keep_field(page.name, address.partition("?")[2])
        share_panel(page, address, opened.project)


def _card(opened: OpenCampaign) -> None:
    facts = [markup.fact(len(opened.plan.sets), "test set"), markup.fact(len(opened.plan.systems), "system")]
    widgets.html(
        Markup('<div class="bs-open"><p class="bs-title"><bdi>{}</bdi></p>{}</div>').format(
            opened.plan.title, markup.facts(facts)
        )
    )


def _baseline(opened: OpenCampaign) -> str | None:
    design = design_of(opened.plan.systems, recipes=dict(opened.plan.runs))
    names = sorted(design.recipes, key=str.casefold)
    return choices.selected_if_any(
        params.CAMPAIGN_BASELINE,
        "Baseline",
        names,
        "none: test all pairs",
        help="Choose it before you look at scores. The others are tested against it alone, with p corrected for "
        "these pairs. Without one, p is corrected for all pairs.",
    )


def _bleu() -> BleuOptions:
    """The options of BLEU, those of comparisons: a cell that is opened has them, too."""
    tokenizer = _tokenizer()
    with st.expander("Scoring options", expanded=False):
        return widgets.changed_options(lambda: tokenizer or BleuOptions.tokenizer)


def _tokenizer() -> AnyTokenizerName | None:
    """The tokenizer for all sets; ``None`` for that of each set."""
    names = declarations(BleuOptions)["tokenizer"].accepts.choices  # type: ignore[union-attr]  # names
    return choices.selected_if_any(
        params.CAMPAIGN_TOKENIZER,
        "Tokenizer",
        names,
        "by target language",
        help="By default, each test set uses the tokenizer for its target language.",
    )
