"""The door Data of a campaign: its test sets, and the files that did not fit."""

from bleuscope.features.campaign.panel import data_page

data_page()
