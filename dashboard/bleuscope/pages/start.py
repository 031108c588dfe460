"""The bare address: the answer if something is open or a link fails, else the page that opens files."""

from bleuscope.registry import own_features
from bleuscope.shell.page.frame import link_fails, open_test_set
from bleuscope.shell.state import links

opened = (one.pages[0].name for one in own_features() if one.opening is not None and one.opening.opening.is_begun())
begins = next(opened, "test_set")
links.go_on_to(begins if open_test_set() is None and not link_fails() else "overview")
