"""Campaign: many test sets at once; which system is ahead over all of them?"""

from dashboard.shell.campaign_panels.campaign_panel import campaign_panel

campaign_panel()
