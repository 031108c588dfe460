"""The door Compare of a campaign: systems two by two, over all test sets and on each."""

from bleuscope.features.campaign.panel import compare_page

compare_page()
