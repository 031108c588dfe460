"""The door Trust of a campaign: do its test sets agree, and how were they scored?"""

from bleuscope.features.campaign.panel import trust_page

trust_page()
