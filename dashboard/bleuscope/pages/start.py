"""The bare address: the answer if something is open or a link fails, else the page that opens files."""

from bleuscope.shell.page.frame import link_fails, open_test_set
from bleuscope.shell.state import links, open_campaign

begins = "campaign" if open_campaign.is_named() else "test_set"
links.go_on_to(begins if open_test_set() is None and not link_fails() else "overview")
