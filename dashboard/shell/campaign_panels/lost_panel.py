"""Phrases that one system loses against another on every test set."""

from dashboard.content.campaign.campaign_view import CampaignView
from dashboard.shell.page.campaign_frame import AskedCampaign


def lost_panel(asked: AskedCampaign, view: CampaignView) -> None:
    """Nothing yet."""
