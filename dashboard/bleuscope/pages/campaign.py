"""Campaign: many test sets at once; which system is ahead over all of them?"""

from bleuscope.shell.campaign_panels.campaign_panel import campaign_panel

campaign_panel()
