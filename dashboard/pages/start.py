"""The bare address: the answer if something is open, else the page that opens files."""

from dashboard.shell.page.frame import open_test_set
from dashboard.shell.state import links

links.go_on_to("test_set" if open_test_set() is None else "overview")
