"""Campaign: many test sets at once; which system is ahead over all of them?"""

from bleuscope.features.campaign.panel import summary_page

summary_page()
