"""The door Segments of a campaign: what one system loses against another on every test set."""

from bleuscope.features.campaign.panel import segments_page

segments_page()
