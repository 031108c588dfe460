"""How the pages of a campaign speak."""

import pytest

from bleucore.campaign import combine
from bleuscope.features.campaign.view import CampaignView
from bleuscope.features.campaign.words import campaign_verdict
from bleuscope.shell.state.page_list import PAGES
from tests.page_texts import sentences, texts_of, words
from tests.voice import faults_of


@pytest.mark.parametrize("page", [name for name, page in PAGES.items() if page.subject == "campaign"])
def test_pages_of_campaigns_speak_plainly(page, open_campaign, record_property):
    found = texts_of(open_campaign(door=page))
    record_property(f"{page} of three test sets", found)
    assert not faults_of(found)


@pytest.mark.parametrize("baseline", [None, "best"])
def test_a_verdict_has_two_sentences_of_twenty_words_at_most(baseline, made_campaign, read_html):
    view = CampaignView("Made", combine(made_campaign.sets, baseline=baseline))
    (said,) = read_html(campaign_verdict(view)).of_class("bs-verdict")
    assert len(sentences(said.text)) <= 2
    assert max(len(words(one)) for one in sentences(said.text)) <= 20
