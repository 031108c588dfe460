"""What leaves a campaign: a report, sentences for a paper, the command."""

from bleuscope.features.campaign.panel import share_page

share_page()
